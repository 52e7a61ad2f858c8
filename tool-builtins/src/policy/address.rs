//! Which IP addresses are on the public internet.
//!
//! `Ipv4Addr::is_global` is not stable, and an attacker's spelling of an address matters more than a
//! registry's: whatever embeds an IPv4 address in an IPv6 one is refused, never translated and then accepted.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

/// How far an address reaches, and with that who may connect to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Reach {
    /// Reachable from everywhere on the internet.
    Public,
    /// Loopback, private or link-local; the text says which.
    Private(&'static str),
    /// A cloud metadata service, which gives out credentials: never allowed.
    Metadata,
    /// Reserved, multicast or an embedded address; the text says which: never allowed.
    Reserved(&'static str),
}

/// Tells how far `address` reaches.
///
/// # Examples
///
/// ```
/// use tool_builtins::policy::{Reach, reach};
///
/// assert_eq!(reach([1, 1, 1, 1].into()), Reach::Public);
/// assert_eq!(reach([127, 0, 0, 1].into()), Reach::Private("a loopback address"));
/// assert_eq!(reach([169, 254, 169, 254].into()), Reach::Metadata);
/// ```
#[must_use]
pub fn reach(address: IpAddr) -> Reach {
    match address {
        IpAddr::V4(address) => reach_v4(address),
        IpAddr::V6(address) => reach_v6(address),
    }
}

fn reach_v4(address: Ipv4Addr) -> Reach {
    match address.octets() {
        // The metadata services of AWS, Google, Azure, Oracle (IMDS), ECS and EKS tasks, Tencent, Azure's
        // wire server, and Alibaba.
        [169, 254, 169, 253 | 254]
        | [169, 254, 170, 2 | 23]
        | [169, 254, 0, 23]
        | [168, 63, 129, 16]
        | [100, 100, 100, 200]
        | [192, 0, 0, 192] => Reach::Metadata,
        [127, ..] => Reach::Private("a loopback address"),
        [10, ..] | [172, 16..=31, ..] | [192, 168, ..] => Reach::Private("a private address"),
        [169, 254, ..] => Reach::Private("a link-local address"),
        [100, 64..=127, ..] => Reach::Private("a shared address of a carrier's network"),
        [0, ..] => Reach::Reserved("an address of `this` network"),
        [192, 0, 0, _] => Reach::Reserved("an address for protocol assignments"),
        [192, 0, 2, _] | [198, 51, 100, _] | [203, 0, 113, _] => {
            Reach::Reserved("an address for documentation")
        }
        [192, 88, 99, _] => Reach::Reserved("a 6to4 relay address"),
        [198, 18..=19, ..] => Reach::Reserved("an address for benchmarks"),
        [224..=239, ..] => Reach::Reserved("a multicast address"),
        [240..=255, ..] => Reach::Reserved("a reserved address"),
        _ => Reach::Public,
    }
}

fn reach_v6(address: Ipv6Addr) -> Reach {
    match address.segments() {
        // The metadata services of AWS and Google.
        [0xfd00, 0xec2, 0, 0, 0, 0, 0, 0x254] | [0xfd20, 0xce, 0, 0, 0, 0, 0, 0x254] => {
            Reach::Metadata
        }
        [0, 0, 0, 0, 0, 0, 0, 1] => Reach::Private("a loopback address"),
        [0, 0, 0, 0, 0, 0, 0, 0] => Reach::Reserved("the unspecified address"),
        [0xfc00..=0xfdff, ..] => Reach::Private("a private address"),
        [0xfe80..=0xfebf, ..] => Reach::Private("a link-local address"),
        [0xff00..=0xffff, ..] => Reach::Reserved("a multicast address"),
        [0, 0, 0, 0, 0, 0 | 0xffff, ..] | [0, 0, 0, 0, 0xffff, 0, ..] => {
            Reach::Reserved("an IPv4 address inside an IPv6 address")
        }
        [0x64, 0xff9b, ..] => Reach::Reserved("an IPv4 address behind NAT64"),
        [0x2002, ..] => Reach::Reserved("an IPv4 address behind 6to4"),
        [0x2001, 0, ..] => Reach::Reserved("an IPv4 address behind Teredo"),
        [0x2001, 0x1..=0x1ff, ..] => Reach::Reserved("an address for protocol assignments"),
        [0x2001, 0xdb8, ..] | [0x3fff, 0..=0xfff, ..] => {
            Reach::Reserved("an address for documentation")
        }
        // An interface identifier of ISATAP embeds an IPv4 address whatever the prefix.
        [_, _, _, _, 0 | 0x200, 0x5efe, _, _] => Reach::Reserved("an IPv4 address behind ISATAP"),
        [0x2000..=0x3fff, ..] => Reach::Public,
        _ => Reach::Reserved("a reserved address"),
    }
}

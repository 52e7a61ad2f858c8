//! Which addresses are on the public internet.

use std::net::IpAddr;

use tool_builtins::policy::{Reach, reach};

fn all(addresses: &[&str], is: impl Fn(Reach) -> bool) {
    for address in addresses {
        let parsed: IpAddr = address.parse().unwrap();
        assert!(is(reach(parsed)), "{address} is {:?}", reach(parsed));
    }
}

#[test]
fn addresses_of_the_public_internet_are_public() {
    all(
        &[
            "1.1.1.1",
            "8.8.8.8",
            "9.255.255.255",
            "11.0.0.0",
            "93.184.216.34",
            "100.63.255.255",
            "100.128.0.0",
            "126.255.255.255",
            "128.0.0.1",
            "168.63.129.15",
            "168.63.129.17",
            "169.253.255.255",
            "169.255.0.0",
            "172.15.255.255",
            "172.32.0.0",
            "192.0.1.0",
            "192.0.3.0",
            "192.167.255.255",
            "192.169.0.0",
            "198.17.255.255",
            "198.20.0.0",
            "223.255.255.255",
            "2001:200::1",
            "2001:4860:4860::8888",
            "2606:4700::1111",
            "2a00:1450:4001:830::200e",
            "2620:fe::fe",
            "3ffe::1",
        ],
        |reach| reach == Reach::Public,
    );
}

#[test]
fn loopback_private_and_link_local_addresses_are_private() {
    all(
        &[
            "127.0.0.1",
            "127.255.255.254",
            "127.1.2.3",
            "10.0.0.0",
            "10.255.255.255",
            "172.16.0.1",
            "172.31.255.255",
            "192.168.0.1",
            "192.168.255.255",
            "169.254.0.1",
            "169.254.255.255",
            "100.64.0.0",
            "100.127.255.255",
            "::1",
            "fc00::1",
            "fd12:3456:789a::1",
            "fdff:ffff::1",
            "fe80::1",
            "febf::1",
        ],
        |reach| matches!(reach, Reach::Private(_)),
    );
}

#[test]
fn metadata_services_are_told_apart_from_other_private_addresses() {
    all(
        &[
            "169.254.169.254",
            "169.254.170.2",
            "168.63.129.16",
            "100.100.100.200",
            "192.0.0.192",
            "fd00:ec2::254",
            "fd20:ce::254",
        ],
        |reach| reach == Reach::Metadata,
    );
}

#[test]
fn reserved_ranges_and_embedded_ipv4_addresses_are_reserved() {
    all(
        &[
            "0.0.0.0",
            "0.255.255.255",
            "192.0.0.1",
            "192.0.0.170",
            "192.0.2.1",
            "198.51.100.7",
            "203.0.113.9",
            "192.88.99.1",
            "198.18.0.1",
            "198.19.255.255",
            "224.0.0.1",
            "239.255.255.255",
            "240.0.0.1",
            "255.255.255.255",
            "::",
            // Mapped, compatible and translated.
            "::ffff:127.0.0.1",
            "::ffff:8.8.8.8",
            "::ffff:169.254.169.254",
            "::127.0.0.1",
            "::8.8.8.8",
            "::ffff:0:127.0.0.1",
            // NAT64, local NAT64, 6to4, Teredo, ISATAP.
            "64:ff9b::7f00:1",
            "64:ff9b::808:808",
            "64:ff9b:1::7f00:1",
            "2002:7f00:1::",
            "2002:808:808::1",
            "2001:0:7f00:1::1",
            "2001::1",
            "2a00:1450::5efe:7f00:1",
            "2a00:1450::200:5efe:808:808",
            // Special blocks inside 2000::/3, and everything outside of it.
            "2001:1::1",
            "2001:20::1",
            "2001:1ff::1",
            "2001:db8::1",
            "3fff::1",
            "3fff:fff::1",
            "100::1",
            "1fff::1",
            "4000::1",
            "5f00::1",
            "fec0::1",
            "ff02::1",
            "ffff::1",
        ],
        |reach| matches!(reach, Reach::Reserved(_)),
    );
}

#[test]
fn of_every_sixteen_bit_prefix_outside_2000_3_none_is_public() {
    for prefix in (0..=0x1fff_u16).chain(0x4000..=0xffff) {
        let address = IpAddr::from([prefix, 1, 2, 3, 4, 5, 6, 7]);
        assert_ne!(reach(address), Reach::Public, "{address}");
    }
}

//! Which URLs may be requested at all, before anything is looked up or connected.

use std::net::{IpAddr, SocketAddr};

use ::url::{Host, ParseError, Url};

use super::address::{Reach, reach};
use super::network::{NetworkError, NetworkErrorKind};
use super::settings::{Network, Policy};

/// Signed download links reach two kilobytes; nothing honest reaches eight.
const LONGEST: usize = 8 * 1024;

/// The ports of the Fetch standard's block list: services that a request of ours could be made to speak to.
const BAD_PORTS: [u16; 82] = [
    0, 1, 7, 9, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 77, 79, 87, 95, 101,
    102, 103, 104, 109, 110, 111, 113, 115, 117, 119, 123, 135, 137, 139, 143, 161, 179, 389, 427,
    465, 512, 513, 514, 515, 526, 530, 531, 532, 540, 548, 554, 556, 563, 587, 601, 636, 989, 990,
    993, 995, 1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061, 6000, 6566, 6665, 6666, 6667,
    6668, 6669, 6697, 10080,
];

impl Policy {
    /// Parses what the model wrote and checks it.
    pub(super) fn check_text(&self, text: &str) -> Result<Url, NetworkError> {
        let url = Url::parse(clean(text)?).map_err(|source| {
            let message = match source {
                ParseError::RelativeUrlWithoutBase => "the URL has no scheme".to_owned(),
                _ => format!("the URL is not valid ({source})"),
            };
            NetworkError::new(NetworkErrorKind::InvalidUrl, message)
                .with_hint("write it in full, such as `https://example.com/page`")
        })?;
        self.check(&url)?;
        Ok(url)
    }

    /// Resolves a redirect's target and checks it like a URL of the model's.
    pub(super) fn check_redirect(&self, from: &Url, location: &str) -> Result<Url, NetworkError> {
        let url = from.join(clean(location)?).map_err(|source| {
            let message = format!(
                "`{}` redirects to a URL that is not valid ({source})",
                named(from)
            );
            NetworkError::new(NetworkErrorKind::InvalidUrl, message)
        })?;
        if from.scheme() == "https" && url.scheme() == "http" {
            let message = format!(
                "`{}` redirects from https to http, which is refused",
                named(from)
            );
            return Err(NetworkError::new(NetworkErrorKind::Refused, message));
        }
        self.check(&url)?;
        Ok(url)
    }

    fn check(&self, url: &Url) -> Result<(), NetworkError> {
        if !matches!(url.scheme(), "http" | "https") {
            let message = format!(
                "the scheme `{}` is refused: only `http` and `https` are fetched",
                url.scheme()
            );
            return Err(NetworkError::new(NetworkErrorKind::InvalidUrl, message));
        }
        if !url.username().is_empty() || url.password().is_some() {
            let message = "a user name or password in a URL is refused".to_owned();
            return Err(NetworkError::new(NetworkErrorKind::InvalidUrl, message)
                .with_hint("leave out the part before the `@`"));
        }
        if self.network_access() == Network::Off {
            let message = "the network is switched off".to_owned();
            return Err(NetworkError::new(NetworkErrorKind::Refused, message)
                .with_hint("to allow it use `Policy::network(Network::Public)`"));
        }
        let port = url.port_or_known_default().unwrap_or_default();
        if BAD_PORTS.binary_search(&port).is_ok() {
            let message = format!(
                "port {port} is refused: browsers block it too, as it belongs to another protocol"
            );
            return Err(NetworkError::new(NetworkErrorKind::Refused, message));
        }
        self.check_host(url)?;
        match url.host() {
            Some(Host::Ipv4(address)) => {
                self.check_address(&named(url), IpAddr::V4(address), Some(port))
            }
            Some(Host::Ipv6(address)) => {
                self.check_address(&named(url), IpAddr::V6(address), Some(port))
            }
            _ => Ok(()),
        }
    }

    fn check_host(&self, url: &Url) -> Result<(), NetworkError> {
        let host = url.host_str().unwrap_or_default().trim_end_matches('.');
        let below = |allowed: &String| {
            host.strip_suffix(allowed.as_str())
                .is_some_and(|rest| rest.is_empty() || rest.ends_with('.'))
        };
        if self.hosts().is_empty() || self.hosts().iter().any(below) {
            return Ok(());
        }
        let allowed = self
            .hosts()
            .iter()
            .map(|host| format!("`{host}`"))
            .collect::<Vec<_>>()
            .join(", ");
        let message =
            format!("the host `{host}` is not one of those that may be fetched ({allowed})");
        Err(NetworkError::new(NetworkErrorKind::Refused, message)
            .with_hint("to allow it add it to `Policy::only_hosts`"))
    }

    /// Checks one address. `place` is what the message calls it by; `port` is known only for an address that the
    /// URL itself spells out, and only there do single allowed addresses count.
    pub(super) fn check_address(
        &self,
        place: &str,
        address: IpAddr,
        port: Option<u16>,
    ) -> Result<(), NetworkError> {
        let refused = |why: &str, setting: &str| {
            let leads = if place.contains(&address.to_string()) {
                format!("`{place}` is {why}")
            } else {
                format!("`{place}` leads to `{address}`, {why}")
            };
            NetworkError::new(
                NetworkErrorKind::Refused,
                format!("{leads}, which is refused{setting}"),
            )
        };
        match reach(address) {
            Reach::Public => Ok(()),
            Reach::Metadata => Err(refused("a cloud metadata service", " under every setting")),
            Reach::Reserved(what) => Err(refused(what, " under every setting")),
            Reach::Private(_) if self.network_access() == Network::PrivateAllowed => Ok(()),
            Reach::Private(_)
                if port.is_some_and(|port| {
                    self.addresses().contains(&SocketAddr::new(address, port))
                }) =>
            {
                Ok(())
            }
            Reach::Private(what) => Err(refused(what, "").with_hint(
                "to allow it use `Policy::network(Network::PrivateAllowed)`, or `--allow-private-network` on the \
                 command line",
            )),
        }
    }
}

/// A URL as messages show it: without query and fragment, which may hold a key.
pub(super) fn named(url: &Url) -> String {
    let mut shown = url.clone();
    shown.set_query(None);
    shown.set_fragment(None);
    let shown = shown.to_string();
    match shown.char_indices().nth(200) {
        Some((end, _)) => format!("{}…", shown.get(..end).unwrap_or_default()),
        None => shown,
    }
}

/// The parser drops tabs and newlines and reads `\` as `/`, so what a person reads is not what is requested.
fn clean(text: &str) -> Result<&str, NetworkError> {
    let text = text.trim_matches(' ');
    if text.len() > LONGEST {
        let message = format!(
            "the URL is {} bytes long: at most {LONGEST} are accepted",
            text.len()
        );
        return Err(NetworkError::new(NetworkErrorKind::InvalidUrl, message));
    }
    if text
        .chars()
        .any(|character| character == '\\' || character.is_control())
    {
        let message = "the URL holds a backslash or a control character".to_owned();
        return Err(NetworkError::new(NetworkErrorKind::InvalidUrl, message)
            .with_hint("write it percent-encoded, such as `%5C`"));
    }
    Ok(text)
}

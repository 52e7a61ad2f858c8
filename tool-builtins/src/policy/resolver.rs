//! Name lookup that answers only with allowed addresses.
//!
//! The connector connects to what this gives it and asks nobody else, so a name that changes its answer between
//! a check and the connection (DNS rebinding) gains nothing.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::sync::Arc;

use reqwest::dns::{Addrs, Name, Resolve, Resolving};

use super::network::NetworkError;
use super::settings::Policy;

/// Resolves through the system and drops every address that the policy refuses.
pub(super) struct Filter {
    policy: Arc<Policy>,
}

impl Filter {
    pub(super) fn new(policy: &Policy) -> Self {
        // The client is stored in the policy's shared part; a filter that held that part would keep it alive forever.
        Self {
            policy: Arc::new(policy.clone().detached()),
        }
    }
}

impl Resolve for Filter {
    fn resolve(&self, name: Name) -> Resolving {
        let policy = Arc::clone(&self.policy);
        Box::pin(async move {
            let host = name.as_str().trim_end_matches('.').to_ascii_lowercase();
            let fixed: Vec<IpAddr> = policy
                .names()
                .iter()
                .filter(|(name, _)| *name == host)
                .map(|(_, address)| *address)
                .collect();
            let found = if !fixed.is_empty() {
                fixed
            } else if host == "localhost" || host.ends_with(".localhost") {
                // These names mean this machine whatever a name server says (RFC 6761).
                vec![Ipv4Addr::LOCALHOST.into(), Ipv6Addr::LOCALHOST.into()]
            } else {
                let answer = tokio::net::lookup_host((name.as_str(), 0)).await?;
                answer.map(|address| address.ip()).collect()
            };
            let allowed = keep_allowed(&policy, &host, &found)?;
            Ok(Box::new(
                allowed
                    .into_iter()
                    .map(|address| SocketAddr::new(address, 0)),
            ) as Addrs)
        })
    }
}

/// Drops the refused addresses; with none left, the error says why the first one was refused.
fn keep_allowed(
    policy: &Policy,
    host: &str,
    found: &[IpAddr],
) -> Result<Vec<IpAddr>, NetworkError> {
    let mut refused = None;
    let mut allowed = Vec::new();
    for address in found {
        match policy.check_address(host, *address, None) {
            Ok(()) => allowed.push(*address),
            Err(error) => refused = refused.or(Some(error)),
        }
    }
    match refused {
        Some(error) if allowed.is_empty() => Err(error),
        _ => Ok(allowed),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_a_mixed_answer_only_the_public_addresses_are_kept() {
        let found = [
            IpAddr::from([127, 0, 0, 1]),
            IpAddr::from([1, 1, 1, 1]),
            IpAddr::from([10, 0, 0, 1]),
        ];
        let kept = keep_allowed(&Policy::new(), "rebind.example", &found).unwrap();
        assert_eq!(kept, [IpAddr::from([1, 1, 1, 1])]);
    }

    #[test]
    fn a_wholly_private_answer_is_an_error_that_names_the_host_and_the_setting() {
        let error = keep_allowed(
            &Policy::new(),
            "intranet.example",
            &[IpAddr::from([10, 0, 0, 1])],
        )
        .unwrap_err();
        let message = error.to_string();
        assert!(message.contains("intranet.example"), "{message}");
        assert!(message.contains("--allow-private-network"), "{message}");
    }
}

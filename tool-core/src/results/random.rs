//! Names of kept results that nobody can guess.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;

/// `r_` and 128 random bits in 22 characters, or nothing where the system
/// gives no randomness: a name that can be guessed would let one conversation
/// read what belongs to another.
pub(super) fn id() -> Option<String> {
    let mut bits = [0; 16];
    fill(&mut bits)?;
    let mut id = String::with_capacity(24);
    id.push_str("r_");
    URL_SAFE_NO_PAD.encode_string(bits, &mut id);
    Some(id)
}

#[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
fn fill(bits: &mut [u8]) -> Option<()> {
    match getrandom::fill(bits) {
        Ok(()) => Some(()),
        Err(error) => {
            tracing::error!(%error, "no randomness: whole results are not kept");
            None
        }
    }
}

/// The bare wasm target has no source of randomness that all hosts share.
#[cfg(all(target_family = "wasm", target_os = "unknown"))]
fn fill(_bits: &mut [u8]) -> Option<()> {
    None
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::id;

    #[test]
    fn ids_are_short_and_never_the_same() {
        let ids: HashSet<String> = (0..1_000).map(|_| id().unwrap()).collect();
        assert_eq!(ids.len(), 1_000);
        for id in ids {
            let random = id.strip_prefix("r_").unwrap();
            assert_eq!(random.len(), 22);
            assert!(
                random
                    .bytes()
                    .all(|byte| byte.is_ascii_alphanumeric() || b"-_".contains(&byte))
            );
        }
    }
}

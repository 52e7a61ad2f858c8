//! Names of kept results that nobody can guess.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;

use crate::random;

/// `r_` and 128 random bits in 22 characters, or nothing where the system
/// gives no randomness: a name that can be guessed would let one conversation
/// read what belongs to another.
pub(super) fn id() -> Option<String> {
    match random::bytes::<16>() {
        Ok(bits) => Some(format!("r_{}", URL_SAFE_NO_PAD.encode(bits))),
        Err(error) => {
            tracing::error!(%error, "whole results are not kept");
            None
        }
    }
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

//! The secret under which pending records are sealed.

use std::fmt;

use zeroize::Zeroizing;

use crate::random::{self, NoRandomness};

/// The secret under which an executor seals its [`Pending`](crate::Pending) records.
///
/// Each executor makes one of its own unless it is given one. Give it one
/// where a record must be resumed by another process, or after a restart: 32
/// random bytes from the program's secret store, used for nothing else. Who
/// has the key can make records that run any tool with any arguments.
///
/// It is wiped from memory when it is dropped, and never shown.
///
/// # Examples
///
/// ```
/// use tool_core::ApprovalKey;
///
/// let key = ApprovalKey::new([7; 32]); // from the secret store
/// assert_eq!(format!("{key:?}"), "ApprovalKey(…)");
/// ```
#[derive(Clone)]
pub struct ApprovalKey {
    bytes: Zeroizing<[u8; 32]>,
}

impl ApprovalKey {
    /// A key of these bytes. They must be random: a word or a sentence can be guessed.
    pub fn new(bytes: [u8; 32]) -> Self {
        Self {
            bytes: Zeroizing::new(bytes),
        }
    }

    /// A new key from the operating system's random numbers.
    ///
    /// # Panics
    ///
    /// Where the operating system has none, as in a browser.
    #[expect(
        clippy::panic,
        reason = "a system without random numbers is found at the program's start"
    )]
    pub fn random() -> Self {
        match Self::generate() {
            Ok(key) => key,
            Err(error) => panic!("{error}"),
        }
    }

    /// The same as [`random`](Self::random), without the panic.
    pub(crate) fn generate() -> Result<Self, NoRandomness> {
        let mut bytes = Zeroizing::new([0; 32]);
        random::fill(&mut *bytes)?;
        Ok(Self { bytes })
    }

    pub(super) fn bytes(&self) -> &[u8; 32] {
        &self.bytes
    }
}

impl fmt::Debug for ApprovalKey {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("ApprovalKey(…)")
    }
}

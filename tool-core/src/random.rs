//! Random numbers of the operating system.

use std::fmt;

/// The operating system gives no random numbers.
#[derive(Debug)]
pub(crate) struct NoRandomness(String);

impl fmt::Display for NoRandomness {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            formatter,
            "the operating system gives no random numbers: {}",
            self.0
        )
    }
}

impl std::error::Error for NoRandomness {}

/// Random bytes.
pub(crate) fn bytes<const N: usize>() -> Result<[u8; N], NoRandomness> {
    let mut bytes = [0; N];
    fill(&mut bytes)?;
    Ok(bytes)
}

#[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
pub(crate) fn fill(bytes: &mut [u8]) -> Result<(), NoRandomness> {
    getrandom::fill(bytes).map_err(|error| NoRandomness(error.to_string()))
}

#[cfg(all(target_family = "wasm", target_os = "unknown"))]
pub(crate) fn fill(_bytes: &mut [u8]) -> Result<(), NoRandomness> {
    Err(NoRandomness("not on this target".to_owned()))
}

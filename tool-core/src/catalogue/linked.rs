//! The tools of every linked crate.

use std::sync::OnceLock;

use super::{Catalogue, CatalogueError};
use crate::declaration::Declaration;

inventory::collect!(&'static Declaration);

/// Every tool of every linked crate, sorted by name. Built once.
///
/// A crate that no code names is not linked: write `use tool_builtins as _;`
/// where only its tools are wanted. On wasm and in static libraries list the
/// tools with [`tools!`](crate::tools) instead.
///
/// # Panics
///
/// When two tools have one name. [`Catalogue::linked`] gives the error instead.
#[expect(
    clippy::panic,
    reason = "two tools with one name are a fault of the program, found at its start"
)]
pub fn catalogue() -> &'static Catalogue {
    static CATALOGUE: OnceLock<Catalogue> = OnceLock::new();

    CATALOGUE.get_or_init(|| match Catalogue::linked() {
        Ok(catalogue) => catalogue,
        Err(error) => panic!("{error}"),
    })
}

impl Catalogue {
    /// Every tool of every linked crate, as [`catalogue`], without the panic.
    ///
    /// # Errors
    ///
    /// When two tools have one name; the error names both places.
    pub fn linked() -> Result<Self, CatalogueError> {
        let catalogue = Self::new(inventory::iter::<&'static Declaration>)?;
        if catalogue.is_empty() {
            tracing::warn!(
                "the catalogue is empty: a crate whose tools are wanted must be named in the code, \
                 as in `use tool_builtins as _;`"
            );
        }
        Ok(catalogue)
    }
}

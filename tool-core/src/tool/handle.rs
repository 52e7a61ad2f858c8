//! Tools by the names of their functions.

use crate::declaration::Declaration;

/// The handle of a tool: the struct that `#[tool]` puts beside the function,
/// under the same name.
#[doc(hidden)]
pub trait Handle {
    const DECLARATION: &'static Declaration;
}

/// A list of tools by the names of their functions, of type
/// `[&'static Declaration; N]`, which a `static` can hold.
///
/// # Examples
///
/// ```
/// use tool_core::{Catalogue, Declaration, tool, tools};
///
/// mod net {
///     /// Answer that the service is up.
///     #[tool_core::tool]
///     pub fn ping() -> &'static str {
///         "pong"
///     }
/// }
///
/// /// Add two numbers.
/// #[tool]
/// fn add(
///     /// The first number.
///     a: i64,
///     /// The second number.
///     b: i64,
/// ) -> i64 {
///     a + b
/// }
///
/// static TOOLS: &[&Declaration] = &tools![add, net::ping];
///
/// # fn main() {
/// let catalogue = Catalogue::new(TOOLS).unwrap();
/// assert_eq!(catalogue.names().collect::<Vec<_>>(), ["add", "ping"]);
/// # }
/// ```
#[macro_export]
macro_rules! tools {
    ($($tool:path),* $(,)?) => {
        [$(<$tool as $crate::__private::Handle>::DECLARATION),*]
    };
}

//! What it costs to check arguments whose schema has bounds, beside the
//! general validator; to mend a call; and to import definitions.
//!
//! ```text
//! cargo run --release --no-default-features --bin arguments [ROUNDS]
//! ```

mod hand;
mod ours;

use tokio::runtime::Runtime;
use tool_benches::harness;

/// Arguments as a model writes them.
pub(crate) const ARGUMENTS: &str = r#"{"city":"Berlin","days":3,"ratio":0.5}"#;

fn main() -> std::io::Result<()> {
    let runtime = Runtime::new()?;
    let mut rows = hand::rows();
    rows.extend(ours::rows());
    harness::measure_and_print(&runtime, &rows);
    Ok(())
}

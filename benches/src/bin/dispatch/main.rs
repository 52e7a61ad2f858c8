//! What one call costs, from the model's JSON text to the answer's JSON text,
//! of a tool that does nothing among fifty.
//!
//! ```text
//! cargo run --release --bin dispatch [ROUNDS]
//! ```

mod ours;

use tokio::runtime::Runtime;
use tool_benches::{hand, harness};

fn main() -> std::io::Result<()> {
    let runtime = Runtime::new()?;
    let mut rows = hand::rows();
    rows.extend(ours::rows());
    #[cfg(feature = "peers")]
    rows.extend(tool_benches::peers::rows(&runtime));
    harness::measure_and_print(&runtime, &rows);
    Ok(())
}

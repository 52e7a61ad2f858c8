//! Our rows of the dispatch table.
//!
//! Each runs [`workload::TOOL`](tool_benches::workload::TOOL), one of fifty
//! tools declared with `with_fifty_names!`, on
//! [`workload::arguments`](tool_benches::workload::arguments):
//!
//! | row | compared with | aim |
//! |---|---|---:|
//! | `Tool::call` | `hand::PLAIN` | ≤ 2 |
//! | `Executor::call`, isolation off | `hand::GUARDED` | ≤ 2 |
//! | `Executor::call`, from main | `hand::ISOLATED_FROM_MAIN` | ≤ 1.2 |
//! | `Executor::call`, from a task | `hand::ISOLATED_FROM_TASK` | ≤ 1.2 |

use tokio::runtime::Runtime;
use tool_benches::harness::Row;

/// Our rows, none of them written yet.
pub(crate) fn rows(_runtime: &Runtime) -> Vec<Row> {
    Vec::new()
}

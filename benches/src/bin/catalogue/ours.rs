//! Our rows of the catalogue table.
//!
//! Each works on [`TOOLS`](crate::TOOLS) tools made at run time, with the names
//! of [`name`](crate::name) and the schema of
//! [`parameters`](crate::parameters):
//!
//! | row | compared with |
//! |---|---|
//! | `Catalogue` from 10,000 `Tool::new` | `hand::BUILD` |
//! | `Catalogue::get`, exact name | `hand::FIND` |
//! | `Catalogue::get`, a name that only folding finds | `hand::FIND` |
//! | all definitions in the OpenAI dialect, as JSON text | `hand::LIST` |

use tool_benches::harness::Row;

/// Our rows, none of them written yet.
pub(crate) fn rows() -> Vec<Row> {
    Vec::new()
}

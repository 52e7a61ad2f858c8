//! A worker for programs that cannot call `tool_builtins::worker::run_if_asked` themselves.

use std::process::ExitCode;

fn main() -> ExitCode {
    tool_builtins::worker::run_if_asked();
    // Whoever starts it by hand gets nothing from it.
    ExitCode::from(2)
}

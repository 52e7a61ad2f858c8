//! The command `tool` with all built-in tools.

fn main() -> std::process::ExitCode {
    tool_cli::main()
}

use tool_core::tool;

struct Report;

/// Return a type of one's own.
#[tool]
fn own() -> Report {
    Report
}

/// Return it in a result.
#[tool]
async fn in_result() -> Result<Report, std::io::Error> {
    Ok(Report)
}

/// Fail with what is no error.
#[tool]
fn bad_error() -> Result<String, Report> {
    Err(Report)
}

fn main() {}

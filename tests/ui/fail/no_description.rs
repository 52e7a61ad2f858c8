use tool_core::tool;

#[tool]
fn silent() {}

///
#[tool]
fn blank() {}

fn main() {
    silent();
    blank();
    let _ = tool_core::tools![silent, blank];
}

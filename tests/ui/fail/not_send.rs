use std::rc::Rc;
use tool_core::tool;

async fn pause() {}

/// Hold what cannot move between threads.
#[tool]
async fn hold() -> String {
    let text = Rc::new(String::new());
    pause().await;
    text.to_string()
}

fn main() {}

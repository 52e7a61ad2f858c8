//! A hook keeps what a tool has read for a while.

use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use tool_core::{Cache, Call, Catalogue, Executor, tool, tools};

/// Read the price of an article.
#[tool(name = "shop-read_price", read_only)]
async fn read_price(
    /// The number of the article.
    article: u32,
    /// The currency.
    currency: String,
    #[tool(state)] reads: &AtomicU32,
) -> String {
    let read = reads.fetch_add(1, Ordering::Relaxed) + 1;
    format!("article {article}: 20 {currency} (read {read})")
}

/// Change the price of an article.
#[tool(name = "shop-change_price", destructive)]
async fn change_price() -> &'static str {
    "changed"
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let cache = Cache::new(Duration::from_secs(600));
    let forget = cache.clone();
    let executor = Executor::builder(Catalogue::new(tools![read_price, change_price])?)
        .state(AtomicU32::new(0))
        .hook(cache)
        // What was read before something changed is worth nothing.
        .after(move |call, output| {
            if call.tool().definition().annotations.read_only != Some(true) {
                forget.clear();
            }
            Ok(output)
        })
        .build()?;
    for (name, arguments) in [
        ("shop-read_price", r#"{"article":7,"currency":"euros"}"#),
        ("shop-read_price", r#"{"currency":"euros","article":7.0}"#),
        ("shop-read_price", r#"{"article":8,"currency":"euros"}"#),
        ("shop-change_price", "{}"),
        ("shop-read_price", r#"{"article":7,"currency":"euros"}"#),
    ] {
        let outcome = executor.call(Call::new("1", name, arguments)).await;
        println!("{name} {arguments}\n  {}", outcome.text());
    }
    Ok(())
}

//! Gives tools a database, and listens to their progress.

use std::collections::BTreeMap;
use std::sync::Mutex;

use tool_core::{Call, Catalogue, Context, Executor, Progress, ToolError, tool, tools};

/// What the tools share. The model never sees it.
#[derive(Default)]
struct Stock {
    pieces: Mutex<BTreeMap<String, u32>>,
}

/// Add pieces of an article to the stock.
#[tool(name = "stock-add_pieces")]
async fn add_pieces(
    /// The name of the article.
    article: String,
    /// How many pieces.
    #[schemars(range(min = 1))]
    pieces: u32,
    #[tool(state)] stock: &Stock,
    context: &Context,
) -> Result<String, ToolError> {
    for piece in 1..=pieces {
        if context.is_cancelled() {
            return Err(ToolError::new(format!(
                "stopped after {} pieces",
                piece - 1
            )));
        }
        context.report(Progress::new(f64::from(piece)).of(f64::from(pieces)));
    }
    let mut stock = stock
        .pieces
        .lock()
        .map_err(|_| ToolError::new("the stock is locked"))?;
    let now = stock.entry(article.clone()).or_default();
    *now += pieces;
    Ok(format!("{now} pieces of {article}"))
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let tools = Catalogue::new(tools![add_pieces])?;

    // Without its state the executor is not even built.
    if let Err(error) = Executor::new(tools.clone()) {
        println!("{error}");
    }

    let executor = Executor::builder(tools)
        .state(Stock::default())
        .on_progress(|id, progress| println!("{id}: {} of {:?}", progress.done, progress.total))
        .build()?;
    for (id, pieces) in [("first", 2), ("second", 1)] {
        let arguments = serde_json::json!({ "article": "chair", "pieces": pieces });
        let outcome = executor
            .call(Call::new(id, "stock-add_pieces", arguments))
            .await;
        println!("{}", outcome.text());
    }
    Ok(())
}

//! A result that is too long for a model is cut, and the model reads on in
//! what was kept: by lines, or by words.

use serde_json::json;
use tool_core::{Call, Catalogue, Executor, Json, ResultStore, tool, tools};

/// List the orders of a year.
#[tool(name = "orders-list_orders", read_only, max_output = 260)]
fn list_orders() -> Json<Vec<String>> {
    let order = |number| match number {
        417 => format!("order {number}: a yellow submarine"),
        _ => format!("order {number}: a chair"),
    };
    Json((1..=500).map(order).collect())
}

/// The text after one word and before another.
fn between<'a>(text: &'a str, before: &str, after: &str) -> Option<&'a str> {
    Some(text.split_once(before)?.1.split_once(after)?.0)
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    // The store adds the tool `results-read_result`, so that the definitions
    // for the model come from the executor's catalogue.
    let executor = Executor::builder(Catalogue::new(tools![list_orders])?)
        .keep_results(ResultStore::new())
        .build()?;
    let names: Vec<&str> = executor.catalogue().names().collect();
    println!("The model is told of {}.\n", names.join(" and "));

    let outcome = executor
        .call(Call::new("1", "orders-list_orders", "{}"))
        .await;
    let text = outcome.text();
    // What a model takes from the note at the end. Ids are random.
    let id = between(&text, "`id` \"", "\"").ok_or("the result was cut")?;
    let offset: u64 = between(&text, "`offset` ", ",").unwrap_or("0").parse()?;
    println!("{}\n", text.replace(id, "r_…"));

    for arguments in [
        json!({ "id": id, "offset": offset, "limit": 3 }),
        json!({ "id": id, "search": "submarine" }),
        json!({ "id": "r_guessed" }),
    ] {
        println!("{}", arguments.to_string().replace(id, "r_…"));
        let call = Call::new("2", "results-read_result", arguments);
        println!("{}\n", executor.call(call).await.text());
    }
    Ok(())
}

//! rig-core: typed tools behind its object-safe trait. Finding a tool by name
//! is the agent's business there, so the table is ours, as in the hand-written
//! row; the agent itself would only add to this.

use std::collections::HashMap;

use rig_core::{
    rig_tool,
    tool::{ErasedTool, ToolContext, ToolExecutionError},
};

use crate::{
    hand,
    harness::Row,
    with_fifty_names,
    workload::{Failure, Forecast, TOOL, arguments, is_answer},
};

type Table = HashMap<String, Box<dyn ErasedTool>>;

macro_rules! declare {
    ($($function:ident $type:ident),* $(,)?) => {
        $(
            /// Forecasts the weather of a city.
            #[rig_tool]
            async fn $function(
                /// The city.
                city: String,
                /// How many days.
                days: Option<u32>,
            ) -> Result<Forecast, ToolExecutionError> {
                Ok(Forecast::new(city, days))
            }
        )*

        fn table() -> Table {
            let tools: Vec<Box<dyn ErasedTool>> = vec![$(Box::new($type)),*];
            tools.into_iter().map(|tool| (tool.name(), tool)).collect()
        }
    };
}

with_fifty_names!(declare);

pub(super) fn row() -> Row {
    let table: &'static Table = Box::leak(Box::new(table()));
    Row::new(
        "rig-core 0.44.0 `ErasedTool::execute`",
        is_answer,
        move || call(table, TOOL, arguments()),
    )
    .compared_with(hand::PLAIN)
}

async fn call(table: &Table, name: &str, arguments: &str) -> Result<String, Failure> {
    let tool = table.get(name).ok_or("no such tool")?;
    let mut context = ToolContext::new();
    let output = tool
        .execute(arguments.to_owned(), &mut context)
        .await
        .into_result()?;
    Ok(output.render())
}

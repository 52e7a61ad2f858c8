//! llm-tool: a registry that takes the arguments as text and, by default,
//! cleans what a tool returns.

use ::llm_tool::{ToolContext, ToolRegistry, llm_tool};

use crate::{
    hand,
    harness::Row,
    with_fifty_names,
    workload::{Failure, Forecast, TOOL, arguments, is_answer},
};

macro_rules! declare {
    ($($function:ident $type:ident),* $(,)?) => {
        $(
            /// Forecasts the weather of a city.
            #[llm_tool]
            async fn $function(
                /// The city.
                city: String,
                /// How many days.
                days: Option<u32>,
            ) -> Forecast {
                Forecast::new(city, days)
            }
        )*

        fn registry() -> ToolRegistry {
            ToolRegistry::new()$(.with_tool($type))*
        }
    };
}

with_fifty_names!(declare);

pub(super) fn row() -> Row {
    let registry: &'static ToolRegistry = Box::leak(Box::new(registry()));
    let context: &'static ToolContext = Box::leak(Box::new(ToolContext::new()));
    Row::new("llm-tool 0.10.5 `dispatch_str`", is_answer, move || {
        call(registry, context, TOOL, arguments())
    })
    .compared_with(hand::PLAIN)
}

async fn call(
    registry: &ToolRegistry,
    context: &ToolContext,
    name: &str,
    arguments: &str,
) -> Result<String, Failure> {
    let output = registry.dispatch_str(name, arguments, context).await?;
    Ok(output.into_content())
}

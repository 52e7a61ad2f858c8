//! tools-rs: tools collected by `inventory`, called through a `Value`.

use ::tools_rs::{FunctionCall, ToolCollection, tool};

use crate::{
    hand,
    harness::Row,
    with_fifty_names,
    workload::{Failure, Forecast, TOOL, arguments, is_answer},
};

macro_rules! declare {
    ($($function:ident $type:ident),* $(,)?) => {$(
        /// Forecasts the weather of a city.
        #[tool]
        async fn $function(city: String, days: Option<u32>) -> Forecast {
            Forecast::new(city, days)
        }
    )*};
}

with_fifty_names!(declare);

pub(super) fn row() -> Row {
    let tools: &'static ToolCollection = Box::leak(Box::new(::tools_rs::collect_tools()));
    Row::new("tools-rs 0.3.3 `call`", is_answer, move || {
        call(tools, TOOL, arguments())
    })
    .compared_with(hand::PLAIN)
}

async fn call(tools: &ToolCollection, name: &str, arguments: &str) -> Result<String, Failure> {
    // `FunctionCall::new` would draw a random id for the call; no other row does.
    let call = FunctionCall {
        id: None,
        name: name.to_owned(),
        arguments: serde_json::from_str(arguments)?,
    };
    let response = tools.call(call).await?;
    Ok(serde_json::to_string(&response.result)?)
}

//! Our rows of the dispatch table.
//!
//! Each runs [`workload::TOOL`](tool_benches::workload::TOOL), one of fifty
//! declared tools, on [`workload::arguments`](tool_benches::workload::arguments).

use tool_benches::{
    hand,
    harness::{Caller, Row},
    with_fifty_names,
    workload::{Failure, Forecast, TOOL, arguments, is_answer},
};
use tool_core::{Call, Catalogue, Content, Context, Executor, Output, ToolError};

macro_rules! declare {
    ($($function:ident $type:ident),* $(,)?) => {
        $(
            /// Forecasts the weather of a city.
            #[tool_core::tool]
            async fn $function(
                /// The city.
                city: String,
                /// How many days.
                days: Option<u32>,
            ) -> Result<Output, ToolError> {
                Ok(Content::json(&Forecast::new(city, days))?.into())
            }
        )*

        fn catalogue() -> Catalogue {
            Catalogue::new(tool_core::tools![$($function),*]).expect("the names differ")
        }
    };
}

with_fifty_names!(declare);

/// Our rows: with everything that the executor does, and without its task.
pub(crate) fn rows() -> Vec<Row> {
    let catalogue: &'static Catalogue = Box::leak(Box::new(catalogue()));
    let context: &'static Context = Box::leak(Box::new(Context::new()));
    let executor = |isolation| {
        let executor = Executor::builder(catalogue).isolation(isolation).build();
        let executor: &'static Executor = Box::leak(Box::new(executor.expect("no tool has state")));
        executor
    };
    let (isolated, inline) = (executor(true), executor(false));
    vec![
        Row::new("ours: `Tool::call`", is_answer, move || {
            call(catalogue, context, TOOL, arguments())
        })
        .compared_with(hand::PLAIN)
        .aim(2.0),
        Row::new(
            "ours: `Executor::call`, isolation off",
            is_answer,
            move || execute(inline, TOOL, arguments()),
        )
        .compared_with(hand::GUARDED)
        .aim(2.0),
        Row::new("ours: `Executor::call`, from main", is_answer, move || {
            execute(isolated, TOOL, arguments())
        })
        .compared_with(hand::ISOLATED_FROM_MAIN)
        .aim(1.2),
        Row::new(
            "ours: `Executor::call`, from a task",
            is_answer,
            move || execute(isolated, TOOL, arguments()),
        )
        .called_from(Caller::Task)
        .compared_with(hand::ISOLATED_FROM_TASK)
        .aim(1.2),
    ]
}

async fn call(
    catalogue: &Catalogue,
    context: &Context,
    name: &str,
    arguments: &str,
) -> Result<String, Failure> {
    let tool = catalogue.find(name).ok_or("no such tool")?;
    match tool.call(arguments, context).await {
        Ok(output) => Ok(output.into_text()),
        Err(error) => Err(error.to_model().into()),
    }
}

async fn execute(executor: &Executor, name: &str, arguments: &str) -> Result<String, Failure> {
    let outcome = executor.call(Call::new("call_1", name, arguments)).await;
    match outcome.result {
        Ok(output) => Ok(output.into_text()),
        Err(error) => Err(error.to_model().into()),
    }
}

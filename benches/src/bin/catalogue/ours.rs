//! Our rows of the catalogue table.
//!
//! Each works on [`TOOLS`](crate::TOOLS) tools made at run time, with the names
//! of [`name`](crate::name) and the schema of [`parameters`](crate::parameters).

use std::{future::ready, hint::black_box};

use tool_benches::harness::Row;
use tool_core::{Catalogue, Definition, Dialect, Tool};

use crate::{TOOLS, hand, name, parameters};

/// Our rows: built, searched exactly and by a bent name, listed.
pub(crate) fn rows() -> Vec<Row> {
    let catalogue: &'static Catalogue = Box::leak(Box::new(build()));
    let wanted: &'static str = Box::leak(name(TOOLS / 2).into_boxed_str());
    let bent: &'static str = Box::leak(format!("{wanted}()").into_boxed_str());
    vec![
        Row::new(
            "ours: build, `Tool::new` and `Catalogue::new`",
            |catalogue: &Catalogue| catalogue.len() == TOOLS,
            move || ready(build()),
        )
        .compared_with(hand::BUILD),
        Row::new(
            "ours: `find`, exact name",
            Option::<&Tool>::is_some,
            move || ready(catalogue.find(black_box(wanted))),
        )
        .compared_with(hand::FIND),
        Row::new(
            "ours: `find`, bent name",
            Option::<&Tool>::is_some,
            move || ready(catalogue.find(black_box(bent))),
        )
        .compared_with(hand::FIND),
        Row::new(
            "ours: list, OpenAI dialect",
            |text: &String| text.len() > TOOLS,
            move || ready(list(catalogue)),
        )
        .compared_with(hand::LIST),
    ]
}

fn build() -> Catalogue {
    let tools = (0..TOOLS).map(|number| {
        let definition = Definition::new(
            name(number),
            "Forecasts the weather of a city.",
            parameters(),
        );
        Tool::new(definition, |arguments, _| async move { arguments }).expect("the schema is right")
    });
    Catalogue::new(tools).expect("the names differ")
}

fn list(catalogue: &Catalogue) -> String {
    let definitions = Dialect::OpenAi.definitions(catalogue);
    // Values with text keys cannot fail to serialise.
    serde_json::to_string(&definitions.tools).unwrap_or_default()
}

//! The same fifty tools three times: of the foundation, of today, and of today
//! with a condition of approval.

use tool_benches::with_fifty_names;

mod foundation_tools {
    use foundation::{Catalogue, Content, Output, ToolError};
    use tool_benches::workload::Forecast;

    macro_rules! declare {
        ($($function:ident $type:ident),* $(,)?) => {
            $(
                /// Forecasts the weather of a city.
                #[foundation::tool(crate = foundation)]
                async fn $function(
                    /// The city.
                    city: String,
                    /// How many days.
                    days: Option<u32>,
                ) -> Result<Output, ToolError> {
                    Ok(Content::json(&Forecast::new(city, days))?.into())
                }
            )*

            pub(super) fn catalogue() -> Catalogue {
                Catalogue::new(foundation::tools![$($function),*]).expect("the names differ")
            }
        };
    }

    super::with_fifty_names!(declare);
}

mod present_tools {
    use tool_benches::workload::Forecast;
    use tool_core::{Catalogue, Content, Output, ToolError};

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

            pub(super) fn catalogue() -> Catalogue {
                Catalogue::new(tool_core::tools![$($function),*]).expect("the names differ")
            }
        };
    }

    super::with_fifty_names!(declare);
}

mod asking_tools {
    use tool_benches::workload::Forecast;
    use tool_core::{Catalogue, Content, Output, ToolError};

    fn never(_city: &str, _days: &Option<u32>) -> bool {
        false
    }

    macro_rules! declare {
        ($($function:ident $type:ident),* $(,)?) => {
            $(
                /// Forecasts the weather of a city.
                #[tool_core::tool(approval_if = never)]
                async fn $function(
                    /// The city.
                    city: String,
                    /// How many days.
                    days: Option<u32>,
                ) -> Result<Output, ToolError> {
                    Ok(Content::json(&Forecast::new(city, days))?.into())
                }
            )*

            pub(super) fn catalogue() -> Catalogue {
                Catalogue::new(tool_core::tools![$($function),*]).expect("the names differ")
            }
        };
    }

    super::with_fifty_names!(declare);
}

/// The foundation's tools.
pub(crate) fn of_the_foundation() -> foundation::Catalogue {
    foundation_tools::catalogue()
}

/// The same tools of today.
pub(crate) fn of_today() -> tool_core::Catalogue {
    present_tools::catalogue()
}

/// The same tools, each with a condition of approval that says no.
pub(crate) fn that_may_ask() -> tool_core::Catalogue {
    asking_tools::catalogue()
}

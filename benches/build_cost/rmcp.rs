// dependencies: rmcp schemars serde serde_json
//
// It only lists: a call needs a running server, and building its service loop
// would hide what the tools cost.

use std::error::Error;

use rmcp::{Json, handler::server::wrapper::Parameters, tool, tool_router};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(Serialize, JsonSchema)]
struct Forecast {
    city: String,
    days: u32,
}

struct Server;

// for each tool
#[derive(Deserialize, JsonSchema)]
struct ArgumentsNUMBER {
    /// The city.
    city: String,
    /// How many days.
    days: Option<u32>,
}

// end
#[tool_router]
impl Server {
    // for each tool
    /// Forecasts the weather of city NUMBER.
    #[tool]
    async fn tool_NUMBER(
        &self,
        Parameters(ArgumentsNUMBER { city, days }): Parameters<ArgumentsNUMBER>,
    ) -> Json<Forecast> {
        Json(Forecast { city, days: days.unwrap_or(1) })
    }

    // end
}

fn main() -> Result<(), Box<dyn Error>> {
    println!("{}", serde_json::to_string(&Server::tool_router().list_all())?);
    Ok(())
}

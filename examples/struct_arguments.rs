//! Takes all arguments as one struct, with enums and a struct inside.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use tool_core::{Args, Context, Json, tool};

/// How urgent a parcel is.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Speed {
    /// Within a week.
    Normal,
    /// Tomorrow.
    Express,
}

#[derive(Debug, Deserialize, JsonSchema)]
struct Address {
    /// The street and the number.
    street: String,
    /// The postal code, five digits.
    #[schemars(regex(pattern = "^[0-9]{5}$"))]
    zip: String,
}

#[derive(Debug, Deserialize, JsonSchema)]
struct Shipment {
    /// Where the parcel goes.
    to: Address,
    /// How fast.
    speed: Option<Speed>,
}

#[derive(Serialize, JsonSchema)]
struct Quote {
    cents: u32,
    label: String,
}

/// Quote the price of a shipment.
#[tool(name = "parcels-quote_shipment")]
fn quote_shipment(shipment: Args<Shipment>) -> Json<Quote> {
    let cents = match shipment.speed {
        Some(Speed::Express) => 1_990,
        Some(Speed::Normal) | None => 490,
    };
    let label = format!("{}, {}", shipment.to.street, shipment.to.zip);
    Json(Quote { cents, label })
}

#[tokio::main]
async fn main() {
    let tool = quote_shipment::tool();
    println!("{}", tool.definition().parameters);
    for arguments in [
        r#"{"to":{"street":"Main Street 1","zip":"12345"},"speed":"express"}"#,
        r#"{"to":{"street":"Main Street 1","zip":"1"},"speed":"fast"}"#,
    ] {
        match tool.call(arguments, &Context::new()).await {
            Ok(output) => println!("{}", output.text()),
            Err(error) => println!("{}", error.to_model()),
        }
    }
}

//! The types that parameters share.

use schemars::JsonSchema;
use serde::Deserialize;

/// The state of an order.
#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(super) enum OrderState {
    /// Paid, and not yet packed.
    Open,
    /// On its way to the customer.
    Shipped,
    /// Sent back by the customer.
    Returned,
    Cancelled,
}

/// In which order results come.
#[derive(Default, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(super) enum Sort {
    #[default]
    Newest,
    Oldest,
    Relevance,
}

/// How urgent something is.
#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub(super) enum Priority {
    Low,
    Normal,
    High,
    Urgent,
}

/// How an answer is written.
#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub(super) enum Format {
    /// Plain text, without markup.
    Text,
    /// Markdown, with links and headings.
    Markdown,
    /// The page as it came.
    Html,
}

/// A postal address.
#[derive(Deserialize, JsonSchema)]
pub(super) struct Address {
    /// Street and number.
    pub(super) street: String,
    /// The city.
    pub(super) city: String,
    /// The postal code, as written in the country.
    pub(super) postal_code: String,
    /// The country as two letters, ISO 3166.
    #[schemars(length(equal = 2))]
    pub(super) country: Option<String>,
}

/// One line of an order.
#[derive(Deserialize, JsonSchema)]
pub(super) struct Item {
    /// The article's number.
    pub(super) article: String,
    /// How many.
    #[schemars(range(min = 1, max = 999))]
    pub(super) quantity: u32,
    /// A discount in percent.
    pub(super) discount: Option<f64>,
}

/// A stretch of time.
#[derive(Deserialize, JsonSchema)]
pub(super) struct Period {
    /// The first day, as YYYY-MM-DD.
    pub(super) from: String,
    /// The last day, as YYYY-MM-DD.
    pub(super) until: Option<String>,
}

/// Somebody who takes part.
#[derive(Deserialize, JsonSchema)]
pub(super) struct Attendee {
    /// The e-mail address.
    pub(super) email: String,
    /// Whether the meeting can do without.
    pub(super) optional: Option<bool>,
}

/// One condition of a filter.
#[derive(Deserialize, JsonSchema)]
pub(super) struct Condition {
    /// The name of the column.
    pub(super) column: String,
    /// How the column is compared.
    pub(super) operator: Operator,
    /// What the column is compared with.
    pub(super) value: String,
}

/// A comparison.
#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(super) enum Operator {
    Equal,
    NotEqual,
    LessThan,
    GreaterThan,
    Contains,
}

/// A place on Earth.
#[derive(Deserialize, JsonSchema)]
pub(super) struct Point {
    /// Degrees north.
    #[schemars(range(min = -90.0, max = 90.0))]
    pub(super) latitude: f64,
    /// Degrees east.
    #[schemars(range(min = -180.0, max = 180.0))]
    pub(super) longitude: f64,
}

//! What can be declared, and what comes of it.

use std::time::Duration;

use serde::Deserialize;
use serde_json::{Value, json};
use tool_core::{Args, Catalogue, Context, Executor, Kind, Tool, ToolError, tool, tools};

/// The state of an order.
#[derive(Debug, Deserialize, schemars::JsonSchema, PartialEq)]
#[serde(rename_all = "snake_case")]
enum State {
    /// Nobody has paid yet.
    Open,
    Closed,
}

#[derive(Debug)]
struct Db {
    name: &'static str,
}

/// Search the orders of a customer.
///
/// Newest first.
#[tool(
    name = "orders-search_orders",
    title = "Search orders",
    timeout = 0.5,
    read_only,
    destructive = false,
    idempotent,
    open_world = false,
    strict,
    tags("shop", "sales"),
    meta(team = "sales", level = 3, nested = [1, 2])
)]
async fn search_orders(
    /// The customer's number, as printed on the invoice.
    customer: String,
    /// How many orders to return.
    #[tool(default = 20, example = 5)]
    #[schemars(range(min = 1, max = 100))]
    limit: u32,
    /// Only orders in this state.
    state: Option<State>,
    #[tool(state)] db: &Db,
    ctx: &Context,
) -> Result<String, ToolError> {
    Ok(format!(
        "{} {customer} {limit} {state:?} {}",
        db.name,
        ctx.call_id()
    ))
}

async fn text(tool: Tool, arguments: Value) -> String {
    match tool.call(arguments, &Context::new()).await {
        Ok(output) => output.text().into_owned(),
        Err(error) => error.to_model(),
    }
}

#[test]
fn a_declaration_gives_the_whole_definition() {
    let tool = search_orders::tool();
    let definition = tool.definition();
    assert_eq!(definition.name, "orders-search_orders");
    assert_eq!(definition.category(), Some("orders"));
    assert_eq!(definition.title.as_deref(), Some("Search orders"));
    assert_eq!(
        definition.description,
        "Search the orders of a customer.\n\nNewest first."
    );
    assert_eq!(definition.timeout, Some(Duration::from_millis(500)));
    assert_eq!(definition.kind, Kind::Standard);
    assert_eq!(definition.annotations.read_only, Some(true));
    assert_eq!(definition.annotations.destructive, Some(false));
    assert_eq!(definition.annotations.idempotent, Some(true));
    assert_eq!(definition.annotations.open_world, Some(false));
    assert_eq!(definition.strict, Some(true));
    assert_eq!(definition.tags, ["shop", "sales"]);
    assert_eq!(
        Value::Object(definition.meta.clone()),
        json!({"team":"sales","level":3,"nested":[1,2]})
    );
    assert_eq!(
        serde_json::to_string(definition).unwrap(),
        json!({
            "type": "function",
            "function": {
                "name": "orders-search_orders",
                "description": "Search the orders of a customer.\n\nNewest first.",
                "parameters": {
                    "type": "object",
                    "properties": {
                        "customer": {
                            "type": "string",
                            "description": "The customer's number, as printed on the invoice."
                        },
                        "limit": {
                            "type": "integer",
                            "description": "How many orders to return.",
                            "minimum": 1,
                            "maximum": 100,
                            "default": 20,
                            "examples": [5]
                        },
                        "state": {
                            "type": "string",
                            "enum": ["closed", "open"],
                            "description": "Only orders in this state.\n`open`: Nobody has paid yet."
                        }
                    },
                    "required": ["customer"],
                    "additionalProperties": false
                }
            }
        })
        .to_string()
    );
}

#[tokio::test]
async fn context_state_and_defaults_are_given() {
    let executor = Executor::builder(Catalogue::new(tools![search_orders]).unwrap())
        .state(Db { name: "main" })
        .build()
        .unwrap();
    let call = tool_core::Call::new(
        "id7",
        "orders-search_orders",
        r#"{"customer":"c","state":"open"}"#,
    );
    assert_eq!(executor.call(call).await.text(), "main c 20 Some(Open) id7");
}

#[test]
fn missing_state_is_found_when_the_executor_is_built() {
    let error = Executor::new(Catalogue::new(tools![search_orders]).unwrap()).unwrap_err();
    let message = error.to_string();
    assert!(
        message.contains("tool 'orders-search_orders' needs `")
            && message.contains("declaring::Db`"),
        "{message}"
    );
}

#[tokio::test]
async fn the_function_stays_callable() {
    let db = Db { name: "direct" };
    let text = search_orders("c".to_owned(), 1, None, &db, &Context::new())
        .await
        .unwrap();
    assert_eq!(text, "direct c 1 None ");
}

#[derive(Debug, Deserialize, schemars::JsonSchema)]
struct Place {
    /// The street and the number.
    street: String,
    /// The postal code.
    #[schemars(regex(pattern = "^[0-9]{5}$"))]
    zip: Option<String>,
}

#[derive(Deserialize, schemars::JsonSchema)]
struct Ship {
    /// Where to.
    to: Place,
    /// How many parcels.
    #[serde(default = "one")]
    parcels: u8,
}

fn one() -> u8 {
    1
}

/// Ship by pattern.
#[tool]
fn ship_pattern(Ship { to, parcels }: Ship) -> String {
    format!("{parcels} to {} {:?}", to.street, to.zip)
}

/// Ship by wrapper.
#[tool]
fn ship_args(args: Args<Ship>, context: &Context) -> String {
    let _ = context;
    format!("{} to {}", args.parcels, args.to.street)
}

/// Ship by unpacked wrapper.
#[tool]
async fn ship_unpacked(Args(ship): Args<Ship>) -> String {
    format!("{} to {}", ship.parcels, ship.to.street)
}

#[tokio::test]
async fn a_struct_can_take_all_arguments() {
    let arguments = json!({"to": {"street": "Main 1", "zip": null}, "parcels": 2});
    assert_eq!(
        text(ship_pattern::tool(), arguments.clone()).await,
        "2 to Main 1 None"
    );
    assert_eq!(
        text(ship_args::tool(), arguments.clone()).await,
        "2 to Main 1"
    );
    assert_eq!(
        text(ship_unpacked::tool(), json!({"to": {"street": "x"}})).await,
        "1 to x"
    );
    let schema = &ship_pattern::tool().definition().parameters.clone();
    assert_eq!(schema["additionalProperties"], false);
    assert_eq!(schema["properties"]["to"]["additionalProperties"], false);
    assert_eq!(
        schema["properties"]["to"]["properties"]["zip"]["type"],
        "string"
    );
    assert_eq!(schema["properties"]["parcels"]["default"], 1);
    assert_eq!(schema["required"], json!(["to"]));
}

#[tokio::test]
async fn problems_deep_in_a_struct_have_their_path() {
    let arguments = json!({"to": {"street": 5, "zip": "12", "town": "x"}, "parcels": 300});
    let text = text(ship_pattern::tool(), arguments).await;
    assert!(
        text.starts_with(
            "Error: Invalid arguments for tool 'ship_pattern': \
             `to.street`: expected a string, got 5; \
             `to.town`: unknown; known are `street`, `zip`; \
             `parcels`: expected an integer from 0 to 255, got 300; \
             `to.zip`: expected a string that matches `^[0-9]{5}$`, got \"12\".\nSchema: {\"to\":"
        ),
        "{text}"
    );
}

/// Take every kind of constraint.
#[tool]
fn constrained(
    /// A code.
    #[schemars(regex(pattern = "^[A-Z]{2}$"))]
    code: String,
    /// A name.
    #[schemars(length(min = 2, max = 4))]
    name: String,
    /// Some tags.
    #[schemars(length(equal = 2), inner(length(min = 1)))]
    tags: Vec<String>,
    /// An address.
    #[schemars(email)]
    mail: Option<String>,
    /// A ratio.
    #[schemars(range(min = 0.0, max = 1.0))]
    ratio: Option<f64>,
    /// A text with a dot.
    #[schemars(contains(pattern = "a.b"))]
    dotted: Option<String>,
    /// Steps of five.
    #[schemars(extend("multipleOf" = 5))]
    step: Option<u8>,
) -> String {
    format!("{code}{name}{tags:?}{mail:?}{ratio:?}{dotted:?}{step:?}")
}

#[tokio::test]
async fn constraints_are_in_the_schema_and_enforced() {
    let good = json!({"code": "DE", "name": "äöüß", "tags": ["a", "b"], "mail": "a@b.de", "ratio": 1, "dotted": "xa.b", "step": 10});
    assert!(
        text(constrained::tool(), good.clone())
            .await
            .starts_with("DEäöüß")
    );
    for (key, bad, expected) in [
        (
            "code",
            json!("de"),
            "`code`: expected a string that matches `^[A-Z]{2}$`, got \"de\"",
        ),
        (
            "name",
            json!("äöüßx"),
            "`name`: expected a string of 2 to 4 characters, got \"äöüßx\"",
        ),
        ("tags", json!(["a"]), "`tags`: expected an array of 2 items"),
        (
            "tags",
            json!(["a", ""]),
            "`tags[1]`: expected a string of at least 1 characters, got \"\"",
        ),
        (
            "mail",
            json!("nobody"),
            "`mail`: expected a string in the format `email`, got \"nobody\"",
        ),
        (
            "ratio",
            json!(1.5),
            "`ratio`: expected a number from 0.0 to 1.0, got 1.5",
        ),
        (
            "dotted",
            json!("axb"),
            "`dotted`: expected a string that matches",
        ),
        ("step", json!(7), "`step`: expected"),
    ] {
        let mut arguments = good.clone();
        arguments[key] = bad;
        let text = text(constrained::tool(), arguments).await;
        assert!(text.contains(expected), "{key}: {text}");
    }
}

mod seconds {
    use serde::{Deserialize, Deserializer};
    use std::time::Duration;

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Duration, D::Error> {
        u64::deserialize(deserializer).map(Duration::from_secs)
    }
}

/// Wait for some time.
#[tool]
fn wait(
    /// How many seconds.
    #[serde(rename = "wait-time", with = "seconds")]
    #[schemars(with = "u16", range(max = 60))]
    duration: Duration,
    /// A greeting.
    #[tool(default = "hello")]
    greeting: String,
    /// What to call it.
    r#type: Option<String>,
) -> String {
    format!("{duration:?} {greeting} {type:?}")
}

#[tokio::test]
async fn serde_rename_and_with_are_followed() {
    assert_eq!(
        text(wait::tool(), json!({"wait-time": 5, "type": "x"})).await,
        "5s hello Some(\"x\")"
    );
    assert!(
        text(wait::tool(), json!({"wait-time": 61}))
            .await
            .contains("from 0 to 60")
    );
    assert!(
        text(wait::tool(), json!({"duration": 5}))
            .await
            .contains("`wait-time`: required")
    );
}

/// First line.
#[doc = "From an attribute."]
#[allow(dead_code)]
///
/// After a gap and another attribute.
#[doc = include_str!("included.md")]
#[tool]
fn documented() {}

/**
 * A block comment.
 *
 * With stars.
 */
#[tool]
fn block_documented() {}

#[test]
fn docs_are_kept_whole_wherever_they_stand() {
    assert_eq!(
        documented::tool().definition().description,
        "First line. From an attribute.\n\nAfter a gap and another attribute. Included from a file."
    );
    assert_eq!(
        block_documented::tool().definition().description,
        "A block comment.\n\nWith stars."
    );
}

#[tokio::test]
async fn a_tool_can_be_declared_inside_a_function() {
    #[derive(Deserialize, schemars::JsonSchema)]
    struct Local {
        n: u8,
    }

    /// Count inside.
    #[tool(name = "inner-count")]
    fn inner(
        /// A local type.
        local: Local,
    ) -> u8 {
        local.n + 1
    }

    assert_eq!(text(inner::tool(), json!({"local": {"n": 1}})).await, "2");
}

#[tokio::test]
async fn no_parameters_take_an_empty_object_and_nothing_else() {
    /// Answer that all is well.
    #[tool]
    fn ping() -> &'static str {
        "pong"
    }

    assert_eq!(text(ping::tool(), json!({})).await, "pong");
    assert_eq!(
        ping::tool().definition().parameters,
        json!({"type": "object", "properties": {}, "additionalProperties": false})
    );
    assert!(
        text(ping::tool(), json!({"a": 1}))
            .await
            .contains("`a`: unknown; this tool takes no arguments")
    );
}

#[tokio::test]
async fn null_counts_as_absent_for_what_may_be_absent() {
    /// Give the numbers back.
    #[tool]
    fn numbers(
        /// Optional.
        a: Option<u8>,
        /// With a default.
        #[tool(default = 7)]
        b: u8,
    ) -> String {
        format!("{a:?} {b}")
    }

    for arguments in ["{}", r#"{"a":null,"b":null}"#, r#"{"a":null}"#] {
        let output = numbers::tool()
            .call(arguments, &Context::new())
            .await
            .unwrap();
        assert_eq!(output.text(), "None 7", "{arguments}");
    }
}

mod other {
    /// A tool of another module.
    #[tool_core::tool(name = "other-tool")]
    pub(crate) fn elsewhere() -> u8 {
        1
    }
}

#[test]
fn tools_lists_by_path() {
    static TOOLS: &[&tool_core::Declaration] = &tools![wait, other::elsewhere];

    let catalogue = Catalogue::new(TOOLS)
        .unwrap()
        .with(tools![other::elsewhere])
        .unwrap();
    assert_eq!(
        catalogue.names().collect::<Vec<_>>(),
        ["other-tool", "wait"]
    );
}

#[test]
fn recursive_types_have_a_schema_that_is_enforced() {
    #[derive(Deserialize, schemars::JsonSchema)]
    struct Node {
        name: String,
        children: Vec<Node>,
    }

    /// Count the nodes of a tree.
    #[tool]
    fn count_nodes(
        /// The root.
        root: Node,
    ) -> usize {
        fn count(node: &Node) -> usize {
            let _ = &node.name;
            1 + node.children.iter().map(count).sum::<usize>()
        }
        count(&root)
    }

    let runtime = tokio::runtime::Builder::new_current_thread()
        .build()
        .unwrap();
    let good = json!({"root": {"name": "a", "children": [{"name": "b", "children": []}]}});
    assert_eq!(runtime.block_on(text(count_nodes::tool(), good)), "2");
    let bad = json!({"root": {"name": "a", "children": [{"name": 5, "children": []}]}});
    let message = runtime.block_on(text(count_nodes::tool(), bad));
    assert!(
        message.contains("`root.children[0].name`: expected a string, got 5"),
        "{message}"
    );
}

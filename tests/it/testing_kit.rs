//! The testing kit, used as a user would.

use std::time::Duration;

use proptest::test_runner::{Config, TestCaseError, TestError, TestRunner};
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::{Value, json};
use tool_core::testing::{
    self, CheckReport, CheckTool, Recorder, ScriptedModel, faulty_arguments, valid_arguments,
};
use tool_core::{
    Call, Catalogue, Context, Definition, Dialect, ErrorKind, Json, RepairMode, Tool, ToolError,
    tool, tools,
};

fn broken(report: &CheckReport) -> &str {
    assert_eq!(report.failures().len(), 1, "{report}");
    &report.failures()[0]
}

/// A percentage whose reader knows a bound that its schema does not.
struct Percent(u8);

impl<'de> Deserialize<'de> for Percent {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        match u8::deserialize(deserializer)? {
            255 => Err(serde::de::Error::custom("255 is kept for `unknown`")),
            percent => Ok(Self(percent)),
        }
    }
}

impl schemars::JsonSchema for Percent {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Percent".into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({ "type": "integer", "minimum": 1, "maximum": 255 })
    }
}

/// Set the volume.
#[tool]
fn set_volume(
    /// How loud.
    volume: Percent,
) -> String {
    volume.0.to_string()
}

#[test]
fn a_type_that_disagrees_with_its_schema_is_found_without_running_anything() {
    let report = CheckTool::new(set_volume::tool()).report();
    let failure = broken(&report);
    assert!(
        failure.contains("the type of a parameter does not"),
        "{failure}"
    );
    assert!(failure.contains("255 is kept for `unknown`"), "{failure}");
    assert!(
        failure.ends_with(r#"arguments: {"volume":255}"#),
        "{failure}"
    );
}

/// Show the first letter of a word.
#[tool(read_only = true)]
fn first_letter(
    /// The word.
    word: String,
    /// A word that does not matter.
    other: Option<String>,
) -> String {
    let _ = other;
    word.chars().next().expect("words have letters").to_string()
}

#[test]
fn a_call_that_panics_is_found_with_the_smallest_arguments() {
    let report = CheckTool::new(first_letter::tool()).report();
    let failure = broken(&report);
    assert!(
        failure.starts_with("a call panicked: words have letters"),
        "{failure}"
    );
    assert!(failure.ends_with(r#"arguments: {"word":""}"#), "{failure}");
}

#[derive(Serialize)]
struct Sum {
    total: f64,
}

impl schemars::JsonSchema for Sum {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Sum".into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({
            "type": "object",
            "properties": { "total": { "type": "integer" } },
            "required": ["total"],
        })
    }
}

/// Halve a number.
#[tool(read_only = true)]
async fn halve(
    /// The number.
    #[schemars(range(min = 0, max = 1000))]
    number: u32,
) -> Json<Sum> {
    Json(Sum {
        total: f64::from(number) / 2.0,
    })
}

#[test]
fn a_result_that_is_not_what_was_announced_is_found() {
    let report = CheckTool::new(halve::tool()).report();
    let failure = broken(&report);
    assert!(
        failure.contains("does not fit the `output_schema`"),
        "{failure}"
    );
    assert!(failure.contains("at `/total`"), "{failure}");
    let (_, arguments) = failure.split_once("arguments: ").unwrap();
    let arguments: Value = serde_json::from_str(arguments).unwrap();
    assert_eq!(arguments["number"].as_u64().unwrap() % 2, 1);
}

/// Wait for a server.
#[tool(read_only = true, timeout = 0.2)]
async fn wait_for_server(
    /// How often to try.
    tries: u8,
) -> String {
    if tries > 9 {
        std::future::pending::<()>().await;
    }
    "there".to_owned()
}

/// Compute without an end.
#[tool(read_only = true, timeout = 0.2)]
async fn compute(
    /// Whether to do it well.
    well: bool,
) -> String {
    loop {
        if !well {
            return "done".to_owned();
        }
        std::thread::sleep(Duration::from_millis(50));
    }
}

#[test]
fn a_call_that_never_ends_is_found_and_holds_nothing_up() {
    for tool in [wait_for_server::tool(), compute::tool()] {
        let report = CheckTool::new(tool).report();
        let failure = broken(&report);
        assert!(failure.contains("within its timeout of 200ms"), "{failure}");
    }
}

#[test]
fn a_tool_that_is_not_read_only_is_not_run_unless_told_to() {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicUsize, Ordering};

    let definition = Definition::new(
        "orders-delete_order",
        "Delete an order for good.",
        json!({
            "type": "object",
            "properties": { "number": { "type": "integer", "description": "Its number." } },
            "required": ["number"],
            "additionalProperties": false,
        }),
    );
    let calls = Arc::new(AtomicUsize::new(0));
    let counter = Arc::clone(&calls);
    let tool = Tool::new(definition, move |_, _| {
        counter.fetch_add(1, Ordering::Relaxed);
        async { "deleted" }
    })
    .unwrap();

    let report = CheckTool::new(&tool).cases(50).report();
    assert!(report.is_ok(), "{report}");
    assert!(
        report
            .notes()
            .iter()
            .any(|note| note.starts_with("no call was run"))
    );
    assert_eq!(calls.load(Ordering::Relaxed), 0);

    let report = CheckTool::new(&tool).cases(50).run_calls(true).report();
    assert!(report.is_ok(), "{report}");
    assert_eq!(calls.load(Ordering::Relaxed), 50);
}

#[test]
fn a_definition_that_a_provider_refuses_is_found() {
    let definition = Definition::new(
        "orders.find/one",
        "Find the order of a customer.",
        json!({ "type": "object", "properties": { "q": { "type": "string", "description": "What." } } }),
    );
    let tool = Tool::new(definition, |_, _| async { "found" }).unwrap();
    let report = CheckTool::new(&tool).cases(20).report();
    assert!(broken(&report).contains("[name-illegal]"), "{report}");
    let report = CheckTool::new(&tool)
        .cases(20)
        .allow("name-illegal")
        .report();
    assert!(report.is_ok(), "{report}");
}

/// Look something up.
#[expect(clippy::ptr_arg, reason = "a state is found by its type")]
#[tool(read_only = true)]
fn look_up(
    /// The name.
    name: String,
    #[tool(state)] table: &Vec<String>,
) -> Result<String, ToolError> {
    if table.contains(&name) {
        return Ok(name);
    }
    Err(ToolError::new("there is no such name"))
}

#[test]
fn a_missing_state_is_named_and_a_given_one_used() {
    let report = CheckTool::new(look_up::tool()).cases(20).report();
    assert!(
        broken(&report).contains("Vec<alloc::string::String>"),
        "{report}"
    );
    CheckTool::new(look_up::tool())
        .cases(20)
        .state(vec!["a".to_owned()])
        .run();
}

#[tokio::test]
async fn a_tool_is_checked_inside_a_runtime_too() {
    testing::check_tool(halving::tool());
    testing::check_tool_async(halving::tool()).await;
}

/// Halve a number.
#[tool(read_only = true)]
async fn halving(
    /// The number.
    number: f64,
    /// How it is written.
    #[schemars(regex(pattern = "^[a-z]{2,5}$"))]
    style: Option<String>,
    /// When.
    when: Option<chrono::DateTime<chrono::Utc>>,
) -> f64 {
    let _ = (style, when);
    number / 2.0
}

fn real_definitions() -> Vec<Definition> {
    let mut definitions: Vec<Definition> = tool_builtins::TOOLS
        .iter()
        .map(|tool| Tool::from(*tool).definition().clone())
        .collect();
    for server in ["everything", "fetch", "filesystem", "git", "time"] {
        let path = format!(
            "{}/../../shared/data/mcp-tools/{server}.json",
            env!("CARGO_MANIFEST_DIR")
        );
        let Ok(text) = std::fs::read_to_string(path) else {
            println!("no tools of real servers here");
            continue;
        };
        let listed: Value = serde_json::from_str(&text).unwrap();
        definitions.extend(Dialect::Mcp.import(&listed).unwrap());
    }
    definitions
}

fn runner(cases: u32) -> TestRunner {
    TestRunner::new(Config {
        cases,
        failure_persistence: None,
        ..Config::default()
    })
}

#[test]
fn what_is_drawn_for_real_tools_is_accepted_and_refused_as_it_should_be() {
    let definitions = real_definitions();
    println!("{} definitions", definitions.len());
    for definition in definitions {
        let schema = definition.parameters.clone();
        let name = definition.name.clone();
        let tool = Tool::new(definition, |_, _| async {}).unwrap();
        let valid = valid_arguments(&schema);
        assert_eq!(valid.left_out(), [] as [String; 0], "{name}");
        let accepted = runner(40).run(&valid, |arguments| {
            match tool.check(arguments, RepairMode::Off).arguments {
                Ok(_) => Ok(()),
                Err(error) => Err(TestCaseError::fail(error.message().to_owned())),
            }
        });
        assert!(accepted.is_ok(), "{name}: {}", accepted.unwrap_err());
        let refused = runner(40).run(&faulty_arguments(&schema), |(arguments, fault)| {
            let Err(error) = tool.check(arguments, RepairMode::Off).arguments else {
                return Err(TestCaseError::fail(format!("accepted: {fault:?}")));
            };
            let mut paths = error.problems().iter().map(|problem| &problem.path);
            if paths.any(|path| fault.is_named_by(path)) {
                return Ok(());
            }
            Err(TestCaseError::fail(format!("{fault:?}: {error}")))
        });
        assert!(refused.is_ok(), "{name}: {}", refused.unwrap_err());
    }
}

#[test]
fn the_built_in_tools_keep_their_promises() {
    for tool in tool_builtins::TOOLS {
        // Built-in tools reach the network and the disk: nothing is run.
        let report = CheckTool::new(*tool).run_calls(false).cases(60).report();
        assert!(report.is_ok(), "{report}");
    }
}

/// Add two numbers.
#[tool(name = "math-add")]
fn add(
    /// The first number.
    a: i64,
    /// The second number.
    b: i64,
) -> i64 {
    a.saturating_add(b)
}

/// Fetch a page.
#[tool(name = "web-fetch_page")]
async fn fetch_page(
    /// The address.
    url: String,
    /// How many bytes at most.
    limit: Option<u32>,
) -> String {
    unreachable!("no test fetches {url} {limit:?}")
}

fn catalogue() -> Catalogue {
    Catalogue::new(tools![add, fetch_page]).unwrap()
}

#[tokio::test]
async fn a_scripted_model_plays_an_agent_in_every_dialect() {
    let tools = testing::stubbed(
        &catalogue(),
        [("web-fetch_page", "the page"), ("math-add", "3")],
    );
    let executor = testing::executor(&tools).build().unwrap();
    for dialect in Dialect::ALL {
        let transcript = ScriptedModel::new(*dialect)
            .prompt("Add, then fetch.")
            .calls([Call::new("c1", "math-add", r#"{"a":1,"b":2}"#)])
            .calls_after(
                "Now the page.",
                [
                    Call::new(
                        "c2",
                        "web-fetch_page",
                        r#"{"url":"https://example.com","limit":null}"#,
                    ),
                    Call::new("c3", "math-subtract", "{}"),
                ],
            )
            .text("Done.")
            .text("Never asked for.")
            .run(&executor)
            .await;
        assert!(transcript.is_finished(), "{dialect}");
        assert_eq!(transcript.unplayed(), 1);
        assert_eq!(transcript.requests().len(), 3);
        assert_eq!(transcript.requests()[0].len(), 1);
        assert_eq!(transcript.outcome("c1").text(), "3");
        assert_eq!(transcript.outcome("c2").text(), "the page");
        assert_eq!(
            transcript.outcome("c3").error_kind(),
            Some(ErrorKind::NotFound)
        );
        let last = json!(transcript.requests()[2]).to_string();
        assert!(last.contains("the page"), "{dialect}: {last}");
        if *dialect != Dialect::Mcp {
            assert!(last.contains("Now the page."), "{dialect}: {last}");
            assert!(json!(transcript.messages()).to_string().contains("Done."));
        }
    }
}

#[tokio::test]
async fn a_recorder_sees_what_reaches_the_tools_and_says_what_does_not() {
    let recorder = Recorder::new();
    let stubbed = testing::stubbed(&catalogue(), [("math-add", 3)]);
    let executor = testing::executor(&recorder.watch(&stubbed))
        .build()
        .unwrap();
    // Mended on the way: the tool gets a number.
    executor
        .call(Call::new("1", "math-add", r#"{"a":"1","b":2}"#))
        .await;
    executor
        .call(Call::new("2", "math-add", r#"{"a":1}"#))
        .await;
    executor
        .call(Call::new("3", "web-fetch_page", json!({ "url": "x" })))
        .await;
    recorder.assert_called("math-add", json!({ "a": 1, "b": 2 }));
    recorder.assert_order(["math-add", "web-fetch_page"]);
    let fetched = &recorder.calls_of("web-fetch_page")[0];
    assert_eq!(fetched.error, Some(ErrorKind::Failed));
    assert!(fetched.text.as_deref().unwrap().contains("has no stub"));

    let wrong = std::panic::catch_unwind(|| recorder.assert_called("math-add", json!({ "a": 9 })));
    let message = *wrong.unwrap_err().downcast::<String>().unwrap();
    assert!(message.contains(r#"math-add {"a":1,"b":2}"#), "{message}");

    recorder.clear();
    recorder
        .run(&executor, [Call::new("4", "math-ad", "no JSON")])
        .await;
    let call = &recorder.calls()[0];
    assert_eq!(
        (call.id.as_str(), &call.arguments),
        ("4", &json!("no JSON"))
    );
    assert_eq!(call.error, Some(ErrorKind::NotFound));
}

#[test]
#[should_panic(expected = "did you mean 'web-fetch_page'?")]
fn a_stub_for_no_tool_is_an_error() {
    let _ = testing::stubbed(&catalogue(), [("web-fetch_pages", "")]);
}

#[tokio::test]
async fn a_stub_checks_arguments_as_the_real_tool_does() {
    let stub = testing::stub(fetch_page::tool(), |arguments: Value| arguments);
    // `null` for what may be absent is absent, as in every tool made from types.
    let output = stub
        .call(json!({ "url": "u", "limit": null }), &Context::new())
        .await
        .unwrap();
    assert_eq!(output.text(), r#"{"url":"u"}"#);
    assert!(
        stub.call(json!({ "url": 1 }), &Context::new())
            .await
            .is_err()
    );
}

/// Sleep.
#[tool(timeout = 3600)]
async fn sleep() -> String {
    tokio::time::sleep(Duration::from_secs(7200)).await;
    "awake".to_owned()
}

#[tokio::test(start_paused = true)]
async fn a_timeout_of_an_hour_is_tested_in_no_time() {
    let started = std::time::Instant::now();
    let tools = Catalogue::new(tools![sleep]).unwrap();
    for isolation in [true, false] {
        let executor = tool_core::Executor::builder(tools.clone())
            .isolation(isolation)
            .build()
            .unwrap();
        let outcome = executor.call(Call::new("1", "sleep", "{}")).await;
        assert_eq!(outcome.error_kind(), Some(ErrorKind::TimedOut));
        assert_eq!(outcome.elapsed.as_secs(), 3600);
        assert!(!outcome.may_still_run);
    }
    assert!(started.elapsed() < Duration::from_secs(3600));
}

/// Sleep on a thread.
#[tool(timeout = 0.2)]
fn sleep_on_a_thread() -> String {
    std::thread::sleep(Duration::from_secs(2));
    "awake".to_owned()
}

#[tokio::test(start_paused = true)]
async fn a_sync_function_times_out_on_a_paused_clock_as_well() {
    let tools = Catalogue::new(tools![sleep_on_a_thread]).unwrap();
    let executor = tool_core::Executor::new(tools).unwrap();
    let outcome = executor
        .call(Call::new("1", "sleep_on_a_thread", "{}"))
        .await;
    assert_eq!(outcome.error_kind(), Some(ErrorKind::TimedOut));
    assert!(outcome.may_still_run);
}

/// Some schemas take no value at all, or next to none: that has to be said.
fn is_unlucky<T>(ran: &Result<(), TestError<T>>) -> bool {
    matches!(ran, Err(TestError::Abort(reason)) if reason.message().starts_with("cannot generate"))
}

proptest::proptest! {
    #![proptest_config(Config::with_cases(200))]

    #[test]
    fn what_is_drawn_for_any_schema_is_accepted_and_refused_as_it_should_be(schema in super::laws::schema()) {
        let root = json!({ "type": "object", "properties": { "v": schema }, "required": ["v"] });
        let tool = Tool::new(Definition::new("t", "A tool.", root.clone()), |_, _| async {}).unwrap();
        let accepted = runner(8).run(&valid_arguments(&root), |arguments| {
            match tool.check(arguments, RepairMode::Off).arguments {
                Ok(_) => Ok(()),
                Err(error) => Err(TestCaseError::fail(error.message().to_owned())),
            }
        });
        proptest::prop_assert!(is_unlucky(&accepted) || accepted.is_ok(), "{}", accepted.unwrap_err());
        let refused = runner(8).run(&faulty_arguments(&root), |(arguments, fault)| {
            let Err(error) = tool.check(arguments, RepairMode::Off).arguments else {
                return Err(TestCaseError::fail(format!("accepted: {fault:?}")));
            };
            if error.problems().iter().any(|problem| fault.is_named_by(&problem.path)) {
                return Ok(());
            }
            Err(TestCaseError::fail(format!("{fault:?}: {error}")))
        });
        proptest::prop_assert!(is_unlucky(&refused) || refused.is_ok(), "{}", refused.unwrap_err());
    }
}

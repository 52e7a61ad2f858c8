//! The promises, one after the other.

use std::cell::{Cell, RefCell};
use std::sync::Arc;

use proptest::strategy::Strategy;
use proptest::test_runner::{Config, TestCaseError, TestError, TestRunner};
use serde_json::Value;

use super::CheckTool;
use super::report::CheckReport;
use super::running::{Bench, Wrong, prepare};
use crate::arguments::RepairMode;
use crate::definition::Kind;
use crate::dialect::Dialect;
use crate::error::ErrorKind;
use crate::lint::{Severity, lint};
use crate::testing::strategy::{Fault, faulty_arguments, faulty_with_formats, valid_arguments};

/// Arguments longer than this, in bytes, are cut in the report.
const SHOWN: usize = 2_000;

/// How the rules begin that say the same as a definition that is left out.
const REFUSED: &str = "refused-by-";

/// Tests all of them.
pub(super) fn check(check: &CheckTool) -> CheckReport {
    let mut report = CheckReport::new(check.tool.name());
    definition(check, &mut report);
    if let Some(error) = check.tool.schema_error() {
        report.fail(format!("the schema cannot be used: {error}"));
        return report;
    }
    for reason in valid_arguments(&check.tool.definition().parameters).left_out() {
        report.note(format!("not tested: {reason}"));
    }
    if accepts(check, &mut report) {
        runs(check, &mut report);
    }
    refuses(check, &mut report);
    report
}

/// Every provider takes the definition.
fn definition(check: &CheckTool, report: &mut CheckReport) {
    let is_allowed = |rule: &str| check.allowed.iter().any(|allowed| allowed == rule);
    for &dialect in Dialect::ALL {
        let definitions = dialect.definitions([&check.tool]);
        for (_, reason) in definitions.left_out {
            let rule = format!("{REFUSED}{dialect}");
            if !is_allowed(&rule) {
                report.fail(format!(
                    "{dialect} cannot be told of the tool: {reason} [{rule}]"
                ));
            }
        }
        for (_, note) in definitions.notes {
            report.note(format!("{dialect}: {note}"));
        }
    }
    for finding in lint(&check.tool) {
        if is_allowed(finding.rule) || finding.rule.starts_with(REFUSED) {
            continue;
        }
        match finding.severity {
            Severity::Error => report.fail(format!("{} [{}]", finding.message, finding.rule)),
            Severity::Warning => report.note(format!("{} [{}]", finding.message, finding.rule)),
        }
    }
}

/// What the schema accepts, the tool accepts.
fn accepts(check: &CheckTool, report: &mut CheckReport) -> bool {
    let arguments = valid_arguments(&check.tool.definition().parameters);
    let states = Arc::new(check.states.clone());
    let found = search(check, &arguments, |arguments| {
        let checked = check.tool.check(arguments.clone(), RepairMode::Off);
        if let Err(error) = checked.arguments {
            return Err(format!(
                "the schema accepts these arguments, and the tool refuses them: {}",
                error.message()
            ));
        }
        if check.tool.prepares_without_running() {
            prepare(&check.tool, &states, arguments).map_err(|wrong| wrong.message)?;
        }
        Ok(())
    });
    tell(report, found, shown)
}

/// A call ends well, and its result is what was announced.
fn runs(check: &CheckTool, report: &mut CheckReport) {
    let definition = check.tool.definition();
    let is_read_only = definition.annotations.read_only == Some(true);
    if definition.kind == Kind::Interrupt {
        report.note("no call was run: the tool hands over to a person".to_owned());
        return;
    }
    if !check.runs_calls.unwrap_or(is_read_only) {
        report.note(
            "no call was run: the tool does not say that it is `read_only`, and `run_calls(true)` was not set"
                .to_owned(),
        );
        return;
    }
    let missing: Vec<&str> = check
        .tool
        .state_types()
        .iter()
        .filter(|state| !check.states.contains((state.id)()))
        .map(|state| (state.name)())
        .collect();
    if !missing.is_empty() {
        report.fail(format!(
            "no call can be run: the tool needs a state of type `{}`; add it with `.state(…)`",
            missing.join("`, `")
        ));
        return;
    }
    let bench = match Bench::new(check) {
        Ok(bench) => bench,
        Err(reason) => return report.fail(reason),
    };
    let late = Cell::new(false);
    let arguments = valid_arguments(&definition.parameters);
    let found = search(check, &arguments, |arguments| {
        // Smaller arguments would each take the whole timeout again.
        if late.get() {
            return Ok(());
        }
        bench.call(arguments).map_err(|wrong: Wrong| {
            late.set(wrong.is_late);
            wrong.message
        })
    });
    tell(report, found, shown);
}

/// What the schema refuses, the tool refuses, and says where.
fn refuses(check: &CheckTool, report: &mut CheckReport) {
    let parameters = &check.tool.definition().parameters;
    let arguments = if check.tool.is_declared() {
        faulty_with_formats(parameters)
    } else {
        faulty_arguments(parameters)
    };
    let found = search(check, &arguments, |(arguments, fault)| {
        let checked = check.tool.check(arguments.clone(), RepairMode::Off);
        let Err(error) = checked.arguments else {
            return Err("the schema refuses these arguments, and the tool accepts them".to_owned());
        };
        if error.kind() != ErrorKind::InvalidArguments {
            return Err(format!(
                "expected an error of kind `{}`, got `{}`: {error}",
                ErrorKind::InvalidArguments,
                error.kind()
            ));
        }
        let problems = error.problems();
        if problems
            .iter()
            .any(|problem| fault.is_named_by(&problem.path))
        {
            return Ok(());
        }
        Err(format!(
            "arguments were refused, and no problem names the fault: {error}"
        ))
    });
    let faulty = |(arguments, fault): &(Value, Fault)| {
        let place = match fault.path.as_str() {
            "" => "the whole",
            path => path,
        };
        format!("{}\nfault: `{place}` is {}", shown(arguments), fault.what)
    };
    tell(report, found, faulty);
}

/// Looks for a value that a law does not hold for, and makes it small.
fn search<S: Strategy>(
    check: &CheckTool,
    strategy: &S,
    law: impl Fn(&S::Value) -> Result<(), String>,
) -> Result<(), Found<S::Value>>
where
    S::Value: Clone,
{
    let mut config = Config {
        failure_persistence: None,
        max_shrink_iters: 2_000,
        ..Config::default()
    };
    if let Some(cases) = check.cases {
        config.cases = cases;
    }
    let last: RefCell<Option<(String, S::Value)>> = RefCell::new(None);
    let ran = TestRunner::new(config).run(strategy, |value| {
        let Err(message) = law(&value) else {
            return Ok(());
        };
        let mut last = last.borrow_mut();
        // Smaller arguments may fail in another way, which is another story.
        if last
            .as_ref()
            .is_some_and(|(known, _)| headline(known) != headline(&message))
        {
            return Ok(());
        }
        *last = Some((message, value));
        Err(TestCaseError::fail("broken"))
    });
    match (ran, last.into_inner()) {
        (Ok(()), _) => Ok(()),
        (Err(TestError::Fail(_, _)), Some((message, value))) => Err(Found::Broken(message, value)),
        (Err(error), _) => Err(Found::Stuck(match error {
            TestError::Abort(reason) | TestError::Fail(reason, _) => reason.to_string(),
        })),
    }
}

/// What a search ended with.
enum Found<T> {
    /// The law does not hold: why, and for which value.
    Broken(String, T),
    /// There are no values to try: why.
    Stuck(String),
}

/// The part of a message that says what kind of failure it is.
fn headline(message: &str) -> &str {
    message.split(':').next().unwrap_or_default()
}

/// Puts what was found into the report; whether that was nothing.
fn tell<T>(
    report: &mut CheckReport,
    found: Result<(), Found<T>>,
    show: impl Fn(&T) -> String,
) -> bool {
    match found {
        Ok(()) => true,
        Err(Found::Stuck(reason)) => {
            report.fail(format!("the test cannot go on: {reason}"));
            false
        }
        Err(Found::Broken(message, value)) => {
            report.fail(format!("{message}\narguments: {}", show(&value)));
            false
        }
    }
}

fn shown(arguments: &Value) -> String {
    let mut text = arguments.to_string();
    if text.len() > SHOWN {
        let mut end = SHOWN;
        while !text.is_char_boundary(end) {
            end -= 1;
        }
        text.truncate(end);
        text.push('…');
    }
    text
}

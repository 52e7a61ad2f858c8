//! What must work with a record, whatever is in it and whoever stores it.

mod attacks;
mod once;

use proptest::prelude::{
    Just, ProptestConfig, Strategy, any, prop_assert, prop_assert_eq, prop_oneof, proptest,
};
use serde_json::{Value, json};

use super::canonical;
use super::seal::Opened;
use super::{ApprovalKey, Pending, PendingReason, ResumeError, Sealer};
use crate::catalogue::Catalogue;
use crate::definition::Definition;
use crate::redact::REDACTED;
use crate::tool::Tool;

const NOW: u64 = 1_800_000_000;

fn definition(name: &str) -> Definition {
    Definition::new(name, "Does it.", json!({ "type": "object" }))
}

fn tool_of(definition: Definition) -> Tool {
    Tool::new(definition, |_, _| async {}).unwrap()
}

pub(in crate::approval) fn tool(name: &str) -> Tool {
    tool_of(definition(name))
}

/// Any JSON value, some with secrets and placeholders in them.
pub(in crate::approval) fn json_value() -> impl Strategy<Value = Value> {
    let text = || {
        prop_oneof![
            any::<String>(),
            Just("hunter2".to_owned()),
            Just(format!("x {REDACTED}"))
        ]
    };
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<u64>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        (-1e6..1e6).prop_map(Value::from),
        Just(Value::from(1234)),
        text().prop_map(Value::from),
    ];
    leaf.prop_recursive(4, 40, 5, move |inner| {
        prop_oneof![
            proptest::collection::vec(inner.clone(), 0..5).prop_map(Value::from),
            proptest::collection::vec((text(), inner), 0..5)
                .prop_map(|members| Value::Object(members.into_iter().collect())),
        ]
    })
}

fn sealer() -> Sealer {
    Sealer::new(Some(&ApprovalKey::new([7; 32])), Sealer::LIFETIME)
}

fn catalogue() -> Catalogue {
    Catalogue::new([tool("pay"), tool("refund")]).unwrap()
}

fn sealed(sealer: &Sealer, call_id: &str, name: &str, arguments: &Value, shown: Value) -> Pending {
    let reason = PendingReason::Approval;
    sealer
        .seal_at(NOW, call_id, &tool(name), arguments, shown, reason)
        .unwrap()
}

fn payment(sealer: &Sealer) -> Pending {
    let arguments = json!({ "amount": 12.5, "to": "é", "n": [1, { "b": null }], "key": "hunter2" });
    let mut shown = arguments.clone();
    shown["key"] = json!(REDACTED);
    sealed(sealer, "call_1", "pay", &arguments, shown)
}

fn open(sealer: &Sealer, pending: &Pending) -> Result<Opened, ResumeError> {
    sealer.open_at(NOW, pending, &catalogue())
}

fn refusal(opened: Result<Opened, ResumeError>) -> Option<ResumeError> {
    opened.err()
}

fn same_meaning(left: &Pending, right: &Pending) -> bool {
    let meaning = |pending: &Pending| {
        let mut bytes = Vec::new();
        canonical::value(&pending.arguments, &mut bytes).unwrap();
        let mut rest = pending.clone();
        rest.arguments = Value::Null;
        (bytes, rest)
    };
    meaning(left) == meaning(right)
}

#[test]
fn what_opens_is_what_was_sealed() {
    let sealer = sealer();
    let opened = open(&sealer, &payment(&sealer)).unwrap();
    assert_eq!(opened.tool.name(), "pay");
    assert_eq!(
        opened.arguments.to_string(),
        r#"{"amount":12.5,"to":"é","n":[1,{"b":null}],"key":"hunter2"}"#
    );
}

#[test]
fn no_secret_is_in_the_record_or_its_debug_form() {
    let pending = payment(&sealer());
    let text = serde_json::to_string(&pending).unwrap();
    assert!(!text.contains("hunter2"), "{text}");
    assert!(text.contains(r#""key":"[redacted]""#), "{text}");
    assert!(text.contains(r#""reason":"approval""#), "{text}");
    let shown = format!("{pending:?}");
    assert!(
        !shown.contains("hunter2") && !shown.contains("12.5"),
        "{shown}"
    );
    assert!(!shown.contains(&pending.seal), "{shown}");
}

#[test]
fn two_records_of_one_call_have_nothing_random_in_common() {
    let sealer = sealer();
    let (one, other) = (payment(&sealer), payment(&sealer));
    assert_ne!(one.id, other.id);
    assert_ne!(one.seal[..32], other.seal[..32]);
}

/// An object with its keys in the other order, at every level.
fn reversed(value: &Value) -> Value {
    match value {
        Value::Array(items) => items.iter().map(reversed).collect(),
        Value::Object(members) => members
            .iter()
            .rev()
            .map(|(key, member)| (key.clone(), reversed(member)))
            .collect(),
        other => other.clone(),
    }
}

#[test]
fn another_order_and_layout_mean_the_same() {
    let sealer = sealer();
    let pending = payment(&sealer);
    let turned = reversed(&serde_json::to_value(&pending).unwrap());
    let text = serde_json::to_string_pretty(&turned).unwrap();
    let text = text
        .replace("12.5", "1.25e1")
        .replace(" 1,", " 1.0,")
        .replace('é', "\\u00e9");
    let again: Pending = serde_json::from_str(&text).unwrap();
    assert_eq!(
        open(&sealer, &again).unwrap().arguments,
        open(&sealer, &pending).unwrap().arguments
    );
    // The same by way of a parsed value, as a JSON column gives it back.
    let again: Pending = serde_json::from_value(turned).unwrap();
    assert!(open(&sealer, &again).is_ok());
}

#[test]
fn arguments_too_deep_to_be_stored_are_refused_at_once() {
    let nested = |levels: usize| (0..levels).fold(json!(1), |inner, _| json!([inner]));
    let sealer = sealer();
    let seal = |arguments: &Value| {
        let reason = PendingReason::Approval;
        sealer.seal_at(
            NOW,
            "call_1",
            &tool("pay"),
            arguments,
            arguments.clone(),
            reason,
        )
    };
    let error = seal(&nested(101)).unwrap_err();
    assert!(
        error.message().contains("100 levels"),
        "{}",
        error.message()
    );
    let pending = seal(&nested(100)).unwrap();
    let stored = serde_json::to_string(&json!([[{ "pending": pending }]])).unwrap();
    let stored: Value = serde_json::from_str(&stored).unwrap();
    let again: Pending = serde_json::from_value(stored[0][0]["pending"].clone()).unwrap();
    assert_eq!(open(&sealer, &again).unwrap().arguments, nested(100));
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_arguments_open_exactly_as_they_were_sealed(
        arguments in json_value(),
        shown in json_value(),
        call_id: String,
    ) {
        let sealer = sealer();
        let pending = sealed(&sealer, &call_id, "pay", &arguments, shown);
        let text = serde_json::to_string_pretty(&reversed(&serde_json::to_value(&pending).unwrap()));
        let again: Pending = serde_json::from_str(&text.unwrap()).unwrap();
        prop_assert!(same_meaning(&again, &pending));
        let opened = open(&sealer, &again).unwrap();
        // As text: the order of keys and the kind of numbers count here.
        prop_assert_eq!(opened.arguments.to_string(), arguments.to_string());
        prop_assert_eq!(opened.arguments, arguments);
    }

    #[test]
    fn no_other_arguments_open_under_a_seal(shown in json_value(), other in json_value()) {
        let sealer = sealer();
        let pending = sealed(&sealer, "call_1", "pay", &json!({}), shown);
        let mut changed = pending.clone();
        changed.arguments = other;
        let same = same_meaning(&changed, &pending);
        prop_assert_eq!(open(&sealer, &changed).is_ok(), same);
    }
}

//! Equal keys wait for each other, and no trace of them stays.

use std::sync::Arc;
use std::task::Poll;

use proptest::prelude::*;
use serde_json::{Map, Value, json};

use super::super::{Keys, Pass, Stuck};
use super::reference::poll;

fn enter(keys: &Arc<Keys>, name: &str, value: &Value) -> Poll<Result<Pass, Stuck>> {
    poll(&mut keys.enter(name, value), &Arc::default())
}

fn wait_for_each_other(one: (&str, &Value), other: (&str, &Value)) -> bool {
    let keys = Keys::new();
    let held = enter(&keys, one.0, one.1);
    assert!(held.is_ready());
    let waits = enter(&keys, other.0, other.1).is_pending();
    drop(held);
    assert_eq!(keys.len(), 0);
    waits
}

/// Whether two values mean the same, without canonical forms.
fn same(one: &Value, other: &Value) -> bool {
    match (one, other) {
        (Value::Number(one), Value::Number(other)) => {
            one == other || ((one.is_f64() || other.is_f64()) && one.as_f64() == other.as_f64())
        }
        (Value::Array(one), Value::Array(other)) => {
            one.len() == other.len() && one.iter().zip(other).all(|(one, other)| same(one, other))
        }
        (Value::Object(one), Value::Object(other)) => {
            one.len() == other.len()
                && one
                    .iter()
                    .all(|(key, value)| other.get(key).is_some_and(|other| same(value, other)))
        }
        _ => one == other,
    }
}

/// The same value, written differently.
fn rewritten(value: &Value) -> Value {
    match value {
        Value::Number(number) => match number.as_i64() {
            #[expect(clippy::cast_precision_loss, reason = "only where there is none")]
            Some(integer) if integer.abs() < 1 << 52 => json!(integer as f64),
            _ => value.clone(),
        },
        Value::Array(items) => items.iter().map(rewritten).collect(),
        Value::Object(fields) => {
            let turned: Map<String, Value> = fields
                .iter()
                .rev()
                .map(|(key, value)| (key.clone(), rewritten(value)))
                .collect();
            Value::Object(turned)
        }
        other => other.clone(),
    }
}

/// Few values, so that two are often equal or nearly so.
fn value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(json!(null)),
        any::<bool>().prop_map(Value::from),
        (-2_i64..3).prop_map(Value::from),
        prop_oneof![Just(0.0), Just(-0.0), Just(1.0), Just(1.5), Just(1e300)]
            .prop_map(|float: f64| json!(float)),
        "[ab1]{0,2}".prop_map(Value::from),
    ];
    leaf.prop_recursive(3, 12, 3, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..3).prop_map(Value::from),
            prop::collection::vec(("[ab]{0,1}", inner), 0..3)
                .prop_map(|fields| Value::Object(fields.into_iter().collect())),
        ]
    })
}

proptest! {
    #[test]
    fn calls_wait_for_each_other_exactly_when_their_values_mean_the_same(
        one in value(),
        other in value(),
    ) {
        prop_assert_eq!(
            wait_for_each_other(("path", &one), ("path", &other)),
            same(&one, &other)
        );
    }

    #[test]
    fn how_a_value_is_written_does_not_matter(value in value()) {
        prop_assert!(wait_for_each_other(("path", &value), ("path", &rewritten(&value))));
    }
}

#[test]
fn numbers_are_compared_as_what_they_are() {
    let same = [
        (json!(1), json!(1.0)),
        (json!(0), json!(-0.0)),
        (
            json!(9_223_372_036_854_775_808_u64),
            json!(9_223_372_036_854_775_808.0),
        ),
        (
            json!(-9_223_372_036_854_775_808_i64),
            json!(-9_223_372_036_854_775_808.0),
        ),
    ];
    for (one, other) in &same {
        assert!(
            wait_for_each_other(("n", one), ("n", other)),
            "{one} {other}"
        );
    }
    let different = [
        // Equal as floats.
        (
            json!(9_007_199_254_740_993_i64),
            json!(9_007_199_254_740_992_i64),
        ),
        (json!(u64::MAX), json!(18_446_744_073_709_551_616.0)),
        (json!(1), json!("1")),
        (json!([1]), json!(1)),
    ];
    for (one, other) in &different {
        assert!(
            !wait_for_each_other(("n", one), ("n", other)),
            "{one} {other}"
        );
    }
}

#[test]
fn another_name_is_another_queue() {
    let value = json!("a");
    assert!(!wait_for_each_other(("path", &value), ("file", &value)));
    assert!(!wait_for_each_other(
        ("patha", &json!("")),
        ("path", &value)
    ));
}

#[test]
fn a_value_may_be_deeper_than_the_stack() {
    let mut deep = json!(1);
    for _ in 0..200_000 {
        deep = Value::Array(vec![deep]);
    }
    // Dropping it would be what overflows the stack.
    let deep = std::mem::ManuallyDrop::new(deep);
    assert!(wait_for_each_other(("path", &deep), ("path", &deep)));
}

#[test]
fn a_key_is_kept_for_as_long_as_somebody_holds_or_waits() {
    let keys = Keys::new();
    let value = json!({ "a": 1 });
    let mut first = keys.enter("path", &value);
    let mut second = keys.enter("path", &value);
    let abandoned = keys.enter("path", &value);
    let other = keys.enter("path", &json!(2));
    assert_eq!(keys.len(), 2);
    drop(other);
    assert_eq!(keys.len(), 1);

    let Poll::Ready(Ok(pass)) = poll(&mut first, &Arc::default()) else {
        panic!("the first comes in");
    };
    // An entry that has ended holds nothing, nor does a marker.
    let marker = pass.marker();
    let woken = Arc::default();
    assert!(poll(&mut second, &woken).is_pending());
    drop(abandoned);
    drop(pass);
    assert_eq!(woken.times(), 1);
    let Poll::Ready(Ok(pass)) = poll(&mut second, &woken) else {
        panic!("the second comes in after the first");
    };
    assert_eq!(keys.len(), 1);
    drop(pass);
    assert_eq!(keys.len(), 0);
    // Of a gate that is no more.
    marker.linger();
    assert!(enter(&keys, "path", &value).is_ready());
}

#[test]
fn work_that_lingers_sends_away_only_those_of_its_key() {
    let keys = Keys::new();
    let Poll::Ready(Ok(pass)) = enter(&keys, "path", &json!(1)) else {
        panic!("the first comes in");
    };
    pass.marker().linger();
    assert!(matches!(
        enter(&keys, "path", &json!(1.0)),
        Poll::Ready(Err(Stuck))
    ));
    assert!(matches!(
        enter(&keys, "path", &json!(2)),
        Poll::Ready(Ok(_))
    ));
    drop(pass);
    assert!(matches!(
        enter(&keys, "path", &json!(1)),
        Poll::Ready(Ok(_))
    ));
    assert_eq!(keys.len(), 0);
}

//! What anybody may try with a record who does not have the key.

use std::time::Duration;

use serde_json::{Map, Value, json};

use super::{
    NOW, catalogue, definition, open, payment, refusal, same_meaning, sealed, sealer, tool_of,
};
use crate::approval::{ApprovalKey, Pending, ResumeError, Sealer};
use crate::catalogue::Catalogue;
use crate::definition::{Approval, Definition, Kind};

#[test]
fn no_byte_of_a_record_can_be_changed_to_mean_something_else() {
    let sealer = sealer();
    let pending = payment(&sealer);
    let text = serde_json::to_vec(&pending).unwrap();
    let (mut parsed, mut refused, mut same) = (0, 0, 0);
    for position in 0..text.len() {
        let flips = (0..8).map(|bit| text[position] ^ (1 << bit));
        for byte in flips.chain(*b"0159aAeE \"\\,:{}[].-+_") {
            let mut changed = text.clone();
            changed[position] = byte;
            let Ok(record) = serde_json::from_slice::<Pending>(&changed) else {
                continue;
            };
            parsed += 1;
            if same_meaning(&record, &pending) {
                same += 1;
                assert!(
                    open(&sealer, &record).is_ok(),
                    "byte {position}: {record:?}"
                );
            } else {
                refused += 1;
                let error = refusal(open(&sealer, &record));
                assert_eq!(error, Some(ResumeError::Forged), "byte {position}");
            }
        }
    }
    assert_eq!(parsed, refused + same);
    assert!(refused > text.len(), "most changes still parse");
}

#[test]
fn every_field_is_bound_to_the_seal() {
    let sealer = sealer();
    let pending = payment(&sealer);
    let other = sealed(
        &sealer,
        "call_2",
        "refund",
        &json!({ "amount": 1 }),
        json!({ "amount": 1 }),
    );
    let fields = serde_json::to_value(&pending).unwrap();
    let others = serde_json::to_value(&other).unwrap();
    let (Value::Object(fields), Value::Object(others)) = (fields, others) else {
        panic!("a record is an object");
    };
    for name in fields.keys() {
        let mut mixed: Map<String, Value> = fields.clone();
        mixed[name] = match &others[name] {
            same if *same == fields[name] && name == "reason" => json!("interrupt"),
            Value::Number(number) => json!(number.as_u64().unwrap() + 1),
            different => different.clone(),
        };
        assert_ne!(mixed[name], fields[name], "{name}");
        let record: Pending = serde_json::from_value(Value::Object(mixed)).unwrap();
        assert_eq!(
            refusal(open(&sealer, &record)),
            Some(ResumeError::Forged),
            "{name}"
        );
    }
}

#[test]
fn fields_that_run_into_each_other_are_told_apart() {
    let sealer = sealer();
    let mut pending = sealed(&sealer, "ab", "pay", &json!({}), json!({}));
    assert!(open(&sealer, &pending).is_ok());
    pending.call_id = "abp".to_owned();
    pending.tool = "ay".to_owned();
    assert_eq!(refusal(open(&sealer, &pending)), Some(ResumeError::Forged));
}

#[test]
fn a_record_with_fields_too_many_or_twice_is_none() {
    let text = serde_json::to_string(&payment(&sealer())).unwrap();
    for (from, to) in [
        (r#"{"call_id""#, r#"{"approved":true,"call_id""#),
        (r#"{"call_id""#, r#"{"tool":"pay","call_id""#),
        // One reader would show the first amount, another the last.
        (r#"{"amount""#, r#"{"amount":1,"amount""#),
    ] {
        let changed = text.replacen(from, to, 1);
        assert_ne!(changed, text);
        assert!(
            serde_json::from_str::<Pending>(&changed).is_err(),
            "{changed}"
        );
    }
}

#[test]
fn seals_of_any_length_are_refused() {
    let sealer = sealer();
    let mut pending = payment(&sealer);
    let seal = pending.seal.clone();
    for length in 0..seal.len() {
        pending.seal = seal[..length].to_owned();
        assert_eq!(refusal(open(&sealer, &pending)), Some(ResumeError::Forged));
    }
    pending.seal = format!("{seal}A");
    assert_eq!(refusal(open(&sealer, &pending)), Some(ResumeError::Forged));
}

#[test]
fn another_key_and_no_key_open_nothing() {
    let pending = payment(&sealer());
    let other = Sealer::new(Some(&ApprovalKey::new([8; 32])), Sealer::LIFETIME);
    let own = Sealer::new(None, Sealer::LIFETIME);
    assert_eq!(refusal(open(&other, &pending)), Some(ResumeError::Forged));
    assert_eq!(refusal(open(&own, &pending)), Some(ResumeError::Forged));
    // A sealer without a key has made its own, which is nobody else's.
    assert!(open(&own, &payment(&own)).is_ok());
    assert_eq!(refusal(open(&own, &pending)), Some(ResumeError::Forged));
    let another = Sealer::new(None, Sealer::LIFETIME);
    let theirs = payment(&another);
    assert_eq!(refusal(open(&own, &theirs)), Some(ResumeError::Forged));
    // The same key is the same everywhere.
    assert!(open(&sealer(), &pending).is_ok());
    let random = ApprovalKey::random();
    let (one, same) = [(); 2]
        .map(|()| Sealer::new(Some(&random), Sealer::LIFETIME))
        .into();
    assert!(open(&same, &payment(&one)).is_ok());
}

#[test]
fn a_record_is_worth_something_from_when_it_was_made_until_it_expires() {
    let sealer = sealer();
    let pending = payment(&sealer);
    let day = 24 * 60 * 60;
    assert_eq!(pending.expires, NOW + day);
    let at = |now| refusal(sealer.open_at(now, &pending, &catalogue()));
    for (now, expected) in [
        (NOW, None),
        (NOW + day - 1, None),
        (NOW + day, Some(ResumeError::Expired)),
        (u64::MAX, Some(ResumeError::Expired)),
        // A clock may be a little behind another.
        (NOW - 300, None),
        (NOW - 301, Some(ResumeError::FromTheFuture)),
        (0, Some(ResumeError::FromTheFuture)),
    ] {
        assert_eq!(at(now), expected, "{now}");
    }
}

#[test]
fn any_lifetime_is_an_expiry_that_can_be_written() {
    for (lifetime, expires) in [
        (Duration::ZERO, NOW),
        (Duration::from_millis(1), NOW + 1),
        (Duration::MAX, 253_402_300_799),
    ] {
        let sealer = Sealer::new(Some(&ApprovalKey::new([7; 32])), lifetime);
        let pending = payment(&sealer);
        assert_eq!(pending.expires, expires);
        let opened = refusal(open(&sealer, &pending));
        assert_eq!(opened, (expires == NOW).then_some(ResumeError::Expired));
    }
}

#[test]
fn a_forged_record_is_forged_before_it_is_anything_else() {
    let sealer = sealer();
    let mut pending = payment(&sealer);
    pending.tool = "gone".to_owned();
    let later = sealer.open_at(u64::MAX, &pending, &catalogue());
    assert_eq!(refusal(later), Some(ResumeError::Forged));
}

#[test]
fn a_tool_that_is_gone_or_defined_anew_does_not_run() {
    let sealer = sealer();
    let pending = payment(&sealer);
    let with = |definition: Definition| {
        let catalogue = Catalogue::new([tool_of(definition)]).unwrap();
        refusal(sealer.open_at(NOW, &pending, &catalogue))
    };
    let unknown = ResumeError::UnknownTool("pay".to_owned());
    assert_eq!(with(definition("pay_")), Some(unknown));
    let changes: [fn(&mut Definition); 10] = [
        |definition| definition.description.push(' '),
        |definition| definition.title = Some("Pay".to_owned()),
        |definition| definition.parameters["properties"] = json!({ "a": {} }),
        |definition| definition.output_schema = Some(json!({})),
        |definition| definition.kind = Kind::Interrupt,
        |definition| definition.approval = Approval::Always,
        |definition| definition.annotations.destructive = Some(false),
        |definition| definition.annotations.read_only = Some(false),
        |definition| definition.tags.push("money".to_owned()),
        |definition| drop(definition.meta.insert("server".to_owned(), json!("b"))),
    ];
    for change in changes {
        let mut changed = definition("pay");
        change(&mut changed);
        let expected = ResumeError::DefinitionChanged("pay".to_owned());
        assert_eq!(with(changed.clone()), Some(expected), "{changed:?}");
    }
    // How it is run is no part of what was approved.
    let mut tuned = definition("pay");
    tuned.timeout = Some(Duration::from_secs(1));
    tuned.retries = Some(3);
    assert_eq!(with(tuned), None);
}

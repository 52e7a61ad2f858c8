//! What is mended, what never is, and what is told of it.

use proptest::prelude::*;
use serde_json::{Value, json};
use tool_core::{
    Arguments, Call, Catalogue, Definition, ErrorKind, Executor, RepairKind as Kind, RepairMode,
    Tool, tool, tools,
};

/// The schema by which other layers were measured.
fn probe() -> Tool {
    let schema = json!({
        "type": "object",
        "properties": {
            "city": {"type": "string"},
            "days": {"anyOf": [{"type": "integer"}, {"type": "null"}]},
            "count": {"type": "integer", "minimum": 1, "maximum": 100},
            "tags": {"type": "array", "items": {"type": "string"}},
            "unit": {"enum": ["celsius", "fahrenheit", "kelvin_scale"]},
            "verbose": {"type": "boolean"},
            "opt": {"type": "object", "properties": {"deep": {"type": "integer"}}},
            "ratio": {"type": "number", "minimum": 0},
            "anything": {},
        },
        "required": ["city"],
        "additionalProperties": false,
    });
    Tool::new(
        Definition::new("probe", "Probe.", schema),
        |arguments, _| async move { arguments },
    )
    .unwrap()
}

fn mended(arguments: impl Into<Arguments>) -> Result<(Value, Vec<Kind>), String> {
    let checked = probe().check(arguments, RepairMode::On);
    let kinds = checked.repairs.iter().map(|repair| repair.kind).collect();
    match checked.arguments {
        Ok(value) => Ok((value, kinds)),
        Err(error) => Err(error.message().to_owned()),
    }
}

#[test]
fn each_bent_value_is_read_in_its_one_way() {
    for (member, meant, kind) in [
        (r#""days":"5""#, json!({"days": 5}), Kind::NumberAsText),
        (r#""count":"5""#, json!({"count": 5}), Kind::NumberAsText),
        (r#""count":"5.0""#, json!({"count": 5}), Kind::NumberAsText),
        (
            r#""ratio":"0.5""#,
            json!({"ratio": 0.5}),
            Kind::NumberAsText,
        ),
        (r#""days":"None""#, json!({"days": null}), Kind::NullAsText),
        (r#""count":"None""#, json!({}), Kind::NullAsText),
        (r#""count":null"#, json!({}), Kind::NullForOptional),
        (r#""unit":null"#, json!({}), Kind::NullForOptional),
        (
            r#""tags":"[\"a\",\"b\"]""#,
            json!({"tags": ["a", "b"]}),
            Kind::StructureAsText,
        ),
        (
            r#""tags":"['a', 'it\\'s']""#,
            json!({"tags": ["a", "it's"]}),
            Kind::StructureAsText,
        ),
        (r#""tags":"a""#, json!({"tags": ["a"]}), Kind::ValueForList),
        (
            r#""opt":"{\"deep\":1}""#,
            json!({"opt": {"deep": 1}}),
            Kind::StructureAsText,
        ),
        (
            r#""opt":"{'deep': 1}""#,
            json!({"opt": {"deep": 1}}),
            Kind::StructureAsText,
        ),
        (
            r#""opt":{"opt":{"deep":1}}"#,
            json!({"opt": {"opt": {"deep": 1}}}),
            Kind::Empty,
        ),
        (
            r#""verbose":"false""#,
            json!({"verbose": false}),
            Kind::BooleanAsText,
        ),
        (
            r#""verbose":"True""#,
            json!({"verbose": true}),
            Kind::BooleanAsText,
        ),
        (
            r#""unit":"Celsius""#,
            json!({"unit": "celsius"}),
            Kind::EnumSpelling,
        ),
        (
            r#""unit":"KELVIN-SCALE""#,
            json!({"unit": "kelvin_scale"}),
            Kind::EnumSpelling,
        ),
        (
            r#""unit":"Cel""#,
            json!({"unit": "celsius"}),
            Kind::EnumSpelling,
        ),
        (r#""Count":5"#, json!({"count": 5}), Kind::PropertyName),
        (
            r#""opt":{"deep":"7"}"#,
            json!({"opt": {"deep": 7}}),
            Kind::NumberAsText,
        ),
    ] {
        let (value, kinds) = mended(format!(r#"{{"city":"P",{member}}}"#))
            .unwrap_or_else(|error| panic!("{member}: {error}"));
        let mut expected = json!({"city": "P"});
        expected
            .as_object_mut()
            .unwrap()
            .extend(meant.as_object().unwrap().clone());
        assert_eq!(value, expected, "{member}");
        if kind == Kind::Empty {
            // An open object may hold a key of its own name: nothing is wrong.
            assert_eq!(kinds, []);
        } else {
            assert_eq!(kinds, [kind], "{member}");
        }
    }
}

#[test]
fn what_has_no_one_reading_is_refused() {
    for (member, message) in [
        (
            r#""count":5.7"#,
            "`count`: expected an integer from 1 to 100, got 5.7",
        ),
        (
            r#""count":true"#,
            "`count`: expected an integer from 1 to 100, got true",
        ),
        (
            r#""count":"500""#,
            "`count`: expected an integer from 1 to 100, got \"500\"",
        ),
        (r#""count":"5.7""#, "`count`: expected an integer"),
        (r#""count":"five""#, "`count`: expected an integer"),
        (
            r#""ratio":-1"#,
            "`ratio`: expected a number of at least 0, got -1",
        ),
        (
            r#""verbose":1"#,
            "`verbose`: expected `true` or `false`, got 1",
        ),
        (
            r#""verbose":"yes""#,
            "`verbose`: expected `true` or `false`",
        ),
        (r#""tags":"a, b""#, "`tags`: expected an array"),
        (r#""tags":"[a, b""#, "`tags`: expected an array"),
        (r#""tags":{"a":1}"#, "`tags`: expected an array"),
        (r#""unit":"rankine""#, "`unit`: expected one of"),
        (r#""unit":"""#, "`unit`: expected one of"),
        (r#""opt":"[1]""#, "`opt`: expected an object"),
        (r#""unknown":1"#, "`unknown`: unknown"),
        (r#""Count":1,"COUNT":2"#, "`Count`: unknown"),
    ] {
        let error = mended(format!(r#"{{"city":"P",{member}}}"#)).unwrap_err();
        assert!(error.contains(message), "{member}: {error}");
    }
    assert!(
        mended(r#"{"city":75001}"#)
            .unwrap_err()
            .contains("`city`: expected a string, got 75001")
    );
}

#[test]
fn a_guess_is_no_reading() {
    for text in [
        r#"{"city":"P"}, "count":2"#,
        r#"{"city":"P"},"tags":"#,
        r#"count: 3, {"city":"P"}"#,
        r#"{"city":"P"} + 1"#,
        r#"{"city":"P","unit":"C"}"#,
        r#"{"city":"P","unit":"ke"}"#,
        r#"{"city":"P","tags":"a|b"}"#,
        r#"{"city":"P","tags":"a and b"}"#,
        r#"{"city":"P","tags":"()"}"#,
        r#"{"city":"P","tags":"undefined"}"#,
        "{'city':'P','tags':['don''t']}",
        r#"{"city":"P","tags":["5"" pipe"],}"#,
        r#"{"city":"P","count":"4.99999999999999999"}"#,
        r#"{"city":"P","ratio":"12345678901234567890123"}"#,
        "{\"city\":\u{a0}\"P\"}",
    ] {
        assert!(mended(text).is_err(), "{text}: {:?}", mended(text));
    }
    assert_eq!(
        mended(r#"{"city":"it\'s"}"#).unwrap(),
        (json!({"city": "it's"}), vec![Kind::Escape])
    );
    let schema = json!({"type": "object", "properties": {
        "mode": {"enum": ["none", "gzip"]},
        "size": {"enum": ["10", "25", "1"]},
        "grid": {"type": "array", "items": {"type": "array", "items": {"type": "integer"}}},
    }});
    let tool = Tool::new(Definition::new("t", "Guesses.", schema), |_, _| async {}).unwrap();
    let check = |value: Value| tool.check(value, RepairMode::On).arguments.ok();
    assert_eq!(
        check(json!({"mode": "None"})),
        Some(json!({"mode": "none"}))
    );
    assert_eq!(check(json!({"size": "-1"})), None);
    assert_eq!(check(json!({"size": "2"})), None);
    assert_eq!(check(json!({"grid": [1, 2]})), None);
    assert_eq!(
        check(json!({"grid": [["1"], [2]]})),
        Some(json!({"grid": [[1], [2]]}))
    );
}

#[test]
fn a_string_stays_a_string_where_one_is_taken() {
    for text in [
        r#"{"city":"[\"a\"]"}"#,
        r#"{"city":"5"}"#,
        r#"{"city":"None"}"#,
        r#"{"city":"P","anything":"5"}"#,
    ] {
        assert_eq!(
            mended(text).unwrap(),
            (serde_json::from_str(text).unwrap(), vec![])
        );
    }
}

#[test]
fn text_that_is_nearly_json_is_read_and_text_that_was_cut_off_never() {
    let expected = json!({"city": "P", "tags": ["a"]});
    for (text, kinds) in [
        (
            "{\"city\":\"P\",\"tags\":[\"a\",],}",
            vec![Kind::TrailingComma],
        ),
        (
            "```json\n{\"city\":\"P\",\"tags\":[\"a\"]}\n```",
            vec![Kind::CodeFence],
        ),
        (
            "\"{\\\"city\\\":\\\"P\\\",\\\"tags\\\":[\\\"a\\\"]}\"",
            vec![Kind::DoubleEncoding],
        ),
        (
            "{'city':'P','tags':'a'}",
            vec![Kind::SingleQuotes, Kind::ValueForList],
        ),
        (
            "{\"arguments\":{\"city\":\"P\",\"tags\":[\"a\"]}}",
            vec![Kind::Wrapped],
        ),
        (
            "{\"probe\":{\"city\":\"P\",\"tags\":[\"a\"]}}",
            vec![Kind::Wrapped],
        ),
        (
            "{\"parameters\":\"{'city':'P','tags':['a']}\"}",
            vec![Kind::Wrapped],
        ),
    ] {
        assert_eq!(mended(text).unwrap(), (expected.clone(), kinds), "{text}");
    }
    for cut in [
        r#"{"city":"Paris","tags":["hello wor"#,
        "{'city':'P'",
        "```json\n{\"city\":\"P\"",
        r#"{"city":"P","tags":[]"#,
    ] {
        let error = mended(cut).unwrap_err();
        assert!(error.contains("was cut off after"), "{cut}: {error}");
    }
    let error = mended(r#"{"city":"Paris","tags":["hello wor"#).unwrap_err();
    assert!(error.ends_with("cut off after 34 characters, at `s\\\",\\\"tags\\\":[\\\"hello wor`; send it again, complete") || error.contains("hello wor`"), "{error}");
}

#[test]
fn nothing_is_an_empty_object_where_nothing_is_required() {
    let schema = json!({"type": "object", "properties": {"a": {"type": "string"}}});
    let tool = Tool::new(
        Definition::new("t", "Nothing required.", schema),
        |_, _| async {},
    )
    .unwrap();
    for text in ["", "  ", "null"] {
        let checked = tool.check(text, RepairMode::On);
        assert_eq!(checked.arguments.unwrap(), json!({}), "{text:?}");
        assert_eq!(checked.repairs[0].kind, Kind::Empty);
        assert!(tool.check(text, RepairMode::Off).arguments.is_err());
    }
    assert!(mended("").is_err());
    assert!(mended("null").is_err());
}

#[test]
fn a_value_may_have_a_reading_in_one_branch_of_a_union() {
    let schema = json!({"type": "object", "properties": {
        "one": {"anyOf": [{"type": "integer"}, {"type": "array", "items": {"type": "integer"}}]},
        "kind": {"oneOf": [
            {"type": "object", "properties": {"kind": {"const": "a"}, "n": {"type": "integer"}}, "required": ["kind", "n"]},
            {"type": "object", "properties": {"kind": {"const": "b"}, "s": {"type": "string"}}, "required": ["kind", "s"]},
        ]},
        "two": {"anyOf": [{"type": "integer"}, {"type": "boolean"}]},
    }});
    let tool = Tool::new(Definition::new("t", "Unions.", schema), |_, _| async {}).unwrap();
    let check = |value: Value| tool.check(value, RepairMode::On).arguments.ok();
    assert_eq!(check(json!({"one": "[1,2]"})), Some(json!({"one": [1, 2]})));
    assert_eq!(
        check(json!({"kind": {"kind": "a", "n": "5"}})),
        Some(json!({"kind": {"kind": "a", "n": 5}}))
    );
    assert_eq!(check(json!({"two": "true"})), Some(json!({"two": true})));
    // A number, or a list of one: two readings.
    assert_eq!(check(json!({"one": "5"})), None);
}

/// Search the orders.
#[tool(name = "repair-search")]
fn search(
    /// The customer.
    customer: String,
    /// How many.
    limit: Option<u8>,
) -> String {
    format!("{customer} {limit:?}")
}

/// Search the orders, strictly.
#[tool(name = "repair-search_strictly", repair = "off")]
fn search_strictly(
    /// How many.
    limit: u8,
) -> u8 {
    limit
}

#[tokio::test]
async fn the_outcome_tells_what_was_mended_and_the_mode_decides() {
    let catalogue = Catalogue::new(tools![search, search_strictly]).unwrap();
    let call = |name: &str| Call::new("1", name, r#"{"customer":"c","limit":"5"}"#);
    let outcome = Executor::new(catalogue.clone())
        .unwrap()
        .call(call("repair-search"))
        .await;
    assert_eq!(outcome.text(), "c Some(5)");
    let repair = &outcome.repairs[0];
    assert_eq!(
        (
            repair.kind,
            repair.path.as_str(),
            repair.before.as_str(),
            repair.after.as_str()
        ),
        (Kind::NumberAsText, "limit", "\"5\"", "5")
    );

    let report = Executor::builder(catalogue.clone())
        .repair(RepairMode::Report)
        .build()
        .unwrap();
    let outcome = report.call(call("repair-search")).await;
    assert_eq!(outcome.error_kind(), Some(ErrorKind::InvalidArguments));
    assert_eq!(outcome.repairs.len(), 1);

    let off = Executor::builder(catalogue.clone())
        .repair(RepairMode::Off)
        .build()
        .unwrap();
    let outcome = off.call(call("repair-search")).await;
    assert_eq!(outcome.error_kind(), Some(ErrorKind::InvalidArguments));
    assert!(outcome.repairs.is_empty());

    let on = Executor::new(catalogue).unwrap();
    let outcome = on
        .call(Call::new("1", "repair-search_strictly", r#"{"limit":"5"}"#))
        .await;
    assert_eq!(
        outcome.error_kind(),
        Some(ErrorKind::InvalidArguments),
        "the tool says off"
    );
}

#[tokio::test]
async fn a_likely_correction_is_shown_and_never_run() {
    let executor = Executor::new(Catalogue::new(tools![search]).unwrap()).unwrap();
    let outcome = executor
        .call(Call::new(
            "1",
            "repair-search",
            r#"{"custmer":"c","limit":3}"#,
        ))
        .await;
    assert_eq!(outcome.error_kind(), Some(ErrorKind::InvalidArguments));
    assert!(
        outcome
            .text()
            .ends_with("Did you mean {\"customer\":\"c\",\"limit\":3}?"),
        "{}",
        outcome.text()
    );
}

fn scalar() -> impl Strategy<Value = Value> {
    prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        (-5..120_i64).prop_map(Value::from),
        (-5.0..120.0_f64).prop_map(|number| json!((number * 2.0).round() / 2.0)),
        prop_oneof![
            Just("5"),
            Just("5.0"),
            Just("true"),
            Just("None"),
            Just("null"),
            Just(""),
            Just("C"),
            Just("Kelvin"),
            Just("celsius"),
            Just("[1]"),
            Just("['a']"),
            Just("{\"deep\": 1}"),
            Just("a"),
            Just("a,b"),
            Just("500")
        ]
        .prop_map(Value::from),
    ]
}

fn bent() -> impl Strategy<Value = Value> {
    let names = prop_oneof![
        Just("city"),
        Just("City"),
        Just("days"),
        Just("count"),
        Just("tags"),
        Just("unit"),
        Just("verbose"),
        Just("opt"),
        Just("OPT"),
        Just("ratio"),
        Just("anything"),
        Just("deep"),
        Just("arguments"),
        Just("x")
    ];
    let value = scalar().prop_recursive(2, 6, 3, move |inner| {
        prop_oneof![
            proptest::collection::vec(inner.clone(), 0..3).prop_map(Value::from),
            proptest::collection::btree_map("deep|opt|x", inner, 0..2).prop_map(|map| json!(map)),
        ]
    });
    proptest::collection::btree_map(names, value, 0..4).prop_map(|map| json!(map))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(3_000))]

    #[test]
    fn a_repair_ends_valid_leaves_the_valid_alone_and_is_done_once(value in bent(), as_text: bool) {
        let tool = probe();
        let validator = jsonschema::validator_for(&tool.definition().parameters).unwrap();
        let checked = if as_text {
            tool.check(value.to_string(), RepairMode::On)
        } else {
            tool.check(value.clone(), RepairMode::On)
        };
        if validator.is_valid(&value) {
            prop_assert_eq!(checked.arguments.as_ref().unwrap(), &value);
            prop_assert!(checked.repairs.is_empty());
        }
        if let Ok(mended) = checked.arguments {
            prop_assert!(validator.is_valid(&mended), "{}", mended);
            // What was right in its place is still there.
            for (name, schema) in tool.definition().parameters["properties"].as_object().unwrap() {
                if let Some(member) = value.get(name)
                    && jsonschema::is_valid(schema, member)
                {
                    prop_assert_eq!(mended.get(name), Some(member));
                }
            }
            let again = tool.check(mended.clone(), RepairMode::On);
            prop_assert_eq!(again.arguments.unwrap(), mended);
            prop_assert!(again.repairs.is_empty());
        } else {
            prop_assert!(checked.repairs.is_empty());
        }
    }

    /// No prefix of a call is ever completed.
    #[test]
    fn a_text_that_was_cut_off_is_never_run(value in bent(), cut in 0..100_usize, single: bool) {
        let mut text = value.to_string();
        if single {
            text = text.replace('"', "'");
        }
        let end = text.chars().count() * cut / 100;
        let cut: String = text.chars().take(end).collect();
        let checked = probe().check(cut.clone(), RepairMode::On);
        prop_assert!(checked.arguments.is_err(), "{}", cut);
    }

    #[test]
    fn any_text_is_answered(text in r#"[{}\[\]"':, a-cT1.\\/*`\n]{0,40}"#) {
        let checked = probe().check(text, RepairMode::On);
        if let Ok(value) = checked.arguments {
            prop_assert!(value["city"].is_string());
        }
    }
}

//! Putting secrets back into arguments that a person has edited.

use std::collections::HashMap;
use std::fmt;

use serde_json::{Map, Value};

use crate::redact::REDACTED;

/// A placeholder stands where none was shown: what it stands for is not known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct LeftPlaceholder {
    /// Where, as a JSON pointer.
    path: String,
}

impl fmt::Display for LeftPlaceholder {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { path } = self;
        write!(
            formatter,
            "the edited arguments hold `{REDACTED}` at `{path}`, where it stands for nothing: \
             leave a hidden value as it is shown, or replace all of it"
        )
    }
}

impl std::error::Error for LeftPlaceholder {}

/// Where an edited value equals what was shown in its place, the original
/// comes back, so that no placeholder ever runs.
///
/// In a list whose length was changed nothing has a known place. After an
/// error the edited value is not to be used.
///
/// # Errors
///
/// When a placeholder is left in any other place.
pub(crate) fn with_secrets_back(
    edited: &mut Value,
    shown: &Value,
    original: &Value,
) -> Result<(), LeftPlaceholder> {
    restore(edited, Some(Place { shown, original }), &mut String::new())
}

/// What stood where an edited value stands.
#[derive(Clone, Copy)]
struct Place<'a> {
    shown: &'a Value,
    original: &'a Value,
}

fn restore(
    edited: &mut Value,
    place: Option<Place<'_>>,
    path: &mut String,
) -> Result<(), LeftPlaceholder> {
    if let Some(Place { shown, original }) = place
        && edited == shown
    {
        if shown != original {
            edited.clone_from(original);
        }
        return Ok(());
    }
    match edited {
        Value::String(text) if text.contains(REDACTED) => Err(left(path)),
        Value::Array(items) => restore_items(items, place, path),
        Value::Object(members) => restore_members(members, place, path),
        _ => Ok(()),
    }
}

fn restore_items(
    items: &mut [Value],
    place: Option<Place<'_>>,
    path: &mut String,
) -> Result<(), LeftPlaceholder> {
    let lists = place
        .and_then(|place| Some((place.shown.as_array()?, place.original.as_array()?)))
        .filter(|(shown, original)| shown.len() == items.len() && original.len() == items.len());
    for (index, item) in items.iter_mut().enumerate() {
        let place = lists.and_then(|(shown, original)| {
            let (shown, original) = (shown.get(index)?, original.get(index)?);
            Some(Place { shown, original })
        });
        descend(path, &index.to_string(), |path| restore(item, place, path))?;
    }
    Ok(())
}

fn restore_members(
    members: &mut Map<String, Value>,
    place: Option<Place<'_>>,
    path: &mut String,
) -> Result<(), LeftPlaceholder> {
    let objects =
        place.and_then(|place| Some((place.shown.as_object()?, place.original.as_object()?)));
    let hidden = objects.map(|(shown, original)| hidden_names(shown, original));
    for (key, mut member) in std::mem::take(members) {
        let known = objects.and_then(|(shown, original)| {
            let name = if key.contains(REDACTED) {
                hidden.as_ref()?.get(key.as_str()).copied()?
            } else {
                original.get_key_value(&key)?.0
            };
            let (shown, original) = (shown.get(&key)?, original.get(name)?);
            Some((name, Place { shown, original }))
        });
        let name = match known {
            Some((name, _)) => name.clone(),
            None if key.contains(REDACTED) => return Err(left(path)),
            None => key.clone(),
        };
        descend(path, &key, |path| {
            restore(&mut member, known.map(|(_, place)| place), path)
        })?;
        if members.insert(name, member).is_some() {
            return Err(left(path));
        }
    }
    Ok(())
}

/// The original names of the keys that are themselves hidden. They are known by
/// their position, unless two of them became one or the order is another.
fn hidden_names<'a>(
    shown: &'a Map<String, Value>,
    original: &'a Map<String, Value>,
) -> HashMap<&'a str, &'a String> {
    if shown.len() != original.len() {
        return HashMap::new();
    }
    shown
        .keys()
        .zip(original.keys())
        .filter(|(key, name)| key.contains(REDACTED) && (key == name || !shown.contains_key(*name)))
        .map(|(key, name)| (key.as_str(), name))
        .collect()
}

fn descend<R>(path: &mut String, step: &str, inner: impl FnOnce(&mut String) -> R) -> R {
    let length = path.len();
    path.push('/');
    path.push_str(&step.replace('~', "~0").replace('/', "~1"));
    let result = inner(path);
    path.truncate(length);
    result
}

fn left(path: &str) -> LeftPlaceholder {
    LeftPlaceholder {
        path: path.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::{ProptestConfig, prop_assert, prop_assert_eq, proptest};
    use serde_json::{Value, json};

    use super::with_secrets_back;
    use crate::approval::tests::json_value;
    use crate::redact::REDACTED;

    /// Hides every `hunter2`, in keys too, as a redactor does.
    fn hide(value: &Value) -> Value {
        match value {
            Value::String(text) => Value::from(text.replace("hunter2", REDACTED)),
            Value::Number(number) if *number == 1234.into() => Value::from(REDACTED),
            Value::Array(items) => items.iter().map(hide).collect(),
            Value::Object(members) => members
                .iter()
                .map(|(key, member)| (key.replace("hunter2", REDACTED), hide(member)))
                .collect(),
            other => other.clone(),
        }
    }

    fn edited(original: &Value, mut edited: Value) -> Result<Value, String> {
        with_secrets_back(&mut edited, &hide(original), original)
            .map(|()| edited)
            .map_err(|error| error.to_string())
    }

    #[test]
    fn a_value_left_as_shown_is_the_original_and_the_rest_is_the_edit() {
        let original =
            json!({ "url": "https://hunter2@a.b", "list": [{ "pin": 1234 }, 2], "n": 1 });
        let changed = json!({ "list": [{ "pin": "[redacted]" }, 3], "url": "https://[redacted]@a.b", "new": true });
        assert_eq!(
            edited(&original, changed),
            Ok(json!({ "list": [{ "pin": 1234 }, 3], "url": "https://hunter2@a.b", "new": true }))
        );
    }

    #[test]
    fn a_placeholder_in_a_new_place_is_refused_with_its_path() {
        let original = json!({ "a": "hunter2", "b": ["hunter2", "x"], "hunter2": 1 });
        for (changed, path) in [
            (json!({ "c": "[redacted]" }), "`/c`"),
            (json!({ "a": ["[redacted]"] }), "`/a/0`"),
            (json!({ "a": "Bearer [redacted]" }), "`/a`"),
            // One item less: whose place this is nobody knows.
            (json!({ "b": ["[redacted]"] }), "`/b/0`"),
            (json!({ "a": { "x/y": "[redacted]" } }), "`/a/x~1y`"),
            (json!({ "b": [{ "[redacted]": 1 }, "x"] }), "`/b/0`"),
        ] {
            let refused = edited(&original, changed).unwrap_err();
            assert!(refused.contains(path), "{refused}");
        }
    }

    #[test]
    fn a_hidden_key_comes_back_where_it_is_known() {
        let original = json!({ "a": 1, "hunter2": { "b": 2 } });
        assert_eq!(
            edited(&original, json!({ "[redacted]": { "b": 3 }, "a": 1 })),
            Ok(json!({ "hunter2": { "b": 3 }, "a": 1 }))
        );
        // Two keys are shown as one: unedited they come back, edited they cannot.
        let original = json!({ "hunter2": 1, "[redacted]": 2, "a": 1 });
        assert_eq!(edited(&original, hide(&original)), Ok(original.clone()));
        assert!(edited(&original, json!({ "[redacted]": 2, "a": 2 })).is_err());
    }

    fn holds_placeholder(value: &Value) -> bool {
        value.to_string().contains(REDACTED)
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn what_is_not_edited_comes_back_whole(original in json_value()) {
            prop_assert_eq!(edited(&original, hide(&original)), Ok(original));
        }

        #[test]
        fn no_placeholder_runs_that_the_model_did_not_write(
            original in json_value(),
            other in json_value(),
        ) {
            let original = json!({ "a": original, "b": "hunter2" });
            let changed = json!({ "a": hide(&other), "b": REDACTED });
            if !holds_placeholder(&original)
                && let Ok(runs) = edited(&original, changed)
            {
                prop_assert!(!holds_placeholder(&runs), "{runs}");
                prop_assert_eq!(&runs["b"], "hunter2");
            }
        }
    }
}

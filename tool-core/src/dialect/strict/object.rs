//! Objects, which are closed, and arrays, whose items have one type.

use serde_json::{Map, Value};

use super::super::keys;
use super::super::notes::property_place;
use super::super::plain::tuple;
use super::super::types::nullable;
use super::Writer;
use super::size::MOST_LEVELS;
use crate::schema::accepts_null;

impl Writer<'_> {
    pub(super) fn object(
        &mut self,
        mut object: Map<String, Value>,
        place: &str,
        depth: usize,
    ) -> Result<Map<String, Value>, String> {
        if depth >= MOST_LEVELS {
            return Err(format!("it has more than {MOST_LEVELS} levels of objects"));
        }
        self.annotations(&mut object, place);
        match object.get("additionalProperties") {
            None | Some(Value::Bool(false)) => {}
            Some(Value::Object(each)) if !each.is_empty() => {
                return Err(format!("{} a map", is(place)));
            }
            Some(_) => return Err(format!("{} free-form", is(place))),
        }
        let known = [
            "type",
            "title",
            "description",
            "default",
            "properties",
            "required",
            "additionalProperties",
            "unevaluatedProperties",
            "enum",
        ];
        if let Some(keyword) = object.keys().find(|key| !known.contains(&key.as_str())) {
            return Err(format!("{} an object with `{keyword}`", is(place)));
        }
        object.shift_remove("unevaluatedProperties");
        if object.contains_key("enum") {
            return Err(format!("{} an enum of objects", is(place)));
        }
        let properties = match object.get("properties") {
            Some(Value::Object(properties)) => properties.clone(),
            _ => Map::new(),
        };
        let closed = object.contains_key("additionalProperties");
        if properties.is_empty() && depth > 0 && !closed {
            return Err(format!("{} free-form", is(place)));
        }
        let mut required: Vec<Value> = match object.shift_remove("required") {
            Some(Value::Array(required)) => required,
            _ => Vec::new(),
        };
        if let Some(missing) = required
            .iter()
            .filter_map(Value::as_str)
            .find(|key| !properties.contains_key(*key))
        {
            return Err(format!(
                "{} an object without the required `{missing}`",
                is(place)
            ));
        }
        let mut written = Map::new();
        for (key, property) in &properties {
            self.size.properties += 1;
            self.size.characters += key.len();
            let place = property_place(place, key);
            let optional = !required.iter().any(|required| required == key);
            let mut schema = self.schema(property, &place, depth + 1)?;
            if optional && self.mode.is_openai() {
                required.push(key.as_str().into());
                if !accepts_null(self.root, property) {
                    schema = nullable(schema);
                } else if !property.get("default").is_some_and(Value::is_null) {
                    return Err(format!(
                        "`{place}` may be absent or null, and strict mode has one word for both"
                    ));
                }
            }
            written.insert(key.clone(), schema);
        }
        object.insert("properties".to_owned(), written.into());
        if self.mode.is_openai() || !required.is_empty() {
            object.insert("required".to_owned(), required.into());
        }
        object.insert("additionalProperties".to_owned(), false.into());
        keys::rename(&mut object, self.mode.keys(), place, self.notes);
        Ok(object)
    }

    pub(super) fn items(
        &mut self,
        object: &mut Map<String, Value>,
        place: &str,
        depth: usize,
    ) -> Result<(), String> {
        tuple(object);
        if let Some(Value::Array(each)) = object.shift_remove("prefixItems") {
            let mut distinct: Vec<&Value> = Vec::new();
            for item in &each {
                if !distinct.contains(&item) {
                    distinct.push(item);
                }
            }
            let ([only], None) = (distinct.as_slice(), object.get("items")) else {
                return Err(format!("`{place}` is a tuple"));
            };
            let only = (*only).clone();
            object.insert("items".to_owned(), only);
        }
        let Some(each) = object.get("items") else {
            return Err(format!("the items of `{place}` have no type"));
        };
        let each = self.schema(&each.clone(), &format!("{place}[]"), depth)?;
        object.insert("items".to_owned(), each);
        Ok(())
    }
}

fn is(place: &str) -> String {
    if place.is_empty() {
        "the root is".to_owned()
    } else {
        format!("`{place}` is")
    }
}

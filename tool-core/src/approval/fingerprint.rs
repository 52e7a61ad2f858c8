//! What of a definition an approval is given for.

use serde_json::Value;

use super::canonical::{self, TooDeep};
use crate::definition::{Annotations, Definition};

/// Appends all of a definition that says what the tool is: what a person who
/// approves was told, and what rules select by. How it is run, such as its
/// timeout, may change while a call waits.
pub(super) fn write(definition: &Definition, out: &mut Vec<u8>) -> Result<(), TooDeep> {
    // Taken apart, so that no field that is added later is forgotten here.
    let Definition {
        name,
        title,
        description,
        parameters,
        output_schema,
        kind,
        annotations,
        approval,
        strict: _,
        repair: _,
        timeout: _,
        sequential: _,
        concurrency: _,
        rate: _,
        max_output_bytes: _,
        retries: _,
        tags,
        meta,
        schema_is_ours: _,
    } = definition;
    let Annotations {
        read_only,
        destructive,
        idempotent,
        open_world,
    } = annotations;

    canonical::text(name, out);
    canonical::value(&Value::from(title.clone()), out)?;
    canonical::text(description, out);
    canonical::value(parameters, out)?;
    canonical::value(output_schema.as_ref().unwrap_or(&Value::Null), out)?;
    canonical::text(&format!("{kind:?} {approval:?}"), out);
    let annotations = [read_only, destructive, idempotent, open_world];
    for annotation in annotations {
        canonical::value(&Value::from(*annotation), out)?;
    }
    canonical::value(&Value::from(tags.clone()), out)?;
    canonical::value(&Value::Object(meta.clone()), out)
}

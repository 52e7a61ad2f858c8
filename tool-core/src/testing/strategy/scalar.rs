//! The shapes of numbers and texts.

use serde_json::{Map, Value};

use super::compile::{LARGEST, cannot};
use super::shapes::{Real, Shape, Text, Whole};
use super::writing;

/// A count, which some write as `3.0`.
pub(super) fn size(keywords: &Map<String, Value>, keyword: &str) -> Option<usize> {
    let value = keywords.get(keyword)?;
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "a saturating cast is what is wanted"
    )]
    let size = value
        .as_u64()
        .or_else(|| value.as_f64().map(|size| size as u64))?;
    usize::try_from(size.min(LARGEST)).ok()
}

#[expect(
    clippy::cast_possible_truncation,
    reason = "a saturating cast is what is wanted"
)]
pub(super) fn integer(keywords: &Map<String, Value>, partial: &mut bool) -> Shape {
    let bound = |keyword: &str, round: fn(f64) -> f64| -> Option<(i128, bool)> {
        let value = keywords.get(keyword)?;
        if let Some(value) = value.as_i64() {
            return Some((value.into(), true));
        }
        if let Some(value) = value.as_u64() {
            return Some((value.into(), true));
        }
        let value = value.as_f64()?;
        Some((round(value) as i128, value.fract() == 0.0))
    };
    let mut least = i128::from(i64::MIN);
    let mut most = i128::from(i64::MAX);
    let mut is_bounded = false;
    if let Some((bound, _)) = bound("minimum", f64::ceil) {
        least = bound;
    }
    if let Some((bound, exact)) = bound("exclusiveMinimum", f64::ceil) {
        least = least.max(bound.saturating_add(i128::from(exact)));
    }
    if let Some((bound, _)) = bound("maximum", f64::floor) {
        most = bound;
        is_bounded = true;
    }
    if let Some((bound, exact)) = bound("exclusiveMaximum", f64::floor) {
        let bound = bound.saturating_sub(i128::from(exact));
        most = if is_bounded { most.min(bound) } else { bound };
    }
    let mut step = 1;
    if let Some(multiple) = keywords.get("multipleOf") {
        match multiple.as_u64() {
            Some(multiple) if multiple > 0 => step = i128::from(multiple),
            _ => *partial = true,
        }
    }
    least = least.max(i64::MIN.into());
    most = most.min(u64::MAX.into());
    if first_multiple(least, step) > most {
        return Shape::Never;
    }
    Shape::Integer(Whole { least, most, step })
}

/// The least multiple of a step that is not below a bound.
pub(super) fn first_multiple(least: i128, step: i128) -> i128 {
    least + (step - least.rem_euclid(step)) % step
}

pub(super) fn number(keywords: &Map<String, Value>, partial: &mut bool) -> Shape {
    let bound = |keyword: &str| keywords.get(keyword).and_then(Value::as_f64);
    let tighter =
        |left: Option<f64>, right: Option<f64>, choose: fn(f64, f64) -> f64| match (left, right) {
            (Some(left), Some(right)) => Some(choose(left, right)),
            (left, right) => left.or(right),
        };
    // The ends that are excluded are drawn and refused.
    *partial |=
        keywords.contains_key("exclusiveMinimum") || keywords.contains_key("exclusiveMaximum");
    let least = tighter(bound("minimum"), bound("exclusiveMinimum"), f64::max);
    let most = tighter(bound("maximum"), bound("exclusiveMaximum"), f64::min);
    if least.zip(most).is_some_and(|(least, most)| least > most) {
        return Shape::Never;
    }
    Shape::Number(Real {
        least,
        most,
        step: bound("multipleOf").filter(|step| *step > 0.0),
    })
}

pub(super) fn text(keywords: &Map<String, Value>, path: &str, partial: &mut bool) -> Shape {
    let least = size(keywords, "minLength").unwrap_or(0);
    let most = size(keywords, "maxLength");
    if most.is_some_and(|most| most < least) {
        return Shape::Never;
    }
    let named = |keyword: &str| keywords.get(keyword).and_then(Value::as_str);
    let writing = match (named("pattern"), named("format")) {
        (Some(pattern), _) => {
            *partial = true;
            writing::pattern(pattern, least, most)
        }
        (None, Some(format)) => {
            *partial |= writing::is_known(format) && (least > 0 || most.is_some());
            Ok(writing::format(format))
        }
        (None, None) => Ok(writing::FREE),
    };
    match writing {
        Ok(writing) => Shape::Text(Text {
            least,
            most,
            writing,
        }),
        Err(why) => cannot(&why, path),
    }
}

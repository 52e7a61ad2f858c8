//! The keys of `#[tool(…)]` that say how an executor runs the tool: whom it
//! asks, what it keeps apart, how many at a time, how often.

use std::time::Duration;

use syn::{Expr, ExprLit, ExprPath, ExprUnary, Lit, UnOp};

use crate::attr::{Key, Value, keys};
use crate::errors::{Errors, did_you_mean};
use crate::keys::string;

/// How an executor runs a tool, where `#[tool(…)]` says it.
#[derive(Default)]
pub(crate) struct Running {
    /// The function that says whether a call needs approval.
    pub(crate) approval_if: Option<ExprPath>,
    pub(crate) sequential: Sequential,
    pub(crate) concurrency: Option<u32>,
    /// So many calls in each period.
    pub(crate) rate: Option<(u32, Duration)>,
    pub(crate) max_output: Option<u32>,
    pub(crate) retries: Option<u32>,
}

/// What `sequential` says.
#[derive(Default)]
pub(crate) enum Sequential {
    #[default]
    No,
    Barrier,
    /// By the argument of this name in JSON.
    Key(syn::LitStr),
}

impl Running {
    /// Takes a key, if it is one of these.
    pub(crate) fn take(&mut self, key: &Key, errors: &mut Errors) -> bool {
        match key.name.to_string().as_str() {
            "approval_if" => self.approval_if = function(key, errors),
            "sequential" => self.sequential = sequential(key, errors),
            "concurrency" => self.concurrency = integer(key, 1, "4", errors),
            "rate" => self.rate = rate(key, errors),
            "max_output" => self.max_output = integer(key, 1, "65_536", errors),
            "retries" => self.retries = integer(key, 0, "3", errors),
            _ => return false,
        }
        true
    }

    /// Checks the key of `sequential` against the parameters that the model fills.
    pub(crate) fn check_key(&self, parameters: &[&str], errors: &mut Errors) {
        let Sequential::Key(key) = &self.sequential else {
            return;
        };
        let name = key.value();
        if parameters.is_empty() {
            errors.at(
                key,
                format!("this tool has no parameter `{name}`: it takes no arguments"),
            );
        } else if !parameters.contains(&name.as_str()) {
            errors.at(
                key,
                format!(
                    "this tool has no parameter `{name}`{}",
                    did_you_mean(&name, parameters)
                ),
            );
        }
    }
}

fn function(key: &Key, errors: &mut Errors) -> Option<ExprPath> {
    if let Value::Expression(Expr::Path(path)) = &key.value {
        return Some(path.clone());
    }
    errors.at(
        &key.value_tokens(),
        "expected the path of a function that takes references to the arguments and returns `bool`: \
         `approval_if = is_risky`",
    );
    None
}

fn sequential(key: &Key, errors: &mut Errors) -> Sequential {
    let form = "expected `sequential`, `sequential = true`, `sequential = false` or \
                `sequential(key = \"…\")` with the name of a parameter";
    match &key.value {
        Value::Flag => return Sequential::Barrier,
        Value::Expression(Expr::Lit(ExprLit {
            lit: Lit::Bool(value),
            ..
        })) => {
            return if value.value {
                Sequential::Barrier
            } else {
                Sequential::No
            };
        }
        Value::Expression(_) => errors.at(&key.value_tokens(), form),
        Value::List(list) => {
            let found = keys(list.clone(), errors);
            if let [inner] = found.as_slice()
                && inner.name == "key"
            {
                return string(inner, errors).map_or(Sequential::No, Sequential::Key);
            }
            match found.iter().find(|inner| inner.name != "key") {
                Some(unknown) => errors.at(&unknown.name, form),
                None => errors.at(&key.value_tokens(), form),
            }
        }
    }
    Sequential::No
}

/// A whole number that fits every target's `usize`.
fn integer(key: &Key, least: u32, example: &str, errors: &mut Errors) -> Option<u32> {
    if let Value::Expression(Expr::Lit(ExprLit {
        lit: Lit::Int(number),
        ..
    })) = &key.value
        && number.suffix().is_empty()
        && let Ok(number) = number.base10_parse::<u32>()
        && number >= least
    {
        return Some(number);
    }
    let name = &key.name;
    let but = match &key.value {
        Value::Expression(Expr::Unary(ExprUnary {
            op: UnOp::Neg(_), ..
        })) => ", and this is below 0",
        Value::Expression(Expr::Lit(ExprLit {
            lit: Lit::Int(number),
            ..
        })) if number.suffix().is_empty() => match number.base10_digits() {
            "0" => ", and this is 0",
            _ => ", and this is more",
        },
        _ => "",
    };
    errors.at(
        &key.value_tokens(),
        format!(
            "expected an integer from {least} to {}{but}: `{name} = {example}`",
            u32::MAX
        ),
    );
    None
}

fn rate(key: &Key, errors: &mut Errors) -> Option<(u32, Duration)> {
    let Value::Expression(Expr::Lit(ExprLit {
        lit: Lit::Str(text),
        ..
    })) = &key.value
    else {
        errors.at(&key.value_tokens(), format!("expected {RATE_FORM}"));
        return None;
    };
    match read_rate(&text.value()) {
        Ok(rate) => Some(rate),
        Err(reason) => {
            errors.at(text, reason);
            None
        }
    }
}

const RATE_FORM: &str = "`rate = \"10/1m\"`: calls, `/`, and a period, which is an integer (1 if left \
                         out) with `ms`, `s`, `m`, `h` or `d`";

/// `10/1m`: ten calls a minute.
fn read_rate(text: &str) -> Result<(u32, Duration), String> {
    let form = || format!("`{text}` is no rate; expected {RATE_FORM}");
    let is_number =
        |digits: &str| !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    let (calls, period) = text.split_once('/').ok_or_else(form)?;
    if !is_number(calls) {
        return Err(form());
    }
    let calls = match calls.parse::<u32>() {
        Ok(0) => {
            return Err(format!(
                "`{text}` allows no call: a rate is at least 1 call"
            ));
        }
        Ok(calls) => calls,
        Err(_) => {
            return Err(format!(
                "`{calls}` is too many calls: a rate is at most {}",
                u32::MAX
            ));
        }
    };
    let unit_at = period
        .find(|character: char| !character.is_ascii_digit())
        .ok_or_else(form)?;
    let (count, unit) = period.split_at(unit_at);
    let milliseconds: u64 = match unit {
        "ms" => 1,
        "s" => 1000,
        "m" => 60 * 1000,
        "h" => 60 * 60 * 1000,
        "d" => 24 * 60 * 60 * 1000,
        _ => return Err(form()),
    };
    /// A century: more is a mistake, as it is for a timeout.
    const LONGEST: u64 = 3_153_600_000_000;
    let count = if count.is_empty() { "1" } else { count };
    let milliseconds = count
        .parse::<u64>()
        .ok()
        .and_then(|count| count.checked_mul(milliseconds))
        .filter(|milliseconds| (1..=LONGEST).contains(milliseconds))
        .ok_or_else(|| {
            format!("`{period}` is no period for a rate: it is above 0 and at most a century")
        })?;
    Ok((calls, Duration::from_millis(milliseconds)))
}

#[cfg(test)]
mod tests {
    use super::{Duration, read_rate};

    #[test]
    fn a_rate_is_read_in_every_unit() {
        let units = [
            ("ms", 1),
            ("s", 1000),
            ("m", 60_000),
            ("h", 3_600_000),
            ("d", 86_400_000),
        ];
        for (unit, milliseconds) in units {
            for calls in [1, 10, u32::MAX] {
                for count in [1, 7, 500] {
                    assert_eq!(
                        read_rate(&format!("{calls}/{count}{unit}")),
                        Ok((calls, Duration::from_millis(count * milliseconds)))
                    );
                }
                assert_eq!(
                    read_rate(&format!("{calls}/{unit}")),
                    read_rate(&format!("{calls}/1{unit}"))
                );
            }
        }
    }

    #[test]
    fn what_is_no_rate_is_refused() {
        for text in [
            "",
            "/",
            "10",
            "10/",
            "/1m",
            "10/1",
            "10/1y",
            "10/m1",
            "10/1 m",
            " 10/1m",
            "10/1m ",
            "-1/1m",
            "+1/1m",
            "1.5/1m",
            "10/1.5m",
            "10/-1m",
            "10/1M",
            "10/1m/1",
            "0/1m",
            "10/0s",
            "4294967296/1m",
            "1/99999999999999999999d",
            "1/36501d",
            "1/١s",
            "١/1s",
            "10 per 1m",
        ] {
            assert!(read_rate(text).is_err(), "{text}");
        }
        assert!(read_rate("1/36500d").is_ok());
    }
}

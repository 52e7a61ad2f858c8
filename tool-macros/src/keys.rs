//! The keys of `#[tool(…)]` on a function, with their meaning.

use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use syn::{Expr, ExprLit, ExprUnary, Ident, Lit, Path, UnOp};

use crate::attr::{Key, Value, keys, refuse_repeats};
use crate::errors::{Errors, did_you_mean};
use crate::running::Running;

const KNOWN: [&str; 20] = [
    "name",
    "timeout",
    "kind",
    "title",
    "approval",
    "approval_if",
    "sequential",
    "concurrency",
    "rate",
    "max_output",
    "retries",
    "read_only",
    "destructive",
    "idempotent",
    "open_world",
    "strict",
    "repair",
    "tags",
    "meta",
    "crate",
];

/// What `#[tool(…)]` says.
#[derive(Default)]
pub(crate) struct Keys {
    pub(crate) name: Option<syn::LitStr>,
    pub(crate) timeout: Option<f64>,
    pub(crate) interrupt: bool,
    pub(crate) title: Option<String>,
    pub(crate) approval: bool,
    pub(crate) running: Running,
    pub(crate) read_only: Option<bool>,
    pub(crate) destructive: Option<bool>,
    pub(crate) idempotent: Option<bool>,
    pub(crate) open_world: Option<bool>,
    pub(crate) strict: Option<bool>,
    /// `Off`, `Report` or `On`.
    pub(crate) repair: Option<&'static str>,
    pub(crate) tags: Vec<syn::LitStr>,
    pub(crate) meta: Vec<(Ident, Expr)>,
    pub(crate) crate_path: Option<Path>,
}

impl Keys {
    pub(crate) fn parse(tokens: TokenStream, errors: &mut Errors) -> Self {
        let found = keys(tokens, errors);
        refuse_repeats(&found, errors);
        let mut meaning = Self::default();
        for key in &found {
            if !meaning.running.take(key, errors) {
                meaning.take(key, errors);
            }
        }
        let find = |name: &str| found.iter().find(|key| key.name == name);
        if let (Some(_), Some(condition)) = (find("approval"), find("approval_if")) {
            errors.at(
                &condition.name,
                "keep one of the two: `approval` asks before each call, `approval_if` before those \
                 that its function picks",
            );
        }
        meaning
    }

    /// The path of `tool-core`.
    pub(crate) fn crate_path(&self) -> TokenStream {
        self.crate_path
            .as_ref()
            .map_or_else(|| quote!(::tool_core), ToTokens::to_token_stream)
    }

    fn take(&mut self, key: &Key, errors: &mut Errors) {
        match key.name.to_string().as_str() {
            "name" => self.name = name(key, errors),
            "timeout" => self.timeout = timeout(key, errors),
            "kind" => {
                if let Some(kind) = string(key, errors) {
                    match kind.value().as_str() {
                        "standard" => self.interrupt = false,
                        "interrupt" => self.interrupt = true,
                        _ => errors.at(&kind, "expected `\"standard\"` or `\"interrupt\"`"),
                    }
                }
            }
            "title" => self.title = string(key, errors).map(|title| title.value()),
            "approval" => self.approval = boolean(key, errors) == Some(true),
            "read_only" => self.read_only = boolean(key, errors),
            "destructive" => self.destructive = boolean(key, errors),
            "idempotent" => self.idempotent = boolean(key, errors),
            "open_world" => self.open_world = boolean(key, errors),
            "strict" => self.strict = boolean(key, errors),
            "repair" => {
                if let Some(mode) = string(key, errors) {
                    match mode.value().as_str() {
                        "off" => self.repair = Some("Off"),
                        "report" => self.repair = Some("Report"),
                        "on" => self.repair = Some("On"),
                        _ => errors.at(&mode, "expected `\"off\"`, `\"report\"` or `\"on\"`"),
                    }
                }
            }
            "tags" => self.tags = tags(key, errors),
            "meta" => self.meta = meta(key, errors),
            "crate" => match &key.value {
                Value::Expression(Expr::Path(path)) => self.crate_path = Some(path.path.clone()),
                _ => errors.at(
                    &key.value_tokens(),
                    "expected a path, such as `crate = ::my_facade::tool_core`",
                ),
            },
            unknown => errors.at(
                &key.name,
                format!("unknown key `{unknown}`{}", did_you_mean(unknown, &KNOWN)),
            ),
        }
    }
}

pub(crate) fn string(key: &Key, errors: &mut Errors) -> Option<syn::LitStr> {
    if let Value::Expression(Expr::Lit(ExprLit {
        lit: Lit::Str(text),
        ..
    })) = &key.value
    {
        return Some(text.clone());
    }
    let name = &key.name;
    errors.at(
        &key.value_tokens(),
        format!("expected a string: `{name} = \"…\"`"),
    );
    None
}

fn boolean(key: &Key, errors: &mut Errors) -> Option<bool> {
    match &key.value {
        Value::Flag => return Some(true),
        Value::Expression(Expr::Lit(ExprLit {
            lit: Lit::Bool(value),
            ..
        })) => return Some(value.value),
        _ => {}
    }
    let name = &key.name;
    errors.at(
        &key.value_tokens(),
        format!("expected `{name}`, `{name} = true` or `{name} = false`"),
    );
    None
}

fn name(key: &Key, errors: &mut Errors) -> Option<syn::LitStr> {
    let name = string(key, errors)?;
    if let Err(reason) = check_name(&name.value()) {
        errors.at(&name, reason);
    }
    Some(name)
}

/// A tool's name, as every provider takes it.
pub(crate) fn check_name(name: &str) -> Result<(), String> {
    let mut characters = name.chars();
    let starts_well = characters
        .next()
        .is_some_and(|first| first.is_ascii_alphabetic() || first == '_');
    let goes_on_well =
        characters.all(|next| next.is_ascii_alphanumeric() || next == '_' || next == '-');
    if name.len() > 64 {
        return Err(format!(
            "a tool's name has at most 64 characters, and this has {}: providers refuse longer ones",
            name.chars().count()
        ));
    }
    if !starts_well || !goes_on_well {
        return Err(format!(
            "`{name}` cannot be a tool's name: a letter or `_`, then letters, digits, `_` and `-`, \
             such as `web-fetch_page`"
        ));
    }
    // Clients and providers give these names a meaning of their own.
    if name.starts_with("__") || name.starts_with("mcp__") || name == "multi_tool_use" {
        return Err(format!(
            "`{name}` is reserved: names that start with `__` or `mcp__`, and `multi_tool_use`, \
             belong to clients and providers"
        ));
    }
    Ok(())
}

fn timeout(key: &Key, errors: &mut Errors) -> Option<f64> {
    let number = match &key.value {
        Value::Expression(Expr::Lit(ExprLit {
            lit: Lit::Int(number),
            ..
        })) if number.suffix().is_empty() => number.base10_parse::<f64>().ok(),
        Value::Expression(Expr::Lit(ExprLit {
            lit: Lit::Float(number),
            ..
        })) if number.suffix().is_empty() => number.base10_parse::<f64>().ok(),
        Value::Expression(Expr::Unary(ExprUnary {
            op: UnOp::Neg(_), ..
        })) => Some(-1.0),
        _ => None,
    };
    let Some(number) = number else {
        errors.at(
            &key.value_tokens(),
            "expected a number of seconds: `timeout = 30` or `timeout = 0.5`",
        );
        return None;
    };
    /// A century: more is a mistake, and would not fit a `Duration` for ever.
    const LONGEST: f64 = 3_153_600_000.0;
    if number > 0.0 && number <= LONGEST {
        Some(number)
    } else {
        errors.at(
            &key.value_tokens(),
            "a timeout is a number of seconds above 0 and at most a century",
        );
        None
    }
}

fn tags(key: &Key, errors: &mut Errors) -> Vec<syn::LitStr> {
    use syn::parse::Parser as _;
    use syn::punctuated::Punctuated;

    let Value::List(list) = &key.value else {
        errors.at(
            &key.value_tokens(),
            "expected strings: `tags(\"…\", \"…\")`",
        );
        return Vec::new();
    };
    let parser = Punctuated::<Expr, syn::Token![,]>::parse_terminated;
    let Some(list) = errors.keep(parser.parse2(list.clone())) else {
        return Vec::new();
    };
    let mut tags = Vec::new();
    for tag in list {
        match tag {
            Expr::Lit(ExprLit {
                lit: Lit::Str(tag), ..
            }) => tags.push(tag),
            other => errors.at(&other, "expected a string"),
        }
    }
    tags
}

fn meta(key: &Key, errors: &mut Errors) -> Vec<(Ident, Expr)> {
    let Value::List(list) = &key.value else {
        errors.at(
            &key.value_tokens(),
            "expected pairs: `meta(key = value, …)`",
        );
        return Vec::new();
    };
    let pairs = keys(list.clone(), errors);
    refuse_repeats(&pairs, errors);
    let mut meta = Vec::new();
    for pair in pairs {
        match pair.value {
            Value::Expression(value) => meta.push((pair.name, value)),
            _ => errors.at(&pair.name, "expected `key = value`"),
        }
    }
    meta
}

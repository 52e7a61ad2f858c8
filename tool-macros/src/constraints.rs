//! The constraints of `#[schemars(…)]` on a parameter.

use proc_macro2::TokenStream;
use quote::quote;
use syn::Expr;

use crate::attr::{Key, Value, keys, refuse_repeats};
use crate::errors::{Errors, did_you_mean};
use crate::keys::string;

const KNOWN: [&str; 9] = [
    "range", "length", "regex", "contains", "email", "url", "inner", "with", "extend",
];

/// What `#[schemars(…)]` adds to a parameter's schema.
#[derive(Default)]
pub(crate) struct Constraints {
    /// Statements on `__refinement`.
    pub(crate) statements: Vec<TokenStream>,
    /// The type whose schema stands for the parameter's own.
    pub(crate) schema_type: Option<syn::Type>,
}

impl Constraints {
    pub(crate) fn take(&mut self, keys: &[Key], errors: &mut Errors) {
        for key in keys {
            match key.name.to_string().as_str() {
                "with" => self.schema_type = string_as(key, errors),
                "range" => self.range(key, errors),
                "length" => self.length(key, errors),
                "regex" => self.pattern("pattern", key, errors),
                "contains" => self.pattern("contains", key, errors),
                "email" | "url" => self.format(key, errors),
                "inner" => self.inner(key, errors),
                "extend" => self.extend(key, errors),
                unknown => errors.at(
                    &key.name,
                    format!(
                        "`#[schemars({unknown})]` has no meaning on a tool's parameter{}",
                        did_you_mean(unknown, &KNOWN)
                    ),
                ),
            }
        }
    }

    fn range(&mut self, key: &Key, errors: &mut Errors) {
        for (bound, value) in pairs(key, &["min", "max"], errors) {
            let keyword = if bound == "min" { "minimum" } else { "maximum" };
            self.statements
                .push(quote!(__refinement.keyword(#keyword, &(#value));));
        }
    }

    fn length(&mut self, key: &Key, errors: &mut Errors) {
        let pairs = pairs(key, &["min", "max", "equal"], errors);
        let bound = |name: &str| {
            let value = pairs
                .iter()
                .find(|(bound, _)| bound == name || bound == "equal")
                .map(|(_, value)| value);
            match value {
                Some(value) => quote!(__tool::Option::Some(#value)),
                None => quote!(__tool::Option::None),
            }
        };
        let (minimum, maximum) = (bound("min"), bound("max"));
        self.statements
            .push(quote!(__refinement.length(#minimum, #maximum);));
    }

    fn pattern(&mut self, method: &str, key: &Key, errors: &mut Errors) {
        let method = quote::format_ident!("{method}");
        for (_, value) in pairs(key, &["pattern"], errors) {
            self.statements
                .push(quote!(__refinement.#method(&(#value));));
        }
    }

    fn format(&mut self, key: &Key, errors: &mut Errors) {
        if !matches!(key.value, Value::Flag) {
            errors.at(
                &key.value_tokens(),
                format!("`{}` takes no value", key.name),
            );
        }
        let format = if key.name == "url" { "uri" } else { "email" };
        self.statements
            .push(quote!(__refinement.keyword("format", #format);));
    }

    fn inner(&mut self, key: &Key, errors: &mut Errors) {
        let Value::List(list) = &key.value else {
            errors.at(&key.name, "expected constraints: `inner(length(min = 1))`");
            return;
        };
        let mut inner = Self::default();
        let found = keys(list.clone(), errors);
        refuse_repeats(&found, errors);
        inner.take(&found, errors);
        let statements = inner.statements;
        self.statements.push(quote! {
            __refinement.inner(|__refinement: &mut __tool::Refinement<'_>| { #(#statements)* });
        });
    }

    /// `extend("keyword" = value)`.
    fn extend(&mut self, key: &Key, errors: &mut Errors) {
        use syn::parse::{ParseStream, Parser as _};
        use syn::{LitStr, Token};

        let Value::List(list) = &key.value else {
            errors.at(&key.name, "expected pairs: `extend(\"keyword\" = value)`");
            return;
        };
        let parser = |input: ParseStream<'_>| {
            let mut pairs = Vec::new();
            while !input.is_empty() {
                let keyword: LitStr = input.parse()?;
                input.parse::<Token![=]>()?;
                let value: Expr = input.parse()?;
                pairs.push((keyword, value));
                let _: Option<Token![,]> = input.parse()?;
            }
            Ok(pairs)
        };
        for (keyword, value) in errors.keep(parser.parse2(list.clone())).unwrap_or_default() {
            self.statements
                .push(quote!(__refinement.keyword(#keyword, &(#value));));
        }
    }
}

/// The `name = value` pairs of a constraint, all of them known.
fn pairs(key: &Key, known: &[&'static str], errors: &mut Errors) -> Vec<(String, Expr)> {
    let form = known
        .iter()
        .map(|name| format!("{name} = …"))
        .collect::<Vec<_>>()
        .join(", ");
    let Value::List(list) = &key.value else {
        errors.at(
            &key.value_tokens(),
            format!("expected `{}({form})`", key.name),
        );
        return Vec::new();
    };
    let found = keys(list.clone(), errors);
    refuse_repeats(&found, errors);
    if found.is_empty() {
        errors.at(&key.name, format!("expected `{}({form})`", key.name));
    }
    let mut pairs = Vec::new();
    for pair in found {
        let name = pair.name.to_string();
        if !known.contains(&name.as_str()) {
            errors.at(
                &pair.name,
                format!("unknown key `{name}`{}", did_you_mean(&name, known)),
            );
        } else if let Value::Expression(value) = pair.value {
            pairs.push((name, value));
        } else {
            errors.at(&pair.name, format!("expected `{name} = …`"));
        }
    }
    pairs
}

/// A value in a string, as serde and schemars write paths and types.
pub(crate) fn string_as<T: syn::parse::Parse>(key: &Key, errors: &mut Errors) -> Option<T> {
    let text = string(key, errors)?;
    errors.keep(text.parse())
}

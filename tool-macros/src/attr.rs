//! The inside of `#[tool(…)]`, `#[schemars(…)]` and `#[serde(…)]`: keys with
//! values, syntax only. What a key means is for others to say, so that one
//! wrong value does not hide the errors after it.

use proc_macro2::{TokenStream, TokenTree};
use quote::ToTokens;
use syn::ext::IdentExt as _;
use syn::parse::{ParseStream, Parser as _};
use syn::{Attribute, Expr, Ident, Meta, Token};

use crate::errors::Errors;

/// `name`, `name = value` or `name(…)`.
pub(crate) struct Key {
    pub(crate) name: Ident,
    pub(crate) value: Value,
}

pub(crate) enum Value {
    Flag,
    Expression(Expr),
    List(TokenStream),
}

impl Key {
    /// The span to underline when the value is wrong: the value, or the key where there is none.
    pub(crate) fn value_tokens(&self) -> TokenStream {
        match &self.value {
            Value::Expression(value) => value.to_token_stream(),
            Value::List(list) if !list.is_empty() => list.clone(),
            Value::Flag | Value::List(_) => self.name.to_token_stream(),
        }
    }
}

/// The keys of an attribute that is a list, such as `#[tool(…)]`.
pub(crate) fn keys_of(attribute: &Attribute, errors: &mut Errors) -> Vec<Key> {
    match &attribute.meta {
        Meta::Path(_) => Vec::new(),
        Meta::List(list) => keys(list.tokens.clone(), errors),
        Meta::NameValue(pair) => {
            errors.at(pair, "expected a list of keys in parentheses");
            Vec::new()
        }
    }
}

/// Comma-separated keys.
pub(crate) fn keys(tokens: TokenStream, errors: &mut Errors) -> Vec<Key> {
    let mut found = Vec::new();
    let parser = |input: ParseStream<'_>| {
        while !input.is_empty() {
            match key(input) {
                Ok(key) => found.push(key),
                Err(error) => {
                    errors.push(error);
                    skip_to_comma(input)?;
                }
            }
            if input.is_empty() {
                break;
            }
            if let Err(error) = input.parse::<Token![,]>() {
                errors.push(error);
                skip_to_comma(input)?;
                let _: Option<Token![,]> = input.parse()?;
            }
        }
        Ok(())
    };
    if let Err(error) = parser.parse2(tokens) {
        errors.push(error);
    }
    found
}

fn key(input: ParseStream<'_>) -> syn::Result<Key> {
    let name = input.call(Ident::parse_any)?;
    let value = if input.peek(Token![=]) {
        input.parse::<Token![=]>()?;
        Value::Expression(ungrouped(input.parse()?))
    } else if input.peek(syn::token::Paren) {
        let group: proc_macro2::Group = input.parse()?;
        Value::List(group.stream())
    } else {
        Value::Flag
    };
    Ok(Key { name, value })
}

/// What a `macro_rules!` puts in for `$name:literal` comes in a group that nobody sees.
fn ungrouped(expression: Expr) -> Expr {
    match expression {
        Expr::Group(group) => ungrouped(*group.expr),
        other => other,
    }
}

fn skip_to_comma(input: ParseStream<'_>) -> syn::Result<()> {
    while !input.is_empty() && !input.peek(Token![,]) {
        input.parse::<TokenTree>()?;
    }
    Ok(())
}

/// Notes keys that are there twice.
pub(crate) fn refuse_repeats(keys: &[Key], errors: &mut Errors) {
    for (index, key) in keys.iter().enumerate() {
        if keys
            .iter()
            .take(index)
            .any(|earlier| earlier.name == key.name)
        {
            errors.at(&key.name, format!("the key `{}` is there twice", key.name));
        }
    }
}

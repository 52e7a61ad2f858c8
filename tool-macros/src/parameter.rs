//! What each parameter of a tool's function is given.

use proc_macro2::{TokenStream, TokenTree};
use quote::ToTokens;
use syn::{Attribute, Expr, Ident, Pat, PatType, Path, Type};

use crate::applicable;
use crate::attr::{Key, Value, keys_of, refuse_repeats};
use crate::constraints::{Constraints, string_as};
use crate::docs::{Docs, is_doc};
use crate::errors::{Errors, did_you_mean};
use crate::keys::string;

/// What a parameter is given.
pub(crate) enum Input {
    /// The argument of the property with this name.
    Argument(Box<Argument>),
    /// All arguments as one struct.
    Whole(Whole),
    /// A state of this type, by reference.
    State(Type),
    /// The context of the call, by reference.
    Context,
}

/// A parameter that the model fills.
pub(crate) struct Argument {
    /// The key in JSON.
    pub(crate) name: String,
    pub(crate) ty: Type,
    pub(crate) docs: Docs,
    pub(crate) default: Option<Expr>,
    pub(crate) examples: Vec<Expr>,
    pub(crate) constraints: Constraints,
    /// The module of `#[serde(with = "…")]`.
    pub(crate) with: Option<Path>,
}

/// A parameter that takes all arguments.
pub(crate) struct Whole {
    /// The user's struct.
    pub(crate) ty: Type,
    /// Whether the function takes it as `Args<T>`.
    pub(crate) wrapped: bool,
}

/// What `#[tool(…)]` says on a parameter.
#[derive(Default)]
struct Marks {
    state: Option<Ident>,
    context: Option<Ident>,
    default: Option<Expr>,
    examples: Vec<Expr>,
}

/// Whether an attribute of a parameter is ours, and has to go from the function.
pub(crate) fn is_ours(attribute: &Attribute) -> bool {
    is_doc(attribute)
        || ["tool", "schemars", "serde"]
            .iter()
            .any(|name| attribute.path().is_ident(name))
}

/// The input of one parameter, or `None` where it is too wrong to tell.
pub(crate) fn parse(parameter: &PatType, errors: &mut Errors) -> Option<Input> {
    for attribute in &parameter.attrs {
        if attribute.path().is_ident("cfg") || attribute.path().is_ident("cfg_attr") {
            errors.at(
                attribute,
                "`#[cfg]` on a parameter of a tool is not supported: the schema could not follow it; \
                 put it on the whole function",
            );
        }
    }
    let marks = marks(&parameter.attrs, errors);
    let ty = &*parameter.ty;
    if marks.state.is_some() {
        if let Some(other) = &marks.context {
            errors.at(other, "a parameter is either state or context");
        }
        return match shared_reference(ty) {
            Some(inner) => Some(Input::State(inner.clone())),
            None => {
                errors.at(
                    ty,
                    format!(
                        "state is shared between calls, so that it is taken as `&{}`",
                        plain(ty)
                    ),
                );
                None
            }
        };
    }
    if marks.context.is_some() || last_segment(ty).is_some_and(|name| name == "Context") {
        if shared_reference(ty).is_none() {
            errors.at(ty, "the context is taken as `&Context`");
            return None;
        }
        return Some(Input::Context);
    }
    if let Some(whole) = whole(parameter, errors) {
        return Some(Input::Whole(whole));
    }
    argument(parameter, marks, errors)
}

fn argument(parameter: &PatType, marks: Marks, errors: &mut Errors) -> Option<Input> {
    let Pat::Ident(pattern) = &*parameter.pat else {
        errors.at(
            &parameter.pat,
            "a tool's parameter needs a plain name: the name is the key in JSON",
        );
        return None;
    };
    if pattern.by_ref.is_some() || pattern.subpat.is_some() {
        errors.at(
            pattern,
            "a tool's parameter needs a plain name: the name is the key in JSON",
        );
        return None;
    }
    let docs = Docs::of(&parameter.attrs);
    if docs.is_blank() {
        errors.at(
            &pattern.ident,
            format!(
                "the parameter `{0}` has no description: put a doc comment, `/// …`, before it; \
                 the model reads it",
                pattern.ident
            ),
        );
    }
    let ty = &*parameter.ty;
    if let Type::Reference(reference) = ty {
        errors.at(
            ty,
            format!(
                "a tool's parameter owns its value: take `{}`, or mark it `#[tool(state)]`",
                owned(&reference.elem)
            ),
        );
        return None;
    }
    if let Type::ImplTrait(_) = ty {
        errors.at(
            ty,
            "a tool's parameter needs a type of its own: `impl Trait` has no schema",
        );
        return None;
    }
    let mut rename = None;
    let mut with = None;
    for key in keys_on(&parameter.attrs, "serde", errors) {
        match key.name.to_string().as_str() {
            "rename" => rename = string(&key, errors),
            "with" => with = string_as(&key, errors),
            unknown => errors.at(
                &key.name,
                format!(
                    "`#[serde({unknown})]` has no meaning on a tool's parameter{}",
                    did_you_mean(unknown, &["rename", "with"])
                ),
            ),
        }
    }
    let mut constraints = Constraints::default();
    let found = keys_on(&parameter.attrs, "schemars", errors);
    constraints.take(&found, errors);
    applicable::check(
        &found,
        constraints.schema_type.as_ref().unwrap_or(ty),
        errors,
    );
    let name = match rename {
        Some(name) => {
            check_key(&name.value(), &name, errors);
            name.value()
        }
        None => {
            let name = syn::ext::IdentExt::unraw(&pattern.ident).to_string();
            check_key(&name, &pattern.ident, errors);
            name
        }
    };
    Some(Input::Argument(Box::new(Argument {
        name,
        ty: ty.clone(),
        docs,
        default: marks.default,
        examples: marks.examples,
        constraints,
        with,
    })))
}

/// The keys that every provider takes as the name of a property.
fn check_key(key: &str, place: &impl ToTokens, errors: &mut Errors) {
    let legal = |character: char| character.is_ascii_alphanumeric() || "_.-".contains(character);
    if !(1..=64).contains(&key.len()) || !key.chars().all(legal) {
        errors.at(
            place,
            format!(
                "`{key}` cannot be a parameter's name: providers take 1 to 64 ASCII letters, digits, \
                 `_`, `.` and `-`; give it another with `#[serde(rename = \"…\")]`"
            ),
        );
    }
}

/// `Pattern { a, b }: Struct`, or a parameter of type `Args<Struct>`.
fn whole(parameter: &PatType, errors: &mut Errors) -> Option<Whole> {
    let ty = &*parameter.ty;
    let wrapped = match ty {
        Type::Path(path) => path
            .path
            .segments
            .last()
            .filter(|segment| segment.ident == "Args")
            .and_then(|segment| match &segment.arguments {
                syn::PathArguments::AngleBracketed(arguments) => arguments.args.first(),
                _ => None,
            })
            .and_then(|argument| match argument {
                syn::GenericArgument::Type(ty) => Some(ty.clone()),
                _ => None,
            }),
        _ => None,
    };
    let whole = match (wrapped, &*parameter.pat) {
        (Some(ty), _) => Whole { ty, wrapped: true },
        (None, Pat::Struct(_)) => Whole {
            ty: ty.clone(),
            wrapped: false,
        },
        _ => return None,
    };
    for attribute in &parameter.attrs {
        if is_ours(attribute) && !is_doc(attribute) {
            errors.at(
                attribute,
                "a struct of arguments has its attributes on its own fields",
            );
        }
    }
    Some(whole)
}

fn marks(attributes: &[Attribute], errors: &mut Errors) -> Marks {
    const KNOWN: [&str; 4] = ["default", "example", "state", "context"];

    let mut marks = Marks::default();
    let keys = keys_on_repeatable(attributes, "tool", errors);
    let single: Vec<&Key> = keys.iter().filter(|key| key.name != "example").collect();
    for (index, key) in single.iter().enumerate() {
        if single
            .iter()
            .take(index)
            .any(|earlier| earlier.name == key.name)
        {
            errors.at(&key.name, format!("the key `{}` is there twice", key.name));
        }
    }
    for key in keys {
        let name = key.name.to_string();
        match (name.as_str(), key.value) {
            ("state", Value::Flag) => marks.state = Some(key.name),
            ("context", Value::Flag) => marks.context = Some(key.name),
            ("state" | "context", _) => errors.at(&key.name, format!("`{name}` takes no value")),
            ("default", Value::Expression(value)) => marks.default = Some(value),
            ("example", Value::Expression(value)) => marks.examples.push(value),
            ("default" | "example", _) => {
                errors.at(&key.name, format!("expected `{name} = …`"));
            }
            (unknown, _) => errors.at(
                &key.name,
                format!(
                    "unknown key `{unknown}` on a parameter{}",
                    did_you_mean(unknown, &KNOWN)
                ),
            ),
        }
    }
    marks
}

fn keys_on_repeatable(attributes: &[Attribute], name: &str, errors: &mut Errors) -> Vec<Key> {
    let mut keys = Vec::new();
    for attribute in attributes {
        if attribute.path().is_ident(name) {
            keys.extend(keys_of(attribute, errors));
        }
    }
    keys
}

fn keys_on(attributes: &[Attribute], name: &str, errors: &mut Errors) -> Vec<Key> {
    let keys = keys_on_repeatable(attributes, name, errors);
    refuse_repeats(&keys, errors);
    keys
}

/// `T` of a plain `&T`.
fn shared_reference(ty: &Type) -> Option<&Type> {
    match ty {
        Type::Reference(reference) if reference.mutability.is_none() => Some(&reference.elem),
        _ => None,
    }
}

/// The last name in a type's path, seen through references.
fn last_segment(ty: &Type) -> Option<&Ident> {
    match ty {
        Type::Reference(reference) => last_segment(&reference.elem),
        Type::Path(path) => path.path.segments.last().map(|segment| &segment.ident),
        _ => None,
    }
}

/// A type as text, without a reference before it.
fn plain(ty: &Type) -> String {
    match ty {
        Type::Reference(reference) => plain(&reference.elem),
        other => compact(other.to_token_stream()),
    }
}

/// The owned type to write in place of a borrowed one.
fn owned(ty: &Type) -> String {
    match ty {
        Type::Path(path) if path.path.is_ident("str") => "String".to_owned(),
        Type::Slice(slice) => format!("Vec<{}>", compact(slice.elem.to_token_stream())),
        other => compact(other.to_token_stream()),
    }
}

/// Tokens as a person writes a type: `Vec<u8>`, not `Vec < u8 >`.
fn compact(tokens: TokenStream) -> String {
    let mut text = String::new();
    for token in tokens {
        let piece = token.to_string();
        let word = |character: Option<char>| {
            character.is_some_and(|character| character.is_alphanumeric() || character == '_')
        };
        if word(text.chars().last()) && word(piece.chars().next()) {
            text.push(' ');
        }
        text.push_str(&piece);
        if matches!(&token, TokenTree::Punct(punct) if punct.as_char() == ',') {
            text.push(' ');
        }
    }
    text
}

//! A tool with everything known about it, or every reason why it is none.

use proc_macro2::TokenStream;
use quote::quote;
use syn::{Attribute, FnArg, ReceiverKind, ReturnType, Safety, Type};

use crate::docs::Docs;
use crate::errors::Errors;
use crate::item::Function;
use crate::keys::{Keys, check_name};
use crate::parameter::{self, Input};

/// A tool, checked.
pub(crate) struct Tool {
    pub(crate) keys: Keys,
    pub(crate) name: String,
    pub(crate) docs: Docs,
    pub(crate) inputs: Vec<Input>,
    /// The type whose method the tool is, and whether it takes `&self`.
    pub(crate) owner: Option<(Type, bool)>,
    pub(crate) output: TokenStream,
    pub(crate) is_async: bool,
}

/// Where a function stands.
pub(crate) enum Place {
    /// On its own.
    Free,
    /// In a `#[toolbox]` of this type.
    Toolbox(Box<Type>),
}

impl Tool {
    /// Gives meaning to a function and its keys. Every error goes to `errors`.
    pub(crate) fn new(keys: Keys, function: &Function, place: Place, errors: &mut Errors) -> Self {
        let signature = &function.signature;
        let name = match &keys.name {
            Some(name) => name.value(),
            None => {
                let name = syn::ext::IdentExt::unraw(&signature.ident).to_string();
                if let Err(reason) = check_name(&name) {
                    errors.at(
                        &signature.ident,
                        format!("{reason}; give it another with `name = \"…\"`"),
                    );
                }
                name
            }
        };
        let docs = Docs::of(&function.attributes);
        if docs.is_blank() {
            errors.at(
                &signature.ident,
                format!(
                    "the tool `{}` has no description: put a doc comment, `/// …`, before it; \
                     the model decides by it when to call the tool",
                    signature.ident
                ),
            );
        }
        check_signature(function, errors);
        let owner = owner(function, place, errors);
        let inputs = inputs(function, errors);
        check_sequential_key(&keys, function, &inputs, errors);
        let output = match &signature.output {
            ReturnType::Default => quote!(()),
            ReturnType::Type(_, ty) => {
                if let Type::ImplTrait(_) = &**ty {
                    errors.at(
                        ty,
                        "a tool's result needs a type of its own, not `impl Trait`",
                    );
                }
                quote!(#ty)
            }
        };
        Self {
            keys,
            name,
            docs,
            inputs,
            owner,
            output,
            is_async: signature.asyncness.is_some(),
        }
    }
}

fn check_signature(function: &Function, errors: &mut Errors) {
    let signature = &function.signature;
    if let Some(token) = &signature.constness {
        errors.at(
            token,
            "a tool cannot be `const`: the model calls it at run time",
        );
    }
    if let Safety::Unsafe(token) = &signature.safety {
        errors.at(
            token,
            "a tool cannot be `unsafe`: the model cannot keep its promises",
        );
    }
    if let Some(abi) = &signature.abi {
        errors.at(abi, "a tool is a plain Rust function");
    }
    if let Some(variadic) = &signature.variadic {
        errors.at(
            variadic,
            "a tool cannot be variadic: each parameter is a key in JSON",
        );
    }
    if !signature.generics.params.is_empty() {
        errors.at(
            &signature.generics,
            "a tool cannot be generic: its schema is one, and the model cannot choose a type",
        );
    }
    if let Some(clause) = &signature.generics.where_clause {
        errors.at(
            clause,
            "a tool cannot be generic, so that it needs no `where`",
        );
    }
}

/// The receiver: `&self` in a toolbox, none elsewhere.
fn owner(function: &Function, place: Place, errors: &mut Errors) -> Option<(Type, bool)> {
    let receiver = function.signature.receiver();
    match (place, receiver) {
        (Place::Free, None) => None,
        (Place::Free, Some(receiver)) => {
            errors.at(
                receiver,
                "`self` needs `#[toolbox]` on the `impl` block: a tool on its own has no object",
            );
            None
        }
        (Place::Toolbox(ty), None) => Some((*ty, false)),
        (Place::Toolbox(ty), Some(receiver)) => {
            if !matches!(&receiver.kind, ReceiverKind::Reference(_, _, None)) {
                errors.at(
                    receiver,
                    "a tool of a toolbox takes `&self`: calls run side by side and share the object",
                );
            }
            Some((*ty, true))
        }
    }
}

fn inputs(function: &Function, errors: &mut Errors) -> Vec<Input> {
    let mut inputs: Vec<Input> = Vec::new();
    for parameter in &function.signature.inputs {
        let FnArg::Typed(parameter) = parameter else {
            continue;
        };
        let Some(input) = parameter::parse(parameter, errors) else {
            continue;
        };
        let clash = inputs.iter().find_map(|earlier| {
            match (earlier, &input) {
            (Input::Context, Input::Context) => Some("there is one context a call".to_owned()),
            (Input::Whole(_), Input::Whole(_) | Input::Argument(_))
            | (Input::Argument(_), Input::Whole(_)) => Some(
                "a struct of arguments takes the whole object, so that nothing is left for another \
                 parameter"
                    .to_owned(),
            ),
            (Input::Argument(earlier), Input::Argument(argument))
                if earlier.name == argument.name =>
            {
                Some(format!("two parameters have the name `{}` in JSON", argument.name))
            }
            _ => None,
        }
        });
        if let Some(message) = clash {
            errors.at(parameter, message);
        }
        inputs.push(input);
    }
    inputs
}

/// Whether `sequential(key = "…")` names a parameter. What a struct of arguments
/// has is not known here; nor is a parameter that is wrong itself.
fn check_sequential_key(keys: &Keys, function: &Function, inputs: &[Input], errors: &mut Errors) {
    let parameters = function
        .signature
        .inputs
        .iter()
        .filter(|parameter| matches!(parameter, FnArg::Typed(_)))
        .count();
    let takes_whole = inputs.iter().any(|input| matches!(input, Input::Whole(_)));
    if takes_whole || inputs.len() != parameters {
        return;
    }
    let names: Vec<&str> = inputs
        .iter()
        .filter_map(|input| match input {
            Input::Argument(argument) => Some(argument.name.as_str()),
            _ => None,
        })
        .collect();
    keys.running.check_key(&names, errors);
}

/// Takes what is ours off the parameters, which rustc would refuse there.
pub(crate) fn clean(function: &mut Function) {
    for parameter in &mut function.signature.inputs {
        let attributes: &mut Vec<Attribute> = match parameter {
            FnArg::Receiver(receiver) => &mut receiver.attrs,
            FnArg::Typed(parameter) => &mut parameter.attrs,
        };
        attributes.retain(|attribute| !parameter::is_ours(attribute));
    }
}

//! Which constraints a type can have, as far as its name tells: `range` on a
//! `String` would say nothing, and the parameter would go unchecked.

use syn::{GenericArgument, PathArguments, Type};

use crate::attr::{Key, Value, keys};
use crate::errors::Errors;

/// What a type's values are. Only names that everybody knows are known.
#[derive(Clone, Copy, PartialEq)]
enum Values {
    Numbers,
    Booleans,
    Texts,
    Lists,
}

impl Values {
    fn of(name: &str) -> Option<Self> {
        Some(match name {
            "u8" | "u16" | "u32" | "u64" | "u128" | "usize" | "i8" | "i16" | "i32" | "i64"
            | "i128" | "isize" | "f32" | "f64" => Self::Numbers,
            "bool" => Self::Booleans,
            "String" | "str" | "char" => Self::Texts,
            "Vec" => Self::Lists,
            _ => return None,
        })
    }

    /// What they are called, and which constraints to use for them.
    fn words(self) -> (&'static str, &'static str) {
        match self {
            Self::Numbers => ("a number", ": use `range`"),
            Self::Booleans => ("a boolean", ""),
            Self::Texts => (
                "a text",
                ": use `length`, `regex`, `contains`, `email` or `url`",
            ),
            Self::Lists => ("a list", ": use `length` or `inner(…)`"),
        }
    }

    fn can_have(self, constraint: &str) -> bool {
        match constraint {
            "range" => self == Self::Numbers,
            "length" => matches!(self, Self::Texts | Self::Lists),
            "regex" | "contains" | "email" | "url" => self == Self::Texts,
            "inner" => self == Self::Lists,
            _ => true,
        }
    }
}

/// Notes the constraints that the type cannot have.
pub(crate) fn check(constraints: &[Key], ty: &Type, errors: &mut Errors) {
    let Some((name, argument)) = plain_name(ty) else {
        return;
    };
    if name == "Option" {
        if let Some(inner) = argument {
            check(constraints, inner, errors);
        }
        return;
    }
    let Some(values) = Values::of(&name) else {
        return;
    };
    for key in constraints {
        let constraint = key.name.to_string();
        if !values.can_have(&constraint) {
            let (what, advice) = values.words();
            errors.at(
                &key.name,
                format!("`{constraint}` does not apply to `{name}`, {what}{advice}"),
            );
        } else if constraint == "inner"
            && let (Value::List(list), Some(items)) = (&key.value, argument)
        {
            // Its syntax errors have been reported.
            let inner = keys(list.clone(), &mut Errors::default());
            check(&inner, items, errors);
        }
    }
}

/// The name of a type without a path, and its first argument.
fn plain_name(ty: &Type) -> Option<(String, Option<&Type>)> {
    let Type::Path(path) = ty else {
        return None;
    };
    if path.qself.is_some() || path.path.segments.len() != 1 {
        return None;
    }
    let segment = path.path.segments.first()?;
    let argument = match &segment.arguments {
        PathArguments::AngleBracketed(arguments) => {
            arguments.args.iter().find_map(|argument| match argument {
                GenericArgument::Type(ty) => Some(ty),
                _ => None,
            })
        }
        _ => None,
    };
    Some((segment.ident.to_string(), argument))
}

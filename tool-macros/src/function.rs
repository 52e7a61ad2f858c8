//! `#[tool]` on a function.

use proc_macro2::TokenStream;
use quote::{ToTokens, quote};

use crate::errors::Errors;
use crate::item::{Function, has_keyword};
use crate::keys::Keys;
use crate::model::{Place, Tool, clean};
use crate::{expand, fallback};

pub(crate) fn expand(attributes: TokenStream, item: &TokenStream) -> TokenStream {
    let mut errors = Errors::default();
    let keys = Keys::parse(attributes, &mut errors);
    let mut function: Function = match syn::parse2(item.clone()) {
        Ok(function) => function,
        Err(error) => {
            if !has_keyword(item, "fn") {
                errors.push(syn::Error::new(
                    error.span(),
                    "`#[tool]` goes on a function",
                ));
            }
            // Where the head of a function is half typed, rustc says it best.
            let errors = errors.into_tokens();
            return quote!(#errors #item);
        }
    };
    let crate_path = keys.crate_path();
    let tool = Tool::new(keys, &function, Place::Free, &mut errors);
    clean(&mut function);
    if !errors.is_empty() {
        let fallback = fallback::expand(&function, &crate_path);
        let errors = errors.into_tokens();
        return quote!(#fallback #errors);
    }
    let callee = function.signature.ident.to_token_stream();
    let mut declaration = expand::declaration(&tool, &callee);
    declaration.extend(quote! {
        __tool::inventory::submit! { &__DECLARATION }
    });
    let handle = fallback::handle(&function, &crate_path, &declaration);
    let docs = expand::parameter_docs(&tool);
    let Function {
        attributes,
        visibility,
        signature,
        body,
    } = function;
    // A tool owns its arguments, whether it needs to or not.
    quote! {
        #(#attributes)*
        #docs
        #[allow(clippy::needless_pass_by_value)]
        #visibility #signature #body
        #handle
    }
}

//! `#[toolbox]` on an `impl` block.

use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use syn::{Attribute, Expr, ImplItem, ImplItemFn, ItemImpl, Meta};

use crate::attr::{Value, keys};
use crate::errors::Errors;
use crate::expand;
use crate::item::{Function, has_keyword};
use crate::keys::Keys;
use crate::model::{Place, Tool, clean};

pub(crate) fn expand(attributes: TokenStream, item: &TokenStream) -> TokenStream {
    let mut errors = Errors::default();
    let crate_path = crate_path(attributes, &mut errors);
    let mut block: ItemImpl = match syn::parse2(item.clone()) {
        Ok(block) => block,
        Err(error) => {
            // Where the block is half typed, the parser says it best.
            errors.push(if has_keyword(item, "impl") {
                error
            } else {
                syn::Error::new(error.span(), "`#[toolbox]` goes on an `impl` block")
            });
            let errors = errors.into_tokens();
            return quote!(#errors #item);
        }
    };
    if !block.generics.params.is_empty() {
        errors.at(
            &block.generics,
            "a toolbox cannot be generic: each of its tools has one schema",
        );
    }
    if let Some((path, _)) = &block.trait_ {
        errors.at(
            path,
            "a toolbox is an `impl` block of a type, not of a trait",
        );
    }
    let owner = (*block.self_ty).clone();
    let mut tools = Vec::new();
    let mut found = false;
    for item in &mut block.items {
        let ImplItem::Fn(method) = item else {
            continue;
        };
        let Some(attribute) = take_attribute(method) else {
            continue;
        };
        found = true;
        let keys = method_keys(&attribute, &mut errors);
        let mut function = Function {
            attributes: method.attrs.clone(),
            visibility: method.vis.clone(),
            signature: method.sig.clone(),
            body: TokenStream::new(),
        };
        let tool = Tool::new(
            keys,
            &function,
            Place::Toolbox(Box::new(owner.clone())),
            &mut errors,
        );
        clean(&mut function);
        method.sig = function.signature;
        if errors.is_empty() {
            let name = &method.sig.ident;
            let callee = quote_callee(&owner, name);
            let declaration = expand::declaration(&tool, &callee);
            let docs = expand::parameter_docs(&tool);
            method
                .attrs
                .push(syn::parse_quote!(#[allow(clippy::needless_pass_by_value)]));
            if !docs.is_empty() {
                method.attrs.push(syn::parse_quote!(#docs));
            }
            tools.push(quote!({
                #declaration
                let __receiver: __tool::Arc<Self> = __tool::Arc::clone(&self);
                __tool::Tool::of_method(&__DECLARATION, __receiver)
            }));
        }
    }
    if !found && errors.is_empty() {
        errors.at(
            &block.self_ty,
            "this toolbox has no tool: mark its methods with `#[tool]`",
        );
    }
    let broken = !errors.is_empty();
    let body = if broken {
        quote!(__tool::Vec::new())
    } else {
        quote!(__tool::Vec::from([#(#tools),*]))
    };
    let errors = errors.into_tokens();
    let (generics, _, clause) = block.generics.split_for_impl();
    quote! {
        #block
        impl #generics #owner #clause {
            /// The tools of this object, in the order of the source.
            #[allow(unreachable_pub, dead_code)]
            pub fn tools(
                self: #crate_path::__private::Arc<Self>,
            ) -> #crate_path::__private::Vec<#crate_path::__private::Tool> {
                use #crate_path::__private as __tool;
                #body
            }
        }
        #errors
    }
}

/// The method as an associated function of the type.
fn quote_callee(owner: &syn::Type, name: &syn::Ident) -> TokenStream {
    quote::quote_spanned!(name.span()=> <#owner>::#name)
}

fn crate_path(attributes: TokenStream, errors: &mut Errors) -> TokenStream {
    let mut path = quote!(::tool_core);
    for key in keys(attributes, errors) {
        match (&key.value, key.name == "crate") {
            (Value::Expression(Expr::Path(given)), true) => path = given.to_token_stream(),
            _ => errors.at(&key.name, "the one key of `#[toolbox]` is `crate = path`"),
        }
    }
    path
}

/// Takes `#[tool]`, by whatever path it is named, off a method.
fn take_attribute(method: &mut ImplItemFn) -> Option<Attribute> {
    let index = method.attrs.iter().position(|attribute| {
        attribute
            .path()
            .segments
            .last()
            .is_some_and(|segment| segment.ident == "tool")
    })?;
    Some(method.attrs.remove(index))
}

fn method_keys(attribute: &Attribute, errors: &mut Errors) -> Keys {
    match &attribute.meta {
        Meta::Path(_) => Keys::default(),
        Meta::List(list) => Keys::parse(list.tokens.clone(), errors),
        Meta::NameValue(pair) => {
            errors.at(pair, "expected `#[tool]` or `#[tool(…)]`");
            Keys::default()
        }
    }
}

//! The code of the keys that say how an executor runs the tool.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens as _, format_ident, quote, quote_spanned};
use syn::{ExprPath, Type};

use super::{arguments, place, take, take_whole};
use crate::model::Tool;
use crate::parameter::Input;
use crate::running::{Running, Sequential};

/// The fields of the options, those that differ from the defaults.
pub(super) fn fields(running: &Running) -> Vec<TokenStream> {
    let mut fields = Vec::new();
    if running.approval_if.is_some() {
        fields.push(quote!(approval_if: __tool::Option::Some(__approval_if)));
    }
    match &running.sequential {
        Sequential::No => {}
        Sequential::Barrier => fields.push(quote!(sequential: true)),
        Sequential::Key(key) => {
            fields.push(quote!(sequential_key: __tool::Option::Some(#key)));
        }
    }
    if let Some(concurrency) = running.concurrency.map(unsuffixed) {
        fields.push(quote!(concurrency: __tool::Option::Some(#concurrency)));
    }
    if let Some((calls, period)) = running.rate {
        let (seconds, nanoseconds) = (period.as_secs(), period.subsec_nanos());
        fields.push(quote! {
            rate: __tool::Option::Some(
                __tool::Rate::new(#calls, __tool::Duration::new(#seconds, #nanoseconds))
            )
        });
    }
    if let Some(max_output) = running.max_output.map(unsuffixed) {
        fields.push(quote!(max_output_bytes: __tool::Option::Some(#max_output)));
    }
    if let Some(retries) = running.retries {
        fields.push(quote!(retries: __tool::Option::Some(#retries)));
    }
    fields
}

fn unsuffixed(number: u32) -> proc_macro2::Literal {
    proc_macro2::Literal::u32_unsuffixed(number)
}

/// The function that takes the arguments and asks the user's function whether
/// the call needs approval. All of the call is at the name of that function,
/// so that a signature that does not fit is reported there.
pub(super) fn approval_if(tool: &Tool) -> TokenStream {
    let Some(path) = &tool.keys.running.approval_if else {
        return TokenStream::new();
    };
    let span = path
        .path
        .segments
        .last()
        .map_or_else(Span::call_site, |segment| place(&segment.ident));
    let callee = callee(path, tool.owner.as_ref().map(|(owner, _)| owner), span);
    let pass = |variable: &Ident| {
        let variable = Ident::new(&variable.to_string(), span);
        quote_spanned!(span=> &#variable)
    };
    let mut takes = Vec::new();
    let mut passes = Vec::new();
    for (index, argument) in arguments(tool) {
        let variable = format_ident!("__{index}");
        takes.push(take(index, argument, &variable));
        passes.push(pass(&variable));
    }
    for input in &tool.inputs {
        if let Input::Whole(whole) = input {
            let variable = format_ident!("__0");
            takes.push(take_whole(whole, &variable));
            passes.push(pass(&variable));
        }
    }
    let asks = quote_spanned!(span=> let __asks: bool = #callee(#(#passes),*););
    quote! {
        fn __approval_if(
            __call: &__tool::Invocation<'_>,
        ) -> __tool::Result<bool, __tool::Mismatch> {
            #(#takes)*
            #asks
            __tool::Result::Ok(__asks)
        }
    }
}

/// The user's function. The items of a toolbox cannot say `Self`, so that the
/// type is named in its place.
fn callee(path: &ExprPath, owner: Option<&Type>, span: Span) -> TokenStream {
    let mut segments = path.path.segments.iter();
    match (owner, segments.next()) {
        (Some(owner), Some(first)) if path.qself.is_none() && first.ident == "Self" => {
            quote_spanned!(span=> <#owner> #(::#segments)*)
        }
        _ => path.to_token_stream(),
    }
}

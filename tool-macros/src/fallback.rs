//! What stands in place of a tool that has errors: the function and its
//! handle, so that the code that uses them brings no errors of its own.

use proc_macro2::TokenStream;
use quote::quote;

use crate::item::Function;

/// The handle of a tool, with this declaration.
pub(crate) fn handle(
    function: &Function,
    crate_path: &TokenStream,
    declaration: &TokenStream,
) -> TokenStream {
    let name = &function.signature.ident;
    let visibility = &function.visibility;
    quote! {
        #[doc(hidden)]
        #[allow(non_camel_case_types, unreachable_pub, dead_code, missing_debug_implementations)]
        #visibility struct #name {}

        const _: () = {
            use #crate_path::__private as __tool;
            #declaration
            impl #name {
                #[doc(hidden)]
                #[allow(unreachable_pub, dead_code)]
                pub fn tool() -> __tool::Tool {
                    __tool::Tool::from(<Self as __tool::Handle>::DECLARATION)
                }
            }
            impl __tool::Handle for #name {
                const DECLARATION: &'static __tool::Declaration = &__DECLARATION;
            }
        };
    }
}

/// The function and a handle that declares nothing.
pub(crate) fn expand(function: &Function, crate_path: &TokenStream) -> TokenStream {
    if function.signature.receiver().is_some() {
        // In an `impl` block no struct can stand beside it.
        return quote!(#function);
    }
    let declaration = quote! {
        static __DECLARATION: __tool::Declaration = __tool::Declaration::BROKEN;
    };
    let handle = handle(function, crate_path, &declaration);
    quote! {
        #[allow(unused_variables)]
        #function
        #handle
    }
}

//! A function as written: its head parsed, its body left as tokens, so that a
//! half-typed body stays rustc's business.

use proc_macro2::{TokenStream, TokenTree};
use quote::{ToTokens, TokenStreamExt as _};
use syn::parse::{Parse, ParseStream};
use syn::{Attribute, Signature, Visibility};

pub(crate) struct Function {
    pub(crate) attributes: Vec<Attribute>,
    pub(crate) visibility: Visibility,
    pub(crate) signature: Signature,
    pub(crate) body: TokenStream,
}

impl Parse for Function {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        Ok(Self {
            attributes: input.call(Attribute::parse_outer)?,
            visibility: input.parse()?,
            signature: input.parse()?,
            body: input.step(|cursor| {
                let mut body = TokenStream::new();
                let mut rest = *cursor;
                while let Some((token, next)) = rest.token_tree() {
                    body.append::<TokenTree>(token);
                    rest = next;
                }
                Ok((body, rest))
            })?,
        })
    }
}

impl ToTokens for Function {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        tokens.append_all(&self.attributes);
        self.visibility.to_tokens(tokens);
        self.signature.to_tokens(tokens);
        self.body.to_tokens(tokens);
    }
}

/// Whether an item has this keyword at its top level.
pub(crate) fn has_keyword(item: &TokenStream, keyword: &str) -> bool {
    item.clone()
        .into_iter()
        .any(|token| matches!(token, TokenTree::Ident(ident) if ident == keyword))
}

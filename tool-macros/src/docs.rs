//! Doc comments as the description that a model reads.

use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use syn::{Attribute, Expr, ExprLit, Lit, Meta};

/// The doc comments of one item, in order, whatever stands between them.
pub(crate) struct Docs {
    lines: Vec<Expr>,
}

impl Docs {
    pub(crate) fn of(attributes: &[Attribute]) -> Self {
        let lines = attributes
            .iter()
            .filter_map(|attribute| match &attribute.meta {
                Meta::NameValue(pair) if pair.path.is_ident("doc") => Some(pair.value.clone()),
                _ => None,
            })
            .collect();
        Self { lines }
    }

    /// Whether the docs say nothing, as far as can be told: `include_str!` may say anything.
    pub(crate) fn is_blank(&self) -> bool {
        self.lines
            .iter()
            .all(|line| literal(line).is_some_and(|text| text.trim().is_empty()))
    }

    /// The docs as one string constant, one line of the source a line.
    pub(crate) fn to_constant(&self) -> TokenStream {
        if let Some(text) = self.text() {
            return text.to_token_stream();
        }
        let lines = self.lines.iter().map(|line| match literal(line) {
            Some(text) => plain(&text).to_token_stream(),
            None => line.to_token_stream(),
        });
        quote!(::core::concat!(#(#lines, "\n"),*))
    }

    /// The docs as text, where all of them are literals.
    pub(crate) fn text(&self) -> Option<String> {
        let lines: Option<Vec<String>> = self
            .lines
            .iter()
            .map(|line| literal(line).map(|text| plain(&text)))
            .collect();
        lines.map(|lines| lines.join("\n"))
    }
}

pub(crate) fn is_doc(attribute: &Attribute) -> bool {
    attribute.path().is_ident("doc")
}

fn literal(expression: &Expr) -> Option<String> {
    match expression {
        Expr::Lit(ExprLit {
            lit: Lit::Str(text),
            ..
        }) => Some(text.value()),
        _ => None,
    }
}

/// The text of a `/** … */` without the column of stars; other text as it is.
fn plain(text: &str) -> String {
    let mut lines = text.split('\n');
    let first = lines.next().unwrap_or_default();
    let rest: Vec<&str> = lines.collect();
    let starred = rest
        .iter()
        .all(|line| line.trim().is_empty() || line.trim_start().starts_with('*'));
    if rest.is_empty() || !starred {
        return text.to_owned();
    }
    std::iter::once(first)
        .chain(
            rest.iter()
                .map(|line| line.trim_start().trim_start_matches('*')),
        )
        .collect::<Vec<_>>()
        .join("\n")
}

#[cfg(test)]
mod tests {
    use super::Docs;
    use syn::parse_quote;

    #[test]
    fn blank_lines_and_lines_after_other_attributes_are_kept() {
        let item: syn::ItemFn = parse_quote! {
            /// One.
            #[allow(dead_code)]
            ///
            /// Two.
            fn f() {}
        };
        assert_eq!(Docs::of(&item.attrs).text().unwrap(), " One.\n\n Two.");
    }

    #[test]
    fn a_block_comment_loses_its_stars() {
        let item: syn::ItemFn = parse_quote! {
            #[doc = " One.\n     *\n     * Two.\n     "]
            fn f() {}
        };
        assert_eq!(Docs::of(&item.attrs).text().unwrap(), " One.\n\n Two.\n");
    }

    #[test]
    fn an_included_file_becomes_a_concat() {
        let item: syn::ItemFn = parse_quote! {
            /// One.
            #[doc = include_str!("two.md")]
            fn f() {}
        };
        let docs = Docs::of(&item.attrs);
        assert!(!docs.is_blank());
        assert_eq!(
            docs.to_constant().to_string(),
            ":: core :: concat ! (\" One.\" , \"\\n\" , include_str ! (\"two.md\") , \"\\n\")"
        );
    }
}

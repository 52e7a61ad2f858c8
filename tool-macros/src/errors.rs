//! All errors of one tool, reported together.

use proc_macro2::TokenStream;
use quote::ToTokens;

/// Collects errors, each at the token that the user must edit.
#[derive(Default)]
pub(crate) struct Errors {
    errors: Vec<syn::Error>,
}

impl Errors {
    /// Adds an error that underlines these tokens.
    pub(crate) fn at(&mut self, tokens: &impl ToTokens, message: impl std::fmt::Display) {
        self.errors.push(syn::Error::new_spanned(tokens, message));
    }

    /// Adds an error that already has its place.
    pub(crate) fn push(&mut self, error: syn::Error) {
        self.errors.push(error);
    }

    /// The value, or `None` and the error noted.
    pub(crate) fn keep<T>(&mut self, result: syn::Result<T>) -> Option<T> {
        result.map_err(|error| self.push(error)).ok()
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.errors.is_empty()
    }

    /// One `compile_error!` for each.
    pub(crate) fn into_tokens(self) -> TokenStream {
        self.errors
            .iter()
            .map(syn::Error::to_compile_error)
            .collect()
    }
}

/// The known word that a mistyped one is nearest to, if any is near.
pub(crate) fn did_you_mean(word: &str, known: &[&str]) -> String {
    known
        .iter()
        .map(|candidate| (strsim::damerau_levenshtein(word, candidate), candidate))
        .filter(|(distance, candidate)| *distance <= (candidate.len() / 3).max(1))
        .min()
        .map_or_else(
            || format!("; known are `{}`", known.join("`, `")),
            |(_, candidate)| format!("; did you mean `{candidate}`?"),
        )
}

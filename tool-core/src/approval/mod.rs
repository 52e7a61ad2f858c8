//! Asking somebody before a tool runs: who is asked, which tools wait for an
//! answer, and what is stored while they do.

pub(crate) mod canonical;
mod edit;
mod fingerprint;
mod handler;
mod key;
mod ledger;
mod pending;
mod rules;
mod seal;
mod selector;

#[cfg(test)]
mod tests;

pub use handler::{ApprovalHandler, ApprovalRequest, Decision, Why};
pub use key::ApprovalKey;
pub use ledger::Ledger;
pub use pending::{Pending, PendingReason, ResumeError};
pub use rules::Rule;
pub use selector::Selector;

pub(crate) use {
    edit::with_secrets_back,
    handler::{Approver, Closure, erase},
    ledger::{UseOnce, erase_ledger},
    rules::{Treatment, treatment, unmatched},
    seal::Sealer,
};

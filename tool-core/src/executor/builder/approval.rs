//! Approval: who decides, for which tools, and for how long a call may wait.

use std::future::Future;
use std::time::Duration;

use super::ExecutorBuilder;
use crate::approval::{
    ApprovalHandler, ApprovalKey, ApprovalRequest, Closure, Decision, Ledger, Rule, erase,
    erase_ledger,
};

impl ExecutorBuilder {
    /// Who decides about calls that need approval. Without anybody they are
    /// denied. The call waits for the decision, and its own time begins after it.
    ///
    /// # Examples
    ///
    /// ```
    /// use tool_core::{Catalogue, Decision, Executor};
    ///
    /// let executor = Executor::builder(Catalogue::default())
    ///     .approval(|request| async move {
    ///         match request.arguments["path"].as_str() {
    ///             Some(path) if path.starts_with("drafts/") => Decision::Allow,
    ///             _ => Decision::Deny("only drafts may be changed".to_owned()),
    ///         }
    ///     })
    ///     .build();
    /// # executor.unwrap();
    /// ```
    pub fn approval<F, Fut>(self, decide: F) -> Self
    where
        F: Fn(ApprovalRequest) -> Fut + Send + Sync + 'static,
        Fut: Future<Output = Decision> + Send + 'static,
    {
        self.approval_handler(Closure(decide))
    }

    /// The same, by a type of the host's.
    pub fn approval_handler(mut self, handler: impl ApprovalHandler + 'static) -> Self {
        self.approver = Some(erase(handler));
        self
    }

    /// What happens to the calls of some tools. Of all rules the first that
    /// matches a tool decides; tools that no rule matches do as they declare.
    ///
    /// # Examples
    ///
    /// ```
    /// use tool_core::{Catalogue, Executor, Rule, Selector, tool, tools};
    ///
    /// /// Delete a file.
    /// #[tool(name = "files-delete_file", destructive)]
    /// fn delete_file(
    ///     /// Which.
    ///     path: String,
    /// ) {}
    ///
    /// # fn main() {
    /// let executor = Executor::builder(Catalogue::new(tools![delete_file]).unwrap())
    ///     .rule(Rule::allow(Selector::read_only()))
    ///     .rule(Rule::ask(Selector::destructive()))
    ///     .rule(Rule::deny(Selector::open_world(), "this agent works offline"))
    ///     .build();
    /// # executor.unwrap();
    /// # }
    /// ```
    pub fn rule(mut self, rule: Rule) -> Self {
        self.rules.push(rule);
        self
    }

    /// The key that binds pending records to this executor. By default each
    /// executor makes one of its own, so that its records are worth nothing to
    /// another and after a restart; give the same key to all that shall resume
    /// each other's, and a [`ledger`](Self::ledger) that they share.
    pub fn approval_key(mut self, key: ApprovalKey) -> Self {
        self.approval_key = Some(key);
        self
    }

    /// How long a pending record can be resumed. 24 hours by default.
    pub fn approval_lifetime(mut self, lifetime: Duration) -> Self {
        self.approval_lifetime = lifetime;
        self
    }

    /// Where it is kept which pending records have been used. In memory by default.
    pub fn ledger(mut self, ledger: impl Ledger + 'static) -> Self {
        self.ledger = Some(erase_ledger(ledger));
        self
    }
}

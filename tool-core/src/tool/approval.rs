//! Whether somebody is asked before one call.

use serde_json::Value;

use super::{Source, Tool};
use crate::arguments::{self, Whole};
use crate::declaration::ApprovalIf;
use crate::definition::Approval;
use crate::error::ToolError;
use crate::invocation::Invocation;

impl Tool {
    /// Whether a call with these arguments needs approval. They are as the
    /// schema accepted them, after repair. The function of `approval_if` is
    /// the user's and may panic.
    ///
    /// # Errors
    ///
    /// `InvalidArguments`, where a type does not take what the schema accepts.
    pub(crate) fn needs_approval(&self, arguments: &Value) -> Result<bool, ToolError> {
        let definition = self.definition();
        match definition.approval {
            Approval::Never => return Ok(false),
            Approval::Always => return Ok(true),
            Approval::Conditional => {}
        }
        // A condition that nobody wrote is no reason not to ask.
        let Some(approval_if) = self.approval_if() else {
            return Ok(true);
        };
        let plan = self.plan()?;
        approval_if(&Invocation {
            slots: &plan.slots(arguments),
            whole: Whole::Value(arguments),
            context: None,
            receiver: self.inner.receiver.as_ref(),
        })
        .map_err(|mismatch| arguments::mismatched(plan, definition, mismatch))
    }

    /// What the tool's `approval_if` names.
    pub(super) fn approval_if(&self) -> Option<ApprovalIf> {
        match &self.inner.source {
            Source::Declared(declaration) => declaration.options.approval_if,
            Source::RunTime(tool) => tool.approval_if,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use serde_json::{Value, json};

    use crate::args::Args;
    use crate::arguments::RepairMode;
    use crate::context::Context;
    use crate::definition::{Approval, Definition};
    use crate::error::ErrorKind;
    use crate::tool::Tool;

    #[expect(
        clippy::ref_option,
        clippy::trivially_copy_pass_by_ref,
        reason = "a condition is given references"
    )]
    fn is_risky(path: &str, times: &Option<u8>, mode: &str) -> bool {
        path.starts_with('/') || times.is_some() || mode == "force"
    }

    /// Remove a file.
    #[crate::tool(crate = crate, approval_if = is_risky)]
    fn remove(
        #[tool(state)] _root: &String,
        /// Where.
        path: String,
        _context: &Context,
        /// How often. The schema is wider than the type.
        #[schemars(with = "Option<i64>")]
        times: Option<u8>,
        /// How.
        #[tool(default = "soft")]
        mode: String,
    ) -> String {
        format!("{path} {times:?} {mode}")
    }

    fn asks(tool: &Tool, arguments: Value) -> bool {
        let accepted = tool.check(arguments, RepairMode::Off).arguments.unwrap();
        tool.needs_approval(&accepted).unwrap()
    }

    #[test]
    fn the_condition_sees_the_accepted_arguments_and_the_defaults() {
        let tool = remove::tool();
        assert!(asks(&tool, json!({"path": "/etc"})));
        assert!(!asks(&tool, json!({"path": "etc"})));
        assert!(!asks(&tool, json!({"path": "etc", "times": null})));
        assert!(asks(&tool, json!({"path": "etc", "times": 1})));
        assert!(!asks(&tool, json!({"path": "etc", "mode": "soft"})));
        assert!(asks(&tool, json!({"mode": "force", "path": "etc"})));
    }

    #[test]
    fn another_name_changes_nothing() {
        let tool = remove::tool().renamed("other".to_owned());
        assert!(asks(&tool, json!({"path": "/etc"})));
        assert!(!asks(&tool, json!({"path": "etc"})));
    }

    #[test]
    fn an_argument_that_its_type_does_not_take_is_the_models_mistake() {
        let tool = remove::tool();
        let error = tool
            .needs_approval(&json!({"path": "etc", "times": 500}))
            .unwrap_err();
        assert_eq!(error.kind(), ErrorKind::InvalidArguments);
        assert_eq!(error.problems()[0].path, "times");
    }

    #[derive(serde::Deserialize, schemars::JsonSchema)]
    struct Payment {
        /// How much.
        #[serde(rename = "sum")]
        amount: u8,
    }

    impl Payment {
        fn is_large(&self) -> bool {
            self.amount > 100
        }
    }

    /// Pay.
    #[crate::tool(crate = crate, approval_if = Payment::is_large)]
    fn pay(Payment { amount }: Payment) -> u8 {
        amount
    }

    /// Pay again.
    #[crate::tool(crate = crate, approval_if = Payment::is_large)]
    fn pay_again(payment: Args<Payment>) -> u8 {
        payment.amount
    }

    struct Bank {
        balance: u8,
    }

    #[crate::toolbox(crate = crate)]
    impl Bank {
        #[expect(
            clippy::trivially_copy_pass_by_ref,
            reason = "a condition is given references"
        )]
        fn is_large(amount: &u8) -> bool {
            *amount > 100
        }

        /// Draw.
        #[tool(approval_if = Self::is_large)]
        fn draw(
            &self,
            /// How much.
            #[serde(rename = "sum")]
            amount: u8,
        ) -> u8 {
            self.balance.saturating_sub(amount)
        }
    }

    #[test]
    fn a_struct_and_a_toolbox_have_conditions_too() {
        let drawing = Arc::new(Bank { balance: 7 }).tools().remove(0);
        for tool in [pay::tool(), pay_again::tool(), drawing] {
            assert!(asks(&tool, json!({"sum": 101})), "{tool:?}");
            assert!(!asks(&tool, json!({"sum": 100})), "{tool:?}");
        }
    }

    #[test]
    fn without_a_function_the_definition_decides() {
        for (approval, expected) in [
            (Approval::Always, true),
            (Approval::Never, false),
            (Approval::Conditional, true),
        ] {
            let mut definition = Definition::new("run", "Run it.", json!({"type": "object"}));
            definition.approval = approval;
            let tool = Tool::new(definition, |_arguments, _context| async {}).unwrap();
            assert_eq!(asks(&tool, json!({})), expected);
        }
    }
}

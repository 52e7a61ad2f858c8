//! Whether somebody is asked before one call.

use serde_json::Value;

use super::{Source, Tool};
use crate::arguments::{self, Whole};
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
        let Source::Declared(declaration) = &self.inner.source else {
            return Ok(true);
        };
        // A condition that nobody wrote is no reason not to ask.
        let Some(approval_if) = declaration.options.approval_if else {
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
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use crate::arguments::RepairMode;
    use crate::declaration::{Declaration, Input, Options, Parameter};
    use crate::definition::{Approval, Definition};
    use crate::error::ErrorKind;
    use crate::__private::ToolParameter;
    use crate::tool::Tool;

    static TEXT: Options = Options {
        approval_if: Some(|call| {
            let path: Box<str> = call.argument(0)?;
            let times: Option<u8> = call.argument(1)?;
            Ok(path.starts_with('/') || times.is_some())
        }),
        ..Options::DEFAULT
    };

    /// The type of `times` in the schema is wider than what the function takes.
    static REMOVE: Declaration = Declaration {
        name: "remove",
        description: "Remove it.",
        input: Input::Parameters(&[
            Parameter {
                name: "path",
                description: "Where.",
                shape: <String as ToolParameter>::SHAPE,
                refine: None,
            },
            Parameter {
                name: "times",
                description: "How often.",
                shape: <Option<i64> as ToolParameter>::SHAPE,
                refine: None,
            },
        ]),
        options: &TEXT,
        ..Declaration::BROKEN
    };

    fn accepted(tool: &Tool, arguments: Value) -> Value {
        tool.check(arguments, RepairMode::Off).arguments.unwrap()
    }

    #[test]
    fn the_condition_sees_the_accepted_arguments() {
        let tool = Tool::from(&REMOVE);
        for (arguments, asks) in [
            (json!({"path": "/etc"}), true),
            (json!({"path": "etc"}), false),
            (json!({"path": "etc", "times": null}), false),
            (json!({"path": "etc", "times": 1}), true),
        ] {
            let arguments = accepted(&tool, arguments);
            assert_eq!(tool.needs_approval(&arguments).unwrap(), asks);
        }
    }

    #[test]
    fn an_argument_that_its_type_does_not_take_is_the_models_mistake() {
        let tool = Tool::from(&REMOVE);
        let arguments = accepted(&tool, json!({"path": "etc", "times": 500}));
        let error = tool.needs_approval(&arguments).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::InvalidArguments);
        assert_eq!(error.problems()[0].path, "times");
    }

    #[test]
    fn always_never_and_a_condition_without_a_function() {
        for (approval, asks) in [
            (Approval::Always, true),
            (Approval::Never, false),
            (Approval::Conditional, true),
        ] {
            let mut definition = Definition::new("run", "Run it.", json!({"type": "object"}));
            definition.approval = approval;
            let tool = Tool::new(definition, |_arguments, _context| async {}).unwrap();
            assert_eq!(tool.needs_approval(&json!({})).unwrap(), asks);
        }
    }
}

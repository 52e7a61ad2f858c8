//! Thirty tools, each declared once and expanded three ways: with our `#[tool]`,
//! as a struct for plain schemars, and with rmcp's `#[tool]`.

mod office;
mod technical;
#[expect(dead_code, reason = "only the schemas are looked at")]
mod types;

use serde_json::{Value, json};
use tool_core::Definition;

/// One tool as each crate describes it to a model.
pub(crate) struct Declared {
    pub(crate) ours: Definition,
    /// The arguments as `schema_for!` gives them.
    pub(crate) schema: Value,
    pub(crate) rmcp: Value,
}

impl Declared {
    /// Our definition as it is sent.
    pub(crate) fn lean(&self) -> Value {
        serde_json::to_value(&self.ours).unwrap_or_default()
    }

    /// The envelope of OpenAI around the schema of plain schemars.
    pub(crate) fn raw(&self) -> Value {
        envelope(&self.ours.name, &self.ours.description, &self.schema)
    }

    /// The envelope of OpenAI around the schema that rmcp makes.
    pub(crate) fn rmcp_in_envelope(&self) -> Value {
        envelope(
            &self.ours.name,
            &self.ours.description,
            &self.rmcp["inputSchema"],
        )
    }
}

fn envelope(name: &str, description: &str, parameters: &Value) -> Value {
    json!({
        "type": "function",
        "function": { "name": name, "description": description, "parameters": parameters },
    })
}

/// All thirty.
pub(crate) fn all() -> Vec<Declared> {
    let mut all = office::all();
    all.extend(technical::all());
    all
}

/// Expands `/// Description. function Struct "name" { /// About. parameter: Type = default, … }`.
macro_rules! declare {
    ($(
        $(#[doc = $description:literal])+
        $function:ident $arguments:ident $name:tt {
            $($(#[$about:meta])* $parameter:ident: $type:ty $(= $default:literal)?),* $(,)?
        }
    )*) => {
        mod ours {
            use super::super::types::*;

            $(
                $(#[doc = $description])+
                #[tool_core::tool(name = $name)]
                pub(super) fn $function($(
                    $(#[$about])*
                    $(#[tool(default = $default)])?
                    $parameter: $type
                ),*) -> String {
                    $(let _ = $parameter;)*
                    String::new()
                }
            )*
        }

        #[expect(dead_code, reason = "only the schema is looked at")]
        mod raw {
            use super::super::types::*;
            use schemars::JsonSchema;
            use serde::Deserialize;

            $(
                #[derive(Deserialize, JsonSchema)]
                pub(super) struct $arguments {
                    $(
                        $(#[$about])*
                        $(#[serde(default)] #[schemars(extend("default" = $default))])?
                        $parameter: $type,
                    )*
                }
            )*
        }

        struct Server;

        #[rmcp::tool_router]
        impl Server {
            $(
                $(#[doc = $description])+
                #[rmcp::tool(name = $name)]
                async fn $function(
                    &self,
                    _arguments: rmcp::handler::server::wrapper::Parameters<raw::$arguments>,
                ) -> String {
                    String::new()
                }
            )*
        }

        pub(super) fn all() -> Vec<super::Declared> {
            let router = Server::tool_router();
            vec![$({
                let tool = tool_core::Tool::from(tool_core::tools![ours::$function][0]);
                super::Declared {
                    ours: tool.definition().clone(),
                    schema: schemars::schema_for!(raw::$arguments).to_value(),
                    rmcp: serde_json::to_value(router.get($name)).unwrap_or_default(),
                }
            }),*]
        }
    };
}
use declare;

//! Every key at once; a function in a function, a path with a type, a macro's name.
use std::sync::Arc;

use schemars::JsonSchema;
use serde::Deserialize;
use tool_core::{Approval, Args, tool, toolbox};

fn overwrites(_path: &str, overwrite: &bool, _parts: &[u8], _mode: &Option<u32>) -> bool {
    *overwrite
}

/// All keys.
#[tool(
    name = "files-write_file",
    timeout = 30,
    kind = "standard",
    title = "Write a file",
    approval_if = overwrites,
    sequential(key = "path"),
    concurrency = 4,
    rate = "10/m",
    max_output = 0x1_0000,
    retries = 0,
    read_only = false,
    destructive,
    idempotent,
    open_world = false,
    strict,
    repair = "on",
    tags("files"),
    meta(level = 1),
    crate = ::tool_core
)]
async fn write(
    #[tool(state)] _root: &String,
    /// Where.
    path: String,
    /// Whether to replace what is there.
    #[tool(default = false)]
    overwrite: bool,
    /// The bytes.
    #[schemars(length(min = 1))]
    parts: Vec<u8>,
    /// The permissions.
    mode: Option<u32>,
) -> String {
    format!("{path} {overwrite} {parts:?} {mode:?}")
}

mod number {
    use serde::{Deserialize as _, Deserializer};

    #[derive(serde::Serialize)]
    pub struct Number(pub u64);

    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Number, D::Error> {
        u64::deserialize(deserializer).map(Number)
    }
}

fn is_large(number: &number::Number) -> bool {
    number.0 > 100
}

/// Read in another way.
#[tool(approval_if = is_large)]
fn pay(
    /// How much.
    #[serde(rename = "sum", with = "number")]
    #[schemars(with = "u64")]
    #[tool(default = number::Number(1))]
    amount: number::Number,
) -> u64 {
    amount.0
}

#[derive(Deserialize, JsonSchema)]
struct Removal {
    /// Where.
    path: String,
}

trait Risk {
    fn is_risky(&self) -> bool;
}

impl Risk for Removal {
    fn is_risky(&self) -> bool {
        self.path.starts_with('/')
    }
}

/// Take a struct.
#[tool(approval_if = <Removal as Risk>::is_risky, sequential)]
fn remove(args: Args<Removal>) -> String {
    args.0.path
}

struct Store<const N: usize>;

#[toolbox]
impl Store<8> {
    fn is_whole(size: &usize) -> bool {
        *size == 8
    }

    fn never() -> bool {
        false
    }

    /// Make room.
    #[tool(approval_if = Self::is_whole)]
    fn reserve(
        &self,
        /// How much.
        size: usize,
    ) -> usize {
        size
    }

    /// Free everything.
    #[tool(approval_if = Store::<8>::never)]
    fn free() {}
}

macro_rules! asks {
    ($name:ident, $condition:path, $rate:literal) => {
        /// Declared by a macro.
        #[tool(approval_if = $condition, rate = $rate)]
        fn $name(
            /// A number.
            number: u8,
        ) -> u8 {
            number
        }
    };
}

fn is_odd(number: &u8) -> bool {
    number % 2 == 1
}

asks!(by_macro, is_odd, "1/500ms");

fn main() {
    fn is_inside(_path: &str) -> bool {
        true
    }

    /// In a function, by a function in it.
    #[tool(approval_if = is_inside)]
    fn inner(
        /// Where.
        path: String,
    ) -> String {
        path
    }

    let mut tools = vec![write::tool(), pay::tool(), remove::tool(), by_macro::tool(), inner::tool()];
    tools.extend(Arc::new(Store::<8>).tools());
    for tool in tools {
        assert_eq!(tool.definition().approval, Approval::Conditional, "{tool:?}");
    }
}

//! Tools that are methods of an object.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use tool_core::{Call, Catalogue, Context, Executor, ToolError, toolbox};

struct Counter {
    name: &'static str,
    value: AtomicU32,
}

#[toolbox]
impl Counter {
    fn plain(&self) -> u32 {
        self.value.load(Ordering::SeqCst)
    }

    /// Add to the counter.
    #[tool(name = "counter-add", timeout = 5)]
    async fn add(
        &self,
        /// How much to add.
        #[tool(default = 1)]
        amount: u32,
    ) -> u32 {
        self.value.fetch_add(amount, Ordering::SeqCst) + amount
    }

    /// Read the counter.
    #[tool_core::tool(name = "counter-read", read_only)]
    fn read(
        &self,
        context: &Context,
        #[tool(state)] unit: &&'static str,
    ) -> Result<String, ToolError> {
        Ok(format!(
            "{} {} {unit} {}",
            self.name,
            self.plain(),
            context.call_id()
        ))
    }
}

#[tokio::test]
async fn the_methods_of_one_object_share_it() {
    let counter = Arc::new(Counter {
        name: "first",
        value: AtomicU32::new(0),
    });
    let catalogue = Catalogue::new(Arc::clone(&counter).tools()).unwrap();
    assert_eq!(
        catalogue.names().collect::<Vec<_>>(),
        ["counter-add", "counter-read"]
    );
    let executor = Executor::builder(catalogue)
        .state("pieces")
        .build()
        .unwrap();
    executor.call(Call::new("1", "counter-add", "{}")).await;
    executor
        .call(Call::new("2", "counter-add", r#"{"amount":5}"#))
        .await;
    let outcome = executor.call(Call::new("3", "counter-read", "{}")).await;
    assert_eq!(outcome.text(), "first 6 pieces 3");
    assert_eq!(counter.plain(), 6);
}

#[tokio::test]
async fn two_objects_of_one_type_stand_side_by_side_under_prefixes() {
    let one = |name, value| {
        let counter = Counter {
            name,
            value: AtomicU32::new(value),
        };
        Catalogue::new(Arc::new(counter).tools())
            .unwrap()
            .prefixed(&format!("{name}_"))
    };
    let both = one("a", 1).with(&one("b", 2)).unwrap();
    let executor = Executor::builder(both).state("x").build().unwrap();
    let outcome = executor.call(Call::new("1", "b_counter-add", "{}")).await;
    assert_eq!(outcome.text(), "3");
    assert_eq!(outcome.tool, "b_counter-add");
}

#[test]
fn two_objects_under_one_name_are_a_duplicate() {
    let counter = |value| {
        Arc::new(Counter {
            name: "x",
            value: AtomicU32::new(value),
        })
    };
    let first = Catalogue::new(counter(1).tools()).unwrap();
    let error = first.with(counter(2).tools()).unwrap_err();
    assert!(
        error
            .to_string()
            .contains("two tools are named 'counter-add'"),
        "{error}"
    );
}

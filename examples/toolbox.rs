//! Makes the methods of an object tools.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

use tool_core::{Call, Catalogue, Executor, toolbox};

struct Account {
    cents: AtomicI64,
}

#[toolbox]
impl Account {
    /// Tell the balance of the account, in cents.
    #[tool(name = "account-tell_balance", read_only)]
    fn tell_balance(&self) -> i64 {
        self.cents.load(Ordering::SeqCst)
    }

    /// Pay money into the account and tell the new balance, in cents.
    #[tool(name = "account-pay_in")]
    async fn pay_in(
        &self,
        /// How much, in cents.
        #[schemars(range(min = 1, max = 1_000_000))]
        cents: i64,
    ) -> i64 {
        self.cents.fetch_add(cents, Ordering::SeqCst) + cents
    }
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let account = Arc::new(Account {
        cents: AtomicI64::new(100),
    });
    let executor = Executor::new(Catalogue::new(Arc::clone(&account).tools())?)?;

    for (name, arguments) in [
        ("account-pay_in", r#"{"cents":50}"#),
        ("account-pay_in", r#"{"cents":-50}"#),
        ("account-tell_balance", "{}"),
    ] {
        let outcome = executor.call(Call::new("1", name, arguments)).await;
        println!(
            "{name} {arguments}\n  {}",
            outcome.text().replace('\n', "\n  ")
        );
    }
    Ok(())
}

//! An executor with the settings of a test.

use std::time::Duration;

use crate::catalogue::Catalogue;
use crate::executor::{Executor, ExecutorBuilder};

/// How long a call may take in a test.
const TIMEOUT: Duration = Duration::from_secs(5);

/// An executor for a test: no call takes longer than five seconds, whatever
/// its tool says, and each runs in the test's own task, so that a test of one
/// thread stays one.
///
/// Any setting can be changed; with
/// [`isolation`](ExecutorBuilder::isolation) on, the tools run as in
/// production. Without it a sync function that hangs hangs the test.
///
/// # Examples
///
/// ```
/// use tool_core::{Call, Catalogue, testing, tool, tools};
///
/// struct Orders(Vec<&'static str>);
///
/// /// Count the orders.
/// #[tool]
/// fn count_orders(#[tool(state)] orders: &Orders) -> usize {
///     orders.0.len()
/// }
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() {
/// let tools = Catalogue::new(tools![count_orders]).unwrap();
/// let executor = testing::executor(&tools).state(Orders(vec!["lamp", "desk"])).build().unwrap();
/// assert_eq!(executor.call(Call::new("1", "count_orders", "{}")).await.text(), "2");
/// # }
/// ```
pub fn executor(catalogue: &Catalogue) -> ExecutorBuilder {
    Executor::builder(catalogue.clone())
        .timeout(TIMEOUT)
        .max_timeout(TIMEOUT)
        .isolation(false)
}

//! Results that are kept for a while.

use std::fmt;
use std::time::Duration;

use moka::sync::Cache as Entries;

use super::{Hook, HookedCall, Next};
use crate::approval::canonical;
use crate::error::ToolError;
use crate::output::{Content, Output};

/// A longer life is taken as this one: ten years.
const LONGEST: Duration = Duration::from_secs(10 * 365 * 24 * 60 * 60);

/// A hook that keeps the results of tools that are declared `read_only`, and
/// gives them again for equal arguments until their time is over. Errors are
/// not kept.
///
/// Arguments are equal when they mean the same: the order of their keys does not
/// count, and `1` is `1.0`. Equal calls that run at the same time each run.
///
/// It belongs before other hooks, so that what is kept is not retried and
/// counted again. The results are shared by all sessions of the executor: it
/// is not for tools whose result depends on who asks, or on the executor's
/// state. A clone is cheap and means the same cache. Needs the feature `cache`.
///
/// # Examples
///
/// ```
/// use std::sync::atomic::{AtomicUsize, Ordering};
/// use std::time::Duration;
/// use tool_core::{Cache, Call, Catalogue, Executor, tool, tools};
///
/// static READS: AtomicUsize = AtomicUsize::new(0);
///
/// /// Read a page.
/// #[tool(read_only)]
/// async fn read(
///     /// Which.
///     page: u32,
/// ) -> String {
///     READS.fetch_add(1, Ordering::Relaxed);
///     format!("page {page}")
/// }
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() {
/// let tools = Catalogue::new(tools![read]).unwrap();
/// let cache = Cache::new(Duration::from_secs(60));
/// let executor = Executor::builder(tools).hook(cache).build().unwrap();
/// for _ in 0..3 {
///     let outcome = executor.call(Call::new("1", "read", r#"{"page":7}"#)).await;
///     assert_eq!(outcome.text(), "page 7");
/// }
/// assert_eq!(READS.load(Ordering::Relaxed), 1);
/// # }
/// ```
#[derive(Clone)]
pub struct Cache {
    entries: Entries<Key, Output>,
}

/// The tool's name, and its arguments in bytes that stand for their meaning.
type Key = (Box<str>, Box<[u8]>);

impl Cache {
    /// A cache whose results live so long, of at most 32 MiB. More than ten
    /// years are taken as ten.
    pub fn new(time_to_live: Duration) -> Self {
        Self::with_bytes(time_to_live, 32 * 1024 * 1024)
    }

    /// A cache whose results live so long, of at most so many bytes of results
    /// and arguments; the least used go first.
    pub fn with_bytes(time_to_live: Duration, bytes: u64) -> Self {
        let entries = Entries::builder()
            .time_to_live(time_to_live.min(LONGEST))
            .max_capacity(bytes)
            .weigher(|key: &Key, output: &Output| {
                let bytes = key.0.len() + key.1.len() + size(output);
                u32::try_from(bytes).unwrap_or(u32::MAX)
            })
            .build();
        Self { entries }
    }

    /// Forgets all results, such as after something has been written.
    pub fn clear(&self) {
        self.entries.invalidate_all();
    }
}

impl Hook for Cache {
    async fn around(&self, call: &HookedCall, next: Next<'_>) -> Result<Output, ToolError> {
        let definition = call.tool().definition();
        if definition.annotations.read_only != Some(true) {
            return next.run().await;
        }
        let Some(key) = key(call) else {
            return next.run().await;
        };
        if let Some(kept) = self.entries.get(&key) {
            return Ok(kept);
        }
        let output = next.run().await?;
        self.entries.insert(key, output.clone());
        Ok(output)
    }
}

/// `None` for arguments that are nested too deep to be compared.
fn key(call: &HookedCall) -> Option<Key> {
    let mut bytes = Vec::new();
    canonical::value(call.arguments(), &mut bytes).ok()?;
    Some((call.tool().name().into(), bytes.into()))
}

fn size(output: &Output) -> usize {
    output
        .content()
        .iter()
        .map(|content| match content {
            Content::Text(text) | Content::Note(text) => text.len(),
            Content::Json(json) => json.as_str().len(),
            Content::File(file) => file.content.len(),
        })
        .sum()
}

impl fmt::Debug for Cache {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "Cache({} results)", self.entries.entry_count())
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicU32, Ordering};
    use std::time::Duration;

    use serde_json::{Value, json};

    use super::Cache;
    use crate::{Annotations, Call, Catalogue, Definition, Executor, Tool, ToolError};

    /// A tool that counts its runs, and fails in the first where it is told to.
    fn counting(annotations: Annotations) -> (Tool, Arc<AtomicU32>) {
        let runs = Arc::new(AtomicU32::new(0));
        let counter = Arc::clone(&runs);
        let mut definition = Definition::new("read", "Read it.", json!({ "type": "object" }));
        definition.annotations = annotations;
        let tool = Tool::new(definition, move |arguments: Value, _| {
            let run = counter.fetch_add(1, Ordering::SeqCst);
            async move {
                match run {
                    0 if arguments["fails"] == true => Err(ToolError::new("busy")),
                    run => Ok(run.to_string()),
                }
            }
        });
        (tool.unwrap(), runs)
    }

    async fn runs(annotations: Annotations, cache: Cache, all: &[Value]) -> u32 {
        let (tool, runs) = counting(annotations);
        let tools = Catalogue::new([tool]).unwrap();
        let executor = Executor::builder(tools).hook(cache).build().unwrap();
        for arguments in all {
            executor
                .call(Call::new("1", "read", arguments.clone()))
                .await;
        }
        runs.load(Ordering::SeqCst)
    }

    fn minute() -> Cache {
        Cache::new(Duration::from_secs(60))
    }

    const READ_ONLY: Annotations = Annotations::NONE.read_only(true);

    #[tokio::test]
    async fn what_means_the_same_runs_once_and_all_else_by_itself() {
        let same = [
            json!({"a": 1, "b": {"c": [2]}}),
            json!({"b": {"c": [2.0]}, "a": 1.0}),
        ];
        assert_eq!(runs(READ_ONLY, minute(), &same).await, 1);
        let others = [
            json!({}),
            json!({"a": 1}),
            json!({"a": "1"}),
            json!({"b": 1}),
        ];
        assert_eq!(runs(READ_ONLY, minute(), &others).await, 4);
    }

    #[tokio::test]
    async fn neither_errors_nor_what_a_tool_that_changes_something_gave_is_kept() {
        let fails = [
            json!({"fails": true}),
            json!({"fails": true}),
            json!({"fails": true}),
        ];
        assert_eq!(runs(READ_ONLY, minute(), &fails).await, 2);
        for annotations in [Annotations::NONE, Annotations::NONE.read_only(false)] {
            assert_eq!(
                runs(annotations, minute(), &[json!({}), json!({})]).await,
                2
            );
        }
    }

    #[tokio::test]
    async fn any_arguments_and_any_life_will_do() {
        let deep = (0..120).fold(json!(1), |inner, _| json!({ "a": inner }));
        assert_eq!(runs(READ_ONLY, minute(), &[deep.clone(), deep]).await, 2);
        let for_ever = Cache::new(Duration::MAX);
        assert_eq!(runs(READ_ONLY, for_ever, &[json!({}), json!({})]).await, 1);
    }
}

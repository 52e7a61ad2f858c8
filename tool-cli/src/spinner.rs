//! Shows on a terminal that a slow call is running, and how far it has come.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use tool_core::{Call, Progress};

use crate::control;
use crate::streams::Streams;

/// A call that is done sooner needs no spinner.
const PATIENCE: Duration = Duration::from_secs(1);
const TICK: Duration = Duration::from_millis(100);

/// A line on stderr that turns while calls are running. A clone is the same line.
#[derive(Clone, Debug)]
pub(crate) struct Spinner {
    shared: Arc<Shared>,
}

#[derive(Debug)]
struct Shared {
    enabled: bool,
    started: Instant,
    tools: HashMap<String, String>,
    line: Mutex<Line>,
}

#[derive(Debug)]
struct Line {
    text: String,
    bar: Option<ProgressBar>,
    /// Whether something else has the terminal, such as a question.
    paused: bool,
    over: bool,
}

impl Spinner {
    pub(crate) fn new(streams: Streams, calls: &[Call]) -> Self {
        let text = match calls {
            [only] => format!("running {}", control::one_line(&only.name)),
            several => format!("running {} calls", several.len()),
        };
        let names = calls
            .iter()
            .map(|call| (call.id.clone(), control::one_line(&call.name)));
        Self {
            shared: Arc::new(Shared {
                enabled: streams.can_draw(),
                started: Instant::now(),
                tools: names.collect(),
                line: Mutex::new(Line {
                    text,
                    bar: None,
                    paused: false,
                    over: false,
                }),
            }),
        }
    }

    /// Shows the line after a while, until the guard is dropped.
    pub(crate) fn start(&self) -> Running {
        if self.shared.enabled {
            let spinner = self.clone();
            tokio::spawn(async move {
                tokio::time::sleep(PATIENCE.saturating_sub(spinner.shared.started.elapsed())).await;
                spinner.show();
            });
        }
        Running(self.clone())
    }

    /// Takes the line away until the guard is dropped.
    pub(crate) fn pause(&self) -> Paused {
        let mut line = self.line();
        line.paused = true;
        line.clear();
        Paused(self.clone())
    }

    /// Shows how far a call has come.
    pub(crate) fn report(&self, call_id: &str, progress: &Progress) {
        let tool = self.shared.tools.get(call_id).map_or("", String::as_str);
        let mut line = self.line();
        line.text = control::one_line(&format!("{tool} {}", words(progress)));
        if let Some(bar) = &line.bar {
            bar.set_message(line.text.clone());
        }
    }

    fn show(&self) {
        let mut line = self.line();
        let early = self.shared.started.elapsed() < PATIENCE;
        if !self.shared.enabled || early || line.paused || line.over || line.bar.is_some() {
            return;
        }
        let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr())
            .with_message(line.text.clone())
            .with_elapsed(self.shared.started.elapsed());
        // No colours, so that there are none to switch off.
        if let Ok(style) = ProgressStyle::with_template("{spinner} {elapsed} {wide_msg}") {
            bar.set_style(style);
        }
        bar.enable_steady_tick(TICK);
        line.bar = Some(bar);
    }

    fn line(&self) -> MutexGuard<'_, Line> {
        self.shared
            .line
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }
}

impl Line {
    fn clear(&mut self) {
        if let Some(bar) = self.bar.take() {
            bar.finish_and_clear();
        }
    }
}

/// The line may be shown while this lives.
#[must_use]
pub(crate) struct Running(Spinner);

impl Drop for Running {
    fn drop(&mut self) {
        let mut line = self.0.line();
        line.over = true;
        line.clear();
    }
}

/// The line is not shown while this lives.
#[must_use]
pub(crate) struct Paused(Spinner);

impl Drop for Paused {
    fn drop(&mut self) {
        self.0.line().paused = false;
        self.0.show();
    }
}

/// `3/10 page 3 of 10`, as far as the tool says.
fn words(progress: &Progress) -> String {
    let amount = match progress.total {
        Some(total) => format!("{}/{}", rounded(progress.done), rounded(total)),
        None => rounded(progress.done),
    };
    match &progress.message {
        Some(message) => format!("{amount} {message}"),
        None => amount,
    }
}

/// At most two decimals, and none that say nothing.
fn rounded(number: f64) -> String {
    let text = format!("{number:.2}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

#[cfg(test)]
mod tests {
    use super::words;
    use tool_core::Progress;

    #[test]
    fn progress_reads_as_an_amount_and_a_message() {
        assert_eq!(
            words(&Progress::new(3.0).of(10.0).message("pages")),
            "3/10 pages"
        );
        assert_eq!(words(&Progress::new(0.256)), "0.26");
        assert_eq!(words(&Progress::new(100.0)), "100");
    }
}

//! Asks the person at the terminal before a tool runs that needs it.

use std::io::{self, BufRead as _};
use std::sync::Arc;

use tokio::sync::Mutex;
use tool_core::{ApprovalRequest, Decision};

use crate::control;
use crate::spinner::Spinner;
use crate::streams::Streams;

/// Asks about one call at a time.
#[derive(Clone, Debug)]
pub(crate) struct Approver {
    streams: Streams,
    spinner: Spinner,
    /// Two questions at once could not be told apart.
    turn: Arc<Mutex<()>>,
}

impl Approver {
    pub(crate) fn new(streams: Streams, spinner: Spinner) -> Self {
        Self {
            streams,
            spinner,
            turn: Arc::default(),
        }
    }

    /// What the person says; no where there is nobody to ask.
    pub(crate) async fn decide(self, request: ApprovalRequest) -> Decision {
        if !self.streams.can_ask() {
            return Decision::Deny(
                "there is no terminal to ask a person at; the option `--yes` allows it".to_owned(),
            );
        }
        let _turn = self.turn.lock().await;
        let _paused = self.spinner.pause();
        self.streams.ask(&question(&request));
        // Reading blocks, and other calls go on meanwhile.
        match tokio::task::spawn_blocking(answer).await {
            Ok(true) => Decision::Allow,
            _ => Decision::Deny("the person at the terminal said no".to_owned()),
        }
    }
}

fn question(request: &ApprovalRequest) -> String {
    let definition = request.tool.definition();
    let arguments = serde_json::to_string_pretty(&request.arguments).unwrap_or_default();
    let warning = if definition.annotations.destructive == Some(true) {
        "\nIt may delete or overwrite."
    } else {
        ""
    };
    format!(
        "The tool '{}' asks for your approval. Its arguments:\n{}{warning}\nRun it? [y/N]",
        control::one_line(&definition.name),
        control::escape_json(&arguments),
    )
}

/// Anything but a clear yes is a no, the end of the input too.
fn answer() -> bool {
    let mut line = String::new();
    let read = io::stdin().lock().read_line(&mut line);
    read.is_ok() && matches!(line.trim().to_ascii_lowercase().as_str(), "y" | "yes")
}

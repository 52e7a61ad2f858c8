//! Running one line.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use schemars::JsonSchema;
use serde::Serialize;
use tool_core::{ErrorKind, ToolError};

use super::line::{Connector, Line};
use super::parse::parse;
use super::plan;
use crate::policy::command::{Capture, Captured, Place, Stopped, Surroundings, run};
use crate::policy::{PathError, Policy};

/// How much of each stream is kept, in bytes.
const KEPT: usize = 32 * 1024;

/// A line to run.
#[derive(Clone, Debug, PartialEq, Eq)]
#[must_use]
pub struct Request {
    command: String,
    working_dir: String,
    timeout: Duration,
    input: Option<String>,
}

impl Request {
    /// A line that runs in the root, for 30 seconds at most, with nothing to read.
    pub fn new(command: impl Into<String>) -> Self {
        Self {
            command: command.into(),
            working_dir: ".".to_owned(),
            timeout: Duration::from_secs(30),
            input: None,
        }
    }

    /// Sets the directory to start in, relative to the root.
    pub fn working_dir(mut self, directory: impl Into<String>) -> Self {
        self.working_dir = directory.into();
        self
    }

    /// Sets after how long the line is ended. Default: 30 s.
    pub fn timeout(mut self, timeout: Duration) -> Self {
        self.timeout = timeout;
        self
    }

    /// Sets what the first command reads.
    pub fn input(mut self, input: impl Into<String>) -> Self {
        self.input = Some(input.into());
        self
    }
}

/// What came of a line. Everything in it may be written by strangers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[non_exhaustive]
pub struct Ran {
    /// The exit code of the last command that ran: 0 where it succeeded, 128 and the signal where one ended it. Missing
    /// where the line was stopped.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub exit_code: Option<i32>,
    /// What was written as the result: the start and the end where it is long.
    pub stdout: String,
    /// What was written as messages.
    pub stderr: String,
    /// Whether something was left out of the two.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub truncated: bool,
    /// Why the line was stopped before its end.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stopped: Option<String>,
}

/// Runs a line below the root of a policy, until it ends, its time is over or `is_cancelled` says so. Blocks.
///
/// # Errors
///
/// A [`ToolError`] of the kind `InvalidArguments` where the line cannot be read, `Denied` where the policy refuses a
/// part of it (nothing has run then, unless the hint says so), `Cancelled`, and `Failed` where a program is not
/// installed or does not start. A program that runs and fails is no error.
///
/// # Examples
///
/// ```
/// # if cfg!(target_os = "linux") {
/// use tool_builtins::Policy;
/// use tool_builtins::command_line::{Request, run_command};
///
/// let folder = tempfile::tempdir().unwrap();
/// std::fs::write(folder.path().join("notes.txt"), "b\na\n").unwrap();
/// let policy = Policy::new().root(folder.path());
///
/// let ran = run_command(&policy, &Request::new("sort notes.txt | head -n 1"), &|| false).unwrap();
/// assert_eq!((ran.exit_code, ran.stdout.as_str()), (Some(0), "a\n"));
///
/// let error = run_command(&policy, &Request::new("cat /etc/passwd"), &|| false).unwrap_err();
/// assert_eq!(error.message(), "`/etc/passwd` is outside the root directory");
/// # }
/// ```
pub fn run_command(
    policy: &Policy,
    request: &Request,
    is_cancelled: &dyn Fn() -> bool,
) -> Result<Ran, ToolError> {
    let line = parse(&request.command)?;
    let folder = policy.folder().map_err(PathError::into_tool_error)?;
    let root = PathBuf::new();
    let top = Place {
        policy,
        folder,
        directory: &root,
    };
    let start = top.change(&request.working_dir)?.map_err(|_| {
        let message = format!(
            "the directory `{}` is not there",
            crate::policy::shown(&request.working_dir)
        );
        ToolError::new(message).with_hint("use `.` for the root directory")
    })?;
    plan::check(
        &Place {
            directory: &start,
            ..top
        },
        &line,
    )?;
    let mut running = RunningLine {
        policy,
        deadline: Instant::now() + request.timeout,
        is_cancelled,
        directory: start,
        captured: Captured {
            output: Capture::new(KEPT),
            error: Capture::new(KEPT),
        },
    };
    let ended = running.run(&line, request.input.as_deref())?;
    let captured = running.captured;
    let stopped = match ended {
        Ok(_) => None,
        Err(Stopped::Cancelled) => {
            return Err(ToolError::with_kind(
                ErrorKind::Cancelled,
                "the command was cancelled and stopped",
            ));
        }
        Err(Stopped::TimedOut) => Some(match request.timeout.as_secs_f64() {
            1.0 => "timed out after 1 second".to_owned(),
            seconds => format!("timed out after {seconds} seconds"),
        }),
        Err(Stopped::TooMuch) => Some("stopped after more than 256 MiB of output".to_owned()),
    };
    Ok(Ran {
        exit_code: ended.ok(),
        stdout: captured.output.text(),
        stderr: captured.error.text(),
        truncated: captured.output.omitted() + captured.error.omitted() > 0,
        stopped,
    })
}

/// Whether a line asks for approval: whether it writes.
pub(super) fn asks(command: &str) -> bool {
    parse(command).is_ok_and(|line| plan::asks(&line))
}

struct RunningLine<'a> {
    policy: &'a Policy,
    deadline: Instant,
    is_cancelled: &'a dyn Fn() -> bool,
    directory: PathBuf,
    captured: Captured,
}

impl RunningLine<'_> {
    fn run(&mut self, line: &Line, input: Option<&str>) -> Result<Result<i32, Stopped>, ToolError> {
        let mut code = 0;
        let mut has_run = false;
        for (place, (connector, pipeline)) in line.pipelines.iter().enumerate() {
            let runs = match connector {
                Connector::Always => true,
                Connector::IfDone => code == 0,
                Connector::IfFailed => code != 0,
            };
            if !runs {
                continue;
            }
            let input = input.filter(|_| place == 0);
            code = match self.pipeline(&pipeline.commands, input) {
                Ok(Ok(code)) => code,
                Ok(stopped) => return Ok(stopped),
                Err(error) if has_run => return Err(after_others(error)),
                Err(error) => return Err(error),
            };
            has_run = true;
        }
        Ok(Ok(code))
    }

    fn pipeline(
        &mut self,
        commands: &[super::line::Command],
        input: Option<&str>,
    ) -> Result<Result<i32, Stopped>, ToolError> {
        let folder = self.policy.folder().map_err(PathError::into_tool_error)?;
        let place = Place {
            policy: self.policy,
            folder,
            directory: &self.directory,
        };
        if let Some(path) = plan::change(commands)? {
            let is_home = commands.iter().all(|command| command.words.is_empty());
            let changed = if is_home {
                Ok(PathBuf::new())
            } else {
                place.change(path)?
            };
            return Ok(Ok(match changed {
                Ok(directory) => {
                    self.directory = directory;
                    0
                }
                Err(message) => {
                    self.captured.error.push(format!("{message}\n").as_bytes());
                    1
                }
            }));
        }
        let stages = commands
            .iter()
            .map(|command| plan::stage(&place, command))
            .collect::<Result<Vec<_>, _>>()?;
        let streams = commands
            .iter()
            .map(|command| plan::streams(&place, &command.redirects))
            .collect::<Result<Vec<_>, _>>()?;
        let stages = stages.into_iter().zip(streams).collect();
        let surroundings = Surroundings {
            sandbox: self.policy.command_sandbox(),
            folder,
            directory: &self.directory,
            deadline: self.deadline,
            is_cancelled: self.is_cancelled,
        };
        run(&surroundings, stages, input, &mut self.captured)
    }
}

fn after_others(error: ToolError) -> ToolError {
    let hint = error
        .hint()
        .map(|hint| format!("{hint}; "))
        .unwrap_or_default();
    error.with_hint(format!("{hint}the commands before it have run"))
}

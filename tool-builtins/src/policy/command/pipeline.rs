//! Running the programs of one pipeline: started together, fed and read by one loop, ended together.

use std::fs::File;
use std::io::{ErrorKind, PipeReader, PipeWriter, Read, Write, pipe};
use std::os::unix::process::ExitStatusExt;
use std::process::{ExitStatus, Stdio};
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use tool_core::ToolError;

use super::capture::Capture;
use super::group::Group;
use super::launch::{Launch, Started, Surroundings, start};

/// How long programs get to end themselves once they are asked to.
const GRACE: Duration = Duration::from_millis(300);
/// How long one look at the streams may wait: so long it takes to hear of a cancellation.
const LOOK: Duration = Duration::from_millis(10);
/// How much a line may write before it is ended, in bytes.
const FLOOD: u64 = 256 * 1024 * 1024;

/// What stands at one place of a pipeline.
pub(crate) enum Stage {
    Program(Launch),
    /// What a command of our own writes.
    Text(Vec<u8>),
}

/// Where the streams of a stage go.
pub(crate) struct Streams {
    pub(crate) input: Option<File>,
    pub(crate) output: Target,
    pub(crate) error: Target,
}

/// Where a stream goes.
pub(crate) enum Target {
    /// On: to the next stage, or to the answer.
    On,
    /// To the answer as what went wrong.
    Complaint,
    File(File),
    Nowhere,
}

impl Target {
    /// The same target once more.
    pub(crate) fn again(&self) -> std::io::Result<Self> {
        Ok(match self {
            Self::On => Self::On,
            Self::Complaint => Self::Complaint,
            Self::File(file) => Self::File(file.try_clone()?),
            Self::Nowhere => Self::Nowhere,
        })
    }
}

/// Why a pipeline was ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stopped {
    TimedOut,
    Cancelled,
    TooMuch,
}

/// What a line has written so far.
pub(crate) struct Captured {
    pub(crate) output: Capture,
    pub(crate) error: Capture,
}

/// Runs a pipeline to its end; gives the exit code of its last stage.
///
/// # Errors
///
/// Where a program cannot be started; those before it are ended.
pub(crate) fn run(
    surroundings: &Surroundings<'_>,
    stages: Vec<(Stage, Streams)>,
    input: Option<&str>,
    captured: &mut Captured,
) -> Result<Result<i32, Stopped>, ToolError> {
    let broken = |error: std::io::Error| {
        ToolError::new(format!("running the command failed: {}", error.kind()))
    };
    let (output, output_end) = pipe().map_err(broken)?;
    let (error, error_end) = pipe().map_err(broken)?;
    let mut running = Running {
        group: Group::start().map_err(broken)?,
        children: Vec::new(),
        feeds: Vec::new(),
    };
    let mut before: Option<PipeReader> = None;
    let mut code = 0;
    let last = stages.len().saturating_sub(1);
    for (place, (stage, streams)) in stages.into_iter().enumerate() {
        let (next, on) = if place == last {
            (None, output_end.try_clone().map_err(broken)?)
        } else {
            let (next, on) = pipe().map_err(broken)?;
            (Some(next), on)
        };
        let from = match (streams.input, before.take()) {
            (Some(file), _) => Stdio::from(file),
            (None, Some(pipe)) => Stdio::from(pipe),
            (None, None) => match input.filter(|_| place == 0) {
                Some(text) => {
                    let (reader, writer) = pipe().map_err(broken)?;
                    running
                        .feed(writer, text.as_bytes().to_vec())
                        .map_err(broken)?;
                    Stdio::from(reader)
                }
                None => Stdio::null(),
            },
        };
        let to = |target: Target, default: &PipeWriter| {
            Ok::<_, std::io::Error>(match target {
                Target::On => Destination::Pipe(on.try_clone()?),
                Target::Complaint => Destination::Pipe(default.try_clone()?),
                Target::File(file) => Destination::File(file),
                Target::Nowhere => Destination::Nowhere,
            })
        };
        let to_output = to(streams.output, &error_end).map_err(broken)?;
        let to_error = to(streams.error, &error_end).map_err(broken)?;
        drop(on);
        match stage {
            Stage::Text(text) => {
                code = 0;
                running.write(to_output, text).map_err(broken)?;
            }
            Stage::Program(launch) => {
                let started = start(
                    surroundings,
                    &launch,
                    &running.group,
                    from,
                    to_output.into(),
                    to_error.into(),
                )?;
                running.children.push((started, None));
                code = -1;
            }
        }
        before = next;
    }
    drop((before, output_end, error_end));
    let ended = running
        .attend(surroundings, [output, error], captured)
        .map_err(broken)?;
    Ok(ended.map(|status| if code == -1 { status } else { code }))
}

enum Destination {
    Pipe(PipeWriter),
    File(File),
    Nowhere,
}

impl From<Destination> for Stdio {
    fn from(destination: Destination) -> Self {
        match destination {
            Destination::Pipe(pipe) => pipe.into(),
            Destination::File(file) => file.into(),
            Destination::Nowhere => Self::null(),
        }
    }
}

struct Feed {
    pipe: PipeWriter,
    bytes: Vec<u8>,
    written: usize,
}

/// A pipeline that runs. Dropping it ends its processes.
struct Running {
    group: Group,
    children: Vec<(Started, Option<ExitStatus>)>,
    feeds: Vec<Feed>,
}

impl Drop for Running {
    fn drop(&mut self) {
        self.group.kill();
        for (started, status) in &mut self.children {
            if status.is_none() {
                let _ = started.child.wait();
            }
        }
    }
}

impl Running {
    fn feed(&mut self, pipe: PipeWriter, bytes: Vec<u8>) -> std::io::Result<()> {
        rustix::io::ioctl_fionbio(&pipe, true)?;
        self.feeds.push(Feed {
            pipe,
            bytes,
            written: 0,
        });
        Ok(())
    }

    fn write(&mut self, destination: Destination, bytes: Vec<u8>) -> std::io::Result<()> {
        match destination {
            Destination::Pipe(pipe) => self.feed(pipe, bytes),
            Destination::File(mut file) => file.write_all(&bytes),
            Destination::Nowhere => Ok(()),
        }
    }

    /// Feeds and reads until all programs have ended, or have to.
    fn attend(
        &mut self,
        surroundings: &Surroundings<'_>,
        [output, error]: [PipeReader; 2],
        captured: &mut Captured,
    ) -> std::io::Result<Result<i32, Stopped>> {
        for pipe in [&output, &error] {
            rustix::io::ioctl_fionbio(pipe, true)?;
        }
        let mut readers = [Some(output), Some(error)];
        let mut stopped: Option<(Stopped, Instant)> = None;
        let mut ended: Option<Instant> = None;
        loop {
            let now = Instant::now();
            match stopped {
                None if ended.is_none() => {
                    let why = if (surroundings.is_cancelled)() {
                        Some(Stopped::Cancelled)
                    } else if now >= surroundings.deadline {
                        Some(Stopped::TimedOut)
                    } else if captured.output.total() + captured.error.total() > FLOOD {
                        Some(Stopped::TooMuch)
                    } else {
                        None
                    };
                    if let Some(why) = why {
                        self.feeds.clear();
                        self.group.terminate();
                        stopped = Some((why, now));
                    }
                }
                Some((_, since)) if now.duration_since(since) >= GRACE => self.group.kill(),
                _ => {}
            }
            self.look(&readers)?;
            self.feeds.retain_mut(Feed::go_on);
            for (reader, capture) in readers
                .iter_mut()
                .zip([&mut captured.output, &mut captured.error])
            {
                if reader
                    .as_mut()
                    .is_some_and(|reader| is_over(reader, capture))
                {
                    *reader = None;
                }
            }
            if self.all_ended()? && self.feeds.is_empty() && ended.is_none() {
                // What they have left in the background has nobody to answer to.
                self.group.kill();
                ended = Some(now);
            }
            // The last words are in the pipe; a process that dies slowly keeps its end open for a moment.
            if let Some(since) = ended
                && (readers.iter().all(Option::is_none) || now.duration_since(since) >= GRACE)
            {
                return Ok(match stopped {
                    Some((why, _)) => Err(why),
                    None => Ok(self.code()),
                });
            }
        }
    }

    /// Waits for something to do, not for long.
    fn look(&self, readers: &[Option<PipeReader>; 2]) -> std::io::Result<()> {
        let mut watched: Vec<PollFd<'_>> = (readers.iter().flatten())
            .map(|reader| PollFd::new(reader, PollFlags::IN))
            .collect();
        // With nothing to read any more, only the end of the programs is awaited.
        let time = if watched.is_empty() {
            Duration::from_millis(1)
        } else {
            LOOK
        };
        watched.extend((self.feeds.iter()).map(|feed| PollFd::new(&feed.pipe, PollFlags::OUT)));
        let time = Timespec::try_from(time).map_err(|_| ErrorKind::InvalidInput)?;
        match poll(&mut watched, Some(&time)) {
            Ok(_) | Err(rustix::io::Errno::INTR) => Ok(()),
            Err(error) => Err(error.into()),
        }
    }

    fn all_ended(&mut self) -> std::io::Result<bool> {
        for (started, status) in &mut self.children {
            if status.is_none() {
                *status = started.child.try_wait()?;
            }
        }
        Ok(self.children.iter().all(|(_, status)| status.is_some()))
    }

    /// As a shell counts: a program that a signal ended has 128 and the signal.
    fn code(&self) -> i32 {
        let status = self.children.last().and_then(|(_, status)| *status);
        status.map_or(0, |status| {
            (status.code())
                .or_else(|| status.signal().map(|signal| 128 + signal))
                .unwrap_or(1)
        })
    }
}

impl Feed {
    /// Writes what the pipe takes; false once there is no more to write.
    fn go_on(&mut self) -> bool {
        loop {
            let rest = self.bytes.get(self.written..).unwrap_or_default();
            if rest.is_empty() {
                return false;
            }
            match self.pipe.write(rest) {
                Ok(written) => self.written += written,
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => return error.kind() == ErrorKind::WouldBlock,
            }
        }
    }
}

/// Reads what is there, not for ever; true at the end of the stream.
fn is_over(reader: &mut PipeReader, capture: &mut Capture) -> bool {
    let mut buffer = [0; 16 * 1024];
    for _ in 0..16 {
        match reader.read(&mut buffer) {
            Ok(0) => return true,
            Ok(length) => capture.push(buffer.get(..length).unwrap_or_default()),
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) => return error.kind() != ErrorKind::WouldBlock,
        }
    }
    false
}

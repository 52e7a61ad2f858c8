//! From a command to what is done for it, all of it checked.

use std::path::PathBuf;

use tool_core::ToolError;

use super::echo;
use super::line::{Command, Line, Redirect, Stream};
use super::pattern::expand;
use super::word::Word;
use crate::policy::command::{Commands, Launch, Place, Stage, Streams, Target, locate};

/// Where output may go that nobody wants.
const NOWHERE: &str = "/dev/null";

/// The directory that a pipeline changes to, where it is a `cd`.
pub(super) fn change(commands: &[Command]) -> Result<Option<&str>, ToolError> {
    let Some(command) = commands.iter().find(|command| command.name.text == "cd") else {
        return Ok(None);
    };
    let refuse = |why: &str, hint: &str| {
        Err(ToolError::denied(format!("`cd` {why}")).with_hint(hint.to_owned()))
    };
    if commands.len() > 1 || !command.redirects.is_empty() {
        return refuse("stands in a pipeline", "write `cd DIRECTORY && …`");
    }
    match command.words.as_slice() {
        [] => Ok(Some(".")),
        [word] if word.text.starts_with('-') || !word.active.is_empty() => refuse(
            "takes the name of a directory",
            "write it out, relative to where you are",
        ),
        [word] => Ok(Some(&word.text)),
        _ => refuse("takes one directory", "quote a name with spaces"),
    }
}

/// Checks a whole line by how it is written, before any of it runs.
pub(super) fn check(place: &Place<'_>, line: &Line) -> Result<(), ToolError> {
    let mut directory: PathBuf = place.directory.to_owned();
    for (_, pipeline) in &line.pipelines {
        let here = Place {
            directory: &directory,
            ..*place
        };
        if let Some(path) = change(&pipeline.commands)? {
            let next = match path {
                "." if pipeline
                    .commands
                    .iter()
                    .all(|command| command.words.is_empty()) =>
                {
                    PathBuf::new()
                }
                path => {
                    here.check_written(path)?;
                    directory.join(path)
                }
            };
            directory = next;
            continue;
        }
        for command in &pipeline.commands {
            check_command(&here, command)?;
        }
    }
    Ok(())
}

fn check_command(place: &Place<'_>, command: &Command) -> Result<(), ToolError> {
    if !is_our_own(&command.name) {
        let commands = place.policy.allowed_commands();
        let (program, checked) = commands.check(&command.name.text, &command.words, &as_written)?;
        for (path, _) in &checked.paths {
            place.check_written(path)?;
        }
        if checked.writes {
            place.check_writes(&program)?;
        }
        locate(&program)?;
    }
    for redirect in &command.redirects {
        match redirect {
            Redirect::From(path) => place.check_written(one(path)?)?,
            Redirect::To { target, .. } if target.text != NOWHERE => {
                place.check_output(one(target)?)?;
            }
            Redirect::To { .. } | Redirect::Join(_) => {}
        }
    }
    Ok(())
}

/// Makes a command ready to run, as the files are now.
pub(super) fn stage(place: &Place<'_>, command: &Command) -> Result<Stage, ToolError> {
    Ok(match command.name.text.as_str() {
        "echo" => Stage::Text(echo::echo(&echo::texts(&command.words))),
        "pwd" => {
            let directory =
                Some(place.directory).filter(|directory| !directory.as_os_str().is_empty());
            let shown = directory.map_or(".".into(), |directory| directory.to_string_lossy());
            Stage::Text(format!("{shown}\n").into_bytes())
        }
        name => {
            let expand = |word: &Word| expand(place.folder, place.directory, word);
            let (program, checked) =
                (place.policy.allowed_commands()).check(name, &command.words, &expand)?;
            place.check_paths(&checked)?;
            if checked.writes {
                place.check_writes(&program)?;
            }
            Stage::Program(Launch {
                executable: locate(&program)?,
                program,
                arguments: checked.arguments,
                writes: checked.writes,
            })
        }
    })
}

/// Opens the files of a command's redirects. The last thing before it runs, as `>` empties what was there.
pub(super) fn streams(place: &Place<'_>, redirects: &[Redirect]) -> Result<Streams, ToolError> {
    let mut streams = Streams {
        input: None,
        output: Target::On,
        error: Target::Complaint,
    };
    for redirect in redirects {
        match redirect {
            Redirect::From(path) => streams.input = Some(place.open_input(one(path)?)?),
            Redirect::To {
                stream,
                append,
                target,
            } => {
                let to = if target.text == NOWHERE {
                    Target::Nowhere
                } else {
                    Target::File(place.open_output(one(target)?, *append)?)
                };
                match stream {
                    Stream::Out => streams.output = to,
                    Stream::Error => streams.error = to,
                }
            }
            Redirect::Join(Stream::Error) => streams.error = streams.output.again()?,
            Redirect::Join(Stream::Out) => streams.output = streams.error.again()?,
        }
    }
    Ok(streams)
}

/// Whether a person should be asked: whether a command writes, or a host has described it.
///
/// A line that no policy would run is refused without asking anybody.
pub(super) fn asks(line: &Line) -> bool {
    let widest = Commands::widest();
    let commands = line
        .pipelines
        .iter()
        .flat_map(|(_, pipeline)| &pipeline.commands);
    let mut asks = false;
    for command in commands {
        let name = command.name.text.as_str();
        asks |= (command.redirects.iter()).any(
            |redirect| matches!(redirect, Redirect::To { target, .. } if target.text != NOWHERE),
        );
        if is_our_own(&command.name) || name == "cd" {
            continue;
        }
        match widest.check(name, &command.words, &as_written) {
            _ if Commands::is_described(name) => asks = true,
            Ok((_, checked)) => asks |= checked.writes,
            Err(_) => return false,
        }
    }
    asks
}

fn is_our_own(name: &Word) -> bool {
    matches!(name.text.as_str(), "echo" | "pwd")
}

#[expect(
    clippy::unnecessary_wraps,
    reason = "it stands where names are looked up, which can fail"
)]
fn as_written(word: &Word) -> Result<Vec<String>, ToolError> {
    Ok(vec![word.text.clone()])
}

/// The name of a file to read from or write to.
fn one(word: &Word) -> Result<&str, ToolError> {
    if word.active.is_empty() {
        Ok(&word.text)
    } else {
        Err(ToolError::denied(format!(
            "the pattern `{}` is not taken after `<` or `>`",
            crate::policy::shown(&word.text)
        ))
        .with_hint("write the name out"))
    }
}

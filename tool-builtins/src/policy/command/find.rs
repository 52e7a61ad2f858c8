//! The words of `find`: where it starts, then an expression.

use tool_core::ToolError;

use super::arguments::{Checked, Expand, Use};
use super::program::Program;
use crate::command_line::Word;
use crate::policy::shown;

/// Tests and operators that take nothing.
const ALONE: [&str; 25] = [
    "!",
    "-not",
    "-a",
    "-and",
    "-o",
    "-or",
    ",",
    "(",
    ")",
    "-print",
    "-print0",
    "-ls",
    "-prune",
    "-quit",
    "-empty",
    "-true",
    "-false",
    "-depth",
    "-xdev",
    "-mount",
    "-readable",
    "-writable",
    "-executable",
    "-daystart",
    "-nouser",
];

/// Tests that take one word of text.
const WITH_TEXT: [&str; 25] = [
    "-name",
    "-iname",
    "-path",
    "-ipath",
    "-wholename",
    "-iwholename",
    "-lname",
    "-ilname",
    "-regex",
    "-iregex",
    "-regextype",
    "-type",
    "-xtype",
    "-size",
    "-maxdepth",
    "-mindepth",
    "-mtime",
    "-mmin",
    "-atime",
    "-amin",
    "-ctime",
    "-cmin",
    "-perm",
    "-links",
    "-printf",
];

/// Tests that take a path.
const WITH_PATH: [&str; 4] = ["-newer", "-anewer", "-cnewer", "-samefile"];

/// Checks the words after `find`. Nothing that runs a program, writes, removes or follows links is let through.
pub(super) fn check(
    program: &Program,
    words: &[Word],
    expand: Expand<'_>,
) -> Result<Checked, ToolError> {
    let mut checked = Checked::default();
    let mut words = words.iter().peekable();
    // The default, which is the one that does not follow links.
    words.next_if(|word| word.text == "-P");
    checked.arguments.push("-P".to_owned());
    while let Some(word) = words.next_if(|word| !is_expression(&word.text)) {
        for name in expand(word)? {
            checked.arguments.push(name.clone());
            checked.paths.push((name, Use::Read));
        }
    }
    while let Some(word) = words.next() {
        let text = word.text.as_str();
        checked.arguments.push(text.to_owned());
        if ALONE.contains(&text) {
            continue;
        }
        let takes_path = WITH_PATH.contains(&text);
        if !takes_path && !WITH_TEXT.contains(&text) && text != "-newermt" {
            return Err(refused(program, text));
        }
        let Some(value) = words.next() else {
            return Err(ToolError::denied(format!("`find`: `{text}` needs a value")));
        };
        if takes_path {
            checked.paths.push((value.text.clone(), Use::Read));
        }
        checked.arguments.push(value.text.clone());
    }
    Ok(checked)
}

fn is_expression(text: &str) -> bool {
    text.starts_with('-') || matches!(text, "(" | ")" | "!" | ",")
}

fn refused(program: &Program, text: &str) -> ToolError {
    let hint = match text {
        "-delete" => "list the files, then remove them with `rm`",
        "-exec" | "-execdir" | "-ok" | "-okdir" => {
            "list the files, then give their names to the program in another call"
        }
        "-fprint" | "-fprint0" | "-fprintf" | "-fls" => {
            "print, and send the output to a file with `>`"
        }
        "-L" | "-H" | "-follow" => "links are not followed; name the directory itself",
        _ => {
            "allowed are `-name`, `-path`, `-regex`, `-type`, `-size`, `-maxdepth`, `-mtime`, `-newer`, `-perm`, \
             `-printf`, `-print0`, `-prune` and the like; to allow another, describe the program with \
             `Commands::allow`, or `--allow-command` on the command line"
        }
    };
    ToolError::denied(format!("`{}` of `{program}` is not allowed", shown(text))).with_hint(hint)
}

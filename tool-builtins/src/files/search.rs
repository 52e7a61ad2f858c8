//! Lines that match a pattern.

use std::fmt::Write as _;
use std::ops::ControlFlow;

use regex::{Regex, RegexBuilder};

use super::error::{FileError, FileErrorKind};
use super::find::{Glob, below};
use crate::policy::{EntryKind, Policy, Walk, read_entry, shown};
use crate::text::clean::clean;
use crate::text::decode::{Markup, decode};
use crate::text::kind::binary_type;

/// How many matching lines are given when the caller does not say.
const LIMIT: usize = 100;

/// How many characters of a line are given, and how many of them before the match.
const LINE: usize = 300;
const LEAD: usize = 100;

/// How large an answer grows, in bytes.
const LARGEST: usize = 512 * 1024;

/// The longest expression that is taken, in bytes, and the memory that it may be compiled to.
const LONGEST: usize = 1000;
const COMPILED: usize = 1 << 20;

/// What to search for, and where. Start from [`SearchOptions::new`].
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct SearchOptions {
    /// A regular expression, matched against each line.
    pub pattern: String,
    /// The directory to look in, or one file. Default: the root.
    pub path: String,
    /// Only files that match this glob. Default: all.
    pub glob: Option<String>,
    /// Whether upper and lower case are the same. Default: no.
    pub ignore_case: bool,
    /// How many lines before and after each match to give. Default: 0.
    pub context: usize,
    /// Whether to look at names that start with a dot. Default: no.
    pub hidden: bool,
    /// Whether to look at what a `.gitignore` leaves out. Default: no.
    pub ignored: bool,
    /// How many matching lines to give at most. Default: 100.
    pub limit: usize,
}

impl SearchOptions {
    /// Lines that match a regular expression, in all text files below the root that are neither hidden nor ignored.
    pub fn new(pattern: impl Into<String>) -> Self {
        Self {
            pattern: pattern.into(),
            path: ".".to_owned(),
            glob: None,
            ignore_case: false,
            context: 0,
            hidden: false,
            ignored: false,
            limit: LIMIT,
        }
    }
}

/// The lines that were found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Matches {
    /// For each file its path, and below it each line with its number: `12: ` before a line that matches, `12- ` before
    /// one around it, `--` between lines that do not follow each other.
    pub text: String,
    /// How many lines match, of those that were looked at.
    pub lines: usize,
    /// In how many files they are.
    pub files: usize,
    /// How many files were searched.
    pub searched: usize,
    /// How many files were passed over: not text, too large, or not readable.
    pub skipped: usize,
    /// Whether the search ended early: enough lines were found, or there is too much to look at.
    pub incomplete: bool,
}

/// Searches the text files below a directory, in any encoding. Links are not followed.
///
/// The time that a search takes grows with the length of the text only, whatever the expression.
///
/// # Errors
///
/// A [`FileError`] when the path leads outside the root, and when the expression or the glob is not valid.
pub fn search_files(policy: &Policy, options: &SearchOptions) -> Result<Matches, FileError> {
    search_until(policy, options, &|| false)
}

pub(super) fn search_until(
    policy: &Policy,
    options: &SearchOptions,
    stop: &dyn Fn() -> bool,
) -> Result<Matches, FileError> {
    let search = Search {
        pattern: compile(&options.pattern, options.ignore_case)?,
        context: options.context,
        limit: options.limit,
        stop,
    };
    let glob = options.glob.as_deref().map(Glob::new).transpose()?;
    let mut matches = Matches::default();
    if policy.metadata(&options.path)?.is_file() {
        let content = policy.read(&options.path)?;
        search.file(&shown(&options.path), &content, &mut matches);
        return Ok(matches);
    }
    let walk = Walk {
        depth: usize::MAX,
        hidden: options.hidden,
        ignored: options.ignored,
    };
    let largest = policy.limits().file_read;
    let walked = policy.walk(&options.path, walk, &mut |visit| {
        let is_wanted = glob.as_ref().is_none_or(|glob| glob.matches(visit));
        if visit.kind == EntryKind::File && is_wanted {
            match read_entry(visit.directory, visit.name.as_ref(), largest) {
                Some(content) => {
                    let path = below(&options.path, visit.path);
                    search.file(&path, &content, &mut matches);
                }
                None => matches.skipped += 1,
            }
        }
        if matches.incomplete || stop() {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    })?;
    matches.incomplete |= walked.incomplete;
    matches.skipped += walked.unread;
    Ok(matches)
}

fn compile(pattern: &str, ignore_case: bool) -> Result<Regex, FileError> {
    let refused = |why: &str| {
        let message = format!("`{}` is no regular expression: {why}", shown(pattern));
        FileError::new(FileErrorKind::InvalidPattern, message).with_hint(
            "put `\\` before a character of `\\.+*?()|[]{}^$` that stands for itself; there are no look-around and no \
             back-references",
        )
    };
    if pattern.len() > LONGEST {
        return Err(refused("it is too long"));
    }
    RegexBuilder::new(pattern)
        .case_insensitive(ignore_case)
        .size_limit(COMPILED)
        .dfa_size_limit(COMPILED)
        .build()
        .map_err(|error| match error {
            regex::Error::CompiledTooBig(_) => refused("it is too large"),
            // The last line says what is wrong, those before it draw where.
            error => {
                let full = error.to_string();
                let last = full.lines().last().unwrap_or_default();
                refused(&shown(last.trim_start_matches("error: ")))
            }
        })
}

struct Search<'a> {
    pattern: Regex,
    context: usize,
    limit: usize,
    stop: &'a dyn Fn() -> bool,
}

impl Search<'_> {
    fn file(&self, path: &str, content: &[u8], matches: &mut Matches) {
        if binary_type(content).is_some() {
            matches.skipped += 1;
            return;
        }
        matches.searched += 1;
        // As it is read: what cannot be seen cannot be found, and the numbers are those of reading.
        let text = clean(&decode(content, None, Markup::None).text);
        let lines: Vec<&str> = text.lines().collect();
        let mut told = 0;
        let mut is_new = true;
        for (index, line) in lines.iter().enumerate() {
            if index % 1000 == 999 && (self.stop)() {
                matches.incomplete = true;
                return;
            }
            let Some(found) = self.pattern.find(line) else {
                continue;
            };
            if matches.lines == self.limit || matches.text.len() > LARGEST {
                matches.incomplete = true;
                return;
            }
            if is_new {
                let gap = if matches.text.is_empty() { "" } else { "\n" };
                let _ = writeln!(matches.text, "{gap}{path}");
                matches.files += 1;
            }
            let start = index.saturating_sub(self.context).max(told);
            if !is_new && start > told && self.context > 0 {
                matches.text.push_str("--\n");
            }
            around(&lines, start, index, matches);
            let _ = writeln!(matches.text, "{}: {}", index + 1, part(line, found.start()));
            matches.lines += 1;
            is_new = false;
            // Lines after this match, up to the next one, which tells itself.
            let end = (index + 1 + self.context).min(lines.len());
            let next = (index + 1..end).find(|next| {
                lines
                    .get(*next)
                    .is_some_and(|line| self.pattern.is_match(line))
            });
            told = next.unwrap_or(end);
            around(&lines, index + 1, told, matches);
        }
    }
}

/// Tells lines that do not match themselves.
fn around(lines: &[&str], start: usize, end: usize, matches: &mut Matches) {
    for (index, line) in lines.iter().enumerate().take(end).skip(start) {
        let _ = writeln!(matches.text, "{}- {}", index + 1, part(line, 0));
    }
}

/// The part of a line around a match.
fn part(line: &str, place: usize) -> String {
    if line.chars().nth(LINE).is_none() {
        return line.to_owned();
    }
    let before = line.get(..place).unwrap_or_default().chars().count();
    let skipped = before.saturating_sub(LEAD);
    let shown: String = line.chars().skip(skipped).take(LINE).collect();
    let start = if skipped > 0 { "…" } else { "" };
    let is_cut = line.chars().nth(skipped + LINE).is_some();
    let end = if is_cut { "…" } else { "" };
    format!("{start}{shown}{end}")
}

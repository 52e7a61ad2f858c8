//! The arguments of a program, checked against its description and written anew.
//!
//! The program gets its options first, each in the spelling that leaves no doubt, then `--`, then the operands. So it
//! cannot read them in another way than they were checked.

use tool_core::ToolError;

use super::program::{Choice, Grant, Kind, Language, Operand, Program, Value};
use super::sed;
use crate::command_line::Word;
use crate::policy::shown;

/// Arguments that may be given to a program.
#[derive(Debug, Default)]
pub(crate) struct Checked {
    /// All arguments, without the name of the program.
    pub(crate) arguments: Vec<String>,
    /// Every path among them, and what is done to it.
    pub(crate) paths: Vec<(String, Use)>,
    /// Whether this run changes files.
    pub(crate) writes: bool,
    /// Whether a directory is taken with all that is in it.
    pub(crate) recursive: bool,
}

/// What a program does to a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Use {
    /// Reads it.
    Read,
    /// Makes or changes it.
    Write,
    /// Removes it or moves it away.
    Remove,
}

/// From a word to the names it stands for.
pub(crate) type Expand<'a> = &'a dyn Fn(&Word) -> Result<Vec<String>, ToolError>;

/// Checks the words after the name of a program.
///
/// # Errors
///
/// `Denied` for what the description does not hold.
pub(super) fn check(
    program: &Program,
    words: &[Word],
    expand: Expand<'_>,
) -> Result<Checked, ToolError> {
    let mut reader = Reader {
        program,
        expand,
        checked: Checked {
            arguments: program.always.clone(),
            writes: program.may(Grant::Writes),
            ..Checked::default()
        },
        dropped: false,
        scripts: Vec::new(),
    };
    let mut operands = Vec::new();
    let mut words = words.iter();
    while let Some(word) = words.next() {
        let text = word.text.as_str();
        if text == "--" {
            operands.extend(words.by_ref());
        } else if text.starts_with("--") {
            reader.long(text, &mut words)?;
        } else if text.len() > 1 && text.starts_with('-') && !reader.is_number(text) {
            reader.short(text, &mut words)?;
        } else {
            operands.push(word);
        }
    }
    reader.operands(&operands)?;
    if program.language == Language::Sed {
        // Without `-e`, the first operand is the script.
        let operand = operands.first().filter(|_| !reader.dropped);
        let scripts = reader.scripts.iter().map(String::as_str);
        for script in scripts.chain(operand.map(|word| word.text.as_str())) {
            sed::check(script)?;
        }
        if reader.checked.writes {
            for (_, what) in &mut reader.checked.paths {
                *what = Use::Write;
            }
        }
    }
    Ok(reader.checked)
}

struct Reader<'a> {
    program: &'a Program,
    expand: Expand<'a>,
    checked: Checked,
    /// Whether an option stands for the first operand.
    dropped: bool,
    /// The values of the options that stand for an operand.
    scripts: Vec<String>,
}

impl<'a> Reader<'a> {
    fn find(&self, name: &str) -> Result<&'a Choice, ToolError> {
        let program = self.program;
        (program.options.iter())
            .find(|choice| choice.names.iter().any(|other| other == name))
            .ok_or_else(|| unknown(program, name))
    }

    /// A negative number where numbers are operands.
    fn is_number(&self, text: &str) -> bool {
        let takes_numbers = |operand: &Operand| operand.kind == Kind::Number;
        self.program.operands.iter().any(takes_numbers)
            && matches!(text.as_bytes().get(1), Some(b'0'..=b'9' | b'.'))
    }

    fn long(
        &mut self,
        text: &str,
        words: &mut std::slice::Iter<'_, Word>,
    ) -> Result<(), ToolError> {
        let (name, attached) = match text.split_once('=') {
            Some((name, value)) => (name, Some(value.to_owned())),
            None => (text, None),
        };
        let choice = self.find(name)?;
        let value = match (choice.value, attached) {
            (Value::None, Some(_)) => {
                return Err(self.refuse(&format!("the option `{name}` takes no value")));
            }
            (Value::Needed(_), None) => Some(self.next(name, words)?),
            (_, attached) => attached,
        };
        self.give(choice, value)
    }

    fn short(
        &mut self,
        text: &str,
        words: &mut std::slice::Iter<'_, Word>,
    ) -> Result<(), ToolError> {
        let number = text.get(1..).unwrap_or_default();
        if number.bytes().all(|byte| byte.is_ascii_digit())
            && let Ok(choice) = self.find("-NUM")
        {
            return self.give(choice, Some(number.to_owned()));
        }
        for (place, letter) in text.char_indices().skip(1) {
            let name = format!("-{letter}");
            let choice = self.find(&name)?;
            let rest = text.get(place + letter.len_utf8()..).unwrap_or_default();
            match choice.value {
                Value::None => {
                    // `sed -ie` would keep a copy under another name, and not do what `-i -e` does.
                    if self.program.language == Language::Sed && letter == 'i' && !rest.is_empty() {
                        return Err(self
                            .refuse("`-i` with a suffix is not allowed")
                            .with_hint("write `-i` alone, apart from other options"));
                    }
                    self.give(choice, None)?;
                }
                Value::Attached(_) => {
                    return self.give(choice, (!rest.is_empty()).then(|| rest.to_owned()));
                }
                Value::Needed(_) => {
                    let value = if rest.is_empty() {
                        self.next(&name, words)?
                    } else {
                        rest.to_owned()
                    };
                    return self.give(choice, Some(value));
                }
            }
        }
        Ok(())
    }

    fn next(
        &self,
        name: &str,
        words: &mut std::slice::Iter<'_, Word>,
    ) -> Result<String, ToolError> {
        (words.next().map(|word| word.text.clone()))
            .ok_or_else(|| self.refuse(&format!("the option `{name}` needs a value")))
    }

    fn give(&mut self, choice: &'a Choice, value: Option<String>) -> Result<(), ToolError> {
        let name = choice.names.first().map_or("", String::as_str);
        if choice.instead {
            self.dropped = true;
            self.scripts.extend(value.clone());
        }
        self.checked.recursive |= name == "-r";
        self.checked.writes |= self.program.language == Language::Sed && name == "-i";
        if let (Some(value), Value::Needed(kind) | Value::Attached(kind)) = (&value, choice.value) {
            self.value(kind, value)?;
        }
        let arguments = &mut self.checked.arguments;
        match (value, name.starts_with("--")) {
            (None, _) => arguments.push(name.to_owned()),
            (Some(value), true) => arguments.push(format!("{name}={value}")),
            (Some(value), false) => match choice.value {
                Value::Attached(_) => arguments.push(format!("{name}{value}")),
                _ => arguments.extend([name.to_owned(), value]),
            },
        }
        Ok(())
    }

    fn operands(&mut self, words: &[&Word]) -> Result<(), ToolError> {
        let mut specs = self.program.operands.clone();
        if self.dropped
            && let Some(place) = specs.iter().position(|one| !one.repeated && !one.optional)
        {
            specs.remove(place);
        }
        let kinds = assign(&specs, words.len()).map_err(|problem| self.refuse(&problem))?;
        let mut operands = Vec::new();
        for (word, operand) in words.iter().zip(kinds) {
            let is_path = matches!(operand.kind, Kind::Path | Kind::Out | Kind::Gone);
            let names = if is_path {
                (self.expand)(word)?
            } else {
                vec![word.text.clone()]
            };
            if !operand.repeated && names.len() > 1 {
                let message = format!(
                    "the pattern `{}` stands for {} names where `{}` takes one",
                    shown(&word.text),
                    names.len(),
                    self.program.name
                );
                return Err(self.refuse(&message));
            }
            for name in &names {
                self.value(operand.kind, name)?;
            }
            operands.extend(names);
        }
        if !operands.is_empty() {
            self.checked.arguments.push("--".to_owned());
            self.checked.arguments.extend(operands);
        }
        Ok(())
    }

    fn value(&mut self, kind: Kind, value: &str) -> Result<(), ToolError> {
        let complaint = match kind {
            Kind::Text => None,
            Kind::Count => (!is_count(value)).then_some("a whole number"),
            Kind::Number => (!is_number(value)).then_some("a number"),
            Kind::Format => (!value.starts_with('+')).then_some("a format that starts with `+`"),
            Kind::Path | Kind::Out | Kind::Gone => {
                let what = match kind {
                    Kind::Path => Use::Read,
                    Kind::Out => Use::Write,
                    _ => Use::Remove,
                };
                self.checked.writes |= what != Use::Read;
                // The standard input.
                if value != "-" || what != Use::Read {
                    self.checked.paths.push((value.to_owned(), what));
                }
                None
            }
        };
        match complaint {
            Some(expected) => Err(self.refuse(&format!(
                "`{}` of `{}` is not allowed: expected {expected}",
                shown(value),
                self.program.name
            ))),
            None => Ok(()),
        }
    }

    fn refuse(&self, message: &str) -> ToolError {
        let message = if message.contains(&format!("`{}`", self.program.name)) {
            message.to_owned()
        } else {
            format!("`{}`: {message}", self.program.name)
        };
        ToolError::denied(message)
    }
}

/// Which operand each word is.
fn assign(specs: &[Operand], count: usize) -> Result<Vec<Operand>, String> {
    let needed = specs.iter().filter(|one| !one.optional).count();
    if count < needed {
        return Err(format!(
            "{count} operands are given, at least {needed} are needed"
        ));
    }
    let Some(place) = specs.iter().position(|one| one.repeated) else {
        return if count > specs.len() {
            Err(format!(
                "{count} operands are given, at most {} are taken",
                specs.len()
            ))
        } else {
            Ok(specs.iter().copied().take(count).collect())
        };
    };
    let (before, after) = specs.split_at(place);
    let (repeated, after) = after.split_at(1);
    let middle = count.saturating_sub(before.len() + after.len());
    let mut kinds: Vec<Operand> = before.to_vec();
    kinds.extend(repeated.iter().cycle().take(middle));
    kinds.extend(after);
    kinds.truncate(count);
    Ok(kinds)
}

fn is_count(text: &str) -> bool {
    let digits = text.strip_prefix(['+', '-']).unwrap_or(text);
    let unit = digits.trim_start_matches(|letter: char| letter.is_ascii_digit());
    let number = digits.len() - unit.len();
    (1..=18).contains(&number)
        && [
            "", "b", "k", "K", "kB", "KB", "KiB", "M", "MB", "MiB", "G", "GB", "GiB",
        ]
        .contains(&unit)
}

fn is_number(text: &str) -> bool {
    text.len() <= 40
        && text.bytes().any(|byte| byte.is_ascii_digit())
        && text
            .bytes()
            .all(|byte| byte.is_ascii_digit() || b"+-.eE".contains(&byte))
}

fn unknown(program: &Program, name: &str) -> ToolError {
    ToolError::denied(format!(
        "the option `{}` of `{}` is not allowed",
        shown(name),
        program.name
    ))
    .with_hint(format!(
        "allowed: {}; to allow another, describe the program with `Commands::allow`, or `--allow-command` on the \
         command line",
        program.options()
    ))
}

//! What one program may be asked to do, described in a line of text.

use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;

use tool_core::ToolError;

/// A program that a model may run, and the options and operands it may be given. What is not described is refused.
///
/// A description is one line, the same in code, on the command line and in the environment: the name, a colon, and
/// entries that `;` separates.
///
/// | entry | means |
/// |---|---|
/// | `-r --raw-output` | an option and its other spellings; it takes no value |
/// | `-n --lines=COUNT` | an option with a value of a kind |
/// | `--color[=TEXT]` | an option that may have a value, attached to it |
/// | `-n --lines -NUM=COUNT` | `-5` is another spelling of `-n 5` |
/// | `-e=TEXT instead` | with this option the first operand that is no file is left out |
/// | `TEXT PATH...` | the operands in order; `?` marks one that may be missing, `...` any number |
/// | `always ARGUMENT…` | arguments that every run gets, first |
/// | `temporary` | it gets an empty directory outside of the root for its temporary files, while it runs |
/// | `writes` | the program changes files without naming them |
/// | `forks` | it may start processes; only programs of `runs` can be started, and itself |
/// | `network` | it may open sockets |
/// | `reads PATH…` | directories or files outside the root that it reads |
/// | `runs PATH…` | directories or files that hold programs it starts |
///
/// The kinds of values: `PATH` is read and has to be inside the root, `OUT` is written and has to be too, `GONE` is
/// removed or moved away, `TEXT` is anything, `COUNT` is a whole number, perhaps with a sign or a unit such as `K`,
/// `NUMBER` any number, `FORMAT` starts with `+`.
///
/// A program is looked up below `/usr/bin` and `/bin` only, never in `PATH`; a name with a `/` is an absolute path.
///
/// # Examples
///
/// ```
/// use tool_builtins::policy::Program;
///
/// let program: Program = "jq: -r --raw-output; --indent=COUNT; TEXT PATH...".parse().unwrap();
/// assert_eq!(program.name(), "jq");
///
/// let error = "jq: -r --raw-output; FILE".parse::<Program>().unwrap_err();
/// assert!(error.message().contains("`FILE`"));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Program {
    pub(super) name: String,
    pub(super) path: Option<PathBuf>,
    pub(super) options: Vec<Choice>,
    pub(super) operands: Vec<Operand>,
    pub(super) always: Vec<String>,
    pub(super) grants: Vec<Grant>,
    pub(super) reads: Vec<PathBuf>,
    pub(super) runs: Vec<PathBuf>,
    pub(super) language: Language,
}

/// What a program may do beyond reading and answering.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Grant {
    Writes,
    Temporary,
    Forks,
    Network,
}

/// How the words of a program are read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Language {
    /// Options, then operands.
    #[default]
    Options,
    /// The expression of `find`.
    Find,
    /// Options and operands, and the script of `sed`.
    Sed,
}

/// One option with all its spellings.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Choice {
    pub(super) names: Vec<String>,
    pub(super) value: Value,
    /// Whether an operand is left out where this is given.
    pub(super) instead: bool,
}

/// What an option takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Value {
    None,
    Needed(Kind),
    Attached(Kind),
}

/// What a value is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Text,
    Count,
    Number,
    Format,
    Path,
    Out,
    Gone,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Operand {
    pub(super) kind: Kind,
    pub(super) optional: bool,
    pub(super) repeated: bool,
}

impl Program {
    /// The name by which it is called.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    pub(super) fn may(&self, grant: Grant) -> bool {
        self.grants.contains(&grant)
    }

    /// All options, for the message about one that is not among them.
    pub(super) fn options(&self) -> String {
        let all: Vec<&str> = (self.options.iter())
            .flat_map(|option| option.names.iter().map(String::as_str))
            .collect();
        if all.is_empty() {
            "none".to_owned()
        } else {
            all.join(" ")
        }
    }
}

impl fmt::Display for Program {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.name)
    }
}

impl FromStr for Program {
    type Err = ToolError;

    fn from_str(text: &str) -> Result<Self, ToolError> {
        let (name, entries) = text.split_once(':').unwrap_or((text, ""));
        let name = name.trim();
        let path = name.contains('/').then(|| PathBuf::from(name));
        let base = name.rsplit('/').next().unwrap_or_default();
        let is_name = |name: &str| {
            !name.is_empty()
                && !name.starts_with(['-', '.'])
                && (name.chars())
                    .all(|letter| letter.is_ascii_alphanumeric() || "._+-".contains(letter))
        };
        if !is_name(base) || path.as_ref().is_some_and(|path| !path.is_absolute()) {
            return Err(bad(text, name, "the name of a program or an absolute path"));
        }
        let mut program = Self {
            name: base.to_owned(),
            path,
            options: Vec::new(),
            operands: Vec::new(),
            always: Vec::new(),
            grants: Vec::new(),
            reads: Vec::new(),
            runs: Vec::new(),
            language: Language::Options,
        };
        for entry in entries.split(';') {
            program.add(text, entry)?;
        }
        if program.operands.iter().filter(|one| one.repeated).count() > 1 {
            return Err(bad(text, "...", "one `...` at most"));
        }
        Ok(program)
    }
}

impl Program {
    fn add(&mut self, text: &str, entry: &str) -> Result<(), ToolError> {
        let words: Vec<&str> = entry.split_whitespace().collect();
        let Some((first, rest)) = words.split_first() else {
            return Ok(());
        };
        let owned = |words: &[&str]| {
            words
                .iter()
                .map(|word| (*word).to_owned())
                .collect::<Vec<_>>()
        };
        match *first {
            "writes" if rest.is_empty() => self.grants.push(Grant::Writes),
            "temporary" if rest.is_empty() => self.grants.push(Grant::Temporary),
            "forks" if rest.is_empty() => self.grants.push(Grant::Forks),
            "network" if rest.is_empty() => self.grants.push(Grant::Network),
            "always" => self.always.extend(owned(rest)),
            "reads" | "runs" => {
                let paths: Vec<PathBuf> = rest.iter().map(PathBuf::from).collect();
                if let Some(path) = paths.iter().find(|path| !path.is_absolute()) {
                    return Err(bad(text, &path.to_string_lossy(), "an absolute path"));
                }
                let list = if *first == "reads" {
                    &mut self.reads
                } else {
                    &mut self.runs
                };
                list.extend(paths);
            }
            option if option.starts_with('-') => self.options.push(choice(text, &words)?),
            _ => {
                for word in &words {
                    self.operands.push(operand(text, word)?);
                }
            }
        }
        Ok(())
    }
}

fn choice(text: &str, words: &[&str]) -> Result<Choice, ToolError> {
    let mut choice = Choice {
        names: Vec::new(),
        value: Value::None,
        instead: false,
    };
    for (place, word) in words.iter().enumerate() {
        let is_last = place + 1 == words.len();
        if *word == "instead" && is_last {
            choice.instead = true;
            continue;
        }
        let (name, value) = if let Some((name, kind)) = word.split_once("[=") {
            let kind = kind.strip_suffix(']').unwrap_or_default();
            (name, Value::Attached(self::kind(text, kind)?))
        } else if let Some((name, kind)) = word.split_once('=') {
            (name, Value::Needed(self::kind(text, kind)?))
        } else {
            (*word, Value::None)
        };
        let is_short = name.len() == 2 && !name.ends_with('-');
        if !name.is_ascii()
            || !(is_short || name == "-NUM" || name.starts_with("--") && name.len() > 3)
        {
            return Err(bad(
                text,
                word,
                "an option such as `-n`, `--lines` or `-NUM`",
            ));
        }
        if value != Value::None {
            choice.value = value;
        }
        choice.names.push(name.to_owned());
    }
    Ok(choice)
}

fn operand(text: &str, word: &str) -> Result<Operand, ToolError> {
    let (kind, optional, repeated) = match (word.strip_suffix("..."), word.strip_suffix('?')) {
        (Some(kind), _) => (kind, true, true),
        (_, Some(kind)) => (kind, true, false),
        _ => (word, false, false),
    };
    Ok(Operand {
        kind: self::kind(text, kind)?,
        optional,
        repeated,
    })
}

fn kind(text: &str, word: &str) -> Result<Kind, ToolError> {
    Ok(match word {
        "TEXT" => Kind::Text,
        "COUNT" => Kind::Count,
        "NUMBER" => Kind::Number,
        "FORMAT" => Kind::Format,
        "PATH" => Kind::Path,
        "OUT" => Kind::Out,
        "GONE" => Kind::Gone,
        _ => {
            return Err(bad(
                text,
                word,
                "one of TEXT, COUNT, NUMBER, FORMAT, PATH, OUT and GONE",
            ));
        }
    })
}

fn bad(text: &str, part: &str, expected: &str) -> ToolError {
    ToolError::new(format!(
        "`{part}` is not understood in the description `{text}` of a program: expected {expected}"
    ))
}

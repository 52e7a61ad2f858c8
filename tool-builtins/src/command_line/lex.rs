//! From characters to words and operators.
//!
//! What a shell would do beyond that (variables, substitution, jobs, subshells) is not done. Where such a thing stands
//! unquoted, the line is refused: taking it for plain text would run something else than was meant.

use std::iter::Peekable;
use std::str::Chars;

use tool_core::{ErrorKind, ToolError};

use super::line::{Connector, Stream};
use super::word::Word;

/// One piece of a line.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Token {
    Word(Word),
    Connector(Connector),
    Pipe,
    /// `<`
    From,
    /// `>`, `>>`, `2>`, `2>>`; the target follows.
    To {
        stream: Stream,
        append: bool,
    },
    /// `2>&1`, `1>&2`
    Join(Stream),
}

/// The longest line, in bytes.
const LONGEST: usize = 16 * 1024;

/// Splits a line.
pub(super) fn tokens(line: &str) -> Result<Vec<Token>, ToolError> {
    if line.len() > LONGEST {
        return Err(malformed(&format!(
            "the command has {} bytes, more than {LONGEST}",
            line.len()
        ))
        .with_hint("give long text as `input`, or write it to a file"));
    }
    // A person who approves the line must see all of it.
    if crate::text::clean::clean(line) != line {
        return Err(
            ToolError::denied("the command holds control or invisible characters")
                .with_hint("write it without them"),
        );
    }
    Lexer {
        rest: line
            .trim_start_matches([' ', '\t', '\n'])
            .chars()
            .peekable(),
        tokens: Vec::new(),
        word: None,
        quoted: false,
    }
    .run()
}

struct Lexer<'a> {
    rest: Peekable<Chars<'a>>,
    tokens: Vec<Token>,
    word: Option<Word>,
    /// Whether a part of the current word was quoted.
    quoted: bool,
}

impl Lexer<'_> {
    fn run(mut self) -> Result<Vec<Token>, ToolError> {
        while let Some(character) = self.rest.next() {
            match character {
                ' ' | '\t' => self.end_word(),
                '\n' if self.is_blank() => self.end_word(),
                '\n' => {
                    return Err(refused(
                        "a line break between commands",
                        "join the commands with `&&` or `;`, and quote a line break that is text",
                    ));
                }
                '\'' => self.single()?,
                '"' => self.double()?,
                '\\' => match self.rest.next() {
                    // A line that goes on.
                    Some('\n') => {}
                    Some(next) => {
                        self.quoted = true;
                        self.current().push(next);
                    }
                    None => return Err(malformed("the command ends with a lone `\\`")),
                },
                '$' => self.dollar()?,
                '`' => return Err(substitution("a backtick")),
                '(' | ')' => {
                    return Err(refused(
                        &format!("`{character}`"),
                        "there are no subshells; quote it where it is text, as in `find . \\( … \\)`",
                    ));
                }
                '~' if self.word.is_none() => {
                    return Err(refused(
                        "`~`",
                        "there is no home directory; give a path relative to the root",
                    ));
                }
                '#' if self.word.is_none() => {
                    return Err(refused(
                        "a comment",
                        "leave it out, or quote `#` where it is text",
                    ));
                }
                '{' => self.brace()?,
                '|' | '&' | ';' | '<' | '>' => self.operator(character)?,
                other => self.current().push_bare(other),
            }
        }
        self.end_word();
        Ok(self.tokens)
    }

    /// Whether nothing more comes.
    fn is_blank(&self) -> bool {
        self.rest
            .clone()
            .all(|next| matches!(next, ' ' | '\t' | '\n'))
    }

    fn current(&mut self) -> &mut Word {
        self.word.get_or_insert_default()
    }

    fn end_word(&mut self) {
        self.quoted = false;
        if let Some(word) = self.word.take() {
            self.tokens.push(Token::Word(word));
        }
    }

    fn single(&mut self) -> Result<(), ToolError> {
        self.quoted = true;
        self.current();
        loop {
            match self.rest.next() {
                Some('\'') => return Ok(()),
                Some(character) => self.current().push(character),
                None => return Err(unclosed('\'')),
            }
        }
    }

    fn double(&mut self) -> Result<(), ToolError> {
        self.quoted = true;
        self.current();
        loop {
            match self.rest.next() {
                Some('"') => return Ok(()),
                Some('\\') => match self.rest.next() {
                    Some('\n') => {}
                    Some(next @ ('"' | '\\' | '$' | '`')) => self.current().push(next),
                    Some(next) => {
                        self.current().push('\\');
                        self.current().push(next);
                    }
                    None => return Err(unclosed('"')),
                },
                Some('$') => self.dollar()?,
                Some('`') => return Err(substitution("a backtick")),
                Some(character) => self.current().push(character),
                None => return Err(unclosed('"')),
            }
        }
    }

    /// A `$` that names nothing is text, as at the end of a pattern.
    fn dollar(&mut self) -> Result<(), ToolError> {
        match self.rest.peek() {
            None | Some(' ' | '\t' | '\n' | '/' | '|' | '"' | ',' | '.' | ':' | ')' | '\\') => {
                // Outside of double quotes `$"` would be a translated string.
                if self.rest.peek() == Some(&'"') && !self.quoted {
                    return Err(substitution("`$\"`"));
                }
                self.current().push('$');
                Ok(())
            }
            _ => Err(substitution("`$`")),
        }
    }

    /// `{a,b}` and `{1..9}` would become several words; any other brace is text.
    fn brace(&mut self) -> Result<(), ToolError> {
        let ahead: String = self
            .rest
            .clone()
            .take_while(|next| !matches!(next, '}' | ' ' | '\t' | '\n'))
            .collect();
        if ahead.contains(',') || ahead.contains("..") {
            return Err(refused(
                "brace expansion",
                "write the words out, or quote `{` where it is text",
            ));
        }
        self.current().push('{');
        Ok(())
    }

    fn operator(&mut self, character: char) -> Result<(), ToolError> {
        let stream = self.stream(character)?;
        self.end_word();
        let doubled = self.rest.next_if_eq(&character).is_some();
        let next = self.rest.peek().copied();
        let token = match (character, doubled, next) {
            ('|', false, Some('&')) => {
                return Err(refused("`|&`", "write `2>&1 |`"));
            }
            ('|', false, _) => Token::Pipe,
            ('|', true, _) => Token::Connector(Connector::IfFailed),
            ('&', true, _) => Token::Connector(Connector::IfDone),
            ('&', false, Some('>')) => {
                return Err(refused("`&>`", "write `> file 2>&1`"));
            }
            ('&', false, _) => {
                return Err(refused(
                    "`&`",
                    "commands do not run in the background; join them with `&&` or `;`, and quote `&` where it is text",
                ));
            }
            (';', false, _) => Token::Connector(Connector::Always),
            (';', true, _) => return Err(malformed("`;;` is no operator")),
            ('<', true, _) => {
                return Err(refused(
                    "a here-document",
                    "give the text as `input` instead",
                ));
            }
            ('<' | '>', _, Some('(')) => return Err(substitution("process substitution")),
            ('<', _, Some(other @ ('>' | '&'))) => {
                return Err(refused(&format!("`<{other}`"), "use `< file`"));
            }
            ('<', false, _) => Token::From,
            ('>', false, Some('|')) => return Err(refused("`>|`", "write `>`")),
            ('>', false, Some('&')) => {
                self.rest.next();
                return self.join(stream);
            }
            (_, append, _) => Token::To { stream, append },
        };
        self.tokens.push(token);
        Ok(())
    }

    /// A number directly before `<` or `>` is no word but says which stream.
    fn stream(&mut self, operator: char) -> Result<Stream, ToolError> {
        let number = self.word.take_if(|word| {
            matches!(operator, '<' | '>')
                && !self.quoted
                && word.text.bytes().all(|byte| byte.is_ascii_digit())
        });
        match (operator, number.as_ref().map(|word| word.text.as_str())) {
            (_, None) | ('>', Some("1")) | ('<', Some("0")) => Ok(Stream::Out),
            ('>', Some("2")) => Ok(Stream::Error),
            (_, Some(number)) => Err(refused(
                &format!("`{number}{operator}`"),
                "only the streams 1 and 2 can be sent elsewhere",
            )),
        }
    }

    fn join(&mut self, stream: Stream) -> Result<(), ToolError> {
        let target = self.rest.next();
        let ends = matches!(
            self.rest.peek(),
            None | Some(' ' | '\t' | '\n' | '|' | ';' | '&' | '<' | '>')
        );
        match (stream, target, ends) {
            (Stream::Error, Some('1'), true) | (Stream::Out, Some('2'), true) => {
                self.tokens.push(Token::Join(stream));
                Ok(())
            }
            _ => Err(refused(
                "this use of `>&`",
                "write `2>&1`, `1>&2` or `> file 2>&1`",
            )),
        }
    }
}

/// A part of the shell's language that is not done.
fn refused(what: &str, hint: &str) -> ToolError {
    ToolError::denied(format!("{what} is not taken: this is not a shell")).with_hint(hint)
}

fn substitution(what: &str) -> ToolError {
    refused(
        &format!("{what}, as nothing is substituted,"),
        "write the value itself, and quote it with `'…'` where it is text",
    )
}

fn unclosed(quote: char) -> ToolError {
    malformed(&format!("a `{quote}` is not closed"))
}

/// A line that no shell would take.
pub(super) fn malformed(message: &str) -> ToolError {
    ToolError::with_kind(ErrorKind::InvalidArguments, message)
}

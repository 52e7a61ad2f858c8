//! From words and operators to a line.

use tool_core::ToolError;

use super::lex::{Token, malformed, tokens};
use super::line::{Command, Connector, Line, Pipeline, Redirect};
use super::word::Word;

/// How many commands a line holds at most. What is beyond is refused, never skipped.
const MOST_COMMANDS: usize = 32;

/// Reads a line.
///
/// # Errors
///
/// `InvalidArguments` where no shell would read it either, `Denied` for what a shell would do and this does not.
pub(crate) fn parse(line: &str) -> Result<Line, ToolError> {
    let mut reader = Reader::default();
    for token in tokens(line)? {
        reader.take(token)?;
    }
    reader.finish()
}

#[derive(Default)]
struct Reader {
    pipelines: Vec<(Connector, Pipeline)>,
    connector: Option<Connector>,
    commands: Vec<Command>,
    words: Vec<Word>,
    redirects: Vec<Redirect>,
    awaited: Option<Token>,
    count: usize,
}

impl Reader {
    fn take(&mut self, token: Token) -> Result<(), ToolError> {
        match (self.awaited.take(), token) {
            (Some(Token::From), Token::Word(source)) => {
                self.redirects.push(Redirect::From(source));
            }
            (Some(Token::To { stream, append }), Token::Word(target)) => {
                self.redirects.push(Redirect::To {
                    stream,
                    append,
                    target,
                });
            }
            (Some(_), _) => return Err(malformed("a file name is missing after `<` or `>`")),
            (None, Token::Word(word)) => self.words.push(word),
            (None, Token::Join(stream)) => self.redirects.push(Redirect::Join(stream)),
            (None, Token::Pipe) => self.end_command("|")?,
            (None, Token::Connector(connector)) => {
                let written = match connector {
                    Connector::Always => ";",
                    Connector::IfDone => "&&",
                    Connector::IfFailed => "||",
                };
                self.end_pipeline(written)?;
                self.connector = Some(connector);
            }
            (None, token) => self.awaited = Some(token),
        }
        Ok(())
    }

    fn end_command(&mut self, before: &str) -> Result<(), ToolError> {
        let mut words = std::mem::take(&mut self.words).into_iter();
        let Some(name) = words.next() else {
            return Err(malformed(&format!(
                "a command is missing before `{before}`"
            )));
        };
        self.count += 1;
        if self.count > MOST_COMMANDS {
            return Err(malformed(&format!(
                "the line holds more than {MOST_COMMANDS} commands"
            ))
            .with_hint("call several times"));
        }
        self.commands.push(Command {
            name,
            words: words.collect(),
            redirects: std::mem::take(&mut self.redirects),
        });
        Ok(())
    }

    fn end_pipeline(&mut self, before: &str) -> Result<(), ToolError> {
        self.end_command(before)?;
        let connector = self.connector.take().unwrap_or(Connector::Always);
        let commands = std::mem::take(&mut self.commands);
        self.pipelines.push((connector, Pipeline { commands }));
        Ok(())
    }

    fn finish(mut self) -> Result<Line, ToolError> {
        if self.awaited.is_some() {
            return Err(malformed("a file name is missing after `<` or `>`"));
        }
        let is_empty =
            self.words.is_empty() && self.commands.is_empty() && self.redirects.is_empty();
        match self.connector {
            None if is_empty => return Err(malformed("the command is empty")),
            // A `;` may stand at the end.
            Some(Connector::Always) if is_empty => {}
            _ => self.end_pipeline("the end of the line")?,
        }
        Ok(Line {
            pipelines: self.pipelines,
        })
    }
}

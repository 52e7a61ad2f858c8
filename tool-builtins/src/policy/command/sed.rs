//! The script of `sed`: addresses, and the commands that neither write files nor run programs.

use std::iter::Peekable;
use std::str::Chars;

use tool_core::ToolError;

use crate::policy::shown;

/// Checks a script.
///
/// It is read as the standard says.
pub(super) fn check(script: &str) -> Result<(), ToolError> {
    let mut reader = Reader {
        script,
        rest: script.chars().peekable(),
    };
    while reader.command()? {}
    Ok(())
}

struct Reader<'a> {
    script: &'a str,
    rest: Peekable<Chars<'a>>,
}

impl Reader<'_> {
    /// Reads one command; false at the end.
    fn command(&mut self) -> Result<bool, ToolError> {
        while self
            .rest
            .next_if(|next| matches!(next, ' ' | '\t' | '\n' | ';'))
            .is_some()
        {}
        if self.rest.peek().is_none() {
            return Ok(false);
        }
        if self.address()? {
            self.blanks();
            if self.rest.next_if_eq(&',').is_some() {
                self.blanks();
                self.rest.next_if(|next| matches!(next, '+' | '~'));
                if !self.address()? {
                    return Err(self.refuse("an address is missing after `,`"));
                }
            }
        }
        self.blanks();
        while self.rest.next_if_eq(&'!').is_some() {}
        self.blanks();
        match self.rest.next() {
            Some('p' | 'd' | '=' | 'n' | 'N' | 'D' | 'P' | 'h' | 'H' | 'g' | 'G' | 'x') => {}
            Some('q') => {
                self.blanks();
                self.digits();
            }
            Some('s') => {
                self.two_parts()?;
                self.flags()?;
            }
            Some('y') => self.two_parts()?,
            Some('e') => return Err(self.refuse("`e` runs programs")),
            Some('w' | 'W') => return Err(self.refuse("`w` writes files")),
            Some('r' | 'R') => return Err(self.refuse("`r` reads files")),
            Some(other) => {
                return Err(self.refuse(&format!("the command `{other}` is not known here")));
            }
            None => return Err(self.refuse("a command is missing after an address")),
        }
        self.blanks();
        match self.rest.next() {
            None | Some(';' | '\n') => Ok(true),
            Some(other) => Err(self.refuse(&format!("`{other}` stands after a command"))),
        }
    }

    /// A line number, `first~step`, `$` or a pattern.
    fn address(&mut self) -> Result<bool, ToolError> {
        match self.rest.peek() {
            Some('0'..='9') => {
                self.digits();
                if self.rest.next_if_eq(&'~').is_some() {
                    self.digits();
                }
            }
            Some('$') => {
                self.rest.next();
            }
            Some('/') => {
                self.rest.next();
                self.part('/', true)?;
                while self
                    .rest
                    .next_if(|next| matches!(next, 'I' | 'M'))
                    .is_some()
                {}
            }
            Some('\\') => return Err(self.refuse("write a pattern as `/…/`")),
            _ => return Ok(false),
        }
        Ok(true)
    }

    fn two_parts(&mut self) -> Result<(), ToolError> {
        match self.rest.next() {
            Some(delimiter) if "/|,#:@!%_+~=".contains(delimiter) => {
                self.part(delimiter, true)?;
                self.part(delimiter, false)
            }
            _ => Err(self.refuse("separate the parts with `/`, `|`, `,`, `#`, `:`, `@`, `!`, `%`, `_`, `+`, `~` or `=`")),
        }
    }

    /// Up to the next delimiter that is not in a set. Old programs end at one in a set too; what they then make of the
    /// rest can do no harm, as they are run with `--sandbox`.
    fn part(&mut self, delimiter: char, is_pattern: bool) -> Result<(), ToolError> {
        let mut set = None;
        loop {
            match self.rest.next() {
                Some(next) if next == delimiter && set.is_none() => return Ok(()),
                Some('\\') => {
                    if matches!(self.rest.next(), None | Some('\n')) {
                        return Err(self.refuse("write a line break as `\\n`"));
                    }
                    set = set.map(|length: usize| length + 1);
                }
                None | Some('\n') => {
                    return Err(self.refuse(&format!("a `{delimiter}` is missing")));
                }
                Some('[') if is_pattern && set.is_none() => {
                    set = Some(0);
                    if self.rest.next_if_eq(&'^').is_some() {}
                }
                // The first character of a set is one of it, a `]` too.
                Some(']') if set.is_some_and(|length| length > 0) => set = None,
                Some(_) => set = set.map(|length| length + 1),
            }
        }
    }

    fn flags(&mut self) -> Result<(), ToolError> {
        loop {
            match self.rest.peek() {
                Some('g' | 'p' | 'i' | 'I' | 'm' | 'M' | '0'..='9') => {
                    self.rest.next();
                }
                Some('e') => return Err(self.refuse("the flag `e` runs programs")),
                Some('w') => return Err(self.refuse("the flag `w` writes files")),
                _ => return Ok(()),
            }
        }
    }

    fn digits(&mut self) {
        while self.rest.next_if(char::is_ascii_digit).is_some() {}
    }

    fn blanks(&mut self) {
        while self
            .rest
            .next_if(|next| matches!(next, ' ' | '\t'))
            .is_some()
        {}
    }

    fn refuse(&self, why: &str) -> ToolError {
        ToolError::denied(format!("the `sed` script `{}` is not allowed: {why}", shown(self.script))).with_hint(
            "allowed are the commands `s`, `y`, `p`, `d`, `q`, `=`, `n`, `N`, `D`, `P`, `h`, `H`, `g`, `G` and `x`, with \
             line numbers, `$` and `/patterns/` as addresses; to allow more, describe the program with \
             `Commands::allow`, or `--allow-command` on the command line",
        )
    }
}

#[cfg(test)]
mod tests {
    use super::check;

    #[test]
    fn scripts_that_only_edit_are_taken() {
        for script in [
            "s/a/b/",
            "s/a/b/g",
            "s|a/b|c|2gI",
            "s/[^/]*$//",
            "s/[/]/w x/",
            "p",
            "5p",
            "2,5p",
            "$d",
            "/a/d",
            "/a/,/b/p",
            "1~2d",
            "2,+3d",
            "1!d",
            "/x/!p",
            "5q",
            "$=",
            "y/abc/def/",
            "s/\\//x/",
            "s/a/b/;s/c/d/p",
            "1d\n$d",
            "  2 , 4 p ; ",
            "/^$/d",
            "s/[]]/x/",
            "s/a\\nb/c/",
            "N;P;D",
            "",
            "s/é/e/g",
        ] {
            let taken = check(script);
            assert!(taken.is_ok(), "{script}: {taken:?}");
        }
    }

    #[test]
    fn scripts_that_write_run_or_confuse_are_refused() {
        for script in [
            "w out",
            "1w out",
            "s/a/b/w out",
            "s/a/b/gw out",
            "s/a/b/e",
            "e",
            "1e id",
            "r /etc/passwd",
            "R x",
            "W x",
            "1r/etc/passwd",
            "p;w x",
            "p\nw x",
            "s/a/b/;e",
            "{p;w x}",
            "a text",
            "i\\text",
            "c\\",
            "b",
            ":a;ba",
            "t",
            "s/a/b",
            "s/a",
            "s",
            "y/a/b",
            "/a",
            "1,",
            "1,p;e",
            "sxaxbx",
            "s\\a\\b\\",
            "s a b ",
            "\\,x,p",
            "s/a/b/ w x",
            "#n",
            "p # w",
            "F",
            "z",
            "Q",
            "l",
            "v",
            "s/a/b\\\n/",
            "s\na\nb\n",
            "s;a;b;",
            "!",
            "1!",
            "p}",
            "}",
            "s/[a/]/b/w x;/",
            "M",
            "1Mp",
        ] {
            assert!(check(script).is_err(), "{script}");
        }
    }
}

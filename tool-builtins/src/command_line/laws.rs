//! Laws of reading a line.

use proptest::prelude::*;

use super::line::Line;
use super::parse::parse;
use super::word::Word;

/// Lines made of the pieces that matter, with some that do not fit.
fn lines() -> impl Strategy<Value = String> {
    let piece = prop::sample::select(vec![
        "a", "ls", "-rf", "--x=y", " ", " ", " ", "'", "\"", "\\", "$", "`", "|", "||", "&", "&&",
        ";", ">", ">>", "<", "2>", "2>&1", "1>&2", "(", ")", "{", "}", "{a,b}", "*", "?", "[a-z]",
        "[", "]", "!", "~", "#", "\n", "\t", "=", "é", "日本", "'x y'", "\"x y\"", "\\ ", "2",
        "..", "/",
    ]);
    prop::collection::vec(piece, 0..24).prop_map(|pieces| pieces.concat())
}

fn words(line: &Line) -> Vec<Word> {
    line.pipelines
        .iter()
        .flat_map(|(_, pipeline)| &pipeline.commands)
        .flat_map(|command| {
            std::iter::once(&command.name)
                .chain(&command.words)
                .cloned()
        })
        .collect()
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, cases: 4096, ..ProptestConfig::default() })]

    #[test]
    fn no_text_is_too_odd_to_read(line in any::<String>()) {
        let _ = parse(&line);
    }

    #[test]
    fn what_is_read_is_written_so_that_it_reads_the_same(line in lines()) {
        if let Ok(read) = parse(&line) {
            let written = read.to_string();
            let again = parse(&written);
            prop_assert_eq!(again.as_ref().ok(), Some(&read), "{} became {}", line, written);
        }
    }

    #[test]
    fn any_word_can_be_quoted(text in "[ -~é日\n\t]{0,12}") {
        let word = Word::literal(&text);
        let line = parse(&format!("echo {word}")).unwrap();
        prop_assert_eq!(words(&line), vec![Word::literal("echo"), word]);
    }

    #[test]
    fn a_real_shell_reads_the_words_in_the_same_way(line in lines()) {
        let Ok(read) = parse(&line) else { return Ok(()) };
        // Patterns are for the directory to say.
        if words(&read).iter().any(|word| !word.active.is_empty()) || read.pipelines.len() > 1 {
            return Ok(());
        }
        let [command] = read.pipelines[0].1.commands.as_slice() else { return Ok(()) };
        if !command.redirects.is_empty() || command.name.text.contains('=') {
            return Ok(());
        }
        let script = format!("set -f; printf '%s\\0' {}", line.trim_start());
        let output = std::process::Command::new("/bin/sh").args(["-c", &script]).output().unwrap();
        let ours: String = words(&read).iter().flat_map(|word| [word.text.as_str(), "\0"]).collect();
        prop_assert_eq!(String::from_utf8_lossy(&output.stdout), ours, "{}", line);
    }
}

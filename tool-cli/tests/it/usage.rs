use crate::program::{own, tool};

#[test]
fn help_and_version_are_results() {
    let help = tool(&["--help"]).exits(0);
    for command in ["list", "show", "call", "run"] {
        assert!(
            help.text().contains(&format!("\n  {command} ")),
            "{}",
            help.text()
        );
        let page = tool(&[command, "--help"]).exits(0);
        assert!(
            page.text().contains("Examples:\n  tool "),
            "{}",
            page.text()
        );
        assert!(page.text().contains("--json"), "{}", page.text());
    }
    assert!(tool(&["help"]).exits(0).text().lines().count() < 40);
    let version = tool(&["--version"]).exits(0);
    assert_eq!(
        version.text(),
        format!("tool {}\n", env!("CARGO_PKG_VERSION"))
    );
}

#[test]
fn the_examples_of_the_help_name_only_tools_that_there_are() {
    let list = tool(&["list", "--json"]).exits(0);
    for command in ["list", "show", "call", "run"] {
        let page = tool(&[command, "--help"]).exits(0);
        let words = page
            .text()
            .split(|character: char| !"-_".contains(character) && !character.is_alphanumeric());
        for word in words.filter(|word| word.starts_with("web") || word.starts_with("files-")) {
            assert!(list.text().contains(word.trim_end_matches('-')), "{word}");
        }
    }
}

#[test]
fn another_program_goes_by_its_own_name() {
    let page = own(&["call", "--help"]).exits(0);
    assert!(
        page.text().contains("Usage: own_tools call"),
        "{}",
        page.text()
    );
    assert!(
        page.text().contains("Examples:\n  own_tools call"),
        "{}",
        page.text()
    );
}

#[test]
fn wrong_usage_exits_with_2_and_says_why_on_stderr() {
    for arguments in [
        &[][..],
        &["lists"],
        &["call"],
        &["show"],
        &["list", "--dialect", "openia"],
        &["list", "--timeout", "0"],
        &["call", "x", "{}", "more"],
    ] {
        let answer = tool(arguments).exits(2);
        assert_eq!(answer.text(), "", "{arguments:?}");
        assert!(!answer.stderr.is_empty(), "{arguments:?}");
    }
    let answer = tool(&["list", "--timeout", "soon"]).exits(2);
    assert!(
        answer.stderr.contains("a number of seconds greater than 0"),
        "{}",
        answer.stderr
    );
    let answer = tool(&["list", "--dialect", "openia"]).exits(2);
    assert!(answer.stderr.contains("openai"), "{}", answer.stderr);
}

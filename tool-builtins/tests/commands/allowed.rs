//! Ordinary work.

use std::fs;

use serde_json::json;

use crate::root::Root;

#[tokio::test]
async fn ordinary_lines_give_what_a_shell_gives() {
    let root = Root::new();
    for (command, code, stdout) in [
        ("cat a.txt", 0, "one\ntwo\nthree\n"),
        ("cat a.txt b.txt | sort -u | wc -l", 0, "4\n"),
        ("head -1 a.txt", 0, "one\n"),
        ("head -n1 a.txt", 0, "one\n"),
        ("head --lines=1 a.txt", 0, "one\n"),
        ("tail -n +2 a.txt", 0, "two\nthree\n"),
        ("grep -n t a.txt", 0, "2:two\n3:three\n"),
        ("grep -rn see .", 0, "./sub/c.txt:1:see\n"),
        ("grep -c zzz a.txt", 1, "0\n"),
        ("grep -e one -e two a.txt", 0, "one\ntwo\n"),
        ("grep '^t' a.txt", 0, "two\nthree\n"),
        ("grep \"e$\" a.txt", 0, "one\nthree\n"),
        ("grep 'a;b|c&d' a.txt || echo none", 0, "none\n"),
        ("find . -name c.txt", 0, "./sub/c.txt\n"),
        ("find . -name *.txt -path './sub/*'", 0, "./sub/c.txt\n"),
        (
            "find sub \\( -name c.txt -o -name d.txt \\) -type f",
            0,
            "sub/c.txt\n",
        ),
        (
            "find . -maxdepth 1 -type d ! -name . | sort",
            0,
            "./empty\n./sub\n",
        ),
        (
            "ls",
            0,
            "a.txt\nb.txt\nempty\nhard.txt\nlink-dir\nlink-in\nlink-new\nlink-out\nlink-root\nlink-up\nsub\n",
        ),
        ("ls *.txt", 0, "a.txt\nb.txt\nhard.txt\n"),
        ("ls [ab].txt", 0, "a.txt\nb.txt\n"),
        ("ls */c.*", 0, "sub/c.txt\n"),
        ("echo *.txt", 0, "*.txt\n"),
        ("cd sub && pwd && ls", 0, "sub\nc.txt\ndeep\n"),
        ("cd sub; cd; pwd", 0, ".\n"),
        ("cd sub && cat ../b.txt", 0, "one\n2\n"),
        ("cd missing || echo no", 0, "no\n"),
        ("cd missing && echo no", 1, ""),
        ("pwd", 0, ".\n"),
        ("echo 'a  b' \"c\" d\\ e", 0, "a  b c d e\n"),
        ("echo -n x | wc -c", 0, "1\n"),
        ("echo -e 'a\\tb'", 0, "a\tb\n"),
        ("echo one | grep one | cat -n", 0, "     1\tone\n"),
        ("true && echo y || echo n", 0, "y\n"),
        ("false && echo y || echo n", 0, "n\n"),
        ("false; echo after", 0, "after\n"),
        ("cat missing 2>/dev/null || echo gone", 0, "gone\n"),
        ("cat missing 2>&1 | wc -l", 0, "1\n"),
        ("cat < a.txt | tr a-z A-Z", 0, "ONE\nTWO\nTHREE\n"),
        ("sed -n '2,3p' a.txt", 0, "two\nthree\n"),
        ("sed 's/[^e]*$//' b.txt | head -1", 0, "one\n"),
        ("sed -e 's/o/0/g' -e '$d' a.txt", 0, "0ne\ntw0\n"),
        ("sort -t: -k1,1 -r b.txt", 0, "one\n2\n"),
        ("cut -d e -f 1 b.txt", 0, "on\n2\n"),
        ("diff a.txt b.txt", 1, "2,3c2\n< two\n< three\n---\n> 2\n"),
        ("comm -12 b.txt b.txt", 0, "one\n2\n"),
        ("seq 3 -1 1", 0, "3\n2\n1\n"),
        ("seq -1 1", 0, "-1\n0\n1\n"),
        ("basename sub/c.txt .txt", 0, "c\n"),
        ("date -u -d @0 +%F", 0, "1970-01-01\n"),
        ("date -u -d @0 -Iseconds", 0, "1970-01-01T00:00:00+00:00\n"),
        ("paste -sd, a.txt", 0, "one,two,three\n"),
        ("nl -w1 -s: b.txt", 0, "1:one\n2:2\n"),
        ("printf '%s-%s' a b", 0, "a-b"),
        ("stat -c %s a.txt", 0, "14\n"),
        ("du -b a.txt | cut -f1", 0, "14\n"),
        ("tac b.txt", 0, "2\none\n"),
        ("cat b.txt | tac", 0, "2\none\n"),
        ("rev b.txt", 0, "eno\n2\n"),
        ("file -b sub", 0, "directory\n"),
        ("file -b --mime-type a.txt", 0, "text/plain\n"),
        ("ls -la | wc -l", 0, "14\n"),
        ("ls --color=always -d sub | cat", 0, "sub\n"),
        ("tail -c 3 b.txt", 0, "\n2\n"),
        ("sha256sum b.txt | cut -c1-8", 0, "b8c08389\n"),
        (
            "find . -type f -printf '%f\\n' | sort | head -n 1",
            0,
            "a.txt\n",
        ),
        ("find . -newer a.txt -name zzz", 0, ""),
        ("cmp a.txt a.txt", 0, ""),
        ("fold -w 2 b.txt", 0, "on\ne\n2\n"),
        ("uniq -c b.txt | wc -l", 0, "2\n"),
        ("cat link-in | head -n 1", 0, "one\n"),
        (
            "ls;",
            0,
            "a.txt\nb.txt\nempty\nhard.txt\nlink-dir\nlink-in\nlink-new\nlink-out\nlink-root\nlink-up\nsub\n",
        ),
    ] {
        let ran = Root::ran(&root.run(command).await);
        assert_eq!(
            (ran.0, ran.1.as_str()),
            (code, stdout),
            "{command}: {ran:?}"
        );
    }
}

#[tokio::test]
async fn files_are_made_changed_and_removed_below_the_root() {
    let root = Root::new();
    for command in [
        "mkdir -p new/dir && touch new/dir/x.txt",
        "echo first > new/list.txt && echo second >> new/list.txt",
        "sort -r new/list.txt > new/sorted.txt 2>&1",
        "cp a.txt new && cp -r new copy",
        "mv copy/a.txt copy/moved.txt",
        "sed -i s/one/ONE/ new/a.txt",
        "cat a.txt | tee new/tee.txt | tee -a new/list.txt > /dev/null",
        "rm b.txt empty link-in",
        "cd new && rm *.tmp -f; rm dir/x.txt dir",
        "mkdir -- -rf && rmdir -- -rf",
    ] {
        let ran = Root::ran(&root.run(command).await);
        assert_eq!((ran.0, ran.2.as_str()), (0, ""), "{command}: {ran:?}");
    }
    assert_eq!(
        root.read("new/list.txt"),
        "first\nsecond\none\ntwo\nthree\n"
    );
    assert_eq!(root.read("new/sorted.txt"), "second\nfirst\n");
    assert_eq!(root.read("copy/moved.txt"), "one\ntwo\nthree\n");
    assert_eq!(root.read("new/a.txt"), "ONE\ntwo\nthree\n");
    assert_eq!(root.read("new/tee.txt"), "one\ntwo\nthree\n");
    assert!(
        !root.at("ws/new/dir").exists()
            && !root.at("ws/empty").exists()
            && !root.at("ws/b.txt").exists()
    );
    root.outside_is_intact("all");
}

#[tokio::test]
async fn an_edit_in_place_keeps_the_mode() {
    use std::os::unix::fs::PermissionsExt;

    let root = Root::new();
    fs::set_permissions(root.at("ws/a.txt"), fs::Permissions::from_mode(0o640)).unwrap();
    Root::ran(&root.run("sed -i s/one/ONE/ a.txt").await);
    let mode = fs::metadata(root.at("ws/a.txt"))
        .unwrap()
        .permissions()
        .mode();
    assert_eq!(mode & 0o777, 0o640);
}

#[tokio::test]
async fn a_name_in_a_directory_never_becomes_an_option() {
    let root = Root::new();
    fs::create_dir(root.at("ws/bad")).unwrap();
    for name in [
        "-rf",
        "--help",
        "--output=x",
        "-e",
        "a b",
        "$(id)",
        "`id`",
        "x;ls",
    ] {
        fs::write(root.at("ws/bad").join(name), format!("{name}\n")).unwrap();
    }
    let ran = Root::ran(&root.run("cd bad && cat *").await);
    assert_eq!(ran.0, 0, "{ran:?}");
    assert_eq!(ran.1.lines().count(), 8, "{ran:?}");
    let ran = Root::ran(&root.run("cd bad && rm -- *").await);
    assert_eq!(ran, (0, String::new(), String::new()));
    assert!(root.at("ws/sub/c.txt").exists());
    assert_eq!(fs::read_dir(root.at("ws/bad")).unwrap().count(), 0);
}

#[tokio::test]
async fn the_input_the_directory_and_the_environment_are_what_was_asked_for() {
    let root = Root::new();
    let outcome = root
        .call(json!({ "command": "wc -c", "input": "four" }))
        .await;
    assert_eq!(Root::ran(&outcome).1, "4\n");
    // Nothing to read is the end, not a wait.
    assert_eq!(Root::ran(&root.run("wc -c").await).1, "0\n");
    let outcome = root
        .call(json!({ "command": "ls", "working_dir": "sub" }))
        .await;
    assert_eq!(Root::ran(&outcome).1, "c.txt\ndeep\n");
    for (directory, words) in [
        ("..", "outside the root"),
        ("/", "outside the root"),
        ("link-dir", "outside the root"),
        ("missing", "is not there"),
    ] {
        let outcome = root
            .call(json!({ "command": "ls", "working_dir": directory }))
            .await;
        assert!(
            outcome.text().contains(words),
            "{directory}: {}",
            outcome.text()
        );
    }
    let big = "0123456789".repeat(100_000);
    let outcome = root
        .call(json!({ "command": "cat | tail -c 3", "input": big }))
        .await;
    assert_eq!(Root::ran(&outcome).1, "789");
}

#[tokio::test]
async fn what_drives_a_terminal_is_taken_out_and_long_output_is_cut_in_the_middle() {
    let root = Root::new();
    fs::write(
        root.at("ws/ansi.txt"),
        "\u{1b}[31mred\u{1b}[0m\u{202e}\u{7}\n",
    )
    .unwrap();
    assert_eq!(Root::ran(&root.run("cat ansi.txt").await).1, "red\n");
    let answer = Root::answer(&root.run("seq 100000").await);
    let text = answer["stdout"].as_str().unwrap();
    assert!(text.len() < 40_000 && text.starts_with("1\n2\n") && text.ends_with("99999\n100000\n"));
    assert!(text.contains("bytes are left out here]"));
    assert_eq!(answer["truncated"], json!(true));
}

#[tokio::test]
async fn a_refusal_after_the_start_says_that_something_has_run() {
    let root = Root::new();
    // What is wrong shows only once the first command has run.
    let outcome = root.run("mv link-out moved && cat moved").await;
    let text = outcome.text();
    assert!(
        text.contains("outside the root") && text.contains("the commands before it have run"),
        "{text}"
    );
}

use std::collections::BTreeSet;
use std::path::Path;

use serde_json::json;

use crate::program::own;

fn names(directory: &Path) -> BTreeSet<String> {
    std::fs::read_dir(directory)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect()
}

fn make(names: &[&str], more: &[&str]) -> crate::program::Answer {
    let arguments = json!({ "names": names }).to_string();
    own(&[&["call", "demo-make_files", &arguments], more].concat())
}

#[test]
fn files_are_named_where_they_are_not_wanted() {
    let answer = make(&["a.txt"], &[]).exits(0);
    assert_eq!(answer.text(), "1 made");
    assert_eq!(
        answer.stderr,
        "the file `a.txt` (text/plain, 7 bytes) is not kept; `--out DIR` writes it\n"
    );
}

#[test]
fn files_never_leave_the_directory() {
    let directory = tempfile::tempdir().unwrap();
    let out = directory.path().join("new/out");
    let escapes = [
        "../../evil",
        "/etc/evil",
        r"..\evil",
        "..",
        ".bashrc",
        "a/b/../../c",
        "x\0\n\x1b[31my",
    ];
    make(&escapes, &["--out", out.to_str().unwrap()]).exits(0);
    assert_eq!(names(directory.path()), ["new".to_owned()].into());
    assert_eq!(
        names(&directory.path().join("new")),
        ["out".to_owned()].into()
    );
    let expected = [
        "evil", "evil (1)", "evil (2)", "file", "bashrc", "c", "x[31my",
    ];
    assert_eq!(names(&out), expected.map(str::to_owned).into());
}

#[test]
fn nothing_is_overwritten() {
    let directory = tempfile::tempdir().unwrap();
    let out = directory.path();
    std::fs::write(out.join("a.txt"), "mine").unwrap();
    let answer = make(
        &["a.txt", "a.txt"],
        &["--json", "--out", out.to_str().unwrap()],
    )
    .exits(0);
    assert_eq!(std::fs::read_to_string(out.join("a.txt")).unwrap(), "mine");
    assert_eq!(
        std::fs::read_to_string(out.join("a (1).txt")).unwrap(),
        "content"
    );
    let outcome = answer.json();
    assert_eq!(outcome["result"], "2 made");
    let path = out.join("a (2).txt");
    assert_eq!(
        outcome["files"][1],
        json!({
            "name": "a.txt",
            "mime_type": "text/plain",
            "bytes": 7,
            "description": "a file",
            "path": path.to_str().unwrap()
        })
    );
}

#[cfg(unix)]
#[test]
fn a_symbolic_link_is_not_followed() {
    let directory = tempfile::tempdir().unwrap();
    let out = directory.path().join("out");
    std::fs::create_dir(&out).unwrap();
    std::os::unix::fs::symlink(directory.path().join("target"), out.join("a.txt")).unwrap();
    make(&["a.txt"], &["--out", out.to_str().unwrap()]).exits(0);
    assert!(!directory.path().join("target").exists());
    assert!(out.join("a (1).txt").exists());
}

#[test]
fn a_directory_that_cannot_be_is_told_before_the_tool_runs() {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("file");
    std::fs::write(&file, "").unwrap();
    let answer = make(&["a.txt"], &["--out", file.to_str().unwrap()]).exits(2);
    assert!(answer.stderr.contains("--out"), "{}", answer.stderr);
    assert_eq!(answer.text(), "");
}

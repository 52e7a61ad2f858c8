//! Files that are found by their names.

use serde_json::{Value, json};
use tool_core::ErrorKind;

use crate::root::Root;

fn tree() -> Root {
    Root::new()
        .with("main.rs", "")
        .with("src/lib.rs", "")
        .with("src/deep/mod.rs", "")
        .with("src/deep/data.csv", "")
        .with("src/deep/DATA.CSV", "")
        .with("docs/a.md", "")
        .with("docs/b.txt", "")
        .with("target/debug/out.rs", "")
        .with(".config-x/c.rs", "")
        .with("odd [1].rs", "")
}

async fn found(root: &Root, arguments: Value) -> Vec<String> {
    let found = root.json("files-find_files", arguments).await;
    assert_eq!(found["total"], found["paths"].as_array().unwrap().len());
    serde_json::from_value(found["paths"].clone()).unwrap()
}

#[tokio::test]
async fn a_glob_without_a_slash_is_for_names_and_one_with_is_for_paths() {
    let root = tree();
    for (pattern, expected) in [
        ("*.csv", vec!["src/deep/data.csv"]),
        ("*.{md,txt}", vec!["docs/a.md", "docs/b.txt"]),
        ("src/*.rs", vec!["src/lib.rs"]),
        ("src/**/*.rs", vec!["src/deep/mod.rs", "src/lib.rs"]),
        ("./src/*.rs", vec!["src/lib.rs"]),
        ("**/deep/*.rs", vec!["src/deep/mod.rs"]),
        ("m??.rs", vec!["src/deep/mod.rs"]),
        ("[dm]*.rs", vec!["main.rs", "src/deep/mod.rs"]),
        ("odd \\[1\\].rs", vec!["odd [1].rs"]),
        ("none", vec![]),
        ("../*", vec![]),
        ("/etc/*", vec![]),
    ] {
        assert_eq!(
            found(&root, json!({"pattern": pattern})).await,
            expected,
            "{pattern}"
        );
    }
    let arguments = json!({"pattern": "*.rs", "path": "src"});
    let paths = found(&root, arguments).await;
    assert_eq!(
        paths,
        ["src/deep/mod.rs", "src/lib.rs"],
        "they can be given to the next call"
    );
    let arguments = json!({"pattern": "d*", "kind": "directory"});
    assert_eq!(
        found(&root, arguments).await,
        ["docs", "src/deep", "target/debug"]
    );
}

#[tokio::test]
async fn hidden_and_ignored_files_are_found_only_on_demand() {
    let root = tree()
        .with(".gitignore", "/target\n*.md\n!keep.md\n")
        .with("docs/.gitignore", "b.txt\n!a.md\n")
        .with("docs/keep.md", "")
        .with(".git/x.rs", "");
    let find = async |arguments: Value| found(&root, arguments).await;
    assert_eq!(
        find(json!({"pattern": "*.rs"})).await,
        ["main.rs", "odd [1].rs", "src/deep/mod.rs", "src/lib.rs"]
    );
    assert_eq!(
        find(json!({"pattern": "docs/*"})).await,
        ["docs/a.md", "docs/keep.md"]
    );
    // The patterns above count as well where the search begins below them.
    assert_eq!(
        find(json!({"pattern": "*", "path": "docs"})).await,
        ["docs/a.md", "docs/keep.md"]
    );
    assert_eq!(
        find(json!({"pattern": "*", "path": "target"})).await,
        ["target/debug/out.rs"]
    );
    let all = find(json!({"pattern": "*.rs", "hidden": true, "ignored": true})).await;
    assert!(
        all.contains(&".git/x.rs".to_owned()) && all.contains(&"target/debug/out.rs".to_owned())
    );
    let hidden = find(json!({"pattern": "*.rs", "hidden": true})).await;
    assert!(
        hidden.contains(&".config-x/c.rs".to_owned()) && !hidden.contains(&".git/x.rs".to_owned())
    );
}

#[tokio::test]
async fn the_newest_come_first_on_demand() {
    let root = tree();
    for (number, path) in ["main.rs", "src/lib.rs", "src/deep/mod.rs"]
        .iter()
        .enumerate()
    {
        let time =
            std::time::SystemTime::now() + std::time::Duration::from_secs(number as u64 * 60);
        let file = std::fs::File::options()
            .write(true)
            .open(root.at(path))
            .unwrap();
        file.set_modified(time).unwrap();
    }
    let arguments = json!({"pattern": "*.rs", "order": "newest", "limit": 2});
    let found = root.json("files-find_files", arguments).await;
    assert_eq!(found["paths"], json!(["src/deep/mod.rs", "src/lib.rs"]));
    assert_eq!(found["total"], 5);
}

#[tokio::test]
async fn a_hostile_gitignore_and_a_hostile_glob_are_harmless() {
    let lines: String = (0..10_000)
        .map(|number| format!("**/{{a,b}}*{number}/**/[!x]?*\n"))
        .collect();
    let root = tree()
        .with("src/.gitignore", lines)
        .with("docs/.gitignore", "[unclosed\n\\\n!\n{{{{\n\u{0}\n");
    assert_eq!(
        found(&root, json!({"pattern": "lib.rs"})).await,
        ["src/lib.rs"]
    );
    assert_eq!(
        found(&root, json!({"pattern": "a.md"})).await,
        ["docs/a.md"]
    );
    for pattern in [
        "[a",
        "{a",
        "a}",
        "[z-a]",
        &"{".repeat(400),
        &"a,{".repeat(160),
    ] {
        let message = root
            .error(
                "files-find_files",
                json!({"pattern": pattern}),
                ErrorKind::Failed,
            )
            .await;
        assert!(
            message.contains("is no glob") && message.len() < 600,
            "{message}"
        );
    }
    let deep = "{a,".repeat(120) + "b" + &"}".repeat(120);
    let outcome = root
        .call("files-find_files", json!({"pattern": deep}))
        .await;
    assert!(!outcome.text().is_empty());
}

#![cfg(feature = "builtins")]

use std::io::{Read as _, Write as _};
use std::net::TcpListener;

use serde_json::{Value, json};

use crate::program::tool;

#[test]
fn the_binary_has_the_built_in_tools_and_no_others() {
    let answer = tool(&["list", "--json"]).exits(0);
    let text = answer.text();
    assert!(text.contains("\"web-fetch_page\""), "{text}");
    assert!(text.contains("\"files-read_file\""), "{text}");
    assert!(!text.contains("demo-"), "{text}");
    assert_eq!(answer.stderr, "");
}

#[test]
fn every_built_in_tool_can_be_shown() {
    for definition in tool(&["list", "--json"])
        .exits(0)
        .json()
        .as_array()
        .unwrap()
    {
        let name = definition["function"]["name"].as_str().unwrap();
        let page = tool(&["show", name]).exits(0);
        assert!(
            page.text().contains(&format!("tool call {name} ")),
            "{}",
            page.text()
        );
    }
}

#[test]
fn files_are_read_below_the_root_only() {
    let directory = tempfile::tempdir().unwrap();
    let root = directory.path().join("root");
    std::fs::create_dir(&root).unwrap();
    std::fs::write(root.join("notes.txt"), "remember the milk").unwrap();
    std::fs::write(directory.path().join("secret.txt"), "swordfish").unwrap();
    let read = |path: &str| {
        let arguments = json!({ "path": path }).to_string();
        tool(&[
            "call",
            "files-read_file",
            &arguments,
            "--root",
            root.to_str().unwrap(),
        ])
    };
    assert!(
        read("notes.txt")
            .exits(0)
            .text()
            .contains("remember the milk")
    );
    let refused = read("../secret.txt").exits(1);
    assert!(!refused.stderr.contains("swordfish") && refused.text().is_empty());
}

#[test]
fn files_are_written_listed_and_read_back_below_the_root() {
    let directory = tempfile::tempdir().unwrap();
    let root = directory.path().to_str().unwrap();
    let call = |name: &str, arguments: Value| {
        tool(&["call", name, &arguments.to_string(), "--root", root]).exits(0)
    };
    let written = call(
        "files-write_file",
        json!({ "path": "notes/milk.json", "content": { "litres": 2 } }),
    );
    assert_eq!(
        written.json(),
        json!({ "path": "notes/milk.json", "bytes": 18, "lines": 3 })
    );
    let listed = call("files-list_directory", json!({}));
    assert_eq!(
        listed.json(),
        json!({ "entries": [{ "name": "notes", "kind": "directory" }], "total": 1 })
    );
    let read = call("files-read_file", json!({ "path": "notes/milk.json" }));
    assert_eq!(read.json(), json!({ "litres": 2 }));
    assert!(directory.path().join("notes/milk.json").is_file());
}

#[cfg(target_os = "linux")]
#[test]
fn commands_run_below_the_root_and_more_of_them_where_they_are_described() {
    let directory = tempfile::tempdir().unwrap();
    std::fs::write(directory.path().join("notes.txt"), "milk\nbread\n").unwrap();
    let root = directory.path().to_str().unwrap();
    let call = |command: &str, options: &[&str]| {
        let arguments = json!({ "command": command }).to_string();
        let call = [
            "call",
            "command_line-run_command",
            &arguments,
            "--root",
            root,
        ];
        tool(&[&call, options].concat())
    };
    let stdout = |answer: Value| answer["stdout"].clone();
    assert_eq!(
        stdout(call("sort notes.txt | head -n 1", &[]).exits(0).json()),
        "bread\n"
    );
    let refused = call("od -c notes.txt", &[]).exits(1);
    assert!(
        refused.stderr.contains("--allow-command"),
        "{}",
        refused.stderr
    );
    // What is described asks, as what writes does.
    let allowed = ["--allow-command", "od: -c; PATH..."];
    call("od -c notes.txt", &allowed).exits(1);
    call("rm notes.txt", &[]).exits(1);
    let answer = call("od -c notes.txt", &[&allowed[..], &["--yes"]].concat()).exits(0);
    assert!(
        stdout(answer.json())
            .as_str()
            .unwrap()
            .contains("m   i   l   k")
    );
    call("cat ../x", &["--yes", "--sandbox", "off"]).exits(1);
    let wrong = tool(&["list", "--allow-command", "od: FILE"]).exits(2);
    assert!(
        wrong.stderr.contains("`FILE` is not understood"),
        "{}",
        wrong.stderr
    );
}

#[test]
fn loopback_is_reached_only_where_it_is_allowed() {
    let server = Server::start("text/plain", "hello");
    let arguments = json!({ "url": server.url }).to_string();
    let call =
        |options: &[&str]| tool(&[&["call", "web-fetch_page", &arguments], options].concat());
    let refused = call(&[]).exits(1);
    assert!(
        refused.stderr.contains("--allow-private-network"),
        "{}",
        refused.stderr
    );
    assert_eq!(refused.text(), "");
    let fetched = call(&["--allow-private-network"]).exits(0);
    assert_eq!(fetched.text(), format!("URL: {}\n\nhello", server.url));
}

#[test]
fn a_download_is_kept_where_the_caller_says() {
    let server = Server::start("text/csv", "a,b\n1,2\n");
    let directory = tempfile::tempdir().unwrap();
    let url = format!("{}table.csv", server.url);
    let answer = tool(&[
        "call",
        "web-download_file",
        &json!({ "url": url }).to_string(),
        "--allow-private-network",
        "--out",
        directory.path().to_str().unwrap(),
    ])
    .exits(0);
    assert_eq!(
        answer.json(),
        json!({ "filename": "table.csv", "mime_type": "text/csv", "bytes": 8, "url": url })
    );
    let kept = std::fs::read_to_string(directory.path().join("table.csv")).unwrap();
    assert_eq!(kept, "a,b\n1,2\n");
}

#[test]
fn the_timeout_option_caps_a_tool_with_a_longer_timeout() {
    // Takes connections and never answers.
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}/", listener.local_addr().unwrap());
    let answer = tool(&[
        "call",
        "web-fetch_page",
        &json!({ "url": url }).to_string(),
        "--allow-private-network",
        "--timeout",
        "0.3",
    ])
    .exits(1);
    assert!(
        answer
            .stderr
            .contains("Tool 'web-fetch_page' timed out after 0.3 seconds"),
        "{}",
        answer.stderr
    );
}

/// A server on loopback that gives the same answer to everybody.
struct Server {
    url: String,
}

impl Server {
    fn start(content_type: &str, body: &str) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let url = format!("http://{}/", listener.local_addr().unwrap());
        let answer = format!(
            "HTTP/1.1 200 OK\r\nContent-Type: {content_type}\r\nContent-Length: {}\r\nConnection: close\r\n\r\n{body}",
            body.len()
        );
        // The thread ends with the test's process.
        std::thread::spawn(move || {
            for mut stream in listener.incoming().flatten() {
                let mut request = [0; 4096];
                let _ = stream.read(&mut request).unwrap();
                stream.write_all(answer.as_bytes()).unwrap();
            }
        });
        Self { url }
    }
}

#![cfg(feature = "builtins")]

use std::io::{Read as _, Write as _};
use std::net::TcpListener;

use serde_json::json;

use crate::program::tool;

#[test]
#[ignore = "tool-builtins declares no tools yet"]
fn the_binary_has_the_built_in_tools_and_no_others() {
    let answer = tool(&["list", "--json"]).exits(0);
    let text = answer.text();
    assert!(text.contains("\"web-fetch_page\""), "{text}");
    assert!(text.contains("\"files-read_file\""), "{text}");
    assert!(!text.contains("demo-"), "{text}");
    assert_eq!(answer.stderr, "");
}

#[test]
#[ignore = "tool-builtins declares no tools yet"]
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
#[ignore = "tool-builtins declares no tools yet"]
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
#[ignore = "tool-builtins declares no tools yet"]
fn loopback_is_reached_only_where_it_is_allowed() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}/", listener.local_addr().unwrap());
    let server = std::thread::spawn(move || {
        let (mut stream, _) = listener.accept().unwrap();
        let mut request = [0; 4096];
        let _ = stream.read(&mut request).unwrap();
        let page = "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 5\r\nConnection: close\r\n\r\nhello";
        stream.write_all(page.as_bytes()).unwrap();
    });
    let arguments = json!({ "url": url }).to_string();
    let refused = tool(&["call", "web-fetch_page", &arguments]).exits(1);
    assert!(
        refused.stderr.contains("--allow-private-network"),
        "{}",
        refused.stderr
    );
    let fetched = tool(&[
        "call",
        "web-fetch_page",
        &arguments,
        "--allow-private-network",
    ])
    .exits(0);
    assert!(fetched.text().contains("hello"), "{}", fetched.text());
    server.join().unwrap();
}

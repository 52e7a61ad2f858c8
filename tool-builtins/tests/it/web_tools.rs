//! The web tools as a model calls them.

use std::time::Duration;

use serde_json::json;
use tool_builtins::{Network, Policy};
use tool_core::{Call, Catalogue, ErrorKind, Executor};

use crate::calls::{call, error_of};
use crate::server::{Reply, Server, ok, redirect, response};

const ARTICLE: &str = "<html><head><title>On milk</title></head><body><nav>Home</nav><article><h1>On milk</h1>\
    <p>Milk is a white liquid food produced by the mammary glands of mammals, and <a href=\"/more\">there is more</a> \
    to say about it than fits into one paragraph.</p></article></body></html>";

#[tokio::test]
async fn a_page_comes_below_its_title_and_its_url_after_redirects() {
    let server = Server::start(|request| match request.path.as_str() {
        "/old" => redirect(302, "/new"),
        _ => Reply::Raw(ok("text/html", ARTICLE.as_bytes())),
    });
    let arguments = json!({ "url": server.url("/old") });
    let outcome = call(&server.policy(), "web-fetch_page", arguments).await;
    let text = outcome.text();
    let head = format!("Title: On milk\nURL: {}\n\n", server.url("/new"));
    assert!(text.starts_with(&head), "{text}");
    assert!(
        text.contains("Milk is a white liquid food") && !text.contains('<'),
        "{text}"
    );
}

#[tokio::test]
async fn the_format_says_how_a_page_is_given() {
    let server = Server::with("text/html", ARTICLE);
    for (format, expected) in [
        ("markdown", "[there is more]("),
        ("html", "<nav>Home</nav>"),
    ] {
        let arguments = json!({ "url": server.url("/"), "format": format });
        let outcome = call(&server.policy(), "web-fetch_page", arguments).await;
        assert!(outcome.text().contains(expected), "{}", outcome.text());
    }
}

#[tokio::test]
async fn text_that_is_no_page_has_no_title_and_an_empty_answer_says_so() {
    let server = Server::with("application/json", r#"{"a": 1}"#);
    let arguments = json!({ "url": server.url("/data") });
    let outcome = call(&server.policy(), "web-fetch_page", arguments).await;
    assert_eq!(
        outcome.text(),
        format!("URL: {}\n\n{{\"a\": 1}}", server.url("/data"))
    );

    let empty = Server::with("text/html", "<html><body><script>app()</script></body>");
    let arguments = json!({ "url": empty.url("/") });
    let outcome = call(&empty.policy(), "web-fetch_page", arguments).await;
    assert!(
        outcome
            .text()
            .ends_with("\n\n[no text was found on this page]"),
        "{}",
        outcome.text()
    );
}

#[tokio::test]
async fn headers_are_sent_and_others_than_the_allowed_ones_are_an_error() {
    let server = Server::with("text/plain", "hello");
    let arguments = |name: &str| json!({ "url": server.url("/"), "headers": { name: "de" } });
    let policy = server.policy();
    let outcome = call(&policy, "web-fetch_page", arguments("Accept-Language")).await;
    assert!(outcome.is_ok(), "{}", outcome.text());
    assert_eq!(
        server.requests()[0].headers["accept-language"],
        "de".to_owned()
    );

    for tool in ["web-fetch_page", "web-download_file"] {
        let outcome = call(&policy, tool, arguments("Authorization")).await;
        let error = error_of(&outcome, ErrorKind::Failed);
        assert_eq!(error.message(), "the header `Authorization` may not be set");
        assert!(error.hint().unwrap().contains("`accept-language`"));
    }
    assert_eq!(server.requests().len(), 1);
}

#[tokio::test]
async fn a_download_is_a_file_and_a_few_words_about_it() {
    let server = Server::start(|_| {
        let headers = [
            ("Content-Type", "application/octet-stream"),
            ("Content-Disposition", "attachment; filename=\"logo.png\""),
        ];
        Reply::Raw(response(
            "200 OK",
            &headers,
            b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR",
        ))
    });
    let arguments = json!({ "url": server.url("/files/1") });
    let outcome = call(&server.policy(), "web-download_file", arguments).await;
    let output = outcome.result.as_ref().unwrap();
    let about: serde_json::Value = serde_json::from_str(output.json().unwrap().as_str()).unwrap();
    assert_eq!(
        about,
        json!({ "filename": "logo.png", "mime_type": "image/png", "bytes": 16, "url": server.url("/files/1") })
    );
    let files: Vec<_> = outcome.files().collect();
    assert_eq!(files.len(), 1);
    assert_eq!(files[0].filename, "logo.png");
    assert_eq!(files[0].mime_type, "image/png");
    assert!(files[0].content.starts_with(b"\x89PNG"));
}

#[tokio::test]
async fn a_page_that_is_no_text_names_the_tool_for_files() {
    let server = Server::with("image/png", b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR");
    let arguments = json!({ "url": server.url("/") });
    let outcome = call(&server.policy(), "web-fetch_page", arguments).await;
    let error = error_of(&outcome, ErrorKind::Failed);
    assert_eq!(
        error.hint(),
        Some("to get it as a file use `web-download_file`")
    );
    assert!(!error.is_retryable());
}

#[tokio::test]
async fn wrong_arguments_are_all_named() {
    let policy = Policy::new();
    let arguments = json!({ "url": "https://example.com", "format": "pdf", "depth": 2 });
    let outcome = call(&policy, "web-fetch_page", arguments).await;
    let problems: Vec<_> = error_of(&outcome, ErrorKind::InvalidArguments)
        .problems()
        .iter()
        .map(|problem| problem.path.as_str())
        .collect();
    assert_eq!(problems.len(), 2, "{}", outcome.text());
    assert!(
        outcome.text().contains(r#""text", "markdown", "html""#),
        "{}",
        outcome.text()
    );

    let outcome = call(&policy, "web-download_file", json!({})).await;
    error_of(&outcome, ErrorKind::InvalidArguments);
    assert!(outcome.text().contains("url"), "{}", outcome.text());

    let outcome = call(&policy, "web-fetch_page", json!({ "url": "example.com" })).await;
    let error = error_of(&outcome, ErrorKind::Failed);
    assert_eq!(error.message(), "the URL has no scheme");
}

#[tokio::test]
async fn what_the_policy_refuses_is_denied_with_the_setting_that_allows_it() {
    let server = Server::with("text/plain", "secret");
    for tool in ["web-fetch_page", "web-download_file"] {
        let url = server.url("/private?token=hunter2");
        let outcome = call(&Policy::new(), tool, json!({ "url": url })).await;
        let error = error_of(&outcome, ErrorKind::Denied);
        let hint = error.hint().unwrap();
        assert!(hint.contains("Network::PrivateAllowed"), "{hint}");
        assert!(hint.contains("--allow-private-network"), "{hint}");
        assert!(!error.message().contains(hint), "{error}");
        assert!(!outcome.text().contains("hunter2"), "{}", outcome.text());
        assert!(!error.is_retryable());

        let name = url.replace("127.0.0.1", "localhost");
        let outcome = call(&Policy::new(), tool, json!({ "url": name })).await;
        let error = error_of(&outcome, ErrorKind::Denied);
        assert!(error.hint().unwrap().contains("--allow-private-network"));

        let offline = Policy::new().network(Network::Off);
        let arguments = json!({ "url": "https://example.com" });
        let outcome = call(&offline, tool, arguments).await;
        let error = error_of(&outcome, ErrorKind::Denied);
        assert!(error.hint().unwrap().contains("Network::Public"), "{error}");
    }
    assert_eq!(server.requests().len(), 0);
}

#[tokio::test]
async fn no_policy_is_the_safe_one() {
    let server = Server::with("text/plain", "secret");
    let executor = Executor::new(Catalogue::new(tool_builtins::TOOLS).unwrap()).unwrap();
    let arguments = json!({ "url": server.url("/") });
    let outcome = executor
        .call(Call::new("call_1", "web-fetch_page", arguments))
        .await;
    error_of(&outcome, ErrorKind::Denied);
    assert_eq!(server.requests().len(), 0);
}

#[tokio::test]
async fn only_what_may_pass_by_itself_is_retryable() {
    for (status, retryable) in [
        ("404 Not Found", false),
        ("403 Forbidden", false),
        ("429 Too Many Requests", true),
        ("500 Internal Server Error", true),
        ("503 Service Unavailable", true),
    ] {
        let server = Server::start(move |_| Reply::Raw(response(status, &[], b"no")));
        let arguments = json!({ "url": server.url("/?key=hunter2") });
        let outcome = call(&server.policy(), "web-fetch_page", arguments).await;
        let error = error_of(&outcome, ErrorKind::Failed);
        assert_eq!(error.is_retryable(), retryable, "{error}");
        assert!(error.message().contains(status), "{error}");
        assert!(!outcome.text().contains("hunter2"), "{}", outcome.text());
    }
    let server = Server::start(|_| Reply::Slow(ok("text/plain", b"slow"), Duration::from_secs(5)));
    let policy = server.policy().total_timeout(Duration::from_millis(100));
    let arguments = json!({ "url": server.url("/") });
    let outcome = call(&policy, "web-download_file", arguments).await;
    let error = error_of(&outcome, ErrorKind::Failed);
    assert!(error.is_retryable());
    assert_eq!(
        error.hint(),
        Some("to wait longer use `Policy::total_timeout`")
    );
}

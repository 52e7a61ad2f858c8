//! Fetched pages: what is given for which kind of answer.

use tool_builtins::Policy;
use tool_builtins::policy::NetworkErrorKind;
use tool_builtins::web::{PageFormat, WebErrorKind, fetch_page};

use crate::server::{Reply, Server, ok, redirect, response};

async fn content(content_type: &str, body: impl AsRef<[u8]>) -> String {
    let server = Server::with(content_type, body);
    fetch_page(&server.policy(), &server.url("/"), PageFormat::Text, &[])
        .await
        .unwrap()
        .content
}

#[tokio::test]
async fn a_page_comes_with_its_title_final_url_and_type() {
    let page = ok(
        "text/html; charset=utf-8",
        "<title> A\n page </title><p>Hello, <b>bold</b> wörld.".as_bytes(),
    );
    let server = Server::start(move |request| match request.path.as_str() {
        "/old" => redirect(301, "/new"),
        _ => Reply::Raw(page.clone()),
    });
    let page = fetch_page(&server.policy(), &server.url("/old"), PageFormat::Text, &[])
        .await
        .unwrap();
    assert_eq!(page.url, server.url("/new"));
    assert_eq!(
        (
            page.status,
            page.content_type.as_str(),
            page.title.as_deref()
        ),
        (200, "text/html", Some("A page"))
    );
    assert_eq!(page.content, "Hello, bold wörld.");
}

#[tokio::test]
async fn each_format_shows_the_page_its_own_way() {
    let html = r#"<h1>Title</h1><p>See <a href="/x">this</a> &amp; <em>that</em>.</p>"#;
    let server = Server::with("text/html", html);
    let url = server.url("/a/b");
    let policy = server.policy();
    let get = async |format| {
        fetch_page(&policy, &url, format, &[])
            .await
            .unwrap()
            .content
    };
    assert_eq!(get(PageFormat::Text).await, "Title\n\nSee this & that.");
    assert_eq!(
        get(PageFormat::Markdown).await,
        format!("# Title\n\nSee [this]({}) & *that*.", server.url("/x"))
    );
    assert_eq!(get(PageFormat::Html).await, html);
}

#[tokio::test]
async fn the_encoding_is_found_in_mark_header_meta_and_bytes() {
    let russian = "<p>Это русский текст для проверки определения кодировки.";
    let windows = encode_windows_1251(russian);
    let expected = russian.trim_start_matches("<p>");
    assert_eq!(content("text/html; charset=utf-8", russian).await, expected);
    assert_eq!(
        content("text/html; charset=\"windows-1251\"", &windows).await,
        expected
    );
    assert_eq!(
        content(
            "text/html",
            [b"<meta charset=windows-1251>".as_slice(), &windows].concat()
        )
        .await,
        expected
    );
    assert_eq!(content("text/html", &windows).await, expected);
    assert_eq!(
        content(
            "text/html; charset=iso-8859-1",
            [b"\xef\xbb\xbf", russian.as_bytes()].concat()
        )
        .await,
        expected
    );
    let wide: Vec<u8> = [0xfeff]
        .into_iter()
        .chain(russian.encode_utf16())
        .flat_map(u16::to_be_bytes)
        .collect();
    assert_eq!(content("text/html", &wide).await, expected);
    assert_eq!(content("text/html", "<p>café").await, "café");
    assert_eq!(
        content("text/html; charset=nonsense", "<p>café").await,
        "café"
    );
}

fn encode_windows_1251(text: &str) -> Vec<u8> {
    text.chars()
        .map(|letter| match letter {
            'а'..='я' => 0xe0 + u8::try_from(letter as u32 - 'а' as u32).unwrap(),
            'А'..='Я' => 0xc0 + u8::try_from(letter as u32 - 'А' as u32).unwrap(),
            letter => u8::try_from(letter as u32).unwrap(),
        })
        .collect()
}

#[tokio::test]
async fn json_and_plain_text_come_as_they_are() {
    let json = "{\n  \"b\": [1.50, \"<p>x</p>\"],\n  \"a\": null\n}";
    assert_eq!(content("application/json", json).await, json);
    assert_eq!(
        content("application/vnd.api+json; charset=utf-8", json).await,
        json
    );
    assert_eq!(
        content("text/plain", "<p>not a page\n\n  indented").await,
        "<p>not a page\n\n  indented"
    );
    assert_eq!(content("text/csv", "a,b\n1,2").await, "a,b\n1,2");
    assert_eq!(
        content("application/xml", "<?xml version=\"1.0\"?><a>b</a>").await,
        "<?xml version=\"1.0\"?><a>b</a>"
    );
}

#[tokio::test]
async fn without_a_type_the_content_tells() {
    assert_eq!(content("", "  <!DOCTYPE HTML><p>a<p>b").await, "a\n\nb");
    assert_eq!(content("", "just words").await, "just words");
    assert_eq!(content("application/octet-stream", "<html><p>a").await, "a");
}

#[tokio::test]
async fn what_drives_terminals_or_hides_is_taken_out_of_every_format() {
    let body = "<p>a\u{1b}[31mb\u{202e}c\u{200b}d\u{e0041}e";
    for format in [PageFormat::Text, PageFormat::Markdown, PageFormat::Html] {
        let server = Server::with("text/html", body);
        let page = fetch_page(&server.policy(), &server.url("/"), format, &[])
            .await
            .unwrap();
        assert!(page.content.ends_with("abcde"), "{:?}", page.content);
    }
    assert_eq!(
        content("text/plain", "a\u{9b}31mb\r\nc\u{0}").await,
        "ab\nc"
    );
}

#[tokio::test]
async fn an_answer_that_is_not_text_names_the_tool_for_files() {
    let bodies: [(&str, &[u8], &str); 6] = [
        ("image/png", b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", "image/png"),
        ("text/html", b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", "image/png"),
        (
            "application/pdf",
            b"%PDF-1.7\n%\xe2\xe3\xcf\xd3",
            "application/pdf",
        ),
        (
            "application/zip",
            b"PK\x03\x04\x14\0\0\0\x08\0",
            "application/zip",
        ),
        ("video/x-unknown", b"\0\x01\x02\x03\x04", "video/x-unknown"),
        ("image/svg+nonsense", b"plain enough", "image/svg+nonsense"),
    ];
    for (declared, body, named) in bodies {
        let server = Server::with(declared, body);
        let error = fetch_page(&server.policy(), &server.url("/"), PageFormat::Text, &[])
            .await
            .unwrap_err();
        assert_eq!(error.kind(), WebErrorKind::Binary, "{declared}");
        let message = error.to_string();
        assert!(
            message.contains("web-download_file") && message.contains(named),
            "{message}"
        );
    }
}

#[tokio::test]
async fn an_empty_answer_is_an_empty_page() {
    let server = Server::start(|_| Reply::Raw(response("204 No Content", &[], b"")));
    let page = fetch_page(&server.policy(), &server.url("/"), PageFormat::Text, &[])
        .await
        .unwrap();
    assert_eq!((page.status, page.content.as_str()), (204, ""));
    assert_eq!(content("text/html", "").await, "");
}

#[tokio::test]
async fn a_refused_request_keeps_its_reason() {
    let error = fetch_page(
        &Policy::default(),
        "http://127.0.0.1/",
        PageFormat::Text,
        &[],
    )
    .await
    .unwrap_err();
    assert_eq!(
        error.kind(),
        WebErrorKind::Network(NetworkErrorKind::Refused)
    );
    assert!(error.to_string().contains("--allow-private-network"));
}

#[tokio::test]
async fn a_name_of_the_policy_reaches_its_server() {
    let server = Server::with("text/plain", "by name");
    let url = format!("http://docs.example:{}/", server.address.port());
    let page = fetch_page(&server.named("docs.example"), &url, PageFormat::Text, &[])
        .await
        .unwrap();
    assert_eq!(page.content, "by name");
    assert_eq!(
        server.requests()[0].headers["host"],
        format!("docs.example:{}", server.address.port())
    );
}

//! Downloaded files, their names and types.

use tool_builtins::web::{download_file, safe_file_name};

use crate::server::{Reply, Server, response};

#[test]
fn file_names_come_from_the_header_in_all_its_forms() {
    for (header, expected) in [
        (r#"attachment; filename="report.pdf""#, "report.pdf"),
        ("attachment; filename=report.pdf", "report.pdf"),
        ("attachment; filename=plain.txt; size=3", "plain.txt"),
        ("attachment;filename=\"a;b.txt\"", "a;b.txt"),
        (r#"attachment; filename="a\"b.txt""#, "a_b.txt"),
        ("ATTACHMENT; FILENAME=\"up.txt\"", "up.txt"),
        (
            "attachment; filename*=UTF-8''na%C3%AFve%20file.txt",
            "naïve file.txt",
        ),
        (
            "attachment; filename*=iso-8859-1'en'%A3%20rates.txt",
            "£ rates.txt",
        ),
        (
            "attachment; filename=\"fallback.txt\"; filename*=UTF-8''r%C3%A9sum%C3%A9.txt",
            "résumé.txt",
        ),
        (
            "attachment; filename*=UTF-8''r%C3%A9sum%C3%A9.txt; filename=\"fallback.txt\"",
            "résumé.txt",
        ),
        (
            "attachment; filename*=broken; filename=\"fallback.txt\"",
            "fallback.txt",
        ),
        ("attachment; filename=\"na%20me.txt\"", "na me.txt"),
        ("attachment; filename=\"100%.txt\"", "100%.txt"),
        (
            "attachment; filename=\"%2e%2e%2fetc%2fpasswd\"",
            "passwd.html",
        ),
        (
            "inline; x=\"filename=evil.exe\"; filename=good.txt",
            "good.txt",
        ),
        ("attachment; filename=\"unclosed.txt", "unclosed.txt"),
        ("attachment; filename=\"\"", "page.html"),
        ("attachment", "page.html"),
        ("", "page.html"),
        ("filename=\"no-type.txt\"", "page.html"),
    ] {
        assert_eq!(
            safe_file_name(header, "/dir/page.html", "text/html"),
            expected,
            "{header}"
        );
    }
}

#[test]
fn no_name_of_a_server_leaves_the_directory_or_hides_what_it_is() {
    for (name, expected) in [
        ("../../etc/evil.sh", "evil.sh"),
        ("/etc/passwd", "passwd"),
        (r"C:\Windows\System32\evil.dll", "evil.dll"),
        (r"..\..\evil.bat", "evil.bat"),
        ("..", "index"),
        ("...", "index"),
        ("/", "index"),
        (".bashrc", "bashrc"),
        ("-rf", "rf"),
        ("CON", "_CON"),
        ("con.txt", "_con.txt"),
        ("Lpt1.tar.gz", "_Lpt1.tar.gz"),
        ("COM¹", "_COM¹"),
        ("console.txt", "console.txt"),
        ("file.txt ", "file.txt"),
        ("file.txt...", "file.txt"),
        ("a:b|c?d*e<f>g", "a_b_c_d_e_f_g"),
        ("exe\u{202e}txt.exe", "exetxt.exe"),
        ("a\u{0}b\u{1b}[31m\nc.txt", "ab_c.txt"),
        ("zero\u{200b}width.txt", "zerowidth.txt"),
        ("a\u{2215}b\u{ff0f}c.txt", "a_b_c.txt"),
    ] {
        let encoded: String = name.bytes().map(|byte| format!("%{byte:02X}")).collect();
        let header = format!("attachment; filename*=UTF-8''{encoded}");
        assert_eq!(safe_file_name(&header, "/index", ""), expected, "{name:?}");
    }
}

#[test]
fn any_name_at_all_becomes_one_short_safe_part_of_a_path() {
    let pieces = [
        "/",
        "\\",
        "..",
        ".",
        "%2f",
        "%00",
        "\u{202e}",
        "é",
        "con",
        "\"",
        ";",
        "=",
        "'",
        "filename",
        "*",
        " ",
        "\u{7}",
        "x".repeat(90).leak(),
    ];
    let mut state = 7_usize;
    for _ in 0..5000 {
        let mut name = String::new();
        for _ in 0..6 {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            name.push_str(pieces[(state >> 33) % pieces.len()]);
        }
        for header in [
            format!("attachment; filename=\"{name}\""),
            format!("attachment; filename*=UTF-8''{name}"),
            format!("x; {name}"),
        ] {
            let safe = safe_file_name(&header, &name, "text/plain");
            assert!(
                !safe.is_empty() && safe.len() <= 132,
                "{header:?} became {safe:?}"
            );
            assert!(
                !safe.contains(['/', '\\', '\0', '\u{202e}', '\u{7}']),
                "{header:?} became {safe:?}"
            );
            assert!(
                !safe.starts_with(['.', '-', ' ']) && !safe.ends_with(['.', ' ']),
                "{header:?} became {safe:?}"
            );
        }
    }
}

#[test]
fn long_names_keep_their_extension() {
    let header = format!("attachment; filename=\"{}.tar.gz\"", "ü".repeat(200));
    let name = safe_file_name(&header, "/", "");
    assert!(name.len() <= 128 && name.contains(".gz"), "{name}");
}

#[tokio::test]
async fn a_download_has_its_bytes_its_name_and_its_type_by_content() {
    let png = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR".to_vec();
    let body = png.clone();
    let server = Server::start(move |_| {
        let headers = [
            ("Content-Type", "text/plain; charset=utf-8"),
            (
                "Content-Disposition",
                "attachment; filename=\"../photo.png\"",
            ),
        ];
        Reply::Raw(response("200 OK", &headers, &body))
    });
    let file = download_file(&server.policy(), &server.url("/get?id=1"), &[])
        .await
        .unwrap();
    assert_eq!(
        (
            file.file_name.as_str(),
            file.mime_type.as_str(),
            file.content.as_ref()
        ),
        ("photo.png", "image/png", png.as_slice())
    );
}

#[tokio::test]
async fn without_a_header_the_url_gives_the_name_and_the_server_the_type() {
    let server = Server::with("Text/CSV; charset=utf-8", "a,b\n1,2\n");
    let file = download_file(
        &server.policy(),
        &server.url("/data/annual%20report?x=1"),
        &[],
    )
    .await
    .unwrap();
    assert_eq!(
        (file.file_name.as_str(), file.mime_type.as_str()),
        ("annual report.csv", "text/csv")
    );
    let server = Server::with("", "\u{1}\u{2}\u{0}\u{3}");
    let file = download_file(&server.policy(), &server.url("/"), &[])
        .await
        .unwrap();
    assert_eq!(
        (file.file_name.as_str(), file.mime_type.as_str()),
        ("download", "application/octet-stream")
    );
}

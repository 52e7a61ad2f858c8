//! Bodies that are compressed, endless, slow or not what they claim to be.

use std::io::Write;
use std::time::{Duration, Instant};

use tool_builtins::Policy;
use tool_builtins::policy::NetworkErrorKind;

use crate::server::{Reply, Server, response};

async fn kind(policy: &Policy, url: &str) -> NetworkErrorKind {
    policy.get(url, &[]).await.expect_err(url).kind()
}

#[tokio::test]
async fn a_compressed_bomb_is_stopped_at_the_limit() {
    // One mebibyte of zeros, flushed so that the piece can be repeated.
    let mut encoder = flate2::write::DeflateEncoder::new(Vec::new(), flate2::Compression::best());
    encoder.write_all(&vec![0; 1 << 20]).unwrap();
    encoder.flush().unwrap();
    let first = encoder.get_ref().len();
    encoder.write_all(&vec![0; 1 << 20]).unwrap();
    encoder.flush().unwrap();
    let (start, piece) = encoder.get_ref().split_at(first);
    let mut body = vec![0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff];
    body.extend_from_slice(start);
    for _ in 0..255 {
        body.extend_from_slice(piece);
    }
    assert!(body.len() < 1 << 20);
    let reply = response(
        "200 OK",
        &[("Content-Type", "text/plain"), ("Content-Encoding", "gzip")],
        &body,
    );
    let server = Server::start(move |_| Reply::Raw(reply.clone()));
    let started = Instant::now();
    let error = server
        .policy()
        .get(&server.url("/"), &[])
        .await
        .unwrap_err();
    assert_eq!(error.kind(), NetworkErrorKind::TooLarge);
    assert!(
        error.to_string().contains("Policy::max_download"),
        "{error}"
    );
    assert!(started.elapsed() < Duration::from_secs(10));
}

#[tokio::test]
async fn gzip_deflate_and_plain_bodies_are_the_same_text() {
    use flate2::Compression;
    use flate2::write::{GzEncoder, ZlibEncoder};
    let text = b"the same text, again and again ".repeat(50);
    let mut gzip = GzEncoder::new(Vec::new(), Compression::fast());
    gzip.write_all(&text).unwrap();
    let mut deflate = ZlibEncoder::new(Vec::new(), Compression::fast());
    deflate.write_all(&text).unwrap();
    for (encoding, body) in [
        ("gzip", gzip.finish().unwrap()),
        ("deflate", deflate.finish().unwrap()),
        ("identity", text.clone()),
    ] {
        let reply = response("200 OK", &[("Content-Encoding", encoding)], &body);
        let server = Server::start(move |_| Reply::Raw(reply.clone()));
        let answer = server.policy().get(&server.url("/"), &[]).await.unwrap();
        assert_eq!(answer.body, text, "{encoding}");
    }
    let server =
        Server::start(|_| Reply::Raw(response("200 OK", &[("Content-Encoding", "zstd")], b"x")));
    assert_eq!(
        kind(&server.policy(), &server.url("/")).await,
        NetworkErrorKind::InvalidAnswer
    );
}

#[tokio::test]
async fn a_server_that_sends_nothing_or_drips_is_given_up() {
    let silent =
        Server::start(|_| Reply::Slow(b"HTTP/1.1 200 OK\r\n".to_vec(), Duration::from_secs(5)));
    let policy = silent.policy().idle_timeout(Duration::from_millis(200));
    let error = policy.get(&silent.url("/"), &[]).await.unwrap_err();
    assert_eq!(error.kind(), NetworkErrorKind::TimedOut);
    assert!(
        error.to_string().contains("Policy::idle_timeout"),
        "{error}"
    );

    let mut body = b"HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n".to_vec();
    body.extend(vec![b'x'; 1000]);
    let dripping = Server::start(move |_| Reply::Slow(body.clone(), Duration::from_millis(20)));
    let policy = dripping.policy().total_timeout(Duration::from_millis(500));
    let error = policy.get(&dripping.url("/"), &[]).await.unwrap_err();
    assert_eq!(error.kind(), NetworkErrorKind::TimedOut);
    assert!(
        error.to_string().contains("0.5 seconds")
            && error.to_string().contains("Policy::total_timeout"),
        "{error}"
    );
}

#[tokio::test]
async fn a_chunked_body_without_length_is_read_and_an_endless_one_is_stopped() {
    let chunked = Server::start(|_| {
        Reply::Raw(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n6\r\n world\r\n0\r\n\r\n".to_vec())
    });
    assert_eq!(
        chunked
            .policy()
            .get(&chunked.url("/"), &[])
            .await
            .unwrap()
            .body,
        "hello world"
    );
    let endless = Server::start(|_| {
        let mut bytes = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n".to_vec();
        for _ in 0..4096 {
            bytes.extend_from_slice(b"400\r\n");
            bytes.extend_from_slice(&[b'x'; 1024]);
            bytes.extend_from_slice(b"\r\n");
        }
        Reply::Raw(bytes)
    });
    let policy = endless.policy().max_download(1 << 20);
    assert_eq!(
        kind(&policy, &endless.url("/")).await,
        NetworkErrorKind::TooLarge
    );
}

#[tokio::test]
async fn a_lying_length_is_an_error_and_not_half_an_answer() {
    let server = Server::start(|request| match request.path.as_str() {
        "/long" => Reply::Raw(b"HTTP/1.1 200 OK\r\nContent-Length: 5000\r\n\r\nshort".to_vec()),
        _ => Reply::Raw(b"HTTP/1.1 200 OK\r\nContent-Length: abc\r\n\r\nshort".to_vec()),
    });
    let error = server
        .policy()
        .get(&server.url("/long"), &[])
        .await
        .unwrap_err();
    assert_eq!(error.kind(), NetworkErrorKind::InvalidAnswer, "{error}");
    assert!(
        server
            .policy()
            .get(&server.url("/nonsense"), &[])
            .await
            .is_err()
    );
}

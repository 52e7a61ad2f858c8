//! One request, and everything that a server can do to it.

use std::time::Duration;

use tool_builtins::policy::NetworkErrorKind;
use tool_builtins::{Network, Policy};

use crate::server::{Reply, Server, ok, redirect, response};

fn header(name: &str, value: &str) -> (String, String) {
    (name.to_owned(), value.to_owned())
}

async fn kind(policy: &Policy, url: &str) -> NetworkErrorKind {
    policy.get(url, &[]).await.expect_err(url).kind()
}

#[tokio::test]
async fn redirects_are_followed_up_to_the_limit() {
    let server =
        Server::start(
            |request| match request.path.trim_start_matches('/').parse::<u32>() {
                Ok(0) | Err(_) => Reply::Raw(ok("text/plain", b"arrived")),
                Ok(left) => redirect(
                    [301, 302, 303, 307, 308][left as usize % 5],
                    &format!("/{}", left - 1),
                ),
            },
        );
    let policy = server.policy();
    let answer = policy.get(&server.url("/10"), &[]).await.unwrap();
    assert_eq!(
        (answer.body.as_ref(), answer.url),
        (b"arrived".as_slice(), server.url("/0"))
    );
    let error = policy.get(&server.url("/11"), &[]).await.unwrap_err();
    assert_eq!(error.kind(), NetworkErrorKind::TooManyRedirects);
    assert!(
        error.to_string().contains("Policy::max_redirects"),
        "{error}"
    );
}

#[tokio::test]
async fn a_redirect_to_what_the_policy_forbids_is_refused_before_it_is_requested() {
    let secret = Server::with("text/plain", "secret");
    for location in [
        secret.url("/"),
        format!("http://localhost:{}/", secret.address.port()),
        format!("//{}/", secret.address),
        format!("http://0x7f000001:{}/", secret.address.port()),
        "http://169.254.169.254/latest/meta-data/".to_owned(),
        "http://[::1]/".to_owned(),
    ] {
        for status in [301, 302, 303, 307, 308] {
            let target = location.clone();
            let server = Server::start(move |_| redirect(status, &target));
            assert_eq!(
                kind(&server.policy(), &server.url("/")).await,
                NetworkErrorKind::Refused,
                "{status} {location}"
            );
        }
    }
    assert!(secret.requests().is_empty());
}

#[tokio::test]
async fn a_redirect_to_another_scheme_or_with_a_user_name_is_not_valid() {
    for location in [
        "file:///etc/passwd",
        "ftp://example.com/",
        "javascript:1",
        "http://user:pw@example.com/",
        "http://a\\@b/",
    ] {
        let server = Server::start(move |_| redirect(302, location));
        assert_eq!(
            kind(&server.policy(), &server.url("/")).await,
            NetworkErrorKind::InvalidUrl,
            "{location}"
        );
    }
}

#[tokio::test]
async fn headers_of_the_model_stay_within_the_origin() {
    let second = Server::with("text/plain", "x");
    let target = second.url("/second");
    let first = Server::start(move |request| match request.path.as_str() {
        "/start" => redirect(302, "/same"),
        _ => redirect(302, &target),
    });
    let policy = Policy::new().network(Network::PrivateAllowed);
    let headers = [
        header("Accept-Language", "de"),
        header("If-None-Match", "\"token\""),
    ];
    policy.get(&first.url("/start"), &headers).await.unwrap();
    let language = |requests: Vec<crate::server::Request>| {
        requests
            .into_iter()
            .map(|request| request.headers.get("accept-language").cloned())
            .collect::<Vec<_>>()
    };
    assert_eq!(
        language(first.requests()),
        [Some("de".to_owned()), Some("de".to_owned())]
    );
    assert_eq!(language(second.requests()), [None]);
}

#[tokio::test]
async fn only_headers_that_say_what_is_wanted_may_be_set() {
    let server = Server::with("text/plain", "x");
    let policy = server.policy();
    for name in [
        "Authorization",
        "Cookie",
        "Host",
        "Proxy-Authorization",
        "X-Forwarded-For",
        "Metadata-Flavor",
        "X-aws-ec2-metadata-token",
        "X-Api-Key",
        "Content-Length",
        "Transfer-Encoding",
        "Connection",
        "Accept-Encoding",
        "Referer",
        "Origin",
        "",
        "a b",
    ] {
        let error = policy
            .get(&server.url("/"), &[header(name, "x")])
            .await
            .unwrap_err();
        assert_eq!(error.kind(), NetworkErrorKind::InvalidHeader, "{name}");
        assert!(error.to_string().contains("`accept-language`"), "{error}");
    }
    let injected = policy
        .get(&server.url("/"), &[header("Accept", "x\r\nCookie: a=b")])
        .await
        .unwrap_err();
    assert_eq!(injected.kind(), NetworkErrorKind::InvalidHeader);
    assert!(server.requests().is_empty());
    policy
        .get(
            &server.url("/"),
            &[header("ACCEPT", "text/plain"), header("user-agent", "me")],
        )
        .await
        .unwrap();
    let sent = server.requests().remove(0).headers;
    assert_eq!(
        (sent["accept"].as_str(), sent["user-agent"].as_str()),
        ("text/plain", "me")
    );
}

#[tokio::test]
async fn a_status_other_than_2xx_is_an_error_that_names_it() {
    for (status, number) in [
        ("404 Not Found", 404),
        ("500 Internal Server Error", 500),
        ("304 Not Modified", 304),
        ("403 Forbidden", 403),
    ] {
        let server = Server::start(move |_| Reply::Raw(response(status, &[], b"")));
        let error = server
            .policy()
            .get(&server.url("/x?token=secret"), &[])
            .await
            .unwrap_err();
        assert_eq!(error.kind(), NetworkErrorKind::Status(number));
        assert!(error.to_string().contains(status), "{error}");
        assert!(
            !format!("{error} {error:?}").contains("secret"),
            "{error:?}"
        );
    }
    let busy = Server::start(|_| {
        Reply::Raw(response(
            "429 Too Many Requests",
            &[("Retry-After", "30")],
            b"",
        ))
    });
    let error = busy.policy().get(&busy.url("/"), &[]).await.unwrap_err();
    assert!(error.to_string().contains("wait 30 seconds"), "{error}");
}

#[tokio::test]
async fn errors_hold_no_query_whatever_goes_wrong() {
    let server = Server::start(|request| match request.path.split('?').next() {
        Some("/broken") => Reply::Raw(b"nonsense\r\n\r\n".to_vec()),
        Some("/short") => Reply::Raw(b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nabc".to_vec()),
        Some("/loop") => redirect(302, "/loop?key=secret"),
        _ => Reply::Raw(ok("text/plain", &[b'x'; 4096])),
    });
    let policy = server.policy().max_download(1024);
    for path in ["/broken", "/short", "/loop", "/large"] {
        let error = policy
            .get(&server.url(&format!("{path}?key=secret")), &[])
            .await
            .unwrap_err();
        assert!(
            !format!("{error} {error:?}").contains("secret"),
            "{error:?}"
        );
    }
}

#[tokio::test]
async fn nobody_listening_is_unreachable() {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    drop(listener);
    let policy = Policy::new().allow_address(address);
    assert_eq!(
        kind(&policy, &format!("http://{address}/")).await,
        NetworkErrorKind::Unreachable
    );
    let nowhere = Policy::new().total_timeout(Duration::from_secs(5));
    let error = nowhere
        .get("http://does-not-exist.invalid/", &[])
        .await
        .unwrap_err();
    assert!(
        matches!(
            error.kind(),
            NetworkErrorKind::Unreachable | NetworkErrorKind::TimedOut
        ),
        "{error}"
    );
}

#[tokio::test]
async fn a_redirect_without_a_target_is_an_answer_with_a_bad_status() {
    let server = Server::start(|_| Reply::Raw(response("302 Found", &[], b"")));
    assert_eq!(
        kind(&server.policy(), &server.url("/")).await,
        NetworkErrorKind::Status(302)
    );
}

#[tokio::test]
async fn a_proxy_from_the_environment_is_not_asked() {
    if std::env::var_os("TOOL_BUILTINS_PROXY_TEST").is_some() {
        let url = std::env::var("TOOL_BUILTINS_PROXY_TEST").unwrap();
        let address = url
            .trim_start_matches("http://")
            .trim_end_matches('/')
            .parse()
            .unwrap();
        assert_eq!(
            Policy::new()
                .allow_address(address)
                .get(&url, &[])
                .await
                .unwrap()
                .body,
            "direct"
        );
        return;
    }
    let (proxy, server) = (
        Server::with("text/plain", "proxied"),
        Server::with("text/plain", "direct"),
    );
    let status = std::process::Command::new(std::env::current_exe().unwrap())
        .args([
            "--exact",
            "network::a_proxy_from_the_environment_is_not_asked",
        ])
        .env("TOOL_BUILTINS_PROXY_TEST", server.url("/"))
        .envs(
            [
                "http_proxy",
                "HTTP_PROXY",
                "https_proxy",
                "ALL_PROXY",
                "all_proxy",
            ]
            .map(|name| (name, proxy.url("/"))),
        )
        .env_remove("NO_PROXY")
        .env_remove("no_proxy")
        .output()
        .unwrap();
    assert!(
        status.status.success(),
        "{}",
        String::from_utf8_lossy(&status.stdout)
    );
    assert!(proxy.requests().is_empty());
}

//! Which spellings of a URL are refused before anything is sent.

use tool_builtins::policy::NetworkErrorKind;
use tool_builtins::{Network, Policy};

use crate::server::Server;

async fn kind(policy: &Policy, url: &str) -> NetworkErrorKind {
    policy.get(url, &[]).await.expect_err(url).kind()
}

#[tokio::test]
async fn every_spelling_of_a_private_address_is_refused() {
    let policy = Policy::new();
    for host in [
        "127.0.0.1",
        "127.1",
        "127.0.1",
        "2130706433",
        "0x7f000001",
        "0x7f.0.0.1",
        "0177.0.0.1",
        "017700000001",
        "0x7f.1",
        "127.000.000.001",
        "0",
        "0.0.0.0",
        "127.0.0.1.",
        "①②⑦.⓪.⓪.①",
        "１２７.０.０.１",
        "127。0。0。1",
        "127．0．0．1",
        "127%2e0%2e0%2e1",
        "%31%32%37.0.0.1",
        "0x7F.0x0.0x0.0x1",
        "0300.0250.0.1",
        "3232235521",
        "0xc0a80001",
        "10.0.0.1",
        "10.1",
        "172.16.1",
        "192.168.257",
        "169.254.169.254",
        "2852039166",
        "0xa9fea9fe",
        "0251.0376.0251.0376",
        "0xA9.254.0251.254",
        "169.254.43518",
        "[::1]",
        "[0:0:0:0:0:0:0:1]",
        "[::]",
        "[::ffff:127.0.0.1]",
        "[::ffff:7f00:1]",
        "[0:0:0:0:0:ffff:127.0.0.1]",
        "[::127.0.0.1]",
        "[64:ff9b::127.0.0.1]",
        "[2002:7f00:1::]",
        "[fe80::1]",
        "[fd00:ec2::254]",
        "[fc00::1]",
        "[ff02::1]",
        "224.0.0.1",
        "255.255.255.255",
        "100.64.0.1",
        "198.18.0.1",
        "168.63.129.16",
        "192.0.0.192",
    ] {
        for url in [format!("http://{host}/"), format!("https://{host}:8443/x")] {
            assert_eq!(
                kind(&policy, &url).await,
                NetworkErrorKind::Refused,
                "{url}"
            );
        }
    }
}

#[tokio::test]
async fn a_url_that_could_be_read_in_two_ways_is_not_valid() {
    let policy = Policy::new();
    for url in [
        "",
        "example.com",
        "//example.com",
        "/etc/passwd",
        "file:///etc/passwd",
        "ftp://example.com",
        "gopher://127.0.0.1:70/_x",
        "data:text/html,x",
        "javascript:alert(1)",
        "blob:http://example.com/1",
        "view-source:http://example.com",
        "http://",
        "http:///",
        "http://user@example.com/",
        "http://user:secret@example.com/",
        "http://@127.0.0.1@example.com/",
        "http://example.com\\@127.0.0.1/",
        "http:\\\\127.0.0.1/",
        "http://127.0.0.1\t/",
        "ht\ntp://example.com",
        "http://exa\rmple.com",
        "http://example.com/\u{0}",
        "\u{1}http://example.com",
        "http://example.com/\u{7f}",
        "http://example.com/\u{85}",
        "http://[::1",
        "http://[fe80::1%25eth0]/",
        "http://exa mple.com/",
        "http://256.1.1.1/",
        "http://1.1.1.1.1/",
        "http://0x100000000/",
        "http://example.com:99999/",
        "http://a^b.example/",
        "http://%00.example/",
    ] {
        assert_eq!(
            kind(&policy, url).await,
            NetworkErrorKind::InvalidUrl,
            "{url:?}"
        );
    }
    let long = format!("http://example.com/{}", "a".repeat(9000));
    assert_eq!(kind(&policy, &long).await, NetworkErrorKind::InvalidUrl);
}

#[tokio::test]
async fn ports_of_other_protocols_are_refused() {
    for port in [0, 22, 25, 110, 143, 6000, 6667, 10080] {
        let url = format!("http://93.184.216.34:{port}/");
        assert_eq!(
            kind(&Policy::new(), &url).await,
            NetworkErrorKind::Refused,
            "{url}"
        );
    }
}

#[tokio::test]
async fn names_that_resolve_to_private_addresses_are_refused() {
    let server = Server::with("text/plain", "secret");
    let port = server.address.port();
    let policy = Policy::new()
        .resolve("rebind.example", [127, 0, 0, 1].into())
        .resolve("intranet.example", [10, 0, 0, 1].into())
        .resolve("metadata.example", [169, 254, 169, 254].into());
    for host in [
        "localhost",
        "LOCALHOST",
        "localhost.",
        "rebind.example",
        "intranet.example",
        "metadata.example",
    ] {
        let url = format!("http://{host}:{port}/");
        assert_eq!(
            kind(&policy, &url).await,
            NetworkErrorKind::Refused,
            "{url}"
        );
    }
    assert!(server.requests().is_empty());
}

#[tokio::test]
async fn a_refusal_names_the_settings_that_would_allow_it() {
    let error = Policy::new()
        .get("http://127.0.0.1/", &[])
        .await
        .unwrap_err()
        .to_string();
    assert!(
        error.contains("Policy::network(Network::PrivateAllowed)"),
        "{error}"
    );
    assert!(error.contains("--allow-private-network"), "{error}");
    let error = Policy::new()
        .get("http://localhost/", &[])
        .await
        .unwrap_err()
        .to_string();
    assert!(error.contains("--allow-private-network"), "{error}");
    let error = Policy::new()
        .network(Network::Off)
        .get("http://example.com/", &[])
        .await
        .unwrap_err()
        .to_string();
    assert!(
        error.contains("Policy::network(Network::Public)"),
        "{error}"
    );
}

#[tokio::test]
async fn private_addresses_are_reached_when_allowed_and_metadata_services_never() {
    let server = Server::with("text/plain", "hello");
    let policy = Policy::new()
        .network(Network::PrivateAllowed)
        .resolve("metadata.example", [169, 254, 169, 254].into());
    assert_eq!(
        policy.get(&server.url("/"), &[]).await.unwrap().body,
        "hello"
    );
    for url in [
        "http://169.254.169.254/latest/meta-data/",
        "http://[fd00:ec2::254]/",
        "http://168.63.129.16/",
        "http://100.100.100.200/",
        "http://metadata.example/",
        "http://[::ffff:169.254.169.254]/",
        "http://0.0.0.0/",
    ] {
        let error = policy.get(url, &[]).await.unwrap_err();
        assert_eq!(error.kind(), NetworkErrorKind::Refused, "{url}");
        assert!(error.to_string().contains("under every setting"), "{error}");
    }
}

#[tokio::test]
async fn one_allowed_address_allows_no_other_port_and_no_name() {
    let (allowed, other) = (
        Server::with("text/plain", "a"),
        Server::with("text/plain", "b"),
    );
    let policy = allowed.policy();
    assert_eq!(policy.get(&allowed.url("/"), &[]).await.unwrap().body, "a");
    assert_eq!(
        kind(&policy, &other.url("/")).await,
        NetworkErrorKind::Refused
    );
    let name = format!("http://localhost:{}/", allowed.address.port());
    assert_eq!(kind(&policy, &name).await, NetworkErrorKind::Refused);
}

#[tokio::test]
async fn a_list_of_hosts_allows_them_and_what_is_below_them_only() {
    let server = Server::with("text/plain", "x");
    let port = server.address.port();
    let mut policy = Policy::new()
        .network(Network::PrivateAllowed)
        .only_hosts(["example.com", "Docs.Example.org."]);
    for name in ["example.com", "a.example.com", "docs.example.org"] {
        policy = policy.resolve(name, server.address.ip());
    }
    for host in [
        "example.com",
        "EXAMPLE.com",
        "a.example.com",
        "docs.example.org",
        "example.com.",
    ] {
        assert!(
            policy
                .get(&format!("http://{host}:{port}/"), &[])
                .await
                .is_ok(),
            "{host}"
        );
    }
    for host in [
        "badexample.com",
        "example.com.evil.org",
        "example.org",
        "com",
        "127.0.0.1",
        "example.comm",
    ] {
        assert_eq!(
            kind(&policy, &format!("http://{host}:{port}/")).await,
            NetworkErrorKind::Refused,
            "{host}"
        );
    }
}

//! The guarded HTTP client: one GET, redirects included, that reaches nothing the policy forbids.
//!
//! Three things must agree on the address: the check, the connection and the answer. Names are resolved by a
//! resolver that gives the connector only allowed addresses; addresses written in the URL never reach a
//! resolver and are checked on the parsed URL; and the peer of every answer is checked once more.

use std::error::Error;
use std::fmt;
use std::net::SocketAddr;
use std::sync::Arc;

use bytes::{Bytes, BytesMut};
use reqwest::header::{
    CONTENT_ENCODING, HeaderMap, HeaderName, HeaderValue, LOCATION, RETRY_AFTER,
};
use reqwest::{Client, StatusCode, Url, redirect};
use rustls_platform_verifier::BuilderVerifierExt;

use super::settings::Policy;
use super::url::named;

/// Headers that say what is wanted, not who asks or where the request should really go.
const HEADERS: [&str; 10] = [
    "accept",
    "accept-language",
    "cache-control",
    "if-match",
    "if-modified-since",
    "if-none-match",
    "if-range",
    "if-unmodified-since",
    "range",
    "user-agent",
];

/// Why a request was refused or failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum NetworkErrorKind {
    /// The URL cannot be requested, whatever the policy.
    InvalidUrl,
    /// A header is not one that may be set, or its value is not valid.
    InvalidHeader,
    /// The policy forbids the address, the host or the port.
    Refused,
    /// The name has no address, nobody answered, or the connection broke.
    Unreachable,
    /// A time limit passed.
    TimedOut,
    /// The answer is larger than the policy takes in.
    TooLarge,
    /// More redirects than the policy follows.
    TooManyRedirects,
    /// The server answered with this status, which is not 2xx.
    Status(u16),
    /// The answer is not valid HTTP, or is encoded in a way that is not understood.
    InvalidAnswer,
}

/// A request that was refused or failed. Its message never holds a URL's query or user name.
#[derive(Debug)]
pub struct NetworkError {
    kind: NetworkErrorKind,
    message: String,
    hint: Option<String>,
    source: Option<Box<dyn Error + Send + Sync>>,
}

impl NetworkError {
    pub(crate) fn new(kind: NetworkErrorKind, message: String) -> Self {
        Self {
            kind,
            message,
            hint: None,
            source: None,
        }
    }

    /// Adds what to do about it.
    pub(super) fn with_hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    /// Why the request was refused or failed.
    #[must_use]
    pub fn kind(&self) -> NetworkErrorKind {
        self.kind
    }

    /// The cause below, for an error that says the rest itself.
    pub(crate) fn into_source(self) -> Option<Box<dyn Error + Send + Sync>> {
        self.source
    }

    /// What happened, without the hint.
    #[must_use]
    pub fn message(&self) -> &str {
        &self.message
    }

    /// What to do about it, such as the setting that allows it.
    #[must_use]
    pub fn hint(&self) -> Option<&str> {
        self.hint.as_deref()
    }
}

impl fmt::Display for NetworkError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.message)?;
        match &self.hint {
            Some(hint) => write!(formatter, ": {hint}"),
            None => Ok(()),
        }
    }
}

impl Error for NetworkError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        self.source
            .as_deref()
            .map(|source| source as &(dyn Error + 'static))
    }
}

/// A 2xx answer, read to its end.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Response {
    /// The URL that answered, after redirects.
    pub url: String,
    /// The status, 200 to 299.
    pub status: u16,
    /// The headers of the answer.
    pub headers: HeaderMap,
    /// The body, decompressed.
    pub body: Bytes,
}

impl Policy {
    /// Requests `url` with GET, follows redirects, and reads the answer to its end.
    ///
    /// `headers` may name `accept`, `accept-language`, `cache-control`, `if-*`, `range` and `user-agent`. They are
    /// dropped when a redirect leads to another origin.
    ///
    /// # Errors
    ///
    /// A [`NetworkError`] when the URL, a header or an address on the way is refused, when a limit of the policy is
    /// reached, when the server cannot be reached, and when its status is not 2xx.
    pub async fn get(
        &self,
        url: &str,
        headers: &[(String, String)],
    ) -> Result<Response, NetworkError> {
        let url = self.check_text(url)?;
        let headers = allowed_headers(headers)?;
        let name = named(&url);
        let within = tokio::time::timeout(self.limits().total, self.follow(url, headers)).await;
        within.unwrap_or_else(|_| {
            let seconds = self.limits().total.as_secs_f64();
            let message = format!("`{name}` took longer than {seconds} seconds");
            Err(NetworkError::new(NetworkErrorKind::TimedOut, message)
                .with_hint("to wait longer use `Policy::total_timeout`"))
        })
    }

    async fn follow(&self, first: Url, mut headers: HeaderMap) -> Result<Response, NetworkError> {
        let client = self.client()?;
        let mut url = first.clone();
        for _ in 0..=self.limits().redirects {
            let request = client.get(url.clone()).headers(headers.clone());
            let response = request
                .send()
                .await
                .map_err(|error| self.failed(&url, error))?;
            self.check_peer(&url, response.remote_addr())?;
            let Some(target) = redirect_target(&response) else {
                return self.receive(url, response).await;
            };
            let next = self.check_redirect(&url, &target)?;
            if next.origin() != url.origin() {
                headers.clear();
            }
            url = next;
        }
        let message = format!(
            "`{}` redirects more than {} times",
            named(&first),
            self.limits().redirects
        );
        Err(
            NetworkError::new(NetworkErrorKind::TooManyRedirects, message)
                .with_hint("to follow more use `Policy::max_redirects`"),
        )
    }

    async fn receive(
        &self,
        url: Url,
        mut response: reqwest::Response,
    ) -> Result<Response, NetworkError> {
        let status = response.status();
        if !status.is_success() {
            return Err(bad_status(&url, status, response.headers()));
        }
        // The client removes the header of every encoding that it decodes.
        if let Some(encoding) = response
            .headers()
            .get(CONTENT_ENCODING)
            .filter(|value| *value != "identity")
        {
            let encoding = String::from_utf8_lossy(encoding.as_bytes()).into_owned();
            let message = format!(
                "`{}` is encoded as `{}`: only gzip, deflate and br are understood",
                named(&url),
                encoding.escape_debug()
            );
            return Err(NetworkError::new(NetworkErrorKind::InvalidAnswer, message));
        }
        let limit = self.limits().download;
        let mut body = BytesMut::new();
        while let Some(chunk) = response
            .chunk()
            .await
            .map_err(|error| self.failed(&url, error))?
        {
            if body.len() + chunk.len() > limit {
                let message = format!("`{}` is larger than {limit} bytes", named(&url));
                return Err(NetworkError::new(NetworkErrorKind::TooLarge, message)
                    .with_hint("to take in more use `Policy::max_download`"));
            }
            body.extend_from_slice(&chunk);
        }
        Ok(Response {
            url: url.to_string(),
            status: status.as_u16(),
            headers: std::mem::take(response.headers_mut()),
            body: body.freeze(),
        })
    }

    fn check_peer(&self, url: &Url, peer: Option<SocketAddr>) -> Result<(), NetworkError> {
        let Some(peer) = peer else {
            let message = format!(
                "`{}` was answered from an unknown address, which is refused",
                named(url)
            );
            return Err(NetworkError::new(NetworkErrorKind::Refused, message));
        };
        let literal = !matches!(url.host(), None | Some(::url::Host::Domain(_)));
        self.check_address(&named(url), peer.ip(), literal.then(|| peer.port()))
    }

    fn client(&self) -> Result<Client, NetworkError> {
        if let Some(client) = self.shared().client.get() {
            return Ok(client.clone());
        }
        let limits = self.limits();
        let client = Client::builder()
            .user_agent(self.agent())
            .redirect(redirect::Policy::none())
            // A proxy from the environment would resolve and connect for us, past every check.
            .no_proxy()
            .retry(reqwest::retry::never())
            .referer(false)
            .dns_resolver(Arc::new(super::resolver::Filter::new(self)))
            .connect_timeout(limits.connect)
            .read_timeout(limits.idle)
            .tls_backend_preconfigured(tls().map_err(unusable)?)
            .build()
            .map_err(unusable)?;
        Ok(self.shared().client.get_or_init(|| client).clone())
    }

    fn failed(&self, url: &Url, error: reqwest::Error) -> NetworkError {
        let error = error.without_url();
        if let Some(refused) = refusal(&error) {
            return refused;
        }
        let name = named(url);
        let limits = self.limits();
        let mut hint = None;
        let (kind, message) = if error.is_timeout() && error.is_connect() {
            let seconds = limits.connect.as_secs_f64();
            hint = Some("to wait longer use `Policy::connect_timeout`".to_owned());
            (
                NetworkErrorKind::TimedOut,
                format!("connecting to `{name}` took longer than {seconds} seconds"),
            )
        } else if error.is_timeout() {
            let seconds = limits.idle.as_secs_f64();
            hint = Some("to wait longer use `Policy::idle_timeout`".to_owned());
            (
                NetworkErrorKind::TimedOut,
                format!("`{name}` sent nothing for {seconds} seconds"),
            )
        } else if error.is_connect() {
            (
                NetworkErrorKind::Unreachable,
                format!("`{name}` could not be reached: {}", innermost(&error)),
            )
        } else if error.is_decode() || error.is_body() {
            (
                NetworkErrorKind::InvalidAnswer,
                format!(
                    "the answer of `{name}` broke off or is not valid: {}",
                    innermost(&error)
                ),
            )
        } else {
            (
                NetworkErrorKind::Unreachable,
                format!("`{name}` gave no valid answer: {}", innermost(&error)),
            )
        };
        NetworkError {
            kind,
            message,
            hint,
            source: Some(Box::new(error)),
        }
    }
}

/// The client without roots of trust still serves http, and refuses every https certificate.
fn tls() -> Result<rustls::ClientConfig, rustls::Error> {
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let builder = || {
        rustls::ClientConfig::builder_with_provider(provider.clone())
            .with_safe_default_protocol_versions()
    };
    Ok(match builder()?.with_platform_verifier() {
        Ok(builder) => builder.with_no_client_auth(),
        Err(_) => builder()?
            .with_root_certificates(rustls::RootCertStore::empty())
            .with_no_client_auth(),
    })
}

fn unusable(source: impl Error + Send + Sync + 'static) -> NetworkError {
    NetworkError {
        kind: NetworkErrorKind::Unreachable,
        message: format!(
            "the HTTP client could not be set up: {}",
            innermost(&source)
        ),
        hint: None,
        source: Some(Box::new(source)),
    }
}

fn allowed_headers(headers: &[(String, String)]) -> Result<HeaderMap, NetworkError> {
    let mut allowed = HeaderMap::new();
    for (name, value) in headers {
        let lower = name.trim().to_ascii_lowercase();
        if !HEADERS.contains(&lower.as_str()) {
            let message = format!("the header `{}` may not be set", name.escape_debug());
            let allowed = HEADERS.map(|name| format!("`{name}`")).join(", ");
            return Err(NetworkError::new(NetworkErrorKind::InvalidHeader, message)
                .with_hint(format!("only {allowed} may")));
        }
        let header = HeaderName::from_bytes(lower.as_bytes())
            .ok()
            .zip(HeaderValue::from_str(value.trim()).ok());
        let Some((name, value)) = header else {
            let message = format!(
                "the value of the header `{lower}` is not valid: expected visible characters"
            );
            return Err(NetworkError::new(NetworkErrorKind::InvalidHeader, message));
        };
        allowed.insert(name, value);
    }
    Ok(allowed)
}

/// A status that redirects and says where to; one without a target is an answer like any other.
fn redirect_target(response: &reqwest::Response) -> Option<String> {
    if !matches!(response.status().as_u16(), 301 | 302 | 303 | 307 | 308) {
        return None;
    }
    response
        .headers()
        .get(LOCATION)
        .map(|value| String::from_utf8_lossy(value.as_bytes()).into_owned())
}

fn bad_status(url: &Url, status: StatusCode, headers: &HeaderMap) -> NetworkError {
    let mut message = format!("`{}` answered with status {}", named(url), status.as_u16());
    if let Some(reason) = status.canonical_reason() {
        message.push(' ');
        message.push_str(reason);
    }
    let wait = headers
        .get(RETRY_AFTER)
        .and_then(|value| value.to_str().ok()?.trim().parse::<u32>().ok());
    if let Some(seconds) = wait {
        message = format!("{message}; the server asks to wait {seconds} seconds");
    }
    NetworkError::new(NetworkErrorKind::Status(status.as_u16()), message)
}

/// The text of the cause, which says more than the layers around it.
fn innermost(error: &(dyn Error + 'static)) -> String {
    let mut cause = error;
    while let Some(next) = cause.source() {
        cause = next;
    }
    cause.to_string()
}

/// The refusal of our own resolver, found below the layers of the HTTP client.
fn refusal(error: &(dyn Error + 'static)) -> Option<NetworkError> {
    let mut cause = error.source();
    while let Some(error) = cause {
        if let Some(refused) = error.downcast_ref::<NetworkError>() {
            return Some(NetworkError {
                kind: refused.kind,
                message: refused.message.clone(),
                hint: refused.hint.clone(),
                source: None,
            });
        }
        cause = error.source();
    }
    None
}

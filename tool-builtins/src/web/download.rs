//! One file from the web.

use bytes::Bytes;
use url::Url;

use super::error::WebError;
use super::file_name::safe_file_name;
use super::media_type::MediaType;
use crate::policy::Policy;
use crate::text::kind::content_type;

/// A file that was downloaded.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Download {
    /// The URL that answered, after redirects.
    pub url: String,
    /// A name that is safe on every system: see [`safe_file_name`].
    pub file_name: String,
    /// The media type without parameters: by the content, else by the server, else `application/octet-stream`.
    pub mime_type: String,
    /// The bytes.
    pub content: Bytes,
}

/// Downloads a file, at most [`Limits::download`](crate::policy::Limits::download) bytes.
///
/// `headers` may name `accept`, `accept-language`, `cache-control`, `if-*`, `range` and `user-agent`.
///
/// # Errors
///
/// A [`WebError`] when the policy refuses the request, and when it fails or its status is not 2xx.
pub async fn download_file(
    policy: &Policy,
    url: &str,
    headers: &[(String, String)],
) -> Result<Download, WebError> {
    let response = policy.get(url, headers).await?;
    let header = |name: &str| {
        response
            .headers
            .get(name)
            .map(|value| String::from_utf8_lossy(value.as_bytes()).into_owned())
            .unwrap_or_default()
    };
    let declared = MediaType::parse(&header("content-type")).essence;
    let mime_type = match content_type(&response.body) {
        // An archive may be a document of a kind that only the server knows.
        Some("application/zip" | "application/xml" | "text/xml" | "text/plain")
            if !declared.is_empty() =>
        {
            declared
        }
        Some(found) => found.to_owned(),
        None if declared.is_empty() => "application/octet-stream".to_owned(),
        None => declared,
    };
    let path = Url::parse(&response.url)
        .map(|url| url.path().to_owned())
        .unwrap_or_default();
    let file_name = safe_file_name(&header("content-disposition"), &path, &mime_type);
    Ok(Download {
        url: response.url,
        file_name,
        mime_type,
        content: response.body,
    })
}

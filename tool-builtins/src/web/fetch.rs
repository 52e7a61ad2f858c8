//! One page of the web, as text.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::error::{WebError, WebErrorKind};
use super::extract::extract;
use super::media_type::MediaType;
use super::render::Style;
use crate::policy::{Policy, Response};
use crate::text::clean::{clean, clean_line};
use crate::text::decode::{Markup, decode};
use crate::text::kind::binary_type;

/// As what a page is given.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum PageFormat {
    /// The main content as paragraphs of plain text.
    #[default]
    Text,
    /// The main content as markdown, with links.
    Markdown,
    /// The whole source, as it came.
    Html,
}

/// A page that was fetched.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Page {
    /// The URL that answered, after redirects.
    pub url: String,
    /// The status, 200 to 299.
    pub status: u16,
    /// The media type without parameters, such as `text/html`; `text/plain` when the server names none.
    pub content_type: String,
    /// The title of an HTML page, when it has one.
    pub title: Option<String>,
    /// What was asked for. JSON, plain text and other text come as they are, whatever the format.
    pub content: String,
}

/// Fetches a page and gives its main content.
///
/// `headers` may name `accept`, `accept-language`, `cache-control`, `if-*`, `range` and `user-agent`.
///
/// # Errors
///
/// A [`WebError`] when the policy refuses the request, when it fails or its status is not 2xx, and when the answer is
/// not text; the message then names the tool that downloads files.
pub async fn fetch_page(
    policy: &Policy,
    url: &str,
    format: PageFormat,
    headers: &[(String, String)],
) -> Result<Page, WebError> {
    let response = policy.get(url, headers).await?;
    // Taking a page of several megabytes apart would hold up everything else on this thread.
    let reading = tokio::task::spawn_blocking(move || read(&response, format));
    match reading.await {
        Ok(page) => page,
        Err(_) => Err(WebError::new(
            WebErrorKind::Failed,
            "the page could not be processed".to_owned(),
        )),
    }
}

fn read(response: &Response, format: PageFormat) -> Result<Page, WebError> {
    let header = response
        .headers
        .get("content-type")
        .and_then(|value| value.to_str().ok())
        .unwrap_or_default();
    let declared = MediaType::parse(header);
    if let Some(found) = binary_type(&response.body) {
        let kind = if found == "application/octet-stream" && !declared.may_be_text() {
            &declared.essence
        } else {
            found
        };
        return Err(binary(kind, response.body.len()));
    }
    if !declared.may_be_text() && !declared.is_html() && !response.body.is_empty() {
        return Err(binary(&declared.essence, response.body.len()));
    }
    let html = declared.is_html() || (declared.is_unsure() && looks_like_html(&response.body));
    let markup = if html || declared.essence.ends_with("xml") {
        Markup::Html
    } else {
        Markup::None
    };
    let text = decode(&response.body, declared.charset.as_deref(), markup).text;
    let (title, content) = match (html, format) {
        (true, PageFormat::Text) => titled(&text, &response.url, Style::Text),
        (true, PageFormat::Markdown) => titled(&text, &response.url, Style::Markdown),
        _ => (None, clean(&text)),
    };
    let content_type = match declared.essence {
        essence if essence.is_empty() => if html { "text/html" } else { "text/plain" }.to_owned(),
        essence => essence,
    };
    Ok(Page {
        url: clean_line(&response.url),
        status: response.status,
        content_type,
        title,
        content,
    })
}

fn titled(html: &str, url: &str, style: Style) -> (Option<String>, String) {
    let extract = extract(html, url, style);
    (
        Some(extract.title).filter(|title| !title.is_empty()),
        extract.content,
    )
}

fn looks_like_html(body: &[u8]) -> bool {
    let head = String::from_utf8_lossy(body.get(..1024).unwrap_or(body)).to_ascii_lowercase();
    let head = head.trim_start_matches('\u{feff}').trim_start();
    [
        "<!doctype html",
        "<html",
        "<head",
        "<body",
        "<title",
        "<div",
        "<p>",
        "<h1",
        "<table",
    ]
    .iter()
    .any(|start| head.starts_with(start))
}

fn binary(kind: &str, size: usize) -> WebError {
    let message = format!("the answer is not text: it is of type `{kind}`, {size} bytes");
    WebError::new(WebErrorKind::Binary, message)
        .with_hint("to get it as a file use `web-download_file`")
}

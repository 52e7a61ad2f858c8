//! The tools of the category, each a function and a handle for [`tools!`](tool_core::tools).

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Serialize;
use tool_core::{Context, File, Json, ToolError, tool};

use super::download::download_file as download;
use super::error::WebError;
use super::fetch::{Page, PageFormat, fetch_page as fetch};
use crate::policy::Policy;

/// Fetch a page from the web as text, markdown or HTML.
///
/// The answer begins with the title, where there is one, and the URL after redirects. Of an HTML page it then gives the
/// main content, without menus and advertisements; JSON and other text comes as it is. For pictures, PDF and other
/// files use `web-download_file`.
///
/// # Errors
///
/// What [`super::fetch_page`] refuses; a refusal by the policy is of the kind
/// [`Denied`](tool_core::ErrorKind::Denied).
///
/// # Examples
///
/// ```no_run
/// use tool_core::{Call, Catalogue, Executor};
///
/// #[tokio::main]
/// async fn main() -> Result<(), Box<dyn std::error::Error>> {
///     let executor = Executor::new(Catalogue::new(tool_builtins::web::TOOLS)?)?;
///     let call = Call::new("call_1", "web-fetch_page", r#"{"url": "https://example.com"}"#);
///     assert_eq!(
///         executor.call(call).await.text(),
///         "Title: Example Domain\nURL: https://example.com/\n\nExample Domain\n\nThis domain is for use in \
///          documentation examples without needing permission. Avoid use in operations.\n\nLearn more",
///     );
///     Ok(())
/// }
/// ```
#[tool(name = "web-fetch_page", timeout = 30, read_only, open_world)]
pub async fn fetch_page(
    /// The full URL, with `https://` or `http://`.
    #[tool(example = "https://example.com/page")]
    url: String,
    /// The form in which an HTML page is given.
    #[tool(default = PageFormat::Text)]
    format: PageFormat,
    /// Request headers by name. Only `accept`, `accept-language`, `cache-control`, `if-*`, `range` and `user-agent` may
    /// be set.
    headers: Option<BTreeMap<String, String>>,
    ctx: &Context,
) -> Result<String, ToolError> {
    let policy = Policy::of(ctx);
    let page = fetch(policy, &url, format, &pairs(headers))
        .await
        .map_err(WebError::into_tool_error)?;
    Ok(told(&page))
}

/// Download a file from the web: a picture, a PDF, an archive or any other.
///
/// Gives the file itself, and JSON with its name, media type and size in bytes, and the URL after redirects. To read a
/// page use `web-fetch_page`.
///
/// # Errors
///
/// What [`super::download_file`] refuses; a refusal by the policy is of the kind
/// [`Denied`](tool_core::ErrorKind::Denied).
///
/// # Examples
///
/// ```no_run
/// use tool_core::{Call, Catalogue, Executor};
///
/// #[tokio::main]
/// async fn main() -> Result<(), Box<dyn std::error::Error>> {
///     let executor = Executor::new(Catalogue::new(tool_builtins::web::TOOLS)?)?;
///     let arguments = r#"{"url": "https://example.com/logo.png"}"#;
///     let outcome = executor.call(Call::new("call_1", "web-download_file", arguments)).await;
///     assert_eq!(
///         outcome.text(),
///         r#"{"filename":"logo.png","mime_type":"image/png","bytes":1024,"url":"https://example.com/logo.png"}"#,
///     );
///     assert_eq!(outcome.files().next().map(|file| file.content.len()), Some(1024));
///     Ok(())
/// }
/// ```
#[tool(name = "web-download_file", read_only, open_world)]
pub async fn download_file(
    /// The full URL, with `https://` or `http://`.
    #[tool(example = "https://example.com/logo.png")]
    url: String,
    /// Request headers by name. Only `accept`, `accept-language`, `cache-control`, `if-*`, `range` and `user-agent` may
    /// be set.
    headers: Option<BTreeMap<String, String>>,
    ctx: &Context,
) -> Result<(Json<Downloaded>, Vec<File>), ToolError> {
    let policy = Policy::of(ctx);
    let download = download(policy, &url, &pairs(headers))
        .await
        .map_err(WebError::into_tool_error)?;
    let about = Downloaded {
        filename: download.file_name.clone(),
        mime_type: download.mime_type.clone(),
        bytes: download.content.len(),
        url: download.url,
    };
    let file = File::new(download.file_name, download.mime_type, download.content);
    Ok((Json(about), vec![file]))
}

/// What `web-download_file` says of the file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[non_exhaustive]
pub struct Downloaded {
    /// The name of the file.
    pub filename: String,
    /// The media type, by the content where that can be told.
    pub mime_type: String,
    /// The size.
    pub bytes: usize,
    /// The URL that answered, after redirects.
    pub url: String,
}

fn pairs(headers: Option<BTreeMap<String, String>>) -> Vec<(String, String)> {
    headers.unwrap_or_default().into_iter().collect()
}

/// The page below a head of one or two lines.
fn told(page: &Page) -> String {
    let content = page.content.trim_matches('\n');
    let content = if content.trim().is_empty() {
        "[no text was found on this page]"
    } else {
        content
    };
    match &page.title {
        Some(title) => format!("Title: {title}\nURL: {}\n\n{content}", page.url),
        None => format!("URL: {}\n\n{content}", page.url),
    }
}

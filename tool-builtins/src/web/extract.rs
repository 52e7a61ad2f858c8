//! From a page's markup to what a reader of the page would read.

use dom_query::Document;
use dom_smoothie::{Config, Readability, is_probably_readable};
use url::Url;

use super::hidden::remove_hidden;
use super::prune::prune;
use super::render::{Style, render};
use crate::text::clean::{clean, clean_line};

/// The readable part of a page.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Extract {
    /// The title of the page, perhaps empty.
    pub title: String,
    /// The main content, or the whole page when it has no main part.
    pub content: String,
}

/// An article shorter than this, in bytes, is taken for a mistake.
const SHORTEST: usize = 200;

/// Of a page with more elements or bytes than this the whole is taken: the search for its main part weighs each against others.
const MOST_ELEMENTS: usize = 20_000;
const LARGEST: usize = 4 * 1024 * 1024;

/// The main content of `html` as text or markdown.
///
/// `url` is where the page came from; links become absolute with it. What the page does not show (hidden elements,
/// invisible characters) is left out. Any markup is handled in bounded depth.
#[must_use]
pub fn extract(html: &str, url: &str, style: Style) -> Extract {
    let pruned = prune(html);
    let document = visible(&pruned.html);
    let base = base(&document, url);
    let title = clean_line(&document.select_single("title").text());
    let readable = is_probably_readable(&document, None, None);
    let article = (pruned.elements <= MOST_ELEMENTS && pruned.html.len() <= LARGEST)
        .then(|| article(&pruned.html))
        .flatten();
    let content = article
        .filter(|article| readable || is_prose(article))
        .map(|article| render(&article.root(), style, base.as_ref()))
        .filter(|content| content.len() >= SHORTEST)
        .or_else(|| {
            document
                .body()
                .map(|body| render(&body, style, base.as_ref()))
        });
    Extract {
        title,
        content: clean(&content.unwrap_or_default()),
    }
}

/// Whether most of the text is not in links; a list of links is an index, of which no part is the article.
fn is_prose(article: &Document) -> bool {
    let letters = |text: &str| text.split_whitespace().map(str::len).sum::<usize>();
    let linked: usize = article
        .select("a")
        .iter()
        .map(|link| letters(&link.text()))
        .sum();
    linked * 3 < letters(&article.text())
}

fn visible(html: &str) -> Document {
    let document = Document::from(html);
    remove_hidden(&document);
    document
}

/// What the page is about, without what surrounds it on every page of the site.
fn article(html: &str) -> Option<Document> {
    let config = Config {
        disable_json_ld: true,
        ..Config::default()
    };
    // The reader takes its document apart, and the whole page may still be needed.
    let mut reader = Readability::with_document(visible(html), None, Some(config)).ok()?;
    let article = reader.parse().ok()?;
    Some(Document::fragment(article.content))
}

fn base(document: &Document, url: &str) -> Option<Url> {
    let url = Url::parse(url).ok()?;
    let base = document
        .select_single("base[href]")
        .attr("href")
        .and_then(|href| url.join(&href).ok());
    Some(
        base.filter(|base| matches!(base.scheme(), "http" | "https"))
            .unwrap_or(url),
    )
}

//! Media types of texts, which their content does not tell.

use super::read::extension;

const TYPES: [(&str, &str); 40] = [
    ("atom", "application/atom+xml"),
    ("bash", "application/x-sh"),
    ("c", "text/x-c"),
    ("conf", "text/plain"),
    ("cpp", "text/x-c++"),
    ("css", "text/css"),
    ("csv", "text/csv"),
    ("eml", "message/rfc822"),
    ("geojson", "application/geo+json"),
    ("go", "text/x-go"),
    ("h", "text/x-c"),
    ("htm", "text/html"),
    ("html", "text/html"),
    ("ics", "text/calendar"),
    ("ini", "text/plain"),
    ("ipynb", "application/x-ipynb+json"),
    ("java", "text/x-java"),
    ("js", "text/javascript"),
    ("json", "application/json"),
    ("jsonl", "application/jsonl"),
    ("log", "text/plain"),
    ("md", "text/markdown"),
    ("mjs", "text/javascript"),
    ("ndjson", "application/jsonl"),
    ("py", "text/x-python"),
    ("rb", "text/x-ruby"),
    ("rs", "text/x-rust"),
    ("rss", "application/rss+xml"),
    ("sh", "application/x-sh"),
    ("sql", "application/sql"),
    ("svg", "image/svg+xml"),
    ("tab", "text/tab-separated-values"),
    ("tex", "text/x-tex"),
    ("toml", "application/toml"),
    ("ts", "text/typescript"),
    ("tsv", "text/tab-separated-values"),
    ("vcf", "text/vcard"),
    ("xml", "application/xml"),
    ("yaml", "application/yaml"),
    ("yml", "application/yaml"),
];

/// The media type of a text by the end of its name.
pub(super) fn by_name(path: &str) -> Option<&'static str> {
    let extension = extension(path);
    let found = TYPES.binary_search_by_key(&extension.as_str(), |(extension, _)| extension);
    found
        .ok()
        .and_then(|index| TYPES.get(index))
        .map(|(_, kind)| *kind)
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_table_is_in_order_so_that_each_is_found() {
        for (extension, kind) in super::TYPES {
            assert_eq!(
                super::by_name(&format!("a.{}", extension.to_uppercase())),
                Some(kind)
            );
        }
    }
}

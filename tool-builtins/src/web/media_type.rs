//! The `Content-Type` header, taken apart.

/// A media type without its parameters, and the encoding that they name.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct MediaType {
    /// Such as `text/html`, in lower case; empty when the header is missing or makes no sense.
    pub(super) essence: String,
    /// The value of `charset`.
    pub(super) charset: Option<String>,
}

impl MediaType {
    pub(super) fn parse(header: &str) -> Self {
        let mut parts = header.split(';').map(str::trim);
        let essence = parts.next().unwrap_or_default().to_ascii_lowercase();
        let token = |byte: u8| byte.is_ascii_alphanumeric() || b"!#$&-^_.+/*".contains(&byte);
        let valid = essence.split('/').filter(|part| !part.is_empty()).count() == 2
            && essence.bytes().all(token);
        let charset = parts.find_map(|part| {
            let (name, value) = part.split_once('=')?;
            name.trim()
                .eq_ignore_ascii_case("charset")
                .then(|| value.trim().trim_matches(['"', '\'']).to_owned())
        });
        Self {
            essence: if valid { essence } else { String::new() },
            charset,
        }
    }

    pub(super) fn is_html(&self) -> bool {
        matches!(self.essence.as_str(), "text/html" | "application/xhtml+xml")
    }

    /// Whether the type says so little that the content has to tell.
    pub(super) fn is_unsure(&self) -> bool {
        matches!(
            self.essence.as_str(),
            "" | "application/octet-stream" | "binary/octet-stream"
        )
    }

    /// Whether the type promises text of some kind. No type promises nothing, and so anything.
    pub(super) fn may_be_text(&self) -> bool {
        let kind = self.essence.as_str();
        kind.is_empty()
            || kind.starts_with("text/")
            || [
                "+json",
                "+xml",
                "+yaml",
                "json",
                "/xml",
                "/yaml",
                "/x-yaml",
                "/toml",
                "javascript",
                "ecmascript",
            ]
            .iter()
            .any(|end| kind.ends_with(end))
            || matches!(
                kind,
                "application/octet-stream"
                    | "application/sql"
                    | "application/graphql"
                    | "application/x-ndjson"
                    | "application/x-sh"
                    | "application/rtf"
                    | "binary/octet-stream"
            )
    }
}

#[cfg(test)]
mod tests {
    use super::MediaType;

    #[test]
    fn parameters_and_case_are_taken_apart() {
        let parsed = MediaType::parse("Text/HTML; boundary=x; Charset=\"UTF-8\"");
        assert_eq!(
            (parsed.essence.as_str(), parsed.charset.as_deref()),
            ("text/html", Some("UTF-8"))
        );
    }

    #[test]
    fn nonsense_is_no_type() {
        for header in [
            "",
            "html",
            "text/",
            "/html",
            "text/html/x",
            "text/ht ml",
            "<b>/x",
        ] {
            assert_eq!(MediaType::parse(header).essence, "", "{header}");
        }
    }
}

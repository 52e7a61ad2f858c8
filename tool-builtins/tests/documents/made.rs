//! Makes documents.

use std::io::{Cursor, Write};

use zip::ZipWriter;
use zip::write::SimpleFileOptions;

pub(crate) fn package(parts: &[(&str, &str)]) -> Vec<u8> {
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, content) in parts {
        writer
            .start_file(*name, SimpleFileOptions::default())
            .unwrap();
        writer.write_all(content.as_bytes()).unwrap();
    }
    writer.finish().unwrap().into_inner()
}

const TYPES: (&str, &str) = (
    "[Content_Types].xml",
    r#"<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"/>"#,
);

pub(crate) fn relations(targets: &[(&str, &str, &str)]) -> String {
    let entries: Vec<String> = targets
        .iter()
        .map(|(id, kind, target)| {
            let mode = if target.contains("://") { r#" TargetMode="External""# } else { "" };
            format!(r#"<Relationship Id="{id}" Type="http://x/relationships/{kind}" Target="{target}"{mode}/>"#)
        })
        .collect();
    format!("<Relationships>{}</Relationships>", entries.concat())
}

/// A Word document with this body, and these other parts in the folder `word`.
pub(crate) fn word(body: &str, others: &[(&str, &str)]) -> Vec<u8> {
    let main = relations(&[("r", "officeDocument", "word/document.xml")]);
    let document = format!(
        r#"<?xml version="1.0"?><w:document xmlns:w="w" xmlns:r="r"><w:body>{body}</w:body></w:document>"#
    );
    let kinds = ["styles", "numbering", "footnotes", "endnotes", "comments"];
    let mut targets: Vec<(String, &str, String)> = kinds
        .iter()
        .map(|kind| (format!("of-{kind}"), *kind, format!("{kind}.xml")))
        .collect();
    targets.push((
        "web".to_owned(),
        "hyperlink",
        "https://example.com/a".to_owned(),
    ));
    targets.push(("bad".to_owned(), "hyperlink", "javascript://x".to_owned()));
    let borrowed: Vec<(&str, &str, &str)> = targets
        .iter()
        .map(|(id, kind, target)| (id.as_str(), *kind, target.as_str()))
        .collect();
    let links = relations(&borrowed);
    let names: Vec<String> = others
        .iter()
        .map(|(name, _)| format!("word/{name}"))
        .collect();
    let mut parts = vec![
        TYPES,
        ("_rels/.rels", main.as_str()),
        ("word/document.xml", document.as_str()),
        ("word/_rels/document.xml.rels", links.as_str()),
    ];
    parts.extend(
        names
            .iter()
            .zip(others)
            .map(|(name, (_, content))| (name.as_str(), *content)),
    );
    package(&parts)
}

/// A workbook with these sheets: name, and the content of `sheetData`.
pub(crate) fn workbook(sheets: &[(&str, &str)]) -> Vec<u8> {
    let main = relations(&[("r", "officeDocument", "xl/workbook.xml")]);
    let tabs: Vec<String> = (1..)
        .zip(sheets)
        .map(|(number, (name, _))| {
            format!(r#"<sheet name="{name}" sheetId="{number}" r:id="r{number}"/>"#)
        })
        .collect();
    let book = format!(
        r#"<workbook xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"><sheets>{}</sheets></workbook>"#,
        tabs.concat()
    );
    let places: Vec<(String, String, String)> = (1..=sheets.len())
        .map(|number| {
            (
                format!("r{number}"),
                format!("worksheets/sheet{number}.xml"),
                format!("xl/worksheets/sheet{number}.xml"),
            )
        })
        .collect();
    let mut targets: Vec<(&str, &str, &str)> = places
        .iter()
        .map(|(id, target, _)| (id.as_str(), "worksheet", target.as_str()))
        .collect();
    targets.push(("styles", "styles", "styles.xml"));
    let links = relations(&targets).replace(
        "http://x/",
        "http://schemas.openxmlformats.org/officeDocument/2006/",
    );
    let styles = r#"<styleSheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><cellXfs><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="46"/></cellXfs></styleSheet>"#;
    let contents: Vec<String> = sheets
        .iter()
        .map(|(_, data)| {
            format!(
                r#"<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData>{data}</sheetData></worksheet>"#
            )
        })
        .collect();
    let mut parts = vec![
        TYPES,
        ("_rels/.rels", main.as_str()),
        ("xl/workbook.xml", book.as_str()),
        ("xl/_rels/workbook.xml.rels", links.as_str()),
        ("xl/styles.xml", styles),
    ];
    parts.extend(
        places
            .iter()
            .zip(&contents)
            .map(|((_, _, place), content)| (place.as_str(), content.as_str())),
    );
    package(&parts)
}

/// A row of texts.
pub(crate) fn row(number: usize, values: &[&str]) -> String {
    let cells: Vec<String> = ('A'..)
        .zip(values)
        .map(|(column, value)| {
            format!(r#"<c r="{column}{number}" t="inlineStr"><is><t>{value}</t></is></c>"#)
        })
        .collect();
    format!(r#"<row r="{number}">{}</row>"#, cells.concat())
}

/// A sheet of OpenDocument.
pub(crate) fn open_document(table: &str) -> Vec<u8> {
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    let stored = SimpleFileOptions::default().compression_method(zip::CompressionMethod::Stored);
    writer.start_file("mimetype", stored).unwrap();
    writer
        .write_all(b"application/vnd.oasis.opendocument.spreadsheet")
        .unwrap();
    let content = format!(
        r#"<office:document-content xmlns:office="o" xmlns:table="t" xmlns:text="x"><office:body><office:spreadsheet>{table}</office:spreadsheet></office:body></office:document-content>"#
    );
    let manifest = r#"<manifest:manifest xmlns:manifest="m"><manifest:file-entry manifest:full-path="/"/></manifest:manifest>"#;
    for (name, text) in [
        ("content.xml", content.as_str()),
        ("META-INF/manifest.xml", manifest),
    ] {
        writer
            .start_file(name, SimpleFileOptions::default())
            .unwrap();
        writer.write_all(text.as_bytes()).unwrap();
    }
    writer.finish().unwrap().into_inner()
}

/// A presentation with these slides: the content of the tree of shapes, and whether it is hidden.
pub(crate) fn presentation(slides: &[(&str, bool)], notes: &str) -> Vec<u8> {
    let main = relations(&[("r", "officeDocument", "ppt/presentation.xml")]);
    let ids: Vec<String> = (1..=slides.len())
        .rev()
        .map(|number| format!(r#"<p:sldId id="{}" r:id="s{number}"/>"#, 255 + number))
        .collect();
    let show = format!(
        r#"<p:presentation xmlns:p="p" xmlns:r="r"><p:sldIdLst>{}</p:sldIdLst></p:presentation>"#,
        ids.concat()
    );
    let mut parts = vec![
        (TYPES.0.to_owned(), TYPES.1.to_owned()),
        ("_rels/.rels".to_owned(), main),
        ("ppt/presentation.xml".to_owned(), show),
    ];
    let mut targets = Vec::new();
    for (number, (shapes, hidden)) in (1..).zip(slides) {
        let show = if *hidden { r#" show="0""# } else { "" };
        let slide = format!(
            r#"<p:sld xmlns:p="p" xmlns:a="a" xmlns:r="r"{show}><p:cSld><p:spTree>{shapes}</p:spTree></p:cSld></p:sld>"#
        );
        parts.push((format!("ppt/slides/slide{number}.xml"), slide));
        let links = relations(&[
            ("n", "notesSlide", "../notesSlides/notes.xml"),
            ("web", "hyperlink", "https://example.com/a"),
        ]);
        parts.push((format!("ppt/slides/_rels/slide{number}.xml.rels"), links));
        targets.push((format!("s{number}"), format!("slides/slide{number}.xml")));
    }
    let borrowed: Vec<(&str, &str, &str)> = targets
        .iter()
        .map(|(id, target)| (id.as_str(), "slide", target.as_str()))
        .collect();
    parts.push((
        "ppt/_rels/presentation.xml.rels".to_owned(),
        relations(&borrowed),
    ));
    if !notes.is_empty() {
        let page = format!(
            r#"<p:notes xmlns:p="p" xmlns:a="a"><p:cSld><p:spTree>{notes}</p:spTree></p:cSld></p:notes>"#
        );
        parts.push(("ppt/notesSlides/notes.xml".to_owned(), page));
    }
    let borrowed: Vec<(&str, &str)> = parts
        .iter()
        .map(|(name, content)| (name.as_str(), content.as_str()))
        .collect();
    package(&borrowed)
}

/// A PDF with these objects, of which the first is the catalogue.
pub(crate) fn objects(objects: &[Vec<u8>]) -> Vec<u8> {
    let mut file = b"%PDF-1.7\n".to_vec();
    let mut places = Vec::new();
    for (number, object) in (1..).zip(objects) {
        places.push(file.len());
        file.extend(format!("{number} 0 obj\n").bytes());
        file.extend(object);
        file.extend(b"\nendobj\n");
    }
    let start = file.len();
    file.extend(format!("xref\n0 {}\n0000000000 65535 f \n", objects.len() + 1).bytes());
    for place in places {
        file.extend(format!("{place:010} 00000 n \n").bytes());
    }
    file.extend(
        format!(
            "trailer<</Size {}/Root 1 0 R>>\nstartxref\n{start}\n%%EOF",
            objects.len() + 1
        )
        .bytes(),
    );
    file
}

/// A PDF with one page for each of these content streams.
pub(crate) fn pdf(pages: &[&str]) -> Vec<u8> {
    let kids: Vec<String> = (0..pages.len())
        .map(|page| format!("{} 0 R", 4 + 2 * page))
        .collect();
    let mut all = vec![
        b"<</Type/Catalog/Pages 2 0 R>>".to_vec(),
        format!(
            "<</Type/Pages/Kids[{}]/Count {}>>",
            kids.join(" "),
            pages.len()
        )
        .into_bytes(),
        b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>".to_vec(),
    ];
    for (page, content) in pages.iter().enumerate() {
        all.push(
            format!(
                "<</Type/Page/Parent 2 0 R/MediaBox[0 0 600 800]/Contents {} 0 R/Resources<</Font<</F1 3 0 R>>>>>>",
                5 + 2 * page
            )
            .into_bytes(),
        );
        all.push(format!("<</Length {}>>stream\n{content}\nendstream", content.len()).into_bytes());
    }
    objects(&all)
}

/// The content of a page with one line of text.
pub(crate) fn line(text: &str) -> String {
    format!("BT /F1 12 Tf 50 700 Td ({text}) Tj ET")
}

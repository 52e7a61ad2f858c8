//! The text of a PDF, page by page.
//!
//! The library recurses as deep as a file nests and allocates as much as it names, so this runs in a worker process.

use std::ops::ControlFlow;

use unpdf::render::{RenderOptions, to_markdown};
use unpdf::{
    Document, Error, ErrorMode, Page, PageSelection, PageStreamOptions, ParseEvent, ParseOptions,
    PdfParser,
};

use super::bounds::{Bounds, TEXT};
use super::fault::Fault;
use super::pages;
use super::{Reading, Request};
use crate::text::clean::clean;

/// Reads the pages asked for, each under a line with its number.
pub(crate) fn read(bytes: &[u8], request: &Request, _bounds: Bounds) -> Result<Reading, Fault> {
    // The library wants the mark at the very start, and the offsets of such files count from it.
    let start = bytes
        .windows(5)
        .take(1024)
        .position(|window| window == b"%PDF-")
        .unwrap_or_default();
    let bytes = bytes.get(start..).unwrap_or(bytes);
    let parser =
        PdfParser::from_bytes_with_options(bytes, ParseOptions::new().lenient().sequential())
            .map_err(|error| fault(&error))?;
    let count = parser.page_count();
    let chosen = pages::select(request.pages.as_deref(), count)?;
    let mut gathered = Gathered::default();
    if !chosen.is_empty() {
        parser
            .for_each_page(options(chosen.clone()), |event| gathered.take(event, count))
            .map_err(|error| fault(&error))?;
    }
    Ok(gathered.finish(count, &chosen, request.pages.is_some()))
}

fn options(pages: Vec<u32>) -> PageStreamOptions {
    PageStreamOptions {
        error_mode: ErrorMode::Lenient,
        extract_text: true,
        extract_resources: false,
        min_image_dimension: u32::MAX,
        pages: PageSelection::Pages(pages),
        password: None,
        parallel: false,
        suppress_low_confidence_ocr: true,
        window_size: 1,
        emit_progress_every: u32::MAX,
    }
}

#[derive(Default)]
struct Gathered {
    text: String,
    cut: bool,
    scanned: Vec<u32>,
    empty: Vec<u32>,
    unreadable: Vec<u32>,
    invisible: Vec<u32>,
}

impl Gathered {
    fn take(&mut self, event: ParseEvent, count: u32) -> ControlFlow<()> {
        match event {
            ParseEvent::PageParsed(page) => self.page(page, count),
            ParseEvent::PageFailed { page, .. } => self.unreadable.push(page),
            _ => {}
        }
        if self.cut {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    }

    fn page(&mut self, page: Page, count: u32) {
        let number = page.number;
        if page.invisible_text_chars > 0 && !page.ocr_text_suppressed && page.painted_text_chars > 0
        {
            self.invisible.push(number);
        }
        let lost = page.suppressed_text_runs > 0 || page.undecodable_content_streams > 0;
        let pictures = page.image_op_count > 0 || page.ocr_text_suppressed;
        let text = markdown(page);
        if text.is_empty() {
            let list = if lost {
                &mut self.unreadable
            } else if pictures {
                &mut self.scanned
            } else {
                &mut self.empty
            };
            list.push(number);
        } else if lost {
            self.unreadable.push(number);
        }
        if self.text.len() + text.len() > TEXT {
            self.cut = true;
            return;
        }
        if !self.text.is_empty() {
            self.text.push_str("\n\n");
        }
        self.text
            .push_str(&format!("--- Page {number} of {count} ---"));
        if !text.is_empty() {
            self.text.push_str("\n\n");
            self.text.push_str(&text);
        }
    }

    fn finish(self, count: u32, chosen: &[u32], asked: bool) -> Reading {
        let mut notes = Vec::new();
        if !asked && chosen.len() < count as usize {
            notes.push(format!(
                "the first {} of {count} pages; for others use `pages`",
                chosen.len()
            ));
        }
        if self.cut {
            notes.push(format!("more than {TEXT} bytes of text; the rest is left out, ask for fewer pages with `pages`"));
        }
        let mut say = |pages: &[u32], what: &str| {
            if !pages.is_empty() {
                notes.push(format!("{} {what}", listed(pages)));
            }
        };
        say(
            &self.scanned,
            "without text: pictures only, perhaps scanned",
        );
        say(&self.empty, "empty");
        say(&self.unreadable, "not or only in part readable");
        say(&self.invisible, "with text that people do not see");
        if count == 0 {
            notes.push("the document has no pages".to_owned());
        }
        Reading::Text {
            text: self.text,
            notes,
        }
    }
}

fn markdown(page: Page) -> String {
    let plain = page.plain_text();
    let mut document = Document::new();
    document.add_page(page);
    let options = RenderOptions {
        escape_special_chars: false,
        ..RenderOptions::default()
    };
    let text = to_markdown(&document, &options).unwrap_or(plain);
    clean(&text).trim().to_owned()
}

/// `page 3`, `pages 3, 4 and 5 others`.
fn listed(pages: &[u32]) -> String {
    let shown: Vec<String> = pages.iter().take(20).map(u32::to_string).collect();
    let plural = if pages.len() == 1 { "" } else { "s" };
    let more = pages.len() - shown.len();
    let rest = if more > 0 {
        format!(" and {more} others")
    } else {
        String::new()
    };
    format!("page{plural} {}{rest}", shown.join(", "))
}

fn fault(error: &Error) -> Fault {
    match error {
        Error::Encrypted | Error::InvalidPassword => Fault::Encrypted,
        Error::UnknownFormat => Fault::malformed("it is no PDF"),
        Error::UnsupportedVersion(_) => Fault::malformed("its version of PDF is not known"),
        // What the library says may quote the document.
        _ => Fault::malformed("it is a broken PDF"),
    }
}

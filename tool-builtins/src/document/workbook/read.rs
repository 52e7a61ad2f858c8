//! The readers of each format.

use std::io::Cursor;
use std::panic::{AssertUnwindSafe, catch_unwind};

use calamine::{
    DataRef, Ods, OdsError, Reader, Sheet as Tab, SheetType, SheetVisible, Xls, XlsError, Xlsb,
    Xlsx, XlsxError,
};

use super::cell::text;
use super::rows::Rows;
use super::{Sheet, Workbook};
use crate::document::bounds::{Bounds, SHEETS};
use crate::document::fault::Fault;
use crate::document::package::Package;
use crate::document::{Kind, Reading, Request};
use crate::policy::shown;
use crate::text::clean::clean;

/// Reads a spreadsheet. Without a sheet in the request, the first rows of every sheet.
pub(crate) fn read(
    bytes: &[u8],
    kind: Kind,
    request: &Request,
    bounds: Bounds,
) -> Result<Reading, Fault> {
    if kind != Kind::Xls {
        Package::open(bytes, bounds)?.check_expansion()?;
    }
    // The formats have corners for which the library has no error; nothing of it lives on after a panic.
    let workbook = catch_unwind(AssertUnwindSafe(|| match kind {
        Kind::Xlsx => xlsx(bytes, request),
        Kind::Xlsb => whole(
            Xlsb::new(Cursor::new(bytes)).map_err(|_| broken())?,
            request,
        ),
        Kind::Ods => whole(
            Ods::new(Cursor::new(bytes)).map_err(|error| ods_fault(&error))?,
            request,
        ),
        _ => whole(
            Xls::new(Cursor::new(bytes)).map_err(|error| xls_fault(&error))?,
            request,
        ),
    }))
    .unwrap_or_else(|_| Err(broken()))?;
    Ok(Reading::Workbook(workbook))
}

/// Cell by cell: the declared size of a sheet is never believed, and never allocated.
fn xlsx(bytes: &[u8], request: &Request) -> Result<Workbook, Fault> {
    let mut workbook = Xlsx::new(Cursor::new(bytes)).map_err(|error| match error {
        XlsxError::Password => Fault::Encrypted,
        _ => broken(),
    })?;
    let tabs = workbook.sheets_metadata().to_vec();
    sheets(&tabs, request, |name, rows| {
        let Ok(mut cells) = workbook.worksheet_cells_reader(name) else {
            return false;
        };
        loop {
            match cells.next_cell() {
                Ok(Some(cell)) => {
                    let (row, column) = cell.get_position();
                    let value = cell.get_value();
                    if !matches!(value, DataRef::Empty)
                        && !rows.take(row, column, || text(&value.clone().into()))
                    {
                        return true;
                    }
                }
                Ok(None) => return true,
                Err(_) => return false,
            }
        }
    })
}

/// For formats that the library only reads whole.
fn whole<'a, R: Reader<Cursor<&'a [u8]>>>(
    mut workbook: R,
    request: &Request,
) -> Result<Workbook, Fault> {
    let tabs = workbook.sheets_metadata().to_vec();
    sheets(&tabs, request, |name, rows| {
        let Ok(range) = workbook.worksheet_range(name) else {
            return false;
        };
        let (top, left) = range.start().unwrap_or_default();
        for (row, column, value) in range.used_cells() {
            let place = |start: u32, offset: usize| {
                start.saturating_add(u32::try_from(offset).unwrap_or(u32::MAX))
            };
            if !rows.take(place(top, row), place(left, column), || text(value)) {
                break;
            }
        }
        true
    })
}

/// Runs `fill` for each sheet whose rows are wanted; it says whether it could read all of it.
fn sheets(
    tabs: &[Tab],
    request: &Request,
    mut fill: impl FnMut(&str, &mut Rows) -> bool,
) -> Result<Workbook, Fault> {
    let asked = match &request.sheet {
        Some(name) => Some(find(tabs, name)?),
        // Rows further on are those of one sheet.
        None if request.offset > 0 => tabs.iter().position(is_sheet),
        None => None,
    };
    let mut sheets = Vec::new();
    for (number, tab) in tabs.iter().enumerate().take(SHEETS) {
        let mut sheet = Sheet {
            name: clean(&tab.name),
            hidden: tab.visible != SheetVisible::Visible,
            ..Sheet::default()
        };
        if is_sheet(tab) {
            let wanted = asked.is_none_or(|asked| asked == number);
            let (offset, limit) = if wanted {
                (request.offset, request.limit)
            } else {
                (0, 0)
            };
            let mut rows = Rows::new(offset, limit);
            if !fill(&tab.name, &mut rows) {
                let note = "the sheet is damaged and was read only in part";
                sheet.notes.push(note.to_owned());
            }
            rows.finish(&mut sheet);
            if !wanted {
                sheet.next_offset = None;
            }
        } else {
            let note = "a chart or macro sheet, without cells";
            sheet.notes.push(note.to_owned());
        }
        sheets.push(sheet);
    }
    Ok(Workbook { sheets })
}

fn is_sheet(tab: &Tab) -> bool {
    !matches!(
        tab.typ,
        SheetType::ChartSheet | SheetType::MacroSheet | SheetType::Vba
    )
}

fn find(tabs: &[Tab], name: &str) -> Result<usize, Fault> {
    let place = tabs.iter().position(|tab| tab.name == name).or_else(|| {
        tabs.iter()
            .position(|tab| tab.name.trim().to_lowercase() == name.trim().to_lowercase())
    });
    place.ok_or_else(|| {
        let names: Vec<String> = tabs
            .iter()
            .take(20)
            .map(|tab| format!("`{}`", shown(&tab.name)))
            .collect();
        Fault::Choice(format!(
            "there is no sheet `{}`; expected one of {}",
            shown(name),
            names.join(", ")
        ))
    })
}

fn xls_fault(error: &XlsError) -> Fault {
    match error {
        XlsError::Password => Fault::Encrypted,
        _ => broken(),
    }
}

fn ods_fault(error: &OdsError) -> Fault {
    match error {
        OdsError::Password => Fault::Encrypted,
        _ => broken(),
    }
}

fn broken() -> Fault {
    Fault::malformed("it is damaged, or no spreadsheet")
}

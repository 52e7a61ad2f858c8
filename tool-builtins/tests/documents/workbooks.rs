//! Spreadsheets.

use serde_json::{Value, json};

use crate::made::{open_document, row, workbook};
use crate::{error_of, read, text_of};

async fn values(file: &[u8], mut arguments: Value) -> Value {
    arguments["format"] = json!("json");
    serde_json::from_str(&text_of(&read("a.xlsx", file, arguments).await)).unwrap()
}

#[tokio::test]
async fn all_sheets_are_listed_and_shown_from_their_beginning() {
    let rows: String = (2..=61).map(|number| row(number, &["x", "y"])).collect();
    let sales = format!("{}{rows}", row(1, &["name", "price"]));
    let file = workbook(&[
        ("Sales", &sales),
        ("Notes", &row(3, &["a|b"])),
        ("Empty", ""),
    ]);
    let text = text_of(&read("a.xlsx", &file, json!({ "limit": 2 })).await);
    assert_eq!(
        text,
        "## Sales (60 rows × 2 columns)\n\n| name | price |\n|---|---|\n| x | y |\n| x | y |\n\
         [2 of 60 rows; for more: sheet `Sales`, offset 2]\n\n\
         ## Notes (0 rows × 1 column)\n\n## Empty (0 rows × 0 columns)\n"
    );
}

#[tokio::test]
async fn values_are_shown_as_people_see_them() {
    let data = r#"<row r="1"><c r="A1"><v>0.30000000000000004</v></c><c r="B1" s="1"><v>45322</v></c><c r="C1" t="b"><v>1</v></c>
        <c r="D1" t="e"><v>#DIV/0!</v></c><c r="E1" s="2"><v>1.5</v></c><c r="F1" t="str"><f>A1</f><v>text</v></c><c r="G1"><v>7</v></c></row>"#;
    let sheet = &values(&workbook(&[("S", data)]), json!({})).await["sheets"][0];
    assert_eq!(
        sheet["rows"],
        json!([[
            "0.3",
            "2024-01-31",
            "TRUE",
            "#DIV/0!",
            "36:00:00",
            "text",
            "7"
        ]])
    );
    assert_eq!(sheet["columns"], json!(["A", "B", "C", "D", "E", "F", "G"]));
}

#[tokio::test]
async fn one_sheet_is_read_in_parts() {
    let rows: String = (1..=120)
        .map(|number| row(number, &[&format!("v{number}")]))
        .collect();
    let file = workbook(&[("First", "<row r=\"1\"/>"), ("Zweite Liste", &rows)]);
    let mut offset = 0;
    let mut all = Vec::new();
    loop {
        let arguments = json!({ "sheet": "zweite liste", "offset": offset });
        let sheet = values(&file, arguments).await["sheets"][1].clone();
        all.extend(
            sheet["rows"]
                .as_array()
                .unwrap()
                .iter()
                .map(|row| row[0].as_str().unwrap().to_owned()),
        );
        let Some(next) = sheet["next_offset"].as_u64() else {
            break;
        };
        offset = next;
    }
    // The first value names the column.
    assert_eq!(
        all,
        (2..=120)
            .map(|number| format!("v{number}"))
            .collect::<Vec<_>>()
    );
}

#[tokio::test]
async fn a_sheet_that_is_not_there_is_named_with_those_that_are() {
    let file = workbook(&[("First", ""), ("Second", "")]);
    let message = error_of(&read("a.xlsx", &file, json!({ "sheet": "Third" })).await);
    assert!(
        message.contains("expected one of `First`, `Second`"),
        "{message}"
    );
}

#[tokio::test]
async fn cells_in_far_corners_are_only_two_cells() {
    let data = r#"<row r="1"><c r="A1"><v>1</v></c></row><row r="1048576"><c r="XFD1048576"><v>2</v></c></row>"#;
    let sheet = &values(&workbook(&[("S", data)]), json!({})).await["sheets"][0];
    assert_eq!(
        (&sheet["row_count"], &sheet["column_count"]),
        (&json!(2), &json!(16384))
    );
}

#[tokio::test]
async fn open_document_is_read_by_the_worker() {
    let table = r#"<table:table table:name="Liste"><table:table-row><table:table-cell office:value-type="string"><text:p>Name</text:p></table:table-cell></table:table-row>
        <table:table-row><table:table-cell office:value-type="float" office:value="2"><text:p>2</text:p></table:table-cell></table:table-row></table:table>"#;
    let text = text_of(&read("a.ods", &open_document(table), json!({})).await);
    assert_eq!(
        text,
        "## Liste (1 row × 1 column)\n\n| Name |\n|---|\n| 2 |\n"
    );
}

#[tokio::test]
async fn parameters_that_mean_nothing_for_the_document_are_refused() {
    let file = workbook(&[("S", "")]);
    let message = error_of(&read("a.xlsx", &file, json!({ "pages": "1" })).await);
    assert!(message.contains("`pages` are those of a PDF"), "{message}");
    let message = error_of(
        &read(
            "a.docx",
            &crate::made::word("", &[]),
            json!({ "sheet": "S" }),
        )
        .await,
    );
    assert!(
        message.contains("a `sheet` is one of a spreadsheet"),
        "{message}"
    );
}

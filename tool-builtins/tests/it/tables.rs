//! Delimited values.

use tool_builtins::Policy;
use tool_builtins::files::{Content, ReadFormat, ReadOptions, Table, read_file};

fn table_of(name: &str, bytes: impl AsRef<[u8]>, options: &ReadOptions) -> Table {
    let directory = tempfile::tempdir().unwrap();
    std::fs::write(directory.path().join(name), bytes).unwrap();
    match read_file(&Policy::new().root(directory.path()), name, options)
        .unwrap()
        .content
    {
        Content::Table(table) => table,
        other => panic!("{other:?}"),
    }
}

fn table(name: &str, text: &str) -> Table {
    table_of(name, text, &ReadOptions::default())
}

#[test]
fn the_delimiter_is_found() {
    for (text, delimiter) in [
        ("name,age\nAnn,30\nBob,40\n", ','),
        ("name;price\nTea;1,50\nMilk;0,99\n", ';'),
        ("name\tnote\nAnn\ta, b; c\nBob\td\n", '\t'),
        ("name|age\nAnn|30\n", '|'),
        ("sep=;\nname;age\nAnn;30\n", ';'),
        ("\"a;b\",c\n\"d;e;f\",g\n", ','),
        ("only\nwords\n", ','),
    ] {
        let table = table("a.csv", text);
        assert_eq!(table.delimiter, delimiter, "{text:?}");
        assert!(
            table
                .rows
                .iter()
                .all(|row| row.len() == table.columns.len()),
            "{table:?}"
        );
    }
    assert_eq!(table("a.tsv", "a,b\tc\n1,2\t3\n").columns, ["a,b", "c"]);
}

#[test]
fn values_stay_the_text_that_they_were() {
    let table = table(
        "a.csv",
        "id,zip,amount,date,flag\n1,00123,1.50,2024-01-02,TRUE\n2,\"007\",1e5,,NaN\n",
    );
    assert_eq!(table.columns, ["id", "zip", "amount", "date", "flag"]);
    assert_eq!(
        table.rows,
        [
            ["1", "00123", "1.50", "2024-01-02", "TRUE"],
            ["2", "007", "1e5", "", "NaN"]
        ]
    );
    assert_eq!(
        (table.row_count, table.ragged_rows, table.next_offset),
        (2, 0, None)
    );
}

#[test]
fn ragged_rows_are_kept_and_counted() {
    let table = table("a.csv", "a,b,c\n1,2,3\n1,2\n1,2,3,4\n\n5,6,7\n");
    assert_eq!((table.row_count, table.ragged_rows), (4, 2));
    assert_eq!(table.rows[1], ["1", "2"]);
    assert_eq!(table.rows[2], ["1", "2", "3", "4"]);
}

#[test]
fn quotes_hold_delimiters_line_breaks_and_quotes() {
    let table = table(
        "a.csv",
        "a,b\n\"x, y\",\"line 1\nline 2\"\n\"say \"\"hi\"\"\",z\n",
    );
    assert_eq!(
        table.rows,
        [["x, y", "line 1\nline 2"], ["say \"hi\"", "z"]]
    );
}

#[test]
fn a_first_line_of_values_is_a_row_and_the_columns_are_numbered() {
    for text in ["1,2\n3,4\n", "a,a\nb,c\n", "a,\nb,c\n"] {
        let table = table("a.csv", text);
        assert_eq!(
            (table.columns.as_slice(), table.row_count),
            (["column_1".to_owned(), "column_2".to_owned()].as_slice(), 2),
            "{text:?}"
        );
    }
}

#[test]
fn rows_are_given_in_parts_that_together_are_the_table() {
    let text: String = "n\n"
        .chars()
        .chain((0..120).flat_map(|number| format!("{number}x\n").chars().collect::<Vec<_>>()))
        .collect();
    let (mut offset, mut all) = (0, Vec::new());
    loop {
        let table = table_of("a.csv", &text, &ReadOptions::default().offset(offset));
        assert_eq!((table.row_count, table.columns.len()), (120, 1));
        assert!(table.rows.len() <= 50);
        all.extend(table.rows);
        let Some(next) = table.next_offset else { break };
        offset = next;
    }
    assert_eq!(all.len(), 120);
    assert_eq!(
        table_of("a.csv", &text, &ReadOptions::default().limit(0))
            .rows
            .len(),
        0
    );
}

#[test]
fn odd_files_are_tables_too() {
    assert_eq!(
        (
            table("a.csv", "").columns.len(),
            table("a.csv", "").row_count
        ),
        (0, 0)
    );
    assert_eq!(table("a.csv", "a,b\n").row_count, 0);
    assert_eq!(table("a.csv", "a,b\r\n1,2\r\n").rows, [["1", "2"]]);
    assert_eq!(table("a.csv", "a,b\n\"unclosed,1\n2,3\n").row_count, 1);
    let latin = table_of(
        "a.csv",
        b"name;stra\xdfe\nM\xfcller;Gr\xfcner Weg\n",
        &ReadOptions::default(),
    );
    assert_eq!(
        (latin.columns[1].as_str(), latin.rows[0][0].as_str()),
        ("straße", "Müller")
    );
    let wide: Vec<u8> = "a\tb\n1\t2\n"
        .encode_utf16()
        .flat_map(u16::to_le_bytes)
        .collect();
    assert_eq!(
        table_of("a.tsv", wide, &ReadOptions::default()).rows,
        [["1", "2"]]
    );
    let asked = table_of(
        "a.txt",
        "a,b\n1,2",
        &ReadOptions::default().format(ReadFormat::Table),
    );
    assert_eq!(asked.rows, [["1", "2"]]);
    assert_eq!(
        table("a.csv", "a\u{1b}[31m,b\n\u{202e}x,y\n").columns,
        ["a", "b"]
    );
}

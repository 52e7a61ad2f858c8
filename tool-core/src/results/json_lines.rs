//! JSON in lines that can be read by number.

use super::json_scan::string_end;

/// The JSON with line breaks in it, so that line `n` of an array, counted from
/// 0, is its element `n`. An object has its members on lines, and the elements
/// of those that are arrays. JSON that has line breaks is left as it is.
///
/// Also gives where the byte at `mark` has gone.
pub(super) fn in_lines(json: String, mark: usize) -> (String, usize) {
    let bytes = json.as_bytes();
    if bytes.contains(&b'\n') {
        return (json, mark);
    }
    let mut lines = String::with_capacity(json.len() + json.len() / 32);
    let mut moved = mark;
    let (mut written, mut at) = (0, 0);
    // What is open around the place; more than three make no difference.
    let mut open: Vec<u8> = Vec::with_capacity(3);
    let mut deeper = 0_usize;
    while let Some(byte) = bytes.get(at) {
        match byte {
            b'"' => {
                at = string_end(bytes, at);
                continue;
            }
            b'[' | b'{' if open.len() < 3 => open.push(*byte),
            b'[' | b'{' => deeper += 1,
            b']' | b'}' if deeper > 0 => deeper -= 1,
            b']' | b'}' => {
                open.pop();
            }
            b',' if matches!(open.as_slice(), [_] | [b'{', b'[']) => {
                lines.push_str(&json[written..=at]);
                lines.push('\n');
                written = at + 1;
                moved += usize::from(at < mark);
            }
            _ => {}
        }
        at += 1;
    }
    lines.push_str(&json[written..]);
    (lines, moved)
}

#[cfg(test)]
mod tests {
    use super::in_lines;

    #[test]
    fn the_lines_of_an_array_are_its_elements() {
        let json = r#"[{"a":[1,2]},"x,\"]y",[[[[1,2],3],4],5],{}]"#;
        let mark = json.find("{}").unwrap();
        let (lines, moved) = in_lines(json.to_owned(), mark);
        let wanted = "[{\"a\":[1,2]},\n\"x,\\\"]y\",\n[[[[1,2],3],4],5],\n{}]";
        assert_eq!(lines, wanted);
        assert_eq!(&lines[moved..], "{}]");
    }

    #[test]
    fn an_object_shows_the_elements_of_its_arrays() {
        let (lines, _) = in_lines(r#"{"a":[1,[2,3]],"b":{"c":[1,2],"d":3}}"#.to_owned(), 0);
        assert_eq!(lines, "{\"a\":[1,\n[2,3]],\n\"b\":{\"c\":[1,2],\"d\":3}}");
    }
}

//! What of a file is nearest to a text that is not in it.

use crate::text::clean::clean;

/// How many characters of a line are compared and shown.
const SHOWN: usize = 120;

/// How many lines are shown.
const CANDIDATES: usize = 3;

/// What to do about a text that is not in the file.
pub(super) fn hint(file: &str, wanted: &str) -> String {
    if let Some(hint) = white_space(file, wanted) {
        return hint;
    }
    if clean(file).contains(wanted) {
        return "the file has invisible or control characters in that place, which reading leaves out: edit the text \
                around them, or write the file as a whole"
            .to_owned();
    }
    let candidates = candidates(file, wanted);
    if candidates.is_empty() {
        return "read the file, and give the text to replace exactly as it stands there".to_owned();
    }
    let shown: Vec<String> = candidates
        .iter()
        .map(|(number, line)| format!("line {number}: `{line}`"))
        .collect();
    format!(
        "give the text exactly as it stands in the file; nearest to its first line is {}",
        shown.join("; ")
    )
}

/// The place that differs in nothing but white space.
fn white_space(file: &str, wanted: &str) -> Option<String> {
    // Blank lines at either end say nothing of the place.
    let wanted: Vec<&str> = wanted.lines().collect();
    let is_blank = |line: &&str| line.trim().is_empty();
    let start = wanted.iter().position(|line| !is_blank(line))?;
    let end = wanted.iter().rposition(|line| !is_blank(line))?;
    let wanted = wanted.get(start..=end)?;
    let needle = collapsed(wanted.iter().copied());
    let haystack = collapsed(file.lines());
    let place = haystack.find(&needle)?;
    let before = haystack.get(..place)?;
    let first = before.matches('\n').count();
    let pairs = file.lines().skip(first).zip(wanted);
    let differing = pairs
        .enumerate()
        .find(|(_, (there, given))| !there.contains(**given));
    let Some((offset, (there, given))) = differing else {
        return Some(format!(
            "at line {} the file differs in blank lines or in white space at the ends of lines",
            first + 1
        ));
    };
    Some(format!(
        "line {} differs in white space only: the file has `{}`, and the old text `{}`",
        first + offset + 1,
        visible(there),
        visible(given)
    ))
}

/// The lines with one space for each run of white space.
fn collapsed<'a>(lines: impl Iterator<Item = &'a str>) -> String {
    let words = |line: &str| line.split_whitespace().collect::<Vec<_>>().join(" ");
    lines.map(words).collect::<Vec<_>>().join("\n")
}

/// A line on which white space can be told apart.
fn visible(line: &str) -> String {
    let shown: String = line
        .chars()
        .take(SHOWN)
        .map(|character| match character {
            '\t' => "\\t".to_owned(),
            ' ' | '`' => character.to_string(),
            space if space.is_whitespace() => space.escape_unicode().to_string(),
            other => other.to_string(),
        })
        .collect();
    clean(&shown)
}

/// The lines that are most like the first line of `wanted`, with their numbers.
fn candidates(file: &str, wanted: &str) -> Vec<(usize, String)> {
    let first: Vec<char> = wanted
        .lines()
        .map(str::trim)
        .find(|line| !line.is_empty())
        .unwrap_or_default()
        .chars()
        .take(SHOWN)
        .collect();
    if first.is_empty() {
        return Vec::new();
    }
    let mut best: Vec<(usize, usize, String)> = Vec::new();
    for (index, line) in file.lines().enumerate() {
        let line: Vec<char> = line.trim().chars().take(SHOWN).collect();
        let score = likeness(&first, &line);
        let worst = best.last().map_or(0, |(score, ..)| *score);
        if score < 50 || (best.len() == CANDIDATES && score <= worst) {
            continue;
        }
        best.push((score, index + 1, clean(&line.iter().collect::<String>())));
        best.sort_by_key(|(score, number, _)| (std::cmp::Reverse(*score), *number));
        best.truncate(CANDIDATES);
    }
    best.into_iter()
        .map(|(_, number, line)| (number, line))
        .collect()
}

/// How much of the longer line is the same at both ends, in percent: a slip is mostly in one place.
fn likeness(left: &[char], right: &[char]) -> usize {
    let start = left
        .iter()
        .zip(right)
        .take_while(|(left, right)| left == right)
        .count();
    let shorter = left.len().min(right.len());
    let end = left
        .iter()
        .rev()
        .zip(right.iter().rev())
        .take(shorter - start)
        .take_while(|(left, right)| left == right)
        .count();
    (start + end) * 100 / left.len().max(right.len()).max(1)
}

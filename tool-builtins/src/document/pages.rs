//! Which pages are asked for, as people write it: `1-3,7`.

use super::fault::Fault;
use crate::policy::shown;

/// How many pages one answer holds at most.
pub(super) const MOST: usize = 500;

/// The pages that `asked` names, in their order and each once, of a document of `count` pages. Without `asked`, all.
/// At most 500 are given.
///
/// `7`, `2-4`, `10-` (to the end), and any of them joined by commas.
pub(super) fn select(asked: Option<&str>, count: u32) -> Result<Vec<u32>, Fault> {
    let Some(asked) = asked.map(str::trim).filter(|asked| !asked.is_empty()) else {
        return Ok((1..=count).take(MOST).collect());
    };
    let mut pages = std::collections::BTreeSet::new();
    for part in asked
        .split(',')
        .map(str::trim)
        .filter(|part| !part.is_empty())
    {
        let (first, last) = range(part, count).ok_or_else(|| {
            Fault::Choice(format!(
                "the pages `{}` make no sense; expected something like `1-3,7`",
                shown(asked)
            ))
        })?;
        if first > count {
            return Err(Fault::Choice(format!(
                "there is no page {first}; it has {count} page{}",
                if count == 1 { "" } else { "s" }
            )));
        }
        let free = MOST.saturating_sub(pages.len());
        pages.extend((first..=last.min(count)).take(free));
    }
    Ok(pages.into_iter().collect())
}

/// `None` for what is no range from 1 upwards.
fn range(part: &str, count: u32) -> Option<(u32, u32)> {
    let number = |text: &str| text.trim().parse::<u32>().ok().filter(|page| *page > 0);
    match part.split_once(['-', '–']) {
        None => number(part).map(|page| (page, page)),
        Some((first, last)) if last.trim().is_empty() => Some((number(first)?, count.max(1))),
        Some((first, last)) => {
            Some((number(first)?, number(last)?)).filter(|(first, last)| first <= last)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_are_chosen_as_people_write_them() {
        let pages = |asked: &str| select(Some(asked), 10).unwrap();
        assert_eq!(pages("1-3,7"), [1, 2, 3, 7]);
        assert_eq!(pages(" 9 - "), [9, 10]);
        assert_eq!(pages("7, 2,7,1–2"), [1, 2, 7]);
        assert_eq!(pages("8-99"), [8, 9, 10]);
        assert_eq!(pages(""), (1..=10).collect::<Vec<_>>());
        assert_eq!(select(None, 0).unwrap(), [0_u32; 0]);
        assert_eq!(select(None, 4_000_000_000).unwrap().len(), MOST);
        assert_eq!(
            select(Some("1-4294967295,1-"), u32::MAX).unwrap().len(),
            MOST
        );
    }

    #[test]
    fn pages_that_are_not_there_are_an_error_that_says_how_many_there_are() {
        for asked in ["0", "x", "3-1", "-5", "1-2-3", "99999999999", "1;2"] {
            let Err(Fault::Choice(why)) = select(Some(asked), 10) else {
                panic!("{asked}")
            };
            assert!(why.contains("`1-3,7`"), "{why}");
        }
        let Err(Fault::Choice(why)) = select(Some("11"), 10) else {
            panic!()
        };
        assert_eq!(why, "there is no page 11; it has 10 pages");
    }
}

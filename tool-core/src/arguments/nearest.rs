//! Names that are like one that does not exist.

/// The known names that are most like one that does not exist, best first, at most three.
pub(crate) fn nearest<'a>(name: &str, known: impl Iterator<Item = &'a str>) -> Vec<&'a str> {
    /// Below this likeness a suggestion misleads more than it helps.
    const LIKE: f64 = 0.55;
    /// What a hostile name may cost is bounded by its length.
    const LONGEST: usize = 64;

    if name.chars().count() > LONGEST {
        return Vec::new();
    }
    let name = name.to_lowercase();
    let mut near: Vec<(f64, &str)> = known
        .map(|candidate| {
            let likeness = strsim::normalized_levenshtein(&name, &candidate.to_lowercase());
            (likeness, candidate)
        })
        .filter(|(likeness, _)| *likeness >= LIKE)
        .collect();
    near.sort_by(|left, right| right.0.total_cmp(&left.0).then(left.1.cmp(right.1)));
    near.into_iter()
        .take(3)
        .map(|(_, candidate)| candidate)
        .collect()
}

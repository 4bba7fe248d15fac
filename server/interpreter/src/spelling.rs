//! Names that may have been meant.

/// The name that is nearest to one that is not known, if one is near.
pub(crate) fn nearest<'a>(wrong: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    // Within a few characters it is a matter of luck: fewer than half of them differ.
    let most = 2.min(wrong.chars().count().div_ceil(2).saturating_sub(1));
    let near = known.into_iter().filter_map(|name| Some((distance(name, wrong)?, name)));
    near.filter(|(distance, _)| *distance <= most).min().map(|(_, name)| name)
}

/// By how many changes of a character the texts differ; None if their lengths differ by much.
fn distance(a: &str, b: &str) -> Option<usize> {
    if a.len().abs_diff(b.len()) > 8 {
        return None;
    }
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().take(60).collect(), b.chars().take(60).collect());
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.iter().enumerate() {
        let mut before = i;
        let mut last = i + 1;
        for (j, y) in b.iter().enumerate() {
            let above = row.get(j + 1).copied().unwrap_or(0);
            let cost = (before + usize::from(x != y)).min(above + 1).min(last + 1);
            before = above;
            last = cost;
            if let Some(slot) = row.get_mut(j + 1) {
                *slot = cost;
            }
        }
        if let Some(slot) = row.first_mut() {
            *slot = i + 1;
        }
    }
    row.last().copied()
}

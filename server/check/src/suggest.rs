//! "Did you mean": the declared name nearest to a wrong one.

/// Folds what people mix up: case and separators.
fn fold(name: &str) -> String {
    name.chars().filter(|c| !matches!(c, '_' | '-' | '.' | ' ')).flat_map(char::to_lowercase).collect()
}

/// The nearest of `names`. ytt accepts a Levenshtein distance below half the length (reference 12.1)
/// and so has no hint for `prot`; here two letters that changed places count as one error, as that
/// is how people type.
pub(crate) fn nearest<'n>(wrong: &str, names: impl IntoIterator<Item = &'n str>) -> Option<&'n str> {
    let folded = fold(wrong);
    // Long texts are no misspelt names, and the distance costs the product of the lengths.
    if folded.is_empty() || folded.len() > 100 {
        return None;
    }
    let limit = folded.len().div_ceil(2);
    let mut best: Option<(usize, &str)> = None;
    for name in names {
        let other = fold(name);
        if name == wrong || other.len().abs_diff(folded.len()) > limit {
            continue;
        }
        let distance = strsim::osa_distance(&folded, &other);
        if distance >= limit {
            continue;
        }
        let better = best.is_none_or(|(least, kept)| distance < least || (distance == least && name < kept));
        if better {
            best = Some((distance, name));
        }
    }
    best.map(|(_, name)| name)
}

#[cfg(test)]
mod tests {
    use super::nearest;

    #[test]
    fn finds_what_was_meant() {
        let names = ["hostname", "port", "replicas"];
        assert_eq!(nearest("hostnmae", names), Some("hostname"));
        assert_eq!(nearest("prot", names), Some("port"));
        assert_eq!(nearest("replica", names), Some("replicas"));
        assert_eq!(nearest("host_name", names), Some("hostname"));
        assert_eq!(nearest("zzzzzz", names), None);
        assert_eq!(nearest("x", names), None);
    }
}

//! Names of keys, without their spelling, and how alike two of them are.

use crate::change::PathStep;
use lofting_document::Key;

/// A name without its spelling: `create_namespace` and `createNamespace` are the same.
pub(crate) fn plain(key: &Key) -> String {
    plain_text(&key.to_string())
}

/// See [`plain`].
pub(crate) fn plain_text(name: &str) -> String {
    name.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

/// The names of a path, without what is between them.
pub(crate) fn names(path: &[PathStep]) -> Vec<String> {
    path.iter().filter_map(key).map(plain).collect()
}

fn key(step: &PathStep) -> Option<&Key> {
    match step {
        PathStep::Key(key) => Some(key),
        PathStep::AnyKey | PathStep::Items => None,
    }
}

/// The words of a name in lower case and in the singular: `loadBalancerIP` has three.
pub(crate) fn words_of(key: &Key) -> Vec<String> {
    let chars: Vec<char> = key.to_string().chars().collect();
    let mut words: Vec<String> = Vec::new();
    let mut is_inside = false;
    for (index, c) in chars.iter().enumerate() {
        if !c.is_alphanumeric() {
            is_inside = false;
            continue;
        }
        let before = index.checked_sub(1).and_then(|index| chars.get(index));
        let is_lower_after = chars.get(index + 1).is_some_and(|next| next.is_lowercase());
        // `accessKey`, and `HTTPPort`.
        let is_hump = c.is_uppercase()
            && before.is_some_and(|before| !before.is_uppercase() || is_lower_after && chars.get(index + 2).is_some());
        match words.last_mut().filter(|_| is_inside && !is_hump) {
            Some(word) => word.extend(c.to_lowercase()),
            None => words.push(c.to_lowercase().collect()),
        }
        is_inside = true;
    }
    for word in &mut words {
        let is_plural = word.len() > 3 && word.ends_with('s') && !word.ends_with("ss");
        word.truncate(word.len() - usize::from(is_plural));
    }
    words
}

/// The words of all names of a path, in their order.
pub(crate) fn words_of_path(path: &[PathStep]) -> Vec<String> {
    path.iter().filter_map(key).flat_map(words_of).collect()
}

/// Whether two words are one, in another form perhaps: `persistence` and `persistent`.
fn are_alike(one: &str, other: &str) -> bool {
    let common = one.chars().zip(other.chars()).take_while(|(one, other)| one == other).count();
    one == other || common >= 6 && 4 * common >= 3 * one.chars().count().max(other.chars().count())
}

/// How many words two lists have in common, each counted once.
fn shared(one: &[String], other: &[String]) -> usize {
    let mut left: Vec<&String> = other.iter().collect();
    let mut count = 0;
    for word in one {
        if let Some(at) = left.iter().position(|other| are_alike(word, other)) {
            left.swap_remove(at);
            count += 1;
        }
    }
    count
}

/// How far two paths consist of the same words in another arrangement, in percent: `harbor.database.size` and
/// `databases.harbor.size`. Zero if only what is around the same names is called differently.
pub(crate) fn rearranged(from: &[PathStep], to: &[PathStep]) -> usize {
    let same = from.iter().rev().zip(to.iter().rev()).take_while(|(one, other)| one == other).count();
    let last = if same > 0 { from.get(from.len() - 1..).unwrap_or_default() } else { &[] };
    let around = |path: &[PathStep]| words_of_path(path.get(..path.len() - same).unwrap_or_default());
    let (mut from, mut to) = (around(from), around(to));
    if shared(&from, &to) == 0 {
        return 0;
    }
    // Of the names that both end with the last one counts: what is in a map comes along with it.
    let last = words_of_path(last);
    from.extend(last.iter().cloned());
    to.extend(last);
    match shared(&from, &to) {
        0 | 1 => 0,
        shared => 200 * shared / (from.len() + to.len()),
    }
}

/// Whether each path has a word that the other one lacks.
pub(crate) fn are_of_two_things(from: &[PathStep], to: &[PathStep]) -> bool {
    let (from, to) = (words_of_path(from), words_of_path(to));
    let shared = shared(&from, &to);
    from.len() > shared && to.len() > shared
}

/// Whether all words of a part of a path are in another path.
pub(crate) fn repeats(path: &[PathStep], part: &[PathStep]) -> bool {
    let words = words_of_path(path);
    words_of_path(part).iter().all(|word| words.iter().any(|other| are_alike(word, other)))
}

/// Whether the last name of each path has a word that the other path lacks: `maxBodySize` and `limits.maxHeaderSize`.
pub(crate) fn say_different_things(from: &[PathStep], to: &[PathStep]) -> bool {
    let lacks = |path: &[PathStep], name: Option<&PathStep>| !repeats(path, name.map_or(&[], std::slice::from_ref));
    lacks(from, to.last()) && lacks(to, from.last())
}

/// Whether two names consist of the same words, several of them, in any order.
pub(crate) fn are_same_words(old: &Key, new: &Key) -> bool {
    let sorted = |key: &Key| {
        let mut words = words_of(key);
        words.sort_unstable();
        words
    };
    let old = sorted(old);
    old.len() > 1 && old == sorted(new)
}

/// How alike two names are.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Likeness {
    Same,
    /// One is a part of the other, or they hardly differ.
    Part,
    Some,
    None,
}

/// How alike two plain names are.
pub(crate) fn likeness_of_names(old: &str, new: &str) -> Likeness {
    let likeness = strsim::jaro_winkler(old, new);
    let is_part = old.len() > 3 && new.len() > 3 && (new.ends_with(old) || old.ends_with(new));
    match likeness {
        _ if old == new => Likeness::Same,
        likeness if is_part || likeness > 0.9 => Likeness::Part,
        likeness if likeness > 0.8 => Likeness::Some,
        _ => Likeness::None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn path(text: &str) -> Vec<PathStep> {
        text.split('.').map(|name| PathStep::Key(Key::String(name.into()))).collect()
    }

    #[test]
    fn names_have_words() {
        for (name, words) in [
            ("accessKeyID", "access key id"),
            ("loadBalancerIPs", "load balancer ips"),
            ("HTTPPort", "http port"),
            ("nginx-ingress", "nginx ingress"),
            ("max_body__size", "max body size"),
            ("databases", "database"),
            ("tls", "tls"),
            ("class", "class"),
            ("s3Bucket", "s3 bucket"),
            ("IDs", "ids"),
            ("ÄpfelUndBirnen", "äpfel und birnen"),
            ("", ""),
        ] {
            assert_eq!(words_of(&Key::String(name.into())).join(" "), words, "{name}");
        }
    }

    #[test]
    fn paths_are_rearranged() {
        for (from, to, percent) in [
            ("harbor.database.size", "databases.harbor.size", 100),
            ("prometheus.resources.grafana", "grafana.resources", 80),
            ("global.proxy.resources", "resources.proxy", 80),
            ("accessKeyID", "credentials.accessKey", 66),
            ("persistence.master.size", "persistentVolumeSize", 66),
            ("imageTag", "image.tag", 100),
            // Other things of the same kind.
            ("kured.image.repository", "tempo.image.repository", 0),
            ("apps.trivy.resources.limits.cpu", "team.admin.tokenResources.limits.cpu", 44),
            ("cluster.entrypoint", "ingress.platformClass.entrypoint", 0),
            ("a", "b", 0),
        ] {
            assert_eq!(rearranged(&path(from), &path(to)), percent, "{from} {to}");
        }
        assert!(say_different_things(&path("maxBodySize"), &path("limits.maxHeaderSize")));
        assert!(!say_different_things(&path("accessKeyID"), &path("credentials.accessKey")));
    }
}

//! The spelling is British everywhere: in the manual, in messages and in comments.

use crate::english::{LANGUAGES, prose_of};
use crate::sources::{files_below, root};

/// Beginnings of words in American spelling, and the British one. A word is wrong that begins like this, unless it is one
/// of the exceptions.
const AMERICAN: &[(&str, &str, &[&str])] = &[
    ("analyz", "analys", &[]),
    ("behavior", "behaviour", &[]),
    ("canceled", "cancelled", &[]),
    ("canceling", "cancelling", &[]),
    ("catalog", "catalogue", &["catalogue", "catalogued", "catalogues"]),
    ("center", "centre", &[]),
    ("color", "colour", &[]),
    ("customiz", "customis", &[]),
    ("defense", "defence", &[]),
    ("favor", "favour", &[]),
    ("fulfill", "fulfil", &["fulfilled", "fulfilling"]),
    ("gray", "grey", &[]),
    ("honor", "honour", &[]),
    ("initializ", "initialis", &[]),
    ("labeled", "labelled", &[]),
    ("license", "licence", &["licensed"]),
    ("minimiz", "minimis", &[]),
    ("misspelled", "misspelt", &[]),
    ("modeled", "modelled", &[]),
    ("neighbor", "neighbour", &[]),
    ("normaliz", "normalis", &[]),
    ("optimiz", "optimis", &[]),
    ("organiz", "organis", &[]),
    ("prioritiz", "prioritis", &[]),
    ("recogniz", "recognis", &[]),
    ("serializ", "serialis", &[]),
    ("summariz", "summaris", &[]),
    ("synchroniz", "synchronis", &[]),
    ("tokeniz", "tokenis", &[]),
    ("traveled", "travelled", &[]),
    ("traveling", "travelling", &[]),
    ("unrecogniz", "unrecognis", &[]),
];

/// Lines that quote the words of other projects.
const QUOTES: &[&str] = &["tests/layout/spelling.rs"];

/// The words of a text. Addresses, options and names in code are not words.
fn words(text: &str) -> impl Iterator<Item = &str> {
    let is_edge = |c: char| !c.is_alphanumeric() && !"-_/$".contains(c);
    let bare = text.split_whitespace().map(move |word| word.trim_matches(is_edge));
    bare.filter(|word| {
        let is_inside = |c: char| !c.is_alphabetic() && c != '-';
        !word.starts_with('-') && !word.contains(is_inside) && !word.chars().skip(1).any(char::is_uppercase)
    })
}

/// The wrong words of a text, each with the right beginning.
fn american(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    for word in words(text) {
        let word = word.to_lowercase();
        for (wrong, right, exceptions) in AMERICAN {
            if word.starts_with(wrong) && !exceptions.contains(&word.as_str()) {
                found.push(format!("`{word}`: write `{right}…`"));
            }
        }
    }
    found
}

#[test]
fn every_text_has_british_spelling() {
    let endings = LANGUAGES.iter().map(|language| language.ending).chain([".md"]);
    let (mut read, mut wrong) = (0, Vec::new());
    for path in endings.flat_map(|ending| files_below(&root(), ending, &[])) {
        let shown = path.strip_prefix(root()).unwrap_or(&path).display().to_string().replace('\\', "/");
        if QUOTES.contains(&shown.as_str()) {
            continue;
        }
        for found in prose_of(&path) {
            read += 1;
            wrong.extend(american(&found.text).into_iter().map(|fault| format!("{shown}:{}: {fault}", found.line)));
        }
    }
    assert!(read > 20_000, "only {read} texts were read");
    assert!(wrong.is_empty(), "{} words:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn words_are_told_apart() {
    assert_eq!(american("The catalogue of colours, licensed and recognised.").len(), 0);
    assert_eq!(american("Color, behavior; a (catalog) recognizes.").len(), 4);
    assert_eq!(american("`x`: NO_COLOR, --color, initializationOptions, no-color.org and the LICENSE").len(), 0);
}

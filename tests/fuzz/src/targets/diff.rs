//! Any two schemas are compared or refused for a reason: a schema is no other than itself, and what changed is at places inside
//! the texts.
//!
//! A text is cut at a line `#-`; its first character chooses the language.

use lofting_diff::{Compared, Language, compare};

use crate::measured::Target;

const LANGUAGES: [Language; 5] =
    [Language::Ytt, Language::JsonSchema, Language::Crd, Language::OpenApi, Language::OpenChoreo];

pub const TARGET: Target = Target::Text(run);

fn run(input: &str) {
    let Some(first) = input.chars().next() else { return };
    let language = LANGUAGES[first as usize % LANGUAGES.len()];
    let text = &input[first.len_utf8()..];
    let (old, new) = text.split_once("\n#-\n").unwrap_or((text, text));
    for (one, other) in [(old, new), (new, old)] {
        if let Ok(compared) = compare(language, one, other) {
            places(&compared, one, other);
        }
    }
    for one in [old, new] {
        if let Ok(compared) = compare(language, one, one) {
            assert!(compared.changes.is_empty(), "{:?} in the same schema", compared.changes);
        }
    }
}

fn places(compared: &Compared, old: &str, new: &str) {
    for change in &compared.changes {
        assert!(change.old.is_none_or(|span| old.get(span.range()).is_some()), "{change:?}");
        assert!(change.new.is_none_or(|span| new.get(span.range()).is_some()), "{change:?}");
    }
}

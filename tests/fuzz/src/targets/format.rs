//! Formatting any text changes no value, nothing that is formatted already, and no damaged text.

use lofting_document::{FileId, Options as Reading, lower, write};
use lofting_format::{Options, Quotes, Sequences, apply, format};
use lofting_syntax::resolve::Profile;

use crate::measured::Target;

pub const TARGET: Target = Target::Text(run);

fn run(text: &str) {
    let tree = lofting_syntax::parse(text);
    let choices = [
        Options::default(),
        Options { quotes: Some(Quotes::Single), sequences: Some(Sequences::Indented), ..Options::default() },
    ];
    for options in choices {
        let Ok(edits) = format(&tree, &options) else {
            assert!(!tree.errors().is_empty());
            continue;
        };
        let formatted = apply(text, &edits);
        let again = lofting_syntax::parse(&formatted);
        let further = format(&again, &options);
        assert_eq!(further.map_err(|error| error.message), Ok(Vec::new()), "once more, of {formatted:?}");
        for profile in [Profile::Ytt, Profile::Yaml11, Profile::Core12] {
            assert_eq!(values(text, profile), values(&formatted, profile), "{formatted:?}");
        }
    }
}

/// What the documents of a text say.
fn values(text: &str, profile: Profile) -> Vec<String> {
    let set = lower(FileId(0), &lofting_syntax::parse(text), profile, Reading::default());
    // The key that ytt makes of a collection says in which line it is.
    let without_line = |json: String| {
        let mut parts = json.split("line: ");
        let first = parts.next().unwrap_or_default().to_owned();
        parts.fold(first, |text, part| text + part.trim_start_matches(|digit: char| digit.is_ascii_digit()))
    };
    set.documents.iter().map(|document| without_line(write::to_json(&document.value))).collect()
}

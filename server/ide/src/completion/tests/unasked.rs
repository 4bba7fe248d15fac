//! What is offered while the user types: a function of the text and the place.

use crate::fixture::{Fixture, open, open_app};

#[track_caller]
fn check(fixture: &Fixture, must: &[&str], must_not: &[&str]) {
    let labels: Vec<String> = fixture.unasked().into_iter().map(|item| item.label).collect();
    let has = |name: &&&str| labels.iter().any(|label| label == **name);
    let missing: Vec<_> = must.iter().filter(|name| !has(name)).collect();
    let wrong: Vec<_> = must_not.iter().filter(has).collect();
    assert!(missing.is_empty() && wrong.is_empty(), "missing {missing:?}, wrong {wrong:?} in {labels:?}");
}

/// The first item, and the text after it was accepted.
fn first(fixture: &Fixture) -> Option<(String, String)> {
    let item = fixture.unasked().into_iter().next()?;
    Some((item.label.clone(), fixture.accept(&item)))
}

#[test]
fn values_are_offered_from_their_first_letter_to_their_last() {
    for (value, key) in [("warn", "logLevel"), ("true", "debug"), ("Never", "pullPolicy")] {
        let above = if key == "pullPolicy" { "image:\n  " } else { "" };
        for typed in 1..=value.len() {
            let fixture = open_app(&format!("{above}{key}: {}$0", &value[..typed]));
            let whole = format!("{above}{key}: {value}");
            assert_eq!(first(&fixture), Some((value.to_owned(), whole)), "{value} after {typed} letters");
        }
    }
    let app = |text: &str| open_app(text);
    check(&app("rep$0"), &["replicas"], &[]);
    check(&app("replicas$0"), &["replicas"], &[]);
}

/// Enter after a complete word is a new line where an editor accepts only what changes the text: the word is first, and
/// plain text.
#[test]
fn a_complete_word_is_first_and_changes_nothing() {
    let code = "#- schema.yml\n#@data/values-schema\n---\nweb: 1\nwebsite: 2\n#- deployment.yml\n\
                #@ load(\"@ytt:data\", \"data\")\n";
    for (fixture, word) in [
        (open_app("logLevel: warn$0"), "warn"),
        (open_app("debug: false$0"), "false"),
        (open_app("logLevel: \"warn$0\""), "warn"),
        (open("#@data/values$0"), "data/values"),
        (open("#@data/values-schema$0"), "data/values-schema"),
        (open("#@data/values-schema\n---\n#@schema/nullable$0\na: 1\n"), "schema/nullable"),
        (open("#@overlay/remove$0\n---\na: 1\n"), "overlay/remove"),
        (open(&format!("{code}#@ end$0\n")), "end"),
        (open(&format!("{code}#@ x = data.values.web$0\n")), "web"),
        (open(&format!("{code}#@ x = data$0\n")), "data"),
    ] {
        let Some(item) = fixture.unasked().into_iter().next() else {
            panic!("nothing in {:?}, asked {:?}", fixture.text, fixture.completions(true))
        };
        assert_eq!((item.label.as_str(), item.is_snippet, item.additional_edits.len()), (word, false, 0));
        assert_eq!(fixture.accept(&item), fixture.text, "{word}");
    }
}

#[test]
fn the_few_values_of_a_key_are_offered_where_nothing_is_typed() {
    let app = |text: &str| open_app(text);
    check(&app("logLevel: $0"), &["warn", "info"], &[]);
    check(&app("debug: $0"), &["true", "false"], &[]);
    check(&app("features:\n- $0"), &["alpha", "beta"], &[]);
    // What begins a line, an empty collection, a text that can be anything, an example of a number.
    for text in ["image: $0", "env: $0", "env:\n- $0", "name: $0", "replicas: $0", "$0", "name: x\n$0", "image:\n  $0"]
    {
        check(&app(text), &[], &["tag", "- ", "[]", "name", "\"\"", "1", "replicas", "null"]);
    }
    // No space, no beginning.
    for text in ["logLevel:$0", "logLevel: info $0", "logLevel: $0info", "logLevel:\n  $0", "#@ $0", "# a $0"] {
        check(&app(text), &[], &["warn", "info", "load"]);
    }
}

#[test]
fn statements_and_names_come_first_in_code() {
    let labels = |line: &str| {
        let fixture = open(&format!("#- deployment.yml\n#@ def label(x):\n#@ end\n{line}\n---\na: 1\n"));
        fixture.unasked().into_iter().map(|item| item.label).collect::<Vec<_>>()
    };
    assert_eq!(labels("#@ l$0").iter().take(2).collect::<Vec<_>>(), ["load", "label"]);
    assert_eq!(labels("#@ f$0").first().map(String::as_str), Some("for"));
    assert_eq!(labels("#@ d$0").first().map(String::as_str), Some("def"));
    assert_eq!(labels("#@ i$0").first().map(String::as_str), Some("if"));
    assert_eq!(labels("#@ x = l$0").first().map(String::as_str), Some("label"));
}

/// Editors show all items that contain the typed letters in order, and Enter would then replace the word.
#[test]
fn what_does_not_begin_as_it_was_typed_is_not_offered() {
    const FILES: &str = "#- schema.yml\n#@data/values-schema\n---\n\
                         #@schema/validation one_of=[\"labeldrop\", \"labelkeep\", \"drop\"]\naction: drop\nlabels: \"\"\n#- values.yml\n";
    let values = |line: &str| open(&format!("{FILES}{line}\n"));
    check(&values("action: la$0"), &["labeldrop", "labelkeep"], &["drop"]);
    check(&values("action: \"la$0"), &["labeldrop"], &[]);
    for typed in ["labeldop", "lbl", "ld", "La", "rop"] {
        check(&values(&format!("action: {typed}$0")), &[], &["labeldrop", "labelkeep", "drop"]);
    }
    check(&values("bels$0"), &[], &["labels"]);
    check(&values("lab$0"), &["labels"], &[]);
}

#[test]
fn what_begins_a_line_or_moves_it_is_only_given_to_who_asks() {
    for text in ["image: t$0", "logLevel:w$0", "ingress:\n  host: a\n t$0"] {
        check(&open_app(text), &[], &["tag", "tls", "warn"]);
        assert!(!open_app(text).completions(true).is_empty(), "{text}");
    }
}

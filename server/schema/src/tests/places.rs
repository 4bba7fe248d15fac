//! Schemas that are written elsewhere.

use super::small::schema;
use lofting_document::{FileId, Span};

const TEXT: &str = "
keys:
  port:
    kinds: [integer]
    least: 1
    default: 80
  list:
    items: string
    default:
    - a
    - b: [c]
  kind:
    of:
    - x
    - [y, {z: 1}]
  old:
    deprecated: gone
    about: it was here
patterns:
  ^p: string
rest: open
require: [port]
any:
- keys: {a: integer}
- keys: {b: integer}
";

/// [`TEXT`] with a line before each, which moves everything.
fn moved() -> String {
    TEXT.trim_start().lines().map(|line| format!("# Moved.\n{line}\n")).collect()
}

#[test]
fn what_moves_means_the_same_and_its_places_are_followed() {
    let (old, new) = (schema(TEXT), schema(&moved()));
    assert!(old.means_the_same(&new) && new.means_the_same(&old));
    let moves = old.moves_to(&new);
    for ((_, old), (_, new)) in old.nodes().zip(new.nodes()) {
        assert_eq!(moves.now(old.declared.span), Some(new.declared.span));
        for (old, new) in old.constraints.iter().zip(&new.constraints) {
            assert_eq!(moves.now(old.span), Some(new.span));
        }
        if let (Some(old), Some(new)) = (&old.default, &new.default) {
            assert_eq!(moves.now(old.value.span), Some(new.value.span));
        }
    }
    let nowhere = Span::new(FileId(1), 3..4);
    assert_eq!(moves.now(nowhere), None);
    let elsewhere = Span::new(FileId(2), 3..4);
    assert_eq!(moves.now(elsewhere), Some(elsewhere));
}

#[test]
fn documentation_has_no_meaning_and_everything_else_does() {
    let old = schema(TEXT);
    assert!(old.means_the_same(&schema(&TEXT.replace("it was here", "it is gone"))));
    for (from, to) in [
        ("least: 1", "least: 2"),
        ("[integer]", "[number]"),
        ("default: 80", "default: 81"),
        ("items: string", "items: integer"),
        ("- a\n", "- b\n"),
        ("- b: [c]", "- b: [d]"),
        ("- b: [c]", "- e: [c]"),
        ("- x", "- w"),
        ("z: 1", "z: 2"),
        ("deprecated: gone", "deprecated: soon"),
        ("deprecated: gone", "removed: gone"),
        ("^p", "^q"),
        ("^p: string", "^p: integer"),
        ("rest: open", "rest: unread"),
        ("[port]", "[list]"),
        ("any:", "one:"),
        ("{b: integer}", "{b: string}"),
        ("    default: 80\n", ""),
        ("    least: 1\n", ""),
    ] {
        let changed = TEXT.replace(from, to);
        assert_ne!(changed, TEXT);
        assert!(!old.means_the_same(&schema(&changed)), "{from}: {to}");
    }
}

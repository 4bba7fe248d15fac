use std::collections::HashSet;

use expect_test::{Expect, expect};
use proptest::prelude::*;

use crate::catalog::{self, Passing, Status, Vocabulary};
use crate::*;

fn check(text: &str, expected: Expect) {
    let offset = 40;
    let comment = read_comment(text, offset);
    let slice = |range: &std::ops::Range<usize>| &text[range.start - offset..range.end - offset];
    let mut out = match &comment.kind {
        CommentKind::Ytt => "ytt".to_owned(),
        CommentKind::Ordinary => "ordinary".to_owned(),
        CommentKind::Code { code } => format!("code `{}`", slice(code)),
        CommentKind::Annotation(annotation) => {
            assert_eq!(slice(&annotation.name_range), annotation.name);
            let mut out =
                format!("annotation {:?} arguments `{}`", annotation.name, slice(&annotation.arguments_range));
            for value in &annotation.arguments.positional {
                out += &format!(" ({})", slice(&value.range));
            }
            for keyword in &annotation.arguments.keywords {
                out += &format!(" ({} = {})", keyword.name, slice(&keyword.value.range));
            }
            for error in &annotation.arguments.errors {
                out += &format!("\n error at `{}`: {}", slice(&error.range), error.message);
            }
            out
        }
    };
    if let Some(like) = looks_like_annotation(text, offset) {
        out += &format!("\n looks like {}: `{}` + `{}`", like.name, slice(&like.prefix), slice(&like.name_range));
    }
    expected.assert_eq(&out);
}

#[test]
fn kinds() {
    check("#! text", expect!["ytt"]);
    check("# text", expect!["ordinary"]);
    check("#text", expect!["ordinary"]);
    check("#", expect!["ordinary"]);
    check("#é", expect!["ordinary"]);
    check("#@", expect!["code ``"]);
    check("#@\r\n", expect!["code ``"]);
    check("#@ ", expect!["code ``"]);
    check("#@ if/end x > 1:", expect!["code `if/end x > 1:`"]);
    check("#@ end", expect!["code `end`"]);
    check("#@   return 1", expect!["code `  return 1`"]);
    check("#@schema/nullable", expect![[r#"annotation "schema/nullable" arguments ``"#]]);
    check("#@schema/type any=True\r", expect![[r#"annotation "schema/type" arguments `any=True` (any = True)"#]]);
    check("#@schema/title  \"x\"", expect![[r#"annotation "schema/title" arguments ` "x"` ("x")"#]]);
    check("#@template/code x = 5", expect![[r#"annotation "template/code" arguments `x = 5`"#]]);
    check("#@foo/bar baz=1", expect![[r#"annotation "foo/bar" arguments `baz=1` (baz = 1)"#]]);
}

#[test]
fn traps() {
    check(
        "#@schema/type\tany=True",
        expect![[r#"
        annotation "schema/type\tany=True" arguments ``"#]],
    );
    check(
        "#@schema/nullable:",
        expect![[r#"
        annotation "schema/nullable:" arguments ``"#]],
    );
    check(
        "#@schema/title(\"hello you\")",
        expect![[r#"
        annotation "schema/title(\"hello" arguments `you")` (you) ("))
         error at `schema/title("hello`: there must be a space between an annotation's name and its arguments"#]],
    );
    check(
        "#@schema/nullable #@schema/title \"x\"",
        expect![[r#"
        annotation "schema/nullable" arguments `#@schema/title "x"`
         error at `#@schema/title "x"`: only one annotation fits on a line; move this one to a line of its own"#]],
    );
    check(
        "#@schema/default 5 # five",
        expect![[r#"
        annotation "schema/default" arguments `5 # five` (5)
         error at `# five`: `#` starts a comment here and hides the closing parenthesis; remove it"#]],
    );
}

#[test]
fn lookalikes() {
    check(
        "# @schema/nullable",
        expect![[r#"
        ordinary
         looks like schema/nullable: `# @` + `schema/nullable`"#]],
    );
    check(
        "# @schema/type any=True",
        expect![[r#"
        ordinary
         looks like schema/type: `# @` + `schema/type`"#]],
    );
    check(
        "#schema/nullable",
        expect![[r#"
        ordinary
         looks like schema/nullable: `#` + `schema/nullable`"#]],
    );
    check(
        "#@ schema/nullable",
        expect![[r#"
        code `schema/nullable`
         looks like schema/nullable: `#@ ` + `schema/nullable`"#]],
    );
    check("#!@schema/nullable", expect!["ytt"]);
    check("# @someone: please look", expect!["ordinary"]);
    check("#@ end", expect!["code `end`"]);
}

#[test]
fn the_catalog_is_consistent() {
    let mut names = HashSet::new();
    for entry in catalog::entries() {
        assert!(names.insert(entry.name), "{} twice", entry.name);
        assert!(entry.snippet.starts_with(entry.name) && entry.plain.starts_with(entry.name), "{}", entry.name);
        assert!(!entry.plain.contains('$'), "{}", entry.name);
        assert!(entry.summary.ends_with('.'), "{}", entry.name);
        if let Status::Ignored { instead: Some(instead), .. } = entry.status {
            assert!(catalog::find(instead).is_some_and(catalog::Entry::is_shipped), "{instead}");
        }
        let repeated = entry.parameters.iter().filter(|p| p.passing == Passing::Repeated).count();
        assert!(repeated <= 1);
        // Names end at a space, so none may hold one.
        assert!(!entry.name.contains(' '));
    }
    assert!(Vocabulary::Proposed.find("schema/type").unwrap().keyword("one_of").is_some());
    assert!(Vocabulary::Shipped.find("schema/type").unwrap().keyword("one_of").is_none());
    assert!(Vocabulary::Shipped.find("schema/key").is_some() && Vocabulary::Proposed.find("schema/desc").is_some());
    let validation = catalog::find("schema/validation").unwrap();
    assert!(validation.keyword("one_of").is_some());
    assert_eq!(validation.positional(3).unwrap().name, "rule");
    assert!(catalog::find("schema/default").unwrap().positional(1).is_none());
    assert!(catalog::find("Schema/Nullable").is_none());
}

proptest! {
    #[test]
    fn never_panics(text in "#[@! #]{0,2}[a-z/\t (\"é=,\\[\\]#@-]{0,30}", offset in 0usize..1000) {
        let comment = read_comment(&text, offset);
        prop_assert!(comment.range.end <= offset + text.len());
        looks_like_annotation(&text, offset);
    }

    #[test]
    fn never_panics_on_any_text(text in "\\PC{0,40}") {
        read_comment(&text, 3);
        looks_like_annotation(&text, 3);
    }
}

#[test]
fn a_name_comes_before_those_that_go_on_from_it() {
    // Completion lists names in this order and selects the first, so a name must come before the longer ones that
    // begin with it.
    for vocabulary in [Vocabulary::Shipped, Vocabulary::Proposed] {
        let names: Vec<&str> = vocabulary.entries().map(|entry| entry.name).collect();
        for (index, name) in names.iter().enumerate() {
            let longer = names.iter().take(index).find(|before| before.starts_with(name));
            assert_eq!(longer, None, "before {name}");
            assert_eq!(names.iter().filter(|other| *other == name).count(), 1, "{name}");
        }
    }
}

use super::layout;
use expect_test::{Expect, expect};

/// Shows the parts of a line with their columns.
fn check(line: &str, expected: Expect) {
    let layout = layout(line);
    let part = |range: &std::ops::Range<usize>| format!("{}@{}", &line[range.clone()], range.start);
    let mut out = format!("column {}", layout.column());
    if !layout.dashes.is_empty() {
        out += &format!(", dashes {:?}", layout.dashes);
    }
    if let Some(properties) = &layout.properties {
        out += &format!(", properties {}", part(properties));
    }
    if let Some((key, colon)) = &layout.key {
        out += &format!(", key {} colon {colon}", part(key));
    }
    out += &format!(", value {}", part(&layout.value));
    if let Some(comment) = layout.comment {
        out += &format!(", comment {comment}");
    }
    expected.assert_eq(&out);
}

#[test]
fn keys_and_values() {
    check("", expect!["column 0, value @0"]);
    check("   ", expect!["column 3, value @3"]);
    check("a: b", expect!["column 0, key a@0 colon 1, value b@3"]);
    check("  a:", expect!["column 2, key a@2 colon 3, value @4"]);
    check("a :  b  ", expect!["column 0, key a@0 colon 2, value b@5"]);
    check("a:b", expect!["column 0, value a:b@0"]);
    check("team name: x", expect!["column 0, key team name@0 colon 9, value x@11"]);
    check(r#""a: b": c"#, expect![[r#"column 0, key "a: b"@0 colon 6, value c@8"#]]);
    check("'it''s': c", expect!["column 0, key 'it''s'@0 colon 7, value c@9"]);
    check("a: b: c", expect!["column 0, key a@0 colon 1, value b: c@3"]);
    check("größe: 3", expect!["column 0, key größe@0 colon 7, value 3@9"]);
}

#[test]
fn dashes_and_properties() {
    check("- ", expect!["column 2, dashes [0], value @2"]);
    check("-", expect!["column 1, dashes [0], value @1"]);
    check("  -   a: b", expect!["column 6, dashes [2], key a@6 colon 7, value b@9"]);
    check("- - x", expect!["column 4, dashes [0, 2], value x@4"]);
    check("-x", expect!["column 0, value -x@0"]);
    check("---", expect!["column 0, value ---@0"]);
    check("- &a", expect!["column 2, dashes [0], properties &a@2, value @4"]);
    check("- &a !!str x", expect!["column 2, dashes [0], properties &a !!str@2, value x@11"]);
}

#[test]
fn comments_and_quotes() {
    check("# a: b", expect!["column 0, value @0, comment 0"]);
    check("a: b # c", expect!["column 0, key a@0 colon 1, value b@3, comment 5"]);
    check("a: b#c", expect!["column 0, key a@0 colon 1, value b#c@3"]);
    check("a: \"b # c\" # d", expect![[r#"column 0, key a@0 colon 1, value "b # c"@3, comment 11"#]]);
    check("a: \"b # c", expect![[r#"column 0, key a@0 colon 1, value "b # c@3"#]]);
    check("a: [\"b # c\"] # d", expect![[r#"column 0, key a@0 colon 1, value ["b # c"]@3, comment 13"#]]);
    check("a: # d", expect!["column 0, key a@0 colon 1, value @2, comment 3"]);
    check("a: it's # d", expect!["column 0, key a@0 colon 1, value it's@3, comment 8"]);
}

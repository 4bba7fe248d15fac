use super::semantic_tokens;
use crate::fixture::open;
use expect_test::{Expect, expect};

#[track_caller]
fn check(text: &str, expected: Expect) {
    let fixture = open(text);
    let tokens = semantic_tokens(&fixture.snapshot, fixture.file, None);
    let shown: Vec<String> =
        tokens.iter().map(|token| format!("{:?} {}", token.kind, &fixture.text[token.range.clone()])).collect();
    expected.assert_eq(&shown.join(", "));
    let ends = tokens.windows(2).all(|pair| pair[0].range.end <= pair[1].range.start);
    assert!(ends, "they are in order: {tokens:?}");
}

#[test]
fn annotations_and_code() {
    check(
        "#@schema/validation min=1, f=lambda v: v.x == \"a\" # why\na: 1\nb: #@ len(data.values.c) + 2\n#@ if x:\n#! no\n# no\n#@ end\n",
        expect![[
            r##"Decorator #@schema/validation, Parameter min, Number 1, Parameter f, Keyword lambda, Variable v, Variable v, Property x, String "a", Comment # why, Macro #@, Function len, Variable data, Property values, Property c, Number 2, Macro #@, Keyword if, Variable x, Macro #@, Keyword end"##
        ]],
    );
    check(
        "#@ x = '''a\n#@   b if\n#@ ''' + None\n#@overlay/remove\n#@yaml/text-templated-strings\nk: \"(@= x @)\"\n",
        expect![[
            r##"Macro #@, Variable x, String '''a, Macro #@, String b if, Macro #@, String ''', Keyword None, Decorator #@overlay/remove, Decorator #@yaml/text-templated-strings, Variable x"##
        ]],
    );
}

#[test]
fn half_typed_and_none() {
    check(
        "#@ if x(\n#@schema/\n#@\na: #@\nb: #@ \"c\n",
        expect![[
            r##"Macro #@, Keyword if, Function x, Decorator #@schema/, Macro #@, Macro #@, Macro #@, String "c"##
        ]],
    );
    check("a: 1 # b\n", expect![""]);
    check("", expect![""]);
    check("#- type.yaml\napiVersion: openchoreo.dev/v1alpha1\nkind: ComponentType\n", expect![""]);
}

#[test]
fn a_range_has_the_tokens_that_it_touches() {
    let fixture = open("#@ a = 1\n#@ b = '''\n#@  c\n#@ '''\n#@ d = 1\n");
    let start = fixture.text.find("c\n").expect("c");
    let tokens = semantic_tokens(&fixture.snapshot, fixture.file, Some(start..start + 1));
    assert_eq!(tokens.iter().map(|token| &fixture.text[token.range.clone()]).collect::<Vec<_>>(), ["c"]);
}

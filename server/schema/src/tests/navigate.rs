//! From a value to those below it, and what is offered and refused there.

use super::small::{schema, written};
use crate::{
    Admits, Asked, Child, Clause, FreeKeys, KeyChild, MapShape, Pattern, PatternDialect, Schema, SchemaId, SchemaNode,
    Step, Via,
};
use lofting_document::{Key, NodeValue};
use std::collections::BTreeSet;

/// A way such as `a.0.b`; `*` is an item whose index is not known.
fn way(text: &str) -> Vec<Step> {
    let step = |part: &str| match part.parse() {
        Ok(index) => Step::Index(index),
        Err(_) if part == "*" => Step::Item,
        Err(_) => Step::Key(Key::from(part)),
    };
    text.split('.').filter(|part| !part.is_empty()).map(step).collect()
}

/// The keys that may be written at a place, and those that must be, whatever else is added.
fn offered(schema: &Schema, path: &str, maps: &[&str]) -> String {
    let found = schema.nodes_at_written(schema.root(), &way(path), &written(maps));
    let keys = found.iter().filter_map(|id| schema.node(*id).map.as_deref()).flat_map(|map| &map.keys);
    let keys: BTreeSet<String> = keys.map(|declared| declared.key.to_string()).collect();
    keys.into_iter().collect::<Vec<_>>().join(" ")
}

/// The types at a place.
fn types(schema: &Schema, path: &str) -> String {
    let words = |id: &SchemaId| schema.type_words(*id);
    schema.nodes_at(schema.root(), &way(path)).iter().map(words).collect::<Vec<_>>().join(", ")
}

const KINDS: &str = "
keys: {kind: {of: [file, url]}, port: integer}
any:
- {keys: {kind: {of: [file]}, path: string}, rest: open}
- {keys: {kind: {of: [url]}, host: string}, rest: open}
";

#[test]
fn alternatives_that_a_written_value_excludes_are_not_offered() {
    for text in [KINDS.to_owned(), KINDS.replace("any:", "one:")] {
        let schema = schema(&text);
        for (maps, keys) in [
            (&[][..], "host kind path port"),
            (&["{}"], "host kind path port"),
            (&["{kind: file}"], "kind path port"),
            (&["{kind: url, port: 1}"], "host kind port"),
            // Nothing fits: each may have been meant.
            (&["{kind: other}"], "host kind path port"),
            // Not a scalar, so nothing is known.
            (&["{kind: [file]}"], "host kind path port"),
        ] {
            assert_eq!(offered(&schema, "", maps), keys, "{maps:?}");
        }
    }
}

#[test]
fn alternatives_are_excluded_on_their_own_level_and_through_others() {
    let outer =
        schema(&format!("keys:\n  spec:\n{}", KINDS.lines().map(|line| format!("    {line}\n")).collect::<String>()));
    assert_eq!(offered(&outer, "spec", &["{kind: file}", "{kind: url}"]), "host kind port");
    assert_eq!(offered(&outer, "spec", &["{kind: file}"]), "host kind path port");
    let nested = schema(
        "
any:
- all: [{keys: {kind: {of: [a]}, x: integer}}]
- any: [{keys: {kind: {of: [b]}, y: integer}}, {keys: {kind: {of: [c]}, z: integer}}]
",
    );
    assert_eq!(offered(&nested, "", &["{kind: a}"]), "kind x");
    assert_eq!(offered(&nested, "", &["{kind: b}"]), "kind y");
    assert_eq!(offered(&nested, "", &["{}"]), "kind x y z");
}

#[test]
fn a_condition_chooses_once_it_is_decided() {
    let condition = |condition: &str| {
        schema(&format!("{{if: [{condition}, {{keys: {{path: string}}}}, {{keys: {{host: string}}}}]}}"))
    };
    let file = "{keys: {kind: {of: [file]}}, require: [kind]}";
    let table: &[(&str, &[(&str, &str)])] = &[
        (file, &[("{}", "host path"), ("{kind: file}", "path"), ("{kind: url}", "host"), ("{kind: {}}", "host path")]),
        // A key that is not required and not given does not speak against it.
        ("{keys: {kind: {of: [file]}}}", &[("{}", "path"), ("{kind: url}", "host")]),
        ("{keys: {kind: any}, require: [kind]}", &[("{}", "host path"), ("{kind: {}}", "path"), ("{kind: 1}", "path")]),
        ("{require: [kind], rest: open}", &[("{}", "host path"), ("{kind: 1}", "path")]),
        (&format!("{{not: {file}}}"), &[("{}", "host path"), ("{kind: file}", "host"), ("{kind: url}", "path")]),
        (
            &format!("{{all: [{file}, {{require: [x], rest: open}}]}}"),
            &[
                ("{}", "host path"),
                ("{kind: url}", "host"),
                ("{kind: file}", "host path"),
                ("{kind: file, x: 1}", "path"),
            ],
        ),
        (
            &format!("{{any: [{file}, {{keys: {{x: {{of: [1]}}}}, require: [x]}}]}}"),
            &[("{}", "host path"), ("{x: 1}", "path"), ("{kind: url}", "host path"), ("{kind: url, x: 2}", "host")],
        ),
        // Other statements are not decided by keys.
        (&format!("{{one: [{file}, any]}}"), &[("{kind: file}", "host path")]),
    ];
    for (of, cases) in table {
        for (map, keys) in *cases {
            assert_eq!(offered(&condition(of), "", &[map]), *keys, "{of} {map}");
        }
        assert_eq!(offered(&condition(of), "", &[]), "host path", "{of}");
    }
}

#[test]
fn what_depends_on_a_key_applies_where_it_is_written() {
    let schema = schema("{keys: {a: integer}, with: {a: {keys: {b: integer}, rest: open}}}");
    assert_eq!(offered(&schema, "", &["{}"]), "a");
    assert_eq!(offered(&schema, "", &["{a: 1}"]), "a b");
    assert_eq!(offered(&schema, "", &[]), "a b");
}

#[test]
fn every_statement_about_a_value_applies_to_it() {
    let schema = schema(
        "
keys: {a: integer, l: {items: {keys: {x: string}}}, s: {items: string}}
patterns: {\"^p\": boolean, \"p$\": {least: 1}}
rest: number
all: [{keys: {a: {least: 2}, c: string}, rest: open}]
",
    );
    for (path, found) in [
        ("a", "integer, any"),
        ("c", "number, string"),
        ("l.0.x", "string"),
        ("l.*.x", "string"),
        ("s.7", "string"),
        ("px", "boolean"),
        ("xp", "any"),
        ("pp", "boolean, any"),
        ("other", "number"),
        ("l.x", ""),
        ("a.x", ""),
        ("0", ""),
    ] {
        assert_eq!(types(&schema, path), found, "{path}");
    }
}

#[test]
fn rules_for_what_is_left_apply_where_nothing_else_does() {
    let schema = schema(
        "
any: [{keys: {a: integer}, rest: open}, {patterns: {^p: boolean}, rest: open}, {items: {kinds: [string]}}]
other keys: {keys: {x: any}}
other items: {items: integer}
",
    );
    for (path, found) in [
        ("a", "integer"),
        ("p", "boolean"),
        ("b", "map"),
        ("0", "string"),
        // An item whose index is not known may be one of both.
        ("*", "string, array of integer"),
    ] {
        assert_eq!(types(&schema, path), found, "{path}");
    }
    let alone = super::small::schema("{kinds: [any], other items: integer, other keys: string}");
    assert_eq!(["0", "*", "a"].map(|path| types(&alone, path)), ["integer", "integer", "string"]);
}

#[test]
fn a_child_says_why_it_applies() {
    let schema = schema(
        "{keys: {a: integer}, patterns: {\"^p\": string}, rest: boolean, one: [{keys: {a: any}}, {keys: {b: any}}]}",
    );
    let found = |key: &str| -> Vec<(Via, Option<u32>)> {
        let children = schema.children(schema.root(), &Step::Key(Key::from(key)));
        children.iter().map(|Child { via, branch, .. }| (*via, *branch)).collect()
    };
    assert_eq!(found("a"), [(Via::Declared, None), (Via::Declared, Some(0))]);
    assert_eq!(found("b"), [(Via::Rest, None), (Via::Declared, Some(1))]);
    assert_eq!(found("p"), [(Via::Pattern, None)]);
}

#[test]
fn a_value_is_refused_only_where_each_alternative_refuses_it() {
    let table: &[(&str, &[(&str, bool)])] = &[
        ("{keys: {a: {of: [x, 1]}}}", &[("x", false), ("y", true), ("1", false), ("null", false)]),
        ("{keys: {a: {not: {of: [x]}}}}", &[("x", true), ("y", false), ("null", false)]),
        ("{all: [{keys: {a: {of: [x, y]}}}, {keys: {a: {of: [y]}}}]}", &[("x", true), ("y", false)]),
        // Another alternative may be meant.
        ("{any: [{keys: {a: {of: [x]}}}, {keys: {a: {of: [y]}}}]}", &[("x", false), ("z", false)]),
        ("{keys: {a: string}}", &[("x", false), ("1", false)]),
    ];
    for (of, cases) in table {
        let schema = schema(of);
        let path = way("a");
        let refuses = schema.refuses(schema.root(), &path, &written(&["{}"]));
        for (value, refused) in *cases {
            assert_eq!(refuses(&super::small::value(value).value), *refused, "{of} {value}");
        }
        assert!(!refuses(&NodeValue::Null), "{of}");
    }
}

#[test]
fn a_key_is_forbidden_only_where_nothing_can_permit_it() {
    let table: &[(&str, &[(&str, bool)])] = &[
        ("{keys: {a: any}}", &[("a", false), ("b", true)]),
        ("{keys: {a: none}, rest: open}", &[("a", true), ("b", false)]),
        ("{keys: {a: any}, rest: unread}", &[("b", false)]),
        ("{keys: {a: any}, rest: string}", &[("b", false)]),
        ("{keys: {a: any}, patterns: {\"^p\": any}}", &[("p", false), ("b", true)]),
        ("{all: [{keys: {a: any}}, {keys: {a: any, b: any}}]}", &[("a", false), ("b", true)]),
        ("{any: [{keys: {a: any}}, {keys: {b: any}}]}", &[("b", false), ("c", false)]),
    ];
    for (of, cases) in table {
        let schema = schema(of);
        let forbids = schema.forbids(schema.root(), &[], &written(&["{}"]));
        for (key, forbidden) in *cases {
            assert_eq!(forbids(&Key::from(*key)), *forbidden, "{of} {key}");
        }
    }
}

#[test]
fn keys_are_enumerated_by_a_list_of_names() {
    let found = |of: &str| -> Vec<(String, String, bool)> {
        let schema = schema(of);
        let keys = schema.enumerated_keys(schema.root()).into_iter();
        keys.map(|it| (it.key.to_string(), schema.type_words(it.schema), it.required)).collect()
    };
    let named = |name: &str, kind: &str, required: bool| (name.to_owned(), kind.to_owned(), required);
    assert_eq!(
        found("{keys: {a: integer}, rest: string, require: [b], names: {of: [a, b, c, 1]}}"),
        [named("b", "string", true), named("c", "string", false)]
    );
    assert_eq!(found("{patterns: {\"^b\": boolean}, names: {of: [a, b]}}"), [named("b", "boolean", false)]);
    assert_eq!(found("{rest: string}"), []);
    assert_eq!(found("{names: {of: [a]}}"), []);
}

#[test]
fn a_document_may_have_what_some_statement_declares_and_lists() {
    let table: &[(&str, &[(&str, bool)])] = &[
        ("{keys: {kind: {of: [a, b]}}}", &[("a", true), ("c", false)]),
        ("{keys: {kind: string}}", &[("a", true)]),
        ("{keys: {other: string}, rest: open}", &[("a", false)]),
        ("{any: [{keys: {kind: {of: [a]}}}, {keys: {kind: {of: [b]}}}]}", &[("a", true), ("b", true), ("c", false)]),
        ("{all: [{keys: {kind: string}}, {one: [{keys: {kind: {of: [a]}}}]}]}", &[("a", true), ("c", false)]),
        ("{name: loop, all: [loop], keys: {kind: {of: [a]}}}", &[("a", true), ("c", false)]),
    ];
    for (of, cases) in table {
        for (text, may) in *cases {
            assert_eq!(schema(of).may_have(&Key::from("kind"), text), *may, "{of} {text}");
        }
    }
}

#[test]
fn nodes_are_named_by_the_shortest_way_of_keys() {
    let schema = schema(
        "
keys: {a: {name: deep, keys: {b: {items: {keys: {c: integer}}}, again: deep}}, x: deep}
rest: {keys: {r: string}}
any: [{keys: {m: boolean}}]
",
    );
    let paths = schema.paths_of_keys();
    for (way, path) in
        [("a", "a"), ("a.b", "a.b"), ("a.b.0", "a.b"), ("a.b.0.c", "a.b.c"), ("a.again", "a"), ("x.b", "a.b")]
    {
        let id = schema.nodes_at(schema.root(), &self::way(way))[0];
        assert_eq!(paths[&id], path, "{way}");
    }
    assert_eq!(paths[&schema.nodes_at(schema.root(), &way("m")).last().copied().expect("a node")], "m");
    assert_eq!(paths[&schema.nodes_at(schema.root(), &way("z.r"))[0]], "r");
    assert_eq!(paths[&schema.root()], "");
}

#[test]
fn what_only_joins_others_is_found_by_its_documentation() {
    let text = "{keys: {a: {about: one of both, any: [{about: text, kinds: [string]}, {kinds: [integer]}]}}}";
    let schema = schema(text);
    let found = schema.documented_at_written(schema.root(), &way("a"), &written(&[]));
    let about = |id: &SchemaId| schema.node(*id).docs.description.as_ref().map(|text| text.text.clone());
    assert_eq!(found.iter().map(about).collect::<Vec<_>>(), [Some("one of both".to_owned())]);
    assert_eq!(types(&schema, "a"), "string, integer");
}

/// A schema may contain itself also in statements about one value.
#[test]
fn statements_about_themselves_exclude_nothing() {
    let around = "keys: {kind: {of: [a]}, x: integer}";
    for of in [
        format!("{{name: loop, any: [{{{around}}}, loop]}}"),
        format!("{{name: loop, {around}, all: [loop]}}"),
        format!("{{any: [{{name: loop, {around}, all: [loop]}}, {{name: other, any: [other]}}]}}"),
        format!("{{if: [{{name: loop, {around}, all: [loop]}}, {{{around}}}, {{{around}}}]}}"),
        format!("{{if: [{{name: loop, {around}, any: [loop]}}, {{{around}}}, {{{around}}}]}}"),
        format!("{{if: [{{name: loop, {around}, not: loop}}, {{{around}}}, {{{around}}}]}}"),
    ] {
        assert_eq!(offered(&schema(&of), "", &["{kind: a}"]), "kind x", "{of}");
    }
}

/// A pattern that cannot be read might match any key.
#[test]
fn a_key_is_not_refused_where_a_pattern_is_not_known() {
    for (of, key, says) in [
        ("{patterns: {\"(\": string}}", "x", KeyChild::Free),
        ("{keys: {a: any}, patterns: {\"(\": string}}", "x", KeyChild::Free),
        ("{patterns: {\"^a\": string}}", "x", KeyChild::Undeclared),
        ("{keys: {a: any}}", "x", KeyChild::Undeclared),
        ("{patterns: {\"^a\": string}, rest: unread}", "x", KeyChild::Unread),
    ] {
        let schema = schema(of);
        let map = schema.node(schema.root()).map.as_deref().expect("a map");
        assert_eq!(map.child(&Key::from(key)), says, "{of}");
    }
}

/// A message about such a node would say nothing: what it joins is named instead.
#[test]
fn a_node_that_only_joins_others_has_no_rules_of_its_own() {
    for (of, only) in [
        ("any", true),
        ("{all: [integer]}", true),
        ("{any: [integer, string], about: text}", true),
        ("integer", false),
        ("{kinds: [integer], all: [integer]}", false),
        ("{keys: {a: any}, all: [any]}", false),
        ("{items: any, all: [any]}", false),
        ("{least: 1, all: [any]}", false),
        ("{kinds: [any], keys: {a: any}, all: [any]}", false),
        ("{kinds: [any], items: any, all: [any]}", false),
    ] {
        let schema = schema(of);
        assert_eq!(schema.node(schema.root()).says_only_clauses(), only, "{of}");
    }
}

/// A clause names nodes that may describe a value, and others that a value is only compared with.
#[test]
fn a_clause_says_which_nodes_describe_a_value() {
    let [a, b, c] = [1, 2, 3].map(SchemaId);
    let key = || Key::from("a");
    let choice = Clause::If { condition: a, then: Some(b), otherwise: Some(c) };
    for (clause, members, compared, is_choice) in [
        (Clause::All(vec![a, b]), vec![a, b], vec![a, b], false),
        (Clause::Any(vec![a, b]), vec![a, b], vec![a, b], true),
        (Clause::One(vec![a, b]), vec![a, b], vec![a, b], true),
        (Clause::Not(a), vec![], vec![a], false),
        (choice, vec![b, c], vec![a, b, c], true),
        (Clause::If { condition: a, then: None, otherwise: Some(c) }, vec![c], vec![a, c], true),
        (Clause::Dependent { key: key(), schema: a }, vec![a], vec![a], false),
        // These are about keys and items.
        (Clause::Names(a), vec![], vec![], false),
        (Clause::Contains { schema: a, least: 1, most: None, evaluates: true }, vec![], vec![], false),
        (Clause::OtherKeys(a), vec![], vec![], false),
        (Clause::OtherItems(a), vec![], vec![], false),
    ] {
        assert_eq!(
            (clause.members().into_owned(), clause.about_the_same().into_owned(), clause.is_choice()),
            (members, compared, is_choice)
        );
    }
}

#[test]
fn the_first_rule_that_admits_a_key_applies() {
    let span = super::small::value("1").span;
    let pattern = |text: &str| Admits::Pattern(Pattern::new(text, PatternDialect::Ecma));
    let answers = [("f1".into(), true), ("f2".into(), false)].into_iter().collect();
    let asked = Admits::Function(Asked { span, function: None, own_key: None, answers });
    for (admits, keys) in [
        (Admits::All, [Some(true), Some(true), Some(true)]),
        (pattern("1$"), [Some(true), Some(false), Some(false)]),
        (asked.clone(), [Some(true), Some(false), None]),
    ] {
        assert_eq!(["f1", "f2", "f3"].map(|key| admits.takes(key)), keys, "{admits:?}");
    }
    let free = |number: u32, admits: Admits| FreeKeys { admits, schema: SchemaId(number), expects: Vec::new(), span };
    let map = MapShape {
        free: vec![free(1, pattern("^p")), free(2, asked), free(3, Admits::All)],
        ..MapShape::closed(vec![])
    };
    let found = ["p", "f1", "f2", "other"].map(|key| match map.child(&Key::from(key)) {
        KeyChild::Child(child) => Some(child.schema.0),
        _ => None,
    });
    // Whether the function takes the last one is not known yet.
    assert_eq!(found, [Some(1), Some(2), Some(3), None]);
}

/// What a node names is given in two ways: to be read, and to be changed.
#[test]
fn nodes_name_what_is_changed_when_they_are_adopted() {
    let own = |schema: &Schema| {
        for (id, node) in schema.nodes() {
            let mut changed = Vec::new();
            node.clone().ids(&mut |id| changed.push(*id));
            let mut named = schema.named_by(id);
            changed.sort_unstable();
            named.sort_unstable();
            assert_eq!(named, changed, "{node:?}");
        }
    };
    own(&schema(KINDS));
    let old = schema(KINDS);
    let (root, other) = (old.root(), SchemaId(1));
    let mut nodes: Vec<SchemaNode> = old.nodes().map(|(_, node)| node.clone()).collect();
    nodes[root.0 as usize].clauses.extend([
        Clause::Not(other),
        Clause::If { condition: other, then: Some(root), otherwise: Some(other) },
        Clause::Dependent { key: Key::from("a"), schema: other },
        Clause::Names(other),
        Clause::Contains { schema: other, least: 1, most: None, evaluates: true },
        Clause::OtherKeys(other),
        Clause::OtherItems(other),
    ]);
    let all = Schema::new(nodes, root, old.semantics());
    own(&all);
}

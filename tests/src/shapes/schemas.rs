//! Schemas.

use super::{Case, Row, each, plain, schema_text};

pub(super) const SHAPES: &[Row] = &[
    ("keys of a schema", 100_000, keys),
    ("schema documents", 10_000, documents),
    ("schema files", 5_000, files),
    ("bounds", 50_000, bounds),
    ("rules", 10_000, rules),
    ("named rules", 10_000, named_rules),
    ("nested bounds", 400, nested_bounds),
    ("nested rules", 200, nested_rules),
    ("rules that fail", 10_000, failing_rules),
    ("descriptions", 50_000, descriptions),
    ("examples", 25_000, examples),
    ("nullable maps", 25_000, nullable),
    ("levels of a schema", 400, levels),
    ("levels of arrays", 400, arrays),
    ("maps in maps", 25_000, wide_levels),
    ("choices of one_of", 100_000, one_of),
    ("errors in a schema", 50_000, errors),
    ("unknown annotations", 50_000, unknown_annotations),
    ("keys of an array's item", 25_000, item_keys),
    ("schema overlays that remove", 10_000, removed),
    ("defaults", 25_000, defaults),
];

fn keys(n: usize) -> Case {
    Case::governed(each(n, |i| format!("key{i}: 0\n")), "key0: 1\n".to_owned())
}

fn documents(n: usize) -> Case {
    let document =
        |i| format!("#@data/values-schema\n#@overlay/match-child-defaults missing_ok=True\n---\nkey{i}: 0\n");
    Case { values: Some("key0: 1█\n".to_owned()), ..Case::config(plain(n, document)) }
}

fn files(n: usize) -> Case {
    let file = |i| {
        let text = format!("#@data/values-schema\n#@overlay/match-child-defaults missing_ok=True\n---\nkey{i}: 0\n");
        (format!("schema{i}.yml"), text)
    };
    Case { config: (0..n).map(file).collect(), values: Some("key0: 1█\n".to_owned()), ..Case::default() }
}

fn bounds(n: usize) -> Case {
    let key = |i| format!("#@schema/validation min=0, max=100000\nkey{i}: 0\n");
    Case::governed(plain(n, key), each(n, |i| format!("key{i}: {i}\n")))
}

fn rules(n: usize) -> Case {
    let key = |i| format!("#@schema/validation (\"not seven\", lambda value: value != 7000000)\nkey{i}: 0\n");
    Case::governed(plain(n, key), each(n, |i| format!("key{i}: {i}\n")))
}

fn named_rules(n: usize) -> Case {
    let rule = "#@ def odd(value):\n#@   return value != 7000000\n#@ end\n";
    let text = plain(n, |i| format!("#@schema/validation (\"not seven\", odd)\nkey{i}: 0\n"));
    let text = format!("{rule}{}", schema_text(text));
    Case { values: Some(each(n, |i| format!("key{i}: {i}\n"))), ..Case::config(text) }
}

fn failing_rules(n: usize) -> Case {
    let key = |i| format!("#@schema/validation (\"less\", lambda value: value < 0)\nkey{i}: 0\n");
    Case::governed(plain(n, key), each(n, |i| format!("key{i}: {i}\n")))
}

fn nested_with(n: usize, rule: &str) -> Case {
    let level = |i: usize| format!("{:1$}#@schema/validation {rule}\n{:1$}k:\n", "", i);
    let schema = plain(n, level) + &format!("{:1$}port: 0\n", "", n);
    let values = each(n, |i| format!("{:1$}k:\n", "", i)) + &format!("{:1$}port: 1\n", "", n);
    Case::governed(schema, values)
}

fn nested_bounds(n: usize) -> Case {
    nested_with(n, "min_len=1")
}

fn nested_rules(n: usize) -> Case {
    nested_with(n, "(\"one\", lambda value: len(value) == 1)")
}

fn descriptions(n: usize) -> Case {
    let key = |i| format!("#@schema/title \"Key {i}\"\n#@schema/desc \"What key {i} is\"\nkey{i}: 0\n");
    Case::governed(plain(n, key), each(n, |i| format!("key{i}: {i}\n")))
}

fn examples(n: usize) -> Case {
    let key = |i| format!("#@schema/examples (\"One\", {i})\nkey{i}: 0\n");
    Case::governed(plain(n, key), each(n, |i| format!("key{i}: {i}\n")))
}

fn nullable(n: usize) -> Case {
    let key = |i| format!("#@schema/nullable\nkey{i}:\n  port: 0\n");
    Case::governed(plain(n, key), each(n, |i| format!("key{i}:\n  port: {i}\n")))
}

fn levels(n: usize) -> Case {
    let schema = plain(n, |i| format!("{:1$}k:\n", "", i)) + &format!("{:1$}port: 0\n", "", n);
    let values = each(n, |i| format!("{:1$}k:\n", "", i)) + &format!("{:1$}port: 1\n", "", n);
    Case::governed(schema, values)
}

fn arrays(n: usize) -> Case {
    Case::governed(
        format!("k: {}0{}\n", "[".repeat(n), "]".repeat(n)),
        format!("k: {}█1{}\n", "[".repeat(n), "]".repeat(n)),
    )
}

fn wide_levels(n: usize) -> Case {
    let map = |i| format!("key{i}:\n  a:\n    b: 0\n  c: \"\"\n");
    Case::governed(plain(n, map), each(n, |i| format!("key{i}:\n  a:\n    b: {i}\n")))
}

fn one_of(n: usize) -> Case {
    let choices = plain(n, |i| format!("\"c{i}\", "));
    Case::governed(format!("#@schema/validation one_of=[{choices}]\nkey: c0\n"), "key: c1█\n".to_owned())
}

fn errors(n: usize) -> Case {
    Case::governed(each(n, |i| format!("#@schema/type\nkey{i}: null\n")), "key0: 1\n".to_owned())
}

fn unknown_annotations(n: usize) -> Case {
    Case::governed(each(n, |i| format!("#@schema/des \"{i}\"\nkey{i}: 0\n")), "key0: 1\n".to_owned())
}

fn item_keys(n: usize) -> Case {
    let schema = format!("items:\n- name: a\n{}", plain(n, |i| format!("  key{i}: 0\n")));
    Case::governed(schema, format!("items:\n- name: a\n{}", each(n, |i| format!("  key{i}: 1\n"))))
}

fn removed(n: usize) -> Case {
    let more = plain(n, |i| format!("#@overlay/remove\nkey{i}: 0\n"));
    Case::governed(plain(n, |i| format!("key{i}: 0\n")) + "last: 0\n", "last: 1█\n".to_owned())
        .and("schema2.yml", schema_text(more))
}

fn defaults(n: usize) -> Case {
    let key = |i| format!("#@schema/default [{i}, {i}]\nkey{i}:\n- 0\n");
    Case::governed(plain(n, key), "key0: [1█]\n".to_owned())
}

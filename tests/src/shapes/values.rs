//! Plain values and their YAML.

use super::{Case, Row, each, plain};

pub(super) const SHAPES: &[Row] = &[
    ("keys", 100_000, keys),
    ("keys the schema leaves open", 100_000, open_keys),
    ("items", 25_000, items),
    ("items with keys of their own", 25_000, own_keys),
    ("numbers in an array", 100_000, numbers),
    ("levels of maps", 100_000, levels),
    ("levels of brackets", 100_000, brackets),
    ("levels of maps as keys", 2_000, key_levels),
    ("levels of arrays as keys", 2_000, array_key_levels),
    ("levels of explicit keys", 2_000, explicit_key_levels),
    ("entries of a flow map", 100_000, flow_map),
    ("items of a flow array", 100_000, flow_array),
    ("lines of a block scalar", 100_000, block_scalar),
    ("lines of a plain scalar", 100_000, plain_scalar),
    ("lines of a quoted scalar", 100_000, quoted_scalar),
    ("characters of a line", 1_000_000, long_line),
    ("comments", 100_000, comments),
    ("comments that suppress findings", 100_000, suppressions),
    ("stacked comments that suppress findings", 100_000, stacked_suppressions),
    ("empty lines", 100_000, empty_lines),
    ("repeated keys", 100_000, repeated),
    ("keys repeated often", 100_000, repeated_pairs),
    ("unknown keys", 100_000, unknown),
    ("values that are not allowed", 5_000, not_allowed),
    ("unknown keys in items", 25_000, unknown_in_items),
    ("values of a wrong type", 100_000, wrong),
    ("missing keys", 100_000, missing),
    ("syntax errors", 100_000, broken),
    ("unclosed brackets", 100_000, unclosed),
    ("anchors with aliases", 50_000, anchors),
    ("aliases of one anchor", 100_000, aliases),
    ("merge keys", 50_000, merge_keys),
    ("unknown aliases", 100_000, unknown_aliases),
    ("tags", 100_000, tags),
    ("plain documents", 25_000, documents),
    ("complex keys", 50_000, complex_keys),
    ("half-typed lines", 100_000, half_typed),
];

const COUNTS: &str = "#@schema/type any=True\nvalues: {}\n";

fn below(name: &str, body: String) -> String {
    format!("{name}:\n{body}")
}

fn keys(n: usize) -> Case {
    Case::governed(plain(n, |i| format!("key{i}: 0\n")), each(n, |i| format!("key{i}: {i}\n")))
}

fn open_keys(n: usize) -> Case {
    Case::governed(COUNTS, below("values", each(n, |i| format!("  key{i}: {i}\n"))))
}

fn items(n: usize) -> Case {
    let schema = "items:\n- name: \"\"\n  port: 0\n  labels:\n    team: \"\"\n";
    let item = |i| format!("- name: item-{i}\n  port: {i}\n  labels:\n    team: a\n");
    Case::governed(schema, below("items", each(n, item)))
}

fn own_keys(n: usize) -> Case {
    Case::governed(COUNTS, below("values", each(n, |i| format!("- key{i}: {i}\n"))))
}

fn numbers(n: usize) -> Case {
    Case::governed("items:\n- 0\n", below("items", each(n, |i| format!("- {i}\n"))))
}

fn levels(n: usize) -> Case {
    Case::governed(COUNTS, format!("values:\n{}", each(n.min(2_000), |i| format!("{:1$}k:\n", "", i + 1))))
}

fn key_levels(n: usize) -> Case {
    Case::governed("k: {}\n", format!("k: {}a█: 1{}\n", "{".repeat(n), "}: 1".repeat(n - 1) + "}"))
}

fn array_key_levels(n: usize) -> Case {
    Case::governed("k: {}\n", format!("k: {{{}a█: 1{}}}\n", "[{".repeat(n), "}]: 1".repeat(n)))
}

fn explicit_key_levels(n: usize) -> Case {
    Case::governed("{}\n", format!("{}a█: 1\n", "? ".repeat(n)))
}

fn brackets(n: usize) -> Case {
    Case::governed(COUNTS, format!("values: {}█{}\n", "[".repeat(n), "]".repeat(n)))
}

fn flow_map(n: usize) -> Case {
    Case::governed(COUNTS, format!("values: {{{}last: █0}}\n", plain(n, |i| format!("key{i}: {i}, "))))
}

fn flow_array(n: usize) -> Case {
    Case::governed("values:\n- 0\n", format!("values: [{}█0]\n", plain(n, |i| format!("{i}, "))))
}

fn block_scalar(n: usize) -> Case {
    Case::governed(
        "text: \"\"\n",
        below("text", String::new()).replace('\n', " |\n") + &each(n, |i| format!("  line {i}\n")),
    )
}

fn plain_scalar(n: usize) -> Case {
    Case::governed("text: \"\"\n", below("text", each(n, |i| format!("  line {i}\n"))))
}

fn quoted_scalar(n: usize) -> Case {
    Case::governed("text: \"\"\n", format!("text: \"{}\"\n", each(n, |i| format!("  line {i}\n"))))
}

fn long_line(n: usize) -> Case {
    Case::governed("text: \"\"\nport: 0\n", format!("text: {}█\nport: x\n", "long ".repeat(n / 5)))
}

fn suppressions(n: usize) -> Case {
    let line = |i| format!("# lofting: ignore ytt/type-mismatch\nkey{i}: x\n");
    Case::governed(plain(n, |i| format!("key{i}: 0\n")), each(n, line))
}

fn stacked_suppressions(n: usize) -> Case {
    let comments = plain(n, |_| "# lofting: ignore ytt/type-mismatch\n".to_owned());
    Case::governed("port: 0\n", format!("{comments}port: x\n"))
}

fn comments(n: usize) -> Case {
    Case::governed("port: 0\n", each(n, |i| format!("# comment {i}\n")) + "port: 1\n")
}

fn empty_lines(n: usize) -> Case {
    Case::governed("port: 0\nhost: \"\"\n", format!("port: 1█\n{}host: a\n", "\n".repeat(n)))
}

fn repeated(n: usize) -> Case {
    Case::governed(COUNTS, below("values", each(n, |i| format!("  key: {i}\n"))))
}

fn repeated_pairs(n: usize) -> Case {
    Case::governed(COUNTS, below("values", each(n, |i| format!("  key{}: {i}\n", i / 2))))
}

fn unknown(n: usize) -> Case {
    Case::governed(plain(n, |i| format!("key{i}: 0\n")), each(n, |i| format!("kez{i}: {i}\n")))
}

fn not_allowed(n: usize) -> Case {
    let allowed = plain(n, |i| format!("\"name-{i}\", "));
    let schema = format!("items:\n#@schema/validation one_of=[{allowed}]\n- name-0\n");
    Case::governed(schema, below("items", each(n, |i| format!("- nane-{i}\n"))))
}

fn unknown_in_items(n: usize) -> Case {
    Case::governed("items:\n- name: \"\"\n", below("items", each(n, |i| format!("- nane: item-{i}\n"))))
}

fn wrong(n: usize) -> Case {
    Case::governed("items:\n- 0\n", below("items", each(n, |i| format!("- text{i}\n"))))
}

fn missing(n: usize) -> Case {
    Case::governed(plain(n, |i| format!("key{i}: 0\n")), "█key0: x\n".to_owned())
}

fn broken(n: usize) -> Case {
    Case::governed(COUNTS, below("values", each(n, |i| format!("  a{i}: b: c\n"))))
}

fn unclosed(n: usize) -> Case {
    Case::governed(COUNTS, below("values", each(n, |i| format!("  a{i}: [1, {{b: \"c\n"))))
}

fn anchors(n: usize) -> Case {
    Case::governed(COUNTS, below("values", each(n, |i| format!("  a{i}: &a{i} {i}\n  b{i}: *a{i}\n"))))
}

fn aliases(n: usize) -> Case {
    let first = "first: &a {port: 1}\n";
    Case::governed(
        format!("first:\n  port: 0\n{COUNTS}"),
        first.to_owned() + &below("values", each(n, |i| format!("  b{i}: *a\n"))),
    )
}

fn merge_keys(n: usize) -> Case {
    let body = each(n, |i| format!("  b{i}:\n    <<: *a\n    host: x\n"));
    Case::governed(format!("first:\n  port: 0\n{COUNTS}"), "first: &a {port: 1}\n".to_owned() + &below("values", body))
}

fn unknown_aliases(n: usize) -> Case {
    Case::governed(COUNTS, below("values", each(n, |i| format!("  b{i}: *a{i}\n"))))
}

fn tags(n: usize) -> Case {
    Case::governed(COUNTS, below("values", each(n, |i| format!("  b{i}: !!str {i}\n"))))
}

fn documents(n: usize) -> Case {
    Case::governed(COUNTS, each(n, |i| format!("---\nvalues:\n  key{i}: {i}\n")))
}

fn complex_keys(n: usize) -> Case {
    Case::governed(COUNTS, below("values", each(n, |i| format!("  ? key{i}\n  : {i}\n"))))
}

fn half_typed(n: usize) -> Case {
    Case::governed(COUNTS, below("values", each(n, |i| format!("  key{i}\n"))))
}

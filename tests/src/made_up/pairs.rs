//! Every feature in every other, and chains of 60 of them: each gives on the value that it gets, so that what is printed is
//! known without asking another program.

use std::fmt::Write;

use super::dice::Dice;

/// What a file needs for a value to be passed on: lines before the documents, and the expression.
struct Passed {
    lines: String,
    expression: String,
}

/// Passes the value of an expression on; the number makes its names unique.
type Pass = fn(&str, usize) -> Passed;

/// A value that a function of nodes gives, below `key`.
fn by_nodes(number: usize, nodes: &str, taken: &str) -> Passed {
    Passed { lines: format!("---\n#@ def f{number}():\n{nodes}#@ end\n"), expression: format!("f{number}(){taken}") }
}

fn by_code(expression: String) -> Passed {
    Passed { lines: String::new(), expression }
}

/// Ways through which a value goes.
const FEATURES: &[(&str, Pass)] = &[
    ("a function of nodes", |it, n| by_nodes(n, &format!("v: #@ {it}\n"), "[\"v\"]")),
    ("an item", |it, n| by_nodes(n, &format!("- 0\n- #@ {it}\n"), "[1]")),
    ("a document", |it, n| by_nodes(n, &format!("---\nv: #@ {it}\n"), "[0][\"v\"]")),
    ("if", |it, n| by_nodes(n, &format!("#@ if True:\nv: #@ {it}\n#@ end\n"), "[\"v\"]")),
    ("else", |it, n| {
        by_nodes(n, &format!("#@ if False:\nv: 0\n#@ elif None:\nv: 1\n#@ else:\nv: #@ {it}\n#@ end\n"), "[\"v\"]")
    }),
    ("if/end", |it, n| by_nodes(n, &format!("#@ if/end True:\nv: #@ {it}\n"), "[\"v\"]")),
    ("for", |it, n| by_nodes(n, &format!("#@ for x in [{it}]:\n- #@ x\n#@ end\n"), "[0]")),
    ("for/end", |it, n| by_nodes(n, &format!("v:\n#@ for/end x in [{it}]:\n- #@ x\n"), "[\"v\"][0]")),
    ("a variable", |it, n| by_nodes(n, &format!("#@ x = {it}\nv: #@ x\n"), "[\"v\"]")),
    ("return", |it, n| by_nodes(n, &format!("#@ return [{it}]\n"), "[0]")),
    ("an inner function", |it, n| {
        by_nodes(n, &format!("#@ def inner(x):\nw: #@ x\n#@ end\nv: #@ inner({it})\n"), "[\"v\"][\"w\"]")
    }),
    ("a key that is code", |it, n| {
        by_nodes(n, &format!("#@yaml/text-templated-strings\n(@= \"v\" @): #@ {it}\n"), "[\"v\"]")
    }),
    ("text", |it, n| {
        let passed = by_nodes(
            n,
            &format!(
                "#@yaml/text-templated-strings\nv: 'x(@= json.encode({{\"w\": yaml.decode(yaml.encode({it}))}}) @)'\n"
            ),
            "[\"v\"]",
        );
        Passed { expression: format!("json.decode({}[1:])[\"w\"]", passed.expression), ..passed }
    }),
    ("template.replace", |it, n| by_nodes(n, &format!("_: #@ template.replace({{\"v\": {it}}})\nw: 0\n"), "[\"v\"]")),
    ("template.replace of a struct", |it, n| {
        by_nodes(n, &format!("_: #@ template.replace(struct.make(v={it}))\nw: 0\n"), "[\"v\"]")
    }),
    ("template.replace of items", |it, n| by_nodes(n, &format!("- 0\n- #@ template.replace([{it}])\n"), "[1]")),
    ("overlay.apply", |it, n| {
        let passed = by_nodes(n, &format!("#@overlay/match missing_ok=True\nv: #@ {it}\n"), "");
        Passed { expression: format!("overlay.apply({{\"w\": 1}}, {})[\"v\"]", passed.expression), ..passed }
    }),
    ("the left side of an overlay", |it, n| {
        let passed = by_nodes(n, "#@overlay/remove\nw:\n", "");
        Passed {
            expression: format!("overlay.apply({{\"v\": {it}, \"w\": 1}}, {})[\"v\"]", passed.expression),
            ..passed
        }
    }),
    ("overlay/replace", |it, n| {
        let passed = by_nodes(n, &format!("#@overlay/replace\nv: #@ {it}\n"), "");
        Passed {
            expression: format!("overlay.apply({{\"v\": {{\"old\": 1}}}}, {})[\"v\"]", passed.expression),
            ..passed
        }
    }),
    ("overlay/replace via", |it, n| {
        let passed = by_nodes(n, "#@overlay/replace via=lambda left, right: left\nv: 0\n", "");
        Passed { expression: format!("overlay.apply({{\"v\": {it}}}, {})[\"v\"]", passed.expression), ..passed }
    }),
    ("overlay/append", |it, n| {
        let passed = by_nodes(n, &format!("#@overlay/append\n- #@ {it}\n"), "");
        Passed { expression: format!("overlay.apply([0], {})[1]", passed.expression), ..passed }
    }),
    ("overlay/insert", |it, n| {
        let passed =
            by_nodes(n, &format!("#@overlay/match by=overlay.index(0)\n#@overlay/insert before=True\n- #@ {it}\n"), "");
        Passed { expression: format!("overlay.apply([0], {})[0]", passed.expression), ..passed }
    }),
    ("a library's output", |it, _| {
        by_code(format!("library.get(\"same\").with_data_values({{\"v\": {it}}}).eval()[0][\"v\"]"))
    }),
    ("a library's output as a right side", |it, _| {
        by_code(format!(
            "overlay.apply({{\"v\": 0}}, library.get(\"over\").with_data_values({{\"v\": {it}}}).eval()[0])[\"v\"]"
        ))
    }),
    ("a library's function", |it, _| by_code(format!("library.get(\"same\").export(\"same\")({it})[\"v\"]"))),
    ("a library's data values", |it, _| {
        by_code(format!("struct.decode(library.get(\"same\").with_data_values({{\"v\": {it}}}).data_values())[\"v\"]"))
    }),
    ("a module", |it, _| by_code(format!("of_module({it})"))),
    ("a module of nodes", |it, _| by_code(format!("of_nodes({it})[\"v\"]"))),
    ("JSON", |it, _| by_code(format!("json.decode(json.encode(yaml.decode(yaml.encode({it}))))"))),
    ("YAML", |it, _| by_code(format!("yaml.decode(yaml.encode({it}))"))),
    ("TOML", |it, _| by_code(format!("{{\"v\": {it}, \"t\": toml.decode(toml.encode({{\"a\": 1}}))}}[\"v\"]"))),
    ("base64", |it, _| by_code(format!("yaml.decode(base64.decode(base64.encode(yaml.encode({it}))))"))),
    ("a struct", |it, _| {
        by_code(format!("struct.decode(struct.encode({{\"v\": yaml.decode(yaml.encode({it}))}}))[\"v\"]"))
    }),
    ("an attribute", |it, _| by_code(format!("struct.make(v={it}).v"))),
    ("getattr", |it, _| by_code(format!("getattr(struct.make(v={it}), \"v\")"))),
    ("a lambda", |it, _| by_code(format!("(lambda x: x)({it})"))),
    ("a comprehension", |it, _| by_code(format!("[x for x in [{it}] if True][0]"))),
    ("a dict's comprehension", |it, _| by_code(format!("{{k: x for k, x in [(\"v\", {it})]}}[\"v\"]"))),
    ("a condition", |it, _| by_code(format!("({it} if True else None)"))),
    ("or", |it, _| by_code(format!("(None or [{it}])[0]"))),
    ("assert", |it, _| by_code(format!("assert.try_to(lambda: {it})[0]"))),
    ("a tuple", |it, _| by_code(format!("(0, {it})[1:][0]"))),
    ("arguments", |it, _| by_code(format!("(lambda *a, **k: k[\"v\"])(0, v={it})"))),
];

const LOADS: &str = "\
#@ load(\"@ytt:data\", \"data\")
#@ load(\"@ytt:overlay\", \"overlay\")
#@ load(\"@ytt:template\", \"template\")
#@ load(\"@ytt:library\", \"library\")
#@ load(\"@ytt:struct\", \"struct\")
#@ load(\"@ytt:yaml\", \"yaml\")
#@ load(\"@ytt:json\", \"json\")
#@ load(\"@ytt:toml\", \"toml\")
#@ load(\"@ytt:base64\", \"base64\")
#@ load(\"@ytt:assert\", \"assert\")
#@ load(\"module.star\", \"of_module\")
#@ load(\"nodes.lib.yml\", \"of_nodes\")
";

const SCHEMA: &str = "#@data/values-schema\n---\n#@schema/type any=True\nv: ~\n";

/// Values, and how they are printed.
const VALUES: [(&str, &str); 4] = [
    ("{\"a\": [1, {\"b\": None}], \"c\": \"x: y\"}", "a:\n- 1\n- b: null\nc: 'x: y'\n"),
    ("[True, [], {\"d\": 1.5}]", "- true\n- []\n- d: 1.5\n"),
    ("data.values.v", "e:\n- f: g\nh: {}\n"),
    ("nodes()", "i:\n  j:\n  - k\n  - 2\n"),
];

const GIVEN: &str = "#@data/values\n---\nv:\n  e:\n  - f: g\n  h: {}\n";
const NODES: &str = "#@ def nodes():\ni:\n  j:\n  - k\n  - 2\n#@ end\n";

/// A set whose template passes values through features, the innermost first; and what it prints.
pub struct Chain {
    /// What the features are.
    pub names: String,
    /// Paths with texts.
    pub files: Vec<(String, String)>,
    /// The output.
    pub printed: String,
}

impl Chain {
    fn new(features: &[usize], values: &[usize]) -> Chain {
        let (mut template, mut documents, mut printed, mut number) =
            (format!("{LOADS}{NODES}"), String::new(), Vec::new(), 0);
        for value in values {
            let (code, shown) = VALUES[*value];
            let mut expression = code.to_owned();
            for feature in features {
                number += 1;
                let passed = FEATURES[*feature].1(&expression, number);
                template += &passed.lines;
                expression = passed.expression;
            }
            let _ = writeln!(documents, "--- #@ {expression}");
            printed.push(shown);
        }
        let files = [
            ("config/schema.yml", SCHEMA),
            ("config/values.yml", GIVEN),
            ("config/module.star", "def of_module(x):\n  return x\nend\n"),
            ("config/nodes.lib.yml", "#@ def of_nodes(x):\nv: #@ x\n#@ end\n"),
            ("config/_ytt_lib/same/schema.yml", SCHEMA),
            ("config/_ytt_lib/same/v.yml", "#@ load(\"@ytt:data\", \"data\")\nv: #@ data.values.v\n"),
            ("config/_ytt_lib/same/f.lib.yml", "#@ def same(x):\nv: #@ x\n#@ end\n"),
            ("config/_ytt_lib/over/schema.yml", SCHEMA),
            (
                "config/_ytt_lib/over/v.yml",
                "#@ load(\"@ytt:data\", \"data\")\n---\n#@overlay/replace\nv: #@ data.values.v\n",
            ),
            ("config/t.yml", &(template + &documents)),
        ];
        Chain {
            names: features.iter().map(|feature| FEATURES[*feature].0).collect::<Vec<_>>().join(", in "),
            files: files.map(|(path, text)| (path.to_owned(), text.to_owned())).into(),
            printed: printed.join("---\n"),
        }
    }
}

/// Every feature in every other, each pair with two of the values.
pub fn pairs() -> impl Iterator<Item = Chain> {
    let all = 0..FEATURES.len();
    let pairs = all.clone().flat_map(move |inner| all.clone().map(move |outer| [inner, outer]));
    pairs.map(|pair| Chain::new(&pair, &[0, 1, 2, 3].map(|value| (pair[0] + value) % VALUES.len())[..2]))
}

/// Up to 60 features in each other.
pub fn chain(number: u64) -> Chain {
    let mut dice = Dice::new(number ^ 0xc4a1);
    let features: Vec<usize> = (0..1 + dice.below(60)).map(|_| dice.below(FEATURES.len())).collect();
    let value = dice.below(VALUES.len());
    Chain::new(&features, &[value])
}

//! Generators of YAML-like texts.

use proptest::prelude::*;

/// Fragments of half-typed YAML.
const FRAGMENTS: &[&str] = &[
    "a",
    "b",
    "key",
    "x y",
    "1",
    "true",
    "é",
    "😀",
    ":",
    ": ",
    ":\n",
    "- ",
    "-",
    "? ",
    "?",
    "\n",
    "\n",
    "\n",
    "\n\n",
    " ",
    "  ",
    "  ",
    "    ",
    "\t",
    "#",
    " # c",
    "#@ note\n",
    "'",
    "\"",
    "''",
    "\\",
    "\\n",
    "[",
    "]",
    "{",
    "}",
    ",",
    ", ",
    "&a",
    "&a ",
    "*a",
    "*a ",
    "!t ",
    "!!str ",
    "!",
    "|",
    "|\n",
    ">-\n",
    "|2\n",
    "|+\n",
    "---",
    "---\n",
    "--- ",
    "...\n",
    "%YAML 1.2\n",
    "%",
    "@",
    "`",
    "a: 1\n",
    "b: 2\n",
    "  c: 3\n",
    "- d\n",
    "  - e\n",
    "\r\n",
    "\r",
    "<<: ",
    "a: b: c\n",
    "\u{feff}",
    "\"x\"",
    "'y'",
    "{a: 1}",
    "[1, 2]",
    "<<<<<<< HEAD\n",
    "=======\n",
    ">>>>>>> x\n",
    "key:\n",
    "  key:\n",
    "    ",
    "- - ",
    "- a: 1\n",
    "  b: 2\n",
    "text\n",
];

pub fn fragment() -> impl Strategy<Value = String> {
    prop::sample::select(FRAGMENTS).prop_map(str::to_owned)
}

/// Fragments in any order.
pub fn soup() -> impl Strategy<Value = String> {
    prop::collection::vec(fragment(), 0..24).prop_map(|parts| parts.concat())
}

fn scalar() -> impl Strategy<Value = String> {
    prop_oneof![
        6 => prop::sample::select(&["1", "text", "two words", "true", "", "a:b", "a#b", "-x", "é"][..]).prop_map(str::to_owned),
        1 => prop::sample::select(&["'single'", "'it''s'", "\"double\"", "\"a\\nb\"", "\"open", "'open"][..]).prop_map(str::to_owned),
        1 => prop::sample::select(&["{}", "[]", "{a: 1, b}", "[a, [b], {c: d}]", "[a: 1]", "{\"a\":1}", "[a", "{a: "][..]).prop_map(str::to_owned),
        1 => prop::sample::select(&["&x 1", "*x", "!!str 1", "!t", "&x", "&x !t y", "@", "a: b"][..]).prop_map(str::to_owned),
    ]
}

#[derive(Clone, Debug)]
enum Shape {
    Scalar(String),
    Lines(&'static str, Vec<String>),
    Map(Vec<(String, Shape, usize)>),
    Seq(Vec<(Shape, usize)>),
}

fn shape() -> impl Strategy<Value = Shape> {
    let key =
        prop::sample::select(&["a", "b", "name", "\"q\"", "'s'", "two words", "&k key", "? x", "half", "[f]"][..]);
    let line = prop::sample::select(&["text", "  deeper", "", "# no comment", "a: b", "- c"][..]);
    let header = prop::sample::select(&["|", ">", "|-", ">+", "|+", "|2", "", "\"", "'"][..]);
    let leaf = prop_oneof![
        5 => scalar().prop_map(Shape::Scalar),
        1 => (header, prop::collection::vec(line.prop_map(str::to_owned), 0..4)).prop_map(|(header, lines)| Shape::Lines(header, lines)),
    ];
    leaf.prop_recursive(4, 24, 5, move |inner| {
        // The number selects comments, blank lines and wrong indentation.
        let slip = prop_oneof![12 => Just(0usize), 8 => 0usize..12];
        prop_oneof![
            2 => prop::collection::vec((key.clone().prop_map(str::to_owned), inner.clone(), slip.clone()), 1..5).prop_map(Shape::Map),
            1 => prop::collection::vec((inner, slip), 1..5).prop_map(Shape::Seq),
        ]
    })
}

fn before(out: &mut String, indent: usize, slip: usize) {
    match slip {
        1 => out.push_str(&format!("{:indent$}# comment\n", "")),
        2 => out.push('\n'),
        3 => out.push_str("#@ code\n"),
        4 => out.push_str("\t\n"),
        _ => {}
    }
    let indent = match slip {
        5 => indent + 1,
        6 => indent.saturating_sub(1),
        _ => indent,
    };
    out.push_str(&" ".repeat(indent));
    if slip == 7 {
        out.push('\t');
    }
}

fn write(out: &mut String, shape: &Shape, indent: usize) {
    match shape {
        Shape::Scalar(text) => {
            out.push(' ');
            out.push_str(text);
            out.push('\n');
        }
        Shape::Lines(header, lines) => {
            out.push(' ');
            out.push_str(header);
            if !matches!(*header, "\"" | "'" | "") {
                out.push('\n');
            }
            for line in lines {
                out.push_str(&format!("{:indent$}{line}\n", ""));
            }
            if matches!(*header, "\"" | "'") {
                out.push_str(&" ".repeat(indent));
                out.push_str(header);
            }
            out.push('\n');
        }
        Shape::Map(entries) => {
            out.push('\n');
            for (key, value, slip) in entries {
                before(out, indent, *slip);
                out.push_str(key);
                if key != "half" {
                    out.push(':');
                }
                write(out, value, indent + if *slip == 8 { 4 } else { 2 });
            }
        }
        Shape::Seq(items) => {
            out.push('\n');
            for (value, slip) in items {
                before(out, indent, *slip);
                out.push('-');
                let mut inner = String::new();
                write(&mut inner, value, indent + 2);
                // `- key: value` on one line.
                if *slip != 9 && inner.starts_with('\n') && inner[1..].starts_with(&" ".repeat(indent + 2)) {
                    out.push(' ');
                    out.push_str(&inner[indent + 3..]);
                } else {
                    out.push_str(&inner);
                }
            }
        }
    }
}

/// Mostly valid texts.
pub fn document() -> impl Strategy<Value = String> {
    let head = prop_oneof![
        6 => Just(""),
        1 => Just("---"),
        1 => Just("#@data/values\n---"),
        1 => Just("%YAML 1.2\n---"),
        1 => Just("a: 1\n---"),
    ];
    let tail =
        prop_oneof![6 => Just(""), 1 => Just("...\n"), 1 => Just("---\nx: 1\n"), 1 => Just("# end"), 1 => Just("half")];
    (head, shape(), tail).prop_map(|(head, shape, tail)| {
        let mut text = head.to_owned();
        let mut body = String::new();
        write(&mut body, &shape, 0);
        text.push_str(if head.is_empty() {
            body.trim_start_matches('\n').strip_prefix(' ').unwrap_or(body.trim_start_matches('\n'))
        } else {
            &body
        });
        text.push_str(tail);
        text
    })
}

/// Collections, streams and stacks of comments that are long enough for groups.
pub fn long() -> impl Strategy<Value = String> {
    let entry = prop_oneof![
        6 => Just("k: v\n"),
        1 => Just("k:\n  a: 1\n  b: 2\n"),
        1 => Just("# c\nk: v\n"),
        1 => Just("half\n"),
        1 => Just(" deep: 1\n"),
        1 => Just("k: |\n  x\n"),
        1 => Just("k: [a,\n  b]\n"),
    ];
    let item = prop_oneof![4 => Just("- a: 1\n  b: 2\n"), 2 => Just("- x\n"), 1 => Just("-\n"), 1 => Just("  k: 1\n")];
    let flow = prop_oneof![4 => Just("  a,\n"), 2 => Just("  b: 1,"), 1 => Just("  [c, d], # e\n"), 1 => Just(" f")];
    let below = prop_oneof![
        6 => Just("  e:\n    a: 1\n    b: 2\n"),
        2 => Just("  e: 1\n"),
        1 => Just("  e:\n      a: 1\n    b: 2\n"),
        1 => Just("  e:\n  - a: 1\n    b: 2\n  -  c\n"),
        1 => Just("  half\n"),
        1 => Just("x:\n"),
        1 => Just("   e: 1\n"),
    ];
    let document = prop_oneof![
        4 => Just("---\na: 1\n"),
        1 => Just("#@ note\n---\na: 1\nb:\n- c\n"),
        1 => Just("--- # c\n- x\n"),
        1 => Just("...\n"),
        1 => Just("...\n\u{feff}a: 1\n"),
        1 => Just("---\n\u{feff}a: 1\n"),
        1 => Just("%YAML 1.2\n---\na: 1\n"),
        1 => Just("%half\n"),
        1 => Just("--- |\n text\n# c\n"),
        1 => Just("half\n"),
        1 => Just("a: 'open\n"),
        1 => Just("a: [\n"),
    ];
    let stack = prop::sample::select(&["# c\n", "#@ note\n", "\n", "  # deep\n", "\t\n", "a: 1\n"][..]);
    let many = 0usize..700;
    prop_oneof![
        (prop::collection::vec(entry, 1..40), many.clone())
            .prop_map(|(parts, count)| (0..count).map(|at| parts[at * 7 % parts.len()]).collect::<String>()),
        (prop::collection::vec(item, 1..40), many.clone())
            .prop_map(|(parts, count)| (0..count).map(|at| parts[at * 7 % parts.len()]).collect::<String>()),
        (prop::collection::vec(below, 1..40), 0usize..300).prop_map(|(parts, count)| {
            format!("x:\n{}", (0..count).map(|at| parts[at * 7 % parts.len()]).collect::<String>())
        }),
        (prop::collection::vec(document, 1..40), many.clone())
            .prop_map(|(parts, count)| (0..count).map(|at| parts[at * 7 % parts.len()]).collect::<String>()),
        (prop::collection::vec(stack, 1..40), many.clone()).prop_map(|(parts, count)| format!(
            "k:\n{}  b: 1\n",
            (0..count).map(|at| parts[at * 7 % parts.len()]).collect::<String>()
        )),
        (prop::collection::vec(flow, 1..40), many, any::<bool>()).prop_map(|(parts, count, map)| {
            let inner = (0..count).map(|at| parts[at * 7 % parts.len()]).collect::<String>();
            if map { format!("k: {{\n{inner}}}\n") } else { format!("k: [\n{inner}]\nz: 1\n") }
        }),
    ]
}

/// Maps in which most quoted and flow scalars go on at the column of their key, or left of it.
pub fn loose() -> impl Strategy<Value = String> {
    let entries = &[
        "  a: 1\n",
        "  b: \"x\n  y\"\n",
        "  c: 'x\n\ny' # why\n",
        "  d: [1,\n2]\n",
        "  e: {x: \"p\n q\",\n  y: 1\n}\n",
        "  f:\n    g: 'x\n    y'\n    h: 1\n",
        "  # a comment\n",
        "  i: |\n    text\n",
    ][..];
    let group = prop::collection::vec(prop::sample::select(entries), 1..40).prop_map(|entries| entries.concat());
    let groups = prop::collection::vec(group, 1..6);
    groups.prop_map(|groups| groups.into_iter().map(|group| format!("k:\n{group}")).collect())
}

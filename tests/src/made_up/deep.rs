//! Made-up nodes below each other, up to 60 levels, on both sides of overlays, in functions and in a library.

use std::fmt::Write;

use super::dice::Dice;

/// How a level of nodes comes to be.
#[derive(Clone, Copy)]
enum Level {
    Map,
    /// The only item of an array.
    Item,
    If,
    IfEnd,
    For,
}

const LEVELS: [Level; 8] =
    [Level::Map, Level::Map, Level::Map, Level::Item, Level::Item, Level::If, Level::IfEnd, Level::For];

/// What is below the deepest level.
const LEFT: [&str; 5] = ["leaf: 1", "leaf: [1, {a: ~}]", "leaf: #@ data.values", "leaf: \"x\\ny\"", "leaf:\n- {b: 2}"];

/// What is laid over it: mostly something that fits.
const RIGHT: [&str; 9] = [
    "leaf: 3",
    "#@overlay/remove\nleaf:",
    "#@overlay/replace via=lambda left, right: right\nleaf: two",
    "#@overlay/replace via=wrapped\nleaf: two",
    "#@overlay/match missing_ok=True\nnew: #@ data.values",
    "#@overlay/match missing_ok=True\n#@overlay/replace or_add=True\nnew: {a: [1]}",
    "#@overlay/match by=lambda key, left, right: key == \"leaf\"\n#@overlay/replace\nleaf: {q: 1}",
    "#@overlay/match expects=lambda count: count == 1\nleaf: 4",
    "nope: 1",
];

/// The documents of a template that has the functions `left` and `right`.
const DOCUMENTS: [&str; 10] = [
    "--- #@ left()\n",
    "--- #@ overlay.apply(left(), right())\n",
    "--- #@ overlay.apply(left(), right(), library.get(\"deep\").eval()[0])\n",
    "--- #@ overlay.apply(left(), library.get(\"deep\").eval()[0])\n",
    "--- #@ template.replace(library.get(\"deep\").eval())\n",
    "---\n_: #@ template.replace(left())\nz: 1\n",
    "---\n_: #@ template.replace(struct.make(a=data.values, b=struct.encode({\"c\": [1, {\"d\": None}]})))\n",
    "---\nx: #@ yaml.decode(yaml.encode(left()))\n",
    "---\nx: #@ json.decode(json.encode(left()))\n",
    "---\nx: #@ [left(), {\"y\": overlay.apply(left(), right())}]\n",
];

const LOADS: &str = "#@ load(\"@ytt:data\", \"data\")\n#@ load(\"@ytt:overlay\", \"overlay\")\n#@ load(\"@ytt:template\", \"template\")\n\
                     #@ load(\"@ytt:library\", \"library\")\n#@ load(\"@ytt:struct\", \"struct\")\n#@ load(\"@ytt:yaml\", \"yaml\")\n\
                     #@ load(\"@ytt:json\", \"json\")\n#@ def wrapped(left, right):\n#@   return {\"was\": left, \"is\": right}\n#@ end\n";

/// A template in which the same nodes are laid over the same others, each time passed in another way, and the file of its
/// library. All its documents are the same.
pub fn ways(dice: &mut Dice) -> Vec<(String, String)> {
    let levels: Vec<Level> = (0..1 + dice.below(12)).map(|_| *dice.pick(&LEVELS)).collect();
    let left = nodes(&levels, LEFT[dice.below(2)], false);
    let right = nodes(&levels, RIGHT[dice.below(RIGHT.len() - 1)], true);
    let inner = |text: &str| text.lines().map(|line| format!("  {line}\n")).collect::<String>();
    let mut text = format!(
        "{LOADS}#@ def left():\n{left}#@ end\n---\n#@ def right():\n{right}#@ end\n---\n\
         #@ def again():\n_: #@ template.replace(right())\n#@ end\n---\n\
         #@ def inside():\nin:\n{}#@ end\n---\n#@ def first():\n#@overlay/match by=overlay.index(0)\n- #@ right()\n#@ end\n\
         #@ def document():\n#@overlay/match by=overlay.all\n---\n{right}#@ end\n#@ def only():\n---\n{left}#@ end\n",
        inner(&right)
    );
    for way in WAYS {
        let _ = writeln!(text, "--- #@ {way}");
    }
    let library = format!("{LOADS}#@ def right():\n{right}#@ end\n");
    vec![
        ("config/ways.yml".to_owned(), text),
        ("config/_ytt_lib/ways/right.yml".to_owned(), format!("{LOADS}---\n{right}")),
        ("config/_ytt_lib/ways/right.lib.yml".to_owned(), library),
    ]
}

/// Ways to lay `right` over `left`.
const WAYS: [&str; 15] = [
    "overlay.apply(left(), right())",
    "overlay.apply(left(), again())",
    "overlay.apply(left(), [right()][0])",
    "overlay.apply(left(), (lambda: right())())",
    "overlay.apply(left(), inside()[\"in\"])",
    "overlay.apply({\"in\": left()}, inside())[\"in\"]",
    "overlay.apply({\"w\": left()}, {\"w\": right()})[\"w\"]",
    "overlay.apply({\"w\": left()}, struct.make(w=right()))[\"w\"]",
    "overlay.apply({\"w\": {\"u\": left()}}, {\"w\": struct.make(u=right())})[\"w\"][\"u\"]",
    "overlay.apply([left()], first())[0]",
    "overlay.apply(only(), document())[0]",
    "overlay.apply(overlay.apply(left()), right())",
    "overlay.apply(yaml.decode(yaml.encode(left())), right())",
    "overlay.apply(left(), library.get(\"ways\").eval()[0])",
    "overlay.apply(left(), library.get(\"ways\").export(\"right\")())",
];

/// The template and the file of its library.
pub fn files(dice: &mut Dice) -> Vec<(String, String)> {
    let levels: Vec<Level> = (0..1 + dice.below(60)).map(|_| *dice.pick(&LEVELS)).collect();
    let leaf = *dice.pick(&LEFT);
    let left = nodes(&levels, leaf, false);
    let mut right = || {
        // A wrong one says little about the others.
        let leaf = if dice.percent(95) { &RIGHT[dice.below(RIGHT.len() - 1)] } else { dice.pick(&RIGHT) };
        nodes(&levels, leaf, true)
    };
    let (here, there) = (right(), right());
    let mut text = format!("{LOADS}#@ def left():\n{left}#@ end\n---\n#@ def right():\n{here}#@ end\n");
    for _ in 0..1 + dice.below(3) {
        let document = *dice.pick(&DOCUMENTS);
        text.push_str(document);
    }
    vec![
        ("config/deep.yml".to_owned(), text),
        ("config/_ytt_lib/deep/right.yml".to_owned(), format!("{LOADS}---\n{there}")),
    ]
}

/// Nodes below each other, with `leaf` below the last. `over`: to be laid over the same levels.
fn nodes(levels: &[Level], leaf: &str, over: bool) -> String {
    let (mut out, mut ends) = (String::new(), 0);
    let mut pad = String::new();
    for (index, level) in levels.iter().enumerate() {
        let key = format!("k{}", index % 3);
        let head = match level {
            Level::Map | Level::Item => String::new(),
            Level::If => format!("{pad}#@ if len(data.values) >= 0:\n"),
            Level::IfEnd => format!("{pad}#@ if/end True:\n"),
            Level::For => format!("{pad}#@ for number in range(1):\n"),
        };
        let _ = writeln!(out, "{head}{pad}{key}:");
        ends += usize::from(matches!(level, Level::If | Level::For));
        if matches!(level, Level::Item) {
            let matched = if over { format!("{pad}#@overlay/match by=overlay.index(0)\n") } else { String::new() };
            let _ = writeln!(out, "{matched}{pad}-");
        }
        pad.push_str("  ");
    }
    for line in leaf.split('\n') {
        let _ = writeln!(out, "{pad}{line}");
    }
    out + &"#@ end\n".repeat(ends)
}

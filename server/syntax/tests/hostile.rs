//! Hostile texts: deep, long, repetitive. All must be parsed in linear time and without recursion, keep every byte and
//! survive an edit.

use lofting_syntax::{debug, events::events, parse};
use std::time::{Duration, Instant};

#[track_caller]
fn check(name: &str, text: &str) {
    let start = Instant::now();
    let tree = parse(text);
    let errors = tree.errors().len();
    let parsed = start.elapsed();
    assert!(tree.to_text() == text, "{name} is not lossless");
    events(&tree);
    let mut at = text.len() / 2;
    while !text.is_char_boundary(at) {
        at += 1;
    }
    let edited = tree.edit(at..at, "x");
    let mut changed = text.to_owned();
    changed.insert(at, 'x');
    assert!(debug::dump(&edited) == debug::dump(&parse(&changed)), "{name}: reparse differs");
    tree.path_at(at);
    tree.token_at(at);
    tree.comments().count();
    drop(tree);
    eprintln!("{name}: {} bytes, {parsed:?}, {errors} errors", text.len());
    // Seconds in a debug build; a quadratic parser would need minutes.
    assert!(parsed < Duration::from_secs(30), "{name} took {parsed:?}");
}

#[test]
fn deep() {
    let many = if cfg!(debug_assertions) { 10_000 } else { 100_000 };
    for open in
        ["[", "{", "- ", "? ", "[{", "{a: ", "[a: ", "[?", "-\t", "&a ", "!t ", ": ", "[[]", "'", "\"", "- - a: "]
    {
        check(open, &open.repeat(many));
        check("closed", &format!("{}{}", open.repeat(many), "]".repeat(many)));
    }
    let mut stairs = String::new();
    for level in 0..600 {
        stairs.push_str(&format!("{:level$}a:\n", ""));
    }
    check("stairs", &stairs);
    let mut list = String::new();
    for level in 0..600 {
        list.push_str(&format!("{:level$}-\n", ""));
    }
    check("stairs of items", &list);
    let mut down = stairs.clone();
    for level in (0..600).rev() {
        down.push_str(&format!("{:level$}b\n", ""));
    }
    check("stairs and back", &down);
}

#[test]
fn long() {
    let many = if cfg!(debug_assertions) { 2_000 } else { 30_000 };
    for line in [
        "a: \"\n",
        "a: '\n",
        "- \"x\n",
        "  \"\n",
        "\"\n",
        "'\n",
        "a\n",
        "a: [\n",
        "[\n",
        "]\n",
        "}\n",
        ",\n",
        "a: b: c\n",
        "\t\n",
        "\ta: 1\n",
        "&a\n",
        "*a\n",
        "? a\n",
        ": b\n",
        "---\n",
        "...\n",
        "--- a\n",
        "%TAG\n",
        "# c\n",
        "a: |\n",
        "a: >\n x\n",
        "<<<<<<<\n",
        "\r",
        "\r\n",
        "é: é\n",
        "- \n",
        " - a\n",
        "  a: 1\n b: 2\n",
        "\u{feff}",
        "\u{85}",
        "a: &x *x\n",
        "!!str ",
        "a,",
        "a: {b: [c\n",
        "\"a\": \"b\n",
        " \"\n \\\"\n",
        "- a\n  b\n",
    ] {
        check(line, &line.repeat(many));
        check("in flow", &format!("x: [\n{}", format!("  {line}").repeat(many / 4)));
        check("in block", &format!("x:\n{}", format!("  {line}").repeat(many / 4)));
    }
    check("one line", &"word ".repeat(200_000));
    check("one flow line", &format!("[{}]", "a: 1, ".repeat(100_000)));
    check("one block scalar", &format!("a: |\n{}", "  some text\n".repeat(200_000)));
    check("blank lines", &"\n".repeat(300_000));
}

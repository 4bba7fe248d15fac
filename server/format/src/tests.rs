//! Examples, each a text before and after.

use crate::{Edit, LineEnding, Options, Quotes, Sequences, apply, format, format_range};
use lofting_syntax::parse;

fn formatted(text: &str, options: &Options) -> String {
    let edits = format(&parse(text), options).expect("no syntax errors");
    let out = apply(text, &edits);
    let again: Vec<Edit> = format(&parse(&out), options).expect("no syntax errors");
    assert_eq!(again, [], "once more, of\n{out}");
    out
}

#[track_caller]
fn check(text: &str, expected: &str) {
    check_with(&Options::default(), text, expected);
}

#[track_caller]
fn check_with(options: &Options, text: &str, expected: &str) {
    let out = formatted(text, options);
    assert!(out == expected, "from\n{text}\nexpected\n{expected}\nfound\n{out}");
}

#[track_caller]
fn unchanged(text: &str) {
    check(text, text);
}

#[test]
fn white_space_between_tokens() {
    check("a:   1\nb : 2\n'c'  :\t3 \n", "a: 1\nb: 2\n'c': 3\n");
    check("-   a\n-  - b\n   -   c: 1\n       d: 2\n", "- a\n- - b\n  - c: 1\n    d: 2\n");
    check("a: &x   !t  1\n*x : 2\n", "a: &x !t 1\n*x : 2\n");
    check("a: {b: 1,c:  [ 1 ,2,   3 ],\"d\":4}\n", "a: {b: 1, c: [ 1, 2, 3 ], \"d\": 4}\n");
    unchanged("a: {}\nb: { }\nc: []\nd: [ 1 ]\ne: {f: , g: }\n");
    check("---   # why\n?   a\n:   b\n", "---   # why\n? a\n: b\n");
}

#[test]
fn comments_after_values_keep_their_distance() {
    unchanged("a: 1    # one\nbcd: 2  # two\n        # and more\n");
    check("a:    1 #one\n        # goes on\n", "a: 1 # one\n     # goes on\n");
}

#[test]
fn columns() {
    check(
        "a:\n    b:\n        c: 1\n    d:\n      - 1\nx:\n  y: 1\n",
        "a:\n    b:\n        c: 1\n    d:\n        - 1\nx:\n    y: 1\n",
    );
    check(
        "a:\n   b: 1\nc:\n  d: 1\ne:\n  - f: 1\n    g:\n    - 2\nh:\n- 3\n",
        "a:\n  b: 1\nc:\n  d: 1\ne:\n- f: 1\n  g:\n  - 2\nh:\n- 3\n",
    );
    check("  a: 1\n  b:\n    c: 2\n", "a: 1\nb:\n  c: 2\n");
    check("a:\n    - 1\nb:\n    - 2\nc:\n- 3\nd:\n  e: 1\n", "a:\n  - 1\nb:\n  - 2\nc:\n  - 3\nd:\n  e: 1\n");
    check("-\n   a: 1\n-\n   - b\n", "-\n  a: 1\n-\n  - b\n");
}

/// Sequences of both kinds: those that are moved do not tell how far a map or a text is indented.
#[test]
fn columns_of_sequences_that_are_moved() {
    check(" a:\n      - x:\n        - b\n c:\n  d\n", "a:\n- x:\n  - b\nc:\n  d\n");
    let options = Options { sequences: Some(Sequences::Column), ..Options::default() };
    check_with(&options, "a:\n     - b\nc:\n  d\n", "a:\n- b\nc:\n  d\n");
}

#[test]
fn chosen_columns() {
    let text = "a:\n  b:\n  - c: 1\n    d: 2\n";
    let options = Options { indent: Some(4), sequences: Some(Sequences::Indented), ..Options::default() };
    check_with(&options, text, "a:\n    b:\n        - c: 1\n          d: 2\n");
    let options = Options { indent: Some(3), ..Options::default() };
    check_with(&options, text, "a:\n   b:\n   - c: 1\n     d: 2\n");
}

#[test]
fn blank_lines_and_the_end() {
    check("\n\na: 1\n\n\n\n\nb: 2\n  \n\n", "a: 1\n\n\nb: 2\n");
    check("a: 1", "a: 1\n");
    check("a: 1\r\nb: 2", "a: 1\r\nb: 2\r\n");
    check("# only", "# only\n");
    unchanged("");
    check("\n", "");
    check("a: |\n  x\n\n\n", "a: |\n  x\n");
    unchanged("a: |\n  x");
    unchanged("a: |");
    check("a: |-\n  x", "a: |-\n  x\n");
    unchanged("a: |+\n  x\n\n\n\n\nb: 1\nc: |+\n  y\n\n\n\n");
    let options = Options { blank_lines: Some(1), final_newline: Some(false), ..Options::default() };
    check_with(&options, "a: 1\n\n\nb: 2", "a: 1\n\nb: 2");
}

#[test]
fn line_endings() {
    // Without what is between them, two line breaks would be one.
    unchanged("a: b\r    \n  c\n");
    let options = Options { line_ending: Some(LineEnding::Lf), ..Options::default() };
    check_with(
        &options,
        "a: |\r\n  x\r\n  y\r\n\r\nb: \"c\r\n  d\" # e\r\n# f\r\n",
        "a: |\n  x\n  y\n\nb: \"c\n  d\" # e\n# f\n",
    );
    let options = Options { line_ending: Some(LineEnding::CrLf), ..Options::default() };
    check_with(&options, "a: |\n  x\n\n  y\n\n\n\n\nb: 1", "a: |\r\n  x\r\n\r\n  y\r\n\r\n\r\nb: 1\r\n");
}

#[test]
fn scalars_of_several_lines() {
    check(
        "a:\n    b: c\n      d\n\n        e\n    f: 'g  \n\n      h'\n    i: 1\nj:\n  k: 1\n  l: 1\nm:\n  n: 1\n",
        "a:\n  b: c\n    d\n\n      e\n  f: 'g\n\n    h'\n  i: 1\nj:\n  k: 1\n  l: 1\nm:\n  n: 1\n",
    );
    check("a:   \"x \\\n      y\"\n", "a: \"x \\\n    y\"\n");
    check(
        "a: |\n      x\n        y \n     \n      z\nb:\n  c: >2\n      d\n",
        "a: |\n  x\n    y \n\n  z\nb:\n  c: >2\n      d\n",
    );
    check(
        "a:\n    b: |2\n          c\n    d: 1\ne:\n  f: 1\ng:\n  h: 1\n",
        "a:\n  b: |2\n        c\n  d: 1\ne:\n  f: 1\ng:\n  h: 1\n",
    );
    check("- a: >-\n   x\n\n   y\n-   |\n    z\n", "- a: >-\n    x\n\n    y\n- |\n  z\n");
    unchanged("--- |\n text\n# comment\n");
    unchanged("--- text\n  more\n");
    // Most readers accept this, although the grammar requires these lines to be deeper.
    check("a:\n  b: \"x\n  y\"\n  c: [1,\n2]\n", "a:\n  b: \"x\n    y\"\n  c: [1,\n    2]\n");
}

#[test]
fn flow_collections_of_several_lines() {
    check(
        "a:\n    b: [1,\n        2,\n    ]\n    c:   {d: 1,\n          e: 2}\n    f:\n      g: 1\nh:\n  i: 1\nj:\n  k: 1\n",
        "a:\n  b: [1,\n      2,\n  ]\n  c: {d: 1,\n      e: 2}\n  f:\n    g: 1\nh:\n  i: 1\nj:\n  k: 1\n",
    );
    check("a: [\n  # one\n  1,   # two\n\n\n\n\n  2\n]\n", "a: [\n  # one\n  1,   # two\n\n\n  2\n]\n");
}

#[test]
fn a_colon_between_brackets_is_after_its_key() {
    for (written, wanted) in [
        ("{b, ''  :d}", "{b, '': d}"),
        ("{\"a\" :1}", "{\"a\": 1}"),
        ("{[a]  :{b: 1}}", "{[a]: {b: 1}}"),
        ("{\"a\" :'b', c}", "{\"a\": 'b', c}"),
        ("[\"a\"  :1]", "[\"a\": 1]"),
        // It may stay where there is no value.
        ("{\"a\" :}", "{\"a\" :}"),
        ("{\"a\" :, b}", "{\"a\" :, b}"),
    ] {
        check(&format!("x: {written}\n"), &format!("x: {wanted}\n"));
    }
}

#[test]
fn comments_move_with_their_lines() {
    check(
        "a:\n      # first\n   b: 1\n   # of b's map\n # of c\nc:\n  d: 1\n\n# end\n",
        "a:\n  # first\n  b: 1\n  # of b's map\n# of c\nc:\n  d: 1\n\n# end\n",
    );
    unchanged("resources:\n  # limits:\n  #   cpu: 1\nother: 1\n");
    unchanged("resources: {}\n  # limits:\n  #   cpu: 1\n");
    check(
        "a:\n    b:\n        # c: 1\n    d:\n        e: 1\nf:\n  g: 1\nh:\n  i: 1\nj:\n  k: 1\n",
        "a:\n  b:\n    # c: 1\n  d:\n    e: 1\nf:\n  g: 1\nh:\n  i: 1\nj:\n  k: 1\n",
    );
    check("a: |\n      x\n   # no text\nb: 1\n", "a: |\n  x\n# no text\nb: 1\n");
    unchanged("a:\n- 1\n# of b\nb: 1\n");
    check("a:\n  - 1\n  # of the items\nb:\n- 1\nc:\n- 1\n", "a:\n- 1\n# of the items\nb:\n- 1\nc:\n- 1\n");
}

#[test]
fn space_after_the_mark_of_a_comment() {
    check(
        "a: 1\n#key:\n#  below: 1\n#\n#- item\n# text\n##\n#-----\n#!x\n",
        "a: 1\n# key:\n#   below: 1\n#\n# - item\n# text\n##\n#-----\n#!x\n",
    );
    unchanged("#cloud-config\na: 1\n");
    unchanged("## template: jinja\n#cloud-config\na: 1\n");
}

#[test]
fn annotations_and_code() {
    check(
        "#@ load(\"@ytt:data\", \"data\")\n#@data/values-schema\n---\na:\n      #@schema/nullable\n  b: 1\n#@schema/title \"C\"\n  c: 1\n",
        "#@ load(\"@ytt:data\", \"data\")\n#@data/values-schema\n---\na:\n  #@schema/nullable\n  b: 1\n  #@schema/title \"C\"\n  c: 1\n",
    );
    check(
        "spec:\n    ports:\n#@ for p in ports:\n      - port: #@ p\n#@     if p:\n        tls: 1\n    #@ end\n#@ end\n    x: 1\na:\n  b: 1\nc:\n  d: 1\n",
        "spec:\n  ports:\n    #@ for p in ports:\n    - port: #@ p\n      #@   if p:\n      tls: 1\n      #@   end\n    #@ end\n  x: 1\na:\n  b: 1\nc:\n  d: 1\n",
    );
}

#[test]
fn code_alone_is_indented_by_its_blocks() {
    check(
        "#@ def f(x):\n#@ for y in x:\n#@        if y: \n#@   return [\n#@     y]\n#@ else:\n#@ pass\n#@    end\n#@ end\n  #@ end\n",
        "#@ def f(x):\n#@   for y in x:\n#@     if y:\n#@       return [\n#@         y]\n#@     else:\n#@       pass\n#@     end\n#@   end\n#@ end\n",
    );
}

/// White space of code that has a meaning: inside strings, and after a backslash.
#[test]
fn strings_over_several_lines_of_code_stay() {
    unchanged("#@ a = '''\n#@   b  \n#@     c\n#@ '''\n#@ d = \"e \\\n#@    f\"\nx: 1\n");
    check("#@   a = '''\n#@   b  \n#@     c  \n#@   '''  \nx: 1\n", "#@ a = '''\n#@ b  \n#@   c  \n#@ '''\nx: 1\n");
    check("#@   d = \"e \\\n#@    f\"  \nx: 1\n", "#@ d = \"e \\\n#@    f\"\nx: 1\n");
}

/// YAML inside a function may be indented like its code.
#[test]
fn yaml_of_functions_stays_indented() {
    unchanged("#@ def labels():\n  app: x\n  more:\n    deep: 1\n#@ end\n---\na: #@ labels()\n");
    unchanged(
        "#@ load(\"x\", \"y\")\n#@ def f():\n  #@ if y:\n  #@overlay/remove\n  a: 1\n  #@ end\n#@ end\n#@ def g():\n  b: 1\n#@ end\n",
    );
    unchanged("#@ def labels():\napp: x\n#@ end\n---\na: #@ labels()\n");
    check(
        "#@ def labels(x):\n#@     y = x\n      app: x\n#@ end\n",
        "#@ def labels(x):\n#@   y = x\n  app: x\n#@ end\n",
    );
}

#[test]
fn quotes() {
    let text = "a: 'x'\n\"b\": 'it''s'\nc: \"\\n\"\nd: ['y', \"z\"]\n";
    check(text, text);
    let options = Options { quotes: Some(Quotes::Double), ..Options::default() };
    check_with(&options, text, "a: \"x\"\n\"b\": 'it''s'\nc: \"\\n\"\nd: [\"y\", \"z\"]\n");
    let options = Options { quotes: Some(Quotes::Single), ..Options::default() };
    check_with(&options, text, "a: 'x'\n'b': 'it''s'\nc: \"\\n\"\nd: ['y', 'z']\n");
}

#[test]
fn damaged_text_is_left_alone() {
    let error = format(&parse("a:   1\nb\nc: 'x\n"), &Options::default()).expect_err("a syntax error");
    assert_eq!(error.range, 7..8);
}

#[test]
fn a_range_changes_its_lines_only() {
    let text = "a:\n     b:   1\n     c:   2\nd:\n     e:   1\n";
    let lines = |from: &str, to: &str| {
        let range = text.find(from).expect("from")..text.find(to).expect("to");
        apply(
            text,
            &format_range(&parse(text), &Options { indent: Some(2), ..Options::default() }, range).expect("fine"),
        )
    };
    assert_eq!(lines("b:", "c:"), "a:\n  b: 1\n  c: 2\nd:\n     e:   1\n");
    assert_eq!(lines("c:", "2"), "a:\n     b:   1\n     c: 2\nd:\n     e:   1\n");
    assert_eq!(lines("d:", "e:"), "a:\n     b:   1\n     c:   2\nd:\n  e: 1\n");
}

/// What is below the lines stays, but for comments that would become text of a block scalar.
#[test]
fn only_the_lines_that_are_asked_for_change() {
    let line = |text: &str, from: &str| {
        let start = text.find(from).expect("from");
        let options = Options { indent: Some(2), ..Options::default() };
        apply(text, &format_range(&parse(text), &options, start..start + from.len()).expect("fine"))
    };
    let text = "a: 1\nserver:  \n  \n  #@schema/title \"Name\"  \n  name: \"\"\n";
    assert_eq!(line(text, "server:"), text.replace("server:  ", "server:"));
    assert_eq!(line("a:   1\n  # b   \nc: 1\n", "a:"), "a: 1\n  # b   \nc: 1\n");
    let text = "a:\n    b: |\n        x\n      # c\nd: 1\n";
    assert_eq!(line(text, "a:\n    b: |\n        x"), "a:\n  b: |\n    x\n  # c\nd: 1\n");
}

#[test]
fn choices_have_names_and_take_what_they_say() {
    for choice in &crate::CHOICES {
        let mut options = Options::default();
        let fitting = match choice.takes {
            crate::Takes::Number { from, to, .. } => {
                assert!(!choice.choose(&mut options, crate::Value::Number(to + 1)));
                vec![crate::Value::Number(from), crate::Value::Number(to)]
            }
            crate::Takes::Flag(_) => vec![crate::Value::Flag(false)],
            crate::Takes::Word(words) => words.iter().map(|word| crate::Value::Word(word.word)).collect(),
        };
        assert!(
            !choice.choose(&mut options, crate::Value::Other) && !choice.choose(&mut options, crate::Value::Word("x"))
        );
        assert_eq!(options, Options::default());
        for value in fitting {
            assert!(choice.choose(&mut options, value), "{} takes {value:?}", choice.name);
        }
        assert_ne!(options, Options::default(), "{}", choice.name);
        assert_eq!(Options::default().or(options), options);
    }
    assert_eq!(
        crate::Choice::named("trim-trailing-spaces").map(crate::Choice::setting).as_deref(),
        Some("trimTrailingSpaces")
    );
}

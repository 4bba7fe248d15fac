//! Where `lofting render` stops as ytt does, and what it writes where.

use expect_test::expect;

use crate::command_line::lofting;
use crate::render::{check, found, rendered, workspace_of};

/// Documents that overlays add go to those of the first file that has any, not to the file of the overlay.
#[test]
fn added_documents_need_others() {
    let over = "#- a-over.yml\n#@ load(\"@ytt:overlay\", \"overlay\")\n#@overlay/match by=overlay.subset({\"k\": 1}), \
                missing_ok=True\n#@overlay/replace or_add=True\n---\nnew: 1\n";
    let base = "#- base.yml\na: 1\n---\nb: 1\n#- last.yml\nc: 1\n";
    assert_eq!(rendered(&format!("{over}{base}"), &["-f", "."]), "a: 1\n---\nb: 1\n---\nnew: 1\n---\nc: 1\n");
    let append = over.replace("replace or_add=True", "append");
    for over in [over, &append] {
        check(
            &format!("{over}#- empty.yml\n---\n"),
            &[],
            expect![[r#"
                a-over.yml:4:1 ytt/overlay-matches (overlay) there is no document to add this to: all others are overlays or empty
            "#]],
        );
    }
    // Without an operation that adds, nothing has to be there.
    assert_eq!(rendered(&over.replace("#@overlay/replace or_add=True\n", ""), &["-f", "."]), "");
}

/// What is printed has each key once.
#[test]
fn overlays_that_give_a_map_a_key_twice_are_refused() {
    let over = |item: &str| {
        format!(
            "#- base.yml\nm: {{a: 1, b: 2}}\n#- over.yml\n#@ load(\"@ytt:overlay\", \"overlay\")\n\
             #@overlay/match by=overlay.all\n---\nm:\n  {item}\n"
        )
    };
    check(
        &over("#@overlay/match by=overlay.all, expects=2\n  #@overlay/replace\n  _: 3"),
        &[],
        expect![[r#"
            over.yml:7:3 ytt/duplicate-key (validation) this gives one map the key `_` more than once
        "#]],
    );
    for (item, line) in [
        ("#@overlay/match by=lambda k, l, r: k == \"a\"\n  #@overlay/replace\n  b: 3", 7),
        ("#@overlay/match by=lambda k, l, r: False, expects=0\n  b: 3", 6),
    ] {
        let wanted = format!(
            "over.yml:{line}:3 ytt/duplicate-key (validation) this gives a map the key `b`, which it has already\n  \
             base.yml:1:11 first given here\n"
        );
        let all = found(&over(item), &["-f", "."]).0;
        // Which names the code reads is another question.
        let shown: String =
            all.lines().filter(|line| !line.contains("unused-load")).map(|line| format!("{line}\n")).collect();
        assert_eq!(shown, wanted, "{item}");
    }
    // A later overlay may put it right.
    let right = over("#@overlay/match by=lambda k, l, r: False, expects=0\n  b: 3")
        + "#- p-over.yml\n#@ load(\"@ytt:overlay\", \"overlay\")\n#@overlay/match by=overlay.all\n---\nm:\n  \
           #@overlay/match expects=2\n  #@overlay/remove\n  b:\n";
    assert_eq!(rendered(&right, &["-f", "."]), "m:\n  a: 1\n");
}

/// A file of overlays, or without content, gives no file; one that overlays emptied gives an empty one.
#[test]
fn only_files_with_documents_are_written() {
    let over = |operation: &str| {
        format!(
            "#- a-over.yml\n#@ load(\"@ytt:overlay\", \"overlay\")\n#@overlay/match by=overlay.subset({{\"a\": 1}}), \
             missing_ok=True\n{operation}\n---\nnew: 1\n"
        )
    };
    let files =
        "#- b.yml\na: 1\n#- c.yml\nc: 1\n#- d.yml\n{}\n#- e.yml\n#@ def f(): return 1\n#! nothing\n#- f.yml\n---\n";
    let cases = [
        (String::new(), [("b.yml", "a: 1\n"), ("c.yml", "c: 1\n")]),
        (over("#@overlay/remove"), [("b.yml", ""), ("c.yml", "c: 1\n")]),
        (over("#@overlay/append"), [("b.yml", "a: 1\n"), ("c.yml", "c: 1\n---\nnew: 1\n")]),
        (
            over("#@overlay/replace or_add=True").replace("\"a\": 1", "\"a\": 2"),
            [("b.yml", "a: 1\n---\nnew: 1\n"), ("c.yml", "c: 1\n")],
        ),
    ];
    for (over, wanted) in cases {
        let directory = workspace_of(&format!("{over}{files}"));
        let output = lofting(directory.path(), &["render", "-f", ".", "--output-files", "out"]);
        assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
        let mut written: Vec<(String, String)> = std::fs::read_dir(directory.path().join("out"))
            .expect("a folder")
            .map(|entry| entry.expect("an entry"))
            .map(|entry| {
                let text = std::fs::read_to_string(entry.path()).expect("it was written");
                (entry.file_name().to_string_lossy().into_owned(), text)
            })
            .collect();
        written.sort();
        let written: Vec<(&str, &str)> = written.iter().map(|(name, text)| (name.as_str(), text.as_str())).collect();
        assert_eq!(written, wanted, "{over}");
    }
}

/// Text that is not UTF-8 stays what it is, from files, values and code to all that is written.
#[test]
fn bytes_that_are_not_utf_8_are_kept() {
    let files = "#- schema.yml\n#@data/values-schema\n---\n#@schema/validation max_len=1\na: !!binary /w==\n\
                 #- config.yml\n#@ load(\"@ytt:data\", \"data\")\na: #@ data.values.a\nb: #@ data.read(\"latin1\")\n\
                 #- text.txt\n(@ load(\"@ytt:data\", \"data\") -@)\n(@= data.values.a @)!\n\
                 #- loads.yml\n#@ load(\"code.star\", \"x\")\n#@ load(\"f.lib.txt\", \"f\")\nc: #@ [x, f()]\n";
    let directory = workspace_of(files);
    let write = |name: &str, bytes: &[u8]| std::fs::write(directory.path().join(name), bytes).expect("a file");
    write("latin1", b"caf\xe9");
    write("plain.txt", b"caf\xe9");
    write("template.txt", b"caf\xe9 (@= \"x\" @)");
    write("code.star", b"x = \"\xe9\"");
    write("f.lib.txt", b"(@ def f(): @)\xe9(@ end @)");
    let run = |arguments: &[&str]| {
        let output = lofting(directory.path(), &[&["render", "-f", "."], arguments].concat());
        assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).expect("UTF-8")
    };
    let loaded = "---\nc:\n- !!binary 6Q==\n- !!binary 6Q==\n";
    assert_eq!(run(&[]), format!("a: !!binary /w==\nb: !!binary Y2Fm6Q==\n{loaded}"));
    let given = run(&["--data-value-file", "a=f.lib.txt", "--dangerous-data-values-disable-validation"]);
    assert!(given.starts_with("a: !!binary KEAgZGVmIGYoKTogQCnpKEAgZW5kIEAp\n"), "{given}");
    assert_eq!(run(&["-o", "json"]), r#"{"a":"\ufffd","b":"caf\ufffd"}{"c":["\ufffd","\ufffd"]}"#);
    run(&["--output-files", "out"]);
    let written = |name: &str| std::fs::read(directory.path().join("out").join(name)).expect("it was written");
    assert_eq!(written("text.txt"), b"\xff!\n");
    assert_eq!((written("plain.txt"), written("template.txt")), (b"caf\xe9".to_vec(), b"caf\xe9 x".to_vec()));
}

/// Only what is in the final values counts: a later file may take the place of a map with a repeated key.
#[test]
fn final_values_have_each_key_once() {
    let template = "#- t.yml\n#@ load(\"@ytt:data\", \"data\")\nv: #@ data.values\n";
    let refused = |files: &str, arguments: &[&str]| {
        let (shown, _) = found(&format!("{template}{files}"), &[&["-f", "t.yml"], arguments].concat());
        let place = |line: &str| Some(line.split_once(" ytt/duplicate-key (validation)")?.0.to_owned());
        // Where the last one wins, that is a warning.
        let is_error = |line: &&str| !line.starts_with(' ') && !line.contains("yaml/repeated-key");
        assert!(shown.lines().filter(is_error).all(|line| place(line).is_some()), "{shown}");
        shown.lines().filter_map(place).collect::<Vec<_>>()
    };
    let schema = |schema: &str| format!("#- schema.yml\n#@data/values-schema\n---\n{schema}");
    // Without a schema, the first document is there as it is, and others are merged onto it.
    let ab = ["--data-values-file", "a.yml", "--data-values-file", "b.yml"];
    assert_eq!(refused("#- a.yml\nm: 1\nm: 2\n", &ab[..2]), ["a.yml:2:1"]);
    assert_eq!(refused("#- a.yml\nm: 1\n#- b.yml\nn:\n  a: 1\n  a: 2\n", &ab), ["b.yml:3:3"]);
    assert!(refused("#- a.yml\nm: 1\n#- b.yml\nm: 1\nm: 2\n", &ab).is_empty());
    let items = schema("items: [{name: \"\"}]\n") + "#- a.yml\nitems:\n- name: a\n  name: b\n#- b.yml\nitems: []\n";
    let with_schema = |arguments: &[&str]| refused(&items, &[&["-f", "schema.yml"], arguments].concat());
    assert_eq!(with_schema(&ab[..2]), ["a.yml:3:3"]);
    assert!(with_schema(&ab).is_empty());
    // The value of a flag is there as it is.
    for any in ["", "#@schema/type any=True\n"] {
        let files = schema(&format!("{any}x: {{q: 0}}\n"));
        let flag = ["-f", "schema.yml", "--data-value-yaml", "x={q: 1, q: 2}"];
        assert_eq!(refused(&files, &flag), ["(data-value-yaml arg):1:10"], "{any}");
    }
    // Overlays can repeat a key as well.
    let over = "#- o.yml\n#@ load(\"@ytt:overlay\", \"overlay\")\n#@data/values\n---\nm:\n  \
                #@overlay/match by=overlay.all, expects=2\n  #@overlay/replace\n  a: 3\n";
    let files = schema("m: {a: 1, b: 2}\n") + over;
    assert_eq!(refused(&files, &["-f", "schema.yml", "-f", "o.yml"]), ["o.yml:7:3"]);
}

/// No path leads through a private library or a directory without a name.
#[test]
fn paths_of_code_are_ytts() {
    let files = "#- _ytt_lib/l/x.yml\na: 1\n#- _ytt_lib/l/x.star\nx = 1\n#- _ytt_lib/l/_ytt_lib/m/x.star\nx = 1\n\
                 #- sub/_ytt_lib/l/x.yml\nc: 1\n#- sub/y.txt\nd\n";
    let message = |code: &str| {
        let text = format!(
            "{files}#- c.yml\n#@ load(\"@ytt:data\", \"data\")\n#@ load(\"@ytt:library\", \"library\")\n{code}\n"
        );
        let (shown, _) = found(&text, &["-f", "."]);
        let error = shown.lines().find_map(|line| Some(line.split_once("(template) ")?.1.to_owned()));
        error.unwrap_or_default()
    };
    for (code, says) in [
        ("a: #@ data.read(\"_ytt_lib/l/x.yml\")", "Encountered private library"),
        ("a: #@ data.read(\"sub/_ytt_lib/l/x.yml\")", "Encountered private library"),
        ("a: #@ data.list(\"_ytt_lib\")", "Encountered private library"),
        ("a: #@ data.list(\"/_ytt_lib/l\")", "Encountered private library"),
        ("#@ load(\"@l:_ytt_lib/m/x.star\", \"x\")\na: #@ x", "Encountered private library"),
        ("#@ load(\"@l/_ytt_lib/m:x.star\", \"x\")\na: #@ x", "Encountered private library"),
        ("a: #@ library.get(\"l/_ytt_lib/m\").eval()", "Encountered private library"),
        ("a: #@ library.get(\"l/\").eval()", "Did not find ''"),
        ("a: #@ library.get(\"/l\").eval()", "Did not find ''"),
        ("#@ load(\"@l/:x.star\", \"x\")\na: #@ x", "Did not find ''"),
        ("a: #@ data.list(\"sub/\")", "Did not find ''"),
        ("a: #@ data.read(\"sub//y.txt\")", "Did not find ''"),
    ] {
        assert!(message(code).contains(says), "{code}: {}", message(code));
    }
    for code in [
        "a: #@ data.read(\"sub/y.txt\")",
        "a: #@ data.read(\"/sub/y.txt\")",
        "a: #@ data.list(\"sub\")",
        "a: #@ data.list(\"/\")",
        "#@ load(\"@l:/x.star\", \"x\")\na: #@ x",
        "a: #@ len(library.get(\"l\").eval())",
    ] {
        assert_eq!(message(code), "", "{code}");
    }
}

/// What code cannot merge is marked where it is written, or in the function that fails for it.
#[test]
fn overlays_in_code_fail_at_their_items() {
    let files = |right: &str| {
        format!(
            "#- t.yml\n#@ load(\"@ytt:overlay\", \"overlay\")\n#@ load(\"r.lib.yml\", \"right\")\n#@ def left():\na: 1\n\
             m: {{b: 1}}\n#@ end\n#@ def both():\n#@   return overlay.apply(left(), right())\n#@ end\nx: #@ both()\n\
             #- r.lib.yml\n#@ def fails(l, r):\n#@   return l + r\n#@ end\n#@ def right():\n{right}\n#@ end\n"
        )
    };
    check(
        &files("m:\n  c: 1"),
        &[],
        expect![[r#"
            t.yml:8:13 ytt/evaluation (template) overlay.apply: Map item (key 'c'): Expected number of matched nodes to be 1, but was 0
              t.yml:10:7 called in <toplevel>
              r.lib.yml:6:3 this cannot be merged
        "#]],
    );
    check(
        &files("#@overlay/replace via=fails\na: text"),
        &[],
        expect![[r#"
            t.yml:8:13 ytt/evaluation (template) overlay.apply: unknown binary op: int + string
              t.yml:10:7 called in <toplevel>
              r.lib.yml:6:1 this cannot be merged
              r.lib.yml:2:13 it fails here
        "#]],
    );
    check(
        &files("#@overlay/match by=lambda k, l, r: fail(\"no\")\na: 2"),
        &[],
        expect![[r#"
            t.yml:8:13 ytt/evaluation (template) overlay.apply: fail: no
              t.yml:10:7 called in <toplevel>
              r.lib.yml:6:1 this cannot be merged
              r.lib.yml:5:36 it fails here
        "#]],
    );
    check(
        "#- t.yml\n#@ load(\"@ytt:overlay\", \"overlay\")\nx: #@ overlay.apply({\"a\": 1}, {\"b\": 1})\n",
        &[],
        expect![[r#"
            t.yml:2:7 ytt/evaluation (template) overlay.apply: Map item (key 'b'): Expected number of matched nodes to be 1, but was 0
        "#]],
    );
}

/// In places, files have the path that ytt knows them by.
#[test]
fn places_are_inside_ytt() {
    let files = "#- config/a.yml\n#@ load(\"@ytt:template\", \"template\")\n#@ load(\"@ytt:library\", \"library\")\n\
                 --- #@ template.replace(library.get(\"l\").eval())\n#- config/_ytt_lib/l/b.yml\nb: 1\n#- other/c.yml\nc: 1\n";
    let directory = workspace_of(files);
    let printed = |arguments: &[&str]| {
        let output = lofting(directory.path(), &[&["render", "-o", "pos"], arguments].concat());
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        text.lines().map(|line| line.trim().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(
        printed(&["-f", "config", "-f", "other/c.yml"]),
        ["_ytt_lib/l/b.yml:1 | [doc]", "_ytt_lib/l/b.yml:1 |   b: 1", "c.yml:1 | [doc]", "c.yml:1 |   c: 1"]
    );
    assert_eq!(printed(&["-f", "other"]), ["c.yml:1 | [doc]", "c.yml:1 |   c: 1"]);
    assert_eq!(printed(&["-f", "new/d.yml=other/c.yml"]), ["new/d.yml:1 | [doc]", "new/d.yml:1 |   c: 1"]);
}

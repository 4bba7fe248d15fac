//! What templates give, and what ytt refuses in them: one template each, rendered by the program.

use crate::command_line::{lofting, workspace};

/// What is printed of a template, or the message about it.
fn rendered(template: &str) -> Result<String, String> {
    let directory = workspace(&[("t.yml", template)]);
    let output = lofting(directory.path(), &["render", "-f", "t.yml"]);
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    if output.status.success() { Ok(text(&output.stdout)) } else { Err(text(&output.stderr)) }
}

/// Templates with what they print.
fn print(templates: &[(&str, &str)]) {
    for (template, wanted) in templates {
        assert_eq!(rendered(template), Ok((*wanted).to_owned()), "{template}");
    }
}

/// Templates that are refused, with a part of the message.
fn refuse(templates: &[(&str, &str)]) {
    for (template, message) in templates {
        let refused = rendered(template);
        assert!(refused.as_ref().is_err_and(|said| said.contains(message)), "{template}: {refused:?}");
    }
}

#[test]
fn nodes_hold_copies_of_lists_and_dicts() {
    print(&[
        ("#@ l = []\nr:\n#@ for i in [1, 2]:\n#@   l.append(i)\n- #@ l\n#@ end\n", "r:\n- - 1\n- - 1\n  - 2\n"),
        ("#@ d = {}\na: #@ d\n#@ d['z'] = 2\nb: #@ d\n", "a: {}\nb:\n  z: 2\n"),
        ("#@ l = [[]]\na: #@ l\n#@ l[0].append(2)\nb: #@ l\n", "a:\n- []\nb:\n- - 2\n"),
        ("#@ l = [1]\n--- #@ l\n--- #@ l.clear() or l\n", "- 1\n---\n[]\n"),
        (
            "#@ l = [1]\n#@ def f():\na: #@ l\n#@ l.append(2)\nb: #@ l\n#@ end\n---\nr: #@ f()\n",
            "r:\n  a:\n  - 1\n  b:\n  - 1\n  - 2\n",
        ),
        (
            "#@ load('@ytt:template', 'template')\n#@ l = [1]\n_: #@ template.replace({'a': l})\n#@ l.append(2)\nb: #@ l\n",
            "a:\n- 1\nb:\n- 1\n- 2\n",
        ),
    ]);
}

#[test]
fn what_code_reads_of_nodes_are_dicts_and_lists_of_its_own() {
    print(&[
        ("#@ def n():\na: #@ {}\n#@ end\n---\n#@ v = n()\n#@ v['a']['k'] = 1\nr: #@ v\n", "r:\n  a: {}\n"),
        (
            "#@ load('@ytt:struct', 'struct')\n#@ def n():\na: #@ (1, 2)\nb: #@ struct.make(x=1)\n#@ end\n---\n\
          r: #@ [type(n()['a']), type(n()['b']), n()['b'] == {'x': 1}, [type(n()[k]) for k in n()]]\n",
            "r:\n- list\n- dict\n- true\n- - list\n  - dict\n",
        ),
    ]);
    refuse(&[(
        "#@ load('@ytt:struct', 'struct')\n#@ def n():\nb: #@ struct.make(x=1)\n#@ end\n---\nr: #@ n()['b'].x\n",
        "no .x",
    )]);
}

#[test]
fn empty_collections_of_code_are_printed_as_documents() {
    print(&[
        ("--- #@ {}\n--- #@ []\n---\n{}\n--- #@ None\n", "{}\n---\n[]\n"),
        ("#@ load('@ytt:template', 'template')\n--- #@ template.replace([{}, [], None, 1])\n", "{}\n---\n[]\n---\n1\n"),
    ]);
}

#[test]
fn the_word_end_is_no_name() {
    refuse(&[
        ("#@ load('@ytt:struct', 'struct')\na: #@ struct.make(start=1).end\n", "unexpected end"),
        (
            "#@ def f(start, end):\n#@   return 1\n#@ end\na: #@ f(1, 2)\n",
            "`end` is a reserved word and cannot be a name",
        ),
        ("#@ for start, end in [(1, 2)]:\na: 1\n#@ end\n", "`end` is a reserved word and cannot be a name"),
    ]);
    print(&[("#@ load('@ytt:struct', 'struct')\na: #@ struct.encode({'end': 5})['end']\n", "a: 5\n")]);
}

#[test]
fn blocks_may_go_on_in_one_line() {
    print(&[
        ("#@ x = 0\n#@ if x:\n#@   y = 1\n#@ else: y = 2\na: #@ y\n", "a: 2\n"),
        ("#@ x = 0\n#@ if x:\n#@   y = 1\n#@ elif x == 0: y = 3\na: #@ y\n", "a: 3\n"),
        ("#@ if True:\na: 1\n#@ else: y = 2\nb: 2\n", "a: 1\nb: 2\n"),
    ]);
    refuse(&[
        ("#@ x = 0\n#@ if x:\n#@   y = 1\n#@ else: y = 2\n#@ end\na: #@ y\n", "no block is open"),
        ("#@ else: y = 2\na: 1\n", ""),
    ]);
}

#[test]
fn an_end_needs_no_line_of_its_own() {
    print(&[
        ("#@ if True:\n#@ if True:\na: 1\n#@ end end\nb: 2\n", "a: 1\nb: 2\n"),
        ("#@ def f():\na: 1\n#@ end x = 3\nb: #@ x\nc: #@ f()\n", "b: 3\nc:\n  a: 1\n"),
        ("#@ for i in [1]:\na: #@ i\n#@ end if i > 0:\nb: 2\n#@ end # last\n", "a: 1\nb: 2\n"),
        ("#@yaml/text-templated-strings\na: \"(@ if True: @)(@ if True: @)x(@ end end @)y\"\n", "a: xy\n"),
    ]);
    refuse(&[
        ("#@ if True:\na: 1\n#@ end; x = 1\n", "got ';', want primary expression"),
        ("#@ if True:\na: 1\n#@ x = 1 end\n", "not closed"),
        ("#@ if True:\na: 1\n#@ end end\n", "no block is open"),
        ("#@ if True:\na: 1\n#@ end if True:\nb: 1\n", "not closed"),
    ]);
}

#[test]
fn items_need_the_document_that_they_are_in() {
    refuse(&[
        ("a: 1\n#@ if False:\n---\nb: 1\n#@ end\nd: 3\n", "was not reached"),
        ("#@ if False:\n---\n#@ end\nb: 1\n", "was not reached"),
        ("#@ for x in []:\n---\n#@ end\n- 1\n", "was not reached"),
        ("a: 1\n#@ def f():\n---\n#@ end\nb: 1\n", "was not reached"),
        ("x:\n  #@ def f():\n  a: 1\nk: 2\n#@ end\n---\nr: #@ f()\n", "at the level where it begins"),
    ]);
    print(&[("x:\n  #@ def f():\n  a: 1\n  k: 2\n  #@ end\n---\nr: #@ f()\n", "x: {}\n---\nr:\n  a: 1\n  k: 2\n")]);
}

#[test]
fn hyphens_in_texts_trim_what_is_around() {
    print(&[
        ("#@yaml/text-templated-strings\na: 'a  (@=- \"x\" -@)  b'\n", "a: a  xb\n"),
        ("#@yaml/text-templated-strings\na: \"x  (@-@)  y\"\n", "a: xy\n"),
        ("#@yaml/text-templated-strings\na: \"x (@-= '1' -@) y\"\n", "a: x1y\n"),
    ]);
}

/// Shells make a pipe of `<(command)`. It can be read once, and has no kind of its own.
#[cfg(unix)]
#[test]
fn pipes_are_read_like_files() {
    let directory = workspace(&[("t.yml", "#@ load('@ytt:data', 'data')\na: #@ data.values.x\n"), ("v.yml", "x: 1\n")]);
    let program = env!("CARGO_BIN_EXE_lofting");
    let run = |words: &str| {
        let script = format!("exec 3< <(cat v.yml); '{program}' render -f t.yml {words}");
        let output = std::process::Command::new("bash").args(["-c", &script]).current_dir(directory.path()).output();
        let output = output.expect("a shell");
        String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).into_owned()
    };
    assert_eq!(run("--data-values-file /dev/fd/3"), "a: 1\n");
    assert_eq!(run("--data-values-file v.yml --data-value-file x=<(printf text)"), "a: text\n");
    assert_eq!(run("--data-values-file v.yml -f more.yml=<(echo 'b: 2')"), "a: 1\n---\nb: 2\n");
    assert_eq!(run("--data-values-file - < <(cat v.yml)"), "a: 1\n");
    let said = run("-f - --data-values-file - < v.yml");
    assert!(said.contains("read only once"), "{said}");
}

#[test]
fn merged_items_are_where_their_value_was_written() {
    let template = "#@ load('@ytt:overlay', 'overlay')\n#@ def l():\na: 1\nb:\n- 1\nc: {d: 1}\n#@ end\n#@ def r():\na: 2\nb:\n\
                    #@overlay/match by=overlay.index(0)\n- 2\nc: {d: 2}\n#@ end\n---\nx: #@ overlay.apply(l(), r())\n";
    let directory = workspace(&[("t.yml", template)]);
    let output = lofting(directory.path(), &["render", "-f", "t.yml", "-o", "pos"]);
    let printed = String::from_utf8_lossy(&output.stdout).into_owned();
    let places: Vec<&str> = printed.lines().map(str::trim).collect();
    let wanted = [
        "t.yml:15 | [doc]",
        "t.yml:16 |   x:",
        "t.yml:9 |     a: 2",
        "t.yml:4 |     b:",
        "t.yml:12 |       [0] 2",
        "t.yml:6 |     c:",
        "t.yml:13 |       d: 2",
    ];
    assert_eq!(places, wanted, "{printed}");
}

/// What code prints comes on stderr, in all forms of the command, also before a failure.
#[test]
fn what_code_prints_is_written_to_stderr() {
    let files = [
        ("f.star", "print(\"in a file\")\ndef f(): return 1\n"),
        ("t.yml", "#@ load(\"f.star\", \"f\")\n#@ print(\"in a template\", f(), [2])\na: 1\n"),
        ("v.yml", "#@data/values\n---\n#@ print(\"in values\")\nb: 1\n"),
    ];
    let directory = workspace(&files);
    let said = |arguments: &[&str]| {
        let output = lofting(directory.path(), arguments);
        String::from_utf8_lossy(&output.stderr).into_owned()
    };
    for form in
        [&["render", "-f", "."][..], &["render", "-f", ".", "--cache", "kept"], &["render", "-f", ".", "-v", "b=2"]]
    {
        let said = said(form);
        for line in ["in a file\n", "in a template 1 [2]\n", "in values\n"] {
            assert!(said.contains(line), "{form:?}: {said}");
        }
    }
    assert!(said(&["values", "-f", "."]).contains("in values\n"));
    let failed = rendered("#@ print(\"before\")\na: #@ 1 // 0\n");
    assert!(failed.as_ref().is_err_and(|said| said.starts_with("before\n")), "{failed:?}");
}

/// ytt evaluates a library before it looks for what is exported.
#[test]
fn a_library_that_fails_exports_nothing() {
    let export = "#@ load(\"@ytt:library\", \"library\")\na: #@ library.get(\"l\").export(\"f\")()\n";
    let with = |more: &[(&str, &str)]| {
        let files = [&[("t.yml", export), ("_ytt_lib/l/f.star", "def f(): return 1\n")], more].concat();
        let directory = workspace(&files);
        let output = lofting(directory.path(), &["render", "-f", "."]);
        (output.status.success(), String::from_utf8_lossy(&output.stderr).into_owned())
    };
    assert_eq!(with(&[("_ytt_lib/l/t.yml", "b: 1\n")]), (true, String::new()));
    let overlay = "#@ load(\"@ytt:overlay\", \"overlay\")\n#@overlay/match by=overlay.all, expects=3\n---\n";
    let unused = "#@library/ref \"@nope\"\n#@data/values\n---\nx: 1\n";
    for (file, text) in
        [("t.yml", "b: #@ 1 // 0\n"), ("o.yml", overlay), ("v.yml", unused), ("t.txt", "(@= 1 // 0 @)\n")]
    {
        let (succeeded, said) = with(&[(&format!("_ytt_lib/l/{file}"), text)]);
        assert!(!succeeded && said.contains(&format!("_ytt_lib/l/{file}")), "{file}: {said}");
    }
}

/// Code makes all values of a library at one place; each key that is wrong is reported.
#[test]
fn each_undeclared_value_for_a_library_is_reported() {
    let call = "#@ load(\"@ytt:library\", \"library\")\n#@ load(\"@ytt:template\", \"template\")\n--- #@ template.replace(library.get(\"l\").with_data_values({\"q\": 1, \"zz\": {\"x\": 1}, \"m\": {\"v\": 1, \"w\": 2}}, plain=True).eval())\n";
    let files = [("t.yml", call), ("_ytt_lib/l/s.yml", "#@data/values-schema\n---\nnum: 4\nm:\n  a: 1\n")];
    let directory = workspace(&files);
    let said = String::from_utf8_lossy(&lofting(directory.path(), &["render", "-f", "."]).stderr).into_owned();
    for key in ["q", "zz", "v", "w"] {
        assert!(said.contains(&format!("`{key}` is not declared")), "{key}: {said}");
    }
}

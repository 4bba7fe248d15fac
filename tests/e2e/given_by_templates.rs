//! What templates give, as `lofting render` prints it: replaced nodes, documents of libraries, plain YAML, numbers.

use crate::command_line::{json_of, lofting, workspace};

/// The files of a text on disk.
fn workspace_of(text: &str) -> tempfile::TempDir {
    let files = lofting_fixture::files(text);
    let files: Vec<(&str, &str)> = files.iter().map(|file| (file.path.as_str(), file.text.as_str())).collect();
    workspace(&files)
}

/// What `lofting render` prints, or what it says where it prints nothing.
fn printed(text: &str, arguments: &[&str]) -> String {
    let directory = workspace_of(text);
    let output = lofting(directory.path(), &[&["render", "-f", "."], arguments].concat());
    let shown = if output.status.success() { output.stdout } else { output.stderr };
    String::from_utf8_lossy(&shown).into_owned()
}

/// Items that a library made keep their annotations: an overlay in the template that evaluates it, and one among its
/// documents, follow them.
#[test]
fn what_a_library_gives_keeps_its_annotations() {
    let library = "#- _ytt_lib/in/a.yml\n#@ load(\"@ytt:overlay\", \"overlay\")\n#@overlay/remove\ngone:\n\
                   #@overlay/match missing_ok=True\nnew:\n  #@overlay/match missing_ok=True\n  deep: 1\n\
                   #@overlay/replace\nlist:\n- 2\nnested:\n  #@overlay/remove\n  gone:\n";
    let base = "{\"gone\": 1, \"kept\": 1, \"list\": [1], \"nested\": {\"gone\": 1, \"kept\": 2}}";
    let loads = "#@ load(\"@ytt:overlay\", \"overlay\")\n#@ load(\"@ytt:library\", \"library\")\n";
    let expected = "kept: 1\nlist:\n- 2\nnested:\n  kept: 2\nnew:\n  deep: 1\n";
    let merged = format!("#- c.yml\n{loads}--- #@ overlay.apply({base}, library.get(\"in\").eval()[0])\n{library}");
    assert_eq!(printed(&merged, &[]), expected);
    let laid = format!(
        "#- c.yml\n#@ def base():\ngone: 1\nkept: 1\nlist: [1]\nnested: {{gone: 1, kept: 2}}\n#@ end\n--- #@ base()\n\
         #- over.yml\n{loads}#@overlay/match by=overlay.all\n--- #@ library.get(\"in\").eval()[0]\n{library}"
    );
    assert_eq!(printed(&laid, &[]), expected);
}

/// Functions in these annotations are called in the library's template, wherever the annotations take effect.
#[test]
fn functions_in_annotations_of_a_library_can_be_called() {
    let library = "#@ load(\"@ytt:overlay\", \"overlay\")\n#@ two = 2\n#@ def sum(l, r):\n#@   return l + r + two\n#@ end\n\
                   ---\n#@overlay/replace via=sum\nk: 5\nm:\n  #@overlay/match missing_ok=True\n  \
                   #@overlay/replace via=lambda l, r: {\"l\": l, \"r\": r}, or_add=True\n  a: 7\nl:\n\
                   #@overlay/match by=lambda i, l, r: l[\"name\"] == \"b\"\n- v: 9\n\
                   #@overlay/match by=overlay.map_key(\"name\")\n- name: a\n  v: 8\n\
                   #@overlay/match by=overlay.all, expects=lambda count: count == two\n-\n  \
                   #@overlay/match missing_ok=True\n  z: 1\n";
    let base = "k: 1\nm: {a: 1}\nl:\n- {name: a, v: 1}\n- {name: b, v: 2}\n";
    let loads = "#@ load(\"@ytt:overlay\", \"overlay\")\n#@ load(\"@ytt:library\", \"library\")\n";
    let expected = "k: 8\nm:\n  a:\n    l: 1\n    r: 7\nl:\n- name: a\n  v: 8\n  z: 1\n- name: b\n  v: 9\n  z: 1\n";
    let main =
        format!("{loads}#@ def base():\n{base}#@ end\n--- #@ overlay.apply(base(), library.get(\"in\").eval()[0])\n");
    let merged = format!("#- c.yml\n{main}#- _ytt_lib/in/a.yml\n{library}");
    assert_eq!(printed(&merged, &[]), expected);
    let laid = format!(
        "#- b.yml\n{base}#- over.yml\n{loads}#@overlay/match by=overlay.all\n--- #@ library.get(\"in\").eval()[0]\n\
         #- _ytt_lib/in/a.yml\n{library}"
    );
    assert_eq!(printed(&laid, &[]), expected);
    let passed_on = format!(
        "#- c.yml\n{}#- _ytt_lib/mid/m.yml\n{loads}--- #@ library.get(\"in\").eval()[0]\n\
         #- _ytt_lib/mid/_ytt_lib/in/a.yml\n{library}",
        main.replace("\"in\"", "\"mid\"")
    );
    assert_eq!(printed(&passed_on, &[]), expected);
    let failing = merged.replace("return l + r + two", "return fail(\"not this\")");
    assert!(printed(&failing, &[]).contains("overlay.apply: fail: not this"), "{}", printed(&failing, &[]));
}

/// A node after the end of a function belongs to the document, even where its place in the text is inside the
/// function's nodes.
#[test]
fn nodes_behind_a_function_are_not_lost() {
    for (nodes, what) in
        [("k9:\n#@ end\n- 5\n", "is an item of an array"), ("k9:\n- 1\n#@ end\n- #@ g()\n", "is an item of an array")]
    {
        let said = printed(&format!("#- c.yml\n#@ def g():\nk: 1\n{nodes}"), &[]);
        assert!(said.contains(what), "{said}");
    }
    let nested = "#- c.yml\n#@ def g():\nk: 1\nm:\n  n: 1\n  #@ end\n  o: 2\n";
    assert_eq!(printed(nested, &[]), "o: 2\n");
}

/// Only a template that gets to a map or an array as a key fails.
#[test]
fn maps_and_arrays_as_keys_are_printed_as_ytt_does() {
    let plain = "#- a.yml\nm:\n  ? [x, {y: [1]}]\n  : - 2\n  ? {}\n  : 3\n";
    let expected = "m:\n  ? - value: x\n      line: 2\n    - value:\n        true:\n        - value: 1\n          line: 2\n\
                    \x20     line: 2\n  : - 2\n  {}: 3\n";
    assert_eq!(printed(plain, &[]), expected);
    assert_eq!(printed("#- a.yml\n#@ if False:\n? [x]\n: 1\n#@ end\nb: 1\n", &[]), "b: 1\n");
    let said = printed("#- a.yml\n#@ if True:\n? [x]\n: 1\n#@ end\nb: 1\n", &[]);
    assert!(said.contains("a key has to be a scalar"), "{said}");
}

/// The result of a merge says nothing about further merges.
#[test]
fn the_result_of_an_overlay_has_no_annotations_of_overlays() {
    let text = "#- c.yml\n#@ load(\"@ytt:overlay\", \"overlay\")\n#@ def one():\na: 1\n#@ end\n\
                #@ def two():\n#@overlay/replace\na: 2\n#@ end\n#@ def three():\n#@overlay/remove\na:\n#@ end\n\
                ---\nmerged: #@ overlay.apply(one(), overlay.apply(two(), two()))\n\
                left: #@ overlay.apply(one(), overlay.apply(one(), two()))\n\
                alone: #@ overlay.apply(one(), overlay.apply(three()))\n";
    assert_eq!(printed(text, &[]), "merged:\n  a: 2\nleft:\n  a: 2\nalone: {}\n");
}

/// Everything that ytt takes as a map, an array or documents can replace a node.
#[test]
fn nodes_are_replaced_by_all_that_ytt_takes() {
    let head = "#- schema.yml\n#@data/values-schema\n---\nlabels:\n  app: web\n  deep: {x: 1}\n\
                #- c.yml\n#@ load(\"@ytt:data\", \"data\")\n#@ load(\"@ytt:template\", \"template\")\n\
                #@ load(\"@ytt:struct\", \"struct\")\n#@ def made():\nm: 1\n#@ end\n";
    let cases = [
        ("---\n_: #@ template.replace(data.values.labels)\nz: 1\n", "app: web\ndeep:\n  x: 1\nz: 1\n"),
        ("---\nm:\n  _: #@ template.replace(struct.make(a=struct.make(b=1)))\n", "m:\n  a:\n    b: 1\n"),
        ("---\nl:\n- #@ template.replace((1, struct.make(b=2)))\n- 3\n", "l:\n- 1\n- b: 2\n- 3\n"),
        ("---\nl:\n- #@ template.replace(set([1]))\n- #@ template.replace([made()])\n", "l:\n- 1\n- m: 1\n"),
        ("--- #@ template.replace([struct.make(a=1), made()])\n", "a: 1\n---\nm: 1\n"),
    ];
    for (template, expected) in cases {
        assert_eq!(printed(&format!("{head}{template}"), &[]), expected, "{template}");
    }
    for template in
        ["--- #@ template.replace(struct.make(a=1))\n", "---\nl:\n- #@ template.replace(struct.make(a=1))\n"]
    {
        let said = printed(&format!("{head}{template}"), &[]);
        assert!(said.contains("but was struct"), "{said}");
    }
}

/// YAML that a mark makes plain has neither code nor annotations, and the last of equal keys takes effect.
#[test]
fn plain_yaml_is_not_evaluated() {
    let text = "#- a.yml\n#@ if nothing:\na: #@ code\nb: 1 #@ more\n# words\nb: 2\n#@overlay/match by=overlay.all\n---\n\
                c: [1]\n#- b.lib.yml\nd: 1\n";
    let marks = ["--file-mark", "a.yml:type=yaml-plain", "--file-mark", "b.lib.yml:type=yaml-plain"];
    assert_eq!(printed(text, &marks), "a: null\nb: 2\n---\nc:\n- 1\n");
}

/// In a function with nodes, a `return` without a value gives the nodes so far.
#[test]
fn a_bare_return_gives_what_was_written() {
    let text = "#- c.yml\n#@ def f(x):\na: 1\n#@ for i in range(3):\n#@ if i == x:\n#@   return\n#@ end\nb: #@ i\n#@ end\n\
                #@ end\n---\n#@ def g():\n- 1\n#@ if True: return ; x = 1\n- 2\n#@ end\n---\nv: #@ f(0)\nw: #@ g()\n";
    assert_eq!(printed(text, &[]), "v:\n  a: 1\nw:\n- 1\n");
}

/// What a file loads is not what it defines, however it loads it.
#[test]
fn names_that_a_file_loads_cannot_be_loaded_from_it() {
    let from = "#- s.star\ndef add(a, b):\n  return a + b\nend\n";
    for (file, name) in [
        ("load(\"s.star\", \"add\")\ny = add(1, 2)\n", "add"),
        ("if True:\nload(\"s.star\", \"add\")\nend\ny = add(1, 2)\n", "add"),
        ("if True:\nload(\"s.star\", z=\"add\")\nend\ny = z(1, 2)\n", "z"),
        ("load(\"@ytt:data\", \"data\")\ny = 3\n", "data"),
    ] {
        let defined = format!("{from}#- f.star\n{file}#- c.yml\n#@ load(\"f.star\", \"y\")\na: #@ y\n");
        assert_eq!(printed(&defined, &[]), "a: 3\n", "{file}");
        let loaded = format!("{from}#- f.star\n{file}#- c.yml\n#@ load(\"f.star\", \"{name}\")\na: #@ {name}\n");
        assert!(printed(&loaded, &[]).contains(&format!("load: name {name} not found in module")), "{file}");
    }
}

/// Files come before directories, and paths are relative to the directory that is listed.
#[test]
fn files_are_listed_by_directory() {
    let text = "#- c.yml\n#@ load(\"@ytt:data\", \"data\")\na: #@ data.list()\nb: #@ data.list(\"d\")\nc: #@ data.list(\"/d\")\n\
                #- d/e/x.bin\n#- d/z.bin\n#- d/_ytt_lib/l/x.bin\n#- z.bin\n";
    assert_eq!(
        printed(text, &[]),
        "a:\n- c.yml\n- z.bin\n- d/z.bin\n- d/e/x.bin\nb:\n- z.bin\n- e/x.bin\nc:\n- /z.bin\n- /e/x.bin\n"
    );
}

/// Without flags, and without a `lofting.toml`, it is not known what ytt gets, and where its root is.
#[test]
fn files_around_are_not_all_that_ytt_may_get() {
    let checked = |text: &str| {
        let directory = workspace_of(text);
        let output = lofting(directory.path(), &["check", "--format", "json", "."]);
        let report = json_of(&output);
        let findings = report["diagnostics"].as_array().cloned().unwrap_or_default();
        let errors = findings.iter().filter(|finding| finding["severity"] == "error");
        errors.map(|finding| finding["message"].as_str().unwrap_or_default().to_owned()).collect::<Vec<_>>()
    };
    let schema = |code: &str| {
        format!(
            "#@ load(\"@ytt:data\", \"data\")\n#@ load(\"@ytt:library\", \"library\")\n#@data/values-schema\n---\na: \"\"\n\
             {code}\n"
        )
    };
    let listed =
        schema("files:\n  #@ for f in data.list():\n  #@yaml/text-templated-strings\n  (@= f @): #@ f\n  #@ end");
    let values = "#- values.yml\n#@data/values\n---\nfiles:\n  values.yml: x\n";
    assert!(checked(&format!("#- schema.yml\n{listed}{values}")).is_empty());
    let read = schema("r: #@ data.read(\"/f.txt\")")
        .replace("#@data/values-schema", "#@ load(\"/d/x.star\", \"x\")\n#@data/values-schema");
    let files = "#- dir/f.txt\nf\n#- dir/d/x.star\nx = 1\n";
    assert!(checked(&format!("#- dir/sub/schema.yml\n{read}{files}")).is_empty());
    assert!(!checked(&format!("#- dir/sub/schema.yml\n{read}")).is_empty());
    // A library is there as a whole, with what is wrong in the values that follow from it.
    let exported = schema("x: #@ library.get(\"l\").export(\"x\")");
    let library = "#- _ytt_lib/l/d/x.star\nx = 1\n#- values.yml\n#@data/values\n---\nx: text\n";
    assert_eq!(
        checked(&format!("#- schema.yml\n{exported}{library}")),
        ["`x` should be an integer, but is the string \"text\""]
    );
}

/// Integers have any size, as in Python.
#[test]
fn integers_do_not_overflow() {
    let cases = [
        ("1000000007 << 3", "8000000056"),
        ("2147483647 << 1", "4294967294"),
        ("-5 << 40", "-5497558138880"),
        ("1 << 300 >> 299", "2"),
        ("2147483647 + 1", "2147483648"),
        ("-2147483648 - 1", "-2147483649"),
        ("65536 * 65536 // 3", "1431655765"),
        ("-4294967296 % 1000", "704"),
        ("~(1 << 40)", "-1099511627777"),
        ("9223372036854775807 + 1", "9223372036854775808"),
        ("int(\"-9223372036854775808\")", "-9223372036854775808"),
        ("int(\"ffffffffffffffffffff\", 16)", "1208925819614629174706175"),
        ("int(1e20)", "100000000000000000000"),
    ];
    let lines: String = cases.iter().map(|(code, _)| format!("- #@ str({code})\n")).collect();
    let expected: String = cases.iter().map(|(_, text)| format!("- \"{text}\"\n")).collect();
    assert_eq!(printed(&format!("#- c.yml\n---\n{lines}"), &[]), expected);
}

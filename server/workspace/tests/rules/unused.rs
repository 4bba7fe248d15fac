//! What nothing uses: variables, functions, loads and keys of schemas.

use crate::fixture::named;

/// What nothing uses in a library: the rules and the texts.
#[track_caller]
fn check(text: &str, expected: &[&str]) {
    check_in("a.lib.yml", text, expected);
}

#[track_caller]
fn check_in(name: &str, text: &str, expected: &[&str]) {
    let found = named(&format!("#- {name}\n{text}"));
    let shown = found.iter().filter(|(code, _)| code.starts_with("ytt/unused"));
    let shown: Vec<String> = shown.map(|(code, text)| format!("{} {text}", &code["ytt/".len()..])).collect();
    assert_eq!(shown, expected, "{text}");
}

/// Only libraries can be loaded.
#[test]
fn templates() {
    let text = "#@ a = 1\n#@ _ = 2\n#@ def f():\n#@ end\n#@ def g():\n#@   return 1\n#@ end\nb: #@ g()\n";
    check_in("a.yml", text, &["unused-variable a", "unused-function f"]);
    check_in("a.lib.yml", text, &[]);
}

#[test]
fn loads() {
    check("#@ load(\"@ytt:data\", \"data\")\na: 1\n", &["unused-load load(\"@ytt:data\", \"data\")"]);
    check("#@ load(\"@ytt:data\", \"data\")\na: #@ data.values\n", &[]);
    check("#@ load(\"f.star\", \"a\", b=\"c\")\nx: #@ a()\n", &["unused-load b=\"c"]);
    check("#@ load(\"f.star\", \"a\", b=\"c\")\nx: #@ b()\n", &["unused-load a"]);
    check("#@ load(\"f.star\", \"a\", b=\"c\")\nx: 1\n", &["unused-load load(\"f.star\", \"a\", b=\"c\")"]);
}

/// Every place for code.
#[test]
fn uses_in_all_kinds_of_code() {
    let uses = [
        "#@overlay/match by=x.all\n---\na: 1\n",
        "#@yaml/text-templated-strings\na: \"(@= x.y @)\"\n",
        "#@ if/end x:\na: 1\n",
        "#@ def f(a=x):\n#@   return a\n#@ end\n",
        "a: #@ [y for y in x]\n",
        "a: #@ [x for y in []]\n",
        "a: #@ lambda y: x\n",
        "a: #@ {\"a\": x}\n",
        "#@ x += 1\n",
        "#@ x[\"a\"] = 1\n",
        "#@ for y in x:\n- #@ y\n#@ end\n",
    ];
    for text in uses {
        check(&format!("#@ load(\"f.star\", \"x\")\n{text}"), &[]);
    }
}

#[test]
fn variables_and_functions() {
    check("#@ def f(a):\n#@   b = a\n#@   c = 1\n#@   return c\n#@ end\n", &["unused-variable b"]);
    // Other files may load what does not begin with `_`.
    check("#@ a = 1\n#@ _b = 2\n#@ _ = 3\n#@ def f():\n#@ end\n", &["unused-variable _b"]);
    check("#@ def _f():\n#@   return 1\n#@ end\na: 1\n", &["unused-function _f"]);
    check("#@ def _f():\n#@   return 1\n#@ end\na: #@ _f()\n", &[]);
    check("#@ def f():\n#@   def g():\n#@     return 1\n#@   end\n#@ end\n", &["unused-function g"]);
    check("#@ def f():\n#@   for i in [1]:\n#@     _x = i\n#@   end\n#@ end\n", &[]);
    check("#@ def f():\n#@   a = 0\n#@   a += 1\n#@ end\n", &[]);
}

#[test]
fn half_typed_code_may_be_about_to_use_it() {
    check("#@ load(\"@ytt:data\", \"data\")\na: #@ 1 +\n", &[]);
}

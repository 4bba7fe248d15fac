//! Where failing code is reported, and with which advice.

use expect_test::expect;

use crate::render::{check, rendered};

const STAR: &str = "#- x.star\ndef helper(l):\n  return l.n + 1\nend\ndef merge(l, r):\n  x = 1\n  return helper(l)\nend\n";

#[test]
fn functions_of_overlays_fail_where_their_code_does() {
    let files = |annotation: &str| {
        format!(
            "{STAR}#- a.yml\na: {{n: 1}}\n#- o.yml\n#@ load(\"@ytt:overlay\", \"overlay\")\n#@ load(\"x.star\", \"merge\")\n\
             #@overlay/match by=overlay.all\n---\n#@overlay/{annotation}\na: 2\n"
        )
    };
    check(&files("replace via=merge"), &[], expect![[""]]);
    check(&files("assert via=merge"), &[], expect![[""]]);
    check(&files("match expects=lambda n: n > \"x\""), &[], expect![[""]]);
    check(&files("match by=lambda i, l, r: l.kind == \"x\""), &[], expect![[""]]);
    // One of several documents, and of several items.
    check(
        "#- a.yml\nkind: a\nspec: {}\n---\nkind: b\n#- o.yml\n#@overlay/match by=lambda i, l, r: l[\"spec\"] != {}\n---\nkind: c\n",
        &[],
        expect![[""]],
    );
    check(
        "#- a.yml\nl:\n- name: a\n- nam: b\n#- o.yml\n#@ load(\"@ytt:overlay\", \"overlay\")\n\
         #@overlay/match by=overlay.all\n---\nl:\n#@overlay/match by=\"name\"\n- name: a\n",
        &[],
        expect![[""]],
    );
}

#[test]
fn what_cannot_be_loaded_says_where_it_fails() {
    for (file, library) in [
        ("lib.star", "def f(x):\n  return 1 +\nend\n"),
        ("lib.star", "q = {}[\"x\"]\ndef f(x):\n  return 1\nend\n"),
        ("lib.star", "def f(x):\n  return wrong\nend\n"),
        ("lib.lib.yml", "#@ def f(x):\n#@   return 1 +\n#@ end\n"),
    ] {
        for mark in ["#@data/values-schema\n---\n", "#@data/values\n---\n"] {
            let text = format!("#- v.yml\n#@ load(\"{file}\", \"f\")\n{mark}a: #@ f(1)\n#- {file}\n{library}");
            let shown = crate::render::found(&text, &["-f", "."]).0;
            let lines: Vec<&str> = shown.lines().collect();
            // ytt reports it there.
            assert!(lines[0].starts_with("v.yml:1:4 ytt/evaluation (template) cannot load"), "{text}{shown}");
            let inside = lines[1].starts_with(&format!("  {file}:")) && lines[1].ends_with(" it fails here");
            assert!(inside, "{text}{shown}");
        }
    }
}

#[test]
fn each_file_of_a_cycle_is_not_told_again() {
    check(
        "#- t.yml\n#@ load(\"x.star\", \"q\")\na: #@ q\n#- x.star\nload(\"y.star\", \"p\")\nq = 1\n#- y.star\nload(\"x.star\", \"q\")\np = 1\n",
        &[],
        expect![[""]],
    );
}

/// What the schema knows of them is in the message where the code runs as well.
#[test]
fn data_values_that_code_reads() {
    let schema = "#- s.yml\n#@data/values-schema\n---\nused: 1\ncluster-name: a\n#@schema/nullable\ntls:\n  secret: a\n#- t.yml\n#@ load(\"@ytt:data\", \"data\")\n";
    check(&format!("{schema}a: #@ data.values.usde\n"), &[], expect![[""]]);
    check(&format!("{schema}a: #@ data.values.tls.secret\n"), &[], expect![[""]]);
    check(&format!("{schema}a: #@ data.values.cluster-name\n"), &[], expect![[""]]);
    // Not in files that give the values.
    check("#- s.yml\n#@ load(\"@ytt:data\", \"data\")\n#@data/values-schema\n---\na: #@ data.values.b\n", &[], expect![[""]]);
}

/// Each part of a value that code passes on has its own place.
#[test]
fn origins_of_parts() {
    let files = "#- s.yml\n#@data/values-schema\n---\ndb:\n  host: h\n  port: 1\nlist:\n- name: \"\"\n  x: 1\n#- v.yml\n#@data/values\n---\n\
                 db:\n  port: 2\nlist:\n- name: a\n- name: b\n  x: 5\n#- t.yml\n#@ load(\"@ytt:data\", \"data\")\ndb: #@ data.values.db\n\
                 l: #@ data.values.list\nall: #@ data.values\none: #@ data.values.db.port\n";
    let text = rendered(files, &["-f", ".", "--origin"]);
    expect![[""]].assert_eq(&text);
}

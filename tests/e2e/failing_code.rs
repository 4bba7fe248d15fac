//! Where failing code is reported, and with which advice.

use expect_test::expect;

use crate::render::{check, rendered};

const STAR: &str =
    "#- x.star\ndef helper(l):\n  return l.n + 1\nend\ndef merge(l, r):\n  x = 1\n  return helper(l)\nend\n";

#[test]
fn functions_of_overlays_fail_where_their_code_does() {
    let files = |annotation: &str| {
        format!(
            "{STAR}#- a.yml\na: {{n: 1}}\n#- o.yml\n#@ load(\"@ytt:overlay\", \"overlay\")\n#@ load(\"x.star\", \"merge\")\n\
             #@overlay/match by=overlay.all\n---\n#@overlay/{annotation}\na: 2\n"
        )
    };
    check(
        &files("replace via=merge"),
        &[],
        expect![[r#"
        o.yml:6:1 ytt/overlay-function (overlay) yamlfragment has no .n field or method
          x.star:2:10 it fails here
          x.star:6:10 called in merge
          o.yml:5:23 the function
          a.yml:1:4 called for this value
    "#]],
    );
    check(
        &files("assert via=merge"),
        &[],
        expect![[r#"
        o.yml:6:1 ytt/overlay-function (overlay) the assertion does not hold: yamlfragment has no .n field or method
          x.star:2:10 it fails here
          x.star:6:10 called in merge
          o.yml:5:22 the function
          a.yml:1:4 called for this value
    "#]],
    );
    check(
        &files("match expects=lambda n: n > \"x\""),
        &[],
        expect![[r#"
        o.yml:2:4 ytt/unused-load (lint) `merge` is loaded and never used
        o.yml:6:1 ytt/overlay-function (overlay) int > string not implemented
          o.yml:5:35 it fails here
    "#]],
    );
    check(
        &files("match by=lambda i, l, r: l.kind == \"x\""),
        &[],
        expect![[r#"
        o.yml:2:4 ytt/unused-load (lint) `merge` is loaded and never used
        o.yml:6:1 ytt/overlay-function (overlay) yamlfragment has no .kind field or method
          o.yml:5:36 it fails here
          a.yml:1:4 called for this value
    "#]],
    );
    // One of several documents, and of several items.
    check(
        "#- a.yml\nkind: a\nspec: {}\n---\nkind: b\n#- o.yml\n#@overlay/match by=lambda i, l, r: l[\"spec\"] != {}\n---\nkind: c\n",
        &[],
        expect![[r#"
            o.yml:2:1 ytt/overlay-function (overlay) key "spec" not in yamlfragment
              o.yml:1:36 it fails here
              a.yml:4:1 called for this value
        "#]],
    );
    check(
        "#- a.yml\nl:\n- name: a\n- nam: b\n#- o.yml\n#@ load(\"@ytt:overlay\", \"overlay\")\n\
         #@overlay/match by=overlay.all\n---\nl:\n#@overlay/match by=\"name\"\n- name: a\n",
        &[],
        expect![[r#"
            o.yml:6:1 ytt/overlay-matches (overlay) items are matched by `name`, which one of them does not have
              a.yml:3:3 this has no `name`
        "#]],
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
    let files = "#- t.yml\n#@ load(\"x.star\", \"q\")\na: #@ q\n#- x.star\nload(\"y.star\", \"p\")\nq = 1\n#- y.star\n\
                 load(\"x.star\", \"q\")\np = 1\n";
    let shown = crate::render::found(files, &["-f", "."]).0;
    assert_eq!(shown.matches("cycle in load graph").count(), 1, "{shown}");
}

/// What the schema knows of them is in the message where the code runs as well.
#[test]
fn data_values_that_code_reads() {
    let schema = "#- s.yml\n#@data/values-schema\n---\nused: 1\ncluster-name: a\n#@schema/nullable\ntls:\n  secret: a\n#- t.yml\n#@ load(\"@ytt:data\", \"data\")\n";
    check(
        &format!("{schema}a: #@ data.values.usde\n"),
        &[],
        expect![[r#"
        t.yml:2:19 ytt/unknown-data-value (template) `usde` is not declared in the schema of `data.values`
          s.yml:2:1 `data.values` is declared here
    "#]],
    );
    check(
        &format!("{schema}a: #@ data.values.tls.secret\n"),
        &[],
        expect![[r#"
        t.yml:2:7 ytt/evaluation (template) NoneType has no .secret field or method
          s.yml:6:1 declared here as nullable
    "#]],
    );
    check(
        &format!("{schema}a: #@ data.values.cluster-name\n"),
        &[],
        expect![[r#"
        t.yml:2:27 ytt/evaluation (template) undefined: name
    "#]],
    );
    // Not in files that give the values.
    check(
        "#- s.yml\n#@ load(\"@ytt:data\", \"data\")\n#@data/values-schema\n---\na: #@ data.values.b\n",
        &[],
        expect![[r#"
        s.yml:4:7 ytt/evaluation (template) struct has no .b field or method
    "#]],
    );
}

/// Each part of a value that code passes on has its own place.
#[test]
fn origins_of_parts() {
    let files = "#- s.yml\n#@data/values-schema\n---\ndb:\n  host: h\n  port: 1\nlist:\n- name: \"\"\n  x: 1\n#- v.yml\n#@data/values\n---\n\
                 db:\n  port: 2\nlist:\n- name: a\n- name: b\n  x: 5\n#- t.yml\n#@ load(\"@ytt:data\", \"data\")\ndb: #@ data.values.db\n\
                 l: #@ data.values.list\nall: #@ data.values\none: #@ data.values.db.port\n";
    let text = rendered(files, &["-f", ".", "--origin"]);
    expect![[r#"
        db:
          host: h #! t.yml:2 with s.yml:4
          port: 2 #! t.yml:2 with v.yml:4
        l:
        - name: a #! t.yml:3 with v.yml:6
          x: 1 #! t.yml:3 with s.yml:8
        - name: b #! t.yml:3 with v.yml:7
          x: 5 #! t.yml:3 with v.yml:8
        all:
          db:
            host: h #! t.yml:4 with s.yml:4
            port: 2 #! t.yml:4 with v.yml:4
          list:
          - name: a #! t.yml:4 with v.yml:6
            x: 1 #! t.yml:4 with s.yml:8
          - name: b #! t.yml:4 with v.yml:7
            x: 5 #! t.yml:4 with v.yml:8
        one: 2 #! t.yml:5 with v.yml:4
    "#]]
    .assert_eq(&text);
}

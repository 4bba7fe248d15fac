use super::{HintChoices, HintRole, inlay_hints};
use crate::fixture::{Fixture, open};
use expect_test::{Expect, expect};

/// The text with the hints of some kinds inserted: `⟨…⟩`.
fn shown_in(fixture: &Fixture, names: &[&str]) -> String {
    let mut choices = HintChoices::default();
    choices.by_name().for_each(|(name, chosen)| *chosen = names.contains(&name));
    let range = 0..fixture.text.len();
    let hints = inlay_hints(&fixture.snapshot, fixture.file, range, &choices);
    let mut text = fixture.text.clone();
    for hint in hints.into_iter().rev() {
        let words: String = hint.parts.iter().map(|part| part.text.as_str()).collect();
        let shown = match hint.role {
            HintRole::Parameter => format!("⟨{words}⟩ "),
            HintRole::Type | HintRole::Value => format!(" ⟨{words}⟩"),
        };
        text.insert_str(hint.offset, &shown);
    }
    text
}

#[track_caller]
fn check(names: &[&str], text: &str, expected: Expect) {
    expected.assert_eq(&shown_in(&open(text), names));
}

const SCHEMA: &str = "#- schema.yml
#@data/values-schema
---
replicas: 1
#@schema/nullable
host: \"\"
db:
  name: app
  pool: 5
  tags:
  - \"\"
  deep:
    a: 1
";

const SETS: &str = "#- lofting.toml
[sets.prod]
files = [\"schema.yml\", \"values.yml\", \"prod.yml\"]
[sets.dev]
files = [\"schema.yml\", \"values.yml\", \"dev.yml\"]
#- prod.yml
#@data/values
---
replicas: 3
db:
  name: app
  tags: [x]
#- dev.yml
#@data/values
---
replicas: 2
db:
  deep: {a: 7}
";

#[test]
fn final_values_where_another_file_wins() {
    check(
        &["finalValues"],
        &format!(
            "{SCHEMA}{SETS}#- values.yml\n#@data/values\n---\nreplicas: 1 # one\ndb:\n  name: app\n  tags:\n  - a\n  deep:\n    a: 1\n  pool: 7\n"
        ),
        expect![[r#"
            #@data/values
            ---
            replicas: 1 ⟨→ 3 in prod.yml, 2 in dev.yml⟩ # one
            db:
              name: app
              tags:
              - a
              deep:
                a: 1 ⟨→ 7 in dev.yml⟩
              pool: 7
        "#]],
    );
    // Half-typed, and without the schema.
    check(
        &["finalValues"],
        &format!("{SETS}#- values.yml\n#@data/values\n---\nreplicas: 1\ndb:\n  na\n  deep: {{a: 1\n"),
        expect![[r#"
            #@data/values
            ---
            replicas: 1 ⟨→ 3 in prod.yml, 2 in dev.yml⟩
            db:
              na
              deep: {a: 1 ⟨→ 7 in dev.yml⟩
        "#]],
    );
    check(
        &["finalValues"],
        "a: 1\nb: [\n",
        expect![[r#"
        a: 1
        b: [
    "#]],
    );
}

#[test]
fn defaults_of_keys_that_are_left_out() {
    check(
        &["defaults"],
        &format!("{SCHEMA}#- values.yml\n#@data/values\n---\nreplicas: 1\ndb:\n  name: x\n  deep: {{}}\n"),
        expect![[r#"
            #@data/values
            ---
            replicas: 1
            db: ⟨pool: 5, tags: []⟩
              name: x
              deep: {} ⟨a: 1⟩
        "#]],
    );
    // A value that another file sets is not a default.
    check(
        &["defaults"],
        &format!("{SCHEMA}{SETS}#- values.yml\n#@data/values\n---\ndb:\n  pool: 1\n  deep:\n  na\n"),
        expect![[r#"
            #@data/values
            ---
            db:
              pool: 1
              deep:
              na
        "#]],
    );
}

#[test]
fn defaults_of_other_languages() {
    check(
        &["defaults"],
        "#- s.json\n{\"properties\": {\"a\": {\"properties\": {\"b\": {\"default\": 3}, \"c\": {\"type\": \"string\"}}}}}\n#- x.yml\n# yaml-language-server: $schema=s.json\na:\n  c: x\n",
        expect![[r#"
            # yaml-language-server: $schema=s.json
            a: ⟨b: 3⟩
              c: x
        "#]],
    );
}

#[test]
fn types_that_are_not_those_of_the_defaults() {
    check(
        &["types"],
        "#- schema.yml\n#@data/values-schema\n---\nname: web\n#@schema/nullable\nhost: \"\" # why\n#@schema/type any=True\nfree:\n  a: 1\n#@schema/nullable\nmap:\n  a: 1\nlist:\n- 1\n#@schema/nullable\nlists:\n- 1\nha",
        expect![[r##"
            #@data/values-schema
            ---
            name: web
            #@schema/nullable
            host: "" ⟨string or null⟩ # why
            #@schema/type any=True
            free: ⟨any⟩
              a: 1
            #@schema/nullable
            map: ⟨map or null⟩
              a: 1
            list:
            - 1
            #@schema/nullable
            lists: ⟨array of integer or null⟩
            - 1
            ha"##]],
    );
}

#[test]
fn what_aliases_stand_for() {
    let text = "#- schema.yml\n#@data/values-schema\n---\na: &a\n  x: 1\n  y: 2\nport: &p 8080\ntext: &t |\n  one\n  two\nlist: &l [1, 2]\nb: *a\nc:\n  <<: *a\n  x: 3\nd: *p\ne: [*p, *l]\nf: *l\ng: *t\nh: *none\ni:\n- *p\nj:\n  <<: [*a, {z: 1}]\nk: *";
    check(
        &["aliases"],
        text,
        expect![[r##"
            #@data/values-schema
            ---
            a: &a
              x: 1
              y: 2
            port: &p 8080
            text: &t |
              one
              two
            list: &l [1, 2]
            b: *a ⟨→ {x, y}⟩
            c:
              <<: *a ⟨→ y⟩
              x: 3
            d: *p ⟨→ 8080⟩
            e: [*p ⟨→ 8080⟩, *l ⟨→ [2 items]⟩]
            f: *l ⟨→ [2 items]⟩
            g: *t ⟨→ one…⟩
            h: *none
            i:
            - *p ⟨→ 8080⟩
            j:
              <<: [*a, {z: 1}] ⟨→ x, y, z⟩
            k: *"##]],
    );
}

#[test]
fn names_of_parameters() {
    check(
        &["parameters"],
        "#- lib.star\ndef f(name, count=1, *rest):\n  return name\nend\n#- x.yml\n#@ load(\"lib.star\", \"f\")\n#@ load(\"@ytt:overlay\", \"overlay\")\n#@ def g(a, b): return a\n#@ name = 1\na: #@ f(\"x\", 2)\nb: #@ f(name, 2, 3)\nc: #@ f(\"x\")\nd: #@ g(f(1, count=2), b=3)\ne: #@ overlay.apply(a, b)\nf: #@ g(1, )\ng: #@ g(1, 2\n",
        expect![[r##"
            #@ load("lib.star", "f")
            #@ load("@ytt:overlay", "overlay")
            #@ def g(a, b): return a
            #@ name = 1
            a: #@ f(⟨name:⟩ "x", ⟨count:⟩ 2)
            b: #@ f(name, ⟨count:⟩ 2, 3)
            c: #@ f("x")
            d: #@ g(f(1, count=2), b=3)
            e: #@ overlay.apply(⟨left:⟩ a, b)
            f: #@ g(1, )
            g: #@ g(⟨a:⟩ 1, ⟨b:⟩ 2
        "##]],
    );
}

#[test]
fn only_lines_that_are_asked_about() {
    let fixture = open("#- t.yml\n#@data/values\n---\na: &a 1\nb: *a\nc: *a\n");
    let start = fixture.text.find("b:").expect("b");
    let hints = inlay_hints(&fixture.snapshot, fixture.file, start..start + 1, &HintChoices::default());
    assert_eq!(hints.len(), 1, "{hints:?}");
}

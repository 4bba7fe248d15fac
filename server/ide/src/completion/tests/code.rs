use crate::Markup;
use crate::fixture::open;
use expect_test::{Expect, expect};

pub(crate) const SCHEMA: &str = "#- schema.yml
#@data/values-schema
---
#@schema/desc \"Where the app is reached.\"
service:
  #@schema/desc \"TCP port.\"
  port: 80
  host: ''
  my-key: true
  ports:
  - name: ''
    number: 0
#@schema/nullable
db:
  user: ''
";

const LOAD: &str = "#@ load(\"@ytt:data\", \"data\")\n";

fn labels(template: &str) -> Vec<String> {
    open(&format!("{SCHEMA}#- app.yml\n{template}")).completions(false).into_iter().map(|item| item.label).collect()
}

/// The first items, and the line after accepting each of them.
fn check(line: &str, expected: Expect) {
    let fixture = open(&format!("{SCHEMA}#- app.yml\n{LOAD}{line}\n"));
    let mut out = String::new();
    for item in fixture.completions(false).iter().take(6) {
        let text = fixture.accept(item);
        let detail = item.detail.as_deref().unwrap_or("-");
        out.push_str(&format!("{} | {detail} | {}\n", item.label, text.lines().nth(1).unwrap_or_default()));
    }
    expected.assert_eq(&out);
}

#[test]
fn members_of_data_values_right_after_the_dot_and_half_typed() {
    check(
        "a: #@ data.values.$0",
        expect![[r#"
            service | map | a: #@ data.values.service
            db | map or null | a: #@ data.values.db
        "#]],
    );
    check(
        "a: #@ f(data.values.service.po$0, 1)",
        expect![[r#"
            port | integer | a: #@ f(data.values.service.port, 1)
            host | string | a: #@ f(data.values.service.host, 1)
            my-key | boolean | a: #@ f(data.values.service["my-key"], 1)
            ports | array of map | a: #@ f(data.values.service.ports, 1)
        "#]],
    );
    check(
        "a: #@ data.values[\"$0",
        expect![[r#"
            service | map | a: #@ data.values["service
            db | map or null | a: #@ data.values["db
        "#]],
    );
    check(
        "a: #@ getattr(data.values.service, \"h$0\")",
        expect![[r#"
            port | integer | a: #@ getattr(data.values.service, "port")
            host | string | a: #@ getattr(data.values.service, "host")
            my-key | boolean | a: #@ getattr(data.values.service, "my-key")
            ports | array of map | a: #@ getattr(data.values.service, "ports")
        "#]],
    );
}

#[test]
fn aliases_loops_and_parameters_have_members() {
    for template in [
        "#@ v = data.values.service\na: #@ v.$0\n",
        "#@ v = data.values.db\n#@ v = data.values.service\na: #@ v.po$0\n",
        "#@ def f(s):\na: #@ s.$0\n#@ end\nb: #@ f(data.values.service)\n",
        "#@ if data.values.service.$0",
    ] {
        assert_eq!(labels(&format!("{LOAD}{template}")), ["port", "host", "my-key", "ports"], "{template}");
    }
    for template in [
        "#@ for p in data.values.service.ports:\na: #@ p.$0\n#@ end\n",
        "a: #@ [p.$0 for p in data.values.service.ports]\n",
        "#@ for/end i, p in enumerate(data.values.service.ports):\na: #@ p.n$0\n",
        "a: #@ data.values.service.ports[0].$0\n",
        "#@yaml/text-templated-strings\na: \"x (@= data.values.service.ports[0].$0 @)\"\n",
        "#@yaml/text-templated-strings\na: x (@= data.values.service.ports[0].n$0\n",
    ] {
        assert_eq!(labels(&format!("{LOAD}{template}")), ["name", "number"], "{template}");
    }
}

#[test]
fn without_schema_or_module_there_is_nothing_to_say() {
    let fixture = open(&format!("#- app.yml\n{LOAD}a: #@ data.values.$0\n"));
    assert!(fixture.completions(false).is_empty());
    assert!(labels("a: #@ data.values.$0\n").is_empty());
    assert!(labels(&format!("{LOAD}a: #@ \"data.values.$0\"\n")).is_empty());
}

#[test]
fn modules_and_their_members() {
    let found = labels("#@ load(\"$0\")\n");
    assert!(found.contains(&"@ytt:overlay".to_owned()) && found.contains(&"@ytt:data".to_owned()), "{found:?}");
    assert_eq!(labels("#@ load(\"@ytt:json\", \"$0\")\n"), ["json"]);
    assert_eq!(labels("#@ load(\"@ytt:json\", \"json\")\na: #@ json.$0\n"), ["encode", "decode"]);
    assert_eq!(labels("#@ load(\"@ytt:json\", j=\"json\")\na: #@ j.enc$0\n"), ["encode", "decode"]);
    assert!(labels(&format!("{LOAD}a: #@ data.values.service.host.$0\n")).contains(&"split".to_owned()));
    assert!(labels("a: #@ \"{}\".$0\n").contains(&"format".to_owned()));
    assert!(labels("#@ l = []\n#@ l.$0\n").contains(&"append".to_owned()));
}

#[test]
fn names_in_scope_come_first() {
    let found = labels("#@ load(\"f.lib.yml\", \"labels\")\n#@ top = 1\n#@ def f(a, b=2):\n#@ c = a + $0\n#@ end\n");
    assert_eq!(found[..4], ["a", "b", "c", "labels"].map(str::to_owned), "{found:?}");
    assert!(found.contains(&"top".to_owned()) && found.contains(&"f".to_owned()) && found.contains(&"len".to_owned()));
    assert!(labels("#@ def $0\n").is_empty() || !labels("#@ x = 1\na: #@ $0\n").contains(&"return".to_owned()));
}

#[test]
fn names_of_another_file() {
    let library =
        "#- lib/f.lib.yml\n#! Labels of everything.\n#@ def labels(app, extra={}):\na: 1\n#@ end\n#@ _private = 1\n";
    let file = |what: &str| open(&format!("{library}#- app.yml\n#@ load({what})\n"));
    let fixture = file("\"lib/f.lib.yml\", \"$0\"");
    let found = fixture.completions(false);
    assert_eq!(found.len(), 1, "{found:?}");
    assert_eq!(found[0].detail.as_deref(), Some("labels(app, extra={})"));
    let about = found[0].documentation(&fixture.snapshot, Markup::Plain);
    assert_eq!(about.as_deref(), Some("Labels of everything."));
    assert!(file("\"$0\"").completions(false).iter().any(|item| item.label == "lib/f.lib.yml"));
}

#[test]
fn annotations_keep_their_own_completion() {
    let found = labels("#@$0\na: 1\nb: #@ 1\n");
    assert!(found.iter().any(|label| label.starts_with("overlay/")), "{found:?}");
    let found = labels("#@overlay/match $0\na: 1\n");
    assert!(found.contains(&"missing_ok=".to_owned()), "{found:?}");
}

#[test]
fn calls_offer_the_arguments_that_are_missing() {
    let library = "#- f.lib.yml\n#@ def labels(app, tier=1, *rest, **more):\n#@ end\n";
    let found = |code: &str| {
        let load = "#@ load(\"f.lib.yml\", \"labels\")\n#@ load(\"@ytt:json\", \"json\")\n";
        let fixture = open(&format!("{library}#- app.yml\n{load}a: #@ {code}\n"));
        let items = fixture.completions(false).into_iter().map(|item| item.label);
        items.filter(|label| label.ends_with('=')).collect::<Vec<_>>()
    };
    assert_eq!(found("labels($0"), ["app=", "tier="]);
    assert_eq!(found("labels(1, ti$0)"), ["tier="]);
    assert_eq!(found("labels(tier=2, $0)"), ["app="]);
    assert_eq!(found("json.encode(1, $0"), ["indent=", "escape_html="]);
    assert!(found("labels([$0").is_empty() && found("labels(1 + $0").is_empty() && found("other($0").is_empty());
}

#[test]
fn arguments_of_annotations_are_expressions() {
    let found = |line: &str| labels(&format!("#@ value = 1\n{line}\na: 1\n"));
    for line in
        ["#@overlay/match by=$0", "#@schema/default $0", "#@schema/validation (\"x\", val$0", "#@schema/desc va$0l"]
    {
        assert!(found(line).contains(&"value".to_owned()), "{line}: {:?}", found(line));
    }
    for line in ["#@overlay/match $0", "#@overlay/match missing_ok=$0", "#@schema/desc \"$0", "#@schema/nullable $0"] {
        assert!(!found(line).contains(&"value".to_owned()), "{line}: {:?}", found(line));
    }
    assert_eq!(found("#@schema/type $0")[0], "any=");
}

#[test]
fn a_module_that_is_not_loaded_is_loaded_with_its_member() {
    let fixture = open("#- app.yml\n#@ load(\"@ytt:data\", \"data\")\na: #@ json.en$0\n");
    let items = fixture.completions(false);
    assert_eq!(
        fixture.accept(&items[0]),
        "#@ load(\"@ytt:data\", \"data\")\n#@ load(\"@ytt:json\", \"json\")\na: #@ json.encode\n"
    );
    let fixture = open("#- f.star\nx = json.$0\n");
    assert_eq!(fixture.accept(&fixture.completions(false)[0]), "load(\"@ytt:json\", \"json\")\nx = json.encode\n");
    // The name has a different meaning.
    assert!(labels("#@ json = other()\na: #@ json.$0\n").is_empty());
}

#[test]
fn rules_of_a_schema_know_what_they_get() {
    let found = |rule: &str| {
        let schema = format!(
            "#- schema.yml\n#@data/values-schema\n---\ntls: true\ndb:\n  #@schema/validation {rule}\n  host: \"\"\n  port: 1\n"
        );
        let labels: Vec<String> = open(&schema).completions(false).into_iter().map(|item| item.label).collect();
        labels.into_iter().take(2).collect::<Vec<_>>()
    };
    assert_eq!(found("(\"x\", lambda v: v), when=lambda v, ctx: ctx.$0"), ["parent", "root"]);
    assert_eq!(found("(\"x\", lambda v: v), when=lambda v, ctx: ctx.root[\"$0\"]"), ["tls", "db"]);
    assert_eq!(found("(\"x\", lambda v: v), when=lambda v, ctx: ctx.parent[\"$0"), ["host", "port"]);
    assert_eq!(found("(\"x\", lambda v: v.$0"), ["capitalize", "codepoint_ords"]);
    assert!(found("(\"x\", lambda v: v[\"$0").is_empty(), "text has no keys");
    assert!(found("(\"x\", lambda v: other.$0").is_empty());
}

#[test]
fn statements_begin_with_what_is_open_above() {
    for (text, possible) in [
        ("#@ $0\na: 1\n", vec![]),
        ("#@ if x:\na: 1\n#@ $0\n", vec!["end", "elif", "else"]),
        ("#@ for x in y:\n#@ if x:\n#@ $0\n", vec!["end", "elif", "else", "break", "continue"]),
        ("#@ if x:\na: 1\n#@ end\n#@ $0\n", vec![]),
        ("#@ if/end x:\na: 1\n#@ $0\n", vec![]),
        ("#@ for x in y:\n#@ def f():\n#@ $0\n", vec!["end", "return"]),
        ("#- a.star\ndef f():\n  if x:\n    $0\n", vec!["end", "elif", "else", "return"]),
    ] {
        let found = labels(text);
        let words = ["end", "elif", "else", "return", "break", "continue"];
        let offered: Vec<&str> = words.into_iter().filter(|word| found.iter().any(|label| label == word)).collect();
        assert_eq!(offered, possible, "{text}: {found:?}");
    }
    assert!(labels("a: #@ 1 if x $0\n").contains(&"else".to_owned()));
}

#[test]
fn files_of_private_libraries() {
    let library = "#- _ytt_lib/redis/redis.lib.yml\n#@ def image(tag):\n---\na: 1\n#@ end\n#- _ytt_lib/redis/part/more.star\nx = 1\n#- _ytt_lib/redis/_ytt_lib/inner/inner.star\ny = 1\n";
    let found = |what: &str| {
        let items = open(&format!("{library}#- app.yml\n#@ load({what})\n")).completions(false);
        let own = items.into_iter().map(|item| item.label).filter(|label| !label.starts_with("@ytt:"));
        own.collect::<Vec<_>>()
    };
    let files = ["@redis:part/more.star", "@redis:redis.lib.yml"];
    assert_eq!(found("\"@$0\""), files);
    assert_eq!(found("\"@redis:$0\""), files);
    assert_eq!(found("\"@redis:redis.lib.yml\", \"$0\""), ["image"]);
    assert_eq!(found("\"@redis:/part/more.star\", \"$0\""), ["x"]);
    assert_eq!(found("\"@other:redis.lib.yml\", \"$0\""), Vec::<String>::new());
    // Beside the file, and not beside another one.
    let items = open(&format!("{library}#- sub/app.yml\n#@ load(\"@$0\")\n")).completions(false);
    assert!(items.iter().all(|item| !item.label.starts_with("@redis")), "{items:?}");
}

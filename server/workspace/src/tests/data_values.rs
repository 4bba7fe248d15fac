use crate::fixture::{Fixture, checked_again};
use expect_test::expect;

const SCHEMA: &str = "#- schema.yml
#@data/values-schema
---
service:
  port: 80
  host: ''
  #@schema/type any=True
  extra: {}
  ports:
  - name: ''
#@schema/nullable
db:
  user: ''
";

fn diagnostics(template: &str) -> String {
    let fixture = Fixture::scanned(&format!("{SCHEMA}#- app.yml\n#@ load(\"@ytt:data\", \"data\")\n{template}"));
    fixture.diagnostics("app.yml")
}

#[test]
fn keys_that_code_reads_are_declared() {
    let found = diagnostics(
        "a: #@ data.values.service.prot\nb: #@ data.values[\"servce\"].port\n#@ v = data.values.service\n#@ if v.hots:\n\
         c: #@ getattr(v, \"nam\")\n#@ end\n#@ for p in v.ports:\nd: #@ p.nmae\n#@ end\ne: #@ data.values.db.pass\n\
         f: #@ data.values.db.user\n",
    );
    expect![[r#"
        2:27 ytt/unknown-data-value `prot` is not declared in the schema of `data.values.service`
        3:20 ytt/unknown-data-value `servce` is not declared in the schema of `data.values`
        5:9 ytt/unknown-data-value `hots` is not declared in the schema of `data.values.service`
        6:19 ytt/unknown-data-value `nam` is not declared in the schema of `data.values.service`
        9:9 ytt/unknown-data-value `nmae` is not declared in the schema of `data.values.service.ports[]`
        11:22 ytt/unknown-data-value `pass` is not declared in the schema of `data.values.db`
        12:22 ytt/nullable-data-value `data.values.db` may be null, and null has no `user`
    "#]]
    .assert_eq(&found);
}

#[test]
fn what_is_not_certain_is_not_reported() {
    let found = diagnostics(
        "#@ v = data.values.service\n#@ v = data.values.db\na: #@ v.what\nb: #@ data.values.service.extra.any.thing\n\
         c: #@ data.values.serv.\nd: #@ data.values.service.port.x\n#@ if hasattr(data.values, \"maybe\"):\n\
         e: #@ data.values.maybe\n#@ end\nf: #@ getattr(data.values, \"perhaps\", 1)\ng: #@ other.values.x\n\
         #@ def f(data): return data.values.x\n",
    );
    expect![[r#"
        6:19 ytt/unknown-data-value `serv` is not declared in the schema of `data.values`
        6:23 ytt/code-syntax a name is missing after `.`
    "#]]
    .assert_eq(&found);
}

#[test]
fn sets_that_disagree_are_not_reported_and_libraries_are_others_business() {
    let fixture = Fixture::scanned(
        "#- lofting.toml
[sets.dev]
files = ['dev.yml', 'app.yml', 'f.lib.yml']
[sets.prod]
files = ['prod.yml', 'app.yml']
#- dev.yml
#@data/values-schema
---
port: 80
#- prod.yml
#@data/values-schema
---
host: ''
#- f.lib.yml
#@ load(\"@ytt:data\", \"data\")
#@ def f(): return data.values.nothing
#- app.yml
#@ load(\"@ytt:data\", \"data\")
a: #@ data.values.port
b: #@ data.values.host
c: #@ data.values.neither
",
    );
    expect![[r#"
        4:19 ytt/unknown-data-value `neither` is not declared in the schema of `data.values`
    "#]]
    .assert_eq(&fixture.diagnostics("app.yml"));
    assert_eq!(fixture.diagnostics("f.lib.yml"), "");
}

#[test]
fn an_edit_of_the_schema_changes_what_templates_may_read() {
    let mut fixture = Fixture::scanned(&format!("{SCHEMA}#- app.yml\n"));
    fixture.open("schema.yml", "#@data/values-schema\n---\nport: 80\n");
    let app = fixture.open("app.yml", "#@ load(\"@ytt:data\", \"data\")\na: #@ data.values.port\n");
    assert_eq!(fixture.diagnostics("app.yml"), "");
    let before = fixture.workspace.snapshot();
    fixture.edit("schema.yml", "port", "prot");
    let after = fixture.workspace.snapshot();
    assert_eq!(checked_again(&before, &after, &[app]), [app]);
    assert!(after.dependants(fixture.id("schema.yml")).contains(&app));
    assert!(fixture.diagnostics("app.yml").contains("`port` is not declared"));
}

use super::workspace_symbols;
use crate::fixture::open;
use expect_test::{Expect, expect};
use lofting_workspace::CancelFlag;

const FILES: &str = "#- config/schema.yml
#@data/values-schema
---
db:
  host: \"\"
  port: 1
hosts:
- name: \"\"
  port: 0
#- config/app.yml
#@ def db_port():
#@   return 1
#@ end
port: #@ db_port()
#- lib/names.star
def host_name():
  pass
end
#- lofting.toml
[sets.production]
files = [\"config\"]
#- web.yml
apiVersion: openchoreo.dev/v1alpha1
kind: ComponentType
metadata:
  name: web-service
spec:
  schema:
    parameters:
      replicas: integer
";

#[track_caller]
fn check(query: &str, expected: Expect) {
    check_in(FILES, query, expected);
}

#[track_caller]
fn check_in(files: &str, query: &str, expected: Expect) {
    let fixture = open(files);
    let mut out = String::new();
    for symbol in workspace_symbols(&fixture.snapshot, query, &CancelFlag::new()) {
        let text = fixture.snapshot.text(symbol.span.file).to_string();
        let path = fixture.snapshot.shown_path(symbol.span.file);
        out += &format!("{} {:?} {path} {:?}\n", symbol.name, symbol.kind, &text[symbol.span.range()]);
    }
    expected.assert_eq(&out);
}

#[test]
fn by_path_and_letters() {
    check(
        "port",
        expect![[r#"
        db_port Function config/app.yml "db_port"
        db.port SchemaKey config/schema.yml "port"
        hosts[].port SchemaKey config/schema.yml "port"
    "#]],
    );
    check(
        "dbport",
        expect![[r#"
        db_port Function config/app.yml "db_port"
        db.port SchemaKey config/schema.yml "port"
    "#]],
    );
    check(
        "Host",
        expect![[r#"
        db.host SchemaKey config/schema.yml "host"
        hosts SchemaKey config/schema.yml "hosts"
        host_name Function lib/names.star "host_name"
        hosts[].name SchemaKey config/schema.yml "name"
        hosts[].port SchemaKey config/schema.yml "port"
    "#]],
    );
    check(
        "prod",
        expect![[r#"
        production InputSet lofting.toml "production"
    "#]],
    );
    check(
        "web",
        expect![[r#"
        web-service Document("ComponentType") web.yml "web-service"
    "#]],
    );
    check("nothing", expect![[""]]);
}

#[test]
fn half_typed_and_without_schema() {
    check_in(
        "#@data/values-schema\n---\na:\n  b: [\nc",
        "",
        expect![[r#"
        a SchemaKey values.yml "a"
        a.b SchemaKey values.yml "b"
    "#]],
    );
    check_in(
        "#@ def \n#@ def f(\na: 1\n",
        "",
        expect![[r#"
        f Function values.yml "f"
    "#]],
    );
    check_in("a: 1\n", "a", expect![[""]]);
}

#[test]
fn resources_of_any_kind() {
    let resources = "#- all.yaml
apiVersion: apps/v1
kind: Deployment
metadata: {name: 'boat-web'}
---
apiVersion: v1
kind: Pod
metadata: {name: boat-crew}
---
apiVersion: v1
kind: List
items:
- apiVersion: example.com/v1
  kind: Boat
  metadata: {name: boat-own}
";
    check_in(
        resources,
        "boat",
        expect![[r#"
        boat-web Document("Deployment") all.yaml "boat-web"
        boat-own Document("Boat") all.yaml "boat-own"
        boat-crew Document("Pod") all.yaml "boat-crew"
    "#]],
    );
}

use crate::fixture::{Fixture, strings};
use crate::settings::{SchemaSetting, SettingName, Settings};
use crate::{CancelFlag, Workspace};
use expect_test::{Expect, expect};

fn check(text: &str, expect: Expect) {
    expect.assert_eq(&Fixture::scanned(text).explain());
}

const SCHEMA: &str = "#@data/values-schema\n---\nport: 80\n";

#[test]
fn rule_1_modeline() {
    check(
        "#- schemas/app.yml
#@data/values-schema
---
port: 80
#- a/config.yml
# lofting: schema=../schemas/app.yml
port: 1
#- a/from-root.yml
#! yaml-language-server: $schema=schemas/app.yml
port: 1
#- a/json.yml
# yaml-language-server: $schema=https://example.com/x.json
port: 1
#- a/missing.yml
#! lofting: schema=nope.yml
port: 1
#- a/directory.yml
#! lofting: schema=../schemas
port: 1
#- a/empty-directory.yml
#! lofting: schema=.
port: 1
#- a/no-schema.yml
#! lofting: schema=config.yml
port: 1
",
        expect![[r#"
            a/config.yml PlainValues [schemas/app.yml plain]A comment at the top of the file names the schema `../schemas/app.yml`.
            a/directory.yml PlainValues [schemas/app.yml plain]A comment at the top of the file names the schema `../schemas`.
            a/empty-directory.yml PlainValues [schemas/app.yml plain]A comment at the top of the file names the schema `.`.
            a/from-root.yml PlainValues [schemas/app.yml plain]A comment at the top of the file names the schema `schemas/app.yml`.
            a/json.yml Other Its modeline names the JSON Schema `https://example.com/x.json`. It cannot be read: nothing is fetched, and this URL has no mirror folder.
            a/missing.yml Other A comment at the top of the file names the schema `nope.yml`, but there is no such file.
            a/no-schema.yml Other A comment at the top of the file names the schema `config.yml`, but that file has no `#@data/values-schema` document.
            schemas/app.yml Schema [schemas/app.yml]This file contains the schema itself (`#@data/values-schema`).
        "#]],
    );
}

#[test]
fn rule_2_sets_of_the_configuration() {
    check(
        "#- lofting.toml
[sets.dev]
files = ['base', 'dev.yml']
values = ['envs/*.yml']
[sets.prod]
files = ['base']
values = ['prod.yml']
#- base/schema.yml
#@data/values-schema
---
port: 80
#- base/values.yml
#@data/values
---
port: 81
#- base/plain-values.yml
port: 81
#- dev.yml
#@data/values-schema
#@overlay/match-child-defaults missing_ok=True
---
debug: true
#- prod.yml
port: 82
#- envs/a.yml
port: 82
#- other/values.yml
port: 1
",
        expect![[r#"
            base/plain-values.yml Other It is given to ytt as an input, but has no data values: it is a template, or ytt passes it on unchanged.
            base/schema.yml Schema [base/schema.yml dev.yml] [base/schema.yml]This file contains the schema itself (`#@data/values-schema`).
            base/values.yml DataValues [base/schema.yml dev.yml] [base/schema.yml]It belongs to the input sets `dev`, `prod` of lofting.toml, whose schema is in `base/schema.yml`, `dev.yml`.
            dev.yml Schema [base/schema.yml dev.yml]This file contains the schema itself (`#@data/values-schema`).
            envs/a.yml PlainValues [base/schema.yml dev.yml plain]It belongs to the input set `dev` of lofting.toml, whose schema is in `base/schema.yml`, `dev.yml`.
            lofting.toml Configuration It is Lofting's configuration.
            other/values.yml PlainValues [dev.yml plain]Its name or directory says that it contains values, and the nearest schema going up is in `.`: `dev.yml`.
            prod.yml PlainValues [base/schema.yml plain]It belongs to the input set `prod` of lofting.toml, whose schema is in `base/schema.yml`.
        "#]],
    );
}

#[test]
fn rule_3_settings() {
    let settings = Settings {
        schemas: vec![
            SchemaSetting {
                schema: "https://example.com/x.json".to_owned(),
                files: strings(&["*"]),
                setting: SettingName::Yaml,
            },
            SchemaSetting {
                schema: "s/app.yml".to_owned(),
                files: strings(&["conf/*.yml", "app.yaml"]),
                setting: SettingName::Yaml,
            },
        ],
        ..Settings::default()
    };
    let mut fixture = Fixture::new(
        "#- s/app.yml
#@data/values-schema
---
port: 80
#- deep/conf/x.yml
port: 1
#- app.yaml
port: 1
#- other.yml
port: 1
",
        settings,
    );
    fixture.workspace.scan(&mut |_| {}, &CancelFlag::new());
    expect![[r#"
        app.yaml PlainValues [s/app.yml plain]The setting `yaml.schemas` gives files that match `app.yaml` the schema `s/app.yml`.
        deep/conf/x.yml PlainValues [s/app.yml plain]The setting `yaml.schemas` gives files that match `conf/*.yml` the schema `s/app.yml`.
        other.yml Other Nothing gives it a schema: neither a comment in it, nor `lofting.toml`, nor a setting, nor its name. Nor does it say that it holds data values for ytt.
        s/app.yml Schema [s/app.yml]This file contains the schema itself (`#@data/values-schema`).
    "#]]
    .assert_eq(&fixture.explain());
    fixture.workspace.set_settings(Settings::default());
    assert!(fixture.explain().contains("app.yaml Other Nothing gives it a schema"));
}

#[test]
fn rule_4_annotated_values_and_rule_6_values_by_place() {
    check(
        "#- config/schema.yml
#@data/values-schema
---
port: 80
#- config/anything.yml
#@data/values
---
port: 81
#- config/deployment.yml
port: #@ data.values.port
#- config/functions.lib.yml
#@ def x():
a: 1
#@ end
#- deep/er/staging.yml
#@data/values
---
port: 82
#- deep/values/prod.yml
port: 83
#- deep/my-values.yaml
port: 84
#- deep/plain.yml
port: 85
#- deep/values/service.yml
apiVersion: v1
kind: Service
#- chart/Chart.yaml
name: x
#- chart/values.yaml
port: 1
#- app2/schema/s.yml
#@data/values-schema
---
name: ''
#- app2/values.yml
name: x
",
        expect![[r#"
            app2/schema/s.yml Schema [app2/schema/s.yml]This file contains the schema itself (`#@data/values-schema`).
            app2/values.yml PlainValues [app2/schema/s.yml plain]Its name or directory says that it contains values, and the nearest schema going up is in `app2/schema`: `app2/schema/s.yml`.
            chart/Chart.yaml Other Nothing gives it a schema: neither a comment in it, nor `lofting.toml`, nor a setting, nor its name. Nor does it say that it holds data values for ytt.
            chart/values.yaml Other It holds the values of a Helm chart (a `Chart.yaml` is beside it), which has no `values.schema.json`.
            config/anything.yml DataValues [config/schema.yml]It is annotated `#@data/values`, and the nearest schema going up is in `config`: `config/schema.yml`.
            config/deployment.yml Template It is a ytt template: no schema governs it as a whole. What it renders has to fit those of its resources.
            config/functions.lib.yml Library It is a library file (`*.lib.yml`): ytt never looks into it for schema or data values.
            config/schema.yml Schema [config/schema.yml]This file contains the schema itself (`#@data/values-schema`).
            deep/er/staging.yml DataValues [config/schema.yml]It is annotated `#@data/values`, and the nearest schema going up is in `config`: `config/schema.yml`.
            deep/my-values.yaml PlainValues [config/schema.yml plain]Its name or directory says that it contains values, and the nearest schema going up is in `config`: `config/schema.yml`.
            deep/plain.yml Other Nothing gives it a schema: neither a comment in it, nor `lofting.toml`, nor a setting, nor its name. Nor does it say that it holds data values for ytt.
            deep/values/prod.yml PlainValues [config/schema.yml plain]Its name or directory says that it contains values, and the nearest schema going up is in `config`: `config/schema.yml`.
            deep/values/service.yml Other It is a resource (`apiVersion` and `kind` at the top) of a kind that no schema is known for: Kubernetes has none, nor has a definition or bundle of the workspace. Add its CustomResourceDefinition, or name a bundle with its schema in `lofting.toml`: `[[schemas]]` with `kubernetes`.
        "#]],
    );
}

#[test]
fn rule_5_private_libraries_have_their_own_schema() {
    check(
        "#- config/schema.yml
#@data/values-schema
---
port: 80
#- config/for-library.yml
#@library/ref '@app'
#@data/values
---
name: x
#- config/_ytt_lib/app/config/schema.yml
#@data/values-schema
---
name: ''
#- config/_ytt_lib/app/values.yml
#@data/values
---
name: x
#- config/_ytt_lib/github.com/org/lib/values.yml
#@data/values
---
name: x
#- config/_ytt_lib/app/_ytt_lib/inner/schema.yml
#@data/values-schema
---
inner: 1
",
        expect![[r#"
            config/_ytt_lib/app/_ytt_lib/inner/schema.yml Schema [config/_ytt_lib/app/_ytt_lib/inner/schema.yml]This file contains the schema itself (`#@data/values-schema`).
            config/_ytt_lib/app/config/schema.yml Schema [config/_ytt_lib/app/config/schema.yml]This file contains the schema itself (`#@data/values-schema`).
            config/_ytt_lib/app/values.yml DataValues [config/_ytt_lib/app/config/schema.yml]It belongs to the private library `app`, whose schema is in `config/_ytt_lib/app/config/schema.yml`.
            config/_ytt_lib/github.com/org/lib/values.yml DataValues It belongs to the private library `github.com/org/lib`, which has no schema.
            config/for-library.yml DataValues [config/_ytt_lib/app/config/schema.yml]It is for the private library `config/_ytt_lib/app` (`#@library/ref`, `@library:`), whose schema is in `config/_ytt_lib/app/config/schema.yml`.
            config/schema.yml Schema [config/schema.yml]This file contains the schema itself (`#@data/values-schema`).
        "#]],
    );
}

#[test]
fn several_schemas_in_one_directory() {
    check(
        "#- together/1.yml
#@data/values-schema
---
port: 80
#- together/2.yml
#@data/values-schema
#@overlay/match-child-defaults missing_ok=True
---
host: ''
#- together/values.yml
port: 1
#- apart/a.yml
#@data/values-schema
---
port: 80
#- apart/b.yml
#@data/values-schema
---
host: ''
#- apart/values.yml
port: 1
",
        expect![[r#"
            apart/a.yml Schema [apart/a.yml]This file contains the schema itself (`#@data/values-schema`).
            apart/b.yml Schema [apart/b.yml]This file contains the schema itself (`#@data/values-schema`).
            apart/values.yml Other The nearest schemas are in `apart`, but they do not fit together (`apart/a.yml`, `apart/b.yml`): say in lofting.toml which files belong together.
            together/1.yml Schema [together/1.yml together/2.yml]This file contains the schema itself (`#@data/values-schema`).
            together/2.yml Schema [together/1.yml together/2.yml]This file contains the schema itself (`#@data/values-schema`).
            together/values.yml PlainValues [together/1.yml together/2.yml plain]Its name or directory says that it contains values, and the nearest schema going up is in `together`: `together/1.yml`, `together/2.yml`.
        "#]],
    );
}

#[test]
fn names_decide_nothing() {
    check(
        "#- schema.yml
port: 80
#- values.yaml
#@data/values-schema
---
port: 80
#- schema.lib.yml
#@data/values-schema
---
port: 80
#- notes.yml
text: |
  #@data/values-schema
",
        expect![[r#"
            notes.yml Other Nothing gives it a schema: neither a comment in it, nor `lofting.toml`, nor a setting, nor its name. Nor does it say that it holds data values for ytt.
            schema.lib.yml Library [schema.lib.yml]This file contains the schema itself (`#@data/values-schema`).
            schema.yml Other Nothing gives it a schema: neither a comment in it, nor `lofting.toml`, nor a setting, nor its name. Nor does it say that it holds data values for ytt.
            values.yaml Schema [values.yaml]This file contains the schema itself (`#@data/values-schema`).
        "#]],
    );
}

#[test]
fn going_up_ends_at_the_workspace_root() {
    let fixture = Fixture::new("#- schema.yml\n#@data/values-schema\n---\nport: 80\n", Settings::default());
    fixture.write("inner/values.yml", "port: x\n");
    let mut workspace = Workspace::new(vec![fixture.path("inner")], Settings::default());
    workspace.scan(&mut |_| {}, &CancelFlag::new());
    let snapshot = workspace.snapshot();
    let id = snapshot.file(&fixture.path("inner/values.yml")).unwrap();
    assert!(snapshot.association(id).schema.is_none());
}

#[test]
fn each_folder_of_a_workspace_is_its_own() {
    let fixture = Fixture::new("", Settings::default());
    fixture.write("a/schema.yml", SCHEMA);
    fixture.write("a/values.yml", "port: 1\n");
    fixture.write("b/values.yml", "port: 1\n");
    fixture.write("b/sub/schema.yml", SCHEMA);
    fixture.write("b/sub/values.yml", "port: 1\n");
    let mut workspace = Workspace::new(vec![fixture.path("a"), fixture.path("b")], Settings::default());
    workspace.scan(&mut |_| {}, &CancelFlag::new());
    let snapshot = workspace.snapshot();
    let schema = |path: &str| {
        let id = snapshot.file(&fixture.path(path)).unwrap();
        snapshot.association(id).schema.as_ref().map(|schema| snapshot.path(schema.state.files[0]).to_owned())
    };
    assert_eq!(schema("a/values.yml"), Some(fixture.path("a/schema.yml")));
    assert_eq!(schema("b/values.yml"), None);
    assert_eq!(schema("b/sub/values.yml"), Some(fixture.path("b/sub/schema.yml")));
}

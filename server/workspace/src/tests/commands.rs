use crate::fixture::Fixture;
use crate::{CancelFlag, Settings};
use expect_test::expect;

const SCHEMA: &str = "#@data/values-schema
---
port: 80
";

#[test]
fn commands_give_input_sets() {
    let fixture = Fixture::scanned(&format!(
        "#- Makefile
dev:
\tytt -f config -f envs/dev.yml
release:
\tytt -f config --data-values-file settings/$(STAGE).yml
#- config/base.yml
{SCHEMA}#- envs/dev.yml
#@data/values
---
port: x
#- settings/one.yml
port: y
#- settings/two.yml
prot: 1
#- settings/readme.txt
x
"
    ));
    expect![[r#"
        config/base.yml Schema [config/base.yml]This file contains the schema itself (`#@data/values-schema`).
        envs/dev.yml DataValues [config/base.yml]It is an input of `ytt -f config -f envs/dev.yml` (Makefile:2), whose schema is in `config/base.yml`.
        settings/one.yml PlainValues [config/base.yml plain]It is an input of `ytt -f config --data-values-file settings/$STAGE.yml` (Makefile:4), whose schema is in `config/base.yml`.
        settings/readme.txt Other ytt looks for schema and data values only in files named `*.yml` or `*.yaml`.
        settings/two.yml PlainValues [config/base.yml plain]It is an input of `ytt -f config --data-values-file settings/$STAGE.yml` (Makefile:4), whose schema is in `config/base.yml`.
    "#]].assert_eq(&fixture.explain());
    for (path, expect) in [
        (
            "envs/dev.yml",
            expect![[r#"
            3:7 ytt/type-mismatch `port` should be an integer, but is the string "x"
        "#]],
        ),
        (
            "settings/one.yml",
            expect![[r#"
            1:7 ytt/type-mismatch `port` should be an integer, but is the boolean true
        "#]],
        ),
        (
            "settings/two.yml",
            expect![[r#"
            1:1 ytt/undeclared-key `prot` is not declared in the schema of the document
        "#]],
        ),
    ] {
        expect.assert_eq(&fixture.diagnostics(path));
    }
}

#[test]
fn commands_run_where_their_inputs_are() {
    let fixture = Fixture::scanned(&format!(
        "#- hack/build.sh
cd \"$(dirname \"$0\")/..\"
ytt -f deploy/config --data-values-file prod.yml
#- .github/workflows/ci.yml
jobs:
  x:
    steps:
    - run: ytt -f deploy/config -f ci.yml
#- deploy/config/schema.yml
{SCHEMA}#- prod.yml
port: x
#- ci.yml
#@data/values
---
port: x
#- pkg/package.yml
apiVersion: data.packaging.carvel.dev/v1alpha1
kind: Package
spec: {{template: {{spec: {{template: [{{ytt: {{paths: [config, defaults.yml]}}}}]}}}}}}
#- pkg/bundle/config/schema.yml
{SCHEMA}#- pkg/bundle/defaults.yml
#@data/values
---
port: x
"
    ));
    expect![[r#"
        .github/workflows/ci.yml Other Nothing gives it a schema: neither a comment in it, nor `lofting.toml`, nor a setting, nor its name. Nor does it say that it holds data values for ytt.
        ci.yml DataValues [deploy/config/schema.yml]It is an input of `ytt -f deploy/config -f ci.yml` (.github/workflows/ci.yml:4), whose schema is in `deploy/config/schema.yml`.
        deploy/config/schema.yml Schema [deploy/config/schema.yml]This file contains the schema itself (`#@data/values-schema`).
        pkg/bundle/config/schema.yml Schema [pkg/bundle/config/schema.yml]This file contains the schema itself (`#@data/values-schema`).
        pkg/bundle/defaults.yml DataValues [pkg/bundle/config/schema.yml]It is an input of `ytt step of Package` (pkg/package.yml:3), whose schema is in `pkg/bundle/config/schema.yml`.
        pkg/package.yml Other It is a resource (`apiVersion` and `kind` at the top) of a kind that no schema is known for: Kubernetes has none, nor has a definition or bundle of the workspace. Add its CustomResourceDefinition, or name a bundle with its schema in `lofting.toml`: `[[schemas]]` with `kubernetes`.
        prod.yml PlainValues [deploy/config/schema.yml plain]It is an input of `ytt -f deploy/config --data-values-file prod.yml` (hack/build.sh:2), whose schema is in `deploy/config/schema.yml`.
    "#]].assert_eq(&fixture.explain());
}

const INLINE: &str = "#- app.yml
apiVersion: kappctrl.k14s.io/v1alpha1
kind: App
spec:
  template:
  - ytt:
      paths: [config]
      inline:
        paths:
          schema.yml: |
            #@ load('names.star', 'name')
            #@data/values-schema
            ---
            name: #@ name
            #@schema/nullabel
            port: 80
          quoted.yml: \"#@data/values\\n---\\nport: x\\n\"
#- config/values.yml
#@data/values
---
port: y
extra: 1
";

#[test]
fn files_inside_a_kapp_controller_resource_belong_to_its_set() {
    let fixture = Fixture::scanned(INLINE);
    expect![[r#"
        3:7 ytt/type-mismatch `port` should be an integer, but is the boolean true
        4:1 ytt/undeclared-key `extra` is not declared in the schema of the document
    "#]]
    .assert_eq(&fixture.diagnostics("config/values.yml"));
    // Findings in them are at their text; in quoted text only at its beginning.
    expect![[r#"
        14:15 ytt/unknown-annotation ytt does not know the annotation `@schema/nullabel` and ignores it
        16:23 ytt/type-mismatch `port` should be an integer, but is the string "x"
    "#]]
    .assert_eq(&fixture.diagnostics("app.yml"));
    let explained = fixture.explain();
    let line = explained.lines().find(|line| line.starts_with("config/values.yml"));
    expect!["config/values.yml DataValues [app.yml:5/schema.yml]It is an input of `ytt step of App` (app.yml:5), whose schema is in `app.yml:5/schema.yml`."].assert_eq(line.unwrap_or_default());
    // Two steps can each have a file of that name.
    let (app, _) = INLINE.split_once("#- config").unwrap_or_default();
    let second = app
        .split_once("spec:")
        .map_or("", |(_, spec)| spec)
        .replace("[config]", "[other]")
        .replace("port: 80", "more: 80");
    let step = format!("---\napiVersion: kappctrl.k14s.io/v1alpha1\nkind: App\nspec:{second}");
    let twice = INLINE.replace("#- config/values", &format!("{step}#- config/values"));
    let twice = format!("{twice}#- other/values.yml\n#@data/values\n---\nmore: x\n");
    let fixture = Fixture::scanned(&twice);
    expect![[r#"
        3:7 ytt/type-mismatch `port` should be an integer, but is the boolean true
        4:1 ytt/undeclared-key `extra` is not declared in the schema of the document
    "#]]
    .assert_eq(&fixture.diagnostics("config/values.yml"));
    expect![[r#"
        3:7 ytt/type-mismatch `more` should be an integer, but is the string "x"
    "#]]
    .assert_eq(&fixture.diagnostics("other/values.yml"));
    // Files of the cluster are not known.
    let more = INLINE.replace("        paths:\n", "        pathsFrom: [{secretRef: {name: x}}]\n        paths:\n");
    expect![[r#"
        3:7 ytt/type-mismatch `port` should be an integer, but is the boolean true
    "#]]
    .assert_eq(&Fixture::scanned(&more).diagnostics("config/values.yml"));
}

#[test]
fn an_incomplete_command_calls_nothing_undeclared() {
    let fixture = Fixture::scanned(&format!(
        "#- build.sh
ytt -f config -f $EXTRA --data-values-file conf.yml
#- config/schema.yml
{SCHEMA}#- conf.yml
port: x
extra: 1
"
    ));
    expect![[r#"
        1:7 ytt/type-mismatch `port` should be an integer, but is the string "x"
    "#]]
    .assert_eq(&fixture.diagnostics("conf.yml"));
}

#[test]
fn a_changed_makefile_counts() {
    let mut fixture = Fixture::scanned(&format!("#- config/schema.yml\n{SCHEMA}#- conf.yml\nport: x\n"));
    assert_eq!(fixture.diagnostics("conf.yml"), "");
    fixture.write("Makefile", "all:\n\tytt -f config --data-values-file conf.yml\n");
    fixture.workspace.recheck_disk();
    assert_eq!(fixture.diagnostics("conf.yml").lines().count(), 1);
    std::fs::remove_file(fixture.path("Makefile")).unwrap();
    fixture.workspace.disk_changed(&[fixture.path("Makefile")]);
    assert_eq!(fixture.diagnostics("conf.yml"), "");
}

#[test]
fn what_is_written_down_wins_over_what_was_found() {
    let fixture = Fixture::scanned(&format!(
        "#- Makefile
all:
\tytt -f config --data-values-file conf.yml
#- lofting.toml
[sets.app]
files = ['other']
values = ['conf.yml']
#- config/schema.yml
{SCHEMA}#- other/schema.yml
#@data/values-schema
---
port: ''
#- conf.yml
port: x
"
    ));
    assert_eq!(fixture.diagnostics("conf.yml"), "");
}

#[test]
fn a_command_does_not_lead_out_of_the_workspace() {
    let outside = tempfile::tempdir().unwrap();
    std::fs::write(outside.path().join("schema.yml"), "#@data/values-schema\n---\nport: 80\n").unwrap();
    let directory = outside.path().canonicalize().unwrap();
    let fixture = Fixture::scanned(&format!(
        "#- build.sh\nytt -f config -f {0}/schema.yml --data-values-file other.yml --data-value-file x={0}/schema.yml\n\
         #- config/a.yml\na: 1\n#- other.yml\nport: x\n",
        directory.display()
    ));
    assert_eq!(fixture.diagnostics("other.yml"), "");
    assert!(fixture.workspace.snapshot().file(&directory.join("schema.yml")).is_none());
}

/// A file that git ignores is not an input of a command over a directory around it, and the walk does not enter it. A
/// command that names it means it.
#[test]
fn what_git_ignores_is_an_input_where_it_is_named() {
    let files = "#- Makefile
all:
\tytt -f .
#- .gitignore
vendor/
#- config/schema.yml
#@data/values-schema
---
port: 80
#- vendor/values.yml
#@data/values
---
port: x
#- vendor/lib/.git/HEAD
ref: x
";
    let mut fixture = Fixture::scanned(files);
    assert!(fixture.workspace.snapshot().file(&fixture.path("vendor/values.yml")).is_none());
    fixture.write("Makefile", "all:\n\tytt -f . -f vendor\n");
    fixture.workspace.disk_changed(&[fixture.path("Makefile")]);
    assert_eq!(fixture.diagnostics("vendor/values.yml").lines().count(), 1);
}

/// A command over a directory with more files than an editor can look at between two keys: its set is made elsewhere, and
/// comes when it is made.
#[test]
fn large_directories_are_listed_elsewhere() {
    let mut fixture = Fixture::new(
        "#- Makefile
all:
\tytt -f config -f vendor
\tytt -f vendor -f config
\tytt -f config -f vendor --data-values-file extra.yml
#- .gitignore
vendor/
#- config/schema.yml
#@data/values-schema
---
port: 80
#- vendor/values.yml
#@data/values
---
port: x
#- extra.yml
port: y
",
        Settings::default(),
    );
    for number in 0..1200 {
        fixture.write(&format!("vendor/{number}.js"), "");
    }
    fixture.workspace.resolve_sets_elsewhere();
    fixture.workspace.scan(&mut |_| {}, &CancelFlag::new());
    assert!(fixture.workspace.snapshot().file(&fixture.path("vendor/values.yml")).is_none());
    assert_eq!(fixture.resolve_sets(), 2, "what is found there is looked at in between");
    assert_eq!(fixture.diagnostics("extra.yml").lines().count(), 1);
    assert_eq!(fixture.diagnostics("vendor/values.yml").lines().count(), 1);
    assert!(fixture.workspace.take_sets_job().is_none(), "nothing changed since");
}

/// What a document opened before the scan makes of such a directory is not walked: the scan is on its way, and leaves out
/// what git ignores.
#[test]
fn nothing_is_listed_that_a_scan_will_come_to() {
    let files = "#- Makefile\nall:\n\tytt -f .\n#- .gitignore\nvendor/\n#- lofting.toml\n[sets.a]\nfiles = ['.']\n\
                 #- values.yml\nport: 1\n#- vendor/values.yml\n#@data/values\n---\nport: x\n";
    let mut fixture = Fixture::new(files, Settings::default());
    for number in 0..1200 {
        fixture.write(&format!("vendor/{number}.js"), "");
    }
    fixture.workspace.resolve_sets_elsewhere();
    fixture.open("lofting.toml", "[sets.a]\nfiles = ['.']\n");
    fixture.open("values.yml", "port: 1\n");
    assert!(fixture.workspace.take_sets_job().is_none());
    fixture.workspace.scan(&mut |_| {}, &CancelFlag::new());
    assert!(fixture.workspace.take_sets_job().is_none());
    assert!(fixture.workspace.snapshot().file(&fixture.path("vendor/values.yml")).is_none());
}

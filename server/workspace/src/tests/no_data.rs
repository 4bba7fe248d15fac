//! Files that only look like data, and values that are not the final ones: nothing is reported about them.

use crate::fixture::Fixture;
use crate::settings::Settings;
use crate::{CancelFlag, check_workspace};

/// Every file below is one that the schemas would refuse, were it data.
const SCHEMAS: &str = r##"#- lofting.toml
[[schemas]]
path = "any.json"
files = ["*.yaml", "*.yml"]
#- any.json
{"type": "object", "properties": {"port": {"type": "integer"}, "name": {"type": "string", "maxLength": 3}}, "additionalProperties": false}
#- crds/box.yaml
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: boxes.example.com}
spec:
  group: example.com
  names: {kind: Box, plural: boxes}
  versions:
  - name: v1
    schema:
      openAPIV3Schema:
        type: object
        required: [spec]
        properties:
          spec: {type: object, required: [size], properties: {size: {type: integer}, name: {type: string, maxLength: 3}}}
"##;

fn explained(file: &str, text: &str) -> String {
    let name = file.rsplit_once(' ').map_or(file, |(name, _)| name);
    let fixture = Fixture::scanned(&format!("{SCHEMAS}{text}"));
    let line = fixture.explain().lines().find(|line| line.starts_with(name)).unwrap_or_default().to_owned();
    format!("{line}\n{}", fixture.diagnostics(name))
}

#[test]
fn templates_and_patches_are_no_data_and_the_reason_is_said() {
    for (file, text, why) in [
        ("a.yaml", "#- a.yaml\nport: {{ .Values.port }}\n", "line 1 has a marker"),
        ("a.yaml", "#- a.yaml\nname: long\n{{- if .Values.x }}\nport: a\n{{- end }}\n", "line 2 has a marker"),
        ("a.yaml", "#- a.yaml\n{% if x %}\nport: a\n{% endif %}\n", "line 1 has a marker"),
        ("a.yaml", "#- a.yaml\nother:\n  - {{ item }}\n", "line 2 has a marker"),
        (
            "c/templates/a.yaml",
            "#- c/Chart.yaml\nport: 1\n#- c/templates/a.yaml\nname: the-{{ .Values.name }}\n",
            "template of a Helm chart",
        ),
        (
            "o/p.yaml",
            "#- o/kustomization.yaml\nport: 1\npatches: [{path: p.yaml}]\n#- o/p.yaml\napiVersion: example.com/v1\nkind: Box\nspec: {}\n",
            "It is a patch;",
        ),
        (
            "o/deep/p.yaml",
            "#- o/kustomization.yaml\npatchesStrategicMerge:\n- deep/p.yaml\n#- o/deep/p.yaml\napiVersion: example.com/v1\nkind: Box\n",
            "It is a patch;",
        ),
        (
            "o/p.yaml",
            "#- o/kustomization.yml\npatchesJson6902:\n- path: ./p.yaml\n#- o/p.yaml\n- {op: remove, path: /a}\n",
            "It is a patch;",
        ),
        (
            "patches/p.yaml",
            "#- overlays/prod/kustomization.yaml\npatches:\n- path: ../../patches/p.yaml\n#- patches/p.yaml\napiVersion: example.com/v1\nkind: Box\n",
            "It is a patch;",
        ),
        (
            "base/p.yaml",
            "#- prod/kustomization.yml\npatchesStrategicMerge: [../base/p.yaml]\n#- base/p.yaml\napiVersion: example.com/v1\nkind: Box\n",
            "It is a patch;",
        ),
        ("p.yaml", "#- p.yaml\napiVersion: example.com/v1\nkind: Box\n$patch: delete\n", "`$patch`"),
        (
            "o/box_patch.yaml",
            "#- o/kustomization.yaml\nresources: []\n#- o/box_patch.yaml\napiVersion: example.com/v1\nkind: Box\n",
            "It is a patch by its name, which o/kustomization.yaml does not apply",
        ),
        (
            "o/patches/box.yaml",
            "#- o/kustomization.yaml\npatches:\n#- path: patches/box.yaml\n#- o/patches/box.yaml\napiVersion: example.com/v1\nkind: Box\n",
            "It is a patch by its name",
        ),
        ("a.yaml", "#- a.yaml\n<% if x %>\nport: a\n<% end %>\n", "line 1 has a marker"),
        ("a.yaml", "#- a.yaml\nname: <%= x ? 'y' : 'z' %>\nport: a\n", "line 1 has a marker"),
    ] {
        let said = explained(file, text);
        assert!(said.contains(why), "{text}\n{said}");
        assert_eq!(said.lines().count(), 1, "{text}\n{said}");
        // A file that nothing of this is about is checked as ever.
        let beside = explained("x/beside.yaml", &format!("{text}#- x/beside.yaml\nport: a\n"));
        assert!(beside.contains("type-mismatch"), "{text}\n{beside}");
    }
}

#[test]
fn markers_in_texts_leave_a_file_data_and_make_their_own_values_unknown() {
    for (text, want) in [
        ("name: \"{{ $labels.instance }}\"\nport: x\n", "2:7"),
        ("name: |\n  {{ $labels.instance }}\nport: 1\n", ""),
        ("name: |\n  {{ $labels.instance }}\nport: x\n", "3:7"),
        ("port: \"{{ port }}\"\n", ""),
        ("nmae: \"{{ port }}\"\n", "1:1"),
        ("port: ${{ inputs.port }}\n", ""),
        ("port: ${{ inputs.port }}\nnmae: x\n", "2:1"),
        ("# {{ x }}\nport: x\n", "2:7"),
    ] {
        let fixture = Fixture::scanned(&format!("{SCHEMAS}#- a.yaml\n{text}"));
        let found = fixture.diagnostics("a.yaml");
        let line = |at: &str| at.split(':').next().unwrap_or_default().to_owned();
        assert_eq!(found.is_empty(), want.is_empty(), "{text}\n{found}");
        assert_eq!(line(&found), line(want), "{text}\n{found}");
    }
}

/// `${PORT}` and the like: a value of any type may be put in their place before the document is read.
#[test]
fn texts_in_which_something_is_put_are_unknown_and_the_others_are_checked() {
    for mark in [
        "${PORT}",
        "${PORT:=80}",
        "$PORT",
        "$(port)",
        "\"$(params.port)\"",
        "$[variables.port]",
        "'{{=inputs.port}}'",
        "\"<< parameters.port >>\"",
        "((port))",
        "\"<%= port %>\"",
        "\"@port@\"",
        "\"#{port}#\"",
        "x${A}y",
        ">-\n  ${PORT}",
    ] {
        for (before, after) in [("", ""), ("x: &x {}\nz: *x\n", "")] {
            let text = format!("#- a.yaml\n{before}port: {mark}\nname: {mark}\n{after}");
            // An alias, so that the document is not checked in its tree.
            let schemas = SCHEMAS.replace("\"port\": {", "\"x\": {}, \"z\": {}, \"port\": {");
            let fixture = Fixture::scanned(&format!("{schemas}{text}"));
            assert_eq!(fixture.diagnostics("a.yaml"), "", "{text}");
            let wrong = format!("{text}nmae: 1\n");
            let fixture = Fixture::scanned(&format!("{schemas}{wrong}"));
            assert_eq!(fixture.diagnostics("a.yaml").lines().count(), 1, "{wrong}");
        }
    }
    for text in ["port: $5\n", "port: a $PORT\n", "port: \"$(date +%s)\"\n", "port: ()\n"] {
        let fixture = Fixture::scanned(&format!("{SCHEMAS}#- a.yaml\n{text}"));
        assert!(fixture.diagnostics("a.yaml").contains("type-mismatch"), "{text}");
    }
    // A key may become any other one, so that it is not known which ones are missing.
    let keys = "apiVersion: example.com/v1\nkind: Box\nspec:\n  ${SIZE_KEY}: 1\n";
    let fixture = Fixture::scanned(&format!("{}#- a.yaml\n{keys}", SCHEMAS.replace("*.yaml", "no.yaml")));
    assert_eq!(fixture.diagnostics("a.yaml"), "");
    // ytt puts nothing there: what is written is the value.
    let ytt = "#- schema.yml\n#@data/values-schema\n---\nport: 1\n#- values.yml\n#@data/values\n---\nport: ${PORT}\n";
    assert!(Fixture::scanned(ytt).diagnostics("values.yml").contains("type-mismatch"));
}

#[test]
fn merge_keys_mean_what_they_mean_outside_of_ytt() {
    for (text, want) in [
        ("x: &x {port: 1}\ny: &y {port: x, name: a}\nz:\n  <<: [*x, *y]\n", ""),
        ("x: &x {port: 1}\ny: &y {port: x, name: a}\nz:\n  <<: [*y, *x]\n", "type-mismatch"),
        ("x: &x {port: x}\nz:\n  <<: *x\n  port: 1\n", ""),
        ("x: &x {port: x}\nz:\n  port: 1\n  <<: *x\n", ""),
        ("x: &x {port: 1}\nz:\n  <<: *x\n  port: x\n", "type-mismatch"),
        ("x: &x {port: 1}\nz:\n  <<: [*x, 3]\n", "merge-value"),
    ] {
        let schema = "{\"properties\": {\"z\": {\"properties\": {\"port\": {\"type\": \"integer\"}}}}}";
        let fixture = Fixture::scanned(&format!(
            "#- z.json\n{schema}\n#- a.yaml\n# yaml-language-server: $schema=z.json\n{text}"
        ));
        let found = fixture.diagnostics("a.yaml");
        assert_eq!(found.is_empty(), want.is_empty(), "{text}\n{found}");
        assert!(found.contains(want) && found.lines().count() <= 1, "{text}\n{found}");
    }
}

/// A catalogue knows only names.
#[test]
fn a_name_that_anything_may_have_gives_no_schema_to_what_it_does_not_describe() {
    for (file, text, is_checked) in [
        ("resume.yaml", "name: x\nport: x\n", true),
        ("resume.yaml", "nmae: x\n", true),
        ("resume.yaml", "release_tracks: [GA]\nrequest: {}\n", false),
        ("resume.yaml", "- port: x\n", false),
        ("tasks/main.yaml", "other: 1\n", false),
        (".github/main.yaml", "other: 1\n", true),
    ] {
        let folder = tempfile::tempdir().expect("a directory");
        let write = |name: &str, text: &str| {
            let path = folder.path().join(name);
            std::fs::create_dir_all(path.parent().expect("a parent")).expect("directories");
            std::fs::write(path, text).expect("a file");
        };
        write(file, text);
        let entry = "\"url\": \"https://x.example/s.json\", \"fileMatch\": [\"resume.yaml\", \"tasks/*.yaml\", \".github/*.yaml\"]";
        write("list.json", &format!("{{\"schemas\": [{{{entry}}}]}}"));
        let properties = "{\"port\": {\"type\": \"integer\"}, \"name\": {\"type\": \"string\"}}";
        write(
            "s.json",
            &format!("{{\"type\": \"object\", \"properties\": {properties}, \"additionalProperties\": false}}"),
        );
        let mirror = crate::Mirror::parse("https://x.example=.", folder.path()).expect("a mirror");
        let catalogue = Some("https://x.example/list.json".to_owned());
        let settings = Settings { catalogue, mirrors: vec![mirror], ..Settings::default() };
        let evaluator: std::sync::Arc<dyn lofting_eval::Evaluator> = std::sync::Arc::new(lofting_eval::NoEvaluator);
        let report =
            check_workspace(folder.path(), &[], settings, evaluator, &CancelFlag::new()).expect("it is checked");
        assert_eq!(report.diagnostics().count() > 0, is_checked, "{file}: {text}");
    }
}

#[test]
fn misspelt_kinds_are_found_where_the_meant_one_is_known() {
    for (text, want) in [
        ("apiVersion: apps/v1\nkind: Deploymnet\n", "2:7 kubernetes/unknown-kind"),
        ("apiVersion: app/v1\nkind: Deployment\n", "1:13 kubernetes/unknown-kind"),
        ("apiVersion: v1\nkind: service\n", "2:7 kubernetes/unknown-kind"),
        ("apiVersion: example.com/v1\nkind: Bix\nspec: {size: 1}\n", "2:7 kubernetes/unknown-kind"),
        ("apiVersion: exmple.com/v1\nkind: Box\nspec: {size: 1}\n", "1:13 kubernetes/unknown-kind"),
        ("apiVersion: apps/v1\nknd: Deployment\nmetadata: {}\n", "2:1 kubernetes/unknown-kind"),
        (
            "kind: List\napiVersion: v1\nitems:\n- apiVersion: batch/v1\n  kind: CornJob\n",
            "5:9 kubernetes/unknown-kind",
        ),
        // The key of the version is misspelt in the only document.
        ("apiVersoin: apps/v1\nkind: Deployment\nmetadata: {}\n", "1:1 kubernetes/unknown-kind"),
        ("apiversion: apps/v1\nkind: Deployment\nspec: {}\n", "1:1 kubernetes/unknown-kind"),
        ("kind: Box\napVersion: example.com/v1\nspec: {size: 1}\n", "2:1 kubernetes/unknown-kind"),
        ("apiVersoin: apps/v1\nkind: Anything\nmetadata: {}\n", ""),
        ("apiVersoin: apps/v1\nkind: Deployment\nname: x\n", ""),
        ("version: apps/v1\nkind: Deployment\nspec: {}\n", ""),
        ("kind: Deployment\nmetadata: {}\nspec: {}\n", ""),
        ("a:\n  apiVersoin: v1\n  kind: Pod\n  metadata: {}\n", ""),
        ("apiVersoin: v1\nkind: Pod\nmetadata:\n  {{- include \"x\" . }}\n", ""),
        ("apiVersion: apps/v1\nkind: Deployment\n", ""),
        // A group without a period cannot have kinds of others.
        ("apiVersion: apps/v1\nkind: Anything\n", "2:7 kubernetes/unknown-kind"),
        ("apiVersion: apps/v2\nkind: Deployment\n", "1:13 kubernetes/unknown-kind"),
        ("apiVersion: v1\nkind: Deployment\nmetadata: {name: a}\n", "1:13 kubernetes/unknown-kind"),
        ("apiVersion: v1\nkind: Ingress\nmetadata: {name: a}\n", "1:13 kubernetes/unknown-kind"),
        ("apiVersion: bogus\nkind: Pod\n", "1:13 kubernetes/unknown-kind"),
        ("apiVersion: v1\nkind: Config\n", ""),
        ("apiVersion: apps/v1\nkind: DeploymentList\n", ""),
        ("apiVersion: skaffold/v4beta1\nkind: Config\n", ""),
        // The only document does not say its kind.
        ("apiVersion: v1\nknid: Pod\nmetadata: {}\n", "2:1 kubernetes/unknown-kind"),
        ("apiVersion: v1\nkind: 5\nmetadata: {}\n", "2:7 kubernetes/unknown-kind"),
        ("apiVersion: v1\nkind: {a: b}\nmetadata: {}\n", "2:7 kubernetes/unknown-kind"),
        ("apiVersion: [x]\nkind: Pod\nmetadata: {}\n", "1:13 kubernetes/unknown-kind"),
        ("kind: Deployment\nmetadata: {name: a}\nspec: {}\n", "1:1 kubernetes/unknown-kind"),
        ("apiVersion: apps/v1\nmetadata: {name: a}\nspec: {}\n", "1:1 kubernetes/unknown-kind"),
        ("kind: Deployment\nmetadata: {name: a}\n", ""),
        ("kind: Anything\nmetadata: {name: a}\nspec: {}\n", ""),
        ("apiVersion: example.org/v1\nmetadata: {name: a}\nspec: {}\n", ""),
        ("apiVersion: v1\nkind:\nmetadata: {}\n", ""),
        ("apiVersion: v1\nkind: ''\nmetadata: {}\n", ""),
        ("apiVersion: 1\nkind: Anything\nmetadata: {}\n", ""),
        ("apiVersion: v2\nknid: chart\nname: x\n", ""),
        ("apiVersion: other.com/v1\nkind: Box\n", ""),
        // The definition in the workspace has the kind in another version.
        ("apiVersion: example.com/v1beta1\nkind: Box\n", "1:13 kubernetes/unknown-kind"),
        ("apiVersion: v2\nname: chart\n", ""),
    ] {
        let fixture = Fixture::scanned(&format!("{}#- a.yaml\n{text}", SCHEMAS.replace("*.yaml", "no.yaml")));
        let found = fixture.diagnostics("a.yaml");
        assert!(found.starts_with(want), "{text}\n{found}");
        assert_eq!(found.lines().count(), usize::from(!want.is_empty()), "{text}\n{found}");
    }
}

#[test]
fn encrypted_values_are_unknown_and_the_others_are_checked() {
    let encrypted = "#- a.yaml
apiVersion: example.com/v1
kind: Box
spec:
  size: ENC[AES256_GCM,data:x,iv:y,tag:z,type:int]
  name: ENC[AES256_GCM,data:x,iv:y,tag:z,type:str]
sops:
  mac: ENC[AES256_GCM,data:x,iv:y,tag:z,type:str]
  version: 3.8.1
";
    let fixture = Fixture::scanned(&format!("{}{encrypted}", SCHEMAS.replace("*.yaml", "no.yaml")));
    assert_eq!(fixture.diagnostics("a.yaml"), "");
    let wrong = encrypted.replace("size: ENC[AES256_GCM,data:x,iv:y,tag:z,type:int]", "size: big");
    let fixture = Fixture::scanned(&format!("{}{wrong}", SCHEMAS.replace("*.yaml", "no.yaml")));
    assert!(fixture.diagnostics("a.yaml").contains("kubernetes/type-mismatch"));
}

#[test]
fn a_pinned_version_in_a_comment_makes_no_template_of_ytt() {
    let text = "#- w.yaml\nname: abcd\nport: 1 #@v1\n";
    let fixture = Fixture::scanned(&format!("{SCHEMAS}{text}"));
    assert!(fixture.diagnostics("w.yaml").contains("max-len"), "{}", fixture.diagnostics("w.yaml"));
}

#[test]
fn a_key_of_openapi_alone_makes_no_description() {
    for (text, is_description) in [
        ("openapi: 3.1.0\nreplicas: 2\n", false),
        ("swagger: \"2.0\"\nimage: nginx\nport: 80\n", false),
        ("openapi: 3.1.0\ninfo: {}\n", true),
        ("openapi: 3.1.0\n", true),
        ("openapi: 3.1.0\ninf\n", true),
        ("openapi: 3.1.0\nservers: 1\npaths: {}\nreplicas: 2\n", true),
    ] {
        let fixture = Fixture::scanned(&format!("#- values.yaml\n{text}"));
        assert_eq!(!fixture.diagnostics("values.yaml").is_empty(), is_description, "{text}");
    }
}

#[test]
fn what_was_asked_for_and_not_found_is_said() {
    let folder = tempfile::tempdir().expect("a directory");
    let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).expect("a file");
    write("a.yaml", "port: 1\n");
    write("list.json", "{\"schemas\": [{\"url\": \"https://x.example/port.json\", \"fileMatch\": [\"a.yaml\"]}]}");
    write("port.json", "{\"properties\": {\"port\": {\"type\": \"string\"}}}");
    write("none.json", "{}");
    write("other.json", "{\"schemas\": [{\"url\": \"https://x.example/gone.json\", \"fileMatch\": [\"a.yaml\"]}]}");
    let check = |catalogue: &str| {
        let mirror = crate::Mirror::parse("https://x.example=.", folder.path()).expect("a mirror");
        let settings = Settings { catalogue: Some(catalogue.to_owned()), mirrors: vec![mirror], ..Settings::default() };
        let evaluator: std::sync::Arc<dyn lofting_eval::Evaluator> = std::sync::Arc::new(lofting_eval::NoEvaluator);
        check_workspace(folder.path(), &[], settings, evaluator, &CancelFlag::new()).expect("it is checked")
    };
    // A folder stands for the URL of the catalogue and for that of its schema.
    let report = check("https://x.example/list.json");
    assert_eq!(report.diagnostics().count(), 1, "{:?}", report.unchecked);
    assert!(report.unchecked.is_empty(), "{:?}", report.unchecked);
    for (catalogue, why) in [
        ("https://x.example/missing.json", "no such file"),
        ("https://x.example/none.json", "not a catalogue"),
        ("https://elsewhere.example/list.json", "nothing is fetched"),
        ("list.json", "should be a URL"),
    ] {
        let report = check(catalogue);
        assert!(report.unchecked.iter().any(|said| said.message.contains(why)), "{catalogue}: {:?}", report.unchecked);
    }
}

/// What most programs take is an error only where a user chose the schema.
#[test]
fn what_most_programs_take_is_no_error_where_a_catalogue_gives_the_schema() {
    let folder = tempfile::tempdir().expect("a directory");
    let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).expect("a file");
    let properties = "{\"a\": {\"type\": \"integer\"}, \"b\": {\"type\": \"boolean\"}, \"c\": {\"type\": \"string\"}}";
    write("s.json", &format!("{{\"properties\": {properties}}}"));
    write("list.json", "{\"schemas\": [{\"url\": \"https://x.example/s.json\", \"fileMatch\": [\"a.yaml\"]}]}");
    for (text, errors, warnings, hints) in [
        ("a:\nb: yes\n", 0, 1, 1),
        ("a: null\nb: \"yes\"\n", 2, 0, 0),
        ("a: x\nb: maybe\n", 2, 0, 0),
        ("c: 1\n", 1, 0, 0),
        ("c: 1.10\n", 1, 0, 0),
        ("c: false\n", 1, 0, 0),
        ("c: [1]\n", 1, 0, 0),
        ("# yaml-language-server: $schema=s.json\na:\nb: off\nc: 1\n", 3, 0, 0),
    ] {
        write("a.yaml", text);
        let mirror = crate::Mirror::parse("https://x.example=.", folder.path()).expect("a mirror");
        let catalogue = Some("https://x.example/list.json".to_owned());
        let settings = Settings { catalogue, mirrors: vec![mirror], ..Settings::default() };
        let evaluator: std::sync::Arc<dyn lofting_eval::Evaluator> = std::sync::Arc::new(lofting_eval::NoEvaluator);
        let report =
            check_workspace(folder.path(), &[], settings, evaluator, &CancelFlag::new()).expect("it is checked");
        let count = |severity| report.diagnostics().filter(|found| found.severity == severity).count();
        use lofting_check::Severity::{Error, Hint, Warning};
        assert_eq!((count(Error), count(Warning), count(Hint)), (errors, warnings, hints), "{text}");
    }
}

/// As Helm does, which compares the values that it has merged.
#[test]
fn the_schema_of_a_chart_governs_its_values() {
    let schema = "{\"required\": [\"name\"], \"properties\": {\"port\": {\"type\": \"integer\"}}, \"additionalProperties\": false}";
    for (file, chart, text, want) in [
        ("c/values.yaml", true, "port: 1\n", ""),
        ("c/values.yaml", true, "port: x\n", "error json-schema/type-mismatch"),
        ("c/values.yaml", true, "port:\n", "hint json-schema/type-mismatch"),
        ("c/values.yaml", true, "prot: 1\n", "error json-schema/undeclared-key"),
        ("c/values.yaml", false, "port: x\n", ""),
        ("c/values-prod.yaml", true, "port: x\n", ""),
        ("c/charts/values.yaml", true, "port: x\n", ""),
    ] {
        let chart = if chart { "#- c/Chart.yaml\nname: c\n" } else { "" };
        let files = format!("{chart}#- c/values.schema.json\n{schema}\n#- {file}\n{text}");
        let fixture = Fixture::scanned(&files);
        let id = fixture.id(file);
        let found = fixture.workspace.snapshot().diagnostics(id, &CancelFlag::new());
        let found = found.iter().map(|found| format!("{} {}", found.severity.as_str(), found.code()));
        let found: Vec<String> = found.collect();
        assert_eq!(found.join("\n"), want, "{file}: {text}");
    }
}

/// Which patches a kustomization applies elsewhere is asked for every file, and changes nothing for the others.
#[test]
fn patches_elsewhere_do_not_matter_to_other_files() {
    let fixture = Fixture::scanned(
        "#- k/kustomization.yaml\npatches:\n- path: ../more/b.yaml\n#- more/b.yaml\na: 1\na: 2\n\
         #- plain/a.yaml\na: 1\na: 2\n",
    );
    let found = fixture.diagnostics("plain/a.yaml");
    assert!(found.contains("yaml/repeated-key"), "{found}");
}

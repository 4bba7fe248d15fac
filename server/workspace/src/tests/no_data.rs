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
            "It is a patch, of which",
        ),
        (
            "o/deep/p.yaml",
            "#- o/kustomization.yaml\npatchesStrategicMerge:\n- deep/p.yaml\n#- o/deep/p.yaml\napiVersion: example.com/v1\nkind: Box\n",
            "It is a patch, of which",
        ),
        (
            "o/p.yaml",
            "#- o/kustomization.yml\npatchesJson6902:\n- path: ./p.yaml\n#- o/p.yaml\n- {op: remove, path: /a}\n",
            "It is a patch, of which",
        ),
        (
            "patches/p.yaml",
            "#- overlays/prod/kustomization.yaml\npatches:\n- path: ../../patches/p.yaml\n#- patches/p.yaml\napiVersion: example.com/v1\nkind: Box\n",
            "It is a patch, of which",
        ),
        (
            "base/p.yaml",
            "#- prod/kustomization.yml\npatchesStrategicMerge: [../base/p.yaml]\n#- base/p.yaml\napiVersion: example.com/v1\nkind: Box\n",
            "It is a patch, of which",
        ),
        ("p.yaml", "#- p.yaml\napiVersion: example.com/v1\nkind: Box\n$patch: delete\n", "`$patch`"),
    ] {
        let said = explained(file, text);
        assert!(said.contains(why), "{text}\n{said}");
        assert_eq!(said.lines().count(), 1, "{text}\n{said}");
    }
}

#[test]
fn markers_in_texts_leave_a_file_data_and_make_their_own_values_unknown() {
    for (text, want) in [
        ("name: \"{{ $labels.instance }}\"\nport: x\n", "2:7"),
        ("name: |\n  {{ $labels.instance }}\nport: 1\n", "1:1"),
        ("port: \"{{ port }}\"\n", ""),
        ("nmae: \"{{ port }}\"\n", "1:1"),
        ("port: ${{ inputs.port }}\n", "1:7"),
        ("# {{ x }}\nport: x\n", "2:7"),
    ] {
        let fixture = Fixture::scanned(&format!("{SCHEMAS}#- a.yaml\n{text}"));
        let found = fixture.diagnostics("a.yaml");
        let line = |at: &str| at.split(':').next().unwrap_or_default().to_owned();
        assert_eq!(found.is_empty(), want.is_empty(), "{text}\n{found}");
        assert_eq!(line(&found), line(want), "{text}\n{found}");
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
        ("https://x.example/none.json", "no catalogue"),
        ("https://elsewhere.example/list.json", "nothing is fetched"),
        ("list.json", "should be a URL"),
    ] {
        let report = check(catalogue);
        assert!(report.unchecked.iter().any(|said| said.message.contains(why)), "{catalogue}: {:?}", report.unchecked);
    }
}

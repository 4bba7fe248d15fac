//! While any line of a document is being typed, there are no new findings on others: in every language, cut at every
//! character.

use super::{LastEdit, without_half_typed};
use crate::{CompletionOptions, Markup, completion, diagnostics, hover};
use lofting_workspace::{CancelFlag, Settings, Workspace};
use std::path::{Path, PathBuf};

const FIRST: &str = "#@ load(\"@ytt:base64\", \"base64\")
#@schema/match data_values=True
---
#@schema/title \"Host\"
#@schema/doc \"Where it is\"
#@schema/validate format=\"hostname\"
host: example.com
#@schema/type \"int\", \"string\"
port: 80
#@schema/default [\"a\"]
#@schema/validate min=1, unique=True
names:
- \"\"
#@schema/type None, or_inferred=True
#@schema/default None
db:
  #@schema/any-key
  _: 0
#@schema/validate base64.decodable
key: a2V5
";

const SECOND: &str = "#@schema/definition data_values=True
---
#@schema/type one_of=[\"int\", \"string\"]
#@schema/validate format=\"percent\", min=1
unavailable: 1
databases:
  #@schema/key allowed=\"_db$\", expects=\"0+\"
  _:
    host: localhost
    #@schema/key missing_ok=True
    port: 5432
#@schema/deprecated \"use databases\"
#@schema/nullable
db: main
#@schema/examples (\"One\", 1), (\"Two\", 2)
count: 1
";

const AMENDED: &str = "#@schema/definition data_values=True
---
a: 1
#@schema/amend
---
b: 2
";

const SHORTHAND: &str = "apiVersion: openchoreo.dev/v1alpha1
kind: ComponentType
metadata:
  name: web
spec:
  workloadType: deployment
  schema:
    types:
      Mount:
        path: string | pattern=^/
        readOnly: boolean | default=false
    parameters:
      replicas: integer | default=1 minimum=1 maximum=9
      mounts: \"[]Mount | default=[]\"
      labels: map<string> | default={}
    envOverrides:
      class: string | enum=slow,fast default=slow
  resources:
    - id: deployment
      includeWhen: ${parameters.replicas > 0}
      forEach: ${parameters.mounts}
      var: mount
      template:
        path: ${mount.path}
        name: ${oc_generate_name(metadata.name, 'x')}
";

const OPENAPI: &str = "apiVersion: openchoreo.dev/v1alpha1
kind: Trait
metadata:
  name: volume
spec:
  parameters:
    openAPIV3Schema:
      type: object
      required: [size]
      properties:
        size:
          type: integer
          minimum: 1
        kind:
          $ref: '#/$defs/Kind'
      $defs:
        Kind:
          type: string
          enum: [a, b]
          default: a
  environmentConfigs:
    openAPIV3Schema:
      type: object
      properties:
        class: {type: string, default: slow}
  creates:
    - template:
        apiVersion: v1
        kind: ConfigMap
        metadata:
          name: volume
        data:
          size: ${string(parameters.size)}
";

const INSTANCES: &str = "apiVersion: openchoreo.dev/v1alpha1
kind: Component
metadata:
  name: shop
spec:
  owner:
    projectName: shops
  componentType: deployment/web
  parameters:
    replicas: 2
    mounts:
      - path: /data
        readOnly: true
    labels:
      a: b
  traits:
    - name: volume
      instanceName: data
      parameters:
        size: 5
---
apiVersion: openchoreo.dev/v1alpha1
kind: ReleaseBinding
metadata:
  name: shop-dev
spec:
  owner:
    projectName: shops
    componentName: shop
  environment: dev
  componentTypeEnvOverrides:
    class: fast
  traitEnvironmentConfigs:
    data:
      class: x
";

const VALUES: &str = "#@data/values
---
unavailable: 10%
databases:
  orders_db:
    host: a
    port: 1
";

/// The files of a language; the last one is being typed.
const CASES: &[&[(&str, &str)]] = &[
    &[("schema.yml", FIRST)],
    &[("schema.yml", SECOND)],
    &[("schema.yml", AMENDED)],
    &[("schema.yml", SECOND), ("values.yml", VALUES)],
    &[("type.yaml", SHORTHAND)],
    &[("trait.yaml", OPENAPI)],
    &[("type.yaml", SHORTHAND), ("trait.yaml", OPENAPI), ("shop.yaml", INSTANCES)],
];

/// Correct findings about what is being typed, which are shown: the line as far as it is typed, and the rule.
const TOLD: &[(&str, &str)] = &[
    // Below a word, the annotation above it belongs to the key whose value the word is.
    ("  _", "proposals/no-effect"),
    ("  _", "proposals/type-arguments"),
    // The first document is a string.
    ("a", "ytt/overlay-kind"),
    // It is a separate head, below which new keys must be announced.
    ("#@schema", "ytt/overlay-new-key"),
];

/// The findings on other lines while a line is cut at each of its characters.
fn noise(case: &[(&str, &str)]) -> (usize, Vec<String>) {
    let root = Path::new("/lofting-half-typed-languages");
    let mut workspace = Workspace::new(vec![PathBuf::from(root)], Settings::default());
    let (last, others) = case.split_last().expect("a file");
    for (name, text) in others {
        workspace.open(&root.join(name), 1, text);
    }
    let file = workspace.open(&root.join(last.0), 1, last.1);
    let (mut probes, mut found, mut version) = (0, Vec::new(), 1);
    let mut at = 0;
    for line in last.1.split_inclusive('\n') {
        let content = line.trim_end_matches('\n');
        // Editors insert the indentation.
        let depth = content.len() - content.trim_start().len();
        for cut in (depth + 1..content.len()).filter(|cut| content.is_char_boundary(*cut)) {
            let end = at + cut;
            // With everything that follows, and at the end of the text.
            for rest in [&last.1[at + content.len()..], "", "\n"] {
                let text = format!("{}{rest}", &last.1[..end]);
                version += 1;
                workspace.replace(file, version, &text);
                let snapshot = workspace.snapshot();
                let all = diagnostics(&snapshot, file, &CancelFlag::new());
                let edit = LastEdit::new(&(end - 1..end - 1), &text[end - 1..end]);
                let shown = without_half_typed(&snapshot, file, all, Some(&edit));
                let own = snapshot.text(file).line_of(end);
                let is_noise = |finding: &&lofting_check::Diagnostic| {
                    !TOLD.contains(&(&content[..cut], finding.rule.code))
                        && finding.severity != lofting_check::Severity::Hint
                        && snapshot.text(file).line_of(finding.marked().range().start) != own
                };
                probes += 1;
                if let Some(other) = shown.iter().find(is_noise) {
                    let line = snapshot.text(file).line_of(other.marked().range().start) + 1;
                    let kind = if rest.is_empty() || rest == "\n" { "end" } else { "middle" };
                    found.push(format!(
                        "{} {kind} `{}`: {line} {} {}",
                        last.0,
                        &content[..cut],
                        other.rule.code,
                        other.message
                    ));
                }
                let options = CompletionOptions { snippets: true, unasked: false };
                completion(&snapshot, file, end, &options);
                hover(&snapshot, file, end, Markup::Plain);
            }
        }
        at += line.len();
    }
    (probes, found)
}

#[test]
fn other_lines_are_quiet_whatever_line_is_typed() {
    let mut all = Vec::new();
    for case in CASES {
        let (probes, noise) = noise(case);
        assert!(probes > 100);
        all.extend(noise);
    }
    assert!(all.is_empty(), "{}", all.join("\n"));
}

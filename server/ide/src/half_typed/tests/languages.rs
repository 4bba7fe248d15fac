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

const TYPE: &str = "apiVersion: openchoreo.dev/v1alpha1
kind: ComponentType
metadata:
  name: web
spec:
  workloadType: deployment
  allowedTraits:
    - kind: Trait
      name: volume
  allowedWorkflows:
    - name: docker
  parameters:
    openAPIV3Schema:
      type: object
      required: [replicas]
      properties:
        replicas: {type: integer, minimum: 1, maximum: 5}
        names:
          type: array
          items: {type: string}
        labels:
          type: string
          enum: [a, b]
          pattern: ^[ab]$
  resources:
    - id: deployment
      template:
        apiVersion: apps/v1
        kind: Deployment
        metadata:
          name: ${metadata.name}
        spec:
          replicas: ${parameters.replicas}
    - id: settings
      forEach: ${parameters.names}
      var: settings
      template:
        apiVersion: v1
        kind: ConfigMap
        metadata: {name: \"${settings}\"}
---
apiVersion: openchoreo.dev/v1alpha1
kind: Trait
metadata:
  name: volume
spec:
  creates:
    - template: {apiVersion: v1, kind: ConfigMap, metadata: {name: a}}
---
apiVersion: openchoreo.dev/v1alpha1
kind: Component
metadata:
  name: shop
spec:
  owner:
    projectName: shops
  componentType:
    kind: ComponentType
    name: deployment/web
  parameters:
    replicas: 2
  workflow:
    kind: ClusterWorkflow
    name: docker
  traits:
    - name: volume
      instanceName: data
";

const WORKLOAD: &str = "apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
  labels:
    app: web
spec:
  replicas: 2
  selector:
    matchLabels:
      app: web
      tier: front
  template:
    metadata:
      labels:
        app: web
        tier: front
    spec:
      containers:
        - name: web
          image: web:1
          ports:
            - name: http
              containerPort: 8080
          resources:
            limits:
              cpu: 1
              memory: 1Gi
            requests:
              cpu: 500m
              memory: 512Mi
          volumeMounts:
            - name: cargo
              mountPath: /cargo
            - name: stores
              mountPath: /stores
          livenessProbe:
            httpGet:
              port: http
        - name: beside
          image: beside:1
      volumes:
        - name: cargo
          emptyDir: {}
        - name: stores
          secret:
            secretName: keys
---
apiVersion: v1
kind: Service
metadata:
  name: web
spec:
  type: ClusterIP
  selector:
    app: web
    tier: front
  ports:
    - name: http
      port: 80
      targetPort: http
    - name: metrics
      port: 90
      targetPort: 9090
";

const POLICIES: &str = "apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata:
  name: web
spec:
  scaleTargetRef:
    apiVersion: apps/v1
    kind: Deployment
    name: web
  minReplicas: 2
  maxReplicas: 10
  metrics:
    - type: Resource
      resource:
        name: cpu
        target:
          type: Utilization
          averageUtilization: 80
---
apiVersion: networking.k8s.io/v1
kind: Ingress
metadata:
  name: web
spec:
  ingressClassName: web
  rules:
    - host: web.example.com
      http:
        paths:
          - path: /
            pathType: Prefix
            backend:
              service:
                name: web
                port:
                  number: 80
---
apiVersion: batch/v1
kind: CronJob
metadata:
  name: clean
spec:
  schedule: \"0 3 * * *\"
  jobTemplate:
    spec:
      backoffLimit: 2
      template:
        spec:
          restartPolicy: OnFailure
          containers:
            - name: clean
              image: clean:1
---
apiVersion: v1
kind: PersistentVolumeClaim
metadata:
  name: cargo
spec:
  accessModes:
    - ReadWriteOnce
  resources:
    requests:
      storage: 1Gi
";

const DEFINITION: &str = "apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  name: boats.example.com
spec:
  group: example.com
  names:
    kind: Boat
    plural: boats
    singular: boat
  scope: Namespaced
  versions:
    - name: v1
      served: true
      storage: true
      schema:
        openAPIV3Schema:
          type: object
          properties:
            spec:
              type: object
              properties:
                crew:
                  type: integer
                  minimum: 1
";

const BOAT: &str = "apiVersion: example.com/v1
kind: Boat
metadata:
  name: pier
  namespace: harbour
spec:
  crew: 2
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
    &[("web.yaml", WORKLOAD)],
    &[("policies.yaml", POLICIES)],
    &[("boats.yaml", DEFINITION)],
    &[("boats.yaml", DEFINITION), ("boat.yaml", BOAT)],
    &[("type.yaml", SHORTHAND), ("trait.yaml", OPENAPI), ("shop.yaml", INSTANCES)],
    &[("all.yaml", TYPE)],
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

/// Findings that are shown while there is only room for what may follow: about what is written on the line that was left.
const TOLD_OF_ROOM: &[&str] = &["ytt/unknown-annotation", "openchoreo/loop-name"];

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
        // Room for the next line is made at the end of the text, as deep as the line or deeper.
        for depth in [depth, depth + 2] {
            let room = format!("\n{}", " ".repeat(depth));
            let before = last.1[..at].trim_end_matches('\n');
            let text = format!("{before}{room}");
            version += 1;
            workspace.replace(file, version, &text);
            let snapshot = workspace.snapshot();
            let all = diagnostics(&snapshot, file, &CancelFlag::new());
            let edit = LastEdit::new(&(before.len()..before.len()), &room);
            let shown = without_half_typed(&snapshot, file, all, Some(&edit));
            let is_noise = |finding: &&lofting_check::Diagnostic| {
                !TOLD_OF_ROOM.contains(&finding.rule.code) && finding.severity != lofting_check::Severity::Hint
            };
            if let Some(other) = shown.iter().find(is_noise) {
                let line = snapshot.text(file).line_of(other.marked().range().start) + 1;
                let place = format!("{} room {depth} below `{content}`", last.0);
                found.push(format!("{place}: {line} {} {}", other.rule.code, other.message));
            }
        }
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

#[test]
fn the_name_of_a_loop_comes_after_it() {
    let root = Path::new("/lofting-half-typed-loops");
    let text = |first: &str, between: &str| {
        format!(
            "apiVersion: openchoreo.dev/v1alpha1\nkind: Trait\nmetadata: {{name: volume}}\nspec:\n  parameters:\n    \
             openAPIV3Schema: {{type: object, properties: {{names: {{type: array, items: {{type: string}}}}}}}}\n  \
             creates:\n  - {first}forEach: ${{parameters.names}}\n{between}    template:\n      apiVersion: v1\n      \
             kind: ConfigMap\n      metadata: {{name: a}}\n"
        )
    };
    for first in ["", "includeWhen: ${true}\n    "] {
        for (between, is_quiet) in [("\n", true), ("    \n", true), ("    v\n", true), ("    var\n", true), ("", false)]
        {
            let text = text(first, between);
            let mut workspace = Workspace::new(vec![PathBuf::from(root)], Settings::default());
            let file = workspace.open(&root.join("trait.yaml"), 1, &text);
            let snapshot = workspace.snapshot();
            let all = diagnostics(&snapshot, file, &CancelFlag::new());
            let loop_line = text.find("forEach").unwrap_or_default();
            let end = loop_line + text[loop_line..].find('\n').unwrap_or_default() + between.len();
            let last = LastEdit { inserted: end..end, made_room: between.trim().is_empty() };
            let is_of_loop = |found: &lofting_check::Diagnostic| found.rule.code == "openchoreo/loop-name";
            assert!(between.contains('v') || all.iter().any(is_of_loop), "{first:?} {between:?}");
            let shown = without_half_typed(&snapshot, file, all, Some(&last));
            assert_eq!(shown.iter().any(is_of_loop), !is_quiet, "{first:?} {between:?}");
        }
    }
}

#[test]
fn while_a_kind_is_typed_nothing_is_said_of_what_depends_on_it() {
    let root = Path::new("/lofting-half-typed-kinds");
    for (kind, half) in [("kind: Deployment", "kind: D"), ("kind: ComponentType", "kind: Component")] {
        let text = TYPE.replacen(kind, half, 1);
        let mut workspace = Workspace::new(vec![PathBuf::from(root)], Settings::default());
        let file = workspace.open(&root.join("all.yaml"), 1, &text);
        let snapshot = workspace.snapshot();
        let all = diagnostics(&snapshot, file, &CancelFlag::new());
        let at = text.find(half).unwrap_or_default() + half.len();
        let own = snapshot.text(file).line_of(at);
        let is_elsewhere =
            |found: &lofting_check::Diagnostic| snapshot.text(file).line_of(found.span.range().start) != own;
        assert!(all.iter().any(is_elsewhere), "{half}");
        let shown =
            without_half_typed(&snapshot, file, all, Some(&LastEdit::new(&(at - 1..at - 1), &text[at - 1..at])));
        assert!(!shown.iter().any(is_elsewhere), "{half}: {shown:?}");
    }
}

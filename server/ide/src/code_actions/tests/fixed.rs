//! Each action that is offered for the example of a rule is applied and the result checked.

use super::{all_at, applied};
use crate::fixture::open_with;
use lofting_check::{Diagnostic, Rule, rules};
use lofting_fixture::{Phrase, wording_faults};
use lofting_workspace::{CancelFlag, Settings, Snapshot};
use std::collections::BTreeMap;

/// Rules whose findings no program can fix, with the reason.
const WITHOUT_FIX: &[(&str, &[&str])] = &[
    (
        "only the author knows which value is meant",
        &[
            "kubernetes/conversion",
            "kubernetes/deprecation-warning",
            "kubernetes/expression-cost",
            "kubernetes/field-path",
            "kubernetes/invalid-expression",
            "kubernetes/invalid-name",
            "kubernetes/api-approval",
            "kubernetes/invalid-pattern",
            "kubernetes/list-type",
            "kubernetes/not-structural",
            "kubernetes/number-range",
            "kubernetes/repeated-name",
            "kubernetes/repeated-version",
            "kubernetes/required-field",
            "kubernetes/resource-meta",
            "kubernetes/root-schema",
            "kubernetes/rule-declaration",
            "kubernetes/storage-version",
            "kubernetes/unmatched-selector",
            "kubernetes/unsupported-keyword",
            "openchoreo/bar-in-value",
            "openchoreo/comma-in-quotes",
            "openchoreo/default-not-representable",
            "openchoreo/default-violates-schema",
            "openchoreo/empty-expression",
            "openchoreo/example-becomes-boolean",
            "openchoreo/expression-fails",
            "openchoreo/impossible-range",
            "openchoreo/inert-marker",
            "openchoreo/invalid-constraint-value",
            "openchoreo/invalid-default-literal",
            "openchoreo/invalid-enum-literal",
            "openchoreo/invalid-example-literal",
            "openchoreo/invalid-map-type",
            "openchoreo/invalid-object-default",
            "openchoreo/invalid-pattern",
            "openchoreo/loop-name",
            "openchoreo/marker-without-value",
            "openchoreo/object-default-violates-schema",
            "openchoreo/object-not-allowed",
            "openchoreo/openapi-not-decodable",
            "openchoreo/patch-operation",
            "openchoreo/quotes-kept",
            "openchoreo/ref-not-local",
            "openchoreo/ref-not-string",
            "openchoreo/ref-unsupported-path",
            "openchoreo/repeated-name",
            "openchoreo/template-resource",
            "openchoreo/unclosed-in-marker",
            "openchoreo/unknown-marker",
            "openchoreo/unsupported-field-definition",
            "openchoreo/unsupported-type-definition",
            "openchoreo/untyped-field",
            "openchoreo/workload-resource",
            "json-schema/inert-keyword",
            "json-schema/later-keyword",
            "proposals/annotation-arguments",
            "proposals/key-arguments",
            "proposals/no-effect",
            "proposals/type-excludes-value",
            "schema/contains",
            "schema/expression",
            "schema/format",
            "schema/no-branch",
            "schema/not",
            "schema/pattern",
            "schema/several-branches",
            "ytt/max-len",
            "ytt/min-len",
            "ytt/no-key",
            "ytt/schema-impossible-rules",
            "ytt/schema-rule-type",
            "ytt/not-null",
            "ytt/one-not-null",
            "ytt/schema-computed-collection",
            "ytt/schema-example-type",
            "ytt/collection-key",
            "ytt/data-values-key",
            "yaml/collection-key",
            "yaml/missing-key",
            "yaml/multiline-key",
            "yaml/merge-value",
            "yaml/tag",
        ],
    ),
    (
        "which of several parts goes is for the author to say",
        &[
            "proposals/array-items",
            "proposals/mixed-forms",
            "schema/ambiguous-referent",
            "schema/repeated-item",
            "schema/unique-items",
            "yaml/conflict-marker",
            "yaml/unexpected-item",
            "ytt/mixed-documents",
        ],
    ),
    (
        "the structure is wrong, not a place in it",
        &[
            "openchoreo/cyclic-type",
            "openchoreo/ref-circular",
            "yaml/alias-cycle",
            "yaml/alias-limit",
            "yaml/block-scalar-indentation",
            "yaml/depth-limit",
            "yaml/too-deep",
        ],
    ),
    (
        "code is not changed by a program that does not know what it is for",
        &[
            "openchoreo/expression-syntax",
            "openchoreo/argument-count",
            "openchoreo/expression-type",
            "schema/optional-data-value",
            "ytt/annotation-arguments",
            "ytt/code-after-slash-end",
            "ytt/code-syntax",
            "ytt/evaluation",
            "ytt/not-evaluated",
            "ytt/nullable-data-value",
            "ytt/overlay-arguments",
            "ytt/overlay-function",
            "ytt/unused-function",
            "ytt/validation",
            "ytt/when",
        ],
    ),
    (
        "it is about what a program here can or may read",
        &[
            "lofting/modeline",
            "lofting/out-of-reach",
            "lofting/pattern-limit",
            "lofting/schema-not-read",
            "lofting/too-many-alternatives",
            "lofting/too-many-findings",
            "lofting/unreadable-file",
            "lofting/unused-pattern",
            "ytt/unused-library",
            "proposals/unbuilt-head",
            "ytt/library-not-evaluated",
            "ytt/annotation-in-plain-values",
        ],
    ),
];

/// Rules that are found with settings or in whole workspaces only; each is fixed by a change that its own file knows, or
/// that other rules share.
const ELSEWHERE: &[&str] = &[
    "json-schema/unused-definition",
    "kubernetes/missing-file",
    "kubernetes/unmatched-patch",
    "lofting/breaking-change",
    "openchoreo/not-allowed",
    "openchoreo/other-workload",
    "schema/missing-referent",
    "schema/written-default",
    "yaml/undeclared-name",
    "ytt/schema-secret-default",
    "ytt/strict",
    "ytt/unused-key",
];

/// Fixtures of rules whose example in the manual does not show all that is fixed.
const FURTHER: &[(&str, &str)] = &[
    (
        "kubernetes/invalid-expression",
        "#- definition.yaml\napiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {name: as.example.org}\nspec:\n  group: example.org\n  names: {kind: A, plural: as}\n  versions:\n  - name: v1\n    schema:\n      openAPIV3Schema:\n        type: object\n        properties: {size: {type: integer}}\n        x-kubernetes-validations:\n        - {rule: self.length < 3, message: it is too large}\n",
    ),
    (
        "schema/expression",
        "#- definition.yaml\napiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {name: as.example.org}\nspec:\n  group: example.org\n  names: {kind: A, plural: as}\n  versions:\n  - name: v1\n    schema:\n      openAPIV3Schema:\n        type: object\n        properties: {size: {type: integer}}\n        x-kubernetes-validations:\n        - {rule: self.size < 3, message: it is too large}\n#- a.yaml\napiVersion: example.org/v1\nkind: A\nmetadata: {name: a}\nsize: 4\n",
    ),
    (
        "kubernetes/missing-port",
        "#- schema.yml\n{}\n#- values.yml\n# yaml-language-server: $schema=schema.yml\napiVersion: v1\nkind: Pod\nmetadata: {name: boat}\nspec:\n  containers:\n  - name: crew\n    image: crew:1\n    ports: [{name: http, containerPort: 8080}]\n    readinessProbe:\n      httpGet: {path: /, port: htpt}\n",
    ),
    (
        "kubernetes/missing-volume",
        "#- schema.yml\n{}\n#- values.yml\n# yaml-language-server: $schema=schema.yml\napiVersion: v1\nkind: Pod\nmetadata: {name: boat}\nspec:\n  volumes: [{name: cargo, emptyDir: {}}]\n  containers:\n  - name: crew\n    image: crew:1\n    volumeMounts: [{name: cagro, mountPath: /cargo}]\n",
    ),
    (
        "kubernetes/excluded-field",
        "#- schema.yml\n{}\n#- values.yml\n# yaml-language-server: $schema=schema.yml\napiVersion: policy/v1\nkind: PodDisruptionBudget\nmetadata: {name: boat}\nspec:\n  minAvailable: 1\n  maxUnavailable: 1\n  selector: {matchLabels: {app: boat}}\n",
    ),
    (
        "kubernetes/number-range",
        "#- schema.yml\n{}\n#- values.yml\n# yaml-language-server: $schema=schema.yml\napiVersion: v1\nkind: Pod\nmetadata: {name: boat}\nspec:\n  containers:\n  - name: crew\n    image: crew:1\n    ports: [{containerPort: 80800}]\n",
    ),
    (
        "kubernetes/repeated-name",
        "#- schema.yml\n{}\n#- values.yml\n# yaml-language-server: $schema=schema.yml\napiVersion: v1\nkind: Pod\nmetadata: {name: boat}\nspec:\n  initContainers: [{name: crew, image: crew:1}]\n  containers: [{name: crew, image: crew:2}]\n",
    ),
    (
        "kubernetes/request-above-limit",
        "#- schema.yml\n{}\n#- values.yml\n# yaml-language-server: $schema=schema.yml\napiVersion: v1\nkind: Pod\nmetadata: {name: boat}\nspec:\n  containers:\n  - name: crew\n    image: crew:1\n    resources: {requests: {memory: 1Gi}, limits: {memory: 1Mi}}\n",
    ),
    (
        "kubernetes/required-field",
        "#- schema.yml\n{}\n#- values.yml\n# yaml-language-server: $schema=schema.yml\napiVersion: v1\nkind: Pod\nmetadata: {name: boat}\nspec:\n  containers: [{name: crew}]\n",
    ),
    (
        "kubernetes/text-form",
        "#- schema.yml\n{}\n#- values.yml\n# yaml-language-server: $schema=schema.yml\napiVersion: v1\nkind: Pod\nmetadata: {name: boat}\nspec:\n  containers: [{name: Deck_Crew, image: crew:1}]\n",
    ),
    (
        "kubernetes/unknown-value",
        "#- schema.yml\n{}\n#- values.yml\n# yaml-language-server: $schema=schema.yml\napiVersion: v1\nkind: Pod\nmetadata: {name: boat}\nspec:\n  restartPolicy: Nevre\n  containers:\n  - name: crew\n    image: crew:1\n",
    ),
    (
        "kubernetes/unmatched-selector",
        "#- app.yml\n#! A template.\n#@ x = 1\n---\napiVersion: apps/v1\nkind: Deployment\nmetadata: {name: boat}\nspec:\n  selector:\n    matchLabels: {app: boat}\n  template:\n    metadata:\n      labels: {app: ship}\n    spec:\n      containers: [{name: crew, image: crew:1}]\n",
    ),
    (
        "kubernetes/removed-api",
        "#- lofting.toml\n[kubernetes]\nversion = '1.34'\n#- schema.yml\n{}\n#- values.yml\n# yaml-language-server: $schema=schema.yml\napiVersion: policy/v1beta1\nkind: PodDisruptionBudget\nmetadata: {name: web}\n",
    ),
    (
        "json-schema/keyword-value",
        "#- a.schema.yaml\nproperties:\n  a: {type: strng}\n  b: {title: 5, minimum: '1', required: a}\n  c: {type: null}\n",
    ),
    (
        "json-schema/ref-not-found",
        "#- a.schema.yaml\nproperties:\n  size: {$ref: '#/definitions/sise'}\ndefinitions:\n  size: {type: integer}\n",
    ),
    (
        "json-schema/required-without-property",
        "#- a.schema.yaml\ntype: object\nproperties:\n  name: {type: string}\nrequired: [nmae]\n",
    ),
    ("json-schema/unknown-keyword", "#- a.schema.yaml\nproperties:\n  name: {minLenght: 1, format: date-tme}\n"),
    (
        "openchoreo/unknown-keyword",
        "#- a.yaml\napiVersion: openchoreo.dev/v1alpha1\nkind: Trait\nmetadata: {name: a}\nspec:\n  parameters:\n    \
         openAPIV3Schema: {type: object, propertis: {a: {type: string}}}\n",
    ),
    ("lofting/configuration", "#- lofting.toml\n[sets.dev]\nfile = ['config']\n"),
    ("lofting/renamed-rule", "#- lofting.toml\n[rules]\n\"ytt/library-unused\" = \"off\"\n"),
    (
        "yaml/repeated-key",
        "#- schema.yml\n#@data/values-schema\n---\na: 1\nb: 2\n#- a.yml\n# lofting: schema=schema.yml\na: 1\nb: 2\na: 3\n",
    ),
    ("yaml/tag", "#- a.yml\n#@data/values\n---\na: !!int x\n"),
    ("yaml/control-character", "#- a.yml\na: x\u{1}y\n"),
    ("yaml/line-separator", "#- a.yml\n#@data/values\n---\na: x\u{2028}y\n"),
    ("ytt/byte-order-mark", "#- a.yml\n\u{feff}#@data/values\n---\na: 1\n"),
    (
        "ytt/undeclared-key",
        "#- schema.yml\n#@data/values-schema\n---\na: 1\n#- values.yml\n#@data/values\n---\n#! why\nb:\n  c: 1\n",
    ),
    (
        "ytt/undeclared-key",
        "#- schema.yml\n#@data/values-schema\n---\na: [{x: 1}]\n#- values.yml\n#@data/values\n---\na:\n- z: 1\n",
    ),
    (
        "ytt/undeclared-key",
        "#- schema.yml\n#@data/values-schema\n---\na: [{x: 1}]\n#- values.yml\n#@data/values\n---\na:\n- z: 1 #! why\n  #! more\n  x: 2\n- {x: 1, z: 2}\n",
    ),
    (
        "ytt/type-mismatch",
        "#- schema.yml\n#@data/values-schema\n---\na: [{x: 1}]\n#- values.yml\n#@data/values\n---\na:\n  x: 1\n\n  #! why\nb: 1\n",
    ),
    (
        "ytt/type-mismatch",
        "#- schema.yml\n#@data/values-schema\n---\na: [{x: 1}]\n#- values.yml\n#@data/values\n---\na: {x: 1}\n",
    ),
    ("ytt/duplicate-key", "#- a.yml\n#@ x = 1\na:\n- b: 1\n  b: 2\n"),
    ("ytt/duplicate-key", "#- a.yml\n---\nspec: 1\nspec:\n  a:\n    #@ if True:\n    b: 1\n    #@ end\n"),
    (
        "ytt/duplicate-key",
        "#- a.yml\n---\nspec: 1\nspec:\n#@ for x in [1]:\n- a:\n    #@ if x:\n    b: 1\n    #@ else:\n    b: 2\n    #@ end\n#@ end\nc: 1\n",
    ),
    ("ytt/duplicate-key", "#- a.yml\n---\nspec: 1\n#@ if/end True:\nspec: 2\nc: 1\n"),
    ("ytt/code-and-value", "#- a.yml\n---\nspec: #@ 1\n  a:\n    #@ if True:\n    b: 1\n    #@ end\n"),
    (
        "yaml/missing-comma",
        "#- s.yml\ntype: object\n#- values.yml\n# yaml-language-server: $schema=s.yml\nmetadata: {name: ${APP}-x}\nb: [a${C}]\n",
    ),
    (
        "yaml/unknown-alias",
        "#- s.yml\n{}\n#- values.yml\n# yaml-language-server: $schema=s.yml\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata:\n  host: *.example.com\n",
    ),
    ("yaml/missing-colon", "#- a.yml\nrun: |\n  one\nnot indented text\nb: 1\n"),
    ("yaml/missing-space", "#- a.yml\nname: a\nport:\u{a0}5\n"),
    ("yaml/unicode-space", "#- a.yml\nweb:\n\u{a0}\u{a0}port: 5\n"),
    ("yaml/missing-colon", "#- a.yml\n#@data/values-schema\n ---\nname: a\n"),
    ("yaml/tab-indentation", "#- a.yml\n#@data/values\n---\nname: x\nport: 1\n\ttags: a\n"),
    ("yaml/tab-indentation", "#- a.yml\n#@data/values\n---\na:\n\t  host: x\n  port: 1\n"),
    (
        "schema/missing-key",
        "#- s.yml\ntype: object\nrequired: [a, b, c, d, e, f, g, h, i]\nproperties:\n  a: {type: string, minLength: 2}\n  b: {type: integer, exclusiveMinimum: 3}\n  c: {type: integer, minimum: 5, multipleOf: 4}\n  d: {type: number, exclusiveMinimum: 0, maximum: 0.5}\n  e: {type: array, minItems: 2, uniqueItems: true, items: {type: string, minLength: 1}}\n  f: {type: object, minProperties: 1, properties: {x: {const: 1}, y: {type: string}}}\n  g: {type: string, pattern: '^[a-z]+$', minLength: 3}\n  h: {oneOf: [{type: integer, minimum: 5}, {type: string}]}\n  i: {allOf: [{type: string}, {enum: [1, x]}]}\n#- values.yml\n# yaml-language-server: $schema=s.yml\nz: 1\n",
    ),
    (
        "schema/missing-key",
        "#- s.yml\ntype: object\nproperties:\n  backend:\n    oneOf:\n    - {type: object, additionalProperties: false, required: [kind, host], properties: {kind: {const: redis}, host: {type: string}}}\n    - {type: object, additionalProperties: false, required: [kind, path], properties: {kind: {const: file}, path: {type: string}}}\n#- values.yml\n# yaml-language-server: $schema=s.yml\nbackend:\n  host: x\n",
    ),
    (
        "schema/missing-key",
        "#- s.yml\ntype: object\nrequired: [a, b]\nproperties:\n  a: {type: integer, minimum: 3}\n  b: {type: object, required: [c], properties: {c: {enum: [x, y]}}}\n#- values.yml\n# yaml-language-server: $schema=s.yml\nd: 1",
    ),
    (
        "ytt/undeclared-key",
        "#- schema.yml\n#@data/values-schema\n---\n\"y\": 1\n#- values.yml\n#@data/values\n---\ny: 2\n",
    ),
    (
        "ytt/type-mismatch",
        "#- s.yml\nproperties: {a: {type: boolean}}\n#- values.yml\n# yaml-language-server: $schema=s.yml\na: yes\n",
    ),
    ("yaml/inline-sequence", "#- a.yml\na:\n  ports: - 80\n"),
    ("yaml/unknown-alias", "#- a.yml\na: &web 1\nhost: *.example.org\nb: *wbe\n"),
    (
        "ytt/min",
        "#- s.yml\ntype: object\nproperties: {a: {type: number, exclusiveMinimum: 1.5}, b: {type: integer, minimum: 1.5}, c: {exclusiveMinimum: 3}}\n#- values.yml\n# yaml-language-server: $schema=s.yml\na: 1\nb: 1\nc: 3\n",
    ),
];

/// How often something is found, by file and code.
pub(super) type Found = BTreeMap<(String, String), usize>;

pub(super) fn found(snapshot: &Snapshot) -> Found {
    let mut found = Found::new();
    for file in snapshot.files() {
        for finding in snapshot.diagnostics(file, &CancelFlag::new()).iter() {
            *found.entry((snapshot.shown_path(file), finding.code().into_owned())).or_default() += 1;
        }
    }
    found
}

/// Applies what is offered for the findings of a rule. Gives how many actions fix one; none if there is no finding.
fn fixed(rule: &Rule, fixture: &str, wrong: &mut Vec<String>) -> Option<usize> {
    let settings = Settings::default();
    let fixture = open_with(settings, fixture);
    let snapshot = &fixture.snapshot;
    let before = found(snapshot);
    let count = |found: &Found, key: &(String, String)| found.get(key).copied().unwrap_or(0);
    let (mut seen, mut fixing) = (false, 0);
    for file in files(snapshot) {
        for finding in snapshot.diagnostics(file, &CancelFlag::new()).iter().filter(|finding| finding.rule == rule) {
            seen = true;
            wrong.extend(worded(finding));
            for action in all_at(snapshot, file, finding.span.range()) {
                let title = &action.name.title;
                let Some(change) = action.change.filter(|_| action.finding.as_ref() == Some(finding)) else { continue };
                let after = applied(snapshot, &change);
                let now = found(&after);
                let own = (snapshot.shown_path(file), finding.code().into_owned());
                fixing += usize::from(action.name.source != "suppress");
                if count(&now, &own) >= count(&before, &own) {
                    wrong.push(format!("{rule}: {title}: is found all the same:\n{}", shown(&after)));
                }
                for (key, number) in now.iter().filter(|(key, number)| count(&before, key) < **number) {
                    wrong.push(format!("{rule}: {title}: brings {number} of {key:?}:\n{}", shown(&after)));
                }
            }
        }
    }
    seen.then_some(fixing)
}

/// What is wrong with the wording of a finding.
fn worded(finding: &Diagnostic) -> Vec<String> {
    let labels = finding.related.iter().map(|related| &related.message);
    let sentences = [&finding.message].into_iter().chain(&finding.help).chain(labels);
    let titles = finding.fixes.iter().map(|fix| &fix.title);
    let parts = sentences.map(|text| (Phrase::Sentence, text)).chain(titles.map(|text| (Phrase::Title, text)));
    parts.flat_map(|(part, text)| wording_faults(&finding.code(), part, text)).collect()
}

fn files(snapshot: &Snapshot) -> Vec<lofting_document::FileId> {
    let mut files: Vec<_> = snapshot.files().collect();
    files.sort();
    files
}

fn shown(snapshot: &Snapshot) -> String {
    let text = |file| format!("#- {}\n{}", snapshot.shown_path(file), snapshot.text(file).slice(0..usize::MAX));
    files(snapshot).into_iter().map(text).collect()
}

/// The ways in which the example of a rule may be meant.
fn fixtures(rule: &Rule) -> Vec<String> {
    let text = rule.section("Example");
    let example = text.split("```yaml\n").nth(1).and_then(|rest| rest.split("```").next()).unwrap_or_default();
    let mut fixtures: Vec<String> =
        FURTHER.iter().filter(|(code, _)| *code == rule.code).map(|(_, fixture)| (*fixture).to_owned()).collect();
    fixtures.push(lofting_fixture::of_example(example));
    if let Some((schema, values)) = example.strip_prefix("# schema\n").and_then(|rest| rest.split_once("# values\n")) {
        let modeline = "# yaml-language-server: $schema=json-schema.yml\n";
        fixtures.push(format!("#- json-schema.yml\n{schema}#- values.yml\n{modeline}{values}"));
    }
    fixtures
}

/// The examples of all rules, and further fixtures.
pub(super) fn all_fixtures() -> Vec<String> {
    rules::registry().rules().iter().flat_map(|rule| fixtures(rule)).collect()
}

#[test]
fn whatever_is_offered_fixes_its_finding_and_brings_no_other() {
    let mut wrong = Vec::new();
    for rule in rules::registry().rules() {
        let outcomes = fixtures(rule).into_iter().filter_map(|fixture| fixed(rule, &fixture, &mut wrong));
        let outcome = outcomes.max();
        let reason = WITHOUT_FIX.iter().find(|(_, codes)| codes.contains(&rule.code)).map(|(reason, _)| *reason);
        match (outcome, reason) {
            (Some(1..), Some(reason)) => wrong.push(format!("{rule}: it is fixed now: `{reason}` does not hold")),
            (Some(0), None) => wrong.push(format!("{rule}: nothing fixes it, and no reason is given in `WITHOUT_FIX`")),
            (None, None) if !ELSEWHERE.contains(&rule.code) => {
                wrong.push(format!("{rule}: give a fixture in `FURTHER` in which it is found"))
            }
            _ => {}
        }
    }
    assert!(wrong.is_empty(), "{} are wrong:\n{}", wrong.len(), wrong.join("\n"));
}

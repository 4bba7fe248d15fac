//! The shipped examples: what is wrong in them is found, and nothing else.

use std::path::Path;

use serde_json::Value;

use crate::command_line::{json_of, lofting};

/// Code, file and line of each finding.
fn findings(example: &str) -> Vec<String> {
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    let report = json_of(&lofting(&examples.join(example), &["check", "--format", "json"]));
    let list = report["diagnostics"].as_array().expect("a list");
    let shown = |found: &Value| {
        let line = &found["range"]["start"]["line"];
        format!("{} {}:{line}", found["code"].as_str().expect("a code"), found["file"].as_str().expect("a file"))
    };
    list.iter().map(shown).collect()
}

#[test]
fn a_platform_with_descriptions_and_fragments_from_code() {
    let expected = [
        "ytt/validation values/staging.yml:3",
        "ytt/validation values/staging.yml:6",
        "ytt/one-of values/staging.yml:8",
        "ytt/min values/staging.yml:10",
    ];
    assert_eq!(findings("cf-for-k8s"), expected);
}

#[test]
fn a_store_whose_gateway_decides_what_is_needed() {
    let expected = [
        "ytt/min values/archive.yml:4",
        "ytt/validation values/archive.yml:6",
        "ytt/validation values/archive.yml:7",
        "ytt/undeclared-key values/archive.yml:14",
        "ytt/one-of values/archive.yml:16",
    ];
    assert_eq!(findings("minio"), expected);
}

#[test]
fn rules_for_labels_whose_schema_a_function_gives() {
    let expected = [
        "ytt/min values/cluster.yml:3",
        "ytt/validation values/cluster.yml:8",
        "ytt/validation values/cluster.yml:9",
        "ytt/validation values/cluster.yml:14",
        "ytt/one-of values/cluster.yml:17",
    ];
    assert_eq!(findings("prometheus"), expected);
}

/// The use cases of ytt's design documents, in each form of the proposals, and converted to ytt's own.
#[test]
fn use_cases_of_the_design_documents_in_each_form() {
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/proposals");
    let mut cases: Vec<_> =
        std::fs::read_dir(&examples).expect("examples").flatten().map(|it| it.file_name()).collect();
    cases.sort();
    assert_eq!(cases, ["cf-for-k8s", "dex", "minio", "relabelling", "strings"]);
    for case in cases.iter().filter_map(|case| case.to_str()) {
        let lines = |form: &str| {
            let found = findings(&format!("proposals/{case}/{form}")).into_iter();
            let of_values = found.filter_map(|found| found.split_once(" values.yml:").map(|(_, line)| line.to_owned()));
            of_values.collect::<Vec<_>>()
        };
        let first = lines("first");
        assert!(first.len() > 1 && first == lines("second"), "{case}: {first:?}");
        // Of a map with free keys, ytt's form has one rule for the whole map.
        if case != "strings" {
            assert_eq!(first, lines("ytt"), "{case}");
        }
        let converted = lofting(&examples.join(case), &["schema", "--to", "ytt", "-f", "second/schema.yml"]);
        let kept = std::fs::read_to_string(examples.join(case).join("ytt/schema.yml")).expect("the converted schema");
        assert_eq!(String::from_utf8_lossy(&converted.stdout), kept, "{case}");
    }
}

#[test]
fn a_platform_whose_values_stand_in_other_documents() {
    let expected = [
        "openchoreo/pattern bindings/development.yaml:11",
        "openchoreo/max bindings/production.yaml:9",
        "openchoreo/type-mismatch bindings/production.yaml:11",
        "openchoreo/missing-referent bindings/production.yaml:19",
        "openchoreo/unknown-field platform/types.yaml:33",
        "openchoreo/expression-type platform/types.yaml:43",
        "openchoreo/one-of shop/components.yaml:10",
        "openchoreo/min shop/components.yaml:26",
        "openchoreo/unread-key shop/components.yaml:27",
        "openchoreo/pattern shop/components.yaml:32",
        "openchoreo/missing-key shop/components.yaml:41",
        "openchoreo/missing-referent shop/components.yaml:44",
    ];
    assert_eq!(findings("openchoreo"), expected);
}

/// Some fifty templates with overlays and two private libraries, one of them rendered once for each database.
#[test]
fn a_platform_of_templates_is_rendered_for_each_of_its_environments() {
    let example = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/platform");
    let report = json_of(&lofting(&example, &["check", "--render", "--format", "json"]));
    assert_eq!(report["diagnostics"], serde_json::json!([]), "{report}");
    let rendered = |set: &str| {
        let done = lofting(&example, &["render", set, "-o", "json"]);
        assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
        let text = String::from_utf8_lossy(&done.stdout).into_owned();
        let documents = serde_json::Deserializer::from_str(&text).into_iter::<Value>();
        documents.collect::<Result<Vec<Value>, _>>().expect("JSON")
    };
    let of_kind = |documents: &[Value], kind: &str| {
        let found = documents.iter().filter(|document| document["kind"] == kind);
        found.map(|document| document["metadata"]["name"].as_str().unwrap_or_default().to_owned()).collect::<Vec<_>>()
    };
    let (dev, prod) = (rendered("dev"), rendered("prod"));
    assert_eq!((dev.len(), prod.len()), (52, 62));
    assert_eq!(of_kind(&dev, "StatefulSet"), ["database-api", "database-identity", "logs"]);
    assert_eq!(of_kind(&prod, "StatefulSet"), ["database-api", "database-identity", "database-reports", "logs"]);
    let workers = |documents: &[Value]| {
        of_kind(documents, "Deployment").into_iter().filter(|name| name.starts_with("worker-")).collect::<Vec<_>>()
    };
    assert_eq!(workers(&dev), ["worker-generic", "worker-cleanup"]);
    assert_eq!(workers(&prod), ["worker-generic", "worker-cleanup", "worker-mail"]);
    // Overlays reach what libraries made.
    let annotated =
        |document: &&Value| document["metadata"]["annotations"]["platform.example.org/rendered-by"] == "ytt";
    assert_eq!(prod.iter().filter(annotated).filter(|document| document["kind"] == "StatefulSet").count(), 4);
}

#[test]
fn a_schema_is_written_in_shorthand_and_what_that_cannot_say_is_named() {
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/openchoreo");
    let words = ["schema", "--to", "openchoreo-shorthand", "platform/types.yaml", "--document", "3", "--at"];
    let convert = |at: &str| lofting(&examples, &[&words[..], &[at]].concat());
    let written = convert("spec.parameters");
    let text = String::from_utf8(written.stdout).expect("text");
    assert!(text.contains("severity: string | enum=info,warning,critical default=warning"), "{text}");
    assert!(written.status.success() && written.stderr.is_empty());
    let environment = convert("spec.environmentConfigs");
    assert!(String::from_utf8_lossy(&environment.stdout).starts_with("envOverrides:\n"));
}

/// Each has one mistake, which the jobs and hooks of its CI find.
#[test]
fn repositories_with_continuous_integration() {
    for system in ["github", "gitlab", "pre-commit"] {
        assert_eq!(findings(&format!("ci/{system}")), ["json-schema/type-mismatch service.yaml:3"], "{system}");
    }
}

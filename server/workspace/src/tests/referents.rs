//! Names of documents, and what they refer to.

use crate::fixture::{Fixture, checked_again};
use expect_test::expect;

/// Documents with nothing but a kind, a name and what is in their spec.
/// A document with this in its spec, besides what its kind requires.
fn document(kind: &str, metadata: &str, spec: &str) -> String {
    let run = "{apiVersion: a/v1, kind: Run, metadata: {name: a, namespace: '${metadata.namespace}'}}";
    let required = match kind {
        "Component" => "owner: {projectName: p}\n  ".to_owned(),
        "Workflow" | "ClusterWorkflow" => format!("runTemplate: {run}\n  "),
        _ => String::new(),
    };
    let head = format!("---\napiVersion: openchoreo.dev/v1alpha1\nkind: {kind}\nmetadata: {{{metadata}}}\n");
    format!("{head}spec:\n  {required}{spec}\n")
}

fn trait_of(metadata: &str, parameters: &str) -> String {
    document("Trait", metadata, &format!("schema: {{parameters: {{{parameters}}}}}"))
}

fn component(reference: &str) -> String {
    document("Component", "name: shop", &format!("traits: [{{{reference}, instanceName: a}}]"))
}

fn found(files: &[(&str, &str)], file: &str) -> String {
    let text: String = files.iter().map(|(path, text)| format!("#- {path}\n{text}")).collect();
    let found = Fixture::scanned(&text).diagnostics(file);
    found.lines().map(|line| line.split_once(' ').map_or(line, |(_, rest)| rest)).collect::<Vec<_>>().join("\n")
}

#[test]
fn what_leads_nowhere_is_reported_where_the_kind_is_known() {
    let volume = trait_of("name: volume", "");
    let alert = document("ClusterTrait", "name: alert", "schema: {parameters: {}}");
    let elsewhere = trait_of("name: queue, namespace: b", "");
    let platform = format!("{volume}{alert}{elsewhere}");
    let reported =
        |reference: &str| found(&[("platform.yaml", &platform), ("shop.yaml", &component(reference))], "shop.yaml");
    assert_eq!(reported("name: volume"), "");
    assert_eq!(reported("kind: ClusterTrait, name: alert"), "");
    // Without a namespace a name means any.
    assert_eq!(reported("name: queue"), "");
    assert_eq!(reported("name: '${parameters.name}'"), "");
    assert_eq!(reported("name: ''"), "");
    expect!["openchoreo/missing-referent there is no Trait `volumes` in this workspace"]
        .assert_eq(&reported("name: volumes"));
    expect!["openchoreo/missing-referent there is no Trait `alert` in this workspace"]
        .assert_eq(&reported("name: alert"));
    expect![[r#"kubernetes/one-of `kind` should be one of "Trait" or "ClusterTrait", but is "Trate""#]]
        .assert_eq(&reported("kind: Trate, name: volume"));
    expect!["openchoreo/missing-referent there is no Trait `nothing-of-this-kind` in this workspace"]
        .assert_eq(&reported("name: nothing-of-this-kind"));
    // Nothing of the kind is there: the platform is kept elsewhere.
    assert_eq!(found(&[("shop.yaml", &component("name: volume"))], "shop.yaml"), "");
    let own = document("Component", "name: shop, namespace: a", "traits: [{name: queue, instanceName: q}]");
    expect!["openchoreo/missing-referent there is no Trait `queue` in the namespace `a`"]
        .assert_eq(&found(&[("platform.yaml", &platform), ("shop.yaml", &own)], "shop.yaml"));
}

#[test]
fn several_documents_of_one_name_are_reported_where_they_differ() {
    let reported = |first: &str, second: &str| {
        let shop = component("name: volume, parameters: {size: '1'}");
        found(&[("a.yaml", first), ("b.yaml", second), ("shop.yaml", &shop)], "shop.yaml")
    };
    let text = trait_of("name: volume", "size: string");
    assert_eq!(reported(&text, &format!("# A copy.\n{text}")), "");
    assert_eq!(reported(&text, &trait_of("name: other", "size: integer")), "");
    expect!["openchoreo/ambiguous-referent several documents are the Trait `volume`, and their schemas differ"]
        .assert_eq(&reported(&text, &trait_of("name: volume", "size: string | minLength=1")));
}

#[test]
fn names_are_followed_through_edits() {
    let way = document("DeploymentPipeline", "name: way", "promotionPaths: []");
    let project = document("Project", "name: shop", "deploymentPipelineRef: way");
    let text = format!("#- platform.yaml\n{way}#- shop.yaml\n{project}#- other.yaml\na: 1\n");
    let mut fixture = Fixture::scanned(&text);
    fixture.open("platform.yaml", &way);
    fixture.open("shop.yaml", &project);
    assert_eq!(fixture.diagnostics("shop.yaml"), "");
    let shop = [fixture.id("shop.yaml")];
    // What changes no name changes nothing that is found through names.
    let before = fixture.workspace.snapshot();
    fixture.edit("platform.yaml", "kind: Deployment", "# A comment.\nkind: Deployment");
    assert_eq!(checked_again(&before, &fixture.workspace.snapshot(), &shop), []);
    fixture.edit("platform.yaml", "name: way", "name: ways");
    assert!(fixture.diagnostics("shop.yaml").contains("missing-referent"));
    assert_eq!(checked_again(&before, &fixture.workspace.snapshot(), &shop), shop);
    // An earlier state is asked again.
    assert_eq!(crate::fixture::shown(&before, shop[0]), "");
    fixture.edit("shop.yaml", "Ref: way", "Ref: ways");
    assert_eq!(fixture.diagnostics("shop.yaml"), "");
    fixture.edit("platform.yaml", "openchoreo.dev/v1alpha1", "example.com/v1");
    // No pipeline is known any more.
    assert_eq!(fixture.diagnostics("shop.yaml"), "");
}

#[test]
fn traits_of_bindings_are_those_of_their_component() {
    let traits = document("Trait", "name: volume", "schema: {envOverrides: {size: 'integer | default=1'}}");
    let with = document("Component", "name: shop", "traits: [{name: volume, instanceName: data}]");
    let other = document("Component", "name: other", "traits: [{name: volume, instanceName: date}]");
    let without = document("Component", "name: bare", "componentType: deployment/web");
    let platform = format!("{traits}{with}{other}{without}");
    let reported = |owner: &str, instance: &str| {
        let owner = format!("{{projectName: p, componentName: {owner}}}");
        let spec = format!("{{owner: {owner}, environment: dev, traitOverrides: {{{instance}: {{}}}}}}");
        let binding =
            document("ReleaseBinding", "name: shop-dev", "").replace("spec:\n  \n", &format!("spec: {spec}\n"));
        found(&[("platform.yaml", &platform), ("binding.yaml", &binding)], "binding.yaml")
    };
    assert_eq!(reported("shop", "data"), "");
    expect!["openchoreo/missing-referent `shop` has no trait instance `dat`"].assert_eq(&reported("shop", "dat"));
    expect!["openchoreo/missing-referent `shop` has no trait instance `date`"].assert_eq(&reported("shop", "date"));
    expect!["openchoreo/missing-referent `bare` has no trait instance `data`"].assert_eq(&reported("bare", "data"));
    // An unknown document is reported at its name.
    expect!["openchoreo/missing-referent there is no Component `nobody` in this workspace"]
        .assert_eq(&reported("nobody", "data"));
}

#[test]
fn documents_of_the_platform_name_each_other() {
    let environment = document("Environment", "name: dev", "dataPlaneRef: {kind: DataPlane, name: plane}");
    let plane = document("DataPlane", "name: plane", "a: 1");
    let pipeline = document("DeploymentPipeline", "name: way", "promotionPaths: []");
    let platform = format!("{environment}{plane}{pipeline}");
    let reported = |kind: &str, spec: &str| {
        found(&[("platform.yaml", &platform), ("own.yaml", &document(kind, "name: own", spec))], "own.yaml")
    };
    assert_eq!(reported("Project", "deploymentPipelineRef: way"), "");
    assert_eq!(reported("Environment", "dataPlaneRef: plane"), "");
    expect!["openchoreo/missing-referent there is no DeploymentPipeline `wey` in this workspace"]
        .assert_eq(&reported("Project", "deploymentPipelineRef: {name: wey}"));
    expect!["openchoreo/missing-referent there is no DataPlane `plan` in this workspace"]
        .assert_eq(&reported("Environment", "dataPlaneRef: plan"));
    let paths = "promotionPaths: [{sourceEnvironmentRef: dev, targetEnvironmentRefs: [{name: dev}, {name: prod}]}]";
    expect!["openchoreo/missing-referent there is no Environment `prod` in this workspace"]
        .assert_eq(&reported("DeploymentPipeline", paths));
}

#[test]
fn planes_are_named_by_those_who_use_them() {
    for (kind, key, plane) in [
        ("DataPlane", "observabilityPlaneRef", "ObservabilityPlane"),
        ("WorkflowPlane", "observabilityPlaneRef", "ObservabilityPlane"),
        ("ClusterBuildPlane", "observabilityPlaneRef", "ClusterObservabilityPlane"),
        ("Workflow", "workflowPlaneRef", "WorkflowPlane"),
        ("ClusterWorkflow", "workflowPlaneRef", "ClusterWorkflowPlane"),
        ("ComponentWorkflow", "buildPlaneRef", "BuildPlane"),
    ] {
        let platform = document(plane, "name: plane", "a: 1");
        let reported = |reference: &str| {
            let own = document(kind, "name: own", &format!("{key}: {reference}"));
            found(&[("platform.yaml", &platform), ("own.yaml", &own)], "own.yaml")
        };
        assert_eq!(reported("plane"), "", "{kind}");
        assert_eq!(reported(&format!("{{kind: {plane}, name: plane}}")), "", "{kind}");
        let missing = format!("openchoreo/missing-referent there is no {plane} `plan` in this workspace");
        assert_eq!(reported("plan"), missing, "{kind}");
        assert_eq!(reported("{name: plan}"), missing, "{kind}");
    }
}

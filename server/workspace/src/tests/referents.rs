//! Names of documents, and what they refer to.

use crate::CancelFlag;
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
fn of_several_documents_the_nearest_is_meant() {
    let size = |kind: &str| trait_of("name: volume", &format!("size: {kind}"));
    let shop = |size: &str| component(&format!("name: volume, parameters: {{size: {size}}}"));
    let (text, number) = (size("string"), size("integer"));
    let own = format!("{number}{}", shop("1"));
    let of_text = format!("{}{text}", shop("a"));
    let apart = [("one/all.yaml", of_text.as_str()), ("two/all.yaml", &own)];
    assert_eq!(found(&apart, "one/all.yaml"), "");
    assert_eq!(found(&apart, "two/all.yaml"), "");
    let shop = shop("1");
    for (places, want) in [
        (["a/types.yaml", "b/types.yaml", "b/apps/shop.yaml"], ""),
        (["types.yaml", "b/types.yaml", "b/apps/shop.yaml"], ""),
        (["b/x/types.yaml", "b/apps/types.yaml", "b/apps/shop.yaml"], ""),
        (["a/types.yaml", "b/types.yaml", "c/shop.yaml"], "openchoreo/ambiguous-referent"),
    ] {
        let [first, second, third] = places;
        let reported = found(&[(first, &text), (second, &number), (third, &shop)], third);
        assert!(reported.starts_with(want) && reported.is_empty() == want.is_empty(), "{places:?}: {reported}");
    }
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

/// A type of components that allows one trait and one workflow, and has a trait.
fn type_of_components(kind: &str) -> String {
    let template = "{apiVersion: apps/v1, kind: Deployment, metadata: {name: a}}";
    let lists = "allowedTraits: [{kind: Trait, name: other}]\n  allowedWorkflows: [{kind: Workflow, name: docker}]";
    let attached = "traits: [{kind: Trait, name: pvc, instanceName: data}]";
    let resources = format!("resources: [{{id: deployment, template: {template}}}]");
    document(kind, "name: web", &format!("workloadType: deployment\n  {lists}\n  {attached}\n  {resources}"))
}

#[test]
fn components_have_what_their_type_in_any_file_allows() {
    let component = |kind: &str| {
        let traits = "traits: [{kind: Trait, name: pvc, instanceName: mine}, {name: other, instanceName: data}]";
        let reference = format!("componentType: {{kind: {kind}, name: statefulset/web}}");
        let spec = format!("{reference}\n  workflow: {{kind: Workflow, name: react}}\n  {traits}");
        document("Component", "name: shop", &spec)
    };
    let of_type = type_of_components("ComponentType");
    let expected = expect![[r#"
        openchoreo/other-workload the component type `web` is for the workload `deployment`
        openchoreo/not-allowed the component type `web` does not allow the workflow `react`
        openchoreo/not-allowed the component type `web` does not allow the trait `pvc`
        openchoreo/repeated-name a trait of the component type has the instance name `data` already"#]];
    let shop = component("ComponentType");
    expected.assert_eq(&found(&[("web.yaml", &of_type), ("shop.yaml", &shop)], "shop.yaml"));
    expected.assert_eq(&found(&[("all.yaml", &format!("{of_type}{shop}"))], "all.yaml"));
    let cluster = type_of_components("ClusterComponentType").replace("kind: Trait", "kind: ClusterTrait");
    let found_of_cluster =
        found(&[("web.yaml", &cluster), ("shop.yaml", &component("ClusterComponentType"))], "shop.yaml");
    assert_eq!(found_of_cluster.lines().filter(|line| line.contains("not-allowed")).count(), 3, "{found_of_cluster}");
    let list = |text: &str| {
        let items = text.trim_start_matches("---\n").lines().enumerate();
        let items = items.map(|(number, line)| format!("{}{line}\n", if number == 0 { "- " } else { "  " }));
        format!("apiVersion: v1\nkind: List\nitems:\n{}", items.collect::<String>())
    };
    expected.assert_eq(&found(&[("web.yaml", &list(&of_type)), ("shop.yaml", &list(&shop))], "shop.yaml"));
    // The type is not known, or not all of it.
    assert_eq!(found(&[("shop.yaml", &shop)], "shop.yaml"), "");
    let damaged = format!("{of_type}  allowedTraits: [\n");
    let of_damaged = found(&[("web.yaml", &damaged), ("shop.yaml", &shop)], "shop.yaml");
    assert!(!of_damaged.contains("not-allowed"), "{of_damaged}");
    // What one of several documents allows is allowed.
    let other = of_type.replace("name: other", "name: pvc").replace("name: docker", "name: react");
    let several = found(&[("a.yaml", &of_type), ("b.yaml", &other), ("shop.yaml", &shop)], "shop.yaml");
    assert!(several.contains("other-workload") && !several.contains("not-allowed"), "{several}");
    // A trait that does not exist is one mistake.
    let unknown = document(
        "Component",
        "name: shop",
        "componentType: {name: deployment/web}\n  traits: [{name: othr, instanceName: a}]",
    );
    let of_unknown = found(
        &[("web.yaml", &format!("{of_type}{}", trait_of("name: other", ""))), ("shop.yaml", &unknown)],
        "shop.yaml",
    );
    expect!["openchoreo/missing-referent there is no Trait `othr` in this workspace"].assert_eq(&of_unknown);
}

#[test]
fn what_is_meant_is_offered_where_a_type_does_not_allow_something() {
    let shop = "componentType: {name: 'statefulset/web'}\n  traits: [{name: \"othr\", instanceName: a}]";
    let shop = document("Component", "name: shop", shop);
    let fixture =
        Fixture::scanned(&format!("#- web.yaml\n{}#- shop.yaml\n{shop}", type_of_components("ComponentType")));
    let found = fixture.workspace.snapshot().diagnostics(fixture.id("shop.yaml"), &CancelFlag::new());
    let edits = found.iter().flat_map(|finding| &finding.fixes).flat_map(|fix| &fix.edits);
    let edits: Vec<(&str, &str)> = edits.map(|(span, new)| (&shop[span.range()], new.as_str())).collect();
    assert_eq!(edits, [("statefulset", "deployment"), ("othr", "other")]);
    // They say where the type says so.
    let places = found.iter().flat_map(|finding| &finding.related).map(|related| related.span.file);
    assert!(places.eq([fixture.id("web.yaml"); 2]));
}

#[test]
fn what_a_type_allows_is_followed_through_edits() {
    let of_type = type_of_components("ComponentType");
    let shop = document(
        "Component",
        "name: shop",
        "componentType: {name: deployment/web}\n  traits: [{name: other, instanceName: a}]",
    );
    let mut fixture = Fixture::scanned(&format!("#- web.yaml\n{of_type}#- shop.yaml\n{shop}"));
    fixture.open("web.yaml", &of_type);
    fixture.open("shop.yaml", &shop);
    assert_eq!(fixture.diagnostics("shop.yaml"), "");
    fixture.edit("web.yaml", "name: other", "name: another");
    assert!(fixture.diagnostics("shop.yaml").contains("does not allow the trait `other`"));
    fixture.edit("web.yaml", "name: another", "name: other");
    assert_eq!(fixture.diagnostics("shop.yaml"), "");
    fixture.edit("web.yaml", "workloadType: deployment", "workloadType: job");
    assert!(fixture.diagnostics("shop.yaml").contains("is for the workload `job`"));
}

use super::{beyond, limits};
use crate::openchoreo::SEMANTICS;
use crate::{WrittenIn, WrittenSteps};
use lofting_document::FileId;
use lofting_syntax::Tree;

const TYPE: &str = "workloadType: deployment\n  allowedTraits: [{kind: Trait, name: other}, {kind: ClusterTrait, name: log}]\n  \
    allowedWorkflows: [{kind: Workflow, name: docker}, {name: build}]\n  \
    traits: [{kind: Trait, name: pvc, instanceName: data}]";

const OF: &str = "componentType: {name: deployment/web}";

/// The strings in a component of which its type says something else, each with the message, the place in the type, and
/// what may be meant.
fn found(kind: &str, of_type: &str, component: &str) -> Vec<String> {
    let parse = |kind: &str, name: &str, spec: &str| {
        let head = format!("apiVersion: openchoreo.dev/v1alpha1\nkind: {kind}\nmetadata: {{name: {name}}}\n");
        let text = format!("{head}spec:\n  {spec}\n");
        (lofting_syntax::parse(&text), text)
    };
    fn written(tree: &Tree, file: u32) -> WrittenIn<'_> {
        let root = tree.documents().next().and_then(|document| document.root()).expect("a document");
        WrittenIn { file: FileId(file), root: WrittenSteps::root(root, SEMANTICS.profile) }
    }
    assert!(limits(kind));
    let (own, own_text) = parse("Component", "shop", component);
    let (by, by_text) = parse(kind, "web", of_type);
    let found = beyond(&written(&own, 0), &written(&by, 1));
    let shown = found.iter().map(|finding| {
        let related: Vec<&str> = finding.related.iter().map(|at| &by_text[at.span.range()]).collect();
        assert!(finding.related.iter().all(|at| at.span.file == FileId(1)));
        let help = finding.help.as_ref().map_or_else(String::new, |help| format!(" ({help})"));
        format!("{} <- {}: {}{help}", &own_text[finding.span.range()], related.join(" "), finding.message)
    });
    shown.collect()
}

fn of(component: &str) -> Vec<String> {
    found("ComponentType", TYPE, component)
}

#[test]
fn a_component_has_the_workload_of_its_type() {
    let wrong = "the component type `web` is for the workload `deployment` (did you mean `deployment`?)";
    for (reference, expected) in [
        ("{name: deployment/web}", None),
        ("{kind: ComponentType, name: 'statefulset/web'}", Some("statefulset")),
        ("statefulset/web", Some("statefulset")),
        ("deploymnt/web", Some("deploymnt")),
        ("{name: web}", None),
        ("{name: '${parameters.kind}/web'}", None),
    ] {
        let expected = expected.map(|at| format!("{at} <- deployment: {wrong}"));
        assert_eq!(of(&format!("componentType: {reference}")), expected.into_iter().collect::<Vec<_>>(), "{reference}");
    }
    for of_type in ["workloadType: deploymnt", "workloadType: '${parameters.a}'", "allowedTraits: []"] {
        assert_eq!(found("ComponentType", of_type, "componentType: {name: job/web}"), [""; 0], "{of_type}");
    }
}

#[test]
fn a_component_has_what_its_type_allows() {
    for (traits, expected) in [
        ("{name: other, instanceName: a}, {kind: ClusterTrait, name: log, instanceName: b}", None),
        (
            "{kind: Trait, name: pvc, instanceName: mine}",
            Some("pvc <- allowedTraits: the component type `web` does not allow the trait `pvc` (it allows `other`)"),
        ),
        (
            "{name: othr, instanceName: a}",
            Some(
                "othr <- allowedTraits: the component type `web` does not allow the trait `othr` (did you mean `other`?)",
            ),
        ),
        (
            "{name: log, instanceName: a}",
            Some(
                "log <- allowedTraits: the component type `web` does not allow the trait `log` \
                 (it allows a ClusterTrait of this name: say `kind: ClusterTrait`)",
            ),
        ),
        (
            "{name: other, instanceName: data}",
            Some("data <- data: a trait of the component type has the instance name `data` already"),
        ),
        ("{kind: Trate, name: pvc, instanceName: a}", None),
        ("{name: '${parameters.name}', instanceName: '${data}'}", None),
        ("*elsewhere", None),
    ] {
        let spec = format!("{OF}\n  traits: [{traits}]");
        assert_eq!(of(&spec), expected.into_iter().collect::<Vec<_>>(), "{traits}");
    }
    let refused = |name: &str| {
        let message = format!("the component type `web` does not allow the workflow `{name}`");
        vec![format!("{name} <- allowedWorkflows: {message} (it allows ")]
    };
    for (workflow, is_right) in [
        ("{kind: Workflow, name: docker}", true),
        ("{name: build}", true),
        ("{kind: Workflow, name: react}", false),
        ("{name: react}", false),
        // Workflows of another kind that is not written.
        ("{name: docker, systemParameters: {}}", true),
        ("{name: react, systemParameters: {}}", false),
        ("{kind: Flow, name: react}", true),
    ] {
        let found = of(&format!("{OF}\n  workflow: {workflow}"));
        let shown: Vec<String> =
            found.iter().map(|found| found.split_inclusive("(it allows ").take(1).collect()).collect();
        assert_eq!(shown, if is_right { Vec::new() } else { refused("react") }, "{workflow}");
    }
}

#[test]
fn a_type_without_a_list_allows_nothing_since_types_are_named_by_a_map() {
    let traits = "traits: [{kind: ClusterTrait, name: log, instanceName: a}]\n  workflow: {name: build}";
    let count = |kind: &str, of_type: &str, reference: &str| {
        found(kind, of_type, &format!("componentType: {reference}\n  {traits}")).len()
    };
    let (object, text) = ("{name: deployment/web}", "deployment/web");
    assert_eq!(count("ComponentType", "workloadType: deployment", object), 2);
    assert_eq!(count("ClusterComponentType", "workloadType: deployment", object), 2);
    assert_eq!(count("ComponentType", "workloadType: deployment", text), 0);
    for (lists, expected) in [
        ("allowedTraits: []\n  allowedWorkflows: ~", 2),
        ("allowedTraits: ~\n  allowedWorkflows: []", 2),
        // They are being typed, or written elsewhere.
        ("allowedTraits:\n  allowedWorkflows:", 0),
        ("allowedTraits: *elsewhere\n  allowedWorkflows: '${parameters.all}'", 0),
        ("<<: *elsewhere", 0),
        ("allowedTraits: [{kind: ClusterTrait}]\n  allowedWorkflows: [{name: ''}]", 0),
        ("allowedTraits: [log]\n  allowedWorkflows: [build]", 0),
    ] {
        let of_type = format!("workloadType: deployment\n  {lists}");
        assert_eq!(count("ComponentType", &of_type, object), expected, "{lists}");
    }
    // Types of releases without the lists.
    assert_eq!(count("ComponentType", "schema: {}\n  workloadType: deployment", object), 0);
    assert_eq!(count("ComponentType", "schema: {}\n  workloadType: deployment\n  traits: []", object), 2);
    // What is put onto a type says nothing of the rest.
    assert_eq!(count("ComponentType", "resources: []", object), 0);
    // Cluster-wide types have cluster-wide traits.
    assert_eq!(
        count(
            "ClusterComponentType",
            "workloadType: job\n  allowedTraits: [{name: log}]\n  allowedWorkflows: [{name: build}]",
            "{name: job/web}"
        ),
        0
    );
    // A string may name a type of the releases that had the lists already.
    assert_eq!(count("ComponentType", "workloadType: deployment\n  allowedTraits: []", text), 1);
}

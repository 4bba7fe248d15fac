use super::look;
use crate::WrittenSteps;
use crate::openchoreo::SEMANTICS;
use lofting_document::FileId;

/// The strings in which something is wrong, each with its message.
fn found(kind: &str, spec: &str) -> Vec<String> {
    named(kind, "web", spec)
}

fn named(kind: &str, name: &str, spec: &str) -> Vec<String> {
    let text = format!("metadata: {{name: {name}}}\nspec:\n{spec}");
    let tree = lofting_syntax::parse(&text);
    let root = tree.documents().next().and_then(|document| document.root()).expect("a document");
    let mut found = Vec::new();
    look(kind, &WrittenSteps::root(root, SEMANTICS.profile), FileId(0), &mut found);
    found.iter().map(|found| format!("{}: {}", &text[found.span.range()], found.message)).collect()
}

const NAMED: &str = "apiVersion: apps/v1, metadata: {name: a}";

#[test]
fn templates_are_resources() {
    for (template, expected) in [
        ("{apiVersion: v1, kind: Service, metadata: {name: '${metadata.name}'}}", None),
        ("{apiVersion: v1, kind: Service, metadata: {name: a, namespace: ' ${ metadata.namespace } '}}", None),
        ("*elsewhere", None),
        (
            "'${parameters.all}'",
            Some("'${parameters.all}': a template is a map with the keys of a resource, not a text"),
        ),
        ("{<<: *elsewhere}", None),
        ("{apiVersion: v1, kind: Service, metadata: *elsewhere}", None),
        ("{}", Some("template: this template needs `apiVersion`, `kind` and `metadata.name`")),
        ("{apiVersion: v1, kind: Service}", Some("template: this template needs `metadata.name`")),
        ("{apiVersion: v1, kind: '', metadata: {name: a}}", Some("template: this template needs `kind`")),
        (
            "{apiVersion: v1, kind: '${parameters.kind}', metadata: {name: a}}",
            Some("'${parameters.kind}': the kind of a template cannot be an expression"),
        ),
        (
            "{apiVersion: v1, kind: Service, metadata: {name: a, namespace: default}}",
            Some("default: the namespace of a template must be `${metadata.namespace}`"),
        ),
    ] {
        let creates = found("ClusterTrait", &format!("  creates:\n  - template: {template}\n"));
        assert_eq!(creates, expected.into_iter().collect::<Vec<_>>(), "{template}");
        assert!(found("Trait", &format!("  schema: {{}}\n  creates:\n  - template: {template}\n")).is_empty());
    }
    let run = |metadata: &str| {
        found("Workflow", &format!("  runTemplate: {{apiVersion: v1, kind: Workflow, metadata: {metadata}}}\n"))
    };
    assert!(run("{name: a, namespace: '${metadata.namespace}'}").is_empty());
    assert_eq!(run("{name: a}"), ["runTemplate: this template needs `metadata.namespace`"]);
    assert_eq!(run("{name: a, namespace: '${ metadata.namespace }'}").len(), 1);
}

#[test]
fn a_component_type_has_one_workload() {
    let of = |workload: &str, kinds: &[(&str, &str)]| {
        let resources =
            kinds.iter().map(|(id, kind)| format!("  - {{id: {id}, template: {{kind: {kind}, {NAMED}}}}}\n"));
        found("ComponentType", &format!("  workloadType: {workload}\n  resources:\n{}", resources.collect::<String>()))
    };
    assert!(of("deployment", &[("deployment", "Deployment"), ("service", "Service")]).is_empty());
    assert!(of("proxy", &[("route", "HTTPRoute")]).is_empty());
    assert!(of("unknown", &[("route", "HTTPRoute")]).is_empty());
    let message = "Job: a component type for the workload `proxy` cannot have a `Job`";
    assert_eq!(of("proxy", &[("job", "Job")]), [message]);
    let message = "StatefulSet: a component type for the workload `deployment` cannot have a `StatefulSet`";
    assert_eq!(of("deployment", &[("deployment", "Deployment"), ("other", "StatefulSet")]), [message]);
    let message = "Deployment: a component type has only one `Deployment`";
    assert_eq!(of("deployment", &[("deployment", "Deployment"), ("other", "Deployment")]), [message]);
    let message = "resources: no template here is of the workload `cronjob`";
    assert_eq!(of("cronjob", &[("route", "HTTPRoute")]), [message]);
    let message = "app: the template of the workload must have the id `deployment`";
    assert_eq!(of("deployment", &[("app", "Deployment")]), [message]);
}

#[test]
fn traits_have_no_workloads() {
    let spec = format!(
        "  creates:\n  - template: {{kind: Deployment, {NAMED}}}\n  removes:\n  - target: {{group: batch, version: v1, kind: Job}}\n  \
         - target: {{group: example.com, version: v1, kind: Job}}\n"
    );
    let messages = ["Deployment: a trait cannot create a `Deployment`", "Job: a trait cannot remove a `Job`"];
    assert_eq!(found("Trait", &spec), messages);
}

#[test]
fn operations_of_patches() {
    for (operation, expected) in [
        ("{op: add, path: /a, value: 1}", None),
        ("{op: add, path: /a, value: *elsewhere}", None),
        ("{op: remove, path: /a}", None),
        ("{op: add, <<: *elsewhere}", None),
        ("{op: replace, path: /a}", Some("op: this operation needs `value`")),
        ("{op: add, value: 1}", Some("op: this operation needs `path`")),
        ("{op: remove, path: a/b}", Some("a/b: the path of an operation begins with `/`")),
        ("{op: remove, path: '${a}'}", None),
        ("{path: /a}", Some("path: this operation needs `op`")),
        ("{op: remove, path: /a, value: 1}", Some("value: an operation that removes something cannot have a value")),
        ("{op: mergeShallow, path: /a, value: 1}", Some("mergeShallow: there is no operation `mergeShallow`")),
    ] {
        let found = found("Trait", &format!("  patches:\n  - operations:\n    - {operation}\n"));
        let found: Vec<&str> = found.iter().map(|found| found.trim_start_matches('{')).collect();
        assert_eq!(found, expected.into_iter().collect::<Vec<_>>(), "{operation}");
    }
}

#[test]
fn loops_have_names() {
    let creates =
        |rest: &str| found("Trait", &format!("  schema: {{}}\n  creates:\n  - {{forEach: '${{a}}'{rest}}}\n"));
    assert_eq!(creates(""), ["forEach: `forEach` needs `var`, the name of an item in expressions"]);
    assert!(creates(", var: it").is_empty() && creates(", <<: *elsewhere").is_empty());
    for (name, is_reserved) in
        [("in", true), ("null", true), ("parameters", false), ("envOverrides", false), ("trait", false)]
    {
        let found = creates(&format!(", var: '{name}'"));
        let words = if is_reserved { "cannot be the name of an item" } else { "is a variable of the platform" };
        assert!(found.len() == 1 && found[0].starts_with(&format!("'{name}': `{name}` {words}")), "{found:?}");
    }
    // There is no such variable here.
    assert!(creates(", var: environmentConfigs").is_empty() && creates(", var: resource").is_empty());
}

#[test]
fn names_are_there_once() {
    let traits = "  traits:\n  - {name: a, instanceName: x}\n  - {name: b, instanceName: x}\n";
    assert_eq!(found("Component", traits), ["x: the instance `x` is here twice"]);
    assert_eq!(found("ClusterComponentType", traits), ["x: the instance `x` is here twice"]);
    let allowed = "  traits: [{name: a, kind: Trait, instanceName: x}]\n  allowedTraits: [{name: b}, {name: b}, {name: a, kind: Trait}]\n  \
                   allowedWorkflows: [{name: w, kind: Workflow}, {name: w}, {name: w}]\n";
    let messages = [
        "b: the trait `b` is here twice",
        "a: the trait `a` is already part of the component type, so it cannot be allowed as well",
        "w: the workflow `w` is here twice",
    ];
    assert_eq!(found("ComponentType", allowed), messages);
    assert_eq!(found("ClusterProjectType", "  resources: [{id: a}, {id: a}]\n"), ["a: the resource `a` is here twice"]);
    let spec = "  resources: [{id: a}, {id: a}]\n  externalRefs: [{id: b}, {id: b}]\n";
    let messages = ["a: the resource `a` is here twice", "b: the reference `b` is here twice"];
    assert_eq!(found("ClusterWorkflow", spec), messages);
}

#[test]
fn components_are_named_like_services() {
    let spec = "  componentType: {name: deployment/web}\n";
    for name in ["a", "a-1", "shop"] {
        assert!(named("Component", name, spec).is_empty(), "{name}");
    }
    for name in ["1a", "a-", "A", "a.b"] {
        assert_eq!(named("Component", name, spec), [format!("{name}: a component cannot have the name `{name}`")]);
    }
    assert!(named("Component", "1a", "  componentType: deployment/web\n").is_empty());
}

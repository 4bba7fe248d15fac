//! Names of other documents.

use crate::fixture::open;

const PLATFORM: &str = "\
#- types.yaml
apiVersion: openchoreo.dev/v1alpha1
kind: ComponentType
metadata: {name: web-app}
spec:
  workloadType: deployment
---
apiVersion: openchoreo.dev/v1alpha1
kind: ComponentType
metadata: {name: worker}
spec:
  workloadType: deployment
---
apiVersion: openchoreo.dev/v1alpha1
kind: Trait
metadata: {name: volume}
---
apiVersion: openchoreo.dev/v1alpha1
kind: Component
metadata: {name: shop}
spec:
  componentType: deployment/web-app
  traits:
  - name: volume
    instanceName: data-storage
  - name: volume
    instanceName: workspace
---
apiVersion: openchoreo.dev/v1alpha1
kind: Component
metadata: {name: mailer}
spec:
  traits:
  - name: volume
    instanceName: spool
";

/// A document as it may be in a file: alone, in a stream, and as an item of a list, after another one or before it.
fn forms(document: &str) -> [String; 5] {
    let item = document.lines().map(|line| format!("  {line}\n")).collect::<String>().replacen("  ", "- ", 1);
    let deep = item.lines().map(|line| format!("    {line}\n")).collect::<String>();
    let (other, list) = ("{apiVersion: v1, kind: Pod}", "apiVersion: v1\nkind: List\nitems:\n");
    [
        document.to_owned(),
        format!("{other}\n---\n{document}"),
        format!("{list}{item}"),
        format!("{list}- {other}\n{item}- {other}\n"),
        format!("{list}{deep}"),
    ]
}

fn labels(file: &str) -> Vec<String> {
    let document = format!("apiVersion: openchoreo.dev/v1alpha1\n{file}");
    let labels = forms(&document).map(|text| {
        let fixture = open(&format!("{PLATFORM}#- own.yaml\n{text}"));
        let labels: Vec<String> = fixture.completions(false).into_iter().map(|item| item.label).collect();
        (labels, text)
    });
    let [(alone, _), others @ ..] = labels;
    others.iter().for_each(|(labels, text)| assert_eq!(*labels, alone, "{text}"));
    alone
}

#[test]
fn documents_are_offered_where_one_is_named() {
    let component = |spec: &str| labels(&format!("kind: Component\nmetadata: {{name: own}}\nspec:\n{spec}"));
    for typed in ["", "v", "volume", "\"v\"", "\"v"] {
        let at = typed.len() - usize::from(typed.ends_with('"') && typed.len() > 1);
        let written = format!("{}$0{}", &typed[..at], &typed[at..]);
        assert_eq!(component(&format!("  traits:\n  - name: {written}\n")), ["volume"], "{written}");
    }
    assert_eq!(component("  componentType: deployment/$0\n"), ["web-app", "worker"]);
    assert_eq!(
        component("  componentType:\n    kind: ComponentType\n    name: deployment/w$0\n"),
        ["web-app", "worker"]
    );
    // What has to precede a name is written with it.
    let with_workload = ["deployment/web-app", "deployment/worker"];
    assert_eq!(component("  componentType: {kind: ComponentType, name: $0}\n"), with_workload);
    assert_eq!(component("  componentType: $0\n"), with_workload);
    assert_eq!(component("  componentType: dep$0\n"), with_workload);
    // Below its key, keys are offered as well.
    assert_eq!(
        component("  componentType:\n    $0\n"),
        [with_workload.as_slice(), &["name", "kind", "(all keys) kind, name"]].concat()
    );
    // No type has this workload, and no key of the other form is called so.
    assert_eq!(component("  componentType: statefulset/$0\n"), Vec::<String>::new());
    let alone =
        open("#- own.yaml\napiVersion: openchoreo.dev/v1alpha1\nkind: Component\nspec:\n  componentType: KI$0\n");
    assert_eq!(alone.completions(false).len(), 2);
    // A document has the keys of one release.
    let spec = component("  componentType: deployment/web-app\n  $0\n");
    assert!(spec.contains(&"parameters".to_owned()) && !spec.contains(&"type".to_owned()), "{spec:?}");
    let spec = component("  type: WebApp\n  $0\n");
    assert!(!spec.contains(&"componentType".to_owned()), "{spec:?}");
    let spec = labels("kind: Trait\nmetadata: {name: own}\nspec:\n  schema: {}\n  $0\n");
    assert!(spec.contains(&"creates".to_owned()) && !spec.contains(&"parameters".to_owned()), "{spec:?}");
}

#[test]
fn names_of_parts_are_keys() {
    let binding = |spec: &str| {
        labels(&format!(
            "kind: ReleaseBinding\nmetadata: {{name: own}}\nspec:\n  owner: {{componentName: shop}}\n  traitEnvironmentConfigs:\n{spec}"
        ))
    };
    for typed in ["    $0\n", "    data$0\n", "    data$0:\n      size: 1\n", "    data-storage$0"] {
        assert_eq!(binding(typed), ["data-storage", "workspace"], "{typed}");
    }
    assert_eq!(binding("    workspace: {}\n    $0\n"), ["data-storage"]);
}

#[test]
fn an_accepted_name_replaces_what_was_typed() {
    let accepted = |file: &str, label: &str| {
        let fixture = open(&format!("{PLATFORM}#- own.yaml\n{file}"));
        let items = fixture.completions(false);
        let (range, new) = items.into_iter().find(|item| item.label == label).expect("it is offered").edit;
        let mut text = fixture.text;
        text.replace_range(range, &new);
        text
    };
    let head = "apiVersion: openchoreo.dev/v1alpha1\nkind: Component\nmetadata: {name: own}\nspec:\n";
    for (before, after) in [
        ("  componentType: deployment/we$0\n", "  componentType: deployment/web-app\n"),
        ("  traits:\n  - name: \"v$0\n", "  traits:\n  - name: \"volume\"\n"),
        ("  componentType: {name: dep$0}\n", "  componentType: {name: deployment/web-app}\n"),
    ] {
        let name = after.rsplit([' ', '"', '}']).find(|part| !part.trim().is_empty()).unwrap_or_default().trim();
        let label = if before.contains("deployment/") { "web-app" } else { name };
        assert_eq!(accepted(&format!("{head}{before}"), label), format!("{head}{after}"));
    }
}

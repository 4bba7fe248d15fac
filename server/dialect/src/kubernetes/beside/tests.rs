use super::{at, named};
use crate::inside::TextPlace;
use lofting_schema::Step;

const POD: &str = "
apiVersion: v1
kind: Pod
metadata: {name: boat}
spec:
  volumes:
  - name: cargo
  - name: &s stores
  containers:
  - name: crew
    image: crew:1
    ports: [{name: http, containerPort: 80}, {containerPort: 81}]
    volumeMounts: [{name: MOUNT, mountPath: /a}]
    livenessProbe: {httpGet: {port: PORT}}
";

/// A pod whose container mounts this volume and whose probe calls this port.
pub(in crate::kubernetes) fn pod(mount: &str, port: &str) -> String {
    POD.replace("MOUNT", mount).replace("PORT", port)
}

#[test]
fn names_lead_to_what_they_name() {
    for (way, text) in [("mount", pod("'cargo'", "http")), ("port", pod("cargo", "&a http"))] {
        let name = if way == "mount" { "cargo" } else { "http" };
        let offset = text.rfind(name).expect("a name");
        let found = named(&lofting_syntax::parse(&text), offset + 1).expect("a name");
        let shown: Vec<&str> = found.declared.iter().chain(&found.references).map(|at| &text[at.clone()]).collect();
        assert_eq!(shown, [name, name], "{way}");
        assert_eq!(found.origin.start, offset);
    }
    let text = pod("cargo", "http");
    assert!(named(&lofting_syntax::parse(&text), text.find("crew").expect("a name")).is_none());
}

/// Everything that calls a port has its name: probes, services, and what else these select.
#[test]
fn services_call_ports_by_their_names() {
    let labelled = |name: &str, label: &str| {
        let head = format!("metadata: {{name: {name}, labels: {{app: {label}}}}}");
        pod("cargo", "http").replace("metadata: {name: boat}", &head)
    };
    let service = |label: &str, target: &str| {
        let ports = format!("[{{port: 80, targetPort: {target}}}]");
        format!("\n---\napiVersion: v1\nkind: Service\nspec: {{selector: {{app: {label}}}, ports: {ports}}}\n")
    };
    let text = [labelled("a", "x"), labelled("b", "x"), labelled("c", "y")].join("---\n");
    let text = format!("{text}{}{}{}", service("x", "http"), service("y", "other"), service("x", "80"));
    let tree = lofting_syntax::parse(&text);
    let places = |offset: usize| {
        let found = named(&tree, offset + 1).expect("a name");
        (found.declared.len(), found.references.len())
    };
    let all: Vec<usize> =
        text.match_indices("http").filter(|(at, _)| !text[*at..].starts_with("httpGet")).map(|it| it.0).collect();
    let shown: Vec<(usize, usize)> = all.into_iter().map(places).collect();
    assert_eq!(shown, [(2, 3), (2, 3), (2, 3), (2, 3), (1, 1), (1, 1), (2, 3)]);
    assert!(named(&tree, text.rfind("80").expect("a number")).is_none());
}

#[test]
fn names_are_proposed() {
    let text = pod("''", "http");
    let offset = text.find("''").expect("a name");
    let path: Vec<Step> = ["spec", "containers", "", "volumeMounts", "", "name"]
        .iter()
        .map(|key| if key.is_empty() { Step::Item } else { Step::Key((*key).into()) })
        .collect();
    let place = TextPlace { document: 0, path: &path, text: "", offset: 0, at: offset };
    let found = at(&lofting_syntax::parse(&text), &place).expect("names");
    let labels: Vec<&str> = found.proposals.iter().map(|proposal| proposal.label.as_str()).collect();
    assert_eq!(labels, ["cargo", "stores"]);
}

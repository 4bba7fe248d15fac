use super::at;
use crate::inside::{Own, OwnSchema, TextPlace};
use crate::kubernetes::Kubernetes;
use crate::{Dialect, DocumentsView, ReadsSchemas, Recognises, Role, SchemaPart};
use lofting_document::{FileId, Options, lower};
use lofting_overlay::NoFunctions;
use lofting_schema::Step;
use std::sync::Arc;

const DEFINITION: &str = "
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: boats.example.com}
spec:
  group: example.com
  names: {kind: Boat, plural: boats}
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
              least-crew: {type: integer, description: The smallest crew.}
              name: {type: string}
              sails:
                type: array
                items: {type: object, properties: {area: {type: integer}}}
            x-kubernetes-validations:
            - rule: RULE
";

/// The word at `|` in a rule, and the labels and texts that can be inserted there.
fn said(rule: &str) -> (Option<String>, Vec<(String, String)>) {
    let offset = rule.find('|').expect("a place");
    let rule = rule.replace('|', "");
    let text = DEFINITION.replace("RULE", &format!("'{}'", rule.replace('\'', "''")));
    let tree = lofting_syntax::parse(&text);
    let documents = lower(FileId(0), &tree, Kubernetes.profile(), Options::default());
    let file = DocumentsView { tree: &tree, documents: &documents };
    let claims = Kubernetes.claims(&file);
    let index = claims.iter().position(|claim| matches!(claim.role, Role::Schema(_))).expect("a schema");
    let part = SchemaPart { document: &documents.documents[0], claim: claims.get(index), tree: Some(&tree) };
    let schema = Arc::new(Kubernetes.read(&[part], &NoFunctions).schema);
    let schemas = [(index, &schema as &dyn OwnSchema)];
    let mut path = claims[index].at.clone();
    let way: &[&str] = if rule.contains("metadata") { &[] } else { &["properties", "spec"] };
    for step in way.iter().chain(&["x-kubernetes-validations", "", "rule"]) {
        path.push(if step.is_empty() { Step::Item } else { Step::Key((*step).into()) });
    }
    let start = text.find("- rule: ").expect("a rule") + "- rule: ".len();
    let place = TextPlace { document: 0, path: &path, text: &rule, offset, at: start };
    let found = at(&file, &Own { claims: &claims, schemas: &schemas }, &place).expect("a rule");
    let word = found.word.map(|word| match &word.node {
        Some((schema, id)) => format!("{} {}", word.name, schema.type_words(*id)),
        None => word.definition.unwrap_or_default(),
    });
    (word, found.proposals.into_iter().map(|proposal| (proposal.label, proposal.text)).collect())
}

#[test]
fn fields_are_proposed_as_they_are_written_in_expressions() {
    for rule in ["self.|", "self.le|", "self.name == '' && self.|least", "[1].all(x, self.|)"] {
        let (_, proposals) = said(rule);
        assert!(proposals.contains(&("least-crew".into(), "least__dash__crew".into())), "{rule}: {proposals:?}");
        assert!(!proposals.iter().any(|(label, _)| label == "area"), "{rule}");
    }
    for rule in ["self.sails.all(sail, sail.|)", "self.sails[0].|", "self.sails.filter(s, s.area > 1)[0].|"] {
        let (_, proposals) = said(rule);
        assert!(proposals.contains(&("area".into(), "area".into())), "{rule}: {proposals:?}");
    }
}

#[test]
fn methods_fit_the_value() {
    let (_, proposals) = said("self.name.|");
    assert!(proposals.iter().any(|(label, _)| label == "startsWith"));
    assert!(!proposals.iter().any(|(label, _)| label == "isSorted" || label == "all"));
    // Fields that are declared make an object, which has no methods.
    let (_, proposals) = said("self.|");
    let labels: Vec<&str> = proposals.iter().map(|(label, _)| label.as_str()).collect();
    assert_eq!(labels, ["least-crew", "name", "sails"]);
    let (_, proposals) = said("self.sails.|");
    assert!(proposals.iter().any(|(_, text)| text == "all("));
}

#[test]
fn names_are_proposed_where_a_value_is_wanted() {
    for rule in ["|", "self.name == |", "1 > s|", "self.sails.all(sail, |)"] {
        let (_, proposals) = said(rule);
        assert!(proposals.iter().any(|(label, _)| label == "self"), "{rule}: {proposals:?}");
    }
    assert!(said("self.sails.all(sail, |)").1.iter().any(|(label, _)| label == "sail"));
    assert!(said("self.name == 'a|'").1.is_empty());
    assert!(said("self.name |").1.is_empty());
}

#[test]
fn words_have_a_meaning() {
    assert_eq!(said("self.least__dash__cr|ew > 1").0.as_deref(), Some("least__dash__crew integer"));
    assert_eq!(said("self.na|me.size() > 1").0.as_deref(), Some("name string"));
    assert_eq!(said("self.name.si|ze() > 1").0.as_deref(), Some("size() -> int"));
}

#[test]
fn of_the_metadata_of_a_resource_only_names_are_seen() {
    let (_, proposals) = said("self.metadata.|");
    let labels: Vec<&str> = proposals.iter().map(|(label, _)| label.as_str()).collect();
    assert_eq!(labels, ["name", "generateName"]);
}

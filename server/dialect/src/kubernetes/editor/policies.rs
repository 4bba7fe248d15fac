//! Expressions of policies and webhooks of admission.

use super::Rule;
use crate::inside::{Inside, TextPlace};
use crate::json_schema;
use crate::kubernetes::SEMANTICS;
use crate::kubernetes::values::way_at;
use crate::resources::Resource;
use lofting_cel::parse;
use lofting_syntax::Tree;
use std::sync::Arc;

/// The variable whose fields a policy defines.
pub(super) const VARIABLES: &str = "variables";

/// What every expression is given.
const GIVEN: [(&str, &str); 5] = [
    ("object", "the resource, or null if it is deleted"),
    ("oldObject", "the resource before the change, or null if it is new"),
    ("request", "the request"),
    ("namespaceObject", "the namespace of the resource"),
    ("authorizer", "checks what the user may do"),
];

/// What is at a place in an expression, and what could be inserted there.
pub(super) fn at(tree: &Tree, place: &TextPlace<'_>) -> Option<Inside> {
    let (resource, way) = way_at(tree, place)?;
    if !is_expression(&resource, &way) {
        return None;
    }
    let schema = Arc::new(json_schema::anything(&SEMANTICS).schema);
    let spec = resource.root.key("spec");
    let names = spec.iter().flat_map(|spec| spec.reached(&[VARIABLES, "[]", "name"]));
    let defined: Vec<String> = names.filter_map(|name| name.text()).map(|name| name.to_string()).collect();
    let mut variables: Vec<(String, Option<String>)> =
        GIVEN.iter().map(|(name, what)| ((*name).to_owned(), Some((*what).to_owned()))).collect();
    if spec.is_some_and(|spec| spec.key("paramKind").is_some()) {
        variables.push(("params".to_owned(), Some("the resource with parameters".to_owned())));
    }
    if !defined.is_empty() {
        variables.push((VARIABLES.to_owned(), Some("the variables of the policy".to_owned())));
    }
    let rule = Rule { schema: &schema, node: None, variables, defined, expression: parse(place.text)? };
    Some(rule.at(place.text, place.offset))
}

/// Whether an expression is at the end of a way.
fn is_expression(resource: &Resource<'_>, way: &[&str]) -> bool {
    let is_admission = resource.version.starts_with("admissionregistration.k8s.io/");
    is_admission
        && match resource.kind.as_deref().unwrap_or_default() {
            "ValidatingAdmissionPolicy" | "MutatingAdmissionPolicy" => matches!(
                way,
                ["spec", "validations", "[]", "expression" | "messageExpression"]
                    | ["spec", "matchConditions" | VARIABLES, "[]", "expression"]
                    | ["spec", "auditAnnotations", "[]", "valueExpression"]
                    | ["spec", "mutations", "[]", "applyConfiguration" | "jsonPatch", "expression"]
            ),
            "ValidatingWebhookConfiguration" | "MutatingWebhookConfiguration" => {
                matches!(way, ["webhooks", "[]", "matchConditions", "[]", "expression"])
            }
            _ => false,
        }
}

#[cfg(test)]
mod tests {
    use super::at;
    use crate::inside::TextPlace;
    use lofting_schema::Step;

    /// What is offered at the end of an expression.
    fn offered(expression: &str) -> Option<Vec<String>> {
        let text = format!(
            "apiVersion: admissionregistration.k8s.io/v1\nkind: ValidatingAdmissionPolicy\nspec:\n  variables:\n  - {{name: \
             crew, expression: object.spec.crew}}\n  validations:\n  - expression: {expression}\n"
        );
        let path = ["spec", "validations", "", "expression"];
        let path = path.map(|key| if key.is_empty() { Step::Item } else { Step::Key(key.into()) });
        let at_text = text.rfind("expression:").expect("a key") + "expression:".len();
        let place = TextPlace { document: 0, path: &path, text: expression, offset: expression.len(), at: at_text };
        let found = at(&lofting_syntax::parse(&text), &place)?;
        Some(found.proposals.into_iter().map(|proposal| proposal.label).collect())
    }

    #[test]
    fn variables_and_methods_are_offered() {
        let names = offered("").expect("an expression");
        assert_eq!(names[..2], ["object", "oldObject"]);
        assert!(names.iter().any(|name| name == "variables") && !names.iter().any(|name| name == "params"));
        let methods = offered("object.").expect("an expression");
        assert!(methods.iter().any(|name| name == "all") && !methods.iter().any(|name| name.contains("object")));
        assert_eq!(offered("variables.").expect("an expression")[0], "crew");
    }
}

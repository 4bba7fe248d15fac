//! Selectors of labels, and of nodes.

use super::containers::labels;
use super::decoded::Decoded;
use super::look::{LABEL_VALUE, Look, QUALIFIED};

/// A selector of labels (`ValidateLabelSelector`).
pub(super) fn selector(selector: &Decoded<'_>, look: &mut Look) {
    if let Some(wanted) = selector.key("matchLabels") {
        labels(&wanted, look);
    }
    for expression in selector.items("matchExpressions") {
        look.form(&expression, "key", QUALIFIED);
        values(&expression, look);
        for value in expression.items("values") {
            look.formed(&value, LABEL_VALUE);
        }
    }
}

/// What a node is selected by.
pub(super) fn node_terms(term: &Decoded<'_>, look: &mut Look) {
    fields_of_nodes(term, look);
    for expression in term.items("matchExpressions") {
        look.form(&expression, "key", QUALIFIED);
        values(&expression, look);
        let compares = matches!(expression.text_at("operator").as_deref(), Some("Gt" | "Lt"));
        if let Some(all) = expression.key("values").filter(|values| compares && values.all().len() > 1) {
            look.excluded(&all, "should have one item only, because `Gt` and `Lt` compare numbers");
        }
    }
}

/// What nodes are selected by beyond labels, which is their name.
fn fields_of_nodes(term: &Decoded<'_>, look: &mut Look) {
    for expression in term.items("matchFields") {
        let names = expression.key("values");
        // Other operators are found among the words.
        if matches!(expression.text_at("operator").as_deref(), Some("In" | "NotIn")) {
            look.nonempty(&expression, "values");
        }
        if let Some(all) = names.filter(|names| names.all().len() > 1) {
            look.excluded(&all, "should have one item only, because fields of nodes are compared");
        }
    }
}

/// Whether values are there as the operator asks for it.
fn values(expression: &Decoded<'_>, look: &mut Look) {
    match expression.text_at("operator").as_deref() {
        Some("In" | "NotIn" | "Gt" | "Lt") => look.nonempty(expression, "values"),
        Some("Exists" | "DoesNotExist") => {
            if let Some(values) = expression.key("values").filter(|values| !values.is_empty()) {
                look.excluded(&values, "has no place where only the existence of a label matters");
            }
        }
        _ => {}
    }
}

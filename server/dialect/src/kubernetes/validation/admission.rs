//! Expressions of admission policies and of webhooks (`validateValidation`, `validateMatchCondition`, `validateVariable`,
//! `validateAuditAnnotation`).

use super::decoded::Decoded;
use super::look::{Look, TextForm};
use crate::kubernetes::rules::invalid_expression;
use lofting_cel::admission::{AdmissionVariables, configuration, environment, environment_of_changes, patches};
use lofting_cel::compile::{Compiled, compile};
use lofting_cel::structural::escaped;
use lofting_cel::{Environment, Type};

/// The names of variables, and their types.
type Variables = Vec<(String, Type)>;

/// The name of a variable.
const NAME: TextForm =
    (is_name, "a word of letters, digits and `_` that does not begin with a digit and is not reserved in expressions");

fn is_name(text: &str) -> bool {
    let is_word = text.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    let starts = text.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
    // The names of fields are written differently if they are reserved.
    is_word && starts && escaped(text).as_deref() != Some(&format!("__{text}__"))
}

/// Compiles the expression below a key.
pub(super) fn expression(
    holder: &Decoded<'_>,
    key: &str,
    environment: &Environment,
    expected: &[Type],
    look: &mut Look,
) -> Option<Compiled> {
    let field = holder.key(key)?;
    let text = field.text().filter(|text| !text.is_empty())?;
    match compile(&text, environment, expected) {
        Ok(compiled) => Some(compiled),
        Err(faults) => {
            let fault = faults.into_iter().next()?;
            let place = look.span(field.part(fault.range));
            look.found.push(invalid_expression::finding(place, &fault.message));
            None
        }
    }
}

/// Conditions for a resource to be looked at.
pub(super) fn conditions(holder: &Decoded<'_>, parameters: bool, look: &mut Look) {
    let conditions = holder.items("matchConditions");
    if conditions.is_empty() {
        return;
    }
    let environment = environment(AdmissionVariables { parameters, authorizer: true, variables: None });
    for condition in &conditions {
        expression(condition, "expression", &environment, &[Type::Bool], look);
    }
}

/// The variables of a policy, each of which may use those before it. None if it has none. What is not known may be of any type.
fn variables(spec: &Decoded<'_>, given: AdmissionVariables<'_>, look: &mut Look) -> Option<Variables> {
    let all = spec.items("variables");
    let mut known: Variables = Vec::new();
    for variable in &all {
        look.form(variable, "name", NAME);
        // What has no name that can be used is meant to have one, and may be used after it.
        let name = variable.text_at("name").filter(|name| is_name(name))?;
        let environment = environment(AdmissionVariables { variables: Some(&known), ..given });
        let compiled = expression(variable, "expression", &environment, &[], look);
        let result = compiled.map_or(Type::Dyn, |compiled| compiled.result);
        known.push((name.to_string(), result));
    }
    (!all.is_empty()).then_some(known)
}

/// What a policy gives its expressions; None if it is not known which variables it has.
fn given(spec: &Decoded<'_>, look: &mut Look) -> Option<(bool, Option<Variables>)> {
    // A misspelt key is another mistake.
    let parameters = !spec.lacks("paramKind");
    conditions(spec, parameters, look);
    let variables = variables(spec, AdmissionVariables { parameters, authorizer: true, variables: None }, look);
    let is_known = spec.is_whole() && (variables.is_some() || spec.is_bare("variables"));
    is_known.then_some((parameters, variables))
}

/// The expressions of a policy that refuses resources.
pub(super) fn validating(spec: &Decoded<'_>, look: &mut Look) {
    let Some((parameters, variables)) = given(spec, look) else { return };
    let given = AdmissionVariables { parameters, authorizer: true, variables: variables.as_deref() };
    let own = environment(given);
    let of_messages = environment(AdmissionVariables { authorizer: false, ..given });
    for validation in spec.items("validations") {
        expression(&validation, "expression", &own, &[Type::Bool], look);
        expression(&validation, "messageExpression", &of_messages, &[Type::Text], look);
    }
    for annotation in spec.items("auditAnnotations") {
        expression(&annotation, "valueExpression", &own, &[Type::Text, Type::Null], look);
    }
}

/// The expressions of a policy that changes resources.
pub(super) fn mutating(spec: &Decoded<'_>, look: &mut Look) {
    let Some((parameters, variables)) = given(spec, look) else { return };
    let given = AdmissionVariables { parameters, authorizer: true, variables: variables.as_deref() };
    let environment = environment_of_changes(given);
    for mutation in spec.items("mutations") {
        for (key, expected) in [("applyConfiguration", configuration()), ("jsonPatch", patches())] {
            if let Some(change) = mutation.key(key) {
                expression(&change, "expression", &environment, &[expected], look);
            }
        }
    }
}

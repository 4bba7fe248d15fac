//! Answers questions about expressions in JSON, for tests against the verdicts of other implementations.

use crate::check::{check, check_with_literals};
use crate::compile;
use crate::cost::{Failure, LIMIT};
use crate::estimate;
use crate::parse;
use crate::plan::{Environment, Program};
use crate::structural;
use crate::tree::Fault;
use crate::typed;
use crate::types::{Signature, Type, parse_type};
use crate::value::Value;
use rustc_hash::FxHashMap;
use serde_json::{Map, Value as Json, json};

/// Longer types are not read.
const LONGEST_TYPE: usize = 1000;

/// Answers each of a list of questions: whether a `rule` compiles, or what the value of an `expression` is.
pub fn answers(questions: &Json) -> Json {
    questions.as_array().into_iter().flatten().map(answer).collect()
}

fn answer(question: &Json) -> Json {
    if let Some(rule) = question.get("rule").and_then(Json::as_str) {
        return of_rule(rule, question);
    }
    match of_expression(question) {
        Ok(found) => found,
        Err((stage, reason)) => json!({"error": reason, "stage": stage}),
    }
}

fn flag(question: &Json, name: &str) -> bool {
    question.get(name).and_then(Json::as_bool).unwrap_or(false)
}

fn joined(faults: &[Fault]) -> String {
    faults.iter().map(|fault| format!("{}: {}", fault.range.start, fault.message)).collect::<Vec<_>>().join("; ")
}

fn of_rule(rule: &str, question: &Json) -> Json {
    let nothing = json!({});
    let schema = question.get("schema").unwrap_or(&nothing);
    let declared = schema.get("x-kubernetes-validations").and_then(Json::as_array).into_iter().flatten();
    let own = declared.filter(|own| own.get("rule").and_then(Json::as_str) == Some(rule));
    let is_old_optional = own.clone().any(|own| flag(own, "optionalOldSelf"));
    let environment = structural::environment(schema, flag(question, "root"), is_old_optional);
    let message = question.get("messageExpression").and_then(Json::as_str);
    let size = structural::size(schema, flag(question, "root"));
    let allowance = size.as_ref().map(|size| compile::Allowance { size, most: estimate::LIMIT });
    let compiled = compile::compile_with(rule, &environment, &[Type::Bool], allowance).and_then(|rule| {
        message.map_or(Ok(()), |text| compile::compile(text, &environment, &[Type::Text]).map(drop))?;
        Ok(rule.estimate.map(|estimate| estimate.most))
    });
    match compiled {
        Ok(cost) => json!({"ok": true, "cost": cost}),
        Err(faults) => json!({"ok": false, "error": joined(&faults)}),
    }
}

type Refusal = (&'static str, String);

fn a_type(text: Option<&str>) -> Result<Type, Refusal> {
    let found = text.filter(|text| text.len() < LONGEST_TYPE).and_then(parse_type);
    found.ok_or_else(|| ("compile", "a type cannot be read".to_owned()))
}

fn environment(question: &Json) -> Result<Environment, Refusal> {
    let mut environment = Environment {
        container: question.get("container").and_then(Json::as_str).unwrap_or_default().to_owned(),
        has_macros: !flag(question, "disable_macros"),
        ..Environment::default()
    };
    let text = |of: &Json, name: &str| of.get(name).and_then(Json::as_str).map(str::to_owned);
    for variable in question.get("variables").and_then(Json::as_array).into_iter().flatten() {
        let name = text(variable, "name").unwrap_or_default();
        environment.variables.insert(name, a_type(text(variable, "type").as_deref())?);
    }
    for function in question.get("functions").and_then(Json::as_array).into_iter().flatten() {
        for overload in function.get("overloads").and_then(Json::as_array).into_iter().flatten() {
            let parameters = overload.get("params").and_then(Json::as_array).into_iter().flatten();
            environment.functions.to_mut().push(Signature {
                repeats: false,
                name: text(function, "name").unwrap_or_default(),
                is_method: flag(overload, "instance"),
                parameters: parameters.map(|own| a_type(own.as_str())).collect::<Result<_, _>>()?,
                result: a_type(text(overload, "result").as_deref())?,
            });
        }
    }
    Ok(environment)
}

fn of_expression(question: &Json) -> Result<Json, Refusal> {
    let text = question.get("expression").and_then(Json::as_str).unwrap_or_default();
    let refused = |fault: Fault| ("compile", joined(&[fault]));
    let mut environment = environment(question)?;
    let mut bindings: FxHashMap<String, Value> = FxHashMap::default();
    for (name, value) in question.get("bindings").and_then(Json::as_object).unwrap_or(&Map::new()) {
        let value = typed::read(value).ok_or_else(|| ("compile", "a value cannot be read".to_owned()))?;
        environment.variables.entry(name.clone()).or_insert(Type::Dyn);
        bindings.insert(name.clone(), value);
    }
    let tree = parse(text).ok_or_else(|| ("compile", "the expression is too long".to_owned()))?;
    let mut program = Program::new(&tree, &environment).map_err(refused)?;
    let mut found = json!({});
    if !flag(question, "disable_check") {
        let is_check_only = flag(question, "check_only");
        let checked =
            if is_check_only { check(&program, &environment) } else { check_with_literals(&program, &environment) };
        if !checked.faults.is_empty() {
            return Err(("compile", joined(&checked.faults)));
        }
        found["type"] = json!(checked.result.to_string());
        program = checked.applied(program);
        if is_check_only {
            found["value"] = Json::Null;
            return Ok(found);
        }
    }
    let outcome = program.evaluate(&|name| bindings.get(name).cloned(), LIMIT);
    let value = outcome.value.map_err(|error| {
        let reason = match error.failure {
            Failure::Because(reason) | Failure::Unknown(reason) => reason,
            Failure::TooExpensive => "the evaluation costs too much".to_owned(),
        };
        ("runtime", format!("{}: {reason}", error.range.start))
    })?;
    found["value"] = typed::written(&value);
    Ok(found)
}

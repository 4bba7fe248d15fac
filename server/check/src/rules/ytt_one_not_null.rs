use crate::at::At;
use crate::view::View;
use crate::{Diagnostic, Severity, Stage, words};
use lofting_diagnostic::{Cause, rule};
use lofting_document::Key;
use lofting_document::write::double_quoted;

rule! {
    /// # Exactly one of several keys must be set
    ///
    /// ## What
    /// `one_not_null=` in `#@schema/validation` requires that exactly one of the keys is not null. None is, or more
    /// than one. Keys that are not given count with their defaults.
    ///
    /// ## Why
    /// ytt refuses the final values. This is how a schema offers alternatives: one of them, not two.
    ///
    /// ## Example
    /// ```yaml
    /// #! schema
    /// #@schema/validation one_not_null=["s3", "gcs"]
    /// store:
    ///   #@schema/nullable
    ///   s3: ""
    ///   #@schema/nullable
    ///   gcs: ""
    /// #! values
    /// store:
    ///   s3: a
    ///   gcs: b
    /// ```
    ///
    /// ## How to fix
    /// Set one of the keys and leave the others out, or set them to null.
    pub static RULE: Rule = Rule {
        code: "ytt/one-not-null",
        stage: Stage::Validation,
        severity: Severity::Error,
        cause: Cause::Inside,
    };
}

/// How many of the keys of `one_not_null=` are set, if not exactly one.
pub(crate) enum Set {
    /// The value has no keys.
    NotAMap,
    /// All are null.
    None,
    /// More than one is not null.
    Many(Vec<Key>),
}

pub(crate) fn finding<V: View>(at: &At<'_>, value: V, keys: Option<&[Key]>, set: &Set) -> Diagnostic {
    let among = match keys {
        Some(keys) => words::all_of(keys),
        None => "its keys".to_string(),
    };
    let (message, found) = match set {
        Set::NotAMap => (
            format!(
                "{} should be a map with exactly one key that is not null, but is {}",
                at.subject(),
                words::value(at.words(), value)
            ),
            format!("value must be a map or dict, but was '{}'", super::bounds::type_name(value.kind())),
        ),
        Set::None => (
            format!("exactly one of {among} in {} should be set, but all are null", at.subject()),
            "all values are null".to_string(),
        ),
        Set::Many(set) => (
            format!("exactly one of {among} in {} should be set, but {} are", at.subject(), words::all_of(set)),
            format!("{} are not null", starlark_list(set)),
        ),
    };
    let expected = match keys {
        Some(keys) => format!("exactly one of {} to be not null", starlark_list(keys)),
        None => "exactly one of all children to be not null".to_string(),
    };
    Diagnostic::new(&RULE, at.name, message).found(found, expected)
}

fn starlark_list(keys: &[Key]) -> String {
    let shown: Vec<String> = keys
        .iter()
        .map(|key| match key.as_str() {
            Some(text) => double_quoted(text),
            None => key.to_string(),
        })
        .collect();
    format!("[{}]", shown.join(", "))
}

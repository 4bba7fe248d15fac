use crate::Related;
use crate::{Diagnostic, Severity, Stage};
use lofting_diagnostic::{Cause, rule};
use lofting_document::Span;
use lofting_eval::{LOADING, OVERLAY_ITEM};

mod advice;

pub(crate) use advice::{advice, reserved};

rule! {
    /// # Code that fails
    ///
    /// ## What
    /// Running the template's code fails here: a name, a type, a `fail(...)`, a missing file.
    ///
    /// ## Why
    /// ytt stops at the same place, and nothing that depends on the code has a value.
    ///
    /// ## Example
    /// ```yaml
    /// #@ ports = {"http": 80}
    /// #@data/values-schema
    /// ---
    /// port: #@ ports["https"]
    /// ```
    ///
    /// ## How to fix
    /// The message is ytt's, with advice where it is hard to understand; related places show the calls that led here.
    pub static RULE: Rule = Rule {
        code: "ytt/evaluation",
        stage: Stage::Template,
        severity: Severity::Error,
        cause: Cause::NameAbove,
    };
}

/// The user's own error: ytt fails as well. `frames` are all frames as the evaluator gives them, one of them at `span`.
pub fn finding(span: Span, message: &str, hint: Option<&str>, frames: &[(Span, String)]) -> Diagnostic {
    let at = frames.iter().position(|(place, _)| *place == span).unwrap_or(0);
    // In the file that fails, nothing is loaded that cannot be.
    let loads = frames.iter().take(at).filter(|(_, function)| function == LOADING).count();
    let own = (0..loads).fold(message, |message, _| {
        message.strip_prefix("cannot load ").and_then(|rest| Some(rest.split_once(": ")?.1)).unwrap_or(message)
    });
    let mut finding = Diagnostic::new(&RULE, span, own);
    finding.help = hint.map(str::to_owned).or_else(|| advice(own));
    let mut before = "";
    for (nth, (place, function)) in frames.iter().enumerate() {
        if *place != span {
            let message = match (before, function.as_str()) {
                (_, OVERLAY_ITEM) => "this cannot be merged".to_owned(),
                (_, LOADING) => "loaded here".to_owned(),
                (OVERLAY_ITEM | LOADING, _) => "it fails here".to_owned(),
                _ if nth == 0 && at > 0 => "it fails here".to_owned(),
                (_, function) => format!("called in {function}"),
            };
            finding.related.push(Related { span: *place, message });
        }
        before = function;
    }
    finding
}

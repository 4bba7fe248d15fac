use crate::place::{CodePlace, Look, Looks};
use crate::{Diagnostic, Severity, Stage};
use lofting_diagnostic::{Cause, Certainty, Tag, rule};
use lofting_eval::code::BindingKind;

rule! {
    /// # A function that nothing calls
    ///
    /// ## What
    /// A function is never used, and no other file can load it: the file is not a library (`.lib.yml`, `.star`), or the name
    /// begins with `_`, or the function is inside another one.
    ///
    /// ## Why
    /// Usually the code that called it is gone, and readers keep it in mind for nothing.
    ///
    /// ## Example
    /// ```yaml
    /// #@ def labels(app):
    /// app: #@ app
    /// #@ end
    /// name: web
    /// ```
    ///
    /// ## How to fix
    /// Remove it, or call it.
    pub static RULE: Rule = Rule {
        code: "ytt/unused-function",
        stage: Stage::Lint,
        severity: Severity::Hint,
        certainty: Certainty::NeedsWholeText,
        cause: Cause::AnyLine,
    };
}

pub(crate) static LOOKS: Looks = Looks::everywhere(&[Look::Code(look)]);

fn look(place: &CodePlace<'_>, found: &mut Vec<Diagnostic>) {
    for binding in place.unused().filter(|binding| matches!(binding.kind, BindingKind::Function(_))) {
        if !place.can_be_loaded(binding) {
            let message = format!("nothing calls `{}`", binding.name);
            found.push(Diagnostic::new(&RULE, place.span(&binding.range), message).tag(Tag::Unnecessary));
        }
    }
}

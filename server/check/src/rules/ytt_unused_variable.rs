use crate::place::{CodePlace, Look, Looks};
use crate::{Diagnostic, Severity, Stage};
use lofting_diagnostic::{Cause, Certainty, Tag, rule};
use lofting_eval::code::{BindingKind, ScopeId};

rule! {
    /// # A variable that nothing uses
    ///
    /// ## What
    /// A variable is set and never read. Other files can load variables of libraries (`.lib.yml`, `.star`), unless their
    /// names begin with `_`. Variables of loops, and names in functions that begin with `_`, may be left unused.
    ///
    /// ## Why
    /// Usually the code that used it is gone, or another name is misspelt.
    ///
    /// ## Example
    /// ```yaml
    /// #@ def double(number):
    /// #@   half = number / 2
    /// #@   return number * 2
    /// #@ end
    /// size: #@ double(4)
    /// ```
    ///
    /// ## How to fix
    /// Remove it, or use it.
    pub static RULE: Rule = Rule {
        code: "ytt/unused-variable",
        stage: Stage::Lint,
        severity: Severity::Hint,
        certainty: Certainty::NeedsWholeText,
        cause: Cause::AnyLine,
    };
}

pub(crate) static LOOKS: Looks = Looks::everywhere(&[Look::Code(look)]);

fn look(place: &CodePlace<'_>, found: &mut Vec<Diagnostic>) {
    for binding in place.unused().filter(|binding| matches!(binding.kind, BindingKind::Value(_))) {
        let name = &binding.name;
        let is_meant = name == "_" || (name.starts_with('_') && binding.scope != ScopeId(0));
        if !is_meant && !place.can_be_loaded(binding) {
            let message = format!("`{name}` is never used");
            found.push(Diagnostic::new(&RULE, place.span(&binding.range), message).tag(Tag::Unnecessary));
        }
    }
}

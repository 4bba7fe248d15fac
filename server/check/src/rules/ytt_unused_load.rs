use crate::place::{CodePlace, Look, Looks};
use crate::{Diagnostic, Severity, Stage};
use lofting_diagnostic::{Cause, Certainty, Tag, rule};
use lofting_document::Span;
use lofting_eval::code::{BindingKind, Load};
use rustc_hash::{FxHashMap, FxHashSet};

rule! {
    /// # A load that nothing uses
    ///
    /// ## What
    /// The code loads a name and does not use it. What a file loads cannot be loaded from it by others.
    ///
    /// ## Why
    /// Readers look for what the name is needed for, and ytt evaluates the file that is loaded for nothing.
    ///
    /// ## Example
    /// ```yaml
    /// #@ load("@ytt:data", "data")
    /// name: web
    /// ```
    ///
    /// ## How to fix
    /// Remove the name from the `load`, or the whole `load` if it was the last.
    pub static RULE: Rule = Rule {
        code: "ytt/unused-load",
        stage: Stage::Lint,
        severity: Severity::Hint,
        certainty: Certainty::NeedsWholeText,
        cause: Cause::AnyLine,
    };
}

pub(crate) static LOOKS: Looks = Looks::everywhere(&[Look::Code(look)]);

fn look(place: &CodePlace<'_>, found: &mut Vec<Diagnostic>) {
    let mut unused: FxHashMap<usize, FxHashSet<usize>> = FxHashMap::default();
    for binding in place.unused() {
        if let BindingKind::Loaded(load, number) = binding.kind {
            unused.entry(load).or_default().insert(number);
        }
    }
    for (number, load) in place.code.loads.iter().enumerate() {
        if let Some(unused) = unused.get(&number) {
            of_load(place, load, unused, found);
        }
    }
}

/// One finding if nothing of the `load` is used.
fn of_load(place: &CodePlace<'_>, load: &Load, unused: &FxHashSet<usize>, found: &mut Vec<Diagnostic>) {
    let whole = place.span(&load.range);
    match load.names.as_slice() {
        [only] => found.push(finding(whole, &only.local)),
        names if names.len() == unused.len() => {
            found.push(Diagnostic::new(&RULE, whole, "none of these names is used").tag(Tag::Unnecessary));
        }
        names => {
            for (_, name) in names.iter().enumerate().filter(|(number, _)| unused.contains(number)) {
                let range = name.local_range.start.min(name.name_range.start)..name.name_range.end;
                found.push(finding(place.span(&range), &name.local));
            }
        }
    }
}

/// One of several names, or the only one: `span` is what can go.
fn finding(span: Span, name: &str) -> Diagnostic {
    Diagnostic::new(&RULE, span, format!("`{name}` is loaded and never used")).tag(Tag::Unnecessary)
}

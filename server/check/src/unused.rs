//! Names of code that nothing uses.

use crate::{Diagnostic, rules};
use lofting_document::{FileId, Span};
use lofting_eval::code::{Binding, BindingKind, Code, Load, ScopeId, TermKind};
use rustc_hash::{FxHashMap, FxHashSet};

/// What the code of a file binds and never uses. Other files may load what a library defines itself, except names that
/// begin with `_` (docs/ytt.md 7.5).
pub fn check_unused(file: FileId, code: &Code, is_library: bool) -> Vec<Diagnostic> {
    // In half-typed code the use may be what is missing.
    if code.bindings.is_empty() || code.terms.iter().any(|term| matches!(term.kind, TermKind::Missing)) {
        return Vec::new();
    }
    let used = Used::of(code);
    let mut found = Vec::new();
    let mut unused_of_load: FxHashMap<usize, FxHashSet<usize>> = FxHashMap::default();
    for binding in code.bindings.iter().filter(|binding| !used.has(binding)) {
        let span = Span::new(file, binding.range.clone());
        let (name, is_private) = (&binding.name, binding.name.starts_with('_'));
        let of_file = binding.scope == ScopeId(0);
        let can_be_loaded = of_file && is_library && !is_private;
        match binding.kind {
            BindingKind::Loaded(load, number) => drop(unused_of_load.entry(load).or_default().insert(number)),
            BindingKind::Value(_) if !can_be_loaded && (of_file || !is_private) && name != "_" => {
                found.push(rules::ytt_unused_variable::finding(span, name));
            }
            BindingKind::Function(_) if !can_be_loaded => {
                found.push(rules::ytt_unused_function::finding(span, name));
            }
            _ => {}
        }
    }
    for (number, load) in code.loads.iter().enumerate() {
        let unused = unused_of_load.get(&number);
        found.extend(unused.into_iter().flat_map(|unused| of_load(file, load, unused)));
    }
    found
}

/// The findings about a `load`: one if nothing of it is used.
fn of_load(file: FileId, load: &Load, unused: &FxHashSet<usize>) -> Vec<Diagnostic> {
    let whole = Span::new(file, load.range.clone());
    match load.names.as_slice() {
        [only] => vec![rules::ytt_unused_load::finding(whole, &only.local)],
        names if names.len() == unused.len() => vec![rules::ytt_unused_load::of_all(whole)],
        names => {
            let names = names.iter().enumerate().filter(|(number, _)| unused.contains(number));
            let finding = |name: &lofting_eval::code::LoadedName| {
                let range = name.local_range.start.min(name.name_range.start)..name.name_range.end;
                rules::ytt_unused_load::finding(Span::new(file, range), &name.local)
            };
            names.map(|(_, name)| finding(name)).collect()
        }
    }
}

/// The names that code uses, by the scope that binds them.
struct Used<'c>(FxHashSet<(ScopeId, &'c str)>);

impl<'c> Used<'c> {
    fn of(code: &'c Code) -> Used<'c> {
        // The target of an assignment is an expression as well.
        let bound: FxHashSet<usize> = code.bindings.iter().map(|binding| binding.range.start).collect();
        let uses = code.terms.iter().filter_map(|term| match &term.kind {
            TermKind::Name(name) if !bound.contains(&term.range.start) => {
                Some((code.owner(term.scope, name)?, name.as_str()))
            }
            _ => None,
        });
        // `name += 1` reads it, too.
        let changed = code.bindings.iter().filter(|binding| binding.kind == BindingKind::Other);
        Used(uses.chain(changed.map(|binding| (binding.scope, binding.name.as_str()))).collect())
    }

    fn has(&self, binding: &'c Binding) -> bool {
        self.0.contains(&(binding.scope, binding.name.as_str()))
    }
}

//! Call hierarchy: the callers of a function, and the functions it calls, including those loaded from other files.

use super::name::{CodeName, Role};
use super::view::{CodeView, Known, signature};
use lofting_document::{FileId, Span};
use lofting_eval::code::{Code, Function, ScopeId, TermId, TermKind};
use lofting_workspace::Snapshot;
use std::collections::BTreeMap;
use std::ops::Range;

#[cfg(test)]
mod tests;

/// A function, or the code of a file outside all functions.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Caller {
    /// Its name; for a file, the file's name.
    pub name: String,
    /// The function with its parameters.
    pub signature: Option<String>,
    /// All of it.
    pub whole: Span,
    /// Its name, or the beginning of the file.
    pub selection: Span,
}

/// A function with the places of calls.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Calls {
    /// The caller, or the called function.
    pub function: Caller,
    /// The names before the arguments, in the caller's file.
    pub places: Vec<Range<usize>>,
}

/// The function whose name is at `offset` (bytes).
pub fn prepare_call_hierarchy(snapshot: &Snapshot, file: FileId, offset: usize) -> Option<Caller> {
    let name = CodeName::in_file(snapshot, file, offset)?;
    let home = name.homes.first()?;
    let named = home.bindings(&name.name).map(|binding| binding.range.start);
    let starts: Vec<usize> = named.collect();
    let function = home.code.functions.iter().find(|function| starts.contains(&function.name_range.start))?;
    Some(of_function(home.file, &home.code, function))
}

/// The calls of the function whose name begins at `offset` (bytes), by caller.
pub fn incoming_calls(snapshot: &Snapshot, file: FileId, offset: usize) -> Vec<Calls> {
    let Some(name) = CodeName::at(snapshot, file, offset) else { return Vec::new() };
    let mut uses: BTreeMap<FileId, Vec<Range<usize>>> = BTreeMap::new();
    for (place, _) in name.places.iter().filter(|(_, role)| matches!(role, Role::Use | Role::Alias)) {
        uses.entry(place.file).or_default().push(place.range());
    }
    let mut found = CallsByFunction::default();
    for (file, places) in uses {
        let code = snapshot.code(file);
        for (term, _) in calls(&code) {
            let Some(called) = code.term(term).map(|term| (term.range.clone(), term.scope)) else { continue };
            if places.binary_search_by_key(&called.0.start, |place| place.start).is_ok() {
                found.add(around(snapshot, file, &code, called.1), called.0);
            }
        }
    }
    found.in_order()
}

/// The functions that are called where the name of a function begins at `offset` (bytes) or, at the beginning of a
/// file, outside all functions.
pub fn outgoing_calls(snapshot: &Snapshot, file: FileId, offset: usize) -> Vec<Calls> {
    let code = snapshot.code(file);
    let function = code.functions.iter().find(|function| function.name_range.start == offset);
    let wanted = function.map(|function| function.scope);
    if wanted.is_none() && offset > 0 {
        return Vec::new();
    }
    let view = CodeView::new(snapshot, file, code.clone());
    let mut found = CallsByFunction::default();
    for (called, _) in calls(&code) {
        let Some(term) = code.term(called) else { continue };
        if function_around(&code, term.scope).map(|function| function.scope) != wanted {
            continue;
        }
        if let Some(Known::Function(there, function)) = view.known(called) {
            found.add(of_function(there, &snapshot.code(there), &function), term.range.clone());
        }
    }
    found.in_order()
}

/// Functions with their calls, by the positions of their names.
#[derive(Default)]
struct CallsByFunction(BTreeMap<Span, Calls>);

impl CallsByFunction {
    fn add(&mut self, function: Caller, place: Range<usize>) {
        let calls = self.0.entry(function.selection).or_insert_with(|| Calls { function, places: Vec::new() });
        calls.places.push(place);
    }

    fn in_order(self) -> Vec<Calls> {
        let sorted = self.0.into_values().map(|mut calls| {
            calls.places.sort_by_key(|place| place.start);
            calls
        });
        sorted.collect()
    }
}

/// What is called in a file, and the whole call.
fn calls(code: &Code) -> impl Iterator<Item = (TermId, &Range<usize>)> {
    code.terms.iter().filter_map(|term| match &term.kind {
        TermKind::Call { function, .. } => Some((*function, &term.range)),
        _ => None,
    })
}

/// The function that a scope belongs to.
fn function_around(code: &Code, scope: ScopeId) -> Option<&Function> {
    code.scopes_around(scope).find_map(|scope| code.functions.iter().find(|function| function.scope == scope))
}

/// The caller in a scope.
fn around(snapshot: &Snapshot, file: FileId, code: &Code, scope: ScopeId) -> Caller {
    if let Some(function) = function_around(code, scope) {
        return of_function(file, code, function);
    }
    let name = snapshot.path(file).file_name().map(|name| name.to_string_lossy().into_owned());
    let end = snapshot.text(file).len();
    Caller {
        name: name.unwrap_or_default(),
        signature: None,
        whole: Span::new(file, 0..end),
        selection: Span::new(file, 0..0),
    }
}

fn of_function(file: FileId, code: &Code, function: &Function) -> Caller {
    let body = code.scopes.get(function.scope.0 as usize).map_or(function.head.end, |scope| scope.range.end);
    Caller {
        name: function.name.clone(),
        signature: Some(signature(function)),
        whole: Span::new(file, function.head.start..body.max(function.head.end)),
        selection: Span::new(file, function.name_range.clone()),
    }
}

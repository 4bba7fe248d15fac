//! Renames a name in code: in its scope, in the files that load it, in calls that name a parameter.

use super::name::{CodeName, Home, Role, names};
use super::view::{CodeView, Known};
use crate::answers::{Refusal, Renameable, Renamed};
use crate::pages::place;
use lofting_document::{FileId, Span};
use lofting_eval::code::{Load, TermKind};
use lofting_workspace::Snapshot;
use std::collections::BTreeMap;

/// Refuses names that ytt defines.
pub(crate) fn fixed(snapshot: &Snapshot, file: FileId, offset: usize) -> Result<(), Refusal> {
    let Some((view, _)) = CodeView::at(snapshot, file, offset) else { return Ok(()) };
    let named = view.code.term_at(offset).and_then(|id| Some((id, view.code.term(id)?)));
    let Some((id, term)) = named else { return Ok(()) };
    match (&term.kind, view.known(id)) {
        (TermKind::Name(_), Some(Known::Builtin(member))) => {
            Err(Refusal(format!("`{}` is built into ytt's language", member.name)))
        }
        (TermKind::Attribute { name_range, .. }, Some(Known::Member(of, member))) if name_range.start <= offset => {
            Err(Refusal(format!("`{of}.{}` is part of ytt", member.name)))
        }
        _ => Ok(()),
    }
}

/// What a rename would change.
pub(crate) fn prepare(snapshot: &Snapshot, found: &CodeName) -> Result<Renameable, Refusal> {
    check_exports(snapshot, found)?;
    Ok(Renameable { range: found.origin.clone(), name: found.name.clone() })
}

/// The edits that rename it to `new`.
pub(crate) fn rename(snapshot: &Snapshot, found: &CodeName, new: &str) -> Result<Renamed, Refusal> {
    if !lofting_eval::is_field_name(new) || matches!(new, "None" | "True" | "False" | "load") {
        return Err(Refusal(format!("`{new}` cannot be a name in code")));
    }
    if new == found.name {
        return Ok(Renamed::default());
    }
    check_exports(snapshot, found)?;
    for home in &found.homes {
        check_clash(snapshot, home, &found.name, new)?;
    }
    let mut edits: BTreeMap<Span, String> = BTreeMap::new();
    for (span, role) in &found.places {
        match role {
            Role::Pinned => {
                let (span, text) = aliased(snapshot, *span, new);
                edits.insert(span, text);
            }
            Role::Alias => {}
            Role::Definition | Role::Use => {
                if new.starts_with('_') && is_loaded(snapshot, *span) {
                    let place = place(snapshot, *span);
                    return Err(Refusal(format!("names that begin with `_` cannot be loaded, as at {place}")));
                }
                edits.insert(*span, new.to_owned());
            }
        }
    }
    Ok(Renamed { edits: edits.into_iter().collect(), outside: Vec::new() })
}

/// Whether an occurrence is a name that `load` takes from another file.
fn is_loaded(snapshot: &Snapshot, span: Span) -> bool {
    let code = snapshot.code(span.file);
    code.loads.iter().flat_map(|load| &load.names).any(|loaded| loaded.name_range == span.range())
}

/// The new name must not mean anything yet where the old one is used, nor capture existing uses of the new name.
fn check_clash(snapshot: &Snapshot, home: &Home, old: &str, new: &str) -> Result<(), Refusal> {
    let refuse = |words: &str, range: &std::ops::Range<usize>| {
        let place = place(snapshot, Span::new(home.file, range.clone()));
        Err(Refusal(format!("{words} at {place}")))
    };
    let code = &home.code;
    let bound = |scope| {
        code.bound_in(scope, new).iter().find_map(|index| code.bindings.get(*index as usize)).map(|found| &found.range)
    };
    if let Some(range) = bound(home.scope) {
        return refuse(&format!("there is already a `{new}`"), range);
    }
    for term in home.uses(old) {
        let between = code.scopes_around(term.scope).take_while(|scope| *scope != home.scope);
        if let Some(range) = between.into_iter().find_map(bound) {
            return refuse(&format!("where it is used `{new}` means something else,"), range);
        }
    }
    // Uses of `new` inside the scope that mean something outside it, even if only a built-in.
    for term in names(code, new) {
        let owner = code.owner(term.scope, new);
        let captured =
            code.scopes_around(term.scope).take_while(|scope| Some(*scope) != owner).any(|s| s == home.scope);
        if captured {
            return refuse(&format!("`{new}` is used with a different meaning"), &term.range);
        }
    }
    Ok(())
}

/// `"name"` in a `load` becomes `new="name"`. Named arguments come last, so it may have to change places with others.
fn aliased(snapshot: &Snapshot, span: Span, new: &str) -> (Span, String) {
    let text = snapshot.text(span.file);
    let code = snapshot.code(span.file);
    let quoted = |content: std::ops::Range<usize>| content.start.saturating_sub(1)..(content.end + 1).min(text.len());
    let own = quoted(span.range());
    let after = |load: &&Load| load.names.iter().any(|loaded| loaded.name_range == span.range());
    let load = code.loads.iter().find(after);
    let positional = |loaded: &&lofting_eval::code::LoadedName| {
        loaded.name_range == loaded.local_range && loaded.name_range.start > span.range().start
    };
    let others: Vec<_> = load.into_iter().flat_map(|load| load.names.iter().filter(positional)).collect();
    let named = format!("{new}={}", text.slice(own.clone()));
    match (others.first(), others.last()) {
        (Some(first), Some(last)) => {
            let others = quoted(first.name_range.clone()).start..quoted(last.name_range.clone()).end;
            let moved = format!("{}, {named}", text.slice(others.clone()));
            (Span::new(span.file, own.start..others.end), moved)
        }
        _ => (Span::new(span.file, own), named),
    }
}

/// A function of a library may be named by a string in `export`, and it is not known for which library.
fn check_exports(snapshot: &Snapshot, found: &CodeName) -> Result<(), Refusal> {
    let Some(home) = found.homes.first() else { return Ok(()) };
    let in_library = snapshot.path(home.file).components().any(|part| part.as_os_str() == "_ytt_lib");
    let exported = found.places.values().any(|role| *role == Role::Definition) && home.scope.0 == 0;
    if !in_library || !exported {
        return Ok(());
    }
    for file in snapshot.files() {
        let code = snapshot.code(file);
        let named = code.terms.iter().find_map(|term| {
            let TermKind::Call { function, arguments, .. } = &term.kind else { return None };
            let TermKind::Attribute { name, .. } = &code.term(*function)?.kind else { return None };
            match &code.term(arguments.first()?.value)?.kind {
                TermKind::String { value, content } if name == "export" && *value == found.name => {
                    Some(content.clone())
                }
                _ => None,
            }
        });
        if let Some(range) = named {
            let place = place(snapshot, Span::new(file, range));
            return Err(Refusal(format!("it may be exported from its library at {place}")));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests;

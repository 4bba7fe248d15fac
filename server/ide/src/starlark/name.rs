//! A name in code as one thing: where it is bound, where it is used in its scope, and which files load it.

use super::view::{CodeView, Known};
use lofting_document::{FileId, Span};
use lofting_eval::code::{Binding, BindingKind, Code, Function, Load, ScopeId, Term, TermKind};
use lofting_workspace::Snapshot;
use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;

/// The name at a position, with all its occurrences.
pub(crate) struct CodeName {
    /// The name.
    pub name: String,
    /// Its bytes at the given position.
    pub origin: Range<usize>,
    /// Where it is valid: first where it is defined, then in the files that load it without giving it another name.
    pub homes: Vec<Home>,
    /// All its occurrences.
    pub places: BTreeMap<Span, Role>,
}

/// A scope in which a name is valid.
pub(crate) struct Home {
    /// The file.
    pub file: FileId,
    /// Its code.
    pub code: Arc<Code>,
    /// The scope that binds the name.
    pub scope: ScopeId,
    /// For the variable of a loop that is not used outside it: the bytes of the loop.
    pub within: Option<Range<usize>>,
}

/// The role of an occurrence of a name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Role {
    /// Binds it.
    Definition,
    /// Uses it.
    Use,
    /// Binds or uses the name that a `load` gives it: renaming leaves that.
    Alias,
    /// A string of `load` whose content belongs to another file or a module of ytt: renaming must keep it and bind
    /// another name.
    Pinned,
}

/// What is at an offset.
enum Site {
    /// A name that is valid in a scope of the file.
    Here(ScopeId, String),
    /// The name of something in another file.
    There(FileId, ScopeId, String),
}

impl Home {
    fn new(file: FileId, code: Arc<Code>, scope: ScopeId, name: &str, offset: Option<usize>) -> Home {
        let within = offset.and_then(|offset| loop_around(&code, scope, name, offset));
        Home { file, code, scope, within }
    }

    fn holds(&self, range: &Range<usize>) -> bool {
        self.within.as_ref().is_none_or(|within| within.start <= range.start && range.end <= within.end)
    }

    /// The bindings of a name that are this one.
    pub fn bindings<'h>(&'h self, name: &str) -> impl Iterator<Item = &'h Binding> {
        let found = self.code.bound_in(self.scope, name).iter();
        let bindings = found.filter_map(|index| self.code.bindings.get(*index as usize));
        bindings.filter(|binding| self.holds(&binding.range))
    }

    /// Expressions that are a name with the scope's binding.
    pub fn uses<'h>(&'h self, name: &'h str) -> impl Iterator<Item = &'h Term> {
        names(&self.code, name)
            .filter(|term| self.holds(&term.range) && self.code.owner(term.scope, name) == Some(self.scope))
    }
}

/// Expressions that are a name.
pub(crate) fn names<'c>(code: &'c Code, name: &'c str) -> impl Iterator<Item = &'c Term> {
    code.terms.iter().filter(move |term| matches!(&term.kind, TermKind::Name(found) if found == name))
}

impl CodeName {
    /// The name at `offset` (bytes) with its occurrences in all files.
    pub fn at(snapshot: &Snapshot, file: FileId, offset: usize) -> Option<CodeName> {
        let mut found = CodeName::in_file(snapshot, file, offset)?;
        found.elsewhere(snapshot);
        Some(found)
    }

    /// Like [`CodeName::at`], but a name that a `load` gives to another leads to that one.
    pub fn meant(snapshot: &Snapshot, file: FileId, offset: usize) -> Option<CodeName> {
        let (view, _) = CodeView::at(snapshot, file, offset)?;
        let (site, origin) = site_at(&view, offset)?;
        let aliased = match &site {
            Site::Here(scope, name) => aliased(&view, *scope, name),
            Site::There(..) => None,
        };
        let Some((there, name)) = aliased else { return CodeName::at(snapshot, file, offset) };
        let mut found = CodeName::of_site(snapshot, &view, Site::There(there, ScopeId(0), name), origin, offset);
        found.elsewhere(snapshot);
        Some(found)
    }

    /// The name at `offset` (bytes) with its occurrences in this file, and where it is defined.
    pub fn in_file(snapshot: &Snapshot, file: FileId, offset: usize) -> Option<CodeName> {
        let (view, _) = CodeView::at(snapshot, file, offset)?;
        let (site, origin) = site_at(&view, offset)?;
        Some(CodeName::of_site(snapshot, &view, site, origin, offset))
    }

    fn of_site(snapshot: &Snapshot, view: &CodeView<'_>, site: Site, origin: Range<usize>, offset: usize) -> CodeName {
        let file = view.file;
        let (home, name) = match site {
            Site::Here(scope, name) => match definition(view, scope, &name) {
                Some(there) => (Home::new(there, snapshot.code(there), ScopeId(0), &name, None), name),
                None => (Home::new(file, view.code.clone(), scope, &name, Some(offset)), name),
            },
            Site::There(there, scope, name) => (Home::new(there, snapshot.code(there), scope, &name, None), name),
        };
        let mut found = CodeName { name, origin, homes: Vec::new(), places: BTreeMap::new() };
        let (there, code) = (home.file, home.code.clone());
        found.add_home(home);
        found.add_keywords(view);
        if there != file {
            found.add_loader(view);
            found.add_keywords(&CodeView::new(snapshot, there, code));
        }
        found
    }

    /// The occurrences in the file that defines the name.
    fn add_home(&mut self, home: Home) {
        let file = home.file;
        for term in home.uses(&self.name) {
            self.places.insert(Span::new(file, term.range.clone()), Role::Use);
        }
        for binding in home.bindings(&self.name) {
            let role = match binding.kind {
                BindingKind::Loaded(load, name) if is_unaliased(&home.code, load, name) => Role::Pinned,
                _ => Role::Definition,
            };
            self.places.insert(Span::new(file, binding.range.clone()), role);
        }
        self.homes.push(home);
    }

    /// The occurrences in a file that loads the name.
    fn add_loader(&mut self, view: &CodeView<'_>) {
        let Some(home) = self.homes.first() else { return };
        if home.scope != ScopeId(0) {
            return;
        }
        let target = home.file;
        let mut unaliased = false;
        for load in loads_of(view, target) {
            for loaded in load.names.iter().filter(|loaded| loaded.name == self.name) {
                self.places.insert(Span::new(view.file, loaded.name_range.clone()), Role::Use);
                unaliased |= loaded.name_range == loaded.local_range;
                if loaded.name_range != loaded.local_range {
                    let alias = Home::new(view.file, view.code.clone(), ScopeId(0), &loaded.local, None);
                    let bindings = alias.bindings(&loaded.local).map(|binding| &binding.range);
                    for range in bindings.chain(alias.uses(&loaded.local).map(|term| &term.range)) {
                        self.places.insert(Span::new(view.file, range.clone()), Role::Alias);
                    }
                }
            }
        }
        if !unaliased {
            return;
        }
        let home = Home::new(view.file, view.code.clone(), ScopeId(0), &self.name, None);
        for term in home.uses(&self.name) {
            self.places.insert(Span::new(view.file, term.range.clone()), Role::Use);
        }
        for binding in home.bindings(&self.name) {
            let role = match binding.kind {
                BindingKind::Loaded(..) => Role::Use,
                _ => Role::Definition,
            };
            self.places.insert(Span::new(view.file, binding.range.clone()), role);
        }
        self.homes.push(home);
    }

    /// Arguments of calls that name a parameter.
    fn add_keywords(&mut self, view: &CodeView<'_>) {
        let Some((file, function)) = self.parameter_of() else { return };
        for (_, name) in keywords(view).filter(|(_, (name, _))| *name == self.name).collect::<Vec<_>>() {
            if view.called(name.1.start).is_some_and(|(there, called)| there == file && called.head == function.head) {
                self.places.insert(Span::new(view.file, name.1), Role::Use);
            }
        }
    }

    /// The function whose parameter this is, if calls can name it.
    fn parameter_of(&self) -> Option<(FileId, Function)> {
        let home = self.homes.first()?;
        let function = home.code.functions.iter().find(|function| function.scope == home.scope)?;
        let named = |parameter: &lofting_eval::code::Parameter| parameter.name == self.name && !parameter.starred;
        function.parameters.iter().any(named).then(|| (home.file, function.clone()))
    }

    /// Adds the occurrences in files that load from the one where it is defined.
    fn elsewhere(&mut self, snapshot: &Snapshot) {
        let Some(home) = self.homes.first() else { return };
        let (target, parameter) = (home.file, self.parameter_of().is_some());
        if home.scope != ScopeId(0) && !parameter {
            return;
        }
        let known: Vec<FileId> = self.homes.iter().map(|home| home.file).collect();
        for file in snapshot.files().filter(|file| *file != target) {
            let code = snapshot.code(file);
            if code.loads.is_empty() {
                continue;
            }
            let view = CodeView::new(snapshot, file, code);
            if loads_of(&view, target).next().is_none() {
                continue;
            }
            if !known.contains(&file) {
                self.add_loader(&view);
            }
            self.add_keywords(&view);
        }
    }
}

/// What is at an offset, with its bytes.
fn site_at(view: &CodeView<'_>, offset: usize) -> Option<(Site, Range<usize>)> {
    let code = &view.code;
    let inside = |range: &Range<usize>| range.start <= offset && offset <= range.end && !range.is_empty();
    for load in code.loads.iter().filter(|load| inside(&load.range)) {
        for loaded in &load.names {
            if inside(&loaded.name_range) && loaded.name_range != loaded.local_range {
                let there = view.snapshot.loaded_file(view.file, &load.module)?;
                return Some((Site::There(there, ScopeId(0), loaded.name.clone()), loaded.name_range.clone()));
            }
        }
    }
    if let Some(binding) = code.bindings.iter().find(|binding| inside(&binding.range)) {
        return Some((Site::Here(binding.scope, binding.name.clone()), binding.range.clone()));
    }
    let named = code.terms.iter().find_map(|term| match &term.kind {
        TermKind::Name(name) if inside(&term.range) => Some((term, name)),
        _ => None,
    });
    if let Some((term, name)) = named {
        let scope = code.owner(term.scope, name)?;
        return Some((Site::Here(scope, name.clone()), term.range.clone()));
    }
    let (_, (name, range)) = keywords(view).find(|(_, (_, range))| inside(range))?;
    let (file, function) = view.called(range.start)?;
    function.parameters.iter().find(|parameter| parameter.name == name && !parameter.starred)?;
    let site =
        if file == view.file { Site::Here(function.scope, name) } else { Site::There(file, function.scope, name) };
    Some((site, range))
}

/// Named arguments of all calls: the function's expression, and the name with its range.
fn keywords<'v>(
    view: &'v CodeView<'_>,
) -> impl Iterator<Item = (lofting_eval::code::TermId, (String, Range<usize>))> + 'v {
    view.code.terms.iter().flat_map(|term| {
        let (function, arguments) = match &term.kind {
            TermKind::Call { function, arguments, .. } => (Some(*function), arguments.as_slice()),
            _ => (None, &[][..]),
        };
        let named = arguments.iter().filter_map(|argument| argument.name.clone());
        named.filter_map(move |name| Some((function?, name)))
    })
}

impl CodeView<'_> {
    /// The function that is called with the named argument whose name begins at an offset.
    fn called(&self, offset: usize) -> Option<(FileId, Function)> {
        let (function, _) = keywords(self).find(|(_, (_, range))| range.start == offset)?;
        match self.known(function)? {
            Known::Function(file, function) => Some((file, function)),
            _ => None,
        }
    }
}

/// The loads that take names from a file.
fn loads_of<'v>(view: &'v CodeView<'_>, target: FileId) -> impl Iterator<Item = &'v Load> {
    let takes = move |load: &&Load| view.snapshot.loaded_file(view.file, &load.module) == Some(target);
    view.code.loads.iter().filter(takes)
}

/// The file that defines a name which a file loads without giving it another name.
fn definition(view: &CodeView<'_>, scope: ScopeId, name: &str) -> Option<FileId> {
    view.code.bound_in(scope, name).iter().find_map(|index| {
        let binding = view.code.bindings.get(*index as usize)?;
        let BindingKind::Loaded(load, number) = binding.kind else { return None };
        let load = view.code.loads.get(load).filter(|_| is_unaliased(&view.code, load, number))?;
        let file = view.snapshot.loaded_file(view.file, &load.module)?;
        // A file does not export what it has loaded itself.
        let code = view.snapshot.code(file);
        let found = code.bound_in(ScopeId(0), name).iter().filter_map(|index| code.bindings.get(*index as usize));
        let defined = found.into_iter().any(|binding| !matches!(binding.kind, BindingKind::Loaded(..)));
        defined.then_some(file)
    })
}

/// The name in another file that a `load` gives this name to.
fn aliased(view: &CodeView<'_>, scope: ScopeId, name: &str) -> Option<(FileId, String)> {
    view.code.bound_in(scope, name).iter().find_map(|index| {
        let BindingKind::Loaded(load, number) = view.code.bindings.get(*index as usize)?.kind else { return None };
        let load = view.code.loads.get(load)?;
        let loaded = load.names.get(number).filter(|loaded| loaded.name_range != loaded.local_range)?;
        let file = view.snapshot.loaded_file(view.file, &load.module)?;
        Some((file, loaded.name.clone()))
    })
}

fn is_unaliased(code: &Code, load: usize, name: usize) -> bool {
    let loaded = code.loads.get(load).and_then(|load| load.names.get(name));
    loaded.is_some_and(|loaded| loaded.name_range == loaded.local_range)
}

/// The bytes of the loop whose variable is the name at an offset, if all uses of the name in the scope are in loops
/// over it. Two loops can use the same name without being related.
fn loop_around(code: &Code, scope: ScopeId, name: &str, offset: usize) -> Option<Range<usize>> {
    let mut loops: Vec<Range<usize>> = Vec::new();
    for index in code.bound_in(scope, name) {
        let binding = code.bindings.get(*index as usize)?;
        let found = binding.range.start..binding.until?;
        match loops.last_mut() {
            Some(last) if found.start < last.end => last.end = last.end.max(found.end),
            _ => loops.push(found),
        }
    }
    let around = |range: &Range<usize>| loops.iter().find(|found| found.start <= range.start && range.end <= found.end);
    let mut uses = names(code, name).filter(|term| code.owner(term.scope, name) == Some(scope));
    if loops.len() < 2 || uses.any(|term| around(&term.range).is_none()) {
        return None;
    }
    around(&(offset..offset)).cloned()
}

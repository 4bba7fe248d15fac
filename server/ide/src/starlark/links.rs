//! Data values that files pass to each other's functions: `labels(data.values.app)`, where `labels` is loaded.

use lofting_document::FileId;
use lofting_eval::code::{BindingKind, Code, FunctionId, Outside, PassedValue, ScopeId};
use lofting_workspace::{FileKind, Snapshot};
use std::collections::HashMap;
use std::sync::Arc;

/// A function can pass on its arguments; this is how far that is followed.
const ROUNDS: usize = 4;

/// What calls pass to the parameters of a file's functions.
type GivenTo = HashMap<FileId, HashMap<(FunctionId, usize), Vec<PassedValue>>>;

/// Code of files whose data values are followed through each other's functions.
pub(crate) struct Links(HashMap<FileId, Arc<Code>>);

/// A file that loads functions.
struct Caller {
    code: Arc<Code>,
    outside: Outside,
    /// The functions, by `load` and name in it.
    targets: HashMap<(usize, usize), (FileId, FunctionId)>,
}

impl Links {
    /// Links files with those that they load from.
    pub fn among(snapshot: &Snapshot, files: impl Iterator<Item = FileId>) -> Links {
        let mut callers: HashMap<FileId, Caller> =
            files.filter_map(|file| Some((file, Caller::of(snapshot, file)?))).collect();
        let mut given = GivenTo::new();
        for _ in 0..ROUNDS {
            let mut next = GivenTo::new();
            for (file, caller) in &mut callers {
                caller.outside.given = given.get(file).cloned().unwrap_or_default();
                for pass in caller.code.linked(&caller.outside).values.passes {
                    let Some((target, function)) = caller.targets.get(&(pass.load, pass.name)) else { continue };
                    let known = next.entry(*target).or_default().entry((*function, pass.parameter)).or_default();
                    if !known.contains(&pass.given) {
                        known.push(pass.given);
                    }
                }
            }
            let settled = next == given;
            given = next;
            if settled {
                break;
            }
        }
        let mut linked = HashMap::new();
        for (file, mut caller) in callers {
            caller.outside.given = given.remove(&file).unwrap_or_default();
            linked.insert(file, Arc::new(caller.code.linked(&caller.outside)));
        }
        for (file, given) in given {
            let outside = Outside { given, ..Outside::default() };
            linked.insert(file, Arc::new(snapshot.code(file).linked(&outside)));
        }
        Links(linked)
    }

    /// The code of a file.
    pub fn code(&self, snapshot: &Snapshot, file: FileId) -> Arc<Code> {
        self.0.get(&file).cloned().unwrap_or_else(|| snapshot.code(file))
    }
}

impl Caller {
    fn of(snapshot: &Snapshot, file: FileId) -> Option<Caller> {
        let code = snapshot.code(file);
        let mut caller = Caller { code: code.clone(), outside: Outside::default(), targets: HashMap::new() };
        for (index, load) in code.loads.iter().enumerate() {
            let Some(target) = snapshot.loaded_file(file, &load.module) else { continue };
            let there = snapshot.code(target);
            for (number, name) in load.names.iter().enumerate() {
                let last = there.bound_in(ScopeId(0), &name.name).last();
                let binding = last.and_then(|last| there.bindings.get(*last as usize));
                let Some(BindingKind::Function(id)) = binding.map(|binding| binding.kind) else { continue };
                let Some(function) = there.functions.get(id.0 as usize) else { continue };
                caller.outside.functions.insert((index, number), function.parameters.clone());
                caller.targets.insert((index, number), (target, id));
            }
        }
        (!caller.targets.is_empty()).then_some(caller)
    }
}

/// The code of a file; for a library with what neighbouring files pass to its functions.
pub(crate) fn code_near(snapshot: &Snapshot, file: FileId) -> Arc<Code> {
    match callers(snapshot, file) {
        callers if callers.is_empty() => snapshot.code(file),
        callers => Links::among(snapshot, callers.into_iter()).code(snapshot, file),
    }
}

/// The neighbouring files that load a library: what they pass to its functions is a part of what its code says.
pub(crate) fn callers(snapshot: &Snapshot, file: FileId) -> Vec<FileId> {
    let path = snapshot.path(file);
    let is_library = snapshot.kind(file) == FileKind::Library || path.extension().is_some_and(|name| name == "star");
    let Some(name) = path.file_name().and_then(|name| name.to_str()) else { return Vec::new() };
    if !is_library || snapshot.code(file).functions.is_empty() {
        return Vec::new();
    }
    let loads = |other: &FileId| {
        let code = snapshot.code(*other);
        let named = |module: &str| module.rsplit('/').next() == Some(name);
        code.loads.iter().any(|load| named(&load.module) && snapshot.loaded_file(*other, &load.module) == Some(file))
    };
    snapshot.beside(file).into_iter().filter(loads).collect()
}

#[cfg(test)]
mod tests;

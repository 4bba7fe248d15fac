//! Modules that earlier evaluations loaded. All templates of an input set load the same few files, so each is compiled
//! and run once, for as long as everything that it read is the same.

use parking_lot::Mutex;
use std::cell::RefCell;
use std::collections::{HashMap, HashSet};
use std::sync::Arc;
use std::sync::atomic::AtomicU32;

use lofting_eval::{
    Call, Caller, Data, EvalError, EvaluationId, FileAnswer, FileQuestion, LibraryAnswer, LibraryFiles, LibraryRequest,
};
use lofting_interpreter::Module;
use lofting_worker::wire::hash;

use crate::host::{Host, SourceFile};
use crate::programs::Programs;

/// How many modules are kept, and how many bytes their values may take together.
const MAX_MODULES: usize = 512;
const MAX_BYTES: usize = 32 << 20;

/// A module with what it depends on.
pub(crate) struct Loaded {
    path: String,
    pub(crate) module: Module,
    /// What it read while it was loaded, with the hashes of the answers.
    reads: Vec<(FileQuestion, u64)>,
    /// It asked for something that may have another answer the next time.
    once: bool,
    /// The modules that it loaded: it has values of them.
    below: Vec<Arc<Loaded>>,
    /// Its code, by the number of its file, to locate errors in its functions.
    source: (u32, Option<SourceFile>),
    printed: Vec<String>,
}

/// What a module depends on besides the files that it reads.
#[derive(Clone, PartialEq, Eq, Hash)]
pub(crate) struct Key {
    pub(crate) path: String,
    /// The directory of its library.
    pub(crate) library: String,
    /// The hash of the data values.
    values: Option<u64>,
    implicit_map_key_overrides: bool,
    proposed: bool,
}

impl Key {
    pub(crate) fn new(path: &str, library: &str, host: &Host<'_>) -> Key {
        Key {
            path: path.to_owned(),
            library: library.to_owned(),
            values: *host.values_hash.get_or_init(|| host.data_values.map(hash)),
            implicit_map_key_overrides: host.implicit_map_key_overrides,
            proposed: host.proposed,
        }
    }
}

/// The modules and programs of all evaluations in one process.
#[derive(Default)]
pub struct LoadedModules {
    kept: Mutex<Modules>,
    pub(crate) programs: Programs,
    /// The number of the next file. A module keeps the number of its file in later evaluations.
    pub(crate) next_file: Arc<AtomicU32>,
}

#[derive(Default)]
struct Modules {
    modules: HashMap<Key, Arc<Loaded>>,
    bytes: usize,
}

impl LoadedModules {
    /// The module, if loading it again would give the same. Those that it loaded are then known to the evaluation too.
    pub(crate) fn find(&self, key: &Key, host: &Host<'_>) -> Option<Arc<Loaded>> {
        let found = self.kept.lock().modules.get(key).cloned()?;
        let all = new_modules(&found, host);
        if !all.iter().all(|module| module.holds(host)) {
            return None;
        }
        for module in all {
            module.printed.iter().for_each(|line| host.keep_printed(line.clone()));
            if let (number, Some(source)) = &module.source {
                host.sources.share(*number, source.clone());
            }
            host.modules.borrow_mut().insert(module.path.clone(), Some(module));
        }
        Some(found)
    }

    /// Keeps a module whose values take this many bytes.
    pub(crate) fn keep(&self, key: Key, module: Arc<Loaded>, bytes: usize) {
        if module.once || bytes > MAX_BYTES / 8 {
            return;
        }
        let mut kept = self.kept.lock();
        if kept.modules.len() >= MAX_MODULES || kept.bytes + bytes > MAX_BYTES {
            *kept = Modules::default();
        }
        kept.bytes += bytes;
        kept.modules.insert(key, module);
    }
}

/// The module and those below it that the evaluation does not know yet; a module comes after those that it loaded.
fn new_modules(module: &Arc<Loaded>, host: &Host<'_>) -> Vec<Arc<Loaded>> {
    let mut seen: HashSet<*const Loaded> = HashSet::new();
    let mut ordered = Vec::new();
    let mut steps = vec![(Arc::clone(module), false)];
    while let Some((module, done)) = steps.pop() {
        if done {
            ordered.push(module);
        } else if seen.insert(Arc::as_ptr(&module)) && !host.knows(&module) {
            let below = module.below.clone();
            steps.push((module, true));
            steps.extend(below.into_iter().rev().map(|module| (module, false)));
        }
    }
    ordered
}

impl Loaded {
    /// The module that was loaded since the last frame began.
    pub(crate) fn new(module: Module, number: u32, host: &Host<'_>) -> Loaded {
        let frame = host.files.end();
        let source = (number, host.sources.get(number));
        Loaded {
            path: frame.path,
            module,
            reads: frame.reads.into_iter().collect(),
            once: frame.once,
            below: frame.below,
            source,
            printed: frame.printed,
        }
    }

    /// Whether it would read the same again, and the evaluation has no other module of this path.
    fn holds(&self, host: &Host<'_>) -> bool {
        !host.modules.borrow().contains_key(&self.path)
            && self.reads.iter().all(|(question, answer)| hash(&host.files.files.look_up(question)) == *answer)
    }
}

impl Host<'_> {
    /// The paths of all loaded modules, sorted; none if one of them printed something.
    pub(crate) fn quietly_loaded(&self) -> Vec<String> {
        let modules = self.modules.borrow();
        let loaded = || modules.values().flatten();
        if loaded().any(|module| !module.printed.is_empty()) {
            return Vec::new();
        }
        let mut paths: Vec<String> = loaded().map(|module| module.path.clone()).collect();
        paths.sort_unstable();
        paths
    }

    fn knows(&self, module: &Arc<Loaded>) -> bool {
        let modules = self.modules.borrow();
        matches!(modules.get(&module.path), Some(Some(known)) if Arc::ptr_eq(known, module))
    }
}

/// The files of an evaluation. Notes what the modules that are being loaded ask for.
pub(crate) struct LoadingFiles<'f> {
    pub(crate) files: &'f dyn LibraryFiles,
    /// The modules that are being loaded, each by the one before.
    frames: RefCell<Vec<Frame>>,
}

/// A module that is being loaded.
#[derive(Default)]
struct Frame {
    path: String,
    reads: HashMap<FileQuestion, u64>,
    below: Vec<Arc<Loaded>>,
    seen: HashSet<*const Loaded>,
    once: bool,
    printed: Vec<String>,
}

impl<'f> LoadingFiles<'f> {
    pub(crate) fn new(files: &'f dyn LibraryFiles) -> Self {
        LoadingFiles { files, frames: RefCell::default() }
    }

    /// A module begins to be loaded.
    pub(crate) fn begin(&self, path: &str) {
        self.frames.borrow_mut().push(Frame { path: path.to_owned(), ..Frame::default() });
    }

    /// The module that began last ends, loaded or not.
    fn end(&self) -> Frame {
        self.frames.borrow_mut().pop().unwrap_or_default()
    }

    /// The module that began last cannot be loaded. Code that loads it may catch the error, and so depends on something
    /// that is not noted.
    pub(crate) fn give_up(&self) {
        self.end();
        self.note_once();
    }

    /// The module that began last prints a line.
    pub(crate) fn prints(&self, line: &str) {
        if let Some(frame) = self.frames.borrow_mut().last_mut() {
            frame.printed.push(line.to_owned());
        }
    }

    /// The paths of the modules that are being loaded.
    pub(crate) fn chain(&self) -> String {
        self.frames.borrow().iter().map(|frame| frame.path.as_str()).collect::<Vec<_>>().join(" -> ")
    }

    /// The module that began last loaded this one.
    pub(crate) fn loaded(&self, module: &Arc<Loaded>) {
        if let Some(frame) = self.frames.borrow_mut().last_mut() {
            frame.once |= module.once;
            if frame.seen.insert(Arc::as_ptr(module)) {
                frame.below.push(Arc::clone(module));
            }
        }
    }

    fn note_once(&self) {
        if let Some(frame) = self.frames.borrow_mut().last_mut() {
            frame.once = true;
        }
    }
}

impl LibraryFiles for LoadingFiles<'_> {
    fn look_up(&self, question: &FileQuestion) -> FileAnswer {
        let answer = self.files.look_up(question);
        if let Some(frame) = self.frames.borrow_mut().last_mut() {
            frame.reads.entry(question.clone()).or_insert_with(|| hash(&answer));
        }
        answer
    }

    fn run(&self, request: &LibraryRequest, caller: &mut Caller<'_>) -> Result<LibraryAnswer, EvalError> {
        self.note_once();
        self.files.run(request, caller)
    }

    fn call(&self, evaluation: EvaluationId, calls: &[Call]) -> Vec<Result<Data, EvalError>> {
        self.note_once();
        self.files.call(evaluation, calls)
    }
}

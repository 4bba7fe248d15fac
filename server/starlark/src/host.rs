//! The environment of an evaluation: its programs, the files of the input set, and the printed lines.

use parking_lot::Mutex;
use std::cell::{OnceCell, RefCell};
use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use lofting_eval::{CodeRange, Data, LibraryFiles, TemplateAnnotation, TemplateNode, TemplateProgram};
use lofting_interpreter::Stop;
use lofting_schema::re2::Expressions;

use crate::Bounds;
use crate::context::Construction;
use crate::loaded::{Loaded, LoadedModules, LoadingFiles};
use crate::mapped::Mapped;

/// How many lines of `print` are kept, and how long they may be.
const MAX_PRINTED: usize = 100;
const MAX_PRINTED_LINE: usize = 1000;

/// Shared by all modules of one evaluation.
pub(crate) struct Host<'h> {
    pub(crate) files: LoadingFiles<'h>,
    pub(crate) sources: Arc<Sources>,
    pub(crate) data_values: Option<&'h Data>,
    /// The hash of the data values, once it is asked for.
    pub(crate) values_hash: OnceCell<Option<u64>>,
    pub(crate) implicit_map_key_overrides: bool,
    /// Modules have the members that ytt's design proposals add.
    pub(crate) proposed: bool,
    /// Loaded files by path; None while a file is being loaded.
    pub(crate) modules: RefCell<HashMap<String, Option<Arc<Loaded>>>>,
    /// The modules of earlier evaluations; None where nothing is loaded.
    pub(crate) kept: Option<&'h LoadedModules>,
    pub(crate) bounds: Bounds,
    /// Whether the evaluation has to end.
    pub(crate) stop: Option<Stop<'h>>,
    pub(crate) printed: RefCell<Vec<String>>,
    /// What the files that are running build, the innermost one last.
    pub(crate) contexts: RefCell<Vec<Construction>>,
    /// The program that was last asked for: most nodes come from one.
    pub(crate) last_program: RefCell<Option<(u32, Arc<TemplateProgram>)>>,
    /// The regular expressions of `@ytt:regexp`.
    pub(crate) expressions: Expressions,
}

impl<'h> Host<'h> {
    /// A host without values and options.
    pub(crate) fn new(files: &'h dyn LibraryFiles, sources: Arc<Sources>, bounds: Bounds) -> Self {
        Self {
            files: LoadingFiles::new(files),
            sources,
            data_values: None,
            values_hash: OnceCell::new(),
            implicit_map_key_overrides: false,
            proposed: false,
            modules: RefCell::default(),
            kept: None,
            bounds,
            stop: None,
            printed: RefCell::default(),
            contexts: RefCell::default(),
            last_program: RefCell::default(),
            expressions: Expressions::default(),
        }
    }

    /// The program of a file.
    fn program(&self, file: u32) -> Option<Arc<TemplateProgram>> {
        let known = self.last_program.borrow().clone();
        if let Some((_, program)) = known.filter(|(last, _)| *last == file) {
            return Some(program);
        }
        let program = self.sources.program(file)?;
        self.last_program.replace(Some((file, program.clone())));
        Some(program)
    }

    pub(crate) fn with_node<T>(&self, file: u32, node: u32, use_node: impl FnOnce(&TemplateNode) -> T) -> Option<T> {
        self.program(file)?.nodes.get(node as usize).map(use_node)
    }

    pub(crate) fn parent(&self, file: u32, node: u32) -> Option<u32> {
        self.with_node(file, node, |node| node.parent).flatten()
    }

    /// The node and the name of an annotation.
    pub(crate) fn annotation(&self, file: u32, index: u32) -> Option<(u32, String)> {
        let named = |annotation: &TemplateAnnotation| (annotation.node, annotation.name.clone());
        self.program(file)?.annotations.get(index as usize).map(named)
    }

    pub(crate) fn print(&self, mut line: String) {
        let mut end = line.len().min(MAX_PRINTED_LINE);
        while !line.is_char_boundary(end) {
            end -= 1;
        }
        line.truncate(end);
        self.files.prints(&line);
        self.keep_printed(line);
    }

    /// A line that a module of an earlier evaluation printed, or that is printed now.
    pub(crate) fn keep_printed(&self, line: String) {
        let mut printed = self.printed.borrow_mut();
        if printed.len() < MAX_PRINTED {
            printed.push(line);
        }
    }
}

/// The programs of an evaluation with their generated text. Grows while files are loaded, and outlives the evaluation
/// so that failures in later calls can be located.
#[derive(Default)]
pub(crate) struct Sources {
    entries: Mutex<BTreeMap<u32, SourceFile>>,
    next: Arc<AtomicU32>,
}

/// A program and what it was compiled to.
#[derive(Clone)]
pub(crate) struct SourceFile {
    pub(crate) path: Arc<str>,
    pub(crate) program: Option<Arc<TemplateProgram>>,
    pub(crate) mapped: Arc<Mapped>,
}

impl Sources {
    /// No files yet; `next` is the number of the next one.
    pub(crate) fn numbered(next: &Arc<AtomicU32>) -> Self {
        Sources { entries: Mutex::default(), next: Arc::clone(next) }
    }

    /// Registers a file and returns its number.
    pub(crate) fn add(&self, path: &str, program: Option<Arc<TemplateProgram>>) -> u32 {
        let number = self.next.fetch_add(1, Ordering::Relaxed);
        self.share(number, SourceFile { path: path.into(), program, mapped: Arc::default() });
        number
    }

    /// Registers a file that has its number already.
    pub(crate) fn share(&self, number: u32, source: SourceFile) {
        self.entries.lock().insert(number, source);
    }

    /// The number of the file with this path; a new one if it is not registered.
    pub(crate) fn number(&self, path: &str) -> u32 {
        let known = {
            let entries = self.entries.lock();
            entries.iter().find(|(_, entry)| *entry.path == *path).map(|(number, _)| *number)
        };
        known.unwrap_or_else(|| self.add(path, None))
    }

    pub(crate) fn set_mapped(&self, file: u32, mapped: Arc<Mapped>) {
        let mut entries = self.entries.lock();
        if let Some(entry) = entries.get_mut(&file) {
            entry.mapped = mapped;
        }
    }

    /// The program of a file.
    fn program(&self, file: u32) -> Option<Arc<TemplateProgram>> {
        let entries = self.entries.lock();
        entries.get(&file)?.program.clone()
    }

    pub(crate) fn get(&self, file: u32) -> Option<SourceFile> {
        let entries = self.entries.lock();
        entries.get(&file).cloned()
    }

    /// Bytes of a registered file as a place.
    pub(crate) fn place(&self, file: u32, range: std::ops::Range<u32>) -> Option<CodeRange> {
        let path = self.get(file)?.path.to_string();
        Some(CodeRange { path, start: range.start, end: range.end.max(range.start) })
    }
}

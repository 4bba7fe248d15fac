//! Programs of earlier evaluations. A template of a library runs for each of its instances, and one of a set for all of
//! its data values; it is compiled once.

use parking_lot::Mutex;
use std::collections::HashMap;
use std::sync::Arc;

use lofting_eval::Evaluation;
use lofting_interpreter::Program;

use crate::host::{Host, SourceFile};

/// How many programs are kept, and how many bytes of code.
const MAX_PROGRAMS: usize = 512;
const MAX_BYTES: usize = 8 << 20;

/// The code of an evaluation, ready to run.
pub(crate) struct Runnable {
    /// The number of its file, which its places have.
    pub(crate) number: u32,
    pub(crate) source: SourceFile,
    pub(crate) program: Program,
    /// What it was made from besides the program of a template.
    text: Option<String>,
    starlark: bool,
}

impl Runnable {
    pub(crate) fn new(number: u32, source: SourceFile, program: Program, evaluation: &Evaluation) -> Runnable {
        Runnable { number, source, program, text: evaluation.text.clone(), starlark: evaluation.starlark }
    }

    fn bytes(&self) -> usize {
        self.source.mapped.text.len()
    }

    fn is_of(&self, evaluation: &Evaluation) -> bool {
        self.source.program.as_deref() == Some(&evaluation.program)
            && self.text == evaluation.text
            && self.starlark == evaluation.starlark
    }
}

/// The programs of all evaluations in one process, by the path of their files.
#[derive(Default)]
pub(crate) struct Programs(Mutex<Kept>);

#[derive(Default)]
struct Kept {
    programs: HashMap<String, Arc<Runnable>>,
    bytes: usize,
}

impl Programs {
    /// The program of the last evaluation of the file, if that had the same code. The host knows its number then.
    pub(crate) fn find(&self, evaluation: &Evaluation, host: &Host<'_>) -> Option<Arc<Runnable>> {
        let last = self.0.lock().programs.get(&evaluation.program.path).cloned();
        let found = last.filter(|last| last.is_of(evaluation))?;
        host.sources.share(found.number, found.source.clone());
        Some(found)
    }

    /// Keeps the program of a file in place of an earlier one.
    pub(crate) fn keep(&self, evaluation: &Evaluation, program: &Arc<Runnable>) {
        let bytes = program.bytes();
        if bytes > MAX_BYTES / 8 {
            return;
        }
        let mut kept = self.0.lock();
        if kept.programs.len() >= MAX_PROGRAMS || kept.bytes + bytes > MAX_BYTES {
            *kept = Kept::default();
        }
        let earlier = kept.programs.insert(evaluation.program.path.clone(), Arc::clone(program));
        kept.bytes += bytes;
        kept.bytes -= earlier.map_or(0, |earlier| earlier.bytes());
    }
}

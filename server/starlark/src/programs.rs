//! Programs of earlier evaluations. A template of a library runs for each of its instances, and one of a set for all of
//! its data values; it is compiled once.

use parking_lot::Mutex;
use std::collections::HashMap;
use std::sync::Arc;

use lofting_eval::Evaluation;
use lofting_interpreter::Program;
use lofting_worker::wire::hash;

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

    fn is_of(&self, evaluation: &Evaluation) -> bool {
        self.source.program.as_deref() == Some(&evaluation.program)
            && self.text == evaluation.text
            && self.starlark == evaluation.starlark
    }
}

/// The programs of all evaluations in one process.
#[derive(Default)]
pub(crate) struct Programs(Mutex<Kept>);

#[derive(Default)]
struct Kept {
    programs: HashMap<u64, Arc<Runnable>>,
    bytes: usize,
}

fn key(evaluation: &Evaluation) -> u64 {
    hash(&(&evaluation.program, &evaluation.text, evaluation.starlark))
}

impl Programs {
    /// The program of an evaluation that has the same code, with its number: it is known to this evaluation then.
    pub(crate) fn find(&self, evaluation: &Evaluation, host: &Host<'_>) -> Option<Arc<Runnable>> {
        let found = self.0.lock().programs.get(&key(evaluation)).cloned().filter(|known| known.is_of(evaluation))?;
        host.sources.share(found.number, found.source.clone());
        Some(found)
    }

    /// Keeps a program.
    pub(crate) fn keep(&self, evaluation: &Evaluation, program: &Arc<Runnable>) {
        let bytes = program.source.mapped.text.len();
        if bytes > MAX_BYTES / 8 {
            return;
        }
        let mut kept = self.0.lock();
        if kept.programs.len() >= MAX_PROGRAMS || kept.bytes + bytes > MAX_BYTES {
            *kept = Kept::default();
        }
        kept.bytes += bytes;
        kept.programs.insert(key(evaluation), Arc::clone(program));
    }
}

//! Looking at what changed on disk: the reading, which takes long and needs no workspace, and what it found, which a
//! workspace takes over in pieces.
//!
//! A branch that is switched or a package that is installed changes a hundred thousand files at once. Nobody should wait
//! for them to be read.

use crate::files::disk::Kind;
use crate::files::path::normalise;
use crate::files::scan::{FoundFile, ScanResult, is_ours, look_at};
use crate::input_sets::discovered::{CommandFile, look_for_commands};
use crate::state::State;
use lofting_memo::CancelFlag;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A way to look. It can be sent to another thread.
#[derive(Clone)]
pub struct DiskLook {
    /// Says how far to look.
    pub(crate) state: Arc<State>,
}

/// What lies at some paths, in their order.
#[derive(Debug, Default)]
pub struct DiskFound {
    pub(crate) places: std::vec::IntoIter<Place>,
}

/// What lies at one path.
#[derive(Debug)]
pub(crate) struct Place {
    pub path: PathBuf,
    pub commands: Option<CommandFile>,
    pub what: What,
}

#[derive(Debug)]
pub(crate) enum What {
    Directory(ScanResult),
    File(FoundFile),
    /// Nothing, or nothing of ours.
    Nothing,
}

impl DiskLook {
    /// Whether one of the paths is a directory, below which anything may lie.
    pub fn finds_a_directory(&self, paths: &[PathBuf]) -> bool {
        paths.iter().any(|path| self.state.bounds_of(path).is_directory(path))
    }

    /// Looks at each of the paths once.
    pub fn run(&self, paths: &[PathBuf]) -> DiskFound {
        let mut seen = rustc_hash::FxHashSet::default();
        let paths = paths.iter().map(|path| normalise(Path::new("/"), path)).filter(|path| seen.insert(path.clone()));
        let places: Vec<Place> = paths.map(|path| place(path, &self.state)).collect();
        DiskFound { places: places.into_iter() }
    }
}

impl DiskFound {
    /// Whether all was taken over.
    pub fn is_empty(&self) -> bool {
        self.places.as_slice().is_empty()
    }
}

fn place(path: PathBuf, state: &State) -> Place {
    let commands = look_for_commands(&path, &state.bounds_of(&path));
    let reach = state.reach_again(&path);
    let what = match reach.look(&path) {
        Ok(Kind::Directory) => {
            What::Directory(state.scanner_of(vec![path.clone()]).run(&mut |_| {}, &CancelFlag::new()))
        }
        Ok(Kind::File) if is_ours(&path) => What::File(look_at(path.clone(), &reach)),
        _ => What::Nothing,
    };
    Place { path, commands, what }
}

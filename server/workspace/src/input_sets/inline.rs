//! Files whose text is inside of another file: `ytt.inline.paths` of kapp-controller resources. Each is a separate file
//! among the inputs of its set; its findings are shown where its text is.

use crate::files::file::{File, Origin};
use crate::findings::diagnostics::{Findings, diagnostics};
use crate::input_sets::discover::InlineFile;
use crate::state::State;
use crate::workspace::Workspace;
use lofting_check::Diagnostic;
use lofting_document::{FileId, Span};
use lofting_memo::CancelFlag;
use lofting_memo::Stamp;
use rustc_hash::{FxHashMap, FxHashSet};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Where the text of such a file is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Inline {
    /// The surrounding file.
    host: FileId,
    /// Length of the host (bytes) as it was read on disk.
    host_len: usize,
    /// The whole text in the host.
    range: Range<usize>,
    /// Where each line begins, in the text and in the host; empty if these differ by more than indentation.
    lines: Vec<(usize, usize)>,
}

/// All such files of a workspace.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct InlineFiles {
    by_file: FxHashMap<FileId, Inline>,
    by_host: FxHashMap<FileId, Vec<FileId>>,
}

impl Inline {
    /// The place of a file in its host.
    pub fn new(host: FileId, file: &InlineFile) -> Inline {
        Inline { host, host_len: file.around, range: file.range.clone(), lines: file.lines.clone() }
    }
}

impl InlineFiles {
    pub fn is_empty(&self) -> bool {
        self.by_file.is_empty()
    }

    /// The files in the text of `host`.
    pub fn of_host(&self, host: FileId) -> &[FileId] {
        self.by_host.get(&host).map_or(&[], Vec::as_slice)
    }

    /// Adds a file; a resource can name the same set twice.
    pub fn add(&mut self, file: FileId, inline: Inline) {
        let host = inline.host;
        if self.by_file.insert(file, inline).is_none() {
            self.by_host.entry(host).or_default().push(file);
        }
    }

    /// Maps a position in such a file to its host; any other position stays.
    pub fn placed(&self, span: Span) -> Span {
        let Some(inline) = self.by_file.get(&span.file) else { return span };
        let in_host = |offset: usize| {
            let at = inline.lines.partition_point(|(line, _)| *line <= offset).checked_sub(1)?;
            let (line, host) = inline.lines.get(at)?;
            Some(host + (offset - line))
        };
        let range = span.range();
        match (in_host(range.start), in_host(range.end)) {
            (Some(start), Some(end)) => Span::new(inline.host, start..end.max(start)),
            _ => Span::new(inline.host, inline.range.clone()),
        }
    }
}

/// The findings of a file with those of the files in its text, all in files that a user can open.
pub(crate) fn with_hosted(state: &State, file: FileId, found: Findings, cancel: &CancelFlag) -> Findings {
    if state.inline.is_empty() {
        return found;
    }
    let hosted = state.inline.of_host(file);
    let is_inline = |span: &Span| state.inline.by_file.contains_key(&span.file);
    let touches = |finding: &Diagnostic| finding.related.iter().any(|related| is_inline(&related.span));
    if hosted.is_empty() && !found.list.iter().any(touches) {
        return found;
    }
    let mut all: Vec<Diagnostic> = found.list.to_vec();
    let mut partial = found.partial;
    // The files are read when the host is saved; until then their positions in it are not known.
    let host_len = state.file(file).map(|host| host.text().len());
    let is_placed = |id: &&FileId| state.inline.by_file.get(id).map(|inline| inline.host_len) == host_len;
    for file in hosted.iter().filter(is_placed).filter_map(|id| state.file(*id)) {
        let inside = diagnostics(state, file, cancel);
        all.extend(inside.list.iter().cloned());
        partial |= inside.partial;
    }
    for finding in &mut all {
        finding.span = state.inline.placed(finding.span);
        for related in &mut finding.related {
            related.span = state.inline.placed(related.span);
        }
        for edit in finding.fixes.iter_mut().flat_map(|fix| &mut fix.edits) {
            edit.0 = state.inline.placed(edit.0);
        }
    }
    all.sort_by_key(|finding| (finding.span.file != file, finding.span.start));
    Findings { list: all.into(), partial }
}

impl Workspace {
    /// Creates files for the inline texts of commands. Texts that no longer exist become empty.
    pub(crate) fn take_inline_files(&mut self) {
        let commands = self.commands.clone();
        let mut known = FxHashSet::default();
        for (path, command) in commands.iter().flat_map(|(path, file)| file.commands.iter().map(move |it| (path, it))) {
            for file in &command.inline {
                self.id_of(path);
                let place = command.inline_place(path, file);
                self.inline_file(&place, &file.text);
                known.insert(place);
            }
        }
        let gone: Vec<PathBuf> = self.inline_ids.keys().filter(|place| !known.contains(*place)).cloned().collect();
        for place in gone {
            self.inline_file(&place, "");
        }
    }

    /// The ID of such a file, with this text. It is found only by its ID: there is no file at its path.
    fn inline_file(&mut self, place: &Path, text: &str) {
        if let Some(id) = self.inline_ids.get(place).copied() {
            if self.state.file(id).is_none_or(|file| file.text().to_string() != text) {
                let file = File::with_text(id, Arc::from(place), Stamp::next(), Origin::Given, text, self.options);
                self.change().files.set(Arc::new(file));
            }
            return;
        }
        let id = self.add_given(&place.to_string_lossy(), text);
        Arc::make_mut(&mut self.inline_ids).insert(place.to_owned(), id);
    }
}

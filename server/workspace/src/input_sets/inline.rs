//! Files whose text is inside another file: `ytt.inline.paths` of kapp-controller resources. Each is a separate file
//! among the inputs of its set; its findings are shown where its text is.

use crate::discover::InlineFile;
use lofting_document::{FileId, Span};
use rustc_hash::FxHashMap;
use std::ops::Range;

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

    /// Whether a file is in the text of another.
    pub fn is_inline(&self, file: FileId) -> bool {
        self.by_file.contains_key(&file)
    }

    /// The length of the surrounding file (bytes) as it was when the file in it was read.
    pub fn host_len(&self, file: FileId) -> Option<usize> {
        self.by_file.get(&file).map(|inline| inline.host_len)
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

//! The editor's side: which files are open with which text, what is on disk, and what can be undone.

use std::fs::{self, File};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use crate::edits::Edit;
use crate::texts::FILES;

/// A notification for a server.
pub enum Change {
    /// A document was opened with this text.
    Opened(PathBuf, String),
    /// A document was closed.
    Closed(PathBuf),
    /// A range of a document, in bytes of the text before, was replaced.
    Edited(PathBuf, String, Range<usize>, String),
    /// These changed on disk.
    OnDisk(Vec<PathBuf>),
}

/// An open document.
struct Buffer {
    text: String,
    undo: Vec<String>,
    redo: Vec<String>,
}

/// Disk and open documents.
pub struct Desk {
    folder: tempfile::TempDir,
    root: PathBuf,
    buffers: Vec<Option<Buffer>>,
    clock: SystemTime,
}

impl Desk {
    /// The files of [`FILES`] on disk, nothing open.
    pub fn new() -> Self {
        let folder = tempfile::tempdir().expect("a directory");
        let root = folder.path().canonicalize().expect("its path");
        let mut desk = Self {
            folder,
            root,
            buffers: FILES.iter().map(|_| None).collect(),
            clock: SystemTime::now() - Duration::from_secs(1_000_000),
        };
        for (number, (_, text)) in FILES.iter().enumerate().filter(|(_, (_, text))| !text.is_empty()) {
            desk.write(number, text);
        }
        desk
    }

    /// The workspace folder.
    pub fn root(&self) -> &Path {
        debug_assert!(self.folder.path().exists());
        &self.root
    }

    /// Open documents with their texts.
    pub fn open(&self) -> impl Iterator<Item = (PathBuf, &str)> {
        let open = self.buffers.iter().enumerate();
        open.filter_map(|(number, buffer)| Some((self.path(number), buffer.as_ref()?.text.as_str())))
    }

    fn path(&self, number: usize) -> PathBuf {
        self.root.join(FILES[number].0)
    }

    /// Each write is seconds after the previous one, as file systems with coarse clocks would hide some.
    fn write(&mut self, number: usize, text: &str) -> PathBuf {
        self.clock += Duration::from_secs(2);
        let path = self.path(number);
        fs::create_dir_all(path.parent().expect("a parent")).expect("directories");
        fs::write(&path, text).expect("a file to write");
        File::options().write(true).open(&path).and_then(|file| file.set_modified(self.clock)).expect("a time");
        path
    }

    /// Makes the edit. Gives the notifications for a server; none if the edit has no effect now.
    pub fn apply(&mut self, edit: &Edit) -> Vec<Change> {
        match edit {
            Edit::Open(file) => self.opened(*file),
            Edit::Close(file) => match self.buffers[*file].take() {
                Some(_) => vec![Change::Closed(self.path(*file))],
                None => Vec::new(),
            },
            Edit::AtLine(file, line, length, piece) => {
                self.change(*file, |text| (start_of_line(text, *line), *length, piece.text()))
            }
            Edit::Anywhere(file, at, length, piece) => {
                self.change(*file, |text| (at % (text.len() + 1), *length, piece.text()))
            }
            Edit::MoveLines(file, from, count, to) => {
                let mut changes = self.opened(*file);
                let Some(text) = self.buffers[*file].as_ref().map(|buffer| buffer.text.clone()) else { return changes };
                let start = start_of_line(&text, *from);
                let rest = text[start..].split_inclusive('\n').take(*count).map(str::len).sum::<usize>();
                let cut = text[start..start + rest].to_owned();
                changes.extend(self.change(*file, |_| (start, cut.len(), String::new())));
                changes.extend(self.change(*file, |text| (start_of_line(text, *to), 0, cut.clone())));
                changes
            }
            Edit::Undo(file) => self.travel(*file, |buffer| {
                let text = buffer.undo.pop()?;
                buffer.redo.push(buffer.text.clone());
                Some(text)
            }),
            Edit::Redo(file) => self.travel(*file, |buffer| {
                let text = buffer.redo.pop()?;
                buffer.undo.push(buffer.text.clone());
                Some(text)
            }),
            Edit::LineBreaks(file, crlf) => self.travel(*file, |buffer| {
                let plain = buffer.text.replace("\r\n", "\n");
                Some(if *crlf { plain.replace('\n', "\r\n") } else { plain })
            }),
            Edit::Save(file) => match self.buffers[*file].as_ref().map(|buffer| buffer.text.clone()) {
                Some(text) => vec![Change::OnDisk(vec![self.write(*file, &text)])],
                None => Vec::new(),
            },
            Edit::Write(file, piece) => {
                let text = format!("{}{}", FILES[*file].1, piece.text());
                vec![Change::OnDisk(vec![self.write(*file, &text)])]
            }
            Edit::Delete(file) => match fs::remove_file(self.path(*file)) {
                Ok(()) => vec![Change::OnDisk(vec![self.path(*file)])],
                Err(_) => Vec::new(),
            },
            Edit::Rename(from, to) => {
                let (from, to) = (self.path(*from), self.path(*to));
                let _ = fs::create_dir_all(to.parent().expect("a parent"));
                match fs::rename(&from, &to) {
                    Ok(()) => vec![Change::OnDisk(vec![from, to])],
                    Err(_) => Vec::new(),
                }
            }
            Edit::Abandoned | Edit::WithoutCode | Edit::Ask => Vec::new(),
        }
    }

    /// Opens a document, unless it is open.
    fn opened(&mut self, file: usize) -> Vec<Change> {
        if self.buffers[file].is_some() {
            return Vec::new();
        }
        let path = self.path(file);
        let text = fs::read_to_string(&path).unwrap_or_default();
        self.buffers[file] = Some(Buffer { text: text.clone(), undo: Vec::new(), redo: Vec::new() });
        vec![Change::Opened(path, text)]
    }

    /// Replaces some bytes from a place on. A document that is not open is opened for it.
    fn change(&mut self, file: usize, what: impl FnOnce(&str) -> (usize, usize, String)) -> Vec<Change> {
        let (path, mut changes) = (self.path(file), self.opened(file));
        let Some(buffer) = self.buffers[file].as_mut() else { return changes };
        let (at, length, new) = what(&buffer.text);
        let start = boundary(&buffer.text, at);
        let end = boundary(&buffer.text, start + length).max(start);
        let before = buffer.text.clone();
        buffer.text.replace_range(start..end, &new);
        buffer.undo.push(before.clone());
        buffer.redo.clear();
        changes.push(Change::Edited(path, before, start..end, new));
        changes
    }

    /// Goes to a different text as editors undo: the smallest range that differs is replaced.
    fn travel(&mut self, file: usize, to: impl FnOnce(&mut Buffer) -> Option<String>) -> Vec<Change> {
        let path = self.path(file);
        let Some(buffer) = self.buffers[file].as_mut() else { return Vec::new() };
        let Some(new) = to(buffer) else { return Vec::new() };
        let before = std::mem::replace(&mut buffer.text, new.clone());
        let mut start = before.bytes().zip(new.bytes()).take_while(|(a, b)| a == b).count();
        while !(before.is_char_boundary(start) && new.is_char_boundary(start)) {
            start -= 1;
        }
        let mut same =
            before[start..].bytes().rev().zip(new[start..].bytes().rev()).take_while(|(a, b)| a == b).count();
        while !(before.is_char_boundary(before.len() - same) && new.is_char_boundary(new.len() - same)) {
            same -= 1;
        }
        let range = start..before.len() - same;
        let piece = new[start..new.len() - same].to_owned();
        vec![Change::Edited(path, before, range, piece)]
    }
}

/// Where a line begins, counted modulo the lines there are.
fn start_of_line(text: &str, line: usize) -> usize {
    let starts: Vec<usize> = std::iter::once(0).chain(text.match_indices('\n').map(|(at, _)| at + 1)).collect();
    starts[line % starts.len()]
}

/// The last boundary of a character at or before `offset`.
pub fn boundary(text: &str, offset: usize) -> usize {
    (0..=offset.min(text.len())).rev().find(|offset| text.is_char_boundary(*offset)).unwrap_or(0)
}

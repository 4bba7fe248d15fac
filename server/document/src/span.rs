//! Places: a file and a byte range in it.

use std::ops::Range;

/// Identifies a file of the workspace. The number has no other meaning.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct FileId(pub u32);

/// A byte range in a file, end exclusive. Everything that has a meaning keeps its span, so that every message can point
/// to its place.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Span {
    /// The file.
    pub file: FileId,
    /// First byte.
    pub start: u32,
    /// Byte after the last.
    pub end: u32,
}

impl Span {
    /// A span from a byte range. Offsets beyond 4 GiB clamp; the workspace refuses such files.
    pub fn new(file: FileId, range: Range<usize>) -> Self {
        let clamp = |offset: usize| u32::try_from(offset).unwrap_or(u32::MAX);
        Span { file, start: clamp(range.start), end: clamp(range.end) }
    }

    /// The byte range.
    pub fn range(self) -> Range<usize> {
        self.start as usize..self.end as usize
    }

    /// Whether it is in another span or equal to it.
    pub fn is_within(self, other: Span) -> bool {
        self.file == other.file && other.start <= self.start && self.end <= other.end
    }
}

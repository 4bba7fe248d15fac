//! Places in texts: lines and columns from 1, and bytes from 0.

use lofting_text::{Encoding, Position, Text};
use schemars::JsonSchema;
use serde::Serialize;
use sha2::{Digest, Sha256};

use crate::Problem;

/// What a column counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, JsonSchema)]
pub enum PositionEncoding {
    /// Bytes of UTF-8.
    #[serde(rename = "utf-8")]
    Utf8,
    /// UTF-16 units, as most editors do.
    #[serde(rename = "utf-16")]
    Utf16,
    /// Characters.
    #[default]
    #[serde(rename = "utf-32")]
    Utf32,
}

impl PositionEncoding {
    fn encoding(self) -> Encoding {
        match self {
            PositionEncoding::Utf8 => Encoding::Utf8,
            PositionEncoding::Utf16 => Encoding::Utf16,
            PositionEncoding::Utf32 => Encoding::Utf32,
        }
    }

    /// The range of these bytes.
    #[doc(hidden)]
    pub fn range(self, text: &Text, bytes: std::ops::Range<usize>) -> Range {
        let end = |byte: usize| {
            let Position { line, column } = text.position(byte, self.encoding());
            End { line: line + 1, column: column + 1, byte }
        };
        Range { start: end(bytes.start), end: end(bytes.end) }
    }

    /// The byte at a line and column (from 1), which have to be in the text.
    pub(crate) fn byte(self, text: &Text, line: u32, column: u32) -> Result<usize, Problem> {
        let (Some(line_index), Some(column_index)) = (line.checked_sub(1), column.checked_sub(1)) else {
            return Err(Problem::NoSuchPlace("lines and columns are counted from 1".to_owned()));
        };
        let lines = text.line_count();
        if line_index as usize >= lines {
            return Err(Problem::NoSuchPlace(format!("there is no line {line}: the text has {lines}")));
        }
        let byte = text.offset(Position::new(line_index, column_index), self.encoding());
        let reached = text.position(byte, self.encoding());
        if reached.line == line_index && reached.column < column_index {
            let last = reached.column + 1;
            return Err(Problem::NoSuchPlace(format!("line {line} has no column {column}: it ends at {last}")));
        }
        Ok(byte)
    }
}

/// A place between two characters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
pub struct End {
    /// The line, from 1.
    pub line: u32,
    /// The column, from 1, in the encoding of the answer.
    pub column: u32,
    /// The byte in the whole file, from 0.
    pub byte: usize,
}

/// A part of a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Range {
    /// The first character.
    pub start: End,
    /// The place after the last character.
    pub end: End,
}

/// A part of a file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct FilePart {
    /// The file, relative to the folder if it is in it.
    pub file: String,
    /// The part.
    pub range: Range,
}

/// A replacement. An empty range inserts.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Edit {
    /// The file, relative to the folder if it is in it.
    pub file: String,
    /// What is replaced.
    pub range: Range,
    /// The new text.
    pub text: String,
}

/// A file, and which text of it an answer is about.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, JsonSchema)]
pub struct DocumentVersion {
    /// The file, relative to the folder if it is in it.
    pub file: String,
    /// The text's version: see [`version_of`].
    pub version: String,
}

/// The version of a text: `sha256:` and the hash of its bytes in hexadecimal digits, as `sha256sum` prints it.
pub fn version_of(text: &str) -> String {
    let digits: String = Sha256::digest(text.as_bytes()).iter().map(|byte| format!("{byte:02x}")).collect();
    format!("sha256:{digits}")
}

/// Applies edits of one text, which do not overlap.
pub(crate) fn applied(text: &str, edits: &[&Edit]) -> Option<String> {
    let mut sorted: Vec<&&Edit> = edits.iter().collect();
    sorted.sort_by_key(|edit| (edit.range.start.byte, edit.range.end.byte));
    let mut out = String::with_capacity(text.len());
    let mut done = 0;
    for edit in sorted {
        out.push_str(text.get(done..edit.range.start.byte)?);
        out.push_str(&edit.text);
        done = edit.range.end.byte;
    }
    out.push_str(text.get(done..)?);
    Some(out)
}

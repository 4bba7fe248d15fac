//! The data file: a mark, the length of the index, the index as text, and compressed blocks.

use brotli_decompressor::Decompressor;
use std::borrow::Cow;
use std::fmt;
use std::io::Read;
use std::sync::OnceLock;

/// What a data file begins with. The last byte is the version of its layout.
pub const MAGIC: &[u8; 8] = b"LOFTCAT\x01";

/// Maximum size of a decompressed block in bytes.
const BLOCK: u64 = 16 * 1024 * 1024;

/// Maximum number of blocks.
const BLOCKS: usize = 10_000;

/// The size of the buffer for reading compressed bytes.
const BUFFER: usize = 16 * 1024;

/// The file is not a data file, or not a whole one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Damaged;

impl fmt::Display for Damaged {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("it is not the data file of a catalogue of this version")
    }
}

impl std::error::Error for Damaged {}

/// The bytes of a data file.
pub(crate) struct Data {
    bytes: Cow<'static, [u8]>,
    /// Where the index is.
    index: std::ops::Range<usize>,
    /// Where each block is.
    blocks: Vec<std::ops::Range<usize>>,
    /// Blocks that are needed again and again.
    kept: Vec<OnceLock<Option<String>>>,
}

impl Data {
    pub fn new(bytes: Cow<'static, [u8]>) -> Result<Data, Damaged> {
        let rest = bytes.strip_prefix(MAGIC).ok_or(Damaged)?;
        let (length, rest) = rest.split_first_chunk::<4>().ok_or(Damaged)?;
        let length = usize::try_from(u32::from_le_bytes(*length)).map_err(|_| Damaged)?;
        let start = bytes.len() - rest.len();
        let end = start.checked_add(length).filter(|end| *end <= bytes.len()).ok_or(Damaged)?;
        let text = bytes.get(start..end).and_then(|index| std::str::from_utf8(index).ok()).ok_or(Damaged)?;
        // The first line has the lengths of the blocks.
        let lengths = text.lines().next().unwrap_or_default().split('\t').filter(|length| !length.is_empty());
        let mut blocks = Vec::new();
        let mut at = end;
        for length in lengths.take(BLOCKS) {
            let length: usize = length.parse().map_err(|_| Damaged)?;
            let next = at.checked_add(length).filter(|next| *next <= bytes.len()).ok_or(Damaged)?;
            blocks.push(at..next);
            at = next;
        }
        let kept = blocks.iter().map(|_| OnceLock::new()).collect();
        Ok(Data { index: start..end, blocks, kept, bytes })
    }

    /// The index without its first line.
    pub fn index(&self) -> &str {
        let text = self.bytes.get(self.index.clone()).and_then(|index| std::str::from_utf8(index).ok());
        text.and_then(|text| text.split_once('\n')).map_or("", |(_, rest)| rest)
    }

    /// The text of a block.
    pub fn decompressed(&self, block: usize) -> Option<String> {
        let bytes = self.bytes.get(self.blocks.get(block)?.clone())?;
        let mut text = String::new();
        Decompressor::new(bytes, BUFFER).take(BLOCK).read_to_string(&mut text).ok()?;
        Some(text)
    }

    /// The text of a block, which is kept.
    pub fn block(&self, block: usize) -> Option<&str> {
        self.kept.get(block)?.get_or_init(|| self.decompressed(block)).as_deref()
    }
}

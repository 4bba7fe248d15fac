//! The data file while it is made.

use lofting_catalogue::MAGIC;
use std::collections::BTreeMap;

/// Texts are joined to blocks of about this size in bytes: larger ones compress better and take longer to read.
const BLOCK: usize = 64 * 1024;

/// What goes into the data file.
#[derive(Default)]
pub struct Packed {
    lines: Vec<String>,
    blocks: Vec<Vec<u8>>,
    /// Texts that are not yet in a block.
    open: Vec<u8>,
    origins: usize,
    /// Compressed bytes by what they are for.
    sizes: BTreeMap<&'static str, usize>,
}

impl Packed {
    /// Adds a line to the index.
    pub fn line(&mut self, fields: &[&str]) {
        // Tabs and line breaks have a meaning there.
        let fields = fields.iter().map(|field| field.split_whitespace().collect::<Vec<_>>().join(" "));
        self.lines.push(fields.collect::<Vec<_>>().join("\t"));
    }

    /// Adds an origin, and returns its number.
    pub fn origin(&mut self, name: &str, package: &crate::Package, licence: &str, is_strict: bool) -> usize {
        let package_name = format!("{} {}", package.name, package.version);
        let mut line = vec!["origin", name, &package_name, &package.date, licence];
        line.extend(is_strict.then_some("strict"));
        self.line(&line);
        self.origins += 1;
        self.origins - 1
    }

    /// Adds a text, and returns its place as fields of the index.
    pub fn text(&mut self, what: &'static str, text: &str) -> [String; 3] {
        if !self.open.is_empty() && self.open.len() + text.len() > BLOCK {
            self.close(what);
        }
        let place = [self.blocks.len(), self.open.len(), text.len()];
        self.open.extend(text.as_bytes());
        place.map(|number| number.to_string())
    }

    /// Ends the block of the texts that were added last.
    pub fn close(&mut self, what: &'static str) {
        if self.open.is_empty() {
            return;
        }
        let text = std::mem::take(&mut self.open);
        self.block(what, &text);
    }

    /// Adds a block, and returns its number.
    pub fn block(&mut self, what: &'static str, text: &[u8]) -> usize {
        // The reader needs as much memory as the window has, so that it is not larger than the text.
        let window = text.len().next_power_of_two().ilog2().clamp(10, 24);
        let parameters = brotli::enc::BrotliEncoderParams {
            quality: 11,
            lgwin: i32::try_from(window).unwrap_or(24),
            size_hint: text.len(),
            ..brotli::enc::BrotliEncoderParams::default()
        };
        let mut bytes = Vec::new();
        // Writing to memory does not fail.
        let _ = brotli::BrotliCompress(&mut &*text, &mut bytes, &parameters);
        *self.sizes.entry(what).or_default() += bytes.len();
        self.blocks.push(bytes);
        self.blocks.len() - 1
    }

    /// The data file.
    pub fn bytes(&self) -> Vec<u8> {
        let lengths: Vec<String> = self.blocks.iter().map(|block| block.len().to_string()).collect();
        let index = format!("{}\n{}\n", lengths.join("\t"), self.lines.join("\n"));
        let mut bytes = MAGIC.to_vec();
        bytes.extend(u32::try_from(index.len()).unwrap_or(u32::MAX).to_le_bytes());
        bytes.extend(index.as_bytes());
        self.blocks.iter().for_each(|block| bytes.extend(block));
        bytes
    }

    /// What takes how much, in words.
    pub fn sizes(&self) -> String {
        let index: usize = self.lines.iter().map(|line| line.len() + 1).sum();
        let blocks = self.sizes.iter().map(|(what, size)| format!("{what} {} KiB", size / 1024));
        std::iter::once(format!("index {} KiB", index / 1024)).chain(blocks).collect::<Vec<_>>().join(", ")
    }
}

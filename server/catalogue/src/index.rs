//! The index of a data file: lines of fields with tabs between them.
//!
//! ```text
//! origin   NAME PACKAGE DATE LICENCE [strict]
//! schema   NAME URL DESCRIPTION PATTERN...
//! text     URL ORIGIN BLOCK START LENGTH
//! version  MAJOR MINOR ORIGIN BLOCK
//! ```
//!
//! Lines of other kinds are for later versions of the program.

use crate::data::Damaged;
use crate::entry::{CatalogueEntry, Origin};
use crate::kubernetes::Version;
use crate::names::canonical;
use crate::patterns::Patterns;
use rustc_hash::FxHashMap;

/// Where a text is: a part of a block.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct TextPart {
    pub block: usize,
    /// In bytes of the decompressed block.
    pub start: usize,
    pub length: usize,
}

/// What was read.
#[derive(Default)]
pub(crate) struct Index {
    pub origins: Vec<Origin>,
    pub entries: Vec<CatalogueEntry>,
    /// All patterns, by what they say about a file's name.
    pub patterns: Patterns,
    /// The texts by canonical URL, each with the number of its origin.
    pub texts: FxHashMap<String, (TextPart, usize)>,
    /// The newest version first.
    pub versions: Vec<Version>,
}

impl Index {
    pub fn read(text: &str) -> Result<Index, Damaged> {
        let mut index = Index::default();
        for line in text.lines() {
            index.line(line).ok_or(Damaged)?;
        }
        Ok(index)
    }

    fn line(&mut self, line: &str) -> Option<()> {
        let mut fields = line.split('\t');
        match fields.next()? {
            "origin" => {
                let mut text = || fields.next().map(str::to_owned);
                let (name, package, date, licence) = (text()?, text()?, text()?, text()?);
                let is_strict = text().is_some_and(|mark| mark == "strict");
                self.origins.push(Origin { name, package, date, licence, is_strict });
            }
            "schema" => {
                let mut text = || fields.next().map(str::to_owned);
                let (name, url, description) = (text()?, text()?, text()?);
                let patterns: Vec<String> = fields.map(str::to_owned).collect();
                self.patterns.add(self.entries.len(), &patterns);
                self.entries.push(CatalogueEntry { name, url, description, patterns });
            }
            "text" => {
                let url = canonical(fields.next()?).into_owned();
                let origin = fields.next()?.parse().ok()?;
                self.texts.insert(url, (place(&mut fields)?, origin));
            }
            "version" => {
                let mut number = || fields.next()?.parse().ok();
                self.versions.push(Version {
                    number: (number()?, number()?),
                    origin: usize::try_from(number()?).ok()?,
                    block: usize::try_from(number()?).ok()?,
                });
            }
            _ => {}
        }
        Some(())
    }
}

/// The next three fields.
pub(crate) fn place<'f>(fields: &mut impl Iterator<Item = &'f str>) -> Option<TextPart> {
    let mut number = || fields.next()?.parse().ok();
    Some(TextPart { block: number()?, start: number()?, length: number()? })
}

//! The built-in catalogue: schemas of well-known files and of Kubernetes' kinds, as texts.
//!
//! All of it is one data file, which is part of the program and stays compressed. It begins with an index in plain text,
//! which is read when the catalogue is first asked for something; each block after it is decompressed when a text in it
//! is needed. This crate knows nothing of schemas, files or settings.
//!
//! The texts are third-party and not in this repository: `cargo xtask catalogue` makes the data file from pinned
//! packages. Without it the catalogue is empty ([`Catalogue::built_in`] returns nothing).

mod data;
mod entry;
mod index;
mod kubernetes;
mod names;
mod patterns;
#[cfg(test)]
mod tests;

pub use data::{Damaged, MAGIC};
pub use entry::{CatalogueEntry, Origin};
pub use kubernetes::Version;
pub use names::canonical;

use data::Data;
use index::{Index, TextPart};
use kubernetes::Layer;
use patterns::PatternNumber;
use std::borrow::Cow;
use std::sync::{Arc, OnceLock};

/// A catalogue.
pub struct Catalogue {
    data: Data,
    index: Index,
    /// The definitions of Kubernetes, the newest version first; each is read when it is needed.
    layers: Vec<OnceLock<Option<Layer>>>,
}

static BUILT_IN: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/catalogue.bin"));

impl Catalogue {
    /// The catalogue that is part of the program; None if it was built without one. Its index is read once.
    pub fn built_in() -> Option<Arc<Catalogue>> {
        static READ: OnceLock<Option<Arc<Catalogue>>> = OnceLock::new();
        let read = || Catalogue::of(Cow::Borrowed(BUILT_IN)).ok().map(Arc::new);
        READ.get_or_init(read).clone()
    }

    /// Whether the program was built with a catalogue. Reads nothing.
    pub fn is_built_in() -> bool {
        !BUILT_IN.is_empty()
    }

    /// The catalogue in the bytes of a data file.
    pub fn read(bytes: Vec<u8>) -> Result<Catalogue, Damaged> {
        Catalogue::of(Cow::Owned(bytes))
    }

    fn of(bytes: Cow<'static, [u8]>) -> Result<Catalogue, Damaged> {
        let data = Data::new(bytes)?;
        let index = Index::read(data.index())?;
        let layers = index.versions.iter().map(|_| OnceLock::new()).collect();
        Ok(Catalogue { data, index, layers })
    }

    /// The schemas for files, by name.
    pub fn entries(&self) -> &[CatalogueEntry] {
        &self.index.entries
    }

    /// Where the texts come from.
    pub fn origins(&self) -> &[Origin] {
        &self.index.origins
    }

    /// The entries that may be meant for a file at this path, with slashes, each with the pattern that says so. A pattern is
    /// compared as far as it is literal, so that most are left out at once; the caller decides.
    pub fn candidates<'c>(&'c self, path: &str) -> impl Iterator<Item = (&'c CatalogueEntry, &'c str)> {
        let places = self.index.patterns.for_file(path).into_iter();
        let pattern = |place: PatternNumber| {
            let entry = self.index.entries.get(place.entry)?;
            Some((entry, entry.patterns.get(place.pattern)?.as_str()))
        };
        places.filter_map(pattern)
    }

    /// The document of a URL, and where it comes from.
    pub fn document(&self, url: &str) -> Option<(String, &Origin)> {
        let (place, origin) = self.index.texts.get(&*canonical(url))?;
        Some((self.text(*place)?, self.index.origins.get(*origin)?))
    }

    /// Where the document of a URL comes from, if there is one. Decompresses nothing.
    pub fn origin(&self, url: &str) -> Option<&Origin> {
        let (_, origin) = self.index.texts.get(&*canonical(url))?;
        self.index.origins.get(*origin)
    }

    /// The size of the document of a URL in bytes.
    pub fn size(&self, url: &str) -> Option<usize> {
        Some(self.index.texts.get(&*canonical(url))?.0.length)
    }

    /// The versions of Kubernetes whose definitions are there, the newest first.
    pub fn versions(&self) -> &[Version] {
        &self.index.versions
    }

    /// The version of Kubernetes that is nearest to the one that is asked for: the same, else the next newer one, else
    /// the newest.
    pub fn nearest_version(&self, asked: Option<(u32, u32)>) -> Option<&Version> {
        let newest = self.index.versions.first()?;
        let Some(asked) = asked else { return Some(newest) };
        Some(self.index.versions.iter().rev().find(|version| version.number >= asked).unwrap_or(newest))
    }

    /// Whether a version of Kubernetes has a kind.
    pub fn has_kind(&self, version: (u32, u32), group_version: &str, kind: &str) -> bool {
        self.definition_of(version, group_version, kind).is_some()
    }

    /// A JSON Schema of a kind in a version of Kubernetes, with all definitions that it refers to.
    pub fn kind(&self, version: (u32, u32), group_version: &str, kind: &str) -> Option<String> {
        let (layers, definition) = self.definition_of(version, group_version, kind)?;
        kubernetes::document(&layers, definition, |place| self.slice(place))
    }

    /// All kinds of a version, as pairs of group with version and kind.
    pub fn kinds(&self, version: (u32, u32)) -> Vec<(String, String)> {
        let Some(layers) = self.layers_of(version) else { return Vec::new() };
        kubernetes::kinds(&layers)
    }

    fn definition_of(&self, version: (u32, u32), group_version: &str, kind: &str) -> Option<(Vec<&Layer>, &str)> {
        let layers = self.layers_of(version)?;
        let definition = kubernetes::definition_of(&layers, group_version, kind)?;
        Some((layers, definition))
    }

    /// What a version consists of: what it has differently, then what the next newer one has, and so on.
    fn layers_of(&self, version: (u32, u32)) -> Option<Vec<&Layer>> {
        let at = self.index.versions.iter().position(|known| known.number == version)?;
        (0..=at).rev().map(|number| self.layer(number)).collect()
    }

    fn layer(&self, number: usize) -> Option<&Layer> {
        let version = self.index.versions.get(number)?;
        let read = || Layer::read(self.data.block(version.block)?);
        self.layers.get(number)?.get_or_init(read).as_ref()
    }

    fn text(&self, place: TextPart) -> Option<String> {
        let block = self.data.decompressed(place.block)?;
        block.get(place.start..place.start.checked_add(place.length)?).map(str::to_owned)
    }

    /// A part of a block that is kept: others are going to be asked for.
    fn slice(&self, place: TextPart) -> Option<&str> {
        self.data.block(place.block)?.get(place.start..place.start.checked_add(place.length)?)
    }
}

impl std::fmt::Debug for Catalogue {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Catalogue").field("entries", &self.index.entries.len()).finish_non_exhaustive()
    }
}

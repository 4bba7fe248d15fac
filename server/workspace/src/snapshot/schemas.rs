//! What a snapshot says about schemas, what names them, and what else names and leads to places.

use super::Snapshot;
use crate::association::choices::{SchemaChoices, schema_choices};
use crate::association::definitions::references_to_write;
use crate::association::document_links::{Link, links};
use crate::association::json_schemas::{own, seeming, with_own};
use crate::association::kustomizations;
use crate::association::pointers::{NamedPlace, PointerTarget, named_place, referred_place};
use crate::association::symbols::{FileSymbols, named_symbols};
use crate::association::wishes::Wishes;
use crate::files::fetched::Wish;
use crate::threads::threads;
use lofting_document::{FileId, Span};
use lofting_memo::CancelFlag;
use lofting_schema::Schema;
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

impl Snapshot {
    /// What could govern a file. Looks for JSON Schemas on disk, so it is not for a user who is typing.
    pub fn schema_choices(&self, file: FileId, cancel: &CancelFlag) -> Option<SchemaChoices> {
        Some(schema_choices(&self.state, self.state.file(file)?, cancel))
    }

    /// The folder in which a `lofting.toml` would apply to the whole workspace folder of a file.
    pub fn folder_of(&self, file: FileId) -> &Path {
        self.state.root_of(self.path(file))
    }

    /// The documents on the web that these files need and that were not requested yet. None if wishes are not answered.
    pub fn wishes(&self, files: &[FileId]) -> Vec<Wish> {
        self.wishes_of(1, files, || Wishes::new(&self.state)).0
    }

    /// Like `wishes`, by several threads, which keep the texts of closed files that they read; and the files that need something.
    pub(crate) fn all_wishes(&self, files: &[FileId]) -> (Vec<Wish>, Vec<FileId>) {
        self.wishes_of(threads(), files, || Wishes::new(&self.state).keeping())
    }

    fn wishes_of<'s>(
        &'s self,
        threads: usize,
        files: &[FileId],
        begin: impl Fn() -> Wishes<'s> + Sync,
    ) -> (Vec<Wish>, Vec<FileId>) {
        if !self.state.fetched.is_on() {
            return Default::default();
        }
        let ask = |wishes: &mut Wishes<'s>, id: FileId| {
            self.state.file(id).filter(|file| file.exists()).into_iter().for_each(|file| wishes.of_file(file));
        };
        let found = Wishes::of_all(threads, begin, files, ask);
        found.map(|(missing, lacking)| (missing.web, lacking)).unwrap_or_default()
    }

    /// The links of a file, in the order of the text. Links that lead nowhere are left out; a finding reports them.
    pub fn links(&self, file: FileId) -> Vec<Link> {
        self.state.file(file).map(|file| links(&self.state, file)).unwrap_or_default()
    }

    /// The bytes of what the target of a kustomization's patch selects by at `offset` (bytes), and the names of the
    /// resources that it selects; none elsewhere.
    pub fn patched_resources(&self, file: FileId, offset: usize) -> Option<(Range<usize>, Vec<Span>)> {
        kustomizations::selected(&self.state, self.state.file(file)?, offset)
    }

    /// Where the reference at `offset` (bytes) leads, with the bytes of all of it.
    pub fn referred_place(&self, file: FileId, offset: usize) -> Option<(Range<usize>, PointerTarget)> {
        referred_place(&self.state, self.state.file(file)?, offset)
    }

    /// The JSON Schema that a file is, as its author sees it: with all its definitions.
    pub fn json_schema_in(&self, file: FileId) -> Option<Arc<Schema>> {
        own(&self.state, self.state.file(file)?).map(|schema| schema.schema.clone())
    }

    /// The JSON Schema that a file seems to be by its keys: for users who name it as one.
    pub fn seeming_json_schema(&self, file: FileId) -> Option<Arc<Schema>> {
        seeming(&self.state, file).map(|schema| schema.schema.clone())
    }

    /// The references to definitions of JSON Schemas that may be written in a file that holds such schemas, best first;
    /// `typed` is what is written of it.
    pub fn references_to_write(&self, file: FileId, typed: &str) -> Vec<String> {
        let file = self.state.file(file).filter(|file| with_own(&self.state, file).is_some());
        file.map(|file| references_to_write(&self.state, file, typed)).unwrap_or_default()
    }

    /// The key at `offset` (bytes), where it is defined or in a reference; none where no reference names it.
    pub fn named_place(&self, file: FileId, offset: usize) -> Option<NamedPlace> {
        named_place(&self.state, self.state.file(file)?, offset)
    }

    /// The symbols in a file; `None` if it cannot have any.
    pub fn named_symbols(&self, file: FileId) -> Option<Arc<FileSymbols>> {
        named_symbols(&self.state, self.state.file(file)?)
    }
}

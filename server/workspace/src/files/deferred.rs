//! A schema that is read when it is first asked for.

use lofting_dialect::inside::OwnSchema;
use lofting_dialect::{Claim, Dialect, SchemaPart};
use lofting_document::{DocumentReader, FileId, Options};
use lofting_overlay::NoFunctions;
use lofting_schema::Schema;
use lofting_syntax::Tree;
use lofting_syntax::resolve::Profile;
use std::ops::Deref;
use std::sync::{Arc, OnceLock};

/// A schema that was read, or one that can be.
pub(crate) enum DeferredSchema {
    Read(Arc<Schema>),
    Later(Box<WrittenSchema>, OnceLock<Arc<Schema>>),
}

/// A part of a file that is a schema.
pub(crate) struct WrittenSchema {
    pub file: FileId,
    pub tree: Arc<Tree>,
    pub profile: Profile,
    pub options: Options,
    pub dialect: &'static dyn Dialect,
    pub claim: Claim,
}

impl WrittenSchema {
    fn read(&self) -> Schema {
        let document = self.tree.document(self.claim.document);
        let mut reader = DocumentReader::new(self.file, &self.tree, self.profile, self.options);
        let read = document.and_then(|document| reader.read(&document).documents.pop());
        let part =
            read.as_ref().map(|document| SchemaPart { document, claim: Some(&self.claim), tree: Some(&self.tree) });
        self.dialect.read(part.as_slice(), &NoFunctions).schema
    }
}

impl DeferredSchema {
    /// A part of a file, not read yet.
    pub fn later(part: WrittenSchema) -> Self {
        DeferredSchema::Later(Box::new(part), OnceLock::new())
    }

    /// The schema, if it was read.
    pub fn known(&self) -> Option<&Arc<Schema>> {
        match self {
            DeferredSchema::Read(schema) => Some(schema),
            DeferredSchema::Later(_, read) => read.get(),
        }
    }
}

impl From<Arc<Schema>> for DeferredSchema {
    fn from(schema: Arc<Schema>) -> Self {
        DeferredSchema::Read(schema)
    }
}

impl Deref for DeferredSchema {
    type Target = Arc<Schema>;

    fn deref(&self) -> &Arc<Schema> {
        match self {
            DeferredSchema::Read(schema) => schema,
            DeferredSchema::Later(part, read) => read.get_or_init(|| Arc::new(part.read())),
        }
    }
}

impl OwnSchema for DeferredSchema {
    fn schema(&self) -> &Arc<Schema> {
        self
    }
}

//! What is remembered about schemas across states.

use crate::association::bundles::Definitions;
use crate::association::catalogue::Catalogue;
use crate::association::definitions::UnusedDefinitions;
use crate::association::json_schemas::LinkedId;
use crate::association::kustomizations::ReadKustomization;
use crate::association::name_index::{Names, Which};
use crate::association::named_files::NamedFiles;
use crate::association::pointers::References;
use crate::association::schema_links::{SchemaDocument, SchemaLinks};
use crate::association::schema_state::SchemaState;
use crate::association::shared::FileList;
use crate::association::symbols::FileSymbols;
use crate::caches::coded::Coded;
use crate::caches::memos;
use crate::files::claims::ClaimedSchema;
use lofting_document::FileId;
use lofting_memo::Memo;
use std::sync::Arc;

memos! {
    /// The memos of a workspace about schemas and names.
    pub(crate) struct AssociationMemos {
        /// Schemas by the files that they consist of.
        schemas: Coded<FileList, SchemaState>,
        /// JSON Schemas that are named as schemas of files.
        linked: Memo<LinkedId, ClaimedSchema>,
        /// What they refer to, by file and URI.
        schema_links: Memo<(FileId, Arc<str>), SchemaLinks>,
        /// Documents with JSON Schemas, by file.
        schema_documents: Memo<FileId, SchemaDocument>,
        /// The schemas in documents of bundles.
        definitions: Memo<FileId, Definitions>,
        /// Definitions of JSON Schemas in a file that nothing leads to.
        unused_definitions: Memo<FileId, UnusedDefinitions>,
        /// References in a file by the way to what they name.
        references_in: Memo<FileId, References>,
        /// What kustomizations say.
        kustomizations: Memo<FileId, ReadKustomization>,
        /// Catalogues, by their file.
        catalogue: Memo<FileId, Catalogue>,
        /// JSON Schemas that are named directly.
        named_files: Memo<(), NamedFiles>,
        /// Named things in a file.
        symbols: Memo<FileId, FileSymbols>,
        /// The names in all files.
        names: Memo<Which, Names>,
    }
}

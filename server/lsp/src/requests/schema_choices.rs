//! `lofting/schemaChoices`

use gen_lsp_types as lsp;
use lofting_ide::{ChosenSchema, WrittenIn};
use serde::{Deserialize, Serialize};

use super::explain::ExplainParams;
use super::{Answer, Background, Params, Request};
use crate::cancel::CancelFlag;
use crate::uri;
use crate::view::View;
use lofting_ide::plain;

/// What could govern a document, for an editor that lets the user choose.
pub(crate) struct SchemaChoices;

/// The request of our own. Its parameters are those of `lofting/explain`.
#[derive(Debug)]
pub(crate) enum SchemaChoicesRequest {}

/// Its answer; none for a file outside the workspace.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct SchemaChoicesResult {
    /// Why the document has the schema that it has, or none.
    reason: String,
    /// What is in force first. Empty for a document that no schema governs in any way.
    choices: Vec<SchemaChoice>,
}

/// A choice.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct SchemaChoice {
    /// Its name.
    label: String,
    /// What it is, and where it comes from.
    description: String,
    /// Whether it governs the document now.
    in_force: bool,
    /// Where it can be written, the most usual first. Never empty.
    places: Vec<Place>,
    /// Comes back with `lofting/chooseSchema`.
    choice: Choice,
}

/// Where a choice is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) enum Place {
    /// In the `lofting.toml` above the document, which is made if there is none.
    Configuration,
    /// In a comment at the top of the document.
    Modeline,
}

impl From<WrittenIn> for Place {
    fn from(place: WrittenIn) -> Place {
        match place {
            WrittenIn::Configuration => Place::Configuration,
            WrittenIn::Modeline => Place::Modeline,
        }
    }
}

impl From<Place> for WrittenIn {
    fn from(place: Place) -> WrittenIn {
        match place {
            Place::Configuration => WrittenIn::Configuration,
            Place::Modeline => WrittenIn::Modeline,
        }
    }
}

/// A schema or an input set.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", tag = "kind")]
pub(super) enum Choice {
    /// A ytt schema: a file, or a folder with schema files.
    Ytt {
        /// It.
        uri: lsp::Uri,
    },
    /// The JSON Schema in a file.
    Json {
        /// The file.
        uri: lsp::Uri,
        /// The part of it, as in a `$ref`; empty for all of it.
        fragment: String,
    },
    /// The JSON Schema at a URL.
    Web {
        /// The URL.
        url: String,
    },
    /// An input set.
    Set {
        /// The `lofting.toml`.
        uri: lsp::Uri,
        /// Its name.
        name: String,
    },
    /// No schema.
    None,
}

impl Choice {
    fn of(view: &View, chosen: &ChosenSchema) -> Choice {
        match chosen {
            ChosenSchema::Ytt(path) => Choice::Ytt { uri: uri::from_path(path) },
            ChosenSchema::Json { path, fragment } => {
                Choice::Json { uri: uri::from_path(path), fragment: fragment.clone() }
            }
            ChosenSchema::Web(url) => Choice::Web { url: url.clone() },
            ChosenSchema::Set { config, name } => Choice::Set { uri: view.uri(*config), name: name.clone() },
            ChosenSchema::None => Choice::None,
        }
    }

    /// None if the workspace no longer knows it.
    pub(super) fn chosen(self, view: &View) -> Option<ChosenSchema> {
        Some(match self {
            Choice::Ytt { uri } => ChosenSchema::Ytt(uri::to_path(&uri)),
            Choice::Json { uri, fragment } => ChosenSchema::Json { path: uri::to_path(&uri), fragment },
            Choice::Web { url } => ChosenSchema::Web(url),
            Choice::Set { uri, name } => ChosenSchema::Set { config: view.file(&uri)?, name },
            Choice::None => ChosenSchema::None,
        })
    }
}

impl lsp::Request for SchemaChoicesRequest {
    type Params = ExplainParams;
    type Result = Option<SchemaChoicesResult>;
    const METHOD: lsp::LspRequestMethod<'static> = lsp::LspRequestMethod::new("lofting/schemaChoices");
    const MESSAGE_DIRECTION: lsp::MessageDirection = lsp::MessageDirection::ClientToServer;
}

impl Request for SchemaChoices {
    type Protocol = SchemaChoicesRequest;

    // It looks for JSON Schemas on disk.
    type Lane = Background;

    const STALE_AFTER_EDITS: bool = false;

    fn uri(params: &Params<Self>) -> lsp::Uri {
        params.text_document.uri.clone()
    }

    fn answer(view: &View, params: Params<Self>, cancel: &CancelFlag) -> Answer<Self> {
        let file = view.file(&params.text_document.uri)?;
        let found = lofting_ide::schema_choices(&view.snapshot, file, view.client.profile.abilities(), cancel.work())?;
        let choice = |choice: lofting_ide::SchemaChoice| SchemaChoice {
            label: plain::line(&choice.name),
            description: plain::line(&choice.about),
            in_force: choice.is_in_force,
            places: choice.written_in.into_iter().map(Place::from).collect(),
            choice: Choice::of(view, &choice.chosen),
        };
        Some(SchemaChoicesResult {
            reason: plain::message(&found.reason),
            choices: found.choices.into_iter().map(choice).collect(),
        })
    }
}

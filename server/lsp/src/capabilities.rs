//! What the client announced, and what this server offers to such a client.
//!
//! **Invariant:** nothing is sent that the client did not announce: no snippets, Markdown, related information, refresh
//! requests, progress or registrations without the capability.

use gen_lsp_types::{
    CallHierarchyProvider, ChangeNotifications, ClientCapabilities, ClientCodeActionResolveOptions,
    ClientSemanticTokensRequestOptionsFull, CodeActionOptions, CodeActionProvider, CodeLensOptions, CompletionOptions,
    DefinitionProvider, DiagnosticOptions, DiagnosticProvider, DiagnosticTag, DocumentFormattingProvider,
    DocumentHighlightProvider, DocumentLinkOptions, DocumentOnTypeFormattingOptions, DocumentRangeFormattingProvider,
    DocumentSymbolProvider, FileOperationOptions, FoldingRangeProvider, Full, HoverProvider, InlayHintProvider,
    LinkedEditingRangeProvider, MarkupKind, PositionEncodingKind, ReferencesProvider, RenameOptions, RenameProvider,
    ResourceOperationKind, Save, SaveOptions, SelectionRangeProvider, SemanticTokensFullDelta, SemanticTokensOptions,
    SemanticTokensOptionsRange, SemanticTokensProvider, ServerCapabilities, SignatureHelpOptions, TextDocumentContent,
    TextDocumentContentOptions, TextDocumentSync, TextDocumentSyncKind, TextDocumentSyncOptions,
    TypeDefinitionProvider, WorkspaceFoldersServerCapabilities, WorkspaceOptions, WorkspaceSymbolProvider,
};

mod completion;
mod registered;

pub(crate) use completion::{CompletionProfile, Indentation, SUGGEST};

use std::collections::BTreeSet;

use crate::built_in_documents;
use crate::virtual_documents::VirtualKind;
use lofting_ide::{Abilities, ActionKind};
use lofting_text::Encoding;

/// The client's capabilities that this server uses.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct ClientProfile {
    /// Unit of columns, as agreed in `initialize`.
    pub(crate) encoding: Encoding,
    /// The client pulls diagnostics, so they are never pushed.
    pub(crate) pulls_diagnostics: bool,
    /// Diagnostics may carry a version, and the client wants to know the version they hold for.
    pub(crate) tracks_versions: bool,
    /// Diagnostics may refer to related places.
    pub(crate) related_information: bool,
    /// Diagnostics may link to the documentation of their rule.
    pub(crate) code_description: bool,
    /// Diagnostics may be drawn as deprecated.
    pub(crate) deprecated_tag: bool,
    /// Diagnostics may be drawn as unnecessary.
    pub(crate) unnecessary_tag: bool,
    /// Its capabilities for completion.
    pub(crate) completion: CompletionProfile,
    /// Signatures may be documented in Markdown.
    pub(crate) signature_markdown: bool,
    /// The client sends a request before a rename.
    pub(crate) prepares_rename: bool,
    /// Built-in schemas can be shown.
    pub(crate) built_in_documents: bool,
    /// Virtual documents of the server can be shown.
    pub(crate) virtual_documents: bool,
    /// A hover may be Markdown.
    pub(crate) hover_markdown: bool,
    /// Document symbols may be nested.
    pub(crate) hierarchical_symbols: bool,
    /// Quick fixes may be objects with edits instead of commands.
    pub(crate) code_action_literals: bool,
    /// It requests the edit of the chosen action, and returns the data that the action carries.
    pub(crate) resolves_code_actions: bool,
    /// Actions may be marked as preferred.
    pub(crate) preferred_code_actions: bool,
    /// Edits may name the version of the document that they are for.
    pub(crate) document_changes: bool,
    /// Edits may create files.
    pub(crate) creates_files: bool,
    /// Folding ranges may name their kind.
    pub(crate) folding_kinds: bool,
    /// The server's semantic tokens are drawn over the editor's own colours.
    pub(crate) draws_tokens: bool,
    /// It can be sent what is different in them.
    pub(crate) token_deltas: bool,
    /// It can ask what changes when a character was typed.
    pub(crate) formats_on_type: bool,
    /// The definition of a type can be answered with links.
    pub(crate) type_definition_links: bool,
    /// Definitions of types can be asked for.
    pub(crate) type_definitions: bool,
    /// Names can be edited together.
    pub(crate) links_editing: bool,
    /// It asks for the edits that renaming files requires.
    pub(crate) renames_files: bool,
    /// Who calls whom can be shown.
    pub(crate) call_hierarchy: bool,
    /// Lines are shown above the places of a text.
    pub(crate) code_lenses: bool,
    /// The client can be asked to get them again.
    pub(crate) refreshes_lenses: bool,
    /// Commands that the client runs when a lens is chosen.
    pub(crate) commands: BTreeSet<String>,
    /// Hints are shown between the words of a text.
    pub(crate) inlay_hints: bool,
    /// The client can be asked to get its hints again.
    pub(crate) refreshes_hints: bool,
    /// The client can be asked to get semantic tokens again.
    pub(crate) refreshes_tokens: bool,
    /// A definition may carry the range it was asked from.
    pub(crate) definition_links: bool,
    /// Settings can be asked for.
    pub(crate) configuration: bool,
    /// The client can be asked to report settings changes.
    pub(crate) registers_configuration: bool,
    /// The client can be asked to watch files.
    pub(crate) watches_files: bool,
    /// Progress can be shown.
    pub(crate) progress: bool,
}

impl ClientProfile {
    /// Reads the announcement of a client, which may have said its name.
    pub(crate) fn new(client: &ClientCapabilities, name: Option<&str>) -> Self {
        let general = client.general.as_ref();
        let window = client.window.as_ref();
        let workspace = client.workspace.as_ref();
        let document = client.text_document.as_ref();
        let yes = |flag: Option<bool>| flag.unwrap_or(false);

        let pull = document.and_then(|d| d.diagnostic.as_ref());
        let publish = document.and_then(|d| d.publish_diagnostics.as_ref());
        let refresh = workspace.and_then(|w| w.diagnostics.as_ref()).is_some_and(|d| yes(d.refresh_support));
        // A schema edited in one buffer changes the diagnostics of other buffers. A client that pulls but cannot be
        // asked to pull again would keep showing the old ones, so such a client gets pushed diagnostics instead.
        let pulls_diagnostics = pull.is_some() && refresh;
        // Before 3.18 a client could not state what pulled diagnostics may contain, so the capabilities of pushed ones
        // apply.
        let announced = [
            pull.filter(|_| pulls_diagnostics).map(|p| &p.diagnostics_capabilities),
            publish.map(|p| &p.diagnostics_capabilities),
        ];
        let diagnostic_tag = |tag| {
            let support = announced.iter().flatten().find_map(|d| d.tag_support.as_ref());
            support.is_some_and(|support| support.value_set.contains(&tag))
        };

        let action = document.and_then(|d| d.code_action.as_ref());
        let edit = workspace.and_then(|w| w.workspace_edit.as_ref());
        let watched = workspace.and_then(|w| w.did_change_watched_files.as_ref());
        let markdown =
            |kinds: Option<&Vec<MarkupKind>>| kinds.is_some_and(|kinds| kinds.contains(&MarkupKind::Markdown));

        Self {
            encoding: encoding(general.and_then(|g| g.position_encodings.as_deref())),
            pulls_diagnostics,
            tracks_versions: publish.is_some_and(|p| yes(p.version_support)),
            related_information: yes(announced.iter().flatten().find_map(|d| d.related_information)),
            code_description: yes(announced.iter().flatten().find_map(|d| d.code_description_support)),
            deprecated_tag: diagnostic_tag(DiagnosticTag::Deprecated),
            unnecessary_tag: diagnostic_tag(DiagnosticTag::Unnecessary),
            completion: CompletionProfile::new(client, name),
            prepares_rename: document.and_then(|d| d.rename.as_ref()).is_some_and(|r| yes(r.prepare_support)),
            built_in_documents: workspace.is_some_and(|w| w.text_document_content.is_some()) || shows_schemas(client),
            virtual_documents: workspace.is_some_and(|w| w.text_document_content.is_some()),
            signature_markdown: markdown(
                document
                    .and_then(|d| d.signature_help.as_ref())
                    .and_then(|s| s.signature_information.as_ref())
                    .and_then(|i| i.documentation_format.as_ref()),
            ),
            hover_markdown: markdown(document.and_then(|d| d.hover.as_ref()).and_then(|h| h.content_format.as_ref())),
            hierarchical_symbols: document
                .and_then(|d| d.document_symbol.as_ref())
                .is_some_and(|s| yes(s.hierarchical_document_symbol_support)),
            code_action_literals: action.is_some_and(|a| a.code_action_literal_support.is_some()),
            resolves_code_actions: action.is_some_and(|a| {
                let edits = |r: &ClientCodeActionResolveOptions| r.properties.iter().any(|name| name == "edit");
                yes(a.data_support) && a.resolve_support.as_ref().is_some_and(edits)
            }),
            preferred_code_actions: action.is_some_and(|a| yes(a.is_preferred_support)),
            document_changes: edit.is_some_and(|e| yes(e.document_changes)),
            creates_files: edit.is_some_and(|e| {
                let operations = e.resource_operations.as_deref().unwrap_or_default();
                yes(e.document_changes) && operations.contains(&ResourceOperationKind::Create)
            }),
            folding_kinds: document
                .and_then(|d| d.folding_range.as_ref())
                .is_some_and(|f| f.folding_range_kind.is_some()),
            // A client without colours of its own for YAML would show nothing but our tokens.
            draws_tokens: document
                .and_then(|d| d.semantic_tokens.as_ref())
                .is_some_and(|tokens| tokens.augments_syntax_tokens != Some(false)),
            token_deltas: document.and_then(|d| d.semantic_tokens.as_ref()).is_some_and(|tokens| {
                let full = tokens.requests.full.as_ref();
                full.is_some_and(|full| matches!(full, ClientSemanticTokensRequestOptionsFull::ClientSemanticTokensRequestFullDelta(full) if yes(full.delta)))
            }),
            formats_on_type: document.is_some_and(|d| d.on_type_formatting.is_some()),
            type_definition_links: document
                .and_then(|d| d.type_definition.as_ref())
                .is_some_and(|d| yes(d.link_support)),
            type_definitions: document.is_some_and(|d| d.type_definition.is_some()),
            links_editing: document.is_some_and(|d| d.linked_editing_range.is_some()),
            renames_files: workspace
                .and_then(|w| w.file_operations.as_ref())
                .is_some_and(|operations| yes(operations.will_rename)),
            call_hierarchy: document.is_some_and(|d| d.call_hierarchy.is_some()),
            code_lenses: document.is_some_and(|d| d.code_lens.is_some()),
            refreshes_lenses: workspace.and_then(|w| w.code_lens.as_ref()).is_some_and(|l| yes(l.refresh_support)),
            commands: commands(client),
            inlay_hints: document.is_some_and(|d| d.inlay_hint.is_some()),
            refreshes_hints: workspace.and_then(|w| w.inlay_hint.as_ref()).is_some_and(|h| yes(h.refresh_support)),
            refreshes_tokens: workspace
                .and_then(|w| w.semantic_tokens.as_ref())
                .is_some_and(|tokens| yes(tokens.refresh_support)),
            definition_links: document.and_then(|d| d.definition.as_ref()).is_some_and(|d| yes(d.link_support)),
            configuration: workspace.is_some_and(|w| yes(w.configuration)),
            registers_configuration: workspace
                .and_then(|w| w.did_change_configuration.as_ref())
                .is_some_and(|c| yes(c.dynamic_registration)),
            watches_files: watched.is_some_and(|w| yes(w.dynamic_registration)),
            progress: window.is_some_and(|w| yes(w.work_done_progress)),
        }
    }

    /// What the client can do with the change of an action.
    pub(crate) fn abilities(&self) -> Abilities {
        Abilities { creates_files: self.creates_files }
    }

    /// Every client requests completion at letters. The characters here begin names and strings in annotations and
    /// code, where something has to follow. In YAML itself, Enter is likely after every special character, so `:`, `-`
    /// and line breaks are left out. A space opens the few values of a key, for clients that then select no value;
    /// others would insert the first one, at once or on Enter.
    fn trigger_characters(&self) -> Vec<String> {
        let space = self.completion.opens_after_space.then_some(" ");
        ["@", "/", "\"", "'", "(", ",", "."].into_iter().chain(space).map(str::to_owned).collect()
    }

    /// What the server offers to this client.
    pub(crate) fn server_capabilities(&self) -> ServerCapabilities {
        ServerCapabilities {
            position_encoding: Some(match self.encoding {
                Encoding::Utf8 => PositionEncodingKind::UTF8,
                Encoding::Utf16 => PositionEncodingKind::UTF16,
                Encoding::Utf32 => PositionEncodingKind::UTF32,
            }),
            text_document_sync: Some(TextDocumentSync::Options(TextDocumentSyncOptions {
                open_close: Some(true),
                change: Some(TextDocumentSyncKind::Incremental),
                save: Some(Save::SaveOptions(SaveOptions { include_text: Some(false) })),
                ..Default::default()
            })),
            completion_provider: Some(CompletionOptions {
                trigger_characters: Some(self.trigger_characters()),
                resolve_provider: self.completion.resolves_documentation.then_some(true),
                ..Default::default()
            }),
            signature_help_provider: Some(SignatureHelpOptions {
                trigger_characters: Some(["(", ","].map(str::to_owned).to_vec()),
                ..Default::default()
            }),
            hover_provider: Some(HoverProvider::Bool(true)),
            definition_provider: Some(DefinitionProvider::Bool(true)),
            document_highlight_provider: Some(DocumentHighlightProvider::Bool(true)),
            references_provider: Some(ReferencesProvider::Bool(true)),
            rename_provider: Some(if self.prepares_rename {
                RenameProvider::RenameOptions(RenameOptions { prepare_provider: Some(true), ..Default::default() })
            } else {
                // Only clients that support options get them.
                RenameProvider::Bool(true)
            }),
            code_action_provider: self.code_action_literals.then(|| {
                CodeActionProvider::CodeActionOptions(CodeActionOptions {
                    code_action_kinds: Some(ActionKind::ALL.map(|kind| kind.as_str().into()).to_vec()),
                    resolve_provider: self.resolves_code_actions.then_some(true),
                    ..Default::default()
                })
            }),
            document_link_provider: Some(DocumentLinkOptions::default()),
            workspace_symbol_provider: Some(WorkspaceSymbolProvider::Bool(true)),
            folding_range_provider: Some(FoldingRangeProvider::Bool(true)),
            semantic_tokens_provider: self.draws_tokens.then(|| {
                SemanticTokensProvider::SemanticTokensOptions(SemanticTokensOptions {
                    legend: registered::legend(),
                    range: Some(SemanticTokensOptionsRange::Bool(true)),
                    full: Some(if self.token_deltas {
                        Full::SemanticTokensFullDelta(SemanticTokensFullDelta { delta: Some(true) })
                    } else {
                        Full::Bool(true)
                    }),
                    ..Default::default()
                })
            }),
            // Some clients format and do not announce it.
            document_formatting_provider: Some(DocumentFormattingProvider::Bool(true)),
            document_range_formatting_provider: Some(DocumentRangeFormattingProvider::Bool(true)),
            document_on_type_formatting_provider: self.formats_on_type.then(|| DocumentOnTypeFormattingOptions {
                first_trigger_character: "\n".to_owned(),
                ..Default::default()
            }),
            type_definition_provider: self.type_definitions.then_some(TypeDefinitionProvider::Bool(true)),
            linked_editing_range_provider: self.links_editing.then_some(LinkedEditingRangeProvider::Bool(true)),
            call_hierarchy_provider: self.call_hierarchy.then_some(CallHierarchyProvider::Bool(true)),
            code_lens_provider: self
                .code_lenses
                .then(|| CodeLensOptions { resolve_provider: Some(true), ..Default::default() }),
            inlay_hint_provider: self.inlay_hints.then_some(InlayHintProvider::Bool(true)),
            selection_range_provider: Some(SelectionRangeProvider::Bool(true)),
            document_symbol_provider: Some(DocumentSymbolProvider::Bool(true)),
            diagnostic_provider: self.pulls_diagnostics.then(|| {
                DiagnosticProvider::DiagnosticOptions(DiagnosticOptions {
                    identifier: Some("lofting".to_owned()),
                    inter_file_dependencies: true,
                    workspace_diagnostics: true,
                    ..Default::default()
                })
            }),
            workspace: Some(WorkspaceOptions {
                workspace_folders: Some(WorkspaceFoldersServerCapabilities {
                    supported: Some(true),
                    change_notifications: Some(ChangeNotifications::Bool(true)),
                }),
                file_operations: self.renames_files.then(|| FileOperationOptions {
                    will_rename: Some(registered::renamed_files()),
                    ..Default::default()
                }),
                text_document_content: self.virtual_documents.then(|| {
                    TextDocumentContent::Options(TextDocumentContentOptions {
                        schemes: VirtualKind::ALL
                            .iter()
                            .map(|kind| kind.scheme())
                            .chain([built_in_documents::SCHEME])
                            .map(str::to_owned)
                            .collect(),
                    })
                }),
            }),
            ..Default::default()
        }
    }
}

/// The commands of its own that a client runs when an item or a lens was chosen. The protocol has no word for it;
/// editors with commands list them in `experimental.commands.commands`.
fn commands(client: &ClientCapabilities) -> BTreeSet<String> {
    let commands = client.experimental.as_ref().and_then(|it| it.get("commands")?.get("commands")?.as_array());
    commands.into_iter().flatten().filter_map(|command| command.as_str()).map(str::to_owned).collect()
}

/// Whether a client requests built-in schemas although it does not announce virtual documents of the protocol:
/// `experimental.builtInSchemas`.
fn shows_schemas(client: &ClientCapabilities) -> bool {
    client.experimental.as_ref().and_then(|it| it.get("builtInSchemas")?.as_bool()).unwrap_or_default()
}

/// UTF-8 when the client knows it, because then columns are bytes; else UTF-16, which every client must know.
fn encoding(offered: Option<&[PositionEncodingKind]>) -> Encoding {
    let offered = offered.unwrap_or_default();
    match offered {
        kinds if kinds.contains(&PositionEncodingKind::UTF8) => Encoding::Utf8,
        // Only a client that violates the protocol leaves UTF-16 out; it gets what it offers.
        kinds if kinds.contains(&PositionEncodingKind::UTF32) && !kinds.contains(&PositionEncodingKind::UTF16) => {
            Encoding::Utf32
        }
        _ => Encoding::Utf16,
    }
}

//! One file per request. Each converts its parameters, calls one function of `ide`, and converts the result.

pub(crate) mod call_hierarchy;
pub(crate) mod choose_schema;
pub(crate) mod code_action;
pub(crate) mod code_action_resolve;
pub(crate) mod code_lens;
pub(crate) mod completion;
pub(crate) mod completion_resolve;
pub(crate) mod definition;
pub(crate) mod describe_input_set;
pub(crate) mod diagnostic;
pub(crate) mod document_highlight;
pub(crate) mod document_link;
pub(crate) mod document_symbol;
pub(crate) mod explain;
pub(crate) mod final_data_values;
pub(crate) mod folding_range;
pub(crate) mod formatting;
pub(crate) mod hover;
pub(crate) mod inlay_hint;
pub(crate) mod linked_editing_range;
pub(crate) mod on_type_formatting;
pub(crate) mod prepare_rename;
pub(crate) mod range_formatting;
pub(crate) mod references;
pub(crate) mod rename;
pub(crate) mod rendered_output;
pub(crate) mod schema_choices;
pub(crate) mod selection_range;
pub(crate) mod semantic_tokens;
pub(crate) mod signature_help;
pub(crate) mod status;
pub(crate) mod type_definition;
pub(crate) mod will_rename_files;
pub(crate) mod workspace_diagnostic;
pub(crate) mod workspace_symbol;

use tower_lsp_server::gen_lsp_types as lsp;
use tower_lsp_server::{LspServiceBuilder, jsonrpc};

use crate::cancel::CancelFlag;
use crate::code::{CodeRunner, CodeView};
use crate::facade::{Facade, answering};
use crate::pool::Lane;
use crate::view::View;

/// A request about one document, answered by a worker from a consistent view.
pub(crate) trait Request: Send + 'static {
    /// The method.
    type Protocol: lsp::Request;

    /// The lane in which it is answered, which decides what the answer may use.
    type Lane: AnswerLane;

    /// Whether an edit of the document makes the answer useless.
    const STALE_AFTER_EDITS: bool = true;

    /// The document it is about.
    fn uri(params: &Params<Self>) -> lsp::Uri;

    /// The answer. If it takes time, it checks `cancel` in its loops.
    fn answer(view: ViewOf<'_, Self>, params: Params<Self>, cancel: &CancelFlag) -> Answer<Self>;

    /// The answer, or a refusal in words for the user.
    fn answer_or_refuse(
        view: ViewOf<'_, Self>,
        params: Params<Self>,
        cancel: &CancelFlag,
    ) -> jsonrpc::Result<Answer<Self>> {
        Ok(Self::answer(view, params, cancel))
    }

    /// The refusal if the document has changed since the request.
    fn stale() -> jsonrpc::Error {
        jsonrpc::Error::new(jsonrpc::ErrorCode::ContentModified)
    }
}

/// A lane in which requests are answered.
pub(crate) trait AnswerLane {
    /// The lane.
    const LANE: Lane;

    /// What an answer is computed from. Only the lane for code provides something that can run code.
    type View<'a>;

    /// What an answer is made from.
    fn view<'a>(view: &'a View, code: &'a CodeRunner) -> Self::View<'a>;
}

/// The user waits, while typing.
pub(crate) enum Waiting {}

impl AnswerLane for Waiting {
    const LANE: Lane = Lane::Waiting;
    type View<'a> = &'a View;

    fn view<'a>(view: &'a View, _: &'a CodeRunner) -> &'a View {
        view
    }
}

/// Nobody in particular waits.
pub(crate) enum Background {}

impl AnswerLane for Background {
    const LANE: Lane = Lane::Background;
    type View<'a> = &'a View;

    fn view<'a>(view: &'a View, _: &'a CodeRunner) -> &'a View {
        view
    }
}

/// Nobody in particular waits, and all files are looked at.
pub(crate) enum Whole {}

impl AnswerLane for Whole {
    const LANE: Lane = Lane::Whole;
    type View<'a> = &'a View;

    fn view<'a>(view: &'a View, _: &'a CodeRunner) -> &'a View {
        view
    }
}

/// Who asks for what only code can tell.
pub(crate) enum WithCode {}

impl AnswerLane for WithCode {
    const LANE: Lane = Lane::Code;
    type View<'a> = CodeView<'a>;

    fn view<'a>(view: &'a View, code: &'a CodeRunner) -> CodeView<'a> {
        CodeView { view, code }
    }
}

/// What the answer to a request is made from.
pub(crate) type ViewOf<'a, R> = <<R as Request>::Lane as AnswerLane>::View<'a>;
/// Parameters of a request.
pub(crate) type Params<R> = <<R as Request>::Protocol as lsp::Request>::Params;
/// Result of a request.
pub(crate) type Answer<R> = <<R as Request>::Protocol as lsp::Request>::Result;

/// Every request this server answers.
pub(crate) fn register(builder: LspServiceBuilder<Facade>) -> LspServiceBuilder<Facade> {
    let builder = answering::<hover::Hover>(builder);
    let builder = answering::<completion::Completion>(builder);
    let builder = answering::<completion_resolve::CompletionResolve>(builder);
    let builder = answering::<definition::Definition>(builder);
    let builder = answering::<document_highlight::DocumentHighlight>(builder);
    let builder = answering::<document_link::DocumentLink>(builder);
    let builder = answering::<document_symbol::DocumentSymbol>(builder);
    let builder = answering::<code_action::CodeAction>(builder);
    let builder = answering::<code_action_resolve::CodeActionResolve>(builder);
    let builder = answering::<folding_range::FoldingRange>(builder);
    let builder = answering::<selection_range::SelectionRange>(builder);
    let builder = answering::<semantic_tokens::SemanticTokens>(builder);
    let builder = answering::<semantic_tokens::SemanticTokensDelta>(builder);
    let builder = answering::<semantic_tokens::SemanticTokensRange>(builder);
    let builder = answering::<formatting::Formatting>(builder);
    let builder = answering::<range_formatting::RangeFormatting>(builder);
    let builder = answering::<on_type_formatting::OnTypeFormatting>(builder);
    let builder = answering::<type_definition::TypeDefinition>(builder);
    let builder = answering::<linked_editing_range::LinkedEditingRange>(builder);
    let builder = answering::<call_hierarchy::PrepareCallHierarchy>(builder);
    let builder = answering::<call_hierarchy::IncomingCalls>(builder);
    let builder = answering::<call_hierarchy::OutgoingCalls>(builder);
    let builder = answering::<inlay_hint::InlayHint>(builder);
    let builder = answering::<code_lens::CodeLens>(builder);
    let builder = answering::<code_lens::CodeLensResolve>(builder);
    let builder = answering::<explain::Explain>(builder);
    let builder = answering::<status::Status>(builder);
    let builder = answering::<schema_choices::SchemaChoices>(builder);
    let builder = answering::<choose_schema::ChooseSchema>(builder);
    let builder = answering::<describe_input_set::DescribeInputSet>(builder);
    let builder = answering::<final_data_values::FinalDataValues>(builder);
    let builder = answering::<final_data_values::TextDocumentContent>(builder);
    let builder = answering::<rendered_output::RenderedOutput>(builder);
    let builder = answering::<references::References>(builder);
    let builder = answering::<prepare_rename::PrepareRename>(builder);
    let builder = answering::<rename::Rename>(builder);
    let builder = answering::<workspace_symbol::WorkspaceSymbol>(builder);
    let builder = answering::<workspace_diagnostic::WorkspaceDiagnostic>(builder);
    let builder = answering::<will_rename_files::WillRenameFiles>(builder);
    let builder = answering::<signature_help::SignatureHelp>(builder);
    answering::<diagnostic::Diagnostic>(builder)
}

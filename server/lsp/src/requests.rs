//! One file per request. Each converts its parameters, calls one function of `ide`, and converts the result.

use crate::jsonrpc;
use gen_lsp_types as lsp;

use crate::cancel::CancelFlag;
use crate::code::CodeRunner;
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
        jsonrpc::Error::new(jsonrpc::ErrorCode::CONTENT_MODIFIED, "the document has changed")
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

/// A request in the background, which the user does not wait for.
pub(crate) enum Background {}

impl AnswerLane for Background {
    const LANE: Lane = Lane::Background;
    type View<'a> = &'a View;

    fn view<'a>(view: &'a View, _: &'a CodeRunner) -> &'a View {
        view
    }
}

/// A request in the background that looks at all files.
pub(crate) enum Whole {}

impl AnswerLane for Whole {
    const LANE: Lane = Lane::Whole;
    type View<'a> = &'a View;

    fn view<'a>(view: &'a View, _: &'a CodeRunner) -> &'a View {
        view
    }
}

/// A request whose answer needs code to run.
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

/// A view for work that may run code.
pub(crate) struct CodeView<'a> {
    /// The state.
    pub(crate) view: &'a View,
    /// Runs code.
    pub(crate) code: &'a CodeRunner,
}

/// Adds requests to a service.
pub(crate) trait Service: Sized {
    /// Makes the service answer the requests of `R`.
    fn answering<R: Request>(self) -> Self;
}

/// Declares the files of requests and registers the requests in them.
macro_rules! requests {
    ($($file:ident: $($request:ident),+;)*) => {
        $(pub(crate) mod $file;)*

        /// Makes a service answer every request.
        pub(crate) fn register<S: Service>(service: S) -> S {
            $($(let service = service.answering::<$file::$request>();)+)*
            service
        }
    };
}

// Every request this server answers, by its file.
requests! {
    call_hierarchy: PrepareCallHierarchy, IncomingCalls, OutgoingCalls;
    choose_schema: ChooseSchema;
    code_action: CodeAction;
    code_action_resolve: CodeActionResolve;
    code_lens: CodeLens, CodeLensResolve;
    completion: Completion;
    completion_resolve: CompletionResolve;
    definition: Definition;
    describe_input_set: DescribeInputSet;
    diagnostic: Diagnostic;
    document_highlight: DocumentHighlight;
    document_link: DocumentLink;
    document_symbol: DocumentSymbol;
    explain: Explain;
    final_data_values: FinalDataValues, TextDocumentContent;
    folding_range: FoldingRange;
    formatting: Formatting;
    hover: Hover;
    inlay_hint: InlayHint;
    linked_editing_range: LinkedEditingRange;
    on_type_formatting: OnTypeFormatting;
    prepare_rename: PrepareRename;
    range_formatting: RangeFormatting;
    references: References;
    rename: Rename;
    rendered_output: RenderedOutput;
    schema_choices: SchemaChoices;
    selection_range: SelectionRange;
    semantic_tokens: SemanticTokens, SemanticTokensDelta, SemanticTokensRange;
    signature_help: SignatureHelp;
    status: Status;
    type_definition: TypeDefinition;
    will_rename_files: WillRenameFiles;
    workspace_diagnostic: WorkspaceDiagnostic;
    workspace_symbol: WorkspaceSymbol;
}

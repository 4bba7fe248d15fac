//! What asks the client something, and the notifications that have to wait for its answer.

use gen_lsp_types::{
    CodeLensRefreshRequest, ConfigurationItem, ConfigurationParams, ConfigurationRequest, DiagnosticRefreshRequest,
    InlayHintRefreshRequest, LspAny, ProgressNotification, ProgressParams, ProgressToken, Registration,
    RegistrationParams, RegistrationRequest, Request, SemanticTokensRefreshRequest, TextDocumentContentRefreshParams,
    TextDocumentContentRefreshRequest, Uri, WorkDoneProgressBegin, WorkDoneProgressCreateParams,
    WorkDoneProgressCreateRequest, WorkDoneProgressEnd,
};

use super::newest::Replaceable;
use crate::client::Client;

/// A request, or a notification that belongs to one.
pub(crate) enum Question {
    /// Asks to pull all diagnostics again.
    RefreshDiagnostics,
    /// Asks to get code lenses again.
    RefreshLenses,
    /// Asks to get inlay hints again.
    RefreshHints,
    /// Asks to get the meanings of words again, which are shown as colours.
    RefreshTokens,
    /// Asks to fetch a virtual document again.
    RefreshContent(String),
    /// Asks for settings.
    Configuration {
        /// Which settings.
        items: Vec<ConfigurationItem>,
        /// Gets the answer; none if the client refuses.
        answered: Box<dyn FnOnce(Option<Vec<LspAny>>) + Send>,
    },
    /// Registers for further notifications.
    Register(Vec<Registration>),
    /// Shows that something takes time, if the client takes the token for it.
    ProgressBegin(WorkDoneProgressBegin),
    /// Takes that back.
    ProgressEnd(WorkDoneProgressEnd),
}

impl Replaceable for Question {
    fn document(&self) -> Option<String> {
        match self {
            Question::RefreshContent(uri) => Some(uri.clone()),
            Question::RefreshDiagnostics
            | Question::RefreshLenses
            | Question::RefreshHints
            | Question::RefreshTokens => Some(String::new()),
            Question::Configuration { .. }
            | Question::Register(_)
            | Question::ProgressBegin(_)
            | Question::ProgressEnd(_) => None,
        }
    }
}

/// There is only one progress at a time: the first scan.
fn progress_token() -> ProgressToken {
    ProgressToken::String("lofting/scan".to_owned())
}

fn progress(client: &Client, value: serde_json::Result<LspAny>) {
    if let Ok(value) = value {
        client.tell::<ProgressNotification>(&ProgressParams { token: progress_token(), value });
    }
}

/// Sends a request whose answer says nothing, and does not wait for it.
fn request<R>(client: &Client, params: R::Params)
where
    R: Request + 'static,
    R::Params: Send + 'static,
    R::Result: Send,
{
    let client = client.clone();
    tokio::spawn(async move {
        if let Err(error) = client.ask::<R>(params).await {
            tracing::debug!(%error, "the client did not do what it announced: {}", R::METHOD.as_str());
        }
    });
}

impl Question {
    /// Sends it. Waits only for an answer on which later messages depend.
    pub(super) async fn ask(self, client: &Client) {
        match self {
            Question::ProgressBegin(begin) => {
                // The client may refuse the token; then nothing must be reported. Waiting is fine here: the answer does
                // not depend on anything that this task has yet to send.
                let params = WorkDoneProgressCreateParams { token: progress_token() };
                if client.ask::<WorkDoneProgressCreateRequest>(params).await.is_ok() {
                    progress(client, serde_json::to_value(begin));
                }
            }
            Question::ProgressEnd(end) => progress(client, serde_json::to_value(end)),
            Question::RefreshDiagnostics => request::<DiagnosticRefreshRequest>(client, ()),
            Question::RefreshLenses => request::<CodeLensRefreshRequest>(client, ()),
            Question::RefreshHints => request::<InlayHintRefreshRequest>(client, ()),
            Question::RefreshTokens => request::<SemanticTokensRefreshRequest>(client, ()),
            Question::RefreshContent(uri) => {
                let params = TextDocumentContentRefreshParams { uri: Uri::from(uri) };
                request::<TextDocumentContentRefreshRequest>(client, params);
            }
            Question::Register(registrations) => {
                request::<RegistrationRequest>(client, RegistrationParams { registrations });
            }
            Question::Configuration { items, answered } => {
                let client = client.clone();
                tokio::spawn(async move {
                    let answer = client.ask::<ConfigurationRequest>(ConfigurationParams { items }).await;
                    if let Err(error) = &answer {
                        tracing::warn!(%error, "the client did not answer workspace/configuration");
                    }
                    answered(answer.ok());
                });
            }
        }
    }
}

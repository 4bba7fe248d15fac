//! `lofting/renderedOutput`

use gen_lsp_types as lsp;
use serde::{Deserialize, Serialize};

use super::CodeView;
use super::{Answer, Params, Request, WithCode};
use crate::cancel::CancelFlag;
use crate::virtual_documents::{VirtualDocument, VirtualKind};
use lofting_ide::plain;

/// The output of a template, or of its whole input set, with the places of its lines.
pub(crate) struct RenderedOutput;

/// The request of our own.
#[derive(Debug)]
pub(crate) enum RenderedOutputRequest {}

/// Its parameters.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct RenderedOutputParams {
    /// A file, or a virtual document that belongs to it.
    pub(crate) text_document: lsp::TextDocumentIdentifier,
}

/// Its answer.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct RenderedOutputResult {
    /// The virtual document.
    pub(crate) uri: String,
    /// YAML, or the text of a text template. Comments that say why there is none, if there has been none so far.
    pub(crate) text: String,
    /// Why it could not be rendered now, one line each. Empty if it could.
    pub(crate) reasons: Vec<String>,
    /// Whether there are errors now, and the text is the previous output.
    pub(crate) stale: bool,
    /// The files that lines come from.
    pub(crate) sources: Vec<String>,
    /// For each line of the text the index of its source and the line there, from 0.
    pub(crate) lines: Vec<Option<(usize, u32)>>,
    /// The title of the call that is shown.
    pub(crate) call: Option<String>,
    /// The calls of ytt in which the file takes part.
    pub(crate) calls: Vec<Call>,
    /// The input set that these calls assume, because nothing describes one. `lofting/describeInputSet` writes it down.
    pub(crate) assumed: Option<Assumed>,
}

/// An input set that nothing describes.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Assumed {
    /// Its name.
    pub(crate) name: String,
    /// What one would type: `ytt -f config`.
    pub(crate) command: String,
    /// The values files that were found, as paths.
    pub(crate) values: Vec<String>,
}

/// A call, with the virtual documents of its output.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Call {
    /// A title, for the user to choose by.
    pub(crate) title: String,
    /// A short form of the title, for the title of a window.
    pub(crate) label: String,
    /// The output of the file.
    pub(crate) uri: String,
    /// The output of all files.
    pub(crate) set_uri: String,
}

impl lsp::Request for RenderedOutputRequest {
    type Params = RenderedOutputParams;
    type Result = Option<RenderedOutputResult>;
    const METHOD: lsp::LspRequestMethod<'static> = lsp::LspRequestMethod::new("lofting/renderedOutput");
    const MESSAGE_DIRECTION: lsp::MessageDirection = lsp::MessageDirection::ClientToServer;
}

impl Request for RenderedOutput {
    type Protocol = RenderedOutputRequest;

    type Lane = WithCode;

    const STALE_AFTER_EDITS: bool = false;

    fn uri(params: &Params<Self>) -> lsp::Uri {
        params.text_document.uri.clone()
    }

    fn answer(CodeView { view, code }: CodeView<'_>, params: Params<Self>, _: &CancelFlag) -> Answer<Self> {
        let document = VirtualDocument::of(&params.text_document.uri, VirtualKind::Output);
        let output = view.client.outputs.get(&document, &view.snapshot, code)?;
        let file_uri = view.uri(view.snapshot.file(&document.path)?);
        let mut files = Vec::new();
        let lines = output.shown.lines.iter().map(|line| {
            let (file, line) = (*line)?;
            let index = files.iter().position(|known| *known == file).unwrap_or_else(|| {
                files.push(file);
                files.len() - 1
            });
            Some((index, line))
        });
        let lines = lines.collect();
        let uri_of = |kind, call: &lofting_workspace::OutputCall| document.of_call(kind, call).uri(&file_uri);
        let call = |call: &lofting_workspace::OutputCall| Call {
            title: plain::line(&call.title),
            label: plain::line(&call.label),
            uri: uri_of(VirtualKind::Output, call),
            set_uri: uri_of(VirtualKind::SetOutput, call),
        };
        let assumed = |set: &lofting_workspace::AssumedSet| Assumed {
            name: plain::line(&set.name),
            command: plain::line(&set.command()),
            values: set.values_files.iter().map(|path| plain::line(path)).collect(),
        };
        let reasons = output.why.iter().flat_map(|why| &why.reasons).map(|reason| plain::message(reason)).collect();
        Some(RenderedOutputResult {
            uri: document.uri(&file_uri),
            text: if output.stale { output.shown.text.clone() } else { output.text_with_reasons() },
            reasons,
            stale: output.stale,
            sources: files.into_iter().map(|file| view.uri(file).as_ref().to_owned()).collect(),
            lines,
            call: output.call.as_deref().map(plain::line),
            calls: output.calls.iter().map(call).collect(),
            assumed: output.assumed.as_ref().map(assumed),
        })
    }
}

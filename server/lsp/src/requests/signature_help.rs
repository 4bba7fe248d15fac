//! `textDocument/signatureHelp`

use gen_lsp_types as lsp;

use super::{Answer, Params, Request, Waiting};
use crate::cancel::CancelFlag;
use crate::to_proto;
use crate::view::View;

/// The parameters of the call around the cursor.
pub(crate) struct SignatureHelp;

impl Request for SignatureHelp {
    type Protocol = lsp::SignatureHelpRequest;

    type Lane = Waiting;

    fn uri(params: &Params<Self>) -> lsp::Uri {
        params.text_document_position_params.text_document.uri.clone()
    }

    fn answer(view: &View, params: Params<Self>, _: &CancelFlag) -> Answer<Self> {
        let markdown = view.client.profile.signature_markdown;
        let (file, offset) = view.place(&params.text_document_position_params)?;
        let found = lofting_ide::signature_help(&view.snapshot, file, offset, View::markup(markdown))?;
        let documentation = |text| to_proto::markup::documentation(text, markdown);
        // Every client supports parameters as text; offsets would need a capability.
        let parameters = found.parameters.iter().map(|(range, doc)| lsp::ParameterInformation {
            label: lsp::ParameterInformationLabel::String(lofting_ide::plain::line(
                found.label.get(range.clone()).unwrap_or_default(),
            )),
            documentation: doc.clone().map(documentation),
        });
        let active = found.active.and_then(|active| u32::try_from(active).ok());
        let signature = lsp::SignatureInformation {
            parameters: Some(parameters.collect()),
            documentation: found.documentation.map(documentation),
            label: lofting_ide::plain::line(&found.label),
            active_parameter: None,
        };
        Some(lsp::SignatureHelp {
            signatures: vec![signature],
            active_signature: Some(0),
            active_parameter: active.map(Into::into),
        })
    }
}

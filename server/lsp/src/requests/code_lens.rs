//! `textDocument/codeLens` and `codeLens/resolve`

use gen_lsp_types as lsp;
use lofting_document::Span;
use lofting_ide::LensKind;
use serde::{Deserialize, Serialize};

use super::{Answer, Background, Params, Request};
use crate::cancel::CancelFlag;
use crate::positions;
use crate::view::View;
use lofting_ide::plain;

/// Shows the references of the name at a position: arguments are a URI and the position.
const SHOW_REFERENCES: &str = "lofting.showReferences";
/// Says which schema governs the document in front of the user, and why.
const EXPLAIN: &str = "lofting.explain";
/// What can be shown of a file in an input set: titles and commands.
const PREVIEWS: [(&str, &str); 2] =
    [("Final data values", "lofting.showFinalDataValues"), ("Rendered output", "lofting.showRenderedOutput")];

/// Lines above the places of a document.
pub(crate) struct CodeLens;

/// The document of a lens whose uses are still to be counted.
#[derive(Debug, Serialize, Deserialize)]
struct LensData {
    uri: lsp::Uri,
    /// The lens counts the files that the schema in the document governs.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    governs: bool,
}

impl Request for CodeLens {
    type Protocol = lsp::CodeLensRequest;

    type Lane = Background;

    fn uri(params: &Params<Self>) -> lsp::Uri {
        params.text_document.uri.clone()
    }

    fn answer(view: &View, params: Params<Self>, _: &CancelFlag) -> Answer<Self> {
        let uri = params.text_document.uri;
        let file = view.file(&uri)?;
        let mut lenses = Vec::new();
        for found in lofting_ide::code_lenses(&view.snapshot, file, view.client.editor.lenses) {
            let range = view.range(file, found.range);
            let Some(title) = found.kind.title() else {
                let governs = found.kind == LensKind::Governs;
                let data = serde_json::to_value(LensData { uri: uri.clone(), governs }).ok();
                lenses.push(lsp::CodeLens { range, command: None, data });
                continue;
            };
            let lens = |title: &str, name| lsp::CodeLens {
                range,
                command: Some(command(view, title, name, None)),
                data: None,
            };
            lenses.push(lens(&title, EXPLAIN));
            if matches!(found.kind, LensKind::Sets(_)) {
                let known = PREVIEWS.iter().filter(|(_, name)| view.client.profile.commands.contains(*name));
                lenses.extend(known.map(|(title, name)| lens(title, name)));
            }
        }
        Some(lenses)
    }
}

/// Counts the uses of a key.
pub(crate) struct CodeLensResolve;

impl Request for CodeLensResolve {
    type Protocol = lsp::CodeLensResolveRequest;

    type Lane = Background;

    fn uri(params: &Params<Self>) -> lsp::Uri {
        data(params).map_or_else(|| lsp::Uri(String::new()), |data| data.uri)
    }

    fn answer(view: &View, params: Params<Self>, cancel: &CancelFlag) -> Answer<Self> {
        let asked = data(&params).and_then(|data| Some((view.file(&data.uri)?, data)));
        let Some((file, LensData { uri, governs })) = asked else { return params };
        if governs {
            let found = lofting_ide::governed_files(&view.snapshot, file, cancel.work());
            return lsp::CodeLens { command: Some(command(view, &found.title(), EXPLAIN, None)), ..params };
        }
        let range = positions::bytes(&view.text(file), params.range, view.client.profile.encoding);
        let uses = lofting_ide::key_uses(&view.snapshot, Span::new(file, range), cancel.work());
        let arguments = serde_json::to_value((uri, params.range.start)).ok();
        let arguments = arguments.and_then(|arguments| arguments.as_array().cloned());
        let command = command(view, &uses.title(), SHOW_REFERENCES, arguments);
        lsp::CodeLens { command: Some(command), ..params }
    }
}

fn data(lens: &lsp::CodeLens) -> Option<LensData> {
    serde_json::from_value(lens.data.clone()?).ok()
}

/// A title that does something in clients that know the command. In others it is only a title, which has to be a command
/// all the same.
fn command(view: &View, title: &str, name: &str, arguments: Option<Vec<lsp::LspAny>>) -> lsp::Command {
    let is_known = view.client.profile.commands.contains(name);
    lsp::Command {
        title: plain::line(title),
        command: if is_known { name.to_owned() } else { String::new() },
        arguments: arguments.filter(|_| is_known),
        ..Default::default()
    }
}

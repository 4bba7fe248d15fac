//! Signature help in code: the function whose arguments are being typed.

use super::language;
use super::view::{CodeView, Known, comment_above, signature};
use crate::answers::SignatureHelp;
use crate::markdown::{Markup, Words};
use lofting_document::FileId;
use lofting_eval::code::{CallArgument, TermKind};
use lofting_workspace::Snapshot;

/// The signature of the innermost call around `offset` (bytes).
pub(crate) fn signature_help(
    snapshot: &Snapshot,
    file: FileId,
    offset: usize,
    markup: Markup,
) -> Option<SignatureHelp> {
    let (view, _) = CodeView::at(snapshot, file, offset)?;
    let call = view.code.term(view.code.call_at(offset)?)?;
    let TermKind::Call { function, arguments, commas, .. } = &call.kind else { return None };
    let (label, documentation) = match view.known(*function)? {
        Known::Member(of, member) => (format!("{of}.{}", member.signature()), Some(Words::default().ours(member.doc))),
        Known::Builtin(member) => (member.signature(), Some(Words::default().ours(member.doc))),
        Known::Function(file, function) => {
            let comment = comment_above(snapshot, file, &function);
            (signature(&function), comment.map(|comment| Words::default().described(comment)))
        }
        Known::Module(_) | Known::Variable(..) => return None,
    };
    let parameters = language::parameters(&label);
    let names: Vec<&str> = parameters.iter().map(|range| label.get(range.clone()).unwrap_or_default()).collect();
    let place = commas.iter().filter(|comma| **comma < offset).count();
    let named = arguments.iter().find(|argument| {
        let range = view.code.term(argument.value).map(|value| value.range.clone()).unwrap_or_default();
        argument.name.as_ref().is_some_and(|(_, name)| name.start <= offset && offset <= range.end.max(name.end + 1))
    });
    let active = active(&names, place, named);
    let documentation = documentation.map(|words| words.marked(markup));
    Some(SignatureHelp {
        documentation,
        parameters: parameters.into_iter().map(|range| (range, None)).collect(),
        label,
        active,
    })
}

/// The parameter of a named argument, or of a positional one; `*rest` takes all further ones.
fn active(parameters: &[&str], place: usize, named: Option<&CallArgument>) -> Option<usize> {
    let bare = |parameter: &&str| parameter.split('=').next().unwrap_or_default().trim_start_matches('*').to_owned();
    if let Some((name, _)) = named.and_then(|argument| argument.name.as_ref()) {
        let exact = parameters.iter().position(|parameter| bare(parameter) == *name);
        return exact.or_else(|| parameters.iter().position(|parameter| parameter.starts_with("**")));
    }
    let rest = parameters.iter().position(|parameter| parameter.starts_with('*') && !parameter.starts_with("**"));
    match rest {
        Some(rest) if place >= rest => Some(rest),
        _ => (place < parameters.len()).then_some(place),
    }
}

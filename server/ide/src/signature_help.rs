//! Signature help: the parameters of the function or annotation whose arguments are being typed.

use crate::answers::SignatureHelp;
use crate::markdown::{Markup, Words};
use crate::pages::{comment_at, vocabulary_of};
use crate::starlark;
use lofting_annotation::catalog::Passing;
use lofting_annotation::{CommentKind, read_comment};
use lofting_document::FileId;
use lofting_workspace::Snapshot;

#[cfg(test)]
mod tests;

/// The signature of the innermost call around `offset` (bytes).
pub fn signature_help(snapshot: &Snapshot, file: FileId, offset: usize, markup: Markup) -> Option<SignatureHelp> {
    starlark::signature_help(snapshot, file, offset, markup).or_else(|| annotation(snapshot, file, offset, markup))
}

fn annotation(snapshot: &Snapshot, file: FileId, offset: usize, markup: Markup) -> Option<SignatureHelp> {
    let tree = snapshot.tree(file);
    let (start, text) = comment_at(&tree, offset)?;
    let CommentKind::Annotation(annotation) = read_comment(&text, start).kind else { return None };
    let entry = vocabulary_of(snapshot, file, &(start..start + text.len())).find(&annotation.name)?;
    if entry.parameters.is_empty() || offset <= annotation.name_range.end {
        return None;
    }
    let mut label = format!("@{} ", entry.name);
    let mut parameters = Vec::new();
    for (index, parameter) in entry.parameters.iter().enumerate() {
        if index > 0 {
            label.push_str(", ");
        }
        let from = label.len();
        label.push_str(parameter.name);
        match parameter.passing {
            Passing::Keyword => label.push('='),
            Passing::Repeated => label.push('…'),
            Passing::Positional => {}
        }
        let doc = Words::default().ours("(").ours(parameter.types).ours(") ").ours(parameter.doc);
        parameters.push((from..label.len(), Some(doc.marked(markup))));
    }
    let site = annotation.arguments.argument_at(offset);
    let positional = || {
        let wanted = entry.positional(site.positional_before)?;
        entry.parameters.iter().position(|parameter| parameter.name == wanted.name)
    };
    let active = match site.keyword {
        Some(keyword) => entry.parameters.iter().position(|parameter| parameter.name == keyword.name),
        None => positional(),
    };
    Some(SignatureHelp {
        documentation: Some(Words::default().ours(entry.summary).marked(markup)),
        parameters,
        active,
        label,
    })
}

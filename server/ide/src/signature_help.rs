//! Signature help: the parameters of the function or annotation whose arguments are being typed.

use crate::code::{CodeView, Known, comment_above, signature};
use crate::hover::{comment_at, vocabulary_of};
use crate::language;
use crate::markdown::{Marked, Markup, Words};
use lofting_annotation::catalog::Passing;
use lofting_annotation::{CommentKind, read_comment};
use lofting_document::FileId;
use lofting_eval::code::{CallArgument, TermKind};
use lofting_workspace::Snapshot;
use std::ops::Range;

#[cfg(test)]
mod tests;

/// A signature with the parameter that is being given.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SignatureHelp {
    /// `name(a, b=1)`
    pub label: String,
    /// What it does, in the asked markup.
    pub documentation: Option<Marked>,
    /// The parameters as bytes of the label, with what each is for.
    pub parameters: Vec<(Range<usize>, Option<Marked>)>,
    /// The parameter that the cursor is at.
    pub active: Option<usize>,
}

/// The signature of the innermost call around `offset` (bytes).
pub fn signature_help(snapshot: &Snapshot, file: FileId, offset: usize, markup: Markup) -> Option<SignatureHelp> {
    call(snapshot, file, offset, markup).or_else(|| annotation(snapshot, file, offset, markup))
}

fn call(snapshot: &Snapshot, file: FileId, offset: usize, markup: Markup) -> Option<SignatureHelp> {
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

/// The parameter of a named argument, or the one at a place; `*rest` takes all further ones.
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

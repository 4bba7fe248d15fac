//! What the documents of a call say about each other: once it is rendered, all of them are here.

use super::resources::at_template;
use super::{RenderedContent, RenderedFile};
use crate::association::referents::whole;
use crate::files::beside::Beside;
use crate::files::claims::{NO_FILE, by_structure};
use crate::files::file::BY_YTT;
use crate::findings::diagnostics::node_below;
use crate::state::State;
use lofting_check::{Diagnostic, KeptInFiles, LIMIT, MeantReferent, missing_referent};
use lofting_dialect::inside::Own;
use lofting_dialect::{Claim, Dialect, DocumentsView, Earlier, Role};
use lofting_document::{Document, Node, NodeValue, Options, Span, lower, write};
use lofting_memo::CancelFlag;
use rustc_hash::FxHashSet;

/// What there is besides the documents of a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Around {
    /// The other files of the workspace, which may have what a name refers to.
    Workspace,
    /// Nothing: the call alone was asked about.
    Nothing,
}

/// The findings about what the documents say about each other, each once.
pub(super) fn findings(
    state: &State,
    files: &[RenderedFile],
    around: Around,
    kept: &mut KeptInFiles,
    cancel: &CancelFlag,
) -> Vec<Diagnostic> {
    let documents: Vec<&Document> = files
        .iter()
        .filter_map(|file| match &file.content {
            RenderedContent::Documents(documents) => Some(documents),
            _ => None,
        })
        .flatten()
        .collect();
    let text: String =
        documents.iter().map(|document| format!("---\n{}", write::yaml_document(&document.value))).collect();
    let asked = by_structure().filter(|dialect| dialect.marks().claim.iter().any(|mark| text.contains(mark)));
    let asked: Vec<&'static dyn Dialect> = asked.collect();
    if asked.is_empty() || cancel.is_cancelled() {
        return Vec::new();
    }
    let tree = lofting_syntax::parse(&text);
    let printed = lower(NO_FILE, &tree, BY_YTT, Options::default());
    let view = DocumentsView { tree: &tree, documents: &printed };
    let mut found = Vec::new();
    for dialect in asked {
        let claims = dialect.claims(&view);
        let texts = dialect.texts().filter(|_| dialect.needs_neighbours());
        let of_texts =
            texts.map(|texts| texts.findings(&view, &Own { claims: &claims, schemas: &[] }, &mut Earlier::default()));
        for finding in of_texts.into_iter().flatten() {
            lofting_memo::step();
            let begins_before = |it: &Document| it.span.range().start <= finding.span.range().start;
            let number = printed.documents.partition_point(begins_before).checked_sub(1);
            let pair = number.and_then(|number| Some((printed.documents.get(number)?, *documents.get(number)?)));
            found.extend(pair.and_then(|pair| placed(state, finding, pair)));
        }
        if around == Around::Nothing || *state.seen_all {
            found.extend(references(state, dialect, &claims, &documents));
        }
    }
    let mut reported: FxHashSet<(&'static str, Span, String)> = FxHashSet::default();
    found.retain(|finding| {
        reported.insert((finding.rule.code, finding.span, finding.message.clone())) && kept.takes(finding, LIMIT)
    });
    found
}

/// A finding about printed text, at the place that the text comes from.
fn placed(state: &State, finding: Diagnostic, (printed, document): (&Document, &Document)) -> Option<Diagnostic> {
    let origin = |span: Span| origin(&printed.value, &document.value, span.range().start);
    let mut placed = Diagnostic { span: origin(finding.span)?, ..finding };
    if let Some(lack) = &mut placed.lack {
        lack.beside = lack.beside.and_then(origin);
    }
    // What lies in another document is found there.
    let is_here = |span: &Span| printed.span.range().contains(&span.range().start);
    placed.related.retain(|related| is_here(&related.span));
    placed.related.iter_mut().for_each(|related| related.span = origin(related.span).unwrap_or(placed.span));
    Some(at_template(state, placed, document.marker.unwrap_or(document.span)))
}

/// Where the key or value at an offset of a printed value was written.
fn origin(printed: &Node, document: &Node, offset: usize) -> Option<Span> {
    let (mut printed, mut written) = (printed, document);
    let is_in = |span: &Span| span.range().start <= offset && offset < span.range().end;
    loop {
        let below = match (&printed.value, &written.value) {
            (NodeValue::Map(items), NodeValue::Map(others)) => {
                let pair = items.iter().zip(others.iter()).find(|(item, _)| is_in(&item.span));
                if let Some((_, own)) = pair.filter(|(item, _)| is_in(&item.key_span)) {
                    return Some(own.key_span);
                }
                pair.map(|(item, own)| (&item.value, &own.value))
            }
            (NodeValue::Array(items), NodeValue::Array(others)) => {
                let pair = items.iter().zip(others.iter()).find(|(item, _)| is_in(&item.value.span));
                pair.map(|(item, own)| (&item.value, &own.value))
            }
            _ => None,
        };
        match below {
            Some(below) => (printed, written) = below,
            None => return Some(written.span),
        }
    }
}

/// Names of documents that are neither rendered nor in the workspace, although others of their kind are rendered.
fn references(
    state: &State,
    dialect: &'static dyn Dialect,
    claims: &[Claim],
    documents: &[&Document],
) -> Vec<Diagnostic> {
    let mut beside = Beside::default();
    beside.take(claims.iter().map(|claim| &claim.role));
    let names = state.shared.document_names(state);
    let mut found = Vec::new();
    for claim in claims {
        let Role::Reference(name, kinds) = &claim.role else { continue };
        let is_known = || names.places(name).next().is_some();
        let is_open = whole(name).is_some_and(|whole| !beside.has(&whole));
        if found.len() >= LIMIT || !beside.lacks(name, kinds) || is_open || is_known() {
            continue;
        }
        let Some(document) = documents.get(claim.document) else { continue };
        let Some(value) = claim.at.iter().try_fold(&document.value, node_below) else { continue };
        // What has no similar name may be kept elsewhere.
        let meant = beside.meant(name);
        if meant == MeantReferent::Unknown {
            continue;
        }
        let finding = missing_referent(value.span, dialect.semantics().family, name, &meant);
        found.push(at_template(state, finding, document.marker.unwrap_or(document.span)));
    }
    found
}

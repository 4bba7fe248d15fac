//! Checks what is rendered by the rules of what it is: resources whose kind has a schema in the workspace, in a bundle,
//! or built in, as if the output were a file of plain YAML. Findings point into the templates.

use super::{RenderedContent, RenderedFile};
use crate::association::bundles;
use crate::association::governed::schema_of;
use crate::files::claims::by_structure;
use crate::files::file::File;
use crate::findings::diagnostics::node_below;
use crate::source::TextSource;
use crate::state::State;
use lofting_check::{Diagnostic, GovernedPart, KeptInFiles, LIMIT, Related, ValuesCheck};
use lofting_diagnostic::Certainty;
use lofting_dialect::kubernetes::{API_VERSION, removed_api};
use lofting_dialect::{Claim, Dialect, DocumentsView, Role};
use lofting_document::{Document, Key, Node, NodeValue, Options, Span, lower, write};
use lofting_memo::CancelFlag;
use lofting_syntax::Kind;
use rustc_hash::FxHashSet;

/// What was found in the output of a call.
#[derive(Default)]
pub(super) struct Resources {
    /// Each finding once.
    pub found: Vec<Diagnostic>,
    /// The documents that were checked, all that say what they are; None if there are too many findings.
    pub checked: Option<FxHashSet<Span>>,
}

/// Checks the output of a call. `kept` counts what is kept of each file, rule and severity: however many warnings there are,
/// no error is lost.
pub(super) fn findings(
    state: &State,
    files: &[RenderedFile],
    kept: &mut KeptInFiles,
    cancel: &CancelFlag,
) -> Resources {
    let mut found: Vec<Diagnostic> = Vec::new();
    let mut checked: FxHashSet<Span> = FxHashSet::default();
    // A loop makes the same mistake in each turn.
    let mut reported: FxHashSet<(&'static str, Span, String)> = FxHashSet::default();
    for file in files {
        let (RenderedContent::Documents(documents), Some(template)) = (&file.content, state.file(file.template)) else {
            continue;
        };
        for (dialect, claim) in claims(template, documents) {
            if cancel.is_cancelled() {
                return Resources { found, checked: None };
            }
            let Some(document) = documents.get(claim.document) else { continue };
            checked.insert(document.span);
            let of_part = of_part(state, template, document, dialect, &claim);
            let of_part = of_part.into_iter().chain(of_version(state, template, document, &claim));
            let mut is_new = |one: &Diagnostic| reported.insert((one.rule.code, one.span, one.message.clone()));
            found.extend(of_part.filter(|one| is_new(one) && kept.takes(one, LIMIT)));
        }
    }
    Resources { found, checked: Some(checked).filter(|_| !kept.has_dropped()) }
}

/// What languages claim in the output of a template, read as the text that it is printed as.
fn claims(template: &File, documents: &[Document]) -> Vec<(&'static dyn Dialect, Claim)> {
    let text: String =
        documents.iter().map(|document| format!("---\n{}", write::yaml_document(&document.value))).collect();
    let asked: Vec<_> =
        by_structure().filter(|dialect| dialect.marks().claim.iter().any(|mark| text.contains(mark))).collect();
    if asked.is_empty() {
        return Vec::new();
    }
    let tree = lofting_syntax::parse(&text);
    let documents = lower(template.id, &tree, template.profile(), Options::default());
    let view = DocumentsView { tree: &tree, documents: &documents };
    let of = |dialect: &'static dyn Dialect| dialect.claims(&view).into_iter().map(move |claim| (dialect, claim));
    asked.into_iter().flat_map(of).filter(|(_, claim)| claim.role.is_values()).collect()
}

fn of_part(
    state: &State,
    template: &File,
    document: &Document,
    dialect: &'static dyn Dialect,
    claim: &Claim,
) -> Vec<Diagnostic> {
    let Some(value) = claim.at.iter().try_fold(&document.value, node_below) else { return Vec::new() };
    let Some((_, schema)) = schema_of(state, template, dialect, &claim.role) else { return Vec::new() };
    let texts = TextSource::All(state);
    let name = name_of(value).unwrap_or_else(|| document.marker.unwrap_or(document.span));
    let part = GovernedPart { number: 0, at: &claim.at, name, node: schema.schema.root() };
    let found = part.check(&ValuesCheck::alone(&schema.schema, &texts), value).into_diagnostics().into_iter();
    let certain = |finding: &Diagnostic| !schema.uncertain || finding.rule.certainty != Certainty::NeedsWholeSchema;
    let reported = |finding: Diagnostic| at_template(state, finding, document.marker.unwrap_or(name));
    found.filter(certain).map(reported).collect()
}

/// Whether the version of a resource's API is gone.
fn of_version(state: &State, template: &File, document: &Document, claim: &Claim) -> Option<Diagnostic> {
    let Role::Instance(name) = &claim.role else { return None };
    let place = || {
        let value = claim.at.iter().try_fold(&document.value, node_below)?;
        Some(value.get(&Key::from(API_VERSION))?.span)
    };
    let finding = removed_api(place, (&name.name, &name.kind), bundles::cluster(state, template)?)?;
    Some(at_template(state, finding, document.marker.unwrap_or(document.span)))
}

/// A finding about output, for the template that it comes from. `rendered` is where its document begins there.
pub(super) fn at_template(state: &State, mut finding: Diagnostic, rendered: Span) -> Diagnostic {
    // An edit of the output cannot be applied to the template, and code is not fixed by how its value is written.
    finding.fixes.clear();
    if is_code(state, finding.span) {
        finding.help = None;
    }
    let message = "this is about what is rendered here".to_owned();
    finding.related.push(Related { span: rendered, message });
    finding
}

/// Whether a value is what code gives.
fn is_code(state: &State, span: Span) -> bool {
    let token = state.file(span.file).and_then(|file| file.tree().token_at(span.range().start));
    token.is_some_and(|token| token.kind() == Kind::Comment)
}

/// Where a resource says what it is.
fn name_of(value: &Node) -> Option<Span> {
    let NodeValue::Map(items) = &value.value else { return None };
    items.iter().find(|item| item.key.as_str() == Some("kind")).map(|item| item.key_span)
}

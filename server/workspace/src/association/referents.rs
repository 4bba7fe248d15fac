//! What the names of documents refer to, over all files.

use crate::association::kustomizations::{self, Kustomized};
use crate::association::limits;
use crate::association::meant_names;
use crate::association::name_index::{NamedClaim, Names};
use crate::association::state::AssociationState;
use crate::files::beside::{OwnNames, may_be_slip};
use crate::files::claims::{ClaimedSchema, Claims, PlacedClaim, PlacedPart};
use crate::files::file::File;
use crate::files::table::Kept;
use lofting_check::{Diagnostic, MeantReferent, ambiguous_referent, missing_referent, nearest_name};
use lofting_diagnostic::suggest::SEARCHES;
use lofting_dialect::{Dialect, Role, SchemaName, list_items};
use lofting_document::Span;
use lofting_memo::Stamp;
use lofting_syntax::Item;
use rustc_hash::FxHashSet;
use smol_str::SmolStr;
use std::cell::OnceCell;
use std::ops::Range;
use std::sync::Arc;

/// The document that is declared or referred to at a place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NamedDocument {
    /// The name, with the kind of the document.
    pub name: SchemaName,
    /// The bytes of the name at the place.
    pub origin: Range<usize>,
    /// The name in the document itself; in all documents, if several have it.
    pub declared: Vec<Span>,
    /// The references in other documents.
    pub references: Vec<Span>,
}

/// How many documents are compared if several have the same name.
const COMPARED: usize = 8;

/// What is known about the name at an offset; None if there is no name of a document.
pub(crate) fn named_document(state: &AssociationState, file: &File, offset: usize) -> Option<NamedDocument> {
    let holds = |claim: &PlacedClaim<'_>| claim.key.start <= offset && offset <= claim.key.end;
    let claims = file.claims().iter().flat_map(|claims| claims.around(offset));
    let mut named = claims.filter(holds).filter_map(|claim| match claim.role {
        // That all parts of a document are known is not a name of its own.
        Role::Name(name) => (!name.name.ends_with('/')).then_some((name, claim.key)),
        _ => mentioned(claim),
    });
    // Where a name is that of several kinds, one is meant that a document has.
    let first = named.next()?;
    let has_document = |(name, _): &(&SchemaName, Range<usize>)| documents(state, name).next().is_some();
    let (name, origin) = if has_document(&first) { first } else { named.find(has_document).unwrap_or(first) };
    let declared: Vec<&NamedClaim> = documents(state, name).collect();
    let span = |place: &NamedClaim| Some(Span::new(place.file, place.claim(state)?.key));
    let refers = |place: &&NamedClaim| match place.claim(state).and_then(mentioned) {
        Some((asked, _)) => documents(state, asked).any(|document| declared.contains(&document)),
        None => false,
    };
    let references = state.shared.references(state).all(name).filter(refers);
    Some(NamedDocument {
        name: name.clone(),
        origin,
        references: references.filter_map(span).collect(),
        declared: declared.iter().copied().filter_map(span).collect(),
    })
}

/// Whether a file may name other documents or files, judging by its marks: what is typed may be the first name.
pub(crate) fn has_references(file: &File) -> bool {
    file.facts.parts || file.facts.known_parts || kustomizations::is_kustomization(file)
}

/// How many names are listed.
const LISTED: usize = 1_000;

/// What a file would say with another text in a place.
#[derive(Debug, Clone)]
pub struct Instead<'t> {
    /// The bytes of the file that are replaced.
    pub range: Range<usize>,
    /// What is there instead.
    pub new: &'t str,
}

/// The names to which the reference or path could lead at an offset of the text that a file would have, and the bytes of the
/// reference in that text.
pub(crate) fn names_referred_to(
    state: &AssociationState,
    file: &File,
    instead: &Instead<'_>,
    offset: usize,
) -> Option<(Range<usize>, Vec<SmolStr>)> {
    let probe =
        |text: &str| File::with_text(file.id, file.path.clone(), Stamp::next(), file.origin, text, file.options);
    if kustomizations::is_kustomization(file)
        && let Some(found) = kustomizations::names_of_paths(state, &probe(&Around::all(file, instead).text), offset)
    {
        return Some(found);
    }
    // Other documents say nothing about it.
    let Around { text, head, start } = Around::of(file, instead);
    let probed = probe(&text);
    let here = (offset + head).checked_sub(start)?;
    let holds = |at: &Range<usize>| at.start <= here && here <= at.end;
    let mentioned = probed.claims().iter().flat_map(|claims| claims.around(here)).filter_map(mentioned);
    let asked: Vec<(&SchemaName, Range<usize>)> = mentioned.filter(|(_, at)| holds(at)).collect();
    let (_, at) = asked.first()?;
    let place = |at: usize| (at + start).saturating_sub(head);
    let before = text.get(..at.start).unwrap_or_default();
    let names = state.shared.document_names(state);
    let own = asked.iter().flat_map(|(asked, _)| {
        let whole = whole(asked).map(|whole| whole.name);
        let first = |name: &SmolStr| {
            let asked = SchemaName { name: name.clone(), ..(*asked).clone() };
            names.places(&asked).next()
        };
        names.of_kind(&asked.kind).filter_map(move |name| {
            let place = first(name)?;
            // Of the parts of a document, those of this one.
            match &whole {
                Some(whole) => name.strip_prefix(whole.as_str()).map(SmolStr::from),
                None => led(name, limits::lead(state, place).as_deref().unwrap_or_default(), before),
            }
        })
    });
    Some((place(at.start)..place(at.end), own.filter(|name| !name.is_empty()).take(LISTED).collect()))
}

/// A name as it is written after a text, with what precedes it unless that is written; None if something else is.
fn led(name: &SmolStr, lead: &str, before: &str) -> Option<SmolStr> {
    let is_begun = lead.chars().next_back().is_some_and(|end| before.ends_with(end));
    if before.ends_with(lead) { Some(name.clone()) } else { (!is_begun).then(|| format!("{lead}{name}").into()) }
}

/// An empty document, before the one that is looked at if it is not the first.
const FIRST: &str = "---\n";

/// A list of resources, up to its items.
const LIST: &str = "apiVersion: v1\nkind: List\nitems:\n";

/// A part of the text that a file would have, with something before it, so that it is read as it is in the file.
struct Around {
    text: String,
    /// The bytes that were put before it.
    head: usize,
    /// Where it begins in the file.
    start: usize,
}

impl Around {
    /// The document around a place, or its item if it is a list of resources. All of the text if it is the first document.
    fn of(file: &File, instead: &Instead<'_>) -> Around {
        let at = &instead.range;
        let holds = |range: &Range<usize>| range.start <= at.start && at.end <= range.end;
        let found = file.tree().document_at(at.start).and_then(|(number, document)| {
            let item = list_items(&document).and_then(|items| Item::cast(items.inside_at(at.start)?.1));
            if let Some(item) = item.filter(|item| item.dash().is_some()) {
                let range = item.node().range();
                let column = range.start - file.text().line_range(file.text().line_of(range.start)).start;
                return holds(&range)
                    .then(|| Around::part(file, instead, format!("{LIST}{}", " ".repeat(column)), range));
            }
            let range = document.range();
            (number > 0 && holds(&range)).then(|| Around::part(file, instead, FIRST.to_owned(), range))
        });
        found.unwrap_or_else(|| Around::all(file, instead))
    }

    fn all(file: &File, instead: &Instead<'_>) -> Around {
        Around::part(file, instead, String::new(), 0..file.text().len())
    }

    /// A range of the file around the place.
    fn part(file: &File, instead: &Instead<'_>, head: String, range: Range<usize>) -> Around {
        let Instead { range: at, new } = instead;
        let (before, after) = (file.text().slice(range.start..at.start), file.text().slice(at.end..range.end));
        Around { head: head.len(), start: range.start, text: head + &before + new + &after }
    }
}

/// The documents that a name refers to.
fn documents<'s>(state: &'s AssociationState, name: &SchemaName) -> impl Iterator<Item = &'s NamedClaim> {
    state.shared.document_names(state).places(name)
}

fn references_in(claims: &Claims) -> impl Iterator<Item = Reference<'_>> {
    let refers = |part: &PlacedPart<'_>| part.counts().references > 0;
    claims.among(refers).filter_map(reference)
}

fn reference(claim: PlacedClaim<'_>) -> Option<Reference<'_>> {
    match claim.role {
        Role::Reference(name, kinds) => Some(Reference { name, kinds, at: claim.key.clone(), claim }),
        _ => None,
    }
}

/// The names that are known beside the references of a file.
struct Near<'f> {
    file: &'f File,
    /// Found once they are needed: many files have no reference.
    own: OnceCell<Arc<OwnNames>>,
    kustomized: Option<Arc<Kustomized>>,
}

impl<'f> Near<'f> {
    fn of(state: &AssociationState, file: &'f File) -> Self {
        Near { file, own: OnceCell::new(), kustomized: kustomizations::taking(state, file) }
    }

    fn own(&self) -> &OwnNames {
        self.own.get_or_init(|| OwnNames::of(self.file))
    }

    /// The only file with a document of this name, as long as nothing puts documents together in other ways.
    fn place_of<'s>(&self, state: &'s AssociationState, owner: &SchemaName) -> Option<&'s Arc<File>> {
        if state.index.count(Kept::Kustomization) > 0 {
            return None;
        }
        let mut places = documents(state, owner);
        let first = places.next().filter(|_| places.next().is_none())?;
        state.file(first.file)
    }

    /// The references for whose findings other files matter. Where others may be kept anywhere, these are only those to
    /// kinds of which this file or its kustomization has documents, but none of the name.
    fn open(&self) -> impl Iterator<Item = (&'static dyn Dialect, Reference<'f>)> {
        let resources = self.kustomized.as_ref().and_then(|kustomized| kustomized.resources.as_ref());
        self.file.claims().iter().enumerate().flat_map(move |(language, claims)| {
            let open: Box<dyn Iterator<Item = Reference<'f>>> = match resources {
                _ if !claims.dialect.needs_neighbours() => Box::new(references_in(claims)),
                _ if !have_references(claims) => Box::new(std::iter::empty()),
                Some(resources) => Box::new(references_in(claims).filter(|Reference { name, kinds, .. }| {
                    self.own().beside.lacks(name, kinds) || resources.lacks(name, kinds)
                })),
                None => {
                    let own = self.own().lacked.iter().filter(move |(own, _)| *own == language);
                    Box::new(own.filter_map(|(_, number)| reference(claims.get(*number)?)))
                }
            };
            open.map(move |reference| (claims.dialect, reference))
        })
    }
}

fn have_references(claims: &Claims) -> bool {
    claims.parts().any(|part| part.counts().references > 0)
}

/// The name of another document, which may be asked for or only be mentioned, and its bytes.
fn mentioned(claim: PlacedClaim<'_>) -> Option<(&SchemaName, Range<usize>)> {
    match claim.role {
        Role::Reference(name, _) | Role::Mention(name) => Some((name, claim.key)),
        _ => None,
    }
}

struct Reference<'f> {
    name: &'f SchemaName,
    kinds: &'static [&'static str],
    at: Range<usize>,
    claim: PlacedClaim<'f>,
}

/// The beginnings of expressions, whose value is only known after rendering.
const EXPRESSIONS: [&str; 2] = ["${", "{{"];

/// Findings about the references in a file.
pub(crate) fn findings(state: &AssociationState, file: &File) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    // What a kustomization names has to be among its own resources, which is a rule of its own.
    if kustomizations::is_kustomization(file) {
        return found;
    }
    let mut searches = 0;
    let mut limited = Vec::new();
    let near = Near::of(state, file);
    // Where not all files are known, something missing may just not have been found.
    for (dialect, reference) in near.open().filter(|_| *state.seen_all) {
        let Reference { name, kinds, at, claim } = reference;
        let family = dialect.semantics().family;
        if name.name.is_empty() || EXPRESSIONS.iter().any(|begin| name.name.contains(begin)) {
            continue;
        }
        let span = Span::new(file.id, at);
        let names = state.shared.document_names(state);
        if names.places(name).next().is_some() {
            found.extend(ambiguous(state, file, family, name, span));
            if dialect.limits(&name.kind) {
                let places: Vec<&NamedClaim> = names.places(name).take(COMPARED + 1).collect();
                if places.len() <= COMPARED {
                    limited.extend(limits::findings(state, file, dialect, &claim, &places));
                }
            }
            continue;
        }
        let owner = dialect.owner(name).filter(|owner| !near.own().beside.has(owner));
        let place = owner.as_ref().and_then(|owner| near.place_of(state, owner));
        let is_alone = near.kustomized.is_none() && !near.own().beside.lacks(name, kinds);
        if owner.is_some() && is_alone && place.is_none() {
            continue;
        }
        // A reference to a part of a document is not checked if the document is unknown.
        if whole(name).is_some_and(|whole| names.places(&whole).next().is_none()) {
            continue;
        }
        // If no document of this kind is known, they are kept elsewhere.
        if kinds.iter().all(|kind| names.of_kind(kind).next().is_none()) {
            continue;
        }
        searches += 1;
        let mut meant = if searches <= SEARCHES { meant(names, name, kinds) } else { MeantReferent::Unknown };
        // Names of documents that may be kept elsewhere are often similar on purpose.
        if let MeantReferent::Name(known) = &meant
            && dialect.needs_neighbours()
            && (whole(name).is_none() || is_alone && owner.is_some())
            && !may_be_slip(&name.name, known)
        {
            meant = MeantReferent::Unknown;
        }
        // A name that is like no other is only missing where those of its kind are kept in one file, or a part of a document
        // where that is in a file next to this one.
        if meant == MeantReferent::Unknown && dialect.needs_neighbours() && !near.own().beside.lacks(name, kinds) {
            let is_beside = place.is_some_and(|other| other.path.parent() == file.path.parent());
            if !is_beside {
                continue;
            }
        }
        found.push(missing_referent(span, family, name, &meant));
    }
    // What does not exist is not allowed, either.
    let missing: FxHashSet<Span> = found.iter().map(|finding| finding.span).collect();
    found.extend(limited.into_iter().filter(|finding: &Diagnostic| !missing.contains(&finding.span)));
    found
}

/// The name of the document to which a name with a slash belongs, in the form that parts of documents use.
pub(crate) fn whole(name: &SchemaName) -> Option<SchemaName> {
    let (document, _) = name.name.rsplit_once('/')?;
    Some(SchemaName { name: format!("{document}/").into(), ..name.clone() })
}

/// What a reference to an unknown name most likely means.
fn meant(names: &Names, asked: &SchemaName, kinds: &[&str]) -> MeantReferent {
    if let Some(namespace) = names.all(asked).find_map(|place| place.namespace.clone()) {
        return MeantReferent::Namespace(namespace);
    }
    let of_kind = |kind: &&&str| names.of_kind(kind).any(|name| *name == asked.name);
    if let Some(kind) = kinds.iter().find(of_kind) {
        return MeantReferent::Kind((*kind).into());
    }
    let beside = whole(asked).map(|whole| whole.name);
    let known = names.of_kind(&asked.kind).map(|name| name.as_str());
    let is_beside = |name: &&str| {
        let part = |beside: &str| name.strip_prefix(beside).is_some_and(|part| !part.is_empty());
        beside.as_deref().is_none_or(part)
    };
    let known = known.filter(is_beside);
    match nearest_name(&asked.name, known) {
        Some(name) => MeantReferent::Name(name.into()),
        None => MeantReferent::Unknown,
    }
}

/// Reports a name that several documents with different content have, of which none is nearer: it is random which one
/// counts.
fn ambiguous(
    state: &AssociationState,
    file: &File,
    family: &'static str,
    name: &SchemaName,
    span: Span,
) -> Option<Diagnostic> {
    let mut places = meant_names::places(state, file, state.shared.document_names(state), name);
    places.truncate(COMPARED);
    let first = places.first()?;
    let differs = |other: &&&NamedClaim| !mean_the_same(state, first, other);
    let other = places.iter().skip(1).find(differs)?;
    let at = |place: &NamedClaim| Some(Span::new(place.file, place.claim(state)?.key));
    Some(ambiguous_referent(span, family, name, [at(first)?, at(other)?]))
}

/// Whether the schemas of two documents have the same meaning.
fn mean_the_same(state: &AssociationState, one: &NamedClaim, other: &NamedClaim) -> bool {
    let (one, other) = (schemas(state, one), schemas(state, other));
    let same = |(one, other): (&&Arc<ClaimedSchema>, &&Arc<ClaimedSchema>)| {
        one.name.slot == other.name.slot && one.schema.means_the_same(&other.schema)
    };
    one.len() == other.len() && one.iter().zip(&other).all(same)
}

/// The schemas in the document with this name.
fn schemas<'s>(state: &'s AssociationState, name: &NamedClaim) -> Vec<&'s Arc<ClaimedSchema>> {
    let (language, number) = name.claim;
    let claims = state.file(name.file).and_then(|file| file.claims().get(language));
    let Some((claims, document)) = claims.zip(name.claim(state).map(|claim| claim.document)) else { return Vec::new() };
    let own = claims.of_document(document).filter(|claim| claim.number >= number);
    own.filter_map(|claim| name.beside(claim.number).schema(state)).collect()
}

/// The stamps on which findings about the references of a file depend.
pub(crate) fn stamps(state: &AssociationState, file: &File) -> Vec<Stamp> {
    let mut stamps = Vec::new();
    let near = Near::of(state, file);
    stamps.extend(near.kustomized.iter().flat_map(|kustomized| kustomized.stamps.iter().copied()));
    let mut is_first = true;
    for (dialect, Reference { name, .. }) in near.open() {
        if std::mem::take(&mut is_first) {
            stamps.push(state.shared.document_names(state).stamp);
        }
        // If there is a single document that allows anything, only its name matters. Of others, their places are shown as
        // well.
        let are_several = documents(state, name).nth(1).is_some();
        let are_read = dialect.limits(&name.kind) || are_several;
        let compared = documents(state, name).take(if are_read { COMPARED } else { 0 });
        let names = state.shared.document_names(state);
        let meant = if are_several { meant_names::places(state, file, names, name) } else { Vec::new() };
        let places = compared.chain(meant.into_iter().take(COMPARED));
        stamps.extend(places.filter_map(|place| state.file(place.file)).map(|file| file.revision));
    }
    stamps
}

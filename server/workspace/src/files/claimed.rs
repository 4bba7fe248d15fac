//! What languages claim in the documents of a file, and in the items of those that are lists of resources, kept in the
//! groups in which the tree keeps these: what an edit does not touch is shared by the revisions of the file, so that an
//! answer about all claims costs what changed in them.

mod known;

pub(super) use known::{KnownParts, Languages};

use lofting_dialect::inside::OwnClaims;
use lofting_dialect::{Claim, Dialect, Role, way_to_item};
use lofting_memo::{Shared, are_alike};
use lofting_schema::Step;
use lofting_syntax::Green;
use std::hash::{Hash, Hasher};
use std::ops::Range;
use std::sync::{Arc, OnceLock};

/// The claims of one language in a file.
pub(crate) struct Claims {
    pub dialect: &'static dyn Dialect,
    /// The documents and groups directly below the root of the tree, with their places.
    parts: Arc<[(PartPlace, Arc<ClaimedPart>)]>,
    /// See [`Claims::roles`].
    roles: Box<[Arc<Role>]>,
    /// All claims in a row, once they are asked for.
    all: OnceLock<Vec<Claim>>,
}

/// The claims of all languages in an earlier state of a file.
pub(crate) struct KeptClaims(Vec<Arc<ClaimedPart>>);

impl KeptClaims {
    /// Those in a file with these claims. The parts of all languages are the same.
    pub fn of(claims: &[Claims]) -> Self {
        let parts = claims.first().into_iter().flat_map(|claims| claims.parts.iter());
        KeptClaims(parts.map(|(_, part)| Arc::clone(part)).collect())
    }

    /// Whether the file still has the same claims, wherever they are. What is shared is not looked into.
    pub fn are_alike(&self, now: &[Claims]) -> bool {
        are_alike(self.0.iter(), KeptClaims::of(now).0.iter(), ClaimedPart::claims_alike)
    }
}

impl Shared for ClaimedPart {
    fn size(&self) -> usize {
        self.languages.iter().map(|own| own.counts.all).sum()
    }

    fn inside(&self) -> Option<Vec<&Arc<ClaimedPart>>> {
        let has_own = self.languages.iter().any(|own| !own.claims.is_empty());
        let inside = self.inside.as_ref().filter(|_| !has_own)?;
        Some(inside.iter().map(|inside| &inside.part).collect())
    }
}

/// The claims in a document, in an item of a list, or in those of a group.
#[derive(Debug)]
pub(crate) struct ClaimedPart {
    /// Held, so that its address never refers to another node.
    pub node: Arc<Green>,
    /// How many documents it has; none if it is in one.
    documents: usize,
    /// It is an item, or a group of them.
    is_in_list: bool,
    /// What languages claim in it, without those that claim nothing.
    languages: Box<[OfLanguage]>,
    /// What is in a group, or in a document that is a list. None for an item or another document.
    inside: Option<Box<[InPart]>>,
}

/// A part in another one.
#[derive(Debug)]
struct InPart {
    /// Where it begins, in bytes from the beginning of the one around it.
    offset: usize,
    /// How many items are before it in the one around it, if it is in a list.
    items: usize,
    part: Arc<ClaimedPart>,
}

/// What a language claims in a part.
#[derive(Debug)]
struct OfLanguage {
    name: &'static str,
    /// The claims of a document, as if it were the first one and began with the file; those of an item, with paths from
    /// there. None if they are in what is inside.
    claims: Box<[Claim]>,
    /// Each role of schemas and values once, in the order of the text.
    roles: Box<[Arc<Role>]>,
    counts: Counts,
}

/// How many claims there are.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Counts {
    pub all: usize,
    /// Those of schemas.
    pub schemas: usize,
    /// Those with the name of a document, or of a link.
    pub names: usize,
    /// Those that refer to a document by its name.
    pub references: usize,
}

/// Where a part is in its file.
#[derive(Debug, Clone, Copy)]
pub(crate) struct PartPlace {
    /// The offset of its first byte.
    start: usize,
    /// The number of its first document.
    pub document: usize,
    /// The number of its first claim, among those of the language.
    pub claim: usize,
    /// The index of its first item, if it is in a list.
    item: Option<usize>,
}

impl PartPlace {
    /// A claim of the part that is here.
    fn claim(self, index: usize, own: &Claim) -> PlacedClaim<'_> {
        let PartPlace { start, document, claim, item } = self;
        PlacedClaim {
            number: claim + index,
            document,
            item,
            at: &own.at,
            key: start + own.key.start..start + own.key.end,
            role: &own.role,
        }
    }
}

/// A part with the claims of one language in it.
#[derive(Clone, Copy)]
pub(crate) struct PlacedPart<'c> {
    pub part: &'c Arc<ClaimedPart>,
    pub place: PartPlace,
    language: &'static str,
}

/// A part at the place of its first claim, which is what names depend on: the same number of claims elsewhere does not
/// change them, nor does text that is longer or shorter.
#[derive(Debug, Clone)]
pub(crate) struct NamingPart {
    part: Arc<ClaimedPart>,
    claim: usize,
    language: &'static str,
}

impl NamingPart {
    pub fn of(placed: &PlacedPart<'_>) -> Self {
        NamingPart { part: Arc::clone(placed.part), claim: placed.place.claim, language: placed.language }
    }

    /// The part, of which only the numbers of claims are those in the file.
    pub fn placed(&self) -> PlacedPart<'_> {
        let place = PartPlace { start: 0, document: 0, claim: self.claim, item: None };
        PlacedPart { part: &self.part, place, language: self.language }
    }
}

impl PartialEq for NamingPart {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.part, &other.part) && self.claim == other.claim && self.language == other.language
    }
}

impl Eq for NamingPart {}

impl Hash for NamingPart {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (Arc::as_ptr(&self.part).addr(), self.claim).hash(state);
    }
}

/// A claim in a file; see [`Claim`].
pub(crate) struct PlacedClaim<'c> {
    /// Its index among the claims of its language.
    pub number: usize,
    pub document: usize,
    /// The index of its item, if its document is a list.
    item: Option<usize>,
    /// The path from the item, or from the root of the document.
    pub at: &'c [Step],
    pub key: Range<usize>,
    pub role: &'c Role,
}

impl PlacedClaim<'_> {
    /// The path from the root of the document.
    pub fn path(&self) -> Vec<Step> {
        self.item.into_iter().flat_map(way_to_item).chain(self.at.iter().cloned()).collect()
    }

    pub fn to_claim(&self) -> Claim {
        let PlacedClaim { document, key, role, .. } = self;
        Claim { document: *document, at: self.path(), key: key.clone(), role: (*role).clone() }
    }
}

impl Counts {
    fn count(&mut self, role: &Role) {
        self.all += 1;
        match role {
            Role::Schema(_) => self.schemas += 1,
            Role::Name(_) | Role::Link(..) => self.names += 1,
            Role::Reference(..) | Role::Mention(_) => self.references += 1,
            Role::Instance(_) | Role::Template | Role::Computed(_) | Role::Patched(_) | Role::Linked(_) => {}
        }
    }

    fn add(&mut self, other: &Counts) {
        self.all += other.all;
        self.schemas += other.schemas;
        self.names += other.names;
        self.references += other.references;
    }
}

impl ClaimedPart {
    fn of(&self, language: &str) -> Option<&OfLanguage> {
        self.languages.iter().find(|own| own.name == language)
    }

    fn count(&self, language: &str) -> usize {
        self.of(language).map_or(0, |own| own.counts.all)
    }

    /// Whether the same is claimed in both, each in itself. Of a list in which something is claimed as a whole, that is not
    /// known.
    fn claims_alike(&self, other: &ClaimedPart) -> bool {
        let is_alike = |(one, other): (&OfLanguage, &OfLanguage)| {
            let (own, theirs) =
                (one.claims.iter().map(|claim| &claim.role), other.claims.iter().map(|claim| &claim.role));
            one.name == other.name && own.eq(theirs)
        };
        self.inside.is_none()
            && other.inside.is_none()
            && self.languages.len() == other.languages.len()
            && self.languages.iter().zip(&other.languages).all(is_alike)
    }
}

impl<'c> PlacedPart<'c> {
    /// How many claims are in it.
    pub fn counts(&self) -> Counts {
        self.part.of(self.language).map(|own| own.counts).unwrap_or_default()
    }

    /// Each role of schemas and values in it once.
    pub fn roles(&self) -> &'c [Arc<Role>] {
        self.part.of(self.language).map(|own| &*own.roles).unwrap_or_default()
    }

    /// Whether the claims are in what is inside: it is a group, or a document that is a list.
    pub fn is_group(&self) -> bool {
        self.part.inside.is_some() && self.part.of(self.language).is_none_or(|own| own.claims.is_empty())
    }

    /// Where it begins if it is an item of a list, in bytes from the beginning of the file.
    pub fn start_of_item(&self) -> Option<usize> {
        (self.part.is_in_list && !self.is_group()).then_some(self.place.start)
    }

    /// The parts in a group or a list; None if its claims are its own.
    pub fn inside(&self) -> Option<impl DoubleEndedIterator<Item = PlacedPart<'c>> + use<'c>> {
        let inside = self.part.inside.as_ref().filter(|_| self.is_group())?;
        let (language, mut next) = (self.language, self.place);
        let placed = |InPart { offset, items, part }: &'c InPart| {
            let item = part.is_in_list.then(|| self.place.item.unwrap_or(0) + items);
            let place = PartPlace { start: self.place.start + offset, item, ..next };
            next.document += part.documents;
            next.claim += part.count(language);
            PlacedPart { part, place, language }
        };
        Some(inside.iter().map(placed).collect::<Vec<_>>().into_iter())
    }

    /// The claims of a document or an item, none for a group.
    pub fn claims(&self) -> impl Iterator<Item = PlacedClaim<'c>> + use<'c> {
        let place = self.place;
        self.own_claims().iter().enumerate().map(move |(index, own)| place.claim(index, own))
    }

    /// The claim of a document or an item with this index.
    fn claim(&self, index: usize) -> Option<PlacedClaim<'c>> {
        self.own_claims().get(index).map(|own| self.place.claim(index, own))
    }

    fn own_claims(&self) -> &'c [Claim] {
        self.part.of(self.language).map(|own| &*own.claims).unwrap_or_default()
    }
}

impl Claims {
    /// The parts of the file, in the order of the text.
    pub fn parts(&self) -> impl DoubleEndedIterator<Item = PlacedPart<'_>> {
        let language = self.dialect.name();
        self.parts.iter().map(move |(place, part)| PlacedPart { part, place: *place, language })
    }

    /// Each role of schemas and values once, in the order of the text. Names and references, which are as many as there are
    /// documents, are not among them.
    pub fn roles(&self) -> &[Arc<Role>] {
        &self.roles
    }

    /// All claims, in the order of the text.
    pub fn iter(&self) -> impl Iterator<Item = PlacedClaim<'_>> {
        self.among(|_| true)
    }

    /// The claims in parts that `may_have` some that are looked for.
    pub fn among<'c>(
        &'c self,
        may_have: impl Fn(&PlacedPart<'c>) -> bool + 'c,
    ) -> impl Iterator<Item = PlacedClaim<'c>> + 'c {
        let may_have = move |part: &PlacedPart<'c>| part.counts().all > 0 && may_have(part);
        let mut open: Vec<PlacedPart<'c>> = self.parts().rev().filter(&may_have).collect();
        let parts = std::iter::from_fn(move || {
            loop {
                let part = open.pop()?;
                match part.inside() {
                    Some(inside) => open.extend(inside.rev().filter(&may_have)),
                    None => return Some(part),
                }
            }
        });
        parts.flat_map(|part| {
            lofting_memo::step();
            part.claims()
        })
    }

    /// The claims of the documents at an offset.
    pub fn around(&self, offset: usize) -> impl Iterator<Item = PlacedClaim<'_>> {
        self.among(move |part| part.place.start <= offset && offset <= part.place.start + part.part.node.len())
    }

    /// The claims of a document.
    pub fn of_document(&self, document: usize) -> impl Iterator<Item = PlacedClaim<'_>> {
        // What is in a document has none of its own.
        let documents = |part: &PlacedPart<'_>| part.place.document..part.place.document + part.part.documents.max(1);
        self.among(move |part| documents(part).contains(&document))
    }

    /// The claims of a document. If it is a list, those of the last item that begins at or before an offset.
    pub fn of_document_at(&self, document: usize, offset: usize) -> impl Iterator<Item = PlacedClaim<'_>> {
        let is_of_document = |part: &PlacedPart<'_>| {
            (part.place.document..part.place.document + part.part.documents).contains(&document)
        };
        let mut found = self.parts().find(is_of_document);
        while let Some(inside) = found.and_then(|part| part.inside()) {
            let mut inside = inside.peekable();
            let is_list = inside.peek().is_some_and(|part| part.part.is_in_list);
            let begins = |part: &PlacedPart<'_>| part.place.start <= offset;
            found = if is_list { inside.take_while(begins).last() } else { inside.find(is_of_document) };
        }
        found.into_iter().flat_map(|part| part.claims())
    }

    /// The claim with this number.
    pub fn get(&self, number: usize) -> Option<PlacedClaim<'_>> {
        let holds = |part: &PlacedPart<'_>| (part.place.claim..part.place.claim + part.counts().all).contains(&number);
        let mut found = self.parts().find(holds);
        while let Some(mut inside) = found.and_then(|part| part.inside()) {
            found = inside.find(holds);
        }
        found.and_then(|part| part.claim(number - part.place.claim))
    }
}

impl OwnClaims for Claims {
    fn all(&self) -> &[Claim] {
        self.all.get_or_init(|| self.iter().map(|claim| claim.to_claim()).collect())
    }

    fn roles(&self) -> Box<dyn Iterator<Item = &Role> + '_> {
        Box::new(self.roles.iter().map(|role| &**role))
    }
}

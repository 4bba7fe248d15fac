//! What languages claim in the documents of a file, kept in the groups in which the tree keeps these: what an edit does not
//! touch is shared by the revisions of the file, so that an answer about all claims costs what changed in them.

use lofting_dialect::inside::OwnClaims;
use lofting_dialect::{Claim, Dialect, Role};
use lofting_schema::Step;
use lofting_syntax::{Document, Element, Green, Kind, Node, Tree};
use rustc_hash::{FxHashMap, FxHashSet};
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

/// The claims in a document, or in those of a group.
#[derive(Debug)]
pub(crate) struct ClaimedPart {
    /// Held, so that its address never refers to another node.
    pub node: Arc<Green>,
    /// How many documents it has.
    documents: usize,
    /// What languages claim in it, without those that claim nothing.
    languages: Box<[OfLanguage]>,
    /// What is in a group: where it begins in the group. None for a document.
    inside: Option<Box<[InGroup]>>,
}

/// A part in a group, with the offset from the beginning of the group.
type InGroup = (usize, Arc<ClaimedPart>);

/// What a language claims in a part.
#[derive(Debug)]
struct OfLanguage {
    name: &'static str,
    /// The claims of a document, as if it were the first one and began with the file.
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
        let place = PartPlace { start: 0, document: 0, claim: self.claim };
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
    pub at: &'c [Step],
    pub key: Range<usize>,
    pub role: &'c Role,
}

impl PlacedClaim<'_> {
    pub fn to_claim(&self) -> Claim {
        let PlacedClaim { document, at, key, role, .. } = self;
        Claim { document: *document, at: at.to_vec(), key: key.clone(), role: (*role).clone() }
    }
}

impl Counts {
    fn count(&mut self, role: &Role) {
        self.all += 1;
        match role {
            Role::Schema(_) => self.schemas += 1,
            Role::Name(_) | Role::Link(..) => self.names += 1,
            Role::Reference(..) => self.references += 1,
            Role::Instance(_) | Role::Template | Role::Computed(_) | Role::Linked(_) => {}
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

    /// Whether it is a group of documents, not a document.
    pub fn is_group(&self) -> bool {
        self.part.inside.is_some()
    }

    /// The parts in a group; None for a document.
    pub fn inside(&self) -> Option<impl DoubleEndedIterator<Item = PlacedPart<'c>> + use<'c>> {
        let inside = self.part.inside.as_ref()?;
        let (language, mut next) = (self.language, self.place);
        let placed = |(offset, part): &'c InGroup| {
            let place = PartPlace { start: self.place.start + offset, ..next };
            next.document += part.documents;
            next.claim += part.count(language);
            PlacedPart { part, place, language }
        };
        Some(inside.iter().map(placed).collect::<Vec<_>>().into_iter())
    }

    /// The claims of a document, none for a group.
    pub fn claims(&self) -> impl Iterator<Item = PlacedClaim<'c>> + use<'c> {
        let PartPlace { start, document, claim } = self.place;
        let own = self.part.of(self.language).map(|own| &*own.claims).unwrap_or_default();
        own.iter().enumerate().map(move |(index, own)| PlacedClaim {
            number: claim + index,
            document,
            at: &own.at,
            key: start + own.key.start..start + own.key.end,
            role: &own.role,
        })
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
        self.among(move |part| (part.place.document..part.place.document + part.part.documents).contains(&document))
    }

    /// The claim with this number.
    pub fn get(&self, number: usize) -> Option<PlacedClaim<'_>> {
        let mut found =
            self.among(move |part| part.place.claim <= number && number < part.place.claim + part.counts().all);
        found.find(|claim| claim.number == number)
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

/// The parts of a file in which languages claimed something, by their nodes.
#[derive(Default)]
pub(super) struct KnownParts {
    /// By the node, whether the first document is in it, and whether all languages were asked.
    known: FxHashMap<(usize, bool, bool), Arc<ClaimedPart>>,
    /// The roles in them.
    roles: FxHashSet<Arc<Role>>,
    sweep_at: usize,
}

/// When more parts are known than this, those that no tree has any more are forgotten.
const SWEEP: usize = 1_024;

/// The languages that are asked, and whether these are all.
pub(super) struct Languages<'l> {
    pub asked: &'l [&'static dyn Dialect],
    pub are_all: bool,
}

impl KnownParts {
    /// What languages claim in a tree.
    pub fn claims(&mut self, tree: &Tree, languages: &Languages<'_>) -> Vec<Claims> {
        let mut parts = Vec::new();
        let mut documents = 0;
        for node in tree.root().parts().filter_map(Element::node) {
            let Some(part) = self.part(node, documents == 0, languages) else { continue };
            parts.push((node.range().start, documents, Arc::clone(&part)));
            documents += part.documents;
        }
        let claims = |dialect: &&'static dyn Dialect| {
            let name = dialect.name();
            if parts.iter().all(|(_, _, part)| part.count(name) == 0) {
                return None;
            }
            let mut claim = 0;
            let placed = parts.iter().map(|(start, document, part)| {
                let place = PartPlace { start: *start, document: *document, claim };
                claim += part.count(name);
                (place, Arc::clone(part))
            });
            let parts: Arc<[(PartPlace, Arc<ClaimedPart>)]> = placed.collect();
            let roles = distinct(parts.iter().filter_map(|(_, part)| part.of(name)).flat_map(|own| own.roles.iter()));
            Some(Claims { dialect: *dialect, parts, roles, all: OnceLock::new() })
        };
        languages.asked.iter().filter_map(claims).collect()
    }

    /// What is claimed in a document or a group of documents. None for another node.
    fn part(&mut self, node: Node<'_>, is_first: bool, languages: &Languages<'_>) -> Option<Arc<ClaimedPart>> {
        let green = node.green()?;
        let key = (Arc::as_ptr(green).addr(), is_first, languages.are_all);
        if let Some(known) = self.known.get(&key) {
            return Some(Arc::clone(known));
        }
        let part = match Document::cast(node) {
            Some(document) => self.of_document(&document, green, is_first, languages),
            None if node.kind() == Kind::Group => self.of_group(node, green, is_first, languages),
            None => return None,
        };
        let part = Arc::new(part);
        self.known.insert(key, Arc::clone(&part));
        Some(part)
    }

    fn of_document(
        &mut self,
        document: &Document<'_>,
        green: &Arc<Green>,
        is_first: bool,
        languages: &Languages<'_>,
    ) -> ClaimedPart {
        lofting_memo::step();
        let start = document.range().start;
        let mut found = Vec::new();
        for dialect in languages.asked {
            // Claims say whether it is the first one, which is all that counts.
            let mut claims = dialect.claims_in(document, usize::from(!is_first));
            if claims.is_empty() {
                continue;
            }
            let (mut counts, mut roles) = (Counts::default(), Vec::new());
            for claim in &mut claims {
                claim.document = 0;
                claim.key = claim.key.start.saturating_sub(start)..claim.key.end.saturating_sub(start);
                counts.count(&claim.role);
                if claim.role.is_values() || matches!(claim.role, Role::Schema(_) | Role::Template) {
                    roles.push(self.role(&claim.role));
                }
            }
            let roles = distinct(roles.iter());
            found.push(OfLanguage { name: dialect.name(), claims: claims.into(), roles, counts });
        }
        ClaimedPart { node: Arc::clone(green), documents: 1, languages: found.into(), inside: None }
    }

    /// Groups have few levels.
    fn of_group(
        &mut self,
        group: Node<'_>,
        green: &Arc<Green>,
        is_first: bool,
        languages: &Languages<'_>,
    ) -> ClaimedPart {
        let start = group.range().start;
        let mut inside = Vec::new();
        let mut documents = 0;
        for node in group.parts().filter_map(Element::node) {
            let Some(part) = self.part(node, is_first && documents == 0, languages) else { continue };
            documents += part.documents;
            inside.push((node.range().start - start, part));
        }
        let of_language = |dialect: &&'static dyn Dialect| {
            let own: Vec<&OfLanguage> = inside.iter().filter_map(|(_, part)| part.of(dialect.name())).collect();
            let mut counts = Counts::default();
            own.iter().for_each(|own| counts.add(&own.counts));
            let roles = distinct(own.iter().flat_map(|own| own.roles.iter()));
            (counts.all > 0).then(|| OfLanguage { name: dialect.name(), claims: Box::default(), roles, counts })
        };
        let found = languages.asked.iter().filter_map(of_language).collect();
        ClaimedPart { node: Arc::clone(green), documents, languages: found, inside: Some(inside.into()) }
    }

    /// A role, which is the same for all claims that have it.
    fn role(&mut self, role: &Role) -> Arc<Role> {
        if let Some(known) = self.roles.get(role) {
            return Arc::clone(known);
        }
        let role = Arc::new(role.clone());
        self.roles.insert(Arc::clone(&role));
        role
    }

    /// Forgets what no tree has any more, when there is much of it.
    pub fn sweep(&mut self) {
        if self.known.len() > self.sweep_at.max(SWEEP) {
            // What is in a group that is forgotten now is forgotten the next time.
            self.known.retain(|_, part| Arc::strong_count(part) > 1);
            self.roles.retain(|role| Arc::strong_count(role) > 1);
            self.sweep_at = 2 * self.known.len();
        }
    }
}

/// Each role once, in their order.
fn distinct<'r>(roles: impl Iterator<Item = &'r Arc<Role>>) -> Box<[Arc<Role>]> {
    let mut seen = FxHashSet::default();
    roles.filter(|role| seen.insert(Arc::as_ptr(role).addr())).cloned().collect()
}

//! Finds what languages claim in a tree, where only the parts that an edit touched are looked at.

use super::{ClaimedPart, Claims, Counts, InPart, OfLanguage, PartPlace};
use lofting_dialect::{Claim, Dialect, Role, list_items};
use lofting_syntax::{Document, Element, Green, Item, Kind, Node, Tree, halves};
use parking_lot::Mutex;
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::{Arc, OnceLock};

/// The parts of a file in which languages claimed something, by their nodes.
#[derive(Default)]
pub(in crate::files) struct KnownParts {
    /// By the node, whether the first document is in it, and whether all languages were asked.
    known: FxHashMap<(usize, bool, bool), Arc<ClaimedPart>>,
    /// The roles in them. Two threads that look for parts share it.
    roles: Arc<Mutex<FxHashSet<Arc<Role>>>>,
    sweep_at: usize,
}

/// When more parts are known than this, those that no tree has any more are forgotten.
const SWEEP: usize = 1_024;

/// The languages that are asked, and whether these are all.
pub(in crate::files) struct Languages<'l> {
    pub asked: &'l [&'static dyn Dialect],
    pub are_all: bool,
}

impl KnownParts {
    /// What languages claim in a tree.
    pub fn claims(&mut self, tree: &Tree, languages: &Languages<'_>) -> Vec<Claims> {
        if self.known.is_empty()
            && let Some(halves) = halves(tree)
        {
            self.look_ahead(&halves, languages);
        }
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
                let place = PartPlace { start: *start, document: *document, claim, item: None };
                claim += part.count(name);
                (place, Arc::clone(part))
            });
            let parts: Arc<[(PartPlace, Arc<ClaimedPart>)]> = placed.collect();
            let roles = distinct(parts.iter().filter_map(|(_, part)| part.of(name)).flat_map(|own| own.roles.iter()));
            Some(Claims { dialect: *dialect, parts, roles, all: OnceLock::new() })
        };
        languages.asked.iter().filter_map(claims).collect()
    }

    /// Looks at the halves of a text on a thread each. What is not found, as the request was cancelled, is looked for again.
    fn look_ahead(&mut self, [first, second]: &[Vec<Node<'_>>; 2], languages: &Languages<'_>) {
        let mut beside = KnownParts { roles: Arc::clone(&self.roles), ..KnownParts::default() };
        let beside = move || {
            for node in second {
                beside.part(*node, false, languages);
            }
            beside.known
        };
        let here = || {
            let mut documents = 0;
            for node in first {
                documents += self.part(*node, documents == 0, languages).map_or(0, |part| part.documents);
            }
        };
        let (beside, ()) = lofting_memo::side_by_side(lofting_eval::STACK, beside, here);
        self.known.extend(beside.unwrap_or_default());
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
        let list = list_items(document);
        let mut inside = Vec::new();
        if let Some(list) = list {
            self.in_list(list, start, languages, &mut inside);
        }
        let mut found: Vec<OfLanguage> =
            languages.asked.iter().filter_map(|dialect| within(*dialect, &inside)).collect();
        for dialect in languages.asked.iter().filter(|dialect| list.is_none() || !dialect.reads_lists()) {
            // Claims say whether it is the first one, which is all that counts.
            let claims = dialect.claims_in(document, usize::from(!is_first));
            found.extend(self.own(*dialect, claims, start));
        }
        let inside = list.map(|_| inside.into());
        ClaimedPart { node: Arc::clone(green), documents: 1, is_in_list: false, languages: found.into(), inside }
    }

    /// Adds what is claimed in the items below a node of a list, an array or a group. The part around them begins at
    /// `start`.
    fn in_list(&mut self, node: Node<'_>, start: usize, languages: &Languages<'_>, inside: &mut Vec<InPart>) {
        let mut items = 0;
        for node in node.parts().filter_map(Element::node) {
            // An item in one line is not a resource.
            if let Some(part) = self.of_list(node, languages) {
                inside.push(InPart { offset: node.range().start - start, items, part });
            }
            items += node.count();
        }
    }

    /// What is claimed in an item or in a group of items. None for another node. Groups have few levels.
    fn of_list(&mut self, node: Node<'_>, languages: &Languages<'_>) -> Option<Arc<ClaimedPart>> {
        let green = node.green()?;
        let key = (Arc::as_ptr(green).addr(), false, languages.are_all);
        if let Some(known) = self.known.get(&key) {
            return Some(Arc::clone(known));
        }
        let start = node.range().start;
        let part = |languages: Vec<OfLanguage>, inside: Option<Vec<InPart>>| ClaimedPart {
            node: Arc::clone(green),
            documents: 0,
            is_in_list: true,
            languages: languages.into(),
            inside: inside.map(Vec::into),
        };
        let part = if let Some(item) = Item::cast(node) {
            lofting_memo::step();
            let asked = languages.asked.iter().filter(|dialect| dialect.reads_lists());
            part(asked.filter_map(|dialect| self.own(*dialect, dialect.claims_in_item(&item), start)).collect(), None)
        } else if node.kind() == Kind::Group {
            let mut inside = Vec::new();
            self.in_list(node, start, languages, &mut inside);
            part(languages.asked.iter().filter_map(|dialect| within(*dialect, &inside)).collect(), Some(inside))
        } else {
            return None;
        };
        let part = Arc::new(part);
        self.known.insert(key, Arc::clone(&part));
        Some(part)
    }

    /// The claims of a language in a document or item that begins at `start`. None if it has none.
    fn own(&mut self, dialect: &'static dyn Dialect, mut claims: Vec<Claim>, start: usize) -> Option<OfLanguage> {
        if claims.is_empty() {
            return None;
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
        Some(OfLanguage { name: dialect.name(), claims: claims.into(), roles: distinct(roles.iter()), counts })
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
            inside.push(InPart { offset: node.range().start - start, items: 0, part });
        }
        let found = languages.asked.iter().filter_map(|dialect| within(*dialect, &inside)).collect();
        let inside = Some(inside.into());
        ClaimedPart { node: Arc::clone(green), documents, is_in_list: false, languages: found, inside }
    }

    /// A role, which is the same for all claims that have it.
    fn role(&self, role: &Role) -> Arc<Role> {
        let mut roles = self.roles.lock();
        if let Some(known) = roles.get(role) {
            return Arc::clone(known);
        }
        let role = Arc::new(role.clone());
        roles.insert(Arc::clone(&role));
        role
    }

    /// Forgets what no tree has any more, when there is much of it.
    pub fn sweep(&mut self) {
        if self.known.len() > self.sweep_at.max(SWEEP) {
            // What is in a group that is forgotten now is forgotten the next time.
            self.known.retain(|_, part| Arc::strong_count(part) > 1);
            self.roles.lock().retain(|role| Arc::strong_count(role) > 1);
            self.sweep_at = 2 * self.known.len();
        }
    }
}

/// What a language claims in the parts of another one. None if that is nothing.
fn within(dialect: &'static dyn Dialect, inside: &[InPart]) -> Option<OfLanguage> {
    let own: Vec<&OfLanguage> = inside.iter().filter_map(|inside| inside.part.of(dialect.name())).collect();
    let mut counts = Counts::default();
    own.iter().for_each(|own| counts.add(&own.counts));
    let roles = distinct(own.iter().flat_map(|own| own.roles.iter()));
    (counts.all > 0).then(|| OfLanguage { name: dialect.name(), claims: Box::default(), roles, counts })
}

/// Each role once, in their order.
fn distinct<'r>(roles: impl Iterator<Item = &'r Arc<Role>>) -> Box<[Arc<Role>]> {
    let mut seen = FxHashSet::default();
    roles.filter(|role| seen.insert(Arc::as_ptr(role).addr())).cloned().collect()
}

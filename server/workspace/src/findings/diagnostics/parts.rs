//! Findings in files with parts that languages claim.

use super::Collect;
use crate::association::governed::{Referring, referring};
use crate::association::linked;
use crate::association::referents;
use crate::source::TextSource;
use lofting_check::{Diagnostic, GovernedPart, Source, Step, TreeFile, ValuesCheck, check_keys_in_tree};
use lofting_diagnostic::Certainty;
use lofting_dialect::Role;
use lofting_document::{Key, Node, NodeValue, Options, Span, lower};
use lofting_memo::Stamp;
use lofting_schema as schema;
use lofting_syntax::{Entry, Value};
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::Arc;

impl Collect<'_> {
    /// The schemas in the file, and the values in it that other schemas govern.
    pub(super) fn parts(&mut self) {
        self.syntax();
        self.found.extend(lofting_check::check_columns(self.file.id, self.file.tree()));
        if self.cancel.is_cancelled() {
            return;
        }
        let keys = check_keys_in_tree(self.file.tree_file(), self.file.tree(), &mut self.file.memo());
        let texts = TextSource::Of(self.state, self.file);
        // What is skipped there must be checked in the values as well.
        let in_tree = keys.is_some();
        self.found.extend(keys.unwrap_or_else(|| lofting_check::check_documents(self.file.written(), &texts)));
        // Custom types next to several schemas are read with each of them.
        let mut told: FxHashSet<(Span, &str)> = FxHashSet::default();
        let own = linked::own(self.state, self.file);
        let found = self.file.part_schemas().iter().chain(&own).flat_map(|schema| schema.findings.iter());
        self.found.extend(found.filter(|finding| told.insert((finding.span, finding.rule.code))).cloned());
        let file = self.file;
        self.found.extend(file.of_languages().flat_map(|(dialect, own)| dialect.findings(file, &own.view())));
        self.found.extend(referents::findings(self.state, self.file));
        self.governed(in_tree);
        // If a line is damaged, the names on it are not known.
        self.drop_what_damage_causes();
    }

    /// Values that schemas govern, `in_tree` if they can be checked as they are.
    fn governed(&mut self, in_tree: bool) {
        let (file, parts) = (self.file, referring(self.state, self.file));
        let texts = TextSource::Of(self.state, file);
        let roots: Vec<Option<Value<'_>>> = file.tree().documents().map(|document| document.root()).collect();
        let mut memo = file.memo();
        // If a schema is in this file, each edit moves it.
        let stamp = |part: &Referring<'_>| part.schema.as_ref().map_or(Stamp::default(), |schema| schema.stamp);
        let stamps: Vec<Stamp> = parts.iter().map(stamp).collect();
        memo.begin(&stamps, None, None);
        let mut ways = Ways::default();
        for (number, part) in parts.iter().enumerate() {
            if self.cancel.is_cancelled() {
                return;
            }
            let Some(found) = part.schema.as_ref().filter(|schema| !schema.is_meta_schema) else { continue };
            let at: Vec<Step> = part.claim.at.iter().map(Step::from).collect();
            let check = ValuesCheck::alone(&found.schema, &texts).up_to(self.limit);
            let governed = GovernedPart {
                // Nothing is remembered beyond this many parts.
                number: u16::try_from(number + 1).unwrap_or(u16::MAX),
                at: &at,
                name: Span::new(file.id, part.claim.key.clone()),
                node: found.schema.root(),
            };
            let value = roots.get(part.claim.document).copied().flatten();
            let value =
                value.and_then(|root| part.claim.at.iter().try_fold(root, |value, step| ways.below(value, step)));
            // A file that names its schema is read by the rules of that language.
            let profile = found.schema.semantics().profile;
            let tree_file = TreeFile { profile, ..file.tree_file() };
            let in_tree = value
                .filter(|_| in_tree && number + 1 < usize::from(u16::MAX))
                .and_then(|value| governed.check_in_tree(&check, tree_file, file.tree(), value, &mut memo));
            let checked = match in_tree {
                Some(checked) => checked,
                None => {
                    let own = |profile| Arc::new(lower(file.id, file.tree(), profile, Options::default()));
                    let documents = if profile == file.profile() { file.written().clone() } else { own(profile) };
                    let document = documents.documents.get(part.claim.document);
                    let value =
                        document.and_then(|document| part.claim.at.iter().try_fold(&document.value, node_below));
                    value.map(|value| governed.check(&check, value)).unwrap_or_default()
                }
            };
            self.more += checked.more;
            let certain =
                |finding: &Diagnostic| !found.uncertain || finding.rule.certainty != Certainty::NeedsWholeSchema;
            // A string with an expression in it has a value that only rendering knows.
            let is_computed = matches!(part.claim.role, Role::Computed(_));
            let told = |finding: &Diagnostic| {
                !is_computed || !texts.text(finding.span).is_some_and(|text| text.contains(EXPRESSION))
            };
            let found = checked.into_diagnostics().into_iter();
            self.found.extend(found.filter(|finding| certain(finding) && told(finding)));
        }
    }
}

/// How expressions in strings begin.
const EXPRESSION: &str = "${";

/// Follows paths in a tree. The way to many parts leads through the same collections, each of which is searched once.
#[derive(Default)]
struct Ways<'t> {
    /// The values of keys, by the offset of the map.
    keys: FxHashMap<(usize, Key), Option<Value<'t>>>,
    /// The items of arrays, by the offset of the array.
    items: FxHashMap<usize, Vec<Value<'t>>>,
}

impl<'t> Ways<'t> {
    /// The value one step below another.
    fn below(&mut self, value: Value<'t>, step: &schema::Step) -> Option<Value<'t>> {
        let at = value.range().start;
        match step {
            schema::Step::Key(key) => *self.keys.entry((at, key.clone())).or_insert_with(|| {
                let name = key.as_str()?;
                let named = |entry: &Entry<'t>| {
                    entry.key().and_then(|key| key.scalar()).is_some_and(|scalar| scalar.value() == name)
                };
                value.map()?.entries().filter(named).last().map(|entry| entry.value())
            }),
            schema::Step::Index(index) => {
                let items = || value.seq().into_iter().flat_map(|seq| seq.items()).map(|item| item.value()).collect();
                self.items.entry(at).or_insert_with(items).get(*index).copied()
            }
            schema::Step::Item => None,
        }
    }
}

/// The value one step below another, in data.
pub(crate) fn node_below<'n>(node: &'n Node, step: &schema::Step) -> Option<&'n Node> {
    match (&node.value, step) {
        (NodeValue::Map(items), schema::Step::Key(key)) => items.value(key),
        (NodeValue::Array(items), schema::Step::Index(index)) => items.get(*index).map(|item| &item.value),
        _ => None,
    }
}

//! Findings in files with parts that languages claim.

use super::Collect;
use crate::association::bundles;
use crate::association::governed::{self, referring};
use crate::association::json_schemas;
use crate::association::known_kinds;
use crate::association::referents;
use crate::disk::built_in::Doubt;
use crate::files::claims::ClaimedSchema;
use crate::files::file::File;
use crate::findings::state::CheckState;
use crate::findings::unused_definitions;
use crate::source::TextSource;
use lofting_check::rules::COLLECTION_KEY;
use lofting_check::{
    CheckMemo, Diagnostic, GovernedPart, Quiet, Severity, Source, TreeFile, ValuesCheck, check_documents,
    check_keys_in_tree,
};
use lofting_diagnostic::Certainty;
use lofting_dialect::Role;
use lofting_dialect::kubernetes::{REPEATED_NAME, removed_apis};
use lofting_document::{DocumentReader, DocumentSet, FileId, Key, Node, NodeValue, Options, Span};
use lofting_memo::{Stamp, recorder};
use lofting_schema as schema;
use lofting_schema::Semantics;
use lofting_schema::semantics::Substitution;
use lofting_syntax::resolve::Profile;
use lofting_syntax::{Document, Entry, Green, Value};
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::Arc;

impl<'s> Collect<'s> {
    /// The schemas in the file, and the values in it that other schemas govern.
    pub(super) fn parts(&mut self) {
        let Some(mut documents) = self.text(self.as_governed(|| json_schemas::profile(self.state, self.file))) else {
            return;
        };
        // Custom types next to several schemas are read with each of them.
        let mut reported: FxHashSet<(Span, &str)> = FxHashSet::default();
        let own = self.as_governed(|| json_schemas::own(self.state, self.file));
        let found = self.file.part_schemas().iter().chain(&own).flat_map(|schema| schema.findings.iter());
        self.found.extend(found.filter(|finding| reported.insert((finding.span, finding.rule.code))).cloned());
        let file = self.file;
        self.found.extend(file.findings_in_texts().into_iter().filter(|finding| !is_value_unknown(file, finding)));
        if let Some(cluster) = bundles::cluster(self.state, file).filter(|_| file.facts.known_parts && !file.facts.ytt)
        {
            self.found.extend(removed_apis(file.id, file.tree(), cluster));
        }
        self.found.extend(unused_definitions::findings(self.state, self.file));
        let needs = || referents::stamps(self.state, self.file);
        self.found.extend(recorder::only("documents by name", needs, || referents::findings(self.state, self.file)));
        self.kinds();
        self.governed(&mut documents);
        drop_repeated_items(&mut self.found);
        // If a line is damaged, the names on it are not known.
        self.drop_what_damage_causes();
    }

    /// What needs no schema, in a file that has none.
    pub(super) fn plain(&mut self, profile: Profile) {
        if self.text(profile).is_some() {
            self.drop_what_damage_causes();
            // Only a schema says that keys are strings.
            self.found.retain(|finding| *finding.rule != COLLECTION_KEY);
        }
    }

    /// Checks the text and the keys of all documents. Gives what the check of their values needs; None if the request was
    /// cancelled.
    fn text(&mut self, profile: Profile) -> Option<Documents<'s>> {
        self.syntax();
        self.found.extend(lofting_check::check_columns(self.file.id, self.file.tree()));
        if self.cancel.is_cancelled() {
            return None;
        }
        self.keys(profile)
    }

    /// Adds what was found in one of many documents.
    fn take(&mut self, found: impl IntoIterator<Item = Diagnostic>) {
        for finding in found {
            self.found.push(finding);
            self.bound.look(&mut self.found);
        }
    }

    /// Checks the keys of all documents. Gives what the check of their values needs; None if the request was cancelled.
    fn keys(&mut self, profile: Profile) -> Option<Documents<'s>> {
        let (file, cancel) = (self.file, self.cancel);
        let tree_file = TreeFile { profile, ..file.tree_file() };
        let texts = TextSource::Of(self.state, file);
        let mut memo = file.memo();
        let mut documents = Documents::new(file);
        for number in 0..documents.all.len() {
            if cancel.is_cancelled() {
                return None;
            }
            // In ytt's files, comments of other documents may matter.
            let green = documents.green(number).filter(|_| !file.facts.ytt);
            let known = green.and_then(|green| memo.quiet_keys(green, profile));
            if let Some(known) = known.filter(|known| documents.counts(number, profile, false, known.copies)) {
                documents.in_tree.push(known.in_tree);
                continue;
            }
            let document = &documents.all[number];
            let in_tree = check_keys_in_tree(tree_file, file.tree(), document, &mut memo);
            let is_in_tree = in_tree.is_some();
            documents.in_tree.push(is_in_tree);
            let found = match in_tree {
                Some(found) => found,
                None if file.facts.ytt => Vec::new(),
                None => check_documents(documents.lowered(number, profile, false), &texts),
            };
            if let Some(green) = green.filter(|_| found.is_empty()) {
                let copies = documents.copies(number, profile, false);
                memo.set_quiet_keys(green, profile, Quiet { in_tree: is_in_tree, copies });
            }
            self.take(found);
        }
        // Where comments have a meaning, documents cannot be read apart.
        if file.facts.ytt && documents.in_tree.contains(&false) {
            documents.in_tree.fill(false);
            self.found.extend(check_documents(file.lowered(), &texts));
        }
        Some(documents)
    }

    /// Looks up what governs the file. Findings need only what its stamps identify.
    pub(super) fn as_governed<T>(&self, look: impl FnOnce() -> T) -> T {
        recorder::only("what governs", || governed::stamps(self.state, self.file), look)
    }

    /// Misspelt kinds of documents.
    pub(super) fn kinds(&mut self) {
        let (state, file) = (self.state, self.file);
        let needs = || governed::stamps(state, file).into_iter().chain(known_kinds::stamp(state, file));
        self.found.extend(recorder::only("kinds", needs, || known_kinds::findings(state, file)));
    }

    /// Values that schemas govern.
    fn governed(&mut self, documents: &mut Documents<'_>) {
        let file = self.file;
        let whole = self.as_governed(|| governed::of_whole(self.state, file));
        let parts = match &whole {
            Some(_) => Vec::new(),
            None => self.as_governed(|| referring(self.state, file)),
        };
        let keys_profile = self.as_governed(|| json_schemas::profile(self.state, file));
        let texts = TextSource::Of(self.state, file);
        let mut memo = file.memo();
        // If a schema is in this file, each edit moves it.
        let mut stamps: Vec<Stamp> = Vec::new();
        let mut numbers: FxHashMap<Stamp, u16> = FxHashMap::default();
        let schemas =
            parts.iter().filter_map(|part| part.schema.as_ref()).chain(whole.iter().map(|whole| &whole.schema));
        for schema in schemas {
            numbers.entry(schema.stamp).or_insert_with(|| {
                stamps.push(schema.stamp);
                // Nothing is remembered for further schemas.
                u16::try_from(stamps.len()).unwrap_or(u16::MAX)
            });
        }
        memo.begin(&stamps, None, None);
        let mut ways = Ways::default();
        let count = whole.as_ref().map_or(parts.len(), |_| documents.all.len());
        for index in 0..count {
            if self.cancel.is_cancelled() {
                return;
            }
            let made = match &whole {
                // Of most documents of a long stream nothing is read.
                Some(whole) if documents.fits(index, &whole.schema, &numbers, &memo) => continue,
                Some(whole) => documents.all.get(index).and_then(|document| whole.part(document, index)),
                None => None,
            };
            let Some(part) = made.as_ref().or_else(|| parts.get(index)) else { continue };
            let Some(found) = part.schema.as_ref().filter(|schema| !schema.is_meta_schema) else { continue };
            let check = ValuesCheck::alone(&found.schema, &texts).up_to(self.limit);
            let number = numbers.get(&found.stamp).copied().unwrap_or(u16::MAX);
            // A file that names its schema is read by the rules of that language.
            let semantics = found.schema.semantics();
            let (profile, substituted) = (semantics.profile, is_substituted(file, semantics));
            let whole = Some(part.claim.document).filter(|_| part.claim.at.is_empty() && number < u16::MAX);
            let green = whole.and_then(|document| documents.green(document)).filter(|_| !file.facts.ytt);
            if whole.is_some_and(|document| documents.fits(document, found, &numbers, &memo)) {
                continue;
            }
            let governed = GovernedPart {
                number,
                at: &part.claim.at,
                name: Span::new(file.id, part.claim.key.clone()),
                node: found.schema.root(),
            };
            let value = documents.all.get(part.claim.document).and_then(|document| document.root());
            let value =
                value.and_then(|root| part.claim.at.iter().try_fold(root, |value, step| ways.below(value, step)));
            let tree_file = TreeFile { profile, substituted, ..file.tree_file() };
            let in_tree = value
                .filter(|_| documents.is_in_tree(part.claim.document) && number < u16::MAX)
                .and_then(|value| governed.check_in_tree(&check, tree_file, file.tree(), value, &mut memo));
            let checked = match in_tree {
                Some(checked) => checked,
                None => {
                    let document = documents.document(part.claim.document, profile, substituted);
                    let value =
                        document.and_then(|document| part.claim.at.iter().try_fold(&document.value, node_below));
                    value.map(|value| governed.check(&check, value)).unwrap_or_default()
                }
            };
            self.more += checked.more;
            // What a document says is not all known if reading it reached a limit, which is a finding of its keys.
            let is_quiet = checked.findings.is_empty() && checked.more == 0;
            let is_read = |green: &&Arc<Green>| is_quiet && memo.quiet_keys(green, keys_profile).is_some();
            if let Some(green) = green.filter(is_read) {
                memo.set_fits(green, number, documents.copies(part.claim.document, profile, substituted));
            }
            let certain =
                |finding: &Diagnostic| !found.uncertain || finding.rule.certainty != Certainty::NeedsWholeSchema;
            // A string with an expression in it has a value that only rendering knows.
            let is_computed = matches!(part.claim.role, Role::Computed(_));
            let reported = |finding: &Diagnostic| {
                !is_computed || !texts.text(finding.span).is_some_and(|text| text.contains(EXPRESSION))
            };
            let found = checked.into_diagnostics().into_iter();
            let is_given_later = |finding: &Diagnostic| {
                let needs_all = finding.rule.certainty == Certainty::NeedsAllValues;
                part.is_merged_later() && (needs_all || *finding.rule == lofting_check::rules::MISSING_KEY)
            };
            let known = |finding: &Diagnostic| !is_value_unknown(file, finding) && !is_given_later(finding);
            let all = found.filter(|finding| certain(finding) && reported(finding) && known(finding));
            let taken = |finding: &Diagnostic| {
                let by_name =
                    || read_otherwise(file, finding, part.is_built_in_for_name()).filter(|_| part.is_by_file_name());
                let is_left_out = finding.is_about_null() && part.is_merged_later();
                if is_left_out { Some(Severity::Hint) } else { by_name() }
            };
            let doubt = part.schema.as_ref().and_then(|schema| doubt(self.state, schema.file));
            self.take(all.map(|finding| match (taken(&finding), &doubt) {
                _ if finding.severity != Severity::Error => finding,
                (Some(severity), _) => Diagnostic { severity, ..finding },
                (None, Some(Doubt::Outgrown(words))) => in_an_old_copy(finding, words),
                (None, Some(Doubt::Strict(words))) => in_a_strict_copy(finding, words),
                (None, None) => finding,
            }));
        }
    }
}

/// What is unique among items by the schema of a kind, by which the server may take it, is one mistake with a name that its
/// own code refuses.
fn drop_repeated_items(found: &mut Vec<Diagnostic>) {
    let names = found.iter().filter(|finding| *finding.rule == REPEATED_NAME);
    let mut starts: Vec<usize> = names.map(|finding| finding.span.range().start).collect();
    if starts.is_empty() {
        return;
    }
    starts.sort_unstable();
    let holds_name = |finding: &Diagnostic| {
        let range = finding.span.range();
        let at = starts.partition_point(|start| *start < range.start);
        starts.get(at).is_some_and(|start| *start < range.end)
    };
    found.retain(|finding| *finding.rule != lofting_check::rules::REPEATED_ITEM || !holds_name(finding));
}

/// Whether texts of a file in which another program puts something (`${NAME}`) are unknown to a language.
pub(crate) fn is_substituted(file: &File, semantics: &Semantics) -> bool {
    file.facts.substituted && !file.facts.ytt && semantics.substitution == Substitution::Possible
}

/// Whether a finding is about a value that is not the final one: a text with a marker that something else replaces
/// (`{{ }}`), or an encrypted one. So are the keys with which SOPS says how to decrypt it.
pub(crate) fn is_value_unknown(file: &File, finding: &Diagnostic) -> bool {
    if !(file.facts.markers || file.facts.encrypted) {
        return false;
    }
    let is_of_sops =
        |path: &str| path.strip_prefix(SOPS).is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '[']));
    if file.facts.encrypted && finding.path.as_deref().is_some_and(is_of_sops) {
        return true;
    }
    if lofting_check::rules::ABOUT_KEYS.contains(&finding.rule) {
        return false;
    }
    let start = finding.span.range().start;
    let text = file.text();
    let line = text.slice(start..text.line_range(text.line_of(start)).end.max(start));
    (file.facts.markers && line.contains("{{")) || (file.facts.encrypted && line.contains("ENC["))
}

/// How severe a finding is that is about something that most programs read differently from the schemas of a catalogue,
/// which no user chose for the file: a key without a value like one that is left out, and, less of them, `yes` or `off` like
/// a boolean, as in YAML 1.1. In a file that only a built-in schema knows, a number or boolean where a text is asked for is
/// read like that text, one string where an array is asked for like an array of it, and `true` or `false` where a map is
/// asked for switches on or off what the map describes; where a value fits several alternatives, the schema says too
/// little rather than the value too much; and a document that is nothing of what is asked for is most likely for another
/// program, which gives its files the same name. None if it is about something else.
fn read_otherwise(file: &File, finding: &Diagnostic, is_built_in: bool) -> Option<Severity> {
    let text = file.text();
    let written = text.slice(finding.span.range());
    if finding.is_about_null() {
        return (!matches!(written.trim(), "~" | "null" | "Null" | "NULL")).then_some(Severity::Hint);
    }
    if *finding.rule == lofting_check::rules::SEVERAL_BRANCHES {
        return is_built_in.then_some(Severity::Hint);
    }
    let (Some(expected), Some(found)) = (finding.expected.as_deref(), finding.found.as_deref()) else { return None };
    if *finding.rule == lofting_check::rules::TYPE_MISMATCH
        && matches!(finding.path.as_deref(), Some("" | "(document)"))
    {
        return is_built_in.then_some(Severity::Hint);
    }
    let is_scalar = matches!(found, "string" | "integer" | "float" | "number" | "boolean");
    let is_taken = match expected {
        _ if !is_scalar => false,
        _ if expected.contains("string") => found != "string",
        _ if expected.contains("array") => found == "string",
        _ => expected.contains("map") && found == "boolean",
    };
    let word = written.trim().to_ascii_lowercase();
    let is_word = matches!(word.as_str(), "yes" | "no" | "on" | "off" | "y" | "n");
    ((is_built_in && is_taken) || is_word).then_some(Severity::Warning)
}

/// Why the built-in copy of a schema may refuse what the program that reads the files accepts.
fn doubt(state: &CheckState, schema: FileId) -> Option<Doubt> {
    let path = &state.file(schema)?.path;
    state.settings.built_in.as_ref()?.doubt(path)
}

/// A finding of a schema that asks for more than the program that reads the file: it is not an error.
fn in_a_strict_copy(finding: Diagnostic, words: &str) -> Diagnostic {
    let strict = format!("the schema ({words}) asks for more than the program that reads the file");
    let help = finding.help.map_or_else(|| strict.clone(), |help| format!("{help}; {strict}"));
    Diagnostic { severity: Severity::Warning, help: Some(help), ..finding }
}

/// A finding of an old copy of a schema, which does not know what was added since: it is not an error. A key for which
/// none is nearly meant is most likely a new one.
fn in_an_old_copy(finding: Diagnostic, words: &str) -> Diagnostic {
    let is_unknown = *finding.rule == lofting_check::rules::UNDECLARED_KEY && finding.fixes.is_empty();
    let severity = if is_unknown { Severity::Hint } else { Severity::Warning };
    let newer = format!("the schema ({words}) may not know it yet: `lofting schemas update` fetches newer ones");
    let help = finding.help.filter(|_| !is_unknown).map_or_else(|| newer.clone(), |help| format!("{help}; {newer}"));
    Diagnostic { severity, help: Some(help), ..finding }
}

/// The key in which SOPS keeps how a document is encrypted.
const SOPS: &str = "sops";

/// How expressions in strings begin.
const EXPRESSION: &str = "${";

/// The documents of a file, each of them read at the cost of its own text.
struct Documents<'f> {
    file: &'f File,
    all: Vec<Document<'f>>,
    /// By number: whether a document can be checked as it is. Others have to be lowered.
    in_tree: Vec<bool>,
    /// Documents that are lowered apart, for each profile that was asked for, with or without texts in which something
    /// is put.
    readers: FxHashMap<(Profile, bool), DocumentReader<'f>>,
    /// The one that was lowered last. Parts come in the order of the text, so that it is the next to be asked for.
    last: Option<(usize, (Profile, bool), DocumentSet)>,
}

impl<'f> Documents<'f> {
    fn new(file: &'f File) -> Self {
        let all = file.tree().documents().collect();
        Documents { file, all, in_tree: Vec::new(), readers: FxHashMap::default(), last: None }
    }

    fn is_in_tree(&self, number: usize) -> bool {
        self.in_tree.get(number).is_some_and(|in_tree| *in_tree)
    }

    /// The node of a document that revisions of the text share.
    fn green(&self, number: usize) -> Option<&'f Arc<Green>> {
        self.all.get(number).and_then(|document| document.node().green())
    }

    /// Counts the copies in a document about which all is known; false if it has to be read.
    fn counts(&mut self, number: usize, profile: Profile, substituted: bool, copies: usize) -> bool {
        // Most documents have no aliases, and need no reader.
        if copies == 0 {
            return true;
        }
        let Some(document) = self.all.get(number).copied() else { return false };
        self.reader((profile, substituted)).counts(&document, copies)
    }

    /// Whether a document is known to fit a schema that governs it as a whole; its copies are counted.
    fn fits(
        &mut self,
        document: usize,
        schema: &ClaimedSchema,
        numbers: &FxHashMap<Stamp, u16>,
        memo: &CheckMemo,
    ) -> bool {
        let number = numbers.get(&schema.stamp).copied().filter(|number| *number < u16::MAX);
        let green = self.green(document).filter(|_| !self.file.facts.ytt);
        let known = number.zip(green).and_then(|(number, green)| memo.fits(green, number));
        let semantics = schema.schema.semantics();
        known.is_some_and(|copies| {
            self.counts(document, semantics.profile, is_substituted(self.file, semantics), copies)
        })
    }

    /// How many copies the aliases of a document made.
    fn copies(&self, number: usize, profile: Profile, substituted: bool) -> usize {
        let reader = self.readers.get(&(profile, substituted)).zip(self.all.get(number));
        reader.map_or(0, |(reader, document)| reader.copies(document))
    }

    /// What lowers documents apart.
    fn reader(&mut self, reading: (Profile, bool)) -> &mut DocumentReader<'f> {
        let (file, (profile, substituted)) = (self.file, reading);
        self.readers.entry(reading).or_insert_with(|| {
            let options = if profile == file.profile() { file.options } else { Options::default() };
            let options = Options { substituted, merges_lists: true, ..options };
            DocumentReader::new(file.id, file.tree(), profile, options)
        })
    }

    /// One document as data.
    fn document(&mut self, number: usize, profile: Profile, substituted: bool) -> Option<&lofting_document::Document> {
        if self.file.facts.ytt && profile == self.file.profile() {
            self.file.lowered().documents.get(number)
        } else {
            self.lowered(number, profile, substituted).documents.first()
        }
    }

    /// One document as data, with its issues. No comment in it is an annotation.
    fn lowered(&mut self, number: usize, profile: Profile, substituted: bool) -> &DocumentSet {
        let reading = (profile, substituted);
        let is_last = self.last.as_ref().is_some_and(|(last, known, _)| (*last, *known) == (number, reading));
        if !is_last {
            let document = self.all.get(number).copied();
            let set = document.map(|document| self.reader(reading).read(&document)).unwrap_or_default();
            self.last = Some((number, reading, set));
        }
        let (_, _, set) = self.last.get_or_insert_with(|| (number, reading, DocumentSet::default()));
        set
    }
}

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
            schema::Step::Item | schema::Step::Nowhere => None,
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

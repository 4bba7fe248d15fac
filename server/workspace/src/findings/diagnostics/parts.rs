//! Findings in files with parts that languages claim.

use super::Collect;
use super::documents::{Documents, Ways};
use crate::association::bundles;
use crate::association::governed::{self, GovernedClaims, Referring, WholeFile};
use crate::association::json_schemas;
use crate::association::known_kinds;
use crate::association::referents;
use crate::disk::built_in::Doubt;
use crate::files::claims::{ClaimedSchema, PlacedPart};
use crate::files::file::File;
use crate::findings::state::CheckState;
use crate::findings::unused_definitions;
use crate::source::TextSource;
use lofting_check::rules::COLLECTION_KEY;
use lofting_check::{
    CheckMemo, Diagnostic, FURTHER, GovernedPart, PartNumbers, PartSchema, Quiet, Severity, Source, ValuesCheck,
    check_documents, check_keys_in_tree,
};
use lofting_diagnostic::Certainty;
use lofting_dialect::kubernetes::removed_apis;
use lofting_dialect::{Role, WrittenSteps, list_items};
use lofting_document::{FileId, Node, NodeValue, Span};
use lofting_memo::{Stamp, recorder};
use lofting_schema as schema;
use lofting_schema::Semantics;
use lofting_schema::semantics::{NullPart, Substitution};
use lofting_syntax::resolve::Profile;
use lofting_syntax::{Document, Element, Item, Node as SyntaxNode, Value};
use rustc_hash::FxHashSet;
use std::ops::Range;
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
        let has_fate = || bundles::names(file).any(|(_, name)| bundles::is_told_of(self.state, file, name));
        if let Some(cluster) =
            bundles::cluster(self.state, file).filter(|_| file.facts.known_parts && !file.facts.ytt && has_fate())
        {
            self.found.extend(removed_apis(file.id, file.tree(), cluster));
        }
        self.found.extend(unused_definitions::findings(self.state, self.file));
        let needs = || referents::stamps(self.state, self.file);
        self.found.extend(recorder::only("documents by name", needs, || referents::findings(self.state, self.file)));
        self.kinds();
        self.governed(&mut documents);
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
        self.look_ahead(profile);
        let documents = self.keys(profile)?;
        self.within();
        Some(documents)
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
        let file = self.file;
        let mut memo = file.memo();
        let mut documents = Documents::new(file);
        self.keys_in(file.tree().root(), profile, &mut documents, &mut memo)?;
        // Where comments have a meaning, documents cannot be read apart.
        if file.facts.ytt && documents.is_one_lowered() {
            documents.lower_all();
            self.found.extend(check_documents(file.lowered(), &TextSource::Of(self.state, file)));
        }
        Some(documents)
    }

    /// Checks the keys of the documents in the root of the tree, or in a group in it. Gives whether there is nothing to
    /// remember of them but that; None if the request was cancelled. Groups have few levels.
    fn keys_in(
        &mut self,
        node: SyntaxNode<'s>,
        profile: Profile,
        documents: &mut Documents<'s>,
        memo: &mut CheckMemo,
    ) -> Option<bool> {
        let mut are_quiet = true;
        for part in node.parts().filter_map(Element::node) {
            are_quiet &= self.keys_of_part(part, profile, documents, memo)?;
        }
        Some(are_quiet)
    }

    /// Like [`Collect::keys_in`] for a document or a group of them.
    pub(super) fn keys_of_part(
        &mut self,
        part: SyntaxNode<'s>,
        profile: Profile,
        documents: &mut Documents<'s>,
        memo: &mut CheckMemo,
    ) -> Option<bool> {
        if let Some(document) = Document::cast(part) {
            return self.keys_of(document, profile, documents, memo);
        }
        // In ytt's files, comments of other documents may matter.
        let green = part.green().filter(|_| !self.file.facts.ytt);
        if let Some(green) = green.filter(|green| memo.are_quiet_keys(green, profile)) {
            documents.passed(green.count());
            return Some(true);
        }
        let is_quiet = self.keys_in(part, profile, documents, memo)?;
        if let Some(green) = green.filter(|_| is_quiet) {
            memo.set_are_quiet_keys(green, profile);
        }
        Some(is_quiet)
    }

    fn keys_of(
        &mut self,
        document: Document<'s>,
        profile: Profile,
        documents: &mut Documents<'s>,
        memo: &mut CheckMemo,
    ) -> Option<bool> {
        if self.cancel.is_cancelled() {
            return None;
        }
        let file = self.file;
        let green = document.node().green().filter(|_| !file.facts.ytt);
        let known = green.and_then(|green| memo.quiet_keys(green, profile));
        if let Some(known) = known.filter(|known| documents.counts(&document, profile, false, known.copies)) {
            documents.read(known.in_tree);
            return Some(known.is_plain());
        }
        let reader = documents.in_tree(&document, profile, false, memo);
        let in_tree = reader.and_then(|reader| check_keys_in_tree(reader, &document, memo));
        let is_in_tree = in_tree.is_some();
        let number = documents.read(is_in_tree);
        let found = match in_tree {
            Some(found) => found,
            None if file.facts.ytt => Vec::new(),
            None => {
                let texts = TextSource::Of(self.state, file);
                check_documents(documents.lowered(number, &document, profile, false), &texts)
            }
        };
        let quiet = Quiet { in_tree: is_in_tree, copies: documents.copies(&document, profile, false) };
        let is_quiet = found.is_empty();
        if let Some(green) = green.filter(|_| is_quiet) {
            memo.set_quiet_keys(green, profile, quiet);
        }
        self.take(found);
        Some(is_quiet && quiet.is_plain())
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

    /// What governs values in the file.
    pub(super) fn governing(&self) -> Governing<'s> {
        let (state, file) = (self.state, self.file);
        let whole = self.as_governed(|| governed::of_whole(state, file));
        let claimed = self.as_governed(|| governed::claimed(state, file));
        let keys_profile = self.as_governed(|| json_schemas::profile(state, file));
        let schemas = claimed.iter().flat_map(GovernedClaims::schemas).flatten();
        let schemas = schemas.chain(whole.iter().map(|whole| &whole.schema)).map(identity).collect();
        Governing { whole, claimed, keys_profile, schemas }
    }

    /// Values that schemas govern.
    fn governed(&mut self, documents: &mut Documents<'s>) {
        let parts: Vec<SyntaxNode<'s>> = self.file.tree().root().parts().filter_map(Element::node).collect();
        let (governing, mut memo) = (self.governing(), self.file.memo());
        self.governed_among(&parts, 0..usize::MAX, &governing, documents, &mut memo);
    }

    /// Values that schemas govern in some of the parts directly below the root of the tree, which have the documents of these
    /// numbers.
    pub(super) fn governed_among(
        &mut self,
        parts: &[SyntaxNode<'s>],
        numbers: Range<usize>,
        governing: &Governing<'s>,
        documents: &mut Documents<'s>,
        memo: &mut CheckMemo,
    ) {
        let Governing { whole, claimed, keys_profile, .. } = governing;
        let texts = TextSource::Of(self.state, self.file);
        let (of_schemas, ways) = (governing.begin(memo), Ways::default());
        let mut check = CheckOfParts { documents, memo, texts, numbers: of_schemas, keys_profile: *keys_profile, ways };
        if let Some(whole) = whole {
            let mut number = numbers.start;
            for part in parts {
                self.part_of_the_whole(*part, whole, &mut number, &mut check);
            }
        }
        for claims in claimed {
            for part in claims.claims.parts().filter(|part| numbers.contains(&part.place.document)) {
                self.governed_in(claims, &part, &mut check);
            }
        }
    }

    /// Checks a document, or those in a group, against the schema of the file. Gives whether all of them are known to fit.
    fn part_of_the_whole(
        &mut self,
        part: SyntaxNode<'s>,
        whole: &WholeFile,
        number: &mut usize,
        check: &mut CheckOfParts<'_, 's>,
    ) -> bool {
        if self.cancel.is_cancelled() {
            return false;
        }
        if let Some(document) = Document::cast(part) {
            let index = *number;
            *number += 1;
            // Of most documents of a long stream nothing is read.
            return check.fits(self.file, &document, &whole.schema).unwrap_or_else(|| {
                let written = WrittenPart { document, value: document.root(), within: None };
                whole.part(&document, index).is_none_or(|part| self.governed_part(&part, &written, check))
            });
        }
        let schema = check.number_of(Some(&whole.schema));
        let green = part.green().filter(|_| schema < FURTHER && !self.file.facts.ytt);
        if let Some(green) = green.filter(|green| check.memo.all_fit(green, WHOLE, &[schema])) {
            *number += green.count();
            return true;
        }
        let mut all_fit = true;
        for inside in part.parts().filter_map(Element::node) {
            all_fit &= self.part_of_the_whole(inside, whole, number, check);
        }
        if let Some(green) = green.filter(|_| all_fit) {
            check.memo.set_all_fit(green, WHOLE, &[schema]);
        }
        all_fit
    }

    /// Checks the values that a language claims in a document or in a group of documents. Gives whether all of them are
    /// known to fit.
    fn governed_in(
        &mut self,
        claims: &GovernedClaims<'_>,
        placed: &PlacedPart<'_>,
        check: &mut CheckOfParts<'_, 's>,
    ) -> bool {
        let schemas: Vec<u16> = claims.schemas_in(placed).map(|schema| check.number_of(schema)).collect();
        if schemas.iter().all(|number| *number == 0) {
            return true;
        }
        let language = claims.claims.dialect.name();
        let values = || placed.claims().filter(|claim| claim.role.is_values());
        // Documents that are governed as a whole are remembered with the copies that their aliases make.
        let is_whole = placed.start_of_item().is_none() && values().any(|claim| claim.at.is_empty());
        let is_remembered = !is_whole && !self.file.facts.ytt && !schemas.contains(&FURTHER);
        if is_remembered && check.memo.all_fit(&placed.part.node, language, &schemas) {
            return true;
        }
        let mut fit = true;
        for part in placed.inside().into_iter().flatten() {
            fit &= self.governed_in(claims, &part, check);
        }
        if values().next().is_some() {
            let Some(document) = self.file.tree().document(placed.place.document) else { return false };
            let item = placed.start_of_item().and_then(|start| list_items(&document)?.inside_at(start));
            let (root, within) = match item {
                Some((_, node)) => (Item::cast(node).map(|item| item.value()), node),
                None => (document.root(), document.node()),
            };
            for claim in values() {
                if self.cancel.is_cancelled() {
                    return false;
                }
                let value =
                    root.and_then(|root| claim.at.iter().try_fold(root, |value, step| check.ways.below(value, step)));
                let within = (!is_whole).then_some(within);
                fit &= self.governed_part(&claims.referring(&claim), &WrittenPart { document, value, within }, check);
            }
        }
        if is_remembered && fit {
            check.memo.set_all_fit(&placed.part.node, language, &schemas);
        }
        fit
    }

    /// Checks a part of a document against its schema. Gives whether it is now known to fit, or has no schema.
    fn governed_part(&mut self, part: &Referring, written: &WrittenPart<'s>, check: &mut CheckOfParts<'_, 's>) -> bool {
        let file = self.file;
        let WrittenPart { document, value, within } = *written;
        let Some(found) = part.schema.as_ref().filter(|schema| !schema.is_meta_schema) else { return true };
        let texts = check.texts;
        let values = ValuesCheck::alone(&found.schema, &texts).up_to(self.limit);
        let number = check.number_of(Some(found));
        // A file that names its schema is read by the rules of that language.
        let semantics = found.schema.semantics();
        let (profile, substituted) = (semantics.profile, is_substituted(file, semantics));
        let whole = Some(document).filter(|_| part.claim.at.is_empty() && number < FURTHER);
        if let Some(known) = whole.and_then(|document| check.fits(file, &document, found)) {
            return known;
        }
        let green = document.node().green().filter(|_| !file.facts.ytt);
        let governed = GovernedPart {
            number,
            at: &part.claim.at,
            name: Span::new(file.id, part.claim.key.clone()),
            node: found.schema.root(),
        };
        // Code and aliases may give what is not written. A part that is not there at all may be about to be written.
        let is_written_only = !file.facts.ytt && !document.node().has_names();
        let is_empty = is_written_only
            && semantics.null_part == NullPart::EmptyMap
            && value.is_some_and(|value| WrittenSteps::root(value, profile).is_null());
        // What is missing in a null that is written is reported there.
        let written = value.and_then(|value| value.scalar()).map(|scalar| Span::new(file.id, scalar.range()));
        let name = written.filter(|_| is_empty).unwrap_or(governed.name);
        let governed = GovernedPart { name, ..governed };
        let empty = || Node::new(NodeValue::Map(lofting_document::Map::default()), name);
        let in_tree =
            value.filter(|_| !is_empty).filter(|_| check.documents.is_in_tree(part.claim.document) && number < FURTHER);
        let in_tree = in_tree.and_then(|value| {
            let reader = check.documents.in_tree(&document, profile, substituted, check.memo)?;
            governed.check_in_tree(&values, reader, value, check.memo)
        });
        let is_in_tree = is_empty || in_tree.is_some();
        let checked = match in_tree {
            Some(checked) => checked,
            None if is_empty => governed.check(&values, &empty()),
            None => {
                let read = check.documents.document(part.claim.document, &document, profile, substituted);
                let value = read.and_then(|read| part.claim.at.iter().try_fold(&read.value, node_below));
                match value {
                    Some(value) if value.value == NodeValue::Null && semantics.null_part == NullPart::EmptyMap => {
                        governed.check(&values, &empty())
                    }
                    Some(value) => governed.check(&values, value),
                    None => Default::default(),
                }
            }
        };
        self.more += checked.more;
        // What a document says is not all known if reading it reached a limit, which is a finding of its keys.
        let is_quiet = checked.findings.is_empty() && checked.more == 0;
        let read = green.filter(|green| is_quiet && check.memo.quiet_keys(green, check.keys_profile).is_some());
        let fits = match within {
            // What it refers to may be anywhere in the document.
            Some(within) => is_quiet && !within.has_names() && (is_in_tree || read.is_some()),
            None => read.filter(|_| whole.is_some()).is_some_and(|green| {
                let copies = check.documents.copies(&document, profile, substituted);
                check.memo.set_fits(green, number, copies);
                copies == 0
            }),
        };
        self.take_values(part, found, checked.into_diagnostics());
        fits
    }

    /// Adds what was found about values.
    fn take_values(&mut self, part: &Referring, schema: &ClaimedSchema, found: Vec<Diagnostic>) {
        let (file, texts) = (self.file, TextSource::Of(self.state, self.file));
        let certain = |finding: &Diagnostic| !schema.uncertain || finding.rule.certainty != Certainty::NeedsWholeSchema;
        // A string with an expression in it has a value that only rendering knows.
        let is_patched = matches!(part.claim.role, Role::Patched(_));
        let is_computed = is_patched || matches!(part.claim.role, Role::Computed(_));
        let reported = |finding: &Diagnostic| {
            !is_computed || !texts.text(finding.span).is_some_and(|text| text.contains(EXPRESSION))
        };
        let is_given_later = |finding: &Diagnostic| {
            let needs_all = finding.rule.certainty == Certainty::NeedsAllValues;
            let is_missing = *finding.rule == lofting_check::rules::MISSING_KEY;
            part.is_merged_later() && (needs_all || is_missing)
                || is_patched && (needs_all || is_missing || finding.lack.is_some())
        };
        let known = |finding: &Diagnostic| !is_value_unknown(file, finding) && !is_given_later(finding);
        let all = found.into_iter().filter(|finding| certain(finding) && reported(finding) && known(finding));
        let taken = |finding: &Diagnostic| {
            let by_name =
                || read_otherwise(file, finding, part.is_built_in_for_name()).filter(|_| part.is_by_file_name());
            let is_left_out = finding.is_about_null() && part.is_merged_later();
            if is_left_out { Some(Severity::Hint) } else { by_name() }
        };
        let doubt = doubt(self.state, schema.file);
        self.take(all.map(|finding| match (taken(&finding), &doubt) {
            _ if finding.severity != Severity::Error => finding,
            (Some(severity), _) => Diagnostic { severity, ..finding },
            (None, Some(Doubt::Outgrown(words))) => in_an_old_copy(finding, words),
            (None, Some(Doubt::Strict(words))) => in_a_strict_copy(finding, words),
            (None, None) => finding,
        }));
    }
}

/// What stands for a schema among those of a file. Others are only read when something asks for what they say.
fn identity(schema: &Arc<ClaimedSchema>) -> PartSchema {
    let is_built_in = schema.stamp == Stamp::default();
    (schema.stamp, if is_built_in { Arc::as_ptr(&schema.schema).addr() } else { 0 })
}

/// What stands for the schema of a whole file where others are remembered by the language that claims values.
const WHOLE: &str = "";

/// A part where it is written.
#[derive(Clone, Copy)]
struct WrittenPart<'s> {
    document: Document<'s>,
    /// None if there is none.
    value: Option<Value<'s>>,
    /// The document or the item of a list that it is in, unless it is the document as a whole.
    within: Option<SyntaxNode<'s>>,
}

/// What governs values in a file.
pub(super) struct Governing<'s> {
    /// The schema that the file has as a whole.
    whole: Option<WholeFile>,
    claimed: Vec<GovernedClaims<'s>>,
    /// How keys are read.
    keys_profile: Profile,
    /// All of the schemas.
    schemas: FxHashSet<PartSchema>,
}

impl Governing<'_> {
    pub fn has_schemas(&self) -> bool {
        !self.schemas.is_empty()
    }

    /// Starts a check with the schemas, and gives their numbers.
    pub fn begin(&self, memo: &mut CheckMemo) -> PartNumbers {
        memo.begin_parts(&self.schemas)
    }
}

/// What checking the parts of a file needs.
struct CheckOfParts<'c, 's> {
    documents: &'c mut Documents<'s>,
    memo: &'c mut CheckMemo,
    texts: TextSource<'s>,
    /// The numbers of schemas, from 1.
    numbers: PartNumbers,
    /// How keys were read.
    keys_profile: Profile,
    ways: Ways<'s>,
}

impl<'s> CheckOfParts<'_, 's> {
    /// The number of a schema; 0 if nothing is checked.
    fn number_of(&self, schema: Option<&Arc<ClaimedSchema>>) -> u16 {
        let checked = schema.filter(|schema| !schema.is_meta_schema);
        checked.map_or(0, |schema| self.numbers.get(&identity(schema)).copied().unwrap_or(FURTHER))
    }

    /// Whether a document is known to fit a schema that governs it as a whole; its copies are counted. If it is, whether
    /// it has no copies.
    fn fits(&mut self, file: &File, document: &Document<'s>, schema: &Arc<ClaimedSchema>) -> Option<bool> {
        let number = Some(self.number_of(Some(schema))).filter(|number| *number < FURTHER);
        let green = document.node().green().filter(|_| !file.facts.ytt);
        let copies = number.zip(green).and_then(|(number, green)| self.memo.fits(green, number))?;
        let semantics = schema.schema.semantics();
        let substituted = is_substituted(file, semantics);
        self.documents.counts(document, semantics.profile, substituted, copies).then_some(copies == 0)
    }
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
        return (is_built_in && !lofting_check::is_about_exclusive_keys(finding)).then_some(Severity::Hint);
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

/// The value one step below another, in data.
pub(crate) fn node_below<'n>(node: &'n Node, step: &schema::Step) -> Option<&'n Node> {
    match (&node.value, step) {
        (NodeValue::Map(items), schema::Step::Key(key)) => items.value(key),
        (NodeValue::Array(items), schema::Step::Index(index)) => items.get(*index).map(|item| &item.value),
        _ => None,
    }
}

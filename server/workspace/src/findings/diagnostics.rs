//! All findings of one file, memoised by their inputs.

mod ahead;
mod documents;
mod in_tree;
mod parts;
mod permitted;
mod remembered;
mod schemas;
pub(crate) mod statements;
mod values;
mod within;

pub(crate) use parts::{is_substituted, is_value_unknown, node_below};
pub(crate) use remembered::Remembered;
pub(crate) use schemas::{bundle_finding, lost_in_bundles, syntax_error_of};

use self::permitted::Permitted;
use crate::association::associate::{associate, kind};
use crate::association::configurations;
use crate::association::governed;
use crate::association::kind::FileKind;
use crate::association::known_kinds;
use crate::association::kustomizations;
use crate::association::no_data::no_data;
use crate::association::reads::{self, Reads, reads};
use crate::association::reason::{Association, ModelineProblem, Reason, SchemaRef};
use crate::association::referents;
use crate::association::schema_state::SchemaState;
use crate::evaluation::Failure;
use crate::files::file::{BY_YTT, File};
use crate::findings::begun::join_begun;
use crate::findings::branch::with_branch;
use crate::findings::calls;
use crate::findings::damage;
use crate::findings::decided;
use crate::findings::depth::keep_one_for_each_depth;
use crate::findings::inline_findings::with_inline_findings;
use crate::findings::levels;
use crate::findings::meant::{MadeBy, join_meant};
use crate::findings::rendered::RenderedInFile;
use crate::findings::said::drop_said;
use crate::findings::shared::failures_of_others;
use crate::findings::state::CheckState;
use crate::findings::suppressions::{self, SuppressionFindings};
use crate::findings::unused_definitions;
use crate::findings::unused_keys::unused_keys;
use crate::findings::unused_library::{self, unused_library};
use crate::findings::waits;
use crate::input_sets::config_paths::path_meant;
use crate::input_sets::sets::{FileRole, SetOrigin};
use crate::inputs::NameKind;
use crate::source::TextSource;
use lofting_check::rules::{CODE_SYNTAX, EVALUATION};
use lofting_check::{Bound, Diagnostic, LIMIT, Severity};
use lofting_diagnostic::{Certainty, Fix, Rule};
use lofting_document::{Document, FileId, Issue, Span};
use lofting_eval::EvalErrorKind;
use lofting_memo::{CancelFlag, Cancelled, Stamp, recorder};
use rustc_hash::FxHashSet;
use std::sync::Arc;

/// What may be before the first line of a text.
const BYTE_ORDER_MARK: &str = "\u{feff}";

/// The findings of a file.
#[derive(Debug, Clone)]
pub struct Findings {
    /// Sorted by position.
    pub list: Arc<[Diagnostic]>,
    /// Code may yield more findings, but was not waited for.
    pub partial: bool,
}

impl Default for Findings {
    fn default() -> Self {
        Findings { list: Arc::from([]), partial: false }
    }
}

pub(crate) fn diagnostics(state: &CheckState, file: &File, cancel: &CancelFlag) -> Findings {
    with_inline_findings(state, file.id, own_diagnostics(state, file, cancel), cancel)
}

/// Whether the findings of a file, or of languages inside it, are incomplete without code.
pub(crate) fn waits_for_code(state: &CheckState, file: &File) -> bool {
    let hosted = state.inline.of_host(file.id).iter().filter_map(|inside| state.file(*inside));
    let waits = |file: &File| waits::waits_for_code(state, file, &associate(state, file), &reads(state, file));
    state.has_coded_files() && std::iter::once(file).chain(hosted.map(Arc::as_ref)).any(waits)
}

fn own_diagnostics(state: &CheckState, file: &File, cancel: &CancelFlag) -> Findings {
    let asked = Asked::of(state, file);
    let Ok(found) = asked.remembered(cancel) else { return Findings::default() };
    // A finding may refer to something that the schema no longer contains literally: then the findings are computed
    // again.
    let found = found.now(&asked.association, &asked.read).unwrap_or_else(|| asked.make(LIMIT, cancel).findings);
    with_branch(state, file, with_rendered(state, file, without_filled(state, file, found), LIMIT))
}

/// The findings of a file, however many there are. Nothing is remembered.
pub(crate) fn without_limit(state: &CheckState, file: &File, cancel: &CancelFlag) -> Findings {
    let own = without_filled(state, file, Asked::of(state, file).make(usize::MAX, cancel).findings);
    with_inline_findings(state, file.id, with_rendered(state, file, own, usize::MAX), cancel)
}

/// Drops findings about what a kustomization puts into the resources of the file. Few files have such findings, so this
/// does not count for what is remembered.
fn without_filled(state: &CheckState, file: &File, found: Findings) -> Findings {
    match kustomizations::without_filled(state, file, &found.list) {
        Some(left) => Findings { list: left.into(), ..found },
        None => found,
    }
}

/// Adds the findings of rendering the file.
fn with_rendered(state: &CheckState, file: &File, found: Findings, limit: usize) -> Findings {
    let Some(RenderedInFile { list: rendered, refuted, .. }) = state.rendered.of(file) else { return found };
    // What code reads is reported by running it, which also knows how far it got.
    let is_repeated = |finding: &Diagnostic| {
        let at = finding.span.range();
        let is_here = |other: &Diagnostic| other.span.range().start <= at.end && at.start <= other.span.range().end;
        lofting_check::rules::READ_STATICALLY.contains(&finding.rule) && rendered.iter().any(is_here)
    };
    let is_refuted = |finding: &Diagnostic| !refuted.is_empty() && refuted.contains(&finding.identity());
    let known = found.list.iter().filter(|finding| !is_repeated(finding) && !is_refuted(finding));
    // What is output as it is written has been checked as well.
    let known_places: FxHashSet<(&str, Span)> =
        known.clone().map(|finding| (finding.rule.code, finding.span)).collect();
    let read: Vec<Diagnostic> = found.list.iter().filter(|finding| is_repeated(finding)).cloned().collect();
    let mut rendered = rendered.to_vec();
    lofting_check::explain_reads(&mut rendered, &read);
    // That a statement cannot be read is reported in plain words already.
    let line_of = |finding: &Diagnostic| file.text().line_of(finding.marked().range().start);
    let unread: FxHashSet<usize> = known.clone().filter(|known| is_of(&CODE_SYNTAX, known)).map(line_of).collect();
    let is_known = |finding: &Diagnostic| {
        let is_unread = !unread.is_empty() && is_of(&EVALUATION, finding) && unread.contains(&line_of(finding));
        is_unread || known_places.contains(&(finding.rule.code, finding.span))
    };
    let mut list: Vec<Diagnostic> =
        known.chain(rendered.iter().filter(|finding| !is_known(finding))).cloned().collect();
    lofting_check::limit_to(limit, &mut list, 0);
    Findings { list: list.into(), ..found }
}

fn is_of(rule: &Rule, finding: &Diagnostic) -> bool {
    finding.rule.code == rule.code
}

/// A file whose findings are requested, with what governs it.
pub(crate) struct Asked<'a> {
    state: &'a CheckState,
    file: &'a File,
    association: Arc<Association>,
    /// Templates read what the schema declares, whose own code may have to run.
    read: Arc<Reads>,
    /// Code may yield more findings, but is not waited for here.
    partial: bool,
    /// Stands for what decides how the file is checked.
    decided: Stamp,
}

impl<'a> Asked<'a> {
    pub fn of(state: &'a CheckState, file: &'a File) -> Self {
        let (association, read) = (associate(state, file), reads(state, file));
        let partial = state.runner.is_none() && waits::waits_for_code(state, file, &association, &read);
        let decided = decided::stamp(state, file, &association, &read);
        Asked { state, file, association, read, partial, decided }
    }

    /// The findings, computed unless they were computed from the same inputs before.
    pub fn remembered(&self, cancel: &CancelFlag) -> Result<Arc<Remembered>, Cancelled> {
        let Asked { state, file, association, read, partial, decided } = self;
        // Positions in a schema appear in its own files; its meaning appears in all files that it governs.
        let schema = |schema: &SchemaRef| {
            if schema.source.contains(file.id) { schema.state.stamp } else { schema.state.meaning }
        };
        let inputs = state.inputs(
            [state.stamp(file), state.structure, state.attempt, *decided]
                .into_iter()
                .chain(configurations::stamps(state, &file.path))
                .chain(association.schemas().chain(&read.schemas).map(schema))
                .chain(calls::stamps_with(state, file.id))
                .chain(failures_reported_in(state, file.id).into_iter().map(|(stamp, _)| stamp))
                .chain(governed::stamps(state, file))
                .chain(schemas::stamps(state, file))
                .chain(referents::stamps(state, file))
                .chain(kustomizations::stamps(state, file))
                .chain(known_kinds::stamp(state, file))
                .chain(unused_keys(state, file).map(|unused| unused.stamp))
                .chain(unused_library::stamp(state, file))
                .chain(unused_definitions::stamp(state, file)),
        );
        state.check_memos.findings.get_unless(cancel, *partial, file.id, &inputs, |cancel| self.make(LIMIT, cancel))
    }

    /// At most `limit` findings.
    fn make(&self, limit: usize, cancel: &CancelFlag) -> Remembered {
        let Asked { state, file, association, read, partial, decided } = self;
        let partial = *partial;
        let kind = recorder::only("decisions", || [*decided], || kind(state, file));
        let reported = |limit: usize| {
            let (found, more, bound) = (Vec::new(), 0, Bound::default());
            let collect = Collect { state, file, kind, association, read, cancel, partial, limit, found, more, bound };
            // Texts of all documents and parts of a file share what expressions may take.
            let (mut found, more) = lofting_schema::within_a_document(|| collect.run());
            let made = found.len();
            let is_complete = more == 0 && !partial && !cancel.is_cancelled();
            suppressions::apply(file, &mut found, suppression_findings(kind, is_complete));
            levels::apply(state, file, &mut found);
            (found, more, made)
        };
        let (mut found, mut more, made) = reported(limit);
        if more > 0 && found.len() < made && limit < usize::MAX {
            // What was only counted may be suppressed as well.
            (found, more, _) = reported(usize::MAX);
        }
        lofting_check::limit_to(limit, &mut found, more);
        Remembered::new(Findings { list: found.into(), partial }, association, read)
    }
}

/// How code of other files of its sets failed in a file.
fn failures_reported_in(state: &CheckState, file: FileId) -> Vec<(Stamp, Failure)> {
    if !state.has_coded_files() {
        return Vec::new();
    }
    let sets = || state.sets.indices_of_file(file).flat_map(|(set, _)| failures_of_others(state, set, file));
    // Runs that do not fail here say nothing.
    recorder::only("failures", || sets().map(|(stamp, _)| stamp).collect::<Vec<_>>(), || sets().collect())
}

/// The findings about comments that suppress findings. `complete`: all findings are there.
fn suppression_findings(kind: FileKind, complete: bool) -> SuppressionFindings {
    match kind {
        FileKind::Other => SuppressionFindings::Nothing,
        // Rendering may find more.
        FileKind::Template | FileKind::Library => SuppressionFindings::Mistakes,
        _ if complete => SuppressionFindings::All,
        _ => SuppressionFindings::Mistakes,
    }
}

struct Collect<'a> {
    state: &'a CheckState,
    file: &'a File,
    kind: FileKind,
    association: &'a Association,
    read: &'a Reads,
    cancel: &'a CancelFlag,
    /// Code may yield more findings, but is not waited for here.
    partial: bool,
    /// How many findings are made.
    limit: usize,
    found: Vec<Diagnostic>,
    /// Findings that were only counted.
    more: usize,
    /// Bounds what is found in many documents.
    bound: Bound,
}

impl Collect<'_> {
    fn run(mut self) -> (Vec<Diagnostic>, usize) {
        let start = Span::new(self.file.id, 0..0);
        if let Some(problem) = self.file.problem() {
            self.found.push(lofting_check::unreadable_file(start, &problem.to_string()));
            return (self.found, self.more);
        }
        let parts: Vec<(usize, FileRole)> = self.state.sets.indices_of_file(self.file.id).collect();
        if let [(set, FileRole::Flag)] = parts.as_slice() {
            self.runs(&[*set]);
            return (self.found, self.more);
        }
        if parts.iter().any(|(_, part)| matches!(part, FileRole::PlainValues | FileRole::LibraryValues)) {
            self.annotations_in_plain_values();
        }
        let kind = self.kind;
        match kind {
            FileKind::Configuration => self.configuration(),
            FileKind::Other => self.other(),
            FileKind::Parts => self.parts(),
            _ => self.ours(kind),
        }
        if matches!(kind, FileKind::DataValues | FileKind::PlainValues) {
            self.written_defaults();
        }
        if matches!(kind, FileKind::Other | FileKind::Parts) {
            self.unread_schema();
            self.modeline();
            self.found.extend(kustomizations::findings(self.state, self.file));
        }
        drop_said(self.state, &mut self.found, |id| (id == self.file.id).then_some(self.file));
        lofting_check::drop_refused_defaults(&mut self.found);
        keep_one_for_each_depth(&mut self.found, self.file);
        join_meant(&mut self.found, MadeBy::Hand, |id| (id == self.file.id).then_some(self.file));
        damage::drop_what_it_hides(&mut self.found, self.file);
        damage::drop_what_is_overridden(&mut self.found, self.file);
        damage::drop_repetitions_it_causes(&mut self.found, self.file);
        join_begun(&mut self.found, self.file);
        if kind != FileKind::Configuration {
            damage::keep_causes(&mut self.found, self.file);
        }
        (self.found, self.more)
    }

    fn configuration(&mut self) {
        let id = self.file.id;
        let config = self.file.config().clone();
        for error in &config.errors {
            let span = Span::new(id, error.range.clone());
            let finding = lofting_check::configuration(span, &error.message, error.help.as_deref());
            self.found.push(match &error.meant {
                Some(meant) => finding.fix(Fix::replace(format!("Rename to `{meant}`"), span, meant)),
                None => finding,
            });
        }
        self.found.extend(config.renamed.iter().map(|(range, today)| {
            lofting_check::renamed_rule(Span::new(id, range.clone()), today, &format!("\"{today}\""))
        }));
        self.configured_schemas(&config);
        for index in self.state.sets_described_by(id) {
            let Some(set) = self.state.sets.sets.get(*index) else { continue };
            for (range, message) in set.errors.iter().filter(|(range, _)| !config.is_half_typed(range.start)) {
                let span = Span::new(id, range.clone());
                // Each suggestion looks through the names of a directory, and a longer list of findings is cut anyway.
                let meant = (self.found.len() < LIMIT).then(|| path_meant(self.state, self.file, range));
                let help = meant.flatten().map(|path| format!("did you mean `{path}`?"));
                self.found.push(lofting_check::configuration(span, message, help.as_deref()));
            }
            for (range, what) in &set.left_out {
                self.found.push(lofting_check::out_of_reach(Span::new(id, range.clone()), what));
            }
            // Data values given as flags are checked where they are written.
            if !set.flags.is_empty() && !self.cancel.is_cancelled() {
                self.runs(&[*index]);
            }
        }
    }

    /// YAML without a schema: what needs none is checked, unless another server does so.
    fn other(&mut self) {
        if self.is_code_to_check() {
            self.statements();
        }
        if self.file.is_in_another_language() {
            return;
        }
        let is_input = self.is_input();
        // ytt reads its inputs as YAML; every other program renders a template first.
        if !is_input && no_data(self.state, self.file).is_some_and(|why| why.is_template()) {
            return;
        }
        if is_input {
            self.syntax();
        } else if matches!(NameKind::of_path(&self.file.path), NameKind::Yaml | NameKind::YamlLibrary | NameKind::Data)
            && (self.state.settings.validate_other_yaml || self.state.named.contains(&self.file.id))
        {
            self.plain(self.file.read_as());
        }
        let is_template = |(_, part)| part == FileRole::Template;
        if self.state.sets.of_file(self.file.id).any(is_template) {
            self.found
                .extend(lofting_check::check_parsing(self.file.lowered(), &TextSource::Of(self.state, self.file)));
        }
        // Lowering a large file only for this would take longer than everything else.
        if self.file.text().slice(0..BYTE_ORDER_MARK.len()) == BYTE_ORDER_MARK {
            self.found.extend(lofting_check::hidden_annotation(self.file.lowered()));
        }
        self.lookalikes();
        if known_kinds::may_find(self.file) {
            self.kinds();
        }
    }

    /// Whether the file is given to `ytt`, which parses all its inputs.
    fn is_input(&self) -> bool {
        self.state.sets.of_file(self.file.id).any(|(_, part)| part.is_read())
    }

    fn syntax(&mut self) {
        let is_ytt = self.file.facts.ytt || self.is_input();
        let profile = if is_ytt { BY_YTT } else { self.file.read_as() };
        self.found.extend(lofting_check::check_syntax(self.file.id, self.file.tree(), profile));
    }

    /// Annotations that ytt takes for ordinary comments; in templates these are errors anyway.
    fn lookalikes(&mut self) {
        if !self.file.facts.lookalike || self.file.holds().template {
            return;
        }
        let id = self.file.id;
        let comments: Vec<(Span, String)> = self
            .file
            .tree()
            .comments()
            .map(|comment| (Span::new(id, comment.range()), comment.text().into_owned()))
            .collect();
        let comments = comments.iter().map(|(span, text)| (*span, text.as_str()));
        self.found.extend(lofting_check::check_plain_comments(comments));
    }

    fn ours(&mut self, kind: FileKind) {
        self.syntax();
        if self.cancel.is_cancelled() || self.in_tree(kind) {
            return;
        }
        let texts = TextSource::Of(self.state, self.file);
        let documents = self.file.lowered();
        self.found.extend(lofting_check::check_documents(documents, &texts));
        self.drop_what_damage_causes();
        self.statements();
        self.code();
        self.unused(kind == FileKind::Library);
        let needs = || unused_library::stamp(self.state, self.file);
        self.found.extend(recorder::only("libraries", needs, || unused_library(self.state, self.file)));
        self.drop_what_flags_allow();
        self.lookalikes();
        self.modeline();
        if self.cancel.is_cancelled() {
            return;
        }
        match kind {
            FileKind::Template | FileKind::Library => {
                let (found, more) = reads::findings(self.file, self.read);
                self.found.extend(found);
                self.more += more;
            }
            FileKind::Schema => {
                self.schema();
                let unused = || unused_keys(self.state, self.file);
                let unused = recorder::only("unused keys", || unused().map(|unused| unused.stamp), unused);
                self.found.extend(unused.iter().flat_map(|unused| unused.found.clone()));
                self.values();
            }
            _ => self.values(),
        }
    }

    /// How running code ended in this file: its own code, or that of a file of its set that called into it.
    fn code(&mut self) {
        let id = self.file.id;
        let others = failures_reported_in(self.state, id);
        let mut failures: Vec<Failure> = others.into_iter().map(|(_, failure)| failure).collect();
        failures.extend(self.state.evaluations.of(self.file).and_then(|evaluated| evaluated.error.clone()));
        for (failure, finding) in failures.iter().flat_map(|failure| {
            let findings = failure.findings(id);
            findings.into_iter().map(move |finding| (failure, finding))
        }) {
            // An error that was already reported about the text of that line is the reason why the code fails.
            let line = |span: Span| self.file.text().line_of(span.range().start);
            let suppression_findings = self
                .found
                .iter()
                .any(|known| known.severity == Severity::Error && line(known.span) == line(finding.span));
            let typed = failure.error.kind == EvalErrorKind::Syntax && self.is_half_typed();
            if !suppression_findings && !typed {
                self.found.push(finding);
            }
        }
    }

    /// What nothing uses, where the whole text can be read.
    fn unused(&mut self, is_library: bool) {
        if self.file.tree().root().has_errors() || self.is_half_typed() {
            return;
        }
        let written = self.file.lowered();
        self.found.extend(lofting_check::check_shadowed(&written.documents));
        // Code in keys is not read before it is run.
        if self.file.may_have_code() && !written.templated_keys {
            self.found.extend(lofting_check::check_unused(self.file.id, self.file.code(), is_library));
        }
    }

    /// Whether it is already known where the code of the file cannot be read. The evaluator only notices it further
    /// down.
    fn is_half_typed(&self) -> bool {
        self.file.lowered().issues.iter().any(|issue| {
            use Issue::{Arguments, Code, CodeWithoutSpace, HalfOpenBlock, UnclosedBlock, UnexpectedEnd};
            matches!(
                issue,
                Arguments { .. }
                    | Code { .. }
                    | CodeWithoutSpace { .. }
                    | HalfOpenBlock { .. }
                    | UnclosedBlock { .. }
                    | UnexpectedEnd { .. }
            )
        })
    }

    /// If the YAML is damaged, comments may not be found: then the beginning or end of a block is missing only here.
    fn drop_what_damage_causes(&mut self) {
        let errors = self.file.errors();
        let (Some(first), Some(last)) = (errors.first(), errors.last()) else { return };
        let (first, last) = (first.range.start, last.range.end);
        self.found.retain(|finding| match finding.rule.certainty {
            Certainty::NeedsTextBefore => finding.span.range().start < first,
            Certainty::NeedsTextBehind => finding.span.range().start > last,
            Certainty::NeedsWholeText => false,
            Certainty::Certain | Certainty::NeedsWholeSchema | Certainty::NeedsAllValues => true,
        });
    }

    fn drop_what_flags_allow(&mut self) {
        let permitted = Permitted::by(&self.file.options);
        self.found.retain(|finding| !permitted.has(finding));
    }

    fn modeline(&mut self) {
        if let Some(miss) = self.file.near_miss() {
            let span = Span::new(self.file.id, miss.range.clone());
            self.found.push(lofting_check::near_modeline(span, miss.meant.as_deref()));
        }
        if let (Reason::ModelineBroken { schema, problem }, Some(line)) =
            (&self.association.reason, self.file.modeline())
        {
            let span = Span::new(self.file.id, line.range.clone());
            self.found.extend(match problem {
                ModelineProblem::Awaited => None,
                ModelineProblem::OutOfReach => {
                    Some(lofting_check::out_of_reach(span, &format!("`{schema}`: {problem}")))
                }
                ModelineProblem::NoSchemaDocument => {
                    let text = self.file.text();
                    let start = text.line_range(text.line_of(line.range.start)).start;
                    let comment = Span::new(self.file.id, start..line.range.end);
                    Some(lofting_check::modeline(span, schema, &problem.to_string(), Some(comment)))
                }
                _ => Some(lofting_check::modeline(span, schema, &problem.to_string(), None)),
            });
        }
    }

    /// Findings about the schema that this file is part of.
    fn schema(&mut self) {
        let id = self.file.id;
        let schemas: Vec<Arc<SchemaState>> = self.association.schemas().map(|schema| schema.state.clone()).collect();
        for schema in schemas {
            self.found.extend(schema.findings.get(&id).into_iter().flatten().cloned());
        }
        self.schema_for_libraries();
    }

    /// Schema documents for libraries, each as it is alone, because it must be valid alone (docs/ytt.md 8.2). ytt
    /// checks them when it evaluates the library.
    fn schema_for_libraries(&mut self) {
        if self.state.sets.of_file(self.file.id).any(|(set, _)| set.origin == SetOrigin::Flags) {
            return;
        }
        let texts = TextSource::Of(self.state, self.file);
        let documents = self.state.documents(self.file).clone();
        let addressed = |document: &&Document| document.is_schema() && document.notes.has("library/ref");
        for document in documents.documents.iter().filter(addressed) {
            let read = lofting_dialect::data_values::read(&[document]);
            let found = lofting_check::check_schema(&read.schema, &read.faults, &texts);
            self.found.extend(found.into_iter().filter(|finding| finding.span.file == self.file.id));
        }
    }

    /// The sets that are relevant for the file's values, with its part in each.
    fn sets(&self) -> Vec<(usize, FileRole)> {
        match self.association.reason {
            Reason::Sets { .. } | Reason::Command { .. } | Reason::Flags { .. } | Reason::IsSchema => {
                self.state.sets.deciding(self.file.id)
            }
            _ => Vec::new(),
        }
    }
}

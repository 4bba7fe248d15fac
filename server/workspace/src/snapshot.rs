//! A consistent view of the workspace at one moment.

mod schemas;

use crate::association::associate;
use crate::association::configurations;
use crate::association::governed::{self, Governed, governed};
use crate::association::json_schemas;
use crate::association::kind::FileKind;
use crate::association::known_kinds;
use crate::association::reads::{FlagKey, GivenKey, Reads, command_keys, command_text, flag_keys, reads};
use crate::association::reason::Association;
use crate::association::referents::{Instead, NamedDocument, has_references, named_document, names_referred_to};
use crate::caches::BUDGET;
use crate::config::Config;
use crate::disk::built_in::{self, is_in_program};
use crate::evaluation::{Evaluation, Need, Runner};
use crate::files::file::File;
use crate::files::table::Kept;
use crate::findings::branch::{BranchFindings, FoundSinceBranch};
use crate::findings::diagnostics::Findings;
use crate::findings::merged::{Merged, merged, merged_quickly, waits_for_merged};
use crate::findings::merged_at::{AskedValue, merged_at};
use crate::findings::rendered::RenderFindings;
use crate::findings::{calls, closed_files, diagnostics};
use crate::input_sets::config_paths::children;
use crate::input_sets::sets::{FileRole, SetOrigin};
use crate::render::{AssumedSet, Output, OutputCall, output, output_calls, output_inputs, with_assumed_set};
use crate::running::{render_findings, with_code};
use crate::settings::OtherYamlFeatures;
use crate::state::State;
use lofting_check::{Diagnostic, LIMIT};
use lofting_dialect::SchemaName;
use lofting_dialect::inside::{FieldUse, Inside, NamedInside, TextPlace, TextReader, TextsAt};
use lofting_document::{DocumentSet, FileId, Span};
use lofting_eval::code::Code;
use lofting_memo::CancelFlag;
use lofting_schema::Schema;
use lofting_syntax::Tree;
use lofting_syntax::resolve::Profile;
use lofting_text::Text;
use smol_str::SmolStr;
use std::any::Any;
use std::ops::Range;
use std::path::Path;
use std::sync::{Arc, OnceLock};

/// The files of an input set.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SetFiles {
    /// Files that ytt searches for schema and data values, in ytt's order.
    pub inputs: Vec<FileId>,
    /// Plain values files that every call gets, in order.
    pub values: Vec<FileId>,
    /// Plain values files that go to one call each.
    pub alternatives: Vec<FileId>,
}

/// A view that no later change affects. Cheap to clone; derived data is computed on first use and shared by all
/// snapshots of the same state.
#[derive(Clone)]
pub struct Snapshot {
    pub(crate) state: Arc<State>,
}

impl Snapshot {
    /// The versions of Kubernetes that `[kubernetes] version` can name with a schema for each kind, the newest first.
    pub fn kubernetes_versions(&self) -> Vec<String> {
        let versions = self.state.settings.built_in.iter().flat_map(|built_in| built_in.catalogue().versions());
        versions.map(ToString::to_string).collect()
    }

    /// The file at a path, if the workspace knows it.
    pub fn file(&self, path: &Path) -> Option<FileId> {
        let path = crate::disk::path::normalise(Path::new("/"), path);
        self.state.file_at(&path).filter(|file| file.exists()).map(|file| file.id)
    }

    /// Whether an editor has a file open as text or code, and its name does not say that it is YAML.
    pub fn is_in_another_language(&self, file: FileId) -> bool {
        self.state.file(file).is_some_and(|file| file.is_in_another_language())
    }

    /// Whether nothing changed between the two.
    pub fn is_same(&self, other: &Snapshot) -> bool {
        Arc::ptr_eq(&self.state, &other.state)
    }

    /// The path of a file; for given text (the standard input, flags) a name that is not a path.
    pub fn path(&self, file: FileId) -> &Path {
        self.state.file(file).map_or(Path::new(""), |file| &file.path)
    }

    /// Whether there is a file with this ID: built-in declarations and texts are in none.
    pub fn is_file(&self, file: FileId) -> bool {
        self.state.file(file).is_some_and(|file| !is_in_program(&file.path))
    }

    /// The name of a built-in text; None for files.
    pub fn built_in_name(&self, file: FileId) -> Option<&str> {
        built_in::below(&self.state.file(file)?.path)
    }

    /// The built-in text with this name.
    pub fn built_in_text(&self, name: &str) -> Option<String> {
        self.state.settings.built_in.as_ref()?.text_named(name)
    }

    /// What a built-in text is, for people; None for files.
    pub fn built_in_words(&self, file: FileId) -> Option<String> {
        let path = &self.state.file(file).filter(|file| is_in_program(&file.path))?.path;
        self.state.settings.built_in.as_ref()?.words(path)
    }

    /// Whether a file is in a folder of the workspace, so that a change in it is the user's.
    pub fn is_own(&self, file: FileId) -> bool {
        let path = self.path(file);
        self.is_file(file) && self.state.roots.iter().any(|root| path.starts_with(root))
    }

    /// The path as messages show it: relative to its workspace folder.
    pub fn shown_path(&self, file: FileId) -> String {
        self.state.shown(self.path(file))
    }

    /// All files that exist, in no particular order.
    pub fn files(&self) -> impl Iterator<Item = FileId> + '_ {
        self.state.files.iter().filter(|file| file.exists()).map(|file| file.id)
    }

    /// Open files, in the order of their IDs.
    pub fn open_files(&self) -> impl Iterator<Item = FileId> + '_ {
        self.state.index.kept(Kept::Open)
    }

    /// The workspace folders.
    pub fn roots(&self) -> impl Iterator<Item = &Path> {
        self.state.roots.iter().map(|root| root.as_path())
    }

    /// The text of a file; empty if it cannot be read.
    pub fn text(&self, file: FileId) -> Text {
        self.state.file(file).map(|file| file.text().clone()).unwrap_or_default()
    }

    /// The syntax tree of a file.
    pub fn tree(&self, file: FileId) -> Arc<Tree> {
        static EMPTY: OnceLock<Arc<Tree>> = OnceLock::new();
        match self.state.file(file) {
            Some(file) => file.tree().clone(),
            None => EMPTY.get_or_init(|| Arc::new(lofting_syntax::parse(""))).clone(),
        }
    }

    /// How plain scalars of a file are read.
    pub fn profile(&self, file: FileId) -> Profile {
        let Some(file) = self.state.file(file) else { return Profile::Ytt };
        match self.kind(file.id) {
            FileKind::Parts => json_schemas::profile(&self.state, file),
            _ => file.profile(),
        }
    }

    /// The documents of a file as data.
    pub fn documents(&self, file: FileId) -> Arc<DocumentSet> {
        self.state.file(file).map(|file| self.state.documents(file).clone()).unwrap_or_default()
    }

    /// The code of a file, parsed but not run.
    pub fn code(&self, file: FileId) -> Arc<Code> {
        self.state.file(file).map(|file| file.code().clone()).unwrap_or_default()
    }

    /// The file that `load("written", ...)` in the code of `file` names.
    pub fn loaded_file(&self, file: FileId, written: &str) -> Option<FileId> {
        crate::association::load::loaded_file(&self.state, self.state.file(file)?, written)
    }

    /// Files that the code of `file` can load, as `load` names them.
    pub fn loadable(&self, file: FileId) -> Vec<String> {
        self.state.file(file).map(|file| crate::association::load::loadable(&self.state, file)).unwrap_or_default()
    }

    /// Files that may load a file: those given to ytt with it, or else those in its directory and the one above.
    pub fn beside(&self, file: FileId) -> Vec<FileId> {
        self.state.file(file).map(|file| crate::association::load::beside(&self.state, file)).unwrap_or_default()
    }

    /// The schemas that declare what `data.values` is in the code of a file.
    pub fn reads(&self, file: FileId) -> Arc<Reads> {
        self.state.file(file).map(|file| reads(&self.state, file)).unwrap_or_default()
    }

    /// The final data values that a file contributes to, one for each `ytt` call it is known to be part of.
    pub fn merged(&self, file: FileId) -> Vec<Merged> {
        self.state.file(file).map(|file| merged(&self.state, file)).unwrap_or_default()
    }

    /// The merged values for a waiting user: empty if they would take a long time and show little.
    pub fn merged_quickly(&self, file: FileId) -> Vec<Merged> {
        self.state.file(file).map(|file| merged_quickly(&self.state, file)).unwrap_or_default()
    }

    /// The merged values for a waiting user, as far as they concern some places of a file: what they are elsewhere is left
    /// open.
    pub fn merged_at(&self, file: FileId, asked: &[AskedValue<'_>]) -> Vec<Merged> {
        self.state.file(file).map(|file| merged_at(&self.state, file, asked)).unwrap_or_default()
    }

    /// Whether [`Snapshot::merged_quickly`] lacks something until [`Snapshot::merged`] has run code for it.
    pub fn waits_for_merged(&self, file: FileId) -> bool {
        self.state.file(file).is_some_and(|file| waits_for_merged(&self.state, file))
    }

    /// The calls that a file is part of and that can be rendered.
    pub fn output_calls(&self, file: FileId) -> Vec<OutputCall> {
        self.state.file(file).map(|file| output_calls(&self.state, file)).unwrap_or_default()
    }

    /// The files whose code has to run before the calls of a file can be rendered.
    pub fn output_inputs(&self, file: FileId) -> Vec<FileId> {
        self.state.file(file).map(|file| output_inputs(&self.state, file)).unwrap_or_default()
    }

    /// For a file that is part of no call: the view in which it belongs to the set that is most likely meant, and that
    /// set. None if nothing in the file is for ytt.
    pub fn with_assumed_set(&self, file: FileId) -> Option<(Snapshot, AssumedSet)> {
        let (state, assumed) = with_assumed_set(&self.state, self.state.file(file)?)?;
        Some((Snapshot { state: Arc::new(state) }, assumed))
    }

    /// The output of a call. Only for a snapshot [`Snapshot::with_code`]: otherwise the output is not known.
    pub fn output(&self, call: &OutputCall) -> Output {
        output(&self.state, call)
    }

    /// The findings of rendering the input sets of these files; `None` once `cancel` is raised. The results of code
    /// that had to run first are returned, as by [`Snapshot::with_code`]. The findings go to
    /// [`crate::Workspace::take_render_findings`].
    pub fn render_findings(
        &self,
        files: &[FileId],
        runner: &Runner,
        reported: &mut dyn FnMut(Evaluation),
        cancel: &CancelFlag,
    ) -> Option<RenderFindings> {
        render_findings(&self.state, files, runner, reported, cancel)
    }

    /// The keys of data values that input sets of the workspace set with flags.
    pub fn flag_keys(&self) -> Vec<FlagKey> {
        flag_keys(&self.state)
    }

    /// The keys of data values that commands in the workspace set themselves.
    pub fn command_keys(&self) -> Vec<GivenKey> {
        command_keys(&self.state)
    }

    /// The text of the file of a command, which may not be a file of ours.
    pub fn command_text(&self, path: &Path) -> Option<Text> {
        command_text(&self.state, path)
    }

    /// The documents of a file, with unknown values in place of code.
    pub fn lowered(&self, file: FileId) -> Arc<DocumentSet> {
        self.state.file(file).map(|file| file.lowered().clone()).unwrap_or_default()
    }

    /// The editor's version of a file, if it is open.
    pub fn version(&self, file: FileId) -> Option<i32> {
        self.state.file(file)?.version()
    }

    /// Different for any two states of any two files.
    pub fn revision(&self, file: FileId) -> u64 {
        self.state.file(file).map_or(0, |file| file.revision.number())
    }

    /// The kind of a file.
    pub fn kind(&self, file: FileId) -> FileKind {
        self.state.file(file).map_or(FileKind::Other, |file| associate::kind(&self.state, file))
    }

    /// Whether a file is given to `ytt` as plain values, where it must not have annotations.
    pub fn is_given_as_plain_values(&self, file: FileId) -> bool {
        self.state.sets.of_file(file).any(|(_, part)| part == FileRole::PlainValues)
    }

    /// Whether a schema of ytt may govern a file, or its code may read values that one declares. A quick look, which may say
    /// yes too often.
    pub fn may_use_schema(&self, file: FileId) -> bool {
        self.state.file(file).is_some_and(|file| associate::may_use_schema(&self.state, file))
    }

    /// Whether we provide outline, folding and selection ranges of a file: otherwise another server provides them, or
    /// the user does not want them.
    pub fn shows_structure(&self, file: FileId) -> bool {
        match self.kind(file) {
            FileKind::Configuration => false,
            FileKind::Other => {
                // Some editors send all files of a language, and `lofting.toml` is one of TOML.
                let other = |file: &Arc<File>| {
                    file.is_in_another_language() || file.path.extension().is_some_and(|extension| extension == "toml")
                };
                !self.state.file(file).is_some_and(other)
                    && self.state.settings.other_yaml_features == OtherYamlFeatures::On
            }
            _ => true,
        }
    }

    /// A parsed `lofting.toml`.
    pub fn config(&self, file: FileId) -> Arc<Config> {
        self.state.file(file).map(|file| file.config().clone()).unwrap_or_default()
    }

    /// The formatting options of a file. Reads the `.editorconfig` files above it.
    pub fn format_options(&self, file: FileId) -> lofting_format::Options {
        crate::formatting::options(&self.state, self.path(file))
    }

    /// Whether a line that Enter has made is indented, in editors that ask for it.
    pub fn indents_on_type(&self) -> bool {
        self.state.settings.indent_on_type
    }

    /// Names directly in a directory, sorted, as far as the workspace knows files in it; those of directories end with
    /// `/`.
    pub fn children(&self, directory: &Path) -> Vec<String> {
        children(&self.state, &crate::disk::path::normalise(Path::new("/"), directory))
    }

    /// The names of the input sets of `lofting.toml` that a file is part of, in their order.
    pub fn named_sets(&self, file: FileId) -> Vec<String> {
        let sets = self.state.sets.of_file_numbered(file).filter_map(|(_, set, _)| match set.origin {
            SetOrigin::Config { .. } => set.name.as_deref().map(str::to_owned),
            _ => None,
        });
        let mut names: Vec<String> = sets.collect();
        names.dedup();
        names
    }

    /// Reads the names by which documents refer to each other, where there are such documents, so that the first one to be
    /// opened need not wait for that. Later states only read what changed.
    pub fn learn_names(&self) {
        if self.files().any(|file| self.state.file(file).is_some_and(|file| file.facts.parts)) {
            self.state.shared.schema_names(&self.state);
            self.state.shared.document_names(&self.state);
        }
    }

    /// What a feature derives from the whole state, once for each. `make` gets the result for an earlier state, so that
    /// it need only look at changes, and returns `None` if it was interrupted.
    pub fn derived<T: Default + Any + Send + Sync>(&self, make: impl FnOnce(Option<Arc<T>>) -> Option<T>) -> Arc<T> {
        if let Some(known) = self.state.derived.get() {
            return known;
        }
        let Some(made) = make(self.state.last_derived.get()) else { return Arc::default() };
        let made = Arc::new(made);
        self.state.derived.note(made.clone());
        self.state.last_derived.note(made.clone());
        made
    }

    /// The files of a set of a `lofting.toml`: inputs, and plain values. `None` if it was not resolved.
    pub fn files_of_set(&self, config: FileId, name: &str) -> Option<SetFiles> {
        let origin = SetOrigin::Config { file: config };
        let set = self.state.sets.sets.iter().find(|set| set.origin == origin && set.name.as_deref() == Some(name))?;
        Some(SetFiles {
            inputs: set.templates.clone(),
            values: set.plain.clone(),
            alternatives: set.alternatives.clone(),
        })
    }

    /// Which schema governs a file, and why.
    pub fn association(&self, file: FileId) -> Arc<Association> {
        match self.state.file(file) {
            Some(file) => associate::associate(&self.state, file),
            None => Arc::new(Association::none(crate::association::reason::Reason::NotValues)),
        }
    }

    /// The parts of a file that schemas in other documents govern, and why.
    pub fn governed(&self, file: FileId) -> Vec<Governed> {
        self.state.file(file).map(|file| governed(&self.state, file)).unwrap_or_default()
    }

    /// All governed parts of the document that begins at an offset. If it is a list of resources, those of the last item
    /// that begins at or before the other one. In a template, those of what it renders.
    pub fn governed_at(&self, file: FileId, document: usize, offset: usize) -> Vec<Governed> {
        let governed = |file: &Arc<File>| governed::governed_at(&self.state, file, document, offset);
        self.state.file(file).map(governed).unwrap_or_default()
    }

    /// The schemas that are parts of a file.
    pub fn schemas_in(&self, file: FileId) -> Vec<Arc<Schema>> {
        let schemas = self.state.file(file).map(|file| file.part_schemas()).unwrap_or_default();
        schemas.iter().map(|schema| schema.schema.clone()).collect()
    }

    /// The schemas that are parts of a file with their names, in the order of the text.
    pub fn named_schemas_in(&self, file: FileId) -> Vec<(SchemaName, Arc<Schema>)> {
        let schemas = self.state.file(file).map(|file| file.part_schemas()).unwrap_or_default();
        schemas.iter().map(|schema| (schema.name.clone(), schema.schema.clone())).collect()
    }

    /// What a language says about a position inside a scalar; `None` if it is just text.
    pub fn inside(&self, file: FileId, place: &TextPlace<'_>) -> Option<Inside> {
        let file = self.state.file(file)?;
        file.of_texts().find_map(|(texts, own)| texts.inside(&**file, &own.view(), place))
    }

    /// The kinds of resources that a file can have, each after its version.
    pub fn kinds_to_write(&self, file: FileId) -> Vec<(SmolStr, SmolStr)> {
        if self.state.file(file).is_some() { known_kinds::to_write(&self.state) } else { Vec::new() }
    }

    /// The keys that the map at a place cannot have by a language of the file, although its schema has them.
    pub fn excluded_keys(&self, file: FileId, place: &TextPlace<'_>) -> Vec<&'static str> {
        let Some(file) = self.state.file(file) else { return Vec::new() };
        file.of_texts().flat_map(|(texts, _)| texts.excluded(&**file, place)).collect()
    }

    /// Keys that are likely in the map at a place by a language of the file, each with its value if that is known.
    pub fn likely_keys(&self, file: FileId, place: &TextPlace<'_>) -> Vec<(String, Option<String>)> {
        let Some(file) = self.state.file(file) else { return Vec::new() };
        let all = file.of_texts().flat_map(|(texts, _)| texts.likely_keys(&**file, place));
        all.map(|(name, value)| (name.to_string(), value.map(String::from))).collect()
    }

    /// Whether a language with claims in a file may read texts inside its scalars.
    pub fn reads_texts(&self, file: FileId) -> bool {
        let languages = |file: &Arc<File>| {
            file.claims().iter().any(|claims| claims.dialect.texts().is_some_and(|texts| texts.has_readers()))
        };
        self.state.file(file).is_some_and(languages)
    }

    /// How a language of a file reads the texts at a place; `None` if they are just texts.
    pub fn text_reader(&self, file: FileId, at: &TextsAt<'_>) -> Option<TextReader> {
        let file = self.state.file(file)?;
        file.of_texts().find_map(|(texts, own)| texts.text_reader(&own.view(), at))
    }

    /// The name at `offset` (bytes), in texts inside scalars or where it is defined.
    pub fn named_inside(&self, file: FileId, offset: usize) -> Option<NamedInside> {
        let file = self.state.file(file)?;
        file.of_texts().find_map(|(texts, own)| texts.named(&**file, &own.view(), offset))
    }

    /// Other forms into which a language of the file can convert what is at `offset` (bytes), by title.
    pub fn other_forms(&self, file: FileId, offset: usize) -> Vec<&'static str> {
        let Some(file) = self.state.file(file) else { return Vec::new() };
        file.of_texts().flat_map(|(texts, own)| texts.other_forms(&**file, &own.view(), offset)).collect()
    }

    /// The replacements in the file (bytes) of such a conversion; `None` if it is not possible.
    pub fn in_other_form(&self, file: FileId, offset: usize, title: &str) -> Option<Vec<(Range<usize>, String)>> {
        let file = self.state.file(file)?;
        file.of_texts().find_map(|(texts, own)| texts.in_other_form(&**file, &own.view(), offset, title))
    }

    /// Where texts inside the scalars of a file refer to the schema field whose key is declared here (bytes).
    pub fn uses_of(&self, declared: Span) -> Vec<FieldUse> {
        let Some(file) = self.state.file(declared.file) else { return Vec::new() };
        file.of_texts().flat_map(|(texts, own)| texts.uses_of(&**file, &own.view(), declared)).collect()
    }

    /// Whether a file may name documents or other files.
    pub fn has_references(&self, file: FileId) -> bool {
        self.state.file(file).is_some_and(|file| has_references(file))
    }

    /// The names of documents that could be written at an offset of the text that a file would have, instead of the one
    /// there, and the bytes of that one.
    pub fn names_referred_to(
        &self,
        file: FileId,
        instead: &Instead<'_>,
        offset: usize,
    ) -> Option<(Range<usize>, Vec<SmolStr>)> {
        names_referred_to(&self.state, self.state.file(file)?, instead, offset)
    }

    /// The document whose name is at `offset` (bytes), its own or in a reference; `None` if there is no such name.
    pub fn named_document(&self, file: FileId, offset: usize) -> Option<NamedDocument> {
        named_document(&self.state, self.state.file(file)?, offset)
    }

    /// The JSON Schema that is named for a file as a whole. It does not check data values, because what they are merged
    /// with is also part of the final ones; but it shows which keys there are.
    pub fn named_schema(&self, file: FileId) -> Option<Arc<Schema>> {
        let file = self.state.file(file)?;
        let found = json_schemas::named_by(&self.state, file).map(|(_, schema)| schema);
        found.or_else(|| json_schemas::for_data_values(&self.state, file)).map(|schema| schema.schema.clone())
    }

    /// A position in a file that a user can open: for a file inside the text of another, the position in that one.
    pub fn placed(&self, span: Span) -> Span {
        self.state.inline.placed(span)
    }

    /// A later state, for callers that may wait for code: all code that `files` need was run, with the given number of
    /// threads, and functions can be called. The evaluations are returned: they go to
    /// [`crate::Workspace::take_evaluation`].
    pub fn with_code(
        &self,
        files: &[FileId],
        need: Need,
        runner: &Runner,
        threads: usize,
        reported: &mut dyn FnMut(Evaluation),
    ) -> Snapshot {
        Snapshot { state: with_code(&self.state, files, need, runner, threads, reported) }
    }

    /// The state if a file had a different text. If this snapshot may run code, code that has to run is run.
    #[must_use]
    pub fn with_text(&self, file: FileId, text: &str) -> Snapshot {
        let state = Arc::new(self.state.with_text(file, text));
        match state.runner.clone() {
            Some(runner) => Snapshot { state: with_code(&state, &[file], Need::Findings, &runner, 1, &mut |_| ()) },
            None => Snapshot { state },
        }
    }

    /// What the current branch breaks, found in the texts of this snapshot.
    pub fn branch_findings(&self, found: Vec<(FileId, FoundSinceBranch)>) -> BranchFindings {
        BranchFindings::new(&self.state, found)
    }

    /// A plan for a migration of the values of a schema, if the current branch has moved any of its keys.
    pub fn plan_since_branch(&self, file: FileId) -> Option<String> {
        self.state.branch.plan(self.state.file(file)?).map(str::to_owned)
    }

    /// The `lofting.toml` files that say something of a file, the nearest first.
    pub fn configurations_of(&self, file: FileId) -> Vec<FileId> {
        let path = self.state.file(file).map(|file| file.path.clone());
        path.map_or_else(Vec::new, |path| configurations::going_up(&self.state, &path).map(|found| found.id).collect())
    }

    /// The nearest `lofting.toml` to a file.
    pub fn configuration_of(&self, file: FileId) -> Option<FileId> {
        configurations::nearest(&self.state, &self.state.file(file)?.path).map(|found| found.id)
    }

    /// All findings of a file: syntax, annotations, schema, values. Incomplete once `cancel` is raised, and without
    /// what only code can show unless this snapshot is one [`Snapshot::with_code`].
    pub fn diagnostics(&self, file: FileId, cancel: &CancelFlag) -> Arc<[Diagnostic]> {
        match self.state.file(file) {
            Some(file) => diagnostics::diagnostics(&self.state, file, cancel).list,
            None => Arc::from([]),
        }
    }

    /// All findings, without the limit on how many are shown. They are computed again each time.
    pub fn all_diagnostics(&self, file: FileId, cancel: &CancelFlag) -> Arc<[Diagnostic]> {
        match self.state.file(file) {
            Some(file) => diagnostics::without_limit(&self.state, file, cancel).list,
            None => Arc::from([]),
        }
    }

    /// The answer of [`Snapshot::diagnostics`], and whether code may yield more.
    pub fn findings(&self, file: FileId, cancel: &CancelFlag) -> Findings {
        let found = |file| diagnostics::diagnostics(&self.state, file, cancel);
        self.state.file(file).map_or_else(Findings::default, |file| found(file))
    }

    /// The findings of a file that is not open in an editor; what is read only for this is not kept. None for a file that is
    /// YAML of no concern to us.
    pub fn findings_of_closed_file(&self, file: FileId, cancel: &CancelFlag) -> Option<Findings> {
        closed_files::findings(&self.state, file, false, LIMIT, cancel)
    }

    /// Tells this state from all others.
    pub fn number(&self) -> u64 {
        self.state.number.number()
    }

    /// Whether a file depends on code of which no result is known, not even for an earlier text.
    pub fn lacks_first_results(&self, file: FileId) -> bool {
        self.state.check_memos.findings.newest(&file).is_none() && self.waits_for_code(file)
    }

    /// Whether a file has a schema of a design proposal, in whose code modules have more functions.
    pub fn has_proposal(&self, file: FileId) -> bool {
        self.state.file(file).is_some_and(|file| file.has_proposal())
    }

    /// Whether the findings of a file may not be complete without code.
    pub fn waits_for_code(&self, file: FileId) -> bool {
        self.state.file(file).is_some_and(|file| diagnostics::waits_for_code(&self.state, file))
    }

    /// Drops remembered answers that no recent state needed, if there are too many in total. Must run on a thread that
    /// nothing waits for.
    pub fn keep_within_budget(&self) {
        self.state.keep_within(BUDGET);
    }

    /// Whether there may be files whose findings wait for code.
    pub fn has_coded_files(&self) -> bool {
        self.state.has_coded_files()
    }

    /// The files of all input sets that contain `file`: templates, schemas and values.
    pub fn in_same_sets(&self, file: FileId) -> Vec<FileId> {
        let sets = self.state.sets.indices_of_file(file).filter_map(|(set, _)| self.state.sets.sets.get(set));
        let mut all: Vec<FileId> = sets
            .flat_map(|set| set.templates.iter().chain(&set.plain).chain(&set.alternatives))
            .copied()
            .filter(|other| *other != file)
            .collect();
        all.sort_unstable();
        all.dedup();
        all
    }

    /// Open files whose findings depend on `file`: those governed by a schema that `file` is part of, and those merged
    /// with it.
    pub fn dependants(&self, file: FileId) -> Vec<FileId> {
        let Some(changed) = self.state.file(file) else { return Vec::new() };
        let governed = |other: &File| {
            let schema = || {
                let association = associate::associate(&self.state, other);
                association.schemas().any(|schema| schema.contains(file))
            };
            let read = || reads(&self.state, other).schemas.iter().any(|schema| schema.contains(file));
            let named = || governed::schemas(&self.state, other).iter().any(|schema| schema.files.contains(&file));
            (changed.facts.schema && (schema() || read()))
                || named()
                || ((changed.facts.parts || changed.facts.known_parts || changed.facts.part_schema)
                    && !other.claims().is_empty())
                || calls::inputs_with(&self.state, other.id).iter().any(|input| input.id == file)
        };
        self.state
            .files
            .iter()
            .filter(|other| other.is_open() && other.id != file && governed(other))
            .map(|other| other.id)
            .collect()
    }
}

//! One state of one file, with everything that was derived from its text.
//!
//! A change never modifies a [`File`]; it makes a new one. That keeps snapshots consistent and derived data valid,
//! because they belong to the state they were made from.

use crate::config::{self, Config};
use crate::disk::asked::known;
use crate::disk::path::says_yaml;
use crate::disk::{Reach, ReadProblem, Stat, decoded};
use crate::files::claims::{self, ClaimedMemo, ClaimedSchema, Claims};
use crate::files::earlier::Earlier;
use crate::files::facts::Facts;
use crate::files::markers;
use crate::files::modeline::{self, Modeline, NearMiss};
use crate::files::overlaid::{self, OverlaidKind};
use crate::files::scan::FoundFile;
use crate::files::table::Kept;
use crate::inputs::NameKind;
use lofting_check::{CheckMemo, TreeFile};
use lofting_dialect::Ownership;
use lofting_dialect::data_values::is_proposal;
use lofting_document::{DocumentSet, FileId, Options, lower, lower_heads};
use lofting_eval::bytes;
use lofting_eval::code::{Code, read_starlark, read_text_template};
use lofting_memo::{Stamp, recorder};
use lofting_syntax::resolve::Profile;
use lofting_syntax::{SyntaxError, Tree};
use lofting_template::needs_evaluation;
use lofting_text::Text;
use parking_lot::{Mutex, MutexGuard};
use std::ops::Range;
use std::path::Path;
use std::sync::{Arc, OnceLock};

/// The source of a file's text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Origin {
    /// An editor has it open, so the file on disk does not count.
    Open {
        /// The editor's version of the text.
        version: i32,
        /// The editor takes it for YAML, whatever its name says.
        yaml: bool,
    },
    /// On disk; the text is read when first needed.
    Disk(Option<Stat>),
    /// Text without a file: standard input, or a flag.
    Given,
    /// It existed or was named, but does not exist now.
    Missing,
}

/// What a file contains, according to its documents.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Holds {
    /// A schema document that is not for a library.
    pub schema: bool,
    /// A data values document.
    pub values: bool,
    /// All its data values documents are for libraries.
    pub for_library: bool,
    /// An annotation or code.
    pub template: bool,
}

/// One state of a file.
pub(crate) struct File {
    pub id: FileId,
    /// Normalised; for text without a file, a name that is not a path on disk.
    pub path: Arc<Path>,
    /// Differs from the stamps of all other states of files in the workspace.
    pub revision: Stamp,
    pub origin: Origin,
    /// What its marks say. The first mark of ytt counts once its line is written.
    pub facts: Facts,
    /// What its marks say with the first mark of ytt, while the line of that is being typed.
    half_typed: Option<Facts>,
    pub options: Options,
    /// The reach of the text that named the file: its content is read through this.
    pub reach: Reach,
    content: OnceLock<Content>,
    tree: OnceLock<Arc<Tree>>,
    documents: OnceLock<Arc<DocumentSet>>,
    /// Whether code has to run before the documents are known.
    needs_run: OnceLock<bool>,
    holds: OnceLock<Holds>,
    /// Whether it consists of data values without further annotations.
    only_values: OnceLock<bool>,
    /// The first marker of a template language outside texts.
    template_at: OnceLock<Option<usize>>,
    claims: OnceLock<Vec<Claims>>,
    overlaid: OnceLock<Arc<[OverlaidKind]>>,
    part_schemas: OnceLock<Vec<Arc<ClaimedSchema>>>,
    modeline: OnceLock<Option<Modeline>>,
    code: OnceLock<Arc<Code>>,
    earlier: Option<Earlier>,
    config: OnceLock<Arc<Config>>,
    /// Remembered findings, passed on from one state of the file to the next.
    memo: Arc<Mutex<CheckMemo>>,
    /// Those of checks that do not wait for code.
    early_memo: Arc<Mutex<CheckMemo>>,
    /// What is remembered of its languages, passed on as well.
    claimed_memo: Arc<Mutex<ClaimedMemo>>,
}

/// How long a `lofting.toml` may be to be read while a user waits, in bytes: a few hundred sets, a millisecond or two.
const QUICKLY_READ: usize = 32 * 1024;

/// The text of a file, or why it cannot be read (then the text is empty).
#[derive(Clone)]
struct Content {
    text: Text,
    problem: Option<ReadProblem>,
}

/// The rule set by which ytt reads all of its inputs, whatever language claims them.
pub const BY_YTT: Profile = Profile::Ytt;

impl File {
    /// A file on disk, whose text is read when first needed.
    pub fn on_disk(id: FileId, path: Arc<Path>, revision: Stamp, found: FoundFile, options: Options) -> File {
        match found.stat {
            Some(_) => File::new(id, path, revision, Origin::Disk(found.stat), found.facts, options, found.reach),
            None => File::missing(id, path, revision, options, found.reach),
        }
    }

    /// A file that does not exist.
    pub fn missing(id: FileId, path: Arc<Path>, revision: Stamp, options: Options, reach: Reach) -> File {
        File::new(id, path, revision, Origin::Missing, Facts::default(), options, reach)
    }

    /// A file whose text is known.
    pub fn with_text(
        id: FileId,
        path: Arc<Path>,
        revision: Stamp,
        origin: Origin,
        text: &str,
        options: Options,
    ) -> File {
        let facts = Facts::of(text.as_bytes());
        let file = File::new(id, path, revision, origin, facts, options, Reach::nowhere());
        let _ = file.content.set(Content { text: Text::new(text), problem: None });
        file
    }

    fn new(
        id: FileId,
        path: Arc<Path>,
        revision: Stamp,
        origin: Origin,
        facts: Facts,
        options: Options,
        reach: Reach,
    ) -> File {
        File {
            id,
            path,
            revision,
            origin,
            facts,
            half_typed: None,
            options,
            reach,
            content: OnceLock::new(),
            tree: OnceLock::new(),
            documents: OnceLock::new(),
            needs_run: OnceLock::new(),
            holds: OnceLock::new(),
            only_values: OnceLock::new(),
            template_at: OnceLock::new(),
            claims: OnceLock::new(),
            overlaid: OnceLock::new(),
            part_schemas: OnceLock::new(),
            modeline: OnceLock::new(),
            code: OnceLock::new(),
            earlier: None,
            config: OnceLock::new(),
            memo: Arc::default(),
            early_memo: Arc::default(),
            claimed_memo: Arc::default(),
        }
    }

    /// The next state after an edit in the editor. What is typed in one line does not turn a file into a template until
    /// the user continues in another line: a half-typed line would decide how all others are read.
    pub fn edited(&self, revision: Stamp, version: i32, range: Range<usize>, new: &str) -> File {
        let mut text = self.text().clone();
        let before = lines_around(&text, range.clone());
        let old_lines = text.slice(before.clone()).into_owned();
        let replaced = text.edit(range, new);
        let after = before.start..before.end - replaced.len() + new.len();
        let new_lines = text.slice(after).into_owned();
        let quiet = !Facts::may_change(&old_lines, &new_lines);
        let is_in_line =
            !new.contains('\n') && !old_lines.get(within(&replaced, before.start)).unwrap_or("\n").contains('\n');
        let written = if quiet { self.written_facts() } else { Facts::of_text(&text) };
        let is_half_typed = is_in_line && written.ytt && !self.facts.ytt && is_only_mark(&text, replaced.start);
        let facts = if is_half_typed { written.without_ytt() } else { written };
        let origin = Origin::Open { version, yaml: !matches!(self.origin, Origin::Open { yaml: false, .. }) };
        let mut file = File::new(self.id, self.path.clone(), revision, origin, facts, self.options, self.reach.clone());
        file.half_typed = is_half_typed.then_some(written);
        file.memo = self.memo.clone();
        file.early_memo = self.early_memo.clone();
        file.claimed_memo = self.claimed_memo.clone();
        let keeps_kinds = facts.overlays() == self.facts.overlays()
            && ![&old_lines, &new_lines].iter().any(|lines| overlaid::may_name(lines));
        if let Some(kinds) = self.overlaid.get().filter(|_| keeps_kinds) {
            let _ = file.overlaid.set(kinds.clone());
        }
        let _ = file.content.set(Content { text, problem: None });
        // A tree that was never needed is parsed when it is, not after each edit.
        if let Some(tree) = self.tree.get() {
            // In other files, what is read follows from more than marks of ytt.
            if self.facts.ytt && facts.ytt {
                let (documents, code) = (self.documents.get().cloned(), self.code.get().cloned());
                file.earlier = Some(Earlier { tree: tree.clone(), edit: replaced.clone(), documents, code });
            }
            let _ = file.tree.set(Arc::new(tree.edit(replaced, new)));
        }
        file
    }

    /// What the marks of the text say, that of a half-typed line included.
    pub fn written_facts(&self) -> Facts {
        self.half_typed.unwrap_or(self.facts)
    }

    /// The state in which a mark that was being typed counts; None if none was.
    pub fn as_written(&self, revision: Stamp) -> Option<File> {
        self.half_typed.map(|facts| File { facts, half_typed: None, ..self.with_options(revision, self.options) })
    }

    /// A file with this text and other options.
    pub fn with_options(&self, revision: Stamp, options: Options) -> File {
        let reach = self.reach.clone();
        let mut file = File::new(self.id, self.path.clone(), revision, self.origin, self.facts, options, reach);
        file.half_typed = self.half_typed;
        if let Some(content) = self.content.get() {
            let _ = file.content.set(content.clone());
        }
        if let Some(tree) = self.tree.get() {
            let _ = file.tree.set(tree.clone());
        }
        file
    }

    /// A file in this state on disk, with nothing read yet.
    pub fn unread(&self) -> File {
        let reach = self.reach.clone();
        File::new(self.id, self.path.clone(), self.revision, self.origin, self.facts, self.options, reach)
    }

    /// Whether the file has a text: in an editor, given as text, or on disk.
    pub fn exists(&self) -> bool {
        self.origin != Origin::Missing
    }

    pub fn version(&self) -> Option<i32> {
        match self.origin {
            Origin::Open { version, .. } => Some(version),
            _ => None,
        }
    }

    pub fn is_open(&self) -> bool {
        self.version().is_some()
    }

    /// Whether an editor has it open as YAML.
    pub fn is_open_as_yaml(&self) -> bool {
        matches!(self.origin, Origin::Open { yaml: true, .. })
    }

    /// Whether an editor has it open as something else, and its name does not say that it is YAML.
    pub fn is_in_another_language(&self) -> bool {
        matches!(self.origin, Origin::Open { yaml: false, .. }) && !says_yaml(&self.path) && !self.is_configuration()
    }

    /// What is read of the text, at most once. What an editor has open is soon another text, so a request that is cancelled
    /// gives it up; other files stay as they are, so what is read of them is finished, and the next request has it.
    fn made<'c, T>(&self, cell: &'c OnceLock<T>, make: impl FnOnce() -> T) -> &'c T {
        self.is_looked_at();
        cell.get_or_init(|| if self.is_open() { make() } else { lofting_memo::to_the_end(make) })
    }

    /// Everything in a file follows from its text.
    fn is_looked_at(&self) {
        recorder::read("the text of", self.revision, || self.path.display().to_string());
    }

    fn content(&self) -> &Content {
        self.is_looked_at();
        self.content.get_or_init(|| {
            let read = match self.origin {
                Origin::Disk(_) => known(|| self.reach.text(&self.path)),
                Origin::Open { .. } | Origin::Given => Ok(String::new()),
                Origin::Missing => Err(ReadProblem::NotFound),
            };
            match read {
                Ok(text) => Content { text: Text::new(&text), problem: None },
                Err(problem) => Content { text: Text::default(), problem: Some(problem) },
            }
        })
    }

    /// The bytes of the file on disk, which was read to see what is in it.
    pub fn is_read(&self, bytes: Vec<u8>) {
        self.content.get_or_init(|| match decoded(bytes) {
            Ok(text) => Content { text: Text::new(&text), problem: None },
            Err(problem) => Content { text: Text::default(), problem: Some(problem) },
        });
    }

    pub fn text(&self) -> &Text {
        &self.content().text
    }

    /// The text for those to whom it consists of bytes, as files that are not YAML do for ytt: bytes that are not UTF-8 are parts
    /// of characters.
    pub fn text_of_bytes(&self) -> String {
        match self.problem() {
            Some(ReadProblem::NotUtf8(_)) => bytes::text(&self.reach.bytes(&self.path).unwrap_or_default()),
            _ => String::from(self.text()),
        }
    }

    pub fn problem(&self) -> Option<&ReadProblem> {
        self.content().problem.as_ref()
    }

    pub fn tree(&self) -> &Arc<Tree> {
        self.is_looked_at();
        self.tree.get_or_init(|| Arc::new(lofting_syntax::parse_in_two(&String::from(self.text()))))
    }

    /// Whether code has to run before the documents are known. Unlike ytt we also run files that cannot be parsed
    /// completely, because the lines around one that is being typed are known.
    pub fn needs_run(&self) -> bool {
        // Queried at every keystroke in every values file of a schema.
        self.facts.code && *self.made(&self.needs_run, || needs_evaluation(self.lowered()))
    }

    /// Whether it has a schema of a design proposal.
    pub fn has_proposal(&self) -> bool {
        self.facts.schema && self.lowered().documents.iter().any(is_proposal)
    }

    /// Whether it is a `lofting.toml`.
    pub fn is_configuration(&self) -> bool {
        config::is_configuration(&self.path)
    }

    /// Whether it may contain schema or values that code makes, judging by its marks.
    pub fn is_coded(&self) -> bool {
        self.facts.code && (self.facts.schema || self.facts.values)
    }

    /// The rule set for plain scalars, and whether comments have a meaning.
    pub fn profile(&self) -> Profile {
        // A file with common keys is read in the same way whether its schema is known or not.
        let owner = |claims: &&Claims| claims.dialect.ownership() == Ownership::All;
        if self.facts.parts {
            self.claims().iter().find(owner).map_or(Profile::Ytt, |claims| claims.dialect.profile())
        } else {
            Profile::Ytt
        }
    }

    /// The rule set of the first language that claims something in the file, whether or not its schema is known; that of
    /// YAML 1.2 without any. All documents of a file are read together.
    pub fn read_as(&self) -> Profile {
        self.claims().first().map_or(Profile::Core12, |claims| claims.dialect.profile())
    }

    /// The syntax errors for its readers.
    pub fn errors(&self) -> Vec<SyntaxError> {
        let profile = if self.facts.ytt { BY_YTT } else { self.read_as() };
        self.tree().errors_in(profile)
    }

    /// The byte offset of the first marker of a template language that YAML does not read as text; None if the file is
    /// YAML as it is. In ytt's templates such text is not a marker.
    pub fn template_at(&self) -> Option<usize> {
        if !self.facts.markers || self.facts.ytt {
            return None;
        }
        *self.made(&self.template_at, || markers::first_outside_of_texts(self.tree()))
    }

    /// Whether languages may claim something in the file, judging by its marks and its name.
    pub fn may_have_claims(&self) -> bool {
        self.facts.parts || self.facts.known_parts || Kept::Kustomization.holds(self)
    }

    /// What languages other than ytt claim in the file. No other language claims parts of a ytt template.
    pub fn claims(&self) -> &[Claims] {
        if self.facts.ytt { &[] } else { self.claims_as_written() }
    }

    /// Like [`File::claims`], but a ytt template is read as well, as it is written.
    pub fn claims_as_written(&self) -> &[Claims] {
        if !self.may_have_claims() || self.template_at().is_some() {
            return &[];
        }
        self.made(&self.claims, || claims::claims(self)).as_slice()
    }

    /// Whether they are known from an earlier text.
    #[cfg(test)]
    pub(crate) fn keeps_overlaid_kinds(&self) -> bool {
        self.overlaid.get().is_some()
    }

    /// The kinds of the resources that overlays in the file change, each once.
    pub(crate) fn overlaid_kinds(&self) -> &[OverlaidKind] {
        let kinds: &Arc<[OverlaidKind]> = self.made(&self.overlaid, || overlaid::kinds(self).into());
        kinds
    }

    /// The schemas among the claims.
    pub fn part_schemas(&self) -> &[Arc<ClaimedSchema>] {
        if !self.facts.part_schema || self.facts.ytt {
            return &[];
        }
        self.made(&self.part_schemas, || claims::schemas(self)).as_slice()
    }

    /// The file in the form that checks of its tree use.
    pub fn tree_file(&self) -> TreeFile {
        TreeFile::new(self.id, self.profile())
    }

    /// The documents, with unknown values in place of code.
    pub fn lowered(&self) -> &Arc<DocumentSet> {
        self.made(&self.documents, || {
            let known = self.earlier.as_ref().and_then(|earlier| earlier.documents(self));
            Arc::new(known.unwrap_or_else(|| lower(self.id, self.tree(), self.profile(), self.options)))
        })
    }

    /// The documents as ytt reads them where the file is not a template: no comment is an annotation or code.
    pub fn plain(&self) -> Arc<DocumentSet> {
        if !self.holds().template {
            return Arc::clone(self.lowered());
        }
        Arc::new(lower(self.id, self.tree(), self.profile(), Options { plain: true, ..self.options }))
    }

    /// The documents without their values, where only their annotations matter.
    pub fn heads(&self) -> DocumentSet {
        lower_heads(self.id, self.tree(), self.profile(), self.options)
    }

    /// The memo of checks of the file's tree.
    pub fn memo(&self) -> MutexGuard<'_, CheckMemo> {
        // A check that panicked may have left it incomplete, but its entries are right.
        self.memo.lock()
    }

    /// The memo of checks that do not wait for code, and so must not wait for those that do.
    pub fn early_memo(&self) -> MutexGuard<'_, CheckMemo> {
        self.early_memo.lock()
    }

    /// What is remembered of the languages that claim parts.
    pub fn claimed_memo(&self) -> MutexGuard<'_, ClaimedMemo> {
        self.claimed_memo.lock()
    }

    /// Whether the text was parsed already.
    pub fn is_parsed(&self) -> bool {
        self.tree.get().is_some()
    }

    /// Whether its configuration is read already, or so short that a user can wait for it.
    pub fn is_quickly_read(&self) -> bool {
        self.config.get().is_some() || self.size() <= QUICKLY_READ
    }

    /// Length of the text in bytes, as far as it is known without reading the file.
    pub fn size(&self) -> usize {
        match (self.content.get(), self.origin) {
            (Some(content), _) => content.text.len(),
            (None, Origin::Disk(Some(stat))) => usize::try_from(stat.size).unwrap_or(usize::MAX),
            (None, _) => 0,
        }
    }

    /// What the file contains. Files without marks are not parsed for this.
    pub fn holds(&self) -> Holds {
        if !self.facts.ytt {
            return Holds::default();
        }
        *self.made(&self.holds, || claims::holds(self))
    }

    /// Whether each of its documents is headed by `#@data/values`, and nothing else in it is annotated.
    pub fn has_only_values(&self) -> bool {
        let is_asked = self.facts.values && !self.facts.schema && !self.facts.code && !self.options.plain;
        is_asked && *self.made(&self.only_values, || self.claimed_memo().heads.are_all(self.tree()))
    }

    pub fn modeline(&self) -> Option<&Modeline> {
        if !self.facts.modeline {
            return None;
        }
        // Modelines are at the top, so a large file is not copied for them.
        self.made(&self.modeline, || modeline::find(&self.text().slice(0..16 * 1024))).as_ref()
    }

    /// A comment at the top that is nearly a modeline, if no other is one.
    pub fn near_miss(&self) -> Option<NearMiss> {
        let begins = self.text().slice(0..1);
        let may_be = begins.is_empty() || begins.starts_with(['#', '\u{feff}', ' ', '\r', '\n', '-', '%']);
        let top = may_be.then(|| self.text().slice(0..4 * 1024))?;
        modeline::near_miss(&top)
    }

    /// Whether the file may contain code.
    pub fn may_have_code(&self) -> bool {
        match NameKind::of_path(&self.path) {
            NameKind::Starlark | NameKind::Text | NameKind::TextLibrary => true,
            _ => self.written_facts().code,
        }
    }

    /// The file's code, read without running it.
    pub fn code(&self) -> &Arc<Code> {
        self.made(&self.code, || {
            Arc::new(match NameKind::of_path(&self.path) {
                NameKind::Starlark => read_starlark(&String::from(self.text())),
                NameKind::Text | NameKind::TextLibrary => read_text_template(&String::from(self.text())),
                _ if self.written_facts().code => {
                    let known = self.earlier.as_ref().and_then(|earlier| earlier.code(self));
                    known.unwrap_or_else(|| lofting_document::code(self.tree(), self.lowered()))
                }
                _ => Code::default(),
            })
        })
    }

    /// The file read as a `lofting.toml`.
    pub fn config(&self) -> &Arc<Config> {
        self.is_looked_at();
        self.config.get_or_init(|| Arc::new(config::read(&String::from(self.text()))))
    }
}

/// The bytes of a range in a text that begins at `start`.
fn within(range: &Range<usize>, start: usize) -> Range<usize> {
    range.start.saturating_sub(start)..range.end.saturating_sub(start)
}

/// Whether no line has a mark of ytt except the one at an offset.
fn is_only_mark(text: &Text, offset: usize) -> bool {
    let line = text.line_range(text.line_of(offset));
    Facts::marks_of_ytt(text.to_string().as_bytes()).all(|at| line.contains(&at))
}

/// The whole lines that `range` touches, with their breaks, and one byte on each side, because an edit at the edge of a
/// line can join or split marks around it.
fn lines_around(text: &Text, range: Range<usize>) -> Range<usize> {
    let start = text.line_range(text.line_of(range.start.saturating_sub(1))).start;
    let last = text.line_of(range.end.saturating_add(1));
    let end = text.line_range(last + 1).start.max(range.end.min(text.len()));
    start..end.max(start).min(text.len())
}

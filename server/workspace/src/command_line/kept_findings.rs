//! Findings that are kept from one run to the next, by everything that they were made from.
//!
//! All that is known about a workspace, apart from the content of files that matter to few others ([`Alone`]), decides
//! which findings may be used at all; the content of a file, and of those that are merged with it, which of them. Whatever
//! else is asked of the disk while files are checked could have another answer next time, so then nothing is kept.

use crate::command_line::alone::Alone;
use crate::command_line::check_below::GivenFile;
use crate::disk::asked::asked;
use crate::disk::built_in::{BuiltIn, is_in_program};
use crate::files::contents::{ContentHash, KeepsFindings};
use crate::files::file::{File, Origin};
use crate::input_sets::sets::WorkspaceSet;
use crate::settings::Settings;
use crate::state::State;
use crate::workspace::Workspace;
use lofting_annotation::{CommentKind, read_comment};
use lofting_check::{Diagnostic, Related, Severity, Stage};
use lofting_diagnostic::{Confidence, Fix, Tag};
use lofting_document::{FileId, Key, Span};
use rustc_hash::{FxHashMap, FxHashSet};
use serde::{Deserialize, Serialize};
use std::fmt::{Debug, Write};
use std::ops::Range;
use std::path::PathBuf;
use std::sync::Arc;

/// What is found in a file; None if the file does not count.
pub(crate) type FoundInFile = Option<Arc<[Diagnostic]>>;

/// How many times as many findings as a run needs are kept: a file often gets a content that it had before.
const RUNS: usize = 4;

/// The findings that are kept for a workspace.
pub(crate) struct KeptFindings {
    keeper: Arc<dyn KeepsFindings>,
    /// The name of all that is kept for what is known.
    name: ContentHash,
    kept: Vec<(ContentHash, Option<Vec<KeptFinding>>)>,
    /// By file, what its findings are made from besides.
    keys: FxHashMap<FileId, ContentHash>,
    /// How much had been asked of the disk before files were checked.
    asked: usize,
}

impl KeptFindings {
    /// What is kept for files; None if something counts that has no content, such as what an editor holds.
    pub fn of(workspace: &Workspace, wanted: &[GivenFile]) -> Option<KeptFindings> {
        let keeper = workspace.keeper.clone()?;
        let state = &workspace.state;
        let is_whole = state.scanned && *state.seen_all && state.fetched.is_all_refused();
        if !is_whole || !state.pending_schemas.namers.is_empty() {
            return None;
        }
        let contents = Contents::of(workspace, &*keeper)?;
        let name = keeper.hash(contents.all_but_alone()?.as_bytes());
        let keys = contents.keys(wanted, &name);
        let kept = keeper.load(&name).and_then(|bytes| postcard::from_bytes(&bytes).ok()).unwrap_or_default();
        Some(KeptFindings { kept, keys, name, keeper, asked: asked() })
    }

    /// What is known about files without checking them.
    pub fn known(&self, state: &State, wanted: &[GivenFile]) -> FxHashMap<FileId, FoundInFile> {
        let kept: FxHashMap<&ContentHash, &Option<Vec<KeptFinding>>> =
            self.kept.iter().map(|(key, found)| (key, found)).collect();
        let known = |(id, ..): &GivenFile| {
            let found = kept.get(self.keys.get(id)?)?;
            let read =
                |found: &Vec<KeptFinding>| found.iter().map(|finding| finding.read(state)).collect::<Option<_>>();
            match found {
                None => Some((*id, None)),
                Some(found) => Some((*id, Some(read(found)?))),
            }
        };
        wanted.iter().filter_map(known).collect()
    }

    /// Keeps what was found in files, unless something else had a part in it. `is_complete`: nothing is unknown.
    pub fn keep(self, state: &State, found: &[(FileId, FoundInFile)], is_complete: bool) {
        if !is_complete || asked() != self.asked || !all_is_unchanged(state) {
            return;
        }
        let written = |(id, found): &(FileId, FoundInFile)| {
            let key = *self.keys.get(id)?;
            let write = |found: &Arc<[Diagnostic]>| {
                found.iter().map(|finding| KeptFinding::of(state, finding)).collect::<Option<Vec<_>>>()
            };
            match found {
                None => Some((key, None)),
                Some(found) => Some((key, Some(write(found)?))),
            }
        };
        let mut all: Vec<(ContentHash, Option<Vec<KeptFinding>>)> = found.iter().filter_map(written).collect();
        let most = state.files.iter().count().saturating_mul(RUNS);
        let new: FxHashSet<ContentHash> = all.iter().map(|(key, _)| *key).collect();
        all.extend(self.kept.into_iter().filter(|(key, _)| !new.contains(key)));
        all.truncate(most);
        if let Ok(bytes) = postcard::to_allocvec(&all) {
            self.keeper.save(&self.name, &bytes);
        }
    }
}

/// Whether all files are what they were when they were looked at.
fn all_is_unchanged(state: &State) -> bool {
    state.files.iter().all(|file| match file.origin {
        Origin::Disk(Some(stat)) if stat.modified.is_some() => file.reach.stat(&file.path) == Some(stat),
        // A revision does not change.
        Origin::Disk(_) | Origin::Given | Origin::Missing => true,
        Origin::Open { .. } => false,
    })
}

/// The contents of the files of a workspace.
struct Contents<'w> {
    workspace: &'w Workspace,
    keeper: &'w dyn KeepsFindings,
    /// The files that matter to few others, with the hashes of their contents.
    alone: FxHashMap<FileId, ContentHash>,
}

impl<'w> Contents<'w> {
    fn of(workspace: &'w Workspace, keeper: &'w dyn KeepsFindings) -> Option<Contents<'w>> {
        let alone = Alone::of(workspace);
        let mut contents = Contents { workspace, keeper, alone: FxHashMap::default() };
        let files = workspace.state.files.iter().filter(|file| alone.as_ref().is_some_and(|alone| alone.has(file)));
        contents.alone = files.map(|file| Some((file.id, contents.content(file)?))).collect::<Option<_>>()?;
        Some(contents)
    }

    /// The hash of a file's content; None if it cannot be known.
    fn content(&self, file: &File) -> Option<ContentHash> {
        match (file.origin, self.workspace.contents.get(&*file.path)) {
            (Origin::Disk(_), Some(known)) => Some(*known),
            (Origin::Open { .. }, _) => None,
            _ => file.problem().is_none().then(|| self.keeper.hash(String::from(file.text()).as_bytes())),
        }
    }

    /// All that is known, apart from the contents of files that matter to few others.
    fn all_but_alone(&self) -> Option<String> {
        let state = &self.workspace.state;
        let mut all = String::new();
        let mut add = |part: &dyn Debug| _ = writeln!(all, "{part:?}");
        let Settings { built_in, .. } = &**state.settings;
        add(&Settings { built_in: None, ..Settings::clone(&state.settings) });
        add(&built_in.as_ref().map(BuiltIn::newer));
        add(&(&*state.roots, &state.outer_roots, &state.tops, state.most_calls, self.workspace.options));
        let mut refused: Vec<_> = state.fetched.refused().collect();
        refused.sort_unstable_by_key(|(url, _)| *url);
        add(&(state.fetched.is_on(), refused));
        let mut named: Vec<FileId> = state.named.iter().copied().collect();
        named.sort_unstable();
        add(&named);
        for file in state.files.iter() {
            let exists = file.exists();
            add(&(file.id, &file.path, exists));
            // What is built in is part of the program.
            if exists && !self.alone.contains_key(&file.id) && !is_in_program(&file.path) {
                add(&(matches!(file.origin, Origin::Given), self.content(file)?));
            }
        }
        for set in &state.sets.sets {
            let WorkspaceSet { name, origin, templates, plain, alternatives, plain_for_libraries, excluded, .. } = set;
            add(&(name, origin, templates, plain, alternatives, plain_for_libraries, excluded));
            add(&(&set.options, &set.inputs, &set.errors, &set.left_out, &set.flags));
        }
        Some(all)
    }

    /// By file, the hash of what its findings are made from besides.
    fn keys(&self, wanted: &[GivenFile], name: &ContentHash) -> FxHashMap<FileId, ContentHash> {
        let state = &self.workspace.state;
        let of_files = |files: &mut dyn Iterator<Item = &FileId>| {
            let contents: Vec<u8> = files.filter_map(|file| self.alone.get(file)).flatten().copied().collect();
            self.keeper.hash(&contents)
        };
        let mut ids: Vec<&FileId> = self.alone.keys().collect();
        ids.sort_unstable();
        let all = of_files(&mut ids.into_iter());
        // Each call gets one of the alternatives, and all others.
        let of_set = |set: &WorkspaceSet| {
            let shared = set.plain.iter().chain(set.plain_for_libraries.iter().map(|(file, _)| file));
            (of_files(&mut shared.clone()), of_files(&mut shared.chain(&set.alternatives)))
        };
        let sets: Vec<(ContentHash, ContentHash)> = state.sets.sets.iter().map(of_set).collect();
        let key = |(id, _, is_named): &GivenFile| {
            let mut parts: Vec<u8> = name.to_vec();
            match self.alone.get(id) {
                None if state.file(*id).is_some_and(|file| is_schema_without_code(file)) => {}
                None => parts.extend(all),
                Some(content) => {
                    parts.extend(content);
                    for (index, _) in state.sets.indices_of_file(*id) {
                        let (shared, whole) = sets.get(index)?;
                        let is_alternative = state.sets.sets.get(index)?.alternatives.contains(id);
                        parts.extend(if is_alternative { shared } else { whole });
                    }
                }
            }
            parts.push(u8::from(*is_named));
            parts.extend(state.file(*id)?.path.as_os_str().as_encoded_bytes());
            Some((*id, self.keeper.hash(&parts)))
        };
        wanted.iter().filter_map(key).collect()
    }
}

/// Whether a file is nothing but a schema, and no code in it may be called with values: whatever these are, the same is found
/// in it.
fn is_schema_without_code(file: &File) -> bool {
    let has_code = || {
        file.tree().comments().any(|comment| {
            let text = comment.text();
            text.contains("lambda") || matches!(read_comment(&text, 0).kind, CommentKind::Code { .. })
        })
    };
    file.facts.schema && !file.facts.values && !file.facts.library_schema && !file.facts.parts && !has_code()
}

/// A span: the path of the file, and the byte range.
type KeptSpan = (PathBuf, usize, usize);

/// A fix: what it does, its replacements, and how certain it is.
type KeptFix = (String, Vec<(KeptSpan, String)>, u8);

/// A finding as it is kept.
#[derive(Serialize, Deserialize)]
struct KeptFinding {
    rule: String,
    family: Option<String>,
    severity: u8,
    stage: u8,
    span: KeptSpan,
    blames_first: bool,
    message: String,
    found: Option<String>,
    expected: Option<String>,
    path: Option<String>,
    key: Option<KeptKey>,
    related: Vec<(KeptSpan, String)>,
    help: Option<String>,
    fixes: Vec<KeptFix>,
    tags: Vec<bool>,
    unmade: usize,
}

/// A key as it is kept.
#[derive(Serialize, Deserialize)]
enum KeptKey {
    Null,
    Bool(bool),
    Int(i128),
    Float(u64),
    String(String),
    Collection(String),
}

const SEVERITIES: [Severity; 4] = [Severity::Error, Severity::Warning, Severity::Info, Severity::Hint];
const STAGES: [Stage; 7] =
    [Stage::Parse, Stage::Template, Stage::Schema, Stage::Overlay, Stage::Type, Stage::Validation, Stage::Lint];
const CONFIDENCES: [Confidence; 3] = [Confidence::Possible, Confidence::Likely, Confidence::Sure];

/// The number of a value among all that there are.
fn number<T: PartialEq>(all: &[T], one: &T) -> Option<u8> {
    u8::try_from(all.iter().position(|other| other == one)?).ok()
}

fn numbered<T: Copy>(all: &[T], number: u8) -> Option<T> {
    all.get(usize::from(number)).copied()
}

impl KeptFinding {
    fn of(state: &State, finding: &Diagnostic) -> Option<KeptFinding> {
        let span = |span: Span| {
            let Range { start, end } = span.range();
            Some((state.file(span.file)?.path.to_path_buf(), start, end))
        };
        let spans = |all: &mut dyn Iterator<Item = (Span, &String)>| {
            all.map(|(at, text)| Some((span(at)?, text.clone()))).collect::<Option<Vec<_>>>()
        };
        let fix = |fix: &Fix| {
            let edits = spans(&mut fix.edits.iter().map(|(at, text)| (*at, text)))?;
            Some((fix.title.clone(), edits, number(&CONFIDENCES, &fix.confidence)?))
        };
        Some(KeptFinding {
            rule: finding.rule.code.to_owned(),
            family: finding.family.map(str::to_owned),
            severity: number(&SEVERITIES, &finding.severity)?,
            stage: number(&STAGES, &finding.stage)?,
            span: span(finding.span)?,
            blames_first: finding.blames_first,
            message: finding.message.clone(),
            found: finding.found.clone(),
            expected: finding.expected.clone(),
            path: finding.path.clone(),
            key: finding.key.as_ref().map(KeptKey::of),
            related: spans(&mut finding.related.iter().map(|related| (related.span, &related.message)))?,
            help: finding.help.clone(),
            fixes: finding.fixes.iter().map(fix).collect::<Option<_>>()?,
            tags: finding.tags.iter().map(|tag| *tag == Tag::Deprecated).collect(),
            unmade: finding.unmade,
        })
    }

    /// The finding, if all its files are known.
    fn read(&self, state: &State) -> Option<Diagnostic> {
        let span = |(path, start, end): &KeptSpan| {
            let file = state.file_at(path)?;
            let range = *start..*end;
            (range == (0..0) || file.text().has(&range)).then(|| Span::new(file.id, range))
        };
        let related = |(at, message): &(KeptSpan, String)| Some(Related { span: span(at)?, message: message.clone() });
        let fix = |(title, edits, confidence): &KeptFix| {
            let edits = edits.iter().map(|(at, text)| Some((span(at)?, text.clone()))).collect::<Option<_>>()?;
            Some(Fix { title: title.clone(), edits, confidence: numbered(&CONFIDENCES, *confidence)? })
        };
        let registry = lofting_check::rules::registry();
        let rule = registry.get(&self.rule).filter(|rule| rule.code == self.rule)?;
        let family = match &self.family {
            Some(name) => Some(registry.family(name)?),
            None => None,
        };
        Some(Diagnostic {
            rule,
            family,
            severity: numbered(&SEVERITIES, self.severity)?,
            stage: numbered(&STAGES, self.stage)?,
            span: span(&self.span)?,
            blames_first: self.blames_first,
            message: self.message.clone(),
            found: self.found.clone(),
            expected: self.expected.clone(),
            path: self.path.clone(),
            key: self.key.as_ref().map(KeptKey::read),
            lack: None,
            reads: Vec::new(),
            related: self.related.iter().map(related).collect::<Option<_>>()?,
            help: self.help.clone(),
            fixes: self.fixes.iter().map(fix).collect::<Option<_>>()?,
            tags: self.tags.iter().map(|tag| if *tag { Tag::Deprecated } else { Tag::Unnecessary }).collect(),
            unmade: self.unmade,
        })
    }
}

impl KeptKey {
    fn of(key: &Key) -> KeptKey {
        match key {
            Key::Null => KeptKey::Null,
            Key::Bool(is) => KeptKey::Bool(*is),
            Key::Int(number) => KeptKey::Int(number.get()),
            Key::Float(bits) => KeptKey::Float(*bits),
            Key::String(text) => KeptKey::String(text.to_string()),
            Key::Collection(text) => KeptKey::Collection(text.to_string()),
        }
    }

    fn read(&self) -> Key {
        match self {
            KeptKey::Null => Key::Null,
            KeptKey::Bool(is) => Key::Bool(*is),
            KeptKey::Int(number) => Key::int(*number),
            KeptKey::Float(bits) => Key::Float(*bits),
            KeptKey::String(text) => Key::String(text.into()),
            KeptKey::Collection(text) => Key::Collection(text.as_str().into()),
        }
    }
}

//! `--file-mark 'PATH:KEY=VALUE'` (docs/ytt.md 3.2).

use super::{InputError, InputFile, InputProblem, MarkProblem, Role};

/// A file while marks are applied to it.
struct Marked {
    file: InputFile,
    /// A mark set its type, which a later name does not change.
    typed: bool,
    /// Only it is rendered, with others marked the same way.
    exclusive: bool,
}

/// All files while marks are applied to them.
struct Files {
    /// Paths before any mark, against which all marks are matched.
    originals: Vec<String>,
    /// Indices into `originals` in the order of the paths: most marks name one file.
    by_name: Vec<usize>,
    /// Excluded files match no further mark.
    marked: Vec<Option<Marked>>,
    excluded: Vec<InputFile>,
}

/// Applies the marks in their order. Returns the files that they exclude.
pub(super) fn apply(marks: &[String], files: &mut Vec<InputFile>, errors: &mut Vec<InputError>) -> Vec<InputFile> {
    if marks.is_empty() {
        return Vec::new();
    }
    let mut all = Files::of(files.drain(..));
    for mark in marks {
        if let Err(problem) = all.apply(mark) {
            let problem = InputProblem::Mark(problem);
            errors.push(InputError { flag: "--file-mark", value: mark.clone(), problem });
        }
    }
    let mut marked: Vec<Marked> = all.marked.into_iter().flatten().collect();
    if marked.iter().any(|marked| marked.exclusive) {
        marked.iter_mut().for_each(|marked| marked.file.for_output = Some(marked.exclusive));
    }
    files.extend(marked.into_iter().map(|marked| marked.file));
    all.excluded
}

impl Files {
    fn of(files: impl Iterator<Item = InputFile>) -> Files {
        let marked: Vec<Option<Marked>> =
            files.map(|file| Some(Marked { file, typed: false, exclusive: false })).collect();
        let originals: Vec<String> = marked.iter().flatten().map(|marked| marked.file.original.clone()).collect();
        let mut by_name: Vec<usize> = (0..originals.len()).collect();
        by_name.sort_by_key(|place| originals.get(*place));
        Files { originals, by_name, marked, excluded: Vec::new() }
    }

    fn apply(&mut self, mark: &str) -> Result<(), MarkProblem> {
        let (pattern, setting) = mark.split_once(':').ok_or(MarkProblem::No(':'))?;
        let (key, value) = setting.split_once('=').ok_or(MarkProblem::No('='))?;
        let action = Action::read(key, value)?;
        let mut matched = false;
        if pattern.contains('*') {
            let parts = parts(pattern);
            for (original, slot) in self.originals.iter().zip(&mut self.marked) {
                if slot.is_some() && fits(&parts, original) {
                    matched = true;
                    self.excluded.extend(action.on(slot));
                }
            }
        } else {
            let name = |place: &usize| self.originals.get(*place).map_or("", String::as_str);
            let first = self.by_name.partition_point(|place| name(place) < pattern);
            for place in self.by_name.iter().skip(first).take_while(|place| name(place) == pattern) {
                if let Some(slot) = self.marked.get_mut(*place).filter(|slot| slot.is_some()) {
                    matched = true;
                    self.excluded.extend(action.on(slot));
                }
            }
        }
        if matched { Ok(()) } else { Err(MarkProblem::NoFile(pattern.to_owned())) }
    }
}

/// What a mark does.
enum Action {
    Rename(String),
    Exclude,
    Role(Role),
    Output,
    ExclusiveOutput,
}

impl Action {
    /// Returns the file if it is excluded now.
    fn on(&self, slot: &mut Option<Marked>) -> Option<InputFile> {
        if matches!(self, Action::Exclude) {
            return slot.take().map(|marked| marked.file);
        }
        let marked = slot.as_mut()?;
        match self {
            Action::Exclude => {}
            Action::Rename(name) => marked.file.rename(name, marked.typed),
            Action::Role(role) => {
                marked.typed = true;
                marked.file.role = *role;
            }
            Action::Output => marked.file.for_output = Some(true),
            Action::ExclusiveOutput => marked.exclusive = true,
        }
        None
    }

    fn read(key: &str, value: &str) -> Result<Action, MarkProblem> {
        match (key, value) {
            ("path", name) => Ok(Action::Rename(name.to_owned())),
            ("exclude", "true") => Ok(Action::Exclude),
            ("type", kind) => Ok(Action::Role(match kind {
                "yaml-template" => Role::YamlTemplate,
                "yaml-plain" => Role::YamlPlain,
                "text-template" => Role::TextTemplate,
                "text-plain" => Role::TextPlain,
                "starlark" => Role::Starlark,
                "data" => Role::Data,
                _ => return Err(MarkProblem::Type(kind.to_owned())),
            })),
            ("for-output", "true") => Ok(Action::Output),
            ("exclusive-for-output", "true") => Ok(Action::ExclusiveOutput),
            ("exclude" | "for-output" | "exclusive-for-output", _) => {
                Err(MarkProblem::OnlyTrue { key: key.to_owned(), value: value.to_owned() })
            }
            _ => Err(MarkProblem::Key(key.to_owned())),
        }
    }
}

/// A part of a pattern.
#[derive(Clone, Copy)]
enum PatternPart<'p> {
    Text(&'p str),
    /// `**/*`: at least one character.
    AnyDepth,
    /// `*`: at least one character, none of them a `/`.
    OneLevel,
}

/// The parts of a pattern. Only the first `**/*` and the first other `*` have a meaning; everything else is literal
/// (docs/ytt.md 3.2).
fn parts(pattern: &str) -> Vec<PatternPart<'_>> {
    let mut parts = vec![PatternPart::Text(pattern)];
    for (stars, meaning) in [("**/*", PatternPart::AnyDepth), ("*", PatternPart::OneLevel)] {
        let split = parts.iter().enumerate().find_map(|(at, part)| match part {
            PatternPart::Text(text) => text.split_once(stars).map(|(before, after)| (at, before, after)),
            _ => None,
        });
        if let Some((at, before, after)) = split {
            parts.splice(at..=at, [PatternPart::Text(before), meaning, PatternPart::Text(after)]);
        }
    }
    parts
}

/// Whether the parts make up the text. There are at most five of them, which limits the recursion.
fn fits(parts: &[PatternPart<'_>], text: &str) -> bool {
    let Some((first, rest)) = parts.split_first() else { return text.is_empty() };
    match first {
        PatternPart::Text(literal) => text.strip_prefix(literal).is_some_and(|left| fits(rest, left)),
        PatternPart::AnyDepth | PatternPart::OneLevel => {
            let level = matches!(first, PatternPart::OneLevel);
            let letters = text.char_indices().take_while(|(_, letter)| !level || *letter != '/');
            letters
                .map(|(at, letter)| at + letter.len_utf8())
                .any(|end| text.get(end..).is_some_and(|left| fits(rest, left)))
        }
    }
}

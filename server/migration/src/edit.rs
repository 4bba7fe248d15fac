//! The edits of one move in one text.

use crate::apply::{IsMeant, Refused};
use crate::braces::NewPlace;
use crate::data::Data;
use crate::path::{Path, Step};
use crate::plan::{Move, common};
use lofting_annotation::{CommentKind, read_comment};
use lofting_document::{FileId, Options, lower};
use lofting_syntax::resolve::{Profile, Resolved, resolve_plain};
use lofting_syntax::{Entry, Map, Tree, Value};
use std::cell::OnceCell;
use std::ops::Range;

/// A replacement.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Rewrite {
    pub range: Range<usize>,
    pub new: String,
}

/// A text with its tree.
pub(crate) struct Text<'t> {
    pub text: &'t str,
    profile: Profile,
    pub tree: Tree,
    /// Where documents are that the moves are meant for.
    meant: Vec<Range<usize>>,
    /// Where lines begin.
    lines: Vec<usize>,
    /// Whether there are lines of code.
    has_code: OnceCell<bool>,
}

/// What is at a path in a map.
enum AtPath<'t> {
    Entry(Entry<'t>),
    /// Only a part of it is there: the map that holds it, and how many steps led to it.
    Missing(Map<'t>, usize),
    /// Something that is not a map is on the way: where it is.
    Blocked(usize),
}

impl<'t> Text<'t> {
    pub fn read(text: &'t str, profile: Profile, is_meant: IsMeant<'_>) -> Text<'t> {
        let tree = lofting_syntax::parse(text);
        let lowered = lower(FileId(0), &tree, profile, Options::default());
        let documents = lowered.documents.iter().enumerate();
        let meant = documents.filter(|(number, document)| is_meant(*number, document));
        let meant = meant.map(|(_, document)| document.value.span.range()).collect();
        let breaks = text.bytes().enumerate().filter(|(_, byte)| *byte == b'\n').map(|(at, _)| at + 1);
        Text {
            text,
            profile,
            tree,
            meant,
            lines: std::iter::once(0).chain(breaks).collect(),
            has_code: OnceCell::new(),
        }
    }

    /// The line of an offset, from 1.
    pub fn line(&self, offset: usize) -> usize {
        self.lines.partition_point(|start| *start <= offset).max(1)
    }

    pub fn edits(&self, step: &Move) -> Result<Vec<Rewrite>, Refused> {
        let mut edits = Vec::new();
        match step {
            Move::Key { from, to } => {
                let shared = common(from, to);
                for map in self.maps(&from.0[..shared]) {
                    self.move_key(map, (from, to, shared), &mut edits)?;
                }
            }
            Move::Split { from, between, to } => {
                let Some((parent, name)) = from.last() else { return Ok(edits) };
                for map in self.maps(parent) {
                    let Some(entry) = self.entry(map, name)? else { continue };
                    // It was split before.
                    if step.stays_as_map() && entry.value().map().is_some() {
                        continue;
                    }
                    let parts = self.data(entry.value()).parts(between.as_deref(), to);
                    let parts: Option<Vec<String>> = parts.into_iter().flatten().map(|part| part.scalar()).collect();
                    let why = "it has other parts than there are places";
                    let parts = parts.filter(|parts| !parts.is_empty());
                    let parts = parts.ok_or_else(|| Refused::Form(self.line(entry.range().start), why))?;
                    edits.extend(self.split(map, entry, from, &parts)?);
                }
            }
            Move::Remove { path, default, discard, .. } => {
                let Some((parent, name)) = path.last() else { return Ok(edits) };
                for map in self.maps(parent) {
                    let Some(entry) = self.entry(map, name)? else { continue };
                    let is_default = default.as_ref().is_some_and(|default| self.data(entry.value()).is_same(default));
                    if !is_default && !discard {
                        return Err(Refused::Lost(self.line(entry.range().start), path.clone()));
                    }
                    edits.extend(self.cut(map, entry)?);
                }
            }
            Move::Values { path, values } => {
                let Some((parent, name)) = path.last() else { return Ok(edits) };
                for map in self.maps(parent) {
                    let Some(entry) = self.entry(map, name)? else { continue };
                    let value = self.data(entry.value());
                    let new = values.iter().find(|(from, _)| *from == value).and_then(|(_, to)| to.scalar());
                    let is_json = self.is_json(map, entry.range().start);
                    let written = |new: String| if is_json { new } else { self.like(&new) };
                    edits.extend(new.map(|new| Rewrite { range: entry.value().content_range(), new: written(new) }));
                }
            }
        }
        Ok(edits)
    }

    /// All maps at a path, in the documents that are meant.
    fn maps(&self, path: &[Step]) -> Vec<Map<'_>> {
        let is_meant = |root: &Value<'_>| {
            let at = root.range().start;
            let after = self.meant.partition_point(|meant| meant.start <= at);
            after.checked_sub(1).and_then(|last| self.meant.get(last)).is_some_and(|meant| at < meant.end)
        };
        let roots = self.tree.documents().filter_map(|document| document.root());
        let mut values: Vec<Value<'_>> = roots.filter(is_meant).collect();
        for step in path {
            values = values.into_iter().flat_map(|value| below(value, step)).collect();
        }
        values.into_iter().filter_map(|value| value.map()).collect()
    }

    /// The entry of a map with a key.
    fn entry<'e>(&self, map: Map<'e>, name: &str) -> Result<Option<Entry<'e>>, Refused> {
        let mut found = map.entries().filter(|entry| is_named(*entry, name));
        let first = found.next();
        if let Some(second) = found.next() {
            return Err(Refused::Form(self.line(second.range().start), "the key is there twice"));
        }
        let merges = |entry: &Entry<'_>| is_named(*entry, "<<");
        match (first, map.entries().find(merges)) {
            (None, Some(merged)) => {
                Err(Refused::Form(self.line(merged.range().start), "keys are merged in from another place"))
            }
            (first, _) => Ok(first),
        }
    }

    fn find<'e>(&self, map: Map<'e>, path: &[Step]) -> Result<AtPath<'e>, Refused> {
        let mut map = map;
        for (depth, step) in path.iter().enumerate() {
            let Step::Key(name) = step else { return Ok(AtPath::Blocked(map.range().start)) };
            let Some(entry) = self.entry(map, name)? else { return Ok(AtPath::Missing(map, depth)) };
            if depth + 1 == path.len() {
                return Ok(AtPath::Entry(entry));
            }
            match entry.value().map() {
                Some(inner) => map = inner,
                None => return Ok(AtPath::Blocked(entry.range().start)),
            }
        }
        Ok(AtPath::Blocked(map.range().start))
    }

    fn move_key(
        &self,
        map: Map<'_>,
        (from, to, shared): (&Path, &Path, usize),
        edits: &mut Vec<Rewrite>,
    ) -> Result<(), Refused> {
        let AtPath::Entry(entry) = self.find(map, &from.0[shared..])? else { return Ok(()) };
        let (target, depth) = match self.find(map, &to.0[shared..])? {
            AtPath::Missing(target, depth) => (target, depth),
            AtPath::Entry(other) => return Err(Refused::InTheWay(self.line(other.range().start), to.clone())),
            AtPath::Blocked(at) => return Err(Refused::InTheWay(self.line(at), to.clone())),
        };
        let Some((_, name)) = to.last() else { return Ok(()) };
        let key = entry.key().map(|key| key.content_range());
        let key = key.ok_or_else(|| Refused::Form(self.line(entry.range().start), "the key is not written plainly"))?;
        if from.0.len() == shared + 1 && to.0.len() == shared + 1 {
            let is_json = holder(map, entry).is_some_and(|map| self.is_json(map, key.start));
            let new = if is_json { lofting_document::write::double_quoted(name) } else { written_key(name) };
            edits.push(Rewrite { range: key, new });
            return Ok(());
        }
        let source = holder(map, entry).ok_or_else(|| Refused::Form(self.line(key.start), "the key is not found"))?;
        self.refuse_code(&entry)?;
        let missing: Vec<&str> = to.0[shared + depth..to.0.len() - 1]
            .iter()
            .filter_map(|step| match step {
                Step::Key(name) => Some(name.as_str()),
                Step::Items | Step::AnyKey => None,
            })
            .collect();
        if source.is_flow() || target.is_flow() {
            let target = NewPlace { map: target, missing: &missing, name };
            edits.extend(self.move_in_braces((source, entry, key), &target)?);
            return Ok(());
        }
        let lines = self.lines_of(source, entry)?;
        let old_column = key.start - self.start_of_line(key.start);
        // The lines with the new key, as if they began in the first column.
        let mut block = self.text[lines.start..key.start].to_owned();
        block.push_str(&written_key(name));
        block.push_str(&self.text[key.end..lines.end]);
        if !block.ends_with('\n') {
            block.push_str(self.newline());
        }
        let column = target.column().unwrap_or_default();
        let mut new = String::new();
        for (level, name) in missing.iter().enumerate() {
            let room = " ".repeat(column + level * self.indent());
            new += &format!("{room}{}:{}", written_key(name), self.newline());
        }
        new += &shifted(&block, old_column, column + missing.len() * self.indent());
        let is_here = target.range() == source.range();
        if is_here {
            // It stays where it is, one level deeper.
            edits.push(Rewrite { range: lines, new });
            return Ok(());
        }
        edits.extend(self.cut_lines(source, lines.clone()));
        edits.push(self.at_the_end(target, new, Some(lines)));
        Ok(())
    }

    /// Adds lines to a map in block style. `cut`: lines that are not there any more.
    pub(crate) fn at_the_end(&self, target: Map<'_>, new: String, cut: Option<Range<usize>>) -> Rewrite {
        let last = target.entries().last().map_or(target.range().end, |last| last.range().end);
        let at = self.next_line(last.saturating_sub(1));
        if let Some(lines) = cut.filter(|lines| lines.contains(&at.saturating_sub(1))) {
            return Rewrite { range: lines.start..lines.start, new };
        }
        // The last line of a text may have no line break.
        let is_open = at == self.text.len() && !self.text.ends_with('\n');
        let before = if is_open { self.newline() } else { "" };
        Rewrite { range: at..at, new: format!("{before}{new}") }
    }

    /// Puts the parts of a scalar beside each other, where it is.
    fn split(&self, map: Map<'_>, entry: Entry<'_>, from: &Path, parts: &[String]) -> Result<Vec<Rewrite>, Refused> {
        let refuse = |why| Refused::Form(self.line(entry.range().start), why);
        let (key, value) = (entry.key().map(|key| key.content_range()), entry.value().content_range());
        let key = key.ok_or_else(|| refuse("the key is not written plainly"))?;
        if self.line(key.start) != self.line(value.end.saturating_sub(1)) {
            return Err(refuse("it is written over several lines"));
        }
        if entry.node().has_names() {
            return Err(refuse("it has an anchor or an alias"));
        }
        let is_json = self.is_json(map, key.start);
        let written = |(index, part): (usize, &String)| {
            let beside = beside(from, index);
            let name = beside.last().map(|(_, name)| name).unwrap_or_default();
            if is_json {
                format!("{}: {part}", lofting_document::write::double_quoted(name))
            } else {
                format!("{}: {}", written_key(name), self.like(part))
            }
        };
        let mut new = parts.iter().enumerate().map(written);
        let first = Rewrite { range: key.start..value.end, new: new.next().unwrap_or_default() };
        if map.is_flow() {
            let more: String = new.map(|part| format!(", {part}")).collect();
            return Ok(vec![first, Rewrite { range: value.end..value.end, new: more }]);
        }
        self.refuse_code(&entry)?;
        if entry.question().is_some() {
            return Err(refuse("the key begins with a question mark"));
        }
        let end = self.next_line(value.end.saturating_sub(1));
        let room = " ".repeat(key.start - self.start_of_line(key.start));
        let more: String = new.map(|part| format!("{room}{part}{}", self.newline())).collect();
        let is_open = end == self.text.len() && !self.text.ends_with('\n');
        let before = if is_open { self.newline() } else { "" };
        Ok(vec![first, Rewrite { range: end..end, new: format!("{before}{more}") }])
    }

    /// Removes an entry with its annotations.
    pub(crate) fn cut(&self, map: Map<'_>, entry: Entry<'_>) -> Result<Vec<Rewrite>, Refused> {
        self.refuse_code(&entry)?;
        if map.is_flow() {
            let entries: Vec<Entry<'_>> = map.entries().collect();
            let at = entries.iter().position(|other| other.range() == entry.range()).unwrap_or_default();
            let range = match (at.checked_sub(1).and_then(|before| entries.get(before)), entries.get(at + 1)) {
                (_, Some(next)) => entry.range().start..next.range().start,
                (Some(before), None) => before.range().end..entry.range().end,
                (None, None) => entry.range(),
            };
            return Ok(vec![Rewrite { range, new: String::new() }]);
        }
        // Comments above may be about more than the key: they stay.
        let own = self.lines_of(map, entry)?;
        let start = entry.range().start;
        let mut kept = String::new();
        for number in self.line(own.start)..self.line(start) {
            let line = &self.text[self.lines[number - 1]..self.lines[number]];
            if !line.trim_start().starts_with("#@") {
                kept += line;
            }
        }
        // So do those after it and in it.
        let room = " ".repeat(start - self.start_of_line(start));
        for comment in self.tree.comments_in(start..own.end) {
            let text = comment.text();
            if !text.starts_with("#@") {
                kept += &format!("{room}{}{}", text.trim_end(), self.newline());
            }
        }
        let mut edits = self.cut_lines(map, own);
        if let Some(edit) = edits.first_mut() {
            edit.new.insert_str(0, &kept);
        }
        Ok(edits)
    }

    /// Removes lines of a map in block style; a map without further entries becomes `{}`.
    fn cut_lines(&self, map: Map<'_>, lines: Range<usize>) -> Vec<Rewrite> {
        if map.entries().nth(1).is_some() {
            return vec![Rewrite { range: lines, new: String::new() }];
        }
        let first = map.entries().next().map_or(map.range().start, |entry| entry.range().start);
        let is_owner = |entry: &Entry<'_>| entry.value().map().is_some_and(|inner| inner.range() == map.range());
        let owner = self.tree.path_at(first).into_iter().rev().filter_map(Entry::cast).find(is_owner);
        match owner.and_then(|owner| owner.colon()).map(|colon| colon.range().end) {
            Some(colon) => {
                let empty = Rewrite { range: colon..colon, new: " {}".to_owned() };
                vec![Rewrite { range: lines, new: String::new() }, empty]
            }
            None => vec![Rewrite { range: lines, new: format!("{{}}{}", self.newline()) }],
        }
    }

    /// The whole lines of an entry, with the comments directly above it.
    fn lines_of(&self, map: Map<'_>, entry: Entry<'_>) -> Result<Range<usize>, Refused> {
        let start = entry.range().start;
        let refuse = |why| Err(Refused::Form(self.line(start), why));
        if map.is_flow() {
            return refuse("it is written between braces");
        }
        if entry.question().is_some() {
            return refuse("the key begins with a question mark");
        }
        let column = start - self.start_of_line(start);
        if !self.text[start - column..start].bytes().all(|byte| byte == b' ') {
            return refuse("the key shares its line with something else");
        }
        let names = self.tree.path_at(start).into_iter().rev().find_map(Entry::cast);
        if names.is_some_and(|entry| entry.node().has_names()) {
            return refuse("it has an anchor or an alias");
        }
        // What is above the first key may be about all of them, if there are others.
        let may_be_of_all = column == 0 || map.entries().nth(1).is_some();
        let mut first = self.line(start);
        while first > 1 {
            let above = &self.text[self.lines[first - 2]..self.lines[first - 1]];
            let is_own =
                above.len() - above.trim_start_matches(' ').len() == column && above[column..].starts_with('#');
            let is_above_all = may_be_of_all && self.lines[first - 2] < map.range().start.saturating_sub(column);
            if !is_own || is_above_all && !above.contains("#@") {
                break;
            }
            first -= 1;
        }
        Ok(self.lines[first - 1]..self.next_line(entry.range().end.max(start + 1) - 1))
    }

    /// Refuses a text with lines of code: what belongs to which of them is not looked at.
    fn refuse_code(&self, entry: &Entry<'_>) -> Result<(), Refused> {
        let has_code = *self.has_code.get_or_init(|| {
            self.tree.comments().any(|comment| {
                let start = comment.range().start;
                let is_line = self.text[self.start_of_line(start)..start].trim().is_empty();
                is_line && matches!(read_comment(&comment.text(), 0).kind, CommentKind::Code { .. })
            })
        });
        if has_code {
            return Err(Refused::Form(self.line(entry.range().start), "there are lines of code in this file"));
        }
        Ok(())
    }

    fn data(&self, value: Value<'_>) -> Data {
        let Some(text) = self.text.get(value.range()) else { return Data::Code(String::new()) };
        // Its first line begins where the value does.
        let room = " ".repeat(value.range().start - self.start_of_line(value.range().start));
        let whole = format!("{room}{text}");
        let tree = lofting_syntax::parse(&whole);
        let lowered = lower(FileId(0), &tree, self.profile, Options::default());
        lowered.documents.first().map_or(Data::Null, |document| Data::of(&document.value, &whole))
    }

    /// Whether a key between braces is written as in JSON, where all keys and texts have their quotes.
    pub(crate) fn is_json(&self, map: Map<'_>, key: usize) -> bool {
        map.is_flow() && self.text[key..].starts_with('"')
    }

    /// A scalar with quotes only where it needs them.
    fn like(&self, written: &str) -> String {
        let plain = written.trim_matches('"');
        let is_text = written.len() == plain.len() + 2;
        if is_text && is_plain(plain) { plain.to_owned() } else { written.to_owned() }
    }

    pub(crate) fn start_of_line(&self, offset: usize) -> usize {
        self.lines.get(self.line(offset) - 1).copied().unwrap_or_default()
    }

    /// The start of the line after the one that contains an offset.
    fn next_line(&self, offset: usize) -> usize {
        self.lines.get(self.line(offset)).copied().unwrap_or(self.text.len())
    }

    pub(crate) fn newline(&self) -> &'static str {
        if self.text.contains("\r\n") { "\r\n" } else { "\n" }
    }

    /// By how many columns the first nested map is indented.
    pub(crate) fn indent(&self) -> usize {
        let columns = self.lines.iter().filter_map(|start| {
            let line = self.text.get(*start..)?;
            let room = line.len() - line.trim_start_matches(' ').len();
            (room > 0 && !line.trim_start().starts_with(['#', '-', '\n', '\r'])).then_some(room)
        });
        columns.min().unwrap_or(2)
    }
}

/// A name beside a key for a part of its value, which no schema has.
pub(crate) fn beside(path: &Path, index: usize) -> Path {
    let mut beside = path.clone();
    if let Some(Step::Key(name)) = beside.0.last_mut() {
        *name = format!("{name}_part_{index}_of_lofting");
    }
    beside
}

/// The values at a step below a value.
fn below<'t>(value: Value<'t>, step: &Step) -> Vec<Value<'t>> {
    match step {
        Step::Key(name) => {
            let entries = value.map().into_iter().flat_map(|map| map.entries());
            entries.filter(|entry| is_named(*entry, name)).map(|entry| entry.value()).collect()
        }
        Step::AnyKey => value.map().into_iter().flat_map(|map| map.entries()).map(|entry| entry.value()).collect(),
        Step::Items => value.seq().into_iter().flat_map(|seq| seq.items()).map(|item| item.value()).collect(),
    }
}

/// The map that directly contains an entry somewhere below another map.
fn holder<'t>(map: Map<'t>, entry: Entry<'t>) -> Option<Map<'t>> {
    let mut map = map;
    loop {
        let around = map
            .entries()
            .find(|other| other.range().start <= entry.range().start && entry.range().end <= other.range().end)?;
        if around.range() == entry.range() {
            return Some(map);
        }
        map = around.value().map()?;
    }
}

fn is_named(entry: Entry<'_>, name: &str) -> bool {
    entry.key().and_then(|key| key.scalar()).is_some_and(|scalar| scalar.value() == name)
}

/// Whether a text means itself without quotes, in every version of YAML.
fn is_plain(text: &str) -> bool {
    let is_word = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.' | '/');
    let is_string = |profile| resolve_plain(profile, text) == Resolved::String;
    text.starts_with(|c: char| c.is_ascii_alphanumeric() || c == '_')
        && text.chars().all(is_word)
        && is_string(Profile::Yaml11)
        && is_string(Profile::Core12)
}

pub(crate) fn written_key(name: &str) -> String {
    if is_plain(name) { name.to_owned() } else { lofting_document::write::double_quoted(name) }
}

/// Lines that begin in another column.
fn shifted(lines: &str, old: usize, new: usize) -> String {
    let mut out = String::with_capacity(lines.len());
    for line in lines.split_inclusive('\n') {
        let room = line.len() - line.trim_start_matches(' ').len();
        let is_blank = line.trim_end_matches(['\n', '\r']).is_empty();
        if new > old && !is_blank {
            out.push_str(&" ".repeat(new - old));
        }
        out.push_str(&line[room.min(old.saturating_sub(new))..]);
    }
    out
}

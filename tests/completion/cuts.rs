//! Valid documents cut at a place, as if the user had come so far: what was cut must be offered, and accepting it must
//! bring it back without touching anything else.
//!
//! * *good*: the item is offered, the accepted text has the key or value at its path, everything else is as it was, and
//!   no finding is on another line.
//! * *core*: the same over the places every editor session has: block style, with what comes before the cut untouched
//!   and the rest of the document below it. Left out are brackets, quoted keys, and a key that is cut as a whole with
//!   dashes left below it.
//!
//! `LOFTING_CUTS` is the number of cuts (2,000 by default); `LOFTING_CUTS_SHOWN` how many failures are printed.

use crate::documents::{self, Document};
use crate::generated::{self, Dice};
use crate::{Editor, Offered, accepted, number};
use lofting_syntax::{Tree, Value};
use lofting_workspace::CancelFlag;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

/// One key, item or value of a document.
pub struct Part {
    /// `.key` and `[index]` from the root.
    pub path: String,
    pub what: What,
    /// From the start of the key, dash or value to the end of its last line, or of the value between brackets.
    range: Range<usize>,
    /// The key as written, or the scalar.
    pub word: Range<usize>,
    in_flow: bool,
}

/// What was cut.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum What {
    Key,
    Item,
    /// A scalar after `key:` or `- `.
    Scalar,
}

/// A document with something cut off.
pub struct Cut {
    pub text: String,
    pub offset: usize,
    /// What was there.
    path: String,
    /// The label that should be offered; several for items, whose content is not known.
    pub label: String,
    pub class: String,
    core: bool,
    /// Nothing is left below it.
    truncated: bool,
    /// Paths of what was cut along.
    gone: Vec<String>,
}

/// All parts of a text, and its scalars by path.
pub fn parts(text: &str) -> (Vec<Part>, BTreeMap<String, String>) {
    let tree: Tree = lofting_syntax::parse(text);
    let mut parts = Vec::new();
    let mut scalars = BTreeMap::new();
    let roots =
        tree.documents().enumerate().filter_map(|(index, document)| Some((format!("{index}"), document.root()?)));
    let mut todo: Vec<(String, Value<'_>, bool)> = roots.map(|(path, root)| (path, root, false)).collect();
    while let Some((path, value, in_flow)) = todo.pop() {
        if let Some(map) = value.map() {
            let in_flow = in_flow || map.is_flow();
            for entry in map.entries() {
                let Some(key) = entry.key() else { continue };
                let word = key.content_range();
                let name = text[word.clone()].trim_matches(['"', '\'']);
                let path = format!("{path}.{name}");
                let end = entry.value().range().end.max(entry.range().end);
                parts.push(Part { path: path.clone(), what: What::Key, range: word.start..end, word, in_flow });
                todo.push((path, entry.value(), in_flow));
            }
        } else if let Some(seq) = value.seq() {
            let in_flow = in_flow || seq.is_flow();
            for (index, item) in seq.items().enumerate() {
                let path = format!("{path}[{index}]");
                let range = item.range().start..item.value().range().end.max(item.range().end);
                let word = range.start..range.start + 1;
                if !in_flow {
                    parts.push(Part { path: path.clone(), what: What::Item, range, word, in_flow });
                }
                todo.push((path, item.value(), in_flow));
            }
        } else if let Some(scalar) = value.scalar() {
            let range = value.content_range();
            scalars.insert(path.clone(), scalar.value().into_owned());
            parts.push(Part { path, what: What::Scalar, range: range.clone(), word: range, in_flow });
        } else if let Some(alias) = value.alias() {
            scalars.insert(path, alias.text().into_owned());
        }
    }
    (parts, scalars)
}

fn line_end(text: &str, at: usize) -> usize {
    text[at..].find(['\r', '\n']).map_or(text.len(), |end| at + end)
}

/// A place to cut, or none where the part has no item that could bring it back.
pub fn cut(text: &str, parts: &[Part], index: usize, dice: &mut Dice) -> Option<Cut> {
    let part = &parts[index];
    let word = &text[part.word.clone()];
    if word.contains('\n') || word.starts_with(['&', '!', '|', '>', '*']) {
        return None;
    }
    let quoted = word.starts_with(['"', '\'']);
    let letters: Vec<usize> = word.char_indices().map(|(at, _)| at).collect();
    // The end of the word is a place too, but only a key continues after it.
    let places = letters.len() + usize::from(part.what == What::Key);
    let place = dice.roll(places);
    let typed = letters.get(place).copied().unwrap_or(word.len());
    let typed = if part.what == What::Item { 0 } else { typed };
    let offset = part.word.start + typed;
    let truncated = dice.once_in(3);
    let mut end = match part.what {
        What::Scalar => part.word.end,
        _ if part.in_flow => part.range.end,
        // With its children, to the end of the last line that has something of it.
        _ => line_end(text, part.range.end.max(part.word.end)),
    };
    while end > offset && text[..end].ends_with(['\n', '\r']) && !part.in_flow {
        end -= 1;
    }
    let rest = if truncated { text.len() } else { end };
    let cut_text = format!("{}{}", &text[..offset], &text[rest..]);
    let gone = parts.iter().filter(|other| {
        (offset..rest).contains(&other.range.start)
            || other.range.start == part.range.start && other.path.starts_with(&part.path)
    });
    let gone: Vec<String> = gone.map(|other| other.path.clone()).collect();
    let label = match part.what {
        What::Item => "- ".to_owned(),
        _ if quoted => word.trim_matches(['"', '\'']).to_owned(),
        _ => word.to_owned(),
    };
    let dash_below = text[rest..].trim_start().starts_with('-');
    let blank = typed == 0 && part.what != What::Scalar;
    let aside = part.in_flow || quoted || truncated;
    let core = !(aside || blank && dash_below);
    let class = format!(
        "{:?}{}{}{}{}{}",
        part.what,
        if part.in_flow { " in brackets" } else { "" },
        if quoted { ", quoted" } else { "" },
        if truncated { ", at the end" } else { "" },
        if typed == 0 { ", nothing typed" } else { "" },
        if dash_below && !truncated { ", dash below" } else { "" },
    );
    Some(Cut { text: cut_text, offset, path: part.path.clone(), label, class, core, truncated, gone })
}

/// A document as it was before a cut.
#[derive(Default)]
pub struct Before {
    /// Its scalars by their paths.
    pub scalars: BTreeMap<String, String>,
    /// Codes of what is wrong in it.
    pub wrong: BTreeSet<&'static str>,
}

/// Why a cut is not good.
pub fn judge(editor: &mut Editor, cut: &Cut, before: &Before) -> Result<(), String> {
    editor.replace(&cut.text);
    let items: Vec<Offered> = editor.completions(cut.offset, false).iter().map(Offered::from).collect();
    judge_offered(editor, cut, before, &items)
}

/// Judges a list of items from any server.
pub fn judge_offered(editor: &mut Editor, cut: &Cut, before: &Before, items: &[Offered]) -> Result<(), String> {
    let labels = || items.iter().map(|item| item.label.as_str()).collect::<Vec<_>>();
    // A key and a value may have the same name: the user sees which is which.
    let named = items.iter().filter(|item| item.label == cut.label);
    let judged = named.map(|item| accept(editor, cut, item, before));
    judged.max_by_key(Result::is_ok).unwrap_or_else(|| Err(format!("not offered, but {:?}", labels())))
}

/// Why an item of a cut is not good.
fn accept(editor: &mut Editor, cut: &Cut, item: &Offered, before: &Before) -> Result<(), String> {
    let text = accepted(&cut.text, item.edits.clone());
    let (found, scalars) = parts(&text);
    if !found.iter().any(|part| part.path == cut.path) {
        return Err(format!("accepted, it is not at its path: {text:?}"));
    }
    let kept = |path: &&String| !cut.gone.iter().any(|gone| path.starts_with(gone.as_str()));
    for path in before.scalars.keys().filter(kept) {
        if scalars.get(path) != before.scalars.get(path) {
            return Err(format!("accepted, {path} is {:?}: {text:?}", scalars.get(path)));
        }
    }
    editor.replace(&text);
    let changed = item.changed();
    let line = |at: usize| text[..at.min(text.len())].matches('\n').count();
    let lines = line(changed.start)..=line(changed.end);
    let findings = editor.snapshot().diagnostics(editor.file(), &CancelFlag::new());
    // What is below the cut is not there yet.
    let to_come = [
        "/missing-key",
        "/missing-port",
        "/missing-volume",
        "/no-branch",
        "/unclosed-block",
        "/unclosed-flow",
        "/unmatched-selector",
    ];
    let is_to_come = |code: &str| {
        // What was cut may have been the only use of a name, and its value is not written yet.
        code.starts_with("ytt/unused-")
            || code == "yaml/unused-anchor"
            || code == "ytt/one-not-null"
            || cut.truncated && to_come.iter().any(|end| code.ends_with(end))
    };
    let is_new = |code: &str| !before.wrong.contains(code) && !is_to_come(code);
    for finding in findings.iter().filter(|finding| is_new(finding.rule.code)) {
        let (start, end) = (finding.span.start as usize, finding.span.end as usize);
        // A key without its value is reported on its own line.
        if !(line(start)..=line(end)).any(|line| lines.contains(&line)) {
            return Err(format!("accepted, {} at {start}: {text:?}", finding.code()));
        }
    }
    Ok(())
}

/// Words that are always one of a few in these documents; what else a scalar is cannot be known.
const CHOICES: &[&str] = &[
    "true",
    "false",
    "debug",
    "info",
    "warn",
    "TCP",
    "UDP",
    "a b",
    "c: d",
    "yes",
    "1.2",
    "Always",
    "NodePort",
    "Exact",
    "ClusterIssuer",
    "alpha",
    "beta",
];

fn is_known(document: &Document, part: &Part) -> bool {
    // Of these the schemas say nothing.
    let free: &[&str] = if document.name.starts_with("fleet/") {
        &[".labels.", ".defaults."]
    } else {
        &[".extra.", ".environment.", "].value"]
    };
    if free.iter().any(|map| part.path.contains(map)) {
        return false;
    }
    part.what != What::Scalar || CHOICES.contains(&document.text[part.word.clone()].trim_matches(['"', '\'']))
}

#[test]
fn what_was_cut_is_offered_and_comes_back_right() {
    let cuts = number("LOFTING_CUTS", 2_000);
    let shown = number("LOFTING_CUTS_SHOWN", 12);
    let known = documents::all().into_iter().filter(|document| document.schema.is_some());
    let documents: Vec<Document> = known.chain(generated::documents(11, 60 + cuts / 100)).collect();
    let mut dice = Dice::new(3);
    let mut tally = Tally::default();
    for document in &documents {
        let mut editor = Editor::new(document.schema.as_deref(), &document.text);
        // What is wrong in a document on purpose is not the completion's fault.
        if !editor.snapshot().diagnostics(editor.file(), &CancelFlag::new()).is_empty() {
            continue;
        }
        let (parts, scalars) = parts(&document.text);
        let before = Before { scalars, ..Before::default() };
        for _ in 0..cuts.div_ceil(documents.len()) {
            let index = dice.roll(parts.len());
            if !is_known(document, &parts[index]) {
                continue;
            }
            let Some(cut) = cut(&document.text, &parts, index, &mut dice) else { continue };
            let judged = judge(&mut editor, &cut, &before);
            tally.add(&document.name, &cut, judged);
        }
    }
    tally.tell(shown);
    assert!(tally.all > cuts / 2, "{} cuts", tally.all);
    assert!(tally.share() >= 99.7 && tally.core_share() >= 99.9, "see above");
}

fn figures((good, all): (usize, usize), (core_good, core): (usize, usize)) -> String {
    let (share, core_share) = (share(good, all), share(core_good, core));
    format!("good {good} of {all}: {share:.2} %; core {core_good} of {core}: {core_share:.2} %")
}

/// How many cuts are good, and what is wrong with the others.
#[derive(Default)]
pub struct Tally {
    /// Cuts that were judged.
    pub all: usize,
    good: usize,
    core: usize,
    core_good: usize,
    classes: BTreeMap<String, Vec<String>>,
}

fn share(part: usize, of: usize) -> f64 {
    100.0 * part as f64 / of.max(1) as f64
}

impl Tally {
    /// Counts a cut of a document.
    pub fn add(&mut self, document: &str, cut: &Cut, judged: Result<(), String>) {
        self.all += 1;
        self.core += usize::from(cut.core);
        match judged {
            Ok(()) => {
                self.good += 1;
                self.core_good += usize::from(cut.core);
            }
            Err(why) => {
                let text = format!("{}$0{}", &cut.text[..cut.offset], &cut.text[cut.offset..]);
                let core = if cut.core { " (core)" } else { "" };
                let shown = format!("{document} {:?} for {}\n{text}\n{why}", cut.label, cut.path);
                self.classes.entry(format!("{}{core}", cut.class)).or_default().push(shown);
            }
        }
    }

    /// The good ones of a hundred.
    pub fn share(&self) -> f64 {
        share(self.good, self.all)
    }

    /// The result over the places of every session.
    pub fn core_share(&self) -> f64 {
        share(self.core_good, self.core)
    }

    /// How many are good.
    pub fn figures(&self) -> String {
        figures((self.good, self.all), (self.core_good, self.core))
    }

    /// Several tallies added up.
    pub fn sum<'t>(tallies: impl Iterator<Item = &'t Tally>) -> String {
        let (mut all, mut core) = ((0, 0), (0, 0));
        for tally in tallies {
            all = (all.0 + tally.good, all.1 + tally.all);
            core = (core.0 + tally.core_good, core.1 + tally.core);
        }
        figures(all, core)
    }

    /// Shows the figures, and some of the failures.
    pub fn tell(&self, shown: usize) {
        println!("{}", self.figures());
        for (class, failures) in &self.classes {
            println!("{} × {class}", failures.len());
            for failure in failures.iter().take(shown.div_ceil(self.classes.len())) {
                println!("----\n{failure}");
            }
        }
    }
}

//! Hours of typing in one server: files of all examples are opened, edited, undone, changed on disk and closed, questions
//! are asked in between, and its workers are killed. In the end it must find what a fresh server finds, and its memory
//! must not have grown.
//!
//! `cargo xtask soak --hours N [--keys-a-second N]`; a line is printed for each minute. Without a number of keys the
//! letters of a word arrive together, and the server skips what it has no time for; a person's twenty let it answer each.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use anyhow::{Context, bail};
use serde_json::{Value, json};

use crate::client::{Client, uri};

/// How many files are open at a time.
const OPEN: usize = 24;
/// How often the memory is looked at.
const LOOK: Duration = Duration::from_secs(60);
/// The part of the time after which the memory has its size.
const WARM: f64 = 0.25;
/// How much memory may grow, in MiB an hour.
const SLOPE: f64 = 1.0;

/// Questions about a place in a document.
const AT_PLACE: [&str; 9] = [
    "textDocument/hover",
    "textDocument/completion",
    "textDocument/definition",
    "textDocument/references",
    "textDocument/documentHighlight",
    "textDocument/signatureHelp",
    "textDocument/prepareRename",
    "textDocument/implementation",
    "textDocument/typeDefinition",
];

/// Questions about a whole document.
const OF_DOCUMENT: [&str; 6] = [
    "textDocument/documentSymbol",
    "textDocument/foldingRange",
    "textDocument/semanticTokens/full",
    "textDocument/documentLink",
    "textDocument/codeLens",
    "textDocument/formatting",
];

/// What is typed, letter by letter.
const TYPED: [&str; 12] = [
    "\nname: web",
    "\n  - item: [1, 2",
    "\n#@ if x:\n#@ end",
    "\n#@ load(\"@ytt:data\", \"data\")",
    " #! why",
    "\n---\nkind: Service\nmetadata:\n  name: a",
    "\n\"key\": 'it''s'",
    "\n  {a: &b 1, c: *b}",
    "\n    very: deep: wrong",
    "\n#@overlay/match by=",
    "\nübung: \u{1f600}",
    "\n  key: |\n    text\n   less",
];

/// Numbers that look random and are the same in each run.
struct Dice(u64);

impl Dice {
    fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % end.max(1) as u64) as usize
    }
}

/// A server, and what its editor shows.
struct Desk {
    client: Client,
    /// The open documents by path, with version and text.
    open: BTreeMap<PathBuf, (i64, String)>,
    dice: Dice,
    /// What is waited for after a key.
    pause: Duration,
    keys: u64,
    kills: u64,
    /// Findings that were compared.
    found: usize,
}

/// Types for so many hours, so many keys a second or as fast as the server takes them.
pub fn run(server: &Path, examples: &Path, hours: f64, keys_a_second: Option<f64>) -> anyhow::Result<()> {
    let folder = tempfile::tempdir().context("a folder for the examples")?;
    let root = folder.path().canonicalize().context("its path")?;
    copy(examples, &root)?;
    let mut files = Vec::new();
    list(&root, &mut files)?;
    files.sort();
    let mut desk = Desk::new(server, &root, 0x9E37_79B9_7F4A_7C15)?;
    if let Some(keys) = keys_a_second {
        desk.pause = Duration::try_from_secs_f64(1.0 / keys).context("a number of keys a second is above zero")?;
    }
    let all = Duration::from_secs_f64(hours * 3600.0);
    let (start, mut looked) = (Instant::now(), Instant::now());
    let mut samples: Vec<(f64, f64)> = Vec::new();
    while start.elapsed() < all {
        desk.turn(&files)?;
        if looked.elapsed() >= LOOK {
            looked = Instant::now();
            let memory = desk.client.memory().context("the server has no memory that can be read")?;
            samples.push((start.elapsed().as_secs_f64() / 3600.0, memory));
            println!(
                "{:5.0} min: {} keys, {} workers killed, {memory:.1} MiB",
                start.elapsed().as_secs_f64() / 60.0,
                desk.keys,
                desk.kills
            );
        }
    }
    desk.is_as_fresh(server, &root, &files)?;
    let warm: Vec<(f64, f64)> = samples.iter().copied().filter(|(at, _)| *at >= hours * WARM).collect();
    match slope(&warm) {
        Some(slope) => {
            println!("memory: {slope:+.2} MiB an hour, over the last {} minutes", warm.len());
            // A few minutes say nothing about an hour.
            if slope > SLOPE && warm.len() >= 30 {
                bail!("the memory grows by {slope:.2} MiB an hour, more than {SLOPE}");
            }
        }
        None => println!("memory: too few minutes to say whether it grows"),
    }
    let Desk { keys, kills, found, .. } = desk;
    println!("{keys} keys, {kills} workers killed: the server finds what a fresh one finds, {found} findings");
    desk.client.stop()
}

impl Desk {
    fn new(server: &Path, root: &Path, seed: u64) -> anyhow::Result<Self> {
        let (client, _) = Client::start(server, root)?;
        let (open, dice, pause) = (BTreeMap::new(), Dice(seed), Duration::ZERO);
        Ok(Desk { client, open, dice, pause, keys: 0, kills: 0, found: 0 })
    }

    /// One visit to a file.
    fn turn(&mut self, files: &[PathBuf]) -> anyhow::Result<()> {
        let Some(path) = files.get(self.dice.below(files.len())).cloned() else { bail!("there are no examples") };
        self.show(&path)?;
        let before = self.open.get(&path).map(|(_, text)| text.clone()).unwrap_or_default();
        let lines = before.lines().count();
        let line = self.dice.below(lines.max(1));
        let column = before.lines().nth(line).map_or(0, str::len);
        let typed = TYPED[self.dice.below(TYPED.len())];
        self.type_at(&path, line, column, typed)?;
        self.ask(&path, line, column)?;
        // Away with it, as with one undo.
        self.replace(&path, &before)?;
        let version = self.open.get(&path).map_or(0, |(version, _)| *version);
        self.client.diagnostics(&uri(&path), version)?;
        match self.dice.below(12) {
            0 => self.change_on_disk(&path, &before)?,
            1 => self.kill_workers(),
            2 => self.hide(&path)?,
            _ => {}
        }
        self.client.forget_diagnostics();
        Ok(())
    }

    /// Opens a file, and closes another if there are too many.
    fn show(&mut self, path: &Path) -> anyhow::Result<()> {
        if self.open.contains_key(path) {
            return Ok(());
        }
        while self.open.len() >= OPEN {
            let at = self.dice.below(self.open.len());
            let Some(other) = self.open.keys().nth(at).cloned() else { break };
            self.hide(&other)?;
        }
        let text = fs::read_to_string(path).with_context(|| path.display().to_string())?;
        let document = json!({"uri": uri(path), "languageId": "yaml", "version": 1, "text": text});
        self.client.notify("textDocument/didOpen", json!({"textDocument": document}))?;
        self.open.insert(path.to_owned(), (1, text));
        Ok(())
    }

    fn hide(&mut self, path: &Path) -> anyhow::Result<()> {
        if self.open.remove(path).is_some() {
            self.client.notify("textDocument/didClose", json!({"textDocument": {"uri": uri(path)}}))?;
        }
        Ok(())
    }

    fn type_at(&mut self, path: &Path, line: usize, column: usize, typed: &str) -> anyhow::Result<()> {
        let (mut line, mut column) = (line, column);
        for letter in typed.chars() {
            let Some((version, _)) = self.open.get_mut(path) else { return Ok(()) };
            *version += 1;
            let place = json!({"line": line, "character": column});
            let change = json!({"range": {"start": place, "end": place}, "text": letter.to_string()});
            let document = json!({"uri": uri(path), "version": *version});
            let params = json!({"textDocument": document, "contentChanges": [change]});
            self.client.notify("textDocument/didChange", params)?;
            self.keys += 1;
            std::thread::sleep(self.pause);
            (line, column) = if letter == '\n' { (line + 1, 0) } else { (line, column + letter.len_utf8()) };
        }
        Ok(())
    }

    fn replace(&mut self, path: &Path, text: &str) -> anyhow::Result<()> {
        let Some((version, known)) = self.open.get_mut(path) else { return Ok(()) };
        *version += 1;
        text.clone_into(known);
        let document = json!({"uri": uri(path), "version": *version});
        let params = json!({"textDocument": document, "contentChanges": [{"text": text}]});
        self.client.notify("textDocument/didChange", params).map(drop)
    }

    fn ask(&mut self, path: &Path, line: usize, column: usize) -> anyhow::Result<()> {
        let document = json!({"uri": uri(path)});
        let place = json!({"line": line, "character": column});
        let method = AT_PLACE[self.dice.below(AT_PLACE.len())];
        let context = json!({"includeDeclaration": true});
        self.client.request(method, json!({"textDocument": document, "position": place, "context": context}))?;
        let method = OF_DOCUMENT[self.dice.below(OF_DOCUMENT.len())];
        let options = json!({"tabSize": 2, "insertSpaces": true});
        self.client.request(method, json!({"textDocument": document, "options": options}))?;
        let range = json!({"start": place, "end": place});
        let context = json!({"diagnostics": []});
        let params = json!({"textDocument": document, "range": range, "context": context});
        self.client.request("textDocument/codeAction", params).map(drop)
    }

    /// What a checkout does: another text, and back.
    fn change_on_disk(&mut self, path: &Path, before: &str) -> anyhow::Result<()> {
        for text in [format!("{before}\nadded: 1\n"), before.to_owned()] {
            fs::write(path, text).with_context(|| path.display().to_string())?;
            let change = json!({"uri": uri(path), "type": 2});
            self.client.notify("workspace/didChangeWatchedFiles", json!({"changes": [change]}))?;
        }
        Ok(())
    }

    fn kill_workers(&mut self) {
        for child in self.client.children() {
            let killed = Command::new("kill").args(["-9", &child.to_string()]).status();
            self.kills += u64::from(killed.is_ok_and(|status| status.success()));
        }
    }

    /// Compares the findings of all files with those of a server that was started now.
    fn is_as_fresh(&mut self, server: &Path, root: &Path, files: &[PathBuf]) -> anyhow::Result<()> {
        let open: Vec<PathBuf> = self.open.keys().cloned().collect();
        for path in open {
            self.hide(&path)?;
        }
        let mut fresh = Desk::new(server, root, 1)?;
        for path in files {
            let (old, new) = (self.findings(path)?, fresh.findings(path)?);
            if old != new {
                bail!("{}: the server finds\n{old:#}\nand a fresh one\n{new:#}", path.display());
            }
        }
        if self.found == 0 {
            bail!("the examples have no findings, so that nothing was compared");
        }
        fresh.client.stop()
    }

    /// The findings of a file once all that they need is known.
    fn findings(&mut self, path: &Path) -> anyhow::Result<Value> {
        self.client.forget_diagnostics();
        self.show(path)?;
        self.client.diagnostics(&uri(path), 1)?;
        // A command is answered after everything that was asked before it, code included.
        let found = self.client.request("textDocument/diagnostic", json!({"textDocument": {"uri": uri(path)}}))?;
        self.hide(path)?;
        let items = found.message["result"]["items"].as_array().cloned();
        let mut items = items.with_context(|| format!("no findings: {}", found.message))?;
        self.found += items.len();
        items.sort_by_key(Value::to_string);
        Ok(Value::Array(items))
    }
}

/// The slope of a line through points, in units of the second coordinate for one of the first.
fn slope(points: &[(f64, f64)]) -> Option<f64> {
    if points.len() < 3 {
        return None;
    }
    let count = points.len() as f64;
    let mean = |of: fn(&(f64, f64)) -> f64| points.iter().map(of).sum::<f64>() / count;
    let (x, y) = (mean(|point| point.0), mean(|point| point.1));
    let above: f64 = points.iter().map(|point| (point.0 - x) * (point.1 - y)).sum();
    let below: f64 = points.iter().map(|point| (point.0 - x).powi(2)).sum();
    (below > 0.0).then(|| above / below)
}

fn copy(from: &Path, to: &Path) -> anyhow::Result<()> {
    fs::create_dir_all(to).with_context(|| to.display().to_string())?;
    for entry in fs::read_dir(from).with_context(|| from.display().to_string())? {
        let entry = entry?;
        let target = to.join(entry.file_name());
        if entry.file_type()?.is_dir() {
            copy(&entry.path(), &target)?;
        } else {
            fs::copy(entry.path(), &target).with_context(|| target.display().to_string())?;
        }
    }
    Ok(())
}

/// The YAML files of a folder.
fn list(folder: &Path, found: &mut Vec<PathBuf>) -> anyhow::Result<()> {
    for entry in fs::read_dir(folder).with_context(|| folder.display().to_string())? {
        let path = entry?.path();
        if path.is_dir() {
            list(&path, found)?;
        } else if path.extension().is_some_and(|extension| extension == "yml" || extension == "yaml") {
            found.push(path);
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::slope;

    #[test]
    fn a_slope_is_that_of_the_line() {
        assert_eq!(slope(&[(0.0, 5.0), (1.0, 7.0), (2.0, 9.0)]), Some(2.0));
        assert_eq!(slope(&[(0.0, 5.0), (1.0, 5.0), (2.0, 5.0)]), Some(0.0));
        assert_eq!(slope(&[(0.0, 5.0)]), None);
    }
}

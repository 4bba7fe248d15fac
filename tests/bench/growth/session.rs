//! An editor with the file under the cursor open.

use std::path::Path;
use std::time::{Duration, Instant};

use anyhow::{Context, anyhow};
use lofting_tests::is_partial;
use lofting_tests::shapes::{Case, Cursor};
use serde_json::{Value, json};

use crate::client::{Client, uri};
use crate::process::write;

/// Milliseconds below which growth cannot be distinguished from noise.
pub const FLOOR: f64 = 20.0;

/// From opening the file to its diagnostics.
pub const OPEN: &str = "open";

/// A key, and requests right after one.
pub const FORMS: &[&str] = &[
    OPEN,
    "key",
    "completion",
    "hover",
    "symbols",
    "references",
    "rename",
    "definition",
    "highlights",
    "folding",
    "selection",
    "code actions",
    "hints",
    "lenses",
    "tokens",
    "formatting",
    "workspace symbols",
    "workspace diagnostics",
];

/// How long findings stay partial before they are requested again: the server announces no change if they stay the same.
const PULL_AGAIN: Duration = Duration::from_millis(20);

/// Measured keystrokes: the quickest counts.
const KEYS: usize = 3;

/// A server with one open file.
pub struct Session {
    client: Client,
    uri: String,
    cursor: Cursor,
    version: i64,
}

/// A moment, by the clock and by the processor time that the server took.
struct Clock {
    at: Instant,
    processor: Option<Duration>,
}

impl Clock {
    /// The time since, or the processor time if that is less: a busy machine lengthens the one, and what the server
    /// still tidies up after an earlier answer the other.
    fn since(&self, before: &Clock) -> Duration {
        let time = self.at - before.at;
        match (self.processor, before.processor) {
            (Some(now), Some(before)) => time.min(now.saturating_sub(before)),
            _ => time,
        }
    }
}

impl Session {
    /// Writes the files, starts a server and opens the file; returns the time to its diagnostics.
    pub fn open(server: &Path, case: &Case, root: &Path) -> anyhow::Result<(Session, Duration)> {
        let (files, cursor) = case.files();
        write(root, &files)?;
        let (path, text) = files.get(cursor.file).context("no file")?;
        let (client, _) = Client::start_pulling(server, root)?;
        let mut session = Session { client, uri: uri(&root.join(path)), cursor, version: 1 };
        let document = json!({"uri": session.uri, "languageId": "yaml", "version": 1, "text": text});
        let before = session.clock();
        session.client.notify("textDocument/didOpen", json!({"textDocument": document}))?;
        session.diagnostics()?;
        let took = session.clock().since(&before);
        Ok((session, took))
    }

    /// The least time from a key to what is asked right after it.
    pub fn ask(&mut self, form: &str) -> anyhow::Result<Duration> {
        let mut least = Duration::MAX;
        for _ in 0..KEYS {
            let before = self.clock();
            self.edit(0, "x")?;
            match form {
                "key" => self.diagnostics()?,
                "completion" => self.at_cursor("textDocument/completion", json!({}))?,
                "hover" => self.at_cursor("textDocument/hover", json!({}))?,
                "references" => {
                    self.at_cursor("textDocument/references", json!({"context": {"includeDeclaration": true}}))?
                }
                "rename" => self.at_cursor("textDocument/rename", json!({"newName": "renamed"}))?,
                "definition" => self.at_cursor("textDocument/definition", json!({}))?,
                "highlights" => self.at_cursor("textDocument/documentHighlight", json!({}))?,
                "symbols" => self.request("textDocument/documentSymbol", json!({}))?,
                "folding" => self.request("textDocument/foldingRange", json!({}))?,
                "selection" => {
                    let position = json!([{"line": self.cursor.line, "character": self.cursor.column}]);
                    self.request("textDocument/selectionRange", json!({"positions": position}))?
                }
                "code actions" => {
                    let position = json!({"line": self.cursor.line, "character": self.cursor.column});
                    let range = json!({"start": position, "end": position});
                    self.request("textDocument/codeAction", json!({"range": range, "context": {"diagnostics": []}}))?
                }
                "hints" => {
                    let range =
                        json!({"start": {"line": 0, "character": 0}, "end": {"line": u32::MAX >> 1, "character": 0}});
                    self.request("textDocument/inlayHint", json!({"range": range}))?
                }
                "lenses" => self.request("textDocument/codeLens", json!({}))?,
                "tokens" => self.request("textDocument/semanticTokens/full", json!({}))?,
                "formatting" => {
                    let options = json!({"tabSize": 2, "insertSpaces": true});
                    self.request("textDocument/formatting", json!({"options": options}))?
                }
                "workspace symbols" => self.client.request("workspace/symbol", json!({"query": "name"}))?.at,
                "workspace diagnostics" => {
                    self.client.request("workspace/diagnostic", json!({"previousResultIds": []}))?.at
                }
                other => return Err(anyhow!("no form `{other}`")),
            };
            least = least.min(self.clock().since(&before));
            self.edit(1, "")?;
            self.diagnostics()?;
        }
        Ok(least)
    }

    fn clock(&self) -> Clock {
        Clock { at: Instant::now(), processor: self.client.processor_time() }
    }

    fn edit(&mut self, removed: u32, text: &str) -> anyhow::Result<Instant> {
        self.version += 1;
        let Cursor { line, column, .. } = self.cursor;
        let range = json!({
            "start": {"line": line, "character": column},
            "end": {"line": line, "character": column + removed},
        });
        self.client.notify(
            "textDocument/didChange",
            json!({
                "textDocument": {"uri": self.uri, "version": self.version},
                "contentChanges": [{"range": range, "text": text}],
            }),
        )
    }

    /// All findings: a report that comes before code has run is followed by another, once the server asks to pull again or
    /// after a while.
    fn diagnostics(&mut self) -> anyhow::Result<Instant> {
        let document = json!({"textDocument": {"uri": self.uri}});
        loop {
            let arrived = self.client.request("textDocument/diagnostic", document.clone())?;
            if !is_partial(&arrived.message["result"]) {
                return Ok(arrived.at);
            }
            self.client.wait_for_request("workspace/diagnostic/refresh", PULL_AGAIN)?;
        }
    }

    fn at_cursor(&mut self, method: &str, mut parameters: Value) -> anyhow::Result<Instant> {
        parameters["position"] = json!({"line": self.cursor.line, "character": self.cursor.column.saturating_sub(1)});
        self.request(method, parameters)
    }

    fn request(&mut self, method: &str, mut parameters: Value) -> anyhow::Result<Instant> {
        parameters["textDocument"] = json!({"uri": self.uri});
        self.client.request(method, parameters).map(|arrived| arrived.at)
    }
}

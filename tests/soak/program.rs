//! Edits through the real program: a server that saw all of them gives the same findings as one that is started
//! afterwards.

use std::io::{BufRead, BufReader, Read, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use lofting_tests::is_partial;
use lofting_tests::server_errors::ServerErrors;
use lofting_text::{Encoding, Position, Text};
use serde_json::{Value, json};

use crate::desk::{Change, Desk};
use crate::edits::Edit;

/// A server and the way to talk to it, message by message.
struct Server {
    process: Child,
    /// Dropped after the process has ended.
    _errors: ServerErrors,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
    last_id: i64,
}

impl Server {
    /// Starts it on a folder, as a client that pulls diagnostics and tells of changed files.
    fn start(root: &Path) -> Self {
        let errors = ServerErrors::new();
        let mut process = Command::new(env!("CARGO_BIN_EXE_lofting"))
            .arg("lsp")
            .env("LOFTING_LOG", "error")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(errors.stdio())
            .spawn()
            .expect("the server starts");
        let input = process.stdin.take().expect("a pipe");
        let output = BufReader::new(process.stdout.take().expect("a pipe"));
        let mut server = Self { process, _errors: errors, input, output, last_id: 0 };
        let capabilities = json!({
            "workspace": {"didChangeWatchedFiles": {"dynamicRegistration": true}, "diagnostics": {"refreshSupport": true}},
            "window": {"workDoneProgress": true},
            "textDocument": {
                "diagnostic": {"relatedInformation": true},
                "hover": {"contentFormat": ["markdown"]},
                "documentSymbol": {"hierarchicalDocumentSymbolSupport": true},
                "inlayHint": {},
                "codeLens": {},
                "semanticTokens": {
                    "requests": {"full": true}, "formats": ["relative"], "tokenModifiers": [],
                    "tokenTypes": ["function", "variable", "parameter", "keyword", "string", "number", "operator"],
                },
            },
        });
        let folders = json!([{"uri": uri(root), "name": "soak"}]);
        server.ask(
            "initialize",
            json!({"processId": null, "rootUri": uri(root), "workspaceFolders": folders, "capabilities": capabilities}),
        );
        server.tell("initialized", json!({}));
        server.scanned();
        server
    }

    /// Waits for the end of the first scan.
    fn scanned(&mut self) {
        loop {
            let message = self.receive();
            if message["method"] == "$/progress" && message["params"]["value"]["kind"] == "end" {
                return;
            }
        }
    }

    fn send(&mut self, message: &Value) {
        let body = message.to_string();
        write!(self.input, "Content-Length: {}\r\n\r\n{body}", body.len()).expect("the server reads");
        self.input.flush().expect("the server reads");
    }

    fn tell(&mut self, method: &str, params: Value) {
        self.send(&json!({"jsonrpc": "2.0", "method": method, "params": params}));
    }

    fn ask(&mut self, method: &str, params: Value) -> Value {
        self.last_id += 1;
        let id = self.last_id;
        self.send(&json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}));
        loop {
            let message = self.receive();
            if message.get("method").is_none() && message["id"] == id {
                return message;
            }
        }
    }

    /// The next message; questions of the server are answered.
    fn receive(&mut self) -> Value {
        let mut length = 0;
        loop {
            let mut line = String::new();
            assert_ne!(self.output.read_line(&mut line).expect("a header"), 0, "the server has ended");
            match line.trim_end().split_once(": ") {
                Some((_, value)) => length = value.parse().expect("a length"),
                None => break,
            }
        }
        let mut body = vec![0; length];
        self.output.read_exact(&mut body).expect("a body");
        let message: Value = serde_json::from_slice(&body).expect("JSON");
        if message.get("method").is_some() && message.get("id").is_some() {
            self.send(&json!({"jsonrpc": "2.0", "id": message["id"], "result": null}));
        }
        message
    }

    fn hear(&mut self, version: i32, change: &Change) {
        match change {
            Change::Opened(path, text) => {
                let document = json!({"uri": uri(path), "languageId": "yaml", "version": version, "text": text});
                self.tell("textDocument/didOpen", json!({"textDocument": document}));
            }
            Change::Closed(path) => self.tell("textDocument/didClose", json!({"textDocument": {"uri": uri(path)}})),
            Change::Edited(path, before, range, new) => {
                let text = Text::new(before);
                let [start, end] = [range.start, range.end].map(|offset| text.position(offset, Encoding::Utf16));
                let json = |at: &Position| json!({"line": at.line, "character": at.column});
                // No position names the place inside a line break.
                let exact = [start, end].map(|at| text.offset(at, Encoding::Utf16)) == [range.start, range.end];
                let change = if exact {
                    json!({"range": {"start": json(&start), "end": json(&end)}, "text": new})
                } else {
                    let text = [&before[..range.start], new, &before[range.end..]].concat();
                    json!({"text": text})
                };
                let document = json!({"uri": uri(path), "version": version});
                self.tell("textDocument/didChange", json!({"textDocument": document, "contentChanges": [change]}));
            }
            Change::OnDisk(paths) => {
                let changes: Vec<_> = paths.iter().map(|path| json!({"uri": uri(path), "type": 2})).collect();
                self.tell("workspace/didChangeWatchedFiles", json!({"changes": changes}));
            }
        }
    }

    /// All findings of a document: findings that need no code come at once, and nothing announces when the rest is known.
    fn findings(&mut self, path: &Path) -> Value {
        loop {
            let report = self.ask("textDocument/diagnostic", json!({"textDocument": {"uri": uri(path)}}));
            if !is_partial(&report["result"]) {
                return report["result"]["items"].clone();
            }
            std::thread::yield_now();
        }
    }

    /// What it says about a document, asked twice: the code of one file may tell of another.
    fn says(&mut self, path: &Path, text: &str) -> Value {
        let document = json!({"textDocument": {"uri": uri(path)}});
        let end = Text::new(text).position(text.len() / 2, Encoding::Utf16);
        let mut at = document.clone();
        at["position"] = json!({"line": end.line, "character": end.column});
        let last = Text::new(text).position(text.len(), Encoding::Utf16);
        let mut whole = document.clone();
        whole["range"] = json!({
            "start": {"line": 0, "character": 0},
            "end": {"line": last.line, "character": last.column},
        });
        let lenses = self.ask("textDocument/codeLens", document.clone())["result"].take();
        let lenses = lenses.as_array().cloned().unwrap_or_default();
        let counted: Vec<Value> =
            lenses.into_iter().map(|lens| self.ask("codeLens/resolve", lens)["result"].take()).collect();
        json!({
            "findings": self.findings(path),
            "symbols": self.ask("textDocument/documentSymbol", document.clone())["result"],
            "folds": self.ask("textDocument/foldingRange", document.clone())["result"],
            "links": self.ask("textDocument/documentLink", document.clone())["result"],
            "tokens": self.ask("textDocument/semanticTokens/full", document)["result"]["data"],
            "hints": self.ask("textDocument/inlayHint", whole)["result"],
            "lenses": counted,
            "hover": self.ask("textDocument/hover", at.clone())["result"],
            "definition": self.ask("textDocument/definition", at.clone())["result"],
            "type": self.ask("textDocument/typeDefinition", at)["result"],
        })
    }

    fn says_all(&mut self, desk: &Desk) -> Vec<(String, Value)> {
        // What may be half-typed is held back until the document is saved.
        for (path, _) in desk.open() {
            self.tell("textDocument/didSave", json!({"textDocument": {"uri": uri(&path)}}));
        }
        for _ in 0..2 {
            for (path, _) in desk.open() {
                self.findings(&path);
            }
        }
        desk.open().map(|(path, text)| (path.display().to_string(), self.says(&path, text))).collect()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

fn uri(path: &Path) -> String {
    format!("file://{}", path.display())
}

/// One sitting with two servers: one that sees every edit, and one that is started at the end.
pub fn sitting(edits: &[Edit]) -> Result<(), String> {
    let mut desk = Desk::new();
    let mut kept = Server::start(desk.root());
    for (version, edit) in (1..).zip(edits) {
        for change in desk.apply(edit) {
            kept.hear(version, &change);
        }
        if matches!(edit, Edit::Ask | Edit::WithoutCode | Edit::Abandoned) {
            kept.says_all(&desk);
        }
    }
    let mut fresh = Server::start(desk.root());
    for (path, text) in desk.open() {
        fresh.hear(1, &Change::Opened(path, text.to_owned()));
    }
    let (kept, fresh) = (kept.says_all(&desk), fresh.says_all(&desk));
    let different: Vec<String> = kept
        .iter()
        .zip(&fresh)
        .filter(|(kept, fresh)| kept != fresh)
        .map(|((path, kept), (_, fresh))| format!("{path}\n  after the edits: {kept}\n  afresh: {fresh}\n"))
        .collect();
    if different.is_empty() { Ok(()) } else { Err(different.concat()) }
}

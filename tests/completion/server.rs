//! A language server in a process of its own, asked for the same lists as the library.

use crate::Offered;
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Read, Write};
use std::ops::Range;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// How long a server may take until it offers keys.
const PATIENCE: Duration = Duration::from_secs(3);

/// What is asked about.
const FILE: &str = "values.yml";

/// A running server with one open document, beside its schema.
pub struct Server {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
    folder: TempDir,
    settings: Value,
    asked: i64,
    version: i64,
}

impl Server {
    /// Starts a server in a folder with a schema, which a setting names for the document.
    pub fn start(command: &str, (name, schema): (&str, &str), is_named: bool) -> Server {
        // Some patterns match no files below folders whose names begin with a dot.
        let folder = tempfile::Builder::new().prefix("cuts").tempdir().expect("a folder");
        std::fs::write(folder.path().join(name), schema).expect("the schema");
        std::fs::write(folder.path().join(FILE), "").expect("the document");
        let mut words = command.split_whitespace();
        let mut child = Command::new(words.next().expect("a command"))
            .args(words)
            .current_dir(folder.path())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("the server starts");
        let (input, output) = (child.stdin.take().expect("input"), child.stdout.take().expect("output"));
        let root = uri(&folder, "");
        let schemas = if is_named { json!({uri(&folder, name): [FILE]}) } else { json!({}) };
        let settings = json!({"yaml": {
            "schemas": schemas, "completion": true, "validate": true, "hover": true,
            "schemaStore": {"enable": false}, "kubernetesCRDStore": {"enable": false},
        }});
        let mut server =
            Server { child, input, output: BufReader::new(output), folder, settings, asked: 0, version: 0 };
        let item = json!({"snippetSupport": true, "insertTextModeSupport": {"valueSet": [1, 2]}});
        let capabilities = json!({
            "workspace": {"configuration": true, "workspaceFolders": true,
                          "didChangeConfiguration": {"dynamicRegistration": true}},
            "textDocument": {"completion": {"completionItem": item, "insertTextMode": 2},
                             "publishDiagnostics": {"versionSupport": true}},
        });
        server.ask(
            "initialize",
            json!({"processId": std::process::id(), "rootUri": root, "capabilities": capabilities,
                   "workspaceFolders": [{"uri": root, "name": "cuts"}]}),
        );
        server.tell("initialized", json!({}));
        server.tell("workspace/didChangeConfiguration", json!({"settings": server.settings}));
        let document = json!({"uri": server.file(), "languageId": "yaml", "version": 0, "text": ""});
        server.tell("textDocument/didOpen", json!({"textDocument": document}));
        // Until the settings have been asked for and the schema has been read, hardly anything is offered.
        let begun = Instant::now();
        while server.completions("\n", 0, "").len() < 2 && begun.elapsed() < PATIENCE {}
        server
    }

    fn file(&self) -> String {
        uri(&self.folder, FILE)
    }

    /// What is offered in a text. `label` is what is looked for: servers name items of arrays as they like.
    pub fn completions(&mut self, text: &str, offset: usize, label: &str) -> Vec<Offered> {
        self.version += 1;
        let document = json!({"uri": self.file(), "version": self.version});
        self.tell("textDocument/didChange", json!({"textDocument": document, "contentChanges": [{"text": text}]}));
        let position = position(text, offset);
        let asked = json!({"textDocument": {"uri": self.file()}, "position": position, "context": {"triggerKind": 1}});
        let answer = self.ask("textDocument/completion", asked);
        let items = answer.get("items").unwrap_or(&answer);
        let items = items.as_array().map(Vec::as_slice).unwrap_or_default();
        items.iter().filter_map(|item| offered(item, &answer["itemDefaults"], text, offset, label)).collect()
    }

    fn tell(&mut self, method: &str, params: Value) {
        self.send(&json!({"jsonrpc": "2.0", "method": method, "params": params}));
    }

    /// Asks, and answers what the server asks meanwhile.
    fn ask(&mut self, method: &str, params: Value) -> Value {
        self.asked += 1;
        let id = self.asked;
        self.send(&json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}));
        loop {
            let mut message = self.receive();
            match (message.get("id").cloned(), message.get("method").and_then(Value::as_str)) {
                (Some(found), None) if found == id => return message["result"].take(),
                (Some(theirs), Some(method)) => {
                    let items = message["params"]["items"].as_array().cloned().unwrap_or_default();
                    let settings = items.iter().map(|item| {
                        let steps = item["section"].as_str().into_iter().flat_map(|section| section.split('.'));
                        steps.fold(&self.settings, |settings, step| &settings[step]).clone()
                    });
                    let result = match method {
                        "workspace/configuration" => Value::Array(settings.collect()),
                        _ => Value::Null,
                    };
                    self.send(&json!({"jsonrpc": "2.0", "id": theirs, "result": result}));
                }
                _ => {}
            }
        }
    }

    fn send(&mut self, message: &Value) {
        let body = message.to_string();
        write!(self.input, "Content-Length: {}\r\n\r\n{body}", body.len()).expect("the server reads");
        self.input.flush().expect("the server reads");
    }

    fn receive(&mut self) -> Value {
        let mut length = 0;
        loop {
            let mut line = String::new();
            assert!(self.output.read_line(&mut line).expect("the server writes") > 0, "the server ended");
            match line.trim() {
                "" => break,
                line => {
                    let number = line.strip_prefix("Content-Length:").map(|number| number.trim().parse());
                    length = number.transpose().expect("a length").unwrap_or(length);
                }
            }
        }
        let mut body = vec![0; length];
        self.output.read_exact(&mut body).expect("a whole message");
        serde_json::from_slice(&body).expect("a message in JSON")
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn uri(folder: &TempDir, name: &str) -> String {
    format!("file://{}", folder.path().join(name).display()).trim_end_matches('/').to_owned()
}

fn position(text: &str, offset: usize) -> Value {
    let before = &text[..offset];
    let line = before.rfind('\n').map_or(0, |at| at + 1);
    let character = before[line..].encode_utf16().count();
    json!({"line": before.matches('\n').count(), "character": character})
}

fn offset(text: &str, position: &Value) -> usize {
    let line = position["line"].as_u64().unwrap_or_default() as usize;
    let start = match line {
        0 => 0,
        line => text.match_indices('\n').nth(line - 1).map_or(text.len(), |(at, _)| at + 1),
    };
    let mut left = position["character"].as_u64().unwrap_or_default() as usize;
    for (at, c) in text[start..].char_indices() {
        if left == 0 || c == '\n' {
            return start + at;
        }
        left = left.saturating_sub(c.len_utf16());
    }
    text.len()
}

fn range(text: &str, range: &Value) -> Range<usize> {
    offset(text, &range["start"])..offset(text, &range["end"])
}

/// An item as an editor accepts it: without a range, the word before the cursor is replaced; further lines are indented
/// like the line of the cursor, unless the server says that they already are.
fn offered(item: &Value, defaults: &Value, text: &str, at: usize, wanted: &str) -> Option<Offered> {
    let label = item["label"].as_str()?;
    let edit = &item["textEdit"];
    let of_edit = [&edit["range"], &edit["replace"], &defaults["editRange"]["replace"], &defaults["editRange"]];
    let replaced = match of_edit.into_iter().find(|range| range.get("start").is_some()) {
        Some(found) => range(text, found),
        None => text[..at].rfind(|c: char| !c.is_alphanumeric() && c != '_').map_or(0, |found| found + 1)..at,
    };
    let texts = [&edit["newText"], &item["textEditText"], &item["insertText"], &item["label"]];
    let new = texts.into_iter().find_map(Value::as_str)?;
    let is_snippet = item.get("insertTextFormat").or(defaults.get("insertTextFormat")) == Some(&json!(2));
    let mut new = if is_snippet { without_placeholders(new) } else { new.to_owned() };
    let mode = item.get("insertTextMode").or(defaults.get("insertTextMode"));
    if mode != Some(&json!(1)) {
        let line = text[..replaced.start].rfind('\n').map_or(0, |at| at + 1);
        let blanks = text[line..].len() - text[line..].trim_start_matches([' ', '\t']).len();
        let indentation = &text[line..(line + blanks).min(replaced.start)];
        new = new.replace('\n', &format!("\n{indentation}"));
    }
    let others = item["additionalTextEdits"].as_array().map(Vec::as_slice).unwrap_or_default();
    let others = others.iter().filter_map(|it| Some((range(text, &it["range"]), it["newText"].as_str()?.to_owned())));
    let is_item = wanted == "- " && (label.starts_with('-') || new.starts_with('-'));
    let label = if is_item { wanted } else { label.trim_matches(['"', '\'']) };
    Some(Offered::new(label.to_owned(), (replaced, new), others.collect()))
}

/// The text of a snippet, with the defaults of its placeholders.
fn without_placeholders(snippet: &str) -> String {
    let mut text = String::new();
    let mut chars = snippet.chars().peekable();
    let mut open = 0_usize;
    while let Some(c) = chars.next() {
        match c {
            '\\' => text.extend(chars.next()),
            '}' if open > 0 => open -= 1,
            '$' => {
                let is_braced = chars.next_if_eq(&'{').is_some();
                while chars.next_if(char::is_ascii_digit).is_some() {}
                let is_choice = is_braced && chars.next_if_eq(&'|').is_some();
                if is_choice {
                    let choices: String = chars.by_ref().take_while(|c| *c != '}').collect();
                    text.push_str(choices.split([',', '|']).next().unwrap_or_default());
                } else if is_braced && chars.next_if_eq(&':').is_some() {
                    open += 1;
                } else if is_braced {
                    chars.next_if_eq(&'}');
                }
            }
            c => text.push(c),
        }
    }
    text
}

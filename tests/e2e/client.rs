//! A small language client: starts the real binary, speaks the protocol over its pipes, waits for events.
//!
//! Nothing here sleeps. Every wait is for a message and fails loudly after [`PATIENCE`].

use std::collections::{BTreeMap, HashMap};
use std::ffi::OsString;
use std::fmt::Write as _;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::thread;
use std::time::{Duration, Instant};

use lofting_tests::is_partial;
use lofting_tests::server_errors::ServerErrors;
use serde_json::{Value, json};

/// How long any single wait may take. Generous, because machines that run tests are busy.
pub const PATIENCE: Duration = Duration::from_secs(30);

/// What a test wants of client and workspace.
pub struct Setup {
    directory: tempfile::TempDir,
    capabilities: Value,
    options: Value,
    settings: Value,
    roots: Option<Vec<String>>,
    answers_configuration: bool,
    process_id: u32,
    environment: Vec<(OsString, OsString)>,
    working_directory: Option<PathBuf>,
    name: Option<&'static str>,
    program: PathBuf,
}

impl Setup {
    /// A client that announces nothing, in an empty workspace.
    pub fn new() -> Self {
        Self {
            directory: tempfile::tempdir().expect("a directory for the workspace"),
            capabilities: json!({}),
            options: Value::Null,
            settings: json!({}),
            roots: None,
            answers_configuration: true,
            process_id: std::process::id(),
            environment: Vec::new(),
            working_directory: None,
            name: None,
            program: env!("CARGO_BIN_EXE_lofting").into(),
        }
    }

    /// Another program than the one that was built with the tests.
    pub fn program(mut self, program: &Path) -> Self {
        program.clone_into(&mut self.program);
        self
    }

    /// What the client calls itself.
    pub fn name(mut self, name: &'static str) -> Self {
        self.name = Some(name);
        self
    }

    /// A client like VS Code, without pulling.
    pub fn rich() -> Self {
        Self::new().capabilities(rich_capabilities())
    }

    pub fn file(self, path: &str, content: impl AsRef<[u8]>) -> Self {
        write_file(&self.directory.path().join(path), content);
        self
    }

    pub fn capabilities(mut self, capabilities: Value) -> Self {
        self.capabilities = capabilities;
        self
    }

    /// Adds or replaces one capability, `"textDocument.hover.contentFormat"`.
    pub fn capability(mut self, path: &str, value: Value) -> Self {
        let mut place = &mut self.capabilities;
        for part in path.split('.') {
            if place.is_null() {
                *place = json!({});
            }
            place = &mut place[part];
        }
        *place = value;
        self
    }

    pub fn options(mut self, options: Value) -> Self {
        self.options = options;
        self
    }

    pub fn settings(mut self, settings: Value) -> Self {
        self.settings = settings;
        self
    }

    /// Workspace folders below the directory; without this the directory itself is the only one.
    pub fn roots(mut self, roots: &[&str]) -> Self {
        self.roots = Some(roots.iter().map(|root| (*root).to_owned()).collect());
        self
    }

    /// Questions for settings stay open until the test answers them.
    pub fn configuration_by_hand(mut self) -> Self {
        self.answers_configuration = false;
        self
    }

    /// Another process says that it is the client.
    pub fn process_id(mut self, number: u32) -> Self {
        self.process_id = number;
        self
    }

    /// A variable of the server's environment.
    pub fn environment(mut self, name: impl Into<OsString>, value: impl Into<OsString>) -> Self {
        self.environment.push((name.into(), value.into()));
        self
    }

    /// Where the server is started.
    pub fn working_directory(mut self, path: PathBuf) -> Self {
        self.working_directory = Some(path);
        self
    }

    /// Starts the server without any message.
    pub fn spawn(self) -> Client {
        Client::spawn(self)
    }

    /// Starts the server and goes through `initialize` and `initialized`.
    pub fn start(self) -> Client {
        let mut client = self.spawn();
        client.initialize();
        client
    }
}

/// Everything a modern editor announces, except pulling diagnostics.
pub fn rich_capabilities() -> Value {
    json!({
        "general": {"positionEncodings": ["utf-16"]},
        "window": {"workDoneProgress": true},
        "workspace": {
            "configuration": true, "workspaceFolders": true,
            "didChangeConfiguration": {"dynamicRegistration": true},
            "didChangeWatchedFiles": {"dynamicRegistration": true},
            "diagnostics": {"refreshSupport": true},
        },
        "textDocument": {
            "publishDiagnostics": {"relatedInformation": true, "versionSupport": true, "codeDescriptionSupport": true, "tagSupport": {"valueSet": [1, 2]}},
            "hover": {"contentFormat": ["markdown", "plaintext"]},
            "definition": {"linkSupport": true},
            "documentSymbol": {"hierarchicalDocumentSymbolSupport": true},
            "completion": {"completionItem": {
                "snippetSupport": true, "documentationFormat": ["markdown", "plaintext"], "labelDetailsSupport": true,
                "insertReplaceSupport": true, "tagSupport": {"valueSet": [1]},
                "insertTextModeSupport": {"valueSet": [1, 2]},
            }},
        },
    })
}

/// A running server and the client's side of the conversation.
pub struct Client {
    pub capabilities: Value,
    process: Child,
    /// Dropped after the process has ended.
    _errors: ServerErrors,
    outgoing: Option<Sender<Vec<u8>>>,
    incoming: Receiver<Value>,
    setup: Setup,
    next_id: i64,
    /// The method of each request without an answer, and when it was sent.
    unanswered: BTreeMap<i64, (String, Instant)>,
    /// Messages received and not yet asked for.
    inbox: Vec<Value>,
    versions: HashMap<String, i64>,
    /// Every request of the server, by method, answered or not.
    pub server_requests: Vec<Value>,
    /// Every notification ever received.
    pub notifications: Vec<Value>,
}

impl Client {
    fn spawn(setup: Setup) -> Self {
        let mut command = Command::new(&setup.program);
        if let Some(path) = &setup.working_directory {
            command.current_dir(path);
        }
        let errors = ServerErrors::new();
        let mut process = command
            .arg("lsp")
            // Tests of the catalogue bring their own.
            .env("LOFTING_CATALOGUE", "off")
            .envs(setup.environment.iter().map(|(name, value)| (name, value)))
            .env("LOFTING_LOG", std::env::var("LOFTING_LOG").unwrap_or_else(|_| "warn".into()))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(errors.stdio())
            .spawn()
            .expect("the server starts");
        let mut stdin = process.stdin.take().expect("stdin is a pipe");
        let stdout = process.stdout.take().expect("stdout is a pipe");
        let (outgoing, to_send) = mpsc::channel::<Vec<u8>>();
        let (received, incoming) = mpsc::channel();
        thread::spawn(move || {
            for bytes in to_send {
                if stdin.write_all(&bytes).and_then(|()| stdin.flush()).is_err() {
                    break;
                }
            }
        });
        thread::spawn(move || {
            let mut reader = BufReader::new(stdout);
            while let Some(message) = read_message(&mut reader) {
                if received.send(message).is_err() {
                    break;
                }
            }
        });
        Self {
            capabilities: Value::Null,
            process,
            _errors: errors,
            outgoing: Some(outgoing),
            incoming,
            setup,
            next_id: 0,
            unanswered: BTreeMap::new(),
            inbox: Vec::new(),
            versions: HashMap::new(),
            server_requests: Vec::new(),
            notifications: Vec::new(),
        }
    }

    pub fn initialize(&mut self) {
        let root = self.setup.directory.path().to_owned();
        let roots = self.setup.roots.clone().unwrap_or_else(|| vec![String::new()]);
        let folder = |name: &String| json!({"uri": file_uri(&root.join(name)), "name": name});
        let id = self.send_request(
            "initialize",
            json!({
                "processId": self.setup.process_id,
                "rootUri": file_uri(&root),
                "workspaceFolders": roots.iter().map(folder).collect::<Vec<_>>(),
                "capabilities": self.setup.capabilities,
                "clientInfo": self.setup.name.map(|name| json!({"name": name})),
                "initializationOptions": self.setup.options,
            }),
        );
        let answer = self.answer(id);
        self.capabilities = answer["result"]["capabilities"].clone();
        assert!(self.capabilities.is_object(), "initialize failed: {answer}");
        self.notify("initialized", json!({}));
    }

    // Paths

    pub fn path(&self, name: &str) -> PathBuf {
        self.setup.directory.path().join(name)
    }

    pub fn uri(&self, name: &str) -> String {
        file_uri(&self.path(name))
    }

    /// Writes a file without telling the server.
    pub fn write(&self, name: &str, content: impl AsRef<[u8]>) {
        write_file(&self.path(name), content);
    }

    pub fn remove(&self, name: &str) {
        std::fs::remove_file(self.path(name)).expect("a file to remove");
    }

    // Sending

    pub fn send(&mut self, message: Value) {
        self.send_body(message.to_string().as_bytes());
    }

    /// Sends a message that may be none.
    pub fn send_body(&mut self, body: &[u8]) {
        let header = format!("Content-Length: {}\r\n\r\n", body.len());
        self.send_bytes([header.as_bytes(), body].concat());
    }

    /// Sends bytes as they are.
    pub fn send_bytes(&mut self, bytes: impl Into<Vec<u8>>) {
        self.outgoing.as_ref().expect("not closed").send(bytes.into()).expect("the server reads");
    }

    pub fn notify(&mut self, method: &str, params: Value) {
        self.send(json!({"jsonrpc": "2.0", "method": method, "params": params}));
    }

    pub fn send_request(&mut self, method: &str, params: Value) -> i64 {
        self.next_id += 1;
        let id = self.next_id;
        self.unanswered.insert(id, (method.to_owned(), Instant::now()));
        self.send(json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}));
        id
    }

    /// Sends a request and waits for its result.
    pub fn request(&mut self, method: &str, params: Value) -> Value {
        let id = self.send_request(method, params);
        let answer = self.answer(id);
        assert!(answer.get("error").is_none(), "{method} failed: {answer}");
        answer["result"].clone()
    }

    pub fn cancel(&mut self, id: i64) {
        self.notify("$/cancelRequest", json!({"id": id}));
    }

    pub fn set_settings(&mut self, settings: Value) {
        self.setup.settings = settings;
    }

    // Documents

    pub fn open(&mut self, name: &str, text: &str) {
        let uri = self.uri(name);
        self.open_uri(&uri, text);
    }

    /// Opens a document that an editor says is in a language other than YAML.
    pub fn open_as(&mut self, language: &str, name: &str, text: &str) {
        let uri = self.uri(name);
        self.open_uri_as(language, &uri, text);
    }

    pub fn open_uri(&mut self, uri: &str, text: &str) {
        self.open_uri_as("yaml", uri, text);
    }

    fn open_uri_as(&mut self, language: &str, uri: &str, text: &str) {
        self.versions.insert(uri.to_owned(), 1);
        self.notify(
            "textDocument/didOpen",
            json!({"textDocument": {"uri": uri, "languageId": language, "version": 1, "text": text}}),
        );
    }

    /// Opens a document with the content of its file.
    pub fn open_file(&mut self, name: &str) {
        let text = std::fs::read_to_string(self.path(name)).expect("a file to open");
        self.open(name, &text);
    }

    pub fn next_version(&mut self, name: &str) -> i64 {
        let uri = self.uri(name);
        let version = self.versions.get_mut(&uri).expect("an open document");
        *version += 1;
        *version
    }

    /// Replaces a range, given as four numbers, and returns the new version.
    pub fn change(&mut self, name: &str, range: [u32; 4], text: &str) -> i64 {
        let version = self.next_version(name);
        self.notify(
            "textDocument/didChange",
            json!({
                "textDocument": {"uri": self.uri(name), "version": version},
                "contentChanges": [{"range": range_json(range), "text": text}],
            }),
        );
        version
    }

    /// Replaces the whole text.
    pub fn replace(&mut self, name: &str, text: &str) -> i64 {
        let version = self.next_version(name);
        self.notify(
            "textDocument/didChange",
            json!({
                "textDocument": {"uri": self.uri(name), "version": version}, "contentChanges": [{"text": text}],
            }),
        );
        version
    }

    pub fn save(&mut self, name: &str) {
        let uri = self.uri(name);
        self.notify("textDocument/didSave", json!({"textDocument": {"uri": uri}}));
    }

    pub fn close(&mut self, name: &str) {
        let uri = self.uri(name);
        self.notify("textDocument/didClose", json!({"textDocument": {"uri": uri}}));
    }

    /// Parameters of a request about a position.
    pub fn at(&self, name: &str, line: u32, character: u32) -> Value {
        json!({"textDocument": {"uri": self.uri(name)}, "position": {"line": line, "character": character}})
    }

    // Receiving

    /// The answer to a request.
    pub fn answer(&mut self, id: i64) -> Value {
        let method = self.unanswered.get(&id).map_or_else(String::new, |(method, _)| method.clone());
        self.wait(&format!("the answer to {method} ({id})"), |message| {
            message.get("method").is_none() && message["id"] == id
        })
    }

    /// How many bytes of memory the server holds, where the system tells.
    pub fn memory(&self) -> Option<u64> {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.process.id())).ok()?;
        let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
        Some(line.trim().trim_end_matches("kB").trim().parse::<u64>().ok()? << 10)
    }

    /// How many processes the server has started that still run, as far as the system tells.
    pub fn children(&self) -> usize {
        let tasks = std::fs::read_dir(format!("/proc/{}/task", self.process.id())).into_iter().flatten().flatten();
        let children =
            |task: std::fs::DirEntry| std::fs::read_to_string(task.path().join("children")).unwrap_or_default();
        tasks.map(|task| children(task).split_whitespace().count()).sum()
    }

    /// The next published diagnostics of a document for which `accept` holds; earlier ones are skipped.
    pub fn diagnostics_where(&mut self, name: &str, what: &str, accept: impl Fn(&Value) -> bool) -> Value {
        let uri = self.uri(name);
        self.diagnostics_of_uri(&uri, what, accept)
    }

    pub fn diagnostics_of_uri(&mut self, uri: &str, what: &str, accept: impl Fn(&Value) -> bool) -> Value {
        let message = self.wait(&format!("diagnostics of {uri}: {what}"), |message| {
            message["method"] == "textDocument/publishDiagnostics"
                && message["params"]["uri"] == uri
                && accept(&message["params"])
        });
        message["params"].clone()
    }

    /// The diagnostics published for a version of a document, once they are complete: findings that need no code of
    /// users come first if that code is slow.
    pub fn diagnostics(&mut self, name: &str, version: i64) -> Vec<Value> {
        let first = self.first_diagnostics(name, version);
        let whole = self.all_findings(name);
        if whole == first {
            return first;
        }
        self.diagnostics_where(name, &format!("all of version {version}"), |params| {
            params["version"] == version && params["diagnostics"].as_array() == Some(&whole)
        });
        whole
    }

    /// All that is found in a document, pulled until the findings of code have arrived.
    pub fn all_findings(&mut self, name: &str) -> Vec<Value> {
        let deadline = Instant::now() + PATIENCE;
        loop {
            let id = self.send_request("textDocument/diagnostic", json!({"textDocument": {"uri": self.uri(name)}}));
            let report = self.answer(id)["result"].clone();
            if !is_partial(&report) {
                return report["items"].as_array().cloned().unwrap_or_default();
            }
            assert!(Instant::now() < deadline, "code never ends; got: {}", self.recent());
            // Nothing says that the list stays as it is.
            if let Ok(message) = self.incoming.recv_timeout(Duration::from_millis(20)) {
                self.sort_in(message);
            }
        }
    }

    /// The diagnostics published first for a version of a document.
    pub fn first_diagnostics(&mut self, name: &str, version: i64) -> Vec<Value> {
        let params = self.diagnostics_where(name, &format!("version {version}"), |params| params["version"] == version);
        params["diagnostics"].as_array().expect("a list").clone()
    }

    /// The next request of the server with this method. It has been answered already, save for settings by hand.
    pub fn server_request(&mut self, method: &str) -> Value {
        let seen = |client: &Self| client.server_requests.iter().position(|request| request["method"] == method);
        let deadline = Instant::now() + PATIENCE;
        loop {
            if let Some(index) = seen(self) {
                return self.server_requests.remove(index);
            }
            self.receive(deadline, &format!("the request {method}"));
        }
    }

    /// The first message for which `accept` holds.
    pub fn wait(&mut self, what: &str, accept: impl Fn(&Value) -> bool) -> Value {
        let deadline = Instant::now() + PATIENCE;
        let mut looked_at = 0;
        loop {
            if let Some(index) = self.inbox[looked_at..].iter().position(&accept) {
                return self.inbox.remove(looked_at + index);
            }
            looked_at = self.inbox.len();
            self.receive(deadline, what);
        }
    }

    /// Every request has a deadline, even one whose answer no test looks at: a test that waits for something else
    /// notices.
    fn receive(&mut self, deadline: Instant, what: &str) {
        let late = self.unanswered.iter().find(|(_, (_, sent))| sent.elapsed() > PATIENCE);
        if let Some((id, (method, _))) = late {
            panic!("no answer to {method} ({id}) within {PATIENCE:?}; waited for {what}; got: {}", self.recent());
        }
        match self.incoming.recv_timeout(deadline.saturating_duration_since(Instant::now())) {
            Ok(message) => self.sort_in(message),
            Err(RecvTimeoutError::Timeout) => panic!("timed out waiting for {what}; got: {}", self.recent()),
            Err(RecvTimeoutError::Disconnected) => panic!("the server is gone; waited for {what}"),
        }
    }

    fn sort_in(&mut self, message: Value) {
        if message.get("method").is_some() && message.get("id").is_some() {
            if let Some(result) = self.automatic_answer(&message) {
                self.send(json!({"jsonrpc": "2.0", "id": message["id"], "result": result}));
            }
            self.server_requests.push(message);
            return;
        }
        if message.get("method").is_none()
            && let Some(id) = message["id"].as_i64()
        {
            self.unanswered.remove(&id);
        }
        if message.get("method").is_some() {
            self.notifications.push(message.clone());
        }
        self.inbox.push(message);
    }

    fn automatic_answer(&self, request: &Value) -> Option<Value> {
        if request["method"] != "workspace/configuration" {
            return Some(Value::Null);
        }
        self.setup.answers_configuration.then(|| self.settings_answer(request))
    }

    /// What a client answers to a question for settings.
    pub fn settings_answer(&self, request: &Value) -> Value {
        let section = |item: &Value| {
            let name = item["section"].as_str().unwrap_or_default();
            name.split('.').try_fold(&self.setup.settings, |value, part| value.get(part)).cloned().unwrap_or_default()
        };
        request["params"]["items"].as_array().expect("items").iter().map(section).collect()
    }

    fn recent(&self) -> String {
        let mut text = String::new();
        for message in self.inbox.iter().rev().take(8) {
            let mut line = message.to_string();
            line.truncate((0..=600.min(line.len())).rev().find(|at| line.is_char_boundary(*at)).unwrap_or(0));
            let _ = write!(text, "\n  {line}");
        }
        text
    }

    // Ending

    /// Asks to shut down, says exit, and waits for the end of the process.
    pub fn stop(mut self) -> ExitStatus {
        let id = self.send_request("shutdown", Value::Null);
        self.answer(id);
        self.notify("exit", Value::Null);
        self.ended()
    }

    /// Closes the server's stdin.
    pub fn close_stdin(&mut self) {
        self.outgoing = None;
    }

    /// Reads nothing any more, and goes on asking until the server has noticed and ended.
    pub fn ended_unheard(&mut self) -> ExitStatus {
        // The thread that reads the server's stdout closes it when the messages have no receiver.
        self.incoming = mpsc::channel().1;
        let deadline = Instant::now() + PATIENCE;
        loop {
            if let Some(status) = self.process.try_wait().expect("a status") {
                return status;
            }
            assert!(Instant::now() < deadline, "the server does not end");
            let question = b"Content-Length: 48\r\n\r\n{\"jsonrpc\":\"2.0\",\"id\":0,\"method\":\"lofting/no\"}  ";
            if self.outgoing.as_ref().is_none_or(|outgoing| outgoing.send(question.to_vec()).is_err()) {
                self.outgoing = None;
            }
            thread::yield_now();
        }
    }

    /// Waits for the end of the process.
    pub fn ended(&mut self) -> ExitStatus {
        let deadline = Instant::now() + PATIENCE;
        loop {
            match self.incoming.recv_timeout(deadline.saturating_duration_since(Instant::now())) {
                Ok(message) => self.inbox.push(message),
                // Its stdout is closed, so it has ended or is about to.
                Err(RecvTimeoutError::Disconnected) => return self.process.wait().expect("a status"),
                Err(RecvTimeoutError::Timeout) => panic!("the server does not end"),
            }
        }
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

fn read_message(reader: &mut impl BufRead) -> Option<Value> {
    let mut length = None;
    loop {
        let mut line = String::new();
        if reader.read_line(&mut line).ok()? == 0 {
            return None;
        }
        match line.trim_end().split_once(": ") {
            None if line.trim_end().is_empty() => break,
            Some((name, value)) if name.eq_ignore_ascii_case("content-length") => length = value.parse().ok(),
            Some(_) => {}
            None => panic!("something that is not the protocol is on stdout: {line:?}"),
        }
    }
    let mut body = vec![0; length.expect("a length")];
    reader.read_exact(&mut body).ok()?;
    Some(serde_json::from_slice(&body).expect("a JSON body"))
}

fn write_file(path: &Path, content: impl AsRef<[u8]>) {
    std::fs::create_dir_all(path.parent().expect("a parent")).expect("directories");
    std::fs::write(path, content).expect("a file to write");
}

pub fn file_uri(path: &Path) -> String {
    format!("file://{}", path.to_str().expect("a path in UTF-8").trim_end_matches('/'))
}

/// A range from start line, start character, end line, end character.
pub fn range_json([start_line, start, end_line, end]: [u32; 4]) -> Value {
    json!({"start": {"line": start_line, "character": start}, "end": {"line": end_line, "character": end}})
}

/// Codes of diagnostics, in order.
pub fn codes(diagnostics: &[Value]) -> Vec<&str> {
    diagnostics.iter().map(|diagnostic| diagnostic["code"].as_str().expect("a code")).collect()
}

//! A small editor: speaks the protocol over pipes and notes when each message arrived.

use std::collections::VecDeque;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use anyhow::{Context, anyhow};
use serde_json::{Value, json};

/// Longest wait for one answer; a busy machine is not a defect.
const PATIENCE: Duration = Duration::from_secs(240);

/// A message with the time of its arrival.
pub struct Arrived {
    /// When its last byte was read.
    pub at: Instant,
    /// The message.
    pub message: Value,
}

/// A running server with its pipes.
pub struct Client {
    child: Child,
    input: ChildStdin,
    output: Receiver<Arrived>,
    /// Messages that arrived while another was waited for.
    waiting: VecDeque<Arrived>,
    next_id: u64,
}

impl Client {
    /// Starts the server and shakes hands; returns the time to the answer of `initialize` too.
    pub fn start(server: &Path, root: &Path) -> anyhow::Result<(Client, Duration)> {
        Client::start_with(server, root, json!({"versionSupport": true, "relatedInformation": true}), Value::Null)
    }

    /// Starts a server for an editor that pulls diagnostics, so that each request has its response.
    pub fn start_pulling(server: &Path, root: &Path) -> anyhow::Result<(Client, Duration)> {
        Client::start_with(server, root, Value::Null, json!({}))
    }

    fn start_with(server: &Path, root: &Path, push: Value, pull: Value) -> anyhow::Result<(Client, Duration)> {
        let started = Instant::now();
        let mut child = Command::new(server)
            .arg("lsp")
            .current_dir(root)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .with_context(|| server.display().to_string())?;
        let (input, output) = (child.stdin.take().context("no input")?, child.stdout.take().context("no output")?);
        let (sender, receiver) = channel();
        std::thread::spawn(move || {
            let mut reader = BufReader::new(output);
            while let Some(message) = read_message(&mut reader) {
                let at = Instant::now();
                if sender.send(Arrived { at, message }).is_err() {
                    break;
                }
            }
        });
        let mut client = Client { child, input, output: receiver, waiting: VecDeque::new(), next_id: 0 };
        let root_uri = uri(root);
        let mut text_document = json!({
            "completion": {"completionItem": {"snippetSupport": true}},
            "hover": {"contentFormat": ["markdown"]},
            "documentSymbol": {"hierarchicalDocumentSymbolSupport": true},
        });
        for (name, capability) in [("publishDiagnostics", push), ("diagnostic", pull)] {
            if !capability.is_null() {
                text_document[name] = capability;
            }
        }
        let answer = client.request(
            "initialize",
            json!({
                "processId": std::process::id(),
                "rootUri": root_uri,
                "workspaceFolders": [{"uri": root_uri, "name": "bench"}],
                "capabilities": {
                    "workspace": {"diagnostics": {"refreshSupport": true}},
                    "general": {"positionEncodings": ["utf-8"]},
                    "textDocument": text_document,
                },
            }),
        )?;
        let startup = answer.at - started;
        client.notify("initialized", json!({}))?;
        Ok((client, startup))
    }

    /// Sends a notification; returns the time just before it was written.
    pub fn notify(&mut self, method: &str, params: Value) -> anyhow::Result<Instant> {
        self.write(&json!({"jsonrpc": "2.0", "method": method, "params": params}))
    }

    /// Sends a request and waits for its answer.
    pub fn request(&mut self, method: &str, params: Value) -> anyhow::Result<Arrived> {
        let id = self.next_id;
        self.next_id += 1;
        self.write(&json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}))?;
        self.wait(method, |message| message["id"] == id && message.get("method").is_none())
    }

    /// The diagnostics of exactly this version.
    pub fn diagnostics(&mut self, uri: &str, version: i64) -> anyhow::Result<Arrived> {
        self.wait("diagnostics", |message| {
            message["method"] == "textDocument/publishDiagnostics"
                && message["params"]["uri"] == uri
                && message["params"]["version"] == version
        })
    }

    /// How many diagnostics have arrived and not been looked at; they are forgotten.
    pub fn forget_diagnostics(&mut self) -> usize {
        while let Ok(arrived) = self.output.try_recv() {
            self.waiting.push_back(arrived);
        }
        let before = self.waiting.len();
        self.waiting.retain(|arrived| arrived.message["method"] != "textDocument/publishDiagnostics");
        before - self.waiting.len()
    }

    /// Waits for a request of the server, though no longer than `most`, and answers it.
    pub fn wait_for_request(&mut self, method: &str, most: Duration) -> anyhow::Result<()> {
        match self.arrival(method, most, |message| message["method"] == method)? {
            Some(asked) => self.put_aside(asked),
            None => Ok(()),
        }
    }

    fn wait(&mut self, what: &str, mut wanted: impl FnMut(&Value) -> bool) -> anyhow::Result<Arrived> {
        if let Some(at) = self.waiting.iter().position(|arrived| wanted(&arrived.message))
            && let Some(arrived) = self.waiting.remove(at)
        {
            return Ok(arrived);
        }
        self.arrival(what, PATIENCE, wanted)?.with_context(|| format!("no {what} within {PATIENCE:?}"))
    }

    /// The next message that is wanted, if one arrives in time; others are put aside.
    fn arrival(
        &mut self,
        what: &str,
        most: Duration,
        mut wanted: impl FnMut(&Value) -> bool,
    ) -> anyhow::Result<Option<Arrived>> {
        let deadline = Instant::now() + most;
        loop {
            let left = deadline.saturating_duration_since(Instant::now());
            match self.output.recv_timeout(left) {
                Ok(arrived) if wanted(&arrived.message) => return Ok(Some(arrived)),
                Ok(arrived) => self.put_aside(arrived)?,
                Err(RecvTimeoutError::Timeout) => return Ok(None),
                Err(RecvTimeoutError::Disconnected) => return Err(anyhow!("the server ended before {what}")),
            }
        }
    }

    /// Answers what the server asks; keeps the rest.
    fn put_aside(&mut self, arrived: Arrived) -> anyhow::Result<()> {
        match (arrived.message.get("id"), arrived.message.get("method")) {
            (Some(id), Some(_)) => {
                let answer = json!({"jsonrpc": "2.0", "id": id, "result": null});
                self.write(&answer).map(|_| ())
            }
            _ => {
                self.waiting.push_back(arrived);
                Ok(())
            }
        }
    }

    fn write(&mut self, message: &Value) -> anyhow::Result<Instant> {
        let body = message.to_string();
        let text = format!("Content-Length: {}\r\n\r\n{body}", body.len());
        let at = Instant::now();
        self.input
            .write_all(text.as_bytes())
            .and_then(|()| self.input.flush())
            .context("cannot write to the server")?;
        Ok(at)
    }

    /// Resident memory in MiB; `None` where the system does not say it in `/proc`.
    pub fn memory(&self) -> Option<f64> {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.child.id())).ok()?;
        let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
        let kib: f64 = line.trim().trim_end_matches(" kB").trim().parse().ok()?;
        Some(kib / 1024.0)
    }

    /// The processes that the server has started; none where the system does not say it in `/proc`.
    pub fn children(&self) -> Vec<u32> {
        let threads = std::fs::read_dir(format!("/proc/{}/task", self.child.id()));
        let texts = threads.into_iter().flatten().flatten();
        let texts = texts.filter_map(|thread| std::fs::read_to_string(thread.path().join("children")).ok());
        texts.flat_map(|text| text.split_whitespace().filter_map(|id| id.parse().ok()).collect::<Vec<_>>()).collect()
    }

    /// Processor time of all threads so far; `None` where the system does not say it in `/proc`.
    pub fn processor_time(&self) -> Option<Duration> {
        let threads = std::fs::read_dir(format!("/proc/{}/task", self.child.id())).ok()?;
        let times = threads.flatten().filter_map(|thread| {
            let text = std::fs::read_to_string(thread.path().join("schedstat")).ok()?;
            text.split(' ').next()?.parse::<u64>().ok()
        });
        Some(Duration::from_nanos(times.sum()))
    }

    /// Ends the server in good order.
    pub fn stop(mut self) -> anyhow::Result<()> {
        self.request("shutdown", Value::Null)?;
        self.notify("exit", Value::Null)?;
        self.child.wait()?;
        Ok(())
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        // After an error the server must not outlive the bench; a second end does no harm.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn read_message(reader: &mut impl BufRead) -> Option<Value> {
    let mut length = None;
    let mut line = String::new();
    loop {
        line.clear();
        if reader.read_line(&mut line).ok()? == 0 {
            return None;
        }
        let line = line.trim();
        if line.is_empty() {
            break;
        }
        if let Some(value) = line.strip_prefix("Content-Length:") {
            length = value.trim().parse::<usize>().ok();
        }
    }
    let mut body = vec![0; length?];
    reader.read_exact(&mut body).ok()?;
    serde_json::from_slice(&body).ok()
}

/// The address of a file; the bench's own paths need no escaping.
pub fn uri(path: &Path) -> String {
    format!("file://{}", path.display())
}

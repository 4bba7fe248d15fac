//! Situations that cannot be provoked from outside: requests that panic, never end or check their flag, through the
//! real transport, facade, loop and workers.

use std::io::{BufRead, BufReader, PipeReader, PipeWriter, Read, Write, pipe};
use std::sync::mpsc;
use std::thread::{JoinHandle, spawn};
use std::time::{Duration, Instant};

use gen_lsp_types as lsp;
use serde_json::{Value, json};

use super::serve;
use crate::cancel::CancelFlag;
use crate::facade::Facade;
use crate::notifications::Listener as _;
use crate::notifications::Notification;
use crate::notifications::did_change::apply_with;
use crate::requests::{Answer, Params, Request, Service as _, Waiting};
use crate::router::Methods;
use crate::session::Session;
use crate::view::View;

/// Longest time anything in these tests may take.
const PATIENCE: Duration = Duration::from_secs(20);

macro_rules! fake {
    ($protocol:ident, $request:ident, $method:literal, $lane:ty, $stale:literal, $answer:expr) => {
        enum $protocol {}
        impl lsp::Request for $protocol {
            type Params = lsp::DocumentSymbolParams;
            type Result = Value;
            const METHOD: lsp::LspRequestMethod<'static> = lsp::LspRequestMethod::new($method);
            const MESSAGE_DIRECTION: lsp::MessageDirection = lsp::MessageDirection::ClientToServer;
        }
        struct $request;
        impl Request for $request {
            type Protocol = $protocol;
            type Lane = $lane;
            const STALE_AFTER_EDITS: bool = $stale;
            fn uri(params: &Params<Self>) -> lsp::Uri {
                params.text_document.uri.clone()
            }
            fn answer(_: &View, _: Params<Self>, cancel: &CancelFlag) -> Answer<Self> {
                let answer: fn(&CancelFlag) -> Value = $answer;
                answer(cancel)
            }
        }
    };
}

fake!(PanicProtocol, Panics, "test/panics", Waiting, true, |_| panic!("on purpose"));
fake!(PatientProtocol, Patient, "test/untilCancelled", Waiting, true, until_cancelled);
fake!(
    BackgroundProtocol,
    Background,
    "test/backgroundUntilCancelled",
    crate::requests::Background,
    true,
    until_cancelled
);
fake!(QuickProtocol, Quick, "test/quick", Waiting, true, |_| json!("quick"));

fake!(OutlivingProtocol, Outliving, "test/outlivesEdits", Waiting, false, |_| {
    std::thread::sleep(Duration::from_millis(50));
    json!("still wanted")
});

/// A long computation: checks the flag in its loop.
fn until_cancelled(cancel: &CancelFlag) -> Value {
    let started = Instant::now();
    while !cancel.is_set() {
        assert!(started.elapsed() < PATIENCE, "never ordered to stop");
        std::thread::sleep(Duration::from_millis(1));
    }
    json!("stopped")
}

/// An edit that cannot be applied.
enum BrokenChangeProtocol {}
impl lsp::Notification for BrokenChangeProtocol {
    type Params = lsp::DidChangeTextDocumentParams;
    const METHOD: lsp::LspNotificationMethod<'static> = lsp::LspNotificationMethod::new("test/didChange");
    const MESSAGE_DIRECTION: lsp::MessageDirection = lsp::MessageDirection::ClientToServer;
}
struct BrokenChange;
impl Notification for BrokenChange {
    type Protocol = BrokenChangeProtocol;
    fn apply(session: &mut Session, params: lsp::DidChangeTextDocumentParams) {
        apply_with(session, params, |mut editing, _, _| {
            editing.edit(0..1, "half");
            panic!("on purpose");
        });
    }
}

fn register(methods: Methods<Facade>) -> Methods<Facade> {
    crate::notifications::register(methods)
        .listening::<BrokenChange>()
        .answering::<crate::requests::document_symbol::DocumentSymbol>()
        .answering::<Panics>()
        .answering::<Patient>()
        .answering::<Background>()
        .answering::<Outliving>()
        .answering::<Quick>()
}

struct Client {
    input: PipeWriter,
    messages: mpsc::Receiver<Value>,
    server: JoinHandle<std::io::Result<bool>>,
    answers: Vec<Value>,
}

impl Client {
    fn start() -> Self {
        let (reads, input) = pipe().expect("a pipe");
        let (output, writes) = pipe().expect("a pipe");
        let server = spawn(move || {
            let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build()?;
            runtime.block_on(serve(reads, writes, register))
        });
        let (taken, messages) = mpsc::channel();
        spawn(move || {
            let mut output = BufReader::new(output);
            while let Some(message) = receive(&mut output) {
                if taken.send(message).is_err() {
                    break;
                }
            }
        });
        let mut client = Self { input, messages, server, answers: Vec::new() };
        client.send(json!({"id": 0, "method": "initialize", "params": {"processId": null, "rootUri": null, "capabilities": {}}}));
        assert!(client.answer(0).get("result").is_some());
        client
    }

    fn send(&mut self, mut message: Value) {
        message["jsonrpc"] = json!("2.0");
        let body = message.to_string();
        self.input
            .write_all(format!("Content-Length: {}\r\n\r\n{body}", body.len()).as_bytes())
            .expect("the server reads");
    }

    fn ask(&mut self, id: i64, method: &str) {
        self.send(json!({"id": id, "method": method, "params": {"textDocument": {"uri": "file:///a.yml"}}}));
    }

    fn open(&mut self) {
        let text = "#@ x = 1\na: 1\n";
        let document = json!({"uri": "file:///a.yml", "languageId": "yaml", "version": 1, "text": text});
        self.send(json!({"method": "textDocument/didOpen", "params": {"textDocument": document}}));
    }

    fn change(&mut self, uri: &str) {
        let params = json!({"textDocument": {"uri": uri, "version": 2}, "contentChanges": [{"text": "b: 1\n"}]});
        self.send(json!({"method": "textDocument/didChange", "params": params}));
    }

    fn cancel(&mut self, id: i64) {
        self.send(json!({"method": "$/cancelRequest", "params": {"id": id}}));
    }

    fn answer(&mut self, id: i64) -> Value {
        loop {
            if let Some(index) = self.answers.iter().position(|message| message["id"] == id) {
                return self.answers.remove(index);
            }
            let message = self.messages.recv_timeout(PATIENCE).unwrap_or_else(|_| panic!("no answer to {id}"));
            self.answers.push(message);
        }
    }

    fn error_code(&mut self, id: i64) -> i64 {
        let answer = self.answer(id);
        answer["error"]["code"].as_i64().unwrap_or_else(|| panic!("not an error: {answer}"))
    }

    fn stop(mut self) {
        self.send(json!({"id": -1, "method": "shutdown"}));
        self.answer(-1);
        self.send(json!({"method": "exit"}));
        let ended = self.server.join();
        assert!(ended.expect("no panic").expect("no failure"), "in order");
    }
}

/// The next message; None at the end.
fn receive(output: &mut BufReader<PipeReader>) -> Option<Value> {
    let mut length = 0;
    loop {
        let mut line = String::new();
        if output.read_line(&mut line).ok()? == 0 {
            return None;
        }
        match line.trim_end().strip_prefix("Content-Length: ") {
            Some(number) => length = number.parse().expect("a number"),
            None if line.trim_end().is_empty() => break,
            None => {}
        }
    }
    let mut body = vec![0; length];
    output.read_exact(&mut body).ok()?;
    Some(serde_json::from_slice(&body).expect("JSON"))
}

#[test]
fn a_panic_is_an_error_with_the_name_of_the_method_and_the_server_lives() {
    let mut client = Client::start();
    for id in 1..=10 {
        client.ask(id, "test/panics");
    }
    for id in 1..=10 {
        let answer = client.answer(id);
        assert_eq!(answer["error"]["code"], -32603);
        assert_eq!(answer["error"]["message"], "internal error in test/panics");
    }
    client.ask(11, "test/quick");
    assert_eq!(client.answer(11)["result"], "quick");
    client.stop();
}

/// Reading, writing and answering are threads of their own, and any of them may end first.
#[test]
fn a_server_ends_in_order_whichever_thread_ends_first() {
    for number in 0..100 {
        let mut client = Client::start();
        (0..number % 3).for_each(|id| client.ask(id + 1, "test/quick"));
        client.stop();
    }
}

/// The answer to the last request is written although the client sends nothing more.
#[test]
fn what_was_asked_before_the_end_of_the_input_is_answered() {
    for _ in 0..20 {
        let mut client = Client::start();
        client.ask(1, "test/outlivesEdits");
        let Client { input, messages, server, .. } = client;
        drop(input);
        let answers: Vec<Value> = messages.iter().filter(|message| message["id"] == 1).collect();
        assert_eq!(answers.len(), 1, "{answers:?}");
        assert!(!server.join().expect("no panic").expect("no failure"), "`shutdown` was not asked");
    }
}

#[test]
fn cancelled_work_stops_and_is_answered_as_cancelled() {
    let mut client = Client::start();
    for id in 1..=64 {
        client.ask(id, "test/untilCancelled");
    }
    for id in 1..=64 {
        client.cancel(id);
    }
    for id in 1..=64 {
        assert_eq!(client.error_code(id), -32800);
    }
    // Both workers are free again.
    client.ask(65, "test/quick");
    assert_eq!(client.answer(65)["result"], "quick");
    client.stop();
}

#[test]
fn an_edit_makes_requests_about_its_document_stale_and_no_others() {
    let mut client = Client::start();
    client.open();
    client.ask(1, "test/untilCancelled");
    client.ask(2, "test/untilCancelled");
    client.change("file:///other.yml");
    client.change("file:///a.yml");
    assert_eq!(client.error_code(1), -32801);
    assert_eq!(client.error_code(2), -32801);
    client.ask(3, "test/quick");
    assert_eq!(client.answer(3)["result"], "quick");
    client.stop();
}

#[test]
fn some_requests_outlive_edits() {
    let mut client = Client::start();
    client.open();
    client.ask(1, "test/outlivesEdits");
    client.change("file:///a.yml");
    assert_eq!(client.answer(1)["result"], "still wanted");
    client.stop();
}

#[test]
fn background_work_never_stands_before_a_waiting_user() {
    let mut client = Client::start();
    for id in 1..=8 {
        client.ask(id, "test/backgroundUntilCancelled");
    }
    client.ask(9, "test/quick");
    assert_eq!(client.answer(9)["result"], "quick");
    for id in 1..=8 {
        client.cancel(id);
        assert_eq!(client.error_code(id), -32800);
    }
    client.stop();
}

#[test]
fn five_thousand_changes_pass_requests_that_wait() {
    let mut client = Client::start();
    client.open();
    for id in 1..=64 {
        client.ask(id, "test/untilCancelled");
    }
    for _ in 0..5_000 {
        client.change("file:///other.yml");
    }
    client.change("file:///a.yml");
    for id in 1..=64 {
        assert_eq!(client.error_code(id), -32801);
    }
    client.stop();
}

/// After a failed edit, the server's text is not the client's. The server says so, and reports nothing else about the
/// document until it knows the text again.
#[test]
fn a_document_whose_edit_fails_is_given_up_until_it_is_opened_again() {
    let mut client = Client::start();
    client.open();
    let broken = json!({"textDocument": {"uri": "file:///a.yml", "version": 2}, "contentChanges": [{"text": "x"}]});
    client.send(json!({"method": "test/didChange", "params": broken}));
    client.change("file:///a.yml");
    let symbols = |id: i64| {
        let document = json!({"textDocument": {"uri": "file:///a.yml"}});
        json!({"id": id, "method": "textDocument/documentSymbol", "params": document})
    };
    client.send(symbols(1));
    assert_eq!(client.answer(1)["result"], json!(null));
    let reported = |message: &Value| message["method"] == "window/showMessage" && message["params"]["type"] == 1;
    while !client.answers.iter().any(reported) {
        let message = client.messages.recv_timeout(PATIENCE).expect("a message arrives");
        client.answers.push(message);
    }
    client.open();
    client.send(symbols(2));
    let answer = client.answer(2);
    assert_eq!(answer["result"][0]["name"], "a", "{answer}");
    client.stop();
}

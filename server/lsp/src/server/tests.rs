//! Situations that cannot be provoked from outside: requests that panic, never end or check their flag, through the
//! real transport, facade, loop and workers.

use std::time::{Duration, Instant};

use gen_lsp_types as lsp;
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader, DuplexStream, ReadHalf, WriteHalf};

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
    input: WriteHalf<DuplexStream>,
    output: BufReader<ReadHalf<DuplexStream>>,
    server: tokio::task::JoinHandle<std::io::Result<bool>>,
    answers: Vec<Value>,
}

impl Client {
    async fn start() -> Self {
        let (here, there) = tokio::io::duplex(1 << 20);
        let (reads, writes) = tokio::io::split(there);
        let server = tokio::spawn(async move { serve(reads, writes, register).await });
        let (output, input) = tokio::io::split(here);
        let mut client = Self { input, output: BufReader::new(output), server, answers: Vec::new() };
        client.send(json!({"id": 0, "method": "initialize", "params": {"processId": null, "rootUri": null, "capabilities": {}}})).await;
        assert!(client.answer(0).await.get("result").is_some());
        client
    }

    async fn send(&mut self, mut message: Value) {
        message["jsonrpc"] = json!("2.0");
        let body = message.to_string();
        self.input
            .write_all(format!("Content-Length: {}\r\n\r\n{body}", body.len()).as_bytes())
            .await
            .expect("the server reads");
    }

    async fn ask(&mut self, id: i64, method: &str) {
        self.send(json!({"id": id, "method": method, "params": {"textDocument": {"uri": "file:///a.yml"}}})).await;
    }

    async fn open(&mut self) {
        let text = "#@ x = 1\na: 1\n";
        let document = json!({"uri": "file:///a.yml", "languageId": "yaml", "version": 1, "text": text});
        self.send(json!({"method": "textDocument/didOpen", "params": {"textDocument": document}})).await;
    }

    async fn change(&mut self, uri: &str) {
        let params = json!({"textDocument": {"uri": uri, "version": 2}, "contentChanges": [{"text": "b: 1\n"}]});
        self.send(json!({"method": "textDocument/didChange", "params": params})).await;
    }

    async fn cancel(&mut self, id: i64) {
        self.send(json!({"method": "$/cancelRequest", "params": {"id": id}})).await;
    }

    async fn answer(&mut self, id: i64) -> Value {
        loop {
            if let Some(index) = self.answers.iter().position(|message| message["id"] == id) {
                return self.answers.remove(index);
            }
            let message =
                tokio::time::timeout(PATIENCE, self.receive()).await.unwrap_or_else(|_| panic!("no answer to {id}"));
            self.answers.push(message);
        }
    }

    async fn receive(&mut self) -> Value {
        let mut length = 0;
        loop {
            let mut line = String::new();
            self.output.read_line(&mut line).await.expect("a header");
            match line.trim_end().strip_prefix("Content-Length: ") {
                Some(number) => length = number.parse().expect("a number"),
                None if line.trim_end().is_empty() => break,
                None => {}
            }
        }
        let mut body = vec![0; length];
        self.output.read_exact(&mut body).await.expect("a body");
        serde_json::from_slice(&body).expect("JSON")
    }

    async fn error_code(&mut self, id: i64) -> i64 {
        let answer = self.answer(id).await;
        answer["error"]["code"].as_i64().unwrap_or_else(|| panic!("not an error: {answer}"))
    }

    async fn stop(mut self) {
        self.send(json!({"id": -1, "method": "shutdown"})).await;
        self.answer(-1).await;
        self.send(json!({"method": "exit"})).await;
        let ended = tokio::time::timeout(PATIENCE, self.server).await.expect("the server ends");
        assert!(ended.expect("no panic").expect("no failure"), "in order");
    }
}

#[tokio::test]
async fn a_panic_is_an_error_with_the_name_of_the_method_and_the_server_lives() {
    let mut client = Client::start().await;
    for id in 1..=10 {
        client.ask(id, "test/panics").await;
    }
    for id in 1..=10 {
        let answer = client.answer(id).await;
        assert_eq!(answer["error"]["code"], -32603);
        assert_eq!(answer["error"]["message"], "internal error in test/panics");
    }
    client.ask(11, "test/quick").await;
    assert_eq!(client.answer(11).await["result"], "quick");
    client.stop().await;
}

#[tokio::test]
async fn cancelled_work_stops_and_is_answered_as_cancelled() {
    let mut client = Client::start().await;
    for id in 1..=64 {
        client.ask(id, "test/untilCancelled").await;
    }
    for id in 1..=64 {
        client.cancel(id).await;
    }
    for id in 1..=64 {
        assert_eq!(client.error_code(id).await, -32800);
    }
    // Both workers are free again.
    client.ask(65, "test/quick").await;
    assert_eq!(client.answer(65).await["result"], "quick");
    client.stop().await;
}

#[tokio::test]
async fn an_edit_makes_requests_about_its_document_stale_and_no_others() {
    let mut client = Client::start().await;
    client.open().await;
    client.ask(1, "test/untilCancelled").await;
    client.ask(2, "test/untilCancelled").await;
    client.change("file:///other.yml").await;
    client.change("file:///a.yml").await;
    assert_eq!(client.error_code(1).await, -32801);
    assert_eq!(client.error_code(2).await, -32801);
    client.ask(3, "test/quick").await;
    assert_eq!(client.answer(3).await["result"], "quick");
    client.stop().await;
}

#[tokio::test]
async fn some_requests_outlive_edits() {
    let mut client = Client::start().await;
    client.open().await;
    client.ask(1, "test/outlivesEdits").await;
    client.change("file:///a.yml").await;
    assert_eq!(client.answer(1).await["result"], "still wanted");
    client.stop().await;
}

#[tokio::test]
async fn background_work_never_stands_before_a_waiting_user() {
    let mut client = Client::start().await;
    for id in 1..=8 {
        client.ask(id, "test/backgroundUntilCancelled").await;
    }
    client.ask(9, "test/quick").await;
    assert_eq!(client.answer(9).await["result"], "quick");
    for id in 1..=8 {
        client.cancel(id).await;
        assert_eq!(client.error_code(id).await, -32800);
    }
    client.stop().await;
}

#[tokio::test]
async fn five_thousand_changes_pass_requests_that_wait() {
    let mut client = Client::start().await;
    client.open().await;
    for id in 1..=64 {
        client.ask(id, "test/untilCancelled").await;
    }
    for _ in 0..5_000 {
        client.change("file:///other.yml").await;
    }
    client.change("file:///a.yml").await;
    for id in 1..=64 {
        assert_eq!(client.error_code(id).await, -32801);
    }
    client.stop().await;
}

/// After a failed edit, the server's text is not the client's. The server says so, and reports nothing else about the
/// document until it knows the text again.
#[tokio::test]
async fn a_document_whose_edit_fails_is_given_up_until_it_is_opened_again() {
    let mut client = Client::start().await;
    client.open().await;
    let broken = json!({"textDocument": {"uri": "file:///a.yml", "version": 2}, "contentChanges": [{"text": "x"}]});
    client.send(json!({"method": "test/didChange", "params": broken})).await;
    client.change("file:///a.yml").await;
    let symbols = |id: i64| {
        let document = json!({"textDocument": {"uri": "file:///a.yml"}});
        json!({"id": id, "method": "textDocument/documentSymbol", "params": document})
    };
    client.send(symbols(1)).await;
    assert_eq!(client.answer(1).await["result"], json!(null));
    let reported = |message: &Value| message["method"] == "window/showMessage" && message["params"]["type"] == 1;
    while !client.answers.iter().any(reported) {
        let message = tokio::time::timeout(PATIENCE, client.receive()).await.expect("a message arrives");
        client.answers.push(message);
    }
    client.open().await;
    client.send(symbols(2)).await;
    let answer = client.answer(2).await;
    assert_eq!(answer["result"][0]["name"], "a", "{answer}");
    client.stop().await;
}

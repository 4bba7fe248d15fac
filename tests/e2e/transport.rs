//! Invalid messages, and clients that have gone: the next message is handled, and nothing is left behind.

use std::process::{Command, Stdio};

use serde_json::{Value, json};

use crate::client::{Client, Setup};
use crate::{GOOD_VALUES, SCHEMA, VALUES};

fn setup() -> Setup {
    Setup::rich().file("schema.yml", SCHEMA).file("values.yml", VALUES)
}

/// The next error without an id.
fn refusal(client: &mut Client) -> i64 {
    let answer = client.wait("an error", |message| message.get("error").is_some() && message["id"].is_null());
    answer["error"]["code"].as_i64().expect("a code")
}

/// A request is answered.
fn served(client: &mut Client) {
    let params = client.at("values.yml", 2, 1);
    assert!(!client.request("textDocument/hover", params).is_null());
}

#[test]
fn what_can_not_be_decoded_is_refused_and_the_next_message_served() {
    let mut client = setup().start();
    client.open_file("values.yml");
    let deep = |id: i64| {
        let (open, close) = ("[".repeat(129), "]".repeat(129));
        format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"textDocument/hover","params":{open}{close}}}"#)
    };
    for body in [&b"not json"[..], b"\xff\xfe\x00", b"", b"{\"jsonrpc\":\"2.0\",\"method\":\"\xc3\x28\"}"] {
        client.send_body(body);
        assert_eq!(refusal(&mut client), -32700, "{:?}", String::from_utf8_lossy(body));
        served(&mut client);
    }
    for body in ["null", "1", "\"text\"", "true", "[]", r#"[{"jsonrpc":"2.0","id":1,"method":"x"}]"#, "{}"] {
        client.send_body(body.as_bytes());
        assert_eq!(refusal(&mut client), -32600, "{body}");
        served(&mut client);
    }
    client.send_body(deep(900).as_bytes());
    assert_eq!(client.answer(900)["error"]["code"], -32700);
    client.send_body(br#"{"jsonrpc":"2.0","id":901,"method":"textDocument/hover","params":{"x":"#);
    assert_eq!(client.answer(901)["error"]["code"], -32700);
    client.send_body(br#"{"jsonrpc":"2.0","id":902}"#);
    assert_eq!(client.answer(902)["error"]["code"], -32600);
    served(&mut client);
    assert_eq!(client.stop().code(), Some(0));
}

#[test]
fn headers_that_make_no_sense_cost_one_message() {
    let mut client = setup().start();
    client.open_file("values.yml");
    for header in [
        "Content-Length: x\r\n\r\n",
        "Content-Length: 99999999999999\r\n\r\n",
        "Content-Length: 99999999999999999999999999\r\n\r\n",
        "Content-Length: -1\r\n\r\n",
        "Content-Length: 2\r\nContent-Length: 3\r\n\r\n",
        "Content-Type: application/json\r\n\r\n",
        "Content-Length: 2\r\nContent-Type: application/vscode-jsonrpc; charset=latin1\r\n\r\n",
        "no header\r\n\r\n",
        "\u{0}\u{7f}\r\n",
    ] {
        client.send_bytes(format!("{header}{{}}"));
        served(&mut client);
        assert_eq!(refusal(&mut client), -32700, "{header:?}");
    }
    // These are in order, if unusual.
    let body = json!({"jsonrpc": "2.0", "id": 900, "method": "lofting/unheardOf"}).to_string();
    for header in ["content-length:", "Content-Type: x/y\r\nX-A: 1\r\nX-B: 2\r\nX-C: 3\r\nContent-Length:  "] {
        client.send_bytes(format!("{header}{}\r\n\r\n{body}", body.len()));
        assert_eq!(client.answer(900)["error"]["code"], -32601);
    }
    assert_eq!(client.stop().code(), Some(0));
}

#[test]
fn half_a_surrogate_pair_in_a_text_is_one_character() {
    let mut client = setup().start();
    let uri = client.uri("values.yml");
    // As `JSON.stringify` writes a text that was cut inside a character; and then the rest of it, typed after it.
    let open = format!(
        r##"{{"jsonrpc":"2.0","method":"textDocument/didOpen","params":{{"textDocument":{{"uri":"{uri}","languageId":"yaml","version":1,"text":"#@data/values\n---\n#! \ud83d x\nname: shop #! \ude00\ud83d\nport: 1 #! \ud83d\ude00\nunknown: 1\n"}}}}}}"##
    );
    client.send_body(open.as_bytes());
    let found = client.diagnostics_where("values.yml", "a finding", |params| params["version"] == 1);
    assert_eq!(found["diagnostics"][0]["range"]["start"], json!({"line": 5, "character": 0}), "{found}");
    let change = format!(
        r#"{{"jsonrpc":"2.0","method":"textDocument/didChange","params":{{"textDocument":{{"uri":"{uri}","version":2}},"contentChanges":[{{"range":{{"start":{{"line":3,"character":15}},"end":{{"line":5,"character":7}}}},"text":"\ud83d\nport: 2\nunheard"}}]}}}}"#
    );
    client.send_body(change.as_bytes());
    let found = client.diagnostics_where("values.yml", "a finding", |params| params["version"] == 2);
    assert!(found["diagnostics"][0]["message"].as_str().is_some_and(|text| text.contains("unheard")), "{found}");
    assert_eq!(client.stop().code(), Some(0));
}

#[test]
fn the_server_ends_with_the_process_of_its_client_although_stdin_stays_open() {
    // Waits for its own stdin, which is ours to close.
    let mut other = Command::new(env!("CARGO_BIN_EXE_lofting"))
        .arg("lsp")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("a process");
    let mut client = setup().process_id(other.id()).start();
    client.open_file("values.yml");
    client.diagnostics("values.yml", 1);
    // It is not waited for before: a zombie client counts as gone.
    other.kill().expect("it runs");
    assert_eq!(client.ended().code(), Some(1));
    other.wait().expect("a status");
}

#[test]
fn a_process_that_was_never_there_means_nothing() {
    // The number belongs to another container.
    let mut client = setup().process_id(0x3fff_fff0).start();
    client.open_file("values.yml");
    client.diagnostics("values.yml", 1);
    assert_eq!(client.stop().code(), Some(0));
}

#[test]
fn the_server_ends_when_nobody_reads_what_it_says() {
    let mut client = setup().start();
    assert_eq!(client.ended_unheard().code(), Some(1));
}

#[cfg(unix)]
#[test]
fn names_that_are_not_utf_8_do_no_harm() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;
    let strange = OsStr::from_bytes(b"\xff\xfe");
    let folder = tempfile::tempdir().expect("a directory");
    let inside = folder.path().join(strange);
    std::fs::create_dir(&inside).expect("a directory");
    std::fs::write(inside.join("schema.yml"), SCHEMA).expect("a file");
    std::fs::write(inside.join("values.yml"), GOOD_VALUES).expect("a file");
    std::fs::write(inside.join(OsStr::from_bytes(b"\xff-values.yml")), VALUES).expect("a file");
    let mut client = setup()
        .environment("LOFTING_LOG", strange)
        .environment("HOME", strange)
        .environment("TMPDIR", strange)
        .environment("XDG_CONFIG_HOME", strange)
        .environment("LOFTING_TRUST", strange)
        .environment("NO_COLOR", strange)
        .environment(strange, strange)
        .working_directory(inside.clone())
        .start();
    client.open("other-values.yml", GOOD_VALUES);
    assert_eq!(client.diagnostics("other-values.yml", 1), Vec::<Value>::new());
    assert_eq!(client.stop().code(), Some(0));

    let run = |arguments: &[&OsStr]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_lofting"));
        for name in ["LOFTING_LOG", "HOME", "TMPDIR", "TERM", "COLUMNS", "NO_COLOR", "CLICOLOR_FORCE", "LOFTING_TRUST"]
        {
            command.env(name, strange);
        }
        let output = command.env(strange, strange).current_dir(&inside).args(arguments).output().expect("it starts");
        let code = output.status.code().expect("it ends by itself");
        let text = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(!text.contains("panicked"), "{arguments:?}: {text}");
        code
    };
    let [check, values, schema, explain] = ["check", "values", "schema", "explain"].map(OsStr::new);
    let (f, strange_file) = (OsStr::new("-f"), OsStr::from_bytes(b"\xff-values.yml"));
    assert_eq!(run(&[check]), 0);
    assert_eq!(run(&[check, OsStr::new("values.yml")]), 0);
    assert_eq!(run(&[values, f, OsStr::new("schema.yml")]), 0);
    assert_eq!(run(&[schema, OsStr::new("--to"), OsStr::new("json-schema"), f, OsStr::new("schema.yml")]), 0);
    for arguments in [
        &[check, strange_file][..],
        &[check, f, OsStr::new(".")],
        &[explain, strange_file],
        &[strange],
        &[check, strange],
        &[check, OsStr::new("--format"), strange],
        &[values, f, OsStr::new("schema.yml"), OsStr::new("--data-value"), strange],
        &[values, f, OsStr::new("schema.yml"), OsStr::new("-v"), OsStr::from_bytes(b"name=\xff")],
        &[schema, OsStr::new("--to"), OsStr::new("json-schema"), f, strange_file],
    ] {
        run(arguments);
    }
}

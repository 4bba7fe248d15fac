//! `lofting mcp`, driven by a scripted client.

use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdout, Command, Stdio};

use serde_json::{Value, json};

use crate::SCHEMA;
use crate::command_line::workspace;
use crate::programs::fits;

const WRONG: &str = "#@data/values\n---\nname: a\nport: \"80\"\n";

/// A client that has introduced itself.
struct Agent {
    child: Child,
    output: BufReader<ChildStdout>,
    number: u64,
}

impl Agent {
    fn start(directory: &Path, arguments: &[&str]) -> Agent {
        let mut command = Command::new(env!("CARGO_BIN_EXE_lofting"));
        command.arg("mcp").args(arguments).current_dir(directory).env("LOFTING_CATALOGUE", "off");
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("it starts");
        let output = BufReader::new(child.stdout.take().expect("a pipe"));
        let mut agent = Agent { child, output, number: 0 };
        let client = json!({"name": "script", "version": "1"});
        let hello = json!({"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": client});
        let welcome = agent.ask("initialize", hello);
        assert_eq!(welcome["result"]["serverInfo"]["name"], "lofting", "{welcome}");
        assert!(welcome["result"]["capabilities"]["tools"].is_object(), "{welcome}");
        agent.send(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"}));
        agent
    }

    fn send(&mut self, message: &Value) {
        let input = self.child.stdin.as_mut().expect("a pipe");
        writeln!(input, "{message}").expect("it reads");
    }

    fn ask(&mut self, method: &str, params: Value) -> Value {
        self.number += 1;
        self.send(&json!({"jsonrpc": "2.0", "id": self.number, "method": method, "params": params}));
        let mut line = String::new();
        self.output.read_line(&mut line).expect("it answers");
        let answer: Value = serde_json::from_str(&line).unwrap_or_else(|error| panic!("{error}: {line:?}"));
        assert_eq!(answer["id"], self.number, "{answer}");
        answer
    }

    /// The structured answer of a tool, which its text repeats.
    fn call(&mut self, name: &str, arguments: Value) -> Value {
        let answer = self.ask("tools/call", json!({"name": name, "arguments": arguments}));
        let result = &answer["result"];
        assert_ne!(result["isError"], true, "{name}: {answer}");
        let text: Value = serde_json::from_str(result["content"][0]["text"].as_str().expect("a text")).expect("JSON");
        assert_eq!(text, result["structuredContent"]);
        text
    }

    /// Why a tool does not answer.
    fn refused(&mut self, name: &str, arguments: Value) -> String {
        let answer = self.ask("tools/call", json!({"name": name, "arguments": arguments}));
        assert_eq!(answer["result"]["isError"], true, "{name}: {answer}");
        answer["result"]["content"][0]["text"].as_str().expect("a text").to_owned()
    }

    fn end(mut self) {
        drop(self.child.stdin.take());
        assert!(self.child.wait().expect("it ends").success());
    }
}

#[test]
fn tools_answer_as_the_commands_do() {
    let directory = workspace(&[("schema.yml", SCHEMA), ("values.yml", WRONG)]);
    let mut agent = Agent::start(directory.path(), &[]);
    let tools = agent.ask("tools/list", json!({}));
    let tools = tools["result"]["tools"].as_array().expect("tools").clone();
    let names: Vec<&str> = tools.iter().filter_map(|tool| tool["name"].as_str()).collect();
    assert_eq!(names, ["check", "explain", "complete", "outline", "fix"]);
    for tool in &tools {
        assert_eq!(tool["inputSchema"]["type"], "object", "{tool}");
        jsonschema::validator_for(&tool["inputSchema"]).expect("a schema");
        assert_eq!(tool["annotations"]["readOnlyHint"], tool["name"] != "fix", "{tool}");
    }
    // The answers are those of the commands, and fit what the tool announces.
    let announced = |agent: &mut Agent, name: &str, arguments: Value| {
        let answer = agent.call(name, arguments);
        let tool = tools.iter().find(|tool| tool["name"] == name).expect("a tool");
        if tool["outputSchema"].is_object() {
            let form = jsonschema::validator_for(&tool["outputSchema"]).expect("a schema");
            assert!(form.is_valid(&answer), "{name}: {answer:#}");
        }
        answer
    };
    let report = announced(&mut agent, "check", json!({}));
    fits("check", &report);
    assert_eq!(report["diagnostics"][0]["code"], "ytt/type-mismatch");
    let version = json!(lofting::version_of(WRONG));
    let value = announced(&mut agent, "explain", json!({"file": "values.yml", "path": "port", "version": version}));
    fits("explain-value", &value);
    let file = announced(&mut agent, "explain", json!({"file": "values.yml"}));
    fits("explain", &file);
    let items = announced(&mut agent, "complete", json!({"file": "values.yml", "line": 4, "column": 1}));
    fits("complete", &items);
    let outline = announced(&mut agent, "outline", json!({"file": "values.yml", "budget": 20}));
    fits("outline", &outline);
    assert!(outline["tokens"].as_u64() <= Some(20));
    let proposal = announced(&mut agent, "fix", json!({"file": "values.yml"}));
    fits("fix", &proposal);
    assert_eq!((&proposal["written"], &proposal["files"][0]["version"]), (&json!(false), &version));
    agent.end();
}

#[test]
fn no_tool_answers_for_an_older_text() {
    let directory = workspace(&[("schema.yml", SCHEMA), ("values.yml", WRONG)]);
    let mut agent = Agent::start(directory.path(), &[]);
    let read = json!({"file": "values.yml", "path": "port"});
    assert_eq!(agent.call("explain", read.clone())["written"], "80");
    let changed = WRONG.replace("\"80\"", "81");
    std::fs::write(directory.path().join("values.yml"), &changed).expect("a file");
    let answer = agent.call("explain", read);
    assert_eq!(answer["written"], 81);
    assert_eq!(answer["document"]["version"], lofting::version_of(&changed));
    let why =
        agent.refused("explain", json!({"file": "values.yml", "path": "port", "version": lofting::version_of(WRONG)}));
    assert!(why.contains(&lofting::version_of(&changed)), "{why}");
    // A text of the client counts instead of the one on disk, and only in this call.
    let unsaved = json!({"file": "values.yml", "path": "port", "text": WRONG});
    assert_eq!(agent.call("explain", unsaved)["document"]["version"], lofting::version_of(WRONG));
    let report = agent.call("check", json!({"paths": ["values.yml"], "text": WRONG}));
    assert_eq!(report["summary"]["errors"], 1, "{report}");
    let report = agent.call("check", json!({"paths": ["values.yml"]}));
    assert_eq!(report["summary"]["errors"], 0, "{report}");
    agent.end();
}

#[test]
fn tools_read_and_write_no_further_than_the_user_permits() {
    let outside = workspace(&[("secret.yml", "token: x\n")]);
    let directory = workspace(&[("schema.yml", SCHEMA), ("values.yml", WRONG)]);
    let secret = outside.path().join("secret.yml").to_string_lossy().into_owned();
    let read = |name: &str| std::fs::read_to_string(directory.path().join(name)).expect("a file");
    #[cfg(unix)]
    std::os::unix::fs::symlink(&secret, directory.path().join("link.yml")).expect("a link");
    let mut agent = Agent::start(directory.path(), &[]);
    let mut names = vec![secret.as_str(), "../secret.yml", "nowhere.yml"];
    if cfg!(unix) {
        names.push("link.yml");
    }
    for name in &names {
        for (tool, arguments) in [
            ("explain", json!({"file": name, "path": "token"})),
            ("complete", json!({"file": name, "line": 1, "column": 1})),
            ("outline", json!({"file": name})),
            ("fix", json!({"file": name})),
            ("check", json!({"paths": [name]})),
        ] {
            let why = agent.refused(tool, arguments);
            assert!(!why.contains("token"), "{tool} {name}: {why}");
        }
    }
    let why = agent.refused("fix", json!({"file": "values.yml", "write": true}));
    assert!(why.contains("--write"), "{why}");
    assert_eq!(read("values.yml"), WRONG);
    for (tool, arguments) in [
        ("explain", json!({"path": "port"})),
        ("explain", json!({"file": "values.yml", "path": "port", "line": 1})),
        ("complete", json!({"file": "values.yml", "line": 99, "column": 1})),
        ("check", json!({"paths": "values.yml"})),
        ("check", json!({"unknown": 1})),
        ("outline", json!({"file": "values.yml", "budget": -1})),
    ] {
        agent.refused(tool, arguments);
    }
    let unknown = agent.ask("tools/call", json!({"name": "remove", "arguments": {}}));
    assert!(unknown["error"]["message"].is_string(), "{unknown}");
    agent.end();
    // What the user permits is written, and only the text that was meant.
    let mut agent = Agent::start(directory.path(), &["--write"]);
    let stale = json!({"file": "values.yml", "write": true, "version": lofting::version_of("")});
    agent.refused("fix", stale);
    agent.refused("fix", json!({"file": "values.yml", "write": true, "text": WRONG}));
    let done = agent.call("fix", json!({"file": "values.yml", "write": true, "version": lofting::version_of(WRONG)}));
    assert_eq!((&done["written"], read("values.yml")), (&json!(true), WRONG.replace("\"80\"", "80")));
    let again = agent.call("fix", json!({"file": "values.yml", "write": true}));
    assert_eq!((&again["written"], again["files"].as_array().map(Vec::len)), (&json!(false), Some(0)));
    agent.end();
}

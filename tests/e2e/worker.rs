//! The program as its own worker: in which environment, and in which sandbox.

use std::process::{Command, Stdio};

use serde_json::json;

use crate::client::Setup;
use crate::command_line::{json_of, lofting, workspace};

const SCHEMA: &str = "#@data/values-schema\n---\n#@schema/validation (\"odd\", lambda v: v % 2 == 1)\nport: 80\n";

/// Every way to start the program, and its exit code.
#[cfg(unix)]
#[test]
fn an_environment_that_is_no_text_changes_nothing() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;
    let config = "[[set]]\nname = \"all\"\nfiles = [\"schema.yml\", \"values.yml\"]\ndata-values-env = [\"APP\"]\n";
    let files = [("schema.yml", SCHEMA), ("values.yml", "#@data/values\n---\nport: 81\n"), ("lofting.toml", config)];
    let ways: &[&[&str]] = &[
        &["check"],
        &["check", "--render"],
        &["check", "-f", "schema.yml", "--data-values-env", "APP"],
        &["values", "-f", "schema.yml", "-f", "values.yml"],
        &["schema", "-f", "schema.yml"],
        &["explain", "values.yml"],
        &["lsp"],
        &["eval-worker"],
    ];
    let noise = OsStr::from_bytes(b"\xff\xfe=\x80");
    let names = ["LOFTING_LOG", "NO_COLOR", "HOME", "TMPDIR", "APP_port", "COLUMNS", "LANG"];
    for arguments in ways {
        let directory = workspace(&files);
        let run = |noisy: bool| {
            let mut command = Command::new(env!("CARGO_BIN_EXE_lofting"));
            command.args(*arguments).current_dir(directory.path()).stdin(Stdio::null());
            if noisy {
                command.envs(names.map(|name| (name, noise)));
                command.env(OsStr::from_bytes(b"APP_\xff"), "1").env(OsStr::from_bytes(b"\xff"), noise);
            }
            command.output().expect("it runs")
        };
        let (plain, noisy) = (run(false), run(true));
        assert_eq!(noisy.status, plain.status, "{arguments:?}: {}", String::from_utf8_lossy(&noisy.stderr));
        assert_eq!(noisy.stdout, plain.stdout, "{arguments:?}");
    }
}

/// A worker may be started before it is known whether there is code, or whether the arguments are any.
#[cfg(unix)]
#[test]
fn no_worker_is_left_when_a_command_ends() {
    use std::os::unix::process::CommandExt;
    let config =
        "[[set]]\nname = \"all\"\nfiles = [\"code.yml\"]\n[[set]]\nname = \"plain\"\nfiles = [\"plain.yml\"]\n";
    let files = [
        ("schema.yml", SCHEMA),
        ("code.yml", "#@ b = 1\n---\na: #@ b\n"),
        ("plain.yml", "a: 1\n"),
        ("lofting.toml", config),
    ];
    let directory = workspace(&files);
    let ways = [
        "render -f code.yml",
        "render -f plain.yml",
        "render all",
        "render plain",
        "render -f code.yml -f plain.yml --output-files out",
        "render -f code.yml --cache kept",
        "render -f plain.yml --files-inspect",
        "render -f missing.yml",
        "render missing",
        "render --unknown",
        "render --help",
        "check",
        "check -f schema.yml",
        "check -f schema.yml --render",
        "values -f schema.yml",
        "schema -f schema.yml",
        "explain code.yml",
        "fix code.yml",
    ];
    for way in ways {
        let mut command = Command::new(env!("CARGO_BIN_EXE_lofting"));
        command.args(way.split(' ')).current_dir(directory.path()).process_group(0);
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        let mut child = command.spawn().expect("it starts");
        let group = rustix::process::Pid::from_child(&child);
        child.wait().expect("it ends");
        let left = rustix::process::test_kill_process_group(group);
        assert_eq!(left, Err(rustix::io::Errno::SRCH), "{way}");
    }
}

/// Does something on a system without Landlock: the filter binds the thread that installs it and what it starts.
#[cfg(target_os = "linux")]
pub(crate) fn without_landlock<T: Send + 'static>(run: impl FnOnce() -> T + Send + 'static) -> T {
    use seccompiler::{BpfProgram, SeccompAction, SeccompFilter};
    let limited = std::thread::spawn(|| {
        let rules = [(libc::SYS_landlock_create_ruleset, Vec::new())].into();
        let system = std::env::consts::ARCH.try_into().expect("seccomp is known here");
        let missing = SeccompAction::Errno(libc::ENOSYS as u32);
        let filter = SeccompFilter::new(rules, SeccompAction::Allow, missing, system);
        let program: BpfProgram = filter.and_then(TryInto::try_into).expect("a filter");
        seccompiler::apply_filter(&program).expect("the filter holds");
        run()
    });
    limited.join().expect("it ends well")
}

#[cfg(target_os = "linux")]
#[test]
fn without_a_layer_code_runs_unless_a_sandbox_is_required() {
    let check = |more: &'static [&'static str]| {
        move || {
            let directory = workspace(&[("schema.yml", SCHEMA)]);
            let output =
                lofting(directory.path(), &[&["check", "--format", "json", "-f", "schema.yml"], more].concat());
            let report = json_of(&output);
            let list = report["diagnostics"].as_array().expect("a list");
            list.iter().map(|finding| (finding["code"].clone(), finding["message"].clone())).collect::<Vec<_>>()
        }
    };
    let codes = |found: &[(serde_json::Value, serde_json::Value)]| {
        found.iter().map(|(code, _)| code.as_str().unwrap_or_default().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(codes(&check(&[])()), ["ytt/validation"]);
    assert_eq!(codes(&check(&["--require-sandbox"])()), ["ytt/validation"]);
    assert_eq!(codes(&without_landlock(check(&[]))), ["ytt/validation"]);
    let refused = without_landlock(check(&["--require-sandbox"]));
    assert_eq!(codes(&refused), ["ytt/not-evaluated"]);
    let message = refused[0].1.as_str().unwrap_or_default();
    assert!(message.contains("a sandbox is required") && message.contains("no file access"), "{message}");
}

#[cfg(target_os = "linux")]
#[test]
fn the_setting_holds_in_the_editor_and_while_it_changes() {
    without_landlock(|| {
        let has = |found: &serde_json::Value, code: &str| {
            found["diagnostics"].as_array().is_some_and(|list| list.iter().any(|finding| finding["code"] == code))
        };
        let mut client = Setup::rich().options(json!({"userSettings": true})).start();
        client.open("schema.yml", SCHEMA);
        client.open("values.yml", "#@data/values\n---\nport: 82\n");
        client.diagnostics_where("values.yml", "code is run", |found| has(found, "ytt/validation"));
        // What the client shows: what stays as it is, is not sent again.
        let (mut not_evaluated, mut validated) = (false, true);
        let mut require = |required: bool| {
            client.set_settings(json!({ "lofting": { "evaluation": { "requireSandbox": required } } }));
            client.notify("workspace/didChangeConfiguration", json!({ "settings": null }));
            while not_evaluated != required || validated == required {
                let message =
                    client.wait("the setting holds", |message| message["method"] == "textDocument/publishDiagnostics");
                match message["params"]["uri"].as_str() {
                    Some(uri) if uri.ends_with("/schema.yml") => {
                        not_evaluated = has(&message["params"], "ytt/not-evaluated");
                    }
                    Some(uri) if uri.ends_with("/values.yml") => {
                        validated = has(&message["params"], "ytt/validation");
                    }
                    _ => {}
                }
            }
        };
        require(true);
        require(false);
    });
}

//! Formatting, over the protocol and on the command line.

use std::io::Write;
use std::process::{Command, Stdio};

use serde_json::{Value, json};

use crate::client::Setup;
use crate::command_line::{lofting, workspace};

const LOOSE: &str = "#@data/values-schema\n---\n#@schema/nullable\nä:   1 \nb:\n    c: 2\n    d:\n      - é\n";
const TIDY: &str = "#@data/values-schema\n---\n#@schema/nullable\nä: 1\nb:\n    c: 2\n    d:\n        - é\n";

fn announced() -> Setup {
    Setup::rich().capability("textDocument.formatting", json!({})).capability("textDocument.rangeFormatting", json!({}))
}

/// The text after edits whose columns are UTF-16 units, which are characters here.
fn applied(text: &str, edits: &Value) -> String {
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    let offset = |position: &Value| {
        let line = position["line"].as_u64().expect("a line") as usize;
        let column = position["character"].as_u64().expect("a column") as usize;
        let before: usize = lines.iter().take(line).map(|line| line.len()).sum();
        before + lines.get(line).map_or(0, |line| line.chars().take(column).map(char::len_utf8).sum())
    };
    let mut out = text.to_owned();
    for edit in edits.as_array().expect("edits").iter().rev() {
        let range = offset(&edit["range"]["start"])..offset(&edit["range"]["end"]);
        out.replace_range(range, edit["newText"].as_str().expect("a text"));
    }
    out
}

#[test]
fn documents_and_selections_are_formatted() {
    let mut client = announced().start();
    client.open("schema.yml", LOOSE);
    let document = json!({"uri": client.uri("schema.yml")});
    let options = json!({"tabSize": 8, "insertSpaces": false});
    let edits = client.request("textDocument/formatting", json!({"textDocument": document, "options": options}));
    assert_eq!(edits.as_array().map(Vec::len), Some(3), "{edits}");
    assert_eq!(applied(LOOSE, &edits), TIDY);
    let range = json!({"start": {"line": 3, "character": 0}, "end": {"line": 4, "character": 0}});
    let params = json!({"textDocument": document, "range": range, "options": options});
    let edits = client.request("textDocument/rangeFormatting", params);
    assert_eq!(applied(LOOSE, &edits), LOOSE.replace("ä:   1 ", "ä: 1"));
    // Damaged text stays, and so do files that are not ours.
    client.replace("schema.yml", "#@data/values-schema\n---\na:   1\nb\n");
    let edits = client.request("textDocument/formatting", json!({"textDocument": document, "options": options}));
    assert_eq!(edits, json!([]));
    client.open("other.yml", "a:   1\n");
    let document = json!({"uri": client.uri("other.yml")});
    let edits = client.request("textDocument/formatting", json!({"textDocument": document, "options": options}));
    assert_eq!(edits, Value::Null);
}

#[test]
fn formatting_is_offered_to_everybody() {
    // Kate formats, and announces nothing of it.
    for setup in [Setup::rich(), announced()] {
        let client = setup.start();
        assert_eq!(client.capabilities["documentFormattingProvider"], true);
        assert_eq!(client.capabilities["documentRangeFormattingProvider"], true);
    }
}

#[test]
fn files_are_written_and_named() {
    let directory = workspace(&[
        ("schema.yml", LOOSE),
        ("tidy.yml", TIDY),
        ("other.yml", "a:   1\n"),
        ("damaged.yml", "#@data/values\n---\na:   1\nb\n"),
        ("code.star", "x  = 1\n"),
    ]);
    let text = |name: &str| std::fs::read_to_string(directory.path().join(name)).expect("a file");
    let run = |arguments: &[&str], code: i32, out: &str| {
        let output = lofting(directory.path(), arguments);
        let err = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(code), "{arguments:?}: {err}");
        assert_eq!(String::from_utf8_lossy(&output.stdout), out, "{arguments:?}");
        err
    };
    let err = run(&["fmt", "--check", "."], 1, "other.yml\nschema.yml\n");
    assert!(err.contains("damaged.yml:4:1: no colon after the key `b`; the file stays as it is"), "{err}");
    assert!(err.contains("2 files would change, 1 unchanged, 1 with syntax errors"), "{err}");
    assert_eq!(text("schema.yml"), LOOSE);
    run(
        &["fmt", "--diff", "schema.yml"],
        1,
        "--- a/schema.yml\n+++ b/schema.yml\n@@ -1,8 +1,8 @@\n #@data/values-schema\n ---\n #@schema/nullable\n-ä:   1 \n+ä: 1\n b:\n     c: 2\n     d:\n-      - é\n+        - é\n",
    );
    run(&["fmt", "schema.yml", "./schema.yml", "tidy.yml"], 0, "schema.yml\n");
    assert_eq!(text("schema.yml"), TIDY);
    run(&["fmt", "--check", "schema.yml"], 0, "");
    assert_eq!(text("other.yml"), "a:   1\n");
    // What can be formatted is, even if other files cannot.
    run(&["fmt", "."], 1, "other.yml\n");
    assert_eq!(text("other.yml"), "a: 1\n");
    let err = run(&["fmt", "code.star"], 2, "");
    assert!(err.contains("code.star: only YAML files can be formatted"), "{err}");
    run(&["fmt", "nowhere.yml"], 2, "");
    run(&["fmt"], 2, "");
}

#[test]
fn configuration_is_found_above_a_file() {
    let text = "a:\n  b: 'x'\n";
    let directory = workspace(&[
        (".editorconfig", "root = true\n[*.yml]\nindent_size = 4\ninsert_final_newline = false\n"),
        ("in/lofting.toml", "[format]\nquotes = \"double\"\nindent = 3\n"),
        ("in/deep/lofting.toml", "[format]\nindent = 1\nqoutes = \"single\"\n"),
        ("in/a.yml", text),
        ("in/deep/c.yml", text),
        ("b.yml", text),
    ]);
    let output = lofting(directory.path(), &["fmt", "in", "b.yml"]);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(said.starts_with("lofting: `in/deep/lofting.toml` has a mistake: unknown key `qoutes`\n"), "{said}");
    let text = |name: &str| std::fs::read_to_string(directory.path().join(name)).expect("a file");
    assert_eq!(text("in/a.yml"), "a:\n   b: \"x\"\n");
    assert_eq!(text("in/deep/c.yml"), "a:\n b: \"x\"\n");
    assert_eq!(text("b.yml"), "a:\n    b: 'x'\n");
}

#[cfg(unix)]
#[test]
fn links_in_a_directory_are_not_written_through() {
    let outside = workspace(&[("values.yml", "#@data/values\n---\na:   1\n")]);
    let directory = workspace(&[("schema.yml", TIDY)]);
    std::os::unix::fs::symlink(outside.path().join("values.yml"), directory.path().join("values.yml")).expect("a link");
    let output = lofting(directory.path(), &["fmt", "."]);
    assert_ne!(output.status.code(), Some(1), "{output:?}");
    let text = std::fs::read_to_string(outside.path().join("values.yml")).expect("a file");
    assert_eq!(text, "#@data/values\n---\na:   1\n");
}

/// A link that the user names leads to the file that is written, as long as it stays in the same directory or repository;
/// the link stays, and so do the rights of the file. `fmt *.yml` names every link that a repository contains.
#[cfg(unix)]
#[test]
fn a_link_that_is_named_is_followed_as_far_as_its_repository() {
    use std::os::unix::fs::{PermissionsExt, symlink};
    let outside = workspace(&[("values.yml", "a:   1\n")]);
    let directory = workspace(&[("in/values.yml", "a:   1\n")]);
    let (file, link) = (directory.path().join("in/values.yml"), directory.path().join("link.yml"));
    std::fs::set_permissions(&file, std::fs::Permissions::from_mode(0o640)).expect("a file");
    symlink(&file, &link).expect("a link");
    let output = lofting(directory.path(), &["fmt", "link.yml"]);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    assert_eq!(std::fs::read_to_string(&file).expect("a file"), "a: 1\n");
    assert_eq!(std::fs::metadata(&file).expect("a file").permissions().mode() & 0o777, 0o640);
    assert!(std::fs::symlink_metadata(&link).expect("a link").is_symlink());
    // Nothing of ours is left beside it.
    assert_eq!(std::fs::read_dir(directory.path().join("in")).expect("a directory").count(), 1);
    let out = outside.path().join("values.yml");
    symlink(&out, directory.path().join("out.yml")).expect("a link");
    let output = lofting(directory.path(), &["fmt", "out.yml"]);
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(said.contains("name what it leads to") && said.contains("values.yml"), "{said}");
    assert_eq!(std::fs::read_to_string(&out).expect("a file"), "a:   1\n");
}

#[test]
fn stdin_to_stdout() {
    let directory = workspace(&[(".editorconfig", "[*]\nindent_size = 3\n")]);
    let run = |arguments: &[&str], text: &str| {
        let mut process = Command::new(env!("CARGO_BIN_EXE_lofting"))
            .args(arguments)
            .current_dir(directory.path())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("it runs");
        process.stdin.take().expect("a pipe").write_all(text.as_bytes()).expect("it reads");
        let output = process.wait_with_output().expect("it ends");
        (String::from_utf8_lossy(&output.stdout).into_owned(), output.status.code())
    };
    assert_eq!(run(&["fmt", "-"], "a:\n  b:   1\n"), ("a:\n   b: 1\n".to_owned(), Some(0)));
    // What cannot be formatted comes out as it went in.
    assert_eq!(run(&["fmt", "-"], "a:   1\nb\n"), ("a:   1\nb\n".to_owned(), Some(1)));
    assert_eq!(run(&["fmt", "--check", "-"], "a:   1\n"), ("stdin\n".to_owned(), Some(1)));
}

#[test]
fn a_new_line_is_indented_where_the_editor_asks_for_it() {
    let on_type = |announced: bool, options: Value| {
        let setup = Setup::new().options(options).file("schema.yml", "#@data/values-schema\n---\ndb:\n  port: 1\n");
        let setup = if announced { setup.capability("textDocument.onTypeFormatting", json!({})) } else { setup };
        let mut client = setup.start();
        client.open("values.yml", "#@data/values\n---\ndb:\n\n");
        let mut params = client.at("values.yml", 3, 0);
        params["ch"] = json!("\n");
        params["options"] = json!({"tabSize": 2, "insertSpaces": true});
        let provider = client.capabilities["documentOnTypeFormattingProvider"].clone();
        (provider, client.request("textDocument/onTypeFormatting", params))
    };
    let (provider, edits) = on_type(true, json!({}));
    assert_eq!(provider["firstTriggerCharacter"], "\n");
    assert_eq!((&edits[0]["newText"], edits.as_array().map(Vec::len)), (&json!("  "), Some(1)), "{edits}");
    assert_eq!(on_type(false, json!({})).0, Value::Null);
    assert_eq!(on_type(true, json!({"typing": {"indent": false}})).1, Value::Null);
}

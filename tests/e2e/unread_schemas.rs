//! Silence is not success: whatever way a schema is asked for and whatever way it cannot be read, a check says so at the
//! place that asks, on standard error and in its report, and fails with `--strict`.

use std::path::Path;
use std::process::{Command, Output};

use lofting_tests::web::{Reply, Server};
use serde_json::{Value, json};

use crate::client::Setup;
use crate::command_line::{json_of, workspace};

/// A way to ask for a schema.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Way {
    Modeline,
    Key,
    /// `path` in `[[schemas]]`.
    Path,
    /// `url` in `[[schemas]]`.
    Url,
    /// `--schema`
    Flag,
    /// An entry of a catalogue.
    Catalogue,
    /// `--catalogue`
    CatalogueItself,
    Bundle,
    /// `$ref` in a schema that the file names.
    Ref,
    /// `$ref` in the schema of `--schema`.
    RefOfFlag,
    /// `$ref` in a schema of a bundle.
    RefOfBundle,
    /// `$ref` in a definition that the schema which the file names refers to.
    RefOfRef,
    /// `$ref` at a place of another file that is a schema only because the first one refers to it.
    RefOfPart,
    /// `$ref` in a definition that the schema of `--schema` refers to.
    RefOfRefOfFlag,
}

const WAYS: &[Way] = &[
    Way::Modeline,
    Way::Key,
    Way::Path,
    Way::Url,
    Way::Flag,
    Way::Catalogue,
    Way::CatalogueItself,
    Way::Bundle,
    Way::Ref,
    Way::RefOfFlag,
    Way::RefOfBundle,
    Way::RefOfRef,
    Way::RefOfPart,
    Way::RefOfRefOfFlag,
];

/// A way in which what is asked for cannot be read.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Failure {
    Missing,
    Outside,
    Syntax,
    Empty,
    NoSchema,
    NoText,
    Directory,
    #[cfg(unix)]
    Pipe,
    TooLarge,
    NoSuchPlace,
    HostNotAllowed,
    NoSuchDocument,
    NoServer,
}

const FAILURES: &[Failure] = &[
    Failure::Missing,
    Failure::Outside,
    Failure::Syntax,
    Failure::Empty,
    Failure::NoSchema,
    Failure::NoText,
    Failure::Directory,
    #[cfg(unix)]
    Failure::Pipe,
    Failure::TooLarge,
    Failure::NoSuchPlace,
    Failure::HostNotAllowed,
    Failure::NoSuchDocument,
    Failure::NoServer,
];

impl Failure {
    fn is_of_the_web(self) -> bool {
        matches!(self, Failure::HostNotAllowed | Failure::NoSuchDocument | Failure::NoServer)
    }

    /// Puts what cannot be read at a path.
    fn make(self, path: &Path) {
        let write = |text: &[u8]| std::fs::write(path, text).expect("written");
        match self {
            Failure::Syntax => write(b"{\"type\": \"object\", \"properties\": {"),
            Failure::Empty => write(b""),
            Failure::NoSchema => write(b"just words"),
            Failure::NoText => write(b"\xff\xfe\x00\x01{"),
            Failure::Directory => std::fs::create_dir(path).expect("made"),
            #[cfg(unix)]
            Failure::Pipe => {
                assert!(Command::new("mkfifo").arg(path).status().expect("it runs").success());
            }
            Failure::TooLarge => std::fs::File::create(path).and_then(|file| file.set_len(60 << 20)).expect("made"),
            Failure::Outside | Failure::NoSuchPlace => write(b"{\"type\": \"object\"}"),
            Failure::Missing | Failure::HostNotAllowed | Failure::NoSuchDocument | Failure::NoServer => {}
        }
    }
}

/// Whether a way can fail so.
fn is_possible(way: Way, failure: Failure) -> bool {
    match (way, failure) {
        // The user may name any file, and a catalogue has one document.
        (Way::Flag, Failure::Outside) | (Way::CatalogueItself, Failure::NoSuchPlace) => false,
        // A path is not a URL, and a URL leads to no path outside its folder.
        (Way::Path, failure) => !failure.is_of_the_web(),
        (Way::Url | Way::Catalogue | Way::CatalogueItself, Failure::Outside) => false,
        // The file of a kind has its place in a bundle, and a bundle need not have each kind.
        (Way::Bundle, Failure::NoSuchPlace | Failure::NoSuchDocument) => false,
        // The host of a flag is allowed by naming it, and a catalogue is the user's choice.
        (Way::Flag | Way::Catalogue | Way::CatalogueItself, Failure::HostNotAllowed) => false,
        _ => true,
    }
}

/// A folder in which one thing is asked for in vain, and what to check in it.
struct Scene {
    directory: tempfile::TempDir,
    arguments: Vec<String>,
    /// The file that asks, where it can be checked, and what is written at the place.
    asks: Option<(&'static str, String)>,
}

const MIRRORED: &str = "https://schemas.example";

fn scene(way: Way, failure: Failure, server: &Server) -> Scene {
    let directory = workspace(&[("w/x", "")]);
    let root = directory.path().join("w");
    let write = |name: &str, text: &str| std::fs::write(root.join(name), text).expect("written");
    let mut arguments: Vec<String> = Vec::new();
    let url = match failure {
        Failure::HostNotAllowed => Some("https://127.0.0.1:1/s.json".to_owned()),
        Failure::NoServer => Some("http://127.0.0.1:1/s.json".to_owned()),
        Failure::NoSuchDocument => Some(server.url("/s.json")),
        _ => None,
    };
    if failure.is_of_the_web() && failure != Failure::HostNotAllowed {
        arguments.extend(["--allow-host".to_owned(), server.host()]);
        arguments.extend(["--allow-host".to_owned(), "http://127.0.0.1:1".to_owned()]);
    }
    let place = if failure == Failure::NoSuchPlace { "#/definitions/none" } else { "" };
    let path = if failure == Failure::Outside { "../s.json" } else { "s.json" };
    let name = url.clone().unwrap_or_else(|| format!("{path}{place}"));
    let mirrored = url.clone().unwrap_or_else(|| format!("{MIRRORED}/{path}{place}"));
    let of_bundle = match failure {
        Failure::Missing | Failure::Outside => None,
        _ => url.is_none().then_some("b/foo-x-v1.json"),
    };
    let resource = "apiVersion: x.io/v1\nkind: Foo\na: 1\n";
    let reference = format!("{{\"properties\": {{\"a\": {{\"$ref\": \"{name}\"}}}}}}");
    let (mut file, mut asks) = ("a: 1\n".to_owned(), None);
    match way {
        Way::Modeline => {
            file = format!("# yaml-language-server: $schema={name}\na: 1\n");
            asks = Some(("v.yml", name));
        }
        Way::Key => {
            file = format!("$schema: {name}\na: 1\n");
            asks = Some(("v.yml", name));
        }
        Way::Path => {
            write("lofting.toml", &format!("[[schemas]]\npath = \"{name}\"\nfiles = [\"v.yml\"]\n"));
            asks = Some(("lofting.toml", name));
        }
        Way::Url => {
            let mirror = format!("[schemas.mirror]\n\"{MIRRORED}\" = \".\"\n");
            write("lofting.toml", &format!("{mirror}[[schemas]]\nurl = \"{mirrored}\"\nfiles = [\"v.yml\"]\n"));
            asks = Some(("lofting.toml", mirrored));
        }
        Way::Flag => arguments.extend(["--schema".to_owned(), name]),
        Way::Catalogue => {
            let entry = format!("{{\"name\": \"S\", \"url\": \"{mirrored}\", \"fileMatch\": [\"v.yml\"]}}");
            write("catalogue.json", &format!("{{\"schemas\": [{entry}]}}"));
            arguments.extend(["--catalogue".to_owned(), format!("{MIRRORED}/catalogue.json")]);
            arguments.extend(["--schema-dir".to_owned(), format!("{MIRRORED}=.")]);
        }
        Way::CatalogueItself => {
            arguments.extend(["--catalogue".to_owned(), mirrored]);
            arguments.extend(["--schema-dir".to_owned(), format!("{MIRRORED}=.")]);
        }
        Way::Bundle => {
            resource.clone_into(&mut file);
            let bundle = match (failure, &url) {
                (_, Some(url)) => url.trim_end_matches("/s.json").to_owned(),
                (Failure::Outside, _) => "../b".to_owned(),
                _ => "b".to_owned(),
            };
            write("lofting.toml", &format!("[[schemas]]\nkubernetes = \"{bundle}\"\n"));
            asks = Some(("lofting.toml", bundle));
        }
        Way::Ref => {
            file = "# yaml-language-server: $schema=of.json\na: 1\n".to_owned();
            write("of.json", &reference);
            asks = Some(("of.json", name));
        }
        Way::RefOfFlag => {
            write("of.json", &reference);
            arguments.extend(["--schema".to_owned(), "of.json".to_owned()]);
        }
        Way::RefOfRef | Way::RefOfPart | Way::RefOfRefOfFlag => {
            let key = if way == Way::RefOfPart { "parts" } else { "definitions" };
            write("of.json", &format!("{{\"properties\": {{\"a\": {{\"$ref\": \"middle.json#/{key}/X\"}}}}}}"));
            write("middle.json", &format!("{{\"{key}\": {{\"X\": {{\"$ref\": \"{name}\"}}}}}}"));
            if way == Way::RefOfRefOfFlag {
                arguments.extend(["--schema".to_owned(), "of.json".to_owned()]);
            } else {
                file = "# yaml-language-server: $schema=of.json\na: 1\n".to_owned();
            }
        }
        Way::RefOfBundle => {
            resource.clone_into(&mut file);
            std::fs::create_dir(root.join("b")).expect("made");
            write("b/foo-x-v1.json", &reference.replace("../s.json", "../../s.json"));
            write("lofting.toml", "[[schemas]]\nkubernetes = \"b\"\n");
        }
    }
    match way {
        Way::Bundle => {
            if let Some(of_bundle) = of_bundle {
                std::fs::create_dir(root.join("b")).expect("made");
                failure.make(&root.join(of_bundle));
            }
        }
        Way::RefOfBundle if failure != Failure::Outside => failure.make(&root.join("b").join(path)),
        _ => failure.make(&root.join(path)),
    }
    write("v.yml", &file);
    Scene { directory, arguments, asks }
}

fn check(scene: &Scene, more: &[&str]) -> Output {
    let root = scene.directory.path().join("w");
    Command::new(env!("CARGO_BIN_EXE_lofting"))
        .args(["check", "--format", "json"])
        .args(&scene.arguments)
        .args(more)
        .current_dir(&root)
        .env("XDG_CACHE_HOME", scene.directory.path().join("cache"))
        .env("LOCALAPPDATA", scene.directory.path().join("cache"))
        .output()
        .expect("it runs")
}

/// What is missing when something is asked for in vain.
fn silence(scene: &Scene) -> Result<(), String> {
    let of_file = check(scene, &["v.yml"]);
    let said = String::from_utf8_lossy(&of_file.stderr).into_owned();
    // What the command line itself names is read first, and nothing is checked without it.
    if of_file.status.code() == Some(2) {
        return if said.is_empty() { Err("it ends without a word".to_owned()) } else { Ok(()) };
    }
    if !said.contains("lofting: not checked: ") {
        return Err(format!("standard error says nothing: {said:?}"));
    }
    let not_checked = json_of(&of_file)["not_checked"].clone();
    let is_whole =
        |it: &Value| ["schema", "message"].iter().all(|key| it[*key].as_str().is_some_and(|it| !it.is_empty()));
    if !not_checked.as_array().is_some_and(|list| !list.is_empty() && list.iter().all(is_whole)) {
        return Err(format!("the report says nothing: {not_checked}"));
    }
    let strict = check(scene, &["--strict", "v.yml"]);
    if strict.status.code() != Some(1) || json_of(&strict)["summary"]["ok"] != json!(false) {
        return Err(format!("--strict: {:?}", strict.status));
    }
    let Some((file, asked)) = &scene.asks else { return Ok(()) };
    // A `lofting.toml` is checked with its folder.
    let path = if *file == "lofting.toml" { "." } else { file };
    let report = json_of(&check(scene, &[path]));
    let text = std::fs::read_to_string(scene.directory.path().join("w").join(file)).expect("a text");
    let is_there = |finding: &Value| {
        let at = |end: &str| usize::try_from(finding["range"][end]["byte"].as_u64().expect("a number")).expect("fits");
        finding["file"] == *file && text[at("start")..at("end")].contains(asked.as_str())
    };
    if report["diagnostics"].as_array().is_some_and(|found| found.iter().any(is_there)) {
        Ok(())
    } else {
        Err(format!("no finding at `{asked}` in {file}: {report}"))
    }
}

#[test]
fn what_is_asked_for_and_cannot_be_read_is_said() {
    let server = Server::start(|_| Reply::status(404));
    let mut silent = Vec::new();
    for way in WAYS {
        for failure in FAILURES.iter().filter(|failure| is_possible(*way, **failure)) {
            let scene = scene(*way, *failure, &server);
            silent.extend(silence(&scene).err().map(|why| format!("{way:?} {failure:?}: {why}")));
        }
    }
    assert!(silent.is_empty(), "{}", silent.join("\n"));
}

/// A schema that is read, and a file with one mistake. A byte order mark before either changes nothing.
#[test]
fn a_byte_order_mark_hides_no_mistake() {
    const MARK: &str = "\u{feff}";
    let schema = "{\"properties\": {\"a\": {\"type\": \"string\"}}}";
    let catalogue =
        format!("{{\"schemas\": [{{\"name\": \"S\", \"url\": \"{MIRRORED}/s.json\", \"fileMatch\": [\"v.yml\"]}}]}}");
    let entry = "[[schemas]]\npath = \"s.json\"\nfiles = [\"v.yml\"]\n";
    let url = format!(
        "[schemas.mirror]\n\"{MIRRORED}\" = \".\"\n[[schemas]]\nurl = \"{MIRRORED}/s.json\"\nfiles = [\"v.yml\"]\n"
    );
    let bundle = "[[schemas]]\nkubernetes = \"b\"\n";
    let resource = "apiVersion: x.io/v1\nkind: Foo\na: 1\n";
    let of_catalogue: &[&str] =
        &["--catalogue", "https://schemas.example/catalogue.json", "--schema-dir", "https://schemas.example=."];
    let mut wrong = Vec::new();
    for before_schema in ["", MARK] {
        for before_file in ["", MARK] {
            for (way, toml, file, arguments) in [
                ("modeline", "", "# yaml-language-server: $schema=s.json\na: 1\n", &[][..]),
                ("key", "", "$schema: s.json\na: 1\n", &[]),
                ("path", entry, "a: 1\n", &[]),
                ("url", &url, "a: 1\n", &[]),
                ("bundle", bundle, resource, &[]),
                ("catalogue", "", "a: 1\n", of_catalogue),
                ("flag", "", "a: 1\n", &["--schema", "s.json"]),
            ] {
                let schema = format!("{before_schema}{schema}");
                let directory = workspace(&[
                    ("w/v.yml", &format!("{before_file}{file}")),
                    ("w/s.json", &schema),
                    ("w/b/foo-x-v1.json", &schema),
                    ("w/catalogue.json", &format!("{before_schema}{catalogue}")),
                    ("w/lofting.toml", toml),
                ]);
                let arguments = arguments.iter().map(|argument| (*argument).to_owned()).collect();
                let scene = Scene { directory, arguments, asks: None };
                for more in [&["v.yml"][..], &["--strict", "v.yml"]] {
                    let output = check(&scene, more);
                    let found = json_of(&output)["diagnostics"].clone();
                    let codes: Vec<&str> =
                        found.as_array().into_iter().flatten().filter_map(|it| it["code"].as_str()).collect();
                    let is_one = matches!(codes.as_slice(), [one] if one.ends_with("/type-mismatch"));
                    if output.status.code() != Some(1) || !is_one {
                        wrong.push(format!("{way} {before_schema:?} {before_file:?} {more:?}: {codes:?}"));
                    }
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn a_setting_that_leads_to_nothing_usable_is_reported() {
    for text in [Some("{\"type\": \"object\", \"properties\": {"), Some(""), None] {
        let setup = Setup::rich().options(json!({"lofting": {"schemas": {"s.json": ["v.yml"]}}}));
        let mut client = text.iter().fold(setup, |setup, text| setup.file("s.json", text)).start();
        client.open("v.yml", "a: 1\n");
        let message = client.wait("a message", |message| message["method"] == "window/showMessage");
        let said = message["params"]["message"].as_str().unwrap_or_default();
        assert!(said.contains("s.json"), "{text:?}: {said}");
    }
}

#[test]
fn values_are_not_checked_completely_without_what_code_gives() {
    let schema =
        "#@data/values-schema\n---\n#@ def f():\n#@   return no_such_name\n#@ end\n#@schema/default f()\na: 1\n";
    let directory = workspace(&[("w/schema.yml", schema), ("w/values.yml", "#@data/values\n---\na: 2\n")]);
    let scene = Scene { directory, arguments: Vec::new(), asks: None };
    let output = check(&scene, &["values.yml"]);
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(said.contains("not checked: the schema `schema.yml`"), "{said}");
    // Code that failed is not a success, whatever else was checked.
    assert_eq!(output.status.code(), Some(2), "{said}");
    assert_eq!(check(&scene, &["--strict", "values.yml"]).status.code(), Some(1));
}

/// What the command line itself names has to be there, and inputs have to be files or folders.
#[test]
fn folders_and_inputs_that_are_none_are_said() {
    let directory = workspace(&[
        ("w/v.yml", "a: 1\n"),
        ("w/schema.yml", "#@data/values-schema\n---\na: 1\n"),
        ("w/lofting.toml", "[sets.x]\nfiles = [\"schema.yml\"]\nvalues = [\"v.yml\"]\n"),
    ]);
    for folder in ["missing", "v.yml"] {
        let arguments = vec!["--schema-dir".to_owned(), format!("https://x.example={folder}")];
        let scene = Scene { directory: workspace(&[("w/v.yml", "a: 1\n")]), arguments, asks: None };
        let output = check(&scene, &["v.yml"]);
        assert_eq!(output.status.code(), Some(2), "{folder}");
        assert!(String::from_utf8_lossy(&output.stderr).contains("there is no folder"), "{folder}");
    }
    #[cfg(unix)]
    for named in ["files = [\"schema.yml\", \"pipe\"]", "files = [\"schema.yml\"]\nvalues = [\"pipe\"]"] {
        let root = directory.path().join("w");
        std::fs::write(root.join("lofting.toml"), format!("[sets.x]\n{named}\n")).expect("written");
        drop(std::fs::remove_file(root.join("pipe")));
        assert!(Command::new("mkfifo").arg(root.join("pipe")).status().expect("it runs").success());
        let output = crate::command_line::lofting(&root, &["check", "--format", "json", "."]);
        assert_eq!(output.status.code(), Some(1), "{named}");
        assert!(json_of(&output)["diagnostics"].to_string().contains("not a regular file"), "{named}");
    }
}

#[test]
fn explain_takes_folders_for_urls() {
    let directory = workspace(&[
        ("w/v.yml", "# yaml-language-server: $schema=https://schemas.example/s.json\na: 1\n"),
        ("w/s.json", "{}"),
    ]);
    let explain = |arguments: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_lofting"));
        let output = command.arg("explain").args(arguments).current_dir(directory.path().join("w")).output();
        String::from_utf8_lossy(&output.expect("it runs").stdout).into_owned()
    };
    let with = explain(&["--schema-dir", "https://schemas.example=.", "v.yml"]);
    assert!(with.contains("schema: s.json"), "{with}");
    assert!(explain(&["v.yml"]).contains("cannot be read"));
}

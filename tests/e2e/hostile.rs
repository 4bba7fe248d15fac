//! Repositories that try to have files outside them read, or to keep the program from ending: every place
//! where a path can be written, with every path that leads out.

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::mpsc;
use std::thread;

use serde_json::{Value, json};

use crate::client::{Client, PATIENCE, Setup, file_uri};

/// Content of the files that must not be read.
const CANARY: &str = "canary-8c1f";

/// What lies outside: a schema that makes the values of [`VALUES`] wrong, so that reading it shows.
const SECRET: &str = "#@data/values-schema\n---\nsecret: canary-8c1f\n";
const VALUES: &str = "#@data/values\n---\nsecret: 1\n";
const CODE: &str = "ytt/type-mismatch";

/// Names that lead out of the repository, relative to a folder of it.
const OUT: [&str; 13] = [
    "../../secret/schema.yml",
    "../../secret",
    "../../none.yml",
    "../../../../../../../../../../../../..",
    "sub/../../../secret/schema.yml",
    "/",
    "/usr",
    "/etc/passwd",
    "/proc/self/environ",
    "link.yml",
    "link",
    "link/schema.yml",
    "root",
];

/// Names in the repository that are special files, or endless.
const NO_FILES: [&str; 4] = ["pipe.yml", "zero.yml", "sparse.yml", "socket.yml"];

/// A repository with one folder for each name; `secret` lies beside it.
struct Hostile {
    directory: tempfile::TempDir,
    names: Vec<String>,
}

impl Hostile {
    /// `plant` writes what names the name.
    fn new(names: &[&str], plant: impl Fn(&Path, &str)) -> Hostile {
        let directory = tempfile::tempdir().expect("a directory");
        let top = directory.path().canonicalize().expect("its path");
        write(&top.join("secret/schema.yml"), SECRET);
        let absolute = top.join("secret/schema.yml").display().to_string();
        let names: Vec<String> = names.iter().map(|name| (*name).to_owned()).chain([absolute]).collect();
        for (index, name) in names.iter().enumerate() {
            let folder = top.join(format!("repository/n{index}"));
            write(&folder.join("values.yml"), VALUES);
            make_traps(&folder, &top.join("secret"));
            plant(&folder, name);
        }
        Hostile { directory, names }
    }

    fn root(&self) -> PathBuf {
        self.directory.path().canonicalize().expect("its path").join("repository")
    }

    fn check(&self, arguments: &[&str]) -> (Output, Vec<Value>) {
        let output = run(&self.root(), arguments, &[]);
        let report: Value = serde_json::from_slice(&output.stdout)
            .unwrap_or_else(|error| panic!("{error}: {}", String::from_utf8_lossy(&output.stderr)));
        let found = report["diagnostics"].as_array().expect("diagnostics").clone();
        (output, found)
    }
}

fn write(path: &Path, text: &str) {
    std::fs::create_dir_all(path.parent().expect("a parent")).expect("directories");
    std::fs::write(path, text).expect("a file");
}

/// Links out, and files that never end or never begin.
fn make_traps(folder: &Path, secret: &Path) {
    use std::os::unix::fs::symlink;
    let link = |to: &Path, name: &str| symlink(to, folder.join(name)).expect("a link");
    link(&secret.join("schema.yml"), "link.yml");
    link(secret, "link");
    link(Path::new("/"), "root");
    link(Path::new("/dev/zero"), "zero.yml");
    let made = Command::new("mkfifo").arg(folder.join("pipe.yml")).status();
    assert!(made.is_ok_and(|status| status.success()), "mkfifo");
    drop(std::os::unix::net::UnixListener::bind(folder.join("socket.yml")).expect("a socket"));
    std::fs::File::create(folder.join("sparse.yml")).and_then(|file| file.set_len(1 << 40)).expect("a sparse file");
}

/// Runs the program; fails if it does not end.
fn run(directory: &Path, arguments: &[&str], environment: &[(&str, &str)]) -> Output {
    let child = Command::new(env!("CARGO_BIN_EXE_lofting"))
        .args(arguments)
        .current_dir(directory)
        .env_remove("LOFTING_TRUST")
        .envs(environment.iter().copied())
        .env("HOSTILE_secret", CANARY)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("it starts");
    let id = child.id();
    let (sender, receiver) = mpsc::channel();
    thread::spawn(move || sender.send(child.wait_with_output()));
    match receiver.recv_timeout(PATIENCE * 4) {
        Ok(output) => output.expect("its output"),
        Err(_) => {
            let _ = Command::new("kill").arg("-9").arg(id.to_string()).status();
            panic!("{arguments:?} does not end in {}", directory.display());
        }
    }
}

fn has_canary(output: &Output) -> bool {
    let text = [output.stdout.as_slice(), output.stderr.as_slice()].concat();
    String::from_utf8_lossy(&text).contains(CANARY)
}

fn codes<'v>(found: &'v [Value], below: &str) -> Vec<&'v str> {
    let is_below = |finding: &&Value| finding["file"].as_str().is_some_and(|file| file.starts_with(below));
    found.iter().filter(is_below).filter_map(|finding| finding["code"].as_str()).collect()
}

/// Where `lofting.toml` can name a file.
const PLACES: [(&str, &str); 6] = [
    ("files", "[sets.a]\nfiles = [\n'values.yml', 'NAME']\n"),
    ("renamed", "[sets.a]\nfiles = [\n'values.yml', 'schema.yml=NAME']\n"),
    ("values", "[sets.a]\nfiles = ['values.yml']\nvalues = [\n'NAME']\n"),
    ("library values", "[sets.a]\nfiles = ['values.yml']\nvalues = [\n'@lib:NAME']\n"),
    ("pattern", "[sets.a]\nfiles = ['values.yml']\nvalues = [\n'NAME/*.yml']\n"),
    ("data-value-files", "[sets.a]\nfiles = ['values.yml']\ndata-value-files = [\n'secret=NAME']\n"),
];

#[test]
fn lofting_toml_leads_nowhere_else() {
    for (place, text) in PLACES {
        let hostile =
            Hostile::new(&OUT, |folder, name| write(&folder.join("lofting.toml"), &text.replace("NAME", name)));
        let (output, found) = hostile.check(&["check", "--format", "json"]);
        assert!(!has_canary(&output), "{place}");
        for (index, name) in hostile.names.iter().enumerate() {
            let codes = codes(&found, &format!("n{index}/"));
            assert!(codes.contains(&"lofting/out-of-reach"), "{place} {name}: {codes:?}");
            assert!(!codes.contains(&CODE), "{place} {name}: {codes:?}");
        }
        // The finding marks the entry, and nothing else.
        for finding in found.iter().filter(|finding| finding["code"] == "lofting/out-of-reach") {
            let shown = finding.to_string();
            assert!(shown.contains("--trust") && shown.contains("lofting.trustedFolders"), "{shown}");
        }
    }
}

/// Makes sure that the other tests would see a leak.
#[test]
fn who_is_trusted_may_name_anything() {
    let names = ["../../secret/schema.yml", "link.yml"];
    let plant = |folder: &Path, name: &str| {
        let text = format!("[sets.a]\nfiles = ['values.yml', '{name}']\n");
        write(&folder.join("lofting.toml"), &text);
    };
    let hostile = Hostile::new(&names, plant);
    let folder = hostile.root().join("n0").display().to_string();
    let elsewhere = hostile.root().join("n7").display().to_string();
    let mismatches = |arguments: &[&str], environment: &[(&str, &str)]| {
        let output = run(&hostile.root(), &[&["check", "--format", "json"], arguments].concat(), environment);
        let report: Value = serde_json::from_slice(&output.stdout).expect("JSON");
        let found = report["diagnostics"].as_array().expect("diagnostics").clone();
        (0..3).map(|index| codes(&found, &format!("n{index}/")).contains(&CODE)).collect::<Vec<_>>()
    };
    assert_eq!(mismatches(&["--trust"], &[]), [true, true, true]);
    assert_eq!(mismatches(&[], &[("LOFTING_TRUST", "1")]), [true, true, true]);
    assert_eq!(mismatches(&[], &[("LOFTING_TRUST", &folder)]), [true, false, false]);
    assert_eq!(mismatches(&[], &[("LOFTING_TRUST", &elsewhere)]), [false, false, false]);
    assert_eq!(mismatches(&[], &[("LOFTING_TRUST", "0")]), [false, false, false]);
    assert_eq!(mismatches(&[], &[]), [false, false, false]);
}

#[test]
fn the_environment_is_read_for_the_user_only() {
    for key in ["data-values-env", "data-values-env-yaml"] {
        let files = [
            ("schema.yml", "#@data/values-schema\n---\nsecret: 1\n".to_owned()),
            ("lofting.toml", format!("[sets.a]\nfiles = ['schema.yml']\n{key} = ['HOSTILE']\n")),
        ];
        let directory = tempfile::tempdir().expect("a directory");
        for (name, text) in &files {
            write(&directory.path().join(name), text);
        }
        let codes_of = |arguments: &[&str]| {
            let output = run(directory.path(), arguments, &[]);
            let report: Value = serde_json::from_slice(&output.stdout).expect("JSON");
            let found = report["diagnostics"].as_array().expect("diagnostics").clone();
            let codes: Vec<String> = codes(&found, "").into_iter().map(str::to_owned).collect();
            (codes, has_canary(&output))
        };
        assert_eq!(codes_of(&["check", "--format", "json"]), (vec!["lofting/out-of-reach".to_owned()], false), "{key}");
        let (trusted, _) = codes_of(&["check", "--format", "json", "--trust"]);
        assert_eq!(trusted, [CODE], "{key}");
    }
}

/// Where else text of a repository names files. `KEY` is what follows the values.
const ELSEWHERE: [(&str, &str, &str); 10] = [
    ("modeline", "values.yml", "#! lofting: schema=NAME\n#@data/values\n---\nsecret: 1\n"),
    ("modeline of others", "values.yml", "# yaml-language-server: $schema=NAME\nsecret: 1\n"),
    ("Makefile", "Makefile", "all:\n\tytt -f values.yml -f NAME\n"),
    ("script", "run.sh", "ytt -f values.yml -f NAME\n"),
    ("README", "README.md", "```sh\nytt -f values.yml -f NAME\n```\n"),
    ("CI", ".github/workflows/ci.yml", "jobs:\n  a:\n    steps:\n    - run: ytt -f values.yml -f NAME\n"),
    (
        "kapp",
        "app.yml",
        "apiVersion: kappctrl.k14s.io/v1alpha1\nkind: App\nspec:\n  template:\n  - ytt:\n      paths:\n      - values.yml\n      - NAME\n",
    ),
    (
        "data.read",
        "code.yml",
        "#@data/values-schema\n---\n#@ load(\"@ytt:data\", \"data\")\nsecret: 1\nread: #@ data.read(\"NAME\")\n",
    ),
    ("load", "code.yml", "#@ load(\"NAME\", \"x\")\n#@data/values-schema\n---\nsecret: 1\nread: #@ x\n"),
    (
        "library",
        "code.yml",
        "#@ load(\"@ytt:library\", \"library\")\n#@data/values-schema\n---\nsecret: 1\nread: #@ library.get(\"NAME\").data_values()\n",
    ),
];

#[test]
fn nothing_else_leads_out_either() {
    for (place, file, text) in ELSEWHERE {
        let hostile = Hostile::new(&OUT, |folder, name| write(&folder.join(file), &text.replace("NAME", name)));
        for arguments in [&["check", "--format", "json"][..], &["check", "--format", "json", "--render"]] {
            let (output, found) = hostile.check(arguments);
            assert!(!has_canary(&output), "{place} {arguments:?}");
            for (index, name) in hostile.names.iter().enumerate() {
                let codes = codes(&found, &format!("n{index}/values.yml"));
                assert!(!codes.contains(&CODE), "{place} {name}: {codes:?}");
            }
        }
    }
}

#[test]
fn code_reads_no_hidden_file_that_was_given_to_nobody() {
    let directory = tempfile::tempdir().expect("a directory");
    write(&directory.path().join(".env"), CANARY);
    write(&directory.path().join(".git/config"), CANARY);
    write(&directory.path().join("seen.txt"), "seen");
    let read = |name: &str| {
        let text = format!(
            "#@ load(\"@ytt:data\", \"data\")\n#@data/values-schema\n---\n#@schema/validation max_len=1\nread: #@ data.read(\"{name}\")\n"
        );
        write(&directory.path().join("schema.yml"), &text);
        let output = run(directory.path(), &["check", "--format", "json"], &[]);
        String::from_utf8_lossy(&output.stdout).into_owned()
    };
    let seen = read("seen.txt");
    for name in [".env", ".git/config", "./.env"] {
        let hidden = read(name);
        assert!(!hidden.contains(CANARY), "{name}: {hidden}");
        assert_ne!(hidden, seen.replace("seen.txt", name), "{name} is read like any file");
    }
}

/// Special files, in every place where a file can be named, and those that need not be named.
#[test]
fn files_that_are_no_files_keep_nothing_waiting() {
    let named = PLACES.iter().map(|(place, text)| (*place, "lofting.toml", *text));
    for (place, file, text) in named.chain(ELSEWHERE) {
        let hostile = Hostile::new(&NO_FILES, |folder, name| write(&folder.join(file), &text.replace("NAME", name)));
        let (output, _) = hostile.check(&["check", "--format", "json", "--render"]);
        // With 2 it says that something could not be read, and reports the rest all the same.
        let report: serde_json::Value = serde_json::from_slice(&output.stdout).expect("a report");
        let unreadable = report["summary"]["unreadable"].as_u64().expect("a count") > 0;
        let expected: &[i32] = if unreadable { &[2] } else { &[0, 1] };
        assert!(output.status.code().is_some_and(|code| expected.contains(&code)), "{place}: {:?}", output.status);
    }
    let by_themselves = [
        ".gitignore",
        ".ignore",
        ".git",
        ".git/info/exclude",
        "lofting.toml",
        "schema.yml",
        "Makefile",
        "README.md",
        "run.sh",
        "justfile",
        "x.star",
        ".github/workflows/ci.yml",
        "_ytt_lib/lib/schema.yml",
        "config",
    ];
    for name in by_themselves {
        for kind in NO_FILES {
            let directory = tempfile::tempdir().expect("a directory");
            make_traps(directory.path(), Path::new("/nowhere"));
            write(&directory.path().join("values.yml"), VALUES);
            let path = directory.path().join(name);
            std::fs::create_dir_all(path.parent().expect("a parent")).expect("directories");
            std::fs::rename(directory.path().join(kind), path).expect("the trap");
            for other in NO_FILES.iter().filter(|other| **other != kind) {
                std::fs::remove_file(directory.path().join(other)).expect("another trap");
            }
            let output = run(directory.path(), &["check"], &[]);
            assert!(output.status.code().is_some(), "{name} {kind}");
        }
    }
}

/// Settings of an editor name files, too.
#[test]
fn an_editor_is_not_led_out_either() {
    let plant = |folder: &Path, name: &str| {
        write(&folder.join("lofting.toml"), &PLACES[0].1.replace("NAME", name));
        write(&folder.join("Makefile"), &ELSEWHERE[2].2.replace("NAME", name));
    };
    let hostile = Hostile::new(&[&OUT[..], &NO_FILES].concat(), plant);
    let secret = hostile.directory.path().join("secret/schema.yml").display().to_string();
    let root = hostile.root();
    for setting in ["lofting", "yaml"] {
        let settings = json!({ setting: {"schemas": {secret.as_str(): "*.yml", "../secret/schema.yml": "*.yml", "/usr": "*.yml"}} });
        let mut client = Setup::rich().settings(settings).roots(&[root.to_str().expect("UTF-8")]).start();
        for index in 0..hostile.names.len() {
            for name in ["lofting.toml", "values.yml"] {
                let path = root.join(format!("n{index}/{name}"));
                let uri = file_uri(&path);
                client.open_uri(&uri, &std::fs::read_to_string(&path).expect("its text"));
                let params = client.diagnostics_of_uri(&uri, "any", |_| true);
                assert!(!params.to_string().contains(CODE), "{setting} {name}: {params}");
            }
        }
        assert!(!client.notifications.iter().any(|message| message.to_string().contains(CANARY)), "{setting}");
        assert!(client.memory().is_none_or(|bytes| bytes < 300 << 20), "{setting}: {:?}", client.memory());
        client.stop();
    }
}

/// Trust comes from the editor: at the beginning, later, or as a list of folders.
#[test]
fn an_editor_says_whom_the_user_trusts() {
    let plant = |folder: &Path, name: &str| write(&folder.join("lofting.toml"), &PLACES[0].1.replace("NAME", name));
    let hostile = Hostile::new(&["../../secret/schema.yml"], plant);
    let root = hostile.root();
    let uri = file_uri(&root.join("n0/values.yml"));
    let is_read = |params: &Value| params.to_string().contains(CODE);
    let open = |client: &mut Client| client.open_uri(&uri, VALUES);

    let mut client = Setup::rich().options(json!({"trusted": true})).roots(&[root.to_str().expect("UTF-8")]).start();
    open(&mut client);
    client.diagnostics_of_uri(&uri, "trusted from the beginning", is_read);

    let folders = json!({"lofting": {"trustedFolders": [root.join("n0").to_str()]}});
    let setup = || Setup::rich().roots(&[root.to_str().expect("UTF-8")]);
    // All settings are the user's, the editor says; or this one is given where no repository has a say.
    for setup in
        [setup().settings(folders.clone()).options(json!({"userSettings": true})), setup().options(folders.clone())]
    {
        let mut client = setup.start();
        open(&mut client);
        client.diagnostics_of_uri(&uri, "a trusted folder", is_read);
    }
    // Otherwise the repository may have set it, as in `.dir-locals.el`.
    let mut client = setup().settings(folders).start();
    let shown = client.wait("that it is ignored", |message| message["method"] == "window/showMessage");
    assert!(shown.to_string().contains("lofting.trustedFolders is ignored"), "{shown}");
    let config = file_uri(&root.join("n0/lofting.toml"));
    client.open_uri(&config, &std::fs::read_to_string(root.join("n0/lofting.toml")).expect("its text"));
    client.diagnostics_of_uri(&config, "left out", |params| params.to_string().contains("lofting/out-of-reach"));

    let mut client = Setup::rich().roots(&[root.to_str().expect("UTF-8")]).start();
    let config = file_uri(&root.join("n0/lofting.toml"));
    client.open_uri(&config, &std::fs::read_to_string(root.join("n0/lofting.toml")).expect("its text"));
    client.diagnostics_of_uri(&config, "left out", |params| params.to_string().contains("lofting/out-of-reach"));
    open(&mut client);
    client.notify("lofting/didTrustWorkspace", json!({}));
    client.diagnostics_of_uri(&uri, "trusted meanwhile", is_read);
}

/// What is refused is refused before anything is walked.
#[test]
fn large_places_outside_cost_nothing() {
    let text = "[sets.a]\nfiles = ['/', '/usr', '/proc', '../../..']\n";
    let directory = tempfile::tempdir().expect("a directory");
    write(&directory.path().join("lofting.toml"), text);
    let output = run(directory.path(), &["check", "--format", "json"], &[]);
    let shown = String::from_utf8_lossy(&output.stdout);
    assert_eq!(shown.matches("lofting/out-of-reach").count(), 4, "{shown}");
}

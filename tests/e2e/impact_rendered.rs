//! `lofting impact --rendered`: what a change does to the output of input sets.

use lofting_tests::history::History;
use serde_json::{Value, json};

use crate::command_line::{json_of, lofting, workspace};
use crate::impact::{out, write};

const SCHEMA: &str = "#@data/values-schema\n---\nport: 80\nhost: \"\"\n";
const TEMPLATE: &str = "#@ load(\"@ytt:data\", \"data\")\n---\nport: #@ data.values.port\nhost: #@ data.values.host\n";
const CONFIG: &str = "[sets.app]\nfiles = [\"config\"]\nvalues = [\"values/*.yml\"]\n\
                      [sets.other]\nfiles = [\"other\"]\n";

fn repository() -> tempfile::TempDir {
    let directory = workspace(&[
        ("lofting.toml", CONFIG),
        ("config/schema.yml", SCHEMA),
        ("config/app.yml", TEMPLATE),
        ("config/motd.txt", "#! hello\nhello\n"),
        ("values/a.yml", "host: a\n"),
        ("values/b.yml", "port: 1\n"),
        ("values/c.yml", "host: a\n"),
        ("other/x.yml", "#@ load(\"@ytt:data\", \"data\")\n---\nx: #@ data.read(\"secret.bin\")\n"),
        ("other/secret.bin", "1"),
    ]);
    History::at(directory.path()).commit_all("main");
    directory
}

/// The kind of each change with its sets.
fn changes(answer: &Value) -> Vec<(String, Vec<String>)> {
    let changes = answer["rendered"]["changes"].as_array().into_iter().flatten();
    let sets = |change: &Value| -> Vec<String> { serde_json::from_value(change["sets"].clone()).expect("strings") };
    changes.map(|change| (change["kind"].as_str().unwrap_or_default().to_owned(), sets(change))).collect()
}

fn named(kind: &str, sets: &[&str]) -> (String, Vec<String>) {
    (kind.to_owned(), sets.iter().map(|set| (*set).to_owned()).collect())
}

#[test]
fn the_output_of_sets_is_compared() {
    let directory = repository();
    let root = directory.path();
    let impact =
        |arguments: &[&str]| lofting(root, &[&["impact", "--against", "HEAD", "--rendered"], arguments].concat());
    let json = |arguments: &[&str]| {
        let answer = json_of(&impact(&[&["--format", "json"], arguments].concat()));
        crate::programs::fits("impact", &answer);
        answer
    };
    let output = impact(&[]);
    let same = "Nothing is new compared with HEAD. All input sets render the same.\n";
    assert_eq!((output.status.code(), out(&output).as_str()), (Some(0), same), "{output:?}");
    assert_eq!(changes(&json(&[])), []);

    write(root, &[("config/schema.yml", &SCHEMA.replace("80", "81"))]);
    let output = impact(&[]);
    let text = out(&output);
    assert_eq!(
        text,
        "config/schema.yml:3: port: its default was 80 and is 81 now\n  \
         2 input sets render something else (1 line added, 1 removed): app with values/a.yml, app with values/c.yml\n    \
         --- a/app.yml\n    +++ b/app.yml\n    @@ -1,2 +1,2 @@\n    -port: 80\n    +port: 81\n     host: a\n\n\
         Nothing is new compared with HEAD. Of the input sets, 2 render something else.\n"
    );
    assert_eq!(output.status.code(), Some(0), "another output is not a failure");
    let answer = json(&[]);
    assert_eq!(changes(&answer), [named("other", &["app with values/a.yml", "app with values/c.yml"])]);
    let change = &answer["rendered"]["changes"][0];
    assert_eq!(change["causes"][0]["change"]["kind"], json!("default-changed"), "{answer:#}");
    assert_eq!(change["diff"]["left_out"], json!(0));
    let lists = out(&impact(&["--format", "markdown"]));
    assert!(lists.contains("```diff\n--- a/app.yml\n+++ b/app.yml\n@@ -1,2 +1,2 @@\n-port: 80\n"), "{lists}");
    assert_eq!(changes(&json(&["values/b.yml"])), [], "its set renders the same");
    assert_eq!(changes(&json(&["values/a.yml"])), [named("other", &["app with values/a.yml"])]);
    let shards = ["1/3", "2/3", "3/3"].map(|shard| changes(&json(&["--shard", shard])));
    let mut sets: Vec<String> = shards.into_iter().flatten().flat_map(|(_, sets)| sets).collect();
    sets.sort();
    assert_eq!(sets, ["app with values/a.yml", "app with values/c.yml"]);
}

#[test]
fn what_code_reads_counts_and_so_does_every_kind_of_change() {
    let directory = repository();
    let root = directory.path();
    let json = |arguments: &[&str]| {
        let all = [&["impact", "--against", "HEAD", "--rendered", "--format", "json"], arguments].concat();
        let output = lofting(root, &all);
        let answer = json_of(&output);
        crate::programs::fits("impact", &answer);
        (output.status.code(), answer)
    };
    write(root, &[("other/secret.bin", "2"), ("config/motd.txt", "bye\n")]);
    let (code, answer) = json(&[]);
    assert_eq!(
        changes(&answer),
        [
            named("other", &["app with values/a.yml", "app with values/b.yml", "app with values/c.yml"]),
            named("other", &["other"])
        ],
        "{answer:#}"
    );
    assert_eq!((code, &answer["rendered"]["changes"][1]["causes"][0]["file"]), (Some(0), &json!("other/secret.bin")));
    write(
        root,
        &[
            ("other/secret.bin", "1"),
            ("config/motd.txt", "#! hello\nhello\n"),
            ("config/app.yml", &format!("#@ load(\"@ytt:assert\", \"assert\")\n{TEMPLATE}x: #@ assert.fail(\"no\")\n")),
            ("other/x.yml", "x: 1\n"),
            ("values/new.yml", "port: 4\n"),
            ("lofting.toml", &CONFIG.replace("sets.other", "sets.renamed")),
        ],
    );
    std::fs::remove_file(root.join("values/b.yml")).expect("it is there");
    let (code, answer) = json(&[]);
    assert_eq!(
        changes(&answer),
        [
            named("fails", &["app with values/a.yml", "app with values/c.yml"]),
            named("fails", &["app with values/new.yml"]),
            named("new", &["renamed"]),
            named("gone", &["other"]),
            named("gone", &["app with values/b.yml"]),
        ],
        "{answer:#}"
    );
    assert_eq!(code, Some(1), "sets that fail now are errors");
    assert_eq!(answer["rendered"]["changes"][0]["errors"][0]["file"], json!("config/app.yml"));
    assert_eq!(answer["rendered"]["summary"]["fails"], json!(3));
    assert_eq!(json(&["--fail-on", "never"]).0, Some(0));
}

#[test]
fn differences_are_bounded_and_say_so() {
    let directory = repository();
    let root = directory.path();
    let rows: String = (0..1_000).map(|row| format!("  r{row}: {}\n", "x".repeat(row))).collect();
    write(root, &[("other/x.yml", &format!("rows:\n{rows}#@ last = \"::error::no\"\nz: #@ last\n"))]);
    let run = |format: &str| lofting(root, &["impact", "--against", "HEAD", "--rendered", "--format", format]);
    let answer = json_of(&run("json"));
    let diff = &answer["rendered"]["changes"][0]["diff"];
    let text = diff["text"].as_str().unwrap_or_default();
    assert_eq!(text.lines().count(), 200, "{answer:#}");
    assert!(text.lines().all(|line| line.chars().count() < 540), "{text}");
    assert_eq!((diff["added"].as_u64(), diff["left_out"].as_u64()), (Some(1_002), Some(1_006 - 200)));
    assert!(out(&run("text")).contains("    (806 more lines of the difference not shown)\n"));
    let lists = out(&run("markdown"));
    assert!(lists.len() < 65_536 && lists.contains("of the difference not shown"), "{lists}");
}

#[test]
fn a_revision_without_the_folder_has_no_sets() {
    let directory = repository();
    let root = directory.path();
    write(root, &[("more/lofting.toml", "[sets.m]\nfiles = [\"c\"]\n"), ("more/c/a.yml", "a: 1\n")]);
    let output = lofting(root, &["impact", "--against", "HEAD", "--rendered", "more"]);
    assert!(out(&output).ends_with("Of the input sets, 1 is new.\n"), "{output:?}");
}

/// Numbers that look random and are the same in every run.
struct Dice(u64);

impl Dice {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from((self.0 >> 33) % limit as u64).unwrap_or_default()
    }
}

/// Texts that a file of the repository may have; none of them for a file that is gone.
fn texts(file: usize) -> (&'static str, Vec<Option<String>>) {
    let some = |texts: &[&str]| texts.iter().map(|text| Some((*text).to_owned())).collect::<Vec<_>>();
    match file {
        0 => (
            "config/schema.yml",
            vec![Some(SCHEMA.to_owned()), Some(SCHEMA.replace("80", "81")), Some(SCHEMA.replace("80", "\"\""))],
        ),
        1 => (
            "config/app.yml",
            vec![
                Some(TEMPLATE.to_owned()),
                Some(format!("{TEMPLATE}more: 1\n")),
                Some(format!("#! a comment\n{TEMPLATE}")),
            ],
        ),
        2 => ("values/a.yml", [some(&["host: a\n", "# a\nhost: a\n", "host: b\n", "hots: b\n"]), vec![None]].concat()),
        3 => ("values/b.yml", [some(&["port: 1\n", "port: 2\n"]), vec![None]].concat()),
        4 => ("other/secret.bin", some(&["1", "2"])),
        5 => ("config/lib/a.star", [some(&["x = 1\n", "def f(): return 1\n"]), vec![None]].concat()),
        _ => (
            "lofting.toml",
            vec![
                Some(CONFIG.to_owned()),
                Some(format!("# a\n{CONFIG}")),
                Some(format!("{CONFIG}data-values = [\"x=1\"]\n")),
            ],
        ),
    }
}

/// Which sets differ, and what they render, is found out twice: by `impact`, which renders only what may differ, and by
/// rendering each set of both states.
#[test]
fn the_sets_that_differ_are_those_whose_output_differs() {
    let mut dice = Dice(7);
    for _ in 0..8 {
        let directory = repository();
        let root = directory.path();
        let mut history = History::at(root);
        let edit = |dice: &mut Dice| {
            let (name, texts) = texts(dice.below(7));
            let path = root.join(name);
            match &texts[dice.below(texts.len())] {
                Some(text) => write(root, &[(name, text)]),
                None if path.exists() => std::fs::remove_file(path).expect("it is there"),
                None => {}
            }
        };
        let outputs = || {
            let targets = ["values/a.yml", "values/b.yml", "values/c.yml", "other"];
            targets.map(|target| {
                let output = lofting(root, &["render", target]);
                output.status.success().then(|| out(&output))
            })
        };
        (0..dice.below(4)).for_each(|_| edit(&mut dice));
        history.commit_all("main");
        let before = outputs();
        (0..=dice.below(3)).for_each(|_| edit(&mut dice));
        let now = outputs();
        let answer = json_of(&lofting(root, &["impact", "--against", "HEAD", "--rendered", "--format", "json"]));
        let mut found: Vec<String> = changes(&answer).into_iter().flat_map(|(_, sets)| sets).collect();
        found.sort();
        let titles = ["app with values/a.yml", "app with values/b.yml", "app with values/c.yml", "other"];
        let differs = titles.into_iter().zip(before.iter().zip(&now)).filter(|(_, (before, now))| before != now);
        assert_eq!(found, differs.map(|(title, _)| title.to_owned()).collect::<Vec<_>>(), "{answer:#}");
    }
}

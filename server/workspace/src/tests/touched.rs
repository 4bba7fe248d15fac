//! What is new is found where only files are checked that a change can touch.

use super::stored::{Files, Random, folder};
use crate::settings::Settings;
use crate::{CancelFlag, CheckReport, Outside, check_workspace};
use std::collections::BTreeMap;
use std::path::Path;

/// A repository with several input sets and other files, and texts that its files may have. With the first texts,
/// changes of values can touch only some of them.
const TEXTS: &[(&str, &[&str])] = &[
    (
        "lofting.toml",
        &[
            "[sets.a]\nfiles = [\"config\"]\nvalues = [\"values/*.yml\"]\n[sets.b]\nfiles = [\"b\"]\nvalues = [\"values/one.yml\", \"more/b.yml\"]\ndata-values-yaml = [\"size=1\"]\n",
            "[sets.a]\nfiles = [\"config\"]\nvalues = [\"values/one.yml\"]\n[sets.none]\nfiles = [\"gone\"]\n",
            "[[schemas]]\npath = \"more/free.yml\"\nfiles = [\"more/*.yml\"]\n[sets.a]\nfiles = [\"config\"]\nvalues = [\"values/*.yml\"]\n",
            "[rules]\n\"ytt/unused-key\" = \"warning\"\n[sets.a]\nfiles = [\"config\"]\nvalues = [\"values/*.yml\", \"more/b.yml\"]\n",
        ],
    ),
    (
        "config/schema.yml",
        &[
            "#@data/values-schema\n---\nport: 80\nname: \"\"\nunused: 1\n",
            "#@data/values-schema\n---\n#@schema/validation min=10\nport: 1\n#@schema/nullable\nname: \"\"\n",
            "#@data/values-schema\n---\nport: \"\"\n",
        ],
    ),
    (
        "config/values.yml",
        &["#@data/values\n---\nport: 81\n", "#@data/values\n---\nport: x\n", "#@data/values\n---\nother: 1\n"],
    ),
    (
        "config/t.yml",
        &[
            "#@ load(\"@ytt:data\", \"data\")\na: #@ data.values.port\n",
            "#@ load(\"@ytt:data\", \"data\")\na: #@ data.values.gone\n",
        ],
    ),
    (
        "b/schema.yml",
        &[
            "#@data/values-schema\n---\n#@schema/validation max=5\nport: 1\nsize: 0\n",
            "#@data/values-schema\n---\nport: \"\"\n",
        ],
    ),
    ("values/one.yml", &["port: 1\n", "port: 7\n", "port: z\n", "name: a\n", "port: [\n", "a: 1\na: 2\n"]),
    (
        "values/two.yml",
        &[
            "port: 2\n",
            "port: {}\n",
            "#@data/values\n---\nport: x\n",
            "nmae: x\n",
            "apiVersion: x.io/v1\nkind: A\nspec: {n: x}\n",
        ],
    ),
    ("more/b.yml", &["port: 3\n", "size: 2\n", "port: 30\n", "port: no\n", "properties:\n  port: {type: string}\n"]),
    ("more/free.yml", &["properties:\n  port: {type: integer}\n", "properties:\n  port: {type: string}\n", "a: [\n"]),
    ("plain/a.yml", &["a: 1\n", "a: [\n", "# yaml-language-server: $schema=../more/b.yml\nport: 1\n"]),
    ("k/kustomization.yaml", &["", "patches:\n- path: ../more/b.yml\n"]),
    ("README.md", &["", "```sh\nytt -f config -f values/two.yml\n```\n"]),
    (".gitignore", &["", "values/two.yml\n"]),
    ("data.bin", &["1", "2"]),
];

/// The first text of each file.
fn first() -> BTreeMap<&'static str, &'static str> {
    TEXTS.iter().map(|(name, texts)| (*name, texts[0])).filter(|(_, text)| !text.is_empty()).collect()
}

/// A state of the repository: some of its files differ from those of the first state, or are not there.
fn files(random: &mut Random) -> BTreeMap<&'static str, &'static str> {
    let mut files = first();
    for _ in 0..random.below(3) {
        change(random, &mut files, TEXTS.len());
    }
    files
}

/// Gives one of the files another text; of values files only, mostly.
fn change(random: &mut Random, files: &mut BTreeMap<&'static str, &'static str>, of: usize) {
    let (name, texts) = TEXTS[random.below(of)];
    match texts[random.below(texts.len())] {
        "" => drop(files.remove(name)),
        text => drop(files.insert(name, text)),
    }
}

fn check(base: &Path, stored: Option<Files>, since: Option<Files>) -> CheckReport {
    let [stored, since] = [stored, since].map(|files| files.map(|files| folder(base, files)));
    let outside = Outside { stored, since, only_touched: true, ..Outside::from(super::checks::no_evaluator()) };
    check_workspace(base, &[], Settings::default(), outside, &CancelFlag::new()).unwrap()
}

/// What is new, with places.
fn new(mut report: CheckReport, earlier: &CheckReport) -> Vec<String> {
    report.without(earlier);
    let line = |finding: &lofting_check::Diagnostic| {
        format!("{}:{:?}: {} {}", report.name(finding.span.file), finding.span.range(), finding.code(), finding.message)
    };
    report.diagnostics().map(line).collect()
}

fn of(files: &BTreeMap<&'static str, &'static str>) -> Files {
    Files::of(&files.iter().map(|(name, text)| (*name, *text)).collect::<Vec<_>>())
}

/// Whether fewer files were checked, and what is new: the same as if all were checked.
fn compared(
    earlier: &BTreeMap<&'static str, &'static str>,
    now: &BTreeMap<&'static str, &'static str>,
    name: &str,
) -> (bool, Vec<String>) {
    let directory = tempfile::tempdir().unwrap();
    of(now).write(directory.path());
    let before = check(directory.path(), Some(of(earlier)), None);
    let whole = check(directory.path(), None, None);
    let part = check(directory.path(), None, Some(of(earlier)));
    let is_narrowed = part.files.len() < whole.files.len();
    let expected = new(whole, &before);
    // What the part of the report says was found before is what a check of the earlier state finds.
    let mut itself = check(directory.path(), None, Some(of(earlier)));
    match itself.earlier.take() {
        Some(known) => assert_eq!(new(itself, &known), expected, "{name}: {earlier:#?} {now:#?}"),
        None => assert!(!is_narrowed || itself.files_with_findings().is_empty(), "{name}"),
    }
    assert_eq!(new(part, &before), expected, "{name}: {earlier:#?} {now:#?}");
    (is_narrowed, expected)
}

/// A value that is no longer overridden counts.
#[test]
fn what_is_new_may_be_in_another_file_than_the_change() {
    let with = |changes: &[(&'static str, &'static str)]| {
        let mut files = first();
        files.extend(changes.iter().copied());
        files
    };
    let earlier = with(&[("values/one.yml", "port: 7\n")]);
    let now = with(&[("values/one.yml", "port: 7\n"), ("more/b.yml", "size: 2\n")]);
    let (is_narrowed, new) = compared(&earlier, &now, "overridden");
    assert!(is_narrowed && new.len() == 1 && new[0].starts_with("values/one.yml:"), "{new:?}");
}

#[test]
fn what_a_change_cannot_touch_has_nothing_new() {
    let (mut narrowed, mut found) = (0, 0);
    for seed in 0..160 {
        let mut random = Random(seed);
        let earlier = files(&mut random);
        let mut now = earlier.clone();
        let values = ["values/one.yml", "values/two.yml", "more/b.yml"];
        for _ in 0..=random.below(2) {
            if random.below(4) == 0 {
                change(&mut random, &mut now, TEXTS.len());
            } else {
                let name = values[random.below(values.len())];
                let (_, texts) = TEXTS.iter().find(|(known, _)| *known == name).unwrap();
                now.insert(name, texts[random.below(texts.len())]);
            }
        }
        let (is_narrowed, new) = compared(&earlier, &now, &format!("seed {seed}"));
        narrowed += usize::from(is_narrowed);
        found += usize::from(is_narrowed && !new.is_empty());
    }
    assert!(narrowed > 30 && found > 15, "{narrowed} {found}");
}

#[test]
fn a_changed_values_file_touches_the_files_of_its_sets() {
    let files = first();
    let directory = tempfile::tempdir().unwrap();
    let touched = |changes: &[(&'static str, &'static str)]| {
        let mut now = files.clone();
        now.extend(changes.iter().copied());
        of(&now).write(directory.path());
        let report = check(directory.path(), None, Some(of(&files)));
        of(&files).write(directory.path());
        report.files.iter().map(|file| file.shown.clone()).collect::<Vec<_>>().join(" ")
    };
    assert_eq!(touched(&[]), "");
    let of_a = "config/schema.yml config/t.yml config/values.yml";
    assert_eq!(touched(&[("values/two.yml", "port: 3\n")]), format!("{of_a} values/one.yml values/two.yml"));
    assert_eq!(touched(&[("more/b.yml", "port: 9\n")]), "b/schema.yml lofting.toml more/b.yml values/one.yml");
    let all = "b/schema.yml config/schema.yml config/t.yml config/values.yml lofting.toml more/b.yml more/free.yml \
               plain/a.yml values/one.yml values/two.yml";
    for other in [
        ("config/schema.yml", "#@data/values-schema\n---\nport: 1\n"),
        ("values/two.yml", "#@ x = 1\nport: 3\n"),
        ("more/free.yml", "a: 1\n"),
        ("data.bin", "3"),
    ] {
        assert_eq!(touched(&[other]), all, "{other:?}");
    }
    assert_eq!(
        touched(&[("new.yml", "a: 1\n")]),
        format!("{} new.yml {}", &all[..all.find(" plain").unwrap()], &all[all.find("plain").unwrap()..])
    );
}

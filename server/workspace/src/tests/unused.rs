//! Keys of schemas that nothing uses: which files count, and that findings follow them.

use crate::CancelFlag;
use crate::fixture::{Fixture, shown};
use crate::settings::Settings;
use lofting_document::FileId;

const RULES: &str = "[rules]\n\"ytt/unused-key\" = \"hint\"\n";

const FILES: &str = "#- app/schema.yml
#@data/values-schema
---
host: ''
port: 80
deep:
  a: 1
  b: 2
#- app/app.yml
#@ load(\"@ytt:data\", \"data\")
host: #@ data.values.host
a: #@ data.values.deep.a
";

/// A workspace whose team wants to know, with further files.
fn fixture(more: &str) -> Fixture {
    Fixture::scanned(&format!("#- lofting.toml\n{RULES}{FILES}{more}"))
}

/// The keys of the schema that are found unused.
fn unused(fixture: &Fixture) -> Vec<String> {
    let snapshot = fixture.workspace.snapshot();
    let found = shown(&snapshot, fixture.id("app/schema.yml"));
    let lines = found.lines().filter(|line| line.contains("ytt/unused-key"));
    lines.filter_map(|line| Some(line.split('`').nth(1)?.to_owned())).collect()
}

#[track_caller]
fn check(more: &str, expected: &[&str]) {
    assert_eq!(unused(&fixture(more)), expected, "{more}");
}

const BOTH: [&str; 2] = ["port", "b"];

#[test]
fn only_clients_that_want_to_know_are_notified() {
    check("", &BOTH);
    assert!(unused(&Fixture::scanned(FILES)).is_empty());
}

#[test]
fn files_that_set_or_read_keys() {
    check("#- app/values.yml\n#@data/values\n---\nport: 1\n", &["b"]);
    check("#- app/prod-values.yml\nport: 1\n", &["b"]);
    check("#- app/lib/f.star\nload(\"@ytt:data\", \"data\")\ndef f():\n  return data.values.port\nend\n", &["b"]);
    check("#- app/f.lib.yml\n#@ load(\"@ytt:data\", \"data\")\n#@ values = data.values\n", &[]);
    check(
        "#- app/f.lib.yml\n#@ load(\"@ytt:data\", \"data\")\n#@ def f():\n#@   return data.values.port\n#@ end\n",
        &["b"],
    );
    check("#- app/motd.txt\n(@ load(\"@ytt:data\", \"data\") @)\n(@= str(data.values.port) @)\n", &["b"]);
    // What is neither code nor values.
    check("#- app/README.txt\nport, and b (see @ytt)\n#- other/plain.yml\nport: 1\n", &BOTH);
    // Code whose schema is not known may be given together with this one.
    check("#- common/t.yml\n#@ load(\"@ytt:data\", \"data\")\na: #@ data.values\n", &[]);
    // Another application has its own schema.
    check(
        "#- web/schema.yml\n#@data/values-schema\n---\nport: 1\n#- web/app.yml\n#@ load(\"@ytt:data\", \"data\")\na: #@ data.values\n",
        &BOTH,
    );
}

#[test]
fn nothing_is_said_where_not_everything_is_known() {
    check("#- app/t.yml\n#@ load(\"@ytt:data\", \"data\")\na: [\nb: #@ data.values.\n", &[]);
    let library = FILES.replace("app/", "a/_ytt_lib/app/");
    let fixture = Fixture::scanned(&format!("#- lofting.toml\n{RULES}{library}"));
    let found = shown(&fixture.workspace.snapshot(), fixture.id("a/_ytt_lib/app/schema.yml"));
    assert!(!found.contains("unused-key"), "{found}");
    let template_only = FILES.replace("data.values.", "1.");
    let fixture = Fixture::scanned(&format!("#- lofting.toml\n{RULES}{template_only}"));
    assert!(unused(&fixture).is_empty(), "what reads the schema is not known");
}

#[test]
fn sets_say_what_belongs_together() {
    let set = "\n[sets.app]\nfiles = [\"app\"]\n";
    let with = |set: &str, more: &str| Fixture::scanned(&format!("#- lofting.toml\n{RULES}{set}{FILES}{more}"));
    assert_eq!(unused(&with(set, "")), BOTH);
    assert_eq!(unused(&with(&format!("{set}data-values = [\"port=1\"]\n"), "")), ["b"]);
    assert_eq!(unused(&with(&format!("{set}values = [\"prod.yml\"]\n"), "#- prod.yml\ndeep: {b: 1}\n")), ["port"]);
    // Another set gives the schema to a template of its own.
    let other = format!("{set}[sets.other]\nfiles = [\"app/schema.yml\", \"more\"]\n");
    let more = "#- more/t.yml\n#@ load(\"@ytt:data\", \"data\")\na: #@ data.values.port\n";
    assert_eq!(unused(&with(&other, more)), ["b"]);
    assert!(unused(&with(&format!("{set}values = [\"missing.yml\"]\n"), "")).is_empty());
}

/// What other files say is looked at again when they change, and only then.
#[test]
fn findings_follow_other_files() {
    let mut fixture = fixture("#- app/values.yml\n#@data/values\n---\nhost: a\n");
    assert_eq!(unused(&fixture), BOTH);
    let values = "#@data/values\n---\nhost: a\n";
    fixture.open("app/values.yml", values);
    assert_eq!(unused(&fixture), BOTH);
    fixture.edit("app/values.yml", "host: a", "host: a\nport: 1");
    assert_eq!(unused(&fixture), ["b"]);
    fixture.edit("app/values.yml", "port", "prt");
    assert_eq!(unused(&fixture), BOTH);
    let template = std::fs::read_to_string(fixture.path("app/app.yml")).unwrap();
    fixture.open("app/app.yml", &template);
    fixture.edit("app/app.yml", "deep.a", "deep.b");
    assert_eq!(unused(&fixture), ["port", "a"]);
    fixture.edit("app/app.yml", "data.values.deep.b", "data.values.deep");
    assert_eq!(unused(&fixture), ["port"]);
    let schema = std::fs::read_to_string(fixture.path("app/schema.yml")).unwrap();
    fixture.open("app/schema.yml", &schema);
    fixture.edit("app/schema.yml", "port: 80", "port: 80\nnew: 1");
    assert_eq!(unused(&fixture), ["port", "new"]);
    fixture.open("app/more.yml", "#@ load(\"@ytt:data\", \"data\")\na: #@ data.values.new\n");
    assert_eq!(unused(&fixture), ["port"]);
    let id = fixture.id("app/more.yml");
    fixture.workspace.close(id);
    assert_eq!(unused(&fixture), ["port", "new"]);
}

/// What was not seen may read or set a key.
#[test]
fn nothing_is_said_where_the_scan_stopped() {
    for (maximum_files, expected) in [(10, &BOTH[..]), (2, &[])] {
        let settings = Settings { maximum_files, ..Settings::default() };
        let mut fixture = Fixture::new(&format!("#- lofting.toml\n{RULES}{FILES}#- app/z.yml\na: 1\n"), settings);
        fixture.workspace.scan(&mut |_| {}, &CancelFlag::new());
        let schema = FILES.split("#- ").nth(1).and_then(|file| file.split_once('\n')).map_or("", |file| file.1);
        fixture.open("app/schema.yml", schema);
        assert_eq!(unused(&fixture), expected, "{maximum_files}");
    }
}

/// The files of `lofting.toml`'s workspace in which a library is reported as unused.
fn unused_libraries(files: &str) -> Vec<String> {
    let fixture = Fixture::scanned(&format!("#- lofting.toml\n[rules]\n\"ytt/unused-library\" = \"hint\"\n{files}"));
    let snapshot = fixture.workspace.snapshot();
    let is_reported = |id: &FileId| shown(&snapshot, *id).contains("ytt/unused-library");
    let mut reported: Vec<String> = snapshot.files().filter(is_reported).map(|id| snapshot.shown_path(id)).collect();
    reported.sort();
    reported
}

const LIBRARIES: &str = "#- a/_ytt_lib/one/b.yml
b: 1
#- a/_ytt_lib/one/c.yml
b: #@ 1
#- a/_ytt_lib/one/schema.yml
#@data/values-schema
---
port: 1
#- a/_ytt_lib/two/schema.yml
#@data/values-schema
---
port: 1
";

const GETS: &str = "#@ load(\"@ytt:library\", \"library\")\n";

#[test]
fn libraries_that_nothing_gets() {
    let both = ["a/_ytt_lib/one/c.yml", "a/_ytt_lib/two/schema.yml"];
    assert_eq!(unused_libraries(&format!("{LIBRARIES}#- a/app.yml\n#@ load(\"@ytt:data\", \"data\")\na: 1\n")), both);
    let gets_one = format!("{LIBRARIES}#- a/app.yml\n{GETS}a: #@ library.get(\"one\").eval()\n");
    assert_eq!(unused_libraries(&gets_one), both[1..]);
    // A library may get another, and a name may be kept in a variable.
    let in_library = format!("{gets_one}#- a/_ytt_lib/one/d.yml\n{GETS}a: #@ library.get(\"two\").eval()\n");
    assert_eq!(unused_libraries(&in_library), [""; 0]);
    for unknown in ["library.get(str(1))", "library.get(*x)", "library.get(name)"] {
        let files = format!("{LIBRARIES}#- a/app.yml\n{GETS}#@ name = \"x\"\n#@ x = [\"y\"]\na: #@ {unknown}.eval()\n");
        assert_eq!(unused_libraries(&files), [""; 0], "{unknown}");
    }
    assert_eq!(unused_libraries(&format!("{LIBRARIES}#- a/app.yml\n{GETS}a: [\n")), [""; 0], "half-typed");
    let silent = Fixture::scanned(LIBRARIES);
    assert!(!shown(&silent.workspace.snapshot(), silent.id("a/_ytt_lib/one/c.yml")).contains("unused-library"));
}

#[test]
fn a_library_that_is_got_now_is_used() {
    let mut fixture = Fixture::scanned(&format!(
        "#- lofting.toml\n[rules]\n\"ytt/unused-library\" = \"hint\"\n{LIBRARIES}#- a/app.yml\n{GETS}a: 1\n"
    ));
    let reported = |fixture: &Fixture| {
        let found = shown(&fixture.workspace.snapshot(), fixture.id("a/_ytt_lib/two/schema.yml"));
        found.contains("ytt/unused-library")
    };
    assert!(reported(&fixture));
    fixture.open("a/app.yml", &format!("{GETS}a: #@ library.get(\"two\").eval()\n"));
    assert!(!reported(&fixture));
}

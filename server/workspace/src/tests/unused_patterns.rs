//! Patterns of `lofting.toml` that match no file.

use crate::CancelFlag;
use crate::fixture::{Fixture, shown};
use crate::settings::Settings;

/// The patterns that are found to match nothing, of one entry with these.
fn unused(patterns: &str, files: &str) -> Vec<String> {
    let schema = "#- s.json\n{\"type\": \"object\"}\n";
    let fixture = Fixture::scanned(&format!(
        "#- lofting.toml\n[[schemas]]\npath = \"s.json\"\nfiles = [{patterns}]\n{schema}{files}"
    ));
    let found = shown(&fixture.workspace.snapshot(), fixture.id("lofting.toml"));
    let lines = found.lines().filter(|line| line.contains("lofting/unused-pattern"));
    lines.filter_map(|line| Some(line.split('`').nth(1)?.to_owned())).collect()
}

#[test]
fn patterns_without_a_file() {
    let files = "#- apps/a.yml\na: 1\n#- deep/er/b.yaml\na: 1\n";
    assert_eq!(unused("'aps/*.yml', 'apps/*.yml'", files), ["aps/*.yml"]);
    assert_eq!(unused("'er/*.yaml', './apps/**/*.yml', '*.{yml,yaml}'", files), [""; 0]);
    assert_eq!(unused("'apps/b.yml', 'b.yml'", files), ["apps/b.yml", "b.yml"]);
    // A folder stands for what is in it, if a slash says that it is one.
    assert_eq!(unused("'apps/', 'deep/er/', './er/'", files), [""; 0]);
    assert_eq!(unused("'aps/', 'apps', 'deep/er', 'Procfile'", files), ["aps/", "apps", "deep/er"]);
}

#[test]
fn a_pattern_with_the_other_extension_is_meant() {
    let files = "#- s.json\n{}\n#- a/b.yaml\na: 1\n#- lofting.toml\n[[schemas]]\npath = 's.json'\nfiles = ['a/*.yml', 'c/*.yml']\n";
    let fixture = Fixture::scanned(files);
    let snapshot = fixture.workspace.snapshot();
    let found = snapshot.diagnostics(fixture.id("lofting.toml"), &CancelFlag::new());
    let helps: Vec<Option<&str>> = found.iter().map(|finding| finding.help.as_deref()).collect();
    assert_eq!(helps, [Some("did you mean `a/*.yaml`?"), None]);
}

/// What the workspace does not search for may be there.
#[test]
fn files_that_are_not_searched_for() {
    let files = "#- .gitignore\nlocal/\n#- local/a.yml\na: 1\n#- .hidden/a.yml\na: 1\n#- a.json\n{}\n";
    assert_eq!(unused("'local/*.yml', '.hidden/*.yml', '*.json', 'x/*'", files), [""; 0]);
    // Half a line may become another pattern.
    assert_eq!(unused("'aps/*.yml', '", files), [""; 0]);
}

#[test]
fn a_new_file_is_seen() {
    let mut fixture =
        Fixture::scanned("#- lofting.toml\n[[schemas]]\npath = 's.json'\nfiles = ['apps/*.yml']\n#- s.json\n{}\n");
    let reported = |fixture: &Fixture| {
        shown(&fixture.workspace.snapshot(), fixture.id("lofting.toml")).contains("lofting/unused-pattern")
    };
    assert!(reported(&fixture));
    fixture.open("apps/a.yml", "a: 1\n");
    assert!(!reported(&fixture));
}

/// If the scan ended at its limit, there may be files that were not seen.
#[test]
fn nothing_is_said_where_the_scan_stopped() {
    let files = "#- lofting.toml\n[[schemas]]\npath = 's.json'\nfiles = ['aps/*.yml']\n#- s.json\n{}\n#- a.yml\na: 1\n#- b.yml\na: 1\n";
    for (maximum_files, is_reported) in [(10, true), (1, false)] {
        let settings = Settings { maximum_files, ..Settings::default() };
        let mut fixture = Fixture::new(files, settings);
        fixture.workspace.scan(&mut |_| {}, &CancelFlag::new());
        fixture.open(
            "lofting.toml",
            files.split("#- ").nth(1).and_then(|file| file.split_once('\n')).map_or("", |file| file.1),
        );
        let found = shown(&fixture.workspace.snapshot(), fixture.id("lofting.toml"));
        assert_eq!(found.contains("lofting/unused-pattern"), is_reported, "{maximum_files}: {found}");
    }
}

//! A folder inside a repository: what the `lofting.toml` files above it say counts, as far as the repository reaches.

use crate::fixture::{Fixture, strings};
use crate::settings::Settings;
use crate::tests::checks::checked;
use crate::workspace::Workspace;
use crate::{CancelFlag, CheckReport};

const FILES: &str = "#- lofting.toml
[rules]
'yaml/repeated-key' = 'off'
'json-schema/undeclared-key' = 'off'
#- repository/.git/HEAD
ref: refs/heads/main
#- repository/lofting.toml
[[schemas]]
path = 's.json'
files = ['*.yaml']
[rules]
'yaml/repeated-key' = 'error'
#- repository/s.json
{\"properties\": {\"a\": {\"type\": \"integer\"}}, \"additionalProperties\": false}
#- repository/app/sub/v.yaml
a: x
a: y
c: 1
#- repository/app/lofting.toml
[rules]
'json-schema/type-mismatch' = 'warning'
";

const FOUND: [&str; 3] =
    ["error json-schema/undeclared-key", "error yaml/repeated-key", "warning json-schema/type-mismatch"];

fn repository() -> Fixture {
    let fixture = Fixture::new(FILES, Settings::default());
    for name in ["refs", "objects"] {
        std::fs::create_dir_all(fixture.path("repository/.git").join(name)).unwrap();
    }
    fixture
}

fn lines(report: &CheckReport) -> Vec<String> {
    let mut lines: Vec<String> =
        report.diagnostics().map(|finding| format!("{} {}", finding.severity.as_str(), finding.code())).collect();
    lines.sort();
    lines
}

#[test]
fn a_folder_is_checked_as_its_repository_says() {
    let fixture = repository();
    for (folder, paths) in [
        ("repository", &[][..]),
        ("repository", &["app/sub/v.yaml"]),
        ("repository/app", &[]),
        ("repository/app/sub", &[]),
        ("repository/app/sub", &["v.yaml"]),
        ("repository/app/sub", &["../sub"]),
        ("repository/s", &["../app/sub/v.yaml"]),
    ] {
        assert_eq!(lines(&checked(&fixture.path(folder), paths)), FOUND, "{folder} {paths:?}");
    }
}

#[test]
fn an_editor_sees_what_the_command_line_sees() {
    let fixture = repository();
    let path = fixture.path("repository/app/sub/v.yaml");
    for is_scanned in [false, true] {
        let mut workspace = Workspace::new(vec![fixture.path("repository/app/sub")], Settings::default());
        if is_scanned {
            workspace.scan(&mut |_| {}, &CancelFlag::new());
        }
        let file = workspace.open(&path, 1, "a: x\na: y\n");
        while let Some(job) = workspace.take_schema_search() {
            let mut found = job.run();
            workspace.take_schemas_found(&mut found, usize::MAX);
        }
        let found = workspace.snapshot().diagnostics(file, &CancelFlag::new());
        let codes: Vec<String> = found.iter().map(|finding| finding.code().into_owned()).collect();
        assert_eq!(codes, strings(&["yaml/repeated-key", "json-schema/type-mismatch"]), "scanned: {is_scanned}");
    }
}

/// Without a repository, nothing above the folder counts.
#[test]
fn without_a_repository_the_folder_is_the_end() {
    let fixture = repository();
    std::fs::remove_dir_all(fixture.path("repository/.git")).unwrap();
    assert_eq!(lines(&checked(&fixture.path("repository/app/sub"), &[])), ["warning yaml/repeated-key"]);
}

use crate::fixture::Fixture;

const SCHEMA: &str = "#- schema.yml\n#@data/values-schema\n---\nport: 1\nhost: \"\"\n";

/// The findings of plain values, as `line code`.
#[track_caller]
fn check(values: &str, expected: &[&str]) {
    let fixture = Fixture::scanned(&format!("{SCHEMA}#- values.yml\n{values}"));
    let found = fixture.diagnostics("values.yml");
    let lines = found.lines().map(|line| {
        let (place, rest) = line.trim().split_once(' ').expect("a place");
        let line = place.split(':').next().expect("a line");
        format!("{line} {}", rest.split(' ').next().expect("a code"))
    });
    assert_eq!(lines.collect::<Vec<_>>(), expected, "{values}");
}

#[test]
fn a_comment_suppresses_what_it_names_where_it_stands() {
    let mistakes = ["1 ytt/type-mismatch", "2 ytt/type-mismatch"];
    check("port: x\nhost: 1\n", &mistakes);
    check("port: x # lofting: ignore ytt/type-mismatch\nhost: 1\n", &["2 ytt/type-mismatch"]);
    check("# lofting: ignore ytt/type-mismatch -- known\n\n# why\nport: x\nhost: 1\n", &["5 ytt/type-mismatch"]);
    check(
        "port: x\n#! lofting: ignore ytt/max, ytt/type-mismatch\nhost: 1\n",
        &["1 ytt/type-mismatch", "2 lofting/unused-suppression"],
    );
    check("port: x\nhost: 1\n# lofting: ignore-file ytt/type-mismatch\n", &[]);
    check("# lofting: ignore-file ytt/type-mismatch\nport: 1\n", &["1 lofting/unused-suppression"]);
    check("port: 1\n# lofting: ignore ytt/type-mismatch", &["2 lofting/unused-suppression"]);
}

/// Each is used, even if one is within another.
#[test]
fn comments_over_each_other_hold_together() {
    let stacked =
        "# lofting: ignore ytt/type-mismatch\n# lofting: ignore ytt/type-mismatch, ytt/max\nport: x\nhost: 1\n";
    check(stacked, &["2 lofting/unused-suppression", "4 ytt/type-mismatch"]);
    let whole = "# lofting: ignore-file ytt/type-mismatch\nport: x # lofting: ignore ytt/type-mismatch\nhost: 1\n";
    check(whole, &[]);
}

#[test]
fn what_names_no_rule_suppresses_nothing() {
    for comment in ["lofting: ignore", "lofting: ignore-file -- all", "lofting: ignore ytt/type-mismatc"] {
        check(&format!("port: x # {comment}\n"), &["1 ytt/type-mismatch", "1 lofting/suppression"]);
    }
    // No comment, and no suppression.
    check("host: \"# lofting: ignore ytt/type-mismatch\"\nport: x\n", &["2 ytt/type-mismatch"]);
    check("port: x # lofting: ignored ytt/type-mismatch\n", &["1 ytt/type-mismatch"]);
    check("port: x # see lofting: ignore ytt/type-mismatch\n", &["1 ytt/type-mismatch"]);
}

#[test]
fn codes_of_earlier_versions_still_suppress_and_are_said_to_be_old() {
    check(
        "# lofting: ignore-file ytt/library-unused\nport: 1\n",
        &["1 lofting/unused-suppression", "1 lofting/renamed-rule"],
    );
}

#[test]
fn annotations_before_a_line_are_suppressed_with_it() {
    let text = "#- schema.yml\n#@data/values-schema\n---\n#! lofting: ignore ytt/schema-type-arguments\n#@schema/type\nport: 1\n";
    let fixture = Fixture::scanned(text);
    assert_eq!(fixture.diagnostics("schema.yml"), "");
    let without = Fixture::scanned(&text.replace("#! lofting: ignore ytt/schema-type-arguments\n", ""));
    assert!(without.diagnostics("schema.yml").contains("ytt/schema-type-arguments"));
}

#[test]
fn what_suppresses_nothing_is_removed() {
    for (before, after) in [
        ("port: 1 # lofting: ignore ytt/max\n", "port: 1 \n"),
        ("port: x # lofting: ignore ytt/max, ytt/type-mismatch\n", "port: x # lofting: ignore ytt/type-mismatch\n"),
        (
            "port: x # lofting: ignore ytt/type-mismatch, ytt/max -- y\n",
            "port: x # lofting: ignore ytt/type-mismatch -- y\n",
        ),
    ] {
        let mut fixture = Fixture::scanned(&format!("{SCHEMA}#- values.yml\n{before}"));
        let id = fixture.open("values.yml", before);
        let found = fixture.workspace.snapshot().diagnostics(id, &crate::CancelFlag::new());
        let unused = found.iter().find(|found| found.code() == "lofting/unused-suppression").expect("it is reported");
        let (span, new) = &unused.fixes[0].edits[0];
        let mut text = before.to_owned();
        text.replace_range(span.range(), new);
        assert_eq!(text, after);
    }
}

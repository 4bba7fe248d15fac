//! However much is found in a file, nothing that matters is lost.

use crate::fixture::Fixture;
use crate::settings::Settings;
use crate::tests::checks::no_evaluator;
use crate::{CancelFlag, CheckReport, Outside, check_workspace};
use lofting_check::LIMIT;

const NAMED: &str = "# yaml-language-server: $schema=s.json\n";

fn check(fixture: &Fixture, most: usize) -> CheckReport {
    let outside = Outside { most, ..Outside::from(no_evaluator()) };
    check_workspace(&fixture.root(), &[], Settings::default(), outside, &CancelFlag::new()).unwrap()
}

fn wrong(count: usize) -> String {
    (0..count).map(|number| format!("k{number}: x\n")).collect()
}

#[test]
fn what_is_new_is_found_before_anything_is_cut() {
    let schema = "{\"additionalProperties\": {\"type\": \"integer\"}}";
    let old = format!("#- s.json\n{schema}\n#- a.yaml\n{NAMED}{}", wrong(LIMIT + 500));
    let fixture = Fixture::new(&old, Settings::default());
    let earlier = check(&fixture, usize::MAX);
    assert_eq!(earlier.diagnostics().count(), LIMIT + 500);
    fixture.write("a.yaml", &format!("{NAMED}new: [1]\n{}", wrong(LIMIT + 500)));
    let mut report = check(&fixture, usize::MAX);
    report.without(&earlier);
    let keys: Vec<&str> = report.diagnostics().filter_map(|finding| finding.path.as_deref()).collect();
    assert_eq!(keys, ["new"]);
    let mut all = check(&fixture, usize::MAX);
    all.limit();
    let usual = check(&fixture, LIMIT);
    let messages =
        |report: &CheckReport| -> Vec<String> { report.diagnostics().map(|it| it.message.clone()).collect() };
    assert_eq!(messages(&all), messages(&usual));
}

/// What nothing reports is not counted either.
#[test]
fn what_is_suppressed_does_not_count() {
    let schema = "{\"additionalProperties\": {\"type\": \"integer\"}, \"required\": [\"name\"]}";
    let comment = "# lofting: ignore-file json-schema/type-mismatch\n";
    let off = "[rules]\n\"json-schema/type-mismatch\" = \"off\"\n";
    for (comment, toml) in [(comment, ""), ("", off)] {
        let text =
            format!("#- s.json\n{schema}\n#- lofting.toml\n{toml}#- a.yaml\n{NAMED}{comment}{}", wrong(LIMIT + 100));
        let report = check(&Fixture::new(&text, Settings::default()), LIMIT);
        let codes: Vec<String> = report.diagnostics().map(|finding| finding.code().into_owned()).collect();
        assert_eq!(codes, ["json-schema/missing-key"], "{toml}");
    }
}

#[test]
fn kinds_are_looked_for_in_all_documents() {
    let known = "---\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n".repeat(60);
    let unknown = "---\napiVersion: networking.istio.io/v1\nkind: VirtualService\nmetadata: {name: a}\n".repeat(60);
    let deployment = "---\napiVersion: apps/v1\nKIND\nmetadata: {name: a}\n";
    for (before, kind, message) in [
        (&known, "kid: Deployment", "the document has no `kind`, but `kid`"),
        (&known, "kind: 5", "`kind` should be a string, or nothing knows what the document is"),
        (&unknown, "kind: Deploymnt", "there is no kind `Deploymnt` in `apps/v1`"),
        (&unknown, "kid: Deployment", "the document has no `kind`, but `kid`"),
    ] {
        let text = format!("#- a.yaml\n{before}{}", deployment.replace("KIND", kind));
        let report = check(&Fixture::new(&text, Settings::default()), LIMIT);
        let messages: Vec<&str> = report.diagnostics().map(|finding| &*finding.message).collect();
        assert_eq!(messages, [message], "{kind}");
    }
}

//! What is offered while the user types and may press Enter before the next list arrives.

use crate::fixture::{open, open_app};

#[track_caller]
fn check(fixture: &crate::fixture::Fixture, must: &[&str], must_not: &[&str]) {
    let labels: Vec<String> = fixture.unasked().into_iter().map(|item| item.label).collect();
    let has = |name: &&&str| labels.iter().any(|label| label == **name);
    let missing: Vec<_> = must.iter().filter(|name| !has(name)).collect();
    let wrong: Vec<_> = must_not.iter().filter(has).collect();
    assert!(missing.is_empty() && wrong.is_empty(), "missing {missing:?}, wrong {wrong:?} in {labels:?}");
}

#[test]
fn a_value_that_is_as_good_as_typed_is_not_offered() {
    let app = |text: &str| open_app(text);
    check(&app("logLevel: w$0"), &["warn"], &["info"]);
    check(&app("logLevel: wa$0"), &[], &["warn", "info"]);
    check(&app("logLevel: warn$0"), &[], &["warn", "info"]);
    check(&app("debug: t$0"), &["true"], &[]);
    check(&app("debug: tr$0"), &[], &["true"]);
    // A key is followed by a colon, at which every list closes.
    check(&app("rep$0"), &["replicas"], &[]);
    check(&app("replicas$0"), &["replicas"], &[]);
}

#[test]
fn neither_is_an_annotation_or_what_editors_show_for_it() {
    let schema = |line: &str| open(&format!("#@data/values-schema\n---\n{line}\na: 1\n"));
    check(&open("#@data/val$0"), &["data/values", "data/values-schema"], &[]);
    check(&open("#@data/valu$0"), &[], &["data/values", "data/values-schema"]);
    check(&open("#@data/values$0"), &[], &["data/values", "data/values-schema"]);
    check(&open("#@data/values-$0"), &["data/values-schema"], &[]);
    check(&schema("#@schema/null$0"), &["schema/nullable"], &[]);
    check(&schema("#@schema/nullab$0"), &[], &["schema/nullable", "schema/desc"]);
    check(&schema("#@schema/nullable$0"), &[], &["schema/nullable"]);
    check(&schema("#@schema/type any=T$0"), &["True"], &[]);
    check(&schema("#@schema/type any=Tr$0"), &[], &["True"]);
}

#[test]
fn neither_is_a_name_in_code() {
    const FILES: &str = "#- schema.yml\n#@data/values-schema\n---\nweb: 1\nwebsite: 2\nother: 3\n#- deployment.yml\n";
    let code = |line: &str| open(&format!("{FILES}{line}\n---\na: 1\n"));
    let load = "#@ load(\"@ytt:data\", \"data\")\n";
    check(&code(&format!("{load}#@ x = data.values.$0")), &["web", "website", "other"], &[]);
    check(&code(&format!("{load}#@ x = data.values.w$0")), &[], &["web", "website", "other"]);
    check(&code(&format!("{load}#@ x = data.values.web$0")), &[], &["web", "website", "other"]);
    check(&code(&format!("{load}#@ x = data.values.webs$0")), &["website"], &[]);
    check(&code("#@ e$0"), &[], &["end"]);
}

/// Editors show all items that contain the typed letters in order, and Enter would then replace the word.
#[test]
fn what_does_not_begin_as_it_was_typed_is_not_offered() {
    const FILES: &str = "#- schema.yml\n#@data/values-schema\n---\n\
                         #@schema/validation one_of=[\"labeldrop\", \"labelkeep\", \"drop\"]\naction: drop\nlabels: \"\"\n#- values.yml\n";
    let values = |line: &str| open(&format!("{FILES}{line}\n"));
    check(&values("action: la$0"), &["labeldrop", "labelkeep"], &["drop"]);
    check(&values("action: \"la$0"), &["labeldrop"], &[]);
    for typed in ["labeldop", "lbl", "ld", "La", "rop"] {
        check(&values(&format!("action: {typed}$0")), &[], &["labeldrop", "labelkeep", "drop"]);
    }
    check(&values("bels$0"), &[], &["labels"]);
    check(&values("lab$0"), &["labels"], &[]);
}

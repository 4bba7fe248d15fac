use crate::fixture::open;
use crate::{Markup, hover, references, rename};

const SCHEMA: &str =
    "#- schema.yml\n#@data/values-schema\n---\napp:\n  #@schema/desc \"Its name.\"\n  name: ''\n  port: 80\n";
const LIBRARY: &str = "#- labels.lib.yml\n#@ load(\"more.star\", \"full\")\n#@ def labels(app, extra=None):\na: #@ app.name\n\
                       b: #@ full(app)\n#@ end\n#- more.star\ndef full(it):\n  return it.name + str(it.port)\nend\n";
const TEMPLATE: &str = "#- app.yml\n#@ load(\"@ytt:data\", \"data\")\n#@ load(\"labels.lib.yml\", \"labels\")\nx: #@ labels(data.values.app)\n";

fn files(library: &str, template: &str) -> String {
    format!("{SCHEMA}{library}{template}")
}

#[test]
fn parameters_are_what_other_files_hand_over() {
    let typed = LIBRARY.replace("app.name", "app.$0");
    let labels: Vec<String> =
        open(&files(&typed, TEMPLATE)).completions(false).into_iter().map(|item| item.label).collect();
    assert_eq!(labels, ["name", "port"]);
    let fixture = open(&files(&LIBRARY.replace("app.name", "app.na$0me"), TEMPLATE));
    let found = hover(&fixture.snapshot, fixture.file, fixture.offset, Markup::Plain).expect("it is known");
    assert!(found.text.contains("Its name."), "{}", found.text);
    // Nothing calls it, or only a half-typed call does.
    for template in ["#- app.yml\na: 1\n", &TEMPLATE.replace("labels(data.values.app)", "labels(")] {
        assert!(open(&files(&typed, template)).completions(false).is_empty(), "{template}");
    }
}

#[test]
fn a_data_value_is_found_and_renamed_where_it_is_handed_to() {
    let fixture = open(&files(LIBRARY, TEMPLATE).replace("  name: ''", "  na$0me: ''"));
    let places = |fixture: &crate::fixture::Fixture| -> Vec<String> {
        let found = references(&fixture.snapshot, fixture.file, fixture.offset, true);
        let mut shown: Vec<String> = found.iter().map(|span| fixture.snapshot.shown_path(span.file)).collect();
        shown.sort();
        shown
    };
    assert_eq!(places(&fixture), ["labels.lib.yml", "more.star", "schema.yml"]);
    let renamed = rename(&fixture.snapshot, fixture.file, fixture.offset, "title").expect("all can be followed");
    assert_eq!(renamed.edits.len(), 3);
    // Something else is passed as well: it is not known which one is meant.
    let template = format!("{TEMPLATE}y: #@ labels(other)\n");
    let fixture = open(&files(LIBRARY, &template).replace("  name: ''", "  na$0me: ''"));
    let refusal = rename(&fixture.snapshot, fixture.file, fixture.offset, "title").expect_err("it is not certain");
    assert!(refusal.0.contains("which value is meant"), "{}", refusal.0);
}

use super::migration;
use crate::fixture::open;
use lofting_migration::Plan;

const SCHEMA: &str = "#- schema.yml\n#@data/values-schema\n---\n$0service:\n  port: 80\nport2: 1\n";
const LOAD: &str = "#@ load(\"@ytt:data\", \"data\")\n";
const PLAN: &str = "schema = \"schema.yml\"\n[[move]]\nkey = \"service.port\"\nto = \"service.ports.http\"\n";

/// The new texts by name, what is refused, and what is left.
fn moved(plan: &str, files: &str) -> (Vec<(String, String)>, Vec<String>, Vec<String>) {
    let fixture = open(files);
    let plan = Plan::read(plan).expect("a plan");
    let found = migration(&fixture.snapshot, fixture.file, &plan.moves, &|_| true);
    let shown = |file| fixture.snapshot.shown_path(file);
    (
        found.changed.iter().map(|(file, text)| (shown(*file), text.clone())).collect(),
        found.refused.iter().map(|(file, why)| format!("{}: {why}", shown(*file))).collect(),
        found.left.iter().map(|left| left.words.clone()).collect(),
    )
}

#[test]
fn values_code_and_schema_move_together() {
    let files = format!(
        "{SCHEMA}#- values.yml\n#@data/values\n---\nservice:\n  port: 81\n#- app.yml\n{LOAD}#@ load(\"lib.star\", \"f\")\n\
         a: #@ f(data.values.service)\nb: #@ data.values.service.port\n#- lib.star\ndef f(s):\n  return s.port\nend\n"
    );
    let (changed, refused, left) = moved(PLAN, &files);
    assert_eq!((refused, left), (Vec::new(), Vec::new()));
    let text = |name: &str| &changed.iter().find(|(shown, _)| shown == name).expect(name).1;
    assert_eq!(*text("values.yml"), "#@data/values\n---\nservice:\n  ports:\n    http: 81\n");
    assert!(text("app.yml").ends_with("b: #@ data.values.service.ports.http\n"), "{}", text("app.yml"));
    assert_eq!(*text("lib.star"), "def f(s):\n  return s.ports.http\nend\n");
    assert_eq!(*text("schema.yml"), "#@data/values-schema\n---\nservice:\n  ports:\n    http: 80\nport2: 1\n");
}

#[test]
fn half_typed_code_and_other_files_stay() {
    let files = format!("{SCHEMA}#- app.yml\n{LOAD}a: #@ data.values.service.\n#- plain.yml\nservice:\n  port: 1\n");
    let (changed, refused, left) = moved(PLAN, &files);
    let names: Vec<&str> = changed.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!((names, refused), (vec!["schema.yml"], Vec::new()));
    assert!(left.is_empty(), "{left:?}");
}

#[test]
fn a_json_schema_that_still_has_the_keys_is_changed() {
    let plan = PLAN.replace(".yml", ".json");
    let schema = |service: &str| {
        format!(
            "#- schema.json\n$0{{\"$schema\": \"https://json-schema.org/draft/2020-12/schema\", \"properties\": {{\"service\": {service}}}}}\n"
        )
    };
    let files = schema("{\"properties\": {\"port\": {\"type\": \"integer\"}, \"x\": {}}}");
    let (changed, refused, left) = moved(&plan, &files);
    assert!(refused.is_empty(), "{refused:?}");
    let after = "{\"properties\": {\"ports\": {\"properties\": {\"http\": {\"type\": \"integer\"}}}, \"x\": {}}}";
    assert_eq!(changed, [("schema.json".to_owned(), schema(after).replace("#- schema.json\n$0", ""))]);
    // A schema says more about a map than that it is there.
    assert_eq!(left, ["`service.ports` is new in the schema: add its `type`, and whether it takes other keys"]);
    let required = schema("{\"required\": [\"port\"], \"properties\": {\"port\": {}}}");
    let (changed, _, left) = moved(&plan, &required);
    assert_eq!(
        (changed, left),
        (Vec::new(), vec!["the schema still has `service.port`, which is required".to_owned()])
    );
    let deprecated = schema("{\"properties\": {\"port\": {\"deprecated\": true}}}");
    let (changed, _, left) = moved(&plan, &deprecated);
    assert_eq!((changed, left), (Vec::new(), Vec::new()));
}

#[test]
fn annotations_that_may_name_a_key_are_said() {
    let schema = SCHEMA.replace("$0service", "#@schema/validation one_not_null=[\"port\", \"ports\"]\n$0service");
    let files = format!(
        "{schema}#- values.yml\n#@ load(\"@ytt:overlay\", \"overlay\")\n#@data/values\n---\n#@overlay/match by=lambda i, l, r: l.port == 1\n\
         service: {{}}\n#- app.yml\n{LOAD}#@overlay/match by=\"porter\"\na: #@ data.values.port2\n"
    );
    let (_, refused, left) = moved(PLAN, &files);
    assert!(refused.is_empty(), "{refused:?}");
    assert_eq!(left, ["this annotation may name `service.port`"; 2]);
}

#[test]
fn documents_of_other_kinds_in_a_file_stay() {
    let template = "---\nservice:\n  port: 3\n";
    let of_library = "#@library/ref \"@db\"\n#@data/values\n---\nservice:\n  port: 4\n";
    let values = |keys: &str| format!("#@data/values\n---\nservice:\n{keys}");
    let (old, new) = (values("  port: 2\n"), values("  ports:\n    http: 2\n"));
    let files = format!("{SCHEMA}{old}{template}#- values.yml\n{old}{of_library}{template}");
    let (changed, refused, left) = moved(PLAN, &files);
    assert_eq!((refused, left), (Vec::new(), Vec::new()));
    let schema = "#@data/values-schema\n---\nservice:\n  ports:\n    http: 80\nport2: 1\n";
    let expected =
        [("schema.yml", format!("{schema}{new}{template}")), ("values.yml", format!("{new}{of_library}{template}"))];
    let changed: Vec<(&str, String)> = changed.iter().map(|(name, text)| (name.as_str(), text.clone())).collect();
    assert_eq!(changed, expected);
}

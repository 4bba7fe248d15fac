//! `lofting check --fix` as scripts see it.

use crate::SCHEMA;
use crate::command_line::{lofting, workspace};

const WRONG: &str = "#@data/values\n---\n# why\nname: 1\nport: \"80\"\nloglevel: debug\n";

fn read(directory: &tempfile::TempDir, name: &str) -> String {
    std::fs::read_to_string(directory.path().join(name)).expect("a file")
}

#[test]
fn what_is_certain_is_fixed_and_the_rest_reported() {
    let directory = workspace(&[("schema.yml", SCHEMA), ("values.yml", WRONG)]);
    let output = lofting(directory.path(), &["check", "--fix"]);
    assert_eq!(read(&directory, "values.yml"), "#@data/values\n---\n#! why\nname: \"1\"\nport: 80\nloglevel: debug\n");
    let (out, said) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(said.contains("values.yml: ytt/type-mismatch: Remove the quotes"), "{said}");
    assert!(out.contains("ytt/undeclared-key") && !out.contains("ytt/type-mismatch"), "{out}");
    assert_eq!(output.status.code(), Some(1));
    // Fixes that are only likely are applied on request.
    let output = lofting(directory.path(), &["check", "--fix", "--unsafe"]);
    assert!(read(&directory, "values.yml").ends_with("\nlevel: debug\n"), "{output:?}");
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(std::fs::read_dir(directory.path()).expect("the directory").count(), 2, "nothing else was written");
}

#[test]
fn a_difference_is_shown_and_nothing_written() {
    let directory = workspace(&[("schema.yml", SCHEMA), ("values.yml", WRONG)]);
    let output = lofting(directory.path(), &["check", "--fix", "--diff"]);
    let out = String::from_utf8_lossy(&output.stdout);
    assert!(
        out.contains("--- a/values.yml") && out.contains("-port: \"80\"\n") && out.contains("+port: 80\n"),
        "{out}"
    );
    assert_eq!((read(&directory, "values.yml").as_str(), output.status.code()), (WRONG, Some(1)));
    let right = workspace(&[("schema.yml", SCHEMA)]);
    let output = lofting(right.path(), &["check", "--fix", "--diff"]);
    assert_eq!((output.stdout.as_slice(), output.status.code()), (&b""[..], Some(0)));
}

#[cfg(unix)]
#[test]
fn links_and_files_of_others_stay_as_they_are() {
    let outside = workspace(&[("values.yml", WRONG)]);
    let directory = workspace(&[("schema.yml", SCHEMA), ("other/values.yml", WRONG)]);
    std::os::unix::fs::symlink(outside.path().join("values.yml"), directory.path().join("values.yml")).expect("a link");
    let output = lofting(directory.path(), &["check", "--fix", "values.yml"]);
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(said.contains("was left as it is") || said.contains("nothing was found"), "{said}");
    assert_eq!(read(&outside, "values.yml"), WRONG);
    // Only what was named is written.
    assert_eq!(read(&directory, "other/values.yml"), WRONG);
    assert!(std::fs::symlink_metadata(directory.path().join("values.yml")).expect("a link").is_symlink());
}

#[test]
fn schemas_and_values_are_written_from_each_other() {
    let directory = workspace(&[("schema.yml", SCHEMA), ("plain.yml", "# Where\nhost: a\nports: [1, 2]\n")]);
    let output = lofting(directory.path(), &["schema", "--from-values", "plain.yml"]);
    let schema = "#@data/values-schema\n---\n#@schema/desc \"Where\"\nhost: a\nports:\n- 0\n";
    assert_eq!(String::from_utf8_lossy(&output.stdout), schema, "{output:?}");
    let output = lofting(directory.path(), &["values", "--skeleton", "-f", "schema.yml"]);
    let values = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(values.starts_with("#! Name of the service\nname: web\nport: 8080\n"), "{output:?}");
    assert_eq!(lofting(directory.path(), &["schema", "--from-values", "nowhere.yml"]).status.code(), Some(2));
}

/// What is written fits the file that it was written from, whatever that has.
#[test]
fn a_schema_is_written_for_all_documents_and_for_empty_maps() {
    let two = "a: {}\n---\nb: 1\n---\nb: 2\nc: x\n";
    let marked = "#@data/values\n---\nb: 1\n---\nkind: Other\n";
    let directory = workspace(&[("two.yml", two), ("marked.yml", marked)]);
    for (file, keys) in [
        ("two.yml", "#@schema/type any=True\na: {}\nb: 1\nc: x\n"),
        // The second document is a template.
        ("marked.yml", "b: 1\n"),
    ] {
        let output = lofting(directory.path(), &["schema", "--from-values", file]);
        let schema = format!("#@data/values-schema\n---\n{keys}");
        assert_eq!(String::from_utf8_lossy(&output.stdout), schema, "{output:?}");
    }
}

/// What a conversion leaves out is listed, and nothing else.
#[test]
fn conversions_of_schemas_say_what_they_leave_out() {
    let own = "#@data/values-schema\n---\n#@schema/validation min=1, when=lambda v: v > 0\na: 1\n#@schema/desc \"x\"\nb: 1\n\
               #@schema/validation min=\"2020\"\nc: \"2021\"\n#@schema/validation max=3\nd: 1\n";
    let json = "{\"type\": \"object\", \"properties\": {\"a\": {\"type\": \"integer\", \"not\": {\"const\": 1}}}}\n";
    let directory = workspace(&[("schema.yml", own), ("app.json", json), ("other.yml", "kind: x\n")]);
    let said = |arguments: &[&str]| {
        let output = lofting(directory.path(), arguments);
        (String::from_utf8_lossy(&output.stderr).into_owned(), output.status.code())
    };
    // All annotations of a schema that is ytt's already stay.
    assert_eq!(said(&["schema", "--to", "ytt", "-f", "schema.yml"]), (String::new(), Some(0)));
    let (lines, code) = said(&["schema", "--to", "json-schema", "-f", "schema.yml"]);
    assert_eq!(lines.lines().count(), 2, "{lines}");
    assert!(lines.contains("schema.yml:3:") && lines.contains("at least 1 (under a condition)"), "{lines}");
    assert!(lines.contains("schema.yml:7:") && code == Some(0), "{lines}");
    // A JSON Schema says so by its keys.
    let (lines, code) = said(&["schema", "--to", "json-schema", "app.json"]);
    assert!(lines.contains("app.json:1: left out: what further schemas say") && code == Some(0), "{lines}");
    let (lines, code) = said(&["schema", "--to", "json-schema", "other.yml"]);
    assert!(lines.contains("nothing in it says that it is a schema") && code == Some(2), "{lines}");
}

/// An array in block style ends with its line, whose end stays.
#[test]
fn an_item_takes_the_place_of_its_array_and_of_nothing_else() {
    let schema = "#@data/values-schema\n---\nlist:\n- true\nport: 0\n";
    for (array, item) in
        [("- - off\n", "- off\n"), ("- [off] # why\n", "- off # why\n"), ("- - off # why\n", "- off # why\n")]
    {
        let values = |items: &str| format!("#@data/values\n---\nlist:\n{items}port: 1\n");
        let directory = workspace(&[("schema.yml", schema), ("values.yml", &values(array).replace("# why", "#! why"))]);
        let output = lofting(directory.path(), &["check", "--fix", "--unsafe"]);
        assert_eq!(read(&directory, "values.yml"), values(item).replace("# why", "#! why"), "{output:?}");
        assert_eq!(output.status.code(), Some(0));
    }
}

/// What is wrong with a value is reported once, also where code chooses what other values are merged onto.
#[test]
fn a_value_of_the_wrong_type_is_one_mistake() {
    let schema = "#@data/values-schema\n---\na: true\nsize:\n- \"\"\n";
    let codes = |directory: &tempfile::TempDir| {
        let report =
            crate::command_line::json_of(&lofting(directory.path(), &["check", "--format", "json", "values.yml"]));
        let found = report["diagnostics"].as_array().cloned().unwrap_or_default();
        let codes = found.iter().map(|one| one["code"].as_str().unwrap_or_default().to_owned());
        codes.filter(|code| code != "yaml/unused-anchor").collect::<Vec<_>>()
    };
    for item in ["- web", "- &a web"] {
        let values =
            format!("#@data/values\n---\na: [1]\nsize:\n#@overlay/match by=\"name\", missing_ok=True\n{item}\n");
        let directory = workspace(&[("schema.yml", schema), ("values.yml", &values)]);
        assert_eq!(codes(&directory), ["ytt/type-mismatch"], "{item}");
    }
    // A rule does not judge the default in its place.
    let schema = "#@data/values-schema\n---\n#@schema/validation (\"be short\", lambda v: len(v) < 1)\na: web\n";
    for value in ["{}", "&a {}"] {
        let values = format!("#@data/values\n---\na: {value}\n");
        let directory = workspace(&[("schema.yml", schema), ("values.yml", &values)]);
        assert_eq!(codes(&directory), ["ytt/type-mismatch"], "{value}");
    }
}

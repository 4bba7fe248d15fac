//! One line is being typed: findings on other lines stay.

use serde_json::{Value, json};

use crate::client::{Client, Setup};

const SCHEMA: &str = "\
#@ load(\"@ytt:assert\", \"assert\")
#@ def certificate():
#@schema/desc \"PEM\"
crt: \"\"
#@ end

#@data/values-schema
---
certificate: #@ certificate()
#@schema/validation assert.min(3)
count: 4
#@schema/desc \"last\"
last: 1
";
const VALUES: &str = "#@data/values\n---\ncertificate:\n  crt: 5\n";

/// Lines with the codes of findings, without those of one line; lines below it count as if it was not there.
fn elsewhere(found: &[Value], line: Option<u64>) -> Shown {
    let place = |found: &Value| {
        let at = found["range"]["start"]["line"].as_u64().expect("a line");
        let code = found["code"].as_str().expect("a code").to_owned();
        match line {
            Some(line) if at == line => None,
            Some(line) if at > line => Some((at - 1, code)),
            _ => Some((at, code)),
        }
    };
    found.iter().filter_map(place).collect()
}

/// Findings as line and code.
type Shown = Vec<(u64, String)>;

/// The findings in the schema and the values while `typed` is the line `at` of the schema.
fn typed(client: &mut Client, at: usize, typed: &str) -> (Shown, Shown) {
    let mut lines: Vec<&str> = SCHEMA.split_inclusive('\n').collect();
    let line = format!("{typed}\n");
    lines.insert(at, &line);
    client.replace("schema.yml", &lines.concat());
    let schema = client.all_findings("schema.yml");
    let values = client.all_findings("values.yml");
    (elsewhere(&schema, Some(at as u64)), elsewhere(&values, None))
}

#[test]
fn findings_of_other_lines_and_files_stay() {
    let pulling = json!({"dynamicRegistration": true});
    let mut client = Setup::rich().capability("textDocument.diagnostic", pulling).start();
    client.open("schema.yml", SCHEMA);
    client.open("values.yml", VALUES);
    let schema = elsewhere(&client.all_findings("schema.yml"), None);
    let values = elsewhere(&client.all_findings("values.yml"), None);
    assert_eq!(schema, [(9, "ytt/schema-validation-arguments".to_owned())]);
    assert_eq!(values, [(3, "ytt/type-mismatch".to_owned())]);
    // Above the function, inside the document, at its end.
    for at in [1, 11, 13] {
        for half in [
            "#@ x = ",
            "#@ x = [",
            "#@ x = f(1, ",
            "#@ x = \"abc",
            "#@ unknown",
            "#@ if x",
            "#@ if x:",
            "#@ for i in",
            "#@ def f(",
            "#@ def f():",
            "#@ end",
            "#@ load(\"@ytt:",
            "#@schema/",
            "#@schema/validation min=",
            "#@schema/validation (\"x\", lambda v: ",
            "#@schema/desc \"",
            "#@schema/desc unknown",
            "new: #@ certi",
            "new: #@ certificate(",
            "new: #@ \"{}\".format(",
        ] {
            if at == 1 && half.starts_with("new") {
                continue;
            }
            let found = typed(&mut client, at, half);
            assert_eq!(found, (schema.clone(), values.clone()), "{half} in line {at}");
        }
    }
}

//! Keys of schemas that nothing uses.

use crate::fixture::{messages, named};

const SCHEMA: &str = "#- schema.yml\n#@data/values-schema\n---\napp:\n  host: ''\n  port: 80\nitems:\n- name: ''\n  \
                      size: 1\nextra: {a: 1}\n#- app.yml\n#@ load(\"@ytt:data\", \"data\")\n";

/// The keys that a template leaves unused.
#[track_caller]
fn check(template: &str, expected: &[&str]) {
    let found = named(&format!("{SCHEMA}{template}"));
    let keys: Vec<String> =
        found.into_iter().filter(|(code, _)| code == "ytt/unused-key").map(|(_, key)| key).collect();
    assert_eq!(keys, expected, "{template}");
}

#[test]
fn keys_that_are_read() {
    check("a: #@ data.values.app.host\n", &["port", "items", "extra"]);
    check("a: #@ data.values.app\nb: #@ data.values.extra\n", &["items"]);
    check("#@ for i in data.values.items:\na: #@ i.name\n#@ end\n", &["app", "size", "extra"]);
    check("#@ app = data.values.app\na: #@ app.host\nb: #@ app[\"port\"]\n", &["items", "extra"]);
    check("#@ def f(app):\na: #@ app.port\n#@ end\nb: #@ f(data.values.app)\n", &["host", "items", "extra"]);
}

#[test]
fn nothing_is_said_where_code_is_not_followed() {
    check("a: #@ data.values\n", &[]);
    check("a: #@ f(data)\n", &[]);
    check("a: #@ data.values[f()]\n", &[]);
    check("a: #@ getattr(data.values, f())\n", &[]);
    check("a: 1\n", &[]);
    // Another value has a key of the same name, and this may be it.
    check("a: #@ data.values.app.host + f().port\nb: #@ g(\"items\")\n", &["extra"]);
    // The misspelt key may be any of these.
    check("a: #@ data.values.appp\n", &[]);
    check("a: #@ data.values.app.prt\n", &["items", "extra"]);
    // Half-typed code may be about to use anything.
    check("a: #@ data.values.app.host +\n", &[]);
}

#[test]
fn keys_that_values_set() {
    let values = "#- values.yml\n#@data/values\n---\napp:\n  port: 1\nextra: {}\n";
    check(&format!("a: #@ data.values.app.host\n{values}"), &["items"]);
    let values = "#- values.yml\n#@data/values\n---\nitems:\n- size: 1\n";
    check(&format!("#@ for i in data.values.items:\na: #@ i.name\n#@ end\n{values}"), &["app", "extra"]);
}

#[test]
fn deprecated_keys_are_kept_for_old_values() {
    let schema = "#- schema.yml\n#@data/values-schema\n---\na: 1\n#@schema/deprecated \"no\"\nb: 1\nc: 1\n";
    let app = "#- app.yml\n#@ load(\"@ytt:data\", \"data\")\na: #@ data.values.a\n";
    let found = messages(&format!("{schema}# ytt/unused-key\n{app}"));
    assert_eq!(found, "lint: no template reads `c`, and no values file sets it\n");
}

//! Private libraries as far as they are known without evaluating who uses them.

use crate::fixture::Fixture;
use expect_test::{Expect, expect};

const LIBRARY: &str = "#- config/_ytt_lib/app/schema.yml
#@data/values-schema
---
name: ''
#@schema/validation min=1
port: 80
#@schema/nullable
tls: {crt: ''}
#- config/_ytt_lib/app/_ytt_lib/inner/schema.yml
#@data/values-schema
---
key: 1
#- schema.yml
#@data/values-schema
---
port: ''
";

fn check(more: &str, path: &str, expected: Expect) {
    let fixture = Fixture::scanned(&format!("{LIBRARY}{more}"));
    expected.assert_eq(&fixture.diagnostics(path));
}

#[test]
fn values_for_a_library_are_judged_by_its_schema() {
    check(
        "#- config/values.yml
#@library/ref '@app'
#@data/values
---
port: http
tls: 1
#! nothing in the workspace adds to the schema
unknown: 1
#! another document may put it right
---
#@library/ref '@app'
#@data/values
---
port: 0
name:
",
        "config/values.yml",
        expect![[r#"
            4:7 ytt/type-mismatch `port` should be an integer, but is the string "http"
            5:6 ytt/type-mismatch `tls` should be a map or null, but is the integer 1
            7:1 ytt/undeclared-key `unknown` is not declared in the schema of the document
            14:1 ytt/type-mismatch `name` should be a string, but is empty (null)
        "#]],
    );
    for adds in [
        "#- t.yml\n#@ l.with_data_values_schema({})\n",
        "#- s.yml\n#@library/ref '@~x'\n#@data/values-schema\n---\na: 1\n",
    ] {
        let text =
            format!("#- config/values.yml\n#@library/ref '@app'\n#@data/values\n---\nunknown: 1\nport: http\n{adds}");
        check(
            &text,
            "config/values.yml",
            expect![[r#"
                5:7 ytt/type-mismatch `port` should be an integer, but is the string "http"
            "#]],
        );
    }
    check(
        "#- config/values.yml\n#@library/ref '@app@inner'\n#@data/values\n---\nkey: x\n",
        "config/values.yml",
        expect![[r#"
            4:6 ytt/type-mismatch `key` should be an integer, but is the string "x"
        "#]],
    );
    check(
        "#- config/a/b/values.yml\n#@library/ref '@app~x'\n#@data/values\n---\nport: x\n",
        "config/a/b/values.yml",
        expect![[r#"
            4:7 ytt/type-mismatch `port` should be an integer, but is the string "x"
        "#]],
    );
}

#[test]
fn an_alias_alone_says_nothing() {
    check(
        "#- config/values.yml\n#@library/ref '@~x'\n#@data/values\n---\nport: x\n",
        "config/values.yml",
        expect![[r#""#]],
    );
    let both = "#- config/values.yml\n#@library/ref '@app'\n#@data/values\n---\nport: x\n\
                #@library/ref '@app@inner'\n#@data/values\n---\nkey: 1\n";
    check(both, "config/values.yml", expect![[r#""#]]);
}

#[test]
fn a_wrong_address_is_said() {
    // ytt takes an address without a name, too; rendering reports that no library has it.
    for address in ["'app'", "'@app~'", "", "1", "'@app', '@other'", "'@app~a~b'", "'@app' + '@inner'", "'@+'"] {
        let text = format!("#- config/values.yml\n#@library/ref {address}\n#@data/values\n---\nport: 1\n");
        let fixture = Fixture::scanned(&format!("{LIBRARY}{text}"));
        let found = fixture.diagnostics("config/values.yml");
        assert_eq!(found.contains("ytt/library-ref"), !address.contains('+'), "{address}: {found}");
    }
}

#[test]
fn a_schema_for_a_library_is_a_schema_of_its_own() {
    check(
        "#- config/more.yml\n#@library/ref '@app'\n#@data/values-schema\n---\n#@overlay/match missing_ok=True\nextra:\nlist: []\n",
        "config/more.yml",
        expect![[r#"
            5:1 ytt/schema-null-value a value in a schema declares the type, but there is none
            6:1 ytt/schema-array-items an array in a schema needs one item that declares the type of its items
        "#]],
    );
}

#[test]
fn plain_values_for_a_library_have_its_schema_only() {
    let values = |files: &str, address: &str| {
        format!(
            "#- lofting.toml\n[sets.a]\nfiles = [{files}]\nvalues = ['{address}:app-values.yml']\n\
             #- app-values.yml\nport: http\nunknown: 1\n"
        )
    };
    check(&values("'schema.yml'", "@app"), "app-values.yml", expect![[r#""#]]);
    check(
        &values("'config'", "@app"),
        "app-values.yml",
        expect![[r#"
            1:7 ytt/type-mismatch `port` should be an integer, but is the string "http"
            2:1 ytt/undeclared-key `unknown` is not declared in the schema of the document
        "#]],
    );
    check(
        &values("'config'", "@app@inner"),
        "app-values.yml",
        expect![[r#"
        1:1 ytt/undeclared-key `port` is not declared in the schema of the document
        2:1 ytt/undeclared-key `unknown` is not declared in the schema of the document
    "#]],
    );
    check(&values("'config'", "@~x"), "app-values.yml", expect![[r#""#]]);
    let fixture = Fixture::scanned(&format!("{LIBRARY}{}", values("'config'", "@app~x")));
    let explained = fixture.explain();
    let line = explained.lines().find(|line| line.starts_with("app-values.yml"));
    expect!["app-values.yml PlainValues [config/_ytt_lib/app/schema.yml plain]It is for the private library `@app~x` (`#@library/ref`, `@library:`), whose schema is in `config/_ytt_lib/app/schema.yml`."].assert_eq(line.unwrap_or_default());
}

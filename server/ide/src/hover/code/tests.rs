use crate::fixture::open;
use crate::{Markup, hover};
use expect_test::{Expect, expect};

const SCHEMA: &str = "#- schema.yml
#@data/values-schema
---
service:
  #@schema/desc \"TCP port.\"
  port: 80
  ports:
  - name: ''
";
const LIBRARY: &str = "#- f.lib.yml\n#! Labels of everything.\n#@ def labels(app, extra={}):\na: 1\n#@ end\n";

fn check(template: &str, expected: Expect) {
    let fixture = open(&format!("{SCHEMA}{LIBRARY}#- app.yml\n{template}"));
    let found = hover(&fixture.snapshot, fixture.file, fixture.offset, Markup::Plain);
    let found = found.map(|found| format!("{}\n@ {}\n", found.text, &fixture.text[found.range]));
    expected.assert_eq(&found.unwrap_or_default());
}

#[test]
fn data_values_are_described_by_their_schema() {
    check(
        "#@ load(\"@ytt:data\", \"data\")\na: #@ data.values.service.po$0rt\n",
        expect![[r#"
            data.values.service.port

            port: integer

            TCP port.

            Default: 80

            Declared in schema.yml:5
            @ port
        "#]],
    );
    check("#@ load(\"@ytt:data\", \"data\")\n#@ for p in data.values.service.ports:\na: #@ p.na$0\n", expect![[""]]);
}

#[test]
fn names_show_their_value_or_signature() {
    check(
        "#@ load(\"f.lib.yml\", \"labels\")\na: #@ lab$0els(\"x\")\n",
        expect![[r#"
        def labels(app, extra={})

        Labels of everything.

        Defined in f.lib.yml
        @ labels
    "#]],
    );
    check(
        "#@ def f(a, b=[1]): return a\na: #@ f$0(1)\n",
        expect![[r#"
        def f(a, b=[1])
        @ f
    "#]],
    );
    check(
        "#@ x = 1 + 2\na: #@ x$0\n",
        expect![[r#"
        x = 1 + 2
        @ x
    "#]],
    );
    check(
        "#@ load(\"@ytt:data\", \"data\")\n#@ v = data.values.service.port\na: #@ v$0\n",
        expect![[r#"
        v = data.values.service.port

        data.values.service.port

        port: integer

        TCP port.

        Default: 80

        Declared in schema.yml:5
        @ v
    "#]],
    );
    check(
        "#@ load(\"@ytt:json\", \"json\")\na: #@ json.enc$0ode(1)\n",
        expect![[r#"
        json.encode(value, indent=0, escape_html=True)

        The value as JSON, keys sorted.
        @ encode
    "#]],
    );
    check(
        "a: #@ le$0n([])\n",
        expect![[r#"
        len(value)

        The number of items or keys; of text, of its bytes.
        @ len
    "#]],
    );
    check(
        "a: #@ \"x\".up$0per()\n",
        expect![[r#"
        string.upper()

        In capitals.
        @ upper
    "#]],
    );
    check("a: #@ nothing$0\n", expect![[""]]);
    check("a: #@ \"le$0n\"\n", expect![[""]]);
}

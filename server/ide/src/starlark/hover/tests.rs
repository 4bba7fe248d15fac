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

            Final value: 80 (default, schema.yml:5)
            @ port
        "#]],
    );
    check(
        "#@ load(\"@ytt:data\", \"data\")\n#@ for p in data.values.service.ports:\na: #@ p.na$0\n",
        expect![[r#"
        data.values.service.ports[].na

        na is not declared in ports[]

        Keys there: name

        Declared in schema.yml:7
        @ na
    "#]],
    );
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

            Final value: 80 (default, schema.yml:5)
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

#[test]
fn words_files_arguments_and_members() {
    check(
        "#@ load(\"f.l$0ib.yml\", \"labels\")\n",
        expect![[r#"
            f.lib.yml

            labels
            @ f.lib.yml
        "#]],
    );
    check(
        "#@ load(\"f.lib.yml\", \"labels\")\na: #@ labels(1, ex$0tra={})\n",
        expect![[r#"
            def labels(app, extra={})

            Labels of everything.

            Defined in f.lib.yml
            @ extra
        "#]],
    );
    check(
        "#@ load(\"@ytt:struct\", \"struct\")\n#@ s = struct.make(a=[1,\n#@   2])\na: #@ s.$0a\n",
        expect![[r#"
            a = [1, #@ 2]
            @ a
        "#]],
    );
    check(
        "#@ f$0or x in y\n",
        expect![[r#"
            for

            Repeats a block that end closes.
            @ for
        "#]],
    );
    check("a: #@ \"f$0or x\"\n", expect![[""]]);
    check("a: #@ unk$0nown(\n", expect![[""]]);
}

#[test]
fn loop_variables_and_parameters_are_what_they_stand_for() {
    let load = "#@ load(\"@ytt:data\", \"data\")\n";
    check(
        &format!("{load}#@ for p in data.values.service.ports:\na: #@ p$0.name\n#@ end\n"),
        expect![[r#"
            for p in data.values.service.ports

            data.values.service.ports[]

            ports[]: map

            Declared in schema.yml:7
            @ p
        "#]],
    );
    check(
        &format!("{load}#@ def f(s$0):\na: #@ s.port\n#@ end\nb: #@ f(data.values.service)\n"),
        expect![[r#"
            s is a parameter of

            def f(s)

            data.values.service

            service: map

            Declared in schema.yml:3
            @ s
        "#]],
    );
}

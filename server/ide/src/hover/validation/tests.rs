use crate::fixture::open;
use crate::{Markup, hover};
use expect_test::{Expect, expect};

const SCHEMA: &str = "#- schema.yml
#@data/values-schema
---
#@schema/validation (\"a domain name\", lambda v: \".\" in v), min_len=3, max_len=9, when=lambda v, ctx: ctx.root[\"tls\"]
host: \"\"
tls: false
";

fn check(files: &str, expected: Expect) {
    let fixture = open(files);
    let found = hover(&fixture.snapshot, fixture.file, fixture.offset, Markup::Plain);
    // The catalogue's text about the annotation is tested elsewhere.
    let found = found.map(|found| found.text.split("\n\n@schema/").next().unwrap_or_default().to_owned() + "\n");
    expected.assert_eq(&found.unwrap_or_default());
}

#[test]
fn what_is_allowed_is_reported_at_the_annotation_and_at_the_value() {
    for (from, to) in [("@schema/val", "@schema/$0val"), ("min_len=3", "min_len=$03"), ("\".\" in", "\"$0.\" in")] {
        check(
            &SCHEMA.replace(from, to),
            expect![[r#"
                What host allows

                Length: 3 to 9 bytes
                Must be: a domain name
                Only if: ctx.root["tls"]
            "#]],
        );
    }
    check(
        &SCHEMA.replace("max_len", "max$0_len"),
        expect![[r#"
            max_len= (int)

            The greatest length: bytes of a string, items of an array, keys of a map.

            What host allows

            Length: 3 to 9 bytes
            Must be: a domain name
            Only if: ctx.root["tls"]
        "#]],
    );
    check(
        &format!("{SCHEMA}#- values.yml\n#@data/values\n---\nho$0st: x.y\n"),
        expect![[r#"
            host: string

            Default: ""
            Length: 3 to 9 bytes
            Must be: a domain name
            Only if: ctx.root["tls"]

            Declared in schema.yml:4
        "#]],
    );
}

#[test]
fn half_typed_rules_and_other_files() {
    check(&SCHEMA.replace("min_len=3", "min_len=$0"), expect![[""]]);
    check("#- app.yml\n#@schema/validation min_len=$01\na: 1\n", expect![[""]]);
}

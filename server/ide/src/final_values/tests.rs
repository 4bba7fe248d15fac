use crate::final_data_values;
use crate::fixture::open;
use expect_test::{Expect, expect};

const SCHEMA: &str = "#- schema.yml\n#@data/values-schema\n---\nport: 80\nhost: ''\n";

fn check(files: &str, expected: Expect) {
    let fixture = open(files);
    expected.assert_eq(&final_data_values(&fixture.snapshot, fixture.file).unwrap_or_default());
}

#[test]
fn values_and_where_they_come_from() {
    check(
        &format!("{SCHEMA}#- values.yml\n#@data/values\n---\nport: 81\n"),
        expect![[r##"
        #! Final data values as far as values.yml and its schema say: no ytt call with it is known
        port: 81 #! values.yml:3
        host: "" #! schema.yml:4
    "##]],
    );
    check(
        &format!(
            "#- lofting.toml\n[sets.prod]\nfiles = ['schema.yml', 'app.yml', 'values.yml']\n{SCHEMA}#- values.yml\n#@data/values\n---\nport: 81\n#- app.yml\n#@ x = 1\n$0a: 1\n"
        ),
        expect![[r##"
            #! Final data values of the input set `prod`
            port: 81 #! values.yml:3
            host: "" #! schema.yml:4
        "##]],
    );
}

#[test]
fn half_typed_values_and_files_of_others() {
    check(
        &format!("{SCHEMA}#- values.yml\n#@data/values\n---\nport: 81\nho\n"),
        expect![[r##"
        #! Final data values as far as values.yml and its schema say: no ytt call with it is known
        #! Some values are not known: see schema.yml:2
        port: 81 #! values.yml:3
        host: "" #! schema.yml:4
    "##]],
    );
    check("#- values.yml\n#@data/values\n---\nport: 81\n", expect![[""]]);
    check("#- other.yml\na: 1\n", expect![[""]]);
}

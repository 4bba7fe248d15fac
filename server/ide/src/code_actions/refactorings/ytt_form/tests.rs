use crate::code_actions::tests::{check_change, titles};
use crate::fixture::open;
use expect_test::expect;

const TITLE: &str = "Convert to ytt's own form of schemas";

#[test]
fn a_schema_of_the_proposals_is_converted_with_all_its_files() {
    let text = "#- a-schema.yml\n#@schema/def$0inition data_values=True\n---\n#! the host\n#@schema/doc \"Where\"\nhost: a\n#- b-schema.yml\n#@schema/amend\n---\n#@schema/key-may-be-present\nport: 1\n";
    check_change(
        text,
        TITLE,
        expect![[r##"
        #@data/values-schema
        ---
        #! the host
        #@schema/desc "Where"
        #@schema/validation min_len=1
        host: a
        #- b-schema.yml
        #@data/values-schema
        #@overlay/match-child-defaults missing_ok=True
        ---
        #@schema/nullable
        port: 1
    "##]],
    );
}

#[test]
fn elsewhere_nothing_is_offered() {
    let below = "#- schema.yml\n#@schema/definition data_values=True\n---\n#@schema/d$0oc \"Where\"\nhost: a\n";
    assert!(!titles(&open(below)).contains(TITLE));
    assert!(!titles(&open("#- schema.yml\n#@data/values-sch$0ema\n---\nhost: a\n")).contains(TITLE));
}

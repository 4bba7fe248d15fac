use super::explain;
use crate::fixture::open;
use expect_test::{Expect, expect};

const SCHEMA: &str = "#- config/schema.yml\n#! about\n#@data/values-schema\n---\nport: 80\n";

fn check(files: &str, expected: Expect) {
    let fixture = open(files);
    let page = explain(&fixture.snapshot, fixture.file).markdown(|path| format!("file://{}", path.display()));
    expected.assert_eq(&page);
}

#[test]
fn the_page_leads_to_the_schema_and_to_what_chose_it() {
    check(
        &format!("{SCHEMA}#- values.yml\n$0port: 81\n"),
        expect![[r#"
            # values.yml
            - **Schema**: [config/schema.yml](<file:///lofting-ide-fixture/config/schema.yml#L2>)
            - **Why**: Its name or directory says that it holds values, and the nearest schema going up is in `config`: `config/schema.yml`."#]],
    );
    check(
        &format!("{SCHEMA}#- app.yml\n#! a\n#! lofting: schema=config/schema.yml\n$0port: 81\n"),
        expect![[r#"
            # app.yml
            - **Schema**: [config/schema.yml](<file:///lofting-ide-fixture/config/schema.yml#L2>)
            - **Why**: A comment at the top of the file names the schema `config/schema.yml`.
            - **Chosen in**: [app.yml](<file:///lofting-ide-fixture/app.yml#L2>)"#]],
    );
    check(
        &format!(
            "{SCHEMA}#- lofting.toml\n[sets.prod]\nfiles = ['config']\nvalues = ['app.yml']\n#- app.yml\n$0port: 81\n"
        ),
        expect![[r#"
            # app.yml
            - **Schema**: [config/schema.yml](<file:///lofting-ide-fixture/config/schema.yml#L2>) (input set `prod`)
            - **Why**: It belongs to the input set `prod` of lofting.toml, whose schema is in `config/schema.yml`.
            - **Chosen in**: [lofting.toml](<file:///lofting-ide-fixture/lofting.toml#L1>)"#]],
    );
}

#[test]
fn without_a_schema_it_says_what_to_do_where_that_makes_sense() {
    check(
        "#- values.yml\n$0port: 81\n",
        expect![[r#"
            # values.yml
            - **Schema**: none
            - **Why**: Its name or directory says that it holds values, but neither its directory nor one above it has a document annotated `#@data/values-schema` (looked in each of them and in its `config/`, `schema/` and `ytt/`).

            To name one, write `#! lofting: schema=PATH` at the top of the file, or say in `lofting.toml` which files belong together."#]],
    );
    check(
        "#- app.yml\n$0apiVersion: v1\nkind: Pod\n",
        expect![[r#"
            # app.yml
            - **Schema**: none
            - **Why**: It is a Kubernetes manifest (`apiVersion` and `kind` at the top), not data values."#]],
    );
}

#[test]
fn names_from_the_workspace_mean_nothing_to_markdown() {
    check(
        "#- a*b_[c](x)/values.yml\n#! lofting: schema=![x](https://e.example/``)`\n$0port: 81\n",
        expect![[r#"
            # a\*b\_\[c\](x)/values.yml
            - **Schema**: none
            - **Why**: A comment at the top of the file names the schema `![x](https://e.example/``)``, but schemas are not fetched from the web.`
            - **Chosen in**: [a\*b\_\[c\](x)/values.yml](<file:///lofting-ide-fixture/a*b_[c](x)/values.yml#L1>)

            To name one, write `#! lofting: schema=PATH` at the top of the file, or say in `lofting.toml` which files belong together."#]],
    );
}

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
            - **Why**: Its name or directory says that it contains values, and the nearest schema going up is in `config`: `config/schema.yml`."#]],
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
            - **Chosen in**: [lofting.toml:3](<file:///lofting-ide-fixture/lofting.toml#L3>)

            Files of the input set `prod`, in ytt's order:
            - read for schema and values: [config/schema.yml](<file:///lofting-ide-fixture/config/schema.yml#L1>)
            - plain values: [app.yml](<file:///lofting-ide-fixture/app.yml#L1>)"#]],
    );
}

#[test]
fn each_set_is_shown_with_the_entry_that_names_the_file_and_as_many_files_as_are_read() {
    let values: String = (0..20).map(|i| format!("'envs/e{i:02}.yml', ")).collect();
    let files: String =
        (0..20).map(|i| format!("#- envs/e{i:02}.yml\n{}port: 81\n", if i == 7 { "$0" } else { "" })).collect();
    check(
        &format!(
            "{SCHEMA}#- lofting.toml\n[sets.all]\nfiles = ['config']\nvalues = ['envs']\n\n[sets.each]\nfiles = ['config']\n\
             values = [{values}]\n{files}"
        ),
        expect![[r#"
            # envs/e07.yml
            - **Schema**: [config/schema.yml](<file:///lofting-ide-fixture/config/schema.yml#L2>) (input set `all`)
            - **Schema**: [config/schema.yml](<file:///lofting-ide-fixture/config/schema.yml#L2>) (input set `each`)
            - **Why**: It belongs to the input sets `all`, `each` of lofting.toml, whose schema is in `config/schema.yml`.
            - **Chosen in**: [lofting.toml:3](<file:///lofting-ide-fixture/lofting.toml#L3>), [lofting.toml:7](<file:///lofting-ide-fixture/lofting.toml#L7>)

            Files of the input set `all`, in ytt's order:
            - read for schema and values: [config/schema.yml](<file:///lofting-ide-fixture/config/schema.yml#L1>)
            - plain values: [envs/e00.yml](<file:///lofting-ide-fixture/envs/e00.yml#L1>), [envs/e01.yml](<file:///lofting-ide-fixture/envs/e01.yml#L1>), [envs/e02.yml](<file:///lofting-ide-fixture/envs/e02.yml#L1>), [envs/e03.yml](<file:///lofting-ide-fixture/envs/e03.yml#L1>), [envs/e04.yml](<file:///lofting-ide-fixture/envs/e04.yml#L1>), [envs/e05.yml](<file:///lofting-ide-fixture/envs/e05.yml#L1>), [envs/e06.yml](<file:///lofting-ide-fixture/envs/e06.yml#L1>), [envs/e07.yml](<file:///lofting-ide-fixture/envs/e07.yml#L1>), [envs/e08.yml](<file:///lofting-ide-fixture/envs/e08.yml#L1>), [envs/e09.yml](<file:///lofting-ide-fixture/envs/e09.yml#L1>), [envs/e10.yml](<file:///lofting-ide-fixture/envs/e10.yml#L1>), [envs/e11.yml](<file:///lofting-ide-fixture/envs/e11.yml#L1>) and 8 more

            Files of the input set `each`, in ytt's order:
            - read for schema and values: [config/schema.yml](<file:///lofting-ide-fixture/config/schema.yml#L1>)
            - plain values: [envs/e00.yml](<file:///lofting-ide-fixture/envs/e00.yml#L1>), [envs/e01.yml](<file:///lofting-ide-fixture/envs/e01.yml#L1>), [envs/e02.yml](<file:///lofting-ide-fixture/envs/e02.yml#L1>), [envs/e03.yml](<file:///lofting-ide-fixture/envs/e03.yml#L1>), [envs/e04.yml](<file:///lofting-ide-fixture/envs/e04.yml#L1>), [envs/e05.yml](<file:///lofting-ide-fixture/envs/e05.yml#L1>), [envs/e06.yml](<file:///lofting-ide-fixture/envs/e06.yml#L1>), [envs/e07.yml](<file:///lofting-ide-fixture/envs/e07.yml#L1>), [envs/e08.yml](<file:///lofting-ide-fixture/envs/e08.yml#L1>), [envs/e09.yml](<file:///lofting-ide-fixture/envs/e09.yml#L1>), [envs/e10.yml](<file:///lofting-ide-fixture/envs/e10.yml#L1>), [envs/e11.yml](<file:///lofting-ide-fixture/envs/e11.yml#L1>) and 8 more"#]],
    );
}

#[test]
fn without_a_schema_it_says_what_to_do_where_that_makes_sense() {
    check(
        "#- values.yml\n$0port: 81\n",
        expect![[r#"
            # values.yml
            - **Schema**: none
            - **Why**: Its name or directory says that it contains values, but neither its directory nor one above it has a document annotated `#@data/values-schema` (looked in each of them and in its `config/`, `schema/` and `ytt/`).

            To name one, write `#! lofting: schema=PATH` at the top of the file, or say in `lofting.toml` which files belong together."#]],
    );
    check(
        "#- app.yml\n$0apiVersion: v1\nkind: Pod\n",
        expect![[r#"
            # app.yml
            - **Schema**: none
            - **Why**: It is a resource (`apiVersion` and `kind` at the top) of a kind that no schema is known for: Kubernetes has none, nor has a definition or bundle of the workspace. Add its CustomResourceDefinition, or name a bundle with its schema in `lofting.toml`: `[[schemas]]` with `kubernetes`."#]],
    );
}

#[test]
fn names_from_the_workspace_mean_nothing_to_markdown() {
    check(
        "#- a*b_[c](x)/values.yml\n#! lofting: schema=![x](https://e.example/``)`\n$0port: 81\n",
        expect![[r#"
            # a\*b\_\[c\](x)/values.yml
            - **Schema**: none
            - **Why**: A comment at the top of the file names the schema `![x](https://e.example/``)``, but ytt schemas are not fetched.`
            - **Chosen in**: [a\*b\_\[c\](x)/values.yml](<file:///lofting-ide-fixture/a*b_[c](x)/values.yml#L1>)

            To name one, write `#! lofting: schema=PATH` at the top of the file, or say in `lofting.toml` which files belong together."#]],
    );
}

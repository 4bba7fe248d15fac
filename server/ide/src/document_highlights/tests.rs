use crate::document_highlights;
use crate::fixture::open;

/// Lines and columns from 0, with `=` where the value is set.
fn found(files: &str) -> Vec<String> {
    let fixture = open(files);
    let highlights = document_highlights(&fixture.snapshot, fixture.file, fixture.offset);
    let place = |offset: usize| {
        let before = &fixture.text[..offset];
        let line = before.matches('\n').count();
        format!("{line}:{}", offset - before.rfind('\n').map_or(0, |at| at + 1))
    };
    let mark = |is_write: bool| if is_write { "=" } else { "" };
    highlights.iter().map(|found| format!("{}{}", place(found.range.start), mark(found.is_write))).collect()
}

#[test]
fn names_in_code() {
    let code = "#- app.yml\n#@ x = 1\n#@ def f(x):\na: #@ x\n#@ end\nb: #@ $0x + f(x=x)\n";
    assert_eq!(found(code), ["0:3=", "4:6", "4:14"]);
    let parameter = code.replace("$0", "").replace("a: #@ x", "a: #@ $0x");
    assert_eq!(found(&parameter), ["1:9=", "2:6", "4:12"]);
    assert_eq!(found("#- app.yml\n#@ load(\"x.lib.yml\", \"y\")\na: #@ $0y(\nb: #@ y.\n"), ["0:22=", "1:6", "2:6"]);
}

#[test]
fn data_values_in_code_and_documents() {
    let schema = "#- schema.yml\n#@data/values-schema\n---\na:\n  b: 1\nb: 2\n";
    let code = "#- app.yml\n#@ load(\"@ytt:data\", \"data\")\nx: #@ data.values.a.$0b\ny: #@ data.values.a[\"b\"] + data.values.b\n";
    assert_eq!(found(&format!("{schema}{code}")), ["1:20", "2:21"]);
    let values = "#- values.yml\n#@data/values\n---\na:\n  $0b: 1\n---\n#@data/values\n---\na: {b: 2}\n";
    assert_eq!(found(&format!("{schema}{values}")), ["3:2=", "7:4="]);
}

#[test]
fn large_files_are_left_to_the_editor() {
    let schema = "#- schema.yml\n#@data/values-schema\n---\na: 1\nb: ''\n";
    let values = |text: &str| format!("{schema}#- values.yml\n#@data/values\n---\n$0a: 1\nb: {text}\n");
    assert_eq!(found(&values("x")), ["2:0="]);
    assert!(found(&values(&"x".repeat(70_000))).is_empty());
}

#[test]
fn anchors_and_aliases() {
    let yaml = "#- a.yml\na: &x 1\nb: *$0x\nc: &x 2\nd: *x\n";
    assert_eq!(found(yaml), ["0:3=", "1:3"]);
    assert_eq!(found("#- a.yml\na: &$0x 1\nb: *x\n"), ["0:3=", "1:3"]);
}

#[test]
fn fields_of_schemas_in_all_places_of_a_file() {
    let spec = |schema: &str| {
        format!(
            "#- shop.yaml\napiVersion: openchoreo.dev/v1alpha1\nkind: Trait\nmetadata: {{name: volume}}\nspec:\n  {schema}\n  \
             creates:\n  - template: {{a: '${{parameters.size}}'}}\n---\napiVersion: openchoreo.dev/v1alpha1\nkind: Component\n\
             metadata: {{name: shop}}\nspec:\n  traits:\n  - {{name: volume, instanceName: a, parameters: {{size: 1}}}}\n"
        )
    };
    let shorthand = spec("schema: {parameters: {size: integer}}");
    let open_api =
        spec("parameters: {openAPIV3Schema: {type: object, required: [size], properties: {size: {type: integer}}}}");
    let expected = ["4:24=", "6:32", "13:49="];
    assert_eq!(found(&shorthand.replace("{size: integer", "{$0size: integer")), expected);
    assert_eq!(found(&shorthand.replace("{size: 1", "{s$0ize: 1")), expected);
    assert_eq!(found(&shorthand.replace("parameters.size", "parameters.si$0ze")), expected);
    let expected = ["4:58", "4:78=", "6:32", "13:49="];
    assert_eq!(found(&open_api.replace("{size: {", "{si$0ze: {")), expected);
    // Other files are not looked at.
    let (first, second) = shorthand.split_once("---\n").unwrap_or_default();
    let apart = format!("{first}#- other.yaml\n{second}").replace("{size: 1", "{$0size: 1");
    assert_eq!(found(&apart), ["5:49="]);
}

#[test]
fn of_nothing_there_is_nothing() {
    assert!(found("#- a.yml\na: $01\n").is_empty());
    assert!(found("#- a.yml\na: #@ $0\nb: [\n").is_empty());
    assert!(found("#- values.yml\n$0name: 1\n").is_empty());
}

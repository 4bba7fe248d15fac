//! Documents of OpenAPI.

use crate::fixture::open;
use expect_test::expect;

fn labels(text: &str) -> String {
    let items = open(&format!("#- api.yaml\n{text}")).completions(true);
    items.into_iter().map(|item| item.label).collect::<Vec<_>>().join(", ")
}

#[test]
fn keys_and_values_of_each_version() {
    expect!["info, paths, externalDocs, servers, security, tags, components"]
        .assert_eq(&labels("openapi: 3.0.3\n$0\n"));
    expect!["title, version, summary, description, termsOfService, contact, license, (all keys) title, summary, description, termsOfService, …"].assert_eq(&labels("openapi: 3.1.0\ninfo:\n  $0\n"));
    expect!["array, boolean, integer, number, object, string"]
        .assert_eq(&labels("openapi: 3.0.3\ncomponents:\n  schemas:\n    Pet:\n      type: $0\n"));
    expect!["array, boolean, integer, null, number, object, string, - , []"]
        .assert_eq(&labels("openapi: 3.1.0\ncomponents:\n  schemas:\n    Pet:\n      type: $0\n"));
    expect!["query, header, path, cookie"].assert_eq(&labels(
        "openapi: 3.1.0\npaths:\n  /a:\n    get:\n      parameters:\n      - name: a\n        in: $0\n",
    ));
    expect!["$ref, format, title, description, default, multipleOf, maximum, exclusiveMaximum, minimum, exclusiveMinimum, maxLength, minLength, pattern, maxItems, minItems, uniqueItems, maxProperties, minProperties, required, enum, additionalProperties, type, items, allOf, properties, discriminator, readOnly, xml, externalDocs, example, (all keys) $ref, format, title, description, …"].assert_eq(&labels("swagger: \"2.0\"\ndefinitions:\n  Pet:\n    $0\n"));
}

//! Schemas that are written: JSON Schemas, interfaces and definitions of custom resources.

use super::{Case, Row, each, plain};

pub(super) const SHAPES: &[Row] = &[
    ("schemas that refer to each other in OpenAPI", 10_000, |n| open_api_schemas(n, |i| format!("S{}", i / 2))),
    ("references to nothing in OpenAPI", 10_000, |n| open_api_schemas(n, |i| format!("T{i}"))),
    ("parameters that paths refer to", 5_000, parameters),
    ("operations", 10_000, operations),
    ("definitions that are written", 10_000, |n| definitions(n, "", |i| format!("#/definitions/d{}", i / 2))),
    ("references to nothing in a JSON Schema", 10_000, |n| definitions(n, "", |i| format!("#/definitions/x{i}"))),
    ("references to files that are missing", 5_000, |n| definitions(n, "", |i| format!("other{i}.json"))),
    ("definitions with URIs", 10_000, |n| definitions(n, "$id: 'http://example.com/d█'", |i| format!("d{}", i / 2))),
    ("anchors in a JSON Schema", 10_000, |n| definitions(n, "$anchor: 'a█'", |i| format!("#a{}", i / 2))),
    ("dynamic anchors in a JSON Schema", 10_000, |n| dynamic(n, false)),
    ("schemas with dynamic anchors", 5_000, |n| dynamic(n, true)),
    ("required keys that are not declared", 10_000, required),
    ("misspelt keywords", 10_000, |n| {
        schema(&format!("properties:\n{}", each(n, |i| format!("  k{i}: {{tpye: string}}\n"))))
    }),
    ("columns of a custom resource", 5_000, columns),
    ("rules of a custom resource", 5_000, rules),
    ("required fields that a custom resource lacks", 5_000, required_fields),
    ("items that a custom resource repeats", 5_000, repeated_items),
    ("versions of a custom resource", 2_000, versions),
    ("patterns beside required keys", 5_000, patterns),
    ("ports that pods lack", 2_000, ports),
    ("volumes that a pod lacks", 5_000, volumes),
    ("parameters that a component type lacks", 5_000, component_parameters),
];

fn file(name: &str, text: String) -> Case {
    Case { config: vec![(name.to_owned(), text)], ..Case::default() }
}

const HEAD: &str = "openapi: 3.0.3\ninfo: {title: t, version: '1'}\npaths:";

fn open_api_schemas(n: usize, to: fn(usize) -> String) -> Case {
    let schema = |i| {
        format!(
            "    S{i}:\n      type: object\n      properties:\n        next: {{$ref: '#/components/schemas/{}'}}\n",
            to(i)
        )
    };
    file("openapi.yaml", format!("{HEAD} {{}}\ncomponents:\n  schemas:\n{}", each(n, schema)))
}

fn parameters(n: usize) -> Case {
    let path = |i| {
        format!(
            "  /p{i}:\n    get:\n      parameters: [{{$ref: '#/components/parameters/p{i}'}}]\n      \
             responses: {{'200': {{$ref: '#/components/responses/r{i}'}}}}\n"
        )
    };
    let parameter = |i| format!("    p{i}: {{name: a, in: query, schema: {{type: string}}}}\n");
    let response = |i| format!("    r{i}: {{description: x}}\n");
    let (paths, parameters, responses) = (plain(n, path), plain(n, parameter), each(n, response));
    file("openapi.yaml", format!("{HEAD}\n{paths}components:\n  parameters:\n{parameters}  responses:\n{responses}"))
}

fn operations(n: usize) -> Case {
    let path =
        |i| format!("  /p{i}:\n    get:\n      operationId: o{i}\n      responses: {{'200': {{description: x}}}}\n");
    file("openapi.yaml", format!("{HEAD}\n{}", each(n, path)))
}

fn schema(text: &str) -> Case {
    file("own.schema.yaml", text.to_owned())
}

/// Definitions with something in each, in which the mark stands for its number, and where they refer to.
fn definitions(n: usize, inside: &str, to: fn(usize) -> String) -> Case {
    let definition = |i: usize| {
        let inside = inside.replace('█', &i.to_string());
        format!("  d{i}:\n    {inside}\n    type: object\n    properties:\n      next: {{$ref: '{}'}}\n", to(i))
    };
    schema(&format!("$schema: http://json-schema.org/draft-07/schema#\ndefinitions:\n{}", each(n, definition)))
}

/// Dynamic anchors, all in one schema, or each in a schema of its own, between which there are many ways.
fn dynamic(n: usize, apart: bool) -> Case {
    let definition = |i: usize| {
        let (id, others) = if apart {
            let to = |k: usize| format!("      p{k}: {{$ref: 's{}'}}\n", (i + k) % n);
            (format!("    $id: s{i}\n"), to(1) + &to(2))
        } else {
            (String::new(), format!("      next: {{$dynamicRef: '#a{}'}}\n", i / 2))
        };
        format!("  d{i}:\n{id}    $dynamicAnchor: a{i}\n    type: object\n    properties:\n{others}")
    };
    schema(&format!("$schema: https://json-schema.org/draft/2020-12/schema\n$defs:\n{}", each(n, definition)))
}

fn required(n: usize) -> Case {
    let names = plain(n, |i| format!("r{i}, "));
    let keys = each(n, |i| format!("  k{i}: {{type: string}}\n"));
    schema(&format!("type: object\nadditionalProperties: false\nrequired: [{names}r]\nproperties:\n{keys}"))
}

fn custom_resource(n: usize, rest: &str) -> Case {
    let field = |i| format!("                f{i}: {{type: string}}\n");
    file(
        "crd.yaml",
        format!(
            "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {{name: many.example.com}}\n\
             spec:\n  group: example.com\n  names: {{kind: Many, plural: many, singular: one, listKind: ManyList}}\n  \
             scope: Namespaced\n  versions:\n    - name: v1\n      served: true\n      storage: true\n      schema:\n        \
             openAPIV3Schema:\n          type: object\n          properties:\n            spec:\n              \
             type: object\n              properties:\n{}{rest}",
            each(n, field)
        ),
    )
}

fn columns(n: usize) -> Case {
    let column = |i| format!("        - {{name: c{i}, type: string, jsonPath: .spec.f{i}}}\n");
    custom_resource(n, &format!("      additionalPrinterColumns:\n{}", plain(n, column)))
}

fn rules(n: usize) -> Case {
    let rule = |i| format!("                - {{rule: 'self.f{i} == self.f{}'}}\n", n - 1 - i);
    custom_resource(n, &format!("              x-kubernetes-validations:\n{}", plain(n, rule)))
}

fn required_fields(n: usize) -> Case {
    let name = |i| format!("                - r{i}\n");
    custom_resource(n, &format!("              required:\n{}", plain(n, name)))
}

fn repeated_items(n: usize) -> Case {
    let definition = "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nspec:\n  group: example.com\n  \
        names: {kind: Many}\n  versions:\n  - name: v1\n    schema:\n      openAPIV3Schema:\n        properties:\n          \
        spec:\n            type: object\n            properties:\n              ports:\n                type: array\n                \
        x-kubernetes-list-type: map\n                x-kubernetes-list-map-keys: [name]\n                \
        items: {type: object, required: [name], properties: {name: {type: string}}}\n";
    let ports = each(n, |i| format!("  - {{name: p{}}}\n", i % 2));
    file(
        "many.yaml",
        format!("apiVersion: example.com/v1\nkind: Many\nmetadata: {{name: a}}\nspec:\n  ports:\n{ports}"),
    )
    .and("crd.yaml", definition.to_owned())
}

fn volumes(n: usize) -> Case {
    let volume = |i| format!("  - {{name: v{i}, emptyDir: {{}}}}\n");
    let container = |i| format!("  - name: c{i}\n    image: x\n    volumeMounts: [{{name: w{i}, mountPath: /a}}]\n");
    let (volumes, containers) = (plain(n, volume), each(n, container));
    file(
        "pod.yaml",
        format!(
            "apiVersion: v1\nkind: Pod\nmetadata: {{name: a}}\nspec:\n  volumes:\n{volumes}  containers:\n{containers}"
        ),
    )
}

fn component_parameters(n: usize) -> Case {
    let parameter = |i| format!("        a{i}: {{type: string}}\n");
    let resource = |i| {
        format!(
            "    - id: r{i}\n      template: {{apiVersion: v1, kind: ConfigMap, metadata: {{name: '${{parameters.b{i}}}'}}}}\n"
        )
    };
    file(
        "type.yaml",
        format!(
            "apiVersion: openchoreo.dev/v1alpha1\nkind: ComponentType\nmetadata: {{name: t, namespace: default}}\nspec:\n  \
             workloadType: deployment\n  parameters:\n    openAPIV3Schema:\n      type: object\n      properties:\n{}  \
             resources:\n{}",
            plain(n, parameter),
            each(n, resource)
        ),
    )
}

fn versions(n: usize) -> Case {
    let version = |i| {
        format!(
            "    - {{name: v{i}, served: true, storage: {}, schema: {{openAPIV3Schema: {{type: object}}}}}}\n",
            i == 0
        )
    };
    file(
        "crd.yaml",
        format!(
            "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {{name: many.example.com}}\n\
             spec:\n  group: example.com\n  names: {{kind: Many, plural: many, singular: one, listKind: ManyList}}\n  \
             scope: Namespaced\n  versions:\n{}",
            each(n, version)
        ),
    )
}

fn patterns(n: usize) -> Case {
    let names = plain(n, |i| format!("r{i}, "));
    let patterns = each(n, |i| format!("  ^k{i}$: {{type: string}}\n"));
    schema(&format!("type: object\nrequired: [{names}r]\nproperties: {{x: {{}}}}\npatternProperties:\n{patterns}"))
}

fn ports(n: usize) -> Case {
    let service = |i| {
        format!(
            "---\napiVersion: v1\nkind: Service\nmetadata: {{name: s{i}}}\nspec:\n  selector: {{app: a}}\n  \
             ports: [{{port: 80, targetPort: http{i}}}]\n"
        )
    };
    let workload = |i| {
        format!(
            "---\napiVersion: v1\nkind: Pod\nmetadata: {{name: p{i}, labels: {{app: a}}}}\nspec:\n  \
             containers: [{{name: c, image: x, ports: [{{name: web{i}, containerPort: 80}}]}}]\n"
        )
    };
    file("services.yaml", plain(n, workload) + &each(n, service))
}

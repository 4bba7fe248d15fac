//! Small pairs of schemas with their changes; each read in both directions, and each schema compared with itself.

use lofting_diff::{Breaks, Change, Compared, Kind, Language, compare};

/// A change as one line: path, kind, keyword, whom it breaks.
fn line(change: &Change) -> String {
    let breaks = match change.breaks {
        Breaks::BOTH => "breaks both",
        Breaks { values: true, .. } => "breaks values",
        Breaks { templates: true, .. } => "breaks templates",
        Breaks::NOTHING => "",
    };
    let path = change.path.to_string();
    let path = if path.is_empty() { "(root)" } else { &path };
    let keyword = change.keyword.unwrap_or_default();
    [path, change.kind.name(), keyword, breaks].into_iter().filter(|it| !it.is_empty()).collect::<Vec<_>>().join(" ")
}

fn compared(language: Language, old: &str, new: &str) -> Compared {
    compare(language, old, new).unwrap_or_else(|problem| panic!("{problem:?}\n{old}\n---\n{new}"))
}

/// Removed and added keys may be one change in one direction.
fn mirrored(changes: &[Change]) -> Vec<(String, Option<Kind>)> {
    let kind = |kind: Kind| match kind {
        Kind::AddedRequired => Kind::AddedOptional,
        kind => kind,
    };
    let told = changes.iter().filter(|change| !matches!(change.kind, Kind::Deprecated | Kind::RenamedTo));
    let mut found: Vec<_> = told.map(|change| (change.path.to_string(), Some(kind(change.kind)))).collect();
    found.sort();
    found
}

fn check(language: Language, old: &str, new: &str, expected: &str) {
    let forwards = compared(language, old, new);
    let found: Vec<String> = forwards.changes.iter().map(line).collect();
    let expected: Vec<&str> = expected.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    assert_eq!(found, expected, "{old}\n---\n{new}");
    for text in [old, new] {
        assert_eq!(compared(language, text, text).changes, Vec::new(), "{text}");
    }
    if forwards.changes.iter().any(|change| change.kind == Kind::RenamedTo || change.assumed) {
        return;
    }
    let backwards = compared(language, new, old);
    let turned: Vec<(String, Option<Kind>)> = {
        let turned = forwards
            .changes
            .iter()
            .filter(|change| change.kind != Kind::Deprecated)
            .map(|change| (change.path.to_string(), change.kind.reversed()));
        let mut turned: Vec<_> = turned.collect();
        turned.sort();
        turned
    };
    assert_eq!(mirrored(&backwards.changes), turned, "backwards: {old}\n---\n{new}");
}

fn json(old: &str, new: &str, expected: &str) {
    check(Language::JsonSchema, old, new, expected);
}

fn ytt(old: &str, new: &str, expected: &str) {
    let head = "#@data/values-schema\n---\n";
    check(Language::Ytt, &format!("{head}{old}"), &format!("{head}{new}"), expected);
}

/// A definition with this schema below `spec`.
fn definition(schema: &str) -> String {
    format!(
        "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {{name: a.example.com}}\n\
         spec:\n  group: example.com\n  scope: Namespaced\n  names: {{kind: A, plural: as}}\n  versions:\n  - name: v1\n    \
         schema:\n      openAPIV3Schema: {{type: object, properties: {{spec: {schema}}}}}\n"
    )
}

fn crd(old: &str, new: &str, expected: &str) {
    check(Language::Crd, &definition(old), &definition(new), expected);
}

#[test]
fn keys() {
    json("{properties: {a: {}}}", "{properties: {b: {type: string}}}", "a removed breaks templates\n b added-optional");
    json(
        "{properties: {a: {}, c: {}}, additionalProperties: false}",
        "{properties: {c: {}}, additionalProperties: false}",
        "a removed breaks both",
    );
    // Another rule governs the key now: it takes the same values, or fewer.
    let with = |rule: &str| format!("{{additionalProperties: {{type: {rule}}}}}");
    let also = |rule: &str| format!("{{properties: {{a: {{type: string}}}}, additionalProperties: {{type: {rule}}}}}");
    json(&also("string"), &with("string"), "a removed breaks templates");
    json(&also("integer"), &with("integer"), "a removed breaks both");
    json("{}", "{required: [a], properties: {a: {}}}", "a added-required breaks values");
    json("{properties: {a: {}}}", "{required: [a], properties: {a: {}}}", "a became-required breaks values");
    json("{required: [a]}", "{}", "a became-optional breaks templates");
    json("{properties: {a.b: {}}}", "{}", "a\\.b removed breaks templates");
    crd(
        "{type: object, properties: {a: {type: string}, b: {type: string}}}",
        "{type: object, properties: {b: {type: string}}}",
        "spec.a removed breaks both",
    );
    crd("{type: object, properties: {a: {type: string}}}", "{type: object}", "spec.a removed breaks both");
    let required =
        |default: &str| format!("{{type: object, required: [a], properties: {{a: {{type: string{default}}}}}}}");
    crd("{type: object, properties: {}}", &required(", default: x"), "spec.a added-required");
    crd("{type: object, properties: {}}", &required(""), "spec.a added-required breaks values");
    crd(&required(", default: x"), &required(""), "spec.a default-removed breaks both");
    ytt("a: 1\nb: 2\n", "a: 1\n", "b removed breaks both");
    // Its default breaks its own rule, so that everyone has to set it.
    ytt("a: 1\n", "a: 1\n#@schema/validation min_len=1\nb: \"\"\n", "b added-optional breaks values");
    ytt("a: 1\n", "a: 1\n#@schema/validation min_len=1\nb: \"x\"\n", "b added-optional");
    ytt("#@schema/validation min=1\na: 1\n", "#@schema/validation min=1\na: 0\n", "a default-changed breaks values");
}

#[test]
fn types() {
    json("{type: string}", "{type: [string, integer]}", "(root) widened type breaks templates");
    json("{type: [string, integer]}", "{type: integer}", "(root) narrowed type breaks values");
    json("{type: integer}", "{type: number}", "(root) widened type breaks templates");
    json("{type: object, properties: {a: {}}}", "{type: array}", "(root) type-changed breaks both");
    json("{type: string}", "{type: [string, \"null\"]}", "(root) nullable breaks templates");
    json("{}", "{type: string}", "(root) narrowed type breaks values");
    json(
        "{type: \"null\"}",
        "{type: object}",
        "(root) widened type breaks templates\n (root) not-nullable breaks values",
    );
    // A list of alternatives is a type as well.
    json("{type: [string, integer]}", "{anyOf: [{type: string}, {type: integer}]}", "");
    ytt(
        "a: [x]\n",
        "#@schema/type any=True\na: []\n",
        "a[] removed breaks templates\n a widened type breaks templates",
    );
    ytt("a: 1\n", "a: x\n", "a type-changed breaks both\n a default-changed");
    ytt("a: x\n", "#@schema/nullable\na: x\n", "a nullable breaks templates\n a default-changed");
    ytt("a: {b: 1}\n", "#@schema/nullable\na: {b: 1}\n", "a nullable breaks templates");
}

#[test]
fn bounds() {
    let pairs = [
        ("minimum: 1", "minimum: 2", "minimum"),
        ("maximum: 2", "maximum: 1.5", "maximum"),
        ("", "exclusiveMinimum: 0", "exclusiveMinimum"),
        ("minLength: 1", "minLength: 2", "minLength"),
        ("", "maxLength: 2", "maxLength"),
        ("pattern: '^a'", "pattern: '^ab'", "pattern"),
        ("", "pattern: '^ab'", "pattern"),
        ("", "uniqueItems: true", "uniqueItems"),
        ("multipleOf: 2", "multipleOf: 4", "multipleOf"),
        ("", "enum: [1, 2]", "enum"),
        ("", "const: 1", "const"),
        ("properties: {b: {}}", "properties: {b: {}}, additionalProperties: false", "additionalProperties"),
        ("", "not: {type: string}", "not"),
        ("", "anyOf: [{required: [x]}, {required: [y]}]", "anyOf"),
        ("propertyNames: {pattern: '^a'}", "propertyNames: {pattern: '^aa'}", "propertyNames"),
        ("not: {maximum: 2}", "not: {maximum: 3}", "not"),
    ];
    for (wide, narrow, keyword) in pairs {
        let schema = |text: &str| format!("{{properties: {{a: {{{text}}}}}}}");
        let kind = |change: &Change| (change.kind, change.keyword, change.breaks, change.path.to_string());
        let there: Vec<_> = compared(Language::JsonSchema, &schema(wide), &schema(narrow)).changes;
        let back: Vec<_> = compared(Language::JsonSchema, &schema(narrow), &schema(wide)).changes;
        let of = |kind, breaks| vec![(kind, Some(keyword), breaks, "a".to_owned())];
        assert_eq!(there.iter().map(kind).collect::<Vec<_>>(), of(Kind::Narrowed, Breaks::VALUES), "{narrow}");
        assert_eq!(back.iter().map(kind).collect::<Vec<_>>(), of(Kind::Widened, Breaks::NOTHING), "{narrow}");
    }
    // A bound that refuses nothing that another one accepts.
    json("{minimum: 5}", "{minimum: 5, minLength: 0}", "");
    json("{type: integer, minimum: 5}", "{type: integer, exclusiveMinimum: 4}", "");
    json("{minimum: 5}", "{exclusiveMinimum: 5}", "(root) narrowed exclusiveMinimum breaks values");
    json("{enum: [a, b]}", "{enum: [b, c]}", "(root) enum-value-removed breaks values\n (root) enum-value-added");
    json("{enum: [a, b]}", "{enum: [b, a]}", "");
    json("{const: 1}", "{const: 1.0}", "");
    // For a value of several types, a length is for one of them.
    json(
        "{type: [string, array], maxItems: 3}",
        "{type: [string, array], maxItems: 2}",
        "(root) narrowed maxItems breaks values",
    );
    ytt(
        "#@schema/validation max_len=3\na: x\n",
        "#@schema/validation max_len=2\na: x\n",
        "a narrowed maxLength breaks values",
    );
    ytt(
        "a: x\n",
        "#@schema/validation (\"short\", lambda v: len(v) < 3)\na: x\n",
        "a narrowed validation breaks values",
    );
    // Values that are described in another way are the same values.
    json("{title: a, description: b}", "{title: c, examples: [1], $comment: d}", "");
}

#[test]
fn defaults_and_notices() {
    json("{default: 1}", "{default: 2}", "(root) default-changed");
    json("{}", "{default: 2}", "(root) default-added");
    json("{default: 2}", "{}", "(root) default-removed breaks templates");
    json("{}", "{deprecated: true}", "(root) deprecated");
    ytt("a: 1\n", "#@schema/deprecated \"use b\"\na: 1\n", "a deprecated");
}

#[test]
fn references_and_alternatives() {
    // A definition is compared wherever it is used, and a schema that refers to itself ends.
    let list = |value: &str| {
        format!(
            "{{$ref: '#/$defs/l', $defs: {{l: {{properties: {{v: {{type: {value}}}, next: {{$ref: '#/$defs/l'}}}}}}}}}}"
        )
    };
    let found = compared(Language::JsonSchema, &list("string"), &list("integer")).changes;
    let paths: Vec<String> = found.iter().map(|change| change.path.to_string()).collect();
    assert_eq!(paths, ["v", "next.v", "next.next.v", "next.next.next.v", "next.next.next.next.v"]);
    json(
        "{allOf: [{properties: {a: {type: string}}}], properties: {b: {}}}",
        "{properties: {a: {type: string}, b: {}}}",
        "",
    );
    json(
        "{anyOf: [{type: string}, {type: object, properties: {a: {type: string}}}]}",
        "{anyOf: [{type: object, properties: {a: {type: integer}}}, {type: string}]}",
        "a type-changed breaks both",
    );
    json(
        "{items: {enum: [a]}, additionalProperties: {minimum: 1}}",
        "{items: {enum: [a, b]}, additionalProperties: {minimum: 2}}",
        "[] enum-value-added\n * narrowed minimum breaks values",
    );
}

/// Each of these was called safe once: see `safe.rs`.
#[test]
fn what_looks_wider_may_refuse_more() {
    for (old, new) in [
        ("{}", "items: {type: integer}"),
        ("{}", "additionalProperties: {type: integer}"),
        ("{}", "prefixItems: [{type: integer}]"),
        ("oneOf: [{type: object}, true]", "oneOf: [{}, true]"),
        ("{patternProperties: {^a: {}}, additionalProperties: {minimum: 3}}", "additionalProperties: {minimum: 3}"),
        ("{anyOf: [{properties: {a: {}}}], unevaluatedProperties: false}", "unevaluatedProperties: false"),
        ("not: {pattern: '^(?!a)'}", "not: {pattern: ^a}"),
        ("not: {const: 1}", "not: {const: 2}"),
    ] {
        let changes = compared(Language::JsonSchema, old, new).changes;
        assert!(changes.iter().any(|change| change.breaks.values), "{old}\n{new}\n{changes:?}");
    }
}

#[test]
fn new_names() {
    let renamed = |language, old: &str, new: &str| -> Vec<(String, String, u8)> {
        let changes = compared(language, old, new).changes;
        let name = |change: &Change| {
            let renamed = change.renamed.as_ref()?;
            Some((change.path.to_string(), renamed.to.to_string(), renamed.certainty))
        };
        changes.iter().filter_map(name).collect()
    };
    let found = renamed(
        Language::JsonSchema,
        "{properties: {a: {properties: {create_namespace: {type: boolean}, other: {type: string}}}}}",
        "{properties: {a: {properties: {createNamespace: {type: boolean}, fresh: {type: integer}}}}}",
    );
    assert_eq!(found.len(), 1, "{found:?}");
    assert_eq!((found[0].0.as_str(), found[0].1.as_str()), ("a.create_namespace", "a.createNamespace"));
    // Two flags that have nothing in common but their type.
    let flags = |name: &str| format!("{{properties: {{x: {{}}, {name}: {{type: boolean}}, y: {{}}}}}}");
    assert_eq!(renamed(Language::JsonSchema, &flags("debug"), &flags("colour")), []);
    json(
        "{properties: {old: {type: string}}}",
        "{properties: {fresh: {type: string, description: 'formerly called old'}}}",
        "old renamed-to breaks templates\n fresh added-optional",
    );
}

#[test]
fn custom_resources_and_interfaces() {
    let schema = definition("{type: object, properties: {a: {type: string}}}");
    check(Language::Crd, &schema, &schema.replace("Namespaced", "Cluster"), "(root) scope-changed breaks values");
    check(
        Language::Crd,
        &schema,
        &schema.replace("name: v1\n", "name: v2\n"),
        "(root) version-removed breaks both\n (root) version-added",
    );
    let described = |body: &str| {
        format!(
            "openapi: 3.0.3\ninfo: {{title: t, version: '1'}}\npaths:\n  /a:\n    post:\n      requestBody:\n        \
             $ref: '#/components/requestBodies/b'\n      responses: {{}}\ncomponents:\n  requestBodies:\n    b:\n      \
             content: {{application/json: {{schema: {{$ref: '#/components/schemas/s'}}}}}}\n  schemas:\n    s: {body}\n"
        )
    };
    check(
        Language::OpenApi,
        &described("{type: object, properties: {x: {type: string, nullable: true}}}"),
        &described("{type: object, properties: {x: {type: string}}}"),
        "x not-nullable breaks values",
    );
    let compared = compared(Language::OpenApi, &described("{type: string}"), &described("{type: integer}"));
    assert_eq!(compared.changes[0].part.operation.as_deref(), Some("POST /a"));
    assert_eq!(compared.changes[0].part.media_type.as_deref(), Some("application/json"));
}

/// A document of OpenChoreo with a schema.
fn component_type(slot: &str, schema: &str) -> String {
    format!(
        "apiVersion: openchoreo.dev/v1alpha1\nkind: ComponentType\nmetadata: {{name: web}}\nspec:\n  workloadType: deployment\n  \
         {slot}:\n    openAPIV3Schema: {schema}\n"
    )
}

#[test]
fn parameters_of_openchoreo() {
    let typed = |schema: &str| component_type("parameters", schema);
    let check = |old: &str, new: &str, expected: &str| check(Language::OpenChoreo, old, new, expected);
    check(
        &typed("{type: object, properties: {a: {type: integer, maximum: 9}, b: {type: string}}}"),
        &typed("{type: object, properties: {a: {type: integer, maximum: 5}}}"),
        "b removed breaks templates\na narrowed maximum breaks values",
    );
    // Where nothing undeclared is kept, it is refused.
    let closed = "{type: object, additionalProperties: false, properties: {a: {type: integer}, b: {type: string}}}";
    check(&typed(closed), &typed(&closed.replace(", b: {type: string}", "")), "b removed breaks both");
    let compared = compared(
        Language::OpenChoreo,
        &typed("{type: object, properties: {a: {type: integer}}}"),
        &typed("{type: object, properties: {a: {type: string}}}"),
    );
    assert_eq!(compared.changes[0].part.component.as_deref(), Some("parameters"));
    let other = component_type("environmentConfigs", "{type: object, properties: {a: {type: integer}}}");
    let (a, b) = (typed("{type: object, properties: {a: {type: integer}}}"), other.replace("name: web", "name: api"));
    check(&format!("{a}---\n{b}"), &a, "(root) removed breaks both");
    // A type without a schema for values ignores them.
    let slots = format!(
        "{a}  environmentConfigs:\n    openAPIV3Schema: {{type: object, properties: {{b: {{type: string}}}}}}\n"
    );
    check(&slots, &a, "(root) removed breaks templates");
    let needy = b.replace("properties", "required: [a], properties");
    check(&a, &format!("{a}---\n{needy}"), "(root) added-required breaks values");
}

/// The first part of a name is compared with the first one, so that a schema is always equal to itself.
#[test]
fn parts_with_one_name() {
    let (a, b) = ("{type: object, properties: {a: {type: string}}}", "{type: object, properties: {b: {type: string}}}");
    let version = |schema: &str| {
        let whole = definition(schema);
        whole[whole.find("  - name").expect("a version")..].to_owned()
    };
    let twice = |one: &str, other: &str| definition(one) + &version(other);
    check(Language::Crd, &twice(a, b), &twice(a, b), "");
    check(Language::Crd, &twice(a, b), &twice(a, "{type: object}"), "spec.b removed breaks both");
    check(Language::Crd, &twice(a, b), &definition(a), "(root) version-removed breaks both");
    let typed = |schema: &str| component_type("parameters", schema);
    let twice = |one: &str, other: &str| format!("{}---\n{}", typed(one), typed(other));
    check(Language::OpenChoreo, &twice(a, b), &twice(a, b), "");
    check(Language::OpenChoreo, &twice(a, b), &typed(a), "(root) removed breaks both");
    let described = |bodies: &str| {
        format!("openapi: 3.0.3\ninfo: {{title: t, version: '1'}}\npaths: {{}}\ncomponents:\n  schemas:\n{bodies}")
    };
    let twice = described(&format!("    s: {a}\n    s: {b}\n"));
    check(Language::OpenApi, &twice, &twice, "");
}

#[test]
fn what_is_no_schema_is_refused() {
    for (language, text) in [
        (Language::Ytt, "a: 1\n"),
        (Language::JsonSchema, "- 1\n"),
        (Language::JsonSchema, ""),
        (Language::Crd, "kind: ConfigMap\n"),
        (Language::OpenApi, "a: 1\n"),
        (Language::OpenChoreo, "apiVersion: openchoreo.dev/v1alpha1\nkind: Project\n"),
        (Language::JsonSchema, "{a: [}"),
    ] {
        let good = match language {
            Language::JsonSchema => "{}".to_owned(),
            Language::Ytt => "#@data/values-schema\n---\na: 1\n".to_owned(),
            Language::Crd => definition("{type: object}"),
            Language::OpenApi => "openapi: 3.0.0\n".to_owned(),
            Language::OpenChoreo => component_type("parameters", "{type: object}"),
        };
        assert!(compare(language, text, &good).is_err_and(|problem| !problem.in_new), "{text}");
        assert!(compare(language, &good, text).is_err_and(|problem| problem.in_new), "{text}");
    }
}

#[test]
fn languages_are_told_by_what_is_written() {
    for (text, language) in [
        ("#@data/values-schema\n---\na: 1\n", Some(Language::Ytt)),
        ("openapi: 3.1.0\n", Some(Language::OpenApi)),
        ("swagger: '2.0'\n", Some(Language::OpenApi)),
        ("{\"$schema\": \"https://json-schema.org/draft/2020-12/schema\"}", Some(Language::JsonSchema)),
        ("type: object\n", Some(Language::JsonSchema)),
        (&definition("{}"), Some(Language::Crd)),
        (&component_type("parameters", "{}"), Some(Language::OpenChoreo)),
        ("apiVersion: openchoreo.dev/v1alpha1\nkind: Project\n", None),
        ("a: 1\n", None),
        ("", None),
    ] {
        assert_eq!(Language::of(text), language, "{text}");
    }
}

#[test]
fn the_manual_has_all_kinds() {
    let page = include_str!("../../../docs/diff.md");
    let rows: String = Kind::ALL.iter().map(|(_, name, meaning)| format!("| `{name}` | {meaning} |\n")).collect();
    let table = format!("<!-- kinds -->\n| kind | meaning |\n| --- | --- |\n{rows}<!-- /kinds -->\n");
    assert!(page.contains(&table), "the table in docs/diff.md has to be:\n{table}");
}

/// Every schema of the examples and of the conformance cases: compared with itself, nothing changed.
#[test]
fn schemas_of_the_repository_equal_themselves() {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut todo = vec![root.join("examples"), root.join("tests/conformance")];
    let mut compared_with_itself = 0;
    while let Some(folder) = todo.pop() {
        for entry in std::fs::read_dir(&folder).expect("a folder").flatten() {
            let path = entry.path();
            if path.is_dir() {
                todo.push(path);
                continue;
            }
            let Ok(text) = std::fs::read_to_string(&path) else { continue };
            let Some(language) = Language::of(&text) else { continue };
            if let Ok(compared) = compare(language, &text, &text) {
                assert_eq!(compared.changes, Vec::new(), "{}", path.display());
                compared_with_itself += 1;
            }
        }
    }
    assert!(compared_with_itself > 300, "{compared_with_itself}");
}

/// Schemas that would take forever if paths were followed one by one, or if everything were compared with everything.
#[test]
fn work_is_bounded() {
    // What reads schemas may recurse as deeply as documents nest; the program has threads with room for it.
    let thread = std::thread::Builder::new().stack_size(lofting_eval::STACK).spawn(bounded_work);
    thread.expect("a thread").join().expect("no panic");
}

fn bounded_work() {
    let start = std::time::Instant::now();
    // Each node refers to two others, and back.
    let web = |kind: &str| {
        let node = |at: usize| {
            let (one, two) = ((at + 1) % 60, (at + 7) % 60);
            format!(
                "n{at}: {{properties: {{v: {{type: {kind}}}, a: {{$ref: '#/$defs/n{one}'}}, b: {{$ref: '#/$defs/n{two}'}}}}}}"
            )
        };
        let nodes: Vec<String> = (0..60).map(node).collect();
        format!("{{$ref: '#/$defs/n0', $defs: {{{}}}}}", nodes.join(", "))
    };
    let found = compared(Language::JsonSchema, &web("string"), &web("integer"));
    assert!(found.is_cut && !found.changes.is_empty());
    assert!(compared(Language::JsonSchema, &web("string"), &web("string")).changes.is_empty());
    // Cycles of lengths without a common factor.
    let cycle = |length: usize| {
        let node = |at: usize| format!("n{at}: {{properties: {{a: {{$ref: '#/$defs/n{}'}}}}}}", (at + 1) % length);
        let nodes: Vec<String> = (0..length).map(node).collect();
        format!("{{$ref: '#/$defs/n0', $defs: {{{}}}}}", nodes.join(", "))
    };
    assert!(compared(Language::JsonSchema, &cycle(997), &cycle(1009)).is_cut);
    // Deeply nested, and many patterns that are hard to compare.
    let deep = |value: &str| format!("{}{value}{}", "{items: ".repeat(1_500), "}".repeat(1_500));
    assert_eq!(compared(Language::JsonSchema, &deep("{type: string}"), &deep("{type: integer}")).changes.len(), 1);
    let hard = |last: &str| {
        let pattern = |at: usize| format!("k{at}: {{pattern: '(a|b)*a(a|b){{12}}{at}{last}'}}");
        let keys: Vec<String> = (0..400).map(pattern).collect();
        format!("{{properties: {{{}}}}}", keys.join(", "))
    };
    assert_eq!(compared(Language::JsonSchema, &hard("x"), &hard("y")).changes.len(), 400);
    assert!(start.elapsed().as_secs() < 120, "{:?}", start.elapsed());
}

/// Twice the keys cost about twice the time, whatever happened to them.
#[test]
fn time_grows_with_the_number_of_keys() {
    let keys = |count: usize, name: &str, kind: &str| {
        let keys: Vec<String> = (0..count).map(|at| format!("{name}{at}: {{type: {kind}}}")).collect();
        format!("{{properties: {{{}}}, additionalProperties: false}}", keys.join(", "))
    };
    for (name, kind, expected) in [("k", "string", 0), ("k", "integer", 1), ("other", "string", 2)] {
        let time = |count: usize| {
            let (old, new) = (keys(count, "k", "string"), keys(count, name, kind));
            let start = std::time::Instant::now();
            assert_eq!(compared(Language::JsonSchema, &old, &new).changes.len(), count * expected);
            start.elapsed()
        };
        let (few, many) = (time(1_250), time(10_000));
        // Eight times the keys; a busy machine may be several times slower.
        assert!(many < few * 40 + std::time::Duration::from_secs(2), "{name} {kind}: {few:?} {many:?}");
    }
}

/// A key that had to be there, and may now hold less than anything, is a rule that old values can break.
#[test]
fn a_key_that_was_required_before_it_was_declared() {
    let schema = |more: &str| {
        format!("{{\"$schema\": \"https://json-schema.org/draft/2020-12/schema\", \"required\": [\"a\"]{more}}}")
    };
    let declared = schema(", \"properties\": {\"a\": {\"type\": \"string\"}}");
    check(Language::JsonSchema, &schema(""), &declared, "a added-optional breaks values");
    let anything = schema(", \"properties\": {\"a\": {\"description\": \"x\"}}");
    check(Language::JsonSchema, &schema(""), &anything, "a added-optional");
    let strings = schema(", \"additionalProperties\": {\"type\": \"string\"}");
    let both =
        schema(", \"additionalProperties\": {\"type\": \"string\"}, \"properties\": {\"a\": {\"type\": \"string\"}}");
    check(Language::JsonSchema, &strings, &both, "a added-optional");
}

/// What matches none of the patterns was accepted, and is refused.
#[test]
fn a_map_is_closed_while_patterns_are_added() {
    let schema = |said: &str| format!("{{$schema: https://json-schema.org/draft/2020-12/schema, {said}}}");
    let closed = schema("additionalProperties: false, patternProperties: {b$: true}");
    let expected = "* added-optional\n(root) narrowed additionalProperties breaks values";
    check(Language::JsonSchema, &schema("title: x"), &closed, expected);
    let wider = schema("additionalProperties: false, patternProperties: {a|b: {type: string}}");
    let (open, expected) = (
        schema("patternProperties: {a: {type: string}}"),
        "(root) widened patternProperties\n(root) narrowed additionalProperties breaks values",
    );
    check(Language::JsonSchema, &open, &wider, expected);
}

/// What a condition looks at is not left for `unevaluatedItems`.
#[test]
fn a_rule_for_the_rest_becomes_one_for_all() {
    let schema = |said: &str| format!("{{$schema: https://json-schema.org/draft/2020-12/schema, {said}}}");
    let old = schema("if: {items: {minimum: 1}}, unevaluatedItems: false");
    let new = schema("items: {additionalProperties: false}");
    let found = compared(Language::JsonSchema, &old, &new);
    assert!(found.changes.iter().any(|change| change.breaks.values), "{:?}", found.changes);
    let (old, new) = (
        schema("if: {properties: {a: {minimum: 1}}}, unevaluatedProperties: false"),
        schema("additionalProperties: false"),
    );
    let found = compared(Language::JsonSchema, &old, &new);
    assert!(found.changes.iter().any(|change| change.breaks.values), "{:?}", found.changes);
}

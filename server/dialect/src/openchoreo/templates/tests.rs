use super::super::OpenChoreo;
use super::segment::{Segment, segments};
use crate::inside::{Own, OwnSchema, TextPlace};
use crate::{Dialect, DocumentsView, Earlier, ReadsSchemas, ReadsTexts, Recognises, Role, SchemaPart};
use lofting_diagnostic::Diagnostic;
use lofting_document::{FileId, Key, Options, lower};
use lofting_overlay::NoFunctions;
use lofting_schema::Step;
use std::sync::Arc;

const HEAD: &str = "apiVersion: openchoreo.dev/v1alpha1
kind: ComponentType
metadata: {name: web}
spec:
  workloadType: deployment
  schema:
    types:
      Volume: {path: string, size: integer}
    parameters:
      port: integer
      enabled: boolean | default=true
      volumes: '[]Volume | default=[]'
      labels: map<string> | default={}
    envOverrides:
      replicas: integer | default=1
  resources:
";

/// Calls `ask` with a file and what the language claims in it.
fn with_own<R>(text: &str, ask: impl FnOnce(&DocumentsView<'_>, &Own<'_>) -> R) -> R {
    let tree = lofting_syntax::parse(text);
    let documents = lower(FileId(0), &tree, OpenChoreo.profile(), Options::default());
    let view = DocumentsView { tree: &tree, documents: &documents };
    let claims = OpenChoreo.claims(&view);
    let mut schemas = Vec::new();
    for (number, claim) in claims.iter().enumerate().filter(|(_, claim)| matches!(claim.role, Role::Schema(_))) {
        let part = SchemaPart { document: &documents.documents[claim.document], claim: Some(claim), tree: Some(&tree) };
        schemas.push((number, Arc::new(OpenChoreo.read(&[part], &NoFunctions).schema)));
    }
    let schemas: Vec<_> = schemas.iter().map(|(number, schema)| (*number, schema as &dyn OwnSchema)).collect();
    ask(&view, &Own { claims: &claims, schemas: &schemas })
}

/// The strings with errors, each with its message.
fn found(resources: &str) -> Vec<String> {
    let text = format!("{HEAD}{resources}");
    let found = with_own(&text, |view, own| OpenChoreo.findings(view, own, &mut Earlier::default()));
    let found = found.iter().filter(|found| !is_of_structure(found));
    found.map(|found| format!("{} {} {}", found.rule.name(), &text[found.span.range()], found.message)).collect()
}

/// Templates and loops here are not whole.
fn is_of_structure(found: &Diagnostic) -> bool {
    matches!(found.rule.name(), "template-resource" | "patch-operation" | "loop-name")
}

#[test]
fn what_is_wrong_stands_where_it_is_written() {
    for (value, expected) in [
        ("${parameters.prot}", "unknown-field prot the schema declares no field `prot` here"),
        ("'a ${parameters.port} b ${parameters.prt}'", "unknown-field prt the schema declares no field `prt` here"),
        ("\"\\t${parameters.\\x70rot}\"", "unknown-field \\x70rot the schema declares no field `prot` here"),
        ("|\n        ${parameters\n        .prot}", "unknown-field prot the schema declares no field `prot` here"),
        ("${parameters[\"prot\"]}", "unknown-field prot the schema declares no field `prot` here"),
        ("${parameters.volumes[0]['paht']}", "unknown-field paht the schema declares no field `paht` here"),
        (
            "${parameters['port'] + 'a'}",
            "expression-type parameters['port'] + 'a' this operator cannot be used between a number and a string",
        ),
        ("${parmeters.port}", "unknown-variable parmeters there is no variable `parmeters`"),
        ("${envOverrides.replica}", "unknown-field replica the schema declares no field `replica` here"),
        ("${parameters.port + }", "expression-syntax + a value is missing here"),
        ("${}", "expression-syntax ${} a value is missing here"),
        (
            "a ${parameters.port",
            "expression-syntax ${ this `${` is not closed, so it is plain text instead of an expression",
        ),
        ("${oc_omitt()}", "unknown-function oc_omitt there is no function `oc_omitt`"),
        ("[{deep: '${parameters.port.a}'}]", "expression-type .a this is a field of a number, which has no fields"),
    ] {
        assert_eq!(found(&format!("  - id: a\n    template:\n      x: {value}\n")), [expected], "{value}");
    }
}

/// Values of the platform have their own methods, which differ between releases, so only misspellings are reported.
#[test]
fn methods_of_the_platform_are_its_own() {
    let receivers = ["configurations", "dependencies", "connections", "workload", "dataplane", "environment.gateway"];
    let methods = [
        "toContainerEnv",
        "toContainerEnvs",
        "toContainerEnvFrom",
        "toContainerEnvsByContainer",
        "toSecretFileList",
        "toVolumes",
        "toServicePorts",
        "toEndpointResources",
        "renderedManifests",
    ];
    for receiver in receivers {
        let unknown = |method: &str| {
            let found = found(&format!("  - id: a\n    template:\n      x: ${{{receiver}.{method}()}}\n"));
            found.iter().any(|found| found.starts_with("unknown-function"))
        };
        for method in methods {
            assert!(!unknown(method), "{receiver}.{method}");
        }
    }
    let text = "  - id: a\n    template:\n      x: ${configurations.lowerAsci()}\n";
    assert_eq!(found(text), ["unknown-function lowerAsci there is no function `lowerAsci`"]);
}

#[test]
fn keys_beside_a_template_take_one_expression() {
    for (entry, expected) in [
        ("includeWhen: ${parameters.enabled}", None),
        ("includeWhen: |\n      ${parameters.enabled}", None),
        ("includeWhen: parameters.on", Some("not-an-expression")),
        ("includeWhen: '${parameters.enabled} '", None),
        ("includeWhen: a ${parameters.enabled}", Some("not-an-expression")),
        ("includeWhen: ${parameters.enabled}${parameters.enabled}", Some("not-an-expression")),
        ("includeWhen: ${parameters.port}", Some("expression-type")),
        ("forEach: ${parameters.volumes}", None),
        ("forEach: ${parameters.labels}", None),
        ("forEach: ${parameters.port}", Some("expression-type")),
        ("forEach: ${workload.endpoints}", None),
    ] {
        let found = found(&format!("  - id: a\n    {entry}\n    template: {{}}\n"));
        let codes: Vec<&str> = found.iter().filter_map(|found| found.split(' ').next()).collect();
        assert_eq!(codes, expected.into_iter().collect::<Vec<_>>(), "{entry}");
    }
    // Inside templates, such keys belong to the user.
    assert!(found("  - id: a\n    template: {rule: a, includeWhen: b, forEach: c}\n").is_empty());
}

/// The findings in a document of this kind with this spec.
fn in_spec(kind: &str, spec: &str) -> Vec<String> {
    let text = format!("apiVersion: openchoreo.dev/v1alpha1\nkind: {kind}\nmetadata: {{name: web}}\nspec:\n{spec}");
    [text.clone(), text.replace("spec:\n", "spec: &named\n")]
        .map(|text| {
            let found = with_own(&text, |view, own| OpenChoreo.findings(view, own, &mut Earlier::default()));
            let found = found.iter().filter(|found| !is_of_structure(found));
            found.map(|found| format!("{} {}", found.rule.name(), &text[found.span.range()])).collect::<Vec<_>>()
        })
        .into_iter()
        .reduce(|plain, named| {
            assert_eq!(plain, named, "{spec}");
            plain
        })
        .unwrap_or_default()
}

const PARAMETERS: &str = "  parameters: {openAPIV3Schema: {type: object, properties: {free: {type: boolean}}}}\n";

#[test]
fn only_conditions_are_outside_of_loops() {
    let spec = |key: &str| {
        format!(
            "{PARAMETERS}  postRenderValidations:\n  - forEach: '${{[true]}}'\n    var: it\n    {key}\n    message: m\n"
        )
    };
    for inside in ["rule: '${it}'", "target: {kind: A, where: '${it}'}", "target: {kind: A, where: '${it && it}'}"] {
        assert!(in_spec("Trait", &spec(inside)).is_empty(), "{inside}");
    }
    assert_eq!(in_spec("Trait", &spec("when: '${it}'")), ["unknown-variable it"]);
}

#[test]
fn messages_and_kinds_are_no_templates() {
    let spec = "  validations:\n  - rule: '${true}'\n    message: 'Use ${a.b + }'\n  patches:\n  - target: \
                {kind: '${a}', group: '${a}', version: '${a', where: '${b}'}\n    \
                operations: [{value: '${c}', message: '${d}'}]\n";
    assert_eq!(in_spec("Trait", spec), ["unknown-variable b", "unknown-variable c", "unknown-variable d"]);
}

#[test]
fn conditions_of_workflows_may_be_empty() {
    let spec = "  resources:\n  - id: a\n    includeWhen: ''\n    template: {}\n";
    assert!(in_spec("Workflow", spec).is_empty());
    assert_eq!(in_spec("ComponentType", spec), ["not-an-expression ''"]);
}

/// The platform checks most expressions of component types and traits when they are submitted, with the types that the
/// schema declares. Others, and those of older documents, have the types of their values.
#[test]
fn objects_are_no_maps_where_the_platform_checks_types() {
    const OBJECT: &str = "{type: object, properties: {a: {type: object, properties: {b: {type: number}}}, \
                          free: {type: object}, any: {}, list: {type: array, items: {type: string}}}}";
    let parameters = format!("  parameters: {{openAPIV3Schema: {OBJECT}}}\n");
    let template = |text: &str| format!("{parameters}  resources:\n  - id: a\n    template: {{x: '${{{text}}}'}}\n");
    let of = |text: &str| in_spec("ComponentType", &template(text));
    for text in ["parameters.a.b == 1.0", "dyn(parameters)[\"a\"]", "parameters.a == parameters.a", "parameters.free"] {
        assert!(of(text).is_empty(), "{text}: {:?}", of(text));
    }
    for (text, expected) in [
        ("parameters[\"a\"]", "expression-type parameters[\"a\"]"),
        ("\"b\" in parameters.a", "expression-type \"b\" in parameters.a"),
        ("parameters.a.map(k, k)", "expression-type parameters.a"),
        ("parameters.a.b + 1", "expression-type parameters.a.b + 1"),
        ("parameters.free.x", "unknown-field x"),
        ("parameters.any", "untyped-field any"),
        ("metadata[\"name\"]", "expression-type metadata[\"name\"]"),
        ("size(1)", "expression-type size(1)"),
        ("metadata.name + 1", "expression-type metadata.name + 1"),
    ] {
        assert_eq!(of(text), [expected], "{text}");
    }
    assert_eq!(in_spec("ComponentType", &template("1").replace("x:", "'${1}':")), ["expression-type 1"]);
    // Workflows are checked when they run.
    let workflow = |text: &str| in_spec("Workflow", &template(text));
    assert!(workflow("parameters[\"a\"].b + 1").is_empty());
    assert_eq!(workflow("size(1) + math.cube(2)"), ["unknown-function cube"]);
    assert_eq!(workflow("size(1)"), ["expression-type size(1)"]);
    // So is the path of an operation.
    let operation = |path: &str, value: &str| {
        format!("{parameters}  patches:\n  - operations: [{{op: add, path: '{path}', value: '{value}'}}]\n")
    };
    assert!(in_spec("Trait", &operation("/${parameters[\"a\"]}", "${parameters.list}")).is_empty());
    assert_eq!(in_spec("Trait", &operation("${parameters.list}", "")), ["expression-type parameters.list"]);
    assert_eq!(in_spec("Trait", &operation("/a", "${parameters[\"a\"]}")).len(), 1);
    // What a loop goes through is declared as well.
    let over = |list: &str, text: &str| {
        let spec =
            format!("  resources:\n  - id: a\n    forEach: '${{{list}}}'\n    var: it\n    template: '${{{text}}}'\n");
        in_spec("ComponentType", &format!("{parameters}{spec}"))
    };
    assert!(over("parameters.list", "it + string(1)").is_empty());
    assert!(over("{\"a\": 1}", "it.key + string(it.value)").is_empty());
    assert_eq!(over("parameters.a", "it"), ["expression-type parameters.a"]);
    assert_eq!(over("{\"a\": 1}", "it.values"), ["expression-type values"]);
    assert_eq!(over("[metadata]", "it[\"name\"]"), ["expression-type it[\"name\"]"]);
}

#[test]
fn variables_exist_in_their_documents() {
    let template = |text: &str| format!("  resources:\n  - id: a\n    template: {{x: '${{{text}}}'}}\n");
    for (kind, text, is_known) in [
        ("ComponentType", "workload", true),
        ("ClusterComponentType", "environmentConfigs", true),
        ("ComponentType", "trait", false),
        ("ComponentType", "applied", false),
        ("ComponentType", "resource", false),
        ("ComponentType", "envOverrides", false),
        ("ComponentType", "workflowplane", false),
        ("ResourceType", "dataplane", true),
        ("ResourceType", "workload", false),
        ("ClusterResourceType", "applied", false),
        ("ProjectType", "gateway", true),
        ("ProjectType", "configurations", false),
        ("ClusterWorkflow", "workflowplane", true),
        ("Workflow", "externalRefs", true),
        ("Workflow", "environmentConfigs", false),
        ("Workflow", "gateway", false),
    ] {
        let expected = if is_known { Vec::new() } else { vec![format!("unknown-variable {text}")] };
        assert_eq!(in_spec(kind, &template(text)), expected, "{kind} {text}");
    }
    let before = |text: &str| in_spec("ComponentType", &format!("  schema: {{}}\n{}", template(text)));
    assert!(before("envOverrides").is_empty());
    assert_eq!(before("environmentConfigs"), ["unknown-variable environmentConfigs"]);
    let between = |text: &str| in_spec("Trait", &format!("  parameters: {{ocSchema: {{}}}}\n{}", template(text)));
    assert!(between("environmentConfigs").is_empty() && between("envOverrides").is_empty());
    assert!(in_spec("ResourceType", "  outputs: [{name: a, value: '${applied.a.status.b}'}]\n").is_empty());
    let outputs = |text: &str| {
        in_spec("ResourceType", &format!("  outputs: [{{name: a, value: '${{{text}}}'}}]\n  resources: [{{id: a}}]\n"))
    };
    assert!(outputs("applied.a.status.b + applied[\"a\"].status.c").is_empty());
    assert_eq!(outputs("applied.b.status.c"), ["unknown-field b"]);
    assert_eq!(outputs("applied[\"b\"].status.c"), ["unknown-field b"]);
    let run = |text: &str| {
        in_spec("Workflow", &format!("  externalRefs: [{{id: git}}]\n  runTemplate: {{a: '${{{text}}}'}}\n"))
    };
    assert!(run("externalRefs[\"git\"].spec.a + externalRefs.git.spec.b").is_empty());
    assert_eq!(run("externalRefs[\"gut\"].spec.a"), ["unknown-field gut"]);
    // An id that is written elsewhere may be any.
    assert!(in_spec("ResourceType", "  outputs: [{value: '${applied.b}'}]\n  resources: [{id: a}, {}]\n").is_empty());
    assert!(in_spec("ResourceType", "  resources: [{id: a, readyWhen: '${applied.a.status.b}'}]\n").is_empty());
    assert_eq!(in_spec("ResourceType", "  resources: [{id: a, readyWhen: '${1}'}]\n"), ["expression-type 1"]);
    let target = |filter: &str| in_spec("Trait", &format!("  patches:\n  - target: {{kind: A, where: '{filter}'}}\n"));
    assert!(target("${resource.a && trait.name != \"\"}").is_empty());
    assert_eq!(target("${trait.name}"), ["expression-type trait.name"]);
    assert_eq!(target("true"), ["not-an-expression 'true'"]);
    assert!(in_spec("Trait", "  schema: {}\n  patches:\n  - target: {kind: A, where: 'true'}\n").is_empty());
}

/// Other platforms have documents of the same kinds.
#[test]
fn documents_of_others_are_not_read() {
    let text =
        "apiVersion: argoproj.io/v1alpha1\nkind: Workflow\nmetadata: {name: a}\nspec:\n  runTemplate: {x: '${a.b}'}\n";
    for text in [text.to_owned(), text.replace("spec:\n", "spec: &named\n")] {
        let found = with_own(&text, |view, own| OpenChoreo.findings(view, own, &mut Earlier::default()));
        assert!(found.is_empty(), "{text}: {found:?}");
    }
}

#[test]
fn expressions_in_keys_are_checked() {
    let spec = "  resources:\n  - id: a\n    template: {'${parameters.nope}': 1, \
                ? \"a-${parameters.free}\" : '${parameters.no}'}\n";
    let found = in_spec("ComponentType", &format!("{PARAMETERS}{spec}"));
    assert_eq!(found, ["unknown-field nope", "unknown-field no"]);
}

#[test]
fn without_a_section_there_are_no_fields() {
    let template = |text: &str| format!("  resources:\n  - id: a\n    template: {{x: '${{{text}}}'}}\n");
    let found = |sections: &str, text: &str| in_spec("ComponentType", &format!("{sections}{}", template(text)));
    assert_eq!(found(PARAMETERS, "environmentConfigs.x"), ["unknown-field x"]);
    assert_eq!(found("", "parameters.x"), ["unknown-field x"]);
    assert_eq!(found("  schema: {parameters: {a: string}}\n", "envOverrides.x"), ["unknown-field x"]);
    assert!(found("  environmentConfigs:\n", "environmentConfigs.x").is_empty());
    assert!(found(PARAMETERS, "[environmentConfigs, parameters]").is_empty());
    // What has a schema is an object, and objects are not maps.
    let merged = "oc_merge(environmentConfigs, parameters)";
    assert_eq!(found(PARAMETERS, merged), [format!("expression-type {merged}")]);
    // A section that is removed or added is noticed.
    let mut earlier = Earlier::default();
    for (sections, count) in [(PARAMETERS, 0), ("", 1), ("  parameters:\n", 0)] {
        let long = "x".repeat(200);
        let spec =
            format!("{sections}  resources:\n  - id: a\n    template: {{x: '${{parameters.free}}', y: {long}}}\n");
        let text = format!("apiVersion: openchoreo.dev/v1alpha1\nkind: Trait\nmetadata: {{name: web}}\nspec:\n{spec}");
        let found = with_own(&text, |view, own| OpenChoreo.findings(view, own, &mut earlier));
        assert_eq!(found.len(), count, "{sections}");
    }
}

#[test]
fn loops_give_a_name_to_their_items() {
    let over = |list: &str, text: &str| {
        found(&format!("  - id: a\n    forEach: ${{{list}}}\n    var: it\n    template: {{x: '${{{text}}}'}}\n"))
    };
    assert!(over("parameters.volumes", "it.path + string(it.size)").is_empty());
    assert_eq!(over("parameters.volumes", "it.paht"), ["unknown-field paht the schema declares no field `paht` here"]);
    assert!(over("parameters.labels", "it.key + it.value").is_empty());
    assert!(over("configurations.toVolumes()", "it.anything").is_empty());
    // A name that cannot be used is one mistake, which is reported at the name.
    for name in ["m-t", "1x", "in", "parameters", "metadata"] {
        let uses = format!("{{x: '${{{name}.path}}', y: '${{\"a\" + {name}.size}}'}}");
        let spec =
            format!("  - id: a\n    forEach: ${{parameters.volumes}}\n    var: '{name}'\n    template: {uses}\n");
        assert!(found(&spec).is_empty(), "{name}");
    }
    // Conditions are evaluated before the loop.
    let condition = "  - id: a\n    forEach: ${parameters.volumes}\n    var: it\n    includeWhen: ${it.size > 1}\n    template: {}\n";
    assert_eq!(found(condition), ["unknown-variable it there is no variable `it`"]);
    let other = "  - id: a\n    forEach: ${parameters.volumes}\n    var: it\n    template: {}\n  - id: b\n    template: '${it.size}'\n";
    assert_eq!(found(other).len(), 1);
}

#[test]
fn an_end_is_found_by_counting_braces_outside_of_quotes() {
    for (text, expected) in [
        ("a ${b} c ${d}", vec!["b", "d"]),
        ("${{'a': '}'}.b}", vec!["{'a': '}'}.b"]),
        ("${'\\'}' + \"}\"}", vec!["'\\'}' + \"}\""]),
        ("$a {b} $${c}", vec!["c"]),
        ("${a", vec!["a"]),
        ("", vec![]),
    ] {
        let inner: Vec<&str> = segments(text).into_iter().map(|Segment { inner, .. }| &text[inner]).collect();
        assert_eq!(inner, expected, "{text}");
    }
}

/// A document with a template.
fn document() -> String {
    format!("{HEAD}  - id: a\n    template:\n      x: ''\n")
}

/// The proposals at an offset of a string in that template.
fn inside(view: &DocumentsView<'_>, own: &Own<'_>, text: &str, offset: usize) -> Vec<String> {
    let path = ["spec", "resources", "", "template", "x"].map(|key| match key {
        "" => Step::Item,
        key => Step::Key(Key::from(key)),
    });
    let place = TextPlace { document: 0, path: &path, text, offset, at: 0 };
    let inside = OpenChoreo.inside(view, own, &place);
    inside.map(|inside| inside.proposals.into_iter().map(|proposal| proposal.label).collect()).unwrap_or_default()
}

/// The proposals at the `$0` of a string.
fn offered(text: &str) -> Vec<String> {
    let offset = text.find("$0").expect("a place");
    with_own(&document(), |view, own| inside(view, own, &text.replacen("$0", "", 1), offset))
}

#[test]
fn fields_and_names_are_offered() {
    for (text, expected) in [
        ("${parameters.$0}", "port enabled volumes labels"),
        ("${parameters.$0", "port enabled volumes labels"),
        ("a ${parameters.po$0} b", "port enabled volumes labels"),
        ("${has(parameters.$0) ? 1 : 2}", "port enabled volumes labels"),
        ("${parameters.volumes.map(v, v.$0)}", "path size"),
        ("${parameters.volumes[0].$0}", "path size"),
        ("${parameters['$0']}", "port enabled volumes labels"),
        ("${parameters[\"po$0rt\"]}", "port enabled volumes labels"),
        ("${parameters.volumes[0]['$0'] + 'a'}", "path size"),
        ("${parameters['po$0", "port enabled volumes labels"),
        ("${parameters['$0]}", "port enabled volumes labels"),
        ("${parameters.volumes['$0']}", ""),
        ("${envOverrides.$0}", "replicas"),
        ("${gateway.$0}", "ingress egress"),
        ("${trait.$0}", ""),
        ("${parameters.port.$0}", ""),
        ("${'par$0'}", ""),
        ("${1$0}", ""),
        ("${parameters $0}", ""),
        ("par$0", ""),
    ] {
        assert_eq!(offered(text).join(" "), expected, "{text}");
    }
    for (text, expected) in [
        ("${parameters.volumes[0].path.$0}", "startsWith"),
        ("${parameters.volumes[0].path.$0('a')}", "startsWith"),
        ("${parameters.volumes.$0}", "map"),
        ("${parameters.labels.$0}", "map"),
        ("${metadata.name.lo$0}", "startsWith"),
        ("${workload.$0}", "container"),
    ] {
        assert_eq!(offered(text).first().map(String::as_str), Some(expected), "{text}");
    }
    let has = |text: &str, name: &str| offered(text).iter().any(|label| label == name);
    assert!(has("${workload.$0}", "toServicePorts") && has("${configurations.$0}", "toContainerEnvs"));
    assert!(has("${metadata.$0}", "componentName") && !has("${metadata.$0}", "workflowRunName"));
    for text in ["${$0}", "${par$0}", "${parameters.enabled && $0}", "${oc_merge($0)}", "${[1, $0", "${!$0"] {
        let labels = offered(text);
        let has = |name: &str| labels.iter().any(|label| label == name);
        assert!(has("parameters") && has("envOverrides") && has("metadata") && has("oc_omit"), "{text}: {labels:?}");
        assert!(!has("systemParameters"), "{text}");
    }
    assert!(offered("${parameters.volumes.map(volume, $0)}").contains(&"volume".to_owned()));
}

#[test]
fn messages_are_true_where_they_are_read() {
    let message = |kind: &str, spec: &str| {
        let text = format!("apiVersion: openchoreo.dev/v1alpha1\nkind: {kind}\nmetadata: {{name: a}}\nspec:\n{spec}");
        let found = with_own(&text, |view, own| OpenChoreo.findings(view, own, &mut Earlier::default()));
        let found = found.iter().filter(|found| !is_of_structure(found));
        found.map(|found| found.message_with_help().replace('\n', "; ")).collect::<Vec<_>>().join("\n")
    };
    // Workflows have no values for environments in any release.
    let run = "  runTemplate: {a: '${environmentConfigs.a}'}\n";
    assert_eq!(message("Workflow", run), "there is no variable `environmentConfigs` here: workflows do not have it");
    // YAML 1.1 takes some words for booleans.
    let spec = "  schema:\n    parameters: {no: string, a: string}\n  resources:\n  - id: a\n    template: {x: '${parameters.no}'}\n";
    expect_test::expect![[r#"
        the schema declares no field `no` here; without quotes, `no` is the boolean `false`: put the name in quotes in the schema and in values"#]]
    .assert_eq(&message("ComponentType", spec));
    // What a misspelt section declares is not missing.
    let spec = "  schema:\n    paramters: {a: string}\n  resources:\n  - id: a\n    template: {x: '${parameters.a}'}\n";
    assert_eq!(message("ComponentType", spec), "");
}

#[test]
fn names_in_brackets_come_with_their_quotes() {
    let proposed = |text: &str| {
        let offset = text.find("$0").expect("a place");
        let text = text.replacen("$0", "", 1);
        with_own(&document(), |view, own| {
            let path = ["spec", "resources", "", "template", "x"].map(|key| match key {
                "" => Step::Item,
                key => Step::Key(Key::from(key)),
            });
            let place = TextPlace { document: 0, path: &path, text: &text, offset, at: 0 };
            let first = OpenChoreo.inside(view, own, &place)?.proposals.into_iter().next()?;
            let mut accepted = text.clone();
            accepted.replace_range(first.replace, &first.text);
            Some(accepted)
        })
    };
    for (text, accepted) in [
        ("${parameters[$0]}", "${parameters[\"port\"]}"),
        ("${parameters[po$0]}", "${parameters[\"port\"]}"),
        ("${parameters[\"po$0rt\"]}", "${parameters[\"port\"]}"),
        ("${parameters['p$0']}", "${parameters['port']}"),
        ("${parameters['p$0]}", "${parameters['port]}"),
    ] {
        assert_eq!(proposed(text).as_deref(), Some(accepted), "{text}");
    }
}

/// A string that is cut anywhere has an answer.
#[test]
fn half_typed() {
    let text = "a ${parameters.volumes.map(v, {v.path: 'ä' + v.x})[0].x} ${has(metadata.labels['a']) ? 1 : oc_omit()}";
    with_own(&document(), |view, own| {
        for (cut, _) in text.char_indices() {
            for (at, _) in text.char_indices().filter(|(at, _)| *at <= cut) {
                let _ = inside(view, own, &text[..cut], at);
            }
        }
    });
    for (cut, _) in text.char_indices().step_by(3) {
        let _ = found(&format!("  - id: a\n    template:\n      x: \"{}\"\n", &text[..cut]));
    }
}

//! Many files, directories and flags.

use super::{Case, Row, each, plain, schema_text, values_text};

pub(super) const SHAPES: &[Row] = &[
    ("files of a directory", 10_000, files),
    ("directories", 10_000, directories),
    ("levels of directories", 400, deep_directories),
    ("applications", 2_000, applications),
    ("files that are no YAML", 10_000, others),
    ("templates", 5_000, templates),
    ("flags --data-value", 5_000, flags),
    ("flags --data-value-yaml", 5_000, yaml_flags),
    ("environment variables", 5_000, environment),
    ("sets of lofting.toml", 500, sets),
    ("files of a set", 2_000, set_files),
    ("paths that are not there", 5_000, missing_paths),
    ("lines of lofting.toml", 10_000, configuration_lines),
    ("ytt commands", 500, commands),
    ("file marks", 500, marks),
    ("types of components", 2_000, component_types),
    ("components of one type", 2_000, components),
    ("components of fifty types with their bindings", 2_000, bound_components),
    ("resources in a list", 5_000, listed_resources),
    ("resources that templates give", 5_000, rendered_resources),
    ("references of one resource", 4_000, references),
    ("resources of a kustomization", 2_000, kustomized),
    ("patches of a kustomization", 2_000, patched),
    ("types of one name", 2_000, types_of_one_name),
    ("values of a component", 10_000, component_values),
    ("alternatives of a component's values", 1_000, alternatives),
    ("definitions of a component type", 2_000, definitions),
];

fn one_schema() -> (String, String) {
    ("schema.yml".to_owned(), schema_text("port: 0\nname: \"\"\n"))
}

fn files(n: usize) -> Case {
    let mut config: Vec<(String, String)> = (0..n).map(|i| (format!("a{i}.yml"), format!("port: {i}\n"))).collect();
    config.push(one_schema());
    Case { config, values: Some("port: 1█\n".to_owned()), ..Case::default() }
}

fn directories(n: usize) -> Case {
    let mut config: Vec<(String, String)> = (0..n).map(|i| (format!("d{i}/a.yml"), format!("port: {i}\n"))).collect();
    config.push(one_schema());
    Case { config, values: Some("port: 1█\n".to_owned()), ..Case::default() }
}

fn deep_directories(n: usize) -> Case {
    let mut config: Vec<(String, String)> =
        (0..n).map(|i| (format!("{}a.yml", "d/".repeat(i)), format!("port: {i}\n"))).collect();
    config.push(one_schema());
    Case { config, values: Some("port: 1█\n".to_owned()), ..Case::default() }
}

fn applications(n: usize) -> Case {
    let mut config = Vec::new();
    for i in 0..n {
        config.push((format!("app{i}/schema.yml"), schema_text("#@overlay/match missing_ok=True\nport: 0\n")));
        config.push((
            format!("app{i}/values1.yml"),
            values_text(format!("port: {i}{}\n", if i == n / 2 { "█" } else { "" })),
        ));
    }
    Case { config, ..Case::default() }
}

fn config_map(i: usize) -> (String, String) {
    let text = format!("apiVersion: v1\nkind: ConfigMap\nmetadata: {{name: c{i}}}\ndata: {{a: b}}\n");
    (format!("r/{i}.yaml"), text)
}

/// A pod with as many volumes as there are resources beside it, of which every second is not there.
fn references(n: usize) -> Case {
    let volumes = each(n, |i| format!("  - {{name: v{i}, configMap: {{name: c{}}}}}\n", i * 2));
    let resources: String = (0..n).map(|i| format!("---\n{}", config_map(i).1)).collect();
    Case::config(format!("apiVersion: v1\nkind: Pod\nmetadata: {{name: p}}\nspec:\n  volumes:\n{volumes}{resources}"))
}

fn kustomized(n: usize) -> Case {
    let mut config: Vec<(String, String)> = (0..n).map(config_map).collect();
    let paths: String = (0..n).map(|i| format!("- r/{i}.yaml\n- r/none{i}.yaml\n")).collect();
    config.push(("kustomization.yaml".to_owned(), format!("resources:\n{paths}")));
    let pod = "apiVersion: v1\nkind: Pod\nmetadata: {name: p}\nspec: {volumes: [{name: v, configMap: {name: c█1x}}]}\n";
    config.push(("pod.yaml".to_owned(), pod.to_owned()));
    Case { config, ..Case::default() }
}

fn patched(n: usize) -> Case {
    let mut config: Vec<(String, String)> = (0..n.min(100)).map(config_map).collect();
    let paths: String = (0..n.min(100)).map(|i| format!("- r/{i}.yaml\n")).collect();
    let patch = |i: usize| format!("- target: {{kind: ConfigMap, name: c{i}x}}\n  patch: x\n");
    let patches: String = (0..n).map(patch).collect();
    config.push(("kustomization.yaml".to_owned(), format!("resources:\n{paths}patches:\n{patches}namePrefix: a█\n")));
    Case { config, ..Case::default() }
}

fn others(n: usize) -> Case {
    let mut config: Vec<(String, String)> = (0..n).map(|i| (format!("a{i}.png"), format!("{i}\n"))).collect();
    config.push(one_schema());
    Case { config, values: Some("port: 1█\n".to_owned()), ..Case::default() }
}

fn templates(n: usize) -> Case {
    let text = |i| format!("#@ load(\"@ytt:data\", \"data\")\nname: a{i}\nport: #@ data.values.port\n");
    let mut config: Vec<(String, String)> = (0..n).map(|i| (format!("a{i}.yml"), text(i))).collect();
    config.push(one_schema());
    Case { config, values: Some("port: 1█\n".to_owned()), ..Case::default() }
}

fn flagged(n: usize, flag: &str) -> Case {
    let schema = plain(n, |i| format!("key{i}: \"\"\n"));
    let flags = (0..n).flat_map(|i| [flag.to_owned(), format!("key{i}=v{i}")]).collect();
    Case { flags, ..Case::governed(schema, "key0: a█\n".to_owned()) }
}

fn flags(n: usize) -> Case {
    flagged(n, "--data-value")
}

fn yaml_flags(n: usize) -> Case {
    flagged(n, "--data-value-yaml")
}

fn environment(n: usize) -> Case {
    Case {
        flags: vec!["--data-values-env".to_owned(), "GROW".to_owned()],
        environment: (0..n).map(|i| (format!("GROW_key{i}"), format!("v{i}"))).collect(),
        ..Case::governed(plain(n, |i| format!("key{i}: \"\"\n")), "key0: a█\n".to_owned())
    }
}

fn sets(n: usize) -> Case {
    let toml = plain(n, |i| format!("[sets.s{i}]\nfiles = [\"config\"]\nvalues = [\"envs/e{i}.yml\"]\n"));
    let mut case = Case::default().and("lofting.toml", toml).and("config/schema.yml", one_schema().1);
    case.config.extend(
        (0..n).map(|i| (format!("envs/e{i}.yml"), format!("port: {i}{}\n", if i == n / 2 { "█" } else { "" }))),
    );
    case
}

fn set_files(n: usize) -> Case {
    let toml = format!("[sets.s]\nfiles = [\"config\"]\nvalues = [{}]\n", plain(n, |i| format!("\"envs/e{i}.yml\", ")));
    let mut case = Case::default().and("lofting.toml", toml).and("config/schema.yml", one_schema().1);
    case.config.extend(
        (0..n).map(|i| (format!("envs/e{i}.yml"), format!("port: {i}{}\n", if i == n / 2 { "█" } else { "" }))),
    );
    case
}

/// Each with a mistake of its own.
fn rendered_resources(n: usize) -> Case {
    let definition = "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {name: boxes.example.com}\nspec:\n  \
        group: example.com\n  names: {kind: Box}\n  versions:\n  - name: v1\n    schema:\n      openAPIV3Schema:\n        \
        properties: {spec: {properties: {size: {type: integer}}}}\n";
    let resource = |i| format!("---\napiVersion: example.com/v1\nkind: Box\nspec:\n  size: #@ \"{i}\"\n");
    let text = plain(n, resource) + "---\nport: 1█\n";
    Case::default()
        .and("lofting.toml", "[sets.s]\nfiles = [\"config\"]\n".to_owned())
        .and("crd.yml", definition.to_owned())
        .and("config/schema.yml", one_schema().1)
        .and("config/boxes.yml", text)
}

fn missing_paths(n: usize) -> Case {
    let toml = format!("[sets.s]\nfiles = [\"config\", {}]\n", plain(n, |i| format!("\"nowhere{i}\", ")));
    Case::governed("port: 0\n", "port: 1█\n".to_owned()).and("lofting.toml", toml).and("config/a.yml", String::new())
}

fn configuration_lines(n: usize) -> Case {
    Case::governed("port: 0\n", "port: 1█\n".to_owned()).and("lofting.toml", plain(n, |i| format!("# line {i}\n")))
}

fn commands(n: usize) -> Case {
    let makefile = each(n, |i| format!("t{i}:\n\tytt -f config --data-values-file envs/e{i}.yml\n")).replace('█', "");
    let mut case = Case::default().and("Makefile", makefile).and("config/schema.yml", one_schema().1);
    case.config.extend(
        (0..n).map(|i| (format!("envs/e{i}.yml"), format!("port: {i}{}\n", if i == n / 2 { "█" } else { "" }))),
    );
    case
}

fn marks(n: usize) -> Case {
    let mut case = files(n);
    case.flags = (0..n).flat_map(|i| ["--file-mark".to_owned(), format!("a{i}.yml:exclude=true")]).collect();
    case
}

/// A document of OpenChoreo.
fn resource(kind: &str, name: impl std::fmt::Display, spec: impl std::fmt::Display) -> String {
    format!("apiVersion: openchoreo.dev/v1alpha1\nkind: {kind}\nmetadata: {{name: {name}}}\nspec:\n{spec}")
}

fn component_type(name: impl std::fmt::Display, schema: &str) -> String {
    resource("ComponentType", name, format!("  parameters:\n    openAPIV3Schema:\n      type: object\n{schema}"))
}

fn component(name: impl std::fmt::Display, of: impl std::fmt::Display, values: impl std::fmt::Display) -> String {
    resource("Component", name, format!("  componentType: deployment/{of}\n  parameters:\n{values}"))
}

/// What one type says about its only value.
const PORT: &str = "      properties:\n        port: {type: integer, minimum: 1}\n";

fn component_types(n: usize) -> Case {
    let types = plain(n, |i| format!("{}---\n", component_type(format_args!("t{i}"), PORT)));
    Case::config(component("a", format_args!("t{}", n / 2), "    port: 0█\n")).and("types.yaml", types)
}

fn components(n: usize) -> Case {
    let all = each(n, |i| format!("{}---\n", component(format_args!("c{i}"), "t", format_args!("    port: {i}\n"))));
    Case::config(all).and("types.yaml", component_type("t", PORT))
}

/// Each in a file of its own, with an instance of a trait that its binding names.
fn bound_components(n: usize) -> Case {
    let text = |i: usize| {
        let component = component(format_args!("c{i}"), format_args!("t{}", i % 50), format_args!("    port: {i}\n"));
        let head = "apiVersion: openchoreo.dev/v1alpha1\nkind: ReleaseBinding\n";
        let owner = format!("metadata: {{name: b{i}}}\nspec:\n  owner: {{componentName: c{i}}}\n");
        let values = "  traitEnvironmentConfigs:\n    data: {}\n";
        format!("{component}  traits: [{{name: volume, instanceName: data}}]\n---\n{head}{owner}{values}")
    };
    let mut config: Vec<(String, String)> = (1..n).map(|i| (format!("c{i}.yaml"), text(i))).collect();
    config.push(("c0.yaml".to_owned(), text(0).replacen("port: 0", "port: 0█", 1)));
    let case = Case { config, ..Case::default() };
    case.and("types.yaml", plain(50, |i| format!("{}---\n", component_type(format_args!("t{i}"), PORT))))
}

fn types_of_one_name(n: usize) -> Case {
    let place = |text: String, i: usize| text.replace("metadata: {", &format!("metadata: {{namespace: n{i}, "));
    let types = plain(n, |i| format!("{}---\n", place(component_type("t", PORT), i)));
    let all = each(n, |i| format!("{}---\n", place(component(format_args!("c{i}"), "t", "    port: 1\n"), i)));
    Case::config(all).and("types.yaml", types)
}

/// A list as `kubectl` writes it, of resources whose definition is in the workspace.
fn listed_resources(n: usize) -> Case {
    let schema = "{type: object, properties: {spec: {type: object, properties: {port: {type: integer}}}}}";
    let definition = format!(
        "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nspec:\n  group: shop.example.com\n  \
         names: {{kind: Backup}}\n  versions:\n  - name: v1\n    schema: {{openAPIV3Schema: {schema}}}\n"
    );
    let item = |i: usize| {
        let cursor = if i == n / 2 { "█" } else { "" };
        let head = "- apiVersion: shop.example.com/v1\n  kind: Backup\n";
        format!("{head}  metadata: {{name: b{i}}}\n  spec:\n    port: {i}{cursor}\n")
    };
    Case::config(format!("apiVersion: v1\nkind: List\nitems:\n{}", plain(n, item))).and("crd.yaml", definition)
}

fn component_values(n: usize) -> Case {
    let schema = "      properties:\n        ports:\n          type: array\n          items:\n            type: object\n            \
                  required: [port]\n            properties:\n              port: {type: integer, minimum: 1}\n";
    let values = each(n, |i| format!("    - port: {i}\n"));
    Case::config(component("a", "t", format_args!("    ports:\n{values}")))
        .and("types.yaml", component_type("t", schema))
}

fn alternatives(n: usize) -> Case {
    let one = |i| format!("          - {{type: object, properties: {{kind: {{type: string, enum: [k{i}]}}}}}}\n");
    let schema = format!("      properties:\n        a:\n          oneOf:\n{}", plain(n, one));
    Case::config(component("a", "t", "    a: {kind: other}█\n")).and("types.yaml", component_type("t", &schema))
}

fn definitions(n: usize) -> Case {
    let one = |i: usize| match i {
        0 => "        d0: {type: integer}\n".to_owned(),
        i => format!("        d{i}: {{type: object, properties: {{a: {{$ref: '#/$defs/d0'}}}}}}\n"),
    };
    let key = |i| format!("        k{i}: {{$ref: '#/$defs/d{i}'}}\n");
    let schema = format!("      $defs:\n{}      properties:\n{}", plain(n, one), plain(n, key));
    let values = each(n, |i| format!("    k{i}: {{a: x}}\n"));
    Case::config(component("a", "t", values)).and("types.yaml", component_type("t", &schema))
}

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

//! How long commands other than `render` take as whole processes: the same values, given in every way a command allows.

use std::path::Path;

use anyhow::Context;

use crate::process::{self, RUNS, median_and_least};
use crate::table::{SIZES, head, line};
use crate::workload::{self, Form};

/// A way to give values to a command: what the row is called, where schema and values are, and the arguments.
struct Way {
    name: &'static str,
    schema: &'static str,
    values: &'static str,
    /// Whether the values are a document `#@data/values`.
    is_annotated: bool,
    arguments: &'static [&'static str],
}

const WAYS: [Way; 5] = [
    Way {
        name: "`check -f .`",
        schema: "schema.yml",
        values: "values.yml",
        is_annotated: true,
        arguments: &["check", "-f", "."],
    },
    Way {
        name: "`check -f config --data-values-file`",
        schema: "config/schema.yml",
        values: "values.yml",
        is_annotated: false,
        arguments: &["check", "-f", "config", "--data-values-file", "values.yml"],
    },
    Way {
        name: "`check`, schema and values side by side",
        schema: "schema.yml",
        values: "values.yml",
        is_annotated: false,
        arguments: &["check"],
    },
    Way {
        name: "`values -f .`",
        schema: "schema.yml",
        values: "values.yml",
        is_annotated: true,
        arguments: &["values", "-f", "."],
    },
    Way {
        name: "`fmt --diff .`",
        schema: "schema.yml",
        values: "values.yml",
        is_annotated: false,
        arguments: &["fmt", "--diff", "."],
    },
];

/// Prints a table of all ways, for one flat map and for items of an array.
pub fn run(program: &Path) {
    print!("{}", head(&format!("milliseconds, median / fastest of {RUNS}"), SIZES.into_iter()));
    for (what, form) in [("keys of one map", Form::Flat), ("items of an array", Form::Plain)] {
        for way in &WAYS {
            eprintln!("measuring {}, {what} …", way.name);
            let cells = SIZES.iter().map(|size| match measure(program, way, form, *size) {
                Ok([median, least]) => format!("{median:.1} / {least:.1}"),
                Err(why) => {
                    eprintln!("   not measured: {why:#}");
                    "–".to_owned()
                }
            });
            print!("{}", line(&format!("{}, {what}", way.name), cells));
        }
    }
}

fn measure(program: &Path, way: &Way, form: Form, size: usize) -> anyhow::Result<[f64; 2]> {
    let folder = tempfile::tempdir().context("a folder for the files")?;
    process::write(folder.path(), &files(way, form, size))?;
    let mut times = Vec::new();
    for _ in 0..RUNS {
        times.push(process::once(program, way.arguments, folder.path())?.0);
    }
    Ok(median_and_least(&times))
}

/// Schema and values without a mistake.
fn files(way: &Way, form: Form, size: usize) -> [(String, String); 2] {
    let values = workload::values(size, form).without_mistake();
    let values = match (way.is_annotated, values.starts_with("#@data/values")) {
        (true, false) => format!("#@data/values\n---\n{}", values.replace(" # outside", " #! outside")),
        (false, true) => values.trim_start_matches("#@data/values\n---\n").to_owned(),
        _ => values,
    };
    [(way.schema.to_owned(), workload::schema(size, form, false)), (way.values.to_owned(), values)]
}

#[cfg(test)]
mod tests {
    use super::{Form, WAYS, files};

    #[test]
    fn values_are_given_as_each_way_wants_them() {
        for (way, form) in WAYS.iter().flat_map(|way| [(way, Form::Flat), (way, Form::Plain)]) {
            let [(_, schema), (_, values)] = files(way, form, 100);
            assert!(schema.starts_with("#@data/values-schema"), "{}", way.name);
            assert_eq!(values.starts_with("#@data/values"), way.is_annotated, "{}", way.name);
            assert!(!values.contains("yep") && !values.contains("two"), "{}", way.name);
        }
    }
}

//! How long `lofting render` takes as a whole process: several shapes of input sets, each at three sizes.
//!
//! `--beside PROGRAM` gives the same arguments to another program, such as `ytt`, in turn.

use std::fmt::Write as _;
use std::path::Path;
use std::time::Duration;

use anyhow::{Context, ensure};

use crate::process::{self, RUNS, median_and_least};

/// A shape of input sets.
struct Shape {
    name: &'static str,
    sizes: [usize; 3],
    /// The files of a set of this size.
    files: fn(usize) -> Vec<(String, String)>,
}

const SHAPES: [Shape; 5] = [
    Shape { name: "templates, which load a function and read data values", sizes: [2, 40, 400], files: templates },
    Shape { name: "items that one template makes documents of", sizes: [20, 200, 2_000], files: items },
    Shape { name: "instances of a library with ten templates", sizes: [1, 10, 100], files: libraries },
    Shape { name: "documents, and overlays for each tenth of them", sizes: [10, 100, 1_000], files: overlays },
    Shape { name: "keys of data values, with a schema", sizes: [100, 1_000, 10_000], files: values },
];

const SCHEMA: &str = "#@data/values-schema\n---\nname: web\nreplicas: 2\nlabels:\n  team: a\n";
const FUNCTIONS: &str = "def labels(name, team):\n  return {\"app\": name, \"team\": team}\nend\n";

fn template(number: usize) -> String {
    format!(
        "#@ load(\"@ytt:data\", \"data\")\n#@ load(\"functions.star\", \"labels\")\n---\napiVersion: apps/v1\n\
         kind: Deployment\nmetadata:\n  name: #@ data.values.name + \"-{number}\"\n  \
         labels: #@ labels(data.values.name, data.values.labels.team)\nspec:\n  replicas: #@ data.values.replicas\n  \
         template:\n    spec:\n      containers:\n      #@ for/end name in [\"main\", \"side\"]:\n      \
         - name: #@ name\n        image: example.org/app:{number}\n        #@ if/end name == \"main\":\n        \
         ports:\n        - containerPort: #@ 8080 + data.values.replicas\n"
    )
}

fn templates(size: usize) -> Vec<(String, String)> {
    let mut files =
        vec![("schema.yml".to_owned(), SCHEMA.to_owned()), ("functions.star".to_owned(), FUNCTIONS.to_owned())];
    files.extend((0..size).map(|number| (format!("app-{number:04}.yml"), template(number))));
    files
}

fn items(size: usize) -> Vec<(String, String)> {
    let mut values = String::from("#@data/values\n---\napps:\n");
    for number in 0..size {
        let _ = write!(values, "- name: app-{number}\n  replicas: {}\n", number % 5);
    }
    let schema = "#@data/values-schema\n---\napps:\n- name: \"\"\n  replicas: 1\n";
    let template = "#@ load(\"@ytt:data\", \"data\")\n#@ for app in data.values.apps:\n---\nkind: Deployment\n\
        metadata:\n  name: #@ app.name\n  labels:\n    app: #@ app.name\nspec:\n  replicas: #@ app.replicas\n#@ end\n";
    let files = [("schema.yml", schema.to_owned()), ("values.yml", values), ("apps.yml", template.to_owned())];
    files.map(|(name, text)| (name.to_owned(), text)).into()
}

fn libraries(size: usize) -> Vec<(String, String)> {
    let all = format!(
        "#@ load(\"@ytt:library\", \"library\")\n#@ load(\"@ytt:template\", \"template\")\n\
         #@ for number in range({size}):\n\
         --- #@ template.replace(library.get(\"app\").with_data_values({{\"name\": \"app-\" + str(number)}}).eval())\n\
         #@ end\n"
    );
    let inside = templates(10).into_iter().map(|(name, text)| (format!("_ytt_lib/app/{name}"), text));
    std::iter::once(("all.yml".to_owned(), all)).chain(inside).collect()
}

fn overlays(size: usize) -> Vec<(String, String)> {
    let mut documents = String::new();
    let mut overlays = String::from("#@ load(\"@ytt:overlay\", \"overlay\")\n");
    for number in 0..size {
        let _ = write!(documents, "---\nkind: Service\nmetadata:\n  name: s{number}\nspec:\n  ports:\n  - port: 80\n");
        if number % 10 == 0 {
            let _ = write!(
                overlays,
                "#@overlay/match by=overlay.subset({{\"metadata\": {{\"name\": \"s{number}\"}}}})\n---\nmetadata:\n  \
                 #@overlay/match missing_ok=True\n  labels:\n    own: \"yes\"\n"
            );
        }
    }
    vec![("documents.yml".to_owned(), documents), ("overlays.yml".to_owned(), overlays)]
}

fn values(size: usize) -> Vec<(String, String)> {
    let mut schema = String::from("#@data/values-schema\n---\n");
    let mut values = String::from("#@data/values\n---\n");
    for number in 0..size {
        let _ = writeln!(schema, "key_{number}: 0");
        let _ = writeln!(values, "key_{number}: {number}");
    }
    let template = "#@ load(\"@ytt:data\", \"data\")\n---\nfirst: #@ data.values.key_0\n";
    let files = [("schema.yml", schema), ("values.yml", values), ("out.yml", template.to_owned())];
    files.map(|(name, text)| (name.to_owned(), text)).into()
}

/// Prints a table of all shapes.
pub fn run(program: &Path, beside: Option<&Path>) -> anyhow::Result<()> {
    println!("| milliseconds, median / fastest of {RUNS} | small | medium | large |\n| --- | ---: | ---: | ---: |");
    for Shape { name, sizes, files } in SHAPES {
        let mut line = format!("| {} {name} |", sizes.map(|size| size.to_string()).join(", "));
        for size in sizes {
            let folder = tempfile::tempdir().context("a folder for the files")?;
            process::write(&folder.path().join("config"), &files(size))?;
            let mut own = Vec::new();
            let mut others = Vec::new();
            for _ in 0..RUNS {
                own.push(once(program, &["render", "-f", "config"], folder.path())?);
                if let Some(other) = beside {
                    others.push(once(other, &["-f", "config"], folder.path())?);
                }
            }
            let [median, least] = median_and_least(&own);
            let _ = write!(line, " {median:.1} / {least:.1}");
            if beside.is_some() {
                let [other, _] = median_and_least(&others);
                let _ = write!(line, " (the other {other:.1}: {:.2})", median / other);
            }
            line.push_str(" |");
        }
        println!("{line}");
    }
    Ok(())
}

/// One rendering, which has to print something.
fn once(program: &Path, arguments: &[&str], folder: &Path) -> anyhow::Result<Duration> {
    let (took, printed) = process::once(program, arguments, folder)?;
    ensure!(!printed.is_empty(), "{} {arguments:?} printed nothing", program.display());
    Ok(took)
}

#[cfg(test)]
mod tests {
    use super::SHAPES;

    #[test]
    fn every_shape_grows_with_its_size() {
        for shape in SHAPES {
            let bytes = |size| (shape.files)(size).iter().map(|(_, text)| text.len()).sum::<usize>();
            assert!(shape.sizes.is_sorted(), "{}", shape.name);
            let [small, _, large] = shape.sizes.map(bytes);
            // One library is instantiated more often.
            assert!(large >= small, "{}", shape.name);
        }
    }
}

//! The first document of a large schema costs what the schema does, once: each further one costs what is in it.

use std::fmt::Write;
use std::fs;
use std::path::Path;

use lofting_workspace::{CancelFlag, Settings, Workspace};

use crate::ask::counted;
use crate::turn;

/// Definitions of the smaller schema.
const FEW: usize = 200;

/// How many times as many the larger one has.
const FACTOR: usize = 8;

/// A way to name a large schema.
struct Large {
    name: &'static str,
    /// Writes a schema with a given number of definitions into a folder.
    write: fn(&Path, usize),
    document: &'static str,
}

/// Definitions that refer to each other, as those of Kubernetes' API do; `kind`: what each says besides.
fn definitions(count: usize, kind: fn(usize) -> String) -> String {
    let mut text = String::new();
    for number in 0..count {
        let separator = if number == 0 { "" } else { ",\n" };
        let next = (number + 1).min(count - 1);
        let _ = write!(
            text,
            "{separator}\"d{number}\": {{\"type\": \"object\", \"properties\": {{\"size\": {{\"type\": \"integer\"}}, \
             \"kind\": {{\"type\": \"string\"}}, \"next\": {{\"$ref\": \"#/definitions/d{next}\"}}}}{}}}",
            kind(number)
        );
    }
    format!("\"definitions\": {{{text}}}")
}

fn write(root: &Path, name: &str, text: &str) {
    let path = root.join(name);
    fs::create_dir_all(path.parent().expect("a folder")).expect("it can be made");
    fs::write(path, text).expect("it can be written");
}

fn of_group(number: usize) -> String {
    let kind = format!("{{\"group\": \"example.com\", \"version\": \"v1\", \"kind\": \"Kind{number}\"}}");
    format!(", \"x-kubernetes-group-version-kind\": [{kind}]")
}

const RESOURCE: &str = "apiVersion: example.com/v1\nkind: Kind1\nsize: x\nnext: {size: 1}\n";

const ALL: &[Large] = &[
    Large {
        name: "a schema with definitions",
        write: |root, count| {
            let text = definitions(count, |_| String::new());
            write(root, "schema.json", &format!("{{{text}, \"$ref\": \"#/definitions/d1\"}}"));
            write(root, "lofting.toml", "[[schemas]]\npath = \"schema.json\"\nfiles = [\"*.yaml\"]\n");
        },
        document: "size: x\nnext: {size: 1}\n",
    },
    Large {
        name: "a bundle that is one document",
        write: |root, count| {
            write(root, "k8s/_definitions.json", &format!("{{{}}}", definitions(count, of_group)));
            write(root, "lofting.toml", "[[schemas]]\nkubernetes = \"k8s/_definitions.json\"\n");
        },
        document: RESOURCE,
    },
    Large {
        name: "a bundle with a file for each kind",
        write: |root, count| {
            write(root, "k8s/_definitions.json", &format!("{{{}}}", definitions(count, |_| String::new())));
            for number in 0..count {
                let text = format!("{{\"$ref\": \"_definitions.json#/definitions/d{number}\"}}");
                write(root, &format!("k8s/kind{number}-example-v1.json"), &text);
            }
            write(root, "lofting.toml", "[[schemas]]\nkubernetes = \"k8s\"\n");
        },
        document: RESOURCE,
    },
];

/// Bytes asked for by the first document and by the second one.
fn opened(large: &Large, count: usize) -> [usize; 2] {
    let directory = tempfile::tempdir().expect("a directory");
    let root = directory.path().canonicalize().expect("a directory");
    (large.write)(&root, count);
    for name in ["a.yaml", "b.yaml"] {
        write(&root, name, large.document);
    }
    let mut workspace = Workspace::new(vec![root.clone()], Settings::default());
    workspace.scan(&mut |_| {}, &CancelFlag::new());
    ["a.yaml", "b.yaml"].map(|name| {
        let mut found = Vec::new();
        let work = counted(|| {
            let file = workspace.open(&root.join(name), 1, large.document);
            found = workspace.snapshot().diagnostics(file, &CancelFlag::new()).to_vec();
        });
        assert_eq!(found.len(), 1, "{}: `size` is not an integer: {found:?}", large.name);
        work.bytes
    })
}

#[test]
fn only_the_first_document_of_a_schema_costs_what_the_schema_does() {
    let _turn = turn();
    let mut wrong = Vec::new();
    for large in ALL {
        let ([first, second], [first_of_many, second_of_many]) = (opened(large, FEW), opened(large, FEW * FACTOR));
        let is_linear = first_of_many <= first * FACTOR * 5 / 4;
        if !is_linear || second_of_many > second * 3 / 2 {
            let name = large.name;
            wrong
                .push(format!("{name}: first {first} and {first_of_many}, second {second} and {second_of_many} bytes"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

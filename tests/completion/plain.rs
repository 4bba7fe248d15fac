//! Plain YAML with JSON Schemas, cut at places as the values of ytt are in [`crate::cuts`]: small documents of our own,
//! and real ones with the schemas of a catalogue where these are at hand.

use crate::cuts::{Before, Cut, Part, Tally, What, cut, judge, judge_offered, parts};
use crate::generated::Dice;
use crate::server::Server;
use crate::{Editor, number};
use lofting_ide::goto_definition;
use lofting_workspace::CancelFlag;
use std::collections::BTreeMap;
use std::path::Path;

/// A document with the files around it: what it is, its text, and its schema.
struct Plain {
    name: String,
    schema: String,
    text: String,
}

impl Plain {
    /// The schema is a definition beside the document, which nothing names.
    fn is_resource(&self) -> bool {
        self.schema.starts_with("apiVersion:")
    }

    fn editor(&self) -> Editor {
        if self.is_resource() {
            Editor::beside("crd.yaml", &self.schema, &self.text)
        } else {
            Editor::with_json_schema(&self.schema, &self.text)
        }
    }
}

fn own() -> Vec<Plain> {
    let document = |name: &str, schema: &str, text: &str| Plain {
        name: name.to_owned(),
        schema: schema.to_owned(),
        text: text.to_owned(),
    };
    vec![
        document("workflow", include_str!("plain/workflow.json"), include_str!("plain/workflow.yml")),
        document("compose", include_str!("plain/compose.json"), include_str!("plain/compose.yml")),
        document("deployment", include_str!("plain/deployment.json"), include_str!("plain/deployment.yml")),
        document("custom resource", include_str!("plain/crd.yaml"), include_str!("plain/resource.yaml")),
    ]
}

/// Real documents with the schemas that they belong to.
fn real() -> Vec<Plain> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/conformance/schemastore");
    let mut found = Vec::new();
    let Ok(folders) = std::fs::read_dir(root.join("valid")) else { return found };
    let mut folders: Vec<_> = folders.flatten().map(|entry| entry.path()).collect();
    folders.sort();
    for folder in folders {
        let name = folder.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let Ok(schema) = std::fs::read_to_string(root.join(format!("schemas/{name}.json"))) else { continue };
        let mut files: Vec<_> =
            std::fs::read_dir(&folder).into_iter().flatten().flatten().map(|it| it.path()).collect();
        files.sort();
        for file in files {
            let Ok(text) = std::fs::read_to_string(&file) else { continue };
            // Comments that name the schema lead to another place.
            let text: String = text.split_inclusive('\n').filter(|line| !line.contains("$schema")).collect();
            let name = format!("{name}/{}", file.file_name().unwrap_or_default().to_string_lossy());
            found.push(Plain { name, schema: schema.clone(), text });
        }
    }
    found
}

/// Whether the schema determines a part: a key by its name, a scalar among its values.
fn is_known(editor: &Editor, text: &str, part: &Part) -> bool {
    let snapshot = editor.snapshot();
    let word = text[part.word.clone()].trim_matches(['"', '\'']);
    let found = goto_definition(&snapshot, editor.file(), part.word.start + 1);
    let declared = |found: &lofting_ide::Definition| {
        let schema = snapshot.text(found.target.file).to_string();
        let name = schema[found.target_selection.range()].trim_matches(['"', '\'']).to_owned();
        (name, schema[found.target.range()].to_owned())
    };
    let mut found = found.iter().map(declared);
    match part.what {
        What::Key => found.any(|(name, _)| name == word),
        What::Item => true,
        What::Scalar => found.any(|(_, whole)| {
            let lists = whole.contains("\"enum\"") || whole.contains("enum:") || whole.contains("\"const\"");
            let flags = whole.contains("\"boolean\"") && matches!(word, "true" | "false");
            flags || (lists && (whole.contains(&format!("\"{word}\"")) || whole.contains(&format!("- {word}\n"))))
        }),
    }
}

fn run(documents: &[Plain], cuts: usize) -> Tally {
    let mut tally = Tally::default();
    each_cut(documents, cuts, &mut |document, editor, cut, before| {
        tally.add(&document.name, cut, judge(editor, cut, before));
    });
    tally
}

/// What is done with each cut of a document, with what it was before.
type Take<'t> = &'t mut dyn FnMut(&Plain, &mut Editor, &Cut, &Before);

/// Calls `take` for each cut, always the same ones.
fn each_cut(documents: &[Plain], cuts: usize, take: Take<'_>) {
    let mut dice = Dice::new(5);
    let each = cuts.div_ceil(documents.len().max(1));
    for document in documents {
        let mut editor = document.editor();
        if !editor.snapshot().diagnostics(editor.file(), &CancelFlag::new()).is_empty() {
            continue;
        }
        let (parts, scalars) = parts(&document.text);
        if parts.is_empty() {
            continue;
        }
        let before = Before { scalars, ..Before::default() };
        let known: Vec<usize> =
            (0..parts.len()).filter(|index| is_known(&editor, &document.text, &parts[*index])).collect();
        // A place is cut in many ways, but not in arbitrarily many.
        for _ in 0..each.min(known.len() * 12) {
            let index = known[dice.roll(known.len())];
            let Some(cut): Option<Cut> = cut(&document.text, &parts, index, &mut dice) else { continue };
            take(document, &mut editor, &cut, &before);
        }
    }
}

/// Makes the cuts for other servers, whose commands are the lines of `LOFTING_CUTS_SERVERS`: their items are judged as
/// our own lists are.
#[test]
fn what_was_cut_is_offered_by_servers() {
    let commands = std::env::var("LOFTING_CUTS_SERVERS").unwrap_or_default();
    if commands.trim().is_empty() {
        println!("skipped: LOFTING_CUTS_SERVERS names none");
        return;
    }
    let groups = [("our documents", own()), ("documents of a catalogue", real())];
    for (group, documents) in groups {
        println!("{group}, in the same process: {}", run(&documents, number("LOFTING_CUTS", 2_000)).figures());
        for command in commands.lines().filter(|line| !line.trim().is_empty()) {
            let mut tallies: BTreeMap<String, Tally> = BTreeMap::new();
            let mut running: Option<(String, Server)> = None;
            each_cut(&documents, number("LOFTING_CUTS", 2_000), &mut |document, editor, cut, before| {
                let is_other = running.as_ref().is_none_or(|(name, _)| *name != document.name);
                if is_other {
                    let schema = if document.is_resource() { "crd.yaml" } else { "schema.json" };
                    let server = Server::start(command, (schema, &document.schema), !document.is_resource());
                    running = Some((document.name.clone(), server));
                }
                let Some((_, server)) = &mut running else { return };
                editor.replace(&cut.text);
                let items = server.completions(&cut.text, cut.offset, &cut.label);
                let group = document.name.split('/').next().unwrap_or_default().to_owned();
                let judged = judge_offered(editor, cut, before, &items);
                tallies.entry(group).or_default().add(&document.name, cut, judged);
            });
            println!("{group}, `{command}`: {}", Tally::sum(tallies.values()));
            for (name, tally) in &tallies {
                println!("  {name}: {}", tally.figures());
                tally.tell(number("LOFTING_CUTS_SHOWN", 0));
            }
        }
    }
}

#[test]
fn what_was_cut_of_plain_yaml_comes_back_right() {
    let cuts = number("LOFTING_CUTS", 2_000);
    let tally = run(&own(), cuts);
    tally.tell(number("LOFTING_CUTS_SHOWN", 12));
    assert!(tally.all > cuts.min(4_000) / 4, "{} cuts", tally.all);
    assert!(tally.share() >= 99.7 && tally.core_share() >= 99.9, "see above");
}

#[test]
fn what_was_cut_of_real_files_comes_back_right() {
    let documents = real();
    if documents.is_empty() {
        println!("skipped: no catalogue of schemas is at hand");
        return;
    }
    let tally = run(&documents, number("LOFTING_CUTS", 600));
    tally.tell(number("LOFTING_CUTS_SHOWN", 12));
    assert!(tally.share() >= 99.7 && tally.core_share() >= 99.9, "see above");
}

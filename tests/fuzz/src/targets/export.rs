//! Any schema is exported: as JSON that is read back the same, and as YAML without errors.

use lofting_dialect::ytt;
use lofting_document::{FileId, Options, lower, write};
use lofting_schema::export;
use lofting_syntax::resolve::Profile;

use crate::measured::Target;

pub const TARGET: Target = Target::Text(run);

fn run(text: &str) {
    let set = lower(FileId(0), &lofting_syntax::parse(text), Profile::Ytt, Options::default());
    let documents: Vec<_> = set.documents.iter().collect();
    let read = ytt::read(&documents);
    for problem in &read.problems {
        assert!(text.get(problem.span.range()).is_some(), "{problem:?}");
    }
    for node in [export::json_schema(&read.schema), export::openapi(&read.schema)] {
        let json = write::to_json(&node);
        // Schemas nest deeper than the recursion limit of this reader.
        match serde_json::from_str::<serde_json::Value>(&json) {
            Err(error) if error.to_string().starts_with("recursion limit exceeded") => {}
            read => drop(read.expect("JSON")),
        }
        let yaml = write::yaml_document(&node);
        let tree = lofting_syntax::parse(&yaml);
        assert!(tree.errors().is_empty(), "{:?} in {yaml:?}", tree.errors());
    }
}

//! Whether values fit a schema by this program's check, and by the schema exported as JSON Schema in the `jsonschema` crate.
//!
//! What is accepted here has to be accepted there; and what is refused here is refused there, if the language can say it.

use lofting_check::{Root, Severity, Style, ValuesCheck};
use lofting_document::{Document, FileId, NodeValue, Options, lower, write};
use lofting_schema::{Schema, export};
use lofting_syntax::parse;
use lofting_syntax::resolve::Profile;
use lofting_tests::made_up::values::{Manner, Values};

use crate::program::Program;

/// What JSON Schema cannot say of data values.
const UNSAID: [&str; 4] = ["lambda", "one_not_null", "when=", "deprecated"];

pub fn make(number: u64) -> Program {
    let mut made = Values::new(number);
    let files = [("schema.yml", made.schema(false)), ("values.yml", made.values(Manner::Json))];
    Program { files: files.map(|(path, text)| (path.to_owned(), text)).into(), edits: Vec::new() }
}

fn document(text: &str) -> Option<Document> {
    let tree = parse(text);
    let is_right = tree.errors().is_empty();
    let set = lower(FileId(0), &tree, Profile::Ytt, Options::default());
    set.documents.into_iter().next().filter(|_| is_right)
}

fn is_valid(schema: &Schema, document: &Document) -> bool {
    let Some(root) = Root::document(document) else { return false };
    let found = ValuesCheck::over_defaults(schema, Style::Plain, &()).run(root).into_diagnostics();
    !found.iter().any(|finding| finding.severity == Severity::Error)
}

pub fn differs(program: &Program) -> Option<String> {
    let text = program.text("schema.yml");
    let declared = document(text)?;
    let read = lofting_dialect::ytt::read(&[&declared]);
    let values =
        document(program.text("values.yml")).filter(|values| matches!(values.value.value, NodeValue::Map(_)))?;
    // Where the defaults do not fit, ytt refuses all values that leave them.
    if !read.problems.is_empty() || !is_valid(&read.schema, &document("{}\n")?) {
        return None;
    }
    let exported = write::to_json(&export::json_schema(&read.schema));
    let exported_value = serde_json::from_str(&exported).expect("JSON");
    let validator = jsonschema::options().build(&exported_value).expect("a schema");
    let json = serde_json::from_str(&write::to_json(&values.value)).expect("JSON");
    let (ours, theirs) = (is_valid(&read.schema, &values), validator.is_valid(&json));
    let is_exact = !UNSAID.iter().any(|word| text.contains(word));
    let wrong = ours && !theirs || is_exact && theirs && !ours;
    let by = |valid: bool| if valid { "valid" } else { "wrong" };
    wrong.then(|| format!("{exported}\n{json}\nis {} here and {} by what is exported", by(ours), by(theirs)))
}

//! The whole check with a JSON Schema, and with a definition of a custom resource: never a panic, every range inside its
//! text, and findings after an edit of the schema or of the document are those of the new texts read afresh.
//!
//! A text is cut at lines `#-`: JSON Schema, document, definition, resource, and what is inserted.

use lofting_document::FileId;
use lofting_workspace::{CancelFlag, Workspace};

use crate::measured::Target;
use crate::questions::{ask, boundary, workspace};

const NAMES: [&str; 4] = ["schema.json", "document.yml", "definition.yml", "resource.yml"];

/// What makes the first file the schema of the second.
const MODELINE: &str = "# yaml-language-server: $schema=./schema.json\n";

pub const TARGET: Target = Target::Text(run);

fn run(text: &str) {
    let mut parts = text.split("\n#-\n");
    let mut texts = [(); 4].map(|()| parts.next().unwrap_or_default().to_owned());
    texts[1].insert_str(0, MODELINE);
    let (mut kept, files) = opened(&texts);
    for (file, text) in files.iter().zip(&texts) {
        ask(&kept.snapshot(), *file, text);
    }
    for (version, inserted) in parts.take(4).enumerate() {
        let number = inserted.len() % NAMES.len();
        let at = boundary(&texts[number], texts[number].len() / 2).max(if number == 1 { MODELINE.len() } else { 0 });
        texts[number].insert_str(at, inserted);
        kept.edit(files[number], version as i32 + 2, at..at, inserted);
        kept.typing_over(files[number]);
    }
    let (fresh, fresh_files) = opened(&texts);
    for (file, fresh_file) in files.iter().zip(&fresh_files) {
        assert_eq!(findings(&kept, *file), findings(&fresh, *fresh_file));
    }
}

fn opened(texts: &[String; 4]) -> (Workspace, Vec<FileId>) {
    let files: Vec<(&str, &str)> = NAMES.into_iter().zip(texts.iter().map(String::as_str)).collect();
    workspace(&files)
}

fn findings(workspace: &Workspace, file: FileId) -> String {
    format!("{:#?}", workspace.snapshot().diagnostics(file, &CancelFlag::new()))
}

//! The whole check and the editor's questions, on any schema and values, never panic; every range lies inside its
//! text; and after edits and a pause the findings are those of the new text read afresh.
//!
//! A text is cut at lines `#-`: schema, values, then one text for each edit of the values.

use lofting_document::FileId;
use lofting_workspace::{CancelFlag, Snapshot, Workspace};

use crate::measured::Target;
use crate::questions::{ask, boundary, workspace};

pub const TARGET: Target = Target::Text(run);

fn run(text: &str) {
    let mut parts = text.split("\n#-\n");
    let (schema, values) = (parts.next().unwrap_or_default(), parts.next().unwrap_or_default());
    let (mut workspace, schema_file, file) = opened(schema, values);
    ask(&workspace.snapshot(), schema_file, schema);
    ask(&workspace.snapshot(), file, values);

    let mut now = values.to_owned();
    for (number, inserted) in parts.enumerate().take(8) {
        // Places that depend on the text alone, spread over it.
        let start = boundary(&now, (number + 1) * 7919 % (now.len() + 1));
        let end = boundary(&now, (start + inserted.len() % 5).min(now.len())).max(start);
        now.replace_range(start..end, inserted);
        workspace.edit(file, 2 + i32::try_from(number).unwrap_or(0), start..end, inserted);
        assert_eq!(workspace.snapshot().text(file).to_string(), now);
        ask(&workspace.snapshot(), file, &now);
    }
    // Some of what a line that is being typed says counts only after a pause.
    workspace.typing_over(file);
    let (fresh, _, fresh_file) = opened(schema, &now);
    let cancel = CancelFlag::new();
    let shown = |snapshot: Snapshot, file: FileId| format!("{:#?}", snapshot.diagnostics(file, &cancel));
    assert_eq!(shown(workspace.snapshot(), file), shown(fresh.snapshot(), fresh_file));
}

fn opened(schema: &str, values: &str) -> (Workspace, FileId, FileId) {
    let (workspace, files) = workspace(&[("schema.yml", schema), ("values.yml", values)]);
    (workspace, files[0], files[1])
}

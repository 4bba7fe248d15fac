//! What a workspace says about texts in editors, in words that can be compared.

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use lofting_check::Diagnostic;
use lofting_document::{FileId, Span};
use lofting_starlark::InProcess;
use lofting_workspace::{CancelFlag, Need, Settings, Snapshot, Workspace};

/// Nothing is there: all texts are in editors.
pub const ROOT: &str = "/lofting-differential";

/// A workspace in which these files are open.
pub fn opened(files: &[(String, String)]) -> (Workspace, Vec<FileId>) {
    let mut workspace = Workspace::new(vec![PathBuf::from(ROOT)], Settings::default());
    workspace.set_evaluator(Arc::new(InProcess::default()));
    let ids = files.iter().map(|(path, text)| workspace.open(&Path::new(ROOT).join(path), 1, text)).collect();
    (workspace, ids)
}

/// All findings of files, after all code has run.
pub fn findings(workspace: &mut Workspace, files: &[FileId]) -> Vec<String> {
    let snapshot = workspace.evaluate(files, Need::Values, 1);
    let of = |file: &FileId| snapshot.diagnostics(*file, &CancelFlag::new());
    files.iter().flat_map(|file| of(file).iter().map(|finding| shown(&snapshot, finding)).collect::<Vec<_>>()).collect()
}

/// A finding with everything that a reader sees of it.
pub fn shown(snapshot: &Snapshot, finding: &Diagnostic) -> String {
    let place = |span: Span| format!("{}:{:?}", snapshot.shown_path(span.file), span.range());
    let mut text = format!(
        "{} {} {:?} {:?} {:?}",
        place(finding.span),
        finding.code(),
        finding.severity,
        finding.message,
        (&finding.help, &finding.found, &finding.expected, &finding.path)
    );
    for related in &finding.related {
        let _ = write!(text, " see {} {:?}", place(related.span), related.message);
    }
    for fix in &finding.fixes {
        let edits: Vec<_> = fix.edits.iter().map(|(span, new)| (place(*span), new)).collect();
        let _ = write!(text, " fix {:?} {edits:?}", fix.title);
    }
    text
}

/// The lines that only one of two lists has.
pub fn difference(names: [&str; 2], one: &[String], other: &[String]) -> Option<String> {
    if one == other {
        return None;
    }
    let only = |name: &str, list: &[String], without: &[String]| -> String {
        list.iter().filter(|line| !without.contains(line)).map(|line| format!("only {name}: {line}\n")).collect()
    };
    let said = only(names[0], one, other) + &only(names[1], other, one);
    Some(if said.is_empty() { format!("in another order:\n{one:#?}\n{other:#?}") } else { said })
}

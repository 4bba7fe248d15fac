use crate::{Diagnostic, Severity, Stage};
use lofting_diagnostic::rule;
use lofting_document::Span;

rule! {
    /// # A path outside the workspace
    ///
    /// ## What
    /// `lofting.toml` names a file outside the workspace folder and its repository, or environment variables; or a
    /// comment at the top of a file names such a schema. It is ignored.
    ///
    /// ## Why
    /// A repository may come from anyone. Without this rule, opening one would be enough for it to read your files and
    /// your environment. `../common` in the same repository is fine, and so is anything you name yourself on the
    /// command line. A symbolic link counts as the file it points to.
    ///
    /// ## Example
    /// ```toml
    /// [sets.prod]
    /// files = ["config/", "../../elsewhere/"]
    /// data-values-env = ["APP"]
    /// ```
    ///
    /// ## How to fix
    /// Copy the file into the repository. Or, if you know who wrote this, trust the folder: in VS Code with
    /// *Workspaces: Manage Workspace Trust*, in any editor with the setting `lofting.trustedFolders`, on the
    /// command line with `--trust` or the environment variable `LOFTING_TRUST`.
    pub static RULE: Rule = Rule {
        code: "lofting/out-of-reach",
        stage: Stage::Parse,
        severity: Severity::Error,
    };
}

/// A repository names something outside its reach; `what` describes it and says why.
pub fn finding(span: Span, what: &str) -> Diagnostic {
    Diagnostic::new(&RULE, span, format!("left out, because this folder is not trusted: {what}")).help(
        "trust the folder if you know who wrote this: `--trust` or LOFTING_TRUST on the command line, \
         the setting lofting.trustedFolders or the editor's workspace trust",
    )
}

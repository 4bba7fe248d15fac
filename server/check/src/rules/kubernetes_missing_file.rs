use crate::{Diagnostic, Severity, Stage};
use lofting_diagnostic::{Cause, Certainty, rule};
use lofting_document::Span;

rule! {
    /// # A path in a kustomization that leads nowhere
    ///
    /// ## What
    /// A `kustomization.yaml` names a file or folder of resources, components, patches or data, and there is nothing at
    /// this path; or it names a folder without a kustomization, or a file where only a folder can be. URLs, names of
    /// other repositories, and paths outside the workspace folder and its repository are not looked at.
    ///
    /// ## Why
    /// `kustomize build` and `kubectl apply -k` fail.
    ///
    /// ## Example
    /// ```yaml
    /// # kustomization.yaml
    /// apiVersion: kustomize.config.k8s.io/v1beta1
    /// kind: Kustomization
    /// resources:
    /// - deploymnet.yaml
    /// ```
    ///
    /// ## How to fix
    /// Correct the path, or add the file.
    pub static RULE: Rule = Rule {
        code: "kubernetes/missing-file",
        stage: Stage::Lint,
        severity: Severity::Warning,
        certainty: Certainty::NeedsWholeText,
        cause: Cause::NameGiven,
    };
}

/// What is wrong with a path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PathProblem {
    /// There is neither a file nor a folder.
    Nothing,
    /// A file is missing.
    NoFile,
    /// There is no folder.
    NoFolder,
    /// There is a file, but a folder has to be there.
    IsFile,
    /// There is a folder, but a file has to be there.
    IsFolder,
    /// There is a folder, but no kustomization in it.
    NoKustomization,
}

/// `meant` is the path that is most likely meant.
pub fn finding(span: Span, path: &str, problem: PathProblem, meant: Option<&str>) -> Diagnostic {
    let message = match problem {
        PathProblem::Nothing => format!("there is no file or folder `{path}`"),
        PathProblem::NoFile => format!("there is no file `{path}`"),
        PathProblem::NoFolder => format!("there is no folder `{path}`"),
        PathProblem::IsFile => format!("`{path}` is a file, and this has to be a folder with a kustomization"),
        PathProblem::IsFolder => format!("`{path}` is a folder, and this has to be a file"),
        PathProblem::NoKustomization => format!("the folder `{path}` has no `kustomization.yaml`"),
    };
    let finding = Diagnostic::new(&RULE, span, message);
    match meant {
        Some(meant) => finding.meant(span, meant),
        None => finding,
    }
}

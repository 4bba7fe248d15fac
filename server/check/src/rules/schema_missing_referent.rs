use crate::{Diagnostic, Fix, Severity, Stage};
use lofting_diagnostic::{Cause, Certainty, rule};
use lofting_dialect::SchemaName;
use lofting_document::Span;
use smol_str::SmolStr;

rule! {
    /// # A reference to an unknown document
    ///
    /// ## What
    /// A document names another one, and no file of the workspace holds a document of that kind and name. Namespaces
    /// are compared where both documents give one. If there is one with a similar name, or with this name in another
    /// namespace or of a different kind, it is most likely meant, and the finding is a warning.
    ///
    /// Nothing is reported if the workspace has no document of the kind at all, because these are then kept elsewhere.
    /// For the same reason the finding is not an error.
    ///
    /// ## Why
    /// The platform looks for the document only when it needs it, and then fails. Until then nothing checks the values
    /// that are given next to the name.
    ///
    /// ## Example
    /// ```yaml
    /// apiVersion: openchoreo.dev/v1alpha1
    /// kind: Trait
    /// metadata: {name: volume}
    /// spec: {}
    /// ---
    /// apiVersion: openchoreo.dev/v1alpha1
    /// kind: Component
    /// metadata: {name: shop}
    /// spec:
    ///   traits:
    ///   - name: volumes
    ///     instanceName: data
    /// ```
    ///
    /// ## How to fix
    /// Correct the name, the kind or the namespace, or add the document.
    pub static RULE: Rule = Rule {
        code: "schema/missing-referent",
        stage: Stage::Lint,
        severity: Severity::Info,
        shared: true,
        certainty: Certainty::NeedsWholeText,
        cause: Cause::NameGiven,
    };
}

/// What a reference to a document that does not exist most likely means.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum MeantReferent {
    /// The document with this name in another namespace, given here.
    Namespace(SmolStr),
    /// The document with this name and another kind, given here.
    Kind(SmolStr),
    /// The document of the same kind with this name.
    Name(SmolStr),
    /// Not known.
    Unknown,
}

/// A reference leads nowhere.
pub fn finding(span: Span, family: &'static str, asked: &SchemaName, meant: &MeantReferent) -> Diagnostic {
    worded(span, asked, meant).family(family)
}

fn worded(span: Span, asked: &SchemaName, meant: &MeantReferent) -> Diagnostic {
    let SchemaName { kind, name, namespace, .. } = asked;
    let place = match namespace {
        Some(namespace) => format!("in the namespace `{namespace}`"),
        None => "in this workspace".to_owned(),
    };
    // A name with a slash refers to a part of a document, which only matters where the document exists.
    if let Some((document, part)) = name.rsplit_once('/') {
        let mut finding = Diagnostic::new(&RULE, span, format!("`{document}` has no {kind} `{part}`"));
        finding.severity = Severity::Warning;
        return match meant {
            MeantReferent::Name(meant) => {
                let meant = meant.rsplit('/').next().unwrap_or_default();
                let fix = Fix::replace(format!("Change to `{meant}`"), span, meant);
                finding.help(format!("did you mean `{meant}`?")).fix(fix)
            }
            _ => finding,
        };
    }
    let finding = Diagnostic::new(&RULE, span, format!("there is no {kind} `{name}` {place}"));
    let mut finding = match meant {
        MeantReferent::Unknown => return finding.help("it may be kept outside this workspace"),
        MeantReferent::Namespace(other) => finding.help(format!("there is one in the namespace `{other}`")),
        MeantReferent::Kind(kind) => finding.help(format!("there is a {kind} of this name: say `kind: {kind}`")),
        MeantReferent::Name(meant) => {
            let fix = Fix::replace(format!("Change to `{meant}`"), span, meant.as_str());
            finding.help(format!("did you mean `{meant}`?")).fix(fix)
        }
    };
    finding.severity = Severity::Warning;
    finding
}

use crate::openchoreo::SEMANTICS;
use crate::openchoreo::cel::types::IdsOf;
use lofting_diagnostic::{Cause, Certainty, Diagnostic, Severity, Stage, rule};
use lofting_document::Span;
use lofting_syntax::resolve::{Resolved, resolve_plain};

rule! {
    /// # A field that the schema does not declare
    ///
    /// ## What
    /// An expression reads a field of `parameters`, `environmentConfigs` or another value with a schema in the same
    /// document, and this schema does not declare it.
    ///
    /// ## Why
    /// The platform checks expressions against the schema, and refuses the document.
    ///
    /// ## Example
    /// ```yaml
    /// apiVersion: openchoreo.dev/v1alpha1
    /// kind: ComponentType
    /// metadata: {name: web}
    /// spec:
    ///   workloadType: deployment
    ///   schema:
    ///     parameters:
    ///       replicas: integer
    ///   resources:
    ///   - id: deployment
    ///     template:
    ///       replicas: ${parameters.replica}
    /// ```
    ///
    /// ## How to fix
    /// Correct the name, or declare the field.
    pub static RULE: Rule = Rule {
        code: "openchoreo/unknown-field",
        stage: Stage::Schema,
        severity: Severity::Error,
        certainty: Certainty::NeedsWholeText,
        cause: Cause::NameGiven,
    };
}

/// How many fields are listed.
const LISTED: usize = 8;

/// The finding for an id that no item of the list has.
pub(crate) fn id(span: Span, name: &str, of: IdsOf, meant: Option<&str>) -> Diagnostic {
    let what = match of {
        IdsOf::Resources => "resource here",
        IdsOf::References => "item of `externalRefs`",
    };
    let finding = Diagnostic::new(&RULE, span, format!("no {what} has the id `{name}`"));
    match meant {
        Some(meant) => finding.meant(span, meant),
        None => finding,
    }
}

pub(crate) fn finding<'n>(
    span: Span,
    name: &str,
    known: impl Iterator<Item = &'n str>,
    meant: Option<&str>,
    declared: Option<Span>,
) -> Diagnostic {
    let mut finding = Diagnostic::new(&RULE, span, format!("the schema declares no field `{name}` here"));
    if let Some(declared) = declared {
        finding = finding.related(declared, "declared here");
    }
    if let Some(meant) = meant {
        return finding.meant(span, meant);
    }
    let known: Vec<&str> = known.collect();
    if let Resolved::Bool(value) = resolve_plain(SEMANTICS.profile, name)
        && known.contains(&value.to_string().as_str())
    {
        return finding.help(format!(
            "without quotes, `{name}` is the boolean `{value}`: put the name in quotes in the schema and in values"
        ));
    }
    if known.is_empty() {
        return finding.help("the document has no schema for these values");
    }
    let mut names: Vec<String> = known.iter().take(LISTED + 1).map(|name| format!("`{name}`")).collect();
    let more = if names.len() > LISTED { " and others" } else { "" };
    names.truncate(LISTED);
    finding.help(format!("there are {}{more}", names.join(", ")))
}

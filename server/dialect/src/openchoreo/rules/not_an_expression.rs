use crate::openchoreo::templates::ResultType;
use lofting_diagnostic::{Diagnostic, Fix, Said, Severity, Stage, rule};
use lofting_document::Span;
use lofting_document::write::double_quoted;
use lofting_syntax::{Kind, Tree, ValueKind};
use std::ops::Range;

rule! {
    /// # Text where a single expression belongs
    ///
    /// ## What
    /// `includeWhen`, `forEach`, `when`, `rule`, `readyWhen` and the `where` of a target take one expression, `${…}`, with nothing before or after it.
    ///
    /// ## Why
    /// The platform refuses the document.
    ///
    /// ## Example
    /// ```yaml
    /// apiVersion: openchoreo.dev/v1alpha1
    /// kind: ComponentType
    /// metadata: {name: web}
    /// spec:
    ///   workloadType: deployment
    ///   parameters:
    ///     ocSchema: {enabled: boolean}
    ///   resources:
    ///   - id: deployment
    ///     includeWhen: parameters.enabled
    ///     template: {}
    /// ```
    ///
    /// ## How to fix
    /// Put `${` and `}` around the expression.
    pub static RULE: Rule = Rule {
        code: "openchoreo/not-an-expression",
        stage: Stage::Schema,
        severity: Severity::Error,
        instead_of: &[Said::Value("pattern"), Said::Value("min-len")],
    };
}

/// How an expression can be written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Style {
    /// Without quotes.
    Plain,
    /// In quotes.
    Quoted,
}

impl Style {
    /// That of a scalar. Between brackets, braces have a meaning of their own.
    pub fn at(tree: &Tree, range: Range<usize>) -> Style {
        let path = tree.path_at(range.start);
        let is_between_brackets = path.iter().any(|node| matches!(node.kind(), Kind::FlowMap | Kind::FlowSeq));
        let is_plain = tree.scalar_at(range.start).is_some_and(|scalar| scalar.style() == ValueKind::Plain);
        if is_plain && !is_between_brackets { Style::Plain } else { Style::Quoted }
    }
}

pub(crate) fn finding(span: Span, text: &str, wanted: ResultType, style: Style) -> Diagnostic {
    let what = match wanted {
        ResultType::Boolean | ResultType::Filter => "one expression that is a boolean",
        ResultType::Items => "one expression that is an array or a map",
        ResultType::Name | ResultType::Path => "one expression that is a string",
    };
    let finding = Diagnostic::new(&RULE, span, format!("this should be {what}, `${{…}}`, and nothing else"));
    if text.contains("${") || text.contains(['\n', '{', '}']) || text.trim().is_empty() {
        return finding;
    }
    let fixed = format!("${{{}}}", text.trim());
    let is_plain = style == Style::Plain && !text.contains(['#', ':']);
    let fixed = if is_plain { fixed } else { double_quoted(&fixed) };
    finding.fix(Fix::replace("Make it an expression", span, fixed))
}

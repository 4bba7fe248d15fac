use crate::{Diagnostic, Fix, Severity, Stage};
use lofting_diagnostic::rule;
use lofting_document::{FileId, Span};
use lofting_syntax::LooseValue;

rule! {
    /// # A value that continues too far left
    ///
    /// ## What
    /// A quoted string, or an array or map in brackets, continues on a line that is not indented deeper than its key or
    /// dash.
    ///
    /// ## Why
    /// YAML requires all lines of a value to be deeper than its key. Many readers accept any indentation, but not all
    /// do.
    ///
    /// ## Example
    /// ```yaml
    /// description: "what it is
    /// and what it does"
    /// ```
    ///
    /// ## How to fix
    /// Indent the lines: white space at their beginning is not part of the value.
    pub static RULE: Rule = Rule {
        code: "yaml/loose-indentation",
        stage: Stage::Lint,
        severity: Severity::Hint,
    };
}

/// How much deeper than its key a line is moved.
const DEEPER: usize = 2;

pub(crate) fn finding(file: FileId, value: &LooseValue) -> Diagnostic {
    let message = "this line belongs to the value above but is not deeper than its key";
    let room = " ".repeat(value.column + DEEPER);
    let edits = value.lines.iter().map(|line| (Span::new(file, line.clone()), room.clone())).collect();
    Diagnostic::new(&RULE, Span::new(file, value.first.clone()), message)
        .related(Span::new(file, value.range.start..value.range.start), "the value begins here")
        .fix(Fix::new("Indent the lines of the value", edits).sure())
}

#[cfg(test)]
mod tests {
    use super::finding;
    use lofting_document::FileId;

    #[test]
    fn the_fix_makes_the_text_one_that_every_reader_takes() {
        let text = "a:\n  - b: 'text\n  of\n\nmore'\n    c: [1,\n2, {\n}]\nd: 1\n";
        let tree = lofting_syntax::parse(text);
        let mut edits: Vec<_> = tree
            .loose_values()
            .iter()
            .flat_map(|value| finding(FileId(0), value).fixes)
            .flat_map(|fix| fix.edits)
            .collect();
        edits.sort_by_key(|(span, _)| span.start);
        let mut fixed = text.to_owned();
        for (span, new) in edits.iter().rev() {
            fixed.replace_range(span.range(), new);
        }
        let fixed = lofting_syntax::parse(&fixed);
        assert!(!fixed.is_loose() && fixed.errors().is_empty(), "{}", fixed.to_text());
    }
}

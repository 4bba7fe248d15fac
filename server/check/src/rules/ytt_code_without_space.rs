use crate::{Diagnostic, Fix, Severity, Stage};
use lofting_annotation::catalog;
use lofting_diagnostic::rule;
use lofting_document::{Note, Span};
use lofting_eval::is_keyword;

rule! {
    /// # Code without a space before it
    ///
    /// ## What
    /// `#@` is followed by code without a space between them.
    ///
    /// ## Why
    /// Without the space it is the name of an annotation, and ytt ignores those it does not know: a value stays null, a
    /// block does not begin or end.
    ///
    /// ## Example
    /// ```yaml
    /// #@ port = 80
    /// port: #@port
    /// ```
    ///
    /// ## How to mend
    /// Write a space behind `#@`.
    pub static RULE: Rule = Rule {
        code: "ytt/code-without-space",
        stage: Stage::Lint,
        severity: Severity::Warning,
    };
}

/// The finding about an annotation that is no name. `is_value`: it stands where the value of its item is missing.
pub(crate) fn finding(note: &Note, is_value: bool) -> Option<Diagnostic> {
    let name = note.name.as_str();
    // Brackets and quotes in a name are a mistake of their own.
    if catalog::find(name).is_some() || name.is_empty() || name.contains(['/', '(', '[', '{', '"', '\'']) {
        return None;
    }
    let word = name.split(|c: char| !(c.is_ascii_alphanumeric() || c == '_')).next().unwrap_or_default();
    let is_code = is_keyword(word) || name.contains(['.', '=']);
    if !is_code && !is_value {
        return None;
    }
    let message = match is_value {
        true => "ytt takes this for an annotation, and the value is null: code needs a space behind `#@`",
        false => "ytt takes this for an annotation and ignores it: code needs a space behind `#@`",
    };
    let behind = Span { start: note.span.start + 2, end: note.span.start + 2, ..note.span };
    Some(Diagnostic::new(&RULE, note.name_span, message).fix(Fix::replace("Write a space behind `#@`", behind, " ")))
}

#[cfg(test)]
mod tests {
    use crate::fixture::messages;
    use expect_test::expect;

    #[test]
    fn code_is_told_from_names() {
        let found = messages(
            "#- app.yml
#@ x = 1
a: #@data.values.x
#    ^^^^^^^^^^^^^ ytt/code-without-space
b:
- #@x
#   ^ ytt/code-without-space
- c: #@ x
#@mine
d: 1
#@other/thing words
e: #! said
#@end
# ^^^ ytt/code-without-space
f: #@ x
",
        );
        expect![[r#"
            lint: ytt takes this for an annotation, and the value is null: code needs a space behind `#@`
              fix: Write a space behind `#@`: " "
            lint: ytt takes this for an annotation, and the value is null: code needs a space behind `#@`
              fix: Write a space behind `#@`: " "
            lint: ytt takes this for an annotation and ignores it: code needs a space behind `#@`
              fix: Write a space behind `#@`: " "
        "#]]
        .assert_eq(&found);
    }
}

use crate::{Diagnostic, Fix, Severity, Stage};
use lofting_diagnostic::rule;
use lofting_document::Span;
use lofting_eval::is_field_name;

rule! {
    /// # Code that is written as text
    ///
    /// ## What
    /// The value of a node in a template is `data.values.x` without quotes and without `#@` before it.
    ///
    /// ## Why
    /// Without `#@` it is a string like any other: the output contains "data.values.x", not the data value.
    ///
    /// ## Example
    /// ```yaml
    /// #@ load("@ytt:data", "data")
    /// port: data.values.port
    /// ```
    ///
    /// ## How to mend
    /// Write `#@` and a space before it. If the string itself is meant, put it in quotes.
    pub static RULE: Rule = Rule {
        code: "ytt/code-as-text",
        stage: Stage::Lint,
        severity: Severity::Warning,
    };
}

/// The finding for a scalar that, as written, is an expression and not prose.
pub(crate) fn finding(span: Span, written: &str) -> Option<Diagnostic> {
    if !is_path(written) {
        return None;
    }
    let start = Span { end: span.start, ..span };
    let message = "ytt reads this as a string: code needs `#@` and a space before it";
    Some(Diagnostic::new(&RULE, span, message).fix(Fix::replace("Write `#@` before it", start, "#@ ")))
}

/// Whether a text is `data.values` followed by keys and indexes and nothing else.
fn is_path(text: &str) -> bool {
    let Some(mut rest) = text.strip_prefix("data.values") else { return false };
    if rest.is_empty() {
        return false;
    }
    while !rest.is_empty() {
        rest = match rest.strip_prefix('.') {
            Some(name) => {
                let end = name.find(['.', '[']).unwrap_or(name.len());
                let (name, behind) = name.split_at(end);
                if !is_field_name(name) {
                    return false;
                }
                behind
            }
            None => match rest.strip_prefix('[').and_then(|index| index.split_once(']')) {
                Some((index, behind)) if !index.is_empty() => behind,
                _ => return false,
            },
        };
    }
    true
}

#[cfg(test)]
mod tests {
    use crate::fixture::messages;
    use expect_test::expect;

    #[test]
    fn expressions_are_told_from_prose() {
        let found = messages(
            "#- app.yml
#@ load(\"@ytt:data\", \"data\")
a: data.values.name
#  ^^^^^^^^^^^^^^^^ ytt/code-as-text
b:
- data.values.ports[0].number
# ^^^^^^^^^^^^^^^^^^^^^^^^^^^ ytt/code-as-text
c: data.values.x is read here
d: \"data.values.name\"
e: data.values
f: data.values.
g: see data.values.name
h: #@ data.values.name
#- plain.yml
a: data.values.name
",
        );
        expect![[r##"
            lint: ytt reads this as a string: code needs `#@` and a space before it
              fix: Write `#@` before it: "#@ "
            lint: ytt reads this as a string: code needs `#@` and a space before it
              fix: Write `#@` before it: "#@ "
        "##]]
        .assert_eq(&found);
    }
}

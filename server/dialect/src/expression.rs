//! Why Go refuses a regular expression, in words.

use lofting_diagnostic::Diagnostic;
use lofting_document::Span;
use lofting_schema::re2::{Mistake, PatternError};

/// A finding about a regular expression, made of a message.
pub(crate) fn refused(
    finding: impl FnOnce(Span, String) -> Diagnostic,
    span: Span,
    consequence: &str,
    why: &PatternError,
) -> Diagnostic {
    let PatternError { mistake, part } = why;
    let reason = match mistake {
        Mistake::TooLarge => ": it is too large".to_owned(),
        Mistake::Invalid => String::new(),
        Mistake::UnexpectedParenthesis => ": a `)` is without its `(`".to_owned(),
        Mistake::MissingParenthesis => ": a `(` is not closed".to_owned(),
        Mistake::MissingBracket => ": a `[` is not closed".to_owned(),
        Mistake::NestedRepetition => format!(": `{part}` repeats a repetition"),
        Mistake::NothingToRepeat => format!(": `{part}` has nothing to repeat"),
        Mistake::Perl => format!(": RE2 does not know `{part}`"),
        Mistake::NamedCapture => format!(": `{part}` does not begin a group with a name"),
        Mistake::ClassRange => format!(": `{part}` is not a class of characters"),
        Mistake::Escape => format!(": RE2 does not know `{part}`"),
        Mistake::RepeatCount => format!(": the count `{part}` is too high, or its numbers are in the wrong order"),
        Mistake::TrailingBackslash => ": a backslash at its end escapes nothing".to_owned(),
    };
    let finding = finding(span, format!("this regular expression cannot be read{consequence}{reason}"));
    match mistake {
        Mistake::Perl | Mistake::Escape => finding.help("RE2 has no look-around and no back-references"),
        Mistake::RepeatCount => {
            finding.help("a count is at most 1000, and so is the product of counts inside each other")
        }
        _ => finding,
    }
}

#[cfg(test)]
mod tests {
    use super::refused;
    use expect_test::expect;
    use lofting_diagnostic::Diagnostic;
    use lofting_document::{FileId, Span};
    use lofting_schema::re2;

    #[test]
    fn each_mistake_has_its_reason() {
        let patterns =
            ["a)", "(a", "[a", "a**", "*a", "a(?=b)", "(?P<>a)", "[[:nope:]]", r"(a)\1", "a{1001}", "a{3,2}", "a\\"];
        let reasons = patterns.map(|pattern| {
            let Err(why) = re2::check(pattern) else { return format!("{pattern} is valid\n") };
            let rule = &crate::kubernetes::rules::invalid_pattern::RULE;
            let finding = |span, message| Diagnostic::new(rule, span, message);
            let found = refused(finding, Span::new(FileId(0), 0..0), "", &why);
            format!("{pattern} {} {:?}\n", found.message, found.help.as_deref().unwrap_or_default())
        });
        expect![[r#"
            a) this regular expression cannot be read: a `)` is without its `(` ""
            (a this regular expression cannot be read: a `(` is not closed ""
            [a this regular expression cannot be read: a `[` is not closed ""
            a** this regular expression cannot be read: `**` repeats a repetition ""
            *a this regular expression cannot be read: `*` has nothing to repeat ""
            a(?=b) this regular expression cannot be read: RE2 does not know `(?=` "RE2 has no look-around and no back-references"
            (?P<>a) this regular expression cannot be read: `(?P<>` does not begin a group with a name ""
            [[:nope:]] this regular expression cannot be read: `[:nope:]` is not a class of characters ""
            (a)\1 this regular expression cannot be read: RE2 does not know `\1` "RE2 has no look-around and no back-references"
            a{1001} this regular expression cannot be read: the count `{1001}` is too high, or its numbers are in the wrong order "a count is at most 1000, and so is the product of counts inside each other"
            a{3,2} this regular expression cannot be read: the count `{3,2}` is too high, or its numbers are in the wrong order "a count is at most 1000, and so is the product of counts inside each other"
            a\ this regular expression cannot be read: a backslash at its end escapes nothing ""
        "#]]
        .assert_eq(&reasons.concat());
    }
}

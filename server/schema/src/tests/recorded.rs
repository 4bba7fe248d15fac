//! Regular expressions mean what V8 and RE2 say, in `tests/conformance/regular-expressions`.

use crate::{Pattern, PatternDialect};

/// An expression, texts, and the verdicts of JavaScript and of RE2; see `record.py` there.
type Recorded = (String, Vec<String>, String, String);

#[test]
fn regular_expressions_mean_what_javascript_and_re2_say() {
    let recorded = include_str!("../../../../tests/conformance/regular-expressions/verdicts.jsonl");
    let mut wrong = Vec::new();
    let mut compared = 0;
    for line in recorded.lines() {
        let (source, texts, by_script, by_re2): Recorded = serde_json::from_str(line).expect("a recorded line");
        for (dialect, expected) in [(PatternDialect::Ecma, by_script), (PatternDialect::Re2, by_re2)] {
            if expected.is_empty() {
                continue;
            }
            compared += 1;
            let pattern = Pattern::new(source.as_str(), dialect);
            let said = if pattern.is_valid() {
                let verdict = |text: &String| match pattern.is_in(text) {
                    Some(true) => '1',
                    Some(false) => '0',
                    None => '?',
                };
                texts.iter().map(verdict).collect()
            } else {
                "invalid".to_owned()
            };
            if said != expected {
                wrong.push(format!("{dialect:?} `{source}`: {said}, not {expected}, for {texts:?}"));
            }
        }
    }
    assert!(compared > 4_000, "only {compared} verdicts are recorded");
    assert!(wrong.is_empty(), "{} of {compared}:\n{}", wrong.len(), wrong.join("\n"));
}

//! Selectors of labels and annotations as `kubectl` takes them: `app=web,tier in (a, b),!old`.

use smol_str::SmolStr;

/// What one label has to be.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Requirement {
    pub key: SmolStr,
    test: Test,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Test {
    Exists,
    Missing,
    In(Vec<SmolStr>),
    NotIn(Vec<SmolStr>),
    /// The comparison of numbers, which is not looked at.
    Number,
}

impl Requirement {
    /// Whether a label with this value fits; None stands for a resource without the label.
    pub fn fits(&self, value: Option<&str>) -> bool {
        let is_one = |values: &[SmolStr]| value.is_some_and(|value| values.iter().any(|one| one == value));
        match &self.test {
            Test::Exists => value.is_some(),
            Test::Missing => value.is_none(),
            Test::In(values) => is_one(values),
            Test::NotIn(values) => !is_one(values),
            Test::Number => true,
        }
    }
}

/// Reads a selector; None if it cannot be read.
pub(super) fn read(text: &str) -> Option<Vec<Requirement>> {
    let mut rest = text.trim();
    let mut found = Vec::new();
    while !rest.is_empty() {
        let (requirement, after) = requirement(rest)?;
        found.push(requirement);
        rest = after.trim_start();
        if !rest.is_empty() {
            rest = rest.strip_prefix(',')?.trim_start();
            if rest.is_empty() {
                return None;
            }
        }
    }
    Some(found)
}

/// The first requirement, and what is after it.
fn requirement(text: &str) -> Option<(Requirement, &str)> {
    let is_missing = text.strip_prefix('!');
    let (key, rest) = word(is_missing.unwrap_or(text).trim_start());
    if key.is_empty() {
        return None;
    }
    let rest = rest.trim_start();
    let made = |test, rest| Some((Requirement { key: key.into(), test }, rest));
    if is_missing.is_some() {
        return made(Test::Missing, rest);
    }
    if rest.is_empty() || rest.starts_with(',') {
        return made(Test::Exists, rest);
    }
    let after = |sign: &str| rest.strip_prefix(sign).map(|after| word(after.trim_start()));
    if let Some((value, rest)) = after("!=") {
        return made(Test::NotIn(vec![value.into()]), rest);
    }
    if let Some((value, rest)) = after("==").or_else(|| after("=")) {
        return made(Test::In(vec![value.into()]), rest);
    }
    if let Some((_, rest)) = after(">").or_else(|| after("<")) {
        return made(Test::Number, rest);
    }
    let (operator, values) = word(rest);
    let (values, rest) = values.trim_start().strip_prefix('(')?.split_once(')')?;
    let values = values.split(',').map(|value| value.trim().into()).collect();
    match operator {
        "in" => made(Test::In(values), rest),
        "notin" => made(Test::NotIn(values), rest),
        _ => None,
    }
}

/// The name or value at the beginning of a text, and what is after it.
fn word(text: &str) -> (&str, &str) {
    let is_part = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_' | '.' | '/');
    text.split_at(text.find(|c| !is_part(c)).unwrap_or(text.len()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fits(selector: &str, labels: &[(&str, &str)]) -> Option<bool> {
        let value = |key: &str| labels.iter().find(|(known, _)| *known == key).map(|(_, value)| *value);
        Some(read(selector)?.iter().all(|requirement| requirement.fits(value(&requirement.key))))
    }

    #[test]
    fn requirements_of_all_forms() {
        let labels = [("app", "web"), ("example.com/tier", "a")];
        for (selector, want) in [
            ("", true),
            ("app=web", true),
            ("app == web", true),
            ("app=db", false),
            ("app=", false),
            ("app!=db", true),
            ("app != web", false),
            ("old!=x", true),
            ("app", true),
            ("old", false),
            ("!old", true),
            ("! app", false),
            ("app in (web, db)", true),
            ("app in(db)", false),
            ("app notin (db)", true),
            ("app notin (web)", false),
            ("old notin (web)", true),
            ("app=web,example.com/tier in (a,b), !old", true),
            ("app=web,example.com/tier=b", false),
            ("app>1", true),
        ] {
            assert_eq!(fits(selector, &labels), Some(want), "{selector}");
        }
        for wrong in [",", "app=web,", "=web", "app web", "app in web", "app in (web", "app=web db", "{app: web}"] {
            assert_eq!(fits(wrong, &labels), None, "{wrong}");
        }
    }
}

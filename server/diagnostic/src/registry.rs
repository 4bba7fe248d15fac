//! All rules there are, by code.

use crate::Rule;

/// Every rule of the program. Crates that declare rules export them as lists; the registry joins these.
#[derive(Debug, Clone)]
pub struct Registry {
    /// Sorted by code.
    rules: Vec<&'static Rule>,
}

impl Registry {
    /// A registry of several lists.
    pub fn new(lists: &[&[&'static Rule]]) -> Registry {
        let mut rules: Vec<_> = lists.iter().flat_map(|list| list.iter().copied()).collect();
        rules.sort_by_key(|rule| rule.code);
        Registry { rules }
    }

    /// All rules, by code.
    pub fn rules(&self) -> &[&'static Rule] {
        &self.rules
    }

    /// The rule with exactly this code.
    pub fn get(&self, code: &str) -> Option<&'static Rule> {
        self.rules.binary_search_by_key(&code, |rule| rule.code).ok().map(|index| self.rules[index])
    }

    /// The rule whose code is most like a mistyped one.
    pub fn nearest(&self, code: &str) -> Option<&'static Rule> {
        let similarity = |rule: &Rule| {
            // People leave out the family, or write another one.
            let name = |code: &str| code.rsplit('/').next().unwrap_or_default().to_owned();
            strsim::normalized_damerau_levenshtein(rule.code, code)
                .max(strsim::normalized_damerau_levenshtein(&name(rule.code), &name(code)))
        };
        let best = self.rules.iter().map(|rule| (similarity(rule), *rule)).max_by(|a, b| a.0.total_cmp(&b.0))?;
        (best.0 >= 0.6).then_some(best.1)
    }
}

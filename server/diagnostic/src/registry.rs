//! All rules, by code.

use crate::Rule;

/// Every rule of the program. Crates that declare rules export them as lists; the registry joins these.
#[derive(Debug, Clone)]
pub struct Registry {
    /// Sorted by code.
    rules: Vec<&'static Rule>,
    /// Sorted: the schema languages that shared rules report for.
    families: Vec<&'static str>,
}

impl Registry {
    /// A registry of several lists, whose shared rules report for these schema languages.
    pub fn new(lists: &[&[&'static Rule]], families: &[&'static str]) -> Registry {
        let mut rules: Vec<_> = lists.iter().flat_map(|list| list.iter().copied()).collect();
        rules.sort_by_key(|rule| rule.code);
        let mut families = families.to_vec();
        families.sort_unstable();
        families.dedup();
        Registry { rules, families }
    }

    /// All rules, by code.
    pub fn rules(&self) -> &[&'static Rule] {
        &self.rules
    }

    /// The schema language with this name.
    pub fn family(&self, name: &str) -> Option<&'static str> {
        self.families.iter().find(|known| **known == name).copied()
    }

    /// The rule with exactly this code, its own or, for a shared one, that of a language. Codes of earlier versions
    /// count as well.
    pub fn get(&self, code: &str) -> Option<&'static Rule> {
        self.today(code).or_else(|| self.today(&self.renamed(code)?))
    }

    /// The code that a rule has today, if `code` is one that it had in an earlier version.
    pub fn renamed(&self, code: &str) -> Option<String> {
        let (family, _) = code.split_once('/')?;
        let had = |former: &str| match former.split_once('/') {
            Some(_) => former == code,
            None => code.strip_prefix(family).and_then(|rest| rest.strip_prefix('/')) == Some(former),
        };
        let rule = self.rules.iter().find(|rule| rule.former.iter().any(|former| had(former)))?;
        if !rule.shared {
            return Some(rule.code.to_owned());
        }
        self.families.contains(&family).then(|| format!("{family}/{}", rule.name()))
    }

    /// The codes under which a rule reports: its own, then those of other languages.
    pub fn codes(&self, rule: &Rule) -> Vec<String> {
        let of_others = self.families.iter().filter(|family| rule.shared && **family != rule.family());
        let others = of_others.map(|family| format!("{family}/{}", rule.name()));
        std::iter::once(rule.code.to_owned()).chain(others).collect()
    }

    fn today(&self, code: &str) -> Option<&'static Rule> {
        if let Ok(index) = self.rules.binary_search_by_key(&code, |rule| rule.code) {
            return self.rules.get(index).copied();
        }
        let (family, name) = code.split_once('/')?;
        self.families.iter().find(|known| **known == family)?;
        self.rules.iter().find(|rule| rule.shared && rule.name() == name).copied()
    }

    /// The rule whose code is most like a mistyped one.
    pub fn nearest(&self, code: &str) -> Option<&'static Rule> {
        let similarity = |rule: &Rule| {
            // People leave out the family, or write another one.
            let name = |code: &str| code.rsplit('/').next().unwrap_or_default().to_owned();
            alike(rule.code, code).max(alike(&name(rule.code), &name(code)))
        };
        let best = self.rules.iter().map(|rule| (similarity(rule), *rule)).max_by(|a, b| a.0.total_cmp(&b.0))?;
        (best.0 >= ALIKE).then_some(best.1)
    }
}

/// How alike two codes are at least that are taken for one, as a part of the longer one.
const ALIKE: f64 = 0.6;

/// How alike two codes are, from 0 to 1; 0 also where their lengths alone tell that it is less than [`ALIKE`].
fn alike(one: &str, other: &str) -> f64 {
    let (one_length, other_length) = (one.chars().count(), other.chars().count());
    let longer = one_length.max(other_length) as f64;
    if one_length.abs_diff(other_length) as f64 > longer * (1.0 - ALIKE) {
        return 0.0;
    }
    strsim::normalized_damerau_levenshtein(one, other)
}

#[cfg(test)]
mod tests {
    use super::Registry;
    use crate::rule;

    rule! {
        /// # Of one language
        static OWN: Rule = Rule { code: "ytt/new-name", former: &["ytt/old-name"] };
    }

    rule! {
        /// # Of all languages
        static SHARED: Rule = Rule { code: "schema/limit", shared: true, former: &["bound"] };
    }

    #[test]
    fn codes_of_earlier_versions_stay_valid() {
        let registry = Registry::new(&[&[&OWN, &SHARED]], &["kubernetes"]);
        assert_eq!(registry.get("ytt/old-name"), Some(&OWN));
        assert_eq!(registry.renamed("ytt/old-name").as_deref(), Some("ytt/new-name"));
        assert_eq!(registry.get("kubernetes/bound"), Some(&SHARED));
        assert_eq!(registry.renamed("kubernetes/bound").as_deref(), Some("kubernetes/limit"));
        assert_eq!(registry.renamed("ytt/new-name"), None);
        assert_eq!(registry.get("other/bound"), None);
    }
}

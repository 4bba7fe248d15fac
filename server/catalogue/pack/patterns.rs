//! Which files the schemas of the store are for, where its index says it otherwise: `patterns.txt`.

use anyhow::{Context, bail};

/// The changes.
const CHANGES: &str = include_str!("../patterns.txt");

/// Patterns that take the place of another one.
struct Change {
    /// The address of the schema.
    url: &'static str,
    /// The pattern that the index has.
    pattern: &'static str,
    /// None at all if it is left out.
    instead: Vec<&'static str>,
    is_applied: bool,
}

/// All changes.
pub struct Changes(Vec<Change>);

/// Reads the changes.
pub fn read() -> anyhow::Result<Changes> {
    let lines = CHANGES.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
    let read = |line: &'static str| {
        let mut fields = line.split(' ');
        let (url, pattern) = fields.next().zip(fields.next()).with_context(|| format!("patterns.txt: `{line}`"))?;
        Ok(Change { url, pattern, instead: fields.collect(), is_applied: false })
    };
    lines.map(read).collect::<Result<_, _>>().map(Changes)
}

impl Changes {
    /// Changes the patterns of the schema with an address.
    pub fn apply<'p>(&mut self, url: &str, patterns: Vec<&'p str>) -> Vec<&'p str> {
        let mut changed = Vec::new();
        for pattern in patterns {
            match self.0.iter_mut().find(|change| (change.url, change.pattern) == (url, pattern)) {
                Some(change) => {
                    change.is_applied = true;
                    changed.extend(&change.instead);
                }
                None => changed.push(pattern),
            }
        }
        changed
    }

    /// Whether all were needed.
    pub fn finish(&self) -> anyhow::Result<()> {
        match self.0.iter().find(|change| !change.is_applied) {
            Some(unused) => bail!("patterns.txt: {} has no pattern {}", unused.url, unused.pattern),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_are_left_out_and_replaced() {
        let change = |pattern, instead| Change { url: "u", pattern, instead, is_applied: false };
        let mut changes = Changes(vec![change("a.yml", vec![]), change("b.yml", vec!["b/b.yml", "c/b.yml"])]);
        assert_eq!(changes.apply("other", vec!["a.yml", "b.yml"]), ["a.yml", "b.yml"]);
        assert!(changes.finish().is_err());
        assert_eq!(changes.apply("u", vec!["a.yml", "x.yml", "b.yml"]), ["x.yml", "b/b.yml", "c/b.yml"]);
        changes.finish().expect("all were needed");
    }
}

//! The severity of a rule's findings as chosen by users, whatever the rule itself says.

use crate::{Diagnostic, Rule, Severity};

/// What was chosen for a rule.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Level {
    /// Its findings are not reported.
    Off,
    /// They have this severity.
    Told(Severity),
}

impl Level {
    /// All levels, by their names in `lofting.toml` and in settings.
    pub const ALL: [(&str, Level); 5] = [
        ("off", Level::Off),
        ("hint", Level::Told(Severity::Hint)),
        ("info", Level::Told(Severity::Info)),
        ("warning", Level::Told(Severity::Warning)),
        ("error", Level::Told(Severity::Error)),
    ];

    /// The level with this name.
    pub fn named(name: &str) -> Option<Level> {
        Level::ALL.iter().find(|(known, _)| *known == name).map(|(_, level)| *level)
    }
}

/// What was chosen in one place. A rule of which nothing is said keeps its own level.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Levels {
    /// There are only a few, so a linear search is fine.
    chosen: Vec<(&'static Rule, Level)>,
}

impl Levels {
    /// Whether nothing was chosen.
    pub fn is_empty(&self) -> bool {
        self.chosen.is_empty()
    }

    /// Chooses a level; a second one for the same rule replaces the first.
    pub fn choose(&mut self, rule: &'static Rule, level: Level) {
        match self.chosen.iter_mut().find(|(known, _)| *known == rule) {
            Some((_, known)) => *known = level,
            None => self.chosen.push((rule, level)),
        }
    }

    /// What was chosen for a rule.
    pub fn of(&self, rule: &'static Rule) -> Option<Level> {
        self.chosen.iter().find(|(known, _)| *known == rule).map(|(_, level)| *level)
    }
}

/// Gives findings the level that the first of several choices has for their rule.
pub fn apply_levels(findings: &mut Vec<Diagnostic>, choices: &[&Levels]) {
    findings.retain_mut(|finding| match choices.iter().find_map(|levels| levels.of(finding.rule)) {
        None => !finding.rule.silent,
        Some(Level::Off) => false,
        Some(Level::Told(severity)) => {
            finding.severity = severity;
            true
        }
    });
}

//! The severity of a rule's findings as chosen by users, whatever the rule itself says.

use crate::{Diagnostic, Severity};

/// What was chosen for a rule.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Level {
    /// Its findings are not reported.
    Off,
    /// Findings have this severity.
    Reported(Severity),
}

impl Level {
    /// All levels, by their names in `lofting.toml` and in settings.
    pub const ALL: [(&str, Level); 5] = [
        ("off", Level::Off),
        ("hint", Level::Reported(Severity::Hint)),
        ("info", Level::Reported(Severity::Info)),
        ("warning", Level::Reported(Severity::Warning)),
        ("error", Level::Reported(Severity::Error)),
    ];

    /// The level with this name.
    pub fn named(name: &str) -> Option<Level> {
        Level::ALL.iter().find(|(known, _)| *known == name).map(|(_, level)| *level)
    }
}

/// What was chosen in one place, by code. A rule that is not mentioned keeps its own level. The own code of a shared
/// rule stands for all languages, except for those whose code is there as well.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Levels {
    /// There are only a few, so a linear search is fine.
    chosen: Vec<(String, Level)>,
}

impl Levels {
    /// Whether nothing was chosen.
    pub fn is_empty(&self) -> bool {
        self.chosen.is_empty()
    }

    /// Chooses a level for a code of a rule; a second one replaces the first.
    pub fn choose(&mut self, code: &str, level: Level) {
        match self.chosen.iter_mut().find(|(known, _)| known == code) {
            Some((_, known)) => *known = level,
            None => self.chosen.push((code.to_owned(), level)),
        }
    }

    /// What was chosen for exactly this code.
    pub fn of(&self, code: &str) -> Option<Level> {
        self.chosen.iter().find(|(known, _)| known == code).map(|(_, level)| *level)
    }

    /// What was chosen for a finding.
    fn of_finding(&self, finding: &Diagnostic) -> Option<Level> {
        if self.is_empty() {
            return None;
        }
        self.of(&finding.code()).or_else(|| self.of(finding.rule.code))
    }
}

/// Gives findings the level that the first of several choices has for their rule.
pub fn apply_levels(findings: &mut Vec<Diagnostic>, choices: &[&Levels]) {
    findings.retain_mut(|finding| match choices.iter().find_map(|levels| levels.of_finding(finding)) {
        None => !finding.rule.silent,
        Some(Level::Off) => false,
        Some(Level::Reported(severity)) => {
            finding.severity = severity;
            true
        }
    });
}

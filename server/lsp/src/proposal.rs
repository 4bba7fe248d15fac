//! A plan to begin with, from what changed in a schema.

use std::collections::HashMap;

use lofting_diff::{Change, Compared, Fate, Kind, Language, Path};
use lofting_migration::{Proposal, proposed, split};

/// A plan for a schema, from its text before and after, which were compared. `schema`: its name in the plan.
pub(crate) fn plan(schema: &str, compared: &Compared, old: &str, new: &str) -> String {
    let language = compared.language;
    // Values in schemas of ytt are defaults.
    let is_ytt = language == Language::Ytt;
    let is_added = |change: &&Change| matches!(change.kind, Kind::AddedOptional | Kind::AddedRequired);
    let added: Vec<String> = compared.changes.iter().filter(is_added).map(|change| change.path.to_string()).collect();
    let split = |path: &Path| {
        let split = is_ytt.then(|| split(old, new, language.profile(), &path.to_string(), &added)).flatten();
        split.map(|split| (path.clone(), split))
    };
    let may_be_split = |change: &&Change| matches!(change.kind, Kind::Removed | Kind::RenamedTo | Kind::TypeChanged);
    let splits: HashMap<Path, Proposal> =
        compared.changes.iter().filter(may_be_split).filter_map(|change| split(&change.path)).collect();
    let mut proposals: Vec<Proposal> = Vec::new();
    let keys = compared.old_keys.iter().filter(|key| !splits.contains_key(&key.was));
    proposals.extend(keys.map(|key| {
        let (path, was) = (key.path.to_string(), key.was.to_string());
        if key.is_elsewhere {
            return Proposal::Partly { path };
        }
        match &key.fate {
            Fate::Moved(to) => Proposal::Moved { from: path, to: to.to.to_string(), certainty: to.certainty },
            Fate::Gone => Proposal::Removed { path, was },
            Fate::Emptied => Proposal::Emptied { path },
        }
    }));
    // In the order of the schema.
    proposals.extend(compared.changes.iter().filter_map(|change| splits.get(&change.path).cloned()));
    let values = compared.changes.iter().filter(|change| change.kind == Kind::EnumValueRemoved);
    proposals
        .extend(values.map(|change| Proposal::Values { path: change.path.to_string(), gone: change.values.clone() }));
    proposed(schema, &proposals, is_ytt.then_some((old, language.profile())))
}

#[cfg(test)]
mod tests;

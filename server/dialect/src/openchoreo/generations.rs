//! Keys that mean the same in different releases: a document is written in the form of one of them.

use super::SEMANTICS;
use super::claims::{ENVIRONMENT, GROUP, PARAMETERS, SCHEMA, TYPES};
use crate::inside::TextPlace;
use crate::resources::resources_at;
use lofting_schema::Step;
use lofting_syntax::Tree;

/// The keys of a `spec` by their releases, of which only one is used.
type Generations = &'static [&'static [&'static str]];

const OF_COMPONENTS: Generations = &[&["type"], &["componentType"]];

const OF_TYPES: Generations = &[&[SCHEMA], &[PARAMETERS, ENVIRONMENT]];

const OF_BINDINGS: Generations = &[
    &["componentTypeEnvOverrides", "traitOverrides"],
    &["componentTypeEnvironmentConfigs", "traitEnvironmentConfigs"],
];

fn of_kind(kind: &str) -> Generations {
    match kind {
        "Component" => OF_COMPONENTS,
        "ReleaseBinding" => OF_BINDINGS,
        kind if TYPES.contains(&kind) => OF_TYPES,
        _ => &[],
    }
}

/// The keys of other releases than the one whose keys the `spec` at a place has.
pub(super) fn excluded(tree: &Tree, place: &TextPlace<'_>) -> Vec<&'static str> {
    let mut resources = resources_at(tree, place.at, SEMANTICS.profile).into_iter();
    let own = resources.find_map(|resource| {
        let kind = resource.kind.as_deref().filter(|_| resource.version.starts_with(GROUP))?;
        let spec = resource.root.key("spec")?;
        // Which item of a list it is in follows from the offset.
        let way = place.path.get(resource.root.path().len()..)?;
        (way == [Step::Key("spec".into())]).then(|| (of_kind(kind), spec))
    });
    let Some((generations, spec)) = own else { return Vec::new() };
    let is_written = |keys: &&&[&str]| keys.iter().any(|key| spec.key(key).is_some());
    match generations.iter().find(is_written) {
        Some(written) => {
            generations.iter().filter(|keys| *keys != written).flat_map(|keys| keys.iter().copied()).collect()
        }
        None => Vec::new(),
    }
}

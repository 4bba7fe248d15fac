//! The platform's own kinds, as far as all its releases agree on them, for workspaces without their definitions.

use crate::json_schema::built_in_text;
use lofting_document::Document;
use lofting_memo::to_the_end;
use lofting_schema::Schema;
use rustc_hash::FxHashMap;
use std::sync::{Arc, LazyLock, OnceLock};

/// The version of all kinds.
pub const VERSION: &str = "openchoreo.dev/v1alpha1";

/// The schemas of the kinds.
const KINDS: &str = include_str!("kinds.yaml");

/// The kinds that have a schema. Those for the whole cluster have that of the other one.
const NAMES: &[&str] = &[
    "BuildPlane",
    "Component",
    "ComponentType",
    "DataPlane",
    "DeploymentPipeline",
    "Environment",
    "Project",
    "ProjectType",
    "ReleaseBinding",
    "Resource",
    "ResourceReleaseBinding",
    "ResourceType",
    "Trait",
    "Workflow",
    "WorkflowPlane",
    "WorkflowRun",
    "Workload",
];

/// Whether a kind is one of the platform's that people write.
pub fn has_kind(name: &str) -> bool {
    NAMES.contains(&name.strip_prefix("Cluster").unwrap_or(name))
}

/// The kinds that documents of the platform may have, of those that are known.
pub fn kinds() -> impl Iterator<Item = &'static str> + Clone {
    NAMES.iter().chain(super::claims::TYPES).copied()
}

/// The schema of a kind, which `read` makes of the document and the place in it; None if nothing is known of the kind.
pub(crate) fn kind(name: &str, read: &dyn Fn(&Document, &str) -> Schema) -> Option<Arc<Schema>> {
    static DOCUMENT: LazyLock<Option<Arc<Document>>> = LazyLock::new(|| to_the_end(|| built_in_text(KINDS)));
    static READ: LazyLock<FxHashMap<&str, OnceLock<Arc<Schema>>>> =
        LazyLock::new(|| NAMES.iter().map(|name| (*name, OnceLock::new())).collect());
    let document = DOCUMENT.as_deref()?;
    let base = name.strip_prefix("Cluster").unwrap_or(name);
    let known = READ.get(base)?;
    let read = || to_the_end(|| Arc::new(read(document, &format!("/definitions/{base}"))));
    Some(known.get_or_init(read).clone())
}

#[cfg(test)]
mod tests;

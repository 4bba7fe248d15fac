//! Names that a resource gives to its own parts, in the editor: volumes and their mounts, ports and probes.

use super::SEMANTICS;
use super::pods::{Pods, Written, pods};
use crate::inside::{Inside, NamedInside, Proposal, ProposalKind, TextPlace};
use crate::resources::{Resource, resources_at};
use lofting_schema::Step;
use lofting_syntax::Tree;

/// What has a name inside pods.
struct Inner {
    kind: &'static str,
    declared: Vec<Written>,
    uses: Vec<Written>,
}

/// The groups of names in the pods of a resource.
fn inner(pods: Pods) -> Vec<Inner> {
    let mut groups = Vec::new();
    let mut mounts = Vec::new();
    for container in pods.containers {
        mounts.extend(container.mounts);
        groups.push(Inner { kind: "port", declared: container.ports.names, uses: container.uses });
    }
    groups.push(Inner { kind: "volume", declared: pods.volumes.names, uses: mounts });
    groups
}

/// The volume or port whose name is at a byte offset.
pub(super) fn named(tree: &Tree, offset: usize) -> Option<NamedInside> {
    let holds = |written: &&Written| written.at.start <= offset && offset <= written.at.end;
    let around = around(tree, offset)?;
    inner(pods(&around)?).into_iter().find_map(|group| {
        let origin = group.declared.iter().chain(&group.uses).find(holds)?.clone();
        let places =
            |all: &[Written]| all.iter().filter(|own| own.name == origin.name).map(|own| own.at.clone()).collect();
        Some(NamedInside {
            kind: group.kind,
            declared: places(&group.declared),
            references: places(&group.uses),
            refuses: no_label,
            name: origin.name.to_string(),
            origin: origin.at,
        })
    })
}

/// The resource that holds a byte offset.
fn around(tree: &Tree, offset: usize) -> Option<Resource<'_>> {
    let is_around = |resource: &Resource<'_>| {
        let range = resource.root.value().range();
        range.start <= offset && offset <= range.end
    };
    resources_at(tree, offset, SEMANTICS.profile).into_iter().find(is_around)
}

fn no_label(name: &str) -> Option<String> {
    let is_wrong = !lofting_cel::refusals("dns1123Label", name).is_empty();
    is_wrong.then(|| format!("`{name}` cannot be the name: it consists of lower-case letters, digits and hyphens"))
}

/// The names of volumes where one is mounted, and of ports where one is called.
pub(super) fn at(tree: &Tree, place: &TextPlace<'_>) -> Option<Inside> {
    let names: Vec<&str> = place
        .path
        .iter()
        .filter_map(|step| match step {
            Step::Key(key) => key.as_str(),
            _ => None,
        })
        .collect();
    let is_mount = matches!(names[..], [.., "volumeMounts" | "volumeDevices", "name"]);
    let is_call = matches!(names[..], [.., "httpGet" | "tcpSocket", "port"]);
    if !is_mount && !is_call {
        return None;
    }
    let around = around(tree, place.at)?;
    let pods = pods(&around)?;
    let declared: Vec<Written> = if is_mount {
        pods.volumes.names
    } else {
        pods.containers.into_iter().flat_map(|container| container.ports.names).collect()
    };
    let proposal = |written: Written| Proposal {
        label: written.name.to_string(),
        kind: ProposalKind::Value,
        detail: None,
        replace: 0..place.text.len(),
        text: written.name.to_string(),
        goes_on: false,
    };
    Some(Inside { word: None, proposals: declared.into_iter().map(proposal).collect() })
}

#[cfg(test)]
pub(super) mod tests;

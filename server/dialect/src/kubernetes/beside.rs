//! Names that a resource gives to its own parts, in the editor: volumes and their mounts, ports and probes.

use super::SEMANTICS;
use super::pods::{Pods, Written, pods};
use super::workloads::{Selectable, Selecting, selectable, selecting};
use crate::inside::{Inside, NamedInside, Proposal, ProposalKind, TextPlace};
use crate::resources::{Resource, resources, resources_at};
use lofting_schema::Step;
use lofting_syntax::Tree;
use smol_str::SmolStr;
use std::ops::Range;

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
        groups.push(Inner { kind: PORT, declared: container.ports.names, uses: container.uses });
    }
    groups.push(Inner { kind: "volume", declared: pods.volumes.names, uses: mounts });
    groups
}

/// The volume or port whose name is at a byte offset.
pub(super) fn named(tree: &Tree, offset: usize) -> Option<NamedInside> {
    let holds = |written: &&Written| written.at.start <= offset && offset <= written.at.end;
    let around = around(tree, offset)?;
    if let Some(target) = selecting(&around, 0).and_then(|service| service.targets.iter().find(holds).cloned()) {
        return Called::by(tree, &target.name).map(|called| called.named(target, offset));
    }
    let found = inner(pods(&around)?).into_iter().find_map(|group| {
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
    })?;
    if found.kind != PORT {
        return Some(found);
    }
    let port = Written { name: found.name.as_str().into(), at: found.origin.clone() };
    let called = Called::by(tree, &port.name).filter(|called| !called.services.is_empty());
    Some(called.map(|called| called.named(port, offset)).filter(|all| !all.references.is_empty()).unwrap_or(found))
}

/// Who calls ports of a name in a file, and who has them.
struct Called {
    name: SmolStr,
    /// The services that call such a port.
    services: Vec<(Range<usize>, Selecting)>,
    /// The workloads that have one.
    workloads: Vec<(Range<usize>, Selectable, Pods)>,
}

impl Called {
    /// None if the name is a number.
    fn by(tree: &Tree, name: &str) -> Option<Called> {
        if name.bytes().all(|byte| byte.is_ascii_digit()) {
            return None;
        }
        let mut called = Called { name: name.into(), services: Vec::new(), workloads: Vec::new() };
        for resource in resources(tree, SEMANTICS.profile) {
            lofting_memo::step();
            let range = resource.root.value().range();
            if let Some(service) = selecting(&resource, 0) {
                if service.targets.iter().any(|target| target.name == name) {
                    called.services.push((range, service));
                }
            } else if let Some((own, pods)) = selectable(&resource)
                && own.ports.names.iter().any(|port| port == name)
            {
                called.workloads.push((range, own, pods));
            }
        }
        Some(called)
    }

    /// The port at a place. What one service selects has one name for it, and what calls that port names it alike.
    fn named(self, port: Written, offset: usize) -> NamedInside {
        let is_here = |range: &Range<usize>| range.start <= offset && offset <= range.end;
        let mut services: Vec<bool> = self.services.iter().map(|(range, _)| is_here(range)).collect();
        let mut workloads: Vec<bool> = self.workloads.iter().map(|(range, ..)| is_here(range)).collect();
        let mut has_changed = true;
        while std::mem::take(&mut has_changed) {
            for ((_, service), is_service) in self.services.iter().zip(&mut services) {
                lofting_memo::step();
                let mut selected: Vec<&mut bool> = Vec::new();
                for ((_, own, _), is_workload) in self.workloads.iter().zip(&mut workloads) {
                    selected.extend(service.selects(own).then_some(is_workload));
                }
                let is_one = *is_service || selected.iter().any(|is_workload| **is_workload);
                for is_known in selected.into_iter().chain([is_service]).filter(|is_known| is_one && !**is_known) {
                    (*is_known, has_changed) = (true, true);
                }
            }
        }
        let (mut declared, mut references) = (Vec::new(), Vec::new());
        let is_own = |written: &Written| written.name == self.name;
        for ((_, _, pods), _) in self.workloads.into_iter().zip(workloads).filter(|(_, is_workload)| *is_workload) {
            for container in pods.containers {
                let own: Vec<Written> = container.ports.names.into_iter().filter(is_own).collect();
                if !own.is_empty() {
                    references.extend(container.uses.into_iter().filter(is_own).map(|written| written.at));
                    declared.extend(own.into_iter().map(|written| written.at));
                }
            }
        }
        for ((_, service), _) in self.services.into_iter().zip(services).filter(|(_, is_service)| *is_service) {
            references.extend(service.targets.into_iter().filter(is_own).map(|written| written.at));
        }
        NamedInside {
            kind: PORT,
            declared,
            references,
            refuses: no_label,
            name: port.name.to_string(),
            origin: port.at,
        }
    }
}

/// A port, in a word.
const PORT: &str = "port";

/// The resource that holds a byte offset.
pub(super) fn around(tree: &Tree, offset: usize) -> Option<Resource<'_>> {
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

/// The names of the ports that a service may call: those of the workloads that it selects.
fn ports_for(tree: &Tree, service: &Resource<'_>) -> Vec<SmolStr> {
    let selecting = selecting(service, 0);
    let mut names: Vec<SmolStr> = Vec::new();
    for resource in resources(tree, SEMANTICS.profile) {
        lofting_memo::step();
        let workload = selectable(&resource).map(|(own, _)| own);
        // Without a selector, any may be meant.
        let is_meant = |own: &Selectable| selecting.as_ref().is_none_or(|service| service.selects(own));
        for name in workload.filter(is_meant).into_iter().flat_map(|own| own.ports.names) {
            if !names.contains(&name) {
                names.push(name);
            }
        }
    }
    names
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
    let is_target = matches!(names[..], [.., "spec", "ports", "targetPort"]);
    if !is_mount && !is_call && !is_target {
        return None;
    }
    let around = around(tree, place.at)?;
    let names = |written: Vec<Written>| written.into_iter().map(|written| written.name);
    let is_service = around.kind.as_deref() == Some("Service") && around.version == "v1";
    let declared: Vec<SmolStr> = if is_target {
        if is_service { ports_for(tree, &around) } else { return None }
    } else if is_mount {
        names(pods(&around)?.volumes.names).collect()
    } else {
        pods(&around)?.containers.into_iter().flat_map(|container| names(container.ports.names)).collect()
    };
    let proposal = |name: SmolStr| Proposal {
        label: name.to_string(),
        kind: ProposalKind::Value,
        detail: None,
        replace: 0..place.text.len(),
        text: name.to_string(),
        goes_on: false,
    };
    Some(Inside { word: None, proposals: declared.into_iter().map(proposal).collect() })
}

#[cfg(test)]
pub(super) mod tests;

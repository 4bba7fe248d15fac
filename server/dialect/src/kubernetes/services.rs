//! Services compared with the workloads beside them.

use super::pods::Ports;
use super::rules::{missing_port, unmatched_selector};
use super::workloads::{Namespace, Neighbour, Selectable, Selecting};
use lofting_diagnostic::Diagnostic;
use lofting_diagnostic::suggest::Searches;
use lofting_document::{FileId, Span};
use rustc_hash::FxHashMap;
use smol_str::SmolStr;
use std::ops::Range;

type Label = (SmolStr, SmolStr);

/// Workloads by what selectors ask for.
#[derive(Default)]
struct Workloads<'n> {
    /// By the namespace and a label. Those without a namespace may be in any.
    labelled: FxHashMap<(&'n Namespace, &'n Label), Vec<&'n Selectable>>,
    /// All of them by a label, for services without a namespace.
    anywhere: FxHashMap<&'n Label, Vec<&'n Selectable>>,
    /// The namespaces that have some, and whether the labels of all are known there.
    namespaces: FxHashMap<&'n Namespace, bool>,
}

/// What services select, in the namespace and with the labels that they have in common.
type Selected<'n> = FxHashMap<(&'n Namespace, &'n [Label]), Option<Selection>>;

/// What a selector selects.
struct Selection {
    is_empty: bool,
    ports: Ports,
}

impl<'n> Workloads<'n> {
    fn add(&mut self, workload: &'n Selectable) {
        let are_known = self.namespaces.entry(&workload.namespace).or_insert(true);
        *are_known &= workload.labels.is_some();
        for label in workload.labels.iter().flatten() {
            self.labelled.entry((&workload.namespace, label)).or_default().push(workload);
            self.anywhere.entry(label).or_default().push(workload);
        }
    }

    /// None if there are no workloads in the namespace, or if not all of their labels are known.
    fn selected(&self, namespace: &'n Namespace, wanted: &'n [Label]) -> Option<Selection> {
        let near: &[&Namespace] = if namespace.is_none() { &[] } else { &[namespace, &None] };
        let known: Vec<bool> = match namespace {
            None => self.namespaces.values().copied().collect(),
            Some(_) => near.iter().filter_map(|near| self.namespaces.get(near).copied()).collect(),
        };
        if known.is_empty() || known.contains(&false) {
            return None;
        }
        let with = |label: &'n Label| -> Vec<&Vec<&Selectable>> {
            match namespace {
                None => self.anywhere.get(label).into_iter().collect(),
                Some(_) => near.iter().filter_map(|near| self.labelled.get(&(*near, label))).collect(),
            }
        };
        // The label that the fewest have leaves the fewest to compare.
        let count = |lists: &Vec<&Vec<&Selectable>>| lists.iter().map(|list| list.len()).sum::<usize>();
        let candidates = wanted.iter().map(with).min_by_key(count)?;
        let mut selection = Selection { is_empty: true, ports: Ports::default() };
        for workload in candidates.into_iter().flatten() {
            lofting_memo::step();
            if wanted.iter().all(|wanted| workload.labels.iter().flatten().any(|label| label == wanted)) {
                selection.is_empty = false;
                selection.ports.extend(&workload.ports);
            }
        }
        Some(selection)
    }
}

/// What does not fit among the resources of a file, each with the offset from which its places count.
pub(super) fn findings(file: FileId, neighbours: &[(usize, &Neighbour)]) -> Vec<Diagnostic> {
    let mut workloads = Workloads::default();
    let mut services: Vec<(usize, &Selecting)> = Vec::new();
    for (start, neighbour) in neighbours {
        match neighbour {
            Neighbour::Workload(workload) => workloads.add(workload),
            Neighbour::Service(service) => services.push((*start, service)),
        }
    }
    let (mut selected, mut searches, mut found) = (Selected::default(), Searches::default(), Vec::new());
    for (start, service) in services {
        let asked = (&service.namespace, service.wanted.as_slice());
        let selection =
            selected.entry(asked).or_insert_with(|| workloads.selected(&service.namespace, &service.wanted));
        let Some(selection) = selection else { continue };
        let span = |at: &Range<usize>| Span::new(file, start + at.start..start + at.end);
        if selection.is_empty {
            found.push(unmatched_selector::of_service(span(&service.selector)));
            continue;
        }
        found.extend(
            service
                .targets
                .iter()
                .filter_map(|port| missing_port::of_service(port, span(&port.at), &selection.ports, &mut searches)),
        );
    }
    found
}

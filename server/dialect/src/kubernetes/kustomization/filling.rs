//! What kustomizations put into resources that lack it: labels, also in the selectors of workloads.

use super::marks;
use crate::WrittenSteps;
use crate::kubernetes::SEMANTICS;
use crate::kubernetes::rules::{required_field, unmatched_selector};
use crate::kubernetes::workloads::SELECTING;
use crate::resources::{Resource, resources_at};
use lofting_diagnostic::Diagnostic;
use lofting_document::Key;
use lofting_syntax::Tree;
use smol_str::SmolStr;

/// Labels that a kustomization puts into pods and into what selects them.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Filling {
    /// The names of labels of pods.
    pub labels: Vec<SmolStr>,
    /// They are put into selectors as well, which are made where there are none.
    pub in_selectors: bool,
    /// It may be anything.
    pub is_open: bool,
}

/// The key of a workload under which its selector is.
const SELECTOR: &str = "selector";

impl Filling {
    /// What a kustomization puts in.
    pub(super) fn by(root: &WrittenSteps<'_>) -> Filling {
        let mut filling = Filling { is_open: root.key("transformers").is_some(), ..Filling::default() };
        filling.add_labels(root.key("commonLabels"), true);
        for labels in root.reached(&["labels", "[]"]) {
            let is_set = |key: &str| labels.key(key).is_some_and(|value| value.is_true());
            let in_selectors = is_set("includeSelectors");
            if in_selectors || is_set("includeTemplates") {
                filling.add_labels(labels.key("pairs"), in_selectors);
            }
        }
        filling
    }

    fn add_labels(&mut self, map: Option<WrittenSteps<'_>>, in_selectors: bool) {
        let Some(map) = map else { return };
        let keys = map.keys();
        self.in_selectors |= in_selectors && !keys.is_empty();
        self.is_open |= marks(Some(map)).is_none();
        self.labels.extend(keys);
    }

    /// Adds what another kustomization puts in.
    pub fn add(&mut self, other: &Filling) {
        self.labels.extend_from_slice(&other.labels);
        self.in_selectors |= other.in_selectors;
        self.is_open |= other.is_open;
    }

    /// Whether a finding is about something that kustomizations can put in.
    pub fn may_settle(finding: &Diagnostic) -> bool {
        finding.key == Some(Key::from(SELECTOR))
            || *finding.rule == required_field::RULE
            || *finding.rule == unmatched_selector::RULE
    }

    /// Whether a finding in a file with this tree does not hold after the kustomization. `marked` is the text of its place.
    pub fn settles(&self, finding: &Diagnostic, marked: &str, tree: &Tree) -> bool {
        if *finding.rule == unmatched_selector::RULE {
            let name = marked.trim_matches(['"', '\'']);
            let is_put_in = self.labels.iter().any(|label| label == name);
            // A service may select by what only the kustomization puts into pods.
            return self.is_open || is_put_in || name == SELECTOR && !self.labels.is_empty();
        }
        let at = finding.span.range().start;
        let resources = resources_at(tree, at, SEMANTICS.profile);
        let is_missing = finding.key == Some(Key::from(SELECTOR));
        (self.in_selectors || self.is_open)
            && resources.iter().any(|resource| is_about_selector(resource, at, is_missing))
    }
}

/// Whether a finding at an offset is about the selector of a workload, which may be missing or empty.
fn is_about_selector(resource: &Resource<'_>, at: usize, is_missing: bool) -> bool {
    let is_filled =
        resource.version.starts_with("apps/") && resource.kind.as_deref().is_some_and(|kind| SELECTING.contains(&kind));
    let Some(spec) = resource.root.key("spec").filter(|_| is_filled) else { return false };
    let place = |value: &WrittenSteps<'_>| value.key_range().start..value.value().range().end;
    if is_missing {
        return spec.key_range().contains(&at);
    }
    spec.key(SELECTOR).is_some_and(|selector| place(&selector).contains(&at))
}

//! Fields of Kubernetes' own kinds that take one of a few words. Their schemas take any text; the API server's own code
//! refuses others.

mod words;

use super::SEMANTICS;
use super::pods::{CONTAINERS, Written, is_computed, template};
use super::rules::unknown_value;
use crate::inside::{Inside, Proposal, ProposalKind, TextPlace};
use crate::resources::{Resource, resources_at};
use crate::{Role, WrittenSteps};
use lofting_diagnostic::Diagnostic;
use lofting_document::{FileId, Span};
use lofting_schema::Step;
use lofting_syntax::Tree;
use words::{Field, OF_CONTAINERS, OF_KINDS, OF_PODS, of_affinity};

/// The values of such fields in a resource, with the words that they may be.
fn fields<'t>(resource: &Resource<'t>) -> Vec<(WrittenSteps<'t>, &'static [&'static str])> {
    let (mut found, mut placed) = (Vec::new(), Vec::new());
    let mut add = |from: &WrittenSteps<'t>, fields: &[Field]| {
        // Few of them are there.
        let keys = from.keys();
        let is_there = |(path, _): &&Field| path.first().is_some_and(|first| keys.iter().any(|key| key == first));
        for (path, words) in fields.iter().filter(is_there) {
            found.extend(from.reached(path).into_iter().map(|value| (value, *words)));
        }
    };
    if let Some(spec) = template(resource).and_then(|template| template.key("spec")) {
        add(&spec, OF_PODS);
        placed.extend(spec.key("affinity").iter().flat_map(of_affinity));
        for container in CONTAINERS.iter().filter_map(|key| spec.key(key)).flat_map(|array| array.items()) {
            add(&container, OF_CONTAINERS);
        }
    }
    let is_own = |(version, kind, _): &&(&str, &str, &[Field])| {
        resource.version == *version && resource.kind.as_deref() == Some(*kind)
    };
    for (.., fields) in OF_KINDS.iter().filter(is_own) {
        add(&resource.root, fields);
    }
    found.extend(placed);
    found
}

/// Words in a resource that the API server refuses.
pub(super) fn look(resource: &Resource<'_>, file: FileId, found: &mut Vec<Diagnostic>) {
    for (value, words) in fields(resource) {
        let Some(written) = Written::of(&value) else { continue };
        let is_known = written.name.is_empty() || is_computed(&written.name);
        if !is_known && !words.contains(&written.name.as_str()) {
            found.push(unknown_value::finding(Span::new(file, written.at), &written.name, words));
        }
    }
}

/// Whether a kind may have such fields.
pub(super) fn concerns(kind: &str) -> bool {
    super::workloads::concerns(kind) || OF_KINDS.iter().any(|(_, known, _)| *known == kind)
}

/// The words that may be written at a place.
pub(super) fn at(tree: &Tree, place: &TextPlace<'_>) -> Option<Inside> {
    let is_here = |value: &WrittenSteps<'_>| {
        let at = value.clone().claim(place.document, Role::Template).at;
        let is_same = |(one, other): (&Step, &Step)| match (one, other) {
            (Step::Key(one), Step::Key(other)) => one == other,
            (Step::Index(one), Step::Index(other)) => one == other,
            (Step::Key(_), _) | (_, Step::Key(_)) => false,
            _ => true,
        };
        at.len() == place.path.len() && at.iter().zip(place.path).all(is_same)
    };
    let resources = resources_at(tree, place.at, SEMANTICS.profile).into_iter();
    let (_, words) = resources.flat_map(|own| fields(&own)).find(|(value, _)| is_here(value))?;
    let proposal = |word: &&str| Proposal {
        label: (*word).to_owned(),
        kind: ProposalKind::Value,
        detail: None,
        replace: 0..place.text.len(),
        text: (*word).to_owned(),
        goes_on: false,
    };
    Some(Inside { word: None, proposals: words.iter().map(proposal).collect() })
}

#[cfg(test)]
mod tests {
    use super::look;
    use crate::kubernetes::SEMANTICS;
    use crate::resources::resources;
    use lofting_document::FileId;

    fn found(text: &str) -> Vec<String> {
        let (tree, mut all) = (lofting_syntax::parse(text), Vec::new());
        resources(&tree, SEMANTICS.profile).iter().for_each(|resource| look(resource, FileId(0), &mut all));
        let shown = |finding: &lofting_diagnostic::Diagnostic| {
            let fix = finding.fixes.first().and_then(|fix| fix.edits.first());
            let new = fix.map_or("", |(_, new)| new.as_str());
            format!("{} -> {new}", &text[finding.span.range()])
        };
        all.iter().map(shown).collect()
    }

    #[test]
    fn words_are_those_that_the_server_accepts() {
        let deployment = "apiVersion: apps/v1\nkind: Deployment\nspec:\n  strategy: {type: RollignUpdate}\n  template:\n    \
                          spec:\n      restartPolicy: Always\n      containers:\n      - imagePullPolicy: 'always'\n        \
                          ports: [{protocol: TPC}, {protocol: \"${P}\"}, {protocol: }, {protocol: UDP}]\n";
        let mut all = found(deployment);
        all.sort();
        assert_eq!(all, ["RollignUpdate -> RollingUpdate", "TPC -> TCP", "always -> Always"]);
        let affinity = "apiVersion: v1\nkind: Pod\nspec:\n  affinity:\n    nodeAffinity:\n      \
                        preferredDuringSchedulingIgnoredDuringExecution: [{preference: {matchExpressions: [{operator: in}], \
                        matchFields: [{key: metadata.nmae, operator: In}]}}]\n    podAffinity:\n      \
                        requiredDuringSchedulingIgnoredDuringExecution: [{labelSelector: {matchExpressions: [{operator: \
                        Exist}]}}]\n";
        let mut all = found(affinity);
        all.sort();
        assert_eq!(all, ["Exist -> Exists", "in -> In", "metadata.nmae -> metadata.name"]);
        let service = "apiVersion: v1\nkind: Service\nspec: {type: ClsuterIP, ipFamilies: [IPv4, IPv5]}\n";
        let mut all = found(service);
        all.sort();
        assert_eq!(all.first().map(String::as_str), Some("ClsuterIP -> ClusterIP"));
        assert_eq!(all.len(), 2);
        assert!(found(&service.replace("v1\n", "example.com/v1\n")).is_empty(), "a kind of others");
    }
}

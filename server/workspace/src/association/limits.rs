//! What documents say about those that name them: what these may have, and how the name is written there.

use crate::association::name_index::NamedClaim;
use crate::association::state::AssociationState;
use crate::files::claims::PlacedClaim;
use crate::files::file::File;
use lofting_check::Diagnostic;
use lofting_dialect::{Dialect, WrittenIn, WrittenSteps, resource_on_way};

/// What is wrong with the document that holds a reference, because of those that the name may refer to. If there are
/// several, one of them may be a part of the other, or another version: only what none of them allows is wrong.
pub(crate) fn findings(
    state: &AssociationState,
    file: &File,
    dialect: &dyn Dialect,
    reference: &PlacedClaim<'_>,
    places: &[&NamedClaim],
) -> Vec<Diagnostic> {
    let Some(own) = written(file, dialect, reference) else { return Vec::new() };
    let mut found: Option<Vec<Diagnostic>> = None;
    for place in places {
        lofting_memo::step();
        // In a damaged text, what is allowed may be missing.
        let other = state.file(place.file).filter(|file| file.tree().errors().is_empty());
        let claim = place.claim(state);
        let Some(by) = other.zip(claim).and_then(|(other, claim)| written(other, dialect, &claim)) else {
            return Vec::new();
        };
        let of_one = dialect.beyond(&own, &by);
        match &mut found {
            Some(found) => found.retain(|finding| {
                let is_same = |other: &Diagnostic| (other.rule, other.span) == (finding.rule, finding.span);
                of_one.iter().any(is_same)
            }),
            None => found = Some(of_one),
        }
    }
    found.unwrap_or_default()
}

/// What precedes a name where others refer to the document that has it.
pub(crate) fn lead(state: &AssociationState, place: &NamedClaim) -> Option<String> {
    let file = state.file(place.file)?;
    let dialect = file.claims().get(place.claim.0)?.dialect;
    dialect.lead(&written(file, dialect, &place.claim(state)?)?)
}

/// The resource that holds a claim.
fn written<'f>(file: &'f File, dialect: &dyn Dialect, claim: &PlacedClaim<'_>) -> Option<WrittenIn<'f>> {
    let document = file.tree().document(claim.document)?;
    let root = WrittenSteps::root(document.root()?, dialect.semantics().profile);
    Some(WrittenIn { file: file.id, root: resource_on_way(root, &claim.path())? })
}

//! The parameters that the arguments of calls are for: `f(name: "a", count: 3)`.

use super::{HintKind, HintRole, HintedPart, InlayHint, plain};
use crate::starlark::parameter_names;

/// The kind.
pub(super) const KIND: HintKind = HintKind { name: "parameters", is_usual: true, find: hints };

fn hints(part: &HintedPart<'_>, hints: &mut Vec<InlayHint>) {
    let found = parameter_names(part.snapshot, part.file, &part.range);
    hints.extend(found.into_iter().map(|(start, name)| plain(start, format!("{name}:"), HintRole::Parameter)));
}

//! Which key of a schema was meant by one that it does not have, shared by the rules about such keys.

use crate::{Fix, suggest};
use lofting_document::write::double_quoted;
use lofting_document::{Key, Span};
use lofting_schema::MapShape;
use lofting_syntax::resolve::{Profile, needs_quotes};
use rustc_hash::FxHashSet;
use std::borrow::Cow;

/// Larger maps are not searched for the nearest name.
const SEARCHED: usize = 5_000;

/// The keys with names that `others`, the keys of the same map, do not have; None if similar names are not to be searched
/// for.
pub(super) fn free_keys<'s>(shape: &'s MapShape, others: Option<&FxHashSet<Key>>) -> Option<Vec<Cow<'s, str>>> {
    let others = others.filter(|_| shape.keys.len() <= SEARCHED)?;
    let is_free = |name: &Cow<'s, str>| !others.contains(&Key::from(&**name));
    Some(names(shape).filter(is_free).collect())
}

/// The names that the keys of a map may have: those that are declared, and those that patterns list.
fn names(shape: &MapShape) -> impl Iterator<Item = Cow<'_, str>> {
    let declared = shape.keys.iter().filter_map(|declared| declared.key.as_str()).map(Cow::Borrowed);
    let listed = shape.patterns.iter().filter_map(|(pattern, _)| pattern.words()).flatten();
    declared.chain(listed.map(Cow::Owned))
}

/// The label of [`rename`].
pub(crate) fn title(meant: &str) -> String {
    format!("Rename to `{meant}`")
}

/// Which values the declared keys may have.
pub(crate) type Fits<'f> = &'f dyn Fn(&Key) -> bool;

/// Renames a key to the name that is nearest to it: surely, if no other key can be meant and the value fits.
pub(super) fn to_nearest(
    written: (&str, Span),
    meant: &str,
    shape: &MapShape,
    fits: Fits<'_>,
    profile: Profile,
) -> Fix {
    let (name, span) = written;
    let fix = rename(span, meant, profile);
    let known: Vec<_> = names(shape).collect();
    if suggest::is_only_meaning(name, meant, known.iter().map(|known| &**known)) && fits(&Key::from(meant)) {
        fix.sure()
    } else {
        fix
    }
}

/// Renames a key to a name of the schema, in quotes where the profile would read it as something else.
pub(crate) fn rename(written: Span, meant: &str, profile: Profile) -> Fix {
    let text = if needs_quotes(profile, meant) { double_quoted(meant) } else { meant.to_owned() };
    Fix::replace(title(meant), written, text)
}

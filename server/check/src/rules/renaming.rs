//! Which key of a schema was meant by one that it does not have, shared by the rules about such keys.

use crate::{Fix, suggest};
use lofting_document::write::double_quoted;
use lofting_document::{Key, Span};
use lofting_schema::MapShape;
use lofting_syntax::resolve::{Profile, needs_quotes};
use rustc_hash::FxHashSet;

/// Larger maps are not searched for the nearest name.
const SEARCHED: usize = 5_000;

/// The other keys of the map of a wrong one, none of which is meant by it; None if similar names are not to be searched for.
pub(super) fn searched<'o>(shape: &MapShape, others: Option<&'o FxHashSet<Key>>) -> Option<&'o FxHashSet<Key>> {
    others.filter(|_| shape.keys.len() <= SEARCHED)
}

/// The names that the keys of a map may have: those that are declared, and those that patterns list.
struct Names<'s> {
    shape: &'s MapShape,
    listed: Vec<String>,
}

impl Names<'_> {
    fn of(shape: &MapShape) -> Names<'_> {
        let listed = shape.patterns.iter().filter_map(|(pattern, _)| pattern.words()).flatten();
        Names { shape, listed: listed.collect() }
    }

    fn all(&self) -> impl Iterator<Item = &str> {
        let declared = self.shape.keys.iter().filter_map(|declared| declared.key.as_str());
        declared.chain(self.listed.iter().map(String::as_str))
    }

    /// Those that `others` are not.
    fn free<'n>(&'n self, others: &FxHashSet<Key>) -> impl Iterator<Item = &'n str> {
        let declared = self.shape.keys.iter().map(|declared| &declared.key).filter(|key| !others.contains(key));
        let listed = self.listed.iter().map(String::as_str).filter(|name| !others.contains(&Key::from(*name)));
        declared.filter_map(Key::as_str).chain(listed)
    }
}

/// The label of [`rename`].
pub(crate) fn title(meant: &str) -> String {
    format!("Rename to `{meant}`")
}

/// Which values the declared keys may have.
pub(crate) type Fits<'f> = &'f dyn Fn(&Key) -> bool;

/// The key that is meant by a wrong one, beside the `others` of its map, and a fix that renames it: surely, if no other key can
/// be meant and the value fits.
pub(super) fn meant(
    written: (&str, Span),
    shape: &MapShape,
    others: &FxHashSet<Key>,
    fits: Fits<'_>,
    profile: Profile,
) -> Option<(String, Fix)> {
    let (name, span) = written;
    let names = Names::of(shape);
    let meant = suggest::nearest(name, names.free(others))?;
    let fix = rename(span, meant, profile);
    let is_sure = suggest::is_only_meaning(name, meant, names.all()) && fits(&Key::from(meant));
    Some((meant.to_owned(), if is_sure { fix.sure() } else { fix }))
}

/// Renames a key to a name of the schema, in quotes where the profile would read it as something else.
pub(crate) fn rename(written: Span, meant: &str, profile: Profile) -> Fix {
    let text = if needs_quotes(profile, meant) { double_quoted(meant) } else { meant.to_owned() };
    Fix::replace(title(meant), written, text)
}

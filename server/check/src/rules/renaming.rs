//! Which key of a schema was meant by one that it does not have, shared by the rules about such keys.

use crate::suggest::{self, Nearest};
use crate::{Diagnostic, Fix};
use lofting_document::write::double_quoted;
use lofting_document::{Key, Span};
use lofting_schema::MapShape;
use lofting_syntax::resolve::{Profile, needs_quotes_in_flow};
use rustc_hash::FxHashSet;

/// Larger maps are not searched for the nearest name.
const SEARCHED: usize = 5_000;

/// The other keys of the map of a wrong one, none of which is meant by it; None if similar names are not to be searched for.
fn searched<'o>(shape: &MapShape, others: Option<&'o FxHashSet<Key>>) -> Option<&'o FxHashSet<Key>> {
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

/// The name in a label of [`rename`].
pub(crate) fn renamed_to(title: &str) -> Option<&str> {
    title.strip_prefix("Rename to `")?.strip_suffix('`')
}

/// What is known of the value of a wrong key.
pub(crate) trait FitsKey {
    /// Whether a declared key may have it, as far as its kind says.
    fn is_of_kind(&self, key: &Key) -> bool;

    /// Whether nothing is written yet.
    fn is_open(&self) -> bool {
        false
    }

    /// Whether the schema of a declared key accepts it.
    fn is_accepted(&mut self, key: &Key) -> bool;
}

/// What is meant by a wrong key.
pub(crate) struct Meant {
    /// The names that may be meant. Of several, none is more likely than another.
    names: Vec<String>,
    /// Nothing else can be meant.
    is_sure: bool,
    /// The name is misspelt, or the value fits.
    fits: bool,
}

impl Meant {
    /// The key that is meant by a wrong one, beside the `others` of its map: surely, if no other key can be meant and
    /// the value fits. Of names that are equally near, one that accepts the value.
    pub fn of(name: &str, shape: &MapShape, others: Option<&FxHashSet<Key>>, given: &mut dyn FitsKey) -> Option<Meant> {
        let others = searched(shape, others)?;
        let names = Names::of(shape);
        let nearest = Nearest::of(name, names.free(others));
        match nearest.only(|name| given.is_accepted(&Key::from(name))) {
            Some(meant) => {
                let key = Key::from(meant);
                let (is_slip, is_of_kind) = (suggest::is_slip(name, meant), given.is_of_kind(&key));
                // Another word with a value of another kind is another key in the wrong place.
                if !is_slip && !is_of_kind && !given.is_open() {
                    return None;
                }
                let is_sure =
                    is_of_kind && suggest::is_only_meaning(name, meant, names.all()) && given.is_accepted(&key);
                let fits = is_sure || is_slip || given.is_open() || given.is_accepted(&key);
                Some(Meant { names: vec![meant.to_owned()], is_sure, fits })
            }
            None => {
                let names: Vec<String> = nearest.names().take(OFFERED).map(str::to_owned).collect();
                (!names.is_empty()).then_some(Meant { names, is_sure: false, fits: false })
            }
        }
    }

    /// The name that is meant by a wrong one among those that are listed, of which some are `free`.
    pub fn among(name: &str, listed: &[&str], free: &[&str]) -> Option<Meant> {
        if listed.len() > SEARCHED {
            return None;
        }
        let nearest = Nearest::of(name, free.iter().copied());
        let only = nearest.only(|_| true);
        let is_sure = only.is_some_and(|meant| suggest::is_only_meaning(name, meant, listed.iter().copied()));
        let names: Vec<String> = match only {
            Some(only) => vec![only.to_owned()],
            None => nearest.names().take(OFFERED).map(str::to_owned).collect(),
        };
        (!names.is_empty()).then_some(Meant { names, is_sure, fits: true })
    }

    /// Adds to a finding which key was meant, and fixes that rename it.
    pub fn explain(&self, finding: Diagnostic, written: Span, profile: Profile) -> Diagnostic {
        let names: Vec<String> = self.names.iter().map(|name| format!("`{name}`")).collect();
        let finding = finding.help(format!("did you mean {}?", names.join(" or ")));
        let fixes = self.names.iter().map(|name| {
            let fix = rename(written, name, profile);
            match self.names.len() {
                1 if self.is_sure => fix.sure(),
                1 if self.fits => fix,
                _ => fix.possible(),
            }
        });
        fixes.fold(finding, Diagnostic::fix)
    }
}

/// How many names are offered that are equally near.
const OFFERED: usize = 3;

/// Renames a key to a name of the schema, in quotes where the profile would read it as something else.
pub(crate) fn rename(written: Span, meant: &str, profile: Profile) -> Fix {
    let text = if needs_quotes_in_flow(profile, meant) { double_quoted(meant) } else { meant.to_owned() };
    Fix::replace(title(meant), written, text)
}

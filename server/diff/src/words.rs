//! Changes in words.

use crate::change::{Change, Fate, Kind, OldKey, Renamed};

/// A text that is longer than this is cut, in characters.
const LONGEST: usize = 120;

/// How many keys below a removed one that have moved are named.
const MOVED: usize = 3;

/// The type of a place that accepts no value.
pub(crate) const NOTHING: &str = "nothing";

/// A text that fits in a sentence.
fn short(text: &str) -> String {
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or_default()),
        None => text.to_owned(),
    }
}

impl Change {
    /// What changed and what that means, as a phrase for people who know YAML. It may quote texts of the schemas, and
    /// is not escaped.
    pub fn words(&self) -> String {
        let mut words = self.what();
        if self.kind != Kind::RenamedTo
            && let Some(renamed) = &self.renamed
        {
            let how = if self.path.is_beside(&renamed.to) { "called" } else { "at" };
            words += &format!("; it is probably {how} {} now ({} % certain)", renamed.to, renamed.certainty);
        }
        for OldKey { was, fate, .. } in self.moved.iter().take(MOVED) {
            if let Fate::Moved(Renamed { to, certainty }) = fate {
                words += &format!("; {was} is probably at {to} now ({certainty} % certain)");
            }
        }
        if self.moved.len() > MOVED {
            words += &format!("; {} further keys below it are elsewhere", self.moved.len() - MOVED);
        }
        if let Some(witness) = &self.witness {
            words += &format!("; {} was accepted and is refused now", short(witness));
        } else if self.assumed {
            words += "; which values are affected could not be decided";
        }
        words
    }

    fn what(&self) -> String {
        let said = |text: &Option<String>| text.as_deref().map_or_else(|| "nothing".to_owned(), short);
        let (from, to) = (said(&self.from), said(&self.to));
        let is_whole = self.path.0.is_empty();
        if let Some(release) = &self.retired {
            return format!("it is gone, and was deprecated in {}", short(release));
        }
        match self.kind {
            Kind::Removed if is_whole => "it is gone".to_owned(),
            Kind::Removed if self.breaks.values => "it is gone, and values that have it are refused".to_owned(),
            Kind::Removed => "it is gone from the schema".to_owned(),
            Kind::RenamedTo => match &self.renamed {
                Some(renamed) if self.path.is_beside(&renamed.to) => format!("it is called {} now", renamed.to),
                Some(renamed) => format!("it is at {} now", renamed.to),
                None => "it was renamed".to_owned(),
            },
            Kind::AddedRequired if self.breaks.values => "it is new, and values without it are refused".to_owned(),
            Kind::AddedRequired => "it is new and required, and a default fills it in".to_owned(),
            Kind::AddedOptional if self.breaks.values && self.to.is_some() => {
                format!("it is new, and its default {to} breaks a rule of its own")
            }
            Kind::AddedOptional if self.breaks.values => "it is new, and not every value fits it".to_owned(),
            Kind::AddedOptional => "it is new".to_owned(),
            Kind::BecameRequired if self.breaks.values => "it is required now".to_owned(),
            Kind::BecameRequired => "it is required now, and a default fills it in".to_owned(),
            Kind::BecameOptional => "it may be left out now".to_owned(),
            Kind::Narrowed | Kind::Widened => self.by_keyword(&from, &to),
            Kind::TypeChanged => format!("its type was {from} and is {to} now"),
            Kind::Nullable => "null is accepted now".to_owned(),
            Kind::NotNullable => "null is no longer accepted".to_owned(),
            Kind::DefaultChanged if self.breaks.values => {
                format!("its default was {from} and is {to} now, which breaks a rule of its own")
            }
            Kind::DefaultChanged => format!("its default was {from} and is {to} now"),
            Kind::DefaultAdded => format!("its default is {to} now"),
            Kind::DefaultRemoved => format!("its default {from} is gone"),
            Kind::EnumValueAdded => format!("it may also be {} now", short(&self.values.join(", "))),
            Kind::EnumValueRemoved => format!("it may no longer be {}", short(&self.values.join(", "))),
            Kind::Deprecated => format!("it is deprecated: {to}"),
            Kind::DocumentationChanged if self.from.is_none() => format!("it is described now: {to}"),
            Kind::DocumentationChanged if self.to.is_none() => format!("its description {from} is gone"),
            Kind::DocumentationChanged => format!("its description was {from} and is {to} now"),
            Kind::ScopeChanged => format!("the scope of resources was {from} and is {to} now"),
            Kind::NameChanged => {
                format!("the {} of the resource was {from} and is {to} now", self.keyword.unwrap_or("name"))
            }
            Kind::VersionAdded if self.keyword.is_some() => format!("version {to} is served now"),
            Kind::VersionRemoved if self.keyword.is_some() => format!("version {from} is no longer served"),
            Kind::VersionAdded => format!("version {to} is new"),
            Kind::VersionRemoved => format!("version {from} is gone"),
        }
    }

    fn by_keyword(&self, from: &str, to: &str) -> String {
        let keyword = self.keyword.unwrap_or_default();
        let how = if self.kind == Kind::Narrowed { "fewer" } else { "more" };
        match (keyword, &self.from, &self.to) {
            ("type", _, Some(nothing)) if nothing == NOTHING => format!("no value is accepted now; it was {from}"),
            ("type", Some(nothing), _) if nothing == NOTHING => {
                format!("values are accepted now, and none was: it is {to} now")
            }
            ("type", ..) => format!("{how} types are accepted: it was {from} and is {to} now"),
            ("additionalProperties", ..) if self.kind == Kind::Narrowed => {
                "keys that are not declared are refused now".to_owned()
            }
            ("additionalProperties", ..) => "keys that are not declared are accepted now".to_owned(),
            (_, _, Some(_)) if self.is_misapplied => {
                format!("{keyword} is {to} now, which is not for values of its type")
            }
            _ if self.is_misapplied => format!("{keyword} {from} is gone, which was not for values of its type"),
            (_, Some(_), Some(_)) if let Some(old) = self.old_keyword => {
                format!("{how} values are accepted: {old} was {from}, and {keyword} is {to} now")
            }
            (_, Some(_), Some(_)) => format!("{how} values are accepted: {keyword} was {from} and is {to} now"),
            (_, None, Some(_)) => format!("{how} values are accepted: {keyword} is {to} now"),
            (_, Some(_), None) => format!("{how} values are accepted: {keyword} {from} is gone"),
            (_, None, None) => format!("{how} values are accepted, because of a change of {keyword}"),
        }
    }
}

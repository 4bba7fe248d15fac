//! Moves as data, in TOML.

use crate::data::Data;
use crate::path::{Path, Step};
use serde::Deserialize;
use std::collections::BTreeSet;
use std::fmt;

/// What is moved in the values of a schema.
#[derive(Debug, Clone, PartialEq)]
pub struct Plan {
    /// The file of the schema, relative to that of the plan.
    pub schema: String,
    /// In the order in which they are applied.
    pub moves: Vec<Move>,
}

/// A move.
#[derive(Debug, Clone, PartialEq)]
pub enum Move {
    /// A key was renamed or moved.
    Key {
        /// Its path before.
        from: Path,
        /// Its path now.
        to: Path,
    },
    /// A key is gone.
    Remove {
        /// Its path.
        path: Path,
        /// A value that is not lost if it is removed, because it was the default.
        default: Option<Data>,
        /// Other values are removed as well.
        discard: bool,
        /// Code that reads the key gets the default instead.
        inline: bool,
    },
    /// A scalar is now in several places.
    Split {
        /// The path of the scalar before.
        from: Path,
        /// What is between the parts of a string, which go to one place each; None if each place gets the whole scalar.
        between: Option<String>,
        /// The places, in the order of the parts.
        to: Vec<SplitTarget>,
    },
    /// Some values have others in their place.
    Values {
        /// The path.
        path: Path,
        /// Each value with the one in its place.
        values: Vec<(Data, Data)>,
    },
}

/// A place that gets a part of a value.
#[derive(Debug, Clone, PartialEq)]
pub struct SplitTarget {
    /// Its path.
    pub path: Path,
    /// The part is an integer there.
    pub integer: bool,
}

/// Why a plan cannot be used.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Wrong {
    /// It is not TOML, or not the TOML of a plan.
    Form(toml::de::Error),
    /// The move of this key cannot be made.
    Move {
        /// The key, as it is written.
        key: String,
        /// Why.
        why: WrongMove,
    },
    /// A value is a date.
    Date,
}

/// Why a move cannot be made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WrongMove {
    /// `key` is not a path of a key.
    Key,
    /// `to` is not a path of a key.
    To,
    /// It has what belongs to `remove`, and removes nothing.
    NoRemoval,
    /// It says nothing, or several things, that could be done.
    NoAction,
    /// `inline` without a default that can be written into code.
    NoDefault,
    /// One of `values` is a map or an array.
    NoScalars,
    /// One of `values` is on both sides, or twice on the left.
    TwoSides,
    /// `split` without several places, or with nothing to split at.
    NoSplit,
    /// A place is there twice, or in another one.
    SamePlace,
    /// It would lead from one item of an array into another, or from one of any keys.
    Items,
    /// Both paths are the same.
    Nowhere,
    /// One path is above the other.
    Inside,
}

impl std::error::Error for Wrong {}

impl fmt::Display for Wrong {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Wrong::Form(error) => f.write_str(error.to_string().trim_end()),
            Wrong::Move { key, why } => write!(f, "the move of `{key}`: {why}"),
            Wrong::Date => f.write_str("a date is written as a string"),
        }
    }
}

impl std::error::Error for WrongMove {}

impl fmt::Display for WrongMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            WrongMove::Key => "this is not a path of a key, such as `service.ports[].name`",
            WrongMove::To => "`to` is not a path of a key",
            WrongMove::NoRemoval => "`default`, `discard` and `inline` belong to `remove = true`",
            WrongMove::NoAction => "it needs one of `to`, `remove = true` and `values`",
            WrongMove::NoDefault => "`inline` needs a `default` that is a string, a number or a boolean",
            WrongMove::NoScalars => "`values` are strings, numbers and booleans",
            WrongMove::TwoSides => {
                "a value may only be on one side, and once on the left, or the next call would change more"
            }
            WrongMove::NoSplit => {
                "`to` with several keys has two or more of them, `split` is a text between the parts, and `integer` is for \
                 one of them"
            }
            WrongMove::SamePlace => "one of the keys in `to` is there twice, or is in another one",
            WrongMove::Items => {
                "what is in an item of an array, or below any key, stays in it: both paths have to begin alike, up to their last \
                 `[]` or `*`"
            }
            WrongMove::Nowhere => "it is there already",
            WrongMove::Inside => "a key cannot be moved to what it is in",
        })
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    schema: String,
    #[serde(default, rename = "move")]
    moves: Vec<WrittenMove>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenMove {
    key: String,
    to: Option<WrittenTo>,
    split: Option<String>,
    #[serde(default)]
    remove: bool,
    default: Option<toml::Value>,
    #[serde(default)]
    discard: bool,
    #[serde(default)]
    inline: bool,
    values: Option<Vec<WrittenValue>>,
}

/// One place or several.
#[derive(Deserialize)]
#[serde(untagged)]
enum WrittenTo {
    One(String),
    Several(Vec<WrittenTarget>),
}

#[derive(Deserialize)]
#[serde(untagged)]
enum WrittenTarget {
    Path(String),
    Typed(TypedTarget),
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct TypedTarget {
    key: String,
    integer: bool,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenValue {
    from: toml::Value,
    to: toml::Value,
}

impl Plan {
    /// Reads a plan.
    pub fn read(text: &str) -> Result<Plan, Wrong> {
        let written: Written = toml::from_str(text).map_err(Wrong::Form)?;
        let moves = written.moves.into_iter().map(WrittenMove::read).collect::<Result<_, Wrong>>()?;
        Ok(Plan { schema: written.schema, moves })
    }
}

impl WrittenMove {
    fn read(self) -> Result<Move, Wrong> {
        let key = self.key.clone();
        let wrong = |why| Err(Wrong::Move { key: key.clone(), why });
        let Some(path) = Path::read(&self.key).filter(|path| path.last().is_some()) else {
            return wrong(WrongMove::Key);
        };
        if !self.remove && (self.default.is_some() || self.discard || self.inline) {
            return wrong(WrongMove::NoRemoval);
        }
        match (self.to, self.remove, self.values) {
            (Some(WrittenTo::Several(to)), false, None) => Move::split(path, self.split, to).or_else(wrong),
            _ if self.split.is_some() => wrong(WrongMove::NoSplit),
            (Some(WrittenTo::One(to)), false, None) => {
                let Some(to) = Path::read(&to).filter(|path| path.last().is_some()) else {
                    return wrong(WrongMove::To);
                };
                if to.0.len() > path.0.len() && to.0.starts_with(&path.0) {
                    // A scalar goes below its own key. A map that is there has gone already.
                    if to.0.iter().skip(path.0.len()).any(Step::is_many) {
                        return wrong(WrongMove::Items);
                    }
                    let to = vec![SplitTarget { path: to, integer: false }];
                    return Ok(Move::Split { from: path, between: None, to });
                }
                Move::key(path, to).or_else(wrong)
            }
            (None, true, None) => {
                let default = self.default.as_ref().map(Data::of_toml).transpose()?;
                if self.inline && default.as_ref().and_then(Data::literal).is_none() {
                    return wrong(WrongMove::NoDefault);
                }
                Ok(Move::Remove { path, default, discard: self.discard, inline: self.inline })
            }
            (None, false, Some(written)) => {
                let read = |value: WrittenValue| Ok((Data::of_toml(&value.from)?, Data::of_toml(&value.to)?));
                let values: Vec<(Data, Data)> = written.into_iter().map(read).collect::<Result<_, Wrong>>()?;
                if values.iter().any(|(from, to)| from.scalar().is_none() || to.scalar().is_none()) {
                    return wrong(WrongMove::NoScalars);
                }
                let from: BTreeSet<String> = values.iter().map(|(from, _)| format!("{from:?}")).collect();
                if from.len() < values.len() || values.iter().any(|(_, to)| from.contains(&format!("{to:?}"))) {
                    return wrong(WrongMove::TwoSides);
                }
                Ok(Move::Values { path, values })
            }
            _ => wrong(WrongMove::NoAction),
        }
    }
}

impl Move {
    /// A key moves to another path. What is in an item of an array stays in it, as does what is below any key.
    pub fn key(from: Path, to: Path) -> Result<Move, WrongMove> {
        let common = common(&from, &to);
        let has_items = |path: &Path| path.0.iter().skip(common).any(Step::is_many);
        if has_items(&from) || has_items(&to) {
            return Err(WrongMove::Items);
        }
        if from == to {
            return Err(WrongMove::Nowhere);
        }
        if from.0.len() == common || to.0.len() == common {
            return Err(WrongMove::Inside);
        }
        Ok(Move::Key { from, to })
    }

    /// A scalar goes to several places, perhaps in parts.
    fn split(from: Path, between: Option<String>, to: Vec<WrittenTarget>) -> Result<Move, WrongMove> {
        let target = |target: WrittenTarget| {
            let (key, integer) = match target {
                WrittenTarget::Path(key) => (key, false),
                WrittenTarget::Typed(TypedTarget { key, integer }) => (key, integer),
            };
            let path = Path::read(&key).filter(|path| path.last().is_some()).ok_or(WrongMove::To)?;
            Ok(SplitTarget { path, integer })
        };
        let to: Vec<SplitTarget> = to.into_iter().map(target).collect::<Result<_, WrongMove>>()?;
        let is_whole = between.is_none();
        if to.len() < 2 || between.as_ref().is_some_and(String::is_empty) || is_whole && to.iter().any(|to| to.integer)
        {
            return Err(WrongMove::NoSplit);
        }
        for (index, target) in to.iter().enumerate() {
            // It may be below the key, whose scalar is gone.
            match Move::key(from.clone(), target.path.clone()) {
                Ok(_) => {}
                Err(WrongMove::Inside) if target.path.0.starts_with(&from.0) => {}
                Err(why) => return Err(why),
            }
            let is_same = |other: &SplitTarget| {
                other.path.0.starts_with(&target.path.0) || target.path.0.starts_with(&other.path.0)
            };
            if to.iter().skip(index + 1).any(is_same) {
                return Err(WrongMove::SamePlace);
            }
        }
        Ok(Move::Split { from, between, to })
    }

    /// The path that it is about.
    pub fn path(&self) -> &Path {
        match self {
            Move::Key { from: path, .. }
            | Move::Split { from: path, .. }
            | Move::Remove { path, .. }
            | Move::Values { path, .. } => path,
        }
    }

    /// Whether a scalar makes room for a map that has its parts.
    pub(crate) fn stays_as_map(&self) -> bool {
        matches!(self, Move::Split { from, to, .. } if to.iter().any(|to| to.path.0.starts_with(&from.0)))
    }
}

/// The steps up to the last items or any keys of a path, which all places of a split have.
pub(crate) fn up_to_items(path: &Path) -> usize {
    path.0.iter().rposition(Step::is_many).map_or(0, |last| last + 1)
}

/// How many steps two paths begin with alike.
pub(crate) fn common(from: &Path, to: &Path) -> usize {
    from.0.iter().zip(&to.0).take_while(|(one, other)| one == other).count()
}

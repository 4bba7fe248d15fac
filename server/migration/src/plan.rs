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
    /// Some values have others in their place.
    Values {
        /// The path.
        path: Path,
        /// Each value with the one in its place.
        values: Vec<(Data, Data)>,
    },
}

/// Why a plan cannot be used.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Wrong(pub String);

impl std::error::Error for Wrong {}

impl fmt::Display for Wrong {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
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
    to: Option<String>,
    #[serde(default)]
    remove: bool,
    default: Option<toml::Value>,
    #[serde(default)]
    discard: bool,
    #[serde(default)]
    inline: bool,
    values: Option<Vec<WrittenValue>>,
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
        let written: Written = toml::from_str(text).map_err(|error| Wrong(error.to_string().trim_end().to_owned()))?;
        let moves = written.moves.into_iter().map(WrittenMove::read).collect::<Result<_, Wrong>>()?;
        Ok(Plan { schema: written.schema, moves })
    }
}

impl WrittenMove {
    fn read(self) -> Result<Move, Wrong> {
        let key = self.key.clone();
        let wrong = |why: &str| Err(Wrong(format!("the move of `{key}`: {why}")));
        let Some(path) = Path::read(&self.key).filter(|path| path.last().is_some()) else {
            return wrong("this is not a path of a key, such as `service.ports[].name`");
        };
        if !self.remove && (self.default.is_some() || self.discard || self.inline) {
            return wrong("`default`, `discard` and `inline` belong to `remove = true`");
        }
        match (self.to, self.remove, self.values) {
            (Some(to), false, None) => {
                let Some(to) = Path::read(&to).filter(|path| path.last().is_some()) else {
                    return wrong("`to` is not a path of a key");
                };
                of_key(path, to).map_err(|why| Wrong(format!("the move of `{key}`: {why}")))
            }
            (None, true, None) => {
                let default = self.default.as_ref().map(Data::of_toml).transpose()?;
                if self.inline && default.as_ref().and_then(Data::literal).is_none() {
                    return wrong("`inline` needs a `default` that is a string, a number or a boolean");
                }
                Ok(Move::Remove { path, default, discard: self.discard, inline: self.inline })
            }
            (None, false, Some(written)) => {
                let read = |value: WrittenValue| Ok((Data::of_toml(&value.from)?, Data::of_toml(&value.to)?));
                let values: Vec<(Data, Data)> = written.into_iter().map(read).collect::<Result<_, Wrong>>()?;
                if values.iter().any(|(from, to)| from.scalar().is_none() || to.scalar().is_none()) {
                    return wrong("`values` are strings, numbers and booleans");
                }
                let from: BTreeSet<String> = values.iter().map(|(from, _)| format!("{from:?}")).collect();
                if from.len() < values.len() || values.iter().any(|(_, to)| from.contains(&format!("{to:?}"))) {
                    return wrong(
                        "a value may only be on one side, and once on the left, or the next call would change more",
                    );
                }
                Ok(Move::Values { path, values })
            }
            _ => wrong("it needs one of `to`, `remove = true` and `values`"),
        }
    }
}

impl Move {
    /// A key moves to another path.
    pub fn key(from: Path, to: Path) -> Result<Move, Wrong> {
        of_key(from, to).map_err(|why| Wrong(why.to_owned()))
    }
}

/// A move of a key. The items of arrays stay in their array.
fn of_key(from: Path, to: Path) -> Result<Move, &'static str> {
    let common = common(&from, &to);
    let has_items = |path: &Path| path.0.iter().skip(common).any(|step| *step == Step::Items);
    if has_items(&from) || has_items(&to) {
        return Err(
            "what is in an item of an array stays in it: both paths have to begin alike, up to their last `[]`",
        );
    }
    if from == to {
        return Err("it is there already");
    }
    if from.0.len() == common || to.0.len() == common {
        return Err("a key cannot be moved into itself, nor to what it is in");
    }
    Ok(Move::Key { from, to })
}

/// How many steps two paths begin with alike.
pub(crate) fn common(from: &Path, to: &Path) -> usize {
    from.0.iter().zip(&to.0).take_while(|(one, other)| one == other).count()
}

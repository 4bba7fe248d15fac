//! Infers types from values, for a ytt schema.

use crate::completion::Style;
use crate::path::key_of;
use indexmap::IndexMap;
use indexmap::map::Entry;
use lofting_document::Key;
use lofting_document::write::double_quoted;
use lofting_syntax::resolve::{Profile, Resolved, resolve};
use lofting_syntax::{Tree, Value};

/// Deeper values get any type.
const DEPTH: usize = 32;
/// A map without keys, as it is written.
const EMPTY: &str = "{}";
/// How many lines of comments above a key are used as its description.
const LINES: usize = 20;
/// How many bytes above a key are looked at first, and at most.
const NEARBY: usize = 256;
const FAR: usize = 4096;

/// An inferred type.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Inferred {
    kind: Kind,
    nullable: bool,
    /// A scalar as it is written.
    default: String,
}

#[derive(Debug, Clone, PartialEq)]
enum Kind {
    /// Only null was seen.
    Null,
    Bool,
    Int,
    Float,
    String,
    /// In the order in which the keys were seen first.
    Map(IndexMap<Key, Field>),
    /// An array with items of this type; None if it was always empty.
    Array(Option<Box<Inferred>>),
    /// Values of several types.
    Any,
}

#[derive(Debug, Clone, PartialEq)]
struct Field {
    written: String,
    description: Option<String>,
    value: Inferred,
}

/// The type of a value in a tree.
pub(crate) fn inferred(tree: &Tree, profile: Profile, value: Value<'_>) -> Inferred {
    infer(tree, profile, value, DEPTH)
}

fn infer(tree: &Tree, profile: Profile, value: Value<'_>, depth: usize) -> Inferred {
    let of = |kind: Kind| Inferred { kind, nullable: false, default: String::new() };
    let Some(depth) = depth.checked_sub(1) else { return Inferred::unknown() };
    if let Some(map) = value.map() {
        let field = |entry: lofting_syntax::Entry<'_>| {
            let (name, written) = plain_key(tree, profile, entry)?;
            let description = description(tree, entry.range().start);
            Some((name, Field { written, description, value: infer(tree, profile, entry.value(), depth) }))
        };
        let mut fields = IndexMap::new();
        for entry in map.entries() {
            // A map that is merged with others, or whose keys are not words, says too little.
            let Some((key, field)) = field(entry) else { return of(Kind::Any) };
            add(&mut fields, key, field);
        }
        return of(if fields.is_empty() { Kind::Any } else { Kind::Map(fields) }).written(EMPTY);
    }
    if let Some(seq) = value.seq() {
        let items = seq.items().map(|item| infer(tree, profile, item.value(), depth));
        return of(Kind::Array(items.reduce(Inferred::or).map(Box::new)));
    }
    if value.is_missing() {
        return of(Kind::Null);
    }
    let tag = value.tag();
    let tag = tag.as_ref().map(|tag| tag.text());
    let Some(scalar) = value.scalar() else { return of(Kind::Any) };
    let kind = match resolve(profile, &scalar, tag.as_deref()) {
        Ok(Resolved::Null) => Kind::Null,
        Ok(Resolved::Bool(_)) => Kind::Bool,
        Ok(Resolved::Int(_)) => Kind::Int,
        Ok(Resolved::Float(_)) => Kind::Float,
        Ok(Resolved::String) => Kind::String,
        Err(_) => Kind::Any,
    };
    let written = tree.text(value.content_range()).into_owned();
    let written = if written.contains(['\n', '\r']) { double_quoted(&scalar.value()) } else { written };
    of(kind).written(&written)
}

/// The key of an entry as it is read and as it is written, if it is one word on one line.
fn plain_key(tree: &Tree, profile: Profile, entry: lofting_syntax::Entry<'_>) -> Option<(Key, String)> {
    let key = entry.key()?;
    let name = key_of(profile, key)?;
    let written = tree.text(key.content_range()).into_owned();
    let is_plain = !written.contains('\n') && written != "<<" && entry.question().is_none();
    is_plain.then_some((name, written))
}

/// Whether the type of a value is a map with certain keys.
pub(crate) fn is_typed_map(tree: &Tree, profile: Profile, value: Value<'_>) -> bool {
    let mut entries = value.map().into_iter().flat_map(|map| map.entries()).peekable();
    entries.peek().is_some() && entries.all(|entry| plain_key(tree, profile, entry).is_some())
}

/// Adds a key of a map; of one that is known already, the type takes both.
fn add(fields: &mut IndexMap<Key, Field>, key: Key, field: Field) {
    match fields.entry(key) {
        Entry::Vacant(free) => drop(free.insert(field)),
        Entry::Occupied(mut known) => {
            let known = &mut known.get_mut().value;
            let before = std::mem::replace(known, Inferred::unknown());
            *known = before.or(field.value);
        }
    }
}

/// What comments directly above a key say, without annotations and code.
fn description(tree: &Tree, start: usize) -> Option<String> {
    // Most keys have none, so little text is looked at first.
    let mut length = NEARBY;
    let mut lines: Vec<String> = loop {
        let from = start.saturating_sub(length);
        let before = tree.text(from..start);
        let (lines, ended) = comments_at_end(&before, from == 0);
        if ended || length >= FAR {
            break lines.into_iter().map(str::to_owned).collect();
        }
        length *= 4;
    };
    lines.reverse();
    let text = lines.join(" ").trim().to_owned();
    let is_ours = text.starts_with("lofting:") || text.starts_with("yaml-language-server:");
    (!text.is_empty() && !is_ours).then_some(text)
}

/// The comments on the last lines of a text, from the last one upward, without their marks; and whether all of them are
/// in it. `whole`: the text begins with a line.
fn comments_at_end(text: &str, whole: bool) -> (Vec<&str>, bool) {
    // The last piece is the indentation of the key, and the first one may be only the end of a line.
    let lines: Vec<&str> = text.split('\n').skip(usize::from(!whole)).collect();
    let above = lines.split_last().map_or(&[][..], |(_, above)| above);
    let comments: Vec<&str> = above
        .iter()
        .rev()
        .take(LINES)
        .map_while(|line| line.trim_start().strip_prefix('#').filter(|comment| !comment.starts_with('@')))
        .map(|comment| comment.strip_prefix('!').unwrap_or(comment).trim())
        .collect();
    let ended = whole || comments.len() < above.len().min(LINES) || comments.len() == LINES;
    (comments, ended)
}

impl Inferred {
    /// A value of any kind.
    fn unknown() -> Inferred {
        Inferred { kind: Kind::Any, nullable: false, default: String::new() }
    }

    fn written(self, default: &str) -> Inferred {
        Inferred { default: default.to_owned(), ..self }
    }

    /// Whether it is a map with keys.
    pub fn is_map(&self) -> bool {
        matches!(self.kind, Kind::Map(_))
    }

    /// The type that accepts the values of both.
    pub fn or(self, other: Inferred) -> Inferred {
        let nullable = self.nullable || other.nullable;
        let null = |kind: &Kind| *kind == Kind::Null;
        let (kind, default) = match (self.kind, other.kind) {
            (Kind::Null, Kind::Null) => (Kind::Null, self.default),
            (a, b) if a == b => (a, self.default),
            (a, b) if null(&a) || null(&b) => {
                let (kind, default) = if null(&a) { (b, other.default) } else { (a, self.default) };
                return Inferred { kind, nullable: true, default };
            }
            (Kind::Int | Kind::Float, Kind::Int | Kind::Float) => (Kind::Float, "0.0".to_owned()),
            (Kind::Map(mut fields), Kind::Map(others)) => {
                for (key, field) in others {
                    add(&mut fields, key, field);
                }
                (Kind::Map(fields), self.default)
            }
            (Kind::Array(a), Kind::Array(b)) => {
                let item = match (a, b) {
                    (Some(a), Some(b)) => Some(Box::new(a.or(*b))),
                    (a, b) => a.or(b),
                };
                (Kind::Array(item), self.default)
            }
            _ => (Kind::Any, "null".to_owned()),
        };
        Inferred { kind, nullable, default }
    }

    /// The keys of a map as schema declarations at a column; None for other types.
    pub fn schema(&self, column: usize, style: Style) -> Option<String> {
        let Kind::Map(fields) = &self.kind else { return None };
        let between = format!("{}{}", style.newline, " ".repeat(column));
        let fields: Vec<String> = fields
            .values()
            .map(|field| declared(&field.written, field.description.as_deref(), &field.value, column, style))
            .collect();
        Some(fields.join(&between))
    }

    /// Whether it needs no annotation.
    fn is_plain(&self) -> bool {
        let typed = matches!(self.kind, Kind::Bool | Kind::Int | Kind::Float | Kind::String | Kind::Map(_));
        let array = matches!(&self.kind, Kind::Array(Some(item)) if item.is_plain());
        !self.nullable && (typed || array)
    }

    /// The type on one line, if possible; the type of an item has no default.
    pub fn in_flow(&self, is_item: bool) -> Option<String> {
        if !self.is_plain() {
            return None;
        }
        let empty = |value: &str| if is_item { value.to_owned() } else { self.default.clone() };
        Some(match &self.kind {
            Kind::Bool => empty("false"),
            Kind::Int => empty("0"),
            Kind::Float => empty("0.0"),
            Kind::String => empty("\"\""),
            Kind::Array(item) => format!("[{}]", item.as_ref()?.in_flow(true)?),
            Kind::Map(fields) => {
                let field = |field: &Field| Some(format!("{}: {}", field.written, field.value.in_flow(is_item)?));
                let fields: Option<Vec<String>> = fields.values().map(field).collect();
                format!("{{{}}}", fields?.join(", "))
            }
            Kind::Null | Kind::Any => return None,
        })
    }
}

/// The declaration of a key in a schema, with the annotations above it, starting at a column.
pub(crate) fn declared(key: &str, description: Option<&str>, value: &Inferred, column: usize, style: Style) -> String {
    let room = format!("{}{}", style.newline, " ".repeat(column));
    let mut text = String::new();
    let mut above = |line: String| {
        text.push_str(&line);
        text.push_str(&room);
    };
    if let Some(description) = description {
        above(format!("#@schema/desc {}", double_quoted(description)));
    }
    let any = |above: &mut dyn FnMut(String)| above("#@schema/type any=True".to_owned());
    let below = match &value.kind {
        Kind::Null => {
            above("#@schema/nullable".to_owned());
            " \"\"".to_owned()
        }
        Kind::Any | Kind::Array(None) => {
            any(&mut above);
            match value.kind {
                Kind::Any if value.default == EMPTY => format!(" {EMPTY}"),
                Kind::Any => " null".to_owned(),
                _ => " []".to_owned(),
            }
        }
        Kind::Bool | Kind::Int | Kind::Float | Kind::String => {
            if value.nullable {
                above("#@schema/nullable".to_owned());
            }
            format!(" {}", value.default)
        }
        Kind::Map(_) => {
            if value.nullable {
                above("#@schema/nullable".to_owned());
            }
            let column = column + style.indent;
            let fields = value.schema(column, style).unwrap_or_default();
            format!("{}{}{fields}", style.newline, " ".repeat(column))
        }
        // Items cannot be nullable.
        Kind::Array(Some(item)) if item.nullable || matches!(item.kind, Kind::Any | Kind::Null) => {
            any(&mut above);
            " []".to_owned()
        }
        Kind::Array(Some(item)) => {
            if value.nullable {
                above("#@schema/nullable".to_owned());
            }
            let dash = column + style.dash;
            let room = format!("{}{}", style.newline, " ".repeat(dash));
            match (&item.kind, item.in_flow(true)) {
                (Kind::Map(_), _) => format!("{room}- {}", item.as_item().schema(dash + 2, style).unwrap_or_default()),
                (_, Some(flow)) => format!("{room}- {flow}"),
                (_, None) => {
                    any(&mut above);
                    " []".to_owned()
                }
            }
        }
    };
    format!("{text}{key}:{below}")
}

impl Inferred {
    /// The type with values that represent only their type: a value in one item is not a default for the others.
    fn as_item(&self) -> Inferred {
        let default = match self.kind {
            Kind::Bool => "false",
            Kind::Int => "0",
            Kind::Float => "0.0",
            Kind::String => "\"\"",
            _ => &self.default,
        };
        let kind = match &self.kind {
            Kind::Map(fields) => {
                let field = |field: &Field| Field {
                    written: field.written.clone(),
                    description: field.description.clone(),
                    value: field.value.as_item(),
                };
                Kind::Map(fields.iter().map(|(key, known)| (key.clone(), field(known))).collect())
            }
            other => other.clone(),
        };
        Inferred { kind, nullable: self.nullable, default: default.to_owned() }
    }
}

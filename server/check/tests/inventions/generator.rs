//! Random schemas of all drafts with all keywords, and random values for them. Names, texts and numbers are few, so that
//! keywords meet each other.

use serde_json::{Map, Value, json};

/// How many cases are invented, `usual` unless `LOFTING_INVENTIONS` says otherwise, and the number that they are made from,
/// `LOFTING_INVENTIONS_SEED`.
pub fn asked(usual: usize) -> (usize, usize) {
    let number = |name: &str| std::env::var(name).ok().and_then(|text| text.parse().ok());
    (number("LOFTING_INVENTIONS").unwrap_or(usual), number("LOFTING_INVENTIONS_SEED").unwrap_or(1))
}

/// A draft of JSON Schema, oldest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Draft {
    Draft4,
    Draft6,
    Draft7,
    Draft201909,
    Draft202012,
}

use Draft::{Draft4, Draft6, Draft7, Draft201909, Draft202012};

impl Draft {
    /// All of them.
    pub const ALL: [Draft; 5] = [Draft4, Draft6, Draft7, Draft201909, Draft202012];

    /// What `$schema` names.
    pub fn uri(self) -> &'static str {
        match self {
            Draft4 => "http://json-schema.org/draft-04/schema#",
            Draft6 => "http://json-schema.org/draft-06/schema#",
            Draft7 => "http://json-schema.org/draft-07/schema#",
            Draft201909 => "https://json-schema.org/draft/2019-09/schema",
            Draft202012 => "https://json-schema.org/draft/2020-12/schema",
        }
    }

    fn id(self) -> &'static str {
        if self == Draft4 { "id" } else { "$id" }
    }

    fn definitions(self) -> &'static str {
        if self >= Draft201909 { "$defs" } else { "definitions" }
    }
}

/// The keywords that say something about a value, with the first and last draft that has them.
const KEYWORDS: &[(&str, Draft, Draft)] = &[
    ("type", Draft4, Draft202012),
    ("enum", Draft4, Draft202012),
    ("const", Draft6, Draft202012),
    ("minimum", Draft4, Draft202012),
    ("maximum", Draft4, Draft202012),
    ("exclusiveMinimum", Draft4, Draft202012),
    ("exclusiveMaximum", Draft4, Draft202012),
    ("multipleOf", Draft4, Draft202012),
    ("minLength", Draft4, Draft202012),
    ("maxLength", Draft4, Draft202012),
    ("pattern", Draft4, Draft202012),
    ("format", Draft4, Draft202012),
    ("items", Draft4, Draft202012),
    ("additionalItems", Draft4, Draft201909),
    ("prefixItems", Draft202012, Draft202012),
    ("contains", Draft6, Draft202012),
    ("minContains", Draft201909, Draft202012),
    ("maxContains", Draft201909, Draft202012),
    ("minItems", Draft4, Draft202012),
    ("maxItems", Draft4, Draft202012),
    ("uniqueItems", Draft4, Draft202012),
    ("unevaluatedItems", Draft201909, Draft202012),
    ("properties", Draft4, Draft202012),
    ("patternProperties", Draft4, Draft202012),
    ("additionalProperties", Draft4, Draft202012),
    ("propertyNames", Draft6, Draft202012),
    ("required", Draft4, Draft202012),
    ("minProperties", Draft4, Draft202012),
    ("maxProperties", Draft4, Draft202012),
    ("dependencies", Draft4, Draft7),
    ("dependentRequired", Draft201909, Draft202012),
    ("dependentSchemas", Draft201909, Draft202012),
    ("unevaluatedProperties", Draft201909, Draft202012),
    ("allOf", Draft4, Draft202012),
    ("anyOf", Draft4, Draft202012),
    ("oneOf", Draft4, Draft202012),
    ("not", Draft4, Draft202012),
    ("if", Draft7, Draft202012),
    ("then", Draft7, Draft202012),
    ("else", Draft7, Draft202012),
    ("$ref", Draft4, Draft202012),
    ("$recursiveRef", Draft201909, Draft201909),
    ("$dynamicRef", Draft202012, Draft202012),
    ("default", Draft4, Draft202012),
    ("description", Draft4, Draft202012),
];

const KEYS: &[&str] = &["a", "b", "c", "a1", "é"];

const TEXTS: &[&str] = &["", "a", "b", "ab", "aab", "1", "é😀", "2020-02-30", "1.2.3.4", "x@y.z"];

const PATTERNS: &[&str] = &["^a", "b$", "^[a-z]*$", "\\d", "^.$", "a|1", "^(?!a)", ""];

/// Those that all drafts have; others are checked up to draft 7 although it does not know them.
const FORMATS: &[&str] = &["ipv4", "ipv6", "email", "uri", "date-time", "unknown"];

const NUMBERS: &[&str] = &["0", "1", "2", "3", "-1", "1.5", "2.0", "0.1", "0.3", "1e2", "-0.0", "9007199254740992"];

const KINDS: &[&str] = &["null", "boolean", "integer", "number", "string", "array", "object"];

/// The URI of a schema.
const ROOT: &str = "http://example.com/root.json";

/// The URI of its second definition.
const PART: &str = "http://example.com/part.json";

/// Definitions of each schema.
const DEFINITIONS: usize = 3;

/// Where a schema is.
#[derive(Clone, Copy)]
struct Place {
    depth: usize,
    /// References may lead to definitions from this one on: those that look at the same value must not form circles.
    from: usize,
    /// A part of the value is looked at, so that references may lead to anything.
    below: bool,
}

impl Place {
    fn beside(self) -> Place {
        Place { depth: self.depth.saturating_sub(1), ..self }
    }

    fn below(self) -> Place {
        Place { depth: self.depth.saturating_sub(1), from: 0, below: true }
    }
}

/// Random numbers that are the same for the same seed (SplitMix64).
pub struct Dice(pub u64);

impl Dice {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    pub fn below(&mut self, end: usize) -> usize {
        (self.next() % end.max(1) as u64) as usize
    }

    fn once_in(&mut self, times: usize) -> bool {
        self.below(times) == 0
    }

    fn of<T: Copy>(&mut self, all: &[T]) -> T {
        all[self.below(all.len())]
    }
}

fn number(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or(Value::Null)
}

/// A value with integers in place of `2.0`: in draft 4 the reference takes them for numbers that are not integers,
/// where we take them for integers in all drafts.
pub fn without_points(value: &mut Value) {
    match value {
        Value::Number(number) => {
            let whole = number.as_f64().filter(|number| number.fract() == 0.0 && number.abs() < 1e15);
            if let Some(whole) = whole {
                *value = json!(whole as i64);
            }
        }
        Value::Array(items) => items.iter_mut().for_each(without_points),
        Value::Object(map) => map.values_mut().for_each(without_points),
        _ => {}
    }
}

/// A value of any kind.
pub fn value(dice: &mut Dice, depth: usize) -> Value {
    match dice.below(if depth == 0 { 5 } else { 12 }) {
        0 => Value::Null,
        1 => json!(dice.once_in(2)),
        2 | 3 => number(dice.of(NUMBERS)),
        4 => json!(dice.of(TEXTS)),
        5..=7 => (0..dice.below(4)).map(|_| value(dice, depth - 1)).collect(),
        _ => Value::Object((0..dice.below(4)).map(|_| (dice.of(KEYS).to_owned(), value(dice, depth - 1))).collect()),
    }
}

/// A schema of a draft, with definitions that refer to each other.
pub fn schema(dice: &mut Dice, draft: Draft) -> Value {
    let has_node = [dice.once_in(2), dice.once_in(2)];
    let left_out = if dice.once_in(2) { "contains" } else { "unevaluatedItems" };
    let left_out = if draft == Draft201909 { left_out } else { "" };
    let mut generator = Generator { dice, draft, has_node, left_out };
    let mut root = generator.map(Place { depth: 4, from: 0, below: false });
    root.insert("$schema".to_owned(), json!(draft.uri()));
    root.insert(draft.id().to_owned(), json!(ROOT));
    generator.anchor(&mut root, has_node[0]);
    let mut definitions = Map::new();
    for index in 0..DEFINITIONS {
        let mut definition = generator.map(Place { depth: 2, from: index + 1, below: false });
        // The first two have names of their own.
        match (index, draft >= Draft201909) {
            (0, true) => drop(definition.insert("$anchor".to_owned(), json!("anchor"))),
            (0, false) => drop(definition.insert(draft.id().to_owned(), json!("#anchor"))),
            (1, _) => {
                definition.insert(draft.id().to_owned(), json!(PART));
                generator.anchor(&mut definition, has_node[1]);
            }
            _ => {}
        }
        definitions.insert(format!("d{index}"), Value::Object(definition));
    }
    root.insert(draft.definitions().to_owned(), Value::Object(definitions));
    Value::Object(root)
}

struct Generator<'d> {
    dice: &'d mut Dice,
    draft: Draft,
    /// Whether dynamic references may lead to the root, and to the part with its own URI.
    has_node: [bool; 2],
    /// In 2019-09, what `contains` takes is not evaluated for `unevaluatedItems`; the reference reads it as 2020-12 does.
    /// So only one of the two occurs in a schema.
    left_out: &'static str,
}

impl Generator<'_> {
    fn anchor(&mut self, schema: &mut Map<String, Value>, is_wanted: bool) {
        match self.draft {
            Draft201909 if is_wanted => drop(schema.insert("$recursiveAnchor".to_owned(), json!(true))),
            Draft202012 if is_wanted => drop(schema.insert("$dynamicAnchor".to_owned(), json!("node"))),
            _ => {}
        }
    }

    /// A schema that may be given a name: up to draft 7 nothing counts beside a reference, names neither.
    fn map(&mut self, place: Place) -> Map<String, Value> {
        let mut map = Map::new();
        self.keywords(&mut map, place);
        if self.draft <= Draft7 {
            map.remove("$ref");
        }
        map
    }

    fn schema(&mut self, place: Place) -> Value {
        match self.dice.below(20) {
            0 if self.draft >= Draft6 => json!(true),
            1 if self.draft >= Draft6 => json!(false),
            0 => json!({}),
            1 => json!({"not": {}}),
            _ => {
                let mut map = Map::new();
                self.keywords(&mut map, place);
                Value::Object(map)
            }
        }
    }

    fn keywords(&mut self, into: &mut Map<String, Value>, place: Place) {
        for _ in 0..=self.dice.below(3) {
            let (keyword, first, last) = self.dice.of(KEYWORDS);
            // A few that the draft does not have, which say nothing.
            let is_known = (first..=last).contains(&self.draft);
            if keyword == self.left_out {
                continue;
            }
            if is_known || (self.dice.once_in(8) && !keyword.starts_with('$')) {
                self.keyword(into, keyword, place);
            }
        }
    }

    fn several(&mut self, place: Place) -> Value {
        (0..=self.dice.below(3)).map(|_| self.schema(place)).collect()
    }

    fn by_name(&mut self, names: &[&str], place: Place) -> Value {
        let entries = (0..=self.dice.below(2)).map(|_| (self.dice.of(names).to_owned(), self.schema(place)));
        Value::Object(entries.collect())
    }

    fn names(&mut self) -> Value {
        let mut names: Vec<&str> = (0..=self.dice.below(2)).map(|_| self.dice.of(KEYS)).collect();
        names.sort_unstable();
        names.dedup();
        json!(names)
    }

    fn keyword(&mut self, into: &mut Map<String, Value>, keyword: &str, place: Place) {
        let is_leaf = place.depth == 0;
        let said = match keyword {
            "type" if self.dice.once_in(3) => {
                let (one, other) = (self.dice.of(KINDS), self.dice.of(KINDS));
                if one == other { json!([one]) } else { json!([one, other]) }
            }
            "type" => json!(self.dice.of(KINDS)),
            "enum" => {
                let mut values: Vec<Value> = (0..=self.dice.below(3)).map(|_| value(self.dice, 1)).collect();
                values.dedup_by_key(|value| value.to_string());
                // Equal ones are not allowed, and 2 is 2.0.
                let mut kept: Vec<Value> = Vec::new();
                for value in values {
                    let number = |value: &Value| value.as_f64();
                    let is_there =
                        |other: &Value| *other == value || (number(other).is_some() && number(other) == number(&value));
                    if !kept.iter().any(is_there) {
                        kept.push(value);
                    }
                }
                json!(kept)
            }
            "const" => value(self.dice, 2),
            "default" => value(self.dice, 1),
            "description" => json!("Says nothing."),
            "minimum" | "maximum" => number(self.dice.of(NUMBERS)),
            "exclusiveMinimum" | "exclusiveMaximum" if self.draft == Draft4 => {
                let bound = if keyword.ends_with("Minimum") { "minimum" } else { "maximum" };
                into.insert(bound.to_owned(), number(self.dice.of(NUMBERS)));
                json!(self.dice.once_in(2))
            }
            "exclusiveMinimum" | "exclusiveMaximum" => number(self.dice.of(NUMBERS)),
            "multipleOf" => number(self.dice.of(&["1", "2", "0.1", "1.5", "0.01", "1e2"])),
            "minLength" | "maxLength" | "minItems" | "maxItems" | "minProperties" | "maxProperties" | "minContains"
            | "maxContains" => json!(self.dice.below(4)),
            "uniqueItems" => json!(!self.dice.once_in(4)),
            "pattern" => json!(self.dice.of(PATTERNS)),
            "format" => json!(self.dice.of(FORMATS)),
            "required" => self.names(),
            "dependentRequired" => {
                Value::Object((0..=self.dice.below(2)).map(|_| (self.dice.of(KEYS).to_owned(), self.names())).collect())
            }
            "$ref" => match self.reference(place) {
                Some(reference) => json!(reference),
                None => return,
            },
            "$recursiveRef" if place.below => json!("#"),
            "$dynamicRef" if place.below => match self.dice.below(3) {
                0 if self.has_node[0] => json!(format!("{ROOT}#node")),
                1 if self.has_node[1] => json!(format!("{PART}#node")),
                _ => json!(format!("{ROOT}#anchor")),
            },
            "$recursiveRef" | "$dynamicRef" => return,
            _ if is_leaf => return,
            "items" if self.draft < Draft202012 && self.dice.once_in(3) => self.several(place.below()),
            "prefixItems" => self.several(place.below()),
            "items"
            | "additionalItems"
            | "contains"
            | "unevaluatedItems"
            | "additionalProperties"
            | "propertyNames"
            | "unevaluatedProperties" => {
                let is_flag =
                    matches!(keyword, "additionalItems" | "additionalProperties") || keyword.starts_with("un");
                if is_flag && self.dice.once_in(2) { json!(false) } else { self.schema(place.below()) }
            }
            "properties" => self.by_name(KEYS, place.below()),
            "patternProperties" => self.by_name(PATTERNS, place.below()),
            "dependencies" => {
                let entries = (0..=self.dice.below(2)).map(|_| {
                    let needed = if self.dice.once_in(2) { self.names() } else { self.schema(place.beside()) };
                    (self.dice.of(KEYS).to_owned(), needed)
                });
                Value::Object(entries.collect())
            }
            "dependentSchemas" => self.by_name(KEYS, place.beside()),
            "allOf" | "anyOf" | "oneOf" => self.several(place.beside()),
            _ => self.schema(place.beside()),
        };
        into.insert(keyword.to_owned(), said);
    }

    /// A reference that does not lead around in a circle.
    fn reference(&mut self, place: Place) -> Option<String> {
        if place.below && self.dice.once_in(5) {
            return Some("#".to_owned());
        }
        let index = place.from + self.dice.below(DEFINITIONS + 1 - place.from.min(DEFINITIONS));
        if index >= DEFINITIONS {
            return None;
        }
        Some(match index {
            0 if self.dice.once_in(2) => format!("{ROOT}#anchor"),
            1 if self.dice.once_in(2) => PART.to_owned(),
            _ => format!("{ROOT}#/{}/d{index}", self.draft.definitions()),
        })
    }
}

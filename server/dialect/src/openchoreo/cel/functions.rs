//! The functions and methods of expressions, with their numbers of arguments: those of CEL, its extensions for optional
//! values, strings, encodings, numbers, lists, sets and two variables, and the platform's own.

use super::types::TypeKind;
use std::ops::RangeInclusive;

/// How a function is called.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Style {
    /// `name(…)`
    Alone,
    /// `module.name(…)`
    Of(&'static str),
    /// `value.name(…)`
    Method,
}

/// Any number of arguments.
const MANY: usize = usize::MAX;

type Row = (Style, &'static [&'static str], RangeInclusive<usize>);

/// Names that are called in the same way, with the numbers of arguments they take.
const FUNCTIONS: &[Row] = &[
    (Style::Alone, &["oc_omit"], 0..=0),
    (Style::Alone, &["oc_hash"], 1..=1),
    (Style::Alone, &["oc_generate_name", "oc_dns_label"], 0..=MANY),
    (Style::Alone, &["oc_merge"], 2..=MANY),
    (Style::Alone, &["has", "size", "int", "uint", "double", "string", "bytes", "bool", "type", "dyn"], 1..=1),
    (Style::Alone, &["duration", "timestamp"], 1..=1),
    (Style::Alone, &["matches"], 2..=2),
    (Style::Of("optional"), &["none"], 0..=0),
    (Style::Of("optional"), &["of", "ofNonZeroValue", "unwrap"], 1..=1),
    (Style::Of("base64"), &["encode", "decode"], 1..=1),
    (Style::Of("strings"), &["quote"], 1..=1),
    (Style::Of("lists"), &["range"], 1..=1),
    (Style::Of("sets"), &["contains", "equivalent", "intersects"], 2..=2),
    (Style::Of("math"), &["greatest", "least"], 1..=MANY),
    (Style::Of("math"), &["ceil", "floor", "round", "trunc", "abs", "sign", "sqrt"], 1..=1),
    (Style::Of("math"), &["isNaN", "isInf", "isFinite", "bitNot"], 1..=1),
    (Style::Of("math"), &["bitAnd", "bitOr", "bitXor", "bitShiftLeft", "bitShiftRight"], 2..=2),
    (Style::Method, &["size", "lowerAscii", "upperAscii", "trim", "hasValue", "value", "unwrapOpt"], 0..=0),
    (Style::Method, &["contains", "startsWith", "endsWith", "matches", "charAt", "format", "orValue", "or"], 1..=1),
    (Style::Method, &["indexOf", "lastIndexOf", "split", "substring"], 1..=2),
    (Style::Method, &["replace"], 2..=3),
    (Style::Method, &["join", "flatten"], 0..=1),
    (Style::Method, &["reverse", "sort", "distinct", "first", "last"], 0..=0),
    (Style::Method, &["slice", "sortBy", "filter", "optMap", "optFlatMap"], 2..=2),
    (Style::Method, &["all", "exists", "exists_one", "existsOne", "map"], 2..=3),
    (Style::Method, &["transformList", "transformMap", "transformMapEntry"], 3..=4),
    (Style::Method, &["getFullYear", "getMonth", "getDate", "getDayOfMonth", "getDayOfWeek", "getDayOfYear"], 0..=1),
    (Style::Method, &["getHours", "getMinutes", "getSeconds", "getMilliseconds"], 0..=1),
];

/// What is known about a call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Called {
    /// The function exists and takes this many arguments.
    Known(RangeInclusive<usize>),
    /// There is none.
    Unknown,
}

impl Called {
    /// Whether it exists.
    pub fn is_known(&self) -> bool {
        matches!(self, Called::Known(_))
    }
}

/// The function with this name that is called in this way.
pub fn called(style: Style, name: &str) -> Called {
    let mut rows = FUNCTIONS.iter().filter(|(own, ..)| *own == style);
    let found = rows.find(|(_, names, _)| names.contains(&name));
    found.map_or(Called::Unknown, |(.., count)| Called::Known(count.clone()))
}

/// Whether functions with a module's name before theirs are known.
pub fn has_functions(module: &str) -> bool {
    FUNCTIONS.iter().any(|(style, ..)| matches!(style, Style::Of(known) if *known == module))
}

/// All names that are called in this way.
pub fn names(style: Style) -> impl Iterator<Item = &'static str> {
    let rows = FUNCTIONS.iter().filter(move |(own, ..)| *own == style);
    rows.flat_map(|(_, names, _)| names.iter().copied())
}

/// The methods that values of a kind have, those that are called most first.
pub fn methods(kind: TypeKind) -> impl Iterator<Item = (&'static str, RangeInclusive<usize>)> {
    let own: &[&str] = match kind {
        TypeKind::String => &[
            "startsWith",
            "endsWith",
            "contains",
            "matches",
            "replace",
            "split",
            "lowerAscii",
            "upperAscii",
            "trim",
            "substring",
            "indexOf",
            "lastIndexOf",
            "charAt",
            "size",
        ],
        TypeKind::List => &[
            "map",
            "filter",
            "all",
            "exists",
            "exists_one",
            "size",
            "join",
            "first",
            "last",
            "slice",
            "sort",
            "sortBy",
            "distinct",
            "flatten",
            "reverse",
            "transformList",
            "transformMap",
        ],
        TypeKind::Map => &["map", "filter", "all", "exists", "exists_one", "size", "transformList", "transformMap"],
        _ => &[],
    };
    own.iter().filter_map(|name| match called(Style::Method, name) {
        Called::Known(count) => Some((*name, count)),
        Called::Unknown => None,
    })
}

/// A number of arguments in words.
pub fn count_words(count: &RangeInclusive<usize>) -> String {
    let arguments = |number: usize| if number == 1 { "1 argument".to_owned() } else { format!("{number} arguments") };
    match (*count.start(), *count.end()) {
        (0, 0) => "no argument".to_owned(),
        (least, most) if least == most => arguments(least),
        (least, MANY) => format!("at least {}", arguments(least)),
        (least, most) if most == least + 1 => format!("{least} or {}", arguments(most)),
        (least, most) => format!("{least} to {}", arguments(most)),
    }
}

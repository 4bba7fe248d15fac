//! The annotations of ytt's two design proposals. ytt accepts those it does not have and ignores them (docs/ytt.md 21).

use super::{Area, Entry, Parameter, Places, Status, choice, keyword, positional, repeated};

const fn proposed(
    name: &'static str,
    places: Places,
    summary: &'static str,
    doc: &'static str,
    parameters: &'static [Parameter],
    (snippet, plain): (&'static str, &'static str),
    status: Status,
) -> Entry {
    Entry { name, summary, doc, places, area: Area::Schema, parameters, snippet, plain, status }
}

/// The status of an annotation that ytt ignores: what ytt has instead, and what follows from its being ignored.
const fn ignored(instead: Option<&'static str>, effect: &'static str) -> Status {
    Status::Ignored { instead, effect }
}

const RENDERED: Status =
    ignored(Some("data/values-schema"), "The document is an ordinary template for it, and is rendered.");

/// Names of types as completion writes them, in quotes.
const TYPES: &[&str] = &["\"string\"", "\"int\"", "\"float\"", "\"bool\"", "\"null\"", "\"any\""];

/// Names of formats as completion writes them, in quotes.
const FORMATS: &[&str] = &[
    "\"date-time\"",
    "\"time\"",
    "\"date\"",
    "\"email\"",
    "\"hostname\"",
    "\"ip\"",
    "\"ipv4\"",
    "\"ipv6\"",
    "\"uri\"",
    "\"port\"",
    "\"percent\"",
    "\"duration\"",
];

const DATA_VALUES: Parameter = choice(
    keyword("data_values", "bool", "True: the schema is for data values. There are no others.", "True"),
    &["True"],
);

const VALIDATE: &[Parameter] = &[
    repeated(
        "rule",
        "function",
        "A function of the value that returns True, False, None or a pair (ok, message), or calls `fail(...)`.",
        "lambda v: ${1:True}",
    ),
    keyword("min", "int or float", "The least number; of a map or array the least number of items.", "${1:0}"),
    keyword("max", "int or float", "The greatest number; of a map or array the greatest number of items.", "${1:100}"),
    keyword("min_len", "int", "The least length. Strings have 1 unless this says otherwise.", "${1:1}"),
    keyword("max_len", "int", "The greatest length: bytes of a string, items of an array, keys of a map.", "${1:64}"),
    keyword("enum", "list or tuple", "The value must be one of these.", "[\"${1:a}\", \"${2:b}\"]"),
    keyword("regexp", "string", "A regular expression (RE2) that is found in the text.", "\"^$1\\$\""),
    choice(keyword("format", "string", "The format of the text.", "\"$1\""), FORMATS),
    keyword("not_null", "bool", "True: the value must be set.", "True"),
    keyword("unique", "bool", "True: no two items are equal.", "True"),
    keyword("prefix", "string", "How the text begins; the same as `starts_with=`.", "\"$1\""),
    keyword("starts_with", "string", "How the text begins.", "\"$1\""),
    keyword("ends_with", "string", "How the text ends.", "\"$1\""),
];

/// Annotations that ytt itself does not have.
pub(super) const ENTRIES: &[Entry] = &[
    proposed(
        "schema",
        Places::DOCUMENT,
        "Makes this document a schema for data values, in the form of the others.",
        "Alone it is of the second form.",
        &[],
        ("schema", "schema"),
        RENDERED,
    ),
    proposed(
        "schema/match",
        Places::DOCUMENT,
        "Makes this document a schema for data values, in the first form of the design.",
        "Arrays say their default, scalars are their own.",
        &[DATA_VALUES],
        ("schema/match data_values=True", "schema/match data_values=True"),
        RENDERED,
    ),
    proposed(
        "schema/definition",
        Places::DOCUMENT,
        "Makes this document a schema for data values, in the second form of the design.",
        "Arrays are empty unless `schema/default` says otherwise.",
        &[
            DATA_VALUES,
            choice(
                keyword("name", "string", "What the schema is for; the same as `data_values=True`.", "\"data/values\""),
                &["\"data/values\""],
            ),
        ],
        ("schema/definition data_values=True", "schema/definition data_values=True"),
        RENDERED,
    ),
    proposed(
        "schema/amend",
        Places::DOCUMENT,
        "Changes the schema of the documents before it, and may add keys.",
        "Without it a further schema document needs `overlay/match missing_ok=True` for new keys.",
        &[],
        ("schema/amend", "schema/amend"),
        RENDERED,
    ),
    proposed(
        "schema/doc",
        Places::ANY,
        "Describes this value in documentation.",
        "",
        &[positional("text", "string", "The description, in one line or several.", "\"$1\"")],
        ("schema/doc \"$1\"", "schema/doc \"\""),
        ignored(Some("schema/desc"), ""),
    ),
    proposed(
        "schema/example",
        Places::ANY,
        "An example value for documentation.",
        "It has the node's type, and breaks none of its rules.",
        &[positional("value", "any", "The example.", "${1:value}")],
        ("schema/example ${1:value}", "schema/example "),
        ignored(Some("schema/examples"), "`schema/examples` takes tuples of a description and a value."),
    ),
    proposed(
        "schema/validate",
        Places::ANY,
        "Rules for the final value.",
        "Each keyword also takes a pair: its argument, and the message of a broken rule. A keyword is passed over for values \
         of kinds that it does not speak about, and null for all but `not_null=True`.",
        VALIDATE,
        ("schema/validate $1", "schema/validate "),
        ignored(Some("schema/validation"), ""),
    ),
    proposed(
        "schema/removed",
        Places::MAP_ITEM,
        "This value no longer exists: giving it is an error.",
        "",
        &[positional("remedy", "string", "What to do instead.", "\"$1\"")],
        ("schema/removed \"$1\"", "schema/removed \"\""),
        ignored(Some("schema/deprecated"), "Delete the item, or mark it with `schema/deprecated`."),
    ),
    proposed(
        "schema/any-key",
        Places::MAP_ITEM,
        "Any keys may be given beside those that are declared; each value is like the one below.",
        "The key itself is a placeholder, by custom `_`.",
        &[],
        ("schema/any-key", "schema/any-key"),
        ignored(
            Some("schema/type"),
            "The key below it is an ordinary key for it, and others are refused. A map with free keys needs `schema/type \
             any=True`.",
        ),
    ),
    proposed(
        "schema/key",
        Places::MAP_ITEM,
        "Which keys the item stands for, and how many of them there have to be.",
        "With `allowed=` the key itself is a placeholder, by custom `_`.",
        &[
            choice(
                keyword(
                    "allowed",
                    "string or function",
                    "`\"any\"`, a regular expression (RE2) that is found in the key, or a function of the key. Left out: the \
                     declared key.",
                    "\"^$1\\$\"",
                ),
                &["\"any\""],
            ),
            choice(
                keyword(
                    "expects",
                    "int, string, function or list",
                    "How many keys: a number, a lower bound (`\"1+\"`), a function of the number, or a list of these. Left \
                     out: one.",
                    "\"${1:0}+\"",
                ),
                &["\"0+\"", "\"1+\""],
            ),
            keyword("missing_ok", "bool", "True: any number of keys; a declared key may be missing.", "True"),
        ],
        ("schema/key $1", "schema/key "),
        ignored(None, ""),
    ),
    proposed(
        "schema/key-may-be-present",
        Places::MAP_ITEM,
        "This key may be given; if it is not given, it is absent.",
        "",
        &[],
        ("schema/key-may-be-present", "schema/key-may-be-present"),
        ignored(
            Some("schema/nullable"),
            "The key is always present, with its default. `schema/nullable` makes the default null.",
        ),
    ),
];

/// Annotations that ytt has as well, with other arguments.
pub(super) const CHANGED: &[Entry] = &[
    proposed(
        "schema/type",
        Places::ANY,
        "Lists the types of this value.",
        "The value below has one of them, as it is the default. `\"any\"` stands alone.",
        &[
            choice(repeated("type", "string or None", "The name of a type; `None` is `\"null\"`.", "\"$1\""), TYPES),
            choice(keyword("one_of", "string, list or tuple", "The names of types.", "[\"$1\"]"), TYPES),
            keyword("or_inferred", "bool", "True: also the type of the value below.", "True"),
            keyword("any", "bool", "True: any value, here and below.", "True"),
        ],
        ("schema/type $1", "schema/type "),
        Status::Shipped,
    ),
    proposed(
        "schema/examples",
        Places::ANY,
        "Example values for documentation, each with a description.",
        "Examples have the node's type.",
        &[repeated(
            "example",
            "tuple (string, any)",
            "A description and a value of the node's type; also a list of such pairs.",
            "(\"${1:description}\", ${2:value})",
        )],
        ("schema/examples (\"${1:description}\", ${2:value})", "schema/examples (\"\", )"),
        Status::Shipped,
    ),
    proposed(
        "schema/deprecated",
        Places::ITEMS,
        "Giving this value is a warning.",
        "The second form asks for a text.",
        &[positional("notice", "string", "What to use instead.", "\"$1\"")],
        ("schema/deprecated \"$1\"", "schema/deprecated \"\""),
        Status::Shipped,
    ),
];

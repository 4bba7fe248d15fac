//! `schema/*` and `assert/validate`.

use super::{Area, Entry, Parameter, Places, Status, keyword, positional, repeated};

const VALIDATION: &[Parameter] = &[
    repeated(
        "rule",
        "tuple (string, function or assertion)",
        "A description of what is valid and a function of the value that returns True or calls `fail(...)`, or an \
         assertion object of `@ytt:assert`.",
        "(\"${1:description}\", lambda v: ${2:True})",
    ),
    keyword("min_len", "int", "The least length: bytes of a string, items of an array, keys of a map.", "${1:1}"),
    keyword("max_len", "int", "The greatest length: bytes of a string, items of an array, keys of a map.", "${1:64}"),
    keyword("min", "any", "The least value.", "${1:0}"),
    keyword("max", "any", "The greatest value.", "${1:100}"),
    keyword("not_null", "bool", "True: the value must be set. Null values are not validated otherwise.", "True"),
    keyword(
        "one_not_null",
        "bool or sequence of keys",
        "Exactly one of these keys must be set; True stands for all keys of the map.",
        "[\"${1:a}\", \"${2:b}\"]",
    ),
    keyword("one_of", "list, tuple, set or dict", "The value must be one of these.", "[\"${1:a}\", \"${2:b}\"]"),
    keyword(
        "when",
        "function",
        "A function of the value, or of the value and a context (`ctx.parent`, `ctx.root`), that returns False where \
         the rules do not apply.",
        "lambda ${1:v, ctx}: ${2:True}",
    ),
];

const VALIDATION_DOC: &str = "Rules run on the final data values. A rule holds only if it returns exactly True. \
    Null values are skipped unless `not_null=True`. The keyword rules run in a fixed order after the tuples: \
    `min_len`, `max_len`, `min`, `max`, `one_not_null`, `one_of`.";

pub(super) const ENTRIES: &[Entry] = &[
    Entry {
        name: "schema/type",
        summary: "`any=True`: values of any type are allowed here and below.",
        doc: "No types are checked and no defaults are filled in below this node; its value in the schema is the \
              default and may be null. `any=False` infers the type as usual.",
        places: Places::ANY,
        area: Area::Schema,
        parameters: &[keyword("any", "bool", "True: allow any value here and below.", "True")],
        snippet: "schema/type any=True",
        plain: "schema/type any=True",
        status: Status::Shipped,
    },
    Entry {
        name: "schema/nullable",
        summary: "Null is allowed as well, and is the default.",
        doc: "The type still comes from the value. `schema/default` on the same node sets a different default.",
        places: Places::ANY,
        area: Area::Schema,
        parameters: &[],
        snippet: "schema/nullable",
        plain: "schema/nullable",
        status: Status::Shipped,
    },
    Entry {
        name: "schema/default",
        summary: "Sets the default of this node.",
        doc: "Most useful for arrays, whose default is an empty list otherwise. The value must have the node's type. \
              Not allowed on array items: annotate the array.",
        places: Places::NOT_ARRAY_ITEM,
        area: Area::Schema,
        parameters: &[positional("value", "any", "The default, of the node's type.", "${1:[]}")],
        snippet: "schema/default ${1:[]}",
        plain: "schema/default ",
        status: Status::Shipped,
    },
    Entry {
        name: "schema/title",
        summary: "A short name for this value in documentation.",
        doc: "",
        places: Places::ANY,
        area: Area::Schema,
        parameters: &[positional("title", "string", "The title.", "\"$1\"")],
        snippet: "schema/title \"$1\"",
        plain: "schema/title \"\"",
        status: Status::Shipped,
    },
    Entry {
        name: "schema/desc",
        summary: "Describes this value in documentation.",
        doc: "",
        places: Places::ANY,
        area: Area::Schema,
        parameters: &[positional("description", "string", "The description.", "\"$1\"")],
        snippet: "schema/desc \"$1\"",
        plain: "schema/desc \"\"",
        status: Status::Shipped,
    },
    Entry {
        name: "schema/examples",
        summary: "Example values for documentation, each with a description.",
        doc: "Examples must have the node's type. Only the first is exported to OpenAPI.",
        places: Places::ANY,
        area: Area::Schema,
        parameters: &[repeated(
            "example",
            "tuple (string, any)",
            "A description and a value of the node's type.",
            "(\"${1:description}\", ${2:value})",
        )],
        snippet: "schema/examples (\"${1:description}\", ${2:value})",
        plain: "schema/examples (\"\", )",
        status: Status::Shipped,
    },
    Entry {
        name: "schema/deprecated",
        summary: "Marks this value as deprecated in documentation.",
        doc: "Needs a text that says what to use instead. ytt itself never warns about deprecated values.",
        places: Places::ITEMS,
        area: Area::Schema,
        parameters: &[positional("notice", "string", "What to use instead.", "\"$1\"")],
        snippet: "schema/deprecated \"$1\"",
        plain: "schema/deprecated \"\"",
        status: Status::Shipped,
    },
    Entry {
        name: "schema/validation",
        summary: "Rules for the final value.",
        doc: VALIDATION_DOC,
        places: Places::ANY,
        area: Area::Schema,
        parameters: VALIDATION,
        snippet: "schema/validation $1",
        plain: "schema/validation ",
        status: Status::Shipped,
    },
    Entry {
        name: "assert/validate",
        summary: "Rules for the final value, given in a data values document.",
        doc: "Takes the arguments of `schema/validation`. With a schema it is lost on every key the schema declares: \
              merging keeps the node of the schema.",
        places: Places::ANY,
        area: Area::Values,
        parameters: VALIDATION,
        snippet: "assert/validate $1",
        plain: "assert/validate ",
        status: Status::Shipped,
    },
];

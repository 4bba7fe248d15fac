//! `data/*`, `library/*`, `yaml/*`, `template/*`.

use super::{Area, Entry, Places, Status, keyword, positional};

pub(super) const ENTRIES: &[Entry] = &[
    Entry {
        name: "data/values",
        summary: "Makes this document one with data values.",
        doc: "The document is laid over the schema's defaults and the data values documents before it. Arrays \
              are appended, keys the schema does not declare are refused.",
        places: Places::DOCUMENT,
        area: Area::Any,
        parameters: &[keyword(
            "after_library_module",
            "bool",
            "With `library/ref`: lay these values over those given by `library.get(...).with_data_values()`, \
             instead of under them.",
            "True",
        )],
        snippet: "data/values",
        plain: "data/values",
        status: Status::Shipped,
    },
    Entry {
        name: "data/values-schema",
        summary: "Makes this document a schema for data values.",
        doc: "The document declares every data value with its type and default. All schema documents of an input \
              set are merged in file order. Only YAML files that are not libraries (`*.lib.yml`) are searched.",
        places: Places::DOCUMENT,
        area: Area::Any,
        parameters: &[],
        snippet: "data/values-schema",
        plain: "data/values-schema",
        status: Status::Shipped,
    },
    Entry {
        name: "library/ref",
        summary: "Addresses this document to a library instead of the root.",
        doc: "Takes one string: `\"@path\"`, `\"@~alias\"`, `\"@path~alias\"`, or nested `\"@a@b\"`.",
        places: Places::DOCUMENT,
        area: Area::Any,
        parameters: &[positional(
            "path",
            "string",
            "The library: `\"@path\"`, `\"@~alias\"`, `\"@path~alias\"`.",
            "\"@$1\"",
        )],
        snippet: "library/ref \"@$1\"",
        plain: "library/ref \"@\"",
        status: Status::Shipped,
    },
    Entry {
        name: "yaml/text-templated-strings",
        summary: "Strings of this node and everything below it may hold `(@ @)` templates.",
        doc: "`(@= EXPR @)` inserts a string, `(@ CODE @)` runs code, `(@-` and `-@)` also remove the white space \
              next to them. Applies to string values and string keys.",
        places: Places::ANY,
        area: Area::Any,
        parameters: &[],
        snippet: "yaml/text-templated-strings",
        plain: "yaml/text-templated-strings",
        status: Status::Shipped,
    },
    Entry {
        name: "yaml/map-key-override",
        summary: "Lets this item repeat a key of the same map and replace the earlier one.",
        doc: "Without it a repeated key is an error in files with ytt code.",
        places: Places::MAP_ITEM,
        area: Area::Any,
        parameters: &[],
        snippet: "yaml/map-key-override",
        plain: "yaml/map-key-override",
        status: Status::Shipped,
    },
    Entry {
        name: "template/code",
        summary: "The long form of `#@ code`: a line of Starlark.",
        doc: "",
        places: Places::ANY,
        area: Area::Any,
        parameters: &[],
        snippet: "template/code $1",
        plain: "template/code ",
        status: Status::Shipped,
    },
    Entry {
        name: "template/value",
        summary: "The long form of `key: #@ expression`: the value of this node.",
        doc: "",
        places: Places::ANY,
        area: Area::Any,
        parameters: &[],
        snippet: "template/value $1",
        plain: "template/value ",
        status: Status::Shipped,
    },
];

//! `overlay/*` (docs/ytt.md 14).

use super::{Area, Entry, Parameter, Places, Status, keyword};

const EXPECTS: Parameter = keyword(
    "expects",
    "int, string, list or function",
    "How many nodes must match: a number, `\"1+\"`, a list of these, or a function of the count.",
    "${1:1}",
);
const MISSING_OK: Parameter =
    keyword("missing_ok", "bool", "True: no match is fine too, and merging adds the node.", "True");
const WHEN: Parameter = keyword(
    "when",
    "int, string, list or function",
    "Like `expects`, but where the count does not fit the node is skipped silently.",
    "${1:1}",
);
const VIA: Parameter = keyword(
    "via",
    "function",
    "A function of the left and the right value that gives the new one.",
    "lambda left, right: ${1:right}",
);

pub(super) const ENTRIES: &[Entry] = &[
    Entry {
        name: "overlay/match",
        summary: "Says which nodes on the left this node is laid over.",
        doc: "Map items match by key without it. Array items and documents match nothing without it. Only one of \
              `expects`, `missing_ok` and `when` may be given.",
        places: Places::ANY,
        area: Area::Overlay,
        parameters: &[
            keyword(
                "by",
                "string or function",
                "A key whose values must be equal, or a function of (key or index, left, right) that returns a bool; \
                 `overlay.all`, `overlay.subset(...)`, `overlay.index(...)` and others are ready-made.",
                "\"${1:name}\"",
            ),
            EXPECTS,
            MISSING_OK,
            WHEN,
        ],
        snippet: "overlay/match $1",
        plain: "overlay/match ",
        status: Status::Shipped,
    },
    Entry {
        name: "overlay/match-child-defaults",
        summary: "Sets how many matches are expected for all levels below this node.",
        doc: "Does not apply to the node itself.",
        places: Places::ANY,
        area: Area::Overlay,
        parameters: &[EXPECTS, MISSING_OK, WHEN],
        snippet: "overlay/match-child-defaults missing_ok=True",
        plain: "overlay/match-child-defaults missing_ok=True",
        status: Status::Shipped,
    },
    Entry {
        name: "overlay/merge",
        summary: "Merges this node into those it matches; the default.",
        doc: "",
        places: Places::ANY,
        area: Area::Overlay,
        parameters: &[],
        snippet: "overlay/merge",
        plain: "overlay/merge",
        status: Status::Shipped,
    },
    Entry {
        name: "overlay/remove",
        summary: "Removes the nodes this one matches.",
        doc: "The value of this node does not matter.",
        places: Places::ANY,
        area: Area::Overlay,
        parameters: &[],
        snippet: "overlay/remove",
        plain: "overlay/remove",
        status: Status::Shipped,
    },
    Entry {
        name: "overlay/replace",
        summary: "Replaces the nodes this one matches, annotations included.",
        doc: "",
        places: Places::ANY,
        area: Area::Overlay,
        parameters: &[VIA, keyword("or_add", "bool", "True: add the node where nothing matches.", "True")],
        snippet: "overlay/replace",
        plain: "overlay/replace",
        status: Status::Shipped,
    },
    Entry {
        name: "overlay/insert",
        summary: "Inserts this node before or after those it matches.",
        doc: "",
        places: Places::NOT_MAP_ITEM,
        area: Area::Overlay,
        parameters: &[
            keyword("before", "bool", "True: insert before each match.", "True"),
            keyword("after", "bool", "True: insert after each match.", "True"),
            VIA,
        ],
        snippet: "overlay/insert ${1|before,after|}=True",
        plain: "overlay/insert after=True",
        status: Status::Shipped,
    },
    Entry {
        name: "overlay/append",
        summary: "Adds this node at the end, without matching.",
        doc: "",
        places: Places::NOT_MAP_ITEM,
        area: Area::Overlay,
        parameters: &[],
        snippet: "overlay/append",
        plain: "overlay/append",
        status: Status::Shipped,
    },
    Entry {
        name: "overlay/assert",
        summary: "Checks the nodes this one matches instead of changing them.",
        doc: "Without `via` the left node must contain this one.",
        places: Places::ANY,
        area: Area::Overlay,
        parameters: &[keyword(
            "via",
            "function",
            "A function of the left and the right value that returns None, a bool, or a tuple (bool, text).",
            "lambda left, right: ${1:True}",
        )],
        snippet: "overlay/assert via=lambda left, right: ${1:True}",
        plain: "overlay/assert ",
        status: Status::Shipped,
    },
];

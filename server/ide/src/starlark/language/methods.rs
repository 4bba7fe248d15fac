//! Methods of values (docs/ytt.md 18).

use super::{Member, function};

/// Methods of strings.
pub(crate) const STRING: &[Member] = &[
    function("capitalize", "()", "With a capital at the start, the rest in small letters."),
    function("codepoint_ords", "()", "The numbers of the characters."),
    function("codepoints", "()", "The characters."),
    function("count", "(part, start=0, end=None)", "How often the part occurs."),
    function("elem_ords", "()", "The numbers of the bytes."),
    function("elems", "()", "The bytes as texts."),
    function("endswith", "(suffix)", "Whether the text ends so."),
    function("find", "(part, start=0, end=None)", "Where the part begins, or -1."),
    function("format", "(*args, **kwargs)", "The text with `{}` and `{name}` filled in."),
    function("index", "(part, start=0, end=None)", "Where the part begins; fails if it is not there."),
    function("isalnum", "()", "Whether there are letters and digits only."),
    function("isalpha", "()", "Whether there are letters only."),
    function("isdigit", "()", "Whether there are digits only."),
    function("islower", "()", "Whether all letters are small."),
    function("isspace", "()", "Whether there is white space only."),
    function("istitle", "()", "Whether every word begins with a capital."),
    function("isupper", "()", "Whether all letters are capitals."),
    function("join", "(texts)", "The texts with this one between them."),
    function("lower", "()", "In small letters."),
    function("lstrip", "(characters=None)", "Without white space at the start."),
    function("partition", "(separator)", "The text before the separator, the separator, and the text after it."),
    function("replace", "(old, new, count=-1)", "With one part in place of another."),
    function("rfind", "(part, start=0, end=None)", "Where the last such part begins, or -1."),
    function("rindex", "(part, start=0, end=None)", "Where the last such part begins; fails if there is none."),
    function("rpartition", "(separator)", "As `partition`, at the last separator."),
    function("rsplit", "(separator=None, maxsplit=-1)", "The parts between separators, from the end."),
    function("rstrip", "(characters=None)", "Without white space at the end."),
    function("split", "(separator=None, maxsplit=-1)", "The parts between separators."),
    function("splitlines", "(keepends=False)", "The lines."),
    function("startswith", "(prefix)", "Whether the text begins so."),
    function("strip", "(characters=None)", "Without white space at both ends."),
    function("title", "()", "Every word with a capital at the start."),
    function("upper", "()", "In capitals."),
];

/// Methods of lists.
pub(crate) const LIST: &[Member] = &[
    function("append", "(item)", "Adds an item at the end."),
    function("clear", "()", "Removes all items."),
    function("extend", "(items)", "Adds items at the end."),
    function("index", "(item, start=0, end=None)", "The number of the item; fails if it is not there."),
    function("insert", "(index, item)", "Adds an item at a place."),
    function("pop", "(index=-1)", "Removes an item and gives it."),
    function("remove", "(item)", "Removes the first item that is equal."),
];

/// Methods of dicts.
pub(crate) const DICT: &[Member] = &[
    function("clear", "()", "Removes all entries."),
    function("get", "(key, default=None)", "The value of a key, or the default."),
    function("items", "()", "Pairs of key and value."),
    function("keys", "()", "The keys."),
    function("pop", "(key, default=None)", "Removes an entry and gives its value."),
    function("popitem", "()", "Removes the first entry and gives it."),
    function("setdefault", "(key, default=None)", "The value of a key, which gets the default if it is not there."),
    function("update", "(pairs=[], **entries)", "Adds entries."),
    function("values", "()", "The values."),
];

/// Methods of sets.
pub(crate) const SET: &[Member] = &[function("union", "(items)", "A set with these items, too.")];

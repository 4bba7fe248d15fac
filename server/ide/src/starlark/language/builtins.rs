//! Built-in functions and keywords (docs/ytt.md 18).

use super::{Member, function, value};

/// Names that exist without being loaded.
pub(crate) const BUILTINS: &[Member] = &[
    value("None", "No value; null in YAML."),
    value("True", "The boolean."),
    value("False", "The boolean."),
    function("any", "(sequence)", "Whether one item counts as true."),
    function("all", "(sequence)", "Whether every item counts as true."),
    function("bool", "(value)", "Whether the value counts as true."),
    function("chr", "(codepoint)", "The character of that number."),
    function("dict", "(pairs=[], **entries)", "A dict of pairs and named entries."),
    function("dir", "(value)", "The names of the attributes, sorted."),
    function("enumerate", "(sequence, start=0)", "Pairs of number and item."),
    function("fail", "(*values)", "Ends the program with a message."),
    function("float", "(value)", "The value as a float."),
    function("getattr", "(value, name, default=None)", "The attribute of that name; the default if there is none."),
    function("hasattr", "(value, name)", "Whether there is an attribute of that name."),
    function("hash", "(text)", "A number made of the text."),
    function("int", "(value, base=10)", "The value as an integer."),
    function("len", "(value)", "The number of items or keys; of text, of its bytes."),
    function("list", "(sequence=[])", "A list of the items."),
    function("max", "(*values, key=None)", "The largest value."),
    function("min", "(*values, key=None)", "The smallest value."),
    function("ord", "(character)", "The number of a character."),
    function("print", "(*values, sep=\" \")", "Writes to the error stream."),
    function("range", "(start, stop=None, step=1)", "Numbers from start (or 0) up to, but not with, stop."),
    function("repr", "(value)", "The value as code."),
    function("reversed", "(sequence)", "The items from the last to the first."),
    function("set", "(sequence=[])", "The distinct items."),
    function("sorted", "(sequence, reverse=False, key=None)", "The items in order."),
    function("str", "(value)", "The value as text."),
    function("tuple", "(sequence=())", "A tuple of the items."),
    function("type", "(value)", "The name of the value's type."),
    function("zip", "(*sequences)", "Tuples of the items of the same number."),
];

/// Words that begin statements or occur in expressions, with their purposes.
pub(crate) const KEYWORDS: &[(&str, &str)] = &[
    ("if", "Begins a block that `end` closes."),
    ("elif", "Another condition of the block above."),
    ("else", "What holds otherwise."),
    ("for", "Repeats a block that `end` closes."),
    ("while", "Repeats a block that `end` closes as long as a condition holds."),
    ("def", "Makes a function of a block that `end` closes."),
    ("return", "Ends a function."),
    ("end", "Closes a block."),
    ("load", "Takes names from a module or another file."),
    ("lambda", "A function in an expression."),
    ("and", "Both hold."),
    ("or", "One of them holds."),
    ("not", "It does not hold."),
    ("in", "One is a part of the other."),
    ("break", "Leaves a loop."),
    ("continue", "Goes on with the next item of a loop."),
];

/// Keywords that are only possible where a statement begins.
pub(crate) const BEGINS_STATEMENT: &[&str] = &["def", "return", "end", "load", "while", "elif", "break", "continue"];

/// What most lines of code begin with.
pub(crate) const LIKELY_STATEMENTS: &[&str] = &["load", "if", "for", "def", "end"];

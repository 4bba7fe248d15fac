//! The modules of `@ytt:` (docs/ytt.md 17).

use super::{Module, function, value};

/// Every module, by name.
pub(crate) const MODULES: &[Module] = &[
    Module {
        name: "assert",
        doc: "Ends the program if something is not as it should be, and makes rules for validations.",
        members: &[
            function("equals", "(expected, actual)", "Fails unless both give the same YAML."),
            function("fail", "(message)", "Fails with the message."),
            function("try_to", "(function)", "Calls the function; gives `(result, None)` or `(None, error)`."),
            function("min", "(minimum)", "A rule: the value is at least the minimum. Call its `check(value)`."),
            function("max", "(maximum)", "A rule: the value is at most the maximum. Call its `check(value)`."),
            function("min_len", "(length)", "A rule: the value has at least that length. Call its `check(value)`."),
            function("max_len", "(length)", "A rule: the value has at most that length. Call its `check(value)`."),
            function("not_null", "(value=None)", "A rule: the value is not null. With a value it is checked at once."),
            function(
                "one_not_null",
                "(keys=None)",
                "A rule: exactly one of the keys is not null; of all keys if none are given.",
            ),
            function("one_of", "(*values)", "A rule: the value is one of these. Call its `check(value)`."),
        ],
    },
    Module {
        name: "base64",
        doc: "Base64.",
        members: &[
            function("encode", "(text, url=False, raw=False, strict=False)", "The text in base64."),
            function("decode", "(text, url=False, raw=False, strict=False)", "The text that base64 stands for."),
        ],
    },
    Module {
        name: "data",
        doc: "Data values and the files of the library.",
        members: &[
            value("values", "The final data values as structs. Empty in schema and data values files."),
            function("list", "(path=\"\")", "The paths of all files of the library, or of those below a path."),
            function("read", "(path)", "The text of a file of the library."),
        ],
    },
    Module {
        name: "ip",
        doc: "Internet addresses.",
        members: &[
            function("parse_addr", "(text)", "An address, with `is_ipv4()`, `is_ipv6()` and `string()`."),
            function(
                "parse_cidr",
                "(text)",
                "A tuple of address and network; the network has `addr()` and `string()`.",
            ),
        ],
    },
    Module {
        name: "json",
        doc: "JSON.",
        members: &[
            function("encode", "(value, indent=0, escape_html=True)", "The value as JSON, keys sorted."),
            function("decode", "(text)", "The value of a JSON text, with dicts and lists."),
        ],
    },
    Module {
        name: "library",
        doc: "Private libraries below `_ytt_lib`.",
        members: &[function(
            "get",
            "(path, alias=\"\", ignore_unknown_comments=False, implicit_map_key_overrides=False, strict=False, \
             dangerous_data_values_disable_validation=False)",
            "The library, with `with_data_values()`, `with_data_values_schema()`, `eval()`, `export()` and \
             `data_values()`.",
        )],
    },
    Module {
        name: "math",
        doc: "Mathematical functions. The first use prints a warning.",
        members: &[
            function("ceil", "(x)", "The smallest integer that is not less."),
            function("floor", "(x)", "The largest integer that is not more."),
            function("round", "(x)", "The nearest integer."),
            function("fabs", "(x)", "The absolute value."),
            function("mod", "(x, y)", "The rest of the division, with the sign of `x`."),
            function("remainder", "(x, y)", "The rest as IEEE 754 has it."),
            function("pow", "(x, y)", "`x` to the power of `y`."),
            function("sqrt", "(x)", "The square root."),
            function("exp", "(x)", "e to the power of `x`."),
            function("log", "(x, base=e)", "The logarithm."),
            function("copysign", "(x, y)", "`x` with the sign of `y`."),
            function("hypot", "(x, y)", "The length of the vector."),
            function("degrees", "(x)", "Radians as degrees."),
            function("radians", "(x)", "Degrees as radians."),
            function("sin", "(x)", "The sine."),
            function("cos", "(x)", "The cosine."),
            function("tan", "(x)", "The tangent."),
            function("asin", "(x)", "The arc sine."),
            function("acos", "(x)", "The arc cosine."),
            function("atan", "(x)", "The arc tangent."),
            function("atan2", "(y, x)", "The arc tangent of `y / x` in its quadrant."),
            function("sinh", "(x)", "The hyperbolic sine."),
            function("cosh", "(x)", "The hyperbolic cosine."),
            function("tanh", "(x)", "The hyperbolic tangent."),
            function("asinh", "(x)", "The inverse hyperbolic sine."),
            function("acosh", "(x)", "The inverse hyperbolic cosine."),
            function("atanh", "(x)", "The inverse hyperbolic tangent."),
            function("gamma", "(x)", "The gamma function."),
            value("e", "The base of natural logarithms."),
            value("pi", "The ratio of a circle's circumference to its diameter."),
        ],
    },
    Module {
        name: "md5",
        doc: "MD5 sums.",
        members: &[function("sum", "(text)", "The sum of the text in hexadecimal digits.")],
    },
    Module {
        name: "module",
        doc: "Named bags of members.",
        members: &[function("make", "(name, **members)", "A module with these members.")],
    },
    Module {
        name: "overlay",
        doc: "Overlays in code, and matchers for `@overlay/match by=`.",
        members: &[
            function("apply", "(left, *right)", "The left fragment with the others laid over it."),
            value("all", "A matcher: every document or item."),
            function("index", "(index)", "A matcher: the item of that number."),
            function("map_key", "(key)", "A matcher: items whose value of that key is the same."),
            function("subset", "(fragment)", "A matcher: what holds all that the fragment holds."),
            function("and_op", "(*matchers)", "A matcher: all of these match."),
            function("or_op", "(*matchers)", "A matcher: one of these matches."),
            function("not_op", "(matcher)", "A matcher: the other does not match."),
        ],
    },
    Module {
        name: "regexp",
        doc: "Regular expressions in RE2 syntax: no look around, no back references.",
        members: &[
            function("match", "(pattern, text)", "Whether the pattern is found anywhere in the text."),
            function(
                "replace",
                "(pattern, text, replacement)",
                "The text with all matches replaced: by a text with `$1`, or by what a function makes of each.",
            ),
        ],
    },
    Module {
        name: "sha256",
        doc: "SHA-256 sums.",
        members: &[function("sum", "(text)", "The sum of the text in hexadecimal digits.")],
    },
    Module {
        name: "struct",
        doc: "Values with attributes.",
        members: &[
            function("make", "(**members)", "A struct with these members."),
            function("make_and_bind", "(object, **members)", "The same; functions get the object as first argument."),
            function("bind", "(function, *arguments)", "The function with its first arguments filled in."),
            function("encode", "(value)", "Dicts become structs, all the way down."),
            function("decode", "(struct)", "Structs become dicts, all the way down."),
        ],
    },
    Module {
        name: "template",
        doc: "Replaces nodes by several others.",
        members: &[function(
            "replace",
            "(value)",
            "As the value of a node: puts the items or documents of `value` in place of the node.",
        )],
    },
    Module {
        name: "toml",
        doc: "TOML.",
        members: &[
            function("encode", "(value, indent=0)", "The value as TOML."),
            function("decode", "(text)", "The value of a TOML text."),
        ],
    },
    Module {
        name: "url",
        doc: "Addresses of the web.",
        members: &[
            function("path_segment_encode", "(text)", "The text as a segment of a path."),
            function("path_segment_decode", "(text)", "The text of a segment of a path."),
            function("query_param_value_encode", "(text)", "The text as a value in a query."),
            function("query_param_value_decode", "(text)", "The text of a value in a query."),
            function("query_params_encode", "(dict)", "A dict of lists as a query, keys sorted."),
            function("query_params_decode", "(text)", "A query as a dict of lists."),
            function("parse", "(text)", "An address, with `user`, `hostname()`, `without_user()` and `string()`."),
        ],
    },
    Module {
        name: "version",
        doc: "The version of ytt.",
        members: &[function("require_at_least", "(version)", "Fails if ytt is older than `\"x.y.z\"`.")],
    },
    Module {
        name: "yaml",
        doc: "YAML.",
        members: &[
            function("encode", "(value)", "The value as YAML."),
            function("decode", "(text)", "The value of a YAML text, with dicts and lists."),
        ],
    },
];

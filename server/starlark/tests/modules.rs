//! The modules of ytt, with its results.

mod harness;

use harness::{Files, show};
use lofting_eval::Data;

/// The `repr` of `r` after the code, or the error message. Lines that begin with a bar are YAML.
fn result(code: &str) -> String {
    let line = |line: &str| line.strip_prefix("| ").map_or_else(|| format!("#@ {line}\n"), |yaml| format!("{yaml}\n"));
    let code: String = code.lines().map(line).collect();
    let files = Files(vec![("values.yml".to_owned(), format!("{code}---\nr: #@ repr(r)\n"))]);
    match files.evaluate().0.result {
        Err(error) => format!("{:?}: {}", error.kind, error.message),
        // YAML of functions before it makes a document of its own.
        Ok(outcome) => match outcome.documents.items.last().map(|document| &document.value) {
            Some(Data::Fragment(map)) => match map.items.first().map(|item| &item.value) {
                Some(Data::String(text)) => text.to_string(),
                other => format!("{other:?}"),
            },
            other => format!("{other:?}"),
        },
    }
}

fn check(cases: &[(&str, &str)]) {
    check_with(&[], cases);
}

/// The cases, each after loading modules of ytt.
fn check_with(modules: &[&str], cases: &[(&str, &str)]) {
    let loads: String = modules.iter().map(|module| format!("load(\"@ytt:{module}\", \"{module}\")\n")).collect();
    for (code, expected) in cases {
        assert_eq!(result(&format!("{loads}{code}")), *expected, "{code}");
    }
}

#[test]
fn values_without_content_equal_only_themselves() {
    check_with(
        &["struct", "url", "assert"],
        &[
            (
                "s = struct.make(a=1)\nr = s == s, s != s, s in [s], [1, s].index(s), {\"a\": s} == {\"a\": s}",
                "(True, False, True, 1, True)",
            ),
            ("s = struct.make(a=1)\nr = s == struct.make(a=1), (s,) != (struct.make(a=1),)", "(False, True)"),
            ("s = struct.make(a=[struct.make(b=1)])\nr = s.a[0] == s.a[0], s.a.index(s.a[0])", "(True, 0)"),
            (
                "u = url.parse(\"http://h\")\nr = u == u, u == url.parse(\"http://h\"), assert == assert",
                "(True, False, True)",
            ),
            ("a = assert.min(1)\nr = a == a, a.check == a.check, a == assert.min(1)", "(True, True, False)"),
            ("def f():\n| - 1\nend\nx = f()\nr = x == x", "Runtime: yamlfragment.CompareSameType: Not implemented"),
        ],
    );
    let files = Files::new(&[(
        "values.yml",
        "#@ load(\"@ytt:data\", \"data\")\n#@ items = data.values[\"items\"]\n---\nr: #@ items.index(items[1])\n",
    )]);
    let item = |name: &str| Data::Struct(vec![(name.to_owned(), Data::None)]);
    let values = Data::Struct(vec![("items".to_owned(), Data::List(vec![item("a"), item("a")]))]);
    assert_eq!(show(&files, &files.evaluate_with(Some(values)).0), "---\n  \"r\": 1\n");
}

#[test]
fn no_comparison_with_nan_holds() {
    check(&[
        (
            "n = float(\"nan\")\nr = 1 < n, n < 1, 1 <= n, n >= 1, n <= n, [1, n] < [1, 2]",
            "(False, False, False, False, False, False)",
        ),
        ("r = max(1, float(\"nan\")), min(1, float(\"nan\"))", "(1, 1)"),
    ]);
}

#[test]
fn replacements_of_matches() {
    check_with(
        &["regexp"],
        &[
            ("r = regexp.replace(\"\", \"é\", \"-\"), regexp.replace(\"\", \"\", \"-\")", r#"("-é-", "-")"#),
            (
                "r = regexp.replace(\"x*\", \"aéb\", \"-\"), regexp.replace(\"x*\", \"axxb\", \"-\")",
                r#"("-a-é-b-", "-a-b-")"#,
            ),
            (
                "r = regexp.replace(r\"\\B\", \"éa\", \"-\"), regexp.replace(r\"\\b\", \"é a\", \"-\")",
                r#"("-éa", "é -a-")"#,
            ),
            ("r = regexp.replace(\"b*\", \"abé\", lambda m: \"[\" + m + \"]\")", r#""[]a[b]é[]""#),
            ("r = regexp.replace(\"(?P<n>a)(b)?\", \"a\", \"$n,${n},$1,$2,$0,$9,$$,$n_\")", r#""a,a,a,,a,,$,""#),
            (
                "r = regexp.replace(\"(a)\", \"a\", \"${FOO:-bar} ${a-b} ${} $ ${1 $-\")",
                r#""${FOO:-bar} ${a-b} ${} $ ${1 $-""#,
            ),
            ("r = regexp.replace(\"(a)\", \"a\", \"$01|$1|${1}0|$10|$é.\")", r#""|a|a0||.""#),
        ],
    );
}

#[test]
fn rules_compare_what_is_written_as_yaml() {
    check_with(
        &["assert", "struct", "overlay"],
        &[
            (
                "r = assert.one_of([{\"a\": 1, \"b\": 2}]).check(struct.make(b=2, a=1)), assert.one_of((1, 2), 3).check([1, 2])",
                "(True, True)",
            ),
            ("def f():\n| x: [1]\nend\nr = assert.one_of([[{\"x\": [1]}]]).check([f()])", "True"),
            ("r = assert.one_of({\"a\": 1}).check(\"a\"), assert.one_of(set([1])).check(1)", "(True, True)"),
            ("r = assert.one_of({\"a\": 1}).check([1])", "Runtime: fail: not one of allowed values"),
            (
                "r = assert.one_of(range(3)).check(1)",
                "Runtime: yaml.encode: unknown type range for conversion to go value",
            ),
            (
                "r = assert.one_of([1 << 70]).check(1)",
                "Runtime: yaml.encode: an integer of more than 64 bits cannot be a value",
            ),
            (
                "r = assert.one_of([1, len]).check(1)",
                "Runtime: yaml.encode: unknown type builtin_function_or_method for conversion to go value",
            ),
            (
                "r = assert.min(lambda v: 1).check(1)",
                "Runtime: yaml.encode: unknown type function for conversion to go value",
            ),
            (
                "r = assert.max(1).check(len)",
                "Runtime: yaml.encode: unknown type builtin_function_or_method for conversion to go value",
            ),
            ("r = assert.max(float(\"nan\")).check(1)", "Runtime: fail: value > NaN"),
            ("r = assert.min(1).check(float(\"nan\"))", "Runtime: fail: value < 1"),
            ("r = assert.min([]).check(None)", "Runtime: NoneType >= list not implemented"),
            (
                "r = assert.min_len(float(\"nan\"))",
                "Runtime: assert.min_len: expected value to be an number, but was float",
            ),
            (
                "r = assert.max_len(float(\"inf\"))",
                "Runtime: assert.max_len: expected value to be an number, but was float",
            ),
            ("r = assert.max_len(1.9).check(\"a\"), assert.min_len(-1 << 70).check([])", "(True, True)"),
            (
                "r = assert.one_not_null().check({\"f\": len})",
                "Runtime: yaml.encode: unknown type builtin_function_or_method for conversion to go value",
            ),
            ("r = assert.one_not_null([\"a\", \"b\"]).check(struct.make(a=1, b=None, c=2))", "True"),
            ("r = assert.one_not_null().check({})", "Runtime: check: value is empty"),
            ("def f():\n| x: #@ {}\nend\nr = assert.one_of([{}]).check(f()[\"x\"])", "True"),
            ("def f():\n| - {}\nend\nr = assert.one_of([None]).check(f()[0])", "True"),
            (
                "def f():\n| - []\nend\nr = assert.one_of([[]]).check(f()[0])",
                "Runtime: fail: not one of allowed values",
            ),
            ("def f():\n| - []\nend\nr = assert.min([]).check(f()[0])", "Runtime: NoneType >= list not implemented"),
        ],
    );
}

#[test]
fn rules_are_functions_with_one_parameter() {
    check_with(
        &["assert"],
        &[
            (
                "r = assert.min(1).check(val=4), assert.max_len(1).check(sequence=[]), assert.not_null().check(value=0)",
                "(True, True, True)",
            ),
            (
                "r = type(assert.min(1).check), type(assert.one_not_null().check), assert.min(1).check",
                r#"("function", "builtin_function_or_method", <function lambda>)"#,
            ),
            ("r = assert.min(1).check(4, x=1)", "Runtime: function lambda got an unexpected keyword argument \"x\""),
            ("r = assert.min(1).check(4, val=1)", "Runtime: function lambda got multiple values for parameter \"val\""),
            ("r = assert.one_of(1, 2).check()", "Runtime: function lambda missing 1 argument (val)"),
            ("r = assert.not_null().check(1, 2)", "Runtime: function lambda accepts 1 positional argument (2 given)"),
            ("r = assert.one_not_null().check()", "Runtime: check: got 0 arguments, want 1"),
        ],
    );
}

#[test]
fn toml_as_in_go() {
    check_with(
        &["toml"],
        &[
            ("r = toml.encode({\"a\": {\"b\": {\"c\": 1}}}, indent=0)", r#""[a]\n  [a.b]\n    c = 1\n""#),
            (
                "r = toml.encode({\"a\": [[{\"z\": 1, \"b\": {\"c\": 1}, \"d\": 3}]]})",
                r#""a = [[{d = 3, z = 1, b = {c = 1}}]]\n""#,
            ),
            (
                "r = toml.encode({\"a\": [1, {\"z\": 1, \"b\": None}, {\"b\": 1, \"z\": None}]})",
                r#""a = [1, {z = 1}, {b = 1, }]\n""#,
            ),
            (
                "r = toml.encode({\"a\": \"\\b\\f\\x7f\\x01\\t\"}), toml.encode({\"a\": [float(\"nan\"), 2.0]})",
                r#"("a = \"\\b\\f\\u007f\\u0001\\t\"\n", "a = [nan, 2.0]\n")"#,
            ),
            ("r = toml.decode(\"a = {b = 1,}\")", "Runtime: toml.decode: trailing comma not allowed in inline tables"),
            ("r = toml.decode(\"a = {b = 1\\n}\")", "Runtime: toml.decode: newlines not allowed within inline tables"),
            (r#"r = toml.decode(r'a = "\e"')"#, "Runtime: toml.decode: invalid escape character"),
            (r#"r = toml.decode(r'a = "\x41"')"#, "Runtime: toml.decode: invalid escape character"),
            (
                r#"r = toml.decode(" # {,}\na = {b = [1,\n2,\n], c = ',}', d = '''\n'''}\n[e]\nf = \"\\\\e\"\ng = \"\"\"\n\"\\\\x\"\"\"\"")"#,
                r#"{"a": {"b": [1, 2], "c": ",}", "d": ""}, "e": {"f": "\\e", "g": "\"\\x\""}}"#,
            ),
        ],
    );
}

#[test]
fn document_sets_are_no_values() {
    let docs = "def docs():\n| ---\n| a: 1\n| ---\n| ---\n| b: 2\n| ---\n| {}\nend\n";
    for (code, expected) in [
        ("r = yaml.encode(docs())", r#""a: 1\n---\nb: 2\n""#),
        ("r = yaml.encode({\"x\": docs()})", "Runtime: yaml.encode: Unexpected docset value within document"),
        ("r = yaml.encode([docs()])", "Runtime: yaml.encode: Unexpected docset value within document"),
        ("r = json.encode(docs())", "Runtime: Unexpected docset value within document"),
        ("r = dict(docs())", "Runtime: yamlfragment.Items: Expected value to be a map, but was *yamlmeta.DocumentSet"),
    ] {
        check_with(&["json", "yaml"], &[(&format!("{docs}{code}"), expected)]);
    }
    check(&[(
        "def pairs():\n| - [a, 1]\nend\nr = dict(pairs())",
        "Runtime: yamlfragment.Items: Expected value to be a map, but was *yamlmeta.Array",
    )]);
}

#[test]
fn texts_that_only_go_reads() {
    check_with(
        &["json", "ip"],
        &[
            (
                r#"r = json.decode(r'["\ud800", "\udc00", "\ud800x", "\ud83d\ude00", "\\ud800", "\ud800\ud83d\ude00"]')"#,
                r#"["�", "�", "�x", "😀", "\\ud800", "�😀"]"#,
            ),
            ("r = [part.string() for part in ip.parse_cidr(\"10.1.2.3/016\")]", r#"["10.1.2.3", "10.1.0.0/16"]"#),
            (
                "a, n = ip.parse_cidr(\"::ffff:1.2.3.4/104\")\nr = a.string(), a.is_ipv4(), n.string(), n.addr().is_ipv4()",
                r#"("1.2.3.4", True, "1.0.0.0/8", True)"#,
            ),
            (
                "r = ip.parse_cidr(\"::ffff:1.2.3.4/90\")[1].string(), ip.parse_cidr(\"1::/16\")[1].string()",
                r#"("::ffc0:0:0/90", "1::/16")"#,
            ),
            ("r = ip.parse_cidr(\"1.2.3.4/+8\")", "Runtime: ip.parse_cidr: invalid CIDR address: 1.2.3.4/+8"),
            ("r = ip.parse_cidr(\"1.2.3.4/33\")", "Runtime: ip.parse_cidr: invalid CIDR address: 1.2.3.4/33"),
        ],
    );
}

#[test]
fn replacements_of_nodes_are_false() {
    check_with(
        &["template"],
        &[(
            "x = template.replace({})\nr = x and 5, not x, str(x), type(x)",
            r#"(noop, True, "noop", "@ytt:template.replace")"#,
        )],
    );
}

#[test]
fn bytes_that_are_not_utf_8_are_encoded_as_in_go() {
    check_with(
        &["base64", "json", "toml", "yaml"],
        &[
            (r#"r = json.encode({"\xff": "a\xc3b\xc3" + "\xa9"})"#, r#""{\"\\ufffd\":\"a\\ufffdbé\"}""#),
            (r#"r = yaml.encode({"a": "caf\xe9"})"#, r#""a: !!binary Y2Fm6Q==\n""#),
            (r#"r = yaml.decode("a: !!binary /w==")["a"] == "\xff""#, "True"),
            (r#"r = base64.encode(toml.encode({"a": "\xff"}))"#, r#""YSA9ICL/Igo=""#),
        ],
    );
}

/// What Go's library says of texts that are not JSON.
#[test]
fn what_is_not_json_is_said_as_in_go() {
    for (text, message) in [
        ("", "unexpected end of JSON input"),
        ("}junk", "invalid character '}' looking for beginning of value"),
        ("[1,]", "invalid character ']' looking for beginning of value"),
        ("{a: 1}", "invalid character 'a' looking for beginning of object key string"),
        ("{'a': 1}", "invalid character '\\'' looking for beginning of object key string"),
        (r#"{"a" 1}"#, "invalid character '1' after object key"),
        (r#"{"a": 1 "b": 2}"#, "invalid character '\"' after object key:value pair"),
        (r#"{"a": 1,}"#, "invalid character '}' looking for beginning of object key string"),
        ("[1 2]", "invalid character '2' after array element"),
        ("[1}", "invalid character '}' after array element"),
        ("1 2", "invalid character '2' after top-level value"),
        ("01", "invalid character '1' after top-level value"),
        (r#"{"a": [1"#, "unexpected end of JSON input"),
        (r#""abc"#, "unexpected end of JSON input"),
        ("\"a\nb\"", "invalid character '\\n' in string literal"),
        (r#""\x41""#, "invalid character 'x' in string escape code"),
        (r#""\u12g4""#, r"invalid character 'g' in \u hexadecimal character escape"),
        ("tru", "invalid character ' ' in literal true (expecting 'e')"),
        ("nul1", "invalid character '1' in literal null (expecting 'l')"),
        ("falsy", "invalid character 'y' in literal false (expecting 'e')"),
        ("-", "invalid character ' ' in numeric literal"),
        ("-a", "invalid character 'a' in numeric literal"),
        ("1.x", "invalid character 'x' after decimal point in numeric literal"),
        ("1e+", "invalid character ' ' in exponent of numeric literal"),
        ("é", "invalid character 'Ã' looking for beginning of value"),
        ("[1, 1e999, 2e999]", "json: cannot unmarshal number 1e999 into Go value of type float64"),
    ] {
        let code = format!(
            "load(\"@ytt:json\", \"json\")\nload(\"@ytt:assert\", \"assert\")\n\
             r = assert.try_to(lambda: json.decode({}))[1]",
            lofting_eval::write_string(text),
        );
        let wanted = lofting_interpreter::Value::text(format!("json.decode: {message}"));
        assert_eq!(result(&code), lofting_interpreter::format::shown_quoted(&wanted), "{text}");
    }
    check_with(
        &["json"],
        &[
            (
                r#"r = json.decode(' {"a": [1, -0.5e-3, true, null, "b\\u0041"], "c": {}, "d": []} ')"#,
                r#"{"a": [1, -0.0005, True, None, "bA"], "c": {}, "d": []}"#,
            ),
            (r#"r = json.decode('"a\xffb"')"#, "\"a\u{fffd}b\""),
        ],
    );
}

/// What Go decodes, and at which byte it stops.
#[test]
fn base64_as_in_go() {
    let decoded = |arguments: &str| {
        let code = format!("r = base64.decode({arguments})");
        let shown = result(&format!("load(\"@ytt:base64\", \"base64\")\n{code}"));
        shown.strip_prefix("Runtime: base64.decode: illegal base64 data at input byte ").unwrap_or(&shown).to_owned()
    };
    // Text, then the results with padding and strict, with padding, raw and strict, and raw.
    let cases = [
        ("YR==", ["2", "\"a\"", "2", "2"]),
        ("YWJ=", ["3", "\"ab\"", "3", "3"]),
        ("YWI=", ["\"ab\"", "\"ab\"", "3", "3"]),
        ("Y", ["0", "0", "0", "0"]),
        ("YQ", ["0", "0", "\"a\"", "\"a\""]),
        ("YR", ["0", "0", "0", "\"a\""]),
        ("YQ=", ["3", "3", "2", "2"]),
        ("YQ=x", ["2", "2", "2", "2"]),
        ("YQ==x", ["4", "4", "2", "2"]),
        ("YQ\\n=\\n=\\n", ["\"a\"", "\"a\"", "3", "3"]),
        ("====", ["0", "0", "0", "0"]),
        ("YWJj\\r\\nYQ==", ["\"abca\"", "\"abca\"", "8", "8"]),
        ("Y Q=", ["1", "1", "1", "1"]),
        ("YWI_", ["3", "3", "3", "3"]),
        ("", ["\"\"", "\"\"", "\"\"", "\"\""]),
    ];
    for (text, wanted) in cases {
        let ways = ["strict=True", "strict=False", "raw=True, strict=True", "raw=True"];
        let found = ways.map(|way| decoded(&format!("\"{text}\", {way}")));
        assert_eq!(found, wanted, "{text}");
    }
    assert_eq!(decoded("\"YWI_\", url=True"), "\"ab?\"");
}

//! Single expressions and short programs, with the results of ytt.

mod harness;

use harness::{Files, data};
use lofting_eval::Data;

/// The `repr` of `r` after the code, or the error message.
fn result(code: &str) -> String {
    let code: String = code.lines().map(|line| format!("#@ {line}\n")).collect();
    let library = "def inc(x): return x + 1\nfive = 5\n_private = 1\n";
    let files = Files(vec![
        ("values.yml".to_owned(), format!("{code}---\nr: #@ repr(r)\n")),
        ("lib.star".to_owned(), library.to_owned()),
    ]);
    let (evaluated, _) = files.evaluate();
    match evaluated.result {
        Err(error) => format!("{:?}: {}", error.kind, error.message),
        Ok(outcome) => match &outcome.documents.items[0].value {
            Data::Fragment(map) => match &map.items[0].value {
                Data::String(text) => text.to_string(),
                other => data(other),
            },
            other => data(other),
        },
    }
}

#[test]
fn strings_as_in_go() {
    check(&[
        (r#"r = "a\nb\r\nc\n".splitlines(), "a\n\nb".splitlines(True)"#, r#"(["a", "b\r", "c"], ["a\n", "\n", "b"])"#),
        (
            r#"r = "a b  c ".split(None, 1), " a b c".rsplit(None, 1), "a,b,c".rsplit(",", 1)"#,
            r#"(["a", "b  c "], [" a b", "c"], ["a,b", "c"])"#,
        ),
        (r#"r = "hello".replace("l", "L", -1), "abc".replace("", "-", 2)"#, r#"("heLLo", "-a-bc")"#),
        (
            r#"r = "ß".upper(), "HELLO w".capitalize(), "it's x".title(), "Éa".istitle()"#,
            r#"("ß", "Hello w", "It'S X", False)"#,
        ),
        (
            r#"r = "1²".isdigit(), "٣".isdigit(), "éa".isalpha(), "a1".isalnum(), "".isspace()"#,
            "(False, True, True, True, False)",
        ),
        (r#"r = "abc".find("", 10), "abc".count("", 1), "aaaa".count("aa"), "abab".rfind("b", 0, 3)"#, "(3, 3, 2, 1)"),
        (
            r#"r = "foo".startswith(("x", "f")), "foo".endswith("oo", 1), "foo".startswith("o", 1, 2)"#,
            "(True, True, True)",
        ),
        (r#"r = "%g %g %g %g" % (0.123456789, 1234567.0, 1e21, 100.0)"#, r#""0.123456789 1.234567e+06 1e+21 100""#),
        (r#"r = "%(a)s %(a)r" % {"a": "x"}"#, r#""x \"x\"""#),
        ("r = \"abc\" % {}", "Runtime: too many arguments for format string"),
        ("r = \"abc\".elems()", "\"abc\".elems()"),
        ("r = len(\"abc\".elems())", "Runtime: len: value of type elems has no len"),
        ("r = \"abc\".upper(1)", "Runtime: upper: got 1 arguments, want 0"),
        ("r = \"abc\".split(sep=\"b\")", "Runtime: split: unexpected keyword arguments"),
        ("r = \"abc\".find(\"b\", \"x\")", "Runtime: find: invalid start index: got string, want int"),
        ("r = \"a\".startswith([\"a\"])", "Runtime: startswith: got list, want string or tuple of string"),
        (
            "r = type(\"a\".upper), type([].append), type(lambda: 1)",
            r#"("builtin_function_or_method", "builtin_function_or_method", "function")"#,
        ),
    ]);
}

#[test]
fn what_follows_parentheses() {
    check(&[
        (r#"r = ("A" + "b").upper().lower()"#, r#""ab""#),
        (r#"r = ("A" + ")").upper().lower()[0:1][0]"#, r#""a""#),
        (r#"r = ((1, 2), 3)[0][1], (1, 2)[1:][0], ((1, 2))[1:][0], ([1, 2])[1:][0]"#, "(2, 2, 2, 2)"),
        (r#"r = (lambda: [[5]])()[0][0], (lambda **k: k)(**({"a": 1})), [(("x"))[0][0]]"#, r#"(5, {"a": 1}, ["x"])"#),
        (r#"r = ({"a": {"b": [1]}} or {})["a"]["b"][0], (None or "x").upper().lower().title()"#, r#"(1, "X")"#),
        ("r = ( (\n\"a\"\n ) + \"b\").upper().lower()", r#""ab""#),
        (
            r#"r = dict(**({"a": {"b": 1}} or {})["a"]), [x for x in (("a", "b") + ("c",))[1:][0].upper().elems()]"#,
            r#"({"b": 1}, ["B"])"#,
        ),
    ]);
}

#[test]
fn escapes_have_to_mean_something() {
    check(&[
        (r#"r = "\x41\101\t\\" + r"\d""#, r#""AA\t\\\\d""#),
        // The backslash of any other escape stands for itself, in every form of string.
        (r#"r = "a\.b", 'a\.b', """a\.b""", '''\8\9\z\é'''"#, r#"("a\\.b", "a\\.b", "a\\.b", "\\8\\9\\z\\é")"#),
        (r#"r = "\u00e9\U0001F600", len("\u00e9"), ["\N"][0]"#, r#"("\\u00e9\\U0001F600", 6, "\\N")"#),
        (r#"r = "\d{2}".replace("\d", "x"), {"\w": "\s"}["\w"]"#, r#"("x{2}", "\\s")"#),
        (r#"r = r"\u00e9\x41\101", len(r"\x41")"#, r#"("\\u00e9\\x41\\101", 4)"#),
        // Numeric escapes are bytes.
        (r#"r = "\xc3\xa9\303\251", len("\xc3\xa9")"#, r#"("éé", 2)"#),
        (r#"r = "\x4""#, r#"Syntax: invalid escape sequence \x (write `\\` for a backslash, or a raw string: r"...")"#),
        (
            r#"r = "\400""#,
            r#"Syntax: invalid escape sequence \400 (write `\\` for a backslash, or a raw string: r"...")"#,
        ),
    ]);
}

#[test]
fn numbers_as_in_go() {
    check(&[
        ("r = int(\"0x10\", 0), int(\"-0x1F\", 16), int(\"00\", 0), int(-1.9), int(True)", "(16, -31, 0, -1, 1)"),
        ("r = int(\"010\", 0)", "Runtime: int: invalid literal with base 0: 010"),
        ("r = int(\"5_0\")", "Runtime: int: invalid literal with base 10: 5_0"),
        ("r = int()", "Runtime: int: missing argument for x"),
        ("r = int(None)", "Runtime: int: cannot convert NoneType to int"),
        ("r = float(\"1e400\")", "Runtime: float: strconv.ParseFloat: parsing \"1e400\": value out of range"),
        ("r = 1 << 600", "Runtime: shift count too large: 600"),
        ("r = 1 << -1", "Runtime: negative shift count: -1"),
        ("x = 7\nx -= 2\nx <<= 1\nx |= 1\nx &= 9\nx %= 5\nr = x", "4"),
    ]);
}

#[test]
fn operators_that_ytt_has_not() {
    check(&[
        ("r = set([1]) - set([1])", "Runtime: unknown binary op: set - set"),
        ("s = set([1])\ns -= set([1])\nr = s", "Runtime: unknown binary op: set - set"),
        (
            "d = {}\nd |= {1: 2}\nr = d",
            "Runtime: unknown binary op: dict | dict (hint: use 'or' instead of '|' for logical-or)",
        ),
        (
            "r = set([1, 2]) | set([3]), set([1, 2]) & set([2]), set([1, 2]) ^ set([2, 3])",
            "(set([1, 2, 3]), set([2]), set([1, 3]))",
        ),
        ("r = [1] in {1: 2}, [] not in {}", "(False, True)"),
        ("r = 1 in \"abc\"", "Runtime: 'in <string>' requires string as left operand, not int"),
        ("r = \"a\" in range(3)", "Runtime: 'in <range>' requires integer as left operand, not string"),
        ("x = 3\nx -= (1 +\n1)\nr = x", "1"),
    ]);
}

#[test]
fn functions_as_in_go() {
    check(&[
        ("r = sorted([2, 1, 3], lambda x: -x), sorted([1, 2], reverse=True)", "([3, 2, 1], [2, 1])"),
        ("r = sorted([(1, \"b\"), (0, \"x\"), (1, \"a\")], key=lambda t: t[0])", r#"[(0, "x"), (1, "b"), (1, "a")]"#),
        ("r = sorted([1], None)", "Runtime: sorted: for parameter 2: got NoneType, want callable"),
        ("r = sorted([1, \"a\"])", "Runtime: string < int not implemented"),
        ("r = enumerate([\"a\"], start=1)", "Runtime: enumerate: unexpected keyword arguments"),
        (
            "r = enumerate([\"a\"], 1), max([1, 3, 2]), min(4, 2), max(\"a\", \"bb\", key=len)",
            r#"([(1, "a")], 3, 2, "bb")"#,
        ),
        ("r = min([])", "Runtime: min: argument is an empty sequence"),
        ("r = max([1], key=None)", "Runtime: max: for parameter key: got NoneType, want callable"),
        ("r = [1, 2].pop(-1)", "2"),
        ("r = [1, 2].pop(5)", "Runtime: pop: list index 5 out of range [-2:1]"),
        ("l = [1, 2, 3]\nl.pop(0)\nr = l", "[2, 3]"),
        ("d = {\"a\": 1}\nd.update([(\"b\", 2)], c=3)\nd.update(d)\nr = d", r#"{"a": 1, "b": 2, "c": 3}"#),
        ("r = dict([(1,)])", "Runtime: dict: dictionary update sequence element #0 has length 1, want 2"),
        (
            "load(\"@ytt:struct\", \"struct\")\ns = struct.make(a=1, b=2)\nr = dict(s), dict(s).items(), \"%(a)s\" % s, str(s)",
            r#"({"a": 1, "b": 2}, [("a", 1), ("b", 2)], "1", "struct(...)")"#,
        ),
        (
            "load(\"@ytt:struct\", \"struct\")\nr = struct.decode([1, (2,)]), type(struct.encode({\"a\": (1,)}).a)",
            r#"([1, [2]], "list")"#,
        ),
        (
            "load(\"@ytt:base64\", \"base64\")\nb = base64.decode(\"/w==\")\nr = len(b), base64.encode(b)",
            r#"(1, "/w==")"#,
        ),
        (
            "load(\"@ytt:yaml\", \"yaml\")\nr = yaml.decode(\"a: 1\\n---\\nb: 2\")",
            "Runtime: yaml.decode: Expected to find exactly one YAML document",
        ),
        (
            "load(\"@ytt:ip\", \"ip\")\na = ip.parse_addr(\"::ffff:1.2.3.4\")\nr = a.is_ipv4(), a.string(), dir(a)",
            r#"(True, "1.2.3.4", ["is_ipv4", "is_ipv6", "string"])"#,
        ),
        (
            "load(\"@ytt:overlay\", \"overlay\")\nr = overlay.index(\"a\")",
            "Runtime: overlay.index: expected starlark.Int",
        ),
        (
            "load(\"@ytt:url\", \"url\")\nr = url.parse(\"http://h/a é?q r#s t\").string()",
            r#""http://h/a%20%C3%A9?q r#s%20t""#,
        ),
        ("load(\"@ytt:url\", \"url\")\nr = url.query_params_decode(\"a=1;b\")", "{\"a\": [\"1\"], \"b\": [\"\"]}"),
        (
            "load(\"@ytt:toml\", \"toml\")\nr = toml.encode({\"b\": {\"c\": {\"d\": 1}}, \"e\": {\"f\": 1}})",
            r#""[b]\n  [b.c]\n    d = 1\n\n[e]\n  f = 1\n""#,
        ),
        (
            "load(\"@ytt:toml\", \"toml\")\nr = toml.decode(\"d = 1979-05-27\")",
            "Runtime: toml.decode: unknown type time.Time for conversion to starlark value",
        ),
    ]);
}

fn check(cases: &[(&str, &str)]) {
    for (code, expected) in cases {
        assert_eq!(result(code), *expected, "{code}");
    }
}

/// Texts that ytt takes, with the URL's text and its host's name.
#[test]
fn urls_as_in_go() {
    let cases = [
        ("http://h/a%2Fb c", "http://h/a/b%20c", "h"),
        ("http://h/a%2fb", "http://h/a%2fb", "h"),
        ("http://h/%c3%a9 x", "http://h/%C3%A9%20x", "h"),
        ("http://h/a!é", "http://h/a%21%C3%A9", "h"),
        ("http://h/a[b]", "http://h/a[b]", "h"),
        ("http://h/a[b] c", "http://h/a%5Bb%5D%20c", "h"),
        ("http://h/#a b'!", "http://h/#a%20b%27!", "h"),
        ("http://h/#a\\nb", "http://h/#a%0Ab", "h"),
        ("http://h/?", "http://h/?", "h"),
        ("http://h?a b=%zz#", "http://h?a b=%zz", "h"),
        ("mailto:a b", "mailto:a b", ""),
        ("urn:x%zz", "urn:x%zz", ""),
        ("HTTP:", "http:", ""),
        ("http://hé/", "http://h%C3%A9/", "hé"),
        ("http://h%C3%A9/", "http://h%C3%A9/", "hé"),
        ("http://[::1%25en0]:80/", "http://[::1%25en0]:80/", "::1%en0"),
        ("http://[::1]", "http://[::1]", "::1"),
        ("postgres://h1:1,h2:2/db", "postgres://h1:1,h2:2/db", "h1:1,h2"),
        ("http://", "http:", ""),
        ("//", "", ""),
        ("//h/x", "//h/x", "h"),
        ("///h/x", "///h/x", ""),
        ("http://?q", "http:?q", ""),
        ("http:///x", "http:///x", ""),
        ("file:/x", "file:/x", ""),
        ("http://<host>/x", "http://<host>/x", "<host>"),
        ("http://u:p%40@h/", "http://u:p%40@h/", "h"),
        ("%3A b", "./:%20b", ""),
        ("*", "*", ""),
    ];
    for (text, whole, host) in cases {
        let code = format!("load(\"@ytt:url\", \"url\")\nu = url.parse(\"{text}\")\nr = u.string(), u.hostname()");
        assert_eq!(result(&code), format!("({whole:?}, {host:?})"), "{text}");
    }
}

#[test]
fn texts_that_are_not_urls() {
    let cases = [
        ("http://{host}/x", "http://{host}/x", r#"invalid character "{" in host name"#),
        ("http://h^/", "http://h^/", r#"invalid character "^" in host name"#),
        ("http://h|x/", "http://h|x/", r#"invalid character "|" in host name"#),
        ("http://h%41/", "http://h%41/", r#"invalid URL escape "%41""#),
        ("http://h%20x/", "http://h%20x/", r#"invalid URL escape "%20""#),
        ("http://h%zz/", "http://h%zz/", r#"invalid URL escape "%zz""#),
        ("http://h%/", "http://h%/", r#"invalid URL escape "%""#),
        ("http://h/%4", "http://h/%4", r#"invalid URL escape "%4""#),
        ("http://[::1/", "http://[::1/", "missing ']' in host"),
        ("http://[::1]80/", "http://[::1]80/", r#"invalid port "80" after host"#),
        ("http://h:a/", "http://h:a/", r#"invalid port ":a" after host"#),
        ("http://a b:p@h/", "http://a b:p@h/", "net/url: invalid userinfo"),
        ("http://usér@h/", "http://usér@h/", "net/url: invalid userinfo"),
        ("http://u[:p]@h/", "http://u[:p]@h/", "net/url: invalid userinfo"),
        // Messages show the fragment only where it is what is wrong.
        ("http://h/#a%zz", "http://h/#a%zz", r#"invalid URL escape "%zz""#),
        ("http://h/%zz#a", "http://h/%zz", r#"invalid URL escape "%zz""#),
        ("1a:b", "1a:b", "first path segment in URL cannot contain colon"),
        (":b", ":b", "missing protocol scheme"),
    ];
    for (text, shown, reason) in cases {
        let code = format!("load(\"@ytt:url\", \"url\")\nr = url.parse(\"{text}\")");
        assert_eq!(result(&code), format!("Runtime: url.parse: parse {shown:?}: {reason}"), "{text}");
    }
}

#[test]
fn users_and_bytes_of_urls() {
    let cases = [
        (r#"[url.parse("http://a%20b:c%2F@h").user.name, url.parse("http://a:@h").user.password]"#, r#"["a b", ""]"#),
        (r#"[url.parse("http://a%20b:c%2F@h").user.string(), url.parse("//h").user]"#, r#"["a%20b:c%2F", None]"#),
        (r#"url.parse("http://u@/x").without_user().string()"#, r#""http:///x""#),
        (
            r#"len(url.path_segment_decode("%ff")), url.path_segment_encode(url.path_segment_decode("%ff+"))"#,
            r#"(1, "%FF+")"#,
        ),
        (r#"url.query_param_value_encode(url.query_param_value_decode("%ff+%c3%a9"))"#, r#""%FF+%C3%A9""#),
        (r#"url.query_params_encode(url.query_params_decode("%ff=%fe&b=2&%ff=1;c"))"#, r#""b=2&c=&%FF=%FE&%FF=1""#),
        (r#"url.query_params_decode("a=%zz")"#, r#"Runtime: url.query_params_decode: invalid URL escape "%zz""#),
    ];
    for (code, expected) in cases {
        assert_eq!(result(&format!("load(\"@ytt:url\", \"url\")\nr = {code}")), expected, "{code}");
    }
}

/// To the last digit; values are those of Go on amd64.
#[test]
fn mathematics_as_in_go() {
    let cases = [
        ("exp(1)", "2.718281828459045"),
        ("exp(-745.1)", "5e-324"),
        ("exp(0.1)", "1.1051709180756477"),
        ("log(10)", "2.302585092994046"),
        ("log(8, 2)", "3"),
        ("log(1000, 10)", "2.9999999999999996"),
        ("pow(1.1, 10)", "2.593742460100002"),
        ("pow(2, 0.7)", "1.624504792712471"),
        ("pow(0.3, -12.4)", "3.0457653488672255e+06"),
        ("pow(-3, 5)", "-243"),
        ("pow(10, -320)", "1e-320"),
        ("hypot(2, 3)", "3.6055512754639896"),
        ("degrees(0.1)", "5.729577951308232"),
        ("radians(6)", "0.10471975511965977"),
        ("remainder(1e300, 7)", "1"),
        ("remainder(5, 1e308 * 10)", "5"),
        ("remainder(5, 3)", "-1"),
        ("mod(-7.5, 2)", "-1.5"),
        ("gamma(171)", "7.257415615307999e+306"),
        ("gamma(5.5)", "52.34277778455352"),
        ("gamma(0.5)", "1.7724538509055159"),
        ("gamma(-40.5)", "-6.031660822178509e-49"),
        ("gamma(100.3)", "3.7114818671826874e+156"),
        ("gamma(-1e-10)", "-1.0000000000577215e+10"),
        ("sin(3)", "0.1411200080598672"),
        ("sin(1e300)", "-0.8178819121159087"),
        ("cos(1.5)", "0.0707372016677029"),
        ("tan(1.5)", "14.101419947171719"),
        ("asin(0.9)", "1.1197695149986342"),
        ("acos(0.3)", "1.266103672779499"),
        ("atan(5)", "1.3734007669450157"),
        ("atan2(-1, -3)", "-2.819842099193151"),
        ("sinh(0.3)", "0.3045202934471426"),
        ("sinh(3)", "10.017874927409903"),
        ("cosh(1.7)", "2.828315457889967"),
        ("tanh(0.5)", "0.46211715726000974"),
        ("tanh(0.7)", "0.6043677771171635"),
        ("asinh(0.7)", "0.6526665660823557"),
        ("acosh(1.1)", "0.4435682543851154"),
        ("atanh(0.3)", "0.30951960420311175"),
        ("round(-2.5)", "-3"),
    ];
    for (code, expected) in cases {
        let result = result(&format!("load(\"@ytt:math\", \"math\")\nr = math.{code}, math.{code} == {expected}"));
        assert!(result.ends_with(", True)"), "{code}: {result} and not {expected}");
    }
}

#[test]
fn arguments_of_mathematics() {
    let cases = [
        ("log(8, 1)", "Runtime: math.log: division by zero"),
        ("log(8, base=2)", "Runtime: math.log: unexpected keyword arguments"),
        ("fabs(3, x=1)", "Runtime: math.fabs: unexpected keyword arguments"),
        ("fabs()", "Runtime: math.fabs: got 0 arguments, want 1"),
        ("pow(3)", "Runtime: math.pow: got 1 arguments, want 2"),
        ("log(1, 2, 3)", "Runtime: math.log: got 3 arguments, want at most 2"),
        ("log()", "Runtime: math.log: got 0 arguments, want at least 1"),
        ("sin(\"1\")", "Runtime: math.sin: got string, want float or int"),
        ("ceil(9007199254740993)", "9007199254740993"),
        ("floor(1 << 100)", "1267650600228229401496703205376"),
        ("floor(-1.5)", "-2"),
        ("ceil(1e308 * 10)", "Runtime: math.ceil: cannot convert float +Inf to integer"),
        ("gamma(-1)", "NaN"),
        ("copysign(1, math.remainder(-1, 1))", "-1"),
    ];
    for (code, expected) in cases {
        assert_eq!(result(&format!("load(\"@ytt:math\", \"math\")\nr = math.{code}")), expected, "{code}");
    }
}

#[test]
fn positions_in_strings_count_bytes() {
    check(&[
        (r#"r = "héllo"[3]"#, r#""l""#),
        (r#"r = "héllo"[3:]"#, r#""llo""#),
        (r#"r = "héllo"[-2:]"#, r#""lo""#),
        (r#"r = "éé"[2:4] + "éa"[::-3]"#, r#""éa""#),
        (r#"r = ("é" + "ab")[-1]"#, r#""b""#),
        (r#"r = [["é!"], {"k": "é?"}][1]["k"][2]"#, r#""?""#),
        (r#"r = "é"[0]"#, r#""\xc3""#),
        (r#"r = len("aé"[:2]), "é"[0] == "é", "".join(["é"[0], "é"[1]]) == "é""#, "(2, False, True)"),
        (
            r#"r = list("aé".elems()), list("é".elem_ords()), list("é€".codepoint_ords())"#,
            r#"(["a", "\xc3", "\xa9"], [195, 169], [233, 8364])"#,
        ),
        (r#"r = "%s|{}".format("é"[1]) % "é"[0]"#, r#""\xc3|\xa9""#),
        ("r = [1, 2, 3][5]", "Runtime: list index 5 out of range [-3:2]"),
        ("r = [][0]", "Runtime: index 0 out of range: empty list"),
        ("r = (1, 2)[-3]", "Runtime: tuple index -3 out of range [-2:1]"),
        ("r = [1][\"a\"], 2", "Runtime: list index: got string, want int"),
        ("r = set([1])[0]", "Runtime: unhandled index operation set[int]"),
        ("r = {\"a\": [[1, 2], 3]}[\"a\"][0][ -1 ], range(5)[-1], ([1])[0]", "(2, 4, 1)"),
        (r#"r = "é"[2]"#, "Runtime: string index 2 out of range [-2:1]"),
        (r#"r = "é"["a"]"#, "Runtime: string index: got string, want int"),
        (r#"r = "abcdef"[1:4:2]"#, r#""bd""#),
        ("x = [1, 2]\nx[0] += 5\nx[1:]\nr = x", "[6, 2]"),
    ]);
}

#[test]
fn while_on_one_line_or_many() {
    check(&[
        ("i = 0\nwhile i < 3: i += 1\nr = i", "3"),
        ("i = 0\nwhile i < 2: i += 1; j = i\nr = (i, j)", "(2, 2)"),
        ("def f(n):\nwhile True: return n\nend\nr = f(4)", "4"),
        ("i = 0\nwhile i < 10:\ni += 1\nif i == 5:\nbreak\nend\nend\nr = i", "5"),
    ]);
}

#[test]
fn load_below_a_condition() {
    check(&[
        ("if True:\nload(\"lib.star\", \"inc\", n=\"five\")\nend\nr = inc(n)", "6"),
        ("if True:\nload(\"@ytt:assert\", \"assert\")\nend\nr = assert.min(1).check(2)", "True"),
        ("r = 1\nif False:\nload(\"nowhere.star\", \"x\")\nend", "1"),
    ]);
    assert!(result("if True:\nload(\"lib.star\", \"_private\")\nend\nr = 1").contains("not exported: _private"));
    assert!(result("if True:\nload(\"nowhere.star\", \"x\")\nend\nr = 1").contains("Expected to find file"));
    assert!(result("def f():\nload(\"lib.star\", \"five\")\nend\nr = 1").starts_with("Syntax"));
}

#[test]
fn only_what_ytt_has() {
    check(&[
        ("größe = 2\ndef f(ä): return ä + größe\nr = f(1)", "3"),
        ("r = a☃", "Syntax: unexpected input character 'a☃'"),
        ("r = dir(set())", r#"["union"]"#),
        ("r = dir([])", r#"["append", "clear", "extend", "index", "insert", "pop", "remove"]"#),
        ("r = hasattr(\"\", \"removeprefix\"), getattr([], \"sort\", 1)", "(False, 1)"),
        ("s = set()\ns.add(1)\nr = s", "Runtime: set has no .add field or method"),
        ("r = \"abc\".split(\"\")", "Runtime: split: empty separator"),
        ("def f(a, *, b=2): return (a, b)\nr = f(1, b=3)", "(1, 3)"),
        (
            "r = \"{0}{}\".format(1, 2)",
            "Runtime: format: cannot switch from manual field specification to automatic field numbering",
        ),
    ]);
}

#[test]
fn failures_in_the_words_of_ytt() {
    check(&[
        ("r = 1 >= \"a\"", "Runtime: int >= string not implemented"),
        ("r = [x for x in \"abc\"]", "Runtime: string value is not iterable"),
        ("r = {[]: 1}", "Runtime: unhashable type: list"),
        ("r = 5()", "Runtime: invalid call of non-function (int)"),
        ("r = -\"a\"", "Runtime: unknown unary op: -string"),
        ("r = 1 // 0", "Runtime: floored division by zero"),
        ("r = (lambda a, b: a)(1)", "Runtime: function lambda missing 1 argument (b)"),
        ("r = (lambda: 1)(a=1)", "Runtime: function lambda got an unexpected keyword argument \"a\""),
    ]);
}

#[test]
fn what_is_wrong_with_assertions_is_said_as_in_ytt() {
    let caught =
        |code: &str| result(&format!("load(\"@ytt:assert\", \"assert\")\nr = assert.try_to(lambda: {code})[1]"));
    for (code, message) in [
        ("assert.max()", "assert.max: got 0 arguments, want 1"),
        ("assert.min_len(1, 2)", "assert.min_len: got 2 arguments, want 1"),
        ("assert.max_len('a')", "assert.max_len: expected value to be an number, but was string"),
        ("assert.equals(1)", "assert.equals: got 1 arguments, want 2"),
        ("assert.equals(len, 1)", "assert.equals: expected argument not to be a function, but was *starlark.Builtin"),
        ("assert.try_to('a')", "assert.try_to: expected argument to be a function, but was starlark.String"),
        ("assert.not_null(1, 2)", "assert.not_null: got 2 arguments, want at most 1"),
        ("assert.not_null().check()", "function lambda missing 1 argument (value)"),
        ("assert.not_null().check(1, 2)", "function lambda accepts 1 positional argument (2 given)"),
        ("assert.min_len(1).check()", "function lambda missing 1 argument (sequence)"),
        ("assert.one_of()", "assert.one_of: got 0 arguments, want at least 1"),
        ("assert.one_of(4)", "assert.one_of: expected a sequence, but was a 'int'"),
        ("assert.one_of(1, 2).check()", "function lambda missing 1 argument (val)"),
        ("assert.one_not_null(13)", "assert.one_not_null: expected a sequence of keys, but was a 'int'"),
        ("assert.one_not_null([], [])", "assert.one_not_null: got 2 arguments, want 1"),
        ("assert.one_not_null().check({}, {})", "check: got 2 arguments, want 1"),
        ("assert.one_not_null().check({})", "check: value is empty"),
    ] {
        assert_eq!(caught(code), format!("{message:?}"), "{code}");
    }
}

#[test]
fn what_can_not_be_the_value_of_a_node() {
    for value in ["len", "range(3)", "lambda: 1", "{\"a\": [len]}", "9223372036854775807 * 4"] {
        let files = Files(vec![("values.yml".to_owned(), format!("---\na: 1\nb: #@ {value}\n"))]);
        let error = files.evaluate().0.result.expect_err(value);
        assert!(error.kind.is_error(), "{value}: {}", error.message);
        let place = error.place().expect("a place");
        assert!(place.start >= 9, "{value}: at the node, not at {}", place.start);
    }
}

/// A count may be as high as in Go, for texts of any length.
#[test]
fn regular_expressions_with_high_counts() {
    check(&[
        (
            r##"load("@ytt:regexp", "regexp")
r = [regexp.match("^\\p{L}{1,1000}$", "é" * n) for n in [0, 1, 999, 1000, 1001, 5000]]"##,
            "[False, True, True, True, False, False]",
        ),
        (
            r##"load("@ytt:regexp", "regexp")
r = [regexp.match("^([\\p{L}\\p{N}]{1,100}-){1,10}$", ("a" * n + "-") * m) for n in [1, 100, 101] for m in [10, 11]]"##,
            "[True, False, True, False, False, False]",
        ),
        (
            r##"load("@ytt:regexp", "regexp")
r = regexp.replace("(\\p{L}{1,1000})-([^-]{2,1000})", "a-bb-c-dd", "<$2>")"##,
            r#""<bb>-<dd>""#,
        ),
        (
            r##"load("@ytt:regexp", "regexp")
r = regexp.match("(a{1,100}b){1,11}", "ab")"##,
            "Runtime: regexp.match: error parsing regexp: invalid repeat count: `{1,11}`",
        ),
    ]);
}

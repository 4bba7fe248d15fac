//! The modules of ytt, with its results.

mod harness;

use harness::Files;
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

/// The cases, each after loading modules of ytt.
fn check_with(modules: &[&str], cases: &[(&str, &str)]) {
    let loads: String = modules.iter().map(|module| format!("load(\"@ytt:{module}\", \"{module}\")\n")).collect();
    for (code, expected) in cases {
        assert_eq!(result(&format!("{loads}{code}")), *expected, "{code}");
    }
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

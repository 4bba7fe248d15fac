use super::*;
use Resolved::{Bool, Float, Int, Null, String as Text};

#[track_caller]
fn check(profile: Profile, table: &[(&str, Resolved)]) {
    for (text, expected) in table {
        let found = resolve_plain(profile, text);
        let same = match (found, *expected) {
            (Float(a), Float(b)) => a == b || a.is_nan() && b.is_nan(),
            (a, b) => a == b,
        };
        assert!(same, "{text:?}: {found:?}, expected {expected:?}");
    }
}

#[test]
fn ytt_words() {
    for text in ["", "~", "null", "Null", "NULL"] {
        check(Profile::Ytt, &[(text, Null)]);
    }
    for text in "y Y yes Yes YES true True TRUE on On ON".split(' ') {
        check(Profile::Ytt, &[(text, Bool(true))]);
    }
    for text in "n N no No NO false False FALSE off Off OFF".split(' ') {
        check(Profile::Ytt, &[(text, Bool(false))]);
    }
    for text in "yES nULL tRUE oN <<".split(' ') {
        check(Profile::Ytt, &[(text, Text)]);
    }
}

#[test]
fn ytt_numbers() {
    check(
        Profile::Ytt,
        &[
            (".nan", Float(f64::NAN)),
            (".NaN", Float(f64::NAN)),
            (".inf", Float(f64::INFINITY)),
            ("+.INF", Float(f64::INFINITY)),
            ("-.inf", Float(f64::NEG_INFINITY)),
            ("2024-01-31", Text),
            ("2024-01-31T10:20:30Z", Text),
            ("2024-01-31 10:20:30", Text),
            ("0", Int(0)),
            ("-0", Int(0)),
            ("+7", Int(7)),
            ("_1", Text),
            ("1_000", Int(1000)),
            ("1_", Int(1)),
            ("1_0.5", Float(10.5)),
            ("010", Int(8)),
            ("017", Int(15)),
            ("00", Int(0)),
            ("0o17", Int(15)),
            ("0O17", Int(15)),
            ("0x1f", Int(31)),
            ("0X1F", Int(31)),
            ("0b11", Int(3)),
            ("0B11", Int(3)),
            ("-0b101", Int(-5)),
            ("-0x10", Int(-16)),
            ("0x", Text),
            ("0b2", Text),
            ("+-1", Text),
            ("-", Text),
            ("+", Text),
            ("089", Float(89.0)),
            ("9223372036854775807", Int(i128::from(i64::MAX))),
            ("18446744073709551615", Int(i128::from(u64::MAX))),
            ("18446744073709551616", Float(18446744073709551616.0)),
            ("-9223372036854775808", Int(i128::from(i64::MIN))),
            ("-9223372036854775809", Float(-9223372036854775809.0)),
            ("1.5", Float(1.5)),
            (".5", Float(0.5)),
            ("-.5", Float(-0.5)),
            ("5.", Float(5.0)),
            ("1e3", Float(1000.0)),
            ("1E-2", Float(0.01)),
            ("1e400", Text),
            ("0x1p-2", Text),
            ("1:30", Text),
            ("1.10", Float(1.1)),
            ("1.2.3", Text),
            (".", Text),
            ("..", Text),
            (".e3", Text),
            (".1_0", Float(0.1)),
            (".5_0", Float(0.5)),
            (".1_0_0", Float(0.1)),
            (".5_0e1_0", Float(5e9)),
            ("._5", Text),
            (".5_", Text),
            (".1__0", Text),
            (".5e_1", Text),
            ("1.0", Float(1.0)),
            ("12e03", Float(12000.0)),
            ("hello", Text),
            ("0x_1f", Int(31)),
        ],
    );
}

#[test]
fn core_and_json() {
    check(
        Profile::Core12,
        &[
            ("yes", Text),
            ("True", Bool(true)),
            ("017", Int(17)),
            ("0o17", Int(15)),
            ("0x1F", Int(31)),
            ("0b1", Text),
            ("1_000", Text),
            ("1e3", Float(1000.0)),
            (".5", Float(0.5)),
            ("~", Null),
            ("-0x1", Text),
        ],
    );
    check(
        Profile::Json,
        &[
            ("null", Null),
            ("", Null),
            ("~", Text),
            ("True", Text),
            ("true", Bool(true)),
            ("-0", Int(0)),
            ("01", Text),
            ("1.", Text),
            ("1.5e2", Float(150.0)),
            ("+1", Text),
            (".5", Text),
            ("1.e2", Text),
        ],
    );
}

#[track_caller]
fn tagged(plain: bool, text: &str, tag: &str) -> Result<Resolved, std::string::String> {
    resolve_text(Profile::Ytt, plain, text, Some(tag)).map_err(|error| error.message)
}

#[test]
fn tags() {
    assert_eq!(tagged(true, "12", "!!str"), Ok(Text));
    assert_eq!(tagged(true, "3", "!!float"), Ok(Float(3.0)));
    assert_eq!(tagged(false, "7", "!!int"), Ok(Int(7)));
    assert_eq!(tagged(false, "true", "!!bool"), Ok(Bool(true)));
    assert_eq!(tagged(true, "yes", "!<tag:yaml.org,2002:bool>"), Ok(Bool(true)));
    assert_eq!(tagged(true, "aGk=", "!!binary"), Ok(Text));
    for length in 0..160 {
        let bytes: Vec<u8> = (0..length).map(|at: usize| (at * 37 + length) as u8).collect();
        let text = encode_base64(&bytes);
        assert_eq!(decode_base64(&text), Some(bytes), "{text}");
        assert_eq!(text.contains('\n'), text.len() > 70, "{text}");
    }
    assert!(tagged(true, "aGk", "!!binary").is_err());
    assert_eq!(tagged(true, "12", "!mine"), Ok(Text));
    assert_eq!(tagged(true, "hello", "!!int"), Err("`hello` is text, it cannot be read as !!int".to_owned()));
    assert!(tagged(true, "1.5", "!!int").is_err());
    assert_eq!(tagged(true, "2024-01-31", "!!timestamp"), Ok(Text));
    assert_eq!(tagged(false, "2024-01-31T10:20:30Z", "!!timestamp"), Ok(Text));
    for text in ["foo", "010", "on", "", "2024-02-30"] {
        assert!(tagged(true, text, "!!timestamp").is_err(), "{text}");
    }
    assert!(resolve_text(Profile::Core12, true, "foo", Some("!!timestamp")).is_ok());
    assert_eq!(decode_base64("aGVsbG8="), Some(b"hello".to_vec()));
    assert_eq!(decode_base64("aG=k"), None);
}

#[test]
fn strict() {
    use StrictProblem::{Ambiguous, Colon, TripleDash, Whitespace};
    let cases = [
        ("yes", Some(Ambiguous("!!bool"))),
        ("~", Some(Ambiguous("!!null"))),
        ("null", Some(Ambiguous("!!null"))),
        ("0o17", Some(Ambiguous("!!int"))),
        ("1_0", Some(Ambiguous("!!int"))),
        (".5_0", Some(Ambiguous("!!float"))),
        ("99999999999999999999", Some(Ambiguous("!!float"))),
        (&"9".repeat(50), Some(Ambiguous("!!float"))),
        ("1e400", Some(Ambiguous("!!str"))),
        ("2024-01-31", Some(Ambiguous("!!timestamp"))),
        ("2024-02-30", None),
        ("two words", Some(Whitespace)),
        ("nginx:1.2", Some(Colon)),
        ("a---b", Some(TripleDash)),
        ("true", None),
        ("", None),
        ("-12", None),
        ("1.5", None),
        ("text", None),
    ];
    for (text, expected) in cases {
        assert_eq!(strict_problem(text), expected, "{text:?}");
    }
}

#[test]
fn quotes() {
    for text in ["", "yes", "12", "- a", "a: b", "a:", " a", "a #b", "&a", "---", "a\nb", "@a", "-"] {
        assert!(needs_quotes(Profile::Ytt, text), "{text:?}");
    }
    for text in ["a", "a:b", "a,b", "-a", "http://x/y#z", "two words", "é"] {
        assert!(!needs_quotes(Profile::Ytt, text), "{text:?}");
    }
    for text in ["a,b", "a[0]", "0 0 ? * *", "a?", "a ?b", "-a", ":a"] {
        assert!(needs_quotes_in_flow(Profile::Ytt, text) && is_cut_in_flow(text), "{text:?}");
    }
    for text in ["-1", "-.5", "a", "a:b", "a-b"] {
        assert!(!is_cut_in_flow(text), "{text:?}");
    }
}

#[test]
fn unquoted_text_reads_back() {
    for text in ["a", "a:b", "a,b", "-a", "?x", ":x", "a'b", "x y", "a]", "1.2.3"] {
        assert!(!needs_quotes(Profile::Ytt, text), "{text:?}");
        let tree = crate::parse(&format!("k: {text}\n"));
        assert!(tree.errors().is_empty(), "{text:?}");
        let root = tree.documents().next().and_then(|document| document.root());
        let entry = root.and_then(|root| root.map()).and_then(|map| map.entries().next());
        let value = entry.and_then(|entry| entry.value().scalar()).map(|scalar| scalar.value().into_owned());
        assert_eq!(value.as_deref(), Some(text));
    }
}

#[test]
fn dates_of_yaml_1_1() {
    for text in [
        "2024-01-31",
        "2024-1-3",
        "2024-02-29",
        "2000-02-29",
        "0000-01-01",
        "2024-01-31T10:20:30Z",
        "2024-1-3t1:2:3Z",
        "2024-01-31T10:20:30+01:00",
        "2024-01-31T10:20:30.5-01:00",
        "2024-01-31T10:20:30,5Z",
        "2024-01-31T10:20:30.123456789Z",
        "2024-01-31 10:20:30",
        "2024-01-31   1:2:3.5",
        "2024-01-31 10:20:30,123",
    ] {
        assert!(is_timestamp(text), "{text}");
    }
    for text in [
        "2024-02-30",
        "2023-02-29",
        "1900-02-29",
        "2024-04-31",
        "2024-13-01",
        "2024-00-01",
        "2024-01-00",
        "2024-001-01",
        "2024-01-001",
        "24-01-01",
        "20240-01-01",
        "2024-01-01 ",
        "2024-01-31T10:20:30",
        "2024-01-31 10:20:30Z",
        "2024-01-31 10:20:30+01:00",
        "2024-01-31T10:20:30 Z",
        "2024-01-31T10:20:30z",
        "2024-01-31T10:20:30+0100",
        "2024-01-31T10:20:30+1:00",
        "2024-01-31T10:20:30+25:00",
        "2024-01-31T10:20:30.Z",
        "2024-01-31T10:20:30.1234567890Z",
        "2024-01-31 24:00:00",
        "2024-01-31 23:60:00",
        "2024-01-31 23:59:60",
        "2024-01-31 10:20",
        "2024-01-31 10:20:30.",
        "2024-01-31T",
        "é024-01-01",
    ] {
        assert!(!is_timestamp(text), "{text}");
    }
}

use expect_test::{Expect, expect};
use proptest::prelude::*;

use crate::*;

/// Renders the arguments with one line each, and the errors under the bytes they point at.
fn check(text: &str, expected: Expect) {
    let arguments = read_arguments(text);
    let mut out = String::new();
    for argument in &arguments.order {
        match argument {
            Argument::Positional(index) => out += &format!("{}\n", show(text, &arguments.positional[*index])),
            Argument::Keyword(index) => {
                let keyword = &arguments.keywords[*index];
                assert_eq!(&text[keyword.name_range.clone()], keyword.name);
                out += &format!("{} = {}\n", keyword.name, show(text, &keyword.value));
            }
            Argument::Star(value) => out += &format!("* {}\n", show(text, value)),
            Argument::StarStar(value) => out += &format!("** {}\n", show(text, value)),
        }
    }
    let names: Vec<_> = arguments.names.iter().map(|used| used.name.as_str()).collect();
    if !names.is_empty() {
        out += &format!("names: {}\n", names.join(" "));
    }
    for error in &arguments.errors {
        out += &format!("error at `{}`: {}\n", &text[error.range.clone()], error.message);
    }
    expected.assert_eq(&out);
}

fn show(text: &str, expr: &Expr) -> String {
    let items = |items: &[Expr]| items.iter().map(|item| show(text, item)).collect::<Vec<_>>().join(", ");
    match &expr.kind {
        ExprKind::None => "None".to_owned(),
        ExprKind::Bool(value) => format!("{value}"),
        ExprKind::Int(value) => format!("{value}"),
        ExprKind::Float(value) => format!("{value:?}"),
        ExprKind::String(value) => format!("{value:?}"),
        ExprKind::List(list) => format!("[{}]", items(list)),
        ExprKind::Tuple(list) => format!("({})", items(list)),
        ExprKind::Dict(entries) => {
            let entries: Vec<_> =
                entries.iter().map(|(k, v)| format!("{}: {}", show(text, k), show(text, v))).collect();
            format!("{{{}}}", entries.join(", "))
        }
        ExprKind::Lambda { params } => format!("lambda({}) `{}`", params.join(" "), &text[expr.range.clone()]),
        ExprKind::Code => format!("code `{}`", &text[expr.range.clone()]),
        ExprKind::Missing => "missing".to_owned(),
        // Only an evaluation produces one.
        ExprKind::Callable(_) => "callable".to_owned(),
    }
}

#[test]
fn literals() {
    check(
        r#""a", 'b', """c "d" e""", '''f''', r"\d", 'it\'s', "\x41é\101\n", "\d", "\u0041""#,
        expect![[r#"
            "a"
            "b"
            "c \"d\" e"
            "f"
            "\\d"
            "it's"
            "AéA\n"
            "\\d"
            "\\u0041"
        "#]],
    );
    check(
        "1, -2, +3, 0x1F, 00, 0o17, 1.5, -.5, 1e3, 2., True, False, None",
        expect![[r#"
            1
            -2
            3
            31
            0
            15
            1.5
            -0.5
            1000.0
            2.0
            true
            false
            None
        "#]],
    );
    check(
        r#"[], [1, [2],], (), (1,), (1), ("a", 2), {}, {"a": [1], 2: None,}"#,
        expect![[r#"
            []
            [1, [2]]
            ()
            (1)
            1
            ("a", 2)
            {}
            {"a": [1], 2: None}
        "#]],
    );
}

#[test]
fn keywords_lambdas_and_code() {
    check(
        r#"("a rule", lambda v: v > 1 and v in allowed), min_len=1, when=lambda _, ctx: ctx.parent["x"] == y"#,
        expect![[r#"
            ("a rule", lambda(v) `lambda v: v > 1 and v in allowed`)
            min_len = 1
            when = lambda(_ ctx) `lambda _, ctx: ctx.parent["x"] == y`
            names: allowed y
        "#]],
    );
    check(
        r#"default(1, k=2)[0].x, "a" + b, x if y else z, not a, [i for i in l if i > j], *args, **kw"#,
        expect![[r#"
            code `default(1, k=2)[0].x`
            code `"a" + b`
            code `x if y else z`
            code `not a`
            code `[i for i in l if i > j]`
            * code `args`
            ** code `kw`
            names: default b x y z a l j args kw
        "#]],
    );
    check(
        "lambda a, b=c, *d, **e: a + f, {k: v for k, v in d.items()}, x[1:2], x[:], lambda: 1",
        expect![[r#"
            lambda(a b *d **e) `lambda a, b=c, *d, **e: a + f`
            code `{k: v for k, v in d.items()}`
            code `x[1:2]`
            code `x[:]`
            lambda() `lambda: 1`
            names: c f d x x
        "#]],
    );
}

#[test]
fn refused() {
    check(
        "5 # five",
        expect![[r#"
            5
            error at `# five`: `#` starts a comment here and hides the closing parenthesis; remove it
        "#]],
    );
    check(
        "any=True, 1",
        expect![[r#"
            any = true
            1
            error at `1`: a positional argument may not follow a named one; move it to the front
        "#]],
    );
    check(
        r#""a" "b""#,
        expect![[r#"
            "a"
            "b"
            error at `"b"`: got string, want a comma between arguments
        "#]],
    );
    check(
        "[1, 2",
        expect![[r#"
            [1, 2]
            error at `[`: `[` is never closed; add `]`
        "#]],
    );
    check(
        "(1, 2], 3",
        expect![[r#"
            (1, 2)
            3
            error at `]`: got `]`, want `)` to close `(`
        "#]],
    );
    check(
        "a=1, a=2, if, x && y, 1 == , @",
        expect![[r#"
            a = 1
            a = 2
            code `x && y`
            code `1 ==`
            names: x y
            error at `a`: keyword argument `a` is repeated
            error at `if`: unexpected `if`
            error at `x && y`: a positional argument may not follow a named one; move it to the front
            error at `&&`: code has the word `and` instead of `&&`
            error at `1 ==`: a positional argument may not follow a named one; move it to the front
            error at `,`: a value is missing after the operator
            error at `@`: unexpected `@`
        "#]],
    );
}

#[test]
fn half_typed() {
    check(
        "\"a rule, min_len=1",
        expect![[r#"
            "a rule, min_len=1"
            error at `"a rule, min_len=1`: this string is never closed
        "#]],
    );
    check(
        "min_len=",
        expect![[r#"
            min_len = missing
            error at `=`: the value of `min_len=` is missing
        "#]],
    );
    check(
        r#"("x", lambda v: ), when="#,
        expect![[r#"
            ("x", lambda(v) `lambda v:`)
            when = missing
            error at `)`: the body of the lambda is missing after `:`
            error at `=`: the value of `when=` is missing
        "#]],
    );
    check(
        r#"("x", lambda v: v., min=1"#,
        expect![[r#"
            ("x", lambda(v) `lambda v: v.`, code `min`, 1)
            names: min
            error at `(`: `(` is never closed; add `)`
            error at `,`: a name is missing after `.`
            error at `=`: got `=`, want a comma or `)`
        "#]],
    );
    check(
        r#"{"a": , "b"}"#,
        expect![[r#"
            {"a": missing, "b": missing}
            error at `:`: the value of this key is missing
            error at `"b"`: a dict entry needs `: value` after its key
        "#]],
    );
    check("", expect![""]);
}

#[test]
fn nesting_is_capped() {
    for open in ["(", "[", "{1:", "f(", "x[", "not ", "-", "lambda: ", "1 if 1 else ", "a + ", "{"] {
        let text = open.repeat(100_000);
        let arguments = read_arguments(&text);
        assert!(!arguments.errors.is_empty(), "{open}");
    }
    let fine = format!("{}1{}", "[".repeat(90), "]".repeat(90));
    assert!(read_arguments(&fine).is_literal());
}

#[test]
fn sites() {
    let site = |marked: &str| {
        let offset = marked.find('$').unwrap();
        let text = marked.replace('$', "");
        let arguments = read_arguments_at(&text, 100);
        let site = arguments.argument_at(100 + offset);
        let keyword = site.keyword.map_or("-", |keyword| keyword.name.as_str()).to_owned();
        let inner = site.innermost.map_or(String::new(), |e| text[e.range.start - 100..e.range.end - 100].to_owned());
        let word = text[site.word.start - 100..site.word.end - 100].to_owned();
        format!("{:?} {} {keyword} [{inner}] [{word}]", site.part, site.positional_before)
    };
    assert_eq!(site("$"), "NameOrValue 0 - [] []");
    assert_eq!(site("min$"), "NameOrValue 0 - [min] [min]");
    assert_eq!(site("1, min$"), "NameOrValue 1 - [min] [min]");
    assert_eq!(site("1, $"), "NameOrValue 1 - [] []");
    assert_eq!(site("1, mi$n=2"), "Name 1 min [] [min]");
    assert_eq!(site("1, min=$"), "Value 1 min [] []");
    assert_eq!(site("1, min=2$, b"), "Value 1 min [2] []");
    assert_eq!(site("1, any=Tr$ue"), "Value 1 any [True] []");
    assert_eq!(site("1, any=fo$"), "Value 1 any [fo] [fo]");
    assert_eq!(site(r#"("a$", lambda v: v), x"#), r#"Value 0 - ["a"] []"#);
    assert_eq!(site(r#"("a", lambda v: v), x=[1, 2$]"#), "Value 1 x [2] []");
    assert_eq!(site("a, $ b"), "NameOrValue 1 - [] []");
}

#[test]
fn single_expressions() {
    let read = read_expression_at("a + 1", 10);
    assert_eq!(read.expr, Expr { range: 10..15, kind: ExprKind::Code });
    assert_eq!(read.names, [NameUse { name: "a".into(), range: 10..11 }]);
    assert_eq!(read_expression(" ").expr.kind, ExprKind::Missing);
    assert!(matches!(read_expression("1, 2").expr.kind, ExprKind::Tuple(items) if items.len() == 2));
    assert_eq!(read_expression("1 2").errors.len(), 1);
}

proptest! {
    #[test]
    fn never_panics_on_text(text in "\\PC{0,60}") {
        read_arguments(&text);
        read_expression(&text);
    }

    #[test]
    fn ranges_lie_inside_the_text(text in "[\\[\\](){}'\"a-cif lnor=,.:#*\\\\é1\n-]{0,40}") {
        let arguments = read_arguments_at(&text, 7);
        for error in &arguments.errors {
            prop_assert!(7 <= error.range.start && error.range.end <= 7 + text.len());
            prop_assert!(text.get(error.range.start - 7..error.range.end - 7).is_some());
        }
        for argument in &arguments.order {
            let range = arguments.argument_range(argument);
            prop_assert!(text.get(range.start - 7..range.end - 7).is_some());
        }
        for offset in 0..=text.len() {
            arguments.argument_at(7 + offset);
        }
    }

    #[test]
    fn what_is_written_is_read_again(text in "[\\PC\n\r\t\"\\\\]{0,40}") {
        let literal = write_string(&text);
        prop_assert!(!literal.contains('\n'));
        prop_assert_eq!(read_string(&literal).value, text);
    }

    #[test]
    fn tokens_cover_everything_but_blanks(text in "\\PC{0,60}") {
        let mut at = 0;
        for token in lex(&text, 0) {
            prop_assert!(token.range.start >= at && token.range.end > token.range.start);
            prop_assert!(text.get(token.range.clone()).is_some());
            prop_assert!(text[at..token.range.start].chars().all(|c| " \t\\\r\n".contains(c)));
            at = token.range.end;
        }
    }
}

/// The output of templates is made of these; millions of them are in memory at a time.
#[test]
fn what_values_are_made_of_is_small() {
    assert_eq!((size_of::<Data>(), size_of::<FragmentItem>()), (32, 112));
}

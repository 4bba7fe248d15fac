use expect_test::{Expect, expect};
use proptest::prelude::*;

use crate::rewrite::{ProgramItem, rewrite};
use crate::{compile, lower, mapped::Mapped, nesting, text_template};

fn rewritten(code: &str, expected: Expect) {
    let out = match compile::starlark(code, 0) {
        Ok(mapped) => mapped.text,
        Err(error) => {
            let (_, range) = error.origin.unwrap_or((0, 0..0));
            let at = &code[range.start as usize..range.end as usize];
            format!("{:?} at `{at}`: {}", error.error.kind, error.error.message)
        }
    };
    expected.assert_eq(&out);
}

#[test]
fn blocks_get_indentation() {
    rewritten(
        "def f(x):\n      if x: return 1\n  for i in [1,\n 2]:\n# note\nelse_ = 1\nend\nwhile x < assert.y:\nx += 1\nend\nend\ndef g():\nend",
        expect![[r#"
            def f(x):
             if x: return 1
             for i in [1,
             2]:
              else_ = 1
             for __w in __range(2147483647):
              if not ( x < assrt_.y): break
              x += 1
            def g():
             pass
        "#]],
    );
    rewritten(
        "if a:\nx = 1 # one\nelif b:\nelse:\ny = \"end:\" ; z = '''\nend\n'''\nend\nload(\"@ytt:assert\", \"assert\", x=\"assert\")",
        expect![[r#"
            if a:
             x = 1
            elif b:
             pass
            else:
             y = "end:" ; z = '''
            end
            '''
            load("@ytt:assert", "assrt_", x="assrt_")
        "#]],
    );
    rewritten(
        "if a:\nx = 1\n",
        expect!["Syntax at `if a:`: mismatched set of block openings (if/else/elif/for/def) and closing (end)"],
    );
    rewritten("x = 1\nend\n", expect!["Syntax at `end`: unexpected end"]);
    rewritten(
        "x = (1\n",
        expect![[r#"
        x = (1
    "#]],
    );
}

#[test]
fn places_survive_rewriting() {
    let code = "def f(v):\n   return  v.name\nend\nx = (f).y\n";
    let mapped = compile::starlark(code, 3).ok().expect("it compiles");
    let (mapped, _) = lower::parse("3", mapped);
    assert!(
        mapped.text.contains("__attr(v, \"name\")") && mapped.text.contains("__attr((f), \"y\")"),
        "{}",
        mapped.text
    );
    for word in ["v, \"name\"", "return", "(f)", "f(v)"] {
        let at = mapped.text.find(word).expect(word);
        let first = word.split([',', ' ']).next().unwrap_or(word);
        let (file, range) = mapped.origin(at..at + first.len()).expect(word);
        assert_eq!((file, &code[range.start as usize..range.end as usize]), (3, first));
    }
}

proptest! {
    #[test]
    fn rewriting_never_panics(code in "((if|for|def|else|elif|while|return|end|x|lambda|assert|load|in)[ :(]?|[\\[\\](){}'\"a\n;#=,.:/+-]){0,40}") {
        let mut mapped = Mapped::default();
        mapped.source(&code, 0, 0);
        let items: Vec<ProgramItem> = compile::code_items(&mapped).collect();
        if let Ok(mapped) = rewrite(&items) {
            let _ = lower::parse("0", mapped);
        }
    }

    #[test]
    fn text_templates_never_panic(text in "(\\(@|@\\)|[-= a\né]){0,30}") {
        let _ = text_template::pieces(&text);
    }

    #[test]
    fn nesting_never_panics(text in "\\PC{0,60}") {
        let _ = nesting::check(&text, &lofting_eval::lex(&text, 0));
    }
}

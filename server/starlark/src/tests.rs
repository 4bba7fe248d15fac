use expect_test::{Expect, expect};
use proptest::prelude::*;

use crate::names::Names;
use crate::rewrite::{ProgramItem, rewrite};
use crate::{compile, mapped::Mapped, nesting, text_template};
use lofting_interpreter::{FailureKind, Program};

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
             while x < assert.y:
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
            load("@ytt:assert", "assert", x="assert")
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
    for word in ["v.name", "return", "(f)", "f(v)"] {
        let at = mapped.text.find(word).expect(word);
        let (file, range) = mapped.origin(at..at + word.len()).expect(word);
        assert_eq!((file, &code[range.start as usize..range.end as usize]), (3, word));
    }
}

/// In the words of ytt, whose columns are those of the second characters.
#[test]
fn signs_of_text_templates_that_have_no_partner() {
    for (text, message, marked) in [
        ("(@= \"@)\" @)", "Unexpected code closing '@)' at line 1 col 11", "@)"),
        ("\ntest(@ a = 5", "Missing code closing '@)' at line 2 col 13", "(@"),
        ("é(@ a = 5", "Missing code closing '@)' at line 1 col 10", "(@"),
        ("ü\né @)", "Unexpected code closing '@)' at line 2 col 4", "@)"),
        ("(@ a (@ b @)", "Unexpected code opening '(@' at line 1 col 7", "(@"),
        ("(@ a (@ b", "Unexpected code opening '(@' at line 1 col 7", "(@"),
        ("a (@) b @)", "Unexpected code closing '@)' at line 1 col 5", "@)"),
    ] {
        match text_template::pieces(text) {
            Ok(_) => panic!("{text} is read"),
            Err(error) => assert_eq!((error.message.as_str(), &text[error.range]), (message, marked), "{text}"),
        }
    }
    assert!(text_template::pieces("(@@)(@--@)(@= 1 @@)").is_ok());
}

proptest! {
    #[test]
    fn rewriting_never_panics(code in "((if|for|def|else|elif|while|return|end|x|lambda|assert|load|in)[ :(]?|[\\[\\](){}'\"a\n;#=,.:/+-]){0,40}") {
        let mut mapped = Mapped::default();
        mapped.source(&code, 0, 0);
        let items: Vec<ProgramItem> = compile::code_items(&mapped).collect();
        if let Ok(mapped) = rewrite(&items) {
            let _ = Program::new(&mapped.text, 0, &Names);
        }
    }

    /// The reader of editors and checks knows more than the interpreter refuses, but nothing that this accepts is wrong.
    #[test]
    fn code_that_can_be_read_has_no_mistakes(code in "((if|for|def|else|elif|while|return|end|x|lambda|not|in|and|or|load|is|pass|f|1|None)[ :(]?|x = |f\\(x\\)|[\\[\\](){}'\"a\n;#=,.:/+*-]){0,30}") {
        let mistakes = lofting_eval::code::read_starlark(&code).mistakes;
        if let Ok(mapped) = compile::starlark(&code, 0) {
            let is_read = match Program::new(&mapped.text, 0, &Names) {
                Ok(_) => true,
                Err(failures) => failures.iter().all(|failure| failure.kind() == FailureKind::Name),
            };
            prop_assert!(!is_read || mistakes.is_empty(), "{code:?}: {mistakes:?}");
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

/// Files whose content changes between evaluations.
#[derive(Default)]
struct Changing {
    files: std::collections::HashMap<String, String>,
}

impl lofting_eval::LibraryFiles for Changing {
    fn look_up(&self, question: &lofting_eval::FileQuestion) -> lofting_eval::FileAnswer {
        use lofting_eval::{FileAnswer, FileQuestion, LibraryFile};
        match question {
            FileQuestion::Library(path) => {
                let text = self.files.get(path).cloned();
                FileAnswer::Library(text.map_or(LibraryFile::Missing, LibraryFile::Starlark))
            }
            FileQuestion::Read(path) => FileAnswer::Read(self.files.get(path).cloned().map(String::into_bytes)),
            other => other.nothing(),
        }
    }

    fn run(
        &self,
        _: &lofting_eval::LibraryRequest,
        _: &mut lofting_eval::Caller<'_>,
    ) -> Result<lofting_eval::LibraryAnswer, lofting_eval::EvalError> {
        Err(lofting_eval::EvalError::new(lofting_eval::EvalErrorKind::Unavailable, "there are no libraries"))
    }
}

/// Each step changes a file or the values; what earlier evaluations loaded never shows in the result.
#[test]
fn modules_of_earlier_evaluations_are_used_only_while_what_they_read_is_the_same() {
    let mut files = Changing::default();
    let set = |files: &mut Changing, path: &str, text: &str| {
        files.files.insert(path.to_owned(), text.to_owned());
    };
    set(
        &mut files,
        "a.star",
        "load(\"b.star\", \"b\")\nload(\"c.star\", \"c\")\nprint(\"a\")\ndef both():\n  return b() + c\nend\n",
    );
    set(
        &mut files,
        "b.star",
        "load(\"c.star\", \"c\")\nload(\"@ytt:data\", \"data\")\ndef b():\n  return c + data.values.x + \" \"\nend\n",
    );
    set(&mut files, "c.star", "load(\"@ytt:data\", \"data\")\nc = data.read(\"c.txt\")\nprint(\"c\")\n");
    set(&mut files, "c.txt", "1");
    let kept = crate::LoadedModules::default();
    let run = |files: &Changing, value: &str, kept: &crate::LoadedModules| {
        let evaluation = lofting_eval::Evaluation {
            text: Some("load(\"a.star\", \"both\")\nresult = both()\n".to_owned()),
            starlark: true,
            data_values: Some(lofting_eval::Data::Struct(vec![(
                "x".to_owned(),
                lofting_eval::Data::String(value.into()),
            )])),
            ..lofting_eval::Evaluation::default()
        };
        let (evaluated, _) = crate::evaluate_with(&evaluation, files, kept, crate::Bounds::default(), None);
        (evaluated.result.map(|outcome| format!("{:?}", outcome.names)), evaluated.printed)
    };
    let mut steps: Vec<(&str, &str, &str)> = vec![("", "", "v"), ("", "", "v")];
    steps.extend([("c.txt", "2", "v"), ("c.txt", "1", "w"), ("b.star", "b = 1", "w"), ("c.txt", "3", "v")]);
    steps.push(("b.star", "def b():\n  return \"b\"\nend\n", "v"));
    steps.push(("d.star", "", "v"));
    for (path, text, value) in steps {
        if !path.is_empty() {
            set(&mut files, path, text);
        }
        let fresh = run(&files, value, &crate::LoadedModules::default());
        assert_eq!(run(&files, value, &kept), fresh, "after a change of `{path}`");
        let compiled = kept.next_file.load(std::sync::atomic::Ordering::Relaxed);
        assert_eq!(run(&files, value, &kept), fresh, "again after a change of `{path}`");
        // Not even the file that is evaluated, unless what it loads cannot be loaded.
        let again = kept.next_file.load(std::sync::atomic::Ordering::Relaxed) - compiled;
        assert!(again == 0 || fresh.0.is_err(), "{again} files were compiled again after `{path}`");
    }
}

/// What a file was compiled to runs only for the same code, of the same kind.
#[test]
fn code_of_a_path_is_not_taken_for_other_code() {
    let kept = crate::LoadedModules::default();
    let run = |text: &str, starlark: bool, kept: &crate::LoadedModules| {
        let text = Some(text.to_owned());
        let evaluation = lofting_eval::Evaluation { text, starlark, ..lofting_eval::Evaluation::default() };
        let evaluated = crate::evaluate_with(&evaluation, &Changing::default(), kept, crate::Bounds::default(), None).0;
        evaluated.result.map(|outcome| (format!("{:?}", outcome.names), outcome.text))
    };
    for (text, starlark) in
        [("x = 1", true), ("x = 1", false), ("x = 2", true), ("x = 1", true), ("x = ", true), ("x = 1", true)]
    {
        let fresh = run(text, starlark, &crate::LoadedModules::default());
        for _ in 0..2 {
            assert_eq!(run(text, starlark, &kept), fresh, "{text:?}, {starlark}");
        }
    }
}

/// The error in a function of a module that an earlier evaluation loaded is located as in the first evaluation.
#[test]
fn errors_in_modules_of_earlier_evaluations_have_their_places() {
    let mut files = Changing::default();
    files.files.insert("a.star".to_owned(), "def f(x):\n  return x + 1\nend\n".to_owned());
    let kept = crate::LoadedModules::default();
    let run = |text: &str| {
        let evaluation = lofting_eval::Evaluation {
            text: Some(text.to_owned()),
            starlark: true,
            ..lofting_eval::Evaluation::default()
        };
        let (evaluated, _) = crate::evaluate_with(&evaluation, &files, &kept, crate::Bounds::default(), None);
        evaluated.result.map(|_| ())
    };
    let wrong = "load(\"a.star\", \"f\")\nf(\"a\")\n";
    let first = run(wrong).expect_err("strings and integers are not added");
    assert_eq!(run("load(\"a.star\", \"f\")\nf(1)\n"), Ok(()));
    assert_eq!(run(wrong).expect_err("again"), first);
}

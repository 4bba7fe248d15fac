use super::*;
use expect_test::{Expect, expect};
use proptest::prelude::*;

/// The pieces of a text in which `#@ ` begins code, `: #@ ` a value and `#@name ` the arguments of an annotation.
fn pieces(text: &str) -> Vec<Piece<'_>> {
    let mut pieces = Vec::new();
    let (mut at, mut follows) = (0, false);
    for line in text.split_inclusive('\n') {
        let content = line.trim_end_matches('\n');
        if let Some(mark) = content.find("#@") {
            let own_line = content[..mark].trim().is_empty();
            let rest = &content[mark + 2..];
            let name = rest.find(' ').unwrap_or(rest.len());
            let kind = match (own_line, name) {
                (_, 1..) => PieceKind::Arguments,
                (true, _) => PieceKind::Code,
                (false, _) => PieceKind::Value,
            };
            let skip = (mark + 2 + name + 1).min(content.len());
            let node_end = at + line.len() + text[at + line.len()..].find('\n').map_or(0, |end| end + 1);
            pieces.push(Piece {
                text: &content[skip..],
                start: at + skip,
                kind,
                follows: follows && own_line,
                node_end,
            });
            follows = own_line;
        } else {
            follows = false;
        }
        at += line.len();
    }
    pieces
}

fn read(text: &str) -> Code {
    read_code(&pieces(text), text.len())
}

fn shown(code: &Code, path: PathId) -> String {
    code.values.steps(path).iter().fold(String::new(), |path, step| match step {
        ValueStep::Key(key) => format!("{path}.{key}"),
        ValueStep::Item => format!("{path}[]"),
    })
}

/// Uses and escapes of data values, one a line.
fn uses(text: &str, expected: Expect) {
    let code = read(text);
    let mut out = String::new();
    for used in &code.values.uses {
        let marks = [(used.certain, ""), (!used.certain, " uncertain"), (used.conditional, " conditional")];
        let marks: String = marks.iter().filter(|(holds, _)| *holds).map(|(_, mark)| *mark).collect();
        let (path, named) = (shown(&code, used.path), &text[used.range.clone()]);
        out.push_str(&format!("{path} `{named}` {:?}{marks}\n", used.kind));
    }
    for escape in &code.values.escapes {
        out.push_str(&format!("escape {} `{}`\n", shown(&code, escape.path), &text[escape.range.clone()]));
    }
    expected.assert_eq(&out);
}

const LOAD: &str = "#@ load(\"@ytt:data\", \"data\")\n";

#[test]
fn attributes_indexes_and_functions_name_keys() {
    uses(
        &format!(
            "{LOAD}a: #@ data.values.x.y\nb: #@ data.values[\"x\"]['z'] + getattr(data.values.x, \"w\")\n\
             #@ if hasattr(data.values, \"q\") and \"r\" in data.values.x:\nc: #@ data.values.l[0].n\n#@ end\n"
        ),
        expect![[r#"
            .x `x` Attribute
            .x.y `y` Attribute
            .x `x` Index
            .x.z `z` Index
            .x `x` Attribute
            .x.w `w` Argument
            .q `q` Test
            .x.r `r` Test
            .x `x` Attribute conditional
            .l `l` Attribute conditional
            .l[].n `n` Attribute conditional
            escape .x.y `data.values.x.y`
            escape .x.z `data.values["x"]['z']`
            escape .x.w `getattr(data.values.x, "w")`
            escape .l[].n `data.values.l[0].n`
        "#]],
    );
}

#[test]
fn names_loops_and_parameters_are_followed() {
    uses(
        &format!(
            "{LOAD}#@ v = data.values.service\n#@ def port(s, extra=None):\n#@   return s.port\n#@ end\n\
             a: #@ port(v)\n#@ for/end p in v.ports:\n- #@ p.name\n#@ for i, e in enumerate(data.values.envs):\n\
             - #@ e.key\n#@ end\nn: #@ [x.host for x in data.values.hosts if x.on]\n"
        ),
        expect![[r#"
            .service `service` Attribute
            .service.port `port` Attribute conditional
            .service.ports `ports` Attribute
            .service.ports[].name `name` Attribute conditional
            .envs `envs` Attribute
            .envs[].key `key` Attribute conditional
            .hosts[].host `host` Attribute conditional
            .hosts `hosts` Attribute conditional
            .hosts[].on `on` Attribute conditional
            escape .service.port `s.port`
            escape .service.port `port(v)`
            escape .service.ports[].name `p.name`
            escape .envs[].key `e.key`
            escape .hosts[].host `x.host`
        "#]],
    );
}

#[test]
fn what_a_function_returns_is_followed() {
    uses(
        &format!(
            "{LOAD}#@ def first(l): return l[0]\n#@ def either(a):\n#@   if a:\n#@     return a.x\n#@   end\n\
             #@   return data.values.y\n#@ end\n\
             a: #@ first(data.values.items).name\nb: #@ either(data.values.a).z\nc: #@ first(\n"
        ),
        expect![[r#"
            .a.x `x` Attribute conditional
            .y `y` Attribute conditional
            .items `items` Attribute
            .items[].name `name` Attribute uncertain
            .a `a` Attribute
            .a.x.z `z` Attribute uncertain
            escape .items[] `l[0]`
            escape .a.x `a.x`
            escape .y `data.values.y`
            escape .items[].name `first(data.values.items).name`
            escape .a.x.z `either(data.values.a).z`
            escape .items[] `first(`
        "#]],
    );
}

#[test]
fn what_is_not_certain_is_said() {
    uses(
        &format!(
            "{LOAD}#@ v = data.values.a\n#@ if data.values.c:\n#@ v = data.values.b\n#@ end\nx: #@ v.k\n\
             y: #@ (data.values.a or {{}}).z\nz: #@ helper(data.values)\n"
        ),
        expect![[r#"
            .a `a` Attribute
            .c `c` Attribute
            .b `b` Attribute conditional
            .b.k `k` Attribute uncertain
            .a `a` Attribute
            .a.z `z` Attribute uncertain
            escape .b.k `v.k`
            escape .a.z `data.values.a or {}).z`
            escape  `data.values`
        "#]],
    );
}

#[test]
fn a_loop_variable_is_what_its_loop_says() {
    uses(
        &format!(
            "{LOAD}#@ for x in data.values.a:\n- #@ x.k\n#@ end\n#@ for x in data.values.b:\n- #@ x.k\n#@ end\n- #@ x.k\n"
        ),
        expect![[r#"
            .a `a` Attribute
            .a[].k `k` Attribute conditional
            .b `b` Attribute
            .b[].k `k` Attribute conditional
            .b[].k `k` Attribute uncertain
            escape .a[].k `x.k`
            escape .b[].k `x.k`
            escape .b[].k `x.k`
        "#]],
    );
}

#[test]
fn other_names_hide_the_module() {
    uses(
        &format!("{LOAD}#@ def f(data): return data.values.x\na: #@ data.values.y\n"),
        expect![[r#"
            .y `y` Attribute
            escape .y `data.values.y`
        "#]],
    );
    uses("a: #@ data.values.y\n", expect![""]);
    uses(
        "#@ load(\"@ytt:data\", d=\"data\")\na: #@ d.values.y\n",
        expect![[r#"
            .y `y` Attribute
            escape .y `d.values.y`
        "#]],
    );
}

#[test]
fn half_typed_lines_do_not_swallow_the_rest() {
    uses(
        &format!(
            "{LOAD}#@ x = f(data.values.a,\n#@ def g(p:\n#@ end\na: #@ data.values.\nb: #@ data.values[\"k\nc: #@ data.values.c\n"
        ),
        expect![[r#"
            .a `a` Attribute
            .k `k` Index uncertain
            .c `c` Attribute
            escape .a `data.values.a`
            escape .k `data.values["k`
            escape .c `data.values.c`
        "#]],
    );
}

#[test]
fn statements_continue_over_lines() {
    uses(
        &format!(
            "{LOAD}#@ x = [\n#@   data.values.a,\n#@   data.values.b.c,\n#@ ]\n#@ t = \"\"\"\n#@ data.values.no\n#@ \"\"\"\na: #@ data.values.d\n"
        ),
        expect![[r#"
            .a `a` Attribute
            .b `b` Attribute
            .b.c `c` Attribute
            .d `d` Attribute
            escape .a `data.values.a`
            escape .b.c `data.values.b.c`
            escape .d `data.values.d`
        "#]],
    );
}

#[test]
fn strings_go_on_after_a_backslash() {
    let code = read("#@ x = \"one \\\n#@ two(\\\"three \\\n#@ four\" + five\n#@ y = six\n");
    let names = code.terms.iter().filter_map(|term| match &term.kind {
        TermKind::Name(name) => Some(name.as_str()),
        _ => None,
    });
    assert_eq!(names.collect::<Vec<_>>(), ["x", "five", "y", "six"]);
}

#[test]
fn names_have_scopes() {
    let text = "#@ load(\"lib.star\", \"helper\", h2=\"other\")\n#@ def outer(a, b=[1, 2], *rest):\n#@ inner = lambda c: a + c\n\
                #@ return inner(b)\n#@ end\nx: #@ outer(1, b=2)\n";
    let code = read(text);
    let load = &code.loads[0];
    assert_eq!((load.module.as_str(), &text[load.module_range.clone()]), ("lib.star", "lib.star"));
    assert_eq!(load.names[1].local, "h2");
    assert_eq!(load.names[1].name, "other");
    let function = &code.functions[0];
    let written: Vec<&str> = function.parameters.iter().map(|parameter| parameter.written.as_str()).collect();
    assert_eq!((function.name.as_str(), written.as_slice()), ("outer", &["a", "b=[1, 2]", "*rest"][..]));
    let inside = text.find("inner(b)").unwrap();
    let scope = code.scope_at(inside);
    assert_eq!(scope, function.scope);
    let bound = |name: &str| code.lookup(scope, name).iter().map(|index| &code.bindings[*index as usize]).next();
    assert!(matches!(bound("a").unwrap().kind, BindingKind::Parameter { index: 0, .. }));
    assert!(matches!(bound("inner").unwrap().kind, BindingKind::Value(_)));
    assert!(matches!(bound("helper").unwrap().kind, BindingKind::Loaded(0, 0)));
    assert!(bound("c").is_none());
    let call = code.call_at(text.find("b=2").unwrap()).unwrap();
    assert!(matches!(&code.term(call).unwrap().kind, TermKind::Call { arguments, .. } if arguments.len() == 2));
}

#[test]
fn nesting_is_bounded() {
    for unit in ["(", "[", "{", "f(", "a.b[", "lambda x: ", "not ", "-", "x if ", "[x for x in ", "def f(x): "] {
        read(&format!("#@ {}\n", unit.repeat(5_000)));
        read(&format!("#@ {}\n", unit).repeat(2_000));
    }
    read(&format!("{LOAD}#@ x = data.values{}\n", ".a".repeat(50_000)));
    read(&"#@ def f():\n".repeat(2_000));
}

fn snippets() -> impl Strategy<Value = String> {
    let part = prop::sample::select(vec![
        "data",
        ".",
        "values",
        "[",
        "]",
        "(",
        ")",
        "\"",
        "'",
        "\"k\"",
        "x",
        " = ",
        ",",
        ":",
        "for ",
        " in ",
        "if ",
        "else",
        "end",
        "def ",
        "load(",
        "lambda ",
        "/end ",
        "\n",
        "#@ ",
        "#@\n",
        "k: #@ ",
        "#@a/b ",
        "{",
        "}",
        "\\",
        "é",
        "\"\"\"",
        " and ",
        " or ",
        "not ",
        "*",
        "+=",
        "getattr(",
        "enumerate(",
        "1",
        "#",
        "\t",
        "return ",
        "while ",
        "elif ",
    ]);
    prop::collection::vec(part, 0..60).prop_map(|parts| parts.concat())
}

proptest! {
    #[test]
    fn any_text_is_read_and_every_range_is_in_it(text in snippets()) {
        let text = format!("{LOAD}{text}");
        let code = read(&text);
        let check = |range: &Range<usize>| {
            prop_assert!(range.start <= range.end && text.get(range.clone()).is_some(), "{range:?} of {text:?}");
            Ok(())
        };
        for (index, term) in code.terms.iter().enumerate() {
            check(&term.range)?;
            match &term.kind {
                TermKind::Attribute { of, name_range, .. } => {
                    check(name_range)?;
                    prop_assert!((of.0 as usize) < index);
                }
                TermKind::Call { inside, .. } => check(inside)?,
                TermKind::String { content, .. } => check(content)?,
                _ => {}
            }
        }
        for scope in &code.scopes {
            check(&scope.range)?;
        }
        for binding in &code.bindings {
            check(&binding.range)?;
        }
        for load in &code.loads {
            check(&load.range)?;
            check(&load.module_range)?;
        }
        for used in &code.values.uses {
            check(&used.range)?;
        }
        for function in &code.functions {
            check(&function.head)?;
        }
        for offset in 0..=text.len() {
            code.term_at(offset);
            code.call_at(offset);
            code.scope_at(offset);
        }
    }

    #[test]
    fn any_characters_are_read(text in "\\PC{0,80}") {
        let piece = Piece { text: &text, start: 3, kind: PieceKind::Code, follows: false, node_end: 99 };
        read_code(&[piece], text.len() + 3);
    }
}

#[test]
fn text_templates_and_starlark_files_are_read() {
    let text = "(@ load(\"@ytt:data\", \"data\") -@)\nhello (@= data.values.name @)(@-= data.values.half\n(@! (@= data.values.no @)\n";
    let code = read_text_template(text);
    let named: Vec<&str> = code.values.uses.iter().map(|used| &text[used.range.clone()]).collect();
    assert_eq!(named, ["name", "half", "no"]);
    let text =
        "load(\"@ytt:data\", \"data\")\n\ndef port(extra=[\n    1,\n  ]):\n  return data.values.service.port\nend\n";
    let code = read_starlark(text);
    let named: Vec<&str> = code.values.uses.iter().map(|used| &text[used.range.clone()]).collect();
    assert_eq!(named, ["service", "port"]);
    assert_eq!(code.functions[0].parameters[0].written, "extra=[ 1, ]");
}

/// Values of which any part may be read.
#[track_caller]
fn unfollowed(code: &str, expected: &[&str]) {
    let text = format!("{LOAD}{code}");
    let code = read(&text);
    let found = (0..code.values.paths.len() as u32).map(PathId).filter(|path| code.values.is_unfollowed(*path));
    let found: Vec<String> = found.map(|path| shown(&code, path)).collect();
    assert_eq!(found, expected, "{text}");
}

#[test]
fn values_that_are_followed_to_their_ends() {
    unfollowed("a: #@ data.values.x.y + 1\n#@ if data.values.x:\n#@ end\n", &[".x.y"]);
    unfollowed(
        "#@ for i in data.values.x:\na: #@ i.y\n#@ end\n#@ for i in data.values.z:\nb: #@ i.y\n#@ end\n",
        &[".x[].y", ".z[].y"],
    );
    unfollowed("#@ def f(a):\nx: #@ a.y\n#@ end\nb: #@ f(data.values.x)\nc: #@ f(data.values.x)\n", &[".x.y"]);
    unfollowed("#@ if hasattr(data.values.x, \"y\") and len(data.values.z) and \"q\" in data.values.r:\n#@ end\n", &[]);
}

#[test]
fn values_of_which_any_part_may_be_read() {
    for (code, expected) in [
        ("a: #@ data.values.x\n", ".x"),
        ("a: #@ data.values\n", ""),
        ("a: #@ f(data)\n", ""),
        ("a: #@ data.values.x == data.values.x\n", ".x"),
        ("#@ if 1 in data.values.x:\n#@ end\n", ".x"),
        ("#@ load(\"@ytt:struct\", \"struct\")\n#@ for k, v in struct.decode(data.values.x).items():\n#@ end\n", ".x"),
        ("#@ load(\"@ytt:struct\", \"struct\")\n#@ d = struct.decode(data.values.x)\n#@ e = d.get\n", ".x"),
        ("#@ for a, b in data.values.x:\n#@ end\n", ".x"),
        ("#@ for p in enumerate(data.values.x):\n#@ end\n", ".x"),
        ("#@ for p in sorted(data.values.x, key=f):\n#@ end\n", ".x"),
        ("#@ y = data.values.x\n#@ y = 1\n", ".x"),
        ("#@ for y in data.values.x:\n#@   y = 1\n#@ end\n", ".x[]"),
        ("#@ def f(a):\n#@ end\n#@ f(1 if 2 else data.values.x)\n#@ f([data.values.x])\n", ".x"),
    ] {
        unfollowed(code, &[expected]);
    }
    // A parameter that gets several values stands for one of them only.
    let code = "#@ def f(a):\nx: #@ a.y\n#@ end\nb: #@ f(data.values.x)\nc: #@ f(data.values.z)\n";
    unfollowed(code, &[".z", ".x.y"]);
}

/// What is wrong in the statements of a Starlark file, with the text that is marked.
fn mistakes(text: &str) -> Vec<String> {
    let code = read_starlark(text);
    code.mistakes.iter().map(|mistake| format!("{:?} {}", &text[mistake.range.clone()], mistake.message)).collect()
}

#[test]
fn statements_that_can_be_read_have_no_mistakes() {
    for text in [
        "x = 1",
        "x, y = 1, 2",
        "(x, y), [z] = f(a, *b, c=1, **d)",
        "x.y[0] = lambda a, *b, c=1, **d: a if b else c",
        "x += 1; y //= 2;",
        "if x: y = 1",
        "if x and not y in z:\n  pass\nelif x == 1:\n  pass\nelse:\n  pass\nend",
        "for a, (b, c) in d.items():\n  continue\nend",
        "for a in 1, 2: break",
        "while True:\n  break\nend",
        "def f(a, b=1, *c, d, e=2, **g):\n  return\nend",
        "def f(*, a): return a, 1",
        "def f(\n  a,\n  b=[1, 2],\n):\n  return {\n    \"a\": 1, # one\n    \"b\": [x for x in y if x],\n  }\nend",
        "load(\"a.star\", \"b\", c=\"d\")",
        "end; end",
        "x = \"\"\"one\ntwo\"\"\"\ny = 1",
        "x = 1 + \\\n  2",
        "\"only text\"",
        "f(x)(y)[1:2].z",
        "not x",
        "# a comment",
        "x = a if b else lambda: c",
        "return {}",
        "x = r\"\\d\" % (1, 2)",
        "pass",
        "is_set = data.values.is_set",
    ] {
        assert_eq!(mistakes(text), Vec::<String>::new(), "{text}");
    }
}

#[test]
fn mistakes_in_statements_are_explained() {
    let check = |texts: &[&str], expected: Expect| {
        let shown: String = texts.iter().map(|text| format!("{text} → {}\n", mistakes(text).join(" | "))).collect();
        expected.assert_eq(&shown);
    };
    check(
        &[
            "x = 1 +",
            "x =",
            "x = = 1",
            "1 = x",
            "a = b = 1",
            "x: int = 5",
            "x is None",
            "x++",
            "f(1,,2)",
            "f(a b)",
            "x = [1, 2",
            "x = \"open",
            "import os",
            "from a import b",
            "class A:",
            "try:",
            "raise x",
            "del x",
            "with a as b:",
            "return 1 2",
            "x y",
            ") + 1",
            "x = 1; y = ; z = 3",
        ],
        expect![[r#"
            x = 1 + → "+" a value is missing after the operator
            x = → "=" a value is missing after `=`
            x = = 1 → "=" a value is missing after `=`
            1 = x → "1" nothing can be assigned to a value
            a = b = 1 → "=" a statement assigns once: write one line for each name
            x: int = 5 → ":" variables have no types in code
            x is None → "is" code has `==` instead of `is`
            x++ → "+" a value is missing after the operator
            f(1,,2) → "," there is nothing before this comma
            f(a b) → "b" got `b`, want a comma between arguments
            x = [1, 2 → "[" `[` is never closed; add `]`
            x = "open → "\"open" this string is never closed
            import os → "import" code has `load("FILE", "name")` instead of `import`
            from a import b → "from" code has `load("FILE", "name")` instead of `from`
            class A: → "class" code has no classes: `struct.make(key=1)` makes a value with attributes
            try: → "try" code cannot catch errors: it has no `try`
            raise x → "raise" code has `assert.fail("why")` instead of `raise`
            del x → "del" code has `.pop("key")` instead of `del`
            with a as b: → "with" code has no `with`
            return 1 2 → "2" unexpected `2` after the statement
            x y → "y" unexpected `y` after the statement
            ) + 1 → ")" unexpected `)`: a statement begins here
            x = 1; y = ; z = 3 → "=" a value is missing after `=`
        "#]],
    );
    check(
        &[
            "if x = 1:",
            "if :",
            "if x then:",
            "elseif x:",
            "else if x:",
            "else x:",
            "for in y:",
            "for x y:",
            "for x in :",
            "while :",
            "def (a):",
            "def f:",
            "def f(a b):",
            "def f(a, a):",
            "def f(a=1, b):",
            "def f(a: int):",
            "def f(a=):",
            "def f(if):",
            "def f(1):",
            "def class(a):",
            "if x: y = ",
        ],
        expect![[r#"
            if x = 1: → "=" `=` assigns, and can only follow a name: code compares with `==`
            if : → ":" a condition is missing after `if`
            if x then: → "then" unexpected `then` after the head of the block
            elseif x: → "elseif" code has the word `elif` here
            else if x: → "if" code has `elif` instead of `else if`
            else x: → "x" unexpected `x` after the head of the block
            for in y: → "in" a variable is missing after `for`
            for x y: → ":" `in` is missing after the variable of the loop
            for x in : → ":" what to loop over is missing here
            while : → ":" a condition is missing after `while`
            def (a): → "(" a name is missing after `def`
            def f: → ":" `(` is missing after the name of the function
            def f(a b): → "b" a comma is missing between the parameters
            def f(a, a): → "a" the parameter `a` is repeated
            def f(a=1, b): → "b" a parameter without a default cannot follow one that has a default
            def f(a: int): → ":" parameters have no types in code
            def f(a=): → ")" a default value is missing after `=`
            def f(if): → "if" `if` is a reserved word and cannot be a name
            def f(1): → "1" got `1`, want a parameter
            def class(a): → "class" a name is missing after `def`
            if x: y =  → "=" a value is missing after `=`
        "#]],
    );
}

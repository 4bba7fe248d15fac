//! What code means.

mod harness;

use std::cell::Cell;

use harness::{Host, LIMITS, check, result, result_with, run};
use lofting_interpreter::{FailureKind, Limits};

#[test]
fn numbers() {
    check(&[
        ("r = (7 // 2, -7 // 2, 7 // -2, 7 % 3, -7 % 3, 7 % -3)", "(3, -4, -4, 1, 2, -2)"),
        ("r = (7 / 2, 1.5 + 1, 2 * 1.5, -7.5 // 2, -7.5 % 2)", "(3.5, 2.5, 3, -4, 0.5)"),
        ("r = 9223372036854775807 + 1", "9223372036854775808"),
        ("r = (9223372036854775807 + 1 - 1, -9223372036854775808 - 1)", "(9223372036854775807, -9223372036854775809)"),
        ("r = (1 << 100) >> 98, ~5, 6 & 3, 6 | 3, 6 ^ 3", "(4, -6, 2, 7, 5)"),
        ("r = -(1 << 63), (-(1 << 63)) // -1, -(1 << 63) % -1", "(-9223372036854775808, 9223372036854775808, 0)"),
        ("r = 10000000000 * 10000000000 // 3 % 1000", "333"),
        ("r = 1 == 1.0, 1 < 1.5, (1 << 70) > 1e20, {1: \"a\"}[1.0], True == 1", r#"(True, True, True, "a", False)"#),
        ("r = 0x1F, 0o17, 0b11, 1e3, .5", "(31, 15, 3, 1000, 0.5)"),
        ("r = int(\"-ff\", 16), int(3.9), float(\"1.5\"), str(1e20), str(0.1)", r#"(-255, 3, 1.5, "1e+20", "0.1")"#),
        ("r = 1 // 0", "floored division by zero at `1 // 0`"),
        ("r = 1 % 0", "integer modulo by zero at `1 % 0`"),
        ("r = 1 / 0", "real division by zero at `1 / 0`"),
        ("r = 1 << 600", "shift count too large: 600 at `1 << 600`"),
        ("r = 1 + \"a\"", "unknown binary op: int + string at `1 + \"a\"`"),
        ("x = 10\nfor i in range(40): x = x * x", "Limit: an integer of more than 131072 bits at `x * x`"),
    ]);
}

#[test]
fn strings() {
    check(&[
        (r#"r = "a" + 'b' * 3 + r"\n""#, r#""abbb\\n""#),
        (r#"r = "héllo"[1:3], len("é"), "abc"[-1], "abcdef"[1:5:2], "abc"[::-1]"#, r#"("é", 2, "c", "bd", "cba")"#),
        (r#"r = "é"[0] + "é"[1] == "é", "é"[0]"#, r#"(True, "\xc3")"#),
        (r#"r = "b" in "abc", "x" not in "abc", "a" < "b""#, "(True, True, True)"),
        (r#"r = "%s %d %r %%" % ("a", 3, "b"), "{} {x}".format(1, x=2)"#, r#"("a 3 \"b\" %", "1 2")"#),
        (r#"r = "a,b,c".split(","), ",".join(["a", "b"]), "  x ".strip()"#, r#"(["a", "b", "c"], "a,b", "x")"#),
        (r#"r = list("aé".codepoints()), list("aé".elem_ords())"#, r#"(["a", "é"], [97, 195, 169])"#),
        ("for c in \"abc\": pass", "string value is not iterable at `\"abc\"`"),
        (r#"r = "abc"[3]"#, r#"string index 3 out of range [-3:2] at `"abc"[3]`"#),
        (r#"r = "abc".nope()"#, r#"string has no .nope field or method at `"abc".nope`"#),
        (r#"r = "abc".uper()"#, r#"string has no .uper field or method (did you mean .upper?) at `"abc".uper`"#),
        (r#"r = "abc".split("")"#, r#"split: empty separator in string.split at `"abc".split("")`"#),
    ]);
}

#[test]
fn collections() {
    check(&[
        ("l = [1, 2, 3]\nl.append(4)\nl[0] = 9\nl.insert(1, 8)\nr = l, l.pop(), l.index(3)", "([9, 8, 2, 3], 4, 3)"),
        ("a = [1]\nb = a\nb += [2]\na = a + [3]\nr = a, b", "([1, 2, 3], [1, 2])"),
        ("r = [1, 2, 3, 4][1:-1], (1, 2, 3)[::-1], list(range(10)[2:8:3])", "([2, 3], (3, 2, 1), [2, 5])"),
        (
            "d = {\"b\": 1, \"a\": 2}\nd[\"c\"] = 3\nd.pop(\"b\")\nr = d, d.keys(), d.get(\"x\", 0)",
            r#"({"a": 2, "c": 3}, ["a", "c"], 0)"#,
        ),
        ("d = {1: {2: 3}}\nd[1][2] += 4\nr = d", "{1: {2: 7}}"),
        ("r = set([1, 2]) | set([3]), 2 in set([2]), set([1, 2]) == set([2, 1])", "(set([1, 2, 3]), True, True)"),
        ("r = (), (1,), [], {}, set(), range(1, 5, 2)", "((), (1,), [], {}, set([]), range(1, 5, 2))"),
        ("l = [1]\nl.append(l)\nr = l", "[1, [...]]"),
        ("a, (b, c) = 1, [2, 3]\n[d] = (4,)\nr = a, b, c, d", "(1, 2, 3, 4)"),
        ("r = [x * y for x in range(3) if x for y in (1, 10)]", "[1, 10, 2, 20]"),
        ("r = {k: v for k, v in [(\"a\", 1)]}, [1 if x else 2 for x in [0, 1]]", r#"({"a": 1}, [2, 1])"#),
        (
            "r = sorted([3, 1, 2], reverse=True), max(1, 3), zip([1, 2], [3]), enumerate([5])",
            "([3, 2, 1], 3, [(1, 3)], [(0, 5)])",
        ),
        ("r = [1, [2]] == [1, [2]], [1, 2] < [1, 3], (1,) < (1, 2)", "(True, True, True)"),
        ("r = {[]: 1}", "unhashable type: list at `[]`"),
        ("r = {1: 2, 1: 3}", "duplicate key: 1 at `1`"),
        ("r = {}[\"k\"]", "key \"k\" not in dict at `{}[\"k\"]`"),
        ("a, b = 1, 2, 3", "too many values to unpack (got 3, want 2) at `a, b`"),
        ("a, b = 5", "got int in sequence assignment at `a, b`"),
        ("(1, 2)[0] = 3", "tuple value does not support item assignment at `(1, 2)[0]`"),
        (
            "l = [1]\nfor x in l: l.append(x)",
            "cannot change a list or dict during iteration in list.append at `l.append(x)`",
        ),
        ("d = {1: 1}\nfor x in d: d[2] = 1", "cannot change a list or dict during iteration at `d[2]`"),
        ("r = [1] < [\"a\"]", "int < string not implemented at `[1] < [\"a\"]`"),
    ]);
    assert_eq!(result("l = [1]\nfor x in l:\n  break\nl.append(2)\nr = l"), "[1, 2]");
}

#[test]
fn functions() {
    check(&[
        (
            "def f(a, b=2, *c, d, e=5, **g): return (a, b, c, d, e, g)\nr = f(1, d=4), f(1, 2, 3, d=4, x=6)",
            r#"((1, 2, (), 4, 5, {}), (1, 2, (3,), 4, 5, {"x": 6}))"#,
        ),
        ("def f(*a, **k): return (a, k)\nr = f(1, *[2, 3], x=4, **{\"y\": 5})", r#"((1, 2, 3), {"x": 4, "y": 5})"#),
        ("def f(x):\n  def g(y): return x + y\n  x += 1\n  return g\nr = f(1)(2)", "4"),
        (
            "def f():\n  l = []\n  for i in range(3):\n    l.append(lambda: i)\n  return [g() for g in l]\nr = f()",
            "[2, 2, 2]",
        ),
        ("def f(n): return 1 if n < 2 else n * f(n - 1)\nr = f(10)", "3628800"),
        ("def f():\n  def g(n): return 0 if n == 0 else g(n - 1) + 1\n  return g(5)\nr = f()", "5"),
        ("x = 1\ndef f(): return x\nx = 2\nr = f()", "2"),
        ("r = (lambda a, b=2: a + b)(1), (lambda: [lambda: 7])()[0]()", "(3, 7)"),
        ("i = 0\nwhile True:\n  i += 1\n  if i == 2: continue\n  if i > 3: break\nr = i", "4"),
        ("def f(l=[]):\n  l.append(1)\n  return l\nf()\nr = f()", "[1, 1]"),
        ("r = [f() for f in [lambda: x for x in [1, 2]]]", "[2, 2]"),
        ("def f(x): return x.y\nf(1)", "int has no .y field or method in f `x.y` at `f(1)`"),
        ("def f(a): pass\nf()", "function f missing 1 argument (a) at `f()`"),
        ("def f(a, b): pass\nf()", "function f missing 2 arguments (a, b) at `f()`"),
        ("def f(a): pass\nf(1, 2)", "function f accepts 1 positional argument (2 given) at `f(1, 2)`"),
        ("def f(a): pass\nf(1, a=2)", "function f got multiple values for parameter \"a\" at `f(1, a=2)`"),
        ("def f(): pass\nf(b=2)", "function f got an unexpected keyword argument \"b\" at `f(b=2)`"),
        ("1()", "invalid call of non-function (int) at `1()`"),
        ("def f():\n  x += 1\nx = 1\nf()", "local variable x referenced before assignment in f `x += 1` at `f()`"),
        ("y = x\nx = 1", "global variable x referenced before assignment at `x`"),
    ]);
}

#[test]
fn what_is_no_code() {
    check(&[
        ("x = y = 1", "Syntax: got '=', want newline at `=`"),
        ("x = (1", "Syntax: got end of file, want ')' at ``"),
        ("x = [1, 2", "Syntax: got end of file, want ',' or ']' at ``"),
        ("if 1:\nx = 1", "Syntax: got identifier, want indent at `x`"),
        ("  x = 1", "Syntax: got indent, want primary expression at ``"),
        ("1 = x", "Syntax: can't assign to this expression at `1`"),
        ("x = 1 < 2 < 3", "Syntax: comparisons cannot be chained: got '<' after another one at `<`"),
        ("f(a=1, 2)", "Syntax: positional argument may not follow named at `2`"),
        ("f(a=1, a=2)", "Syntax: keyword argument a repeated at `a`"),
        ("def f(a, a): pass", "Syntax: duplicate parameter: a at `a`"),
        ("def f(a=1, b): pass", "Syntax: required parameter may not follow optional at `b`"),
        ("x = 017", "Syntax: invalid number: 017 at `017`"),
        ("x = \"a", "Syntax: unexpected end of string: it is never closed at `\"a`"),
        ("return 1", "Syntax: return statement not within a function at `return 1`"),
        ("break", "Syntax: break not in a loop at `break`"),
        ("def f():\n  load(\"lib\", \"a\")", "Syntax: load statement within a function at `load(\"lib\", \"a\")`"),
        (
            "load(\"lib\", \"_a\")",
            "Syntax: cannot load lib: names with leading underscores are not exported: _a at `_a`",
        ),
        ("x = a + b", "Name: undefined: a at `a`; Name: undefined: b at `b`"),
        ("def f(): return lem(1)", "Name: undefined: lem at `lem` (did you mean `len`?)"),
        ("x = true", "Name: undefined: true at `true` (use 'True' instead of 'true' for boolean assignment)"),
    ]);
}

#[test]
fn modules() {
    let host = Host { library: "x = (\n", ..Host::default() };
    assert!(result_with("load(\"lib\", \"x\")", &host, LIMITS).starts_with("Syntax: "));
    let host =
        Host { library: "l = [1]\ndef add(x): l.append(x)\ndef get(): return l\n_hidden = 1\n", ..Host::default() };
    let of = |code: &str| result_with(code, &host, LIMITS);
    assert_eq!(of("load(\"lib\", \"get\", all=\"l\")\nr = get(), all"), "([1], [1])");
    let frozen = "cannot change this value: strings and tuples never change, nor does what a file exports for those who \
                  load it in list.append";
    assert_eq!(of("load(\"lib\", \"add\")\nadd(2)"), format!("{frozen} in add at `add(2)`"));
    assert_eq!(of("load(\"lib\", \"l\")\nl.append(2)"), format!("{frozen} at `l.append(2)`"));
    assert!(of("load(\"lib\", \"gett\")").ends_with("(did you mean `get`?)"));
    assert!(of("load(\"nope\", \"x\")").starts_with("no file nope at `load(\"nope\", \"x\")`"));
    assert_eq!(of("if 1:\n  load(\"lib\", \"get\")\nr = get()"), "[1]");
}

#[test]
fn values_of_the_host() {
    check(&[
        ("p = pair(1, [2])\nr = p.left, p.right, dir(p), type(p)", r#"(1, [2], ["left", "right"], "pair")"#),
        ("pair(1, 2).lft", "pair has no .lft field or method (did you mean .left?) at `pair(1, 2).lft`"),
        ("l = []\ndef f(): l.append(1)\ntwice(f)\nr = l", "[1, 1]"),
        ("pair()()", "invalid call of non-function (pair) in pair at `pair()()`"),
    ]);
    let host = Host::default();
    result_with("print(\"a\", 1, sep=\"-\")", &host, LIMITS);
    assert_eq!(*host.printed.borrow(), ["a-1"]);
}

#[test]
fn everything_has_limits() {
    for (code, expected) in [
        ("i = 0\nwhile True: i += 1", "too many steps"),
        ("def f(): return f()\nf()", "the calls are nested too deeply"),
        ("x = \"x\"\nfor i in range(60): x = x + x", "too much memory"),
        ("x = [0] * 10000000000", "too much memory"),
        ("x = sorted(range(1000000000))", "sorted: for parameter 1"),
        ("x = (\"ab\" * 100000).replace(\"a\", \"b\" * 100000)", "too much memory"),
        ("d = {}\nfor i in range(10000000): d[i] = str(i)", "evaluation was stopped"),
        ("x = [[i for i in range(10000)] for j in range(10000)]", "evaluation was stopped"),
        // Small values that stand for large ones.
        ("x = [1]\nfor i in range(60): x = [x, x]\nr = repr(x)", "too much memory"),
        ("x = (1,)\ny = (1,)\nfor i in range(60):\n  x = (x, x)\n  y = (y, y)\nr = x == y", "too many steps"),
        ("x = (1,)\nfor i in range(60): x = (x, x)\nr = {x: 1}", "nested too deeply"),
        ("x = []\nfor i in range(100000): x = [x]\nr = repr(x)", "nested too deeply"),
        ("x = []\ny = []\nfor i in range(100000):\n  x = [x]\n  y = [y]\nr = x == y", "nested too deeply"),
    ] {
        let shown = result(code);
        assert!(shown.contains(expected), "{code}: {shown}");
    }
}

#[test]
fn the_host_can_stop_code_at_any_time() {
    let asked = Cell::new(0);
    let stop = || {
        asked.set(asked.get() + 1);
        asked.get() > 10
    };
    let endless = Limits { steps: u64::MAX, ..LIMITS };
    for code in
        ["while True: pass", "def f():\n  for i in range(1000000000): pass\nf()", "[i for i in range(1000000000)]"]
    {
        asked.set(0);
        let failures = run(code, &Host::default(), endless, Some(&stop)).expect_err(code);
        assert_eq!(failures[0].kind(), FailureKind::Interrupted, "{code}");
        assert!(asked.get() < 20, "{code}");
    }
}

/// Values go one by one, however deeply they nest.
#[test]
fn deep_values_are_dropped_without_recursion() {
    for code in [
        "x = []\nfor i in range(300000): x = [x]",
        "x = ()\nfor i in range(300000): x = (x,)",
        "x = {}\nfor i in range(300000): x = {1: x}",
        "x = 1\nfor i in range(300000): x = pair(x, 1)",
        "def f(x): return lambda: x\ng = None\nfor i in range(100000): g = f(g)",
        "x = []\nfor i in range(100000):\n  y = []\n  y.append(x)\n  x = y",
        "x = [].append\nfor i in range(100000): x = [x].append",
    ] {
        assert_eq!(result(code), "None", "{code}");
    }
}

/// What is not used any more takes no memory.
#[test]
fn only_values_that_are_alive_count() {
    let limits = Limits { bytes: 1 << 20, steps: 10_000_000, ..LIMITS };
    let ends = |code: &str| {
        run(code, &Host::default(), limits, None).map(|_| ()).map_err(|mut failures| {
            let first = failures.remove(0);
            first.message().to_owned()
        })
    };
    for passes in [
        "t = \"\"\nfor i in range(3000):\n t += \"server 10.0.0.1 weight=1 max_fails=3 fail_timeout=30s backup;\"\n",
        "l = []\nfor i in range(2000):\n l = l + [i]\n",
        "d = {}\nfor i in range(1000):\n d = dict(d, **{\"k%d\" % i: i})\n",
        "def f(n):\n t = \"\"\n for i in range(n):\n  t = t + \"0123456789\" * 10\n return len(t)\nx = [f(200) for i in range(3)]\nfor i in range(100):\n y = f(200)\n",
        "def f(n):\n return \"x\" * 1000 + str(n)\nt = {}\nfor i in range(5000):\n t[\"k\"] = f(i)\n",
    ] {
        assert_eq!(ends(passes), Ok(()), "{passes}");
    }
    for stopped in [
        "l = []\nwhile True:\n l.append(\"x\" * 1000)\n",
        "d = {}\ni = 0\nwhile True:\n i += 1\n d[i] = \"x\" * 1000\n",
        "def f(n):\n return [\"x\" * 100000, f(n + 1)]\nf(0)\n",
        "def f(n):\n x = \"x\" * 100000\n return f(n + 1)\nf(0)\n",
        "def f(n):\n return \"x\" * 100000 + f(n + 1)\nf(0)\n",
        "x = [[\"x\" * 1000] for i in range(100000)]\n",
        "def f():\n l = []\n l.append(l)\n l.append(\"x\" * 100000)\nwhile True:\n f()\n",
        "def f(l):\n l.append(\"x\" * 1000)\n return lambda: l\nl = []\nfor i in range(100000):\n g = f(l)\n",
        "for i in [\"x\" * 100000 for i in range(6)]:\n for j in [\"x\" * 100000 for i in range(6)]:\n  pass\n",
    ] {
        assert_eq!(ends(stopped), Err("evaluation was stopped: too much memory".to_owned()), "{stopped}");
    }
}

#[test]
fn advice_about_names() {
    let dashed = |name: &str, key: &str| {
        format!("Name: undefined: {name} at `{name}` (a key with a dash is read in brackets: `[\"{key}\"]`)")
    };
    check(&[
        ("d = {}\nr = d.name-space", &dashed("space", "name-space")),
        ("d = {}\nr = d.e.name-space", &dashed("space", "name-space")),
        (
            "d = {}\nr = d.name-space-id",
            &format!("{}; {}", dashed("space", "name-space"), dashed("id", "name-space-id")),
        ),
        ("d = {}\nr = d.name - space", "Name: undefined: space at `space`"),
        ("d = {}\nr = d-space", "Name: undefined: space at `space`"),
        // Half of these letters differ.
        ("r = foo", "Name: undefined: foo at `foo`"),
        ("r = sum", "Name: undefined: sum at `sum`"),
        ("r = lenn", "Name: undefined: lenn at `lenn` (did you mean `len`?)"),
        ("while True: pass", "Limit: evaluation was stopped: too many steps at `True`"),
    ]);
}

#!/usr/bin/env python3
"""Write `verdicts.jsonl`: random regular expressions, and what V8 and RE2 say about them.

    pip install google-re2; python3 record.py [COUNT [SEED]] > verdicts.jsonl

One expression is one line: the expression, texts, the verdicts of JavaScript (Node, with the flag `u`) and those of RE2, which
reads expressions as Go does. Verdicts are one character for each text, `1` where the expression is found in it and `0` where
it is not; `invalid` if the expression cannot be read; empty if that is no measure: JavaScript reads it without the flag `u`
alone, it has groups of other languages, which many schemas have, or RE2 and Go differ.
"""
import json
import random
import re
import subprocess
import sys

import re2

ATOMS = (
    list("abcxyzAZ019_-. /:@#$%&!~,;='\"<>`")
    + [".", r"\d", r"\D", r"\w", r"\W", r"\s", r"\S", r"\.", r"\-", r"\/", r"\\", r"\n", r"\t", r"\x41", r"\u0041", r"\$", r"\^"]
    + [r"\p{L}", r"\p{Lu}", r"\P{N}", r"\p{Greek}", r"\p{Script=Greek}", r"\cA", r"\0", r"\e", r"\A", r"\z", r"\Z", r"\Q.\E"]
    + ["é", "ß", "λ", "中", "😀", "}", "]", "{", "(?#c)"]
)
CLASSES = list("abcxyz019_.-^ ]&[") + ["a-z", "A-Z", "0-9", "z-a", r"\d", r"\w", r"\S", r"\-", r"\]", r"\\", r"\p{L}", r"\b", "é-ü", "[:alpha:]", "[:^digit:]", "&&", "--", "~~", "^a", "a-\\d"]
COUNTS = ["*", "+", "?", "{2}", "{1,3}", "{0,}", "{,3}", "{3,1}", "{0}", "{1,1000}", "{1001}", "{2}{3}", "**", "*?", "+?", "??", "{1,2}?", "+*", "{a}", "{1", "{ 1}"]
GROUPS = ["({})", "(?:{})", "(?={})", "(?!{})", "(?<={})", "(?<!{})", "(?i:{})", "(?P<n>{})", "(?<n>{})", "(?i){}", "(?s){}", "(?m){}", "(?U){}", "(?-i:{})", "({})\\1", "(?>{})", "(?x: {})", "(?n:{})"]
USUAL = GROUPS[:3]
TEXTS = ["", "a", "abc", "A", "xyz", "a.b", "a-b_c", "0", "01", "19", "a1 b2", " ", "\n", "a\nb", "é", "É", "ß", "λ", "Λ", "中文", "😀", "aaaa", "abab", "^$", "[]{}", "\\", "ab" * 20, "/x/y", "x:y@z", "2024-01-31", "\x01", "K", "ſ", "\u212a", "_", "a\r\nb", "\u2028", "\ufeff"]


def one_class(rng):
    inside = "".join(rng.choice(CLASSES) for _ in range(rng.choice([0, 1, 1, 2, 2, 3, 4])))
    return "[" + rng.choice(["", "", "^"]) + inside + ("]" if rng.random() < 0.97 else "")


def expression(rng, depth=0):
    parts = []
    for _ in range(rng.choice([0, 1, 1, 2, 2, 3, 4])):
        kind = rng.random()
        if kind < 0.5:
            part = rng.choice(ATOMS) if rng.random() < 0.5 else rng.choice(ATOMS[:12])
        elif kind < 0.7:
            part = one_class(rng)
        elif kind < 0.8:
            part = rng.choice(["^", "$", r"\b", r"\B"])
        elif depth < 3:
            form = rng.choice(USUAL if rng.random() < 0.5 else GROUPS)
            part = form.replace("{}", expression(rng, depth + 1), 1)
        else:
            part = ""
        if rng.random() < 0.25:
            part += rng.choice(COUNTS[:6]) if rng.random() < 0.6 else rng.choice(COUNTS)
        parts.append(part)
    text = "".join(parts)
    if rng.random() < 0.12:
        text += "|" + expression(rng, depth + 1)
    if rng.random() < 0.1:
        text = "^" + text + "$"
    return text


# Groups that JavaScript lacks. Python or Go read them, and so does Lofting.
FOREIGN = re.compile(r"\(\?([#>P]|[imsUxn-]+[:)])")


def of_javascript(cases):
    program = """
    const lines = require('fs').readFileSync(0, 'utf8').split('\\n').filter(Boolean).map(JSON.parse);
    const read = (pattern, flags) => { try { return new RegExp(pattern, flags); } catch { return null; } };
    for (const [pattern, texts] of lines) {
      const [strict, loose] = [read(pattern, 'u'), read(pattern, '')];
      const said = regex => regex ? texts.map(text => regex.test(text) ? '1' : '0').join('') : 'invalid';
      // `[\\d-a]` is no range without the flag, but `[\\p{L}-a]` is one that begins with a brace.
      const isOfTwoMinds = !strict && (loose || /\\p\{\w+\}-/i.test(pattern));
      console.log(JSON.stringify(isOfTwoMinds ? '' : said(strict)));
    }
    """
    lines = "\n".join(json.dumps(case) for case in cases)
    done = subprocess.run(["node", "-e", program], input=lines, capture_output=True, text=True, check=True)
    return [json.loads(line) for line in done.stdout.splitlines()]


def only_re2(pattern):
    """What RE2 in C++ reads in another way than Go's package `regexp`, or Lofting in another one than both."""
    return any(part in pattern for part in [r"\C", "(?i)", "(?s)", "(?m)", "(?U)"])


def of_re2(pattern, texts):
    if only_re2(pattern):
        return ""
    options = re2.Options()
    options.log_errors = False
    options.max_mem = 1 << 30
    try:
        regex = re2.compile(pattern, options)
    except (re2.error, UnicodeError):
        return "invalid"
    return "".join("1" if regex.search(text) else "0" for text in texts)


def main():
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 3000
    rng = random.Random(int(sys.argv[2]) if len(sys.argv) > 2 else 1)
    cases = {}
    while len(cases) < count:
        pattern = expression(rng)
        cases.setdefault(pattern, rng.sample(TEXTS, 5))
    cases = list(cases.items())
    for (pattern, texts), script in zip(cases, of_javascript(cases)):
        script = "" if FOREIGN.search(pattern) else script
        print(json.dumps([pattern, texts, script, of_re2(pattern, texts)], ensure_ascii=False))


main()

import assert from "node:assert/strict";
import { test } from "node:test";
import { ENTER_RULES } from "../src/enterRules";

/** The column in which the line after `line` begins, with two spaces a level. */
function column(line: string): number {
  const indentation = /^ */.exec(line)?.[0].length ?? 0;
  const rule = ENTER_RULES.find((each) => each.beforeText.test(line));
  return indentation + (rule ? (rule.deeper ? 2 : 0) + rule.append.length : 0);
}

test("Enter indents below a key, and goes on in the column of an item's first key", () => {
  for (const [line, wanted] of [
    ["web:", 2],
    ["  web:", 4],
    ["web: #! why", 2],
    ["web: &anchor", 2],
    ["web: !!map &a", 2],
    ["text: |", 2],
    ["text: >-2  # folded", 2],
    ['"a: b":', 2],
    ["a b:", 2],
    ["http://x:", 2],
    ["-web:", 2],
    ["- web:", 4],
    ["  - web:", 6],
    ["- web: 1", 2],
    ["  - name: a b # c", 4],
    ["- web: &a 1", 2],
    // The line goes on like the one above.
    ["web: 1", 0],
    ["- web", 0],
    ["- ", 0],
    ["", 0],
    ["# note:", 0],
    ["#@ if x:", 0],
    ["  #@ def f():", 2],
    ["- #! note:", 0],
    ["web: {a:", 0],
    ["- web: {a: 1,", 0],
    ['- web: "a', 0],
    ["- [a:", 0],
    ["x: http://y:", 0],
  ] as const) {
    assert.equal(column(line), wanted, JSON.stringify(line));
  }
});

test("a long line costs no more than its length", () => {
  for (const part of ["a", " ", ":", "- ", "a: ", "'", '"', "\\", "&a ", "!"]) {
    const begin = process.hrtime.bigint();
    column(part.repeat(20000 / part.length));
    assert.ok(process.hrtime.bigint() - begin < 1_000_000_000n, part);
  }
});

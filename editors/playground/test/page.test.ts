import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { fileOf, withLinks } from "../../browser/links";
import { address } from "../src/markdown";

const page = readFileSync("src/index.html", "utf8");
const sources = readdirSync("src").filter((name) => name.endsWith(".ts")).map((name) => readFileSync(`src/${name}`, "utf8"));

test("the page says what it may load: its own files, and no script in the text", () => {
  const policy = /Content-Security-Policy" content="([^"]+)"/.exec(page)?.[1] ?? "";
  assert.match(policy, /default-src 'none'/);
  assert.match(policy, /connect-src 'self'/);
  assert.match(policy, /require-trusted-types-for 'script'/);
  assert.doesNotMatch(policy, /https?:|script-src[^;]*'unsafe-(inline|eval)'/);
  assert.doesNotMatch(page, /<script(?! defer src="playground.js">)| on\w+="/);
});

test("texts are never made markup", () => {
  for (const source of sources) {
    assert.doesNotMatch(source, /innerHTML|outerHTML|insertAdjacentHTML|document\.write|eval\(|new Function/);
  }
});

test("every element that the script looks for is on the page", () => {
  for (const source of sources) {
    for (const [, id] of source.matchAll(/\bpart(?:<\w+>)?\("([^"]+)"\)/g)) {
      assert.ok(page.includes(`id="${id}"`), id);
    }
  }
});

test("links lead to pages of the web", () => {
  assert.equal(address("https://example.com/a#b"), "https://example.com/a#b");
  for (const link of ["http://example.com", "javascript:alert(1)", "data:text/html,x", "file:///etc", "a", "", null, "https://u:p@example.com"]) {
    assert.equal(address(link), undefined, String(link));
  }
});

test("links to files lead to files of the page", () => {
  assert.deepEqual(fileOf("file:///lofting-in-browser/a%20b/s.json#L6"), { file: "a b/s.json", line: 5 });
  assert.deepEqual(fileOf("file:///lofting-in-browser/s.json"), { file: "s.json", line: 0 });
  for (const link of ["file:///etc/passwd", "file:///lofting-in-browser/", "file:///lofting-in-browser/%E0%A4%A", "https://example.com"]) {
    assert.equal(fileOf(link), undefined, link);
  }
  const address = (file: string, line: number): string | undefined => (file === "s.json" ? `vscode-vfs://github/r/${file}#L${line + 1}` : undefined);
  assert.equal(
    withLinks("Declared in [s.json:6](<file:///lofting-in-browser/s.json#L6>), [x](<file:///lofting-in-browser/x>)", address),
    "Declared in [s.json:6](<vscode-vfs://github/r/s.json#L6>), [x](<file:///lofting-in-browser/x>)",
  );
});

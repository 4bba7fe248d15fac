import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
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

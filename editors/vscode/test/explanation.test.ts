import assert from "node:assert/strict";
import { test } from "node:test";
import { page, target } from "../src/explanation";

test("a link leads to a line of a file", () => {
  assert.deepEqual(target("file:///work/a%20b/schema.yml#L12"), { file: "file:///work/a%20b/schema.yml", line: 11, column: 0 });
  assert.deepEqual(target("file:///schema.yml#L12,5"), { file: "file:///schema.yml", line: 11, column: 4 });
  assert.deepEqual(target("file:///schema.yml"), { file: "file:///schema.yml", line: 0, column: 0 });
  assert.deepEqual(target("https://example.com/a"), { page: "https://example.com/a" });
});

test("nothing else is opened", () => {
  for (const link of ["command:workbench.action.quit", "http://example.com", "file://host/share", "vscode://x", "javascript:1", "schema.yml", "data:text/html,x", "untitled:a"]) {
    assert.equal(target(link), undefined, link);
  }
});

test("the page shows headings, code and links", () => {
  const html = page("# values.yml\n\nGoverned by [config/`s`.yml](<file:///config/s.yml#L3>).\n", "N");
  assert.match(html, /<h1>values.yml<\/h1>/);
  assert.match(html, /<a href="#" data-target="file:\/\/\/config\/s.yml#L3" title="[^"]*">config\/<code>s<\/code>.yml<\/a>/);
});

test("text of the workspace cannot load, run or forge anything", () => {
  const html = page(
    '![](https://evil.example/x) <img src=x onerror=alert(1)> [a](command:quit) [b](https://e.example/"onclick="x) </script><script>1</script>',
    "N",
  );
  const body = html.slice(html.indexOf("<body>"), html.indexOf("<script nonce"));
  assert.doesNotMatch(body, /<img|<script|data-target="command|"\s*onclick/);
  assert.match(html, /default-src 'none'/);
  assert.doesNotMatch(html, /unsafe-inline/);
});

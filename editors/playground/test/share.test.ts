import assert from "node:assert/strict";
import { test } from "node:test";
import { deflateRawSync } from "node:zlib";
import { CannotShare, MAX_FRAGMENT, problemOfName, read, written } from "../src/share";

const link = (said: unknown): string => `1.${deflateRawSync(JSON.stringify(said)).toString("base64url")}`;

test("files come back as they were shared", async () => {
  const shared = { files: [["values/prod.yml", "a: 1\n"], ["schema.yml", "# ü 🙂\n"]] as [string, string][], show: "schema.yml" };
  const fragment = await written(shared);
  assert.match(fragment, /^1\.[A-Za-z0-9_-]+$/);
  assert.deepEqual(await read(fragment), shared);
  assert.equal(await read(""), undefined);
});

test("a link from anyone is refused with a message, or harmless", async () => {
  const bomb = deflateRawSync(Buffer.alloc(50_000_000, " ")).toString("base64url");
  const refused = [
    "x", "1.", "1.%%%", "1.AAAA", "2.AAAA", `1.${bomb}`, `1.${"A".repeat(MAX_FRAGMENT)}`,
    link(null), link([]), link({}), link({ files: [] }), link({ files: [["a.yml"]] }), link({ files: [[1, "x"]] }),
    link({ files: [["a.yml", ""], ["a.yml", ""]] }), link({ files: [["../a.yml", ""]] }), link({ files: [["/a.yml", ""]] }),
    link({ files: [["<img src=x onerror=alert(1)>", ""]] }), link({ files: [["a\u202eb.yml", ""]] }),
    link({ files: Array.from({ length: 51 }, (_, index) => [`${index}.yml`, ""]) }),
  ];
  for (const fragment of refused) {
    await assert.rejects(read(fragment), CannotShare, fragment.slice(0, 80));
  }
  assert.deepEqual(await read(link({ files: [["a.yml", "<script>"]], show: "none", more: 1 })), {
    files: [["a.yml", "<script>"]], show: "a.yml",
  });
});

test("what is too large for a link is not shared", async () => {
  let text = "";
  for (let number = 1; text.length < 400_000; number = (number * 48271) % 2147483647) {
    text += number.toString(36);
  }
  await assert.rejects(written({ files: [["a.yml", text]], show: "a.yml" }), CannotShare);
});

test("names of files are paths below the page", () => {
  for (const name of ["a.yml", ".github/workflows/ci.yml", "größe.yaml", "a b/c@1.json"]) {
    assert.equal(problemOfName(name), undefined, name);
  }
  for (const name of ["", "/a", "a/", "a//b", "..", "a/../b", ".", "a/./b", "a\\b", "a\nb", "a\0", " a", "a ", "x".repeat(201)]) {
    assert.notEqual(problemOfName(name), undefined, name);
  }
});

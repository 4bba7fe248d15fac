import assert from "node:assert/strict";
import { test } from "node:test";
import { lineOf, sourceOf } from "../src/outputLines";

const output = {
  sources: ["file:///app.yml", "file:///over.yml"],
  lines: [null, [0, 2], [0, 5], [0, 5], [1, 4]] as ([number, number] | null)[],
};

test("a line of the output leads to the file it comes from", () => {
  assert.deepEqual(sourceOf(output, 1), { uri: "file:///app.yml", line: 2 });
  assert.deepEqual(sourceOf(output, 4), { uri: "file:///over.yml", line: 4 });
  assert.equal(sourceOf(output, 0), undefined);
  // The last line is followed by an empty one.
  assert.deepEqual(sourceOf(output, 9), { uri: "file:///over.yml", line: 4 });
});

test("a line of a file leads to the first line that comes from it", () => {
  assert.equal(lineOf(output, "file:///app.yml", 5), 2);
  assert.equal(lineOf(output, "file:///app.yml", 4), 1);
  assert.equal(lineOf(output, "file:///app.yml", 0), undefined);
  assert.equal(lineOf(output, "file:///over.yml", 9), 4);
  assert.equal(lineOf(output, "file:///other.yml", 9), undefined);
});

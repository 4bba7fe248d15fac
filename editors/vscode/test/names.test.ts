import assert from "node:assert/strict";
import { test } from "node:test";
import { type Address, type Folder, Names } from "../src/web/names";

class Uri implements Address {
  constructor(readonly scheme: string, readonly authority: string, readonly path: string, readonly query = "") {}

  with({ path }: { path: string }): Uri {
    return new Uri(this.scheme, this.authority, path, this.query);
  }

  toString(): string {
    return `${this.scheme}://${this.authority}${this.path}?${this.query}`;
  }
}

const uri = (path: string): Uri => new Uri("vscode-vfs", "github", path);
const folder = (path: string, name: string, index: number): Folder<Uri> => ({ name, index, uri: uri(path) });

test("files of a folder are named as in it", () => {
  const names = new Names<Uri>(() => [folder("/o/r", "r", 0)]);
  assert.equal(names.nameOf(uri("/o/r/config/schema.yml")), "config/schema.yml");
  assert.equal(String(names.uriOf("config/schema.yml")), String(uri("/o/r/config/schema.yml")));
});

test("files of several folders, and others, have names of their own", () => {
  const names = new Names<Uri>(() => [folder("/o/r", "r", 0), folder("/p/r/", "r", 1)]);
  const all = [uri("/o/r/a.yml"), uri("/p/r/a.yml"), uri("/o/ra/a.yml"), new Uri("untitled", "", "a.yml"), new Uri("vscode-vfs", "gitlab", "/o/r/a.yml")];
  const given = all.map((each) => names.nameOf(each));
  assert.deepEqual(given.slice(0, 2), ["0-r/a.yml", "1-r/a.yml"]);
  assert.equal(new Set(given).size, all.length, given.join());
  assert.deepEqual(given.map((name) => String(names.uriOf(name))), all.map(String));
  // Asked again, the name is the one that it was.
  assert.deepEqual(all.map((each) => names.nameOf(each)), given);
});

test("a document in a different form of a file is not the file", () => {
  const names = new Names<Uri>(() => [folder("/o/r", "r", 0)]);
  const old = new Uri("vscode-vfs", "github", "/o/r/a.yml", "ref=old");
  assert.notEqual(names.nameOf(old), "a.yml");
  assert.equal(String(names.uriOf(names.nameOf(old))), String(old));
});

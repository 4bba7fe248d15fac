import assert from "node:assert/strict";
import { test } from "node:test";
import { issueBody } from "../src/issue";

test("an issue begins with versions, and says where there is none", () => {
  const surroundings = { extension: "0.1.0", server: "0.1.0", editor: "Visual Studio Code 1.139.1", system: "linux x64", remote: undefined };
  const body = issueBody(surroundings);
  assert.match(body, /^- extension: 0\.1\.0\n- server: 0\.1\.0\n- editor: Visual Studio Code 1\.139\.1\n- system: linux x64$/m);
  const other = issueBody({ ...surroundings, server: undefined, remote: "wsl" });
  assert.match(other, /^- server: not running$/m);
  assert.match(other, /^- system: linux x64, remote \(wsl\)$/m);
});

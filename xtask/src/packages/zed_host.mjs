// Calls the extension of Zed as the editor does: from a host in which the settings and the PATH are given.
// Usage: node zed_host.mjs FOLDER, with the component in FOLDER/extension.wasm and `jco` in FOLDER/node_modules.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const folder = process.argv[2];
const made = join(folder, "made");
const jco = join(folder, "node_modules/@bytecodealliance/jco/dist/jco.js");
execFileSync(process.execPath, [jco, "transpile", join(folder, "extension.wasm"), "-o", made, "--async-mode", "sync", "-q"]);

// What the component imports without a namespace are packages of the host: a class for a resource, a function otherwise.
const main = readdirSync(made).find((name) => name.endsWith(".js"));
const text = readFileSync(join(made, main), "utf8");
globalThis.settings = {};
const modules = {
  "get-settings": "export default () => JSON.stringify(globalThis.settings);",
};
for (const [, name] of text.matchAll(/^import .* from '([^'.@/]+)';$/gm)) {
  const at = join(made, "node_modules", name);
  if (existsSync(at)) continue;
  mkdirSync(at, { recursive: true });
  writeFileSync(join(at, "package.json"), JSON.stringify({ name, type: "module", main: "index.js" }));
  writeFileSync(join(at, "index.js"), modules[name] ?? "export default class {}");
}
writeFileSync(join(made, "package.json"), JSON.stringify({ type: "module" }));
const extension = await import(pathToFileURL(join(made, main)));

const { default: Worktree } = await import(pathToFileURL(join(made, "node_modules/worktree/index.js")));
class Folder extends Worktree {
  constructor(found) {
    super();
    this.found = found;
  }
  id() { return 1n; }
  rootPath() { return "/project"; }
  which(name) { return name === "lofting" ? this.found : undefined; }
  shellEnv() { return [["PATH", "/bin"]]; }
}
const of = (found) => new Folder(found);

extension.initExtension();
const command = (worktree) => extension.languageServerCommand("lofting", worktree);

globalThis.settings = {};
assert.deepEqual(command(of("/bin/lofting")), { command: "/bin/lofting", args: ["lsp"], env: [["PATH", "/bin"]] });
assert.throws(() => command(of(undefined)), (error) => String(error.payload ?? error).includes("PATH"));

globalThis.settings = { binary: { path: "/own/lofting", arguments: ["lsp", "--log", "x"] } };
assert.deepEqual(command(of(undefined)).command, "/own/lofting");
assert.deepEqual(command(of(undefined)).args, ["lsp", "--log", "x"]);

// What a project says about trust is not passed on.
globalThis.settings = { settings: { lofting: { trustedFolders: ["/"], hover: true } } };
const passed = JSON.parse(extension.languageServerWorkspaceConfiguration("lofting", of("/bin/lofting")));
assert.deepEqual(passed, { lofting: { hover: true } });
console.log("the extension answers as it should");

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { YAML_LANGUAGES } from "../src/languages";

// `npm test` runs in the extension's folder.
const folder = process.cwd();
const manifest = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));

test("every command of the manifest is registered, and no other", () => {
  const source = readFileSync(join(folder, "src/extension.ts"), "utf8");
  const registered = [...source.matchAll(/registerCommand\("([^"]+)"/g)].map((match) => match[1]).sort();
  const declared = manifest.contributes.commands.map((entry: { command: string }) => entry.command).sort();
  assert.deepEqual(registered, declared);
});

test("in a browser, every command is registered that is not said to need a server", () => {
  const source = readFileSync(join(folder, "src/web/main.ts"), "utf8");
  const registered = [...source.matchAll(/registerCommand\("([^"]+)"/g)].map((match) => match[1]).sort();
  const commands: { command: string; enablement?: string }[] = manifest.contributes.commands;
  const offered = commands.filter(({ enablement }) => !enablement?.includes("!lofting.inBrowser"));
  assert.deepEqual(registered, offered.map(({ command }) => command).sort());
  for (const { command, enablement } of commands.filter((each) => !offered.includes(each))) {
    // Of alternatives, each says so.
    assert.ok((enablement ?? "").split("||").every((part) => part.includes("!lofting.inBrowser")), command);
  }
  assert.equal(manifest.browser, "./dist/web.js");
  assert.equal(manifest.capabilities.virtualWorkspaces.supported, "limited");
});

test("the walkthrough names commands and pages that there are", () => {
  const [walkthrough] = manifest.contributes.walkthroughs;
  const commands = manifest.contributes.commands.map((entry: { command: string }) => entry.command);
  for (const step of walkthrough.steps) {
    assert.ok(readFileSync(join(folder, step.media.markdown), "utf8").length > 0, step.id);
    const named = [...JSON.stringify(step).matchAll(/lofting\.\w+/g)].map(([name]) => name);
    for (const name of named.filter((name) => name !== "lofting.inBrowser")) {
      assert.ok(commands.includes(name), `${step.id}: ${name}`);
    }
  }
});

test("the icon is a picture of the size that marketplaces want", () => {
  const picture = readFileSync(join(folder, manifest.icon));
  assert.equal(picture.subarray(1, 4).toString(), "PNG");
  assert.deepEqual([picture.readUInt32BE(16), picture.readUInt32BE(20)], [256, 256]);
});

test("every setting has a description, a type and a default", () => {
  for (const [name, setting] of Object.entries<Record<string, unknown>>(manifest.contributes.configuration.properties)) {
    assert.ok(name.startsWith("lofting."), name);
    for (const part of ["markdownDescription", "type", "scope"]) {
      assert.ok(setting[part], `${name}: ${part}`);
    }
    assert.notEqual(setting.default, undefined, `${name}: default`);
  }
});

test("the program's path cannot be set by a repository that is not trusted", () => {
  const setting = manifest.contributes.configuration.properties["lofting.server.path"];
  assert.equal(setting.scope, "machine-overridable");
  assert.ok(manifest.capabilities.untrustedWorkspaces.restrictedConfigurations.includes("lofting.server.path"));
});

test("only the user says which folders are trusted", () => {
  const setting = manifest.contributes.configuration.properties["lofting.trustedFolders"];
  // Settings of this scope are read from the user's file alone.
  assert.equal(setting.scope, "application");
  assert.ok(manifest.capabilities.untrustedWorkspaces.restrictedConfigurations.includes("lofting.trustedFolders"));
  const source = readFileSync(join(folder, "src/extension.ts"), "utf8");
  assert.match(source, /initializationOptions: \{ trusted: vscode\.workspace\.isTrusted, userSettings: true \}/);
  assert.match(source, /onDidGrantWorkspaceTrust\(.*"lofting\/didTrustWorkspace"/);
});

test("only the user says what may be fetched", () => {
  for (const name of ["lofting.fetch.allowedHosts", "lofting.fetch.cache", "lofting.fetch.catalogue"]) {
    assert.equal(manifest.contributes.configuration.properties[name].scope, "application");
    assert.ok(manifest.capabilities.untrustedWorkspaces.restrictedConfigurations.includes(name));
  }
});

test("the types are those of the oldest supported VS Code", () => {
  assert.equal(`^${manifest.devDependencies["@types/vscode"]}`, manifest.engines.vscode);
});

test("no command depends on the scheme of files: it is `vscode-remote` in remote windows, WSL and containers", () => {
  const clauses = JSON.stringify([manifest.contributes.commands, manifest.contributes.menus ?? {}, manifest.activationEvents]);
  assert.doesNotMatch(clauses, /resourceScheme|isFileSystemResource|"onFileSystem/);
});

test("Enter after a complete word is a new line in every served language, whoever offers the word", () => {
  // VS Code's list of words from the document would take it where Lofting offers nothing, and its default takes it for
  // an entry that is already there.
  const defaults = {
    "editor.acceptSuggestionOnEnter": "smart",
    // A list that opens after `key: ` selects nothing, until a letter is typed.
    "editor.suggest.selectionMode": "whenQuickSuggestion",
    "editor.wordBasedSuggestions": "off",
  };
  const own = manifest.contributes.languages.map((language: { id: string }) => language.id);
  const served = [...Object.keys(YAML_LANGUAGES), ...own];
  assert.deepEqual(
    manifest.contributes.configurationDefaults,
    Object.fromEntries(served.map((id) => [`[${id}]`, defaults])),
  );
});

test("YAML has the same colours and starts the server under each of its names", () => {
  const scopes = manifest.contributes.semanticTokenScopes;
  assert.deepEqual(scopes.map((each: { language: string }) => each.language), Object.keys(YAML_LANGUAGES));
  for (const each of scopes) {
    assert.deepEqual(each.scopes, scopes[0].scopes);
  }
  for (const id of Object.keys(YAML_LANGUAGES)) {
    assert.ok(manifest.activationEvents.includes(`onLanguage:${id}`), id);
  }
});

test("lofting.toml and plans of migrations are opened in the server, and the first starts it", () => {
  const source = readFileSync(join(folder, "src/extension.ts"), "utf8");
  assert.match(source, /pattern: "\*\*\/\{lofting,moves\}\.toml"/);
  assert.ok(manifest.activationEvents.includes("workspaceContains:**/lofting.toml"));
});

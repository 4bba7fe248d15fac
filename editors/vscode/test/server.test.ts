import assert from "node:assert/strict";
import { test } from "node:test";
import { findServer, type Surroundings } from "../src/server";

function surroundings(files: string[], change: Partial<Surroundings> = {}): Surroundings {
  return {
    configured: "",
    bundled: "/extension/server/lofting",
    path: "/usr/bin:/home/me/.cargo/bin",
    home: "/home/me",
    platform: "linux",
    exists: (file) => files.includes(file),
    ...change,
  };
}

test("the configured program comes first", () => {
  const files = ["/my/lofting", "/extension/server/lofting"];
  assert.deepEqual(findServer(surroundings(files, { configured: " /my/lofting " })), { program: "/my/lofting" });
});

test("a tilde is the home folder", () => {
  const found = findServer(surroundings(["/home/me/bin/lofting"], { configured: "~/bin/lofting" }));
  assert.deepEqual(found, { program: "/home/me/bin/lofting" });
});

test("a configured program that is missing is reported, not replaced", () => {
  const found = findServer(surroundings(["/extension/server/lofting"], { configured: "/typo/lofting" }));
  assert.ok("problem" in found && found.problem.includes("/typo/lofting"));
});

test("the bundled program comes before the search path", () => {
  const files = ["/extension/server/lofting", "/usr/bin/lofting"];
  assert.deepEqual(findServer(surroundings(files)), { program: "/extension/server/lofting" });
});

test("the search path is the last resort", () => {
  assert.deepEqual(findServer(surroundings(["/home/me/.cargo/bin/lofting"])), {
    program: "/home/me/.cargo/bin/lofting",
  });
});

test("Windows has its own ending, slash and separator", () => {
  const found = findServer(
    surroundings(["D:\\tools\\lofting.exe"], { platform: "win32", path: "C:\\bin;D:\\tools", bundled: "C:\\ext\\lofting" }),
  );
  assert.deepEqual(found, { program: "D:\\tools\\lofting.exe" });
});

test("without any program the message says how to get one", () => {
  const found = findServer(surroundings([]));
  assert.ok("problem" in found && found.problem.includes("cargo install"));
});

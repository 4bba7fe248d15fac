#!/usr/bin/env node
// Starts the program of this platform, which is in an optional package.
"use strict";

const { spawnSync } = require("node:child_process");

// Node reports the C library that it runs with; without one, Linux has musl.
function isMusl() {
  if (process.platform !== "linux") return false;
  const report = process.report && process.report.getReport();
  const header = typeof report === "string" ? JSON.parse(report).header : report && report.header;
  return !(header && header.glibcVersionRuntime);
}

function program() {
  const platform = `${process.platform}-${process.arch}`;
  const name = process.platform === "win32" ? "lofting.exe" : "lofting";
  // The program for musl is linked statically, so it also starts where the other one was not installed.
  const candidates = isMusl() ? [`${platform}-musl`] : [platform, `${platform}-musl`];
  for (const candidate of candidates) {
    try {
      return require.resolve(`@lofting/cli-${candidate}/${name}`);
    } catch {
      // The next one.
    }
  }
  return undefined;
}

const path = process.env.LOFTING_BINARY || program();
if (!path) {
  console.error(
    `lofting: there is no package for ${process.platform} ${process.arch}, or npm was asked to leave out optional ` +
      "packages (--omit=optional). Other ways to install: https://github.com/lofting-yaml/lofting",
  );
  process.exit(2);
}

const ended = spawnSync(path, process.argv.slice(2), { stdio: "inherit" });
if (ended.error) {
  console.error(`lofting: ${path} cannot be started: ${ended.error.message}`);
  process.exit(2);
}
if (ended.signal) process.kill(process.pid, ended.signal);
process.exit(ended.status === null ? 2 : ended.status);

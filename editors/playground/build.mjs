// Bundles the page into `dist`, or into the folder that is given. `cargo xtask wasm` has to run before.
import * as esbuild from "esbuild";
import { copyFileSync, mkdirSync, readdirSync, readFileSync, statSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const root = resolve(here, "../..");
const out = resolve(process.argv[2] ?? join(here, "dist"));

function filesBelow(folder) {
  return readdirSync(folder).sort().flatMap((name) => {
    const path = join(folder, name);
    return statSync(path).isDirectory() ? filesBelow(path) : [path];
  });
}

/** The examples with their texts. */
function examples() {
  const list = JSON.parse(readFileSync(join(here, "examples.json"), "utf8"));
  return list.map(({ name, title, folder, files, show }) => {
    const below = join(root, folder);
    const paths = files === undefined ? filesBelow(below) : files.map((file) => join(below, file));
    const texts = paths.map((path) => [relative(below, path).replaceAll("\\", "/"), readFileSync(path, "utf8")]);
    if (!texts.some(([file]) => file === show)) {
      throw new Error(`the example ${name} has no file ${show}`);
    }
    return { name, title, show, files: texts };
  });
}

const texts = {
  name: "examples",
  setup(build) {
    build.onResolve({ filter: /^examples$/ }, () => ({ path: "examples", namespace: "texts" }));
    build.onLoad({ filter: /.*/, namespace: "texts" }, () => ({ contents: JSON.stringify(examples()), loader: "json" }));
  },
};

mkdirSync(out, { recursive: true });
await esbuild.build({
  entryPoints: { playground: join(here, "src/main.ts"), worker: join(here, "../browser/worker.ts") },
  bundle: true,
  outdir: out,
  format: "iife",
  platform: "browser",
  target: "es2022",
  minify: true,
  legalComments: "linked",
  // The module is given to the worker; the address that the generated code would fetch it from is not used.
  define: { "import.meta.url": '""' },
  plugins: [texts],
  logLevel: "warning",
});
for (const name of ["index.html", "style.css", "icon.svg"]) {
  copyFileSync(join(here, "src", name), join(out, name));
}
copyFileSync(join(root, "target/wasm/lofting.wasm"), join(out, "lofting.wasm"));

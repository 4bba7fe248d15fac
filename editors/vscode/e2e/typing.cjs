// typing.cjs ADDRESS REPOSITORY FOLDER PICTURES: types the files of editors/typing key by key, completion on, as people
// do. What is saved must be the file. `LOFTING_TYPING_SPEED=full`: every delay between 30 and 200 ms, a number: that
// many milliseconds after each key, else mostly the short end. `LOFTING_TYPING_ACCEPT=1`: every third word is taken
// from the list after its second letter, if it is there.
const fs = require("node:fs");
const path = require("node:path");
const { spawnSync } = require("node:child_process");
const { launch } = require("./browser.cjs");

const [address, repository, folder, pictures] = process.argv.slice(2);
const full = process.env.LOFTING_TYPING_SPEED === "full";
/** Milliseconds for each key, where they are all alike. */
const even = Number(process.env.LOFTING_TYPING_SPEED ?? 0) || undefined;
const accepts = process.env.LOFTING_TYPING_ACCEPT !== undefined;
/** Without Lofting: what VS Code itself does to the text. */
const control = process.env.LOFTING_CONTROL !== undefined;
/**
 * Values that their schemas do not allow, and of which VS Code makes an allowed one on Enter, as it matches letters in
 * their order. Who means them closes the list.
 */
const MISSPELT = /: labeldop$/;
/** How many windows type at once: each has an extension host and a server of its own. */
const AT_ONCE = Number(process.env.LOFTING_TYPING_WINDOWS ?? 3);
const patience = { timeout: 120000 };
let passed = 0;
let failed = 0;
/** Lists of all files: without any, nothing was tried. A file that no schema governs needs none. */
let shown = 0;
/** Words of all files that were taken from a list. */
let taken = 0;

function check(name, good, got) {
  good ? passed++ : failed++;
  console.log(`${good ? "ok  " : "FAIL"} ${name}${good ? "" : `\n${got}`}`);
}

async function until(condition, milliseconds) {
  const end = Date.now() + milliseconds;
  while (!(await condition())) {
    if (Date.now() > end) {
      return false;
    }
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  return true;
}

/** The examples and the fixture in a folder of their own, each a repository. */
function workspace(number) {
  const root = path.join(folder, String(number));
  fs.cpSync(path.join(repository, "examples"), path.join(root, "examples"), { recursive: true });
  fs.cpSync(path.join(repository, "editors/typing/fleet"), path.join(root, "fleet"), { recursive: true });
  return root;
}

/** The lines that differ, as `diff` shows them. */
function difference(wanted, got) {
  fs.writeFileSync(path.join(folder, "wanted"), wanted);
  return spawnSync("diff", ["-U0", path.join(folder, "wanted"), "-"], { input: got, encoding: "utf8" }).stdout;
}

async function type(browser, name, number) {
  const root = workspace(number);
  // `examples/webshop/values/dev.yml`: the repository is `examples/webshop`.
  const repositoryPath = name.startsWith("examples/") ? name.split("/").slice(0, 2).join("/") : "fleet";
  const opened = path.join(root, repositoryPath);
  fs.mkdirSync(path.join(opened, ".git"));
  const file = path.join(root, name);
  const wanted = fs.readFileSync(file, "utf8");
  fs.writeFileSync(file, "");

  const context = await browser.newContext({ viewport: { width: 1000, height: 700 } });
  const page = await context.newPage();
  let seed = number + 1;
  const delay = (pause) => {
    seed = (Math.imul(seed, 1103515245) + 12345) >>> 0;
    const share = ((seed >>> 16) % 1000) / 1000;
    return even ?? (full ? 30 + share * 170 : pause ? (share < 0.5 ? 30 : 200) : 30 + share * 20);
  };
  const press = async (key, pause) => {
    await page.keyboard.press(key === " " ? "Space" : key);
    await page.waitForTimeout(delay(pause));
  };
  const cursor = async () => {
    const text = await page.locator("#status\\.editor\\.selection").innerText();
    const [, line, column] = /Ln (\d+), Col (\d+)/.exec(text) ?? [];
    return { line: Number(line), column: Number(column) };
  };
  const arrival = async (condition, where) => {
    if (!(await until(condition, 60000))) {
      throw new Error(`the cursor does not get to ${where}: ${JSON.stringify(await cursor())}`);
    }
  };
  try {
    await page.goto(`${address}/?folder=${encodeURIComponent(opened)}`, patience);
    await page.waitForSelector(".explorer-folders-view .monaco-list-row", patience);
    await page.keyboard.press("Control+P");
    await page.waitForSelector(".quick-input-widget .monaco-inputbox input", patience);
    const within = path.relative(opened, file);
    await page.keyboard.type(within);
    await page.locator(".quick-input-list .monaco-list-row", { hasText: path.basename(within) }).first().waitFor(patience);
    await page.keyboard.press("Enter");
    await page.waitForSelector(".editor-group-container .monaco-editor .view-lines", patience);
    if (!(await until(() => fs.existsSync(`${opened}.ready`), 120000))) {
      throw new Error("the extension was not activated");
    }
    await page.locator(".editor-group-container .monaco-editor .view-lines").first().click();
    await page.evaluate(() => {
      window.lists = 0;
      new MutationObserver((changes) => {
        for (const { target, oldValue } of changes) {
          const shown = target.classList.contains("suggest-widget") && target.classList.contains("visible");
          window.lists += shown && !/\bvisible\b/.test(oldValue ?? "") ? 1 : 0;
        }
      }).observe(document.body, { subtree: true, attributes: true, attributeFilter: ["class"], attributeOldValue: true });
    });

    const lines = wanted.split("\n");
    /** The text in the line of the cursor, left and right of it. */
    const written = async () => {
      const { column } = await cursor();
      const text = await page.evaluate(() => {
        const editor = document.querySelector(".editor-group-container.active .editor-instance .monaco-editor");
        const top = editor?.querySelector(".line-numbers.active-line-number")?.parentElement?.style.top;
        const line = [...(editor?.querySelectorAll(".view-line") ?? [])].find((each) => each.style.top === top);
        return (line?.textContent ?? "").replaceAll("\u00a0", " ");
      });
      return { left: text.slice(0, column - 1), right: text.slice(column - 1) };
    };
    /**
     * Takes a word from the list. Answers with what is left to be typed of this line, or with how much the editor wrote of
     * the next one; undefined when the word is not there.
     */
    const take = async (word, index) => {
      const rows = page.locator(".suggest-widget.visible .monaco-list-row");
      const there = await until(async () => (await rows.count()) > 0, 1000);
      const names = there ? await rows.locator(".label-name").allInnerTexts() : [];
      const at = names.findIndex((name) => name.replaceAll("\u00a0", " ") === word);
      if (at === -1) {
        return undefined;
      }
      const focused = await rows.evaluateAll((all) => all.findIndex((row) => row.classList.contains("focused")));
      for (let step = focused; step < at; step++) {
        await press("ArrowDown");
      }
      const before = await written();
      await press("Tab");
      if (!(await until(async () => (await written()).left !== before.left, 5000))) {
        return undefined;
      }
      taken++;
      const [line, next] = [lines[index], lines[index + 1] ?? ""];
      const settled = async (test) => until(async () => test(await cursor(), await written()), 2000);
      if (await settled((at, { left, right }) => at.line === index + 1 && line.startsWith(left) && left.includes(word) && right === "")) {
        return { rest: line.slice((await written()).left.length) };
      }
      if (await settled((at, { left, right }) => at.line === index + 2 && /:$/.test(line) && next.startsWith(left) && right === "")) {
        return { next: (await written()).left.length };
      }
      // It came with more than is in the file: taken back.
      for (let tries = 0; tries < 4 && (await written()).left !== before.left; tries++) {
        await press("Escape");
        await press("Control+Z");
        await page.waitForTimeout(200);
      }
      return undefined;
    };
    let words = 0;
    let begun = 0;
    for (const [index, line] of lines.entries()) {
      let entered = false;
      // VS Code leaves the indentation of the last line; a person takes it away.
      if (line !== "" || index === lines.length - 1) {
        const indent = Math.max(/^ */.exec(line)[0].length, begun);
        // The status bar follows the cursor a moment later; who went by what it says about the line above would delete
        // that.
        await arrival(async () => (await cursor()).line === index + 1, `line ${index + 1}`);
        for (let { column } = await cursor(); column - 1 !== indent; ) {
          await press(column - 1 > indent ? "Backspace" : " ");
          const before = column;
          await arrival(async () => ({ column } = await cursor()).column !== before, `a column other than ${before}`);
        }
        let rest = line.slice(indent);
        let typed = "";
        while (rest !== "") {
          const key = [...rest][0];
          rest = rest.slice(key.length);
          await press(key, rest === "" || ": -".includes(key));
          typed = /[\w./-]/.test(key) ? typed + key : "";
          const behind = /^[\w./-]*/.exec(rest)[0];
          if (accepts && typed.length === 2 && behind !== "" && words++ % 3 === 2) {
            const found = await take(typed + behind, index);
            typed = "";
            rest = found?.rest ?? (found === undefined ? rest : "");
            entered = found?.next !== undefined;
            begun = found?.next ?? 0;
          }
        }
      }
      if (!entered) {
        begun = 0;
      }
      if (index < lines.length - 1 && !entered) {
        if (MISSPELT.test(line)) {
          await press("Escape");
        }
        await press("Enter", true);
      }
    }
    await page.waitForTimeout(300);
    const lists = await page.evaluate(() => window.lists);
    await page.screenshot({ path: path.join(pictures, `typed-${number}.png`) });
    await page.keyboard.press("Escape");
    await page.keyboard.press("Control+S");
    // Saved in one piece.
    await until(() => fs.statSync(file).size > 0, 60000);
    const got = fs.readFileSync(file, "utf8");
    shown += lists;
    check(`typed: ${name} (${lists} lists shown)`, got === wanted, difference(wanted, got));
  } catch (error) {
    await page.screenshot({ path: path.join(pictures, `typed-${number}.png`) });
    check(`typed: ${name}`, false, String(error));
  } finally {
    await context.close();
  }
}

async function main() {
  fs.mkdirSync(pictures, { recursive: true });
  const only = process.env.LOFTING_TYPING_ONLY ?? "";
  const names = fs.readFileSync(path.join(repository, "editors/typing/texts.txt"), "utf8").split("\n").filter((name) => name !== "" && name.includes(only));
  const browser = await launch();
  try {
    const waiting = [...names.entries()];
    const window = async () => {
      for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
        await type(browser, next[1], next[0]);
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, window));
    check("completion lists were shown", shown > 0 || control, `${shown} lists`);
    if (accepts) {
      check(`words were taken from them (${taken})`, taken > 0);
    }
  } finally {
    await browser.close();
  }
}

main()
  .catch((error) => check("the test runs", false, String(error)))
  .finally(() => {
    console.log(`${passed} passed, ${failed} failed`);
    process.exit(failed === 0 ? 0 : 1);
  });

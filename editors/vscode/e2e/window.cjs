// A window of VS Code as a user has it: keys, mouse and palette. Everything waits for what the window shows, never for time.
const fs = require("node:fs");
const path = require("node:path");

/** How long something may take that surely comes. */
const PATIENCE = 60000;

class Window {
  /** `folder` is what the window has open, `pictures` where its pictures go. */
  constructor(page, folder, pictures) {
    Object.assign(this, { page, folder, pictures });
    page.setDefaultTimeout(PATIENCE);
  }

  /** Opens the folder; whatever was open before is gone. */
  async start(address) {
    await this.page.goto(`${address}/?folder=${encodeURIComponent(this.folder)}`);
    await this.page.waitForSelector(".explorer-folders-view .monaco-list-row");
  }

  async picture(name) {
    await this.page.screenshot({ path: path.join(this.pictures, `${name}.png`) });
  }

  async press(...keys) {
    for (const key of keys) {
      await this.page.keyboard.press(key);
    }
  }

  /** With the pace of a quick typist: of keys that come all at once an editor makes something else. */
  async type(text) {
    await this.page.keyboard.type(text, { delay: 30 });
  }

  /** Waits until something holds that is looked at from here; false when it does not come. */
  async until(condition, patience = PATIENCE) {
    for (const end = Date.now() + patience; !(await condition()); ) {
      if (Date.now() > end) {
        return false;
      }
      await this.page.evaluate(() => new Promise(requestAnimationFrame));
    }
    return true;
  }

  /** What is on disk. */
  read(file) {
    return fs.readFileSync(path.join(this.folder, file), "utf8");
  }

  /** Waits until a file on disk says something; answers its text. */
  async saved(file, text) {
    await this.until(() => this.read(file).includes(text), 20000);
    return this.read(file);
  }

  /** Types into the box at the top, and takes the row that has the text. */
  async pick(keys, typed, row) {
    await this.press(keys);
    await this.page.waitForSelector(".quick-input-widget:visible .monaco-inputbox input");
    await this.type(typed);
    // Enter takes the row in focus, which for a moment is still one of the list before.
    await this.page.locator(".quick-input-widget:visible .monaco-list-row.focused", { hasText: row }).waitFor();
    await this.press("Enter");
  }

  row(text) {
    return this.page.locator(".quick-input-widget:visible .monaco-list-row", { hasText: text }).first();
  }

  /** The row with exactly this name: a list begins with what was used last, which may have a longer one. */
  named(name) {
    const label = this.page.locator(".monaco-highlighted-label", { hasText: new RegExp(`^${name.replace(/[^\w\s]/g, "\\$&")}$`) });
    return this.page.locator(".quick-input-widget:visible .monaco-list-row").filter({ has: label }).first();
  }

  /** Runs a command by its title in the palette, false when it is not offered. */
  async command(title) {
    await this.press("F1");
    await this.page.waitForSelector(".quick-input-widget:visible .monaco-inputbox input");
    await this.type(title);
    const row = this.named(title);
    const offered = await row.waitFor({ timeout: 10000 }).then(() => true, () => false);
    await (offered ? row.click() : this.press("Escape"));
    return offered;
  }

  /** Opens a file and puts the cursor into it: before `text`, or `offset` characters after its beginning. */
  async open(file, text, offset = 0) {
    let place = "";
    if (text !== undefined) {
      const all = this.read(file);
      const at = all.indexOf(text) + offset;
      if (at < offset) {
        throw new Error(`${file} has no "${text}"`);
      }
      const lines = all.slice(0, at).split("\n");
      place = `:${lines.length}:${lines.at(-1).length + 1}`;
    }
    await this.pick("Control+P", file, path.basename(file));
    await this.active(file);
    if (place !== "") {
      await this.pick("Control+G", place.slice(1), "Press 'Enter'");
      const [, line, column] = place.split(":");
      await this.cursor(`Ln ${line}, Col ${column}`);
    }
  }

  /** Waits until a file is in front. */
  async active(file) {
    await this.page.locator(".editor-group-container.active .tab.active", { hasText: path.basename(file) }).waitFor();
    await this.editor().locator(".view-line").first().waitFor();
  }

  /** Waits until the status bar says where the cursor is. */
  async cursor(text) {
    await this.page.locator("#status\\.editor\\.selection", { hasText: text }).waitFor();
  }

  /** The editor in front, or in a group counted from 0. */
  editor(group) {
    const groups = this.page.locator(group === undefined ? ".editor-group-container.active" : ".editor-group-container");
    return groups.nth(group ?? 0).locator(".editor-instance .monaco-editor").first();
  }

  /** The lines that an editor shows, from the top. */
  async lines(group) {
    const lines = await this.editor(group).locator(".view-lines").first().evaluate((all) =>
      [...all.querySelectorAll(".view-line")]
        .map((line) => [parseFloat(line.style.top), line.textContent])
        .sort((a, b) => a[0] - b[0])
        .map(([, text]) => text.replaceAll("\u00a0", " ")));
    return lines;
  }

  /** Waits for a line with the text. */
  async shows(text, group) {
    return this.until(async () => (await this.lines(group)).some((line) => line.includes(text)), 30000);
  }

  async withoutLine(text, group) {
    return this.until(async () => !(await this.lines(group)).some((line) => line.includes(text)), 30000);
  }

  /** The place of a word in a line of an editor, for the mouse. */
  async point(line, word, group) {
    return this.editor(group).locator(".view-line", { hasText: line }).first().evaluate((element, wanted) => {
      const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
      const text = element.textContent.replaceAll("\u00a0", " ");
      let at = text.indexOf(wanted) + Math.floor(wanted.length / 2);
      for (let node = walker.nextNode(); node; node = walker.nextNode()) {
        if (at < node.data.length) {
          const range = document.createRange();
          range.setStart(node, at);
          range.setEnd(node, at + 1);
          const box = range.getBoundingClientRect();
          return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
        }
        at -= node.data.length;
      }
    }, word);
  }

  async click(line, word, group, modifier) {
    const { x, y } = await this.point(line, word, group);
    if (modifier) await this.page.keyboard.down(modifier);
    await this.page.mouse.move(x, y);
    await this.page.mouse.click(x, y);
    if (modifier) await this.page.keyboard.up(modifier);
  }

  /** The hover below the mouse at a word. */
  async hover(line, word) {
    const { x, y } = await this.point(line, word);
    await this.page.mouse.move(x, y);
    const hover = this.page.locator(".monaco-hover:visible .hover-contents");
    await hover.first().waitFor();
    return hover;
  }

  /** Takes back whatever was not saved in the file in front. */
  async revert() {
    await this.command("File: Revert File");
    await this.page.locator(".editor-group-container.active .tab.active:not(.dirty)").waitFor();
  }

  async closeAll() {
    await this.command("View: Close All Editors");
    await this.until(async () => (await this.page.locator(".tab").count()) === 0);
  }
}

exports.Window = Window;
exports.PATIENCE = PATIENCE;

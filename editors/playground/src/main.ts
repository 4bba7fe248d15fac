// The page.
import { startCompletion } from "@codemirror/autocomplete";
import { type Diagnostic, setDiagnostics } from "@codemirror/lint";
import { EditorView } from "@codemirror/view";
import examples from "examples";
import type { Action, Finding } from "../../browser/answers";
import { Engine, NoAnswer, type WorkerLike } from "../../browser/engine";
import { listOf } from "./completing";
import { type OpenFile, offsetOf, positionOf } from "./files";
import { shown } from "./markdown";
import { menu } from "./menu";
import { list, type Problem } from "./problems";
import { type Answers, stateOf } from "./setup";
import { CannotShare, problemOfName, read, type Shared, written } from "./share";
import { Tabs } from "./tabs";

/** How long after a key the text is checked, in milliseconds. */
const PAUSE = 120;
/** How long after a key the line of the cursor counts as unfinished: what is found in it is shown later. */
const REST = 2_000;
/** So many fixes are offered beside a finding. */
const MOST_FIXES = 3;

const part = <T extends HTMLElement>(id: string): T => document.getElementById(id) as T;

/** A page may start only the script of its own worker. */
const policy = (globalThis as { trustedTypes?: { createPolicy(name: string, rules: object): { createScriptURL(url: string): unknown } } })
  .trustedTypes?.createPolicy("lofting", { createScriptURL: (url: string) => (url === "worker.js" ? url : "") });

async function compiled(): Promise<WebAssembly.Module> {
  const response = await fetch("lofting.wasm");
  if (!response.ok) {
    throw new Error(`lofting.wasm: ${response.status}`);
  }
  // Servers that do not know the type of the file are common.
  return response.headers.get("content-type")?.startsWith("application/wasm")
    ? WebAssembly.compileStreaming(response)
    : WebAssembly.compile(await response.arrayBuffer());
}

class Page {
  private files: OpenFile[] = [];
  private front!: OpenFile;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private round = 0;
  /** When a key changed the text last. */
  private typed = -REST;
  private readonly view: EditorView;
  private readonly tabs: Tabs;

  constructor(private readonly engine: Promise<Engine>) {
    this.view = new EditorView({ parent: part("editor") });
    this.tabs = new Tabs(part("tabs"), (name) => this.bring(name), (name) => this.close(name));
  }

  /** Shows these files in place of those that are there. */
  async show({ files, show }: Shared): Promise<void> {
    const gone = this.files.filter((file) => file.given !== undefined);
    this.files = files.map(([name, text]) => this.made(name, text));
    this.front = this.files.find((file) => file.name === show) ?? this.files[0];
    this.view.setState(this.front.state);
    this.drawTabs();
    this.drawProblems([]);
    const engine = await this.engine;
    const kept = new Set(this.files.map((file) => file.name));
    for (const file of gone.filter((file) => !kept.has(file.name))) {
      await forget(engine, file.name);
    }
    await this.check();
  }

  private made(name: string, text: string): OpenFile {
    const state = stateOf(name, text, this.answers(name));
    return { name, state, given: undefined, findings: [], needsCode: false, isTooMuch: false };
  }

  private file(name: string): OpenFile | undefined {
    return this.files.find((file) => file.name === name);
  }

  private answers(name: string): Answers {
    return {
      completion: async (context) => {
        const engine = await this.given();
        const text = context.state.doc;
        const at = positionOf(text, context.pos);
        const options = { unasked: !context.explicit, snippets: false };
        const choices = await answered(engine.completion(name, at, options));
        const describe = async (label: string): Promise<Node | null> => {
          const described = await answered(engine.documentation(name, at, label, false));
          return described == null ? null : this.hovered(described);
        };
        return choices === undefined ? null : listOf(choices, text, context.pos, context.explicit, describe);
      },
      hover: async (view, offset) => {
        const engine = await this.given();
        const text = view.state.doc;
        const found = await answered(engine.hover(name, positionOf(text, offset)));
        if (found == null) {
          return null;
        }
        const create = (): { dom: HTMLElement } => ({ dom: this.hovered(found.markdown) });
        return { pos: offsetOf(text, found.range.start), end: offsetOf(text, found.range.end), create };
      },
      keys: [
        { key: "F12", run: () => this.follow(this.view.state.selection.main.head) },
        { key: "Mod-.", run: () => this.offer() },
        { key: "Shift-Alt-f", run: () => this.format() },
        { key: "Mod-i", run: startCompletion },
      ],
      changed: (typed) => {
        this.typed = typed ? performance.now() : -REST;
        clearTimeout(this.timer);
        this.timer = setTimeout(() => void this.check(), PAUSE);
      },
      clicked: (event, view) => {
        const at = event.ctrlKey || event.metaKey ? view.posAtCoords(event) : null;
        return at !== null && event.button === 0 && this.follow(at);
      },
    };
  }

  /** The engine, which has got the texts as they are now. */
  private async given(): Promise<Engine> {
    const engine = await this.engine;
    this.front.state = this.view.state;
    const added = this.files.filter((file) => file.given === undefined);
    if (added.length > 0) {
      // Folders are listed as they are on the disk.
      void answered(engine.put(added.map(({ name, state }) => ({ file: name, text: state.doc.toString() }))));
    }
    for (const file of this.files) {
      const text = file.state.doc;
      if (file.given === undefined || !file.given.eq(text)) {
        file.given = text;
        void answered(engine.open(file.name, text.toString()));
      }
    }
    return engine;
  }

  /** Looks for findings in all files, those of the file in front first, and shows them unless a later round has begun. */
  private async check(): Promise<void> {
    clearTimeout(this.timer);
    const round = ++this.round;
    const engine = await this.given();
    const problems: Problem[] = [];
    for (const file of [this.front, ...this.files.filter((file) => file !== this.front)]) {
      const text = file.state.doc;
      const found = await answered(engine.findings(file.name));
      if (round !== this.round) {
        return;
      }
      file.isTooMuch = engine.isSpoiled(file.name);
      file.findings = file === this.front ? this.finished(found?.findings ?? []) : (found?.findings ?? []);
      file.needsCode = found?.needsCode ?? false;
      problems.push(...file.findings.map((finding) => ({ file: file.name, finding, fixes: [] })));
      if (file === this.front && this.view.state.doc.eq(text)) {
        this.underline(problems);
        this.drawProblems(problems);
        performance.mark("lofting:findings");
      }
    }
    this.drawTabs();
    await this.explain(engine, round);
    await this.addFixes(engine, round, problems);
  }

  /** The findings without those of a line that is being typed; these are looked for again when no key comes. */
  private finished(findings: Finding[]): Finding[] {
    const left = this.typed + REST - performance.now();
    const { line } = positionOf(this.view.state.doc, this.view.state.selection.main.head);
    const finished = left <= 0 ? findings : findings.filter(({ range }) => range.start.line !== line);
    if (finished.length < findings.length) {
      clearTimeout(this.timer);
      this.timer = setTimeout(() => void this.check(), left);
    }
    return finished;
  }

  private async explain(engine: Engine, round: number): Promise<void> {
    const status = await answered(engine.status(this.front.name));
    if (round !== this.round || status === undefined) {
      return;
    }
    const line = part("status");
    const schemas = [...status.schemas, ...status.names];
    line.textContent = schemas.length === 0 ? status.reason : `Schema: ${schemas.join(", ")}. ${status.reason}`;
    line.title = status.reason;
  }

  /** Fixes are asked for after all findings are shown. */
  private async addFixes(engine: Engine, round: number, problems: Problem[]): Promise<void> {
    const asked = new Map<string, Action[]>();
    for (const problem of problems.slice(0, 100)) {
      const { file, finding } = problem;
      const place = JSON.stringify([file, finding.range]);
      const actions = asked.get(place) ?? (await answered(engine.actions(file, finding.range))) ?? [];
      if (round !== this.round) {
        return;
      }
      asked.set(place, actions);
      problem.fixes = actions.filter((action) => fixes(action, finding)).slice(0, MOST_FIXES);
    }
    this.underline(problems);
    this.drawProblems(problems);
  }

  private underline(problems: Problem[]): void {
    const text = this.view.state.doc;
    const marks = problems.filter(({ file }) => file === this.front.name).map(({ finding, fixes }): Diagnostic => {
      const from = offsetOf(text, finding.range.start);
      return {
        from,
        to: Math.max(from, offsetOf(text, finding.range.end)),
        severity: finding.severity,
        message: finding.message,
        source: finding.code,
        actions: fixes.map((action) => ({ name: action.title, apply: () => this.apply(action) })),
      };
    });
    this.view.dispatch(setDiagnostics(this.view.state, marks));
  }

  private drawProblems(problems: Problem[]): void {
    list(problems, part("problems"), ({ file, finding }) => this.go(file, finding.range), (action) => this.apply(action));
    const errors = problems.length;
    part("problems-title").textContent = errors === 0 ? "Problems" : `Problems (${errors})`;
    const note = part("note");
    const tooMuch = this.files.filter((file) => file.isTooMuch).map((file) => file.name);
    note.textContent = tooMuch.length > 0
      ? `${tooMuch.join(", ")}: this text is too much for a browser, and is not checked.`
      : "Code of templates does not run in a browser: what only code can tell is left out.";
    note.hidden = tooMuch.length === 0 && !this.files.some((file) => file.needsCode);
  }

  private drawTabs(): void {
    const count = (findings: Finding[], severity: string): number =>
      findings.filter((finding) => finding.severity === severity).length;
    this.tabs.draw(
      this.files.map(({ name, findings }) => ({
        name, errors: count(findings, "error"), warnings: count(findings, "warning"),
      })),
      this.front.name,
    );
  }

  /** Brings a file to the front. */
  private bring(name: string): void {
    const file = this.file(name);
    if (file === undefined || file === this.front) {
      return;
    }
    this.front.state = this.view.state;
    this.front = file;
    this.view.setState(file.state);
    this.drawTabs();
    void this.check();
  }

  private go(name: string, range: Finding["range"]): void {
    this.bring(name);
    const text = this.view.state.doc;
    const [anchor, head] = [offsetOf(text, range.start), offsetOf(text, range.end)];
    this.view.dispatch({ selection: { anchor, head }, effects: EditorView.scrollIntoView(anchor, { y: "center" }) });
    this.view.focus();
  }

  private hovered(markdown: string): HTMLElement {
    const whole = shown(markdown, document, (file, line) => {
      const place = { line, character: 0 };
      if (this.file(file) !== undefined) {
        this.go(file, { start: place, end: place });
      }
    });
    whole.className = "hovered";
    return whole;
  }

  private follow(offset: number): boolean {
    const name = this.front.name;
    const at = positionOf(this.view.state.doc, offset);
    void this.given().then(async (engine) => {
      const [place] = (await answered(engine.definition(name, at))) ?? [];
      if (place !== undefined && this.file(place.file) !== undefined) {
        this.go(place.file, place.range);
      }
    });
    return true;
  }

  /** A menu of what can be done at the cursor. */
  offer(): boolean {
    const { main } = this.view.state.selection;
    const text = this.view.state.doc;
    const range = { start: positionOf(text, main.from), end: positionOf(text, main.to) };
    const name = this.front.name;
    void this.given().then(async (engine) => {
      const actions = (await answered(engine.actions(name, range))) ?? [];
      const place = this.view.coordsAtPos(main.head) ?? this.view.dom.getBoundingClientRect();
      if (actions.length === 0) {
        tell("There is nothing to fix or to change here.");
        return;
      }
      const entries = actions.map((action) => ({ title: action.title, choose: () => this.apply(action) }));
      menu(place, entries, () => this.view.focus());
    });
    return true;
  }

  format(): boolean {
    const name = this.front.name;
    const text = this.view.state.doc;
    void this.given().then(async (engine) => {
      const edits = (await answered(engine.format(name))) ?? [];
      if (this.front.name !== name || !this.view.state.doc.eq(text)) {
        return;
      }
      this.view.dispatch({
        changes: edits.map(({ range, text: insert }) => ({
          from: offsetOf(text, range.start), to: offsetOf(text, range.end), insert,
        })),
      });
      tell(edits.length === 0 ? "It is formatted already." : "Formatted.");
    });
    return true;
  }

  /** Applies an action, unless a text that it is about has changed. */
  private apply(action: Action): void {
    this.front.state = this.view.state;
    const names = new Set(action.edits.map((edit) => edit.file));
    const changed = [...names].some((name) => {
      const file = this.file(name);
      return file === undefined || file.given === undefined || !file.given.eq(file.state.doc);
    });
    const taken = action.newFiles.some(({ file }) => this.file(file) !== undefined || problemOfName(file) !== undefined);
    if (changed || taken) {
      tell("The text has changed meanwhile.");
      return;
    }
    for (const name of names) {
      const file = this.file(name)!;
      const text = file.state.doc;
      const changes = action.edits.filter((edit) => edit.file === name).map((edit) => ({
        from: offsetOf(text, edit.range.start), to: offsetOf(text, edit.range.end), insert: edit.text,
      }));
      if (file === this.front) {
        this.view.dispatch({ changes });
      } else {
        file.state = file.state.update({ changes }).state;
      }
    }
    this.files.push(...action.newFiles.map(({ file, text }) => this.made(file, text)));
    void this.check();
  }

  /** A new file, if its name can be used; else why it cannot. */
  add(name: string): string | undefined {
    const problem = this.file(name) === undefined ? problemOfName(name) : "There is such a file already.";
    if (problem === undefined) {
      this.files.push(this.made(name, ""));
      this.bring(name);
      this.view.focus();
    }
    return problem;
  }

  private close(name: string): void {
    const file = this.file(name);
    if (file === undefined || this.files.length === 1) {
      tell("The last file stays.");
      return;
    }
    const at = this.files.indexOf(file);
    this.files.splice(at, 1);
    if (file.given !== undefined) {
      void this.engine.then((engine) => forget(engine, name)).then(() => this.check());
    }
    if (file === this.front) {
      this.front = this.files[Math.min(at, this.files.length - 1)];
      this.view.setState(this.front.state);
    }
    this.drawTabs();
  }

  shared(): Shared {
    this.front.state = this.view.state;
    return { files: this.files.map(({ name, state }) => [name, state.doc.toString()]), show: this.front.name };
  }
}

function fixes(action: Action, finding: Finding): boolean {
  return action.kind === "quickfix" && action.code === finding.code && JSON.stringify(action.range) === JSON.stringify(finding.range)
    && !action.title.startsWith("Ignore");
}

/** An answer, or undefined if there is none: the next round asks again. */
async function answered<T>(answer: Promise<T>): Promise<T | undefined> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof NoAnswer) {
      return undefined;
    }
    throw error;
  }
}

async function forget(engine: Engine, name: string): Promise<void> {
  await answered(engine.close(name));
  await answered(engine.remove([name]));
}

let toast: ReturnType<typeof setTimeout> | undefined;

function tell(words: string): void {
  const place = part("toast");
  place.textContent = words;
  place.classList.add("shown");
  clearTimeout(toast);
  toast = setTimeout(() => place.classList.remove("shown"), 4000);
}

/** What the address asks for; the first example if it asks for nothing that there is. */
async function wanted(): Promise<Shared> {
  const fragment = location.hash.slice(1);
  const example = examples.find(({ name }) => fragment === `example=${name}`);
  if (example === undefined && fragment !== "") {
    try {
      const shared = await read(fragment);
      if (shared !== undefined) {
        return shared;
      }
    } catch (error) {
      tell(error instanceof CannotShare ? error.message : "This link cannot be read.");
    }
  }
  const { name, files, show } = example ?? examples[0];
  part<HTMLSelectElement>("examples").value = name;
  return { files, show };
}

function start(): void {
  const worker = (): WorkerLike => new Worker((policy?.createScriptURL("worker.js") ?? "worker.js") as string) as unknown as WorkerLike;
  // The first one starts while the module is fetched.
  let first: WorkerLike | undefined = worker();
  const next = (): WorkerLike => {
    const started = first ?? worker();
    first = undefined;
    return started;
  };
  const engine = compiled().then((module) => new Engine(module, next));
  engine.catch((error: unknown) => {
    part("note").hidden = false;
    part("note").textContent = `The checks could not be loaded: ${error instanceof Error ? error.message : String(error)}`;
  });
  const page = new Page(engine);
  const choice = part<HTMLSelectElement>("examples");
  choice.append(...examples.map(({ name, title }) => new Option(title, name)));
  choice.addEventListener("change", () => {
    location.hash = `example=${choice.value}`;
  });
  addEventListener("hashchange", () => void wanted().then((files) => page.show(files)));
  part("format").addEventListener("click", () => page.format());
  part("actions").addEventListener("click", () => page.offer());
  part("share").addEventListener("click", () => void share(page));
  part("theme").addEventListener("click", changeTheme);
  const naming = part<HTMLDialogElement>("naming");
  const name = part<HTMLInputElement>("name");
  part("new").addEventListener("click", () => {
    name.value = "";
    part("naming-problem").textContent = "";
    naming.showModal();
  });
  part("create").addEventListener("click", (event) => {
    const problem = page.add(name.value.trim());
    if (problem !== undefined) {
      event.preventDefault();
      part("naming-problem").textContent = problem;
    }
  });
  void wanted().then((files) => page.show(files));
}

async function share(page: Page): Promise<void> {
  try {
    const fragment = await written(page.shared());
    history.replaceState(null, "", `#${fragment}`);
    await navigator.clipboard.writeText(location.href);
    tell("The link is copied. It has all files in it; no server gets them.");
  } catch (error) {
    tell(error instanceof CannotShare ? error.message : "The link is in the address bar.");
  }
}

function changeTheme(): void {
  const root = document.documentElement;
  const now = root.dataset.theme ?? (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light");
  root.dataset.theme = now === "dark" ? "light" : "dark";
}

start();

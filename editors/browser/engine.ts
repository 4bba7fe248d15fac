// Asks the worker, and replaces it when it stops. Knows no editor.

import type { Action, Choices, Edit, Findings, Hover, OutlineEntry, Place, Position, Range, Status } from "./answers";

/** What a page says to its worker: first the module, then questions. */
export type ToWorker = { module: WebAssembly.Module } | { id: number; question: object };

/** What the worker says. `stopped`: it can answer nothing more. */
export type FromWorker = { ready: true } | { id: number; answer: string } | { id: number; stopped: string };

/** The part of a worker that is used. */
export interface WorkerLike {
  postMessage(message: ToWorker): void;
  terminate(): void;
  onmessage: ((event: { data: FromWorker }) => void) | null;
  onerror: ((event: { message: string }) => void) | null;
}

/** How long a question may take, in milliseconds. */
const PATIENCE = 20_000;

/** A worker that stops so often in a row, without one answer, is not replaced. */
const ATTEMPTS = 3;

/** There is no answer: the question was refused, or the worker stopped. */
export class NoAnswer extends Error {}

interface Waiting {
  id: number;
  question: object;
  file: string | undefined;
  resolve(answer: unknown): void;
  reject(why: Error): void;
}

export class Engine {
  private worker: WorkerLike | undefined;
  private readonly queue: Waiting[] = [];
  private asked: Waiting | undefined;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private count = 0;
  private failures = 0;
  private settings: object | undefined;
  private readonly disk = new Map<string, string>();
  private readonly opened = new Map<string, string>();
  /** Texts that stopped a worker, by file. They are not given to the next one. */
  private readonly spoiled = new Map<string, string>();

  constructor(
    private readonly module: WebAssembly.Module,
    private readonly start: () => WorkerLike,
    private readonly patience = PATIENCE,
  ) {
    this.begin();
  }

  dispose(): void {
    this.end("it was closed");
  }

  /** True if this text of the file stopped a worker, so that nothing is known about it. */
  isSpoiled(file: string): boolean {
    return this.spoiled.get(file) !== undefined && this.spoiled.get(file) === this.opened.get(file);
  }

  setSettings(settings: { otherYaml: boolean; builtInSchemas: boolean }): Promise<unknown> {
    this.settings = { ask: "settings", ...settings };
    return this.ask(this.settings, undefined);
  }

  /** Files of the workspace, whether or not they are open. Returns those that were refused. */
  put(files: { file: string; text: string }[]): Promise<string[]> {
    for (const { file, text } of files) {
      this.disk.set(file, text);
    }
    return this.ask({ ask: "put", files }, undefined) as Promise<string[]>;
  }

  remove(files: string[]): Promise<unknown> {
    files.forEach((file) => this.disk.delete(file));
    return this.ask({ ask: "remove", files }, undefined);
  }

  /** The text of a file in an editor. */
  open(file: string, text: string): Promise<unknown> {
    this.opened.set(file, text);
    return this.isSpoiled(file) ? Promise.resolve(null) : this.ask({ ask: "open", file, text }, file);
  }

  close(file: string): Promise<unknown> {
    this.opened.delete(file);
    this.spoiled.delete(file);
    return this.ask({ ask: "close", file }, file);
  }

  version(): Promise<string> {
    return this.ask({ ask: "version" }, undefined) as Promise<string>;
  }

  findings(file: string): Promise<Findings> {
    return this.about(file, { ask: "findings", file }) as Promise<Findings>;
  }

  completion(file: string, position: Position, options: { unasked: boolean; snippets: boolean }): Promise<Choices> {
    return this.about(file, { ask: "completion", file, position, ...options }) as Promise<Choices>;
  }

  documentation(file: string, position: Position, label: string, snippets: boolean): Promise<string | null> {
    return this.about(file, { ask: "documentation", file, position, label, snippets }) as Promise<string | null>;
  }

  hover(file: string, position: Position): Promise<Hover | null> {
    return this.about(file, { ask: "hover", file, position }) as Promise<Hover | null>;
  }

  definition(file: string, position: Position): Promise<Place[]> {
    return this.about(file, { ask: "definition", file, position }) as Promise<Place[]>;
  }

  format(file: string): Promise<Edit[]> {
    return this.about(file, { ask: "format", file }) as Promise<Edit[]>;
  }

  actions(file: string, range: Range): Promise<Action[]> {
    return this.about(file, { ask: "actions", file, range }) as Promise<Action[]>;
  }

  status(file: string): Promise<Status> {
    return this.about(file, { ask: "status", file }) as Promise<Status>;
  }

  outline(file: string): Promise<OutlineEntry[]> {
    return this.about(file, { ask: "outline", file }) as Promise<OutlineEntry[]>;
  }

  private about(file: string, question: object): Promise<unknown> {
    if (this.isSpoiled(file)) {
      return Promise.reject(new NoAnswer("this text is too much for a browser"));
    }
    return this.ask(question, file);
  }

  private ask(question: object, file: string | undefined): Promise<unknown> {
    return new Promise((resolve, reject) => {
      if (this.worker === undefined) {
        reject(new NoAnswer("the checks do not run"));
        return;
      }
      this.queue.push({ id: ++this.count, question, file, resolve, reject });
      this.next();
    });
  }

  private next(): void {
    if (this.asked !== undefined || this.worker === undefined) {
      return;
    }
    const waiting = this.queue.shift();
    if (waiting === undefined) {
      return;
    }
    this.asked = waiting;
    this.timer = setTimeout(() => this.replace("it took too long"), this.patience);
    this.worker.postMessage({ id: waiting.id, question: waiting.question });
  }

  private begin(): void {
    const worker = this.start();
    worker.onmessage = (event) => this.hear(event.data);
    worker.onerror = (event) => this.replace(event.message);
    worker.postMessage({ module: this.module });
    this.worker = worker;
  }

  private end(why: string): void {
    clearTimeout(this.timer);
    this.worker?.terminate();
    this.worker = undefined;
    this.asked?.reject(new NoAnswer(why));
    this.asked = undefined;
    this.queue.splice(0).forEach((waiting) => waiting.reject(new NoAnswer(why)));
  }

  private hear(said: FromWorker): void {
    const asked = this.asked;
    if ("ready" in said || asked === undefined || said.id !== asked.id) {
      return;
    }
    if ("stopped" in said) {
      this.replace(said.stopped);
      return;
    }
    clearTimeout(this.timer);
    this.asked = undefined;
    this.failures = 0;
    const answer = JSON.parse(said.answer) as { answer: unknown } | { refused: string };
    if ("refused" in answer) {
      asked.reject(new NoAnswer(answer.refused));
    } else {
      asked.resolve(answer.answer);
    }
    this.next();
  }

  /** A new worker in place of one that stopped. What it is to know is asked before what waits. */
  private replace(why: string): void {
    const asked = this.asked;
    if (asked === undefined || ++this.failures > ATTEMPTS) {
      this.end(why);
      return;
    }
    const text = asked.file === undefined ? undefined : this.opened.get(asked.file);
    if (asked.file !== undefined && text !== undefined) {
      this.spoiled.set(asked.file, text);
    } else {
      // Whatever file it was: only what is open is given to the next one.
      this.disk.clear();
    }
    this.asked = undefined;
    clearTimeout(this.timer);
    this.worker?.terminate();
    asked.reject(new NoAnswer(why));
    const waiting = this.queue.splice(0);
    const known: object[] = this.settings === undefined ? [] : [this.settings];
    if (this.disk.size > 0) {
      known.push({ ask: "put", files: [...this.disk].map(([file, text]) => ({ file, text })) });
    }
    for (const [file, text] of this.opened) {
      if (!this.isSpoiled(file)) {
        known.push({ ask: "open", file, text });
      }
    }
    for (const question of known) {
      const file = "file" in question ? String(question.file) : undefined;
      this.queue.push({ id: ++this.count, question, file, resolve: () => {}, reject: () => {} });
    }
    for (const each of waiting) {
      if (each.file !== undefined && this.isSpoiled(each.file)) {
        each.reject(new NoAnswer(why));
      } else {
        this.queue.push(each);
      }
    }
    this.begin();
    this.next();
  }
}

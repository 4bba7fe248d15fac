import assert from "node:assert/strict";
import { test } from "node:test";
import { Engine, type FromWorker, NoAnswer, type ToWorker, type WorkerLike } from "../../browser/engine";

/** Answers like a worker; a text with `trap` stops it, one with `loop` never comes to an end. */
class Double implements WorkerLike {
  static started = 0;
  onmessage: ((event: { data: FromWorker }) => void) | null = null;
  onerror: ((event: { message: string }) => void) | null = null;
  private readonly files = new Map<string, string>();
  private isOver = false;

  constructor() {
    Double.started += 1;
  }

  terminate(): void {
    this.isOver = true;
  }

  postMessage(message: ToWorker): void {
    setImmediate(() => {
      const said = "module" in message ? { ready: true as const } : this.answer(message);
      if (!this.isOver && said !== undefined) {
        this.onmessage?.({ data: said });
      }
    });
  }

  private answer({ id, question }: { id: number; question: object }): FromWorker | undefined {
    const { ask, file, text, files } = question as { ask: string; file?: string; text?: string; files?: { file: string; text: string }[] };
    for (const given of files ?? (text === undefined ? [] : [{ file: file ?? "", text }])) {
      if (given.text.includes("trap")) {
        return { id, stopped: "unreachable" };
      }
      if (given.text.includes("loop")) {
        return undefined;
      }
      this.files.set(given.file, given.text);
    }
    if (ask === "findings") {
      const known = this.files.get(file ?? "");
      return { id, answer: JSON.stringify(known === undefined ? { refused: `there is no file ${file}` } : { answer: [known] }) };
    }
    return { id, answer: JSON.stringify({ answer: null }) };
  }
}

const module = {} as WebAssembly.Module;
const engine = (patience?: number): Engine => new Engine(module, () => new Double(), patience);
const found = (engine: Engine, file: string): Promise<unknown> => engine.findings(file);

test("questions are answered in their order", async () => {
  const asked = engine();
  void asked.open("a", "1");
  const first = found(asked, "a");
  void asked.open("a", "2");
  assert.deepEqual([await first, await found(asked, "a")], [["1"], ["2"]]);
  await assert.rejects(found(asked, "b"), NoAnswer);
});

for (const [text, patience] of [["trap", undefined], ["loop", 1_000]] as const) {
  test(`a worker that a text stops (${text}) is replaced, and the other files are known to the next one`, async () => {
    Double.started = 0;
    const asked = engine(patience);
    await asked.setSettings({ otherYaml: true, builtInSchemas: true });
    await asked.put([{ file: "disk", text: "on disk" }]);
    await asked.open("a", "1");
    const opened = asked.open("b", text);
    const about = found(asked, "b");
    const other = found(asked, "a");
    await assert.rejects(opened, NoAnswer);
    await assert.rejects(about, NoAnswer);
    assert.deepEqual(await other, ["1"]);
    assert.deepEqual(await found(asked, "disk"), ["on disk"]);
    assert.equal(asked.isSpoiled("b"), true);
    await assert.rejects(found(asked, "b"), NoAnswer);
    await asked.open("b", "better");
    assert.deepEqual(await found(asked, "b"), ["better"]);
    assert.equal(Double.started, 2);
  });
}

test("files of a workspace that stop a worker are not given to the next one", async () => {
  const asked = engine();
  await asked.open("a", "1");
  await assert.rejects(asked.put([{ file: "b", text: "trap" }]), NoAnswer);
  assert.deepEqual(await found(asked, "a"), ["1"]);
});

test("a worker that cannot start is not started for ever", async () => {
  let started = 0;
  const asked = new Engine(module, () => {
    started += 1;
    const double = new Double();
    double.postMessage = () => setImmediate(() => double.onerror?.({ message: "no memory" }));
    return double;
  });
  await assert.rejects(asked.open("a", "1"), NoAnswer);
  await assert.rejects(asked.setSettings({ otherYaml: true, builtInSchemas: true }), NoAnswer);
  await assert.rejects(found(asked, "a"), NoAnswer);
  assert.ok(started < 6, String(started));
});

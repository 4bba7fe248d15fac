// Runs the checks in a web worker.

import { initSync, Lofting } from "../../target/wasm/lofting.js";
import type { FromWorker, ToWorker } from "./engine";

let lofting: Lofting | undefined;

const say = (message: FromWorker): void => (self as unknown as { postMessage(message: FromWorker): void }).postMessage(message);

self.onmessage = (event: MessageEvent<ToWorker>): void => {
  const told = event.data;
  if ("module" in told) {
    initSync({ module: told.module });
    lofting = new Lofting();
    say({ ready: true });
    return;
  }
  try {
    if (lofting === undefined) {
      throw new Error("it has not started");
    }
    say({ id: told.id, answer: lofting.answer(JSON.stringify(told.question)) });
  } catch (error) {
    // After a trap nothing in it can be relied on.
    lofting = undefined;
    say({ id: told.id, stopped: error instanceof Error ? error.message : String(error) });
  }
};

// Completion lists of the engine as those of the editor.
import { type Completion as Item, type CompletionResult, startCompletion } from "@codemirror/autocomplete";
import type { EditorView } from "@codemirror/view";
import type { Choices, Completion } from "../../browser/answers";
import { offsetOf } from "./files";
import type { Text } from "@codemirror/state";

/** The icons of the editor, by kinds of the engine. */
const ICONS: Record<string, string> = {
  key: "property", value: "constant", choice: "enum", constant: "constant", item: "interface", snippet: "text", alias: "variable",
  annotation: "function", keyword: "keyword", function: "function", variable: "variable", module: "namespace", file: "text",
  type: "type",
};

/** A list that was requested at a place in a text. */
export function listOf(
  choices: Choices, text: Text, place: number, explicit: boolean, describe: (label: string) => Promise<Node | null>,
): CompletionResult | null {
  if (choices.items.length === 0) {
    return null;
  }
  const from = offsetOf(text, choices.items[0].range.start);
  const options = choices.items.map((item, index): Item => ({
    label: item.filter,
    displayLabel: item.label,
    detail: item.detail ?? undefined,
    type: ICONS[item.kind] ?? "text",
    // The order is that of the engine, where letters do not decide.
    boost: Math.max(-99, 99 - index),
    info: () => describe(item.label),
    apply: (view, _, __, to) => insert(view, item, text, to - place),
  }));
  return { from, options, validFor: explicit ? undefined : /^[\w.@-]*$/ };
}

/** Inserts an item. `typed`: how many characters were typed since the list was requested. */
function insert(view: EditorView, item: Completion, text: Text, typed: number): void {
  const start = offsetOf(text, item.range.start);
  const end = offsetOf(text, item.range.end) + typed;
  const more = item.more.map((edit) => {
    const moved = (offset: number): number => (offset > start ? offset + typed : offset);
    return {
      from: moved(offsetOf(text, edit.range.start)), to: moved(offsetOf(text, edit.range.end)), insert: edit.text,
    };
  });
  if (end > view.state.doc.length || start > end) {
    return;
  }
  const changes = view.state.changes([{ from: start, to: end, insert: item.text }, ...more]);
  view.dispatch({
    changes,
    selection: { anchor: changes.mapPos(end, 1) },
    userEvent: "input.complete",
    scrollIntoView: true,
  });
  if (item.goesOn) {
    startCompletion(view);
  }
}

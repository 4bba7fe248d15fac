// The files of the page, and the state of the editor of each.
import type { EditorState, Text } from "@codemirror/state";
import type { Finding, Position } from "../../browser/answers";

export interface OpenFile {
  name: string;
  state: EditorState;
  /** The text that the engine got last. */
  given: Text | undefined;
  /** What was found in that text, or in an earlier one. */
  findings: Finding[];
  needsCode: boolean;
  /** The text stopped the checks. */
  isTooMuch: boolean;
}

/** The offset of a position, within the text. */
export function offsetOf(text: Text, position: Position): number {
  if (position.line >= text.lines) {
    return text.length;
  }
  const line = text.line(position.line + 1);
  return Math.min(line.from + position.character, line.to);
}

/** The position of an offset. */
export function positionOf(text: Text, offset: number): Position {
  const line = text.lineAt(offset);
  return { line: line.number - 1, character: offset - line.from };
}

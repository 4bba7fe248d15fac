import * as vscode from "vscode";
import type { Position, Range } from "../../../browser/answers";

export function rangeOf({ start, end }: Range): vscode.Range {
  return new vscode.Range(start.line, start.character, end.line, end.character);
}

export function positionFrom({ line, character }: vscode.Position): Position {
  return { line, character };
}

export function rangeFrom({ start, end }: vscode.Range): Range {
  return { start: positionFrom(start), end: positionFrom(end) };
}

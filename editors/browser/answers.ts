// The answers of `server/wasm`, which describes them.

/** From 0; characters are units of UTF-16. */
export interface Position {
  line: number;
  character: number;
}

export interface Range {
  start: Position;
  end: Position;
}

export interface Place {
  file: string;
  range: Range;
}

export interface Edit extends Place {
  text: string;
}

export type Severity = "error" | "warning" | "info" | "hint";

export interface Finding {
  range: Range;
  severity: Severity;
  code: string;
  page: string;
  message: string;
  related: (Place & { message: string })[];
  deprecated: boolean;
  unnecessary: boolean;
}

export interface Findings {
  findings: Finding[];
  needsCode: boolean;
}

export interface Completion {
  label: string;
  kind: string;
  detail: string | null;
  filter: string;
  range: Range;
  text: string;
  isSnippet: boolean;
  more: Edit[];
  deprecated: boolean;
  goesOn: boolean;
}

export interface Choices {
  items: Completion[];
  isIncomplete: boolean;
}

export interface Hover {
  markdown: string;
  range: Range;
}

export interface Action {
  title: string;
  kind: string;
  code: string | null;
  range: Range | null;
  preferred: boolean;
  edits: Edit[];
  newFiles: { file: string; text: string }[];
}

export interface Status {
  schemas: string[];
  names: string[];
  reason: string;
  sets: string[];
}

export interface OutlineEntry {
  name: string;
  detail: string | null;
  kind: string;
  range: Range;
  selection: Range;
  children: OutlineEntry[];
}

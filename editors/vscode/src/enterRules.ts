/** What a new line begins with, as VS Code's `OnEnterRule` has it. */
export interface EnterRule {
  /** The line left of the cursor. */
  beforeText: RegExp;
  /** One level deeper than that line, or like it. */
  deeper: boolean;
  /** Spaces that follow the indentation. */
  append: string;
}

/** A key between quotes or not; a plain one begins with no sign that means something else in YAML. */
const KEY = /(?:"(?:[^"\\]|\\.)*"|'(?:[^']|'')*'|[^\s#"'&*!|>%@`{}[\],-](?:[^:#]|:(?=\S)|(?<=\S)#)*|-(?=\S)(?:[^:#]|:(?=\S))*)/.source;
/** The end of a line whose value begins below: anchors, tags, the head of a text, and a comment. */
const BELOW = /:(?:\s+[&!]\S*)*(?:\s+[|>][-+0-9]*)?(?:\s+#.*)?\s*$/.source;
/** A value in one line: what may go on in the next one is left alone. */
const VALUE = /:\s+(?:[&!]\S*\s+)*[^\s#|>{["'&!].*$/.source;

/**
 * Enter indents as YAML needs it, while the key is handled: whatever a server answers would come after the next keys.
 *
 * - Below `key:` and `key: |` the value begins, deeper than the key.
 * - Below `- key: value` the map of the item goes on, in the column of the key.
 */
export const ENTER_RULES: EnterRule[] = [
  { beforeText: new RegExp(`^\\s*${KEY}${BELOW}`), deeper: true, append: "" },
  { beforeText: new RegExp(`^\\s*- ${KEY}${BELOW}`), deeper: true, append: "  " },
  { beforeText: new RegExp(`^\\s*- ${KEY}${VALUE}`), deeper: false, append: "  " },
];

/** Whether a value begins after this part of a line: after the space that follows `key:` or a dash. */
export function beginsValue(before: string): boolean {
  return /[:-] $/.test(before) && !/(?:^|\s)#/.test(before);
}

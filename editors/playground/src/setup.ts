// The editor: what it shows and which keys it knows.
import { autocompletion, closeBrackets, closeBracketsKeymap, completionKeymap } from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap, indentWithTab } from "@codemirror/commands";
import { json } from "@codemirror/lang-json";
import { yaml } from "@codemirror/lang-yaml";
import {
  bracketMatching, foldGutter, foldKeymap, HighlightStyle, indentOnInput, indentUnit, syntaxHighlighting,
} from "@codemirror/language";
import { lintGutter, lintKeymap } from "@codemirror/lint";
import { highlightSelectionMatches, searchKeymap } from "@codemirror/search";
import { EditorState, type Extension } from "@codemirror/state";
import {
  drawSelection, EditorView, highlightActiveLine, highlightActiveLineGutter, highlightSpecialChars, hoverTooltip, keymap,
  lineNumbers, type KeyBinding,
} from "@codemirror/view";
import { tags } from "@lezer/highlight";
import type { CompletionSource } from "@codemirror/autocomplete";
import type { HoverTooltipSource } from "@codemirror/view";

const colours = HighlightStyle.define([
  { tag: [tags.definition(tags.propertyName), tags.propertyName], color: "var(--key)" },
  { tag: tags.string, color: "var(--string)" },
  { tag: [tags.number, tags.bool, tags.null], color: "var(--number)" },
  { tag: [tags.comment, tags.lineComment], color: "var(--comment)" },
  { tag: [tags.keyword, tags.meta, tags.labelName, tags.typeName], color: "var(--keyword)" },
  { tag: tags.invalid, color: "var(--error)" },
]);

export interface Answers {
  completion: CompletionSource;
  hover: HoverTooltipSource;
  keys: KeyBinding[];
  /** `typed`: by keys, so that the line may be unfinished. */
  changed(typed: boolean): void;
  clicked(event: MouseEvent, view: EditorView): boolean;
}

/** The state of the editor for a file. */
export function stateOf(name: string, text: string, answers: Answers): EditorState {
  const language: Extension = /\.ya?ml$/.test(name) ? yaml() : name.endsWith(".json") ? json() : [];
  return EditorState.create({
    doc: text,
    extensions: [
      lineNumbers(),
      lintGutter(),
      foldGutter(),
      highlightSpecialChars(),
      history(),
      drawSelection(),
      indentOnInput(),
      indentUnit.of("  "),
      bracketMatching(),
      closeBrackets(),
      highlightActiveLine(),
      highlightActiveLineGutter(),
      highlightSelectionMatches(),
      syntaxHighlighting(colours),
      language,
      autocompletion({ override: [answers.completion] }),
      hoverTooltip(answers.hover),
      keymap.of([
        ...answers.keys, ...closeBracketsKeymap, ...completionKeymap, ...lintKeymap, ...searchKeymap, ...historyKeymap,
        ...foldKeymap, ...defaultKeymap, indentWithTab,
      ]),
      EditorView.updateListener.of((update) => {
        if (update.docChanged) {
          answers.changed(update.transactions.some((each) => each.isUserEvent("input.type") || each.isUserEvent("delete")));
        }
      }),
      EditorView.domEventHandlers({ mousedown: answers.clicked }),
      EditorView.contentAttributes.of({ "aria-label": name, spellcheck: "false" }),
    ],
  });
}

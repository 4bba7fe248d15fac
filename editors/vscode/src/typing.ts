import * as vscode from "vscode";
import type { Middleware } from "vscode-languageclient";
import { beginsValue, ENTER_RULES } from "./enterRules";

/** Lets Enter indent in these languages, unless the user does not want that. */
export function indentOnEnter(languages: string[]): vscode.Disposable | undefined {
  if (!vscode.workspace.getConfiguration("lofting").get<boolean>("typing.indent", true)) {
    return undefined;
  }
  const onEnterRules = ENTER_RULES.map((rule) => ({
    beforeText: rule.beforeText,
    action: {
      indentAction: rule.deeper ? vscode.IndentAction.Indent : vscode.IndentAction.None,
      appendText: rule.append,
    },
  }));
  return vscode.Disposable.from(...languages.map((id) => vscode.languages.setLanguageConfiguration(id, { onEnterRules })));
}

/** Requests to the server while the user types. */
export const typingMiddleware: Middleware = {
  provideCompletionItem: (document, position, context, token, next) => {
    if (context.triggerCharacter === " ") {
      // A list of values opens after `key: ` and `- `. Elsewhere no request is sent: VS Code would open no list for the
      // letters that are typed until the answer comes.
      const before = document.lineAt(position.line).text.slice(0, position.character);
      const mode = vscode.workspace.getConfiguration("editor", document).get<string>("suggest.selectionMode");
      // Where VS Code selects the first of them, Enter would take it, so it stays closed.
      const selects = mode !== "never" && mode !== "whenQuickSuggestion";
      if (selects || !beginsValue(before)) {
        return undefined;
      }
    }
    return next(document, position, context, token);
  },
  // The rules above have indented the line; an answer would come after the next keys.
  provideOnTypeFormattingEdits: () => undefined,
};

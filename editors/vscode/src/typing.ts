import * as vscode from "vscode";
import type { Middleware } from "vscode-languageclient";
import { ENTER_RULES } from "./enterRules";

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

/** What is asked of the server while somebody types. */
export const typingMiddleware: Middleware = {
  // After a space a list of values opens. Where VS Code selects the first of them, Enter would take it, so it stays closed.
  provideCompletionItem: (document, position, context, token, next) => {
    const mode = vscode.workspace.getConfiguration("editor", document).get<string>("suggest.selectionMode");
    const selects = mode !== "never" && mode !== "whenQuickSuggestion";
    return context.triggerCharacter === " " && selects ? undefined : next(document, position, context, token);
  },
  // The rules above have indented the line; an answer would come after the next keys.
  provideOnTypeFormattingEdits: () => undefined,
};

// Answers of the engine as those of the editor's features.
import * as vscode from "vscode";
import type { Action, Completion, Edit, OutlineEntry, Position } from "../../../browser/answers";
import type { Engine } from "../../../browser/engine";
import { withLinks } from "../../../browser/links";
import { positionFrom, rangeFrom, rangeOf } from "./convert";
import type { Documents } from "./documents";
import type { Names } from "./names";

const KINDS: Record<string, vscode.CompletionItemKind> = {
  key: vscode.CompletionItemKind.Property,
  value: vscode.CompletionItemKind.Value,
  choice: vscode.CompletionItemKind.EnumMember,
  constant: vscode.CompletionItemKind.Constant,
  item: vscode.CompletionItemKind.Struct,
  snippet: vscode.CompletionItemKind.Snippet,
  alias: vscode.CompletionItemKind.Reference,
  annotation: vscode.CompletionItemKind.Function,
  keyword: vscode.CompletionItemKind.Keyword,
  function: vscode.CompletionItemKind.Function,
  variable: vscode.CompletionItemKind.Variable,
  module: vscode.CompletionItemKind.Module,
  file: vscode.CompletionItemKind.File,
  type: vscode.CompletionItemKind.Class,
};

const SYMBOLS: Record<string, vscode.SymbolKind> = {
  document: vscode.SymbolKind.File,
  map: vscode.SymbolKind.Module,
  array: vscode.SymbolKind.Array,
  string: vscode.SymbolKind.String,
  number: vscode.SymbolKind.Number,
  boolean: vscode.SymbolKind.Boolean,
  null: vscode.SymbolKind.Null,
  alias: vscode.SymbolKind.Variable,
};

/** An item that knows where its list was requested. */
class Item extends vscode.CompletionItem {
  constructor(readonly file: string, readonly at: Position, item: Completion) {
    super(item.label, KINDS[item.kind]);
  }
}

export function provide(engine: Engine, names: Names, documents: Documents, languages: string[]): vscode.Disposable {
  const selector: vscode.DocumentSelector = [...languages.map((language) => ({ language })), { pattern: "**/lofting.toml" }];
  /** The answer about a document; nothing if it is not one of ours, or if its text is too much. */
  const about = async <T>(document: vscode.TextDocument, ask: (file: string) => Promise<T>): Promise<T | undefined> =>
    documents.serves(document) ? ask(await documents.given(document)).catch(() => undefined) : undefined;
  const markdown = (text: string): vscode.MarkdownString =>
    new vscode.MarkdownString(withLinks(text, (file, line) => names.uriOf(file)?.with({ fragment: `L${line + 1}` }).toString()));
  const change = (edits: Edit[], action?: Action): vscode.WorkspaceEdit | undefined => {
    const whole = new vscode.WorkspaceEdit();
    for (const { file, text } of action?.newFiles ?? []) {
      const uri = names.uriOf(file);
      if (uri === undefined) {
        return undefined;
      }
      whole.createFile(uri, { ignoreIfExists: false, contents: new TextEncoder().encode(text) });
    }
    for (const { file, range, text } of edits) {
      const uri = names.uriOf(file);
      if (uri === undefined) {
        return undefined;
      }
      whole.replace(uri, rangeOf(range), text);
    }
    return whole;
  };
  return vscode.Disposable.from(
    vscode.languages.registerHoverProvider(selector, {
      provideHover: async (document, place) => {
        const found = await about(document, (file) => engine.hover(file, positionFrom(place)));
        return found && new vscode.Hover(markdown(found.markdown), rangeOf(found.range));
      },
    }),
    vscode.languages.registerDefinitionProvider(selector, {
      provideDefinition: async (document, place) => {
        const found = await about(document, (file) => engine.definition(file, positionFrom(place)));
        return found?.flatMap(({ file, range }) => {
          const uri = names.uriOf(file);
          return uri === undefined ? [] : [new vscode.Location(uri, rangeOf(range))];
        });
      },
    }),
    vscode.languages.registerCompletionItemProvider(selector, {
      provideCompletionItems: async (document, place, _, { triggerKind }) => {
        const at = positionFrom(place);
        const file = documents.serves(document) ? await documents.given(document) : undefined;
        const unasked = triggerKind === vscode.CompletionTriggerKind.TriggerCharacter;
        const found = file === undefined ? undefined : await engine.completion(file, at, { unasked, snippets: true }).catch(() => undefined);
        if (file === undefined || found === undefined) {
          return undefined;
        }
        const items = found.items.map((item, index) => completion(new Item(file, at, item), item, index));
        return new vscode.CompletionList(items, found.isIncomplete);
      },
      resolveCompletionItem: async (item) => {
        if (item instanceof Item) {
          const label = String(item.label);
          const described = await engine.documentation(item.file, item.at, label, true).catch(() => null);
          item.documentation = described === null ? undefined : markdown(described);
        }
        return item;
      },
    }, ":", " ", "-", "@", "\"", "'", "/"),
    vscode.languages.registerDocumentFormattingEditProvider(selector, {
      provideDocumentFormattingEdits: async (document) => {
        const edits = await about(document, (file) => engine.format(file));
        return edits?.map(({ range, text }) => vscode.TextEdit.replace(rangeOf(range), text));
      },
    }),
    vscode.languages.registerCodeActionsProvider(selector, {
      provideCodeActions: async (document, range, { only, diagnostics }) => {
        const found = await about(document, (file) => engine.actions(file, rangeFrom(range)));
        return found?.flatMap((action) => {
          const kind = vscode.CodeActionKind.Empty.append(action.kind);
          const edit = only === undefined || only.contains(kind) ? change(action.edits, action) : undefined;
          if (edit === undefined) {
            return [];
          }
          const shown = new vscode.CodeAction(action.title, kind);
          shown.edit = edit;
          shown.isPreferred = action.preferred;
          shown.diagnostics = diagnostics.filter((each) => {
            const code = typeof each.code === "object" ? each.code.value : each.code;
            return each.source === "lofting" && code === action.code && action.range !== null && each.range.isEqual(rangeOf(action.range));
          });
          return [shown];
        });
      },
    }, {
      providedCodeActionKinds: [
        vscode.CodeActionKind.QuickFix, vscode.CodeActionKind.RefactorExtract, vscode.CodeActionKind.RefactorInline,
        vscode.CodeActionKind.RefactorRewrite,
      ],
    }),
    vscode.languages.registerDocumentSymbolProvider(selector, {
      provideDocumentSymbols: async (document) => (await about(document, (file) => engine.outline(file)))?.map(symbol),
    }, { label: "Lofting" }),
  );
}

function completion(shown: Item, item: Completion, index: number): vscode.CompletionItem {
  shown.detail = item.detail ?? undefined;
  shown.filterText = item.filter;
  shown.sortText = String(index).padStart(6, "0");
  shown.range = rangeOf(item.range);
  shown.insertText = item.isSnippet ? new vscode.SnippetString(item.text) : item.text;
  // Further lines have their whole indentation already.
  shown.keepWhitespace = !item.isSnippet;
  shown.additionalTextEdits = item.more.map(({ range, text }) => vscode.TextEdit.replace(rangeOf(range), text));
  shown.tags = item.deprecated ? [vscode.CompletionItemTag.Deprecated] : [];
  shown.command = item.goesOn ? { title: "Suggest", command: "editor.action.triggerSuggest" } : undefined;
  return shown;
}

function symbol(entry: OutlineEntry): vscode.DocumentSymbol {
  const shown = new vscode.DocumentSymbol(
    entry.name || " ", entry.detail ?? "", SYMBOLS[entry.kind] ?? vscode.SymbolKind.Key, rangeOf(entry.range), rangeOf(entry.selection));
  shown.children = entry.children.map(symbol);
  return shown;
}

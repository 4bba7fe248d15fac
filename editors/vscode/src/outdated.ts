import * as vscode from "vscode";

/**
 * Shows that an output is outdated without changing its text: the tab has a mark, all of the text is pale, and the reason
 * is written after one of the first lines that can be seen, wherever one has scrolled.
 */
export class Outdated implements vscode.FileDecorationProvider, vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<vscode.Uri>();
  readonly onDidChangeFileDecorations = this.changed.event;
  private readonly pale = vscode.window.createTextEditorDecorationType({
    opacity: "0.6",
    overviewRulerColor: new vscode.ThemeColor("editorOverviewRuler.warningForeground"),
    overviewRulerLane: vscode.OverviewRulerLane.Full,
  });
  private readonly reason = vscode.window.createTextEditorDecorationType({
    after: { margin: "0 0 0 2em", color: new vscode.ThemeColor("editorWarning.foreground"), fontStyle: "italic" },
  });
  private readonly parts: vscode.Disposable[];

  /** `reasons` are those of a document, by its URI; none if it is up to date. */
  constructor(private readonly reasons: (uri: string) => string[]) {
    this.parts = [
      vscode.window.registerFileDecorationProvider(this),
      vscode.window.onDidChangeTextEditorVisibleRanges(({ textEditor }) => this.decorate(textEditor)),
      vscode.window.onDidChangeVisibleTextEditors((editors) => editors.forEach((editor) => this.decorate(editor))),
      vscode.workspace.onDidChangeTextDocument(({ document }) => this.show(document.uri.toString())),
      this.changed,
      this.pale,
      this.reason,
    ];
  }

  dispose(): void {
    this.parts.forEach((part) => part.dispose());
  }

  /** To be called when the reasons of a document may have changed. */
  show(uri: string): void {
    if (!uri.startsWith("lofting-")) {
      return;
    }
    this.changed.fire(vscode.Uri.parse(uri));
    vscode.window.visibleTextEditors.filter((each) => each.document.uri.toString() === uri).forEach((each) => this.decorate(each));
  }

  provideFileDecoration(uri: vscode.Uri): vscode.FileDecoration | undefined {
    const [first] = this.reasons(uri.toString());
    return first === undefined
      ? undefined
      : { badge: "!", tooltip: `outdated: ${first}`, color: new vscode.ThemeColor("list.warningForeground") };
  }

  private decorate(editor: vscode.TextEditor): void {
    const { document } = editor;
    if (!document.uri.scheme.startsWith("lofting-")) {
      return;
    }
    const reasons = this.reasons(document.uri.toString());
    const [first] = reasons;
    if (first === undefined || document.getText().startsWith("#! not rendered")) {
      editor.setDecorations(this.pale, []);
      editor.setDecorations(this.reason, []);
      return;
    }
    const all = new vscode.Range(0, 0, document.lineCount - 1, 0);
    const hoverMessage = new vscode.MarkdownString().appendText(`Outdated: ${reasons.join("\n")}`);
    editor.setDecorations(this.pale, [{ range: all, hoverMessage }]);
    const end = shortest(document, editor.visibleRanges[0]?.start.line ?? 0).range.end;
    const more = reasons.length > 1 ? ` (and ${reasons.length - 1} more)` : "";
    const after = { contentText: `outdated: ${first}${more}` };
    editor.setDecorations(this.reason, [{ range: new vscode.Range(end, end), renderOptions: { after } }]);
  }
}

/** Lines at the top that may be covered by those that VS Code keeps there while one scrolls. */
const STICKY = 5;

/** How many lines are looked at for one with room after it. */
const AROUND = 8;

/** The shortest of the first lines from `seen`. */
function shortest(document: vscode.TextDocument, seen: number): vscode.TextLine {
  const last = document.lineCount - 1;
  const first = Math.min(seen === 0 ? 0 : seen + STICKY, last);
  let best = document.lineAt(first);
  for (let line = first + 1; line < Math.min(first + AROUND, last); line++) {
    const other = document.lineAt(line);
    best = other.range.end.character < best.range.end.character ? other : best;
  }
  return best;
}

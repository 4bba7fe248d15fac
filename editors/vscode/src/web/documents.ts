// Gives the engine the files of the workspace and the texts of open documents, and shows what it finds.
import * as vscode from "vscode";
import type { Finding } from "../../../browser/answers";
import type { Engine } from "../../../browser/engine";
import { rangeOf } from "./convert";
import type { Names } from "./names";

/** How long after a change the findings are asked for, in milliseconds. */
const PAUSE = 150;
/** What is read of a workspace: what else there is, is known once it is opened. */
const MOST_FILES = 2000;
const LARGEST = 1 << 20;
const MOST_BYTES = 64 << 20;
/** How many files are read at a time: on vscode.dev each is a request. */
const TOGETHER = 20;
const RELEVANT = "**/{*.yml,*.yaml,*.json,*.star,*.toml,.editorconfig}";
const LEFT_OUT = "**/{node_modules,.git}/**";

const SEVERITIES = {
  error: vscode.DiagnosticSeverity.Error,
  warning: vscode.DiagnosticSeverity.Warning,
  info: vscode.DiagnosticSeverity.Information,
  hint: vscode.DiagnosticSeverity.Hint,
};

export class Documents implements vscode.Disposable {
  private readonly shown = vscode.languages.createDiagnosticCollection("lofting");
  private readonly checked = new vscode.EventEmitter<void>();
  readonly onChecked = this.checked.event;
  private readonly parts: vscode.Disposable[];
  /** The version of a document that the engine has. */
  private readonly versions = new Map<string, number>();
  private readonly coded = new Set<string>();
  private readonly disk = new Set<string>();
  private timer: ReturnType<typeof setTimeout> | undefined;
  private round = 0;

  constructor(
    private readonly engine: Engine,
    private readonly names: Names,
    private readonly languages: string[],
    private readonly log: vscode.LogOutputChannel,
  ) {
    const watcher = vscode.workspace.createFileSystemWatcher(RELEVANT);
    const changed = (uri: vscode.Uri): void => void this.read([uri]).then(() => this.soon());
    this.parts = [
      this.shown, this.checked, watcher,
      watcher.onDidChange(changed),
      watcher.onDidCreate(changed),
      watcher.onDidDelete((uri) => {
        this.disk.delete(uri.toString());
        void this.engine.remove([this.names.nameOf(uri)]).then(() => this.soon(), () => {});
      }),
      vscode.workspace.onDidOpenTextDocument((document) => this.serves(document) && this.soon()),
      vscode.workspace.onDidChangeTextDocument(({ document }) => this.serves(document) && this.soon()),
      vscode.workspace.onDidCloseTextDocument((document) => this.close(document)),
    ];
  }

  dispose(): void {
    clearTimeout(this.timer);
    this.parts.forEach((part) => part.dispose());
  }

  /** Whether a document is one of those that are checked. Parts of comparisons and the like are not. */
  serves(document: vscode.TextDocument): boolean {
    const isFile = document.uri.scheme === "untitled" || this.isInWorkspace(document.uri);
    return isFile && (this.languages.includes(document.languageId) || document.uri.path.endsWith("/lofting.toml"));
  }

  isThere(uri: vscode.Uri): boolean {
    return this.disk.has(uri.toString());
  }

  needsCode(file: string): boolean {
    return this.coded.has(file);
  }

  private isInWorkspace(uri: vscode.Uri): boolean {
    return vscode.workspace.getWorkspaceFolder(uri) !== undefined || (vscode.workspace.workspaceFolders ?? []).length === 0;
  }

  /** Checks what is open, then reads the workspace and checks again. */
  async start(): Promise<void> {
    await this.checkAll();
    const found = await vscode.workspace.findFiles(RELEVANT, LEFT_OUT, MOST_FILES);
    if (found.length === MOST_FILES) {
      this.log.warn(`only ${MOST_FILES} files of the workspace are read; others are checked when they are opened`);
    }
    await this.read(found);
    await this.checkAll();
  }

  private bytes = 0;

  private async read(files: vscode.Uri[]): Promise<void> {
    const decoder = new TextDecoder("utf-8", { fatal: true });
    for (let at = 0; at < files.length && this.bytes < MOST_BYTES; at += TOGETHER) {
      const texts = await Promise.all(files.slice(at, at + TOGETHER).map(async (uri) => {
        try {
          const { size } = await vscode.workspace.fs.stat(uri);
          const text = size > LARGEST ? undefined : decoder.decode(await vscode.workspace.fs.readFile(uri));
          return text === undefined ? [] : [{ uri, file: this.names.nameOf(uri), text }];
        } catch {
          // It is gone, or no text.
          return [];
        }
      }));
      const given = texts.flat();
      given.forEach(({ uri, text }) => {
        this.disk.add(uri.toString());
        this.bytes += text.length;
      });
      await this.engine.put(given.map(({ file, text }) => ({ file, text }))).catch((why) => this.log.warn(String(why)));
    }
  }

  private soon(): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => void this.checkAll(), PAUSE);
  }

  private close(document: vscode.TextDocument): void {
    this.shown.delete(document.uri);
    if (this.versions.delete(document.uri.toString())) {
      void this.engine.close(this.names.nameOf(document.uri)).then(() => this.soon(), () => {});
    }
  }

  /** The name of a document, whose text the engine has as it is now. */
  async given(document: vscode.TextDocument): Promise<string> {
    const file = this.names.nameOf(document.uri);
    const key = document.uri.toString();
    if (this.versions.get(key) !== document.version) {
      this.versions.set(key, document.version);
      // A text that stops the checks is refused here; questions about it are as well.
      await this.engine.open(file, document.getText()).catch((why) => this.log.warn(`${file}: ${String(why)}`));
    }
    return file;
  }

  /** Checks all open documents, unless a later round begins. */
  async checkAll(): Promise<void> {
    clearTimeout(this.timer);
    const round = ++this.round;
    const documents = vscode.workspace.textDocuments.filter((document) => this.serves(document));
    for (const document of documents) {
      await this.given(document);
    }
    for (const document of documents) {
      const version = document.version;
      const file = this.names.nameOf(document.uri);
      const found = await this.engine.findings(file).catch(() => undefined);
      if (round !== this.round) {
        return;
      }
      if (document.version === version && !document.isClosed) {
        this.coded[found?.needsCode === true ? "add" : "delete"](file);
        this.shown.set(document.uri, (found?.findings ?? []).map((finding) => this.diagnostic(finding)));
      }
    }
    this.checked.fire();
  }

  private diagnostic(finding: Finding): vscode.Diagnostic {
    const shown = new vscode.Diagnostic(rangeOf(finding.range), finding.message, SEVERITIES[finding.severity]);
    shown.source = "lofting";
    shown.code = { value: finding.code, target: vscode.Uri.parse(finding.page, true) };
    shown.relatedInformation = finding.related.flatMap(({ file, range, message }) => {
      const uri = this.names.uriOf(file);
      return uri === undefined ? [] : [new vscode.DiagnosticRelatedInformation(new vscode.Location(uri, rangeOf(range)), message)];
    });
    shown.tags = [
      ...(finding.deprecated ? [vscode.DiagnosticTag.Deprecated] : []),
      ...(finding.unnecessary ? [vscode.DiagnosticTag.Unnecessary] : []),
    ];
    return shown;
  }
}

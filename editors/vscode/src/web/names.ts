// How the engine names the documents of the editor. Knows nothing else of VS Code, so that it is tested without it.

/** An address, as far as it is looked at. */
export interface Address {
  scheme: string;
  authority: string;
  path: string;
  query: string;
  toString(): string;
}

/** A folder of the workspace. */
export interface Folder<U extends Address> {
  name: string;
  index: number;
  uri: U & { with(change: { path: string }): U };
}

/** Files in folders of the workspace have the path below their folder; others, one of their own for each document. */
export class Names<U extends Address = import("vscode").Uri> {
  private readonly others = new Map<string, U>();

  constructor(private readonly folders: () => readonly Folder<U>[]) {}

  nameOf(uri: U): string {
    const folders = this.folders();
    for (const folder of folders) {
      const { scheme, authority, path } = folder.uri;
      const above = path.endsWith("/") ? path : `${path}/`;
      if (uri.scheme === scheme && uri.authority === authority && uri.query === "" && uri.path.startsWith(above)) {
        return this.prefix(folder, folders.length) + uri.path.slice(above.length);
      }
    }
    const last = uri.path.split("/").pop() ?? "";
    for (let number = 0; ; number += 1) {
      const name = `.outside/${number}/${last}`;
      const known = this.others.get(name);
      if (known === undefined || known.toString() === uri.toString()) {
        this.others.set(name, uri);
        return name;
      }
    }
  }

  uriOf(name: string): U | undefined {
    const folders = this.folders();
    const other = this.others.get(name);
    if (other !== undefined || name === "") {
      return other;
    }
    for (const folder of folders) {
      const prefix = this.prefix(folder, folders.length);
      if (name.startsWith(prefix)) {
        return folder.uri.with({ path: `${folder.uri.path.replace(/\/$/, "")}/${name.slice(prefix.length)}` });
      }
    }
    return undefined;
  }

  /** Two folders may have equal names. */
  private prefix(folder: Folder<U>, count: number): string {
    return count === 1 ? "" : `${folder.index}-${folder.name}/`;
  }
}

// A set of files as the fragment of an address, and back. A fragment can come from anyone: it is bounded at each step.

/** The files of the page, in the order of their tabs. */
export interface Shared {
  files: [string, string][];
  /** The file in front. */
  show: string;
}

/** Longer fragments are not made, nor read. */
export const MAX_FRAGMENT = 100_000;
/** What they are unpacked to, in bytes. */
const MAX_UNPACKED = 1_000_000;
const MAX_FILES = 50;
const MAX_NAME = 200;

/** The first letters say how the rest is written. */
const FORM = "1.";

/** What a link says cannot be read, or what the user shares is too large. */
export class CannotShare extends Error {}

/** Why a name cannot be the name of a file; undefined if it can. */
export function problemOfName(name: string): string | undefined {
  if (name === "") {
    return "A file needs a name.";
  }
  if (name.length > MAX_NAME) {
    return "The name is too long.";
  }
  if (!/^[\p{L}\p{N}\p{M} ._@+()=,~-]+(\/[\p{L}\p{N}\p{M} ._@+()=,~-]+)*$/u.test(name)) {
    return "Names have letters, digits, dots and dashes, with / between folders.";
  }
  return name.split("/").some((part) => /^\.+$/.test(part) || part.trim() !== part) ? "No folder is called so." : undefined;
}

/** What the fragment says, if it is one of ours; undefined if it is empty. */
export async function read(fragment: string): Promise<Shared | undefined> {
  if (fragment === "") {
    return undefined;
  }
  if (!fragment.startsWith(FORM) || fragment.length > MAX_FRAGMENT) {
    throw new CannotShare("This link was not made by this page, or is damaged.");
  }
  let said: unknown;
  try {
    said = JSON.parse(await unpacked(bytes(fragment.slice(FORM.length))));
  } catch {
    throw new CannotShare("This link is damaged.");
  }
  return checked(said);
}

/** The fragment for files. */
export async function written(shared: Shared): Promise<string> {
  const fragment = FORM + text(await packed(JSON.stringify(checked(shared))));
  if (fragment.length > MAX_FRAGMENT) {
    throw new CannotShare("These files are too large for a link.");
  }
  return fragment;
}

/** Files, of anything. */
function checked(said: unknown): Shared {
  const { files, show } = (said ?? {}) as { files?: unknown; show?: unknown };
  if (!Array.isArray(files) || files.length === 0 || files.length > MAX_FILES) {
    throw new CannotShare(`A link has between 1 and ${MAX_FILES} files.`);
  }
  const names = new Set<string>();
  const known: [string, string][] = [];
  for (const file of files) {
    const [name, content] = Array.isArray(file) ? (file as unknown[]) : [];
    if (typeof name !== "string" || typeof content !== "string" || problemOfName(name) !== undefined || names.has(name)) {
      throw new CannotShare("A file of this link has no usable name.");
    }
    names.add(name);
    known.push([name, content]);
  }
  return { files: known, show: typeof show === "string" && names.has(show) ? show : known[0][0] };
}

async function packed(content: string): Promise<Uint8Array> {
  const stream = new Blob([content]).stream().pipeThrough(new CompressionStream("deflate-raw"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

async function unpacked(content: Uint8Array<ArrayBuffer>): Promise<string> {
  const stream = new Blob([content]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
  const reader = stream.getReader();
  const decoder = new TextDecoder("utf-8", { fatal: true });
  let [size, whole] = [0, ""];
  for (;;) {
    const { done, value } = await reader.read();
    if (done) {
      return whole + decoder.decode();
    }
    size += value.length;
    if (size > MAX_UNPACKED) {
      await reader.cancel();
      throw new CannotShare("it is too large");
    }
    whole += decoder.decode(value, { stream: true });
  }
}

/** Base 64 with letters that an address may have. */
function text(content: Uint8Array): string {
  let letters = "";
  for (const byte of content) {
    letters += String.fromCharCode(byte);
  }
  return btoa(letters).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

function bytes(content: string): Uint8Array<ArrayBuffer> {
  const letters = atob(content.replaceAll("-", "+").replaceAll("_", "/"));
  return Uint8Array.from(letters, (letter) => letter.charCodeAt(0));
}

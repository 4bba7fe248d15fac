// What an issue begins with. Knows nothing of VS Code, so that it is tested without it.

/** What is known about where the issue occurred. */
export interface Surroundings {
  extension: string;
  /** The version of the server; undefined if it does not run. */
  server: string | undefined;
  editor: string;
  system: string;
  /** The window shows files of another machine. */
  remote: string | undefined;
}

/** The text that the reporter of the editor shows, for the user to complete. No text or name of a file is in it. */
export function issueBody({ extension, server, editor, system, remote }: Surroundings): string {
  return [
    "<!-- What did you do, what happened, and what did you expect? A few lines of YAML that show it help most. -->",
    "",
    "",
    "---",
    `- extension: ${extension}`,
    `- server: ${server ?? "not running"}`,
    `- editor: ${editor}`,
    `- system: ${system}${remote === undefined ? "" : `, remote (${remote})`}`,
    "",
  ].join("\n");
}

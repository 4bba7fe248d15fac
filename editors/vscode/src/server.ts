// Finds the server's program. Knows nothing of VS Code, so that it is tested without it.

/** What the search depends on. */
export interface Surroundings {
  /** `lofting.server.path`; empty when not set. */
  configured: string;
  /** Where a packaged extension keeps its server, without the ending of the platform. */
  bundled: string;
  /** The search path, as the system writes it. */
  path: string;
  /** The user's home folder, for `~/`. */
  home: string;
  platform: NodeJS.Platform;
  exists(file: string): boolean;
}

/** The program, or why there is none. */
export type Found = { program: string } | { problem: string };

/** The configured program, else the bundled one, else `lofting` from the search path. */
export function findServer(from: Surroundings): Found {
  const ending = from.platform === "win32" ? ".exe" : "";
  const separator = from.platform === "win32" ? ";" : ":";
  const slash = from.platform === "win32" ? "\\" : "/";
  const configured = from.configured.trim();
  if (configured !== "") {
    const program = configured.replace(/^~(?=[/\\])/, from.home);
    if (from.exists(program)) {
      return { program };
    }
    // A silent fallback would run a server that the user did not ask for.
    return { problem: `lofting.server.path is set to "${configured}", but there is no such file.` };
  }
  if (from.exists(from.bundled + ending)) {
    return { program: from.bundled + ending };
  }
  for (const folder of from.path.split(separator)) {
    if (folder !== "" && from.exists(folder + slash + "lofting" + ending)) {
      return { program: folder + slash + "lofting" + ending };
    }
  }
  return {
    problem:
      "The program `lofting` was not found. Install it with `cargo install --path server/lsp` in a clone of the repository, or set lofting.server.path.",
  };
}

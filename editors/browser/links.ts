// Links to files, as the engine writes them in Markdown.

/** How they begin. */
const FILES = "file:///lofting-in-browser/";

/** The file of a link, and the line from 0; undefined for other links. */
export function fileOf(link: string): { file: string; line: number } | undefined {
  if (!link.startsWith(FILES)) {
    return undefined;
  }
  const [, path, line] = /^([^#]+)(?:#L(\d+)(?:,\d+)?)?$/.exec(link.slice(FILES.length)) ?? [];
  try {
    return path === undefined ? undefined : { file: decodeURIComponent(path), line: Math.max(Number(line ?? 1) - 1, 0) };
  } catch {
    return undefined;
  }
}

/** Markdown whose links to files lead where the editor has them; those that it does not have are not changed. */
export function withLinks(markdown: string, address: (file: string, line: number) => string | undefined): string {
  return markdown.replace(/\(<(file:\/\/\/lofting-in-browser\/[^<>\s]*)>\)/g, (whole, link: string) => {
    const to = fileOf(link);
    const there = to && address(to.file, to.line);
    return there === undefined ? whole : `(<${there.replaceAll(/[<>\s]/g, encodeURIComponent)}>)`;
  });
}

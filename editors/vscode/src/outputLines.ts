/** Where the lines of a rendered output come from; lines count from 0. */
export interface OutputLines {
  /** URIs of the files that lines come from. */
  sources: string[];
  /** For each line the index of its source and the line there; null for lines without a source. */
  lines: ([number, number] | null)[];
}

/** The place that a line comes from, or the nearest line above it that comes from anywhere. */
export function sourceOf(output: OutputLines, line: number): { uri: string; line: number } | undefined {
  for (let at = Math.min(line, output.lines.length - 1); at >= 0; at--) {
    const place = output.lines[at];
    const uri = place ? output.sources[place[0]] : undefined;
    if (place && uri !== undefined) {
      return { uri, line: place[1] };
    }
  }
  return undefined;
}

/** The first line that comes from a line of a file, or from the nearest line above that. */
export function lineOf(output: OutputLines, uri: string, line: number): number | undefined {
  let best: { from: number; at: number } | undefined;
  output.lines.forEach((place, at) => {
    if (place && output.sources[place[0]] === uri && place[1] <= line && (best === undefined || place[1] > best.from)) {
      best = { from: place[1], at };
    }
  });
  return best?.at;
}

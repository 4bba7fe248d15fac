/** The server's answer to `lofting/status`. */
export interface Status {
  schema: { name: string; uri: string }[];
  /** What schemas without a file are called. */
  names?: string[];
  reason: string;
  sets: string[];
  /** It is evaluated by ytt, so that there is an output to show. */
  renders?: boolean;
}

/** What a status item shows: a few words, and more beside them. */
export function inWords(status: Status | undefined): { text: string; detail: string } {
  if (status === undefined) {
    return { text: "no schema", detail: "This is not a YAML file of the workspace." };
  }
  const files = status.schema.map((file) => file.name.split("/").pop() ?? file.name);
  const [first, ...others] = [...files, ...(status.names ?? [])];
  const without = status.sets.length === 0 ? "no schema" : status.sets.length === 1 ? `set ${status.sets[0]}` : `${status.sets.length} sets`;
  const text = first === undefined ? without : others.length === 0 ? first : `${first} and ${others.length} more`;
  const sets = status.sets.length === 0 ? "" : `Input ${status.sets.length === 1 ? "set" : "sets"}: ${status.sets.join(", ")}. `;
  return { text, detail: sets + status.reason };
}

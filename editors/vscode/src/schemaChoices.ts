/** Where a choice is written. */
export type Place = "configuration" | "modeline";

/** What could govern a file, as the server offers it. */
export interface SchemaChoice {
  label: string;
  description: string;
  inForce: boolean;
  places: Place[];
  /** Goes back to the server. */
  choice: unknown;
}

/** The server's answer to `lofting/schemaChoices`. */
export interface SchemaChoices {
  reason: string;
  choices: SchemaChoice[];
}

/** An entry of the list from which the user chooses. */
export interface Entry {
  label: string;
  description: string;
  detail?: string;
  choice: SchemaChoice;
}

/** The list: what is in force is marked, and says why. */
export function entries({ reason, choices }: SchemaChoices): Entry[] {
  return choices.map((choice) => ({
    label: `${choice.inForce ? "$(check) " : ""}${choice.label}`,
    description: choice.description,
    ...(choice.inForce ? { detail: reason } : {}),
    choice,
  }));
}

/** The places in which a choice can be written, in words. */
export function places({ places }: SchemaChoice): { label: string; place: Place }[] {
  const words = { configuration: "In lofting.toml", modeline: "In a comment at the top of the file" };
  return places.map((place) => ({ label: words[place], place }));
}

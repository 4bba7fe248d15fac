/** Settings of the YAML extension, as one place (the user, the workspace, a folder) has them. */
export type Yaml = Record<string, unknown>;

/** The settings to write, and the messages that remain. */
export interface Taken {
  /** The new value of `lofting.schemas`; undefined: nothing changes. */
  schemas?: Record<string, unknown>;
  /** Settings that have no equal, each with the reason. */
  left: string[];
}

/** What Lofting has in place of a setting, or why it needs none. */
const NO_EQUAL: Record<string, string> = {
  customTags: "values with tags of applications are not looked at",
  kubernetesCRDStore: "definitions in the workspace are used, and those of the bundle that lofting.kubernetes names",
  schemaStore: "lofting.fetch.catalogue with the URL of the catalogue does the same; it is off until you set it",
  disableAdditionalProperties: "a schema says itself which keys it permits",
  keyOrdering: "the order of keys is not looked at",
  format: "lofting.format, lofting.toml and .editorconfig say how files are laid out",
  style: "the style of collections is not looked at",
  yamlVersion: "files with a JSON Schema are read as YAML 1.2",
};

/** What `yaml.*` comes to beside the `lofting.schemas` there is, which stays as it is. */
export function takeOver(yaml: Yaml, own: Record<string, unknown>): Taken {
  const left: string[] = [];
  const schemas: Record<string, unknown> = { ...own };
  for (const [schema, files] of Object.entries((yaml.schemas ?? {}) as Record<string, unknown>)) {
    if (schema.toLowerCase() === "kubernetes") {
      left.push(`yaml.schemas: ${schema}: definitions in the workspace are used without a setting, and lofting.kubernetes names a bundle of others`);
    } else if (!(schema in schemas)) {
      schemas[schema] = files;
      if (/^https?:/.test(schema)) {
        left.push(`yaml.schemas: ${schema}: name a folder for the URL in [schemas.mirror] of lofting.toml`);
      }
    }
  }
  for (const [name, why] of Object.entries(NO_EQUAL)) {
    if (yaml[name] !== undefined) {
      left.push(`yaml.${name}: ${why}`);
    }
  }
  const changed = Object.keys(schemas).length > Object.keys(own).length;
  return changed ? { schemas, left } : { left };
}

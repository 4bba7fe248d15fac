/** What is known of an extension. */
export interface Installed {
  id: string;
  /** It runs code, rather than only contributing colours and names. */
  runs: boolean;
  languages: { id: string; extensions?: string[]; filenames?: string[]; filenamePatterns?: string[] }[];
}

/**
 * The languages that are YAML under another name, with the extensions that serve them: where one of these is installed, the
 * language is left to it. Neovim's `lsp/lofting.lua` has the same for its file types.
 */
export const YAML_LANGUAGES: Record<string, string[]> = {
  yaml: [],
  dockercompose: ["docker.docker", "ms-azuretools.vscode-containers", "ms-azuretools.vscode-docker"],
  helm: ["helm-ls.helm-ls"],
  "github-actions-workflow": ["github.vscode-github-actions"],
  ansible: ["redhat.ansible"],
  "azure-pipelines": ["ms-azure-devops.azure-pipelines"],
  "gitlab-ci": ["gitlab.gitlab-workflow"],
  "home-assistant": ["keesschollaart.vscode-home-assistant"],
  esphome: ["esphome.esphome-vscode"],
  "spring-boot-properties-yaml": ["vmware.vscode-spring-boot"],
  "concourse-pipeline-yaml": ["vmware.vscode-concourse"],
  "concourse-task-yaml": ["vmware.vscode-concourse"],
  "manifest-yaml": ["vmware.vscode-manifest-yaml"],
  cloudformation: ["aws-scripting-guy.cform"],
  "kubernetes-yaml": [],
  "yaml-jinja": [],
};

/** The languages whose documents the server gets: YAML, and its other names where no other extension serves them. */
export function servedLanguages(installed: Installed[]): string[] {
  const there = new Set(installed.map((extension) => extension.id.toLowerCase()));
  const served = new Set<string>();
  for (const [id, servers] of Object.entries(YAML_LANGUAGES)) {
    if (!servers.some((server) => there.has(server))) {
      served.add(id);
    }
  }
  // Unknown language names. An extension that runs code most likely serves its language itself.
  for (const extension of installed.filter((each) => !each.runs)) {
    for (const language of extension.languages.filter((each) => !(each.id in YAML_LANGUAGES) && isYaml(each))) {
      served.add(language.id);
    }
  }
  return [...served].sort();
}

function isYaml(language: Installed["languages"][number]): boolean {
  const names = [language.extensions, language.filenames, language.filenamePatterns].flatMap((list) => list ?? []);
  return names.length > 0 && names.every((name) => /\.ya?ml$/.test(name));
}

/** Whether a text is one of ytt's text templates: it has code between `(@` and `@)`. */
export function isTextTemplate(text: string): boolean {
  return /\(@(?:[=-]|\s|$)[^]*?@\)/m.test(text);
}

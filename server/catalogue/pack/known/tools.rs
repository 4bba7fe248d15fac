//! Schemas that tools have in their own packages.

use super::Known;

/// A schema of `ansible-lint`. Its authors say that not all that Ansible accepts passes it.
const fn of_ansible(
    file: &'static str,
    name: &'static str,
    urls: &'static [&'static str],
    patterns: &'static [&'static str],
) -> Known {
    Known { package: "ansible-lint", file, name, urls, patterns, licence: "MIT", is_strict: true }
}

/// All of them.
pub const TOOLS: &[Known] = &[
    of_ansible(
        "playbook",
        "Ansible Playbook",
        &["https://raw.githubusercontent.com/ansible/ansible-lint/main/src/ansiblelint/schemas/playbook.json"],
        &["playbook.yml", "playbook.yaml", "site.yml", "site.yaml", "**/playbooks/*.yml", "**/playbooks/*.yaml"],
    ),
    of_ansible(
        "tasks",
        "Ansible Tasks File",
        &["https://raw.githubusercontent.com/ansible/ansible-lint/main/src/ansiblelint/schemas/tasks.json"],
        &["**/tasks/*.yml", "**/tasks/*.yaml", "**/handlers/*.yml", "**/handlers/*.yaml"],
    ),
    of_ansible(
        "ansible",
        "Ansible",
        &[
            "https://raw.githubusercontent.com/ansible/ansible-lint/main/src/ansiblelint/schemas/ansible.json",
            "https://raw.githubusercontent.com/ansible-community/schemas/main/f/ansible.json",
        ],
        &[],
    ),
    of_ansible(
        "vars",
        "Ansible Vars File",
        &[
            "https://raw.githubusercontent.com/ansible/ansible-lint/main/src/ansiblelint/schemas/vars.json",
            "https://raw.githubusercontent.com/ansible-community/schemas/main/f/ansible-vars.json",
        ],
        &[
            "**/vars/*.yml",
            "**/vars/*.yaml",
            "**/defaults/*.yml",
            "**/defaults/*.yaml",
            "**/host_vars/*.yml",
            "**/host_vars/*.yaml",
            "**/group_vars/*.yml",
            "**/group_vars/*.yaml",
        ],
    ),
    of_ansible(
        "meta",
        "Ansible Meta",
        &[
            "https://raw.githubusercontent.com/ansible/ansible-lint/main/src/ansiblelint/schemas/meta.json",
            "https://raw.githubusercontent.com/ansible-community/schemas/main/f/ansible-meta.json",
        ],
        &["**/meta/main.yml", "**/meta/main.yaml"],
    ),
    of_ansible(
        "meta-runtime",
        "Ansible Meta Runtime",
        &[
            "https://raw.githubusercontent.com/ansible/ansible-lint/main/src/ansiblelint/schemas/meta-runtime.json",
            "https://raw.githubusercontent.com/ansible-community/schemas/main/f/ansible-meta-runtime.json",
        ],
        &["**/meta/runtime.yml", "**/meta/runtime.yaml"],
    ),
    of_ansible(
        "role-arg-spec",
        "Ansible Argument Specs",
        &["https://raw.githubusercontent.com/ansible/ansible-lint/main/src/ansiblelint/schemas/role-arg-spec.json"],
        &["**/meta/argument_specs.yml", "**/meta/argument_specs.yaml"],
    ),
    of_ansible(
        "requirements",
        "Ansible Requirements",
        &[
            "https://raw.githubusercontent.com/ansible/ansible-lint/main/src/ansiblelint/schemas/requirements.json",
            "https://raw.githubusercontent.com/ansible-community/schemas/main/f/ansible-requirements.json",
        ],
        &["requirements.yml", "requirements.yaml"],
    ),
    of_ansible(
        "execution-environment",
        "Ansible Execution Environment",
        &[
            "https://raw.githubusercontent.com/ansible/ansible-lint/main/src/ansiblelint/schemas/execution-environment.json",
            "https://raw.githubusercontent.com/ansible-community/schemas/main/f/ansible-ee.json",
        ],
        &["**/execution-environment.yml", "**/execution-environment.yaml"],
    ),
    of_ansible(
        "galaxy",
        "Ansible Collection Galaxy",
        &[
            "https://raw.githubusercontent.com/ansible/ansible-lint/main/src/ansiblelint/schemas/galaxy.json",
            "https://raw.githubusercontent.com/ansible-community/schemas/main/f/ansible-galaxy.json",
        ],
        &["galaxy.yml", "galaxy.yaml"],
    ),
    of_ansible(
        "inventory",
        "Ansible Inventory",
        &[
            "https://raw.githubusercontent.com/ansible/ansible-lint/main/src/ansiblelint/schemas/inventory.json",
            "https://raw.githubusercontent.com/ansible-community/schemas/main/f/ansible-inventory.json",
        ],
        &["inventory.yml", "inventory.yaml"],
    ),
    of_ansible(
        "molecule",
        "Ansible Molecule Scenario",
        &["https://raw.githubusercontent.com/ansible/ansible-lint/main/src/ansiblelint/schemas/molecule.json"],
        &["**/molecule/*/molecule.yml", "**/molecule/*/molecule.yaml"],
    ),
    of_ansible(
        "changelog",
        "Ansible Changelog",
        &["https://raw.githubusercontent.com/ansible/ansible-lint/main/src/ansiblelint/schemas/changelog.json"],
        &["**/changelogs/changelog.yml", "**/changelogs/changelog.yaml"],
    ),
    of_ansible(
        "ansible-lint-config",
        "Ansible-lint Configuration",
        &[
            "https://raw.githubusercontent.com/ansible/ansible-lint/main/src/ansiblelint/schemas/ansible-lint-config.json",
            "https://raw.githubusercontent.com/ansible-community/schemas/main/f/ansible-lint.json",
        ],
        &[
            ".ansible-lint",
            ".ansible-lint.yml",
            ".ansible-lint.yaml",
            ".config/ansible-lint.yml",
            ".config/ansible-lint.yaml",
        ],
    ),
    Known {
        licence: "Apache-2.0",
        ..of_ansible(
            "ansible-navigator-config",
            "Ansible Navigator Configuration",
            &[
                "https://raw.githubusercontent.com/ansible/ansible-navigator/main/src/ansible_navigator/data/ansible-navigator.json",
            ],
            &[".ansible-navigator.yaml", ".ansible-navigator.yml", "ansible-navigator.yaml", "ansible-navigator.yml"],
        )
    },
    Known {
        licence: "Apache-2.0",
        ..of_ansible(
            "rulebook",
            "Ansible Rulebook",
            &[
                "https://raw.githubusercontent.com/ansible/ansible-rulebook/main/ansible_rulebook/schema/ruleset_schema.json",
            ],
            &["**/rulebooks/*.yml", "**/rulebooks/*.yaml"],
        )
    },
    Known {
        package: "@cspell/cspell-types",
        file: "cspell.schema",
        name: "cspell",
        urls: &[
            "https://raw.githubusercontent.com/streetsidesoftware/cspell/main/packages/cspell-types/cspell.schema.json",
        ],
        patterns: &[
            "cspell.config.yaml",
            "cspell.config.yml",
            ".cspell.config.yaml",
            ".cspell.config.yml",
            "cspell.yaml",
            "cspell.yml",
            ".cspell.yaml",
            ".cspell.yml",
        ],
        ..Known::NEWEST
    },
    Known {
        package: "markdownlint",
        file: "markdownlint-config-schema",
        name: "Markdownlint",
        urls: &[
            "https://raw.githubusercontent.com/DavidAnson/markdownlint/main/schema/markdownlint-config-schema.json",
        ],
        patterns: &[".markdownlintrc", ".markdownlint.yaml", ".markdownlint.yml"],
        ..Known::NEWEST
    },
    Known {
        package: "@commitlint/config-validator",
        file: "commitlint.schema",
        name: "commitlint",
        urls: &["https://json.schemastore.org/commitlintrc.json"],
        patterns: &[".commitlintrc", ".commitlintrc.yaml", ".commitlintrc.yml"],
        ..Known::NEWEST
    },
    Known {
        package: "lefthook",
        file: "schema",
        name: "Lefthook",
        urls: &[
            "https://raw.githubusercontent.com/evilmartians/lefthook/master/schema.json",
            "https://json.schemastore.org/lefthook.json",
        ],
        patterns: &[
            "lefthook.yml",
            "lefthook.yaml",
            ".lefthook.yml",
            ".lefthook.yaml",
            "lefthook-local.yml",
            ".lefthook-local.yml",
        ],
        ..Known::NEWEST
    },
];

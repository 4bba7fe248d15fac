//! Schemas of newer packages, each for few, much used files: what they are for, and under which addresses they are known.
//! Others of these packages are not taken: their licence is not one of `deny.toml`.

mod tools;

pub use tools::TOOLS;

/// A schema of such a package.
pub struct Known {
    /// The package.
    pub package: &'static str,
    /// Its file in the package: below the folder of schemas, and without the ending.
    pub file: &'static str,
    /// Its name, for people.
    pub name: &'static str,
    /// Its addresses; the first is its own.
    pub urls: &'static [&'static str],
    /// The files that it is for, unless the index of the other package says it.
    pub patterns: &'static [&'static str],
    /// Its licence, as SPDX writes it.
    pub licence: &'static str,
    /// It refuses what the program that reads the files accepts, so that what it finds is not an error.
    pub is_strict: bool,
}

/// The package with most of them.
pub const NEWEST: &str = "check-jsonschema";

impl Known {
    const NEWEST: Known =
        Known { package: NEWEST, file: "", name: "", urls: &[], patterns: &[], licence: "MIT", is_strict: false };
}

const STORE: &str = "Apache-2.0";

/// A schema of SchemaStore itself.
const fn of_store(
    file: &'static str,
    name: &'static str,
    urls: &'static [&'static str],
    patterns: &'static [&'static str],
) -> Known {
    Known { file, name, urls, patterns, licence: STORE, ..Known::NEWEST }
}

/// A schema of SchemaStore that is stricter than its program.
const fn of_store_strict(
    file: &'static str,
    name: &'static str,
    urls: &'static [&'static str],
    patterns: &'static [&'static str],
) -> Known {
    Known { is_strict: true, ..of_store(file, name, urls, patterns) }
}

/// All of the package with most of them.
pub const KNOWN: &[Known] = &[
    of_store(
        "github-workflows",
        "GitHub Workflow",
        &["https://json.schemastore.org/github-workflow.json"],
        &[".github/workflows/*.yml", ".github/workflows/*.yaml", ".gitea/workflows/*.yml", ".forgejo/workflows/*.yml"],
    ),
    of_store(
        "github-actions",
        "GitHub Action",
        &["https://json.schemastore.org/github-action.json"],
        &["action.yml", "action.yaml"],
    ),
    of_store(
        "github-issue-forms",
        "GitHub issue forms",
        &["https://json.schemastore.org/github-issue-forms.json"],
        &[
            ".github/ISSUE_TEMPLATE/**.yml",
            ".github/ISSUE_TEMPLATE/**.yaml",
            "!.github/ISSUE_TEMPLATE/config.yml",
            "!.github/ISSUE_TEMPLATE/config.yaml",
        ],
    ),
    of_store(
        "github-issue-config",
        "GitHub issue template chooser",
        &["https://json.schemastore.org/github-issue-config.json"],
        &[".github/ISSUE_TEMPLATE/config.yml", ".github/ISSUE_TEMPLATE/config.yaml"],
    ),
    of_store(
        "github-discussion",
        "GitHub discussion forms",
        &["https://json.schemastore.org/github-discussion.json"],
        &[".github/DISCUSSION_TEMPLATE/*.yml", ".github/DISCUSSION_TEMPLATE/*.yaml"],
    ),
    of_store(
        "dependabot",
        "Dependabot",
        &["https://json.schemastore.org/dependabot-2.0.json"],
        &[".github/dependabot.yml", ".github/dependabot.yaml"],
    ),
    of_store(
        "bamboo-spec",
        "Bamboo specs",
        &["https://json.schemastore.org/bamboo-spec.json"],
        &["bamboo-specs/*.yml"],
    ),
    of_store(
        "cloudbuild",
        "Google Cloud Build",
        &["https://json.schemastore.org/cloudbuild.json"],
        &["cloudbuild.yaml", "cloudbuild.yml", "*.cloudbuild.yaml", "*.cloudbuild.yml"],
    ),
    of_store_strict(
        "codecov",
        "Codecov",
        &["https://json.schemastore.org/codecov.json"],
        &[".codecov.yml", "codecov.yml", ".codecov.yaml", "codecov.yaml"],
    ),
    of_store_strict("drone-ci", "Drone CI", &["https://json.schemastore.org/drone.json"], &[".drone.yml"]),
    of_store_strict("travis", "Travis CI", &["https://json.schemastore.org/travis.json"], &[".travis.yml"]),
    Known {
        file: "compose-spec",
        name: "Compose",
        urls: &[
            "https://raw.githubusercontent.com/compose-spec/compose-spec/master/schema/compose-spec.json",
            "https://raw.githubusercontent.com/compose-spec/compose-spec/main/schema/compose-spec.json",
            "https://raw.githubusercontent.com/compose-spec/compose-go/main/schema/compose-spec.json",
            "https://raw.githubusercontent.com/compose-spec/compose-go/master/schema/compose-spec.json",
        ],
        patterns: &[
            "docker-compose.yml",
            "docker-compose.yaml",
            "docker-compose.*.yml",
            "docker-compose.*.yaml",
            "compose.yml",
            "compose.yaml",
            "compose.*.yml",
            "compose.*.yaml",
        ],
        licence: "Apache-2.0",
        ..Known::NEWEST
    },
    Known {
        file: "gitlab-ci",
        name: "GitLab CI",
        urls: &[
            "https://gitlab.com/gitlab-org/gitlab/-/raw/master/app/assets/javascripts/editor/schema/ci.json",
            "https://json.schemastore.org/gitlab-ci.json",
        ],
        patterns: &["*.gitlab-ci.yml", "*.gitlab-ci.yaml"],
        ..Known::NEWEST
    },
    Known {
        file: "azure-pipelines",
        name: "Azure Pipelines",
        urls: &[
            "https://raw.githubusercontent.com/microsoft/azure-pipelines-vscode/master/service-schema.json",
            "https://raw.githubusercontent.com/microsoft/azure-pipelines-vscode/main/service-schema.json",
        ],
        patterns: &["azure-pipelines.yml", "azure-pipelines.yaml", ".azure-pipelines.yml", ".azure-pipelines.yaml"],
        is_strict: true,
        ..Known::NEWEST
    },
    Known {
        file: "buildkite",
        name: "Buildkite",
        urls: &["https://raw.githubusercontent.com/buildkite/pipeline-schema/main/schema.json"],
        patterns: &[
            "buildkite.yml",
            "buildkite.yaml",
            ".buildkite/pipeline.yml",
            ".buildkite/pipeline.yaml",
            ".buildkite/pipeline.*.yml",
            ".buildkite/pipeline.*.yaml",
        ],
        ..Known::NEWEST
    },
    Known {
        file: "circle-ci",
        name: "CircleCI",
        urls: &[
            "https://raw.githubusercontent.com/CircleCI-Public/circleci-yaml-language-server/main/schema.json",
            "https://json.schemastore.org/circleciconfig.json",
        ],
        patterns: &[".circleci/config.yml", ".circleci/config.yaml"],
        licence: STORE,
        ..Known::NEWEST
    },
    Known {
        file: "taskfile",
        name: "Taskfile",
        urls: &["https://taskfile.dev/schema.json", "https://json.schemastore.org/taskfile.json"],
        patterns: &[
            "Taskfile.yml",
            "Taskfile.yaml",
            "taskfile.yml",
            "taskfile.yaml",
            "Taskfile.dist.yml",
            "Taskfile.dist.yaml",
        ],
        ..Known::NEWEST
    },
    Known {
        file: "readthedocs",
        name: "Read the Docs",
        urls: &[
            "https://raw.githubusercontent.com/readthedocs/readthedocs.org/main/readthedocs/rtd_tests/fixtures/spec/v2/schema.json",
            "https://raw.githubusercontent.com/readthedocs/readthedocs.org/master/readthedocs/rtd_tests/fixtures/spec/v2/schema.json",
        ],
        patterns: &[".readthedocs.yml", ".readthedocs.yaml", "readthedocs.yml", "readthedocs.yaml"],
        ..Known::NEWEST
    },
    Known {
        file: "meltano",
        name: "Meltano",
        urls: &["https://raw.githubusercontent.com/meltano/meltano/main/src/meltano/schemas/meltano.schema.json"],
        patterns: &["*meltano.yml"],
        ..Known::NEWEST
    },
    Known {
        file: "changie",
        name: "Changie",
        urls: &["https://changie.dev/schema.json"],
        patterns: &[".changie.yml", ".changie.yaml"],
        ..Known::NEWEST
    },
];

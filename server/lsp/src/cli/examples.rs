//! The examples that `--help` ends with, for people who have not read the manual. Each begins a line with two spaces;
//! two more spaces, or the end of the line, end it.

macro_rules! examples {
    ($($(#[$documentation:meta])* $name:ident = $text:expr;)*) => {
        $($(#[$documentation])* pub(super) const $name: &str = $text;)*

        #[cfg(test)]
        const ALL: &[&str] = &[$($name),*];
    };
}

examples! {
    /// Examples of the whole program.
    ALL_COMMANDS = concat!("\
Examples:
  lofting check                             everything in this folder that has a schema
  lofting check --schema app.json app.yaml  files with a schema of your own
  lofting explain deployment.yaml           which schema a file has, and why
  lofting explain kubernetes/type-mismatch  what a finding means
  lofting fmt --diff config                 what formatting would change

Editors start `lofting lsp`. The manual: ", env!("CARGO_PKG_REPOSITORY"), "/blob/main/docs/README.md");
    /// Examples of `lofting check`.
    CHECK = "\
Examples:
  lofting check                                        everything in this folder that has a schema
  lofting check k8s docker-compose.yml                 some folders and files
  lofting check --schema app.schema.json app.yaml      with a schema of your own
  lofting check --fix                                  repair what can only be meant in one way
  lofting check --format github                        annotations for a pull request
  lofting check -f config --data-values-file prod.yml  one set of inputs, with ytt's flags

The exit code is 0 without errors, 1 with errors, and 2 when the work could not be done.";
    /// Examples of `lofting explain`.
    EXPLAIN = "\
Examples:
  lofting explain k8s/deployment.yaml       which schema the file has, and why
  lofting explain kubernetes/type-mismatch  what a finding with this code means, and how to fix it";
    /// Examples of `lofting fix`.
    FIX = "\
Examples:
  lofting fix                                  what is certain, in all files of this folder
  lofting fix --diff app.yaml                  show what would change in a file
  lofting fix --certainty likely --diff k8s    also what is only likely
  lofting fix --only kubernetes/type-mismatch  findings of one rule";
    /// Examples of `lofting complete`.
    COMPLETE = "\
Examples:
  lofting complete deployment.yaml:7:5                the keys or values that fit there
  lofting complete --format json deployment.yaml:7:5  with their edits and documentation, for programs";
    /// Examples of `lofting rename`.
    RENAME = "\
Examples:
  lofting rename --diff schema.yml:3:1 replicas  show what would change, in all files
  lofting rename schema.yml:3:1 replicas         change it";
    /// Examples of `lofting mcp`.
    MCP = "\
Examples:
  lofting mcp                       tools that read this folder
  lofting mcp --root repo --write   also one that repairs files of another folder";
    /// Examples of `lofting completions`.
    COMPLETIONS = "\
Examples:
  lofting completions bash  a script for ~/.local/share/bash-completion/completions/lofting";
    /// Examples of `lofting fmt`.
    FMT = "\
Examples:
  lofting fmt config         all YAML in a folder
  lofting fmt any.yaml       a file
  lofting fmt --check .      list what is not formatted, for CI
  lofting fmt --diff a.yaml  show what would change";
    /// Examples of `lofting render`.
    RENDER = "\
Examples:
  lofting render -f config                              what ytt prints
  lofting render -f config --data-values-file prod.yml  with other data values
  lofting render -f config --origin                     where each value comes from
  lofting render                                        the input set of this folder";
    /// Examples of `lofting values`.
    VALUES = "\
Examples:
  lofting values prod                                   the final data values of an input set in lofting.toml
  lofting values -f config --data-values-file prod.yml  those of other inputs
  lofting values -f config --origin                     and where each comes from
  lofting values -f config --skeleton                   a values file to begin with";
    /// Examples of `lofting schema`.
    SCHEMA = "\
Examples:
  lofting schema --outline deployment.yaml             the schema of a file in a few lines
  lofting schema -f config --to json-schema            a ytt schema for other programs
  lofting schema -f config --to inspect                its documentation, field by field
  lofting schema --from-values values.yml              a schema to begin with
  lofting schema --to openapi-schema parameters.yaml   a schema of OpenChoreo without references";
    /// Examples of `lofting diff`.
    DIFF = "\
Examples:
  lofting diff old/schema.yml schema.yml                     what changed, and whom it breaks
  lofting diff --format markdown old/schema.yml schema.yml   for a comment on a pull request
  lofting diff --fail-on any old/schema.yml schema.yml       exit with 1 after any change
  lofting diff --against origin/main                         all schemas of this folder, with those of a branch
  lofting diff --against HEAD~1 app.schema.json              one schema, with that of an earlier commit";
    /// Examples of `lofting impact`.
    IMPACT = "\
Examples:
  lofting impact --against origin/main                    what newly fails in this folder, and why
  lofting impact --against main... --format markdown      since the branch began, for a comment on a pull request
  lofting impact --against origin/main --rendered         also how the output of input sets differs
  lofting impact --against HEAD --fail-on warnings apps   what uncommitted changes do to a folder";
    /// Examples of `lofting migrate`.
    MIGRATE = "\
Examples:
  lofting migrate --propose --against origin/main schema.yml  a plan to begin with
  lofting migrate --diff moves.toml                           what it would change
  lofting migrate moves.toml                                  changes values, templates and the schema";
    /// Examples of `lofting docs`.
    DOCS = "\
Examples:
  lofting docs values-schema.yml                           a table in Markdown
  lofting docs values-schema.yml --output values.html      one page with a tree and a search
  lofting docs values-schema.yml --inject README.md        in a section of a page of yours
  lofting docs values-schema.yml --inject README.md --check  exit with 1 if that section is out of date";
    /// Examples of `lofting schemas`.
    SCHEMAS = "\
Examples:
  lofting schemas list                 the schemas that are built in
  lofting schemas list workflow        those with this word";
}

#[cfg(test)]
mod tests {
    use super::ALL;
    use crate::cli::Arguments;
    use clap::Parser;

    /// The command at the beginning of a line.
    fn command(line: &str) -> Option<&str> {
        let line = line.strip_prefix("  ")?;
        Some(line.split("  ").next().unwrap_or(line))
    }

    #[test]
    fn every_example_of_the_help_can_be_typed() {
        let lines = ALL.iter().flat_map(|text| text.lines()).filter_map(command).collect::<Vec<_>>();
        assert!(lines.len() > 20, "{lines:?}");
        for line in lines {
            if let Err(error) = Arguments::try_parse_from(line.split(' ')) {
                panic!("{line}: {error}");
            }
        }
    }
}

//! The forms of answers in JSON, as JSON Schema: they are published in docs/json, and the tools for agents have them.

use schemars::generate::SchemaSettings;
use schemars::{JsonSchema, Schema};

use crate::report;

fn of<T: JsonSchema>() -> Schema {
    SchemaSettings::draft2020_12().for_serialize().into_generator().into_root_schema_for::<T>()
}

/// `lofting check --format json`
pub(crate) fn check() -> Schema {
    of::<report::JsonReport<'_>>()
}

/// `lofting complete --format json`
pub(crate) fn complete() -> Schema {
    of::<lofting::Completions>()
}

/// `lofting schema --outline --format json`
pub(crate) fn outline() -> Schema {
    of::<lofting::Outline>()
}

/// `lofting fix --format json`
pub(crate) fn fix() -> Schema {
    of::<lofting::FixAnswer>()
}

#[cfg(test)]
mod tests {
    use super::{check, complete, fix, of, outline};
    use expect_test::expect_file;

    /// `UPDATE_EXPECT=1 cargo test -p lofting-lsp published` writes them.
    #[test]
    fn the_published_forms_are_those_of_the_program() {
        let forms = [
            ("check", check(), expect_file!["../../../docs/json/check.schema.json"]),
            ("complete", complete(), expect_file!["../../../docs/json/complete.schema.json"]),
            ("outline", outline(), expect_file!["../../../docs/json/outline.schema.json"]),
            ("impact", of::<crate::cli::impact::ImpactAnswer>(), expect_file!["../../../docs/json/impact.schema.json"]),
            ("fix", fix(), expect_file!["../../../docs/json/fix.schema.json"]),
            ("rename", of::<lofting::Renaming>(), expect_file!["../../../docs/json/rename.schema.json"]),
            ("explain", of::<lofting::SchemaExplanation>(), expect_file!["../../../docs/json/explain.schema.json"]),
            ("docs", of::<lofting::Documentation>(), expect_file!["../../../docs/json/docs.schema.json"]),
            (
                "explain-value",
                of::<lofting::Explanation>(),
                expect_file!["../../../docs/json/explain-value.schema.json"],
            ),
        ];
        for (name, mut form, file) in forms {
            form.insert("title".to_owned(), format!("lofting {name}, version {}", lofting::VERSION).into());
            let text = serde_json::to_string_pretty(&form).expect("it is JSON");
            file.assert_eq(&(text + "\n"));
        }
    }
}

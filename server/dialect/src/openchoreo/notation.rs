//! The schema that schemas in OpenAPI have to fit, for what editors offer in them.

use super::SEMANTICS;
use crate::json_schema::own_meta_schema;
use lofting_schema::Schema;
use std::sync::{Arc, OnceLock};

/// The text of the schema.
const TEXT: &str = include_str!("openapi_schema.yaml");

/// The schema of schemas.
pub(super) fn openapi() -> Option<Arc<Schema>> {
    static READ: OnceLock<Option<Arc<Schema>>> = OnceLock::new();
    READ.get_or_init(|| own_meta_schema(TEXT, &SEMANTICS)).clone()
}

#[cfg(test)]
mod tests {
    use super::openapi;
    use crate::openchoreo::KEYWORDS;
    use lofting_schema::Step;

    #[test]
    fn all_keywords_are_explained() {
        let schema = openapi().expect("a schema");
        for keyword in KEYWORDS {
            for path in [vec![*keyword], vec!["properties", "a", "items", *keyword]] {
                let path: Vec<Step> = path.iter().map(|key| Step::Key((*key).into())).collect();
                let nodes = schema.nodes_at(schema.root(), &path);
                assert!(nodes.iter().any(|id| schema.node(*id).docs.description.is_some()), "{keyword}");
            }
        }
    }
}

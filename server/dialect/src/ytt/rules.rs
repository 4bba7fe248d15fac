//! Rules about the schemas of ytt, one per file.

use super::problem::{Problem, ProblemKind};
use crate::Fault;
use lofting_diagnostic::Rule;

/// Declares the modules of the rules and lists them, so that a new rule takes one file and one line.
macro_rules! rules {
    ($($name:ident),* $(,)?) => {
        $(mod $name;)*

        /// All rules of this folder.
        pub(super) static RULES: &[&Rule] = &[$(&$name::RULE),*];
    };
}

rules! {
    schema_array_items,
    schema_computed_collection,
    schema_default_arguments,
    schema_examples_arguments,
    schema_null_value,
    schema_nullable_arguments,
    schema_text_arguments,
    schema_type_arguments,
    schema_validation_arguments,
    schema_within_any,
}

pub use schema_array_items::RULE as ARRAY_ITEMS;
pub use schema_examples_arguments::RULE as EXAMPLES_ARGUMENTS;
pub use schema_null_value::RULE as NULL_VALUE;
pub use schema_text_arguments::RULE as TEXT_ARGUMENTS;

impl From<Problem> for Fault {
    fn from(problem: Problem) -> Fault {
        Fault::Found(Box::new(match &problem.kind {
            ProblemKind::NullValue { nullable } => schema_null_value::finding(&problem, *nullable),
            ProblemKind::ArrayItems { count } => schema_array_items::finding(&problem, *count),
            ProblemKind::ComputedCollection { found } => schema_computed_collection::finding(&problem, found),
            ProblemKind::WithinAny { annotations, any } => schema_within_any::finding(&problem, annotations, *any),
            ProblemKind::TypeMissing => schema_type_arguments::missing(&problem),
            ProblemKind::TypeKeyword { name } => schema_type_arguments::keyword(&problem, name),
            ProblemKind::TypeValue { found } => schema_type_arguments::value(&problem, found),
            ProblemKind::NullableKeyword { name } => schema_nullable_arguments::finding(&problem, name),
            ProblemKind::Text { name, wrong } => schema_text_arguments::finding(&problem, name, wrong),
            ProblemKind::DeprecatedOnDocument => schema_text_arguments::deprecated_document(&problem),
            ProblemKind::Examples { wrong } => schema_examples_arguments::finding(&problem, wrong),
            ProblemKind::Default { wrong, expected } => schema_default_arguments::finding(&problem, wrong, expected),
            ProblemKind::DefaultOnArrayItem => schema_default_arguments::on_array_item(&problem),
            ProblemKind::Validation { wrong } => schema_validation_arguments::finding(&problem, wrong),
            ProblemKind::Overlay { wrong } => {
                let (kind, span, annotation) = (wrong.clone(), problem.node.name, problem.annotation);
                return Fault::Merge(Box::new(lofting_overlay::Problem::new(kind, span, annotation)));
            }
        }))
    }
}

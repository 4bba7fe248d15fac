//! Argument lists and expressions never panic, and every range lies inside the text.

use crate::measured::Target;

pub const TARGET: Target = Target::Text(run);

fn run(text: &str) {
    let arguments = lofting_eval::read_arguments(text);
    for error in &arguments.errors {
        assert!(text.get(error.range.clone()).is_some());
    }
    for argument in &arguments.order {
        assert!(text.get(arguments.argument_range(argument)).is_some());
    }
    for offset in 0..=text.len().min(64) {
        arguments.argument_at(offset);
    }
    lofting_eval::read_expression(text);
}

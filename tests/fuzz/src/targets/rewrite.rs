//! Templates, text templates and Starlark files are rewritten without a panic, and what is refused is refused at a
//! place inside the text.

use lofting_document::{FileId, Options};
use lofting_eval::{EvalError, Evaluation, TemplateProgram};
use lofting_starlark::rewritten;

use crate::measured::Target;

pub const TARGET: Target = Target::Text(run);

fn run(text: &str) {
    let program =
        lofting_template::compile(FileId(0), "a.yml", &lofting_syntax::parse(text), Options::default()).program;
    inside(text, rewritten(&Evaluation { program, ..Evaluation::default() }));
    for starlark in [false, true] {
        let program = TemplateProgram { path: "a".to_owned(), ..TemplateProgram::default() };
        let code = Some(text.to_owned());
        inside(text, rewritten(&Evaluation { program, text: code, starlark, ..Evaluation::default() }));
    }
}

fn inside(text: &str, rewritten: Result<String, EvalError>) {
    let Err(error) = rewritten else { return };
    for place in error.frames.into_iter().filter_map(|frame| frame.place) {
        assert!(text.get(place.start as usize..place.end as usize).is_some(), "{}", error.message);
    }
}

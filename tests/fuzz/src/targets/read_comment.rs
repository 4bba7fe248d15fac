//! Comments never panic, and every range lies inside the text.

use lofting_annotation::{CommentKind, looks_like_annotation, read_comment};

use crate::measured::Target;

pub const TARGET: Target = Target::Text(run);

fn run(text: &str) {
    let comment = read_comment(text, 0);
    assert!(text.get(comment.range).is_some());
    if let CommentKind::Annotation(annotation) = comment.kind {
        assert!(text.get(annotation.name_range.clone()).is_some());
        assert!(text.get(annotation.arguments_range.clone()).is_some());
    }
    looks_like_annotation(text, 0);
}

//! Any document can be merged onto any other in every mode: positions in the result and in findings are inside the
//! two texts.
//!
//! A text is cut at lines `#-`: the base, and the overlays on it, one after the other.

use lofting_document::{FileId, Node, NodeValue, Options, Span, lower, write};
use lofting_overlay::{Mode, NoFunctions, Overlay};
use lofting_syntax::resolve::Profile;

use crate::measured::Target;

pub const TARGET: Target = Target::Text(run);

fn run(text: &str) {
    let texts: Vec<&str> = text.split("\n#-\n").take(5).collect();
    let lowered = texts
        .iter()
        .zip(0..)
        .map(|(text, number)| lower(FileId(number), &lofting_syntax::parse(text), Profile::Ytt, Options::default()));
    let mut layers = lowered.map(|set| set.documents);
    let Some(Some(below)) = layers.next().map(|documents| documents.into_iter().next()) else { return };
    let above: Vec<_> = layers.flatten().collect();
    for mode in [Mode::Annotated, Mode::Plain, Mode::Flag { depth: 1 }] {
        let mut left = below.clone();
        let mut overlay = Overlay::new(&NoFunctions);
        for document in &above {
            overlay.apply(&mut left, document, mode);
            inside(&texts, left.value.span);
            nodes(&texts, &left.value);
        }
        write::yaml_document(&left.value);
        write::to_json(&left.value);
        for problem in overlay.into_problems() {
            inside(&texts, problem.span);
        }
    }
}

fn nodes(texts: &[&str], root: &Node) {
    let mut waiting = vec![root];
    while let Some(node) = waiting.pop() {
        inside(texts, node.span);
        match &node.value {
            NodeValue::Map(map) => waiting.extend(map.iter().map(|item| &item.value)),
            NodeValue::Array(array) => waiting.extend(array.iter().map(|item| &item.value)),
            _ => {}
        }
    }
}

fn inside(texts: &[&str], span: Span) {
    let text = texts.get(span.file.0 as usize).expect("one of the texts");
    assert!(text.get(span.range()).is_some(), "{span:?} of {text:?}");
}

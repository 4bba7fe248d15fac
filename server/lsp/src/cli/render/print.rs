//! Prints rendered files.

use lofting_document::{Document, Node, Span, write};
use lofting_workspace::{MadeParts, Origin, RenderedContent, RenderedFile, Rendering};
use serde_json::json;

use super::super::origins;
use super::Format;
use crate::terminal;

/// How many bytes are written at once.
const ENOUGH: usize = 64 * 1024;

/// Prints documents in one of the formats.
pub(super) struct Printer<'r> {
    pub(super) rendering: &'r Rendering,
    pub(super) format: Format,
    /// Show the origin of every value.
    pub(super) origin: bool,
}

impl Printer<'_> {
    /// Prints documents as soon as there is enough of them for one call of the system.
    pub(super) fn print(&self, files: &[RenderedFile]) -> std::io::Result<()> {
        if files.iter().any(|file| matches!(file.content, RenderedContent::Text(_))) {
            terminal::say("lofting: there are text templates, which are only written with --output-files");
        }
        let paths = (self.format == Format::Pos).then(|| self.rendering.paths_inside_ytt());
        let place = |span: Span| {
            let path = paths.as_ref().and_then(|paths| paths.get(&span.file).copied());
            let name = path.unwrap_or_else(|| self.rendering.report.name(span.file));
            Some(terminal::line(&self.in_file(span, name)).into_owned())
        };
        let mut positions = write::PositionWriter::new(&place);
        let documents = files.iter().flat_map(|file| match &file.content {
            RenderedContent::Documents(documents) => documents.as_slice(),
            RenderedContent::Text(_) => &[],
        });
        let mut waiting = String::new();
        for (index, document) in documents.enumerate() {
            waiting += &match (self.format, self.origin) {
                (Format::Yaml, _) => self.yaml(index, document),
                (Format::Json, false) => write::json_document(&document.value),
                (Format::Json, true) => {
                    let origin = origins::by_path(&document.value, &self.origins_in(document));
                    format!("{{\"value\":{},\"origin\":{origin}}}\n", write::to_json(&document.value))
                }
                (Format::Pos, _) => {
                    positions.document(document);
                    positions.take()
                }
            };
            if waiting.len() >= ENOUGH {
                terminal::print_data(&waiting)?;
                waiting.clear();
            }
        }
        terminal::print_data(&waiting)
    }

    /// A document of a YAML file, after a marker if it is not the first.
    pub(super) fn yaml(&self, index: usize, document: &Document) -> String {
        let text = if self.origin {
            let made = MadeParts::of(&document.value);
            write::yaml_with_comments(&document.value, &|node| Some(self.comment(node, &made)))
        } else {
            write::yaml_document(&document.value)
        };
        if index > 0 { format!("---\n{text}") } else { text }
    }

    /// The layers of a value on one line: `overlay.yml:5 over app.yml:12 with values.yml:3`.
    fn comment(&self, node: &Node, made: &MadeParts) -> String {
        let layers = self.rendering.origins(node, made);
        let layers = layers.iter().map(|layer| {
            let values: Vec<String> = layer.values.iter().map(|span| self.place(*span)).collect();
            if values.is_empty() {
                self.place(layer.place)
            } else {
                format!("{} with {}", self.place(layer.place), values.join(", "))
            }
        });
        layers.collect::<Vec<String>>().join(" over ")
    }

    /// The layers of the values of a document.
    fn origins_in(&self, document: &Document) -> impl Fn(&Node) -> serde_json::Value {
        let made = MadeParts::of(&document.value);
        let places = |spans: &[Span]| spans.iter().map(|span| self.exact_place(*span)).collect::<Vec<String>>();
        move |node| {
            let layers = self.rendering.origins(node, &made);
            let layer =
                |layer: &Origin| json!({"place": self.exact_place(layer.place), "values": places(&layer.values)});
            layers.iter().map(layer).collect()
        }
    }

    /// `file:line` for people and for comments in YAML, on one line.
    fn place(&self, span: Span) -> String {
        terminal::line(&self.exact_place(span)).into_owned()
    }

    /// `file:line`, with the file as the user named it.
    fn exact_place(&self, span: Span) -> String {
        self.in_file(span, self.rendering.report.name(span.file))
    }

    fn in_file(&self, span: Span, name: &str) -> String {
        let text = self.rendering.report.snapshot.text(span.file);
        let line = text.position(span.range().start, lofting_text::Encoding::Utf8).line + 1;
        format!("{name}:{line}")
    }
}

//! What has to be true of everything that is rendered.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;

use lofting_document::{Document, FileId, Node, NodeValue, Options, Span, lower, write};
use lofting_starlark::InProcess;
use lofting_syntax::resolve::Profile;
use lofting_workspace::inputs::{InputContext, InputFlags, InputSet};
use lofting_workspace::{
    CancelFlag, Need, RenderedContent, RenderedFile, Rendering, Settings, Workspace, input_set_outcome, render_as_ytt,
    render_input_set,
};

use lofting_tests::made_up::dice::Dice;
use lofting_tests::made_up::files::{Files, PLAIN, SEEN};

/// A made-up input set on disk.
pub struct Case<'f> {
    /// Its number.
    pub number: u64,
    /// Where it lies.
    pub root: PathBuf,
    /// Its files.
    pub files: &'f Files,
}

/// How it ended.
#[derive(Debug)]
pub enum Outcome {
    /// There is output.
    Rendered,
    /// Something is wrong with the input.
    Refused,
}

impl Case<'_> {
    /// Whether all holds; else what does not.
    pub fn check(&self) -> Result<Outcome, String> {
        let inputs = self.inputs();
        let rendering = render_input_set(&inputs, Settings::default(), Arc::new(InProcess::default()));
        if self.number.is_multiple_of(5) && !reported_by_others(&rendering) {
            is_what_ytt_gives(&inputs, &rendering)?;
        }
        // Each of these renders again.
        if self.number.is_multiple_of(2) {
            self.is_the_same_again(&inputs, &rendering)?;
        } else {
            self.edits_do_not_matter(&rendering)?;
        }
        if self.number.is_multiple_of(10) {
            self.the_program_prints_the_same(&rendering)?;
        }
        let Some(files) = &rendering.files else {
            let reported = rendering.report.diagnostics().count();
            return if reported > 0 { Ok(Outcome::Refused) } else { Err("refused without a reason".to_owned()) };
        };
        self.templates_see_the_final_values(&inputs, files)?;
        for document in documents(files) {
            reads_back(document)?;
            every_line_has_a_place(document)?;
            origins_lie_in_the_input(&rendering, &document.value)?;
        }
        Ok(Outcome::Rendered)
    }

    fn inputs(&self) -> InputSet {
        let plain = self.files.list.iter().any(|(path, _)| path == PLAIN);
        let flags = InputFlags {
            files: vec!["config".to_owned()],
            data_values_files: plain.then(|| PLAIN.to_owned()).into_iter().collect(),
            ..InputFlags::default()
        };
        let context = InputContext { base: self.root.clone(), environment: Vec::new(), streams: Default::default() };
        InputSet::from_flags(&flags, &context).expect("all files are there")
    }

    /// The program, which evaluates in a process of its own, prints the same.
    fn the_program_prints_the_same(&self, rendering: &Rendering) -> Result<(), String> {
        let mut program = Command::new(env!("CARGO_BIN_EXE_lofting"));
        program.args(["render", "-f", "config"]).current_dir(&self.root);
        if self.files.list.iter().any(|(path, _)| path == PLAIN) {
            program.args(["--data-values-file", PLAIN]);
        }
        let output = program.output().map_err(|error| error.to_string())?;
        let text = String::from_utf8_lossy(&output.stdout);
        let expected = rendering.files.as_deref().map(|files| {
            documents(files).map(|document| write::yaml_document(&document.value)).collect::<Vec<_>>().join("---\n")
        });
        let code = output.status.code();
        match expected {
            Some(expected) if code == Some(0) && text == expected => Ok(()),
            None if matches!(code, Some(1 | 2)) => Ok(()),
            expected => Err(format!(
                "the program ends with {code:?} and prints\n{text}{}\nand not\n{expected:?}",
                String::from_utf8_lossy(&output.stderr)
            )),
        }
    }

    /// Equal input gives equal output and equal findings, in whatever order templates that run at a time end.
    fn is_the_same_again(&self, inputs: &InputSet, first: &Rendering) -> Result<(), String> {
        let second = render_input_set(inputs, Settings::default(), Arc::new(InProcess::default()));
        if printed(first) != printed(&second) {
            return Err(format!("rendered again:\n{:?}\n{:?}", printed(first), printed(&second)));
        }
        let findings = |rendering: &Rendering| rendering.report.diagnostics().cloned().collect::<Vec<_>>();
        if findings(first) != findings(&second) {
            return Err("other findings the second time".to_owned());
        }
        Ok(())
    }

    /// An editor in which files are edited shows after each edit what it would show had it been started then, and at the
    /// end, when all is undone, what the command line prints.
    fn edits_do_not_matter(&self, rendering: &Rendering) -> Result<(), String> {
        let mut dice = Dice::new(self.number ^ 0xed17);
        let mut texts: Vec<(&str, String)> =
            self.files.list.iter().map(|(path, text)| (path.as_str(), text.clone())).collect();
        let mut edited = self.editor(&texts);
        shown(&mut edited, &self.root)?;
        let mut undo = Vec::new();
        for version in 2..4 {
            let which = dice.below(texts.len());
            let (path, text) = &mut texts[which];
            let at = (0..=text.len()).rev().nth(dice.below(text.len() + 1)).filter(|at| text.is_char_boundary(*at));
            let at = at.unwrap_or(0);
            let typed = *dice.pick(&["#@ x\n", "\n- ", "a: 'b", "#@ end\n", ": ", "\t", "\n", "1", "#! x\n"]);
            let file = edited.snapshot().file(&self.root.join(*path)).ok_or("no file")?;
            edited.edit(file, version, at..at, typed);
            text.insert_str(at, typed);
            undo.push((file, at..at + typed.len()));
            let path = *path;
            let (now, fresh) = (shown(&mut edited, &self.root)?, shown(&mut self.editor(&texts), &self.root)?);
            if now != fresh {
                return Err(format!("{typed:?} typed at {at} of {path}:\n{now:#?}\nand started then:\n{fresh:#?}"));
            }
        }
        for (version, (file, typed)) in (4..).zip(undo.into_iter().rev()) {
            edited.edit(file, version, typed, "");
        }
        let now = shown(&mut edited, &self.root)?.map(|shown| shown.into_iter().map(|(text, _)| text).collect());
        let whole = printed(rendering);
        if now != whole {
            return Err(format!("edited back and forth:\n{now:#?}\nand rendered at once:\n{whole:#?}"));
        }
        Ok(())
    }

    /// An editor in which all files are open, with these texts.
    fn editor(&self, texts: &[(&str, String)]) -> Workspace {
        let mut workspace = Workspace::new(vec![self.root.clone()], Settings::default());
        workspace.set_evaluator(Arc::new(InProcess::default()));
        workspace.scan(&mut |_| {}, &CancelFlag::new());
        let has_plain = texts.iter().any(|(path, _)| *path == PLAIN);
        let values = if has_plain { format!("values = [\"{PLAIN}\"]\n") } else { String::new() };
        let config = format!("[sets.all]\nfiles = [\"config\"]\n{values}");
        workspace.open(&self.root.join("lofting.toml"), 1, &config);
        for (path, text) in texts {
            workspace.open(&self.root.join(path), 1, text);
        }
        workspace
    }

    /// `data.values` is what `lofting values` prints.
    fn templates_see_the_final_values(&self, inputs: &InputSet, files: &[RenderedFile]) -> Result<(), String> {
        if self.files.list.iter().any(|(path, _)| path.ends_with("z-over.yml")) {
            return Ok(());
        }
        let name = SEEN.trim_start_matches("config/");
        let seen = files.iter().find(|file| file.name == name).ok_or("the values are not rendered")?;
        let RenderedContent::Documents(documents) = &seen.content else { return Err("text".to_owned()) };
        let values = input_set_outcome(inputs, Arc::new(InProcess::default())).values.ok_or("no values")?;
        let seen = documents.first().map(|document| write::to_json(&document.value)).unwrap_or_default();
        let printed = write::to_json(&values);
        if seen == printed { Ok(()) } else { Err(format!("templates see\n{seen}\nand values are\n{printed}")) }
    }
}

/// A document or text, with the places of its lines.
type Shown = (String, Vec<Span>);

/// The output of the only call, as an editor shows it.
fn shown(workspace: &mut Workspace, root: &Path) -> Result<Option<Vec<Shown>>, String> {
    let seen = workspace.snapshot().file(&root.join(SEEN)).ok_or("no file")?;
    let snapshot = workspace.evaluate(&[seen], Need::Values, 1);
    let calls = snapshot.output_calls(seen);
    let [call] = calls.as_slice() else { return Err(format!("{} calls", calls.len())) };
    Ok(snapshot.output(call).files.as_deref().map(shown_files))
}

fn shown_files(files: &[RenderedFile]) -> Vec<Shown> {
    let shown = |file: &RenderedFile| match &file.content {
        RenderedContent::Documents(documents) => {
            documents.iter().map(|document| write::yaml_with_places(&document.value)).collect()
        }
        RenderedContent::Text(text) => vec![(text.clone(), Vec::new())],
    };
    files.iter().flat_map(shown).collect()
}

fn documents(files: &[RenderedFile]) -> impl Iterator<Item = &Document> {
    files.iter().flat_map(|file| match &file.content {
        RenderedContent::Documents(documents) => documents.as_slice(),
        RenderedContent::Text(_) => &[],
    })
}

/// Each document and text as it is printed.
pub fn texts(files: &[RenderedFile]) -> Vec<String> {
    let text = |file: &RenderedFile| match &file.content {
        RenderedContent::Documents(documents) => {
            documents.iter().map(|document| write::yaml_document(&document.value)).collect()
        }
        RenderedContent::Text(text) => vec![text.clone()],
    };
    files.iter().flat_map(text).collect()
}

fn printed(rendering: &Rendering) -> Option<Vec<String>> {
    rendering.files.as_deref().map(texts)
}

fn names(rendering: &Rendering) -> Vec<&str> {
    rendering.files.iter().flatten().map(|file| file.name.as_str()).collect()
}

/// What is printed is YAML that says the same.
fn reads_back(document: &Document) -> Result<(), String> {
    let text = write::yaml_document(&document.value);
    let tree = lofting_syntax::parse(&text);
    if let Some(error) = tree.errors().first() {
        return Err(format!("printed with an error, {}:\n{text}", error.message));
    }
    let set = lower(FileId(0), &tree, Profile::Ytt, Options::default());
    let read = set.documents.first().map(|document| write::to_json(&document.value));
    let wanted = write::to_json(&document.value);
    if read.as_deref() == Some(wanted.as_str()) {
        return Ok(());
    }
    Err(format!("printed as\n{text}\nwhich says {read:?} and not {wanted}"))
}

fn every_line_has_a_place(document: &Document) -> Result<(), String> {
    let (text, places) = write::yaml_with_places(&document.value);
    if text != write::yaml_document(&document.value) || text.split_inclusive('\n').count() != places.len() {
        return Err(format!("{} places for\n{text}", places.len()));
    }
    Ok(())
}

/// Every value comes from a place in a file; the text there spells the value, unless it is code.
fn origins_lie_in_the_input(rendering: &Rendering, node: &Node) -> Result<(), String> {
    let layers = rendering.origins(node, &lofting_workspace::MadeParts::of(node));
    let spans = layers.iter().flat_map(|layer| layer.values.iter().chain([&layer.place]));
    for span in spans {
        let text = rendering.report.snapshot.text(span.file);
        if span.range().end > text.len() || span.range().start > span.range().end {
            return Err(format!("a place outside its file: {span:?} of {}", text.len()));
        }
    }
    if layers.is_empty() {
        return Err("a value from nowhere".to_owned());
    }
    match &node.value {
        NodeValue::Map(items) => items.iter().try_for_each(|item| origins_lie_in_the_input(rendering, &item.value)),
        NodeValue::Array(items) => items.iter().try_for_each(|item| origins_lie_in_the_input(rendering, &item.value)),
        _ => Ok(()),
    }
}

/// Whether a language other than ytt's found something.
fn reported_by_others(rendering: &Rendering) -> bool {
    let of_others = ["kubernetes/", "openchoreo/", "json-schema/"];
    rendering.report.diagnostics().any(|finding| of_others.iter().any(|language| finding.code().starts_with(language)))
}

/// Without other languages the output is the same.
fn is_what_ytt_gives(inputs: &InputSet, rendering: &Rendering) -> Result<(), String> {
    let alone = render_as_ytt(inputs, Arc::new(InProcess::default()));
    // Functions in annotations have other numbers where templates came to an end in another order.
    if printed(&alone) == printed(rendering) && names(&alone) == names(rendering) {
        Ok(())
    } else {
        Err("rendered as ytt alone, the output is another one".to_owned())
    }
}

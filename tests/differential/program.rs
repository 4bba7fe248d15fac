//! A made-up program: files, and what is typed into them.

use std::fmt;

/// Files with edits, all of them texts, so that any of them can be left out.
#[derive(Clone, Debug, Default)]
pub struct Program {
    /// Paths with texts.
    pub files: Vec<(String, String)>,
    /// What happens to the files, for ways that edit.
    pub edits: Vec<Edit>,
}

/// A piece of a text is replaced. Numbers are taken modulo what there is.
#[derive(Clone, Debug)]
pub struct Edit {
    /// Which file.
    pub file: usize,
    /// Where: a byte.
    pub at: usize,
    /// So many bytes are removed.
    pub length: usize,
    /// And this is put there.
    pub new: String,
}

impl Program {
    /// The text of a file, empty if there is none.
    pub fn text(&self, path: &str) -> &str {
        self.files.iter().find(|(known, _)| known == path).map_or("", |(_, text)| text)
    }
}

impl fmt::Display for Program {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.files.iter().try_for_each(|(path, text)| write!(f, "#- {path}\n{text}"))?;
        self.edits.iter().try_for_each(|edit| writeln!(f, "{edit:?}"))
    }
}

/// The number of a program of a seed: other seeds make other programs.
pub fn number(seed: u64, number: u64) -> u64 {
    number.wrapping_add(seed.wrapping_mul(0x5851_f42d_4c95_7f2d))
}

/// The smallest program that still fails, found by leaving out edits, files and lines.
pub fn shrink(mut program: Program, fails: impl Fn(&Program) -> bool) -> Program {
    loop {
        let smaller = without_edits(&program)
            .chain(without_files(&program))
            .chain(without_lines(&program))
            .find(|smaller| fails(smaller));
        match smaller {
            Some(smaller) => program = smaller,
            None => return program,
        }
    }
}

fn without_edits(program: &Program) -> impl Iterator<Item = Program> {
    (0..program.edits.len()).map(|index| {
        let mut smaller = program.clone();
        smaller.edits.remove(index);
        smaller
    })
}

/// Edits name files by number, so that a file stays as an empty one.
fn without_files(program: &Program) -> impl Iterator<Item = Program> {
    let filled = (0..program.files.len()).filter(|index| !program.files[*index].1.is_empty());
    filled.map(|index| {
        let mut smaller = program.clone();
        smaller.files[index].1.clear();
        smaller
    })
}

/// Many lines at a time first.
fn without_lines(program: &Program) -> impl Iterator<Item = Program> {
    let pieces = program.files.iter().enumerate().flat_map(|(file, (_, text))| {
        let lines = text.lines().count();
        [8, 4, 2, 1].into_iter().flat_map(move |many| (0..lines).step_by(many).map(move |line| (file, line, many)))
    });
    pieces.map(|(file, first, many)| {
        let mut smaller = program.clone();
        let (_, text) = &mut smaller.files[file];
        let kept = text.split_inclusive('\n').enumerate().filter(|(line, _)| !(first..first + many).contains(line));
        *text = kept.map(|(_, line)| line).collect();
        smaller
    })
}

//! Findings of texts into which something was typed, and those of the new texts opened afresh; and the same for trees.

use lofting_syntax::debug::dump;
use lofting_syntax::parse;
use lofting_tests::made_up::dice::Dice;
use lofting_tests::made_up::files::Files;
use lofting_tests::made_up::values::{Manner, Values};

use crate::answers::{difference, findings, opened};
use crate::program::{Edit, Program};
use crate::tree;

const PIECES: [&str; 24] = [
    "\n",
    "- ",
    "a: 'b",
    "#@ end\n",
    ": ",
    "\t",
    "1",
    "#! x\n",
    "#@ x = 1\n",
    "name: web\n",
    "  ",
    "{",
    "]",
    "~",
    "---\n",
    "#@data/values\n---\n",
    "#@overlay/remove\n",
    "#@schema/nullable\n",
    "&a ",
    "*a",
    "\"",
    "port: x\n",
    "|\n",
    "\r\n",
];

pub fn make(number: u64) -> Program {
    let mut dice = Dice::new(number ^ 0xed17);
    let mut program = match number % 3 {
        0 => tree::make(number),
        1 => {
            let mut made = Values::new(number);
            let schema = made.schema(true);
            let files = [("schema.yml", schema), ("values.yml", made.values(Manner::Annotated))];
            Program { files: files.map(|(path, text)| (path.to_owned(), text)).into(), edits: Vec::new() }
        }
        _ => Program { files: Files::new(number).list, edits: Vec::new() },
    };
    program.edits = (0..1 + dice.below(5))
        .map(|_| Edit {
            file: dice.below(program.files.len()),
            at: dice.below(100_000),
            length: if dice.percent(40) { dice.below(12) } else { 0 },
            new: (*dice.pick(&PIECES)).to_owned(),
        })
        .collect();
    program
}

pub fn differs(program: &Program) -> Option<String> {
    let mut texts = program.files.clone();
    let (mut workspace, ids) = opened(&texts);
    findings(&mut workspace, &ids);
    for (version, edit) in (2..).zip(&program.edits) {
        let (_, text) = &mut texts[edit.file];
        let boundary = |at: usize| (0..=at.min(text.len())).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0);
        let start = boundary(edit.at % (text.len() + 1));
        let range = start..boundary(start + edit.length);
        let edited = parse(text).edit(range.clone(), &edit.new);
        text.replace_range(range.clone(), &edit.new);
        if dump(&edited) != dump(&parse(text)) {
            return Some(format!("another tree after {edit:?}"));
        }
        workspace.edit(ids[edit.file], version, range, &edit.new);
        // Findings that were asked for in between are remembered.
        if version % 2 == 0 {
            findings(&mut workspace, &ids);
        }
    }
    let (mut fresh, fresh_ids) = opened(&texts);
    for (workspace, ids) in [(&mut workspace, &ids), (&mut fresh, &fresh_ids)] {
        ids.iter().for_each(|file| _ = workspace.typing_over(*file));
    }
    difference(["after edits", "afresh"], &findings(&mut workspace, &ids), &findings(&mut fresh, &fresh_ids))
}

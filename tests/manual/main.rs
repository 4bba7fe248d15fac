//! The manual is true: what it says to type can be typed and gives what the page shows, and what it says to write into a
//! file can be read by the program that the file is for.
//!
//! A block of code says by its language how it is checked: `console` is run, and its output compared; `sh` and blocks
//! without a language have commands of `lofting`, whose arguments must be accepted; all other languages are parsed. A
//! comment above a block says more (`page.rs`). `UPDATE_EXPECT=1` writes what commands print into the pages.

mod page;
mod read;
mod run;

use std::cell::Cell;

use page::{Block, Page};
use run::Folder;

/// The pages, with what is wrong on them.
fn faults(check: impl Fn(&Page, &mut Vec<String>)) {
    let mut wrong = Vec::new();
    let pages = page::all();
    assert!(pages.len() > 30, "{} pages", pages.len());
    for page in pages {
        let before = wrong.len();
        check(&page, &mut wrong);
        for fault in &mut wrong[before..] {
            *fault = format!("{}:{fault}", page.name);
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
}

#[test]
fn every_file_can_be_read_by_the_program_that_it_is_for() {
    faults(|page, wrong| {
        for block in &page.blocks {
            if let Err(why) = read::read(block) {
                wrong.push(format!("{}: {why}", block.line));
            }
        }
    });
}

#[test]
fn what_is_shown_for_other_programs_has_no_mistakes() {
    if !run::has_built_in_schemas() {
        eprintln!("skipped: no schemas are built in");
        return;
    }
    let checked = Cell::new(0);
    faults(|page, wrong| {
        for (block, path) in page.blocks.iter().filter_map(|block| Some((block, block.mark("checked")?))) {
            checked.set(checked.get() + 1);
            let mut folder = Folder::new();
            folder.write(path, &block.text);
            let printed = folder.console(&format!("$ lofting check --strict {path}"));
            if !printed.contains("1 file checked: 0 errors, 0 warnings\n  1 file checked with ") {
                wrong.push(format!("{}: {printed}", block.line));
            }
        }
    });
    assert!(checked.get() > 5, "{} files", checked.get());
}

#[test]
fn every_command_can_be_typed() {
    faults(|page, wrong| {
        for block in page.blocks.iter().filter(|block| !block.is_console() && block.is_typed()) {
            let refused = block.text.lines().filter_map(|line| run::refused(line).err());
            wrong.extend(refused.map(|why| format!("{}: {why}", block.line)));
        }
    });
}

/// Shells differ, and so do paths in output; what is shown is what it is on Unix.
#[cfg(unix)]
#[test]
fn every_command_prints_what_the_page_shows() {
    let has_schemas = run::has_built_in_schemas();
    let mut commands = 0;
    let mut wrong = Vec::new();
    for page in page::all() {
        if page.needs_schemas() && !has_schemas {
            eprintln!("skipped: {}: no schemas are built in", page.name);
            continue;
        }
        let mut changes = Vec::new();
        let mut folder = Folder::new();
        for block in &page.blocks {
            if let Some(from) = block.mark("folder") {
                folder.copy(from);
            }
            if let Some(path) = block.mark("file") {
                folder.write(path, &block.text);
            }
            if !block.is_console() {
                continue;
            }
            let printed = folder.console(&block.text);
            commands += block.text.lines().filter(|line| line.starts_with("$ ")).count();
            if !run::is_shown(&block.text, &printed) {
                changes.push((block, printed.clone()));
                wrong.push(format!("{}:{}: it prints\n{printed}", page.name, block.line));
            }
        }
        if std::env::var_os("UPDATE_EXPECT").is_some() {
            page.update(&changes);
        }
    }
    assert!(commands > 10 || !has_schemas, "{commands} commands were run");
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
}

#[test]
fn blocks_have_marks_and_places() {
    let text = "# A\n\n<!-- file: a.yml -->\n```yaml\na: 1\n```\n\n* b\n\n  ```console\n  $ x\n    y\n  ```\n";
    let page = Page::of("a.md", text);
    let shown: Vec<_> =
        page.blocks.iter().map(|block| (block.line, block.language.as_str(), block.text.as_str())).collect();
    assert_eq!(shown, [(4, "yaml", "a: 1\n"), (10, "console", "$ x\n  y\n")]);
    assert_eq!(page.blocks[0].mark("file"), Some("a.yml"));
    assert_eq!(page.blocks[1].mark("file"), None);
    let block: &Block = &page.blocks[1];
    assert_eq!(page.updated(&[(block, "$ x\nz\n".to_owned())]), text.replace("    y", "  z"));
}

#[test]
fn output_may_be_cut() {
    assert!(run::is_shown("$ a\nb\n…\ne\n", "$ a\nb\nc\nd\ne\n"));
    assert!(run::is_shown("$ a\n…\n", "$ a\n"));
    assert!(!run::is_shown("$ a\nb\n…\nf\n", "$ a\nb\nc\nd\ne\n"));
    assert!(!run::is_shown("$ a\nb\n", "$ a\nb\nc\n"));
}

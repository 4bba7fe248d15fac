//! Files whose text is inside another file are kept up to date with the commands that name them.

use crate::files::file::{File, Origin};
use crate::workspace::Workspace;
use lofting_memo::Stamp;
use rustc_hash::FxHashSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

impl Workspace {
    /// Creates files for the inline texts of commands. Texts that no longer exist become empty.
    pub(crate) fn take_inline_files(&mut self) {
        let commands = self.commands.clone();
        let mut known = FxHashSet::default();
        for (path, command) in commands.iter().flat_map(|(path, file)| file.commands.iter().map(move |it| (path, it))) {
            for file in &command.inline {
                self.id_of(path);
                let place = command.inline_place(path, file);
                self.inline_file(&place, &file.text);
                known.insert(place);
            }
        }
        let gone: Vec<PathBuf> = self.inline_ids.keys().filter(|place| !known.contains(*place)).cloned().collect();
        for place in gone {
            self.inline_file(&place, "");
        }
    }

    /// The ID of such a file, with this text. It is found only by its ID: there is no file at its path.
    fn inline_file(&mut self, place: &Path, text: &str) {
        if let Some(id) = self.inline_ids.get(place).copied() {
            if self.state.file(id).is_none_or(|file| String::from(file.text()) != text) {
                let file =
                    File::with_text(id, Arc::from(place), Stamp::next(), Origin::Given, text, self.options_of(id));
                self.change().files.set(Arc::new(file));
            }
            return;
        }
        let id = self.add_given(&place.to_string_lossy(), text);
        Arc::make_mut(&mut self.inline_ids).insert(place.to_owned(), id);
    }
}

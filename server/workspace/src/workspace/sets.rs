//! Keeps the named input sets up to date with `lofting.toml` and existing files.
//!
//! Sets with few files are resolved immediately. If there are many, an editor does it in the background ([`SetsJob`]),
//! the result arrives as an event, and until then the previous sets stay in use.

use crate::files::scan::look_at;
use crate::input_sets::job::{Looks, Outcome, ResolvedSets, SetsFound, SetsJob};
use crate::input_sets::state::SetsState;
use crate::inputs::{InputFile, Role, Source};
use crate::workspace::Workspace;
use lofting_memo::Stamp;
use std::sync::Arc;

/// When and where sets are resolved.
#[derive(Default)]
pub(crate) struct Resolving {
    looks: Looks,
    wanted: Want,
    /// Large sets are resolved in the background.
    elsewhere: bool,
    /// A job is running.
    is_away: bool,
    /// The last sets were too large to be resolved immediately.
    large: bool,
}

/// Changes that the sets have not seen yet. A later one includes those before it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
enum Want {
    #[default]
    Nothing,
    /// Files that they requested are known now.
    Rest,
    /// The disk may have changed.
    Again,
    /// Paths may now lead further, or less far.
    Afresh,
}

/// The result of applying sets that were resolved in the background.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Taken {
    /// There is more to take.
    More,
    /// Nothing changed.
    Same,
    /// The sets changed.
    Other,
}

impl Workspace {
    /// Resolves all sets again.
    pub(crate) fn refresh_sets(&mut self) {
        self.want_sets(Want::Again);
    }

    /// Resolves all sets again and discards earlier results from the disk.
    pub(crate) fn refresh_sets_afresh(&mut self) {
        self.want_sets(Want::Afresh);
    }

    /// From now on, sets with many files are resolved in the background, by the caller of [`Workspace::take_sets_job`].
    pub fn resolve_sets_elsewhere(&mut self) {
        self.resolving.elsewhere = true;
    }

    fn want_sets(&mut self, want: Want) {
        let resolving = &mut self.resolving;
        resolving.wanted = resolving.wanted.max(want);
        if !resolving.elsewhere || !(resolving.is_away || resolving.large) {
            self.resolve_sets();
        }
    }

    /// Resolves sets on this thread, if they are small or there is no background job.
    fn resolve_sets(&mut self) {
        while self.resolving.wanted != Want::Nothing {
            let mut found = self.sets_job(self.resolving.elsewhere).run();
            if matches!(found.outcome, Outcome::TooMuch) {
                self.resolving.looks = found.looks;
                self.resolving.large = true;
                return self.resolving.wanted = Want::Again;
            }
            self.take_sets(&mut found, usize::MAX);
        }
    }

    /// Sets to be resolved in the background, if there are any. The result goes to [`Workspace::take_sets`].
    pub fn take_sets_job(&mut self) -> Option<SetsJob> {
        if self.resolving.wanted == Want::Nothing || self.resolving.is_away {
            return None;
        }
        self.resolving.is_away = true;
        Some(self.sets_job(false))
    }

    /// A job will not return.
    pub fn give_up_sets(&mut self) {
        self.resolving.is_away = false;
    }

    fn sets_job(&mut self, at_once: bool) -> SetsJob {
        if std::mem::take(&mut self.commands_changed) {
            self.take_inline_files();
        }
        let want = std::mem::take(&mut self.resolving.wanted);
        let mut looks = match want {
            Want::Afresh => Looks::default(),
            Want::Nothing | Want::Rest | Want::Again => std::mem::take(&mut self.resolving.looks),
        };
        looks.listings.begin(at_once, want > Want::Rest);
        if want > Want::Rest {
            looks.files.clear();
            looks.rounds = 0;
        }
        SetsJob {
            state: SetsState::clone(&self.state),
            ran: self.state.evaluations.iter().map(|(file, _)| file).collect(),
            commands: self.commands.clone(),
            inline_ids: self.inline_ids.clone(),
            all: self.all_inputs,
            looks,
        }
    }

    /// Applies resolved sets, up to a number of files.
    pub fn take_sets(&mut self, found: &mut SetsFound, files: usize) -> Taken {
        let taken = match &mut found.outcome {
            Outcome::Files(new) => {
                for file in new.by_ref().take(files) {
                    self.add_found(file);
                }
                if new.len() > 0 {
                    return Taken::More;
                }
                self.resolving.wanted = self.resolving.wanted.max(Want::Rest);
                Taken::Same
            }
            Outcome::Resolved(sets) => {
                let sets = std::mem::take(&mut **sets);
                self.resolving.large = !sets.small;
                self.install_sets(sets)
            }
            Outcome::TooMuch => Taken::Same,
        };
        self.resolving.looks = std::mem::take(&mut found.looks);
        self.resolving.is_away = false;
        taken
    }

    fn install_sets(&mut self, resolved: ResolvedSets) -> Taken {
        let ResolvedSets { sets, inline, same, saw_the_same, .. } = resolved;
        if same && sets.config_texts == self.state.sets.config_texts {
            return Taken::Same;
        }
        // Code that has run since then saw the previous sets.
        let runs_again: Vec<_> = self
            .state
            .evaluations
            .iter()
            .map(|(file, _)| file)
            .filter(|file| !same && saw_the_same.get(file) != Some(&true))
            .collect();
        let have_options = sets.have_options() || self.state.sets.have_options();
        let state = self.change();
        *state.sets = Arc::new(sets);
        *state.inline = Arc::new(inline);
        if !same {
            state.structure = Stamp::next();
        }
        if have_options {
            self.read_as_wanted();
        }
        for file in runs_again {
            self.forget_evaluation(file);
        }
        self.tell_of_many_calls();
        if same { Taken::Same } else { Taken::Other }
    }

    /// Reports what is not checked during editing.
    fn tell_of_many_calls(&mut self) {
        let most = self.state.most_calls;
        let sets = self.state.sets.clone();
        for set in sets.sets.iter().filter(|set| set.alternatives.len() > most) {
            self.tell_once(format!(
                "The input set {} has more than {most} values files. In files that all of them share, the editor looks at \
                 the first {most}; `lofting check` looks at all.",
                set.title()
            ));
        }
    }

    /// Makes the sets know all their files and reads those that ytt evaluates: rendering needs more than schema and
    /// values.
    pub(crate) fn take_all_inputs(&mut self) {
        self.all_inputs = true;
        self.refresh_sets();
        let sets = self.state.sets.clone();
        let evaluated = |input: &&InputFile| input.role != Role::Data || input.for_output == Some(true);
        for set in &sets.sets {
            for input in set.inputs.iter().filter(evaluated) {
                let Source::Path(path) = &input.source else { continue };
                if !self.state.file_at(path).is_some_and(|file| file.exists()) {
                    self.add_found(look_at(path.clone(), &set.reach));
                }
            }
        }
    }
}

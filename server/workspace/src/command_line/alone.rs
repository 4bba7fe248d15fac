//! Files whose content matters to no others but those that are given to `ytt` together with them.

use crate::disk::path::is_yaml;
use crate::files::facts::Facts;
use crate::files::file::File;
use crate::files::table::Kept;
use crate::findings::levels;
use crate::input_sets::sets::{FileRole, WorkspaceSet};
use crate::inputs::{DataValueKind, Source};
use crate::state::State;
use crate::workspace::Workspace;
use lofting_check::rules::UNUSED_KEY;
use rustc_hash::FxHashSet;
use std::path::Path;

/// Whether marks say nothing about other files.
pub(crate) fn is_plain(facts: Facts) -> bool {
    facts == Facts { suppressions: facts.suppressions, ..Facts::default() }
}

/// A workspace with files whose content matters to few others.
pub(crate) struct Alone<'s> {
    workspace: &'s Workspace,
    /// The paths of everything that is given to `ytt`, values files apart.
    pub inputs: FxHashSet<&'s Path>,
}

impl<'s> Alone<'s> {
    /// None if any file may be read because something names it, or if not everything is known.
    pub fn of(workspace: &'s Workspace) -> Option<Alone<'s>> {
        let inputs = workspace.state.sets.sets.iter().flat_map(|set| set.inputs.iter());
        let inputs = inputs
            .filter_map(|input| if let Source::Path(path) = &input.source { Some(path.as_path()) } else { None })
            .collect();
        let alone = Alone { workspace, inputs };
        (alone.nothing_is_read_by_name() && alone.all_is_known()).then_some(alone)
    }

    /// Whether a file is YAML that says nothing about others, is given to `ytt` as values if at all, and has no commands.
    pub fn has(&self, file: &File) -> bool {
        let mut roles = self.state().sets.indices_of_file(file.id).map(|(_, role)| role);
        file.exists()
            && is_plain(file.facts)
            && is_yaml(&file.path)
            && roles.all(|role| role == FileRole::PlainValues)
            && !self.inputs.contains(&*file.path)
            && !self.workspace.commands.contains_key(&*file.path)
    }

    /// The files that exist.
    pub fn files(&self) -> impl Iterator<Item = &'s File> {
        self.state().files.iter().map(|file| &**file).filter(|file| file.exists())
    }

    fn state(&self) -> &'s State {
        &self.workspace.state
    }

    fn sets(&self) -> &'s [WorkspaceSet] {
        &self.state().sets.sets
    }

    /// Whether no file may be read because something names it: as a schema, as a part of one, or by code.
    fn nothing_is_read_by_name(&self) -> bool {
        let settings = &self.state().settings;
        let names = |file: &File| {
            let facts = &file.facts;
            if file.is_configuration() {
                let config = file.config();
                return !(config.schemas.is_empty() && config.bundles.is_empty() && config.mirrors.is_empty());
            }
            facts.modeline || facts.references || facts.part_schema || facts.library_schema
        };
        let is_of_user = settings.schemas.is_empty()
            && settings.kubernetes.is_none()
            && settings.mirrors.is_empty()
            && settings.catalogue.is_none();
        is_of_user
            && self.state().index.count(Kept::Kustomization) == 0
            && self.state().inline.is_empty()
            && self.state().fetched.is_all_refused()
            && self.files().all(|file| !names(file) && (!file.facts.code || self.inputs.contains(&*file.path)))
            && self.sets().iter().all(|set| set.flags.iter().all(|flag| flag.value.kind != DataValueKind::File))
    }

    /// Whether all sets are known, and no rule looks at all values files.
    fn all_is_known(&self) -> bool {
        *self.state().seen_all
            && self.sets().iter().all(|set| set.errors.is_empty() && set.left_out.is_empty())
            && !self.files().any(|file| file.facts.schema && levels::is_chosen(self.state(), file, &UNUSED_KEY))
    }
}

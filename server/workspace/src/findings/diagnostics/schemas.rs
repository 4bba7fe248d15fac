//! Findings about schemas that are named but cannot be used, each at the name.

use super::Collect;
use crate::association::fetched::NotFetched;
use crate::association::linked::named;
use crate::association::mirrors::Mirrors;
use crate::association::naming::{Naming, SchemaProblem};
use crate::files::disk::OUT_OF_REACH;
use crate::files::path::normalise;
use crate::input_sets::config::Config;
use crate::settings::local_path;
use lofting_check::{Diagnostic, Severity};
use lofting_document::Span;
use std::path::Path;

impl Collect<'_> {
    /// The schema that the file itself names.
    pub(super) fn unread_schema(&mut self) {
        let Some(named) = named(self.state, self.file).filter(|named| named.naming.by.is_in_file()) else { return };
        let Some(place) = named.naming.place else { return };
        match &named.schema {
            Err(problem) => self.found.extend(finding(place, &named.naming, problem)),
            Ok(_) => {
                let why = self.state.fetched.outdated(&named.naming.schema);
                self.found.extend(why.map(|why| lofting_check::schema_outdated(place, &named.naming.schema, why)));
            }
        }
    }

    /// What a `lofting.toml` names as schemas of other files, and as folders for URLs.
    pub(super) fn configured_schemas(&mut self, config: &Config) {
        let (state, file) = (self.state, self.file);
        let mirrors = Mirrors::of(state, &file.path);
        let named = config.schemas.iter().filter(|entry| !entry.schema.is_empty());
        for entry in named.filter(|entry| !config.is_half_typed(entry.range.start)) {
            let naming = Naming::configured(state, file, entry, "");
            if let (Err(problem), Some(place)) = (naming.find(state, file.id, &mirrors), naming.place)
                && !matches!(problem, SchemaProblem::Ytt)
            {
                self.found.extend(finding(place, &naming, &problem));
            }
        }
        let reach = state.reach_of(&file.path);
        let base = file.path.parent().unwrap_or(Path::new("/"));
        for bundle in config.bundles.iter().filter(|bundle| !config.is_half_typed(bundle.range.start)) {
            // Where a part is filled in, nothing is asked for as it is written.
            let Some(path) = local_path(&bundle.schema).filter(|_| !bundle.schema.contains("{{")) else { continue };
            let (path, span) = (normalise(base, &path), Span::new(file.id, bundle.range.clone()));
            if !reach.names(&path) {
                self.found.push(lofting_check::out_of_reach(span, &format!("`{}`: {OUT_OF_REACH}", bundle.schema)));
            } else if reach.look(&path).is_err() {
                let message = format!("there is no folder or file `{}`", bundle.schema);
                self.found.push(lofting_check::configuration(span, &message, None));
            }
        }
        for mirror in config.mirrors.iter().filter(|mirror| !config.is_half_typed(mirror.range.start)) {
            let (folder, span) = (normalise(base, Path::new(&mirror.folder)), Span::new(file.id, mirror.range.clone()));
            if !reach.names(&folder) {
                self.found.push(lofting_check::out_of_reach(span, &format!("`{}`: {OUT_OF_REACH}", mirror.folder)));
            } else if !reach.is_directory(&folder) {
                let message = format!("there is no folder `{}`", mirror.folder);
                self.found.push(lofting_check::configuration(span, &message, None));
            }
        }
    }
}

/// `None` as long as it is not known.
fn finding(place: Span, naming: &Naming, problem: &SchemaProblem) -> Option<Diagnostic> {
    let mut finding = lofting_check::schema_not_read(place, &naming.schema, &problem.to_string());
    // It is not a mistake that a schema is elsewhere.
    match problem {
        SchemaProblem::Awaited => None,
        SchemaProblem::NoFolder => {
            finding.severity = Severity::Info;
            Some(
                finding
                    .help("name a folder for the URL: `[schemas.mirror]` in lofting.toml, `--schema-dir URL=FOLDER`"),
            )
        }
        SchemaProblem::NotFetched(NotFetched { help, is_refusal, .. }) => {
            if *is_refusal {
                finding.severity = Severity::Info;
            }
            Some(help.iter().fold(finding, |finding, help| finding.help(help)))
        }
        _ => Some(finding),
    }
}

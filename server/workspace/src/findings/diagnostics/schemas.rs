//! Findings about schemas that are named but cannot be used, each at the name.

use super::Collect;
use crate::association::associate::schema_at;
use crate::association::bundles;
use crate::association::json_schemas::{self, named};
use crate::association::mirrors::Mirrors;
use crate::association::naming::{Naming, SchemaProblem};
use crate::association::schema_links::is_cut;
use crate::association::usable;
use crate::config::{Config, ConfigSchema};
use crate::disk::OUT_OF_REACH;
use crate::disk::built_in::with_other_extension;
use crate::disk::glob::Glob;
use crate::disk::glob::is_pattern;
use crate::disk::path::normalise;
use crate::files::claims::ClaimedSchema;
use crate::files::fetched::{NotFetched, is_web};
use crate::files::file::File;
use crate::files::table::Kept;
use crate::findings::state::CheckState;
use crate::settings::local_path;
use lofting_check::{Diagnostic, Severity};
use lofting_document::Span;
use lofting_memo::{Stamp, recorder};
use std::path::{Path, PathBuf};

impl Collect<'_> {
    /// The schema that the file itself names.
    pub(super) fn unread_schema(&mut self) {
        let Some(named) =
            self.as_governed(|| named(self.state, self.file)).filter(|named| named.naming.by.is_in_file())
        else {
            return;
        };
        let Some(place) = named.naming.place else { return };
        match &named.schema {
            Err(problem) => self.found.extend(finding(place, &named.naming, problem)),
            Ok(schema) => {
                let why = self.state.fetched.outdated(&named.naming.schema);
                self.found.extend(why.map(|why| lofting_check::schema_outdated(place, &named.naming.schema, why)));
                self.found.extend(partly(self.state, place, &named.naming.schema, schema));
            }
        }
    }

    /// What a `lofting.toml` names as schemas of other files, and as folders for URLs.
    pub(super) fn configured_schemas(&mut self, config: &Config) {
        let (state, file) = (self.state, self.file);
        let mirrors = Mirrors::of(state, &file.path);
        let named = config.schemas.iter().filter(|entry| !entry.schema.is_empty());
        let named = named.filter(|entry| !config.is_half_typed(entry.range.start));
        let named: Vec<Naming> = named.map(|entry| Naming::configured(state, file, entry, "")).collect();
        let schema = |naming: &Naming| json_schemas::schema_of_naming(state, naming, file.id, &mirrors);
        let schemas = || named.iter().map(schema).collect::<Vec<_>>();
        let schemas = recorder::only("named schemas", || stamps(state, file), schemas);
        for (naming, schema) in named.iter().zip(schemas) {
            let Some(place) = naming.place else { continue };
            self.found.extend(match schema {
                Ok(schema) => partly(state, place, &naming.schema, &schema),
                Err(SchemaProblem::Ytt) => None,
                Err(SchemaProblem::NotFound) if holds_ytt_schemas(state, naming, &mirrors) => None,
                Err(problem) => finding(place, naming, &problem),
            });
        }
        self.unused_patterns(config);
        let reach = state.reach_of(&file.path);
        let base = file.path.parent().unwrap_or(Path::new("/"));
        for bundle in config.bundles.iter().filter(|bundle| !config.is_half_typed(bundle.range.start)) {
            self.found.extend(bundle_finding(state, file, bundle));
        }
        let open = state.index.kept(Kept::Open).filter_map(|id| state.file(id));
        let is_here = |finding: &Diagnostic| finding.span.file == file.id;
        let look = || open.flat_map(|open| lost_in_bundles(state, open)).filter(is_here).collect();
        let lost: Vec<Diagnostic> = recorder::only("bundles", || stamps(state, file), look);
        for finding in lost {
            if !self.found.iter().any(|known| known.span == finding.span) {
                self.found.push(finding);
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

/// What is wrong with a bundle as a whole.
pub(crate) fn bundle_finding(state: &CheckState, config: &File, bundle: &ConfigSchema) -> Option<Diagnostic> {
    let span = Span::new(config.id, bundle.range.clone());
    // Its documents have URLs that begin like this.
    let begin = bundle.schema.split("{{").next().unwrap_or_default();
    let refused = state.fetched.refused().filter(|_| is_web(begin)).find(|(url, _)| url.starts_with(begin));
    if let Some((url, why)) = refused {
        let naming = Naming::bundled(state, config, bundle, url.to_owned());
        return finding(span, &naming, &SchemaProblem::NotFetched(why.clone()));
    }
    // Where a part is filled in, nothing is looked up as it is written.
    let path = local_path(&bundle.schema).filter(|_| !bundle.schema.contains("{{"))?;
    let path = normalise(config.path.parent().unwrap_or(Path::new("/")), &path);
    let reach = state.reach_of(&config.path);
    if !reach.names(&path) {
        return Some(lofting_check::out_of_reach(span, &format!("`{}`: {OUT_OF_REACH}", bundle.schema)));
    }
    let is_there = reach.look(&path).is_ok();
    let message = format!("there is no folder or file `{}`", bundle.schema);
    (!is_there).then(|| lofting_check::configuration(span, &message, None))
}

/// What documents of a file need from bundles and cannot be read, at the entries of the bundles, which are in any
/// `lofting.toml` around the file.
pub(crate) fn lost_in_bundles(state: &CheckState, file: &File) -> Vec<Diagnostic> {
    let lost = bundles::lost(state, file).into_iter();
    lost.filter_map(|(naming, problem, _)| finding(naming.place?, &naming, &problem)).collect()
}

/// The stamps on which the findings about the schemas that a `lofting.toml` names depend.
pub(crate) fn stamps(state: &CheckState, file: &File) -> Vec<Stamp> {
    if !file.is_configuration() {
        return Vec::new();
    }
    let config = file.config();
    let mirrors = Mirrors::of(state, &file.path);
    let named = config.schemas.iter().filter(|entry| !entry.schema.is_empty()).filter_map(|entry| {
        let naming = Naming::configured(state, file, entry, "");
        let found = naming.find(state, file.id, &mirrors).ok()?;
        // What it refers to may be another text, too.
        let read = json_schemas::schema_of_naming(state, &naming, file.id, &mirrors).ok();
        Some(read.map_or(found.revision, |schema| schema.stamp))
    });
    let open = state.index.kept(Kept::Open).filter(|_| !config.bundles.is_empty()).filter_map(|id| state.file(id));
    let asking = open.filter(|open| open.facts.known_parts);
    let bundled = asking.flat_map(|open| {
        let lost = bundles::lost(state, open).into_iter().map(|(.., stamp)| stamp);
        std::iter::once(open.revision).chain(lost)
    });
    named.chain(bundled).collect()
}

/// A schema that can be read only in part.
fn partly(state: &CheckState, place: Span, name: &str, schema: &ClaimedSchema) -> Option<Diagnostic> {
    let problem = syntax_error_of(state, schema).or_else(|| limit_of(state, schema))?;
    Some(lofting_check::schema_partly_read(place, name, &problem))
}

/// The first syntax error in the file of a schema, in words that follow its name.
pub(crate) fn syntax_error_of(state: &CheckState, schema: &ClaimedSchema) -> Option<String> {
    let file = state.file(schema.file).filter(|_| schema.uncertain)?;
    usable::syntax_error(file)
}

/// The limit of reading that a schema reached, in words that follow its name.
fn limit_of(state: &CheckState, schema: &ClaimedSchema) -> Option<String> {
    // Only what aliases repeat is longer or deeper than the text that was parsed.
    let mut files = schema.files.iter().filter_map(|id| state.file(*id));
    let cut = files.find(|file| file.tree().root().has_names() && is_cut(state, file))?;
    let of = if cut.id == schema.file {
        String::new()
    } else {
        format!(" of `{}`", cut.path.file_name().unwrap_or_default().to_string_lossy())
    };
    Some(format!("the aliases{of} repeat more than is read"))
}

/// Whether a directory with schemas of ytt is named.
fn holds_ytt_schemas(state: &CheckState, naming: &Naming, mirrors: &Mirrors) -> bool {
    naming.candidates(mirrors).iter().any(|(path, reach)| schema_at(state, path, reach).is_ok())
}

impl Collect<'_> {
    /// Patterns of `[[schemas]]` that match no file.
    fn unused_patterns(&mut self, config: &Config) {
        let (state, file) = (self.state, self.file);
        let Some(base) = file.path.parent().filter(|_| *state.seen_all) else { return };
        let entries = config.schemas.iter().chain(&config.bundles).flat_map(|entry| &entry.files);
        let is_asked = |pattern: &str| is_searched(pattern) || is_bare(pattern);
        let entries = entries.filter(|(glob, range)| !config.is_half_typed(range.start) && is_asked(glob.pattern()));
        for (glob, range) in entries.take(MOST_PATTERNS) {
            let below = || state.files.iter().filter(|known| known.exists() && known.path.starts_with(base));
            let is_used = |glob: &Glob| below().any(|known| glob.matches(base, &known.path));
            if is_used(glob) {
                continue;
            }
            let pattern = glob.pattern();
            let folder = is_bare(pattern).then(|| format!("{pattern}/"));
            let meant = with_other_extension(pattern).or(folder).and_then(|other| Glob::new(&other)).filter(is_used);
            // A file of any name may be there; a folder of this name is seen.
            let is_unseen = if is_bare(pattern) { meant.is_none() } else { self.is_passed_over(base, pattern) };
            if is_unseen {
                continue;
            }
            let (span, meant) = (Span::new(file.id, range.clone()), meant.as_ref().map(Glob::pattern));
            self.found.push(lofting_check::unused_pattern(span, glob.pattern(), meant));
        }
    }

    /// Whether the place that a pattern begins with exists, and the workspace knows nothing in it: git ignores it.
    fn is_passed_over(&self, base: &Path, pattern: &str) -> bool {
        let literal: PathBuf = pattern.split('/').take_while(|part| !is_pattern(part)).collect();
        let path = normalise(base, &literal);
        let reach = self.state.reach_of(&self.file.path);
        let is_known = || self.state.files.iter().any(|known| known.exists() && known.path.starts_with(&path));
        path != *base && reach.names(&path) && reach.look(&path).is_ok() && !is_known()
    }
}

/// How many patterns of a `lofting.toml` are compared with all files.
const MOST_PATTERNS: usize = 100;

/// Whether a pattern is a name or path that does not say how a file ends, so that it may be that of a folder.
fn is_bare(pattern: &str) -> bool {
    let last = pattern.rsplit('/').next().unwrap_or_default();
    !is_pattern(pattern) && !last.is_empty() && !last.contains('.')
}

/// Whether the workspace searches for all files that a pattern can match: YAML that is not hidden.
fn is_searched(pattern: &str) -> bool {
    let is_hidden = |part: &str| part.starts_with('.') && !matches!(part, "." | "..");
    let is_yaml =
        ["/", ".yml", ".yaml", ".y*ml", ".{yml,yaml}", ".{yaml,yml}"].iter().any(|end| pattern.ends_with(end));
    is_yaml && !pattern.split('/').any(is_hidden)
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

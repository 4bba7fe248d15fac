//! A `lofting.toml` never makes anything panic, is blamed inside its text only, and names files without consequences.
//!
//! A text is cut at a line `#-`: the settings, and values which they may be about.

use lofting_workspace::{config, modeline};

use crate::measured::Target;
use crate::questions::{ask, workspace};

pub const TARGET: Target = Target::Text(run);

fn run(text: &str) {
    let (settings, values) = text.split_once("\n#-\n").unwrap_or((text, "a: 1\n"));
    let read = config::read(settings);
    for error in &read.errors {
        assert!(settings.get(error.range.clone()).is_some(), "{error:?}");
    }
    for set in &read.sets {
        assert!(settings.get(set.name_range.clone()).is_some());
        assert!(set.lists.iter().flat_map(|(_, list)| list).all(|(_, range)| settings.get(range.clone()).is_some()));
        set.flags();
    }
    if let Some(line) = modeline::find(values) {
        assert_eq!(values.get(line.range), Some(line.schema.as_str()));
    }
    let schema = "#@data/values-schema\n---\na: 1\nb: \"\"\n";
    let (workspace, files) =
        workspace(&[("lofting.toml", settings), ("schema.yml", schema), ("values.yml", values), ("plain.yml", values)]);
    let snapshot = workspace.snapshot();
    for (file, text) in files.iter().zip([settings, schema, values, values]) {
        ask(&snapshot, *file, text);
    }
}

//! The first design proposal for schemas of data values, with the head `#@schema/match data_values=True`.
//!
//! What it shares with the second is in [`crate::proposals`]; docs/languages/ytt-proposals.md lists what differs.

use crate::proposals::{self, Form, SEMANTICS};
use crate::{Claim, Dialect, FileView, Marks, Part, Read};
use lofting_diagnostic::Rule;
use lofting_overlay::Functions;
use lofting_schema::Semantics;
use lofting_syntax::resolve::Profile;

/// The language.
pub struct SchemaMatch;

impl Dialect for SchemaMatch {
    fn name(&self) -> &'static str {
        "schema-match"
    }

    fn by_annotations(&self) -> bool {
        true
    }

    fn marks(&self) -> Marks {
        Marks { claim: &["#@schema"], schema: &["#@schema"] }
    }

    fn profile(&self) -> Profile {
        SEMANTICS.profile
    }

    fn claims(&self, file: &dyn FileView) -> Vec<Claim> {
        proposals::claims(file.documents(), Form::First)
    }

    fn read(&self, parts: &[Part<'_>], host: &dyn Functions) -> Read {
        proposals::read(parts, Form::First, host)
    }

    fn semantics(&self) -> &'static Semantics {
        &SEMANTICS
    }

    fn rules(&self) -> &'static [&'static Rule] {
        // Those of both are listed by the second.
        &[]
    }
}

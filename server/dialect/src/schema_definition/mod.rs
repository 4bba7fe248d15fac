//! The second design proposal for schemas of data values, with the heads `#@schema/definition`, `#@schema` and
//! `#@schema/amend`.
//!
//! What it shares with the first is in [`crate::proposals`]; docs/languages/ytt-proposals.md lists what differs.

use crate::proposals::{self, Form, SEMANTICS};
use crate::{Claim, Dialect, FileView, Marks, Part, Read};
use lofting_diagnostic::Rule;
use lofting_overlay::Functions;
use lofting_schema::Semantics;
use lofting_syntax::resolve::Profile;

/// The language.
pub struct SchemaDefinition;

impl Dialect for SchemaDefinition {
    fn name(&self) -> &'static str {
        "schema-definition"
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
        proposals::claims(file.documents(), Form::Second)
    }

    fn read(&self, parts: &[Part<'_>], host: &dyn Functions) -> Read {
        proposals::read(parts, Form::Second, host)
    }

    fn semantics(&self) -> &'static Semantics {
        &SEMANTICS
    }

    fn rules(&self) -> &'static [&'static Rule] {
        proposals::rules::RULES
    }
}

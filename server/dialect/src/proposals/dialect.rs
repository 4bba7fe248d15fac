//! Each form of the proposals is a language, recognised by its head.

use super::{Form, SEMANTICS, claims, read, rules};
use crate::{Claim, Dialect, FileView, Marks, Read, ReadsSchemas, Recognises, SchemaPart};
use lofting_diagnostic::Rule;
use lofting_overlay::Functions;
use lofting_schema::Semantics;

impl Dialect for Form {
    fn name(&self) -> &'static str {
        match self {
            Form::First => "schema-match",
            Form::Second => "schema-definition",
        }
    }

    fn rules(&self) -> &'static [&'static Rule] {
        match self {
            // The rules of both are listed by the second.
            Form::First => &[],
            Form::Second => rules::RULES,
        }
    }
}

impl Recognises for Form {
    fn by_annotations(&self) -> bool {
        true
    }

    fn marks(&self) -> Marks {
        Marks { claim: &["#@schema"], schema: &["#@schema"] }
    }

    fn claims(&self, file: &dyn FileView) -> Vec<Claim> {
        claims(file.documents(), *self)
    }
}

impl ReadsSchemas for Form {
    fn read(&self, parts: &[SchemaPart<'_>], host: &dyn Functions) -> Read {
        read(parts, *self, host)
    }

    fn semantics(&self) -> &'static Semantics {
        &SEMANTICS
    }
}

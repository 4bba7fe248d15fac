//! The drafts of JSON Schema: which one a schema uses, and how they differ.

use lofting_document::{Key, Node, NodeValue};

/// A draft, oldest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Draft {
    /// Draft 4, also the base of OpenAPI 3.0.
    Draft4,
    /// Draft 6.
    Draft6,
    /// Draft 7.
    Draft7,
    /// 2019-09.
    Draft201909,
    /// 2020-12, also the base of OpenAPI 3.1.
    Draft202012,
}

/// The draft of a schema without `$schema`.
pub(super) const USUAL: Draft = Draft::Draft7;

/// A draft and the vocabularies that are in force: a meta-schema can leave some out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Vocabulary {
    /// The draft.
    pub draft: Draft,
    /// Keywords that assert something about a value, such as `minimum`, are read.
    pub validation: bool,
    /// A value that breaks its `format` is an error; otherwise it is only worth a hint.
    pub formats: bool,
    /// The keyword that takes null as well, which only OpenAPI has.
    pub nullable: Option<&'static str>,
    /// The schema names its draft; otherwise it is the usual one.
    pub is_named: bool,
    /// What is beside a `$ref` counts, whatever the draft says.
    pub joins_references: bool,
}

impl Draft {
    /// All of them.
    pub(super) const ALL: [Draft; 5] =
        [Draft::Draft4, Draft::Draft6, Draft::Draft7, Draft::Draft201909, Draft::Draft202012];

    /// Its name.
    pub(super) fn name(self) -> &'static str {
        match self {
            Draft::Draft4 => "draft 4",
            Draft::Draft6 => "draft 6",
            Draft::Draft7 => "draft 7",
            Draft::Draft201909 => "2019-09",
            Draft::Draft202012 => "2020-12",
        }
    }

    /// The URI of its meta-schema.
    pub(super) fn meta_schema(self) -> &'static str {
        match self {
            Draft::Draft4 => "http://json-schema.org/draft-04/schema",
            Draft::Draft6 => "http://json-schema.org/draft-06/schema",
            Draft::Draft7 => "http://json-schema.org/draft-07/schema",
            Draft::Draft201909 => "https://json-schema.org/draft/2019-09/schema",
            Draft::Draft202012 => "https://json-schema.org/draft/2020-12/schema",
        }
    }

    /// The URI of its meta-schema, as schemas name it.
    pub(super) fn named(self) -> &'static str {
        match self {
            Draft::Draft4 => "http://json-schema.org/draft-04/schema#",
            Draft::Draft6 => "http://json-schema.org/draft-06/schema#",
            Draft::Draft7 => "http://json-schema.org/draft-07/schema#",
            Draft::Draft201909 | Draft::Draft202012 => self.meta_schema(),
        }
    }

    /// The vocabulary of its own meta-schema.
    pub(super) fn vocabulary(self) -> Vocabulary {
        Vocabulary {
            draft: self,
            validation: true,
            formats: self < Draft::Draft201909,
            nullable: None,
            is_named: true,
            joins_references: false,
        }
    }

    /// The keyword that gives a schema its URI.
    pub(super) fn id(self) -> &'static str {
        if self == Draft::Draft4 { "id" } else { "$id" }
    }

    /// Whether everything beside a `$ref` is ignored.
    fn reference_stands_alone(self) -> bool {
        self <= Draft::Draft7
    }

    /// Whether a fragment in the URI of a schema is an anchor.
    pub(super) fn names_anchors_by_id(self) -> bool {
        self <= Draft::Draft7
    }

    /// Whether items that `contains` accepts count as evaluated for `unevaluatedItems`.
    pub(super) fn contains_evaluates(self) -> bool {
        self >= Draft::Draft202012
    }

    /// Whether schemas can refer to what other keywords have evaluated.
    pub(super) fn has_unevaluated(self) -> bool {
        self >= Draft::Draft201909
    }

    /// The draft in which a keyword that changes verdicts first appeared, unless it is as old as draft 4.
    fn introduced(keyword: &str) -> Option<Draft> {
        Some(match keyword {
            "const" | "contains" | "propertyNames" => Draft::Draft6,
            "if" | "then" | "else" => Draft::Draft7,
            "dependentRequired"
            | "dependentSchemas"
            | "minContains"
            | "maxContains"
            | "unevaluatedItems"
            | "unevaluatedProperties"
            | "$recursiveRef" => Draft::Draft201909,
            "prefixItems" | "$dynamicRef" => Draft::Draft202012,
            _ => return None,
        })
    }

    /// The draft whose meta-schema has this URI.
    pub(super) fn of_meta_schema(uri: &str) -> Option<Draft> {
        let uri = uri.trim_end_matches('#');
        // What OpenAPI adds says nothing about values.
        if uri.starts_with("https://spec.openapis.org/oas/3.") && uri.contains("/dialect/") {
            return Some(Draft::Draft202012);
        }
        let uri = uri.strip_prefix("http://").or_else(|| uri.strip_prefix("https://"))?;
        Some(match uri.strip_prefix("json-schema.org/")? {
            "draft-04/schema" => Draft::Draft4,
            "draft-06/schema" => Draft::Draft6,
            "draft-07/schema" | "schema" => Draft::Draft7,
            "draft/2019-09/schema" => Draft::Draft201909,
            "draft/2020-12/schema" => Draft::Draft202012,
            _ => return None,
        })
    }
}

/// Whether a URI is that of a meta-schema, or of a draft that is not known, so that a file that names it is a schema.
pub fn is_meta_schema(uri: &str) -> bool {
    Draft::of_meta_schema(uri).is_some() || UnknownDraft::of(uri).is_some()
}

/// A URI below those of the drafts that is that of none.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum UnknownDraft {
    /// A draft before the first one that is read. Its keywords mean something else.
    Earlier,
    /// Another one; the draft that is most likely meant, if its URI is spelt almost the same.
    Other(Option<Draft>),
}

/// Where the meta-schemas are.
const SITE: &str = "json-schema.org/";

impl UnknownDraft {
    pub fn of(uri: &str) -> Option<UnknownDraft> {
        let uri = uri.trim_end_matches('#');
        let below = |uri: &str| {
            let uri = uri.strip_prefix("http://").or_else(|| uri.strip_prefix("https://"))?;
            uri.strip_prefix("www.").unwrap_or(uri).strip_prefix(SITE).map(str::to_owned)
        };
        let name = below(uri).filter(|name| name.starts_with("draft"))?;
        if Draft::of_meta_schema(uri).is_some() || meta_schema(uri).is_some() {
            return None;
        }
        if ["draft-00/", "draft-01/", "draft-02/", "draft-03/"].iter().any(|earlier| name.starts_with(earlier)) {
            return Some(UnknownDraft::Earlier);
        }
        // Those of other descriptions are for other programs.
        if name.contains("hyper-schema") || name.contains("links") || name.contains("/meta/") {
            return None;
        }
        let is_meant = |draft: &Draft| {
            below(draft.meta_schema()).is_some_and(|meant| {
                let bare =
                    |name: &str| name.trim_end_matches('/').trim_end_matches(".json").replace("draft/", "draft-");
                bare(&name) == bare(&meant) || lofting_diagnostic::suggest::is_slip(&name, &meant)
            })
        };
        Some(UnknownDraft::Other(Draft::ALL.into_iter().find(is_meant)))
    }
}

/// The URI of the meta-schema for schemas that name none.
pub fn usual_meta_schema() -> &'static str {
    USUAL.meta_schema()
}

impl Vocabulary {
    /// Whether everything beside a `$ref` is ignored.
    pub(super) fn reference_stands_alone(&self) -> bool {
        self.draft.reference_stands_alone() && !self.joins_references
    }

    /// The later draft to which a keyword belongs, so that it has no meaning here. A schema that names no draft may use
    /// the keywords of any.
    pub(super) fn later(&self, keyword: &str) -> Option<Draft> {
        Draft::introduced(keyword).filter(|draft| self.is_named && *draft > self.draft)
    }

    /// Like `later`, for keywords that deserve a finding: one that only adds to another is left out together with it.
    pub(super) fn later_on_its_own(&self, keyword: &str) -> Option<Draft> {
        let leader = match keyword {
            "then" | "else" => "if",
            "minContains" | "maxContains" => "contains",
            _ => return self.later(keyword),
        };
        self.later(keyword).filter(|_| self.later(leader).is_none())
    }

    /// The vocabulary that a meta-schema gives to schemas that name it.
    pub(super) fn of_meta_schema(meta: &Node, based_on: Draft) -> Vocabulary {
        let Some(NodeValue::Map(items)) = meta.get(&Key::from("$vocabulary")).map(|node| &node.value) else {
            return based_on.vocabulary();
        };
        let has = |name: &str| items.iter().any(|item| item.key.as_str().is_some_and(|uri| uri.ends_with(name)));
        Vocabulary {
            validation: has("/vocab/validation"),
            formats: has("/vocab/format-assertion"),
            ..based_on.vocabulary()
        }
    }
}

macro_rules! meta_schemas {
    ($($uri:literal => $file:literal),* $(,)?) => {
        /// The text of a meta-schema, or of a part of one.
        pub(super) fn meta_schema(uri: &str) -> Option<&'static str> {
            match uri {
                $($uri => Some(include_str!($file)),)*
                _ => None,
            }
        }
    };
}

meta_schemas! {
    "http://json-schema.org/draft-04/schema" => "meta/draft4.json",
    "http://json-schema.org/draft-06/schema" => "meta/draft6.json",
    "http://json-schema.org/draft-07/schema" => "meta/draft7.json",
    "https://json-schema.org/draft/2019-09/schema" => "meta/draft2019-09/schema.json",
    "https://json-schema.org/draft/2019-09/meta/applicator" => "meta/draft2019-09/meta/applicator.json",
    "https://json-schema.org/draft/2019-09/meta/content" => "meta/draft2019-09/meta/content.json",
    "https://json-schema.org/draft/2019-09/meta/core" => "meta/draft2019-09/meta/core.json",
    "https://json-schema.org/draft/2019-09/meta/format" => "meta/draft2019-09/meta/format.json",
    "https://json-schema.org/draft/2019-09/meta/meta-data" => "meta/draft2019-09/meta/meta-data.json",
    "https://json-schema.org/draft/2019-09/meta/validation" => "meta/draft2019-09/meta/validation.json",
    "https://json-schema.org/draft/2020-12/schema" => "meta/draft2020-12/schema.json",
    "https://json-schema.org/draft/2020-12/meta/applicator" => "meta/draft2020-12/meta/applicator.json",
    "https://json-schema.org/draft/2020-12/meta/content" => "meta/draft2020-12/meta/content.json",
    "https://json-schema.org/draft/2020-12/meta/core" => "meta/draft2020-12/meta/core.json",
    "https://json-schema.org/draft/2020-12/meta/format-annotation" => "meta/draft2020-12/meta/format-annotation.json",
    "https://json-schema.org/draft/2020-12/meta/format-assertion" => "meta/draft2020-12/meta/format-assertion.json",
    "https://json-schema.org/draft/2020-12/meta/meta-data" => "meta/draft2020-12/meta/meta-data.json",
    "https://json-schema.org/draft/2020-12/meta/unevaluated" => "meta/draft2020-12/meta/unevaluated.json",
    "https://json-schema.org/draft/2020-12/meta/validation" => "meta/draft2020-12/meta/validation.json",
    "http://swagger.io/v2/schema.json" => "meta/openapi/2.0.json",
    "https://spec.openapis.org/oas/3.0/schema/2021-09-28" => "meta/openapi/3.0.json",
    "https://spec.openapis.org/oas/3.1/schema-base/2026-08-03" => "meta/openapi/3.1-base.json",
    "https://spec.openapis.org/oas/3.1/schema/2026-08-03" => "meta/openapi/3.1.json",
    "https://spec.openapis.org/oas/3.2/schema-base/2026-08-30" => "meta/openapi/3.2-base.json",
    "https://spec.openapis.org/oas/3.2/schema/2026-08-30" => "meta/openapi/3.2.json",
}

//! Which variables an expression can use, depending on where it is.

use super::items::TARGET;
use super::{APPLIED, ENVIRONMENT, OVERRIDES, is_word, segments};
use crate::WrittenSteps;
use crate::openchoreo::cel::declared::{self, Refusal};
use crate::openchoreo::cel::types::{Checked, Fields, Type, TypeKind, check};
use crate::openchoreo::cel::variables::{self, FieldType, PREFIXES, VARIABLES};
use crate::openchoreo::cel::{self, Expression};
use crate::openchoreo::claims::{SLOTS, SYSTEM, is_workflow};
use lofting_cel::plan::is_reserved;
use lofting_cel::{Environment, Type as DeclaredType};
use smol_str::SmolStr;
use std::cell::OnceCell;

/// How the platform checks the expressions of a document.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Era {
    /// With the types of schemas, when the document is submitted.
    Current,
    /// That between releases, in which names of both are used.
    Between,
    /// That of releases before 1.0, some of which check nothing before they render.
    Before,
}

/// When the platform looks at the types of an expression.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Check {
    /// When the document is submitted: they are those of the schemas.
    Submitted,
    /// When it is evaluated: they are those of the values.
    Rendered,
}

/// Where an expression is.
#[derive(Debug, Clone, Default)]
pub(super) struct TemplatePlace {
    /// The kind of the document.
    pub kind: SmolStr,
    /// The key below its spec.
    pub section: SmolStr,
    /// The key of the item in a list there.
    pub key: SmolStr,
}

/// Sections whose expressions the platform checks when a document is submitted, by the ends of the names of their kinds.
const SUBMITTED: &[(&str, &[&str])] = &[
    ("ComponentType", &["resources", "validations", "preRenderValidations", "postRenderValidations"]),
    ("Trait", &["creates", "patches", "removes", "validations", "preRenderValidations", "postRenderValidations"]),
    ("ResourceType", &["resources", "outputs", "endpoints"]),
];

impl TemplatePlace {
    fn is_of(&self, kind: &str) -> bool {
        self.kind.strip_prefix("Cluster").unwrap_or(&self.kind) == kind
    }

    /// Whether the platform checks what is written here when the document is submitted.
    fn is_submitted(&self) -> bool {
        SUBMITTED.iter().any(|(kind, sections)| self.is_of(kind) && sections.contains(&self.section.as_str()))
    }

    /// Why a word cannot be the name of a loop's items here.
    fn loop_fault(&self, name: &str, era: Era) -> Option<LoopFault> {
        if is_reserved(name) {
            return Some(LoopFault::Reserved);
        }
        // What only some places have is not hidden.
        let is_of_place = matches!(name, "resource" | APPLIED);
        let is_given = SLOTS.iter().any(|(slot, _)| *slot == name) || VARIABLES.iter().any(|own| own.name == name);
        (!is_of_place && is_given && self.has(name, era)).then_some(LoopFault::Taken)
    }

    /// Whether a variable of the platform exists here.
    fn has(&self, name: &str, era: Era) -> bool {
        let is_workflow = is_workflow(&self.kind);
        match name {
            ENVIRONMENT => !is_workflow && era != Era::Before,
            OVERRIDES => !is_workflow && era != Era::Current,
            SYSTEM => is_workflow,
            "workflowplane" | "externalRefs" => is_workflow,
            "dataplane" | "environment" | "gateway" => !is_workflow,
            "workload" | "configurations" | "dependencies" | "connections" => {
                self.is_of("ComponentType") || self.is_of("Trait")
            }
            "trait" => self.is_of("Trait"),
            "resource" => self.key == TARGET || self.section == "postRenderValidations" && self.key == "rule",
            APPLIED => {
                self.is_of("ResourceType")
                    && (matches!(self.section.as_str(), "outputs" | "endpoints") || self.key == "readyWhen")
            }
            _ => true,
        }
    }
}

/// The variable of a loop.
#[derive(Debug, Clone)]
pub(super) struct Looped {
    pub name: String,
    /// Whether the name is written. If it is not, which is reported there, any name may be meant by it.
    pub is_named: bool,
    /// Whether a name is written that expressions cannot use, which is reported there.
    is_misnamed: bool,
    pub value: Type,
    /// What the platform declares for it.
    declared: DeclaredType,
}

impl Looped {
    /// Whether a text uses a name that it cannot use.
    pub fn is_misnamed_in(&self, text: &str) -> bool {
        self.is_misnamed && text.contains(&self.name)
    }
}

/// Why a word cannot be the name of a loop's items.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::openchoreo) enum LoopFault {
    /// The language keeps it for itself.
    Reserved,
    /// A variable of the platform has it.
    Taken,
}

/// Why a word cannot be the name of the items of a loop in a list of a spec.
pub(in crate::openchoreo) fn loop_fault(
    kind: &str,
    spec: &WrittenSteps<'_>,
    list: &str,
    name: &str,
) -> Option<LoopFault> {
    let has = |path: &[&str]| path.iter().try_fold(spec.clone(), |place, key| place.key(key)).is_some();
    let place = TemplatePlace { kind: kind.into(), section: list.into(), key: SmolStr::default() };
    place.loop_fault(name, super::era(&has))
}

/// The variables at a place.
pub(super) struct Variables {
    /// Variables with the types of schemas in the same document.
    pub given: Vec<(&'static str, Type)>,
    pub era: Era,
    pub place: TemplatePlace,
    /// The variable of the loop around it.
    pub looped: Option<Looped>,
    /// The types that the platform declares for the document.
    declared: OnceCell<Vec<(&'static str, DeclaredType)>>,
}

impl Variables {
    pub fn new(kind: &str, era: Era, given: Vec<(&'static str, Type)>) -> Variables {
        let place = TemplatePlace { kind: kind.into(), ..TemplatePlace::default() };
        Variables { given, era, place, looped: None, declared: OnceCell::new() }
    }

    pub fn of(&self, name: &str) -> Option<Type> {
        if let Some(looped) = self.looped.as_ref().filter(|looped| looped.name == name) {
            return Some(looped.value.clone());
        }
        if !self.place.has(name, self.era) {
            return None;
        }
        if let Some((_, found)) = self.given.iter().find(|(given, _)| *given == name) {
            return Some(found.clone());
        }
        if name == "metadata" {
            return Some(Type::Fields(variables::metadata(&self.place.kind)));
        }
        let own = VARIABLES.iter().find(|field| field.name == name);
        own.map(|field| field.value()).or_else(|| PREFIXES.contains(&name).then_some(Type::Unknown))
    }

    /// All names.
    pub fn names(&self) -> Vec<String> {
        let given = self.given.iter().map(|(name, _)| *name);
        let all = given.chain(VARIABLES.iter().map(|field| field.name));
        let looped = self.looped.iter().filter(|looped| !looped.is_misnamed).map(|looped| looped.name.clone());
        looped.chain(all.filter(|name| self.place.has(name, self.era)).map(str::to_owned)).collect()
    }

    /// Whether the variable of the loop around it has no name that could be used.
    pub fn lacks_name(&self) -> bool {
        self.looped.as_ref().is_some_and(|looped| !looped.is_named)
    }

    /// Where a variable exists that does not exist here, in words.
    pub fn elsewhere(&self, name: &str) -> Option<&'static str> {
        if self.place.has(name, self.era) {
            return None;
        }
        Some(match name {
            ENVIRONMENT | OVERRIDES if is_workflow(&self.place.kind) => "workflows do not have it",
            ENVIRONMENT => "documents with `spec.schema` have `envOverrides` instead",
            OVERRIDES => "documents without `spec.schema` have `environmentConfigs` instead",
            SYSTEM | "workflowplane" | "externalRefs" => "only workflows have it",
            "dataplane" | "environment" | "gateway" => "workflows do not have it",
            "trait" => "only traits have it",
            "resource" => "only conditions in a `target`, and rules about what was rendered, have it",
            APPLIED => "only `readyWhen`, `outputs` and `endpoints` of resource types have it",
            _ => "only component types and traits have it",
        })
    }

    pub fn check(&self, expression: &Expression, when: Check) -> Checked {
        let fields = match when {
            Check::Submitted => Fields::Declared,
            Check::Rendered => Fields::Allowed,
        };
        check(expression, fields, &|name| self.of(name))
    }

    /// When the platform looks at most expressions here.
    pub fn checked(&self) -> Check {
        if self.era == Era::Current && self.place.is_submitted() { Check::Submitted } else { Check::Rendered }
    }

    /// What the platform declares for the document.
    fn declarations(&self) -> &[(&'static str, DeclaredType)] {
        self.declared.get_or_init(|| {
            let given = self.given.iter().map(|(name, value)| (*name, declared_type(name, value)));
            let own = VARIABLES.iter().filter(|field| field.value != FieldType::Unknown);
            given.chain(own.map(|field| (field.name, declared::of_platform(field, "")))).collect()
        })
    }

    fn environment(&self, when: Check) -> Environment {
        let mut environment = declared::environment();
        for name in self.names() {
            environment.variables.insert(name, DeclaredType::Dyn);
        }
        if when == Check::Submitted {
            for (name, of) in self.declarations().iter().filter(|(name, _)| self.place.has(name, self.era)) {
                environment.variables.insert((*name).to_owned(), of.clone());
            }
        }
        if let Some(looped) = &self.looped {
            let declared = if when == Check::Submitted { looped.declared.clone() } else { DeclaredType::Dyn };
            environment.variables.insert(looped.name.clone(), declared);
        }
        environment
    }

    /// The type that the platform finds for an expression, or why it refuses it.
    pub fn result(&self, expression: &Expression, when: Check) -> Result<DeclaredType, Refusal> {
        declared::result(expression, self.environment(when))
    }

    /// Whether an expression would be accepted if nothing was declared.
    pub fn is_accepted_without_types(&self, expression: &Expression) -> bool {
        declared::result(expression, self.environment(Check::Rendered)).is_ok()
    }

    /// The variable of a loop over what a text gives.
    pub fn over(&self, text: &str, name: Option<String>) -> Looped {
        let is_misnamed = name.as_deref().is_some_and(|name| {
            !name.is_empty() && (!is_word(name) || self.place.loop_fault(name, self.era).is_some())
        });
        let is_named = name.as_deref().is_some_and(|name| !name.is_empty()) && !is_misnamed;
        let name = name.unwrap_or_else(|| DEFAULT_NAME.to_owned());
        let unknown = |name| Looped { name, is_named, is_misnamed, value: Type::Unknown, declared: DeclaredType::Dyn };
        let Some(first) = segments(text).into_iter().next() else { return unknown(name) };
        let Some(expression) = text.get(first.inner).and_then(cel::parse) else { return unknown(name) };
        let when = self.checked();
        let over = self.check(&expression, when).types.last().cloned().unwrap_or(Type::Unknown);
        let [value, _] = match over.kind() {
            // Each entry of a map has its key and its value.
            TypeKind::Map => [Type::Entry(Box::new(over.looped(true)[1].clone())), Type::Unknown],
            _ => over.looped(false),
        };
        let declared = match when {
            Check::Submitted => {
                self.result(&expression, when).map_or(DeclaredType::Dyn, |over| declared::looped(&over))
            }
            Check::Rendered => DeclaredType::Dyn,
        };
        Looped { name, is_named, is_misnamed, value, declared }
    }
}

/// The variable of a loop that has no name.
const DEFAULT_NAME: &str = "item";

/// The type that the platform declares for a variable with a schema.
fn declared_type(name: &str, value: &Type) -> DeclaredType {
    match value {
        Type::Nodes(schema, _) => declared::of_schema(schema, name),
        Type::Absent => declared::nothing(name),
        _ => DeclaredType::Dyn,
    }
}

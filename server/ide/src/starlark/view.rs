//! Code in a file as features see it: what is at an offset, what a name means.

use super::kind::{Entry, Expression, Kind};
use super::language::{self, Member, Module};
use super::links;
use lofting_check::{ValuePlace, value_places};
use lofting_document::FileId;
use lofting_eval::code::{
    Binding, BindingKind, Code, Form, Function, Meaning, PathId, PieceKind, ScopeId, TermId, TermKind,
};
use lofting_schema::{SchemaId, Shape};
use lofting_workspace::{Reads, SchemaRef, Snapshot};
use std::collections::HashSet;
use std::ops::Range;
use std::sync::Arc;

/// The code of a file with the schemas of the values it reads.
pub(crate) struct CodeView<'s> {
    pub snapshot: &'s Snapshot,
    pub file: FileId,
    pub code: Arc<Code>,
    reads: Arc<Reads>,
    /// For each schema the places of the code's paths.
    places: Vec<Vec<ValuePlace>>,
}

/// What a name or member is.
#[derive(Debug, Clone)]
pub(crate) enum Known {
    /// A module of ytt.
    Module(&'static Module),
    /// A member of a module, or a method (then with the type's name).
    Member(&'static str, &'static Member),
    /// A function or value that exists without being loaded.
    Builtin(&'static Member),
    /// A function of a file.
    Function(FileId, Function),
    /// Another name of a file.
    Variable(FileId, Binding),
}

impl<'s> CodeView<'s> {
    /// The code of a file, if `offset` is in it.
    pub fn at(snapshot: &'s Snapshot, file: FileId, offset: usize) -> Option<(CodeView<'s>, PieceKind)> {
        let (_, kind) = snapshot.code(file).piece_at(offset)?;
        let code = links::code_near(snapshot, file);
        Some((CodeView::new(snapshot, file, code), kind))
    }

    /// The code of a file.
    pub fn new(snapshot: &'s Snapshot, file: FileId, code: Arc<Code>) -> CodeView<'s> {
        let reads = snapshot.reads(file);
        let places = reads.schemas.iter().map(|schema| value_places(&code.values, &schema.schema)).collect();
        CodeView { snapshot, file, code, reads, places }
    }

    /// The declarations of a value, one for each schema that differs.
    pub fn declared(&self, path: PathId) -> Vec<(&SchemaRef, SchemaId)> {
        let mut found: Vec<(&SchemaRef, SchemaId)> = Vec::new();
        for (schema, places) in self.reads.schemas.iter().zip(&self.places) {
            let Some(ValuePlace::Declared(id)) = places.get(path.0 as usize) else { continue };
            let declared = |schema: &SchemaRef, id: SchemaId| schema.schema.node(id).declared;
            if !found.iter().any(|(other, known)| declared(other, *known) == declared(schema, *id)) {
                found.push((schema, *id));
            }
        }
        found
    }

    /// For a value that is not declared: the schemas, each with the node of the map that lacks it.
    pub fn undeclared(&self, path: PathId) -> Vec<(&SchemaRef, SchemaId)> {
        let schemas = self.reads.schemas.iter().zip(&self.places);
        let found = schemas.filter_map(|(schema, places)| match places.get(path.0 as usize) {
            Some(ValuePlace::Undeclared(map)) => Some((schema, *map)),
            _ => None,
        });
        found.collect()
    }

    /// The methods that a value has, with the name of its type.
    pub fn methods(&self, of: TermId) -> Option<(&'static str, &'static [Member])> {
        match self.code.values.meaning(of).0 {
            Meaning::Values(path, Form::Plain) => {
                let (schema, id) = self.declared(*path).into_iter().next()?;
                match schema.schema.node(id).shape() {
                    Shape::String => Some(("string", language::STRING)),
                    Shape::Array(_) => Some(("list", language::LIST)),
                    _ => None,
                }
            }
            Meaning::Values(_, Form::Dict) => Some(("dict", language::DICT)),
            Meaning::Unknown => self.kind(of)?.methods(),
            _ => None,
        }
    }

    /// What an expression is made of.
    pub fn kind(&self, term: TermId) -> Option<Kind> {
        Expression { file: self.file, code: self.code.clone(), term, encoded: None }.kind(self.snapshot)
    }

    /// The members of a struct.
    pub fn members(&self, of: TermId) -> Vec<Entry> {
        match self.kind(of) {
            Some(Kind::Struct(entries)) => entries,
            _ => Vec::new(),
        }
    }

    /// The members that a module has in this file, if the file has the module.
    pub fn module_members(&self, module: &Module) -> Option<impl Iterator<Item = &'static Member> + use<>> {
        module.members_in(self.snapshot.has_proposal(self.file))
    }

    /// The binding that is valid at an offset: the nearest one above, or else the first.
    pub fn binding(&self, scope: ScopeId, name: &str, offset: usize) -> Option<&Binding> {
        nearest(&self.code, scope, name, offset)
    }

    /// What an expression refers to.
    pub fn known(&self, id: TermId) -> Option<Known> {
        let term = self.code.term(id)?;
        match &term.kind {
            TermKind::Name(name) => match self.binding(term.scope, name, term.range.start) {
                Some(binding) => Some(self.bound(binding)),
                None => language::find(language::BUILTINS, name).map(Known::Builtin),
            },
            TermKind::Attribute { of, name, .. } => match self.code.values.meaning(*of).0 {
                Meaning::Module(module) => {
                    let module = language::module(module)?;
                    let member = self.module_members(module)?.find(|member| member.name == name)?;
                    Some(Known::Member(module.name, member))
                }
                _ => {
                    let (type_name, methods) = self.methods(*of)?;
                    language::find(methods, name).map(|method| Known::Member(type_name, method))
                }
            },
            _ => None,
        }
    }

    /// The named argument of a call whose name is at an offset: what is called, the name and its range.
    pub fn keyword_argument(&self, offset: usize) -> Option<(TermId, String, Range<usize>)> {
        self.code.terms.iter().find_map(|term| {
            let TermKind::Call { function, arguments, .. } = &term.kind else { return None };
            let names = arguments.iter().filter_map(|argument| argument.name.as_ref());
            let (name, range) = names.into_iter().find(|(_, range)| range.start <= offset && offset <= range.end)?;
            Some((*function, name.clone(), range.clone()))
        })
    }

    /// The names of a file that can be loaded, each once: none that begin with `_`, and none that it loads itself
    /// (docs/ytt.md 7.5).
    pub fn exports(&self, file: FileId) -> impl Iterator<Item = Binding> {
        let code = self.snapshot.code(file);
        let mut seen = HashSet::new();
        let own = code.bindings.iter().filter(|binding| {
            let loaded = matches!(binding.kind, BindingKind::Loaded(..));
            binding.scope == ScopeId(0) && !loaded && !binding.name.starts_with('_')
        });
        let names: Vec<Binding> = own.filter(|binding| seen.insert(binding.name.clone())).cloned().collect();
        names.into_iter()
    }

    /// What a binding refers to, through `load`.
    pub fn bound(&self, binding: &Binding) -> Known {
        match binding.kind {
            BindingKind::Function(id) => match self.code.functions.get(id.0 as usize) {
                Some(function) => Known::Function(self.file, function.clone()),
                None => Known::Variable(self.file, binding.clone()),
            },
            BindingKind::Loaded(load, name) => {
                self.loaded(load, name).unwrap_or_else(|| Known::Variable(self.file, binding.clone()))
            }
            _ => Known::Variable(self.file, binding.clone()),
        }
    }

    fn loaded(&self, load: usize, name: usize) -> Option<Known> {
        let load = self.code.loads.get(load)?;
        let name = load.names.get(name)?;
        if let Some(module) = load.module.strip_prefix("@ytt:") {
            return language::module(module).filter(|module| module.name == name.name).map(Known::Module);
        }
        let file = self.snapshot.loaded_file(self.file, &load.module)?;
        let code = self.snapshot.code(file);
        let binding =
            code.lookup(ScopeId(0), &name.name).last().and_then(|index| code.bindings.get(*index as usize))?;
        Some(match binding.kind {
            BindingKind::Function(id) => Known::Function(file, code.functions.get(id.0 as usize)?.clone()),
            _ => Known::Variable(file, binding.clone()),
        })
    }
}

/// The binding that is valid at an offset: the nearest one above, or else the first.
pub(super) fn nearest<'c>(code: &'c Code, scope: ScopeId, name: &str, offset: usize) -> Option<&'c Binding> {
    let found = code.lookup(scope, name).iter().filter_map(|index| code.bindings.get(*index as usize));
    let mut first = None;
    let mut nearest = None;
    for binding in found {
        first.get_or_insert(binding);
        if binding.range.start <= offset {
            nearest = Some(binding);
        }
    }
    nearest.or(first)
}

/// `name(a, b=1)`
pub(crate) fn signature(function: &Function) -> String {
    let parameters: Vec<&str> = function.parameters.iter().map(|parameter| parameter.written.as_str()).collect();
    format!("{}({})", function.name, parameters.join(", "))
}

/// The comments directly above a function: `#! text` in YAML, `# text` in Starlark.
pub(crate) fn comment_above(snapshot: &Snapshot, file: FileId, function: &Function) -> Option<String> {
    let text = snapshot.text(file);
    let mut line = text.line_of(function.head.start);
    let mut lines = Vec::new();
    while line > 0 && lines.len() < 10 {
        line -= 1;
        let above = text.slice(text.line_range(line)).trim().to_owned();
        let comment =
            above.strip_prefix("#!").or_else(|| above.strip_prefix('#').filter(|rest| !rest.starts_with('@')));
        let Some(comment) = comment else { break };
        lines.push(comment.trim().to_owned());
    }
    lines.reverse();
    let comment = lines.join(" ").trim().to_owned();
    (!comment.is_empty()).then_some(comment)
}

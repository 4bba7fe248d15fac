//! The language: text files with one schema. `a: text` declares a key, in documents that begin with `toy: NAME`;
//! values begin with `of: NAME`.

use lofting_diagnostic::Rule;
use lofting_dialect::{
    Claim, Dialect, Marks, Read, ReadsSchemas, Recognises, Role, SchemaName, SchemaPart, WrittenSteps, json_schema,
    openchoreo,
};
use lofting_document::NodeValue;
use lofting_overlay::Functions;
use lofting_schema::{Declared, DeclaredKey, Facet, MapShape, Schema, SchemaId, SchemaNode, Semantics};
use lofting_syntax::Document;
use lofting_syntax::resolve::Profile;

/// The language.
pub struct Toy;

impl Dialect for Toy {
    fn name(&self) -> &'static str {
        "toy"
    }

    fn profile(&self) -> Profile {
        Profile::Core12
    }

    fn rules(&self) -> &'static [&'static Rule] {
        &[]
    }
}

impl Recognises for Toy {
    fn marks(&self) -> Marks {
        Marks { claim: &["toy:", "of:"], schema: &["toy:"] }
    }

    fn claims_in(&self, document: &Document<'_>, number: usize) -> Vec<Claim> {
        let Some(root) = document.root().map(|root| WrittenSteps::root(root, self.profile())) else {
            return Vec::new();
        };
        let name = |key: &str| {
            let name = root.key(key)?.text()?;
            Some(SchemaName { kind: "toy".into(), name, namespace: None, slot: "" })
        };
        let role = name("toy").map(Role::Schema).or_else(|| name("of").map(Role::Instance));
        role.map(|role| root.claim(number, role)).into_iter().collect()
    }
}

impl ReadsSchemas for Toy {
    fn read(&self, parts: &[SchemaPart<'_>], _: &dyn Functions) -> Read {
        let Some(NodeValue::Map(items)) = parts.first().map(|part| &part.document.value.value) else {
            return json_schema::anything(self.semantics());
        };
        let mut nodes = Vec::new();
        let mut keys = Vec::new();
        for item in items {
            let declared = Declared { span: item.span, name: item.key_span };
            let facet = match item.value.value {
                NodeValue::Int(_) => Facet::Int,
                _ => Facet::String,
            };
            keys.push(DeclaredKey { key: item.key.clone(), schema: SchemaId(nodes.len() as u32), required: false });
            nodes.push(SchemaNode::new(facet, declared));
        }
        let span = parts[0].document.span;
        let root = SchemaId(nodes.len() as u32);
        nodes.push(SchemaNode::new(Facet::Map(MapShape::closed(keys)), Declared { span, name: span }));
        Read { schema: Schema::new(nodes, root, self.semantics()), faults: Vec::new(), alone: Vec::new() }
    }

    fn semantics(&self) -> &'static Semantics {
        &openchoreo::SEMANTICS
    }
}

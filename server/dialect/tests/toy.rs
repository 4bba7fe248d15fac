//! A language from scratch: it takes a type in a folder of its own, and one entry in a list.

mod toy {
    //! The language: text files with one schema. `a: text` declares a key, in documents that begin with `toy: NAME`;
    //! values begin with `of: NAME`.

    use lofting_diagnostic::Rule;
    use lofting_dialect::{
        Claim, Dialect, FileView, Marks, Part, Read, Role, SchemaName, WrittenSteps, json_schema, openchoreo,
    };
    use lofting_document::NodeValue;
    use lofting_overlay::Functions;
    use lofting_schema::{Declared, DeclaredKey, Facet, MapShape, Schema, SchemaId, SchemaNode, Semantics};
    use lofting_syntax::resolve::Profile;

    pub struct Toy;

    impl Dialect for Toy {
        fn name(&self) -> &'static str {
            "toy"
        }

        fn marks(&self) -> Marks {
            Marks { claim: &["toy:", "of:"], schema: &["toy:"] }
        }

        fn profile(&self) -> Profile {
            Profile::Core12
        }

        fn claims(&self, file: &dyn FileView) -> Vec<Claim> {
            let mut claims = Vec::new();
            for (number, document) in file.tree().documents().enumerate() {
                let Some(root) = document.root().map(|root| WrittenSteps::root(root, self.profile())) else { continue };
                let name = |key: &str| {
                    let name = root.key(key)?.text()?;
                    Some(SchemaName { kind: "toy".into(), name, namespace: None, slot: "" })
                };
                let role = name("toy").map(Role::Schema).or_else(|| name("of").map(Role::Instance));
                claims.extend(role.map(|role| root.clone().claim(number, role)));
            }
            claims
        }

        fn read(&self, parts: &[Part<'_>], _: &dyn Functions) -> Read {
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

        fn rules(&self) -> &'static [&'static Rule] {
            &[]
        }
    }
}

use lofting_dialect::openchoreo::OpenChoreo;
use lofting_dialect::ytt::Ytt;
use lofting_dialect::{Claim, Dialects, DocumentsView, Part, Role};
use lofting_document::{FileId, Options, lower};
use lofting_overlay::NoFunctions;
use lofting_schema::Step;

static WITH_TOY: Dialects = Dialects::of(&[&Ytt, &OpenChoreo, &toy::Toy]);

#[test]
fn a_language_claims_reads_and_governs() {
    let text = "toy: box\nsize: 1\ncolour: red\n---\nof: box\nsize: 2\n";
    let dialect = WITH_TOY.named("toy").expect("it is registered");
    let tree = lofting_syntax::parse(text);
    let documents = lower(FileId(0), &tree, dialect.profile(), Options::default());
    let claims = dialect.claims(&DocumentsView { tree: &tree, documents: &documents });
    let [Claim { role: Role::Schema(own), .. }, Claim { role: Role::Instance(asked), document: 1, .. }] =
        claims.as_slice()
    else {
        panic!("{claims:?}")
    };
    assert!(own.answers(asked));
    let part = Part { document: &documents.documents[0], claim: claims.first(), tree: Some(&tree) };
    let schema = dialect.read(&[part], &NoFunctions).schema;
    let words = |key: &str| {
        let found = schema.nodes_at(schema.root(), &[Step::Key(key.into())]);
        found.first().map(|id| schema.type_words(*id))
    };
    assert_eq!(words("size").as_deref(), Some("integer"));
    assert_eq!(words("colour").as_deref(), Some("string"));
    assert_eq!(words("weight"), None);
    // No other language claims them.
    for other in WITH_TOY.iter().filter(|other| other.name() != "toy") {
        assert_eq!(other.claims(&DocumentsView { tree: &tree, documents: &documents }), []);
    }
}

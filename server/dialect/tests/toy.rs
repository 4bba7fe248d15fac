//! A language from scratch: it takes a type in a folder of its own, and one entry in a list.

#[path = "toy/language.rs"]
mod toy;

use lofting_dialect::openchoreo::OpenChoreo;
use lofting_dialect::ytt::Ytt;
use lofting_dialect::{Claim, Dialects, DocumentsView, Role, SchemaPart};
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
    let part = SchemaPart { document: &documents.documents[0], claim: claims.first(), tree: Some(&tree) };
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

use crate::{compile, needs_evaluation};
use lofting_document::{FileId, Options, lower};
use lofting_eval::Statement;
use lofting_syntax::{parse, resolve::Profile};

fn statements(text: &str) -> String {
    let compiled = compile(FileId(0), "schema.yml", &parse(text), Options::default());
    let program = &compiled.program;
    let line = |statement: &Statement| match statement {
        Statement::Code(source) => format!("code@{}{}", source.start, source.text),
        Statement::Annotation(index) => {
            let annotation = &program.annotations[*index as usize];
            format!("annotate {} {} ({})", annotation.node, annotation.name, annotation.arguments.text)
        }
        Statement::Node(index) => {
            let node = &program.nodes[*index as usize];
            format!("node {index} in {:?}: {:?} {:?}", node.parent, node.key, node.body)
        }
        Statement::End => "end".to_owned(),
    };
    program.statements.iter().map(line).collect::<Vec<_>>().join("\n")
}

#[test]
fn a_template_becomes_statements_in_document_order() {
    let text = "#@ def port():\nport: 80\n#@ end\n#@data/values-schema\n---\n#@schema/desc desc\nmain: #@ port()\n#@ if x:\nlist:\n- 1\n#@ end\n";
    expect_test::expect![[r#"
        node 0 in None: None Map
        code@3def port():
        node 1 in Some(0): Some(Data(String("port"))) Scalar(Int(80))
        code@27end
        annotate 2 data/values-schema ()
        node 2 in None: None Map
        annotate 3 schema/desc (desc)
        node 3 in Some(2): Some(Data(String("main"))) Expression(Source { text: "port()", start: 84 })
        code@94if x:
        node 4 in Some(2): Some(Data(String("list"))) Array
        node 5 in Some(4): None Scalar(Int(1))
        code@113end"#]]
    .assert_eq(&statements(text));
}

#[test]
fn a_node_bound_block_ends_after_all_below_its_node() {
    let text = "a:\n#@ if/end x:\n- b: #@ y\n  #@ z = 1\n  c: 2\n- d\n#@ for/end i in l:\n---\ne: 1\n";
    expect_test::expect![[r#"
        node 0 in None: None Map
        node 1 in Some(0): Some(Data(String("a"))) Array
        code@6if/end x:
        node 2 in Some(1): None Map
        node 3 in Some(2): Some(Data(String("b"))) Expression(Source { text: "y", start: 24 })
        code@31z = 1
        node 4 in Some(2): Some(Data(String("c"))) Scalar(Int(2))
        end
        node 5 in Some(1): None Scalar(String("d"))
        code@51for/end i in l:
        node 6 in None: None Map
        node 7 in Some(6): Some(Data(String("e"))) Scalar(Int(1))
        end"#]]
    .assert_eq(&statements(text));
}

#[test]
fn literal_schemas_need_no_evaluation() {
    let needs = |text: &str| needs_evaluation(&lower(FileId(0), &parse(text), Profile::Ytt, Options::default()));
    assert!(!needs("#@data/values-schema\n---\n#@schema/desc \"x\"\n#@schema/validation min=1, one_of=[1, 2]\na: 1\n"));
    assert!(needs("#@data/values-schema\n---\n#@schema/validation (\"odd\", lambda v: True)\na: 1\n"));
    assert!(needs("#@data/values-schema\n---\na: #@ 1 + 1\n"));
    assert!(needs("#@ x = 1\n#@data/values-schema\n---\na: 1\n"));
    assert!(!needs("a: 1\nb: [1, {c: d}]\n"));
}

use crate::fixture::{Fixture, open};
use crate::{Markup, goto_definition, hover, references, rename};
use expect_test::{Expect, expect};

const HEAD: &str = "#- types.yaml
apiVersion: openchoreo.dev/v1alpha1
kind: ComponentType
metadata: {name: web}
spec:
  workloadType: deployment
  schema:
    types:
      Port: integer | minimum=1
      Quantity:
        cpu: string | default=100m
    parameters:
";

fn parameters(text: &str) -> Fixture {
    open(&format!("{HEAD}{text}"))
}

/// The line with the cursor after the first item of this label was accepted.
#[track_caller]
fn accepted(text: &str, label: &str) -> String {
    let fixture = parameters(text);
    let items = fixture.completions(false);
    let labels: Vec<&str> = items.iter().map(|item| item.label.as_str()).collect();
    let Some(item) = items.iter().find(|item| item.label == label) else { panic!("{text}: {labels:?}") };
    let line = fixture.text[..fixture.offset].matches('\n').count();
    fixture.accept(item).lines().nth(line).unwrap_or_default().trim().to_owned()
}

#[test]
fn definitions_are_completed_in_every_style() {
    for (text, label, expected) in [
        ("      a: $0\n", "string", "a: string"),
        ("      a: $0\n", "Port", "a: Port"),
        ("      a:$0\n", "string", "a: string"),
        ("      a: $0\n", "[]", "a: '[]'"),
        ("      a: st$0\n", "string", "a: string"),
        ("      a: P$0 | default=1\n", "Port", "a: Port | default=1"),
        ("      a: integer $0\n", "default=", "a: integer | default="),
        ("      a: integer | $0\n      b: string\n", "minimum=", "a: integer | minimum="),
        ("      a: integer | min$0\n", "minimum=", "a: integer | minimum="),
        ("      a: '[]P$0'\n", "Port", "a: '[]Port'"),
        ("      a: '[]$0\n", "string", "a: '[]string"),
        ("      a: '$0'\n", "[]", "a: '[]'"),
        ("      a: \"boolean | default=$0\"\n", "true", "a: \"boolean | default=true\""),
        ("      a: {b: int$0}\n", "integer", "a: {b: integer}"),
        ("      a:\n        $default: {}\n        b: $0\n", "Quantity", "b: Quantity"),
        ("      a: |\n        integer | min$0\n", "minimum=", "integer | minimum="),
    ] {
        assert_eq!(accepted(text, label), expected, "{text}");
    }
    // Below `$default` there are values, and keys are not texts of a language.
    for text in ["      a: {$default: {b: st$0}}\n", "      a$0: string\n", "      # st$0\n      a: string\n"] {
        let labels: Vec<String> = parameters(text).completions(false).into_iter().map(|item| item.label).collect();
        assert!(!labels.contains(&"string".to_owned()), "{text}: {labels:?}");
    }
}

#[track_caller]
fn described(text: &str, expected: Expect) {
    let fixture = parameters(text);
    let found = hover(&fixture.snapshot, fixture.file, fixture.offset, Markup::Plain).expect("a hover");
    let range = &fixture.text[found.range];
    expected.assert_eq(&format!("[{range}]\n{}", &*found.text));
}

#[test]
fn words_and_fields_are_explained() {
    described(
        "      a: Quan$0tity | default={}\n",
        expect![[r#"
            [Quantity]
            Quantity: custom type

            Quantity:
              cpu: string | default=100m

            Defined below `types` in the same document."#]],
    );
    described(
        "      a: 'string | min$0Length=1'\n",
        expect![[r#"
            [minLength=1]
            minLength: marker

            The fewest characters."#]],
    );
    described(
        "      por$0t: Port | default=80 description='Where it listens.'\n",
        expect![[r#"
            [port]
            port: integer

            Where it listens.

            Default: 80
            Range: at least 1"#]],
    );
}

#[test]
fn custom_types_are_found_and_renamed() {
    let text = "      a: Po$0rt | default=1\n      b: '[]Port'\n      c: {d: map<Port>, $default: {e: Port}}\n    envOverrides:\n      f: Port\n";
    for at in [text.to_owned(), text.replace("$0", "").replace("'[]Port'", "'[]Por$0t'")] {
        let fixture = parameters(&at);
        let found = references(&fixture.snapshot, fixture.file, fixture.offset, true);
        let lines: Vec<usize> =
            found.iter().map(|span| fixture.text[..span.range().start].matches('\n').count() + 1).collect();
        assert_eq!(lines, [8, 12, 13, 14, 16]);
        let renamed = rename(&fixture.snapshot, fixture.file, fixture.offset, "Number").expect("a rename");
        assert!(renamed.edits.iter().all(|(span, _)| &fixture.text[span.range()] == "Port"));
        for name in ["string", "a b", "", "[]a", "1", "yes"] {
            assert!(rename(&fixture.snapshot, fixture.file, fixture.offset, name).is_err(), "{name}");
        }
    }
}

const TEMPLATE: &str = "      port: Port | default=80\n      'no': string\n  resources:\n  - id: a\n    template:\n";

#[test]
fn expressions_are_completed_and_explained() {
    for (value, label, expected) in [
        ("x: ${parameters.$0}", "port", "x: ${parameters.port}"),
        ("x: ${parameters.$0", "port", "x: ${parameters.port"),
        ("x: 'a ${par$0}'", "parameters", "x: 'a ${parameters}'"),
        ("x: \"${has(parameters.po$0)}\"", "port", "x: \"${has(parameters.port)}\""),
        ("x: ${oc$0}", "oc_omit", "x: ${oc_omit(}"),
        ("x: |\n        ${parameters.$0}", "port", "${parameters.port}"),
    ] {
        assert_eq!(accepted(&format!("{TEMPLATE}      {value}\n"), label), expected, "{value}");
    }
    let text = format!("{TEMPLATE}      x: \"a ${{parameters.po$0rt}}\"\n");
    described(
        &text,
        expect![[r#"
            [port]
            port: integer

            Default: 80
            Range: at least 1

            Declared in types.yaml:12"#]],
    );
    let fixture = parameters(&text);
    let found = goto_definition(&fixture.snapshot, fixture.file, fixture.offset);
    let target = found.first().map(|found| &fixture.text[found.target_selection.range()]);
    assert_eq!(target, Some("port"));
    described(
        &format!("{TEMPLATE}      x: ${{oc_om$0it()}}\n"),
        expect![[r#"
            [oc_omit]
            oc_omit(): function

            Leaves the key out."#]],
    );
}

/// Documents cut at every character have an answer, which changes the line with the cursor.
#[test]
fn half_typed() {
    let text = "      a: Port | default=80 description=\"A port\"\n      b: '[]string | default=[\"x\"]'\n      c: {d: map<Port>}\n";
    // Where a line has not its depth yet, keys of what is around are offered.
    let is_deep = |cut: &usize| text[..*cut].rsplit('\n').next().is_some_and(|line| line.len() >= 6);
    for cut in text.char_indices().map(|(cut, _)| cut).filter(is_deep) {
        for rest in ["", "\n      z: string\n"] {
            let fixture = parameters(&format!("{}$0{rest}", &text[..cut]));
            for item in fixture.completions(true) {
                let after = fixture.accept(&item);
                let breaks = |text: &str| text.matches('\n').count();
                assert_eq!(breaks(&after), breaks(&fixture.text), "{cut} {}", item.label);
            }
            let _ = fixture.unasked();
            let _ = hover(&fixture.snapshot, fixture.file, fixture.offset, Markup::Plain);
        }
    }
}

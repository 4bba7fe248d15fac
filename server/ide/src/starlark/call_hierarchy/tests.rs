use super::{Calls, incoming_calls, outgoing_calls, prepare_call_hierarchy};
use crate::fixture::{Fixture, open};
use expect_test::{Expect, expect};

fn shown(fixture: &Fixture, calls: Vec<Calls>, own: bool) -> String {
    let line = |calls: Calls| {
        let there = calls.function.selection.file;
        let file = if own { there } else { fixture.file };
        let text = fixture.snapshot.text(file).to_string();
        let places: Vec<&str> = calls.places.iter().map(|place| &text[place.clone()]).collect();
        let path = fixture.snapshot.shown_path(there);
        format!("{} in {path}: {}", calls.function.name, places.join(", "))
    };
    calls.into_iter().map(line).collect::<Vec<_>>().join("\n")
}

/// The callers of the function at the cursor, and the functions it calls.
#[track_caller]
fn check(files: &str, expected: Expect) {
    let fixture = open(files);
    let snapshot = &fixture.snapshot;
    let Some(function) = prepare_call_hierarchy(snapshot, fixture.file, fixture.offset) else {
        return expected.assert_eq("none");
    };
    let place = function.selection;
    let incoming = incoming_calls(snapshot, place.file, place.range().start);
    let outgoing = outgoing_calls(snapshot, place.file, place.range().start);
    let called = Fixture { snapshot: snapshot.clone(), file: place.file, offset: 0, text: String::new() };
    expected.assert_eq(&format!(
        "{}\n<- {}\n-> {}",
        function.signature.unwrap_or_default(),
        shown(&fixture, incoming, true),
        shown(&called, outgoing, false)
    ));
}

const LIB: &str = "#- lib.star
def helper(x):
  return x
end
def labels(app, more=None):
  y = helper(app)
  return [helper(part) for part in helper(y)]
end
";

#[test]
fn calls_in_and_out_through_loads() {
    check(
        &format!(
            "{LIB}#- other.yml\n#@ load(\"lib.star\", l=\"labels\")\nb: #@ l(2)\n#- x.yml\n#@ load(\"lib.star\", \"labels\")\n#@ def app():\n#@   return labels(1)\n#@ end\na: #@ lab$0els(app()) + labels\n"
        ),
        expect![[r#"
            labels(app, more=None)
            <- other.yml in other.yml: l
            x.yml in x.yml: labels
            app in x.yml: labels
            -> helper in lib.star: helper, helper, helper"#]],
    );
}

#[test]
fn half_typed_and_no_function() {
    check(
        "#- x.yml\n#@ def f(a):\n#@   return f(\n#@ end\nb: #@ f$0(1\n",
        expect![[r#"
            f(a)
            <- x.yml in x.yml: f
            f in x.yml: f
            -> f in x.yml: f"#]],
    );
    check("#- x.yml\n#@ v = 1\na: #@ v$0\n", expect!["none"]);
    check("a$0: 1\n", expect!["none"]);
}

use crate::fixture::open;

const OTHER: &str = "#- other.lib.yml\n#@ text = \"x\"\n#@ table = {\"one\": 1, \"two\": {\"deep\": 2}}\n\
                     #@ def names(a):\n#@   if a:\n#@     return table\n#@   end\n#@   return None\n#@ end\n";
const LOADS: &str =
    "#@ load(\"@ytt:struct\", \"struct\")\n#@ load(\"other.lib.yml\", \"text\", t=\"table\", n=\"names\")\n";

/// The first labels that are offered.
fn offered(code: &str) -> Vec<String> {
    let fixture = open(&format!("{OTHER}#- app.yml\n{LOADS}{code}\n"));
    fixture.completions(false).into_iter().map(|item| item.label).take(2).collect()
}

#[test]
fn structs_have_the_members_they_were_made_with() {
    assert_eq!(offered("#@ s = struct.make(a=1, b=struct.make(c=2))\nx: #@ s.$0"), ["a", "b"]);
    assert_eq!(offered("#@ s = struct.make(a=1, b=struct.make(c=2))\nx: #@ s.b.$0"), ["c"]);
    assert_eq!(offered("#@ s = struct.encode({\"a\": {\"b\": 1}})\nx: #@ s.a.$0"), ["b"]);
    assert_eq!(offered("#@ def f(): return struct.make(a=1)\nx: #@ f().$0"), ["a"]);
    assert_eq!(offered("#@ s = struct.decode(struct.make(a=1))\nx: #@ s.$0")[..1], ["a"]);
}

#[test]
fn dicts_have_the_keys_they_were_written_with() {
    assert_eq!(offered("#@ d = {\"a\": {\"b\": 1}}\nx: #@ d[\"$0"), ["a"]);
    assert_eq!(offered("#@ d = {\"a\": {\"b\": 1}}\nx: #@ d[\"a\"][\"$0\"]"), ["b"]);
    assert_eq!(offered("#@ d = {\"a\": {\"b\": 1}}\nx: #@ d.get(\"$0\")"), ["a"]);
    assert_eq!(offered("#@ d = dict(a=1)\n#@ if \"$0\" in d:"), ["a"]);
    assert_eq!(offered("#@ d = {\"a\": 1}\nx: #@ d.$0"), ["clear", "get"]);
}

#[test]
fn names_are_followed_to_other_files() {
    assert_eq!(offered("x: #@ text.up$0"), ["capitalize", "codepoint_ords"]);
    assert_eq!(offered("x: #@ t[\"$0"), ["one", "two"]);
    assert_eq!(offered("x: #@ n(1)[\"two\"][\"$0"), ["deep"]);
    assert_eq!(offered("#@ l = [a for a in text.split(\",\")]\nx: #@ l.$0"), ["append", "clear"]);
    assert_eq!(offered("x: #@ (text + unknown).$0")[..1], ["capitalize"]);
}

#[test]
fn what_refers_to_itself_or_is_half_typed_has_an_end() {
    assert!(offered("#@ a = a + a\nx: #@ a.$0").is_empty());
    assert!(offered("#@ def f(): return f() or f() or f()\nx: #@ f().$0").is_empty());
    let mut doubled = "#@ a0 = unknown\n".to_owned();
    for i in 0..40 {
        doubled.push_str(&format!("#@ a{} = a{i} + a{i}\n", i + 1));
    }
    assert!(offered(&format!("{doubled}x: #@ a40.$0")).is_empty());
    assert!(offered("#@ s = struct.make(a=\nx: #@ s.b.$0").is_empty());
    assert!(offered("x: #@ nothing.$0").is_empty());
}

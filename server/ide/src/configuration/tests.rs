use crate::fixture::open;
use crate::{CompletionOptions, Markup};
use expect_test::{Expect, expect};

const FILES: &str = "#- config/schema.yml\n#@data/values-schema\n---\nport: 80\n#- values/dev.yml\nport: 1\n#- values/prod.yml\nport: 2\n";

#[track_caller]
fn check(config: &str, expected: Expect) {
    let fixture = open(&format!("{FILES}#- lofting.toml\n{config}"));
    let shown = |snippets| -> String {
        let items = fixture.completions(snippets);
        let shown = |item| format!("{}: {:?}\n", fixture_label(item), fixture.accept(item));
        items.iter().take(3).map(shown).collect()
    };
    expected.assert_eq(&shown(true));
    fn fixture_label(item: &crate::CompletionItem) -> &str {
        &item.label
    }
}

#[track_caller]
fn labels(config: &str) -> Vec<String> {
    let fixture = open(&format!("{FILES}#- lofting.toml\n{config}"));
    fixture.completions(false).into_iter().map(|item| item.label).collect()
}

#[test]
fn keys() {
    check(
        "[sets.a]\n$0",
        expect![[r#"
        files: "[sets.a]\nfiles = [\"$0\"]"
        values: "[sets.a]\nvalues = [\"$0\"]"
        data-values: "[sets.a]\ndata-values = [\"$0\"]"
    "#]],
    );
    check(
        "[sets.a]\nfiles = [\"config\"]\nva$0\nstrict = true\n",
        expect![[r#"
        values: "[sets.a]\nfiles = [\"config\"]\nvalues = [\"$0\"]\nstrict = true\n"
        data-values: "[sets.a]\nfiles = [\"config\"]\ndata-values = [\"$0\"]\nstrict = true\n"
        data-values-yaml: "[sets.a]\nfiles = [\"config\"]\ndata-values-yaml = [\"$0\"]\nstrict = true\n"
    "#]],
    );
    check(
        "[sets.a]\nfi$0 = [\"config\"]\n",
        expect![[r#"
        files: "[sets.a]\nfiles = [\"config\"]\n"
        values: "[sets.a]\nvalues = [\"config\"]\n"
        data-values: "[sets.a]\ndata-values = [\"config\"]\n"
    "#]],
    );
    check(
        "$0",
        expect![[r#"
            [sets.NAME]: "[sets.${1:name}]\nfiles = [\"$0\"]"
            [rules]: "[rules]\n"
            [[schemas]]: "[[schemas]]\npath = \"$1\"\nfiles = [\"$0\"]"
        "#]],
    );
    check(
        "[se$0",
        expect![[r#"
            sets.: "[sets."
            rules: "[rules"
            schemas: "[[schemas"
        "#]],
    );
    check(
        "[sets.a]\nfiles = [\n  \"config\",\n]\n$0\n[sets.b]\n",
        expect![[r#"
        values: "[sets.a]\nfiles = [\n  \"config\",\n]\nvalues = [\"$0\"]\n[sets.b]\n"
        data-values: "[sets.a]\nfiles = [\n  \"config\",\n]\ndata-values = [\"$0\"]\n[sets.b]\n"
        data-values-yaml: "[sets.a]\nfiles = [\n  \"config\",\n]\ndata-values-yaml = [\"$0\"]\n[sets.b]\n"
    "#]],
    );
    assert!(!labels("[sets.a]\nfiles = []\n[sets.b]\n$0").is_empty());
    // An unknown table has no keys.
    assert_eq!(
        labels("[other]\n$0"),
        [
            "[sets.NAME]",
            "[rules]",
            "[[schemas]]",
            "[schemas.mirror]",
            "[kubernetes]",
            "[catalogue]",
            "[deprecation]",
            "[format]"
        ]
    );
    assert_eq!(labels("[[schemas]]\npath = \"a\"\n$0")[..2], ["url", "files"]);
    assert_eq!(labels("[[schemas]]\npath = \"a\"\n[[schemas]]\n$0")[..3], ["path", "url", "files"]);
    assert_eq!(labels("[[sch$0"), ["schemas"]);
    assert_eq!(labels("[[schemas]]\npath = \"config/$0\"\n"), ["schema.yml"]);
}

#[test]
fn layout() {
    check(
        "[format]\n$0",
        expect![[r#"
        indent: "[format]\nindent = "
        sequences: "[format]\nsequences = \"$0\""
        quotes: "[format]\nquotes = \"$0\""
    "#]],
    );
    assert_eq!(labels("[format]\nquotes = \"$0\"\n"), ["single", "double"]);
    assert_eq!(labels("[format]\nfinal-newline = $0\n"), ["true", "false"]);
    assert_eq!(labels("[format]\nindent = $0\n"), Vec::<String>::new());
}

#[test]
fn rules_and_levels() {
    let first = |config: &str| -> String {
        let fixture = open(&format!("{FILES}#- lofting.toml\n{config}"));
        let found = fixture.completions(true).into_iter().find(|item| item.label == "ytt/deprecated-value");
        fixture.accept(&found.expect("the rule is offered"))
    };
    let whole = "[rules]\n\"ytt/deprecated-value\" = \"$0\"";
    for typed in ["", "ytt", "\"", "\"ytt/depr"] {
        assert_eq!(first(&format!("[rules]\n{typed}$0")), whole, "{typed}");
    }
    assert_eq!(first("[rules]\n\"ytt/$0max\" = \"off\"\n"), "[rules]\n\"ytt/deprecated-value\" = \"off\"\n");
    let used = "[rules]\n\"ytt/deprecated-value\" = \"off\"\n\"$0";
    assert!(!labels(used).iter().any(|label| label == "ytt/deprecated-value"));
    for value in ["$0", "\"$0", "\"wa$0\"", "wa$0"] {
        let levels = labels(&format!("[rules]\n\"ytt/max\" = {value}\n"));
        assert_eq!(levels, ["off", "hint", "info", "warning", "error"], "{value}");
    }
    let fixture = open(&format!("{FILES}#- lofting.toml\n[rules]\n\"ytt/m$0ax\" = \"off\"\n"));
    let hover = crate::hover(&fixture.snapshot, fixture.file, fixture.offset, Markup::Plain).expect("a hover");
    assert!(hover.text.contains("ytt/max"), "{}", &*hover.text);
}

#[test]
fn paths_and_switches() {
    check(
        "[sets.a]\nfiles = [\"$0\"]\n",
        expect![[r#"
        config/: "[sets.a]\nfiles = [\"config/\"]\n"
        values/: "[sets.a]\nfiles = [\"values/\"]\n"
    "#]],
    );
    check(
        "[sets.a]\nfiles = [\"config/$0\n",
        expect![[r#"
        schema.yml: "[sets.a]\nfiles = [\"config/schema.yml\n"
    "#]],
    );
    check(
        "[sets.a]\nfiles = [\n  'config/',\n  $0\n]\n",
        expect![[r#"
        config/: "[sets.a]\nfiles = [\n  'config/',\n  \"config/\"\n]\n"
        values/: "[sets.a]\nfiles = [\n  'config/',\n  \"values/\"\n]\n"
    "#]],
    );
    check(
        "[sets.a]\nvalues = [\"values/d$0ev\", \"x\"]\n",
        expect![[r#"
        dev.yml: "[sets.a]\nvalues = [\"values/dev.yml\", \"x\"]\n"
        prod.yml: "[sets.a]\nvalues = [\"values/prod.yml\", \"x\"]\n"
    "#]],
    );
    check(
        "[sets.a]\nvalues = $0",
        expect![[r#"
        config/: "[sets.a]\nvalues = [\"config/\"]"
        values/: "[sets.a]\nvalues = [\"values/\"]"
    "#]],
    );
    check(
        "[sets.a]\ndata-value-files = [\"a.b=values/$0\"]\n",
        expect![[r#"
        dev.yml: "[sets.a]\ndata-value-files = [\"a.b=values/dev.yml\"]\n"
        prod.yml: "[sets.a]\ndata-value-files = [\"a.b=values/prod.yml\"]\n"
    "#]],
    );
    check(
        "[sets.a]\nstrict = t$0",
        expect![[r#"
        true: "[sets.a]\nstrict = true"
        false: "[sets.a]\nstrict = false"
    "#]],
    );
    for nothing in [
        "[sets.a]\nfiles = [\"config\"] $0",
        "[sets.a]\nfiles = [ # $0",
        "[sets.a]\ndata-values = [\"$0\"]",
        "[sets.a] $0",
        "[other]\nfiles = [\"$0\"]",
    ] {
        assert_eq!(labels(nothing), Vec::<String>::new(), "{nothing}");
    }
}

#[test]
fn unasked_lists_are_not_in_the_way() {
    let unasked = |config: &str| {
        let fixture = open(&format!("{FILES}#- lofting.toml\n{config}"));
        let options = CompletionOptions { snippets: true, unasked: true };
        crate::completion(&fixture.snapshot, fixture.file, fixture.offset, &options).len()
    };
    assert_eq!(unasked("[sets.a]\n$0"), 0);
    // A complete word stays, and changes nothing.
    assert_eq!(unasked("[sets.a]\nstrict = true$0"), 1);
    assert_ne!(unasked("[sets.a]\nf$0"), 0);
    assert_ne!(unasked("[sets.a]\nfiles = [\"$0\"]"), 0);
    assert_ne!(unasked("[sets.a]\nfiles = [\"config/$0\"]"), 0);
}

#[test]
fn hovers() {
    let hover = |config: &str| {
        let fixture = open(&format!("{FILES}#- lofting.toml\n{config}"));
        let hover = crate::hover(&fixture.snapshot, fixture.file, fixture.offset, Markup::Markdown);
        hover.map(|hover| format!("{:?}\n{}", &fixture.text[hover.range], hover.text)).unwrap_or_default()
    };
    let set = "[sets.a]\nfiles = ['config']\nvalues = ['values/*.yml']\n";
    expect![[r#"
        "values"
        `values`: an array of strings, as `ytt --data-values-file`

        Plain YAML files with data values. A pattern (`values/*.yml`) stands for one call of ytt for each file that it matches; files without stars are given to every call.

        Example: `values = ["values/*.yml"]`"#]].assert_eq(&hover(&set.replace("values =", "va$0lues =")));
    expect![[r#"
        "a"
        The input set `a`

        Inputs:
        - `config/schema.yml`

        Values of one call each:
        - `values/dev.yml`
        - `values/prod.yml`"#]]
    .assert_eq(&hover(&set.replace(".a]", ".$0a]")));
    assert_eq!(hover(&set.replace("'config'", "'con$0fig'")), "");
    assert_eq!(hover("&a [$0*a"), "");
}

/// At every place of every prefix, the replaced range is on the cursor's line and around the cursor.
#[test]
fn any_text_can_be_asked() {
    let text = "[sets.\"ü a\"]\r\nfiles = [\"config/x\\\"\", 'ü', # c\r\n  \"values/\r\n[sets.b\nvalu\nstrict = tr\nvalues = \"\"\"x\n[[a";
    for end in (0..=text.len()).filter(|at| text.is_char_boundary(*at)) {
        for part in [&text[..end], text] {
            let marked = format!("{}$0{}", &part[..end], &part[end..]);
            let fixture = open(&format!("{FILES}#- lofting.toml\n{marked}"));
            for item in fixture.completions(true) {
                let (range, _) = &item.edit;
                let replaced = fixture.text.get(range.clone()).expect("whole characters");
                assert!(!replaced.contains(['\n', '\r']), "{marked:?}: {item:?}");
                assert!(range.start <= fixture.offset && fixture.offset <= range.end, "{marked:?}: {item:?}");
            }
            if let Some(hover) = crate::hover(&fixture.snapshot, fixture.file, fixture.offset, Markup::Plain) {
                assert!(fixture.text.get(hover.range).is_some());
            }
        }
    }
}

use super::*;
use crate::fixture::Fixture;
use expect_test::expect;

fn errors(text: &str) -> String {
    let lines = read(text).errors.into_iter().map(|error| {
        let at = text.get(error.range.clone()).unwrap_or("?").replace('\n', "⏎");
        let help = error.help.map(|help| format!(" ({help})")).unwrap_or_default();
        format!("«{at}» {}{help}\n", error.message)
    });
    lines.collect()
}

#[test]
fn a_set_is_what_a_ytt_call_gets() {
    let text = "[sets.prod]\nfiles = [\"config/\", 'x.yml']\nvalues = [\"base.yml\", \"envs/*.yml\"]\n\
                data-values = [\"a=b\"]\nstrict = true\n[sets.dev]\nfiles = \"config\"\n";
    let config = read(text);
    assert_eq!(config.errors, []);
    let names: Vec<&str> = config.sets.iter().map(|set| set.name.as_str()).collect();
    assert_eq!(names, ["prod", "dev"]);
    let flags = config.sets[0].flags();
    assert_eq!(flags.files, ["config/", "x.yml"]);
    assert_eq!(flags.data_values_files, ["base.yml"]);
    assert_eq!(flags.data_values, ["a=b"]);
    assert!(flags.options.strict && !flags.options.disable_validation);
    let patterns: Vec<&str> = config.sets[0]
        .value_patterns()
        .map(|(text, range)| {
            assert_eq!(&read_slice(range), "\"envs/*.yml\"");
            text.as_str()
        })
        .collect();
    assert_eq!(patterns, ["envs/*.yml"]);

    fn read_slice(range: &Range<usize>) -> String {
        "[sets.prod]\nfiles = [\"config/\", 'x.yml']\nvalues = [\"base.yml\", \"envs/*.yml\"]\n"[range.clone()]
            .to_owned()
    }
}

#[test]
fn mistakes_are_located() {
    let text = "title = 1\n[sets.a]\nfile = [\"x\"]\nfiles = [1, \"x\"]\nstrict = \"yes\"\n\
                [sets]\nb = 3\n[sets.c]\nvalues = []\n";
    expect![[r#"
        «title» unknown key `title` (known keys are sets, schemas, kubernetes, catalogue, deprecation, rules, format)
        «file» unknown key `file` (did you mean `files`?)
        «1» `files` must be an array of strings: ["a", "b"]
        «"yes"» `strict` must be true or false
        «3» `b` must be a table: write `[sets.NAME]`
        «c» the set `c` has no files (name what `ytt -f` would get: files = ["config/"])
    "#]]
    .assert_eq(&errors(text));
}

#[test]
fn an_entry_for_a_schema_says_what_is_meant() {
    let text = "[[schemas]]\nschema = \"s.json\"\nfiles = [\"*.yml\", \"!x/**\"]\n\
                [[schemas]]\nfile = \"https://example.com/s.json\"\nfiles = [\"*.yml\"]\n[[schemas]]\nfiles = []\n";
    expect![[r#"
        «schema» unknown key `schema` (did you mean `path`?)
        «"!x/**"» `!x/**` excludes nothing: patterns name the files that the schema governs (give the other files a schema of their own in an earlier entry)
        «file» unknown key `file` (did you mean `url`?)
        «[[schemas]]» this entry of `[[schemas]]` names no schema (name one: path = "schemas/app.json", or url = "https://…")
    "#]]
    .assert_eq(&errors(text));
}

/// What is being typed affects nothing before or after it.
#[test]
fn half_typed_files_keep_their_sets() {
    let before = "[sets.a]\nfiles = [\"a\"]\n";
    let after = "\n[sets.b]\nfiles = [\n  \"b\",\n]\nstrict = true\n";
    let whole =
        "values = [\"x.yml\", \"y.yml\"]\nstrict = true\n[sets.c]\nfiles = 'c'\ndata-values = [ 'k=v', \"ü=1\" ] # c";
    let mut seen = String::new();
    for end in (0..=whole.len()).filter(|end| whole.is_char_boundary(*end)) {
        let text = format!("{before}{}{after}", &whole[..end]);
        let config = read(&text);
        let files = |name: &str| -> Option<Vec<&str>> {
            let set = config.sets.iter().find(|set| set.name == name)?;
            Some(set.list(ListKey::Files).iter().map(|(text, _)| text.as_str()).collect())
        };
        assert_eq!(files("a"), Some(vec!["a"]), "{text}");
        assert_eq!(files("b"), Some(vec!["b"]), "{text}");
        assert!(config.sets.iter().find(|set| set.name == "b").is_some_and(|set| set.options.strict), "{text}");
        for error in &config.errors {
            // Only what is being typed is reported.
            let typed = before.len()..before.len() + end + 1;
            assert!(typed.start <= error.range.start && error.range.end <= typed.end, "{error:?} in {text}");
        }
        assert!(config.errors.len() <= 2, "{:?} in {text}", config.errors);
        seen += &errors(&text);
    }
    assert!(seen.contains("not valid TOML"));
}

#[test]
fn a_half_typed_entry_keeps_those_before_it() {
    for typed in ["\"va", "'va", "\"", "va", "["] {
        let config = read(&format!("[sets.a]\nfiles = [\"config\", \"x\", {typed}\nstrict = true\n"));
        let files: Vec<&str> = config.sets[0].list(ListKey::Files).iter().map(|(text, _)| text.as_str()).collect();
        assert_eq!(files.get(..2), Some(&["config", "x"][..]), "{typed}");
        assert!(config.sets[0].options.strict, "{typed}");
    }
}

#[test]
fn what_was_meant_is_said() {
    expect![[r#"
        «set» unknown key `set` (did you mean `sets`?)
        «file» unknown key `file` (did you mean `files`?)
        «value» unknown key `value` (did you mean `values`?)
        «strikt» unknown key `strikt` (did you mean `strict`?)
        «data_values» unknown key `data_values` (did you mean `data-values`?)
        «zzzzzzz» unknown key `zzzzzzz` (known keys are files, values, data-values, data-values-yaml, data-value-files, data-values-env, data-values-env-yaml, file-marks, ignore-unknown-comments, implicit-map-key-overrides, strict, dangerous-data-values-disable-validation)
    "#]].assert_eq(&errors(
        "[set.x]\n[sets.a]\nfile = [\"x\"]\nfiles = ['y']\nvalue = []\nstrikt = true\ndata_values = []\nzzzzzzz = 1\n",
    ));
}

#[test]
fn sets_and_keys_are_written_once() {
    let text = "[sets.a]\nfiles = ['x']\nfiles = ['y']\n[sets.b]\nfiles = ['b']\n[sets.a]\nvalues = ['z']\n";
    expect![[r#"
        «files» the key `files` is given twice (write all of it into one array)
        «a» the set `a` is defined twice (write all its keys below one `[sets.a]`)
    "#]]
    .assert_eq(&errors(text));
    assert_eq!(read(text).sets.len(), 2);
}

#[test]
fn places_of_damage_are_exact() {
    expect![[r#"
        «[sets.a» this is not valid TOML: unclosed table, expected `]`
        «["x» this is not valid TOML: unclosed array, expected `]`
        «=» this is not valid TOML: string values must be quoted, expected literal string
        «ture» this is not valid TOML: invalid boolean, expected `true`
        «'a» this is not valid TOML: invalid literal string, expected `'`
        «valu» this is not valid TOML: key with no value, expected `=`
        «[sets.» this is not valid TOML: unquoted keys cannot be empty, expected letters, numbers, `-`, `_`
        «[» this is not valid TOML: unquoted keys cannot be empty, expected letters, numbers, `-`, `_`
    "#]]
    .assert_eq(&errors("[sets.a\nfiles = [\"x\nvalues = \n]\nstrict = ture\ndata-values = 'a\nvalu\n= 1\n[sets.\n[\n"));
}

/// Every text can be read, and every range is inside it.
#[test]
fn any_text_is_read() {
    let text = "\u{feff}[sets.\"ü a\"]\r\nfiles = ['''a\nb''', \"\\u12\", 1, {a = [\"x\"]}]\r\n[[sets.x]]\nstrict = 1979-05-27\n\
                [sets.a.b]\n'q' = 1\nsets.d.files = [\"\"\"x\n";
    for start in (0..text.len()).filter(|at| text.is_char_boundary(*at)) {
        for end in (start..=text.len()).filter(|at| text.is_char_boundary(*at)) {
            let part = &text[start..end];
            let config = read(part);
            let ranges = config.errors.iter().map(|error| &error.range);
            let lists = config.sets.iter().flat_map(|set| &set.lists).flat_map(|(_, list)| list);
            for range in ranges.chain(lists.map(|(_, range)| range)).chain(&config.half_typed) {
                assert!(part.get(range.clone()).is_some(), "{range:?} of {part:?}");
            }
        }
    }
}

#[test]
fn levels_of_rules() {
    use lofting_diagnostic::Level;

    let of = |config: &Config, code: &str| config.levels.of(code);
    let text = "[rules]\n\"ytt/deprecated-value\" = \"off\"\n'ytt/max' = \"warning\"\n";
    let damaged = format!("{text}\"ytt/min\" = \n[sets.a]\nfiles = [\n");
    for text in [text, &damaged] {
        let config = read(text);
        assert_eq!(of(&config, "ytt/deprecated-value"), Some(Level::Off), "{text}");
        assert_eq!(of(&config, "ytt/max").map(|level| level != Level::Off), Some(true), "{text}");
        assert_eq!(of(&config, "ytt/min"), None);
    }
    // The code of an earlier version chooses the level of today's.
    let old = read("[rules]\n\"ytt/library-unused\" = \"off\"\n");
    assert_eq!(of(&old, "ytt/library-not-evaluated"), Some(Level::Off));
    assert_eq!(old.renamed, [(8..28, "ytt/library-not-evaluated".to_owned())]);
    expect![[r#"
        «"ytt/deprecatd-value"» there is no rule `ytt/deprecatd-value` (did you mean `ytt/deprecated-value`?)
        «"loud"» `ytt/max` must be one of "off", "hint", "info", "warning", "error"
        «3» `rules` must be a table: write `[rules]`
    "#]]
    .assert_eq(
        &(errors("[rules]\n\"ytt/deprecatd-value\" = \"off\"\n\"ytt/max\" = \"loud\"\n") + &errors("rules = 3\n")),
    );
}

#[test]
fn schemas_of_other_files() {
    let text = "[[schemas]]\npath = \"a.json\"\nfiles = [\"*.yml\", '/b/**']\n\
                [[schemas]]\nurl = \"https://x/b.json\"\nfiles = \"c.yml\"\n\
                [schemas.mirror]\n\"https://x\" = \"web\"\n[rules]\n";
    let shown = |text: &str| {
        let config = read(text);
        let schemas = config.schemas.iter().map(|it| {
            let files: Vec<_> = it.files.iter().map(|(glob, _)| glob).collect();
            format!("{} {files:?}\n", it.schema)
        });
        let mirrors = config.mirrors.iter().map(|it| format!("{}={}\n", it.url, it.folder));
        schemas.chain(mirrors).collect::<String>() + &errors(text)
    };
    expect![[r#"
        a.json ["*.yml", "/b/**"]
        https://x/b.json ["c.yml"]
        https://x=web
    "#]]
    .assert_eq(&shown(text));
    // Only folders, in every form.
    expect![[r#"
        https://x=web
    "#]]
    .assert_eq(&shown("[schemas.mirror]\n\"https://x\" = \"web\"\n"));
    expect![[r#"
        a []
        «"a"» this entry of `[[schemas]]` governs no files (name the files that it governs: files = ["apps/*.yml"])
        «3» `schemas` must be an array of tables: write `[[schemas]]`
    "#]]
    .assert_eq(&shown("schemas = [{path = \"a\", files = []}, 3]\n"));
    // What is being typed affects nothing else.
    expect![[r#"
        a.js ["*.yml", "/b/**"]
        https://x/b.json ["c.yml"]
        https://x=web
        «"a.js» this is not valid TOML: invalid basic string, expected `"`
    "#]]
    .assert_eq(&shown(&text.replace("\"a.json\"", "\"a.js")));
    expect![[r#"
        a.json ["*.yml"]
        https://x/b.json ["c.yml"]
        https://x=web
    "#]]
    .assert_eq(&shown(&text.replace("'/b/**'", "")));
    expect![[r#"
        a.json ["*.yml", "/b/**"]
        https://x=web
        «[[sche» this is not valid TOML: unclosed array table, expected `]]`
    "#]]
    .assert_eq(&shown(&text.replace("[[schemas]]\nurl", "[[sche\nurl")));
}

#[test]
fn mistakes_in_schemas_are_located() {
    let text = "schemas = 3\n";
    expect![[r#"
        «3» `schemas` must be an array of tables: write `[[schemas]]`
    "#]]
    .assert_eq(&errors(text));
    let text = "[[schemas]]\npath = \"https://x\"\nfiles = []\n[[schemas]]\nurl = \"a.json\"\nfile = [\"x\"]\n\
                [[schemas]]\nfiles = [\"[\"]\n[[schemas]]\npath = \"a\"\nurl = \"https://b\"\nfiles = [3]\n\
                [[schemas]]\npath = \"a\"\n[schemas.mirror]\nx = \"y\"\n\"https://x\" = 3\n";
    expect![[r#"
        «"https://x"» `path` must be a path: "schemas/app.json"
        «"a.json"» `url` must be a URL: "https://…"
        «file» unknown key `file` (did you mean `files`?)
        «"["» `[` is not a valid file pattern (`*` stands for a part of a name, `**` for directories, `[a-z]` and `{a,b}` for one of several)
        «"https://b"» this entry of `[[schemas]]` names two schemas (write `path` or `url`; for another schema begin another `[[schemas]]`)
        «3» `files` must be an array of strings: ["a", "b"]
        «"a"» this entry of `[[schemas]]` governs no files (name the files that it governs: files = ["apps/*.yml"])
        «x» `x` is not a URL (write the URL that the folder mirrors: "https://example.com" = "schemas")
        «3» `https://x` must be the path of a folder
    "#]].assert_eq(&errors(text));
    expect![[r#"
        «3» `schemas` must be an array of tables: write `[[schemas]]`
    "#]]
    .assert_eq(&errors("[schemas]\npath = 3\n"));
}

#[test]
fn layout_of_files() {
    let text = "[format]\nindent = 4\nquotes = \"single\"\nfinal-newline = false\n";
    let config = read(text);
    assert_eq!(config.errors, []);
    let wanted = lofting_format::Options {
        indent: Some(4),
        quotes: Some(lofting_format::Quotes::Single),
        final_newline: Some(false),
        ..Default::default()
    };
    assert_eq!(config.format, wanted);
    // A half-typed line does not affect the others.
    assert_eq!(read(&format!("{text}sequences = \"ind\n")).format, wanted);
    let text = "[format]\nindent = 9\nquote = \"single\"\nquotes = 1\nblank-lines = -1\nline-ending = \"cr\"\n";
    expect![[r#"
        «9» `indent` must be an integer from 1 to 8
        «quote» unknown key `quote` (did you mean `quotes`?)
        «1» `quotes` must be one of "single", "double"
        «-1» `blank-lines` must be an integer from 0 to 100
        «"cr"» `line-ending` must be one of "lf", "crlf"
    "#]]
    .assert_eq(&errors(text));
}

/// What is proposed in a folder is what a new workspace would propose, whatever was opened and closed before.
#[test]
fn folders_are_those_with_files_that_are_there() {
    let mut fixture = Fixture::scanned("#- a.yaml\na: 1\n#- folder/b.yaml\nb: 1\n#- schemas/c.json\n{}\n");
    let children = |fixture: &Fixture| fixture.workspace.snapshot().children(&fixture.root());
    assert_eq!(children(&fixture), ["a.yaml", "folder/"]);
    let opened =
        [fixture.open("schemas/c.json", "{}"), fixture.open("new/d.yaml", "d: 1\n"), fixture.open("e.yaml", "")];
    assert_eq!(children(&fixture), ["a.yaml", "e.yaml", "folder/", "new/", "schemas/"]);
    opened.into_iter().for_each(|file| fixture.workspace.close(file));
    assert_eq!(children(&fixture), ["a.yaml", "folder/"]);
}

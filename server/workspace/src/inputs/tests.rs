use super::*;
use std::fs;
use std::path::Path;

fn fixture(files: &[(&str, &str)]) -> tempfile::TempDir {
    let dir = tempfile::tempdir().unwrap();
    for (path, text) in files {
        let path = dir.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    dir
}

fn context(base: &Path) -> InputContext {
    InputContext {
        base: base.to_owned(),
        environment: vec![("P_db__port".to_owned(), "99".to_owned()), ("PATH".to_owned(), "/bin".to_owned())],
        streams: [("-".to_owned(), "a: 1\n".to_owned())].into(),
    }
}

fn strings(list: &[&str]) -> Vec<String> {
    list.iter().map(|text| (*text).to_owned()).collect()
}

fn listed(set: &InputSet) -> Vec<String> {
    set.files
        .iter()
        .map(|file| {
            let library = file.library.as_ref().map(|library| format!(" in {}", library.root));
            format!("{} ({}) {:?}{}", file.name, file.shown, file.role, library.unwrap_or_default())
        })
        .collect()
}

#[test]
fn files_keep_the_order_of_the_flags_and_directories_are_sorted_by_bytes() {
    let dir = fixture(&[
        ("config/b.yml", ""),
        ("config/B.yml", ""),
        ("config/a/z.yml", ""),
        ("config/a.lib.yml", ""),
        ("config/_ytt_lib/app/schema.yml", ""),
        ("config/notes.md", ""),
        ("x/schema.yml", ""),
    ]);
    let flags = InputFlags {
        files: strings(&["x/schema.yml", "config/", "new/name.yml=x/schema.yml", "-"]),
        ..InputFlags::default()
    };
    let set = InputSet::from_flags(&flags, &context(dir.path())).unwrap();
    assert_eq!(
        listed(&set),
        [
            "schema.yml (x/schema.yml) YamlTemplate",
            "B.yml (config/B.yml) YamlTemplate",
            "_ytt_lib/app/schema.yml (config/_ytt_lib/app/schema.yml) YamlTemplate in _ytt_lib",
            "a.lib.yml (config/a.lib.yml) Library",
            "a/z.yml (config/a/z.yml) YamlTemplate",
            "b.yml (config/b.yml) YamlTemplate",
            "notes.md (config/notes.md) Data",
            "new/name.yml (x/schema.yml) YamlTemplate",
            "stdin.yml (stdin.yml) YamlTemplate",
        ]
    );
}

#[test]
#[cfg(unix)]
fn links_are_followed_where_they_may_lead() {
    let dir = fixture(&[("config/a.yml", ""), ("other/b.yml", "")]);
    let base = dir.path().canonicalize().unwrap();
    std::os::unix::fs::symlink(base.join("other/b.yml"), base.join("config/link.yml")).unwrap();
    let set = |file: &str, all: bool, destinations: &[&str]| {
        let allowed_links = AllowedLinks { all, destinations: strings(destinations) };
        let flags = InputFlags { files: strings(&[file]), allowed_links, ..InputFlags::default() };
        InputSet::from_flags(&flags, &context(&base)).map(|set| listed(&set)).map_err(|error| error.to_string())
    };
    for file in ["config", "config/link.yml"] {
        let refused = [set(file, false, &[]), set(file, false, &["oth"]), set(file, false, &["config"])];
        assert!(refused.iter().all(|set| set.as_ref().is_err_and(|why| why.contains("symbolic link"))), "{refused:?}");
    }
    let both = ["a.yml (config/a.yml) YamlTemplate", "link.yml (config/link.yml) YamlTemplate"].map(str::to_owned);
    for (all, to) in [(true, &[][..]), (false, &["other"]), (false, &["config", "other/b.yml"]), (false, &["/"])] {
        assert_eq!(set("config", all, to), Ok(both.to_vec()), "{to:?}");
        assert_eq!(set("config/link.yml", all, to), Ok(vec![both[1].clone()]), "{to:?}");
    }
}

/// For the system, a slash at the end follows a link; without it ytt reads what is there as one file.
#[test]
#[cfg(unix)]
fn links_to_directories_are_files_unless_a_slash_follows() {
    let dir = fixture(&[("real/a.yml", ""), ("real/sub/b.yml", "")]);
    let base = dir.path().canonicalize().unwrap();
    std::os::unix::fs::symlink(base.join("real"), base.join("link")).unwrap();
    std::os::unix::fs::symlink(base.join("real/a.yml"), base.join("link.yml")).unwrap();
    let set = |all: bool, change: &dyn Fn(&mut InputFlags)| {
        let allowed_links = AllowedLinks { all, destinations: Vec::new() };
        let mut flags = InputFlags { allowed_links, ..InputFlags::default() };
        change(&mut flags);
        InputSet::from_flags(&flags, &context(&base))
    };
    let files = |all: bool, given: &str| set(all, &|flags| flags.files = strings(&[given])).map(|set| listed(&set));
    let both = ["a.yml (link/a.yml) YamlTemplate", "sub/b.yml (link/sub/b.yml) YamlTemplate"].map(str::to_owned);
    assert!(files(false, "link").is_err());
    assert_eq!(files(true, "link").unwrap(), ["link (link) Data"]);
    assert_eq!(files(false, "link/").unwrap(), both);
    // Only the end of a path counts.
    assert_eq!(files(false, "link/a.yml").unwrap(), ["a.yml (link/a.yml) YamlTemplate"]);
    let plain = |given: &str| {
        let set = set(false, &|flags| flags.data_values_files = strings(&[given]));
        set.map(|set| set.plain_values.into_iter().map(|file| file.shown).collect::<Vec<_>>())
    };
    assert!(plain("link").is_err() && plain("link.yml").is_err());
    assert_eq!(plain("link/").unwrap(), ["link/a.yml", "link/sub/b.yml"]);
    assert!(set(false, &|flags| flags.data_value_files = strings(&["a=link.yml"])).is_err());
    assert!(set(true, &|flags| flags.data_value_files = strings(&["a=link.yml"])).is_ok());
}

#[test]
fn marks_change_what_a_file_is() {
    let dir = fixture(&[("c/schema.ytt", ""), ("c/d/extra.yml", ""), ("c/plain.yml", "")]);
    let flags = InputFlags {
        files: strings(&["c"]),
        file_marks: strings(&[
            "schema.ytt:type=yaml-template",
            "**/*.yml:type=yaml-plain",
            "d/*:exclude=true",
            "schema.ytt:path=s.lib.yml",
        ]),
        ..InputFlags::default()
    };
    let set = InputSet::from_flags(&flags, &context(dir.path())).unwrap();
    // A given type stays when the name changes.
    assert_eq!(listed(&set), ["plain.yml (c/plain.yml) YamlPlain", "s.lib.yml (c/schema.ytt) YamlTemplate"]);
}

#[test]
fn marks_say_what_is_rendered() {
    let dir = fixture(&[("c/a.yml", ""), ("c/b.yml", ""), ("c/n.md", "")]);
    let rendered = |marks: &[&str]| -> Vec<Option<bool>> {
        let flags = InputFlags { files: strings(&["c"]), file_marks: strings(marks), ..InputFlags::default() };
        let set = InputSet::from_flags(&flags, &context(dir.path())).unwrap();
        set.files.iter().map(|file| file.for_output).collect()
    };
    assert_eq!(rendered(&["n.md:for-output=true"]), [None, None, Some(true)]);
    assert_eq!(rendered(&["a.yml:exclusive-for-output=true"]), [Some(true), Some(false), Some(false)]);
}

#[test]
fn patterns_of_marks_are_ytts() {
    let dir = fixture(&[("c/a/x.yml", ""), ("c/a/b/y.yml", ""), ("c/[z].yml", "")]);
    let left = |pattern: &str| -> Option<Vec<String>> {
        let flags = InputFlags {
            files: strings(&["c"]),
            file_marks: vec![format!("{pattern}:exclude=true")],
            ..InputFlags::default()
        };
        let set = InputSet::from_flags(&flags, &context(dir.path())).ok()?;
        Some(set.files.into_iter().map(|file| file.name).collect())
    };
    let names = |names: &[&str]| Some(strings(names));
    assert_eq!(left("**/*"), names(&[]));
    assert_eq!(left("**/*.yml"), names(&[]));
    assert_eq!(left("a/*"), names(&["[z].yml", "a/b/y.yml"]));
    assert_eq!(left("a/**/*"), names(&["[z].yml"]));
    assert_eq!(left("*/**/*"), names(&["[z].yml"]));
    assert_eq!(left("[z].yml"), names(&["a/b/y.yml", "a/x.yml"]));
    // Only the first star is a wildcard, and it matches at least one character.
    assert_eq!(left("*/*.yml"), None);
    assert_eq!(left("a/x.yml*"), None);
    // Excluded files match no other mark.
    let flags = InputFlags {
        files: strings(&["c"]),
        file_marks: strings(&["a/*:exclude=true", "a/x.yml:type=data"]),
        ..InputFlags::default()
    };
    assert!(InputSet::from_flags(&flags, &context(dir.path())).is_err());
}

#[test]
fn a_directory_keeps_its_names() {
    let dir = fixture(&[("c/a.yml", "")]);
    let flags = InputFlags { files: strings(&["new=c", "new.yml=c/a.yml"]), ..InputFlags::default() };
    let set = InputSet::from_flags(&flags, &context(dir.path())).unwrap();
    assert_eq!(listed(&set), ["a.yml (c/a.yml) YamlTemplate", "new.yml (c/a.yml) YamlTemplate"]);
}

#[test]
fn directories_of_plain_files_are_read_as_ytt_does() {
    let dir = fixture(&[("v/b.yml", ""), ("v/n.md", ""), ("v/s/a.yaml", ""), ("v/s/n.md", "")]);
    let flags = InputFlags { data_values_files: strings(&["v"]), ..InputFlags::default() };
    let set = InputSet::from_flags(&flags, &context(dir.path())).unwrap();
    let shown: Vec<&str> = set.plain_values.iter().map(|file| file.shown.as_str()).collect();
    assert_eq!(shown, ["v/b.yml", "v/n.md", "v/s/a.yaml"]);
}

#[test]
fn data_values_come_in_ytts_order() {
    let dir = fixture(&[("e.txt", "from file\n"), ("v/b.yml", ""), ("v/a.yml", ""), ("v/n.md", "")]);
    let flags = InputFlags {
        data_value_files: strings(&["e=e.txt"]),
        data_values_yaml: strings(&["@lib~x:a.b=[1]"]),
        data_values: strings(&["d=kv=x"]),
        data_values_env: strings(&["P"]),
        data_values_files: strings(&["@app:v", "-"]),
        ..InputFlags::default()
    };
    let set = InputSet::from_flags(&flags, &context(dir.path())).unwrap();
    let values: Vec<String> = set
        .data_values
        .iter()
        .map(|value| {
            let key: Vec<&str> = value.key.iter().map(|(range, _)| &value.written[range.clone()]).collect();
            format!("{:?} {} {}={:?} in {:?}", value.kind, value.origin, key.join("/"), value.value, value.library)
        })
        .collect();
    assert_eq!(
        values,
        [
            "Environment (data-values-env arg) P db/port=\"99\" in None",
            "Text (data-value arg) d=\"kv=x\" in None",
            "Yaml (data-value-yaml arg) a/b=\"[1]\" in Some(\"@lib~x\")",
            "File (data-value-file arg) e=e.txt e=\"from file\\n\" in None",
        ]
    );
    let plain: Vec<_> = set.plain_values.iter().map(|file| (file.shown.as_str(), file.library.as_deref())).collect();
    let app = Some("@app");
    assert_eq!(plain, [("v/a.yml", app), ("v/b.yml", app), ("v/n.md", app), ("stdin.yml", None)]);
}

/// As with `-f`, a name for the file may be before its path.
#[test]
fn files_of_values_may_have_a_name() {
    let dir = fixture(&[("a.yml", "a: 1\n"), ("t.txt", "text")]);
    let flags = InputFlags {
        data_values_files: strings(&["new.yml=a.yml", "@lib:=a.yml", "a=b=a.yml"]),
        data_value_files: strings(&["k=new.txt=t.txt", "@lib:k=t.txt", "k=a=b=t.txt"]),
        ..InputFlags::default()
    };
    let (set, errors) = InputSet::resolve_leniently(&flags, &context(dir.path()), &DiskLister::default());
    let plain: Vec<_> = set.plain_values.iter().map(|file| (file.shown.as_str(), file.library.as_deref())).collect();
    assert_eq!(plain, [("a.yml", None), ("a.yml", Some("@lib"))]);
    let values: Vec<_> = set.data_values.iter().map(|value| (value.origin.as_str(), value.value.as_str())).collect();
    assert_eq!(values, [("(data-value-file arg) k=new.txt=t.txt", "text"), ("(data-value-file arg) k=t.txt", "text")]);
    let words: Vec<String> = errors.iter().map(ToString::to_string).collect();
    assert_eq!(
        words,
        [
            "--data-values-file a=b=a.yml: expected at most one '=' (new name=file)",
            "--data-value-file k=a=b=t.txt: expected at most one '=' (new name=file)",
        ]
    );
}

/// A directory gives the text of its only file.
#[test]
fn the_text_of_a_data_value_is_that_of_one_file() {
    let dir = fixture(&[("one/sub/a.txt", "text"), ("two/a.txt", ""), ("two/b.txt", "")]);
    std::fs::create_dir(dir.path().join("none")).unwrap();
    let flags = InputFlags { data_value_files: strings(&["a=one", "b=two", "c=none"]), ..InputFlags::default() };
    let (set, errors) = InputSet::resolve_leniently(&flags, &context(dir.path()), &DiskLister::default());
    let values: Vec<&str> = set.data_values.iter().map(|value| value.value.as_str()).collect();
    assert_eq!(values, ["text"]);
    let words: Vec<String> = errors.iter().map(ToString::to_string).collect();
    assert_eq!(
        words,
        [
            "--data-value-file b=two: the value is the text of one file, but this directory has 2",
            "--data-value-file c=none: the value is the text of one file, but this directory has 0",
        ]
    );
}

#[test]
fn every_wrong_flag_is_named() {
    let dir = fixture(&[("a.yml", "")]);
    let flags = InputFlags {
        files: strings(&["a.yml", "nope.yml", "a=b=c", "https://example.com/x.yml", ""]),
        file_marks: strings(&["b.yml:exclude=true", "a.yml", "a.yml:type=toml", "a.yml:exclude=no"]),
        data_values: strings(&["novalue", "a:b=c", "@:a=b", "@lib:a:b=c"]),
        data_values_env: strings(&["@lib:P:Q"]),
        data_value_files: strings(&["a=none.txt"]),
        data_values_files: strings(&["none.yml"]),
        ..InputFlags::default()
    };
    let (set, errors) = InputSet::resolve_leniently(&flags, &context(dir.path()), &DiskLister::default());
    assert_eq!(set.files.len(), 1);
    let words: Vec<String> = errors.iter().map(ToString::to_string).collect();
    assert_eq!(
        words,
        [
            "-f nope.yml: there is no such file or directory",
            "-f a=b=c: expected at most one '=' (new name=file)",
            "-f https://example.com/x.yml: inputs on the web are not read: download the file first",
            "-f : a path is missing",
            "--file-mark b.yml:exclude=true: no input file matches the path 'b.yml'",
            "--file-mark a.yml: expected PATH:KEY=VALUE, but there is no ':'",
            "--file-mark a.yml:type=toml: unknown type 'toml' (known: yaml-template, yaml-plain, \
             text-template, text-plain, starlark, data)",
            "--file-mark a.yml:exclude=no: 'exclude' can only be 'true', not 'no'",
            "--data-values-file none.yml: there is no such file or directory",
            "--data-values-env @lib:P:Q: expected at most one ':' between a library and the key in 'P:Q'",
            "--data-value novalue: expected KEY=VALUE, but there is no '='",
            "--data-value a:b=c: expected at most one ':' between a library and the key in 'a:b'",
            "--data-value @:a=b: Expected library ref to not be empty",
            "--data-value @lib:a:b=c: expected at most one ':' between a library and the key in 'a:b'",
            "--data-value-file a=none.txt: there is no such file",
        ]
    );
}

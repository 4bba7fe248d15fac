use super::{SourceKind, UNKNOWN, commands};
use expect_test::{Expect, expect};
use std::path::Path;

fn check(name: &str, text: &str, expect: Expect) {
    let kind = SourceKind::of(Path::new(name)).expect("a kind of source");
    let lines: Vec<String> = commands(kind, text)
        .into_iter()
        .map(|found| {
            let flags = &found.flags;
            let mut words = vec![format!("{}:", found.line)];
            if !found.directory.is_empty() {
                words.push(format!("in {}", found.directory));
            }
            for (name, list) in [
                ("-f", &flags.files),
                ("--data-values-file", &flags.data_values_files),
                ("-v", &flags.data_values),
                ("--data-value-yaml", &flags.data_values_yaml),
                ("--file-mark", &flags.file_marks),
            ] {
                words.extend(list.iter().map(|value| format!("{name} {}", value.replace(UNKNOWN, "%"))));
            }
            if flags.options.ignore_unknown_comments {
                words.push("--ignore-unknown-comments".to_owned());
            }
            if found.incomplete {
                words.push("(incomplete)".to_owned());
            }
            words.push(format!("<{}>", found.command));
            words.join(" ") + "\n"
        })
        .collect();
    expect.assert_eq(&lines.concat());
}

#[test]
fn which_files_are_read() {
    for (path, want) in [
        ("Makefile", Some(SourceKind::Makefile)),
        ("build/rules.mk", Some(SourceKind::Makefile)),
        ("hack/build.sh", Some(SourceKind::Script)),
        ("Taskfile.yml", Some(SourceKind::Taskfile)),
        ("justfile", Some(SourceKind::Justfile)),
        (".github/workflows/ci.yml", Some(SourceKind::Ci)),
        (".gitlab-ci.yml", Some(SourceKind::Ci)),
        ("docs/README.md", Some(SourceKind::Readme)),
        ("package.yml", Some(SourceKind::Kapp)),
        ("docs/other.md", None),
        ("main.go", None),
    ] {
        assert_eq!(SourceKind::of(Path::new(path)), want, "{path}");
    }
}

#[test]
fn scripts() {
    check(
        "build.sh",
        r#"#!/bin/bash
set -e # ytt -f nothing
CONF="config"
cd "$(dirname "$0")/.."
ytt -f $CONF/ -f values.yml | kbld -f - | kapp deploy -a app -f -
ytt --ignore-unknown-comments \
    --file=config \
    --data-values-file values/prod.yml -v a=b --data-value-yaml 'c=[1, 2]' > out.yml 2>&1
for env in dev prod; do
  ytt -f config -f "config-env/$env" --data-values-file=values/${env}.yml
done
X=$(ytt -f config -f "$EXTRA" -f ${OTHER:-other}/ )
helm template x | ytt -f - -f overlay.yml --data-values-env APP -v "pass=$PASS"
ytt fmt -f config
echo "run ytt -f config"
ytt version
cd sub && ./bin/ytt -fconfig --file-mark '**/*.txt:exclude=true'
"#,
        expect![[r#"
            5: -f config/ -f values.yml <ytt -f config/ -f values.yml>
            6: -f config --data-values-file values/prod.yml -v a=b --data-value-yaml c=[1, 2] --ignore-unknown-comments <ytt --ignore-unknown-comments --file=config --data-values-file values/prod.yml -…>
            10: -f config -f config-env/%env% --data-values-file values/%env%.yml <ytt -f config -f config-env/$env --data-values-file=values/$env.yml>
            13: -f overlay.yml <ytt -f - -f overlay.yml --data-values-env APP -v pass=$PASS>
            17: -f config --file-mark **/*.txt:exclude=true <./bin/ytt -fconfig --file-mark **/*.txt:exclude=true>
            12: -f config -f other/ (incomplete) <ytt -f config -f $EXTRA -f other/>
        "#]],
    );
}

#[test]
fn makefiles() {
    check(
        "Makefile",
        "YTT ?= bin/ytt\nCONFIG := config\nDIR = $(CONFIG)/app\n\nall: dev\n\t@$(YTT) -f $(DIR) \\\n\t\t-f $(VALUES) # comment\n\
         \tcd deploy && ytt -f . --data-values-file $(ENV).yml\n\tfor e in a b; do ytt -f $$e -f x/$$e/y; done\n\
         ytt -f not-a-recipe\n",
        expect![[r#"
            6: -f config/app (incomplete) <bin/ytt -f config/app -f $VALUES>
            8: in deploy -f . --data-values-file %ENV%.yml <ytt -f . --data-values-file $ENV.yml>
            9: -f x/%e%/y (incomplete) <ytt -f $e -f x/$e/y>
        "#]],
    );
}

#[test]
fn task_runners() {
    check(
        "justfile",
        "config := \"conf\"\nrender env='dev':\n    @ytt -f {{config}} --data-values-file values/{{env}}.yml\n",
        expect![[r#"
            3: -f conf --data-values-file values/%env%.yml <ytt -f conf --data-values-file values/$env.yml>
        "#]],
    );
    check(
        "Taskfile.yml",
        "version: '3'\nvars:\n  CONFIG: conf\ntasks:\n  render:\n    dir: deploy\n    cmds:\n      - ytt -f {{.CONFIG}} -f x\n      \
         - cmd: ytt -f {{.OTHER}}/a\n  other:\n    cmds:\n      - |\n        set -e\n        ytt -f y\n",
        expect![[r#"
            8: in deploy -f conf -f x <ytt -f conf -f x>
            9: in deploy -f %OTHER%/a <ytt -f $OTHER/a>
            14: -f y <ytt -f y>
        "#]],
    );
}

#[test]
fn ci_files() {
    check(
        ".github/workflows/ci.yml",
        "jobs:\n  a:\n    steps:\n      - name: ytt -f no\n        run: ytt -f config\n      - run: |\n          cd x\n          \
         ytt -f ${{ github.workspace }}/y -f z\n",
        expect![[r#"
            5: -f config <ytt -f config>
            8: in x -f %expression%/y -f z <ytt -f $expression/y -f z>
        "#]],
    );
    check(
        ".gitlab-ci.yml",
        "deploy:\n  script:\n    - ytt -f config --data-values-file \"values/$CI_ENVIRONMENT_NAME.yml\"\n    - >\n      ytt\n      -f folded\n",
        expect![[r#"
            3: -f config --data-values-file values/%CI_ENVIRONMENT_NAME%.yml <ytt -f config --data-values-file values/$CI_ENVIRONMENT_NAME.yml>
            5: -f folded <ytt -f folded>
        "#]],
    );
}

#[test]
fn readmes() {
    check(
        "README.md",
        "Run ytt -f text.\n\n```bash\n$ ytt -f config\nout: put\n```\n~~~yaml\nrun: ytt -f yaml\n~~~\n```\nytt -f plain\n```\n    ytt -f indented\n",
        expect![[r#"
            4: -f config <ytt -f config>
            11: -f plain <ytt -f plain>
        "#]],
    );
}

#[test]
fn kapp_controller() {
    check(
        "package.yml",
        "apiVersion: data.packaging.carvel.dev/v1alpha1
kind: Package
spec:
  template:
    spec:
      template:
      - ytt:
          ignoreUnknownComments: true
          paths:
          - config/
          valuesFrom:
          - secretRef: {name: x}
          - path: values.yml
          fileMarks: ['a:exclude=true']
      - kbld: {}
---
apiVersion: kappctrl.k14s.io/v1alpha1
kind: App
spec:
  template:
  - ytt: {}
  - ytt:
      inline:
        paths: {a.yml: 'a: 1'}
      paths: [x]
---
apiVersion: v1
kind: Other
ytt: {paths: [no]}
",
        expect![[r#"
            7: -f config/ --data-values-file values.yml --file-mark a:exclude=true --ignore-unknown-comments <ytt step of Package>
            22: -f x <ytt step of App>
        "#]],
    );
}

#[test]
fn hostile_texts_end() {
    let texts = [
        "ytt -f $(".repeat(20_000),
        "ytt -f ((((".repeat(20_000),
        "\"${".repeat(20_000),
        "{{".repeat(20_000),
        "\t$(".repeat(20_000),
        "```\n".repeat(20_000),
    ];
    for text in &texts {
        for name in ["a.sh", "Makefile", "justfile", "Taskfile.yml", "README.md", ".gitlab-ci.yml", "x.yml"] {
            let kind = SourceKind::of(Path::new(name)).expect("a kind of source");
            commands(kind, text);
        }
    }
}

#[test]
fn commands_in_substitutions_stand_where_they_are_written() {
    check(
        "build.sh",
        "a=1\nx=$(\n  cd a\n  ytt -f one\n)\necho \"\n$(\nytt -f two\n)\" `\nytt -f three` <(\n\nytt -f four)\n",
        expect![[r#"
            4: in a -f one <ytt -f one>
            8: -f two <ytt -f two>
            10: -f three <ytt -f three>
            12: -f four <ytt -f four>
        "#]],
    );
    // Each line break of the value is an escape.
    check(
        ".gitlab-ci.yml",
        "a:\n  script: \"\\n\\n\\n\\nytt -f one\"\n",
        expect![[r#"
        2: -f one <ytt -f one>
    "#]],
    );
}

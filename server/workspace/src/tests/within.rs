//! Names in files of well-known programs that refer to something in the same file.

use crate::fixture::Fixture;

fn said(path: &str, text: &str) -> Vec<String> {
    let found = Fixture::scanned(&format!("#- {path}\n{text}")).diagnostics(path);
    found
        .lines()
        .filter(|line| line.contains("undeclared-name") || line.contains("repeated-key"))
        .map(str::to_owned)
        .collect()
}

/// The findings about a text, by their words only.
fn names(path: &str, text: &str) -> Vec<String> {
    said(path, text).iter().map(|line| line.rsplit("undeclared-name ").next().unwrap_or_default().to_owned()).collect()
}

const NONE: [&str; 0] = [];

#[test]
fn jobs_need_jobs_of_the_workflow() {
    let path = ".github/workflows/ci.yml";
    let needs = |needs: &str| names(path, &format!("jobs:\n  build:\n    steps: []\n  test:\n    needs: {needs}\n"));
    for fine in ["build", "[build]", "[]", "Build", "${{ x }}", "", "\n    - build"] {
        assert_eq!(needs(fine), NONE, "{fine}");
    }
    for wrong in ["biuld", "[build, biuld]", "\n    - biuld"] {
        assert_eq!(needs(wrong), ["this file has no job `biuld`"], "{wrong}");
    }
    assert_eq!(names("other.yml", "jobs:\n  test:\n    needs: build\n"), NONE);
    // Half-typed, and with names that are not written here.
    assert_eq!(names(path, "jobs:\n  test:\n    needs: build\n  build\n"), NONE);
    assert_eq!(names(path, "jobs:\n  <<: *x\n  test:\n    needs: build\n"), NONE);
    assert_eq!(names(path, "jobs:\n  ${{ x }}: {}\n  test:\n    needs: build\n"), NONE);
}

#[test]
fn services_name_what_the_file_declares() {
    let path = "docker-compose.yml";
    let fine = "services:\n  web:\n    image: a\n    depends_on:\n      db: {condition: service_started}\n      no: {required: false}\n    \
                networks: {back: {}, default: }\n    volumes: [data:/a, ./b:/b, /c, C:\\d:/d, ${E}:/e, {type: bind, source: f}]\n    \
                secrets: [key, {source: key}]\n    network_mode: host\n    extends: {file: o.yml, service: o}\n  db:\n    image: b\n\
                networks: {back: }\nvolumes:\n  data:\nsecrets: {key: {file: a}}\n";
    assert_eq!(names(path, fine), NONE);
    let wrong = "services:\n  web:\n    image: a\n    depends_on: [bd]\n    networks: [back]\n    volumes: [dta:/a, {type: volume, source: dt}]\n    \
                 secrets: [{source: key}]\n    configs: [conf]\n    network_mode: service:x\n    links: [y:z]\n    extends: e\nvolumes: {data: }\n";
    let want = [
        "this file has no service `bd`",
        "this file has no network `back`",
        "this file has no volume `dta`",
        "this file has no volume `dt`",
        "this file has no secret `key`",
        "this file has no config `conf`",
        "this file has no service `x`",
        "this file has no service `y`",
        "this file has no service `e`",
    ];
    assert_eq!(names(path, wrong), want);
    assert_eq!(names(path, &format!("include: [a.yml]\n{wrong}")), NONE);
    assert_eq!(names("docker-compose.prod.yml", wrong), NONE);
    assert_eq!(names(path, "services:\n  a:\n    image: a\n    networks: [b]\nnetwroks: {b: }\n"), NONE);
    let with_override = format!("#- docker-compose.override.yml\nservices: {{}}\n#- {path}\n{wrong}");
    assert!(!Fixture::scanned(&with_override).diagnostics(path).contains("undeclared-name"));
}

#[test]
fn jobs_of_pipelines_name_jobs_and_stages() {
    let path = ".gitlab-ci.yml";
    let fine = "variables: {stage: prod}\n.base: {stage: none}\na:\n  stage: build\n  extends: .base\nb:\n  stage: .post\n  \
                needs: [a, {job: a}, {job: x, optional: true}, {pipeline: p, job: q}, 'a 1/2', 'a: [b, c]', !reference [.base, x]]\n\
                c:\n  needs: !reference [.base, needs]\n";
    assert_eq!(names(path, fine), NONE);
    let wrong = "stages: [one]\na:\n  stage: build\n  extends: [.bse]\n  needs: [bb]\n  dependencies: [c]\n";
    let want = [
        "this file has no job `bb`",
        "this file has no job `c`",
        "this file has no job or template `.bse`",
        "this file has no stage `build`",
    ];
    let mut found = names(path, wrong);
    found.sort();
    assert_eq!(found, want);
    assert_eq!(names(path, &format!("include: a.yml\n{wrong}")), NONE);
}

#[test]
fn keys_that_are_written_twice_are_errors_where_the_reader_refuses_them() {
    let text = "jobs:\n  a: {}\n  a: {}\n";
    let [workflow] = said(".github/workflows/ci.yml", text).try_into().unwrap_or_default();
    assert!(workflow.contains("GitHub refuses the file"), "{workflow}");
    let [other] = said("other.yml", text).try_into().unwrap_or_default();
    assert!(other.contains("only this last one counts"), "{other}");
}

use super::NotRendered;

#[test]
fn reasons_are_comments() {
    let why = NotRendered { reasons: vec!["app.yml:1: one".to_owned(), "app.yml:2: two".to_owned()] };
    assert_eq!(why.text(), "#! not rendered: app.yml:1: one\n#! not rendered: app.yml:2: two\n");
}

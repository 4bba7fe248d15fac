use super::{NotRendered, RenderedOutput};
use lofting_document::FileId;

#[test]
fn what_is_not_up_to_date_stands_behind_the_reasons() {
    let good = RenderedOutput { text: "a: 1\n".to_owned(), lines: vec![Some((FileId(0), 3))] };
    let why = NotRendered { reasons: vec!["app.yml:1: one".to_owned(), "app.yml:2: two".to_owned()] };
    let shown = good.behind(&why);
    assert_eq!(shown.text, "#! not rendered: app.yml:1: one\n#! not rendered: app.yml:2: two\na: 1\n");
    assert_eq!(shown.lines, [None, None, Some((FileId(0), 3))]);
}

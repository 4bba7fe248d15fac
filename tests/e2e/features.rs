//! What the user asks for, through the protocol. What is offered where is tested in `ide`; here only the way there
//! and back.

use serde_json::{Value, json};

use crate::client::{Client, Setup, range_json};
use crate::{SCHEMA, VALUES};

fn client() -> Client {
    let mut client = Setup::rich().file("schema.yml", SCHEMA).start();
    client.open("values.yml", VALUES);
    client
}

fn labels(answer: &Value) -> Vec<String> {
    let items = answer.get("items").unwrap_or(answer).as_array().expect("items");
    items.iter().map(|item| item["label"].as_str().expect("a label").trim_end_matches(':').to_owned()).collect()
}

fn item<'a>(answer: &'a Value, label: &str) -> &'a Value {
    let items = answer.get("items").unwrap_or(answer).as_array().expect("items");
    items
        .iter()
        .find(|item| item["label"].as_str().is_some_and(|found| found.trim_end_matches(':') == label))
        .expect("the item")
}

#[test]
fn hover_tells_about_a_key() {
    let mut client = client();
    let params = client.at("values.yml", 2, 1);
    let hover = client.request("textDocument/hover", params);
    assert_eq!(hover["contents"]["kind"], "markdown");
    assert!(hover["contents"]["value"].as_str().expect("text").contains("Name of the service"), "{hover}");
    assert_eq!(hover["range"]["start"]["line"], 2, "{hover}");
    let params = client.at("values.yml", 1, 0);
    assert_eq!(client.request("textDocument/hover", params), Value::Null);
}

#[test]
fn completion_offers_missing_keys_and_replaces_what_is_typed() {
    let mut client = client();
    client.change("values.yml", [4, 0, 4, 0], "le");
    let params = client.at("values.yml", 4, 2);
    let answer = client.request("textDocument/completion", params);
    let found = labels(&answer);
    assert!(found.iter().any(|label| label == "level") && !found.iter().any(|label| label == "name"), "{found:?}");
    let edit = &item(&answer, "level")["textEdit"];
    let range = edit.get("range").or_else(|| edit.get("replace")).expect("a range");
    assert_eq!(*range, range_json([4, 0, 4, 2]));
    assert!(edit["newText"].as_str().expect("text").starts_with("level:"), "{edit}");
}

#[test]
fn completion_offers_allowed_values() {
    let mut client = client();
    client.change("values.yml", [4, 0, 4, 0], "level: ");
    let params = client.at("values.yml", 4, 7);
    let answer = client.request("textDocument/completion", params);
    let found = labels(&answer);
    assert!(found.contains(&"debug".to_owned()) && found.contains(&"info".to_owned()), "{found:?}");
}

/// What is offered at the end of `before` after a user typed its last letter into line 4: automatically for that
/// letter, again after another letter, and on request.
fn offered_after(before: &str) -> [Vec<String>; 3] {
    let mut client = client();
    client.change("values.yml", [4, 0, 4, 0], &before[..before.len() - 1]);
    let at = u32::try_from(before.len()).expect("a short text");
    client.change("values.yml", [4, at - 1, 4, at - 1], &before[before.len() - 1..]);
    let mut ask = |kind: Value| {
        let mut params = client.at("values.yml", 4, at);
        params["context"] = kind;
        labels(&client.request("textDocument/completion", params))
    };
    // An editor that opens lists automatically claims to be asked, as VS Code does. Its next request really is.
    let typing = ask(json!({"triggerKind": 1}));
    let again = ask(json!({"triggerKind": 3}));
    let asked = ask(json!({"triggerKind": 1}));
    [typing, again, asked]
}

#[test]
fn what_nobody_asked_for_leaves_enter_to_the_user() {
    let client = client();
    let signs = &client.capabilities["completionProvider"]["triggerCharacters"];
    for sign in [":", " ", "-", "\n"] {
        assert!(!signs.as_array().expect("a list").contains(&json!(sign)), "{signs}");
    }
    drop(client);
    // Only where no value is selected then.
    let extension = json!(["editor.action.triggerSuggest"]);
    let with_extension = Setup::new().capability("experimental.commands.commands", extension);
    for (setup, opens) in
        [(with_extension, true), (Setup::new().name("helix"), true), (Setup::new().name("Zed"), false)]
    {
        let client = setup.start();
        let signs = &client.capabilities["completionProvider"]["triggerCharacters"];
        assert_eq!(signs.as_array().expect("a list").contains(&json!(" ")), opens, "{signs}");
    }
    for (before, unasked, on_purpose) in [
        ("db:", vec![], "host"),
        ("level:", vec![], "info"),
        ("level: i", vec!["info"], "info"),
        ("level: info", vec!["info"], "debug"),
        ("level: in", vec!["info"], "debug"),
        ("port: 8", vec![], "8080"),
        ("le", vec!["level"], "level"),
    ] {
        let [typing, again, asked] = offered_after(before);
        let unasked: Vec<String> = unasked.iter().map(ToString::to_string).collect();
        // A list that the user asked for, and that is asked for again, ends with the word.
        let is_complete = unasked.iter().any(|label| before.ends_with(label.as_str()));
        assert_eq!((&typing, &again), (&unasked, &if is_complete { vec![] } else { typing.clone() }), "{before:?}");
        assert!(asked.iter().any(|label| label == on_purpose), "{before:?}: {asked:?}");
    }
}

#[test]
fn white_space_and_pasted_text_open_no_list_by_themselves() {
    // No editor requests these automatically, so the first request is the user's.
    for (typed, offered) in [("level: ", "info"), ("db: ", "host"), ("le", "level")] {
        let mut client = client();
        client.change("values.yml", [4, 0, 4, 0], typed);
        let params = client.at("values.yml", 4, u32::try_from(typed.len()).expect("a short text"));
        let found = labels(&client.request("textDocument/completion", params));
        assert!(found.iter().any(|label| label == offered), "{typed:?}: {found:?}");
    }
}

/// The keys of an empty map, inserted together.
const ALL_KEYS: &str = "(all keys) c, d";

/// The text and mode of an item with several lines, in an indented line, for a client with these capabilities.
fn text_of_several_lines(completion: Value, label: &str) -> (String, Value, Value) {
    const DEEP: &str = "#@data/values-schema\n---\na:\n  b:\n    c: 1\n    d: 2\n";
    let setup = Setup::new().capability("textDocument.completion", completion).file("schema.yml", DEEP);
    let mut client = setup.start();
    let (text, line, column) = if label == ALL_KEYS { ("a:\n  b:\n    ", 2, 4) } else { ("a:\n  b", 1, 3) };
    client.open("values.yml", text);
    let answer = client.request("textDocument/completion", client.at("values.yml", line, column));
    let item = item(&answer, label);
    let text = item["textEdit"]["newText"].as_str().expect("a text").to_owned();
    (text, item["insertTextMode"].clone(), item["insertTextFormat"].clone())
}

#[test]
fn further_lines_are_indented_once() {
    let item = |modes: Value| json!({"snippetSupport": true, "insertTextModeSupport": {"valueSet": modes}});
    let snippet = json!(2);
    // VS Code and Zed follow what the server registers.
    let obeys = json!({"completionItem": item(json!([1, 2])), "insertTextMode": 2});
    let whole = "c: ${1:1}\n    d: ${2:2}".to_owned();
    assert_eq!(text_of_several_lines(obeys.clone(), ALL_KEYS), (whole, json!(1), snippet.clone()));
    assert_eq!(text_of_several_lines(obeys, "b"), ("b:\n    ".to_owned(), json!(1), Value::Null));
    // The snippet engines of Neovim indent like the line, with whatever the completion plugin announces.
    for engine in [
        json!({"completionItem": {"snippetSupport": true}}),
        json!({"completionItem": item(json!([1, 2])), "insertTextMode": 1}),
        json!({"completionItem": item(json!([1])), "insertTextMode": 1}),
    ] {
        let relative = "c: ${1:1}\nd: ${2:2}".to_owned();
        let found = text_of_several_lines(engine.clone(), ALL_KEYS);
        assert_eq!(found, (relative, Value::Null, snippet.clone()), "{engine}");
        let found = text_of_several_lines(engine.clone(), "b");
        assert_eq!(found, ("b:\n  ".to_owned(), Value::Null, snippet.clone()), "{engine}");
    }
    // Without snippets the text stays as it is, unless the client says that it indents.
    let plain = text_of_several_lines(json!({}), "b");
    assert_eq!(plain, ("b:\n    ".to_owned(), Value::Null, Value::Null));
    let adjusts = text_of_several_lines(json!({"insertTextMode": 2}), "b");
    assert_eq!(adjusts, ("b:\n  ".to_owned(), Value::Null, Value::Null));
}

#[test]
fn further_lines_are_left_out_where_the_client_would_misplace_them() {
    let labels_and_text = |completion: Value, line: &str| {
        const DEEP: &str = "#@data/values-schema\n---\na:\n  b:\n    c: 1\n    d: 2\n  e: 1\n";
        let setup = Setup::new().capability("textDocument.completion", completion).file("schema.yml", DEEP);
        let mut client = setup.start();
        client.open("values.yml", &format!("a:\n{line}"));
        let at = u32::try_from(line.len()).expect("a short line");
        let answer = client.request("textDocument/completion", client.at("values.yml", 1, at));
        let text = item(&answer, "b")["textEdit"]["newText"].as_str().expect("a text").to_owned();
        (labels(&answer).iter().any(|label| label == "(all keys) b, e"), text)
    };
    let obeys = json!({"completionItem": {"snippetSupport": true, "insertTextModeSupport": {"valueSet": [1, 2]}}});
    let adjusts = json!({"completionItem": {"snippetSupport": true}, "insertTextMode": 2});
    let snippets = json!({"completionItem": {"snippetSupport": true}});
    // A tab in the indentation, which is fixed along with the edit.
    for line in ["\t", "\tb", "  \t"] {
        for client in [&adjusts, &snippets] {
            assert_eq!(labels_and_text(client.clone(), line), (false, "b:".to_owned()), "{line:?} {client}");
        }
        let (all_keys, text) = labels_and_text(obeys.clone(), line);
        assert!(all_keys != line.contains('b') && text.starts_with("b:\n    "), "{line:?} {text:?}");
    }
    for client in [&adjusts, &snippets] {
        assert_eq!(labels_and_text(client.clone(), "  b"), (false, "b:\n  ".to_owned()), "{client}");
    }
}

/// Whatever a client announced, an accepted item brings what its label says.
#[test]
fn an_accepted_item_inserts_what_its_label_says() {
    const SCHEMA: &str = "#@data/values-schema\n---\nantrea:\n  enabled: false\n  #@schema/validation one_of=[\"a\", \"b\"]\n  \
                          mode: a\n  ports:\n  - number: 0\n    name: x\nlist:\n- 0\nflag: true\n";
    let mode = |modes: Value, usual: Value| json!({"completionItem": {"snippetSupport": true, "insertTextModeSupport": {"valueSet": modes}}, "insertTextMode": usual});
    let clients = [
        json!({}),
        json!({"insertTextMode": 2}),
        json!({"completionItem": {"snippetSupport": true}}),
        json!({"completionItem": {"snippetSupport": true, "insertReplaceSupport": true}, "insertTextMode": 1}),
        json!({"completionItem": {"snippetSupport": true}, "insertTextMode": 2}),
        mode(json!([1]), json!(1)),
        mode(json!([1, 2]), json!(1)),
        mode(json!([1, 2]), json!(2)),
        mode(json!([2]), json!(2)),
    ];
    let texts = [
        "",
        "a",
        "antrea: ",
        "antrea:",
        "antrea:  ",
        "antrea: e",
        "antrea:\n  ",
        "antrea:\n\t",
        "antrea:\n\tmo",
        "antrea:\n  mode: ",
        "antrea:\n  mode:",
        "antrea:\n  ports: ",
        "antrea:\n  ports:\n  - ",
        "antrea:\n  ports:\n  -",
        "antrea:\n\tports: ",
        "antrea:\n    enabled: true\n  ",
        "antrea: {",
        "antrea: {mode: ",
        "list: ",
        "list:\n  ",
        "flag: ",
        "flag: t",
    ];
    for completion in clients {
        let setup = Setup::new().capability("textDocument.completion", completion.clone()).file("schema.yml", SCHEMA);
        let mut client = setup.start();
        client.open("values.yml", "");
        for text in texts {
            client.replace("values.yml", text);
            let line = text.matches('\n').count();
            let column = text.len() - text.rfind('\n').map_or(0, |at| at + 1);
            let at = |number: usize| u32::try_from(number).expect("a short text");
            let answer = client.request("textDocument/completion", client.at("values.yml", at(line), at(column)));
            let items = answer["items"].as_array().expect("a list");
            if text == "antrea: " {
                assert!(items.iter().any(|item| item["label"] == "mode"), "{completion}");
            }
            for item in items {
                let label = item["label"].as_str().expect("a label");
                let new = item["textEdit"]["newText"].as_str().expect("a text");
                let wanted = label.trim_start_matches("(all keys) ").trim_end_matches("(all keys)");
                let wanted = wanted.split(',').next().unwrap_or(wanted).trim_end();
                let is_there = !new.trim().is_empty() && new.contains(wanted);
                assert!(is_there, "{label:?} inserts {new:?} in {text:?} for {completion}");
            }
        }
    }
}

#[test]
fn definition_leads_to_the_schema() {
    let mut client = client();
    let params = client.at("values.yml", 3, 1);
    let answer = client.request("textDocument/definition", params);
    let link = &answer[0];
    assert_eq!(link["targetUri"], client.uri("schema.yml"), "{answer}");
    assert_eq!(link["targetSelectionRange"]["start"]["line"], 4, "{answer}");
    assert_eq!(link["originSelectionRange"]["start"]["line"], 3, "{answer}");
}

#[test]
fn symbols_are_nested_and_ranges_contain_their_selection() {
    let mut client = client();
    client.replace("values.yml", "#@data/values\n---\nname: x\ndb:\n  host: a\n  pool: 3\n");
    let uri = client.uri("values.yml");
    let answer = client.request("textDocument/documentSymbol", json!({"textDocument": {"uri": uri}}));
    fn names(symbols: &Value) -> Vec<String> {
        let symbols = symbols.as_array().map(Vec::as_slice).unwrap_or_default();
        symbols
            .iter()
            .flat_map(|symbol| {
                let place = |which: &str, end: &str| {
                    let position = &symbol[which][end];
                    (position["line"].as_u64().expect("a line"), position["character"].as_u64().expect("a column"))
                };
                assert!(place("range", "start") <= place("selectionRange", "start"), "{symbol}");
                assert!(place("range", "end") >= place("selectionRange", "end"), "{symbol}");
                let mut all = vec![symbol["name"].as_str().expect("a name").to_owned()];
                all.extend(names(&symbol["children"]));
                all
            })
            .collect()
    }
    let found = names(&answer);
    for name in ["name", "db", "host", "pool"] {
        assert!(found.iter().any(|found| found == name), "{name} in {found:?}");
    }
}

#[test]
fn documents_nobody_opened_have_no_answers() {
    let mut client = client();
    for method in ["textDocument/hover", "textDocument/completion", "textDocument/definition"] {
        let params = client.at("nowhere/at-all.yml", 3, 3);
        let answer = client.request(method, params);
        assert!(
            answer.is_null() || answer.get("items").unwrap_or(&answer).as_array().is_some_and(Vec::is_empty),
            "{method}: {answer}"
        );
    }
}

#[test]
fn half_typed_documents_are_answered() {
    let mut client = client();
    for text in [
        "",
        "#@data/values\n---\nna",
        "#@data/values\n---\n\"",
        "#@data/values\n---\n- [{\n",
        "\u{feff}a: &",
        "---\n...\n%",
        "\t\t\t:\n",
    ] {
        client.replace("values.yml", text);
        let lines = u32::try_from(text.lines().count()).expect("few lines");
        for line in 0..=lines {
            for method in ["textDocument/hover", "textDocument/completion", "textDocument/definition"] {
                let params = client.at("values.yml", line, 99);
                client.request(method, params);
            }
        }
        let uri = client.uri("values.yml");
        client.request("textDocument/documentSymbol", json!({"textDocument": {"uri": uri}}));
    }
}

#[test]
fn which_schema_and_why_counts_unsaved_text() {
    let mut client = Setup::rich().file("schema.yml", SCHEMA).start();
    client.open("notes.yml", "port: 1\n");
    let uri = client.uri("notes.yml");
    let asked = json!({"textDocument": {"uri": uri}});
    let answer = client.request("lofting/explain", asked.clone());
    assert!(answer["markdown"].as_str().is_some_and(|text| text.contains("**Schema**: none")), "{answer}");
    client.change("notes.yml", [0, 0, 0, 0], "#! lofting: schema=schema.yml\n");
    let answer = client.request("lofting/explain", asked);
    let schema = client.uri("schema.yml");
    let link = format!("[schema.yml](<{}#L1>)", schema.as_str());
    assert!(answer["markdown"].as_str().is_some_and(|text| text.contains(&link)), "{answer} has no {link}");
    let uri = client.uri("never-seen.txt");
    let answer = client.request("lofting/explain", json!({"textDocument": {"uri": uri}}));
    assert!(answer["markdown"].as_str().is_some_and(|text| text.contains("not a YAML file")), "{answer}");
}

#[test]
fn which_schema_and_why_leads_to_the_command_that_chose_it() {
    let makefile = "all:\n\tytt -f schema.yml --data-values-file app.yml\n";
    let mut client =
        Setup::rich().file("schema.yml", SCHEMA).file("Makefile", makefile).file("app.yml", "port: 1\n").start();
    client.open("app.yml", "port: 1\n");
    client.diagnostics("app.yml", 1);
    let uri = client.uri("app.yml");
    let answer = client.request("lofting/explain", json!({"textDocument": {"uri": uri}}));
    let makefile = client.uri("Makefile");
    let link = format!("[Makefile:2](<{}#L2>)", makefile.as_str());
    assert!(answer["markdown"].as_str().is_some_and(|text| text.contains(&link)), "{answer} has no {link}");
}

#[test]
fn code_in_comments_is_coloured_for_who_draws_it_over_its_own() {
    let mut client = Setup::rich()
        .capability(
            "textDocument.semanticTokens",
            json!({"requests": {"full": {"delta": true}, "range": true}, "tokenTypes": [], "tokenModifiers": [], "formats": ["relative"],
                   "augmentsSyntaxTokens": true}),
        )
        .start();
    let provider = client.capabilities["semanticTokensProvider"].clone();
    let number = |name: &str| {
        let names = provider["legend"]["tokenTypes"].as_array().expect("a legend");
        names.iter().position(|known| known == name).expect("a kind")
    };
    client.open("a.yml", "é: #@ \"ö\" + x\n#@ end\n");
    let document = json!({"uri": client.uri("a.yml")});
    let (mark, string, name, keyword) = (number("macro"), number("string"), number("variable"), number("keyword"));
    let first = [0, 3, 2, mark, 0, 0, 3, 3, string, 0, 0, 6, 1, name, 0].to_vec();
    let answer = client.request("textDocument/semanticTokens/full", json!({"textDocument": document}));
    assert_eq!(answer["data"], json!([first, [1, 0, 2, mark, 0, 0, 3, 3, keyword, 0].to_vec()].concat()));
    let last = answer["resultId"].clone();
    let range = json!({"start": {"line": 1, "character": 3}, "end": {"line": 1, "character": 4}});
    let answer = client.request("textDocument/semanticTokens/range", json!({"textDocument": document, "range": range}));
    assert_eq!(answer["data"], json!([1, 3, 3, keyword, 0]));
    // What is different since the last answer, which the client names.
    assert_eq!(provider["full"], json!({"delta": true}));
    client.change("a.yml", [0, 13, 0, 13], "y");
    let asked = json!({"textDocument": document, "previousResultId": last});
    let answer = client.request("textDocument/semanticTokens/full/delta", asked.clone());
    assert_eq!(answer["edits"], json!([{"start": 10, "deleteCount": 5, "data": [0, 6, 2, name, 0]}]));
    let latest = json!({"textDocument": document, "previousResultId": answer["resultId"]});
    let answer = client.request("textDocument/semanticTokens/full/delta", asked);
    assert_eq!(answer["edits"][0]["start"], 10, "an answer may never have arrived: the previous one counts as well");
    let answer = client.request("textDocument/semanticTokens/full/delta", latest);
    assert_eq!(answer["edits"], json!([]));
    let unknown = json!({"textDocument": document, "previousResultId": "none"});
    let answer = client.request("textDocument/semanticTokens/full/delta", unknown);
    assert_eq!(answer["data"][2 * 5 + 2], 2, "all tokens, where nothing is known of the last ones");
}

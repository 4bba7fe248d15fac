//! The client's capabilities for completion.

use gen_lsp_types::{ClientCapabilities, CompletionClientCapabilities, InsertTextMode, MarkupKind};

/// The command that opens the completion list again, by VS Code's name.
pub(crate) const SUGGEST: &str = "editor.action.triggerSuggest";

/// Editors that select no entry of a list before their user does, by the names that they give themselves: the protocol
/// has no word for it.
const SELECT_NOTHING: [&str; 1] = ["helix"];

/// The client's abilities for completion.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct CompletionProfile {
    /// Snippets may be inserted.
    pub(crate) snippets: bool,
    /// Items may be documented in Markdown.
    pub(crate) markdown: bool,
    /// Items may carry tags.
    pub(crate) deprecated_tag: bool,
    /// How the client indents further lines of an inserted text.
    pub(crate) indentation: Indentation,
    /// An item may have two ranges: one that keeps the text to the right of the cursor, and one that replaces it.
    pub(crate) insert_replace: bool,
    /// The text beside a label has fields of its own.
    pub(crate) label_details: bool,
    /// The documentation of an item is requested when it is shown.
    pub(crate) resolves_documentation: bool,
    /// The detail of an item is requested when it is shown.
    pub(crate) resolves_detail: bool,
    /// The values that a list can set for all of its items.
    pub(crate) defaults: ListDefaults,
    /// [`SUGGEST`] may follow an inserted item.
    pub(crate) suggests_again: bool,
    /// A list that opens where nothing is typed leaves Enter to the user.
    pub(crate) opens_after_space: bool,
}

/// Members of `itemDefaults` that the client supports.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct ListDefaults {
    /// `editRange`
    pub(crate) edit_range: bool,
    /// `insertTextFormat`
    pub(crate) insert_text_format: bool,
    /// `insertTextMode`
    pub(crate) insert_text_mode: bool,
    /// `data`
    pub(crate) data: bool,
}

impl CompletionProfile {
    /// Reads the announcement.
    pub(crate) fn new(client: &ClientCapabilities, name: Option<&str>) -> Self {
        let completion = client.text_document.as_ref().and_then(|document| document.completion.as_ref());
        let item = completion.and_then(|completion| completion.completion_item.as_ref());
        let yes = |flag: Option<bool>| flag.unwrap_or(false);
        let formats = item.and_then(|item| item.documentation_format.as_ref());
        let resolved = item.and_then(|item| item.resolve_support.as_ref());
        let resolves = |name: &str| resolved.is_some_and(|resolved| resolved.properties.iter().any(|it| it == name));
        let defaults = completion.and_then(|it| it.completion_list.as_ref()).and_then(|it| it.item_defaults.as_ref());
        let default = |name: &str| defaults.is_some_and(|known| known.iter().any(|it| it == name));
        Self {
            snippets: item.is_some_and(|item| yes(item.snippet_support)),
            markdown: formats.is_some_and(|formats| formats.contains(&MarkupKind::Markdown)),
            deprecated_tag: item
                .and_then(|item| item.tag_support.as_ref())
                .is_some_and(|tags| !tags.value_set.is_empty()),
            indentation: Indentation::new(completion),
            insert_replace: item.is_some_and(|item| yes(item.insert_replace_support)),
            label_details: item.is_some_and(|item| yes(item.label_details_support)),
            resolves_documentation: resolves("documentation"),
            resolves_detail: resolves("detail"),
            defaults: ListDefaults {
                edit_range: default("editRange"),
                insert_text_format: default("insertTextFormat"),
                insert_text_mode: default("insertTextMode"),
                data: default("data"),
            },
            suggests_again: super::commands(client).contains(SUGGEST),
            // The extension of VS Code makes sure that then nothing is selected.
            opens_after_space: super::commands(client).contains(SUGGEST)
                || name.is_some_and(|name| SELECT_NOTHING.contains(&name)),
        }
    }
}

/// What a client does with the indentation of further lines of an inserted text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Indentation {
    /// The client says nothing about it, or that it leaves text unchanged. Such clients insert plain text unchanged,
    /// but their snippet engines indent further lines nevertheless, whatever an item says (Neovim with nvim-cmp and
    /// blink.cmp).
    #[default]
    Unsaid,
    /// It indents further lines like the line of the cursor.
    Adjusted,
    /// As the item states.
    AsTold,
}

impl Indentation {
    fn new(completion: Option<&CompletionClientCapabilities>) -> Self {
        let item = completion.and_then(|c| c.completion_item.as_ref());
        let modes_support = item.and_then(|i| i.insert_text_mode_support.as_ref());
        let usual = completion.and_then(|c| c.insert_text_mode.as_ref());
        let obeys = modes_support.is_some_and(|modes| modes.value_set.contains(&InsertTextMode::AsIs));
        if obeys && usual != Some(&InsertTextMode::AsIs) {
            return Self::AsTold;
        }
        match usual {
            Some(InsertTextMode::AdjustIndentation) => Self::Adjusted,
            _ => Self::Unsaid,
        }
    }
}

//! Files typed key by key. Editors open lists automatically, select the first item, and take Enter as its acceptance;
//! the final buffer must be what was typed.

use crate::{Editor, documents, edits, generated};
use lofting_ide::CompletionItem;

/// How an editor opens a list while the user types.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Opens {
    /// As VS Code does with the defaults of the extension. A letter opens a list and selects its first item; a sign opens
    /// one without a selection, which the next letter brings. The editor narrows an open list down by itself. Enter
    /// accepts the selected item if that changes the text (`smart`).
    AtEveryKey,
    /// At the signs the server names; the first item is inserted at once, as Neovim does without `noselect`.
    AtSigns,
}

/// The trigger characters of the server. Only the extension for VS Code also registers spaces.
const SIGNS: [char; 7] = ['@', '/', '"', '\'', '(', ',', '.'];

struct Typist<'d> {
    editor: Editor,
    opens: Opens,
    /// Quotes and brackets are closed by the editor.
    closes_pairs: bool,
    cursor: usize,
    newline: &'d str,
    list: Vec<CompletionItem>,
    /// An item is selected.
    selects: bool,
    /// So many keys later an answer is shown.
    late: usize,
    /// Answers on their way, the oldest first, and how many keys each has still to wait.
    coming: Vec<(usize, bool, Vec<CompletionItem>)>,
    /// What went wrong first.
    surprise: Option<String>,
}

impl Typist<'_> {
    fn line_start(&self) -> usize {
        self.editor.text[..self.cursor].rfind('\n').map_or(0, |at| at + 1)
    }

    fn line(&self) -> &str {
        &self.editor.text[self.line_start()..self.cursor]
    }

    fn insert(&mut self, text: &str) {
        self.editor.edit(self.cursor..self.cursor, text);
        self.cursor += text.len();
    }

    fn ask(&mut self, selects: bool) {
        self.coming.push((self.late, selects, self.editor.completions(self.cursor, true)));
    }

    /// Shows the answers that have come, and takes the others for a key nearer.
    fn receive(&mut self) {
        for (keys, selects, list) in std::mem::take(&mut self.coming) {
            match keys.checked_sub(1) {
                Some(fewer) => self.coming.push((fewer, selects, list)),
                None => self.show(list, selects || self.late > 0),
            }
        }
    }

    fn show(&mut self, list: Vec<CompletionItem>, selects: bool) {
        self.list = list;
        self.selects = selects;
        self.narrow();
        if self.opens == Opens::AtSigns && !self.list.is_empty() {
            self.accept("at once");
        }
    }

    /// The first of the items that fit best: those that begin with what is typed.
    fn best(&self) -> Option<&CompletionItem> {
        let typed = |item: &CompletionItem| self.editor.text[item.edit.0.start..self.cursor].to_owned();
        let first = self.list.iter().find(|item| item.filter_text.starts_with(&typed(item)));
        first.or(self.list.first())
    }

    /// Takes the best item.
    fn accept(&mut self, how: &str) {
        let Some(item) = self.best().cloned() else { return };
        let line = self.line().to_owned();
        for (range, new) in edits(&item) {
            self.editor.edit(range, &new);
        }
        self.surprise.get_or_insert(format!("{:?} was accepted {how} after {line:?}", item.label));
        self.list.clear();
    }

    /// Whether Enter accepts an item.
    fn takes_enter(&self) -> bool {
        let changes = |item: &CompletionItem| {
            item.is_snippet
                || !item.additional_edits.is_empty()
                || self.editor.text[item.edit.0.start..self.cursor] != item.edit.1
        };
        self.selects && self.best().is_some_and(changes)
    }

    /// Narrows the list down by what was typed since, loosely as editors do: the letters in this order, the first first.
    fn narrow(&mut self) {
        let (text, cursor) = (&self.editor.text, self.cursor);
        self.list.retain(|item| {
            let typed = text.get(item.edit.0.start..cursor).unwrap_or("\n").to_lowercase();
            let mut name = item.filter_text.chars().flat_map(char::to_lowercase);
            let first = typed.chars().next().is_none_or(|first| item.filter_text.to_lowercase().starts_with(first));
            first && typed.chars().all(|wanted| name.any(|letter| letter == wanted))
        });
        // What an accepted item replaces grows with what is typed.
        for item in &mut self.list {
            item.edit.0.end = item.edit.0.end.max(cursor);
        }
    }

    fn key(&mut self, key: char) {
        let closing = matches!(key, '"' | '\'' | ']' | '}' | ')');
        let next = self.editor.text[self.cursor..].chars().next();
        if self.closes_pairs && closing && next == Some(key) {
            self.cursor += key.len_utf8();
        } else {
            self.insert(key.encode_utf8(&mut [0; 4]));
            let other = match key {
                '"' | '\'' => Some(key),
                '[' => Some(']'),
                '{' => Some('}'),
                '(' => Some(')'),
                _ => None,
            };
            let free = next.is_none_or(|next| next.is_whitespace() || matches!(next, ']' | '}' | ')'));
            // An apostrophe after a letter does not become a pair.
            let before = self.editor.text[..self.cursor - key.len_utf8()].chars().next_back();
            let apostrophe = matches!(key, '"' | '\'') && before.is_some_and(|before| !" [{(,".contains(before));
            if let Some(other) = other.filter(|_| self.closes_pairs && free && !apostrophe) {
                self.editor.edit(self.cursor..self.cursor, other.encode_utf8(&mut [0; 4]));
            }
        }
        let in_comment = self.line().contains('#');
        match self.opens {
            Opens::AtSigns => {
                if SIGNS.contains(&key) {
                    self.ask(true);
                    self.receive();
                }
            }
            Opens::AtEveryKey => {
                self.narrow();
                self.selects = true;
                let is_letter = key.is_alphanumeric() || key == '_';
                let is_sign = SIGNS.contains(&key) || key == ' ';
                let asks = self.list.is_empty() && (is_letter || is_sign);
                if asks {
                    self.ask(is_letter);
                }
                self.receive();
                let after_space = self.late == 0 && asks && key == ' ' && !self.list.is_empty();
                let begins_value = self.line().trim_end().ends_with([':', '-']);
                if after_space && (in_comment || !begins_value) {
                    let found = format!("{:?} is offered after {:?}", self.list[0].label, self.line());
                    self.surprise.get_or_insert(found);
                }
            }
        }
    }

    fn enter(&mut self, next_line: &str) {
        if self.takes_enter() {
            self.accept("by Enter");
            return;
        }
        self.list.clear();
        self.coming.clear();
        self.insert(self.newline);
        // The editor indents as it likes; the user sees to it that the line begins where it should.
        let wanted = next_line.len() - next_line.trim_start_matches([' ', '\t']).len();
        for blank in next_line[..wanted].chars() {
            // A list that opens here was never shown to a user.
            self.insert(blank.encode_utf8(&mut [0; 4]));
        }
    }
}

/// What happens first that should not, when `text` is typed.
fn typed(schema: Option<&str>, text: &str, opens: Opens, closes_pairs: bool, late: usize) -> Option<String> {
    let newline = if text.contains("\r\n") { "\r\n" } else { "\n" };
    let editor = Editor::new(schema, "");
    let mut typist = Typist {
        editor,
        opens,
        closes_pairs,
        cursor: 0,
        newline,
        list: Vec::new(),
        selects: false,
        late,
        coming: Vec::new(),
        surprise: None,
    };
    let mut lines = text.split(newline).peekable();
    while let Some(line) = lines.next() {
        for key in line.trim_start_matches([' ', '\t']).chars() {
            typist.key(key);
        }
        if let Some(next) = lines.peek() {
            typist.enter(next);
        }
        if typist.surprise.is_some() {
            return typist.surprise;
        }
    }
    (typist.editor.text != text).then(|| format!("the buffer is {:?}", typist.editor.text))
}

/// Types `text`, and accepts an item at every third word for which there is one that goes on with the text. How many were
/// accepted, and the buffer.
fn typed_and_accepted(schema: Option<&str>, text: &str) -> (usize, String) {
    let mut editor = Editor::new(schema, "");
    let (mut at, mut accepted, mut words) = (0, 0, 0);
    while let Some(key) = text[at..].chars().next() {
        editor.edit(at..at, key.encode_utf8(&mut [0; 4]));
        at += key.len_utf8();
        let begins_word = key.is_alphanumeric() && !text[..at - key.len_utf8()].ends_with(char::is_alphanumeric);
        if !begins_word {
            continue;
        }
        let goes_on = |item: &CompletionItem| {
            let end = item.edit.0.start + item.edit.1.len();
            item.additional_edits.is_empty() && end > at && text.get(item.edit.0.start..end) == Some(&item.edit.1)
        };
        let Some(item) = editor.completions(at, true).into_iter().find(goes_on) else { continue };
        words += 1;
        if words % 3 == 0 {
            accepted += 1;
            at = item.edit.0.start + item.edit.1.len();
            editor.edit(item.edit.0, &item.edit.1);
        }
    }
    (accepted, editor.text)
}

#[test]
fn accepting_at_every_third_word_gives_the_same_text() {
    let (mut files, mut accepted) = (0, 0);
    for document in documents::all().into_iter().chain(generated::documents(3, 8)) {
        let (taken, buffer) = typed_and_accepted(document.schema.as_deref(), &document.text);
        assert_eq!(buffer, document.text, "{}", document.name);
        files += 1;
        accepted += taken;
    }
    println!("{accepted} items accepted in {files} files");
    assert!(accepted > 5 * files, "{accepted} items in {files} files");
}

#[track_caller]
fn check(opens: Opens, late: usize, documents: impl Iterator<Item = documents::Document>) {
    let mut wrong = Vec::new();
    let mut files = 0;
    for document in documents {
        files += 1;
        // Some editors add the second quote and bracket.
        let closes_pairs = files % 2 == 0;
        if let Some(surprise) = typed(document.schema.as_deref(), &document.text, opens, closes_pairs, late) {
            wrong.push(format!("{}: {surprise}", document.name));
        }
    }
    assert!(wrong.is_empty(), "{} of {files} files\n{}", wrong.len(), wrong.join("\n"));
    assert!(files >= 10);
}

#[test]
fn enter_is_a_new_line() {
    check(Opens::AtEveryKey, 0, documents::all().into_iter().chain(documents::templates()));
}

#[test]
fn enter_is_a_new_line_before_the_list_is_asked_again() {
    check(Opens::AtEveryKey, 2, documents::all().into_iter().chain(documents::templates()));
}

#[test]
fn enter_is_a_new_line_in_generated_files() {
    check(Opens::AtEveryKey, 0, generated::documents(1, 12));
    check(Opens::AtEveryKey, 1, generated::documents(2, 12));
}

#[test]
fn nothing_is_inserted_at_once() {
    // In annotations and code a list opens at signs, and only `noselect` keeps this editor from taking its first item.
    let plain = documents::all().into_iter().filter(|document| !document.text.contains("#@"));
    check(Opens::AtSigns, 0, plain.chain(generated::documents(7, 8)));
}

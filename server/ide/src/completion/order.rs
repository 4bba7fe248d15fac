//! The order of a list.

use crate::completion_item::CompletionItem;
use rustc_hash::FxHashMap;

/// The items in the order of their `sort_text`, each after those whose names begin its own: editors keep the order of
/// equally good matches, so a word that is typed in full is first, and Enter does not replace it by a longer one.
///
/// The new `sort_text` is a number, because some editors compare it without case.
pub(super) fn in_order(mut items: Vec<CompletionItem>) -> Vec<CompletionItem> {
    items.sort_by(|one, other| one.sort_text.cmp(&other.sort_text));
    let order = prefixes_first(&items);
    let mut slots: Vec<Option<CompletionItem>> = items.into_iter().map(Some).collect();
    let mut taken: Vec<CompletionItem> =
        order.into_iter().filter_map(|at| slots.get_mut(at).and_then(Option::take)).collect();
    for (index, item) in taken.iter_mut().enumerate() {
        item.sort_text = format!("{index:05}");
    }
    taken
}

/// The indices of the items, shorter names before those that they begin. The work grows with the text of the names.
fn prefixes_first(items: &[CompletionItem]) -> Vec<usize> {
    let lower: Vec<String> = items.iter().map(|item| item.filter_text.to_lowercase()).collect();
    let mut by_name: FxHashMap<&str, Vec<usize>> = FxHashMap::default();
    let mut longest_short = 0;
    for (index, name) in lower.iter().enumerate() {
        by_name.entry(name).or_default().push(index);
        longest_short = longest_short.max(name.len().min(LONGEST));
    }
    let mut placed = vec![false; items.len()];
    let mut order = Vec::with_capacity(items.len());
    for (index, name) in lower.iter().enumerate() {
        let ends = name.char_indices().map(|(at, _)| at).filter(|at| *at > 0).take_while(|at| *at <= longest_short);
        for end in ends {
            for shorter in name.get(..end).and_then(|start| by_name.get(start)).into_iter().flatten() {
                if !std::mem::replace(&mut placed[*shorter], true) {
                    order.push(*shorter);
                }
            }
        }
        if !std::mem::replace(&mut placed[index], true) {
            order.push(index);
        }
    }
    order
}

/// Names that are longer (in bytes) are not looked for at the start of other names.
const LONGEST: usize = 200;

#[cfg(test)]
mod tests {
    use super::in_order;
    use crate::completion_item::{CompletionItem, ItemKind};

    #[test]
    fn a_name_comes_before_those_that_begin_with_it() {
        let items = ["values-schema", "b", "values", "VALUE", "a"].iter().enumerate();
        let items = items.map(|(index, name)| CompletionItem {
            sort_text: format!("{}{index}", if index % 2 == 0 { 'A' } else { 'a' }),
            ..CompletionItem::new(*name, ItemKind::Value, (0..0, String::new()))
        });
        let ordered = in_order(items.collect());
        let names: Vec<_> = ordered.iter().map(|item| item.label.as_str()).collect();
        assert_eq!(names, ["VALUE", "values", "values-schema", "a", "b"]);
        assert!(ordered.windows(2).all(|pair| pair[0].sort_text.to_lowercase() < pair[1].sort_text.to_lowercase()));
    }
}

//! The order of the members of a sequence, while members are appended, inserted and removed.

/// A chunk that reaches twice this size is split, so the work of a change is bounded, however many members there are.
const CHUNK: usize = 256;

/// An order of slots, which are numbered in the order they were created.
#[derive(Default)]
pub(crate) struct Order {
    /// The chunks, each a list of slots in order; a chunk keeps its number when others are inserted before it.
    chunks: Vec<Vec<usize>>,
    /// The numbers of the chunks, in order.
    sequence: Vec<usize>,
    /// The chunk of each slot.
    chunk_of: Vec<usize>,
}

impl Order {
    /// The order of this many slots by their numbers.
    pub fn of(count: usize) -> Order {
        let mut order = Order::default();
        (0..count).for_each(|slot| order.push(slot));
        order
    }

    /// Adds a slot at the end.
    pub fn push(&mut self, slot: usize) {
        let open = self.sequence.last().copied().filter(|chunk| self.chunk(*chunk).len() < CHUNK);
        let chunk = open.unwrap_or_else(|| {
            self.chunks.push(Vec::new());
            self.sequence.push(self.chunks.len() - 1);
            self.chunks.len() - 1
        });
        self.note(slot, chunk);
        if let Some(slots) = self.chunks.get_mut(chunk) {
            slots.push(slot);
        }
    }

    /// Inserts a slot directly before or after another.
    pub fn insert(&mut self, slot: usize, beside: usize, after: bool) {
        let Some((chunk, at)) = self.place(beside) else { return };
        self.note(slot, chunk);
        let Some(slots) = self.chunks.get_mut(chunk) else { return };
        slots.insert(at + usize::from(after), slot);
        if slots.len() >= 2 * CHUNK {
            let moved = slots.split_off(CHUNK);
            let new = self.chunks.len();
            moved.iter().for_each(|slot| self.note(*slot, new));
            self.chunks.push(moved);
            let at = self.sequence.iter().position(|other| *other == chunk).map_or(self.sequence.len(), |at| at + 1);
            self.sequence.insert(at, new);
        }
    }

    /// Removes a slot.
    pub fn remove(&mut self, slot: usize) {
        let Some((chunk, at)) = self.place(slot) else { return };
        if let Some(slots) = self.chunks.get_mut(chunk) {
            slots.remove(at);
        }
    }

    /// The slot at an index.
    pub fn nth(&self, mut index: usize) -> Option<usize> {
        for chunk in &self.sequence {
            let slots = self.chunk(*chunk);
            if let Some(slot) = slots.get(index) {
                return Some(*slot);
            }
            index -= slots.len();
        }
        None
    }

    /// The index of a slot; None if it was removed.
    pub fn index(&self, slot: usize) -> Option<usize> {
        let (chunk, at) = self.place(slot)?;
        let before = self.sequence.iter().take_while(|other| **other != chunk);
        Some(before.map(|chunk| self.chunk(*chunk).len()).sum::<usize>() + at)
    }

    /// All slots in order.
    pub fn iter(&self) -> impl Iterator<Item = usize> {
        self.sequence.iter().flat_map(|chunk| self.chunk(*chunk)).copied()
    }

    fn chunk(&self, chunk: usize) -> &[usize] {
        self.chunks.get(chunk).map_or(&[], Vec::as_slice)
    }

    fn note(&mut self, slot: usize, chunk: usize) {
        if self.chunk_of.len() <= slot {
            self.chunk_of.resize(slot + 1, usize::MAX);
        }
        if let Some(place) = self.chunk_of.get_mut(slot) {
            *place = chunk;
        }
    }

    fn place(&self, slot: usize) -> Option<(usize, usize)> {
        let chunk = *self.chunk_of.get(slot)?;
        let at = self.chunk(chunk).iter().position(|other| *other == slot)?;
        Some((chunk, at))
    }
}

#[cfg(test)]
mod tests {
    use super::{CHUNK, Order};

    /// After any changes, the order equals that of a plain list with the same changes.
    #[test]
    fn is_a_list() {
        let mut list: Vec<usize> = (0..3 * CHUNK).collect();
        let mut order = Order::of(list.len());
        let mut random = 1_usize;
        for slot in list.len()..list.len() + 4 * CHUNK {
            random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let at = (random >> 33) % list.len().max(1);
            // Mostly in the same place, so that chunks are split.
            let beside = if slot % 3 == 0 { list[at] } else { list[list.len() / 2] };
            let place = list.iter().position(|other| *other == beside).unwrap();
            match random >> 60 {
                0..4 => {
                    order.remove(beside);
                    list.remove(place);
                }
                4..6 => {
                    order.push(slot);
                    list.push(slot);
                }
                6..11 => {
                    order.insert(slot, beside, true);
                    list.insert(place + 1, slot);
                }
                _ => {
                    order.insert(slot, beside, false);
                    list.insert(place, slot);
                }
            }
        }
        assert_eq!(order.iter().collect::<Vec<_>>(), list);
        for (at, slot) in list.iter().enumerate() {
            assert_eq!((order.nth(at), order.index(*slot)), (Some(*slot), Some(at)));
        }
        assert_eq!(order.nth(list.len()), None);
    }
}

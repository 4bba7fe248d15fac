//! Cycles of clauses: schemas that refer back to themselves for the same value. They have no meaning and would never
//! end.

use lofting_schema::{Clause, Declared, Facet, SchemaId, SchemaNode};

#[derive(Clone, Copy, PartialEq)]
enum State {
    New,
    Open,
    Done,
}

/// Replaces references that lead back to a schema already on the way, for the same value, by a node about which nothing
/// is known.
pub(super) fn cut(nodes: &mut Vec<SchemaNode>) {
    let mut states = vec![State::New; nodes.len()];
    let mut unknown: Option<SchemaId> = None;
    for start in 0..nodes.len() {
        let mut path: Vec<(usize, Vec<SchemaId>)> = Vec::new();
        enter(start, nodes, &mut states, &mut path);
        while let Some((at, members)) = path.last_mut() {
            let at = *at;
            let Some(next) = members.pop() else {
                set(&mut states, at, State::Done);
                path.pop();
                continue;
            };
            match states.get(next.0 as usize).copied() {
                Some(State::New) => enter(next.0 as usize, nodes, &mut states, &mut path),
                Some(State::Open) => {
                    let id = *unknown.get_or_insert(SchemaId(nodes.len() as u32));
                    if let Some(declared) = nodes.get(at).map(|node| node.declared) {
                        add(nodes, id, declared);
                    }
                    if let Some(node) = nodes.get_mut(at) {
                        for clause in &mut node.clauses {
                            replace(clause, next, id);
                        }
                    }
                }
                Some(State::Done) | None => {}
            }
        }
    }
}

fn add(nodes: &mut Vec<SchemaNode>, id: SchemaId, declared: Declared) {
    if nodes.len() == id.0 as usize {
        nodes.push(SchemaNode::new(Facet::Unknown, declared));
    }
}

fn enter(at: usize, nodes: &[SchemaNode], states: &mut [State], path: &mut Vec<(usize, Vec<SchemaId>)>) {
    if states.get(at) != Some(&State::New) {
        return;
    }
    set(states, at, State::Open);
    let clauses = nodes.get(at).map(|node| node.clauses.as_slice()).unwrap_or_default();
    path.push((at, clauses.iter().flat_map(|clause| clause.about_the_same().into_owned()).collect()));
}

fn set(states: &mut [State], at: usize, state: State) {
    if let Some(place) = states.get_mut(at) {
        *place = state;
    }
}

fn replace(clause: &mut Clause, from: SchemaId, to: SchemaId) {
    let swap = |id: &mut SchemaId| {
        if *id == from {
            *id = to;
        }
    };
    match clause {
        Clause::All(members) | Clause::Any(members) | Clause::One(members) => members.iter_mut().for_each(swap),
        Clause::Not(member) => swap(member),
        Clause::If { condition, then, otherwise } => {
            std::iter::once(condition).chain(then).chain(otherwise).for_each(swap);
        }
        Clause::Dependent { schema, .. } => swap(schema),
        // These are about values inside the value.
        Clause::Names(_) | Clause::Contains { .. } | Clause::OtherKeys(_) | Clause::OtherItems(_) => {}
    }
}

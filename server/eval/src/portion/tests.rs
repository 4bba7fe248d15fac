use super::Portion;
use crate::{Data, Fragment, FragmentItem, FragmentKind};
use std::sync::Arc;

fn array(values: Vec<Data>) -> Fragment {
    let items =
        values.into_iter().map(|value| FragmentItem { origin: None, key: None, value, annotations: Vec::new() });
    Fragment { kind: FragmentKind::Array, items: items.collect() }
}

fn portion(values: Vec<Data>) -> Arc<Portion> {
    Portion::new(&array(values)).expect("only scalars and arrays")
}

#[test]
fn items_stand_where_the_portion_is() {
    let inner = portion(vec![Data::int(2), Data::int(3)]);
    let nested = Data::Fragment(array(vec![Data::Portion(inner.clone())]));
    let outer = portion(vec![Data::int(1), Data::Portion(inner.clone()), nested]);
    let value = Data::Fragment(array(vec![Data::Portion(outer.clone()), Data::int(4)]));
    let inside = Data::Fragment(array(vec![Data::int(2), Data::int(3)]));
    let whole = array(vec![Data::int(1), Data::int(2), Data::int(3), inside, Data::int(4)]);
    assert_eq!(value.unfolded(), Data::Fragment(whole));
    let mut found = Vec::new();
    value.portions(&mut found);
    assert_eq!(found, [&outer]);
    assert_eq!((outer.weight(), outer.whole()), (4, 8), "those in it count for themselves, once for each place");
}

#[test]
fn equal_portions_differ() {
    assert_ne!(portion(vec![Data::int(1)]), portion(vec![Data::int(1)]));
}

#[test]
fn what_code_could_change_is_no_portion() {
    assert_eq!(Portion::new(&array(vec![Data::List(Vec::new())])), None);
}

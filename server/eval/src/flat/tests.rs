use super::{LIST, MAX_DEPTH, MAX_VALUES, NONE, read, written};
use crate::portion::Portion;
use crate::{AnnotationData, Data, EvaluationId, Fragment, FragmentItem, FragmentKind, Function, Object, Origin};
use proptest::prelude::*;
use std::sync::Arc;

fn evaluation() -> impl Strategy<Value = Option<EvaluationId>> {
    prop::option::of(prop_oneof![any::<u64>().prop_map(EvaluationId), Just(EvaluationId::CALLER)])
}

fn leaf() -> impl Strategy<Value = Data> {
    prop_oneof![
        Just(Data::None),
        any::<bool>().prop_map(Data::Bool),
        any::<i128>().prop_map(Data::int),
        (-2.0..2.0f64).prop_map(Data::Float),
        prop_oneof![Just(f64::INFINITY), Just(f64::NEG_INFINITY), Just(-0.0)].prop_map(Data::Float),
        ".{0,5}".prop_map(|text| Data::String(text.into())),
        (any::<u32>(), evaluation(), "[ab]", prop::option::of(any::<u16>())).prop_map(
            |(handle, evaluation, name, parameters)| {
                Data::Function(Box::new(Function {
                    handle,
                    evaluation,
                    name,
                    parameters: parameters.map(u32::from),
                    made_with: Vec::new(),
                }))
            }
        ),
        any::<u32>().prop_map(Data::Shared),
        any::<u64>().prop_map(|number| Data::Portion(Arc::new(Portion::named(number)))),
        (any::<u32>(), evaluation(), "[ab]", ".{0,3}", any::<bool>()).prop_map(
            |(handle, evaluation, type_name, text, has_check)| {
                Data::Object(Box::new(Object { handle, evaluation, type_name, text, has_check }))
            }
        ),
    ]
}

fn kind() -> impl Strategy<Value = FragmentKind> {
    prop_oneof![
        Just(FragmentKind::Empty),
        Just(FragmentKind::DocumentSet),
        Just(FragmentKind::Map),
        Just(FragmentKind::Array)
    ]
}

fn data() -> impl Strategy<Value = Data> {
    leaf().prop_recursive(8, 64, 4, |inner| {
        let many = prop::collection::vec(inner.clone(), 0..4).boxed();
        let named = prop::collection::vec(("[abc]", inner.clone()), 0..3).boxed();
        let annotation =
            (any::<u32>(), "[xy]", many.clone(), named.clone()).prop_map(|(annotation, name, positional, keywords)| {
                AnnotationData { annotation, name, positional, keywords }
            });
        let origin = prop::option::of(
            ("[pq]", any::<u32>()).prop_map(|(path, node): (String, u32)| Origin { path: path.into(), node }),
        );
        let key = prop::option::of(inner.clone());
        let annotations = prop::collection::vec(annotation, 0..3);
        let item = (origin, key, inner.clone(), annotations)
            .prop_map(|(origin, key, value, annotations)| FragmentItem { origin, key, value, annotations });
        let many_made = many.clone();
        prop_oneof![
            many.clone().prop_map(Data::List),
            many.clone().prop_map(Data::Tuple),
            many.clone().prop_map(Data::Set),
            prop::collection::vec((inner.clone(), inner), 0..3).prop_map(Data::Dict),
            named.prop_map(Data::Struct),
            (any::<u32>(), many_made).prop_map(|(handle, made_with)| {
                let name = "overlay.match.subset".to_owned();
                Data::Function(Box::new(Function { handle, evaluation: None, name, parameters: None, made_with }))
            }),
            (kind(), prop::collection::vec(item, 0..4))
                .prop_map(|(kind, items)| Data::Fragment(Fragment { kind, items })),
        ]
    })
}

proptest! {
    #[test]
    fn what_is_written_is_read_as_it_was(data in data()) {
        prop_assert_eq!(read(&written(&data)), Some(data));
    }

    #[test]
    fn whatever_bytes_come_are_read_or_refused(bytes in prop::collection::vec(0u8..24, 0..80)) {
        if let Some(data) = read(&bytes) {
            prop_assert_eq!(read(&written(&data)), Some(data));
        }
    }

    #[test]
    fn changed_and_cut_bytes_do_no_harm(data in data(), at in any::<prop::sample::Index>(), byte in any::<u8>()) {
        let mut bytes = written(&data);
        let at = at.index(bytes.len());
        bytes[at] = byte;
        let _ = read(&bytes);
        prop_assert_eq!(read(&written(&data)[..at]).filter(|read| *read == data), None);
    }
}

#[test]
fn depth_ends_at_the_limit_without_recursion() {
    let nested = |levels: usize| {
        let mut bytes = vec![NONE];
        (0..levels).for_each(|_| bytes.extend([LIST, 1]));
        bytes
    };
    let deep = nested(MAX_DEPTH as usize);
    let data = read(&deep).expect("as deep as allowed");
    assert_eq!(written(&data), deep);
    assert_eq!(read(&nested(MAX_DEPTH as usize + 1)), None);
    assert_eq!(read(&nested(1_000_000)), None);
}

#[test]
fn the_number_of_values_is_limited() {
    assert_eq!(read(&vec![NONE; MAX_VALUES + 1]), None);
    // A count that nothing stands for reserves no memory.
    assert_eq!(read(&[LIST, 0xff, 0xff, 0xff, 0xff, 0x0f]), None);
}

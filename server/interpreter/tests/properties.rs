//! What holds for all code and all values.

mod harness;

use harness::{Host, LIMITS, Names, result, run};
use lofting_interpreter::{Limits, Program};
use proptest::prelude::*;

/// Bits of code that make many different programs.
const WORDS: &str = "((if|for|def f|else|elif|while|return|break|lambda|load|in|not|and|or|x|f|len|r = |x = |pass)[ :(]?|\
                     [\\[\\](){}'\"a1\n;#=,.:/+*<-]|\n  |\n| ){0,40}";

fn list(items: &[i64]) -> String {
    format!("{items:?}")
}

proptest! {
    #[test]
    fn text_never_panics(text in "\\PC{0,80}") {
        let _ = Program::new(&text, 0, &Names);
    }

    #[test]
    fn code_never_panics(code in WORDS) {
        let limits = Limits { steps: 1000, ..LIMITS };
        let _ = run(&code, &Host::default(), limits, None);
    }

    #[test]
    fn places_are_in_the_text(code in WORDS) {
        if let Err(failures) = run(&code, &Host::default(), Limits { steps: 1000, ..LIMITS }, None) {
            for failure in failures {
                let places = failure.frames().iter().map(|frame| frame.place).chain([failure.place()]);
                for place in places.flatten() {
                    prop_assert!(code.get(place.start as usize..place.end as usize).is_some(), "{place:?}");
                }
            }
        }
    }

    #[test]
    fn arithmetic_is_that_of_integers(a in any::<i64>(), b in any::<i64>()) {
        let (x, y) = (i128::from(a), i128::from(b));
        prop_assert_eq!(result(&format!("r = ({a}) + ({b})")), (x + y).to_string());
        prop_assert_eq!(result(&format!("r = ({a}) - ({b})")), (x - y).to_string());
        prop_assert_eq!(result(&format!("r = ({a}) * ({b})")), (x * y).to_string());
        prop_assert_eq!(result(&format!("r = ({a}) & ({b})")), (x & y).to_string());
        prop_assert_eq!(result(&format!("r = ({a}) ^ ({b})")), (x ^ y).to_string());
        prop_assert_eq!(result(&format!("r = ({a}) < ({b})")), if a < b { "True" } else { "False" });
        if b != 0 {
            let quotient = x.div_euclid(y) - i128::from(y < 0 && x.rem_euclid(y) != 0) ;
            prop_assert_eq!(result(&format!("r = ({a}) // ({b})")), quotient.to_string());
            prop_assert_eq!(result(&format!("r = ({a}) % ({b})")), (x - quotient * y).to_string());
        }
    }

    #[test]
    fn slices_are_those_of_a_model(
        items in prop::collection::vec(any::<i64>(), 0..8),
        start in prop::option::of(-10i64..10),
        stop in prop::option::of(-10i64..10),
        step in prop::option::of(prop_oneof![-4i64..0, 1i64..5]),
    ) {
        let text = |bound: Option<i64>| bound.map_or(String::new(), |bound| bound.to_string());
        let step_by = step.unwrap_or(1);
        let length = items.len() as i64;
        let bound = |given: Option<i64>, forwards: i64, backwards: i64| match given {
            None if step_by > 0 => forwards,
            None => backwards,
            Some(at) if at < 0 => at + length,
            Some(at) => at,
        };
        let (from, to) = (bound(start, 0, length - 1), bound(stop, length, -1));
        // Every place that a slice could touch, in its order.
        let mut places: Vec<i64> = (0..length).collect();
        if step_by < 0 {
            places.reverse();
        }
        let inside = places.into_iter().filter(|at| if step_by > 0 { (from..to).contains(at) } else { *at <= from && *at > to });
        let expected: Vec<i64> = inside.step_by(step_by.unsigned_abs() as usize).map(|at| items[at as usize]).collect();
        let range = format!("[{}:{}:{}]", text(start), text(stop), text(step));
        prop_assert_eq!(result(&format!("r = {}{range}", list(&items))), list(&expected));
        prop_assert_eq!(result(&format!("r = list(tuple({}){range})", list(&items))), list(&expected));
        let letters: Vec<i64> = (0..length).collect();
        let expected: Vec<i64> = expected_places(&items, &expected, &letters);
        if items.iter().collect::<std::collections::HashSet<_>>().len() == items.len() {
            prop_assert_eq!(result(&format!("r = list(range({length}){range})")), list(&expected));
        }
    }

    #[test]
    fn strings_are_those_of_a_model(text in "[ab é]{0,12}", part in "[ab é]{1,2}", other in "[ab]{0,2}") {
        let quoted = |text: &str| format!("\"{text}\"");
        let (t, p, o) = (quoted(&text), quoted(&part), quoted(&other));
        prop_assert_eq!(result(&format!("r = len({t})")), text.len().to_string());
        prop_assert_eq!(result(&format!("r = {t}.find({p})")), text.find(&part).map_or(-1, |at| at as i64).to_string());
        prop_assert_eq!(result(&format!("r = {t}.rfind({p})")), text.rfind(&part).map_or(-1, |at| at as i64).to_string());
        prop_assert_eq!(result(&format!("r = {t}.count({p})")), text.matches(&part).count().to_string());
        prop_assert_eq!(result(&format!("r = {t}.replace({p}, {o})")), quoted(&text.replace(&part, &other)));
        prop_assert_eq!(result(&format!("r = {p}.join({t}.split({p}))")), quoted(&text));
        prop_assert_eq!(result(&format!("r = {t}[:3] + {t}[3:]")), quoted(&text));
        prop_assert_eq!(result(&format!("r = {t} * 2 == {t} + {t}")), "True");
    }

    #[test]
    fn sorted_is_that_of_a_model(mut items in prop::collection::vec(-5i64..5, 0..12)) {
        let code = format!("r = sorted({})", list(&items));
        items.sort_unstable();
        prop_assert_eq!(result(&code), list(&items));
    }
}

/// The places of the expected items, where all items differ.
fn expected_places(items: &[i64], expected: &[i64], letters: &[i64]) -> Vec<i64> {
    let place = |item: &i64| items.iter().position(|known| known == item).and_then(|at| letters.get(at).copied());
    expected.iter().filter_map(place).collect()
}

use crate::{Budget, CancelFlag, Cancelled, Inputs, Memo, STEPS, Stamp, Weigh, side_by_side, step, sweep};
use proptest::prelude::*;
use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::channel;
use std::thread;

#[derive(Debug, PartialEq)]
struct Text(String);

impl Weigh for Text {
    fn weight(&self) -> usize {
        self.0.len()
    }
}

fn text(text: impl ToString) -> Text {
    Text(text.to_string())
}

fn never() -> Text {
    unreachable!("the answer is known")
}

#[test]
fn an_answer_is_made_once_for_equal_inputs() {
    let memo = Memo::new(&Budget::default());
    let (state, content) = (Stamp::next(), Stamp::next());
    let first = memo.get("file", &Inputs::new(state, [content]), || text("one"));
    let second = memo.get("file", &Inputs::new(Stamp::next(), [content]), never);
    assert_eq!(first, second);
    let third = memo.get("file", &Inputs::new(Stamp::next(), [Stamp::next()]), || text("two"));
    assert_eq!(*third, text("two"));
}

#[test]
fn two_who_ask_at_the_same_time_make_it_once() {
    let memo = Memo::new(&Budget::default());
    let inputs = Inputs::new(Stamp::next(), [Stamp::next()]);
    let made = AtomicUsize::new(0);
    let (begun, wait_for_begin) = channel();
    let (go_on, wait_to_go_on) = channel::<()>();
    let (memo, inputs, made) = (&memo, &inputs, &made);
    thread::scope(|scope| {
        let first = scope.spawn(move || {
            let never = CancelFlag::new();
            memo.get_unless(&never, 0, inputs, |_| {
                begun.send(()).expect("the test waits");
                wait_to_go_on.recv().expect("the test says so");
                text(made.fetch_add(1, Ordering::SeqCst))
            })
        });
        wait_for_begin.recv().expect("it begins");
        assert_eq!(memo.peek(&0, inputs), None, "looking does not wait");
        let second = scope.spawn(|| memo.get(0, inputs, || text(made.fetch_add(1, Ordering::SeqCst))));
        go_on.send(()).expect("it waits");
        let (first, second) = (first.join().expect("no panic"), second.join().expect("no panic"));
        assert_eq!(first.as_deref(), Ok(&*second));
    });
    assert_eq!(made.load(Ordering::SeqCst), 1);
}

/// It takes many steps to weigh.
struct Long;

impl Weigh for Long {
    fn weight(&self) -> usize {
        (0..10 * STEPS).for_each(|_| step());
        1
    }
}

#[test]
fn an_answer_is_kept_if_its_request_is_cancelled_while_it_is_weighed() {
    let memo = Memo::new(&Budget::default());
    let inputs = Inputs::new(Stamp::next(), [Stamp::next()]);
    let request = CancelFlag::new();
    let asked = request.until_cancelled(|| {
        memo.get(0, &inputs, || {
            request.cancel();
            Long
        })
    });
    assert!(asked.is_ok());
    // Otherwise the next request would wait for ever.
    assert!(memo.peek(&0, &inputs).is_some());
}

#[test]
fn it_is_given_up_when_all_who_wait_have_given_up() {
    let memo = Memo::new(&Budget::default());
    let inputs = Inputs::new(Stamp::next(), [Stamp::next()]);
    let (first, second) = (CancelFlag::new(), CancelFlag::new());
    let (begun, wait_for_begin) = channel();
    thread::scope(|scope| {
        let maker = scope.spawn(|| {
            memo.get_unless(&first, 0, &inputs, |cancel| {
                begun.send(cancel.clone()).expect("the test waits");
                while !cancel.is_cancelled() {
                    thread::yield_now();
                }
                text("half")
            })
        });
        let all_waiting = wait_for_begin.recv().expect("it begins");
        all_waiting.join(&second);
        first.cancel();
        assert!(!all_waiting.is_cancelled(), "the second still waits");
        second.cancel();
        assert_eq!(maker.join().expect("no panic"), Err(Cancelled));
    });
    assert_eq!(*memo.get(0, &inputs, || text("whole")), text("whole"), "half an answer is not kept");
}

#[test]
fn a_panic_leaves_the_answer_to_the_next() {
    let memo: Memo<i32, Text> = Memo::new(&Budget::default());
    let inputs = Inputs::new(Stamp::next(), []);
    let panicked = catch_unwind(AssertUnwindSafe(|| memo.get(0, &inputs, || panic!("on purpose"))));
    assert!(panicked.is_err());
    assert_eq!(*memo.get(0, &inputs, || text("made")), text("made"));
}

#[test]
fn an_older_state_pushes_nothing_out() {
    let memo = Memo::new(&Budget::default());
    let (old, new) = (Stamp::next(), Stamp::next());
    let (of_old, of_new) = (Inputs::new(old, [Stamp::next()]), Inputs::new(new, [Stamp::next()]));
    memo.get(0, &of_new, || text("new"));
    memo.get(0, &of_old, || text("old"));
    assert_eq!(memo.peek(&0, &of_new).as_deref(), Some(&text("new")));
    assert_eq!(memo.peek(&0, &of_old), None, "it kept its answer for itself");
    let newer = Inputs::new(Stamp::next(), [Stamp::next()]);
    memo.get(0, &newer, || text("newer"));
    assert_eq!(memo.peek(&0, &of_new).as_deref(), Some(&text("new")), "a reader of the earlier state still finds it");
}

#[test]
fn forgetting_gives_back_what_was_held() {
    let budget = Budget::default();
    let memo = Memo::new(&budget);
    for file in 0..10 {
        memo.get(file, &Inputs::new(Stamp::next(), [Stamp::next()]), || text("12345"));
    }
    assert_eq!(budget.held(), 50);
    memo.forget(|file| *file < 4);
    assert_eq!((budget.held(), memo.len()), (30, 6));
    drop(memo);
    assert_eq!(budget.held(), 0);
}

#[test]
fn the_budget_drops_what_was_asked_for_longest_ago() {
    let budget = Budget::default();
    let (first, second) = (Memo::new(&budget), Memo::new(&budget));
    let contents: Vec<Stamp> = (0..10).map(|_| Stamp::next()).collect();
    for (file, content) in contents.iter().enumerate() {
        let memo = if file % 2 == 0 { &first } else { &second };
        memo.get(file, &Inputs::new(Stamp::next(), [*content]), || text("0123456789"));
    }
    // The oldest answer is used again, which makes it the newest.
    first.get(0, &Inputs::new(Stamp::next(), [contents[0]]), never);
    sweep(&[&first, &second], &budget, 35);
    assert_eq!(budget.held(), 30);
    let known = |memo: &Memo<usize, Text>, file: usize| {
        memo.peek(&file, &Inputs::new(Stamp::default(), [contents[file]])).is_some()
    };
    let kept: Vec<usize> = (0..10).filter(|file| known(&first, *file) || known(&second, *file)).collect();
    assert_eq!(kept, [0, 8, 9]);
    sweep(&[&first, &second], &budget, 0);
    assert_eq!(budget.held(), 10, "what the newest state asked for stays");
}

proptest! {
    /// Whatever is requested, in whatever order, and whatever is forgotten and swept in between: an answer always
    /// belongs to its inputs.
    #[test]
    fn answers_are_those_of_their_inputs(
        steps in prop::collection::vec((0..4usize, 0..5usize, 0..6usize, 0..8u8), 1..200)
    ) {
        let budget = Budget::default();
        let memo = Memo::new(&budget);
        let mut states = vec![Stamp::next()];
        let contents: Vec<Stamp> = (0..5).map(|_| Stamp::next()).collect();
        for (file, content, state, action) in steps {
            match action {
                0 => states.push(Stamp::next()),
                1 => memo.forget(|other| *other == file),
                2 => sweep(&[&memo], &budget, content * 4),
                _ => {
                    let asked_by = states[states.len().saturating_sub(1 + state)];
                    let inputs = Inputs::new(asked_by, [contents[content], contents[file]]);
                    let answer = memo.get(file, &inputs, || text(format!("{file}/{content}")));
                    prop_assert_eq!(&answer.0, &format!("{file}/{content}"));
                }
            }
        }
        drop(memo);
        prop_assert_eq!(budget.held(), 0);
    }
}

#[test]
fn threads_in_any_order_agree() {
    let budget = Budget::default();
    let memo = Memo::new(&budget);
    let contents: Vec<Stamp> = (0..8).map(|_| Stamp::next()).collect();
    let made: BTreeMap<usize, AtomicUsize> = (0..8).map(|content| (content, AtomicUsize::new(0))).collect();
    let state = Stamp::next();
    thread::scope(|scope| {
        for thread in 0..4 {
            let (memo, contents, made) = (&memo, &contents, &made);
            scope.spawn(move || {
                for turn in 0..200 {
                    let content = (turn * 7 + thread) % 8;
                    let inputs = Inputs::new(state, [contents[content]]);
                    let answer = memo.get(content, &inputs, || {
                        made[&content].fetch_add(1, Ordering::SeqCst);
                        text(content)
                    });
                    assert_eq!(answer.0, content.to_string());
                }
            });
        }
    });
    assert!(made.values().all(|times| times.load(Ordering::SeqCst) == 1), "each was made once: {made:?}");
}

/// A flag that is raised when it is looked at so often, and how often it was.
fn raised_at(most: usize) -> (CancelFlag, Arc<AtomicUsize>) {
    let looks = Arc::new(AtomicUsize::new(0));
    let counted = looks.clone();
    (CancelFlag::watched(move || counted.fetch_add(1, Ordering::SeqCst) + 1 >= most), looks)
}

#[test]
fn work_ends_within_the_steps_between_two_looks() {
    let (flag, looks) = raised_at(3);
    let mut steps = 0;
    let ended = flag.until_cancelled(|| {
        for _ in 0..1_000_000 {
            step();
            steps += 1;
        }
    });
    assert_eq!((ended, looks.load(Ordering::SeqCst)), (Err(Cancelled), 3));
    assert!(steps <= 3 * (STEPS as usize + 1), "{steps}");
    // Outside such work nothing is looked at.
    (0..1_000).for_each(|_| step());
    assert_eq!(looks.load(Ordering::SeqCst), 3);
}

#[test]
fn what_others_need_is_finished() {
    let (flag, _) = raised_at(1);
    let memo = Memo::new(&Budget::default());
    let inputs = Inputs::new(Stamp::next(), [Stamp::next()]);
    let many = || {
        (0..1_000).for_each(|_| step());
        text("made")
    };
    let ended = flag.until_cancelled(|| {
        memo.get(1, &inputs, many);
        (0..1_000).for_each(|_| step());
    });
    assert_eq!(ended, Err(Cancelled));
    assert!(memo.peek(&1, &inputs).is_some());
}

#[test]
fn an_answer_that_was_given_up_is_made_again() {
    let (flag, _) = raised_at(2);
    let memo = Memo::new(&Budget::default());
    let inputs = Inputs::new(Stamp::next(), [Stamp::next()]);
    let many = |_: &CancelFlag| {
        (0..1_000).for_each(|_| step());
        text("made")
    };
    let ended = flag.until_cancelled(|| memo.get_unless(&flag, 1, &inputs, many).map(drop));
    assert!(matches!(ended, Ok(Err(Cancelled))), "{ended:?}");
    assert!(memo.peek(&1, &inputs).is_none());
    assert!(memo.get_unless(&CancelFlag::new(), 1, &inputs, many).is_ok());
}

#[test]
fn a_panic_stays_a_panic() {
    let flag = CancelFlag::new();
    let panics = || flag.until_cancelled(|| panic!("on purpose"));
    let payload = catch_unwind(AssertUnwindSafe(panics)).expect_err("it panics");
    assert_eq!(payload.downcast_ref::<&str>(), Some(&"on purpose"));
    (0..1_000).for_each(|_| step());
}

/// Enough for the stack of a test.
const STACK: usize = 1 << 20;

#[test]
fn work_side_by_side_gives_both_results() {
    let (beside, here) = side_by_side(STACK, || thread::current().id(), || thread::current().id());
    assert_eq!(here, thread::current().id());
    assert_ne!(beside, Some(here));
    // Without a second thread it is done afterwards.
    let (beside, here) = side_by_side(usize::MAX, || thread::current().id(), || thread::current().id());
    assert_eq!(beside, Some(here));
}

#[test]
fn work_side_by_side_ends_together() {
    let flag = CancelFlag::default();
    let is_raised = &flag;
    let forever = move || {
        loop {
            is_raised.cancel();
            step();
        }
    };
    let ended: Result<(Option<()>, ()), Cancelled> = flag.until_cancelled(|| side_by_side(STACK, forever, forever));
    assert!(ended.is_err());
}

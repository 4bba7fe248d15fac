use std::path::PathBuf;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::Duration;

use super::{Job, Lane, Pool, Subject};

/// How long a test waits before it fails.
const PATIENCE: Duration = Duration::from_secs(30);

/// Starts a job that tells when it has begun and ends when its sender is dropped.
fn held(pool: &Pool, lane: Lane, subject: Subject, begun: &Sender<&'static str>, name: &'static str) -> Sender<()> {
    let (hold, held): (Sender<()>, Receiver<()>) = channel();
    let begun = begun.clone();
    let run = move || {
        begun.send(name).expect("the test waits");
        let _ = held.recv();
    };
    pool.submit(lane, Job { name, subject, run: Box::new(run) });
    hold
}

fn document(name: &str) -> Subject {
    Subject::Document(PathBuf::from(name))
}

#[test]
fn jobs_about_a_document_do_not_wait_for_those_about_others() {
    for lane in [Lane::Waiting, Lane::Background] {
        let pool = Pool::start().expect("threads");
        let (begun, begins) = channel();
        let mut holds = Vec::new();
        // More than there are threads at the start, and more for each document than run at once.
        for _ in 0..3 {
            for file in ["a", "b", "c"] {
                holds.push(held(&pool, lane, document(file), &begun, "slow"));
            }
        }
        for _ in 0..3 * lane.for_each_subject() {
            assert_eq!(begins.recv_timeout(PATIENCE), Ok("slow"));
        }
        let other = held(&pool, lane, document("other"), &begun, "other");
        assert_eq!(begins.recv_timeout(PATIENCE), Ok("other"), "{lane:?}");
        // All of the others run as well, each after an earlier one about its document.
        drop((other, holds));
        let rest = 9 - 3 * lane.for_each_subject();
        let names: Vec<_> = (0..rest).map(|_| begins.recv_timeout(PATIENCE)).collect();
        assert_eq!(names, vec![Ok("slow"); rest]);
    }
}

#[test]
fn jobs_about_the_same_take_turns() {
    let pool = Pool::start().expect("threads");
    for (lane, subject) in
        [(Lane::Background, document("a")), (Lane::Background, Subject::State), (Lane::Code, document("a"))]
    {
        let (begun, begins) = channel();
        let first = held(&pool, lane, subject.clone(), &begun, "first");
        assert_eq!(begins.recv_timeout(PATIENCE), Ok("first"));
        let second = held(&pool, lane, subject.clone(), &begun, "second");
        // What comes later about something else has begun when the second one has not.
        let other = held(&pool, Lane::Waiting, document("b"), &begun, "other");
        assert_eq!(begins.recv_timeout(PATIENCE), Ok("other"), "{lane:?}");
        drop(first);
        assert_eq!(begins.recv_timeout(PATIENCE), Ok("second"));
        drop((second, other));
    }
}

#[test]
fn a_job_that_panics_ends_no_other() {
    let pool = Pool::start().expect("threads");
    let (begun, begins) = channel();
    for _ in 0..20 {
        let run = Box::new(|| panic!("on purpose"));
        pool.submit(Lane::Background, Job { name: "panics", subject: document("a"), run });
    }
    held(&pool, Lane::Background, document("a"), &begun, "after");
    assert_eq!(begins.recv_timeout(PATIENCE), Ok("after"));
}

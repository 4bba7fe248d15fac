//! Workers keep portions of long arguments, and answer as if they had got everything each time.

mod harness;

use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use harness::Files;
use lofting_eval::{Call, Data, Evaluation, EvaluationId, Evaluator, Fragment, FragmentItem, FragmentKind, Portion};
use lofting_starlark::InProcess;
use lofting_worker::{Launch, Limits, WorkerEvaluator};

/// Functions that tell everything about a value: its text, and which of its items are one and the same.
const FUNCTIONS: &str = "#@ load(\"@ytt:yaml\", \"yaml\")\n---\n#@schema/validation (\"x\", lambda v: yaml.encode(v))\n\
                         #@schema/validation (\"x\", lambda v: [len(v), [len(str(i)) for i in v]])\n\
                         #@schema/validation (\"x\", lambda v: v[0] == v[1])\na: 1\n";

/// Starts workers, counts them, and keeps their process numbers.
#[derive(Clone, Default)]
struct Started {
    count: Arc<AtomicUsize>,
    newest: Arc<Mutex<u32>>,
}

impl Launch for Started {
    fn command(&self, _confined: bool) -> std::io::Result<Command> {
        self.count.fetch_add(1, Ordering::Relaxed);
        Ok(Command::new(env!("CARGO_BIN_EXE_lofting-eval-worker")))
    }

    fn hold(&self, child: &std::process::Child) -> std::io::Result<Box<dyn std::any::Any + Send>> {
        *self.newest.lock().unwrap() = child.id();
        Ok(Box::new(()))
    }
}

/// Numbers that look random.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        ((self.0 >> 33) as usize) % end
    }
}

fn item(key: Option<Data>, value: Data) -> FragmentItem {
    FragmentItem { origin: None, key, value, annotations: Vec::new() }
}

/// A long array as a tree keeps it: runs of runs of items.
#[derive(Clone)]
enum Run {
    Items(Arc<Portion>),
    Runs(Vec<Run>, Arc<Portion>),
}

impl Run {
    fn portion(&self) -> &Arc<Portion> {
        match self {
            Run::Items(portion) | Run::Runs(_, portion) => portion,
        }
    }

    fn items(numbers: &mut Numbers) -> Run {
        let items = (0..1 + numbers.below(4)).map(|_| {
            let map = [("a", numbers.below(3)), ("b", numbers.below(100))]
                .map(|(key, number)| item(Some(Data::String(key.into())), Data::int(number as i128)));
            item(None, Data::Fragment(Fragment { kind: FragmentKind::Map, items: map.into() }))
        });
        Run::Items(portion(items.collect()))
    }

    fn runs(runs: Vec<Run>) -> Run {
        let items = runs.iter().map(|run| item(None, Data::Portion(run.portion().clone())));
        let portion = portion(items.collect());
        Run::Runs(runs, portion)
    }

    /// The run with another one in place of one of its own, with one more, or with one less.
    fn edited(&self, numbers: &mut Numbers) -> Run {
        let Run::Runs(runs, _) = self else { return Run::items(numbers) };
        let mut runs = runs.clone();
        let at = numbers.below(runs.len());
        match numbers.below(6) {
            0 => runs.insert(at, Run::items(numbers)),
            1 if runs.len() > 2 => drop(runs.remove(at)),
            _ => runs[at] = runs[at].edited(numbers),
        }
        Run::runs(runs)
    }
}

fn portion(items: Vec<FragmentItem>) -> Arc<Portion> {
    Portion::new(&Fragment { kind: FragmentKind::Array, items }).expect("scalars, maps and arrays")
}

/// Calls of all functions with an array that begins with the items of a run, and with that array in a map.
fn calls(run: &Run) -> Vec<Call> {
    let items =
        vec![item(None, Data::Portion(run.portion().clone())), item(None, Data::int(7)), item(None, Data::None)];
    let array = Data::Fragment(Fragment { kind: FragmentKind::Array, items });
    let entry = item(Some(Data::String("all".into())), array.clone());
    let map = Data::Fragment(Fragment { kind: FragmentKind::Map, items: vec![entry] });
    let call = |handle, value: &Data| Call { handle, attribute: None, arguments: vec![value.clone()] };
    vec![call(0, &array), call(1, &array), call(2, &array), call(0, &map)]
}

fn evaluated(evaluator: &dyn Evaluator) -> EvaluationId {
    let files = Files::new(&[("schema.yml", FUNCTIONS)]);
    let evaluation = Evaluation { program: files.program("schema.yml"), ..Evaluation::default() };
    let evaluated = evaluator.evaluate(&evaluation, &files);
    evaluated.result.expect("it evaluates");
    evaluated.id.expect("functions are left")
}

/// Edits a long array and asks a worker each time; now and then `disturb` is called before. Returns how many workers
/// were started.
fn agrees(kept: usize, seed: u64, disturb: &dyn Fn(&Started)) -> usize {
    let started = Started::default();
    let worker = WorkerEvaluator::new(started.clone(), Limits { kept, ..Limits::OF_COMMANDS });
    let id = evaluated(&worker);
    let fresh = InProcess::default();
    let fresh_id = evaluated(&fresh);
    let mut numbers = Numbers(seed);
    let leaf = |numbers: &mut Numbers| Run::runs((0..4).map(|_| Run::items(numbers)).collect());
    let mut run = Run::runs((0..5).map(|_| leaf(&mut numbers)).collect());
    let mut earlier = vec![run.clone()];
    for edit in 0..60 {
        run = if numbers.below(5) == 0 {
            earlier[numbers.below(earlier.len())].clone()
        } else {
            run.edited(&mut numbers)
        };
        earlier.push(run.clone());
        if numbers.below(10) == 0 {
            disturb(&started);
        }
        let calls = calls(&run);
        assert_eq!(worker.call(id, &calls), fresh.call(fresh_id, &calls), "seed {seed}, edit {edit}");
    }
    started.count.load(Ordering::Relaxed)
}

#[test]
fn what_is_kept_gives_the_answers_of_a_fresh_evaluator() {
    for seed in 0..3 {
        assert_eq!(agrees(100_000, seed, &|_| {}), 1);
    }
}

#[test]
fn also_after_some_was_forgotten() {
    // An array takes up to some 800 values.
    for (seed, kept) in [0, 100, 1_500, 1_700, 2_000].into_iter().enumerate() {
        assert_eq!(agrees(kept, seed as u64, &|_| {}), 1, "{kept}");
    }
}

#[cfg(unix)]
#[test]
fn also_after_the_worker_was_killed() {
    let kill = |started: &Started| {
        let newest = *started.newest.lock().unwrap();
        let pid = rustix::process::Pid::from_raw(newest.cast_signed()).expect("a process");
        rustix::process::kill_process(pid, rustix::process::Signal::KILL).expect("it is there");
        let ended = rustix::process::WaitIdOptions::EXITED | rustix::process::WaitIdOptions::NOWAIT;
        rustix::process::waitid(rustix::process::WaitId::Pid(pid), ended).expect("it ends");
    };
    for seed in 0..2 {
        assert!(agrees(2_000, seed, &kill) > 2);
    }
}

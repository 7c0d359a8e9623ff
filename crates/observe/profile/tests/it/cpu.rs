//! CPU profiles of this very process: what they show, and that they disturb nothing.
#![cfg(all(target_os = "linux", target_env = "gnu", any(target_arch = "x86_64", target_arch = "aarch64")))]

use crate::alone;
use polywire_base::running::Running;
use polywire_profile::{Kind, Profile, current, kept, start};
use std::{
    hint::black_box,
    io,
    panic::{AssertUnwindSafe, catch_unwind, resume_unwind},
    sync::{
        Arc, Mutex,
        atomic::{AtomicBool, AtomicU64, Ordering::Relaxed},
    },
    thread::{self, JoinHandle},
    time::Duration,
};

fn taken(length: Duration) -> Profile {
    let run = start(length).expect("nobody else profiles");
    wait(run.profile()).expect("a profile").cpu.clone()
}

fn wait<F: Future>(future: F) -> F::Output {
    let runtime = tokio::runtime::Builder::new_current_thread().build().expect("a runtime");
    runtime.block_on(future)
}

/// Threads that do the same until they are dropped, and how often they did.
struct Load {
    stop: Arc<AtomicBool>,
    turns: Arc<AtomicU64>,
    threads: Vec<JoinHandle<()>>,
}

impl Load {
    fn new(threads: usize, work: fn()) -> Load {
        let (stop, turns) = (Arc::new(AtomicBool::new(false)), Arc::new(AtomicU64::new(0)));
        let thread = |_| {
            let (stop, turns) = (stop.clone(), turns.clone());
            thread::spawn(move || {
                while !stop.load(Relaxed) {
                    work();
                    turns.fetch_add(1, Relaxed);
                }
            })
        };
        let threads = (0..threads).map(thread).collect();
        Load { stop, turns, threads }
    }

    fn end(mut self) -> u64 {
        self.stop.store(true, Relaxed);
        self.threads.drain(..).for_each(|thread| thread.join().expect("no panic of its own"));
        self.turns.load(Relaxed)
    }
}

#[inline(never)]
fn burns_the_cpu() {
    let mut number = 1_u64;
    for step in 0..100_000_u64 {
        number = black_box(number ^ step.wrapping_mul(0x9e37_79b9_7f4a_7c15));
    }
}

#[inline(never)]
fn calls_what_burns() {
    burns_the_cpu();
    black_box(());
}

fn sleeps() {
    thread::sleep(Duration::from_millis(1));
}

#[inline(never)]
fn allocates() {
    let many: Vec<Vec<u8>> = (1..200).map(|size| black_box(vec![1; size * 7])).collect();
    black_box(&many);
    let mut grown = Vec::new();
    (0..5000_u32).for_each(|number| grown.push(number));
    black_box(&grown);
}

/// Unwinds through frames with values to drop.
#[inline(never)]
fn panics() {
    fn deep(left: u32) {
        let held = black_box(vec![left; 16]);
        if left == 0 {
            resume_unwind(Box::new("as tested")); // without the hook, which would print
        }
        deep(left - 1);
        drop(held);
    }
    let caught = catch_unwind(AssertUnwindSafe(|| deep(40)));
    assert_eq!(caught.expect_err("it panics").downcast_ref(), Some(&"as tested"));
}

/// Threads that live for a moment.
fn comes_and_goes() {
    let threads: Vec<_> = (0..4).map(|_| thread::spawn(burns_the_cpu)).collect();
    threads.into_iter().for_each(|thread| thread.join().expect("no panic"));
}

/// Deeper than what is copied of a stack.
fn recurses() {
    fn deep(left: u32) -> u64 {
        let frame = black_box([u64::from(left); 64]);
        if left == 0 { frame[7] } else { deep(left - 1) + black_box(frame[3]) }
    }
    black_box(deep(1000));
}

#[test]
fn a_profile_names_what_runs_and_who_calls_it() {
    let _alone = alone();
    let (busy, idle) = (Load::new(1, calls_what_burns), Load::new(1, sleeps));
    // Until it has used some CPU time, however little of it the machine has to give.
    let run = start(Duration::from_secs(300)).expect("nobody else profiles");
    while busy.turns.load(Relaxed) < 1500 && run.left() > Duration::ZERO {
        sleeps();
    }
    run.stop();
    let profile = wait(run.profile()).expect("a profile").cpu.clone();
    busy.end();
    idle.end();
    assert_eq!(profile.kind, Kind::Cpu);
    let (total, period) = (profile.total(1), profile.period);
    assert!(profile.total(0) > 20, "{}", profile.total(0));
    assert_eq!(total, profile.total(0) * period);
    let all = profile.top();
    let share = |end: &str| {
        let found = all.iter().filter(|(name, _, _)| name.ends_with(end));
        found.map(|(_, _, total)| *total).max().unwrap_or(0) as f64 / total as f64
    };
    let text = profile.folded();
    for name in ["burns_the_cpu", "calls_what_burns"] {
        assert!(share(name) > 0.8, "{name}: {}\n{text}", share(name));
    }
    // A sleeping thread uses next to nothing: this is CPU time and not time.
    assert!(share("sleeps") < 0.1, "{text}");
    // Stacks reach from where the thread begins to where it runs, in this order.
    let order = ["calls_what_burns", "burns_the_cpu"];
    let line = text.lines().find(|line| line.contains("burns_the_cpu")).expect("the largest");
    assert!(
        line.find("thread").is_some_and(|thread| line.find(order[0]).is_some_and(|call| thread < call)),
        "{line}"
    );
    assert!(line.find(order[0]) < line.rfind(order[1]), "{line}");
}

#[test]
fn one_profile_is_taken_at_a_time_and_it_ends_early_when_told() {
    let _alone = alone();
    let run = start(Duration::from_secs(300)).expect("nobody else profiles");
    assert!(
        run.left() > Duration::from_secs(250) && current().is_some_and(|now| now.number() == run.number())
    );
    let second = start(Duration::from_secs(1)).expect_err("one at a time");
    assert_eq!(second.kind(), io::ErrorKind::ResourceBusy);
    run.stop();
    let profile = wait(run.profile()).expect("what there was").cpu.clone();
    assert!(profile.length < Duration::from_secs(250), "{:?}", profile.length);
    assert!(current().is_none() && kept()[0].0 == run.number());
    for _ in 0..9 {
        let run = start(Duration::ZERO).expect("the last has ended");
        wait(run.profile()).expect("an empty profile");
    }
    assert_eq!(kept().len(), 8, "the last eight are kept");
}

/// Two threads want the same lock, which each keeps for a while.
fn waits_for_a_lock() {
    static LOCK: Mutex<u64> = Mutex::new(0);
    let mut held = polywire_base::lock(&LOCK);
    *held += 1;
    thread::sleep(Duration::from_micros(500));
}

#[test]
fn waits_for_locks_are_told_with_who_waits() {
    let _alone = alone();
    let load = Load::new(3, waits_for_a_lock);
    let run = start(Duration::from_secs(300)).expect("nobody else profiles");
    while load.turns.load(Relaxed) < 600 {
        sleeps();
    }
    run.stop();
    let profile = wait(run.profile()).expect("a profile").contention.clone();
    load.end();
    let text = profile.folded();
    let line = text.lines().find(|line| line.contains("waits_for_a_lock")).expect("a stack");
    // What notes the wait is not on its stack.
    assert!(line.rsplit(';').next().is_some_and(|last| last.contains("waits_for_a_lock")), "{line}");
    // Two of three threads wait at any time, half a millisecond for each turn.
    assert!(profile.total(0) > 10 && profile.total(1) > profile.total(0) * 200_000, "{profile:?}");
    // Nothing is noted when no profile is being taken.
    let load = Load::new(3, waits_for_a_lock);
    while load.turns.load(Relaxed) < 50 {
        sleeps();
    }
    load.end();
    let run = start(Duration::ZERO).expect("the last has ended");
    assert_eq!(wait(run.profile()).expect("a profile").contention.total(0), 0);
}

/// The signal meets threads wherever they are: in the allocator, in the unwinder, while they are made and
/// while they end, with stacks deeper than what is copied. Each profile ends, and so does the load.
#[test]
fn nothing_is_disturbed_by_profiles_under_load() {
    let _alone = alone();
    let loads = [allocates, panics, comes_and_goes, recurses].map(|work| Load::new(2, work));
    let mut samples = 0;
    for _ in 0..4 {
        samples += taken(Duration::from_millis(700)).total(0);
    }
    assert!(samples > 0, "nothing was sampled");
    for (load, name) in loads.into_iter().zip(["allocates", "panics", "comes_and_goes", "recurses"]) {
        assert!(load.end() > 0, "{name} has not run");
    }
}

#[test]
fn samples_say_which_method_the_thread_runs() {
    static METHOD: &str = "shop.Orders/Place";
    let _alone = alone();
    let load = Load::new(1, || {
        thread_local! {
            // SAFETY: has no arguments and cannot fail.
            static OWN: Running = Running::of(unsafe { libc::gettid() });
        }
        OWN.with(|running| running.begin(&METHOD));
        burns_the_cpu();
        OWN.with(Running::end);
    });
    let other = Load::new(1, burns_the_cpu);
    let profile = taken(Duration::from_millis(500));
    load.end();
    other.end();
    let methods = profile.methods();
    let (all, of_method) = (profile.total(1), methods.first().map_or(0, |(_, value)| *value));
    assert_eq!(methods.first().map(|(name, _)| *name), Some(METHOD), "{methods:?}");
    let share = of_method as f64 / all as f64;
    assert!((0.2..0.8).contains(&share), "{share} of the time, and another thread had as much: {methods:?}");
}

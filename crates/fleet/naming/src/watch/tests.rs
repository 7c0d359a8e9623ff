use super::*;
use crate::{Schemes, source_fn};
use std::sync::{
    Mutex,
    atomic::{AtomicU32, Ordering},
};
use tokio::{sync::mpsc, time::sleep};

const LONG: Duration = Duration::from_secs(3600);

/// The next action of a test source.
enum Next {
    Set(&'static [&'static str]),
    Fail(&'static str),
    Done,
}

/// A source that follows a script, step by step.
struct Script {
    next: mpsc::UnboundedSender<Next>,
    /// The number of lookups.
    asked: Arc<AtomicU32>,
}

fn script() -> (Script, impl Source) {
    let (next, script) = mpsc::unbounded_channel();
    let script = Arc::new(tokio::sync::Mutex::new(script));
    let asked = Arc::new(AtomicU32::new(0));
    let counts = asked.clone();
    let source = source_fn("test://script", move |updates| {
        counts.fetch_add(1, Ordering::Relaxed);
        let script = script.clone();
        async move {
            let mut script = script.lock().await;
            loop {
                match script.recv().await {
                    Some(Next::Set(addresses)) => {
                        updates.set(addresses.iter().map(|at| Server::new(*at)).collect())
                    }
                    Some(Next::Fail(why)) => return Err(SourceError::new(why)),
                    Some(Next::Done) => return Ok(()),
                    None => std::future::pending().await,
                }
            }
        }
    });
    (Script { next, asked }, source)
}

impl Script {
    fn then(&self, next: Next) {
        self.next.send(next).unwrap_or_else(|_| panic!("the source is gone"));
    }
    fn asked(&self) -> u32 {
        self.asked.load(Ordering::Relaxed)
    }
}

/// A source that fails each time, at these times.
fn failing() -> (Arc<Mutex<Vec<Instant>>>, impl Source) {
    let times = Arc::new(Mutex::new(Vec::new()));
    let notes = times.clone();
    let source = source_fn("test://failing", move |_| {
        lock(&notes).push(Instant::now());
        async { Err(SourceError::new("no route")) }
    });
    (times, source)
}

fn addresses(watched: &Watched) -> Vec<String> {
    watched.set().expect("a set has come").iter().map(|server| server.address.clone()).collect()
}

fn start(source: impl Source) -> Watched {
    let (watched, work) = watch(Box::new(source));
    tokio::spawn(work);
    watched
}

#[tokio::test(start_paused = true)]
async fn the_last_set_survives_a_source_that_fails_and_its_error_is_shown_until_it_answers() {
    let (script, source) = script();
    let mut watched = start(source);
    script.then(Next::Set(&["a:1"]));
    watched.changed().await;
    script.then(Next::Fail("no route to the registry"));
    watched.changed().await;
    assert_eq!(addresses(&watched), ["a:1"]);
    assert_eq!(watched.error().unwrap().to_string(), "no route to the registry");
    script.then(Next::Set(&["a:1"]));
    watched.changed().await;
    assert_eq!(watched.error(), None);
    assert_eq!(script.asked(), 2);
}

#[tokio::test(start_paused = true)]
async fn without_a_first_set_the_error_names_the_source_the_limit_and_what_it_said() {
    let mut watched = start(failing().1);
    let error = watched.first(Duration::from_secs(2)).await.unwrap_err().to_string();
    assert_eq!(error, "test://failing: no servers within 2s: no route");
    let mut silent = start(source_fn("test://silent", |_| std::future::pending()));
    let error = silent.first(Duration::from_secs(2)).await.unwrap_err().to_string();
    assert_eq!(error, "test://silent: no servers within 2s: no answer yet");
}

#[tokio::test(start_paused = true)]
async fn pauses_double_from_a_tenth_of_a_second_to_thirty_seconds_with_jitter() {
    let (times, source) = failing();
    let _watched = start(source);
    sleep(LONG).await;
    let times = lock(&times).clone();
    let mut exact = 0;
    for (attempt, pair) in times.windows(2).enumerate() {
        let pause = (pair[1] - pair[0]).as_secs_f64();
        let mean = (0.1 * 2f64.powi(attempt.min(20) as i32)).min(30.0);
        assert!(
            (mean * 0.79..=mean * 1.21 + 0.002).contains(&pause),
            "pause {attempt}: {pause} s, not about {mean} s"
        );
        exact += u32::from((pause - mean).abs() < mean * 0.001);
    }
    assert!(times.len() > 90, "{}", times.len());
    assert!(exact < 20, "pauses differ from each other");
}

#[tokio::test(start_paused = true)]
async fn after_it_has_worked_for_a_while_a_source_is_asked_again_soon() {
    let (script, source) = script();
    let mut watched = start(source);
    for _ in 0..9 {
        script.then(Next::Fail("no")); // the next pause is 25.6 s or 30 s
    }
    sleep(Duration::from_secs(120)).await;
    script.then(Next::Set(&["a:1"]));
    watched.first(LONG).await.unwrap();
    sleep(Duration::from_secs(60)).await;
    let asked = script.asked();
    script.then(Next::Fail("lost"));
    sleep(Duration::from_millis(130)).await;
    assert_eq!(script.asked(), asked + 1);
}

#[tokio::test(start_paused = true)]
async fn an_empty_set_after_servers_is_taken_once_it_has_stood_for_thirty_seconds() {
    let (script, source) = script();
    let mut watched = start(source);
    script.then(Next::Set(&["a:1"]));
    watched.changed().await;
    sleep(Duration::from_secs(5)).await;
    let begun = Instant::now();
    script.then(Next::Set(&[]));
    sleep(Duration::from_secs(20)).await;
    script.then(Next::Set(&[])); // the same set again, as a polling source reports it: the time still passes
    assert_eq!(addresses(&watched), ["a:1"]);
    watched.changed().await;
    assert_eq!(begun.elapsed().as_secs(), 30);
    assert!(addresses(&watched).is_empty());
    let begun = Instant::now();
    script.then(Next::Set(&["a:2"]));
    watched.changed().await;
    assert_eq!(begun.elapsed(), Duration::ZERO, "servers after none are taken at once");
}

#[tokio::test(start_paused = true)]
async fn a_source_that_is_empty_now_and_then_never_empties_the_set() {
    let (script, source) = script();
    let mut watched = start(source);
    script.then(Next::Set(&["a:1"]));
    watched.changed().await;
    for _ in 0..20 {
        script.then(Next::Set(&[]));
        sleep(Duration::from_secs(29)).await;
        script.then(Next::Set(&["a:1"]));
        sleep(Duration::from_millis(10)).await;
    }
    assert!(!watched.known.has_changed().unwrap());
    assert_eq!(addresses(&watched), ["a:1"]);
}

#[tokio::test(start_paused = true)]
async fn the_first_set_may_be_empty() {
    let (script, source) = script();
    let mut watched = start(source);
    script.then(Next::Set(&[]));
    let begun = Instant::now();
    assert!(watched.first(LONG).await.unwrap().is_empty());
    assert_eq!(begun.elapsed(), Duration::ZERO);
}

#[tokio::test(start_paused = true)]
async fn the_last_set_is_kept_when_no_entry_of_an_answer_can_be_used() {
    let (script, source) = script();
    let mut watched = start(source);
    script.then(Next::Set(&["a:1"]));
    watched.changed().await;
    script.then(Next::Set(&["garbage", "more garbage"]));
    watched.changed().await;
    sleep(LONG).await;
    assert_eq!(addresses(&watched), ["a:1"]);
    let error = watched.error().unwrap().to_string();
    assert!(
        error.contains("none of its entries can be used") && error.contains("\"garbage\" has no port"),
        "{error}"
    );
}

#[tokio::test(start_paused = true)]
async fn a_source_that_changes_with_every_answer_hands_on_a_set_per_second() {
    let port = AtomicU32::new(0);
    let next = move || vec![Server::new(format!("a:{}", 1 + port.fetch_add(1, Ordering::Relaxed) % 60_000))];
    let next = Arc::new(next);
    let mut watched = start(source_fn("test://flaps", move |updates| {
        let next = next.clone();
        async move {
            loop {
                updates.set(next());
                sleep(Duration::from_millis(7)).await;
            }
        }
    }));
    let begun = Instant::now();
    for _ in 0..11 {
        watched.changed().await;
    }
    let elapsed = begun.elapsed().as_secs_f64();
    assert!((9.9..10.2).contains(&elapsed), "{elapsed}");
    // The newest set is delivered, not the oldest that waited.
    let newest: u32 = addresses(&watched)[0][2..].parse().unwrap();
    assert!(newest > 1000, "{newest}");
}

#[tokio::test(start_paused = true)]
async fn a_change_after_a_quiet_time_is_handed_on_at_once_and_one_that_is_taken_back_never() {
    let (script, source) = script();
    let mut watched = start(source);
    script.then(Next::Set(&["a:1"]));
    watched.changed().await;
    sleep(Duration::from_secs(5)).await;
    let begun = Instant::now();
    script.then(Next::Set(&["a:2"]));
    watched.changed().await;
    assert_eq!(begun.elapsed(), Duration::ZERO);
    script.then(Next::Set(&["a:3"]));
    script.then(Next::Set(&["a:2"]));
    sleep(LONG).await;
    assert!(!watched.known.has_changed().unwrap());
}

#[tokio::test(start_paused = true)]
async fn a_set_that_users_who_reach_nobody_wait_for_is_not_held_back() {
    let (script, source) = script();
    let mut watched = start(source);
    script.then(Next::Set(&["a:1"]));
    watched.changed().await;
    let begun = Instant::now();
    script.then(Next::Set(&["a:2"]));
    sleep(Duration::from_millis(1)).await;
    assert!((0..10).all(|_| watched.want()), "a newer set is on its way");
    let mut other = watched.clone();
    watched.changed().await;
    assert_eq!((addresses(&watched), begun.elapsed()), (vec!["a:2".to_owned()], Duration::from_millis(100)));
    assert!(!watched.want() && other.want(), "only one of them was shown the set");
    other.mark_shown();
    assert!(!other.want());
    // An empty set does not count as an answer: the pauses stay long.
    script.then(Next::Set(&[]));
    sleep(Duration::from_millis(1)).await;
    assert!(!watched.want(), "nobody waits for an empty set");
    sleep(Duration::from_secs(20)).await;
    assert_eq!(addresses(&watched), ["a:2"]);
}

#[tokio::test(start_paused = true)]
async fn many_users_who_want_a_look_get_one_per_second() {
    let looks = Arc::new(AtomicU32::new(0));
    let counts = looks.clone();
    let mut watched = start(source_fn("test://looks", move |updates| {
        let counts = counts.clone();
        async move {
            loop {
                counts.fetch_add(1, Ordering::Relaxed);
                updates.set(vec![Server::new("a:1")]);
                updates.wanted().await;
            }
        }
    }));
    watched.first(LONG).await.unwrap();
    for _ in 0..10_000 {
        for _ in 0..3 {
            watched.want();
        }
        sleep(Duration::from_millis(1)).await;
    }
    let within = looks.load(Ordering::Relaxed);
    assert!((9..=13).contains(&within), "{within} looks in 10 s");
    sleep(LONG).await;
    let later = looks.load(Ordering::Relaxed);
    assert!(later <= within + 1, "{later}: a look serves all that were wanted before");
}

#[tokio::test(start_paused = true)]
async fn the_work_ends_when_nobody_watches_and_drops_what_the_source_does() {
    let (alive, mut dropped) = mpsc::channel::<()>(1);
    let source = source_fn("test://waits", move |_| {
        let alive = alive.clone();
        async move {
            let _alive = alive;
            std::future::pending().await
        }
    });
    let (watched, work) = watch(Box::new(source));
    let work = tokio::spawn(work);
    let clone = watched.clone();
    drop(watched);
    tokio::task::yield_now().await;
    assert!(!work.is_finished());
    drop(clone);
    work.await.unwrap();
    assert_eq!(dropped.recv().await, None);
}

#[tokio::test(start_paused = true)]
async fn a_set_that_never_changes_stays_without_asking_again() {
    let (script, source) = script();
    let mut watched = start(source);
    script.then(Next::Set(&["a:1"]));
    script.then(Next::Done);
    watched.first(LONG).await.unwrap();
    sleep(LONG).await;
    assert_eq!((addresses(&watched), script.asked()), (vec!["a:1".to_owned()], 1));
    assert!(watched.is_running());
}

#[test]
fn a_source_whose_runtime_ends_is_resumed_by_the_next_user_on_another() {
    let runtime =
        || tokio::runtime::Builder::new_current_thread().enable_time().start_paused(true).build().unwrap();
    let (first, second) = (runtime(), runtime());
    let (script, source) = script();
    let (mut watched, work) = watch(Box::new(source));
    script.then(Next::Set(&["a:1"]));
    first.spawn(work);
    first.block_on(watched.first(LONG)).unwrap();
    watched.set();
    assert!(watched.is_running() && watched.resume().is_none());
    drop(first);
    assert!(!watched.is_running());
    assert_eq!(addresses(&watched), ["a:1"], "the set stays");
    second.block_on(async {
        watched.changed().await; // subscribers are told
        let mut other = watched.clone();
        let work = watched.resume().expect("nobody watches the source");
        assert!(other.resume().is_none(), "of two users one gets the work");
        tokio::spawn(work);
        script.then(Next::Set(&["a:2"]));
        other.changed().await;
        assert_eq!(addresses(&watched), ["a:2"]);
    });
}

#[tokio::test(start_paused = true)]
async fn a_source_that_always_panics_is_asked_again_after_pauses() {
    let asked = Arc::new(AtomicU32::new(0));
    let counts = asked.clone();
    let watched = start(source_fn("test://panics", move |_| {
        counts.fetch_add(1, Ordering::Relaxed);
        async { panic!("a mistake in a source") }
    }));
    sleep(Duration::from_secs(10)).await;
    assert!(watched.is_running());
    let asked = asked.load(Ordering::Relaxed);
    assert!((5..=9).contains(&asked), "{asked}");
}

#[tokio::test(start_paused = true)]
async fn filters_are_each_users_own_and_add_up() {
    let source = Schemes::builtin().open("list://a:1 main,b:1 main,c:1 canary").unwrap();
    let (mut watched, work) = watch(Box::new(source));
    tokio::spawn(work);
    let mut main = watched.clone().filter(|server| server.tag == "main");
    let one = main.clone().filter(|server| server.address == "b:1");
    assert_eq!(main.first(LONG).await.unwrap().len(), 2);
    assert_eq!(addresses(&one), ["b:1"]);
    assert_eq!(watched.first(LONG).await.unwrap().len(), 3);
}

/// First as it is called, then as it is polled.
#[tokio::test(start_paused = true)]
async fn a_source_that_panics_has_failed_and_is_asked_again() {
    let asked = Arc::new(AtomicU32::new(0));
    let counts = asked.clone();
    let source = source_fn("test://", move |updates| {
        let asked = counts.fetch_add(1, Ordering::Relaxed);
        assert!(asked > 0, "of the source");
        async move {
            assert!(asked > 1, "of its future");
            updates.set(vec![Server::new("a:1")]);
            Ok(())
        }
    });
    let (mut watched, work) = watch(Box::new(source));
    let work = tokio::spawn(work);
    for error in ["it has panicked: of the source", "it has panicked: of its future"] {
        watched.changed().await;
        assert_eq!(watched.error().unwrap().to_string(), error);
    }
    watched.changed().await;
    assert_eq!(watched.set().unwrap().len(), 1);
    assert!(watched.error().is_none() && !work.is_finished());
    assert_eq!(asked.load(Ordering::Relaxed), 3);
}

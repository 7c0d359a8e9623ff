//! Calls that are much older than those of their method usually get.
//!
//! Connections own the table of their calls, so they are asked, as the page `/tasks` asks them; nobody waits
//! for what they answer: a look at the findings begins a question, and the next look has the answer. At most
//! one question in ten seconds.

use super::{
    figures::{Ages, Figures},
    holds::Found,
    words::{link, method_link},
};
use crate::asking::Askers;
use polywire_base::lock;
use polywire_console::Mark;
use polywire_engine::{clock, spawn_on};
use polywire_server::facts::{Answers, Found as Tasks, LiveServer, MOST, Place, Wanted, What};
use std::{
    sync::{Arc, Mutex},
    time::{Duration, Instant},
};

/// How often connections are asked.
const EVERY: Duration = Duration::from_secs(10);
/// An answer that is older says nothing.
const STALE: Duration = Duration::from_secs(30);
/// A call that is younger is not old, however quick the others are.
pub(super) const LEAST_AGE: Duration = Duration::from_secs(30);

/// What connections have answered.
#[derive(Default)]
pub(super) struct OldCalls(Arc<Mutex<State>>);

#[derive(Default)]
struct State {
    asked: Option<Instant>,
    answered: Option<(Instant, Ages)>,
}

impl OldCalls {
    /// The ages of calls in flight as of the last answer, which is a few seconds old; asks again.
    pub fn look(&self, server: &Arc<dyn LiveServer>, askers: &Askers, now: Instant) -> Ages {
        let mut state = lock(&self.0);
        if state.asked.is_none_or(|asked| now.saturating_duration_since(asked) >= EVERY) {
            state.asked = Some(now);
            let (server, askers, state) = (server.clone(), askers.clone(), self.0.clone());
            let work = server.engine().work().clone();
            drop(spawn_on(&work, async move {
                let Ok(_place) = askers.place("the calls in flight").await else { return };
                let connections = server.connections().into_iter().filter(|one| one.calls() > 0);
                let wanted = Wanted::new("", std::iter::empty(), MOST);
                let found = Answers::of(connections, What::List(Arc::new(wanted))).await;
                let now = clock::now();
                lock(&state).answered = Some((now, ages(found, &*server, now)));
            }));
        }
        match &state.answered {
            Some((at, ages)) if now.saturating_duration_since(*at) < STALE => ages.clone(),
            _ => Ages::new(),
        }
    }
}

/// Streams have no age that they should not have.
fn ages(found: Tasks, server: &dyn LiveServer, now: Instant) -> Ages {
    let streams = |method: u32| server.methods().get(method as usize).is_none_or(|method| method.streaming);
    let mut ages = Ages::new();
    let age = |began: Instant| now.saturating_duration_since(began);
    for task in found.oldest.into_sorted_vec() {
        if let Some(method) = task.method.filter(|method| !task.streams && !streams(*method)) {
            ages.entry(method).or_default().push(age(task.began));
        }
    }
    // Very many streams leave no room among the oldest.
    for ((method, place), (_, oldest)) in found.groups {
        if let Some(method) = method.filter(|method| place != Place::Stream && !streams(*method)) {
            let oldest = age(oldest);
            let ages = ages.entry(method).or_default();
            if ages.first().is_none_or(|age| *age < oldest) {
                ages.insert(0, oldest);
            }
        }
    }
    ages.values_mut().for_each(|ages| ages.retain(|age| *age >= LEAST_AGE));
    ages.retain(|_, ages| !ages.is_empty());
    ages
}

/// "call older than 10 x its method's p99.9 and 30 s (no streams): 1; 100". The percentile is that of all its
/// calls since the start.
pub(super) fn old_calls(figures: &Figures) -> Vec<Found> {
    let found = figures.old_calls.iter().filter_map(|method| {
        let least = LEAST_AGE.max(method.usual.saturating_mul(10));
        let count = method.ages.iter().filter(|age| **age >= least).count();
        let oldest = method.ages.first().filter(|_| count > 0)?;
        let mark = if count >= 100 { Mark::Bad } else { Mark::Warn };
        let usual = match method.usual {
            Duration::ZERO => "none has ended yet".to_owned(),
            usual => format!("99.9 % took at most {usual:.3?}"),
        };
        let text = format!(
            "{} has {count} calls in flight that are older than {:.0} s, the oldest {:.0} s: {usual}",
            method.name,
            least.as_secs_f64(),
            oldest.as_secs_f64()
        );
        let links = vec![link("tasks", "tasks"), method_link(&method.name)];
        Some(Found { rule: "old_calls", subject: method.name.clone(), mark, text, links })
    });
    found.collect()
}

#[cfg(test)]
mod tests {
    use super::{super::figures::OldCall, *};

    #[test]
    fn a_call_is_old_by_its_method_and_after_30_seconds() {
        let s = Duration::from_secs;
        let of = |ages: Vec<Duration>, usual| {
            let old_calls = vec![OldCall { name: "a/b".into(), ages, usual }];
            old(&Figures { old_calls, ..Figures::default() }).pop().map(|found| found.mark)
        };
        assert_eq!(of(vec![s(29)], s(0)), None);
        assert_eq!(of(vec![s(30)], s(0)), Some(Mark::Warn));
        assert_eq!(of(vec![s(60), s(49)], s(5)), Some(Mark::Warn));
        assert_eq!(of(vec![s(49)], s(5)), None, "its calls take five seconds");
        assert_eq!(of(vec![s(50); 99], s(5)), Some(Mark::Warn));
        assert_eq!(of(vec![s(50); 100], s(5)), Some(Mark::Bad));
    }
    use super::old_calls as old;
}

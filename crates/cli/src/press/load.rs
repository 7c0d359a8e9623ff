//! One run: callers on load threads, and what they count.

use super::{
    caller::Caller,
    open::{self, Paced, Schedule},
    plan::{Plan, Step},
    recorder::{self, Share},
    tally::Tally,
};
use crate::failure::Failure;
use polywire::{Channel, Engine, Raw, Reply};
use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering::*},
    },
    thread,
    time::{Duration, Instant},
};
use tokio::sync::{Notify, mpsc};

/// What came of a run.
pub struct Run {
    pub step: Step,
    pub tally: Tally,
    /// From the start to the planned end, or to the last call's end if that was earlier.
    pub elapsed: Duration,
    /// CPU time of the whole process.
    pub cpu: Duration,
    pub connections: usize,
    pub threads: usize,
    /// Callers whose call was still under way when the run was given up.
    pub unfinished: bool,
}

/// How long calls under way are waited for after the end, beyond their time limit.
const PATIENCE: Duration = Duration::from_secs(2);

const SECOND: Duration = Duration::from_secs(1);
/// How long load threads are given to publish a second's counts.
const LAG: Duration = Duration::from_millis(20);

/// Runs one step. `second` is told what each second brought.
pub async fn run(
    plan: &Plan,
    engine: &Engine,
    step: Step,
    stop: &Arc<AtomicBool>,
    output: Option<mpsc::Sender<Reply<Raw>>>,
    mut second: impl FnMut(Duration, &Tally),
) -> Result<Run, Failure> {
    let connections = plan.connections.unwrap_or(step.callers);
    let threads = if plan.blocking { step.callers } else { plan.threads.min(connections) };
    let channels = (0..connections).map(|_| plan.peer.channel()).collect::<Result<Vec<_>, _>>()?;
    let mut callers: Vec<Vec<Caller>> = (0..threads).map(|_| Vec::new()).collect();
    for index in 0..step.callers {
        let channel = index % connections;
        let thread = if plan.blocking { index } else { channel % threads };
        callers[thread].push(caller(plan, &channels[channel], index, &output));
    }
    drop(output);

    let (tallies, mut published) = mpsc::unbounded_channel();
    let over = Arc::new(AtomicBool::new(false));
    let cpu = polywire_engine::os::process_cpu_time();
    let start = Instant::now();
    let until = plan.duration.map(|duration| start + duration);
    let mut paced = Vec::new();
    for (index, callers) in callers.into_iter().enumerate() {
        let share = Share {
            callers: callers.len(),
            calls: plan.count.map_or(u64::MAX, |count| part(count, index, threads)),
            start,
            until,
            stop: stop.clone(),
            tallies: tallies.clone(),
            schedule: step.qps.map(|qps| Schedule::new(start, qps, index, threads)),
            redis: plan.requests.subject.is_redis(),
        };
        if plan.blocking {
            on_plain_thread(share, callers)?;
        } else if let Some(schedule) = share.schedule {
            let bell = Arc::new(Notify::new());
            paced.push(Paced { schedule, bell: bell.clone() });
            engine.shards()[index].spawn(async move {
                recorder::enter(share);
                callers.into_iter().for_each(|caller| drop(tokio::spawn(caller.open())));
                open::answer(bell).await;
            });
        } else {
            engine.shards()[index].spawn(async move {
                recorder::enter(share);
                callers.into_iter().for_each(|caller| drop(tokio::spawn(caller.closed())));
            });
        }
    }
    drop(tallies);
    if !paced.is_empty() {
        let over = over.clone();
        thread::Builder::new().name("press-pacer".into()).spawn(move || open::pace(&paced, &over))?;
    }

    let mut total = Tally::new();
    let unfinished = !collect(plan, engine, start, stop, &mut published, &mut total, &mut second).await;
    over.store(true, Relaxed);
    let ended = Instant::now();
    let elapsed = until.map_or(ended, |until| until.min(ended)) - start;
    let made = channels.iter().map(Channel::connections_made).sum::<usize>();
    Ok(Run {
        step,
        tally: total,
        elapsed,
        cpu: polywire_engine::os::process_cpu_time() - cpu,
        connections: made.max(connections),
        threads,
        unfinished,
    })
}

fn caller(plan: &Plan, channel: &Channel, index: usize, output: &Option<mpsc::Sender<Reply<Raw>>>) -> Caller {
    Caller {
        channel: channel.clone(),
        target: plan.target.clone(),
        requests: plan.requests.bodies,
        next: index % plan.requests.bodies.len(),
        extras: plan.extras.clone(),
        timeout: plan.peer.timeout(),
        output: output.clone(),
    }
}

/// The `index`th of `parts` nearly equal parts.
fn part(whole: u64, index: usize, parts: usize) -> u64 {
    let (parts, index) = (parts as u64, index as u64);
    whole / parts + u64::from(index < whole % parts)
}

fn on_plain_thread(share: Share, callers: Vec<Caller>) -> Result<(), Failure> {
    thread::Builder::new().name("press".into()).spawn(move || {
        recorder::enter(share);
        callers.into_iter().for_each(Caller::blocking);
    })?;
    Ok(())
}

/// Adds up what is published until every caller has left; false if they were given up.
async fn collect(
    plan: &Plan,
    engine: &Engine,
    start: Instant,
    stop: &AtomicBool,
    published: &mut mpsc::UnboundedReceiver<Tally>,
    total: &mut Tally,
    second: &mut impl FnMut(Duration, &Tally),
) -> bool {
    let mut ticks = tokio::time::interval_at((start + SECOND + LAG).into(), SECOND);
    let patience = plan.peer.timeout().unwrap_or(Duration::from_secs(10)) + PATIENCE;
    let mut give_up = plan.duration.map(|duration| start + duration + patience);
    let mut asked = false;
    let mut recent = Tally::new();
    loop {
        tokio::select! {
            tally = published.recv() => match tally {
                Some(tally) => {
                    recent.merge(&tally);
                    total.merge(&tally);
                }
                None => {
                    if recent.calls() > 0 {
                        second(start.elapsed(), &recent);
                    }
                    return true;
                }
            },
            _ = ticks.tick() => {
                let now = Instant::now();
                second(now - start, &recent);
                recent = Tally::new();
                if stop.load(Relaxed) {
                    give_up.get_or_insert(now + patience);
                }
                if give_up.is_some_and(|at| now >= at) {
                    if asked {
                        return false;
                    }
                    // What is counted so far; the calls under way stay uncounted.
                    asked = true;
                    engine.shards().iter().for_each(|shard| drop(shard.spawn(async { recorder::publish() })));
                }
            }
        }
    }
}

//! One run: callers on load threads, and their counts.

use super::{
    caller::{self, Caller, Calls},
    open::{self, Paced, Schedule},
    recorder::{self, Share},
    streams::Kind,
    tally::Tally,
};
use crate::{
    failure::Failure,
    peer::PeerArguments,
    request::{Extras, Requests},
};
use polywire::{Channel, Engine, Raw, Reply, Target};
use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering::*},
    },
    thread,
    time::{Duration, Instant},
};
use tokio::sync::{Notify, mpsc};

/// The load, and the server.
pub struct Load {
    pub peer: PeerArguments,
    pub requests: Requests,
    /// Metadata, attachment and compression of each request.
    pub extras: Option<Arc<Extras>>,
    /// Number of connections; `None`: each caller has its own.
    pub connections: Option<usize>,
    /// `None`: until the count is reached, or the run is stopped.
    pub duration: Option<Duration>,
    pub count: Option<u64>,
    /// Whether each caller is a plain thread.
    pub blocking: bool,
    /// Set if the method streams.
    pub kind: Option<Kind>,
}

/// The size of the load.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Step {
    pub callers: usize,
    /// Calls per second, in an open loop.
    pub qps: Option<f64>,
}

/// The result of a run.
pub struct Run {
    pub step: Step,
    pub tally: Tally,
    /// The time from the start to the planned end; or to the end of the last call, if that was earlier or no
    /// call ended in time.
    pub elapsed: Duration,
    /// CPU time of the whole process.
    pub cpu: Duration,
    pub connections: usize,
    pub threads: usize,
    /// Whether callers still had a call in flight when the run was aborted.
    pub unfinished: bool,
}

/// How long the run waits at its end for calls in flight, beyond their time limit.
const TIME_LIMIT: Duration = Duration::from_secs(2);

const SECOND: Duration = Duration::from_secs(1);
/// Time that load threads have to publish the counts of a second.
const LAG: Duration = Duration::from_millis(20);

/// Runs one step on the engine's shards. `second` is called with the counts of each second.
pub async fn run(
    load: &Load,
    engine: &Engine,
    step: Step,
    stop: &Arc<AtomicBool>,
    output: Option<mpsc::Sender<Reply<Raw>>>,
    second: impl FnMut(Duration, &Tally),
) -> Result<Run, Failure> {
    let connections = load.connections.unwrap_or(step.callers);
    let threads = if load.blocking { step.callers } else { engine.shards().len().min(connections) };
    let channels = (0..connections).map(|_| load.peer.channel()).collect::<Result<Vec<_>, _>>()?;
    let target = load.requests.subject.target();
    let mut callers: Vec<Vec<Caller>> = (0..threads).map(|_| Vec::new()).collect();
    for index in 0..step.callers {
        let channel = index % connections;
        let thread = if load.blocking { index } else { channel % threads };
        callers[thread].push(caller(load, &target, &channels[channel], index, &output));
    }
    drop(output);
    let bounds = Bounds {
        duration: load.duration,
        count: load.count,
        timeout: load.peer.timeout(),
        redis: load.requests.subject.is_redis(),
    };
    let blocking = load.blocking.then_some(on_plain_thread as Blocking);
    let mut run = drive(&bounds, engine, step, callers, blocking, stop, second).await?;
    let made = channels.iter().map(Channel::connections_made).sum::<usize>();
    run.connections = made.max(connections);
    Ok(run)
}

/// The end of a run, and the check of its replies.
pub struct Bounds {
    /// `None`: until the count is reached, or the run is stopped.
    pub duration: Option<Duration>,
    pub count: Option<u64>,
    /// Time limit of a call.
    pub timeout: Option<Duration>,
    /// Whether replies are RESP.
    pub redis: bool,
}

/// The time span of the calls that count for the rate. If no call ended before the planned end, all of them
/// count, and the span ends with the last one: otherwise a run whose calls were all answered would show a
/// rate of 0.
fn elapsed(total: &mut Tally, planned: Option<Duration>, took: Duration) -> Duration {
    if total.in_time > 0 {
        return planned.map_or(took, |planned| planned.min(took));
    }
    total.in_time = total.successes();
    took
}

/// Runs the callers of a thread where callers are plain threads.
type Blocking = fn(Share, Vec<Caller>) -> Result<(), Failure>;

/// Runs callers, those of each thread together, at the step's rate. `second` is called with the counts of
/// each second.
pub async fn drive<C: Calls>(
    bounds: &Bounds,
    engine: &Engine,
    step: Step,
    callers: Vec<Vec<C>>,
    blocking: Option<fn(Share, Vec<C>) -> Result<(), Failure>>,
    stop: &Arc<AtomicBool>,
    mut second: impl FnMut(Duration, &Tally),
) -> Result<Run, Failure> {
    let threads = callers.len();
    let (tallies, mut published) = mpsc::unbounded_channel();
    let over = Arc::new(AtomicBool::new(false));
    let cpu = polywire_engine::os::process_cpu_time();
    let start = Instant::now();
    let until = bounds.duration.map(|duration| start + duration);
    let mut paced = Vec::new();
    for (index, callers) in callers.into_iter().enumerate() {
        let share = Share {
            callers: callers.len(),
            calls: bounds.count.map_or(u64::MAX, |count| part(count, index, threads)),
            start,
            until,
            stop: stop.clone(),
            tallies: tallies.clone(),
            schedule: step.qps.map(|qps| Schedule::new(start, qps, index, threads)),
            redis: bounds.redis,
        };
        if let Some(run) = blocking {
            run(share, callers)?;
        } else if let Some(schedule) = share.schedule {
            let bell = Arc::new(Notify::new());
            paced.push(Paced { schedule, bell: bell.clone() });
            engine.shards()[index].spawn(async move {
                recorder::enter(share);
                callers.into_iter().for_each(|caller| drop(tokio::spawn(caller::open(caller))));
                open::answer(bell).await;
            });
        } else {
            engine.shards()[index].spawn(async move {
                recorder::enter(share);
                callers.into_iter().for_each(|caller| drop(tokio::spawn(caller::closed(caller))));
            });
        }
    }
    drop(tallies);
    if !paced.is_empty() {
        let over = over.clone();
        thread::Builder::new().name("press-pacer".into()).spawn(move || open::pace(&paced, &over))?;
    }

    let mut total = Tally::new();
    let unfinished = !collect(bounds, engine, start, stop, &mut published, &mut total, &mut second).await;
    over.store(true, Relaxed);
    let ended = Instant::now();
    let elapsed = elapsed(&mut total, bounds.duration, ended - start);
    Ok(Run {
        step,
        tally: total,
        elapsed,
        cpu: polywire_engine::os::process_cpu_time() - cpu,
        connections: 0,
        threads,
        unfinished,
    })
}

fn caller(
    load: &Load,
    target: &Target,
    channel: &Channel,
    index: usize,
    output: &Option<mpsc::Sender<Reply<Raw>>>,
) -> Caller {
    Caller {
        channel: channel.clone(),
        target: target.clone(),
        requests: load.requests.bodies,
        keys: load.requests.keys,
        next: index % load.requests.bodies.len(),
        extras: load.extras.clone(),
        timeout: if load.kind.is_some() { load.peer.stream_timeout() } else { load.peer.timeout() },
        kind: load.kind,
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

/// Adds up published counts until every caller has left; false if they were aborted.
async fn collect(
    bounds: &Bounds,
    engine: &Engine,
    start: Instant,
    stop: &AtomicBool,
    published: &mut mpsc::UnboundedReceiver<Tally>,
    total: &mut Tally,
    second: &mut impl FnMut(Duration, &Tally),
) -> bool {
    let mut ticks = tokio::time::interval_at((start + SECOND + LAG).into(), SECOND);
    let patience = bounds.timeout.unwrap_or(Duration::from_secs(10)) + TIME_LIMIT;
    let mut give_up = bounds.duration.map(|duration| start + duration + patience);
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
                    // Publishes what is counted so far; calls in flight stay uncounted.
                    asked = true;
                    engine.shards().iter().for_each(|shard| drop(shard.spawn(async { recorder::publish() })));
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn calls_that_all_end_behind_the_planned_end_have_a_rate() {
        let (planned, took) = (Some(Duration::from_millis(150)), Duration::from_millis(400));
        let mut total = Tally::new();
        (0..10).for_each(|_| total.succeeded(Duration::from_millis(136), 1));
        assert_eq!((elapsed(&mut total, planned, took), total.in_time), (took, 10));
        total.in_time = 4;
        assert_eq!((elapsed(&mut total, planned, took), total.in_time), (planned.unwrap(), 4));
        assert_eq!(elapsed(&mut total, None, took), took);
        assert_eq!((elapsed(&mut Tally::new(), planned, took), Tally::new().in_time), (took, 0));
    }
}

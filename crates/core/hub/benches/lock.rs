//! How long threads wait for the lock of a hub: docs/design/hub-lock.md.
//!
//! ```text
//! RUSTFLAGS="--cfg hub_measure" CARGO_TARGET_DIR=target/measure cargo bench -p polywire-hub --bench lock
//! ```
//!
//! One thread is the application, one or two others are shards. They do to the hub what connections do, and
//! nothing else: no parsing, no system calls. So the shares are those of a load that no real connections
//! reach.

#[cfg(not(hub_measure))]
fn main() {
    println!("built without --cfg hub_measure: nothing is measured");
}

#[cfg(hub_measure)]
fn main() {
    measured::main();
}

#[cfg(hub_measure)]
mod measured {
    use bytes::Bytes;
    use polywire_base::{IoBuf, Output};
    use polywire_call::Status;
    use polywire_hub::{Hub, Options, Seat};
    use polywire_wire::{
        Credit, Cx, Exchange, Head, Host, Limits, Machine, Outcome, Part, Route, Step, WireError,
    };
    use std::{
        collections::VecDeque,
        sync::{
            Arc, Barrier,
            atomic::{AtomicBool, AtomicU64, Ordering::Relaxed},
        },
        task::Waker,
        thread,
        time::{Duration, Instant},
    };

    const TIME: Duration = Duration::from_secs(2);
    const MESSAGE: [u8; 64] = [7; 64];

    /// A connection whose socket takes everything.
    struct Drain;
    impl Machine for Drain {
        fn poll<'a>(&'a mut self, _: &'a mut Cx<'_>) -> Result<Step<'a>, WireError> {
            Ok(Step::Need(1))
        }
        fn finish(&mut self, _: &mut Cx<'_>, _: Exchange, _: Outcome) {}
        fn send(&mut self, _: &mut Cx<'_>, _: Exchange, _: &Part) -> Credit {
            Credit::OPEN
        }
    }

    struct NoCalls;
    impl Host for NoCalls {
        fn admit(&mut self, _: &Head<'_>, _: Option<usize>) -> Result<Route, Status> {
            Err(Status::unimplemented(""))
        }
        fn admit_reply(&mut self, _: Exchange, _: usize) -> bool {
            false
        }
    }

    /// What the other threads of a run are told, and tell.
    struct Run {
        hub: Arc<Hub>,
        stop: AtomicBool,
        messages: AtomicU64,
        begin: Barrier,
    }

    pub fn main() {
        for shards in [1, 2] {
            for (name, work) in [("pipeline, one at a time", 1), ("pipeline, runs of 64", 64)] {
                let run = run(shards, Options::default());
                measure(name, shards, &run, |run| deliver(run, work), take);
            }
            for seats in [1, 4, 16] {
                let run = run(shards, Options::default().send_high_water(10_000));
                measure(
                    &format!("publish to {} subscribers", seats * shards),
                    shards,
                    &run,
                    |run| serve(run, seats),
                    publish,
                );
            }
        }
    }

    fn run(shards: usize, options: Options) -> Arc<Run> {
        let (hub, begin) = (Hub::new(options), Barrier::new(shards + 2));
        Arc::new(Run { hub, stop: AtomicBool::new(false), messages: AtomicU64::new(0), begin })
    }

    fn measure(
        name: &str,
        shards: usize,
        run: &Arc<Run>,
        shard: impl Fn(&Run) + Send + Copy,
        application: impl Fn(&Run) + Send,
    ) {
        thread::scope(|scope| {
            for _ in 0..shards {
                scope.spawn(move || shard(run));
            }
            scope.spawn(move || application(run));
            run.begin.wait();
            let (before, began) = (polywire_hub::lock_figures(), Instant::now());
            let messages = run.messages.load(Relaxed);
            thread::sleep(TIME);
            let (after, took) = (polywire_hub::lock_figures(), began.elapsed());
            let messages = run.messages.load(Relaxed) - messages;
            run.stop.store(true, Relaxed);
            let (locks, contended) = (after.0 - before.0, after.1 - before.1);
            let waited = Duration::from_nanos(after.2 - before.2);
            let thread_time = took * (shards as u32 + 1);
            println!(
                "{name:28} {shards} shards: {:6.2} M messages/s, {:5.2} M locks/s, {:4.1} % contended, {:4.1} % of the time waited",
                messages as f64 / took.as_secs_f64() / 1e6,
                locks as f64 / took.as_secs_f64() / 1e6,
                100.0 * contended as f64 / locks as f64,
                100.0 * waited.as_secs_f64() / thread_time.as_secs_f64(),
            );
        });
    }

    fn seats(run: &Run, n: usize) -> Vec<Seat> {
        let seat = |_| Seat::new(&run.hub, b"", &Limits::DEFAULT).expect("there is a place");
        (0..n).map(seat).collect()
    }

    /// A shard with four connections that receive messages, several at a time.
    fn deliver(run: &Run, at_a_time: u32) {
        let mut seats = seats(run, 4);
        let bytes: IoBuf = Bytes::from(MESSAGE.repeat(at_a_time as usize)).into();
        run.begin.wait();
        let mut unread = 0;
        while !run.stop.load(Relaxed) {
            for seat in &mut seats {
                let part = Part {
                    bytes: bytes.clone(),
                    others: at_a_time - 1,
                    end_of_message: true,
                    ..Part::default()
                };
                seat.part(part);
                let _ = seat.sleep(Waker::noop());
            }
            unread += 4 * u64::from(at_a_time);
            // As far ahead as a high-water mark allows.
            while unread > run.messages.load(Relaxed) + 4096 && !run.stop.load(Relaxed) {
                thread::yield_now();
            }
        }
    }

    /// The application receives.
    fn take(run: &Run) {
        let mut taken = VecDeque::new();
        run.begin.wait();
        while !run.stop.load(Relaxed) {
            if run.hub.take(&mut taken) == 0 {
                thread::yield_now();
            }
            let bytes: usize = taken.drain(..).map(|(_, run)| run.len()).sum();
            run.messages.fetch_add((bytes / MESSAGE.len()) as u64, Relaxed);
        }
    }

    /// A shard with this many connections that send what was published.
    fn serve(run: &Run, n: usize) {
        let mut seats = seats(run, n);
        seats.iter_mut().for_each(|seat| assert!(seat.topic(true, b"")));
        run.begin.wait();
        let (mut input, mut out, mut host) = (IoBuf::default(), Output::default(), NoCalls);
        let now = Instant::now();
        while !run.stop.load(Relaxed) {
            let mut served = 0;
            for seat in &mut seats {
                let mut cx = Cx { now, input: &mut input, out: &mut out, host: &mut host };
                served += seat.serve(&mut Drain, &mut cx, 16);
            }
            if served == 0 {
                thread::yield_now();
            }
        }
    }

    /// The application publishes.
    fn publish(run: &Run) {
        run.begin.wait();
        while !run.stop.load(Relaxed) {
            let reached = run.hub.publish(b"topic", |out: &mut Output| out.put(&MESSAGE));
            if reached == 0 {
                thread::yield_now();
            }
            run.messages.fetch_add(reached as u64, Relaxed);
        }
    }
}

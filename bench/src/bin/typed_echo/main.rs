//! Calls as a user's program makes them: generated stubs, so that every call encodes its request and decodes
//! its reply, on the runtime that was asked for. The server is `polywire serve`, whose handlers are generated
//! in the same way.

use std::pin::Pin;
use std::str::FromStr;
use std::time::{Duration, Instant};

use polywire::{Channel, Engine, IoBuf, Resilience, balance::BreakerSettings};
use polywire_bench::{Args, Kind, Load, Recorder, args::wrong_use, report::Began};
use tokio::task::JoinHandle;

polywire::include!();

use example::StreamClient;

mod echo_call;
mod streams;

use echo_call::Echo;

const USAGE: &str =
    "usage: typed_echo press --server ADDR --protocol NAME --runtime shard|current|multi|blocking
         [--kind unary|repeat|collect|chat] [--messages N]
         [--callers N] [--connections N] [--bytes B] [--attachment B] [--duration S] [--spin US]
         [--balancer NAME] [--retries N] [--breaker 0|1]";

/// Above the longest load; without it a call of many megabytes on a busy machine would be cut off by the
/// default.
const TIMEOUT: Duration = Duration::from_secs(20);

type BoxFuture<T> = Pin<Box<dyn Future<Output = T> + Send>>;

/// Where callers, and with them their connections, run.
#[derive(Clone, Copy)]
enum Runtime {
    /// A shard of an engine of our own.
    Shard,
    /// tokio with one thread, as in `#[tokio::main(flavor = "current_thread")]`.
    Current,
    /// tokio as `#[tokio::main]` makes it: a worker for each processor.
    Multi,
    /// No runtime: a plain thread for each caller, which blocks in its call.
    Blocking,
}

impl FromStr for Runtime {
    type Err = ();

    fn from_str(name: &str) -> Result<Runtime, ()> {
        match name {
            "shard" => Ok(Runtime::Shard),
            "current" => Ok(Runtime::Current),
            "multi" => Ok(Runtime::Multi),
            "blocking" => Ok(Runtime::Blocking),
            _ => Err(()),
        }
    }
}

fn main() -> polywire::Result<()> {
    let args = Args::from_env(USAGE);
    if args.verb != "press" {
        wrong_use(&format!("`{}` is no verb", args.verb), USAGE);
    }
    let load = Load::from_args(&args);
    let runtime = args.get("runtime", Runtime::Multi);
    if matches!(runtime, Runtime::Blocking) && load.kind != Kind::Unary {
        wrong_use("only unary calls can block", USAGE);
    }
    let callers = callers(&args, &load)?;
    let (began, all) = match runtime {
        Runtime::Shard => {
            let spin = Duration::from_micros(args.get("spin", 0));
            let engine = Engine::builder().shards(1).workers(1).spin(spin).build()?;
            let shard = engine.shards()[0].clone();
            let pressed = shard.clone().spawn(press(callers, load.clone(), move |run| shard.spawn(run)));
            tokio::runtime::Builder::new_current_thread().build()?.block_on(pressed)??
        }
        Runtime::Current => {
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
            runtime.block_on(press(callers, load.clone(), tokio::spawn))?
        }
        Runtime::Multi => {
            let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
            runtime.block_on(press(callers, load.clone(), tokio::spawn))?
        }
        Runtime::Blocking => {
            callers.iter().take(load.connections).for_each(Caller::connect_blocking);
            let began = Began::now();
            let end = Instant::now() + load.duration;
            let threads: Vec<_> = callers
                .into_iter()
                .map(|caller| std::thread::spawn(move || caller.run_blocking(end)))
                .collect();
            let mut all = Recorder::default();
            threads.into_iter().for_each(|thread| all.add(&thread.join().expect("a caller does not panic")));
            (began, all)
        }
    };
    began.report(&all, load.bytes).print();
    Ok(())
}

/// Connects, as the rivals do before they measure, and lets all callers run.
async fn press(
    callers: Vec<Caller>,
    load: Load,
    spawn: impl Fn(BoxFuture<Recorder>) -> JoinHandle<Recorder>,
) -> polywire::Result<(Began, Recorder)> {
    for caller in callers.iter().take(load.connections) {
        caller.connect().await;
    }
    let began = Began::now();
    let end = Instant::now() + load.duration;
    let tasks: Vec<_> = callers.into_iter().map(|caller| spawn(Box::pin(caller.run(end)))).collect();
    let mut all = Recorder::default();
    for task in tasks {
        all.add(&task.await?);
    }
    Ok((began, all))
}

fn callers(args: &Args, load: &Load) -> polywire::Result<Vec<Caller>> {
    let protocol = args.get("protocol", "baidu_std".to_owned());
    let balancer = args.get("balancer", String::new());
    let (retries, breaker) = (args.get("retries", 0), args.get("breaker", 0));
    let channel = || {
        let mut resilience = Resilience::default().retries(retries);
        if !balancer.is_empty() {
            resilience = resilience.balancer(&balancer);
        }
        if breaker != 0 {
            resilience = resilience.breaker(BreakerSettings::default());
        }
        let builder =
            Channel::builder(&*load.server).protocol(&*protocol).timeout(TIMEOUT).resilience(resilience);
        builder.build()
    };
    let channels = (0..load.connections).map(|_| channel()).collect::<Result<Vec<_>, _>>()?;
    let attachment = IoBuf::from(vec![7; args.get("attachment", 0)]);
    let text = "x".repeat(load.bytes);
    let caller = |index: usize| Caller {
        load: load.clone(),
        echo: Echo::new(channels[index % channels.len()].clone(), &protocol),
        streams: StreamClient::new(channels[index % channels.len()].clone()),
        text: text.clone(),
        attachment: attachment.clone(),
    };
    Ok((0..load.callers).map(caller).collect())
}

/// One call under way at a time.
struct Caller {
    load: Load,
    echo: Echo,
    streams: StreamClient,
    text: String,
    attachment: IoBuf,
}

impl Caller {
    /// A first call on its channel; one that fails will fail again when it counts.
    async fn connect(&self) {
        self.echo.call("", &IoBuf::new()).await;
    }

    fn connect_blocking(&self) {
        self.echo.call_blocking("", &IoBuf::new());
    }

    async fn run(self, end: Instant) -> Recorder {
        let mut recorder = Recorder::default();
        let mut sent = Instant::now();
        while sent < end {
            let answered = match self.load.kind {
                Kind::Unary => self.echo.call(&self.text, &self.attachment).await,
                kind => streams::call(&self.streams, kind, &self.text, self.load.messages).await.is_ok(),
            };
            sent = record(&mut recorder, sent, answered);
        }
        recorder
    }

    fn run_blocking(self, end: Instant) -> Recorder {
        let mut recorder = Recorder::default();
        let mut sent = Instant::now();
        while sent < end {
            let same = self.echo.call_blocking(&self.text, &self.attachment);
            sent = record(&mut recorder, sent, same);
        }
        recorder
    }
}

/// Counts a call that was sent then; the end of one is the start of the next.
fn record(recorder: &mut Recorder, sent: Instant, answered: bool) -> Instant {
    let now = Instant::now();
    match answered {
        true => recorder.answered(now - sent),
        false => recorder.failed(),
    }
    now
}

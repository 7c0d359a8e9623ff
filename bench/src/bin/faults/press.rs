//! An open loop: each call is made at its time, whatever became of the ones before.

use std::collections::BTreeSet;
use std::fmt::Write;
use std::future::Future;
use std::io::BufRead;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use polywire::balance::{FailurePercentage, Outliers};
use polywire::naming::{Server, source_fn};
use polywire::{Channel, Resilience};
use polywire_bench::{Args, args::wrong_use};
use tokio::sync::watch;
use tonic::transport::channel::Change;
use tonic::transport::{Channel as TonicChannel, Endpoint};

use crate::example::{EchoClient, EchoRequest};
use crate::tonic_made::{EchoRequest as TonicRequest, echo_service_client::EchoServiceClient};
use crate::{Failure, end_with_parent};

/// gRPC's code for a call whose time was over.
const DEADLINE_EXCEEDED: i32 = 4;

pub fn run(args: &Args) -> Result<(), Failure> {
    end_with_parent()?;
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    let timeout = Duration::from_millis(args.get("timeout", 2000));
    let servers = named(&args.get("servers", String::new()));
    let message = "x".repeat(100);
    match args.get("client", "polywire".to_owned()).as_str() {
        "polywire" => {
            let client = EchoClient::new(runtime.block_on(async { polywire(args, servers, timeout) })?);
            open_loop(args, &runtime, timeout, || {
                let call = client.echo(EchoRequest { message: message.clone() });
                async move { call.await.map_or_else(|status| status.code() as i32, |_| 0) }
            })
        }
        "tonic" => {
            let client = EchoServiceClient::new(runtime.block_on(tonic(servers))?);
            open_loop(args, &runtime, timeout, || {
                let (mut client, message) = (client.clone(), message.clone());
                async move {
                    let mut request = tonic::Request::new(TonicRequest { message });
                    request.set_timeout(timeout);
                    client.echo(request).await.map_or_else(|status| status.code() as i32, |_| 0)
                }
            })
        }
        other => wrong_use(&format!("`{other}` is no client"), crate::USAGE),
    }
}

/// The servers: these first, then those that each line of stdin names.
fn named(first: &str) -> watch::Receiver<BTreeSet<String>> {
    let set = |text: &str| text.split(',').map(str::to_owned).collect();
    let (sets, named) = watch::channel(set(first));
    std::thread::spawn(move || {
        std::io::stdin().lock().lines().map_while(Result::ok).for_each(|line| drop(sets.send(set(&line))));
    });
    named
}

fn polywire(
    args: &Args,
    servers: watch::Receiver<BTreeSet<String>>,
    timeout: Duration,
) -> Result<Channel, Failure> {
    let source = source_fn("stdin", move |updates| {
        let mut servers = servers.clone();
        async move {
            loop {
                updates.set(servers.borrow_and_update().iter().map(Server::new).collect());
                if servers.changed().await.is_err() {
                    return Ok(());
                }
            }
        }
    });
    let mut resilience = Resilience::default().balancer(args.get("balancer", "p2c".to_owned()));
    let retries: i64 = args.get("retries", -1); // the default unless it is set
    if let Ok(retries) = u32::try_from(retries) {
        resilience = resilience.retries(retries);
    }
    if args.get("outliers", 0) != 0 {
        // As grpc-go's in bench/grpc_go/open.go.
        let failures = FailurePercentage::default().threshold(50).request_volume(10);
        let outliers = Outliers::default().interval(Duration::from_secs(1)).failure_percentage(failures);
        resilience = resilience.outliers(outliers.base_ejection(Duration::from_secs(5)));
    }
    let builder = Channel::builder("servers").servers(source).protocol("grpc").timeout(timeout);
    Ok(builder.resilience(resilience).build()?)
}

async fn tonic(mut servers: watch::Receiver<BTreeSet<String>>) -> Result<TonicChannel, Failure> {
    let (channel, changes) = TonicChannel::balance_channel(64);
    let mut known = BTreeSet::new();
    let mut follow = move |set: BTreeSet<String>| {
        let gone = known.difference(&set).map(|server| Ok(Change::Remove(server.clone())));
        let new = set.difference(&known).map(|server| {
            Ok(Change::Insert(server.clone(), Endpoint::from_shared(format!("http://{server}"))?))
        });
        let all = new.chain(gone).collect::<Result<Vec<_>, Failure>>();
        known = set;
        all
    };
    for change in follow(servers.borrow_and_update().clone())? {
        changes.send(change).await.map_err(|_| "the channel has ended")?;
    }
    tokio::spawn(async move {
        while servers.changed().await.is_ok() {
            let set = servers.borrow_and_update().clone();
            for change in follow(set).expect("addresses") {
                let _ = changes.send(change).await;
            }
        }
        std::future::pending::<()>().await; // without its sender the channel ends
    });
    Ok(channel)
}

/// Makes a call every so often, and prints how each ended. `call` has gRPC's code.
fn open_loop<F, C>(
    args: &Args,
    runtime: &tokio::runtime::Runtime,
    timeout: Duration,
    call: C,
) -> Result<(), Failure>
where
    C: Fn() -> F,
    F: Future<Output = i32> + Send + 'static,
{
    let gap = Duration::from_secs_f64(1.0 / args.get("rate", 1000.0));
    let duration = Duration::from_secs_f64(args.get("duration", 10.0));
    let ended = Arc::new(Mutex::new(String::new()));
    println!("begun");
    let began = Instant::now();
    let mut calls = Vec::new();
    // This thread alone keeps the time: a runtime's timers are exact to a millisecond.
    let times = (0..).map(|n| gap * n).take_while(|at| *at < duration);
    for at in times {
        std::thread::sleep((began + at).saturating_duration_since(Instant::now()));
        // What waits for a connection is not subject to the deadline of every client.
        let (call, ended) = (call(), ended.clone());
        calls.push(runtime.spawn(async move {
            let call = tokio::time::timeout_at((began + at + timeout).into(), call);
            let code = call.await.unwrap_or(DEADLINE_EXCEEDED);
            let took = began.elapsed() - at;
            let mut ended = ended.lock().expect("no panic");
            writeln!(ended, "{} {} {code}", at.as_micros(), took.as_micros()).expect("a string takes it");
        }));
    }
    runtime.block_on(async {
        for call in calls {
            call.await?;
        }
        Ok::<_, Failure>(())
    })?;
    print!("{}", ended.lock().expect("no panic"));
    Ok(())
}

//! `registry watch URL`: a line for each new set of servers, and for each failure of its source.
//! `registry serve URL [ADDRESS]`: a server that is announced there until its standard input ends.
//! `registry call URL`: calls the servers that are announced there until its standard input ends.
//!
//! `watch` and `call` take the folder of a service account behind a url of Kubernetes, where a pod has its
//! own.
//!
//! interop/registries/README.md has the lines.

use crate::{
    grpc::testing::{Empty, TestClient, TestService},
    testing::Testing,
};
use polywire::{
    Channel, ChannelBuilder, Lifecycle, Server, Standard,
    registries::{self, k8s::Kubernetes},
};
use polywire_naming::{Schemes, Source, WatchOptions, watch_with};
use std::{
    io::{Read, Write},
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicU64, Ordering::Relaxed},
    },
    time::Duration,
};

pub fn main() -> polywire::Result<()> {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build()?;
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match arguments[..] {
        ["watch", url] => runtime.block_on(follow(Schemes::builtin().with(registries::schemes()).open(url)?)),
        ["watch", url, account] => runtime.block_on(follow(Box::new(kubernetes(url, account)?))),
        ["serve", url] => runtime.block_on(serve(url, "127.0.0.1:0")),
        ["serve", url, address] => runtime.block_on(serve(url, address)),
        ["call", url] => runtime.block_on(call(Channel::builder(url))),
        ["call", url, account] => {
            runtime.block_on(call(Channel::builder(url).servers(kubernetes(url, account)?)))
        }
        _ => Err("usage: registry watch|serve|call URL".into()),
    }
}

fn kubernetes(url: &str, account: &str) -> polywire::Result<Kubernetes> {
    let rest = url.strip_prefix("k8s://").ok_or("only k8s:// has accounts")?;
    Ok(Kubernetes::open_with(rest, account.as_ref(), None)?)
}

async fn follow(source: Box<dyn Source>) -> polywire::Result<()> {
    // Empty sets are shown at once, as the registry reports them.
    let (mut watched, work) = watch_with(source, WatchOptions::default().empty_after(Duration::ZERO));
    tokio::spawn(work);
    let mut shown = None;
    loop {
        watched.changed().await;
        if let Some(error) = watched.error() {
            say(&format!("error {error}"));
        }
        let set = watched.set();
        if let Some(set) = set.as_ref().filter(|set| shown.as_ref() != Some(*set)) {
            let servers = set.iter().map(|server| {
                let weight = server.weight.map_or(String::new(), |weight| format!("*{weight}"));
                format!(" {}{weight}", server.address)
            });
            say(&format!("set{}", servers.collect::<String>()));
        }
        shown = set;
    }
}

/// `dns:` urls have nothing to register with: then the server is only there.
async fn serve(url: &str, address: &str) -> polywire::Result<()> {
    let mut server = Server::new().service(Testing::default().into_service()).listen(address);
    if !url.starts_with("dns:") {
        let lifecycle = Lifecycle::default().register(registries::registration(url)?.weight(2));
        server = server.lifecycle(lifecycle);
    }
    let running = server.start()?;
    say(&format!("listening on {}", running.addresses()[0]));
    input_ends().await?;
    running.stop().await;
    say("stopped");
    Ok(())
}

async fn call(builder: ChannelBuilder<Standard>) -> polywire::Result<()> {
    const CALLERS: u64 = 4;
    // Far more than a call takes on a busy machine: what is looked for is calls that fail.
    const LIMIT: Duration = Duration::from_secs(10);
    // A registry that has lost its data may name one server alone for a moment, which may have stopped by
    // then: such calls wait.
    let channel = builder.protocol("grpc").wait_for_ready(true).build()?;
    let (made, failed) = (Arc::new(AtomicU64::new(0)), Arc::new(AtomicU64::new(0)));
    let stops = Arc::new(AtomicBool::new(false));
    let callers: Vec<_> = (0..CALLERS)
        .map(|_| {
            let client = TestClient::new(channel.clone());
            let (made, failed, stops) = (made.clone(), failed.clone(), stops.clone());
            tokio::spawn(async move {
                while !stops.load(Relaxed) {
                    match client.empty_call(Empty::default()).timeout(LIMIT).await {
                        Ok(_) if made.fetch_add(1, Relaxed) == 0 => say("calling"),
                        Ok(_) => {}
                        Err(status) if failed.fetch_add(1, Relaxed) < 5 => say(&format!("failed {status:?}")),
                        Err(_) => {}
                    }
                    tokio::time::sleep(Duration::from_millis(5)).await;
                }
            })
        })
        .collect();
    input_ends().await?;
    stops.store(true, Relaxed);
    for caller in callers {
        caller.await?;
    }
    say(&format!("called {} failed {}", made.load(Relaxed), failed.load(Relaxed)));
    Ok(())
}

async fn input_ends() -> polywire::Result<()> {
    tokio::task::spawn_blocking(|| std::io::stdin().read_to_end(&mut Vec::new())).await??;
    Ok(())
}

/// A line at once: whoever reads it waits for it.
fn say(line: &str) {
    let mut out = std::io::stdout().lock();
    let _ = writeln!(out, "{line}").and_then(|()| out.flush());
}

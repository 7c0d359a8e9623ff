//! `registry watch URL`: a line for each new set of servers, and for each failure of its source.
//! `registry serve URL`: a server that is announced there until its standard input ends.
//!
//! interop/registries/README.md has the lines.

use polywire::{Server, registries};
use polywire_naming::{Schemes, WatchOptions, watch_with};
use std::{
    io::{Read, Write},
    time::Duration,
};

fn main() -> polywire::Result<()> {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build()?;
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match &arguments[..] {
        [how, url] if how == "watch" => runtime.block_on(follow(url)),
        [how, url] if how == "serve" => runtime.block_on(serve(url)),
        _ => Err("usage: registry watch|serve URL".into()),
    }
}

async fn follow(url: &str) -> polywire::Result<()> {
    let source = Schemes::builtin().with(registries::schemes()).open(url)?;
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

async fn serve(url: &str) -> polywire::Result<()> {
    let registration = registries::registration(url)?.weight(2);
    let running = Server::new().listen("127.0.0.1:0").register(registration).start()?;
    say(&format!("listening on {}", running.addresses()[0]));
    tokio::task::spawn_blocking(|| std::io::stdin().read_to_end(&mut Vec::new())).await??;
    running.stop().await;
    say("stopped");
    Ok(())
}

/// A line at once: whoever reads it waits for it.
fn say(line: &str) {
    let mut out = std::io::stdout().lock();
    let _ = writeln!(out, "{line}").and_then(|()| out.flush());
}

//! A server of the cluster: answers calls with its name, and obeys its standard input.
//!
//! | line | what it does |
//! | --- | --- |
//! | `delay MILLISECONDS` | calls take so long from now on |
//! | `stop` | stops as at SIGTERM: calls under way may end |
//!
//! The end of its standard input means that the parent process has ended; then it ends at once.

use crate::{
    example::{EchoRequest, EchoResponse, EchoService},
    failure::Failure,
};
use polywire::{Context, Engine, Reply, Server, Status};
use std::{
    io::{BufRead, Write},
    process::ExitCode,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering::*},
    },
    time::Duration,
};
use tokio::sync::Notify;

struct Member {
    name: String,
    delay_ms: Arc<AtomicU64>,
}

impl EchoService for Member {
    /// The name of this server, and the message.
    async fn echo(&self, _: &Context, request: EchoRequest) -> Result<Reply<EchoResponse>, Status> {
        match self.delay_ms.load(Relaxed) {
            0 => {}
            delay => tokio::time::sleep(Duration::from_millis(delay)).await,
        }
        Ok(EchoResponse { message: format!("{} {}", self.name, request.message) }.into())
    }
}

/// Serves until it is stopped.
pub fn run(name: &str) -> Result<ExitCode, Failure> {
    let engine = Engine::builder().shards(1).workers(1).build()?;
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    runtime.block_on(async {
        let signal = polywire::stop_signal()?;
        let (delay_ms, told) = (Arc::new(AtomicU64::new(0)), Arc::new(Notify::new()));
        let member = Member { name: name.to_owned(), delay_ms: delay_ms.clone() };
        let server = Server::new().service(member.into_service()).engine(&engine);
        let running = server.listen("127.0.0.1:0").start()?;
        println!("listening on {}", running.addresses()[0]);
        std::io::stdout().flush()?;
        let stop = told.clone();
        std::thread::Builder::new().name("commands".into()).spawn(move || obey(&delay_ms, &stop))?;
        tokio::select! {
            () = told.notified() => {}
            () = signal => {}
        }
        running.stop().await;
        Ok(ExitCode::SUCCESS)
    })
}

fn obey(delay_ms: &AtomicU64, stop: &Notify) {
    for line in std::io::stdin().lock().lines().map_while(Result::ok) {
        match line.split_once(' ') {
            Some(("delay", ms)) => delay_ms.store(ms.parse().unwrap_or_default(), Relaxed),
            _ if line == "stop" => stop.notify_one(),
            _ => eprintln!("polywire: {line:?} is not a command"),
        }
    }
    std::process::exit(0);
}

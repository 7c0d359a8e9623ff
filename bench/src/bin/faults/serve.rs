//! One of the ten servers: the demo's EchoService, which waits or fails as it is told.

use std::io::BufRead;
use std::process::exit;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::time::Duration;

use polywire::standard::load::LoadReports;
use polywire::{Context, Engine, Reply, Server, Status};
use polywire_bench::Args;

use crate::example::{EchoRequest, EchoResponse, EchoService};
use crate::{Failure, end_with_parent};

/// How the server behaves now.
struct Manner {
    delay_ms: AtomicU64,
    fails: AtomicBool,
}

struct Echo(Arc<Manner>);

impl EchoService for Echo {
    async fn echo(&self, _: &Context, request: EchoRequest) -> Result<Reply<EchoResponse>, Status> {
        if self.0.fails.load(Relaxed) {
            return Err(Status::unavailable("this server is broken"));
        }
        tokio::time::sleep(Duration::from_millis(self.0.delay_ms.load(Relaxed))).await;
        Ok(EchoResponse { message: request.message }.into())
    }
}

/// Serves until SIGTERM, which drains, or until stdin ends, which does not.
pub fn run(args: &Args) -> Result<(), Failure> {
    end_with_parent()?;
    let manner = Arc::new(Manner {
        delay_ms: AtomicU64::new(args.get("delay", 2)),
        fails: AtomicBool::new(args.get("fail", 0) != 0),
    });
    let port: u16 = args.get("port", 0);
    let load = LoadReports::new(); // for prequal
    let engine = Engine::builder().shards(1).workers(1).build()?;
    let server = load.services().into_iter().fold(Server::new(), Server::service);
    let server = server.service(Echo(manner.clone()).into_service()).middleware(load).engine(&engine);
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    runtime.block_on(async {
        let stop = polywire::stop_signal()?;
        let running = server.listen(format!("127.0.0.1:{port}")).start()?;
        println!("listening on {}", running.addresses()[0]);
        std::thread::spawn(move || obey(&manner));
        stop.await;
        running.stop().await;
        Ok(())
    })
}

/// Does what the lines of stdin say; its end is the end of the process.
fn obey(manner: &Manner) {
    for line in std::io::stdin().lock().lines().map_while(Result::ok) {
        match line.split_once(' ') {
            Some(("delay", ms)) => manner.delay_ms.store(ms.parse().expect("milliseconds"), Relaxed),
            Some(("fail", yes)) => manner.fails.store(yes == "1", Relaxed),
            _ => eprintln!("`{line}` is no order"),
        }
    }
    exit(0)
}

//! Tasks of a runtime behind a pointer: tokio's code for a task, which is 1,700 lines of LLVM IR for each
//! type of future and each kind of runtime, is compiled once for all of them. For what runs once per server,
//! connection or period, not per call.

use crate::shard;
use std::{future::Future, pin::Pin};
use tokio::{
    runtime::Handle,
    task::{self, JoinHandle},
};

/// Like [`Handle::spawn`], but each future is behind a pointer: tokio's task is compiled once for all of
/// them.
pub fn spawn_on(runtime: &Handle, task: impl Future<Output = ()> + Send + 'static) -> JoinHandle<()> {
    start(runtime, Box::pin(task))
}

fn start(runtime: &Handle, task: Pin<Box<dyn Future<Output = ()> + Send>>) -> JoinHandle<()> {
    runtime.spawn(task)
}

/// Like [`task::spawn_blocking`], compiled once for all closures. On a shard it is the engine's threads for
/// blocking code that do it: those of the shard's own runtime are 512, and as important as the shard itself.
pub fn spawn_blocking(work: impl FnOnce() + Send + 'static) -> JoinHandle<()> {
    block(Box::new(work))
}

fn block(work: Box<dyn FnOnce() + Send>) -> JoinHandle<()> {
    match shard::current() {
        Some(shard) => shard.work().spawn_blocking(work),
        None => task::spawn_blocking(work),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Engine;
    use std::{sync::mpsc, thread};

    #[test]
    fn blocking_work_of_a_shard_is_done_by_the_threads_for_it() {
        let engine = Engine::builder().shards(1).workers(1).build().expect("an engine");
        let (tell, told) = mpsc::channel();
        engine.shards()[0].spawn(async move {
            let work = spawn_blocking(move || {
                let _ = tell.send(thread::current().name().map(str::to_owned));
            });
            let _ = work.await;
        });
        assert_eq!(told.recv().expect("a name").as_deref(), Some("polywire-work"));
    }
}

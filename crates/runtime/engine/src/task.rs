//! Tasks of a runtime behind a pointer: tokio's code for a task, which is 1,700 lines of LLVM IR for each
//! type of future and each kind of runtime, is compiled once for all of them. For what runs once per server,
//! connection or period, not per call.

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

/// Like [`task::spawn_blocking`], compiled once for all closures.
pub fn spawn_blocking(work: impl FnOnce() + Send + 'static) -> JoinHandle<()> {
    block(Box::new(work))
}

fn block(work: Box<dyn FnOnce() + Send>) -> JoinHandle<()> {
    task::spawn_blocking(work)
}

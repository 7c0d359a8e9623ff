//! Deadlines and cancellation in a handler.

use crate::echo::{Count, Nothing, Patience, PatienceClient};
use polywire::{Channel, Context, Reply, Status};
use std::sync::{
    Arc,
    atomic::{AtomicU32, Ordering::Relaxed},
};

pub struct Patient {
    /// The next server to call: here this server itself.
    next: PatienceClient,
    given_up: Arc<AtomicU32>,
}

impl Patient {
    pub fn new(next: Channel) -> Self {
        Patient { next: PatienceClient::new(next), given_up: Arc::default() }
    }
}

/// The handler of a cancelled call is dropped where it waits; a value that it holds can notice that.
struct Held(Arc<AtomicU32>);
impl Drop for Held {
    fn drop(&mut self) {
        self.0.fetch_add(1, Relaxed);
    }
}

impl Patience for Patient {
    async fn wait(&self, _: &Context, _: Nothing) -> Result<Reply<Nothing>, Status> {
        let _held = Held(self.given_up.clone());
        std::future::pending().await
    }

    async fn relay(&self, cx: &Context, _: Nothing) -> Result<Reply<Nothing>, Status> {
        self.next.wait(Nothing {}).within(cx).await // ends by the caller's deadline
    }

    async fn given_up(&self, _: &Context, _: Nothing) -> Result<Reply<Count>, Status> {
        Ok(Count { number: self.given_up.load(Relaxed) }.into())
    }
}

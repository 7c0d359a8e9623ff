//! What pages have in common that ask connections: how many do so at once, and what they say of those that do
//! not answer.

use polywire_call::Status;
use polywire_console::{Fact, Mark};
use polywire_server::facts::PATIENCE;
use std::sync::Arc;
use tokio::sync::{Semaphore, SemaphorePermit};

/// Who asks all connections: two at once, others wait.
#[derive(Clone)]
pub(crate) struct Askers(Arc<Semaphore>);

impl Default for Askers {
    fn default() -> Self {
        Askers(Arc::new(Semaphore::new(2)))
    }
}

impl Askers {
    /// A place among them. `what`: what they look at.
    ///
    /// # Errors
    /// There was none within [`PATIENCE`].
    pub async fn place(&self, what: &str) -> Result<SemaphorePermit<'_>, Status> {
        match tokio::time::timeout(PATIENCE, self.0.acquire()).await {
            Ok(Ok(place)) => Ok(place),
            _ => Err(Status::unavailable(format!("others look at {what}: ask again in a moment"))),
        }
    }
}

/// The text about this many connections that have not answered within [`PATIENCE`].
pub(crate) fn silent(connections: usize) -> Option<Fact> {
    let fact = || {
        Fact::new("connections_without_answer", connections)
            .mark(Mark::Warn)
            .note("within 250 ms: something holds up their shards")
            .link("shards", "shards")
    };
    (connections > 0).then(fact)
}

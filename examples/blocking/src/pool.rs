//! A pool of connections for code that blocks.

use crate::Connection;
use polywire::Status;
use std::sync::{Arc, Mutex};
use tokio::sync::Semaphore;

/// At most a given number of connections, opened when they are needed and kept afterwards.
#[derive(Clone)]
pub struct Pool {
    vacant: Arc<Semaphore>,
    idle: Arc<Mutex<Vec<Connection>>>,
}

impl Pool {
    pub fn new(most: usize) -> Pool {
        Pool { vacant: Arc::new(Semaphore::new(most)), idle: Arc::default() }
    }

    /// Runs `work` with a connection, on a thread that may block. If no connection is free, the caller waits
    /// without occupying a thread.
    pub async fn with<T: Send + 'static>(
        &self,
        work: impl FnOnce(&mut Connection) -> std::io::Result<T> + Send + 'static,
    ) -> Result<T, Status> {
        let closed = |_| Status::unavailable("the pool is closed");
        let place = self.vacant.clone().acquire_owned().await.map_err(closed)?;
        let idle = self.idle.clone();
        let done = tokio::task::spawn_blocking(move || {
            let _place = place; // released when the work has ended, even if its caller no longer waits
            let kept = idle.lock().expect("nobody panics under it").pop();
            let mut connection = kept.map_or_else(Connection::open, Ok)?;
            let result = work(&mut connection)?; // after an error the connection is closed, not kept
            idle.lock().expect("nobody panics under it").push(connection);
            Ok(result)
        });
        let result: std::io::Result<T> = done.await.map_err(|_| Status::internal("the work panicked"))?;
        result.map_err(|error| Status::unavailable(error.to_string()))
    }
}

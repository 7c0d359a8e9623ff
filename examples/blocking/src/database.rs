//! A stand-in for a database: a driver without `async`, whose queries take a while and block their thread.

use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::time::Duration;
use std::{io, thread};

static OPENED: AtomicUsize = AtomicUsize::new(0);

/// How many connections were opened so far.
pub fn opened() -> usize {
    OPENED.load(Relaxed)
}

pub struct Connection(());

impl Connection {
    pub fn open() -> io::Result<Connection> {
        OPENED.fetch_add(1, Relaxed);
        Ok(Connection(()))
    }

    /// Blocks its thread for as long as a query takes.
    pub fn name_of(&mut self, id: u64) -> io::Result<Option<String>> {
        thread::sleep(Duration::from_millis(5));
        match id {
            1 => Ok(Some("Ada".to_owned())),
            2 => Ok(Some("Grace".to_owned())),
            0 => Err(io::Error::other("the query is malformed")),
            _ => Ok(None),
        }
    }
}

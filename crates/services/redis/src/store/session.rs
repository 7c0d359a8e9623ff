//! The state that the store keeps for a connection: its transaction, and the keys that it watches.
//!
//! ```text
//!  idle --MULTI--> queueing --EXEC, DISCARD, RESET--> idle
//!                     | a command that cannot be queued: spoiled, EXEC will refuse
//! ```

use super::{
    keyspace::{Keyspace, OUT_OF_MEMORY},
    spec::Spec,
    trash::Charge,
};
use std::sync::{Arc, atomic::AtomicBool};

/// Bytes of commands that a transaction may queue.
pub const MAX_QUEUED: usize = 64 << 20;
/// The state of a connection. Dropping it discards its transaction and its watches.
#[derive(Default)]
pub struct Session {
    pub(super) queue: Option<Queue>,
    pub(super) watch: Option<Watch>,
}

#[derive(Default)]
pub(super) struct Queue {
    /// Commands in wire form, back to back.
    pub(super) commands: Vec<u8>,
    pub(super) count: usize,
    pub(super) spoiled: bool,
    charge: Option<Charge>,
}

pub(super) struct Watch {
    pub(super) keys: Vec<Box<[u8]>>,
    /// Whether one of the watched keys has changed.
    pub(super) changed: Arc<AtomicBool>,
    pub(super) charge: Charge,
}

impl Session {
    /// Whether MULTI was called and EXEC was not yet.
    #[inline]
    pub fn is_queueing(&self) -> bool {
        self.queue.is_some()
    }

    /// Notes that a command could not be queued.
    pub(super) fn spoil(&mut self) {
        if let Some(queue) = &mut self.queue {
            queue.spoiled = true;
        }
    }

    pub(super) fn queue(
        &mut self,
        keyspace: &Keyspace,
        spec: &Spec,
        command: &[u8],
    ) -> Result<(), &'static str> {
        let Some(queue) = &mut self.queue else { return Ok(()) };
        if spec.is_barred_from_transactions() {
            queue.spoiled = true;
            return Err("ERR Command not allowed inside a transaction");
        }
        if queue.commands.len() + command.len() > MAX_QUEUED {
            queue.spoiled = true;
            return Err("ERR transaction is too large");
        }
        if !keyspace.has_memory(command.len()) {
            queue.spoiled = true;
            return Err(OUT_OF_MEMORY);
        }
        queue.commands.extend_from_slice(command);
        queue.count += 1;
        queue.charge.get_or_insert_with(|| Charge::new(&keyspace.beside, 0)).set(queue.commands.capacity());
        Ok(())
    }
}

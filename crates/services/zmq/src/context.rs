//! The state that sockets of one program share: the `inproc://` names.

use crate::Error;
use polywire_engine::{
    Transport,
    transport::{Memory, duplex},
};
use std::{
    collections::HashMap,
    fmt, io,
    sync::{Arc, Mutex, MutexGuard, Weak},
};

/// Sockets of one context reach each other by `inproc://` names. Clones share them.
#[derive(Clone, Default)]
pub struct Context {
    names: Arc<Mutex<Names>>,
}

/// The socket that has bound each name.
type Names = HashMap<String, Weak<dyn Accept>>;

/// A socket that streams can be opened to.
pub(crate) trait Accept: Send + Sync {
    /// Serves a stream that a peer has opened.
    fn accept(self: Arc<Self>, transport: Box<dyn Transport>);
}

/// Capacity in bytes of each direction between two sockets of a process.
const PIPE: usize = 256 << 10;

impl Context {
    pub fn new() -> Self {
        Context::default()
    }

    fn lock(&self) -> MutexGuard<'_, Names> {
        polywire_base::lock(&self.names)
    }

    pub(crate) fn bind(&self, name: &str, socket: Weak<dyn Accept>) -> Result<(), Error> {
        let mut names = self.lock();
        names.retain(|_, socket| socket.strong_count() > 0);
        if names.contains_key(name) {
            return Err(Error::Io(io::ErrorKind::AddrInUse.into()));
        }
        names.insert(name.to_owned(), socket);
        Ok(())
    }

    pub(crate) fn unbind(&self, name: &str, socket: &dyn Accept) {
        let mut names = self.lock();
        if names.get(name).is_some_and(|bound| std::ptr::addr_eq(bound.as_ptr(), socket)) {
            names.remove(name);
        }
    }

    /// Opens a stream to the socket that has bound this name.
    pub(crate) fn connect(&self, name: &str) -> io::Result<Memory> {
        let socket = self.lock().get(name).and_then(Weak::upgrade);
        let socket = socket.ok_or(io::ErrorKind::ConnectionRefused)?;
        let (theirs, ours) = duplex(name, PIPE);
        socket.accept(Box::new(theirs));
        Ok(ours)
    }
}

impl fmt::Debug for Context {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Context")
    }
}

//! What sockets of one program share: the `inproc://` names.

use crate::{Error, core::Core};
use polywire_engine::transport::{Memory, duplex};
use std::{
    collections::HashMap,
    fmt, io,
    sync::{Arc, Mutex, MutexGuard, Weak},
};

/// Sockets of one context reach each other by `inproc://` names. Clones share them.
#[derive(Clone, Default)]
pub struct Context {
    names: Arc<Mutex<HashMap<String, Weak<Core>>>>,
}

/// Capacity in bytes of each direction between two sockets of a process.
const PIPE: usize = 256 << 10;

impl Context {
    pub fn new() -> Self {
        Context::default()
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<String, Weak<Core>>> {
        polywire_base::lock(&self.names)
    }

    pub(crate) fn bind(&self, name: &str, core: &Arc<Core>) -> Result<(), Error> {
        let mut names = self.lock();
        names.retain(|_, core| core.strong_count() > 0);
        if names.contains_key(name) {
            return Err(Error::Io(io::ErrorKind::AddrInUse.into()));
        }
        names.insert(name.to_owned(), Arc::downgrade(core));
        Ok(())
    }

    pub(crate) fn unbind(&self, name: &str, core: &Core) {
        let mut names = self.lock();
        if names.get(name).is_some_and(|bound| std::ptr::eq(bound.as_ptr(), core)) {
            names.remove(name);
        }
    }

    /// Opens a stream to the socket that has bound this name.
    pub(crate) fn connect(&self, name: &str) -> io::Result<Memory> {
        let core = self.lock().get(name).and_then(Weak::upgrade);
        let core = core.ok_or(io::ErrorKind::ConnectionRefused)?;
        let (theirs, ours) = duplex(name, PIPE);
        core.accepted(Box::new(theirs));
        Ok(ours)
    }
}

impl fmt::Debug for Context {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Context")
    }
}

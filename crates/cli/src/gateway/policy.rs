//! Who may call which method at a listener: a policy in a file of its own.

use polywire::Server;
use std::path::Path;

/// A policy in use, which is read again when its file changes.
#[derive(Clone)]
pub struct Policy(#[cfg(feature = "full")] polywire::authorization::Policy);

#[cfg(feature = "full")]
impl Policy {
    /// # Errors
    /// The file cannot be read, or is no policy.
    pub fn watch(path: &Path) -> Result<Policy, String> {
        use super::{news, run};
        use polywire::authorization::{self, PolicyError};

        let name = path.display().to_string();
        // Why another one is not in use is logged.
        let tell = move |outcome: Result<(), &PolicyError>| {
            if outcome.is_ok() {
                news::say(format_args!("{name} read again"));
            }
        };
        let policy = authorization::Policy::builder().on_reload(tell).watch(path, run::LOOK);
        policy.map(Policy).map_err(|wrong| wrong.to_string())
    }

    /// A server whose calls it decides about.
    pub fn guard(&self, server: Server) -> Server {
        server.middleware(self.0.clone())
    }

    /// Reads the file now. What becomes of it is said as at any other time.
    pub fn reload(&self) {
        let _ = self.0.reload();
    }

    /// Returns when all records of its decisions are written.
    pub fn flush(&self) {
        self.0.flush();
    }
}

#[cfg(not(feature = "full"))]
impl Policy {
    /// # Errors
    /// Always.
    pub fn watch(_: &Path) -> Result<Policy, String> {
        Err("policies are left out of this program: build it with `--features full`".into())
    }

    pub fn guard(&self, server: Server) -> Server {
        server
    }

    pub fn reload(&self) {}

    pub fn flush(&self) {}
}

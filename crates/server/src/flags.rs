//! What of a running server can be changed by name.

use crate::{Concurrency, Limiter, Running, running::Core};
use polywire_flags::{FlagError, Flags, Linked, Registered};
use std::sync::atomic::Ordering::Relaxed;
use std::{sync::Arc, time::Duration};

impl Running {
    /// Adds what of this server can be changed to a set of flags: `max_concurrency` of the server,
    /// `max_concurrency/SERVICE/METHOD` of each method of the application, and `drain_limit`. What they show is what is in use,
    /// whoever changed it. A method has no flag if its name has characters that names of flags have not. With
    /// [`Server::flags`](crate::Server::flags) the server has done this for that set.
    ///
    /// # Errors
    /// A name is taken: another server has its limits in this set.
    pub fn register_flags(&self, flags: &Flags) -> Result<(), FlagError> {
        self.core.register_flags(flags)
    }
}

impl Core {
    pub fn register_flags(&self, flags: &Flags) -> Result<(), FlagError> {
        let shared = &self.shared;
        flags.add(Limit::new("max_concurrency".to_owned(), "Calls in flight", shared.limiter.clone()))?;
        for method in shared.methods.iter().filter(|method| !method.exempt) {
            let name = format!("max_concurrency/{}/{}", method.service, method.method.name());
            match flags.add(Limit::new(name, "Calls of this method in flight", method.limiter.clone())) {
                Err(FlagError::Name(name)) => tracing::debug!(name, "a method without a flag"),
                added => added?,
            }
        }
        let (read, write) = (self.drain.clone(), self.drain.clone());
        flags.add(Linked::new(
            "drain_limit",
            "How long a stop waits for calls in flight",
            "",
            move || Duration::from_micros(read.load(Relaxed)),
            move |limit: Duration| {
                write.store(u64::try_from(limit.as_micros()).unwrap_or(u64::MAX), Relaxed);
                Ok(())
            },
        ))
    }
}

/// A limit of calls in flight, in the words of [`Concurrency`].
struct Limit {
    name: String,
    help: &'static str,
    default: String,
    limiter: Arc<Limiter>,
}

impl Limit {
    fn new(name: String, help: &'static str, limiter: Arc<Limiter>) -> Limit {
        let default = limiter.setting().to_string();
        Limit { name, help, default, limiter }
    }
}

impl Registered for Limit {
    fn name(&self) -> &str {
        &self.name
    }
    fn help(&self) -> &str {
        self.help
    }
    fn allowed(&self) -> String {
        "a number, unlimited, auto, auto:brpc, timeout, timeout:MS or timeout:MS:MOST".to_owned()
    }
    fn default(&self) -> String {
        self.default.clone()
    }
    fn value(&self) -> String {
        self.limiter.setting().to_string()
    }
    fn is_fixed(&self) -> bool {
        false
    }
    fn check(&self, text: &str) -> Result<(), String> {
        text.parse::<Concurrency>().map(drop).map_err(|error| error.to_string())
    }
    fn store(&self, text: &str) -> Result<(), String> {
        let setting = text.parse::<Concurrency>().map_err(|error| error.to_string())?;
        self.limiter.set(setting);
        Ok(())
    }
    fn tell(&self) {}
}

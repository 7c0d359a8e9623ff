//! The settings of a running server that can be changed by name.

use crate::{Concurrency, Limiter, Running, limits::Shed, running::Core};
use polywire_engine::memory::Memory;
use polywire_flags::{FlagError, Flags, Linked};
use std::sync::atomic::Ordering::Relaxed;
use std::{sync::Arc, time::Duration};

impl Running {
    /// Adds the settings that can be changed while this server runs to a set of flags: `max_concurrency` of
    /// the server, `max_concurrency/SERVICE/METHOD` of each method of the application, `shedding`,
    /// `max_connections`, `drain_limit`, and the memory budgets that it had when it started (`max_memory`,
    /// `max_connection_memory`, `max_memory/SERVICE/METHOD`). The flags show the values in use, however they
    /// were set. A method has no flag if its name contains characters that flag names do not allow. With
    /// `Pages::flags` the server has done this for that set.
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
        flags.add(limit("max_concurrency".to_owned(), "Calls in flight", &shared.limiter))?;
        for method in shared.methods.iter().filter(|method| !method.exempt) {
            let of_method = |what: &str| format!("{what}/{}/{}", method.service, method.method.name());
            let help = "Calls of this method in flight";
            unless_its_name_is_none(flags.add(limit(of_method("max_concurrency"), help, &method.limiter)))?;
            if let Some(memory) = &method.memory {
                let help = "Bytes of this method's requests in flight";
                unless_its_name_is_none(flags.add(budget(of_method("max_memory"), help, memory)))?;
            }
        }
        if let Some(memory) = &shared.memory {
            flags.add(budget("max_memory".to_owned(), "Bytes that all connections hold", memory))?;
            let (read, write) = (memory.clone(), memory.clone());
            flags.add(Linked::new(
                "max_connection_memory",
                "Bytes that one connection holds before it is read no further",
                "",
                move || read.connection_limit(),
                move |bytes| {
                    write.set_connection_limit(bytes);
                    Ok(())
                },
            ))?;
        }
        let (read, write) = (shared.backlog.clone(), shared.backlog.clone());
        flags.add(Linked::parsed(
            "shedding",
            "How calls are shed that wait for a worker",
            "off, default, or BURST_MS:LEAST_MS:MOST_MS with :oldest behind it or not",
            move || Shed(read.shedding()),
            move |Shed(shedding)| {
                write.set(shedding);
                Ok(())
            },
        ))?;
        let (read, write) = (self.most_connections.clone(), self.most_connections.clone());
        flags.add(Linked::new(
            "max_connections",
            "Connections that are open",
            "",
            move || read.load(Relaxed),
            move |most| {
                write.store(most, Relaxed);
                Ok(())
            },
        ))?;
        if let Some(files) = &self.metric_files {
            files.register_flags(flags)?;
        }
        if let Some(files) = &shared.span_files {
            let (read, write) = (files.clone(), files.clone());
            flags.add(Linked::new(
                "span_files",
                "Whether kept spans are written to files",
                "",
                move || read.is_enabled(),
                move |enabled| {
                    write.set_enabled(enabled);
                    Ok(())
                },
            ))?;
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

/// Ignores the error for a method whose name contains characters that flag names do not allow.
fn unless_its_name_is_none(added: Result<(), FlagError>) -> Result<(), FlagError> {
    match added {
        Err(FlagError::Name(name)) => {
            tracing::debug!(name, "a method without a flag");
            Ok(())
        }
        added => added,
    }
}

/// A limit of calls in flight.
fn limit(name: String, help: &str, limiter: &Arc<Limiter>) -> Linked<Concurrency> {
    let (read, write) = (limiter.clone(), limiter.clone());
    Linked::parsed(
        name,
        help,
        "a number, unlimited, auto, auto:brpc, timeout, timeout:MS or timeout:MS:MOST",
        move || read.setting(),
        move |setting| {
            write.set(setting);
            Ok(())
        },
    )
}

/// A budget of memory.
fn budget(name: String, help: &str, memory: &Arc<Memory>) -> Linked<usize> {
    let (read, write) = (memory.clone(), memory.clone());
    Linked::new(
        name,
        help,
        "at least 1",
        move || read.limit(),
        move |bytes| match bytes {
            0 => Err("it has to be at least 1".to_owned()),
            bytes => {
                write.set_limit(bytes);
                Ok(())
            }
        },
    )
}

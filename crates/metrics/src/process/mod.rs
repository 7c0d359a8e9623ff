//! The variables that every process has: its identity, and its use of resources.
//!
//! Names are those of brpc (`src/bvar/default_variables.cpp`). Where the system does not provide a figure (at
//! present everywhere but on Linux), its variable is not exposed, rather than shown as 0.

#[cfg(all(target_os = "linux", not(polywire_portable)))]
mod linux;
#[cfg(any(not(target_os = "linux"), polywire_portable))]
mod portable;

#[cfg(all(target_os = "linux", not(polywire_portable)))]
use linux as system;
#[cfg(any(not(target_os = "linux"), polywire_portable))]
use portable as system;

use crate::{ExposeError, Name, Passive, Rate, Reading, Registry};
use std::{env, process, thread, time::Instant};

/// Resource usage of this process at one moment; `None` where the system does not provide the figure.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Usage {
    /// Seconds of processor time in user code; resolution 10 ms on Linux.
    pub cpu_user_seconds: Option<f64>,
    /// Seconds of processor time in the kernel; resolution 10 ms on Linux.
    pub cpu_system_seconds: Option<f64>,
    pub threads: Option<u64>,
    /// Number of open file descriptors.
    pub fds: Option<u64>,
    /// Bytes of virtual memory.
    pub memory_virtual: Option<u64>,
    /// Bytes in physical memory.
    pub memory_resident: Option<u64>,
    /// Bytes in physical memory that others may share: files and shared memory.
    pub memory_shared: Option<u64>,
    /// Bytes of code.
    pub memory_text: Option<u64>,
    /// Bytes of data and stack.
    pub memory_data_and_stack: Option<u64>,
    /// Page faults served without input since the start.
    pub faults_minor: Option<u64>,
    /// Page faults that waited for input since the start.
    pub faults_major: Option<u64>,
    /// Bytes read by system calls since the start, sockets and files alike.
    pub read_bytes: Option<u64>,
    /// Bytes written by system calls since the start.
    pub written_bytes: Option<u64>,
    pub parent: Option<u64>,
}

impl Usage {
    /// The current usage. Reads a few small files on Linux, which takes some tens of microseconds.
    pub fn now() -> Usage {
        system::usage()
    }
}

/// Exposes all of them. Rates and processor shares need [`Registry::tick`].
///
/// # Errors
/// If one of the names is taken; those before it stay exposed.
pub fn expose(registry: &Registry) -> Result<(), ExposeError> {
    let started = Instant::now();
    let now = Usage::now();

    registry.expose("pid", Passive::new(|| Reading::Level(process::id().into())))?;
    registry.expose(
        Name::new("process_uptime").help("seconds since the process began to be measured"),
        Passive::new(move || Reading::Level(started.elapsed().as_secs() as i64)),
    )?;
    let arguments = env::args_os().map(|a| a.to_string_lossy().into_owned()).collect::<Vec<_>>().join(" ");
    registry.expose("process_cmdline", arguments)?;
    if let Ok(directory) = env::current_dir() {
        registry.expose("process_work_dir", directory.to_string_lossy().into_owned())?;
    }
    let cores = thread::available_parallelism().map_or(1, |n| n.get() as i64);
    registry.expose("system_core_count", Passive::new(move || Reading::Level(cores)))?;
    if let Some(version) = system::kernel_version() {
        registry.expose("kernel_version", version)?;
    }
    for (i, name) in ["system_loadavg_1m", "system_loadavg_5m", "system_loadavg_15m"].into_iter().enumerate()
    {
        if system::load_averages().is_some() {
            let load = move || Reading::Real(system::load_averages().map_or(0.0, |loads| loads[i]));
            registry.expose(name, Passive::new(load))?;
        }
    }

    let levels: [(&str, fn(&Usage) -> Option<u64>); 9] = [
        ("ppid", |u| u.parent),
        ("process_thread_count", |u| u.threads),
        ("process_fd_count", |u| u.fds),
        ("process_memory_virtual", |u| u.memory_virtual),
        ("process_memory_resident", |u| u.memory_resident),
        ("process_memory_shared", |u| u.memory_shared),
        ("process_memory_text", |u| u.memory_text),
        ("process_memory_data_and_stack", |u| u.memory_data_and_stack),
        ("process_faults_major", |u| u.faults_major),
    ];
    for (name, of) in levels {
        if of(&now).is_some() {
            let level = move || Reading::Level(of(&Usage::now()).unwrap_or(0) as i64);
            registry.expose(name, Passive::new(level))?;
        }
    }

    let rates: [(&str, fn(&Usage) -> Option<f64>); 6] = [
        ("process_cpu_usage", |u| Some(u.cpu_user_seconds? + u.cpu_system_seconds?)),
        ("process_cpu_usage_user", |u| u.cpu_user_seconds),
        ("process_cpu_usage_system", |u| u.cpu_system_seconds),
        ("process_faults_minor_second", |u| u.faults_minor.map(|n| n as f64)),
        ("process_io_read_bytes_second", |u| u.read_bytes.map(|n| n as f64)),
        ("process_io_write_bytes_second", |u| u.written_bytes.map(|n| n as f64)),
    ];
    for (name, of) in rates {
        if of(&now).is_some() {
            registry.expose(name, Rate::new(move || of(&Usage::now()).unwrap_or(0.0)))?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_process_knows_itself() {
        let registry = Registry::new();
        expose(&registry).expect("nothing is taken");
        assert_eq!(registry.describe("pid"), Some(process::id().to_string()));
        assert_eq!(registry.describe("process_uptime").as_deref(), Some("0"));
        assert!(registry.vars("process_cmdline").contains('"'));
        assert!(expose(&registry).is_err(), "exposed twice");
    }

    #[cfg(all(target_os = "linux", not(polywire_portable)))]
    #[test]
    fn linux_tells_everything() {
        let registry = Registry::new();
        expose(&registry).expect("nothing is taken");
        let value = |name: &str| registry.describe(name).and_then(|v| v.parse::<f64>().ok()).expect(name);
        for name in ["process_memory_resident", "process_memory_virtual", "process_memory_text"] {
            assert!(value(name) >= 4096.0, "{name}");
        }
        assert!(value("process_memory_virtual") >= value("process_memory_resident"));
        assert!(
            value("process_thread_count") >= 1.0 && value("process_fd_count") >= 3.0 && value("ppid") >= 0.0
        );
        for name in ["process_cpu_usage", "process_io_read_bytes_second", "system_loadavg_1m"] {
            assert!(value(name) >= 0.0, "{name}");
        }
    }
}

//! The variables that every process has: its identity, and its use of resources.
//!
//! Names in `/vars` are brpc's (`src/bvar/default_variables.cpp`); names for Prometheus are those that all of
//! its client libraries use. Where the system does not provide a figure (at present everywhere but on Linux),
//! its variable is not exposed, rather than shown as 0.

mod cmdline;
mod events;
#[cfg(all(target_os = "linux", not(polywire_portable)))]
mod linux;
#[cfg(any(not(target_os = "linux"), polywire_portable))]
mod portable;
mod threads;
mod usage;

#[cfg(all(target_os = "linux", not(polywire_portable)))]
use linux as system;
#[cfg(any(not(target_os = "linux"), polywire_portable))]
use portable as system;

pub use events::{Event, EventKind, Events, KEPT as MOST_EVENTS, event, events};
pub use threads::Thread;
pub use usage::Usage;

use crate::{ExposeError, Metric, Name, Passive, Rate, Reading, Registry, Show, storage::cells::lock};
use std::{
    env, process,
    sync::{Arc, LazyLock, Mutex},
    thread,
    time::{Duration, Instant},
};

/// The registry for variables of the process that belong to no server: those of libraries and clients. Every
/// server includes it ([`Registry::include`]).
pub fn registry() -> Arc<Registry> {
    static REGISTRY: LazyLock<Arc<Registry>> = LazyLock::new(Arc::default);
    REGISTRY.clone()
}

/// gRPC's own metrics of the process's channels. Servers that show gRPC's metrics include this registry.
pub fn grpc_registry() -> Arc<Registry> {
    static REGISTRY: LazyLock<Arc<Registry>> = LazyLock::new(Arc::default);
    REGISTRY.clone()
}

impl Thread {
    /// The threads of this process, at most `most` of them, in order of their age. Reads two small files of
    /// each, which takes some 10 microseconds. Empty where the system does not report them.
    pub fn all(most: usize) -> Vec<Thread> {
        system::threads(most)
    }
}

impl Usage {
    /// The current usage. Reads a few small files on Linux, which takes some tens of microseconds.
    pub fn now() -> Usage {
        system::usage()
    }

    /// The usage, at most 50 ms old: one page shows many figures, and reading them takes time.
    pub fn lately() -> Usage {
        const AGE: Duration = Duration::from_millis(50);
        static LATELY: Mutex<Option<(Instant, Usage)>> = Mutex::new(None);
        let mut lately = lock(&LATELY);
        match &*lately {
            Some((at, usage)) if at.elapsed() < AGE => *usage,
            _ => lately.insert((Instant::now(), Usage::now())).1,
        }
    }
}

/// Exposes all variables. Rates and processor shares need [`Registry::tick`].
///
/// # Errors
/// One of the names is taken; earlier ones stay exposed.
pub fn expose(registry: &Registry) -> Result<(), ExposeError> {
    expose_identity(registry)?;
    let now = Usage::lately();

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
    for (name, of) in levels.into_iter().filter(|(_, of)| of(&now).is_some()) {
        let level = move || Reading::Level(of(&Usage::lately()).unwrap_or(0) as i64);
        registry.expose(for_vars(name), Passive::new(level))?;
    }

    let rates: [(&str, fn(&Usage) -> Option<f64>); 6] = [
        ("process_cpu_usage", |u| Some(u.cpu_user_seconds? + u.cpu_system_seconds?)),
        ("process_cpu_usage_user", |u| u.cpu_user_seconds),
        ("process_cpu_usage_system", |u| u.cpu_system_seconds),
        ("process_faults_minor_second", |u| u.faults_minor.map(|n| n as f64)),
        ("process_io_read_bytes_second", |u| u.read_bytes.map(|n| n as f64)),
        ("process_io_write_bytes_second", |u| u.written_bytes.map(|n| n as f64)),
    ];
    for (name, of) in rates.into_iter().filter(|(_, of)| of(&now).is_some()) {
        registry.expose(for_vars(name), Rate::new(move || of(&Usage::lately()).unwrap_or(0.0)))?;
    }

    type Figure = (&'static str, &'static str, fn(&Usage) -> Option<Reading>);
    let metrics: [Figure; 11] = [
        ("process_cpu_seconds_total", "Processor time of the process, in seconds.", |u| {
            Some(Reading::Seconds(u.cpu_user_seconds? + u.cpu_system_seconds?))
        }),
        ("process_open_fds", "Open file descriptors.", |u| Some(level(u.fds?))),
        ("process_max_fds", "File descriptors that may be open.", |u| Some(level(u.max_fds?))),
        ("process_threads", "Threads of the process.", |u| Some(level(u.threads?))),
        ("process_virtual_memory_bytes", "Virtual memory, in bytes.", |u| Some(level(u.memory_virtual?))),
        ("process_resident_memory_bytes", "Physical memory, in bytes.", |u| Some(level(u.memory_resident?))),
        ("process_start_time_seconds", "Start of the process, in seconds since 1970.", |u| {
            Some(Reading::Real(u.started?))
        }),
        ("process_minor_page_faults_total", "Page faults that were served without input.", |u| {
            Some(Reading::Count(u.faults_minor?))
        }),
        ("process_major_page_faults_total", "Page faults that waited for input.", |u| {
            Some(Reading::Count(u.faults_major?))
        }),
        ("process_read_bytes_total", "Bytes read by system calls, of sockets and files.", |u| {
            Some(Reading::Count(u.read_bytes?))
        }),
        ("process_written_bytes_total", "Bytes written by system calls, to sockets and files.", |u| {
            Some(Reading::Count(u.written_bytes?))
        }),
    ];
    for (name, help, of) in metrics {
        let Some(first) = of(&now) else { continue };
        let read = move || of(&Usage::lately()).unwrap_or_else(|| first.clone());
        registry.expose(Name::of_metric(Metric::new(name, help)), Passive::new(read))?;
    }
    Ok(())
}

fn level(n: u64) -> Reading {
    Reading::Level(n as i64)
}

/// A name that Prometheus does not show.
fn for_vars(name: &str) -> Name {
    Name::new(name).show(Show::Vars)
}

/// The arguments of the process, the program's path first, with `between` between them and without values
/// that are secrets by their names.
pub fn command_line(between: char) -> String {
    cmdline::shown(env::args_os().map(|argument| argument.to_string_lossy().into_owned()), between)
}

/// Exposes the values that do not change, and the properties of the system.
fn expose_identity(registry: &Registry) -> Result<(), ExposeError> {
    let started = Instant::now();
    registry.expose(for_vars("pid"), Passive::new(|| Reading::Level(process::id().into())))?;
    registry.expose(
        for_vars("process_uptime").help("seconds since the process began to be measured"),
        Passive::new(move || Reading::Level(started.elapsed().as_secs() as i64)),
    )?;
    registry.expose("process_cmdline", command_line(' '))?;
    if let Ok(directory) = env::current_dir() {
        registry.expose("process_work_dir", directory.to_string_lossy().into_owned())?;
    }
    let cores = thread::available_parallelism().map_or(1, |n| n.get() as i64);
    registry.expose(for_vars("system_core_count"), Passive::new(move || Reading::Level(cores)))?;
    if let Some(version) = system::kernel_version() {
        registry.expose("kernel_version", version)?;
    }
    for (i, name) in ["system_loadavg_1m", "system_loadavg_5m", "system_loadavg_15m"].into_iter().enumerate()
    {
        if system::load_averages().is_some() {
            let load = move || Reading::Real(system::load_averages().map_or(0.0, |loads| loads[i]));
            registry.expose(for_vars(name), Passive::new(load))?;
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

    #[cfg(all(target_os = "linux", not(polywire_portable)))]
    #[test]
    fn prometheus_finds_the_names_of_its_other_libraries() {
        let registry = Registry::new();
        expose(&registry).expect("nothing is taken");
        let text = registry.prometheus();
        let value = |name: &str| {
            let line = text.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(' '));
            line.unwrap_or_else(|| panic!("no {name} in {text}")).parse::<f64>().expect(name)
        };
        let since_1970 = std::time::SystemTime::now()
            .duration_since(std::time::UNIX_EPOCH)
            .expect("after it")
            .as_secs_f64();
        let age = since_1970 - value("process_start_time_seconds");
        assert!((-2.0..3600.0).contains(&age), "started {age} s ago");
        assert!(value("process_open_fds") >= 3.0 && value("process_max_fds") >= value("process_open_fds"));
        assert!(value("process_resident_memory_bytes") >= 4096.0 && value("process_threads") >= 1.0);
        assert!(value("process_cpu_seconds_total") >= 0.0);
        assert!(
            !text.contains("process_cpu_usage") && !text.contains("\npid "),
            "brpc's names are in /vars only"
        );
    }
}

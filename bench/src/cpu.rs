//! CPU time of this process and of others, and pinning.

use std::fs;
use std::io;
use std::sync::OnceLock;
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process};
use rustix::thread::{CpuSet, sched_getaffinity, sched_setaffinity};
use rustix::time::{ClockId, clock_gettime};

/// CPU time that this process has used, all threads together.
pub fn used() -> Duration {
    let time = clock_gettime(ClockId::ProcessCPUTime);
    Duration::new(time.tv_sec.unsigned_abs(), u32::try_from(time.tv_nsec).expect("nanoseconds fit"))
}

/// CPU time of another process, in steps of a clock tick (10 ms): what `/proc/PID/stat` says.
pub fn used_by(pid: u32) -> Option<Duration> {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    // The name in parentheses may hold spaces; utime and stime are the 14th and 15th field, counted with it.
    let fields: Vec<&str> = stat.rsplit_once(')')?.1.split_whitespace().collect();
    let ticks: u64 = fields.get(11)?.parse::<u64>().ok()? + fields.get(12)?.parse::<u64>().ok()?;
    Some(Duration::from_millis(ticks * 10))
}

/// A process and its children, itself first.
pub fn family(pid: u32) -> Vec<u32> {
    let parent = |child: u32| -> Option<u32> {
        let stat = fs::read_to_string(format!("/proc/{child}/stat")).ok()?;
        stat.rsplit_once(')')?.1.split_whitespace().nth(1)?.parse().ok()
    };
    let all = fs::read_dir("/proc").into_iter().flatten().flatten();
    let numbers = all.filter_map(|entry| entry.file_name().to_str()?.parse().ok());
    [pid].into_iter().chain(numbers.filter(|child| parent(*child) == Some(pid))).collect()
}

/// Kills a process that is no child of ours; one that is gone is ignored.
pub fn kill(pid: u32) {
    if let Some(pid) = i32::try_from(pid).ok().and_then(Pid::from_raw) {
        let _ = kill_process(pid, Signal::KILL);
    }
}

/// Memory of another process that is in use, in bytes.
pub fn resident(pid: u32) -> Option<u64> {
    let status = fs::read_to_string(format!("/proc/{pid}/status")).ok()?;
    let line = status.lines().find(|line| line.starts_with("VmRSS:"))?;
    Some(line.split_whitespace().nth(1)?.parse::<u64>().ok()? * 1024)
}

/// Binds the calling thread, and what it starts from now on, to one processor; one that is not there is
/// ignored.
pub fn pin(processor: usize) -> io::Result<()> {
    let mut set = CpuSet::new();
    set.set(processor % processors());
    Ok(sched_setaffinity(None, &set)?)
}

/// Runs `start` while the calling thread is bound to `processor`: a child process inherits that.
pub fn pinned<T>(processor: Option<usize>, start: impl FnOnce() -> T) -> io::Result<T> {
    let Some(processor) = processor else { return Ok(start()) };
    let before = sched_getaffinity(None)?;
    pin(processor)?;
    let started = start();
    sched_setaffinity(None, &before)?;
    Ok(started)
}

/// Processors that this process was given, before it pinned anything itself.
pub fn processors() -> usize {
    // Asked again from a pinned thread, the system would say 1.
    static GIVEN: OnceLock<usize> = OnceLock::new();
    *GIVEN.get_or_init(|| std::thread::available_parallelism().map_or(1, usize::from))
}

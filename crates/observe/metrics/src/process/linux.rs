//! Process statistics of Linux, from `/proc`.
//!
//! Source: proc(5).

use super::{threads::Thread, usage::Usage};
use std::{fs, path::Path, sync::OnceLock, time::Duration};

/// Clock ticks per second in `/proc/self/stat`. The kernel scales them to 100 for user space on every
/// architecture of Rust's tiers 1 and 2.
const TICKS_PER_SECOND: f64 = 100.0;

pub(super) fn usage() -> Usage {
    let mut usage = Usage::default();
    if let Ok(stat) = fs::read_to_string("/proc/self/stat") {
        read_stat(&stat, &mut usage);
    }
    if let Ok(status) = fs::read_to_string("/proc/self/status") {
        read_status(&status, &mut usage);
    }
    if let Ok(io) = fs::read_to_string("/proc/self/io") {
        let field = |name| field(&io, name)?.parse().ok();
        (usage.read_bytes, usage.written_bytes) = (field("rchar"), field("wchar"));
    }
    usage.max_fds = fs::read_to_string("/proc/self/limits").ok().and_then(|limits| read_max_fds(&limits));
    // Minus the descriptor that reads the list.
    usage.fds = fs::read_dir("/proc/self/fd").ok().map(|list| list.count().saturating_sub(1) as u64);
    usage
}

/// Parses `pid (name) state ppid ...`. The name may contain spaces and parentheses, so the fields begin after
/// the last parenthesis.
fn read_stat(stat: &str, usage: &mut Usage) {
    let Some((_, fields)) = stat.rsplit_once(')') else { return };
    let fields: Vec<&str> = fields.split_ascii_whitespace().collect();
    // proc(5) numbers the fields from 1; the first one after the name is 3.
    let field = |number: usize| fields.get(number - 3)?.parse::<u64>().ok();
    let seconds = |number| field(number).map(|ticks| ticks as f64 / TICKS_PER_SECOND);
    usage.parent = field(4);
    (usage.faults_minor, usage.faults_major) = (field(10), field(12));
    (usage.cpu_user_seconds, usage.cpu_system_seconds) = (seconds(14), seconds(15));
    usage.started = seconds(22).zip(boot_time()).map(|(after_boot, boot)| boot + after_boot);
}

pub(super) fn threads(most: usize) -> Vec<Thread> {
    let tasks = fs::read_dir("/proc/self/task").into_iter().flatten().flatten();
    // One that has ended in the meantime has no files.
    tasks.take(most).filter_map(|task| thread(&task.path())).collect()
}

fn thread(task: &Path) -> Option<Thread> {
    let stat = fs::read_to_string(task.join("stat")).ok()?;
    let (id, rest) = stat.split_once(" (")?;
    let (name, fields) = rest.rsplit_once(')')?;
    // "time spent on the cpu", "time spent waiting on a runqueue", both in nanoseconds (Linux,
    // Documentation/scheduler/sched-stats.rst)
    let times = fs::read_to_string(task.join("schedstat")).unwrap_or_default();
    let mut times =
        times.split_ascii_whitespace().map_while(|time| time.parse().ok().map(Duration::from_nanos));
    Some(Thread {
        id: id.parse().ok()?,
        name: name.to_owned(),
        state: fields.trim_start().chars().next()?,
        cpu: times.next().unwrap_or_default(),
        waited: times.next().unwrap_or_default(),
    })
}

/// Seconds from the beginning of 1970 to the start of the system.
fn boot_time() -> Option<f64> {
    static BOOT: OnceLock<Option<f64>> = OnceLock::new();
    *BOOT.get_or_init(|| {
        let stat = fs::read_to_string("/proc/stat").ok()?;
        stat.lines().find_map(|line| line.strip_prefix("btime ")?.trim().parse().ok())
    })
}

/// Parses `Max open files   soft   hard   files`.
fn read_max_fds(limits: &str) -> Option<u64> {
    limits
        .lines()
        .find_map(|line| line.strip_prefix("Max open files")?.split_ascii_whitespace().next()?.parse().ok())
}

/// Parses lines of the form `Name:   value kB`.
fn read_status(status: &str, usage: &mut Usage) {
    let bytes = |name| Some(field(status, name)?.strip_suffix("kB")?.trim().parse::<u64>().ok()? * 1024);
    usage.memory_virtual = bytes("VmSize");
    usage.memory_resident = bytes("VmRSS");
    usage.memory_shared = bytes("RssFile").map(|n| n + bytes("RssShmem").unwrap_or(0));
    usage.memory_text = bytes("VmExe");
    usage.memory_data_and_stack = bytes("VmData").map(|n| n + bytes("VmStk").unwrap_or(0));
    usage.threads = field(status, "Threads").and_then(|n| n.parse().ok());
}

fn field<'t>(text: &'t str, name: &str) -> Option<&'t str> {
    text.lines().find_map(|line| Some(line.strip_prefix(name)?.strip_prefix(':')?.trim()))
}

pub(super) fn kernel_version() -> Option<String> {
    Some(fs::read_to_string("/proc/version").ok()?.trim().to_owned())
}

pub(super) fn load_averages() -> Option<[f64; 3]> {
    let text = fs::read_to_string("/proc/loadavg").ok()?;
    let mut loads = text.split(' ').map(|n| n.parse().ok());
    Some([loads.next()??, loads.next()??, loads.next()??])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_with_spaces_and_parentheses_does_not_shift_the_fields() {
        let mut usage = Usage::default();
        read_stat("7 (a) b (c) S 1 7 7 0 -1 4194304 210 0 3 0 150 25 0 0 20 0 4 0 99 1 1", &mut usage);
        assert_eq!((usage.parent, usage.faults_minor, usage.faults_major), (Some(1), Some(210), Some(3)));
        assert_eq!((usage.cpu_user_seconds, usage.cpu_system_seconds), (Some(1.5), Some(0.25)));
    }

    #[test]
    fn what_is_missing_or_broken_is_not_known() {
        let mut usage = Usage::default();
        read_stat("", &mut usage);
        read_stat("7 (x", &mut usage);
        read_stat("7 (x) S", &mut usage);
        read_status("VmRSS: many kB\nThreads:\nVmSizes: 3 kB\n", &mut usage);
        assert_eq!(usage, Usage::default());
    }
}

//! Whether a process sleeps: it has done all that it will do until it gets more bytes.

use std::{
    collections::BTreeMap,
    fs, io,
    path::PathBuf,
    thread::sleep,
    time::{Duration, Instant},
};

/// The longest wait for a process to sleep.
const PATIENCE: Duration = Duration::from_secs(60);

/// Waits until every thread of the process sleeps.
///
/// # Errors
/// Of kind `TimedOut` if it runs on; `NotFound` if it has ended.
pub fn until_asleep(pid: u32) -> io::Result<()> {
    until(pid, 'S')
}

/// Waits until every thread of a process has stopped that was sent SIGSTOP.
///
/// # Errors
/// As [`until_asleep`].
pub fn until_stopped(pid: u32) -> io::Result<()> {
    until(pid, 'T')
}

/// A thread that runs wakes another before it sleeps itself, but both could be missed by one look, since that
/// takes its time; so two looks have to find the same.
fn until(pid: u32, state: char) -> io::Result<()> {
    let end = Instant::now() + PATIENCE;
    while Instant::now() < end {
        if let Some(first) = look(pid, state)?
            && look(pid, state)?.is_some_and(|second| first == second)
        {
            return Ok(());
        }
        sleep(Duration::from_micros(50));
    }
    Err(io::Error::new(io::ErrorKind::TimedOut, "it does not come to rest"))
}

/// How often each thread was taken off its processor; `None` if one is in another state.
fn look(pid: u32, state: char) -> io::Result<Option<BTreeMap<PathBuf, u64>>> {
    let mut threads = BTreeMap::new();
    for thread in fs::read_dir(format!("/proc/{pid}/task"))? {
        let path = thread?.path();
        let Ok(text) = fs::read_to_string(path.join("status")) else { return Ok(None) }; // it has ended
        match switches(&text, state) {
            Some(switches) => threads.insert(path, switches),
            None => return Ok(None),
        };
    }
    Ok(Some(threads))
}

/// From the file `status` of a thread (proc_pid_status(5)), if it is in this state.
fn switches(status: &str, state: char) -> Option<u64> {
    let field = |name| status.lines().find_map(|line| Some(line.strip_prefix(name)?.trim()));
    let number = |name| field(name)?.parse::<u64>().ok();
    if !field("State:")?.starts_with(state) {
        return None;
    }
    Some(number("voluntary_ctxt_switches:")? + number("nonvoluntary_ctxt_switches:")?)
}

#[cfg(test)]
mod tests {
    use super::*;

    const SLEEPS: &str = "Name:\tpolywire-0\nState:\tS (sleeping)\nTgid:\t7\nvoluntary_ctxt_switches:\t150\n\
                          nonvoluntary_ctxt_switches:\t545\n";

    #[test]
    fn a_thread_that_sleeps_has_a_count_and_one_that_runs_has_none() {
        assert_eq!(switches(SLEEPS, 'S'), Some(695));
        assert_eq!(switches(&SLEEPS.replace("S (sleeping)", "R (running)"), 'S'), None);
        assert_eq!(switches(SLEEPS, 'T'), None);
    }

    #[test]
    fn this_process_runs_while_it_looks() {
        assert_eq!(look(std::process::id(), 'S').expect("it is there"), None);
    }

    #[test]
    fn a_process_that_waits_for_its_input_sleeps_until_it_ends() {
        let mut cat = std::process::Command::new("cat")
            .stdin(std::process::Stdio::piped())
            .stdout(std::process::Stdio::null())
            .spawn()
            .expect("cat is there");
        until_asleep(cat.id()).expect("it waits");
        drop(cat.stdin.take());
        cat.wait().expect("it ends");
        assert_eq!(until_asleep(cat.id()).expect_err("it is gone").kind(), io::ErrorKind::NotFound);
    }
}

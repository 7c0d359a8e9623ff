//! Runs one CPU profile at a time: a further request waits for the running one. The latest profiles are kept.

use crate::{Profile, cpu};
use polywire_base::lock;
use std::{
    collections::VecDeque,
    io,
    sync::{
        Arc, Mutex,
        atomic::{AtomicBool, Ordering::Relaxed},
    },
    thread,
    time::{Duration, Instant},
};
use tokio::sync::watch;

/// The number of kept profiles, for viewing and comparison.
const KEPT: usize = 8;

/// The runs of the process, which has one profiler, since it has one signal for it.
static RUNS: Mutex<Runs> = Mutex::new(Runs { current: None, kept: VecDeque::new(), number: 0 });

struct Runs {
    current: Option<Run>,
    kept: VecDeque<(u64, Arc<Taken>)>,
    number: u64,
}

/// The result of a run.
#[derive(Clone, Debug)]
pub struct Taken {
    pub cpu: Profile,
    /// Waits for polywire's own locks in the same time.
    pub contention: Profile,
}

/// The state of a run: the profile or an error once it has ended.
type Found = Option<Result<Arc<Taken>, Arc<str>>>;

/// A profile that is being taken. The run continues if this value is dropped.
#[derive(Clone, Debug)]
pub struct Run {
    number: u64,
    length: Duration,
    begin: Instant,
    stop: Arc<AtomicBool>,
    found: watch::Receiver<Found>,
}

/// Starts to profile the process' CPU time for `length`, at most [`LONGEST`](crate::LONGEST).
///
/// # Errors
/// `ErrorKind::ResourceBusy` while a run is under way, see [`current`]; or no thread can be started. Later
/// errors are returned by [`Run::profile`].
pub fn start(length: Duration) -> io::Result<Run> {
    let mut runs = lock(&RUNS);
    if runs.current.is_some() {
        return Err(io::Error::new(io::ErrorKind::ResourceBusy, "a profile is being taken"));
    }
    let (tell, found) = watch::channel(None);
    let stop = Arc::new(AtomicBool::new(false));
    let length = length.min(cpu::LONGEST);
    runs.number += 1;
    let run = Run { number: runs.number, length, begin: Instant::now(), stop: stop.clone(), found };
    let number = run.number;
    thread::Builder::new().name("polywire-prof".into()).spawn(move || {
        let _end = End;
        let profile = cpu::take(length, &|| stop.load(Relaxed));
        let found = match profile {
            Ok(profile) => {
                let profile = Arc::new(profile);
                let mut runs = lock(&RUNS);
                runs.kept.truncate(KEPT - 1);
                runs.kept.push_front((number, profile.clone()));
                runs.current = None;
                Ok(profile)
            }
            Err(error) => {
                tracing::warn!(%error, "no profile of the CPU time");
                lock(&RUNS).current = None;
                Err(Arc::from(error.to_string()))
            }
        };
        tell.send_replace(Some(found));
    })?;
    runs.current = Some(run.clone());
    Ok(run)
}

/// Ends the run of a thread that panics.
struct End;

impl Drop for End {
    fn drop(&mut self) {
        if thread::panicking() {
            lock(&RUNS).current = None;
        }
    }
}

/// The run that is under way.
pub fn current() -> Option<Run> {
    lock(&RUNS).current.clone()
}

/// The last profiles of CPU time with their numbers, at most eight, the newest first.
pub fn kept() -> Vec<(u64, Arc<Taken>)> {
    lock(&RUNS).kept.iter().cloned().collect()
}

impl Run {
    /// Identifies the run among those of this process.
    pub fn number(&self) -> u64 {
        self.number
    }

    pub fn length(&self) -> Duration {
        self.length
    }

    /// The remaining time; zero while names are being looked up.
    pub fn left(&self) -> Duration {
        self.length.saturating_sub(self.begin.elapsed())
    }

    /// Ends the run early. The samples taken so far are kept.
    pub fn stop(&self) {
        self.stop.store(true, Relaxed);
    }

    /// The profile, once it is complete.
    ///
    /// # Errors
    /// The profile could not be taken: the process has its own handler for SIGPROF, or the system forbids the
    /// necessary calls.
    ///
    /// # Cancel safety
    /// The run continues if the future is dropped.
    pub async fn profile(&self) -> io::Result<Arc<Taken>> {
        let mut found = self.found.clone();
        let found = found.wait_for(Option::is_some).await;
        match found.as_deref() {
            Ok(Some(Ok(profile))) => Ok(profile.clone()),
            Ok(Some(Err(text))) => Err(io::Error::other(text.to_string())),
            _ => Err(io::Error::other("the profiler has failed")),
        }
    }
}

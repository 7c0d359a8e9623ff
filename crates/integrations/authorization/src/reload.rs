//! A policy's file, read again.
//!
//! Code of the application runs here: what makes audit loggers, their ends, and what is told of reloads. If
//! it panics, this is reported, and the file is read again at its time.
//!
//! Not here: what is in the file (`document.rs`, `rules.rs`).

use crate::{
    audit::Loggers,
    document::MOST_BYTES,
    error::PolicyError,
    policy::{Policy, Shared, Told},
    rules::Rules,
};
use arc_swap::ArcSwap;
use std::{
    convert::Infallible,
    fs::File,
    io::Read,
    path::{Path, PathBuf},
    sync::{
        Arc, Mutex, Weak,
        mpsc::{Receiver, RecvTimeoutError, Sender, channel},
    },
    thread,
    time::Duration,
};

pub(crate) struct Source {
    path: PathBuf,
    known: Mutex<Known>,
    told: Option<Told>,
    /// Ends the thread when it is dropped. Nothing is sent.
    _alive: Sender<Infallible>,
}

struct Known {
    /// What was read last and is in use.
    text: String,
    /// Why the newest file is not in use.
    broken: Option<String>,
}

/// Reads the file, and starts the thread that reads it again.
pub(crate) fn watch(
    path: &Path,
    interval: Duration,
    loggers: Loggers,
    told: Option<Told>,
) -> Result<Policy, PolicyError> {
    if interval.is_zero() {
        return Err(PolicyError::new("watch(.., interval): is zero"));
    }
    let text = read(path)?;
    let rules = Rules::parse(&text, &loggers).map_err(|error| error.within(path.display()))?;
    let (alive, ended) = channel();
    let known = Mutex::new(Known { text, broken: None });
    let source = Source { path: path.to_owned(), known, told, _alive: alive };
    let shared = Arc::new(Shared { rules: ArcSwap::from_pointee(rules), loggers, source: Some(source) });
    let again = Arc::downgrade(&shared);
    thread::Builder::new()
        .name("polywire-policy".into())
        .spawn(move || read_again(&again, &ended, interval))
        .map_err(|error| PolicyError::new("no thread that reads the policy again").with_source(error))?;
    Ok(Policy(shared))
}

/// Runs on a thread of its own: file systems may be slow.
fn read_again(shared: &Weak<Shared>, ended: &Receiver<Infallible>, interval: Duration) {
    while let Err(RecvTimeoutError::Timeout) = ended.recv_timeout(interval) {
        let Some(shared) = shared.upgrade() else { return };
        let source = shared.source.as_ref().expect("it is watched");
        let _ = source.reload(&shared); // it has said why
    }
}

impl Source {
    pub fn reload(&self, shared: &Shared) -> Result<bool, PolicyError> {
        let mut known = polywire_base::lock(&self.known);
        let changed = match read(&self.path) {
            Ok(text) if text == known.text => Ok(None),
            Ok(text) => guarded("what makes an audit logger", || Rules::parse(&text, &shared.loggers))
                .and_then(|parsed| parsed)
                .map(|rules| Some((text, rules)))
                .map_err(|error| error.within(self.path.display())),
            Err(error) => Err(error),
        };
        let mut old = None;
        let (outcome, tell) = match changed {
            Ok(None) => {
                known.broken = None; // it is again what is in use
                (Ok(false), false)
            }
            Ok(Some((text, rules))) => {
                tracing::info!(policy = &*rules.name, path = %self.path.display(), "an authorization policy has changed");
                old = Some(shared.rules.swap(Arc::new(rules)));
                *known = Known { text, broken: None };
                (Ok(true), true)
            }
            Err(error) => {
                let reason = error.to_string();
                let is_new = known.broken.as_ref() != Some(&reason);
                if is_new {
                    tracing::warn!(
                        error = reason,
                        "an authorization policy cannot be used: the last good one stays"
                    );
                    known.broken = Some(reason);
                }
                (Err(error), is_new)
            }
        };
        drop(known);
        let told = self.told.as_ref().filter(|_| tell);
        let after = [
            guarded("on_reload", || told.map(|told| told(outcome.as_ref().map(|_| ())))).err(),
            guarded("the end of an audit logger", || drop(old)).err(),
        ];
        after.iter().flatten().for_each(|error| tracing::warn!(%error, "an authorization policy was read"));
        outcome
    }
}

/// Runs code of the application, whose panic is an error and nothing else.
fn guarded<T>(what: &str, code: impl FnOnce() -> T) -> Result<T, PolicyError> {
    polywire_base::caught(code).map_err(|text| PolicyError::new(format!("{what} has panicked: {text}")))
}

/// The text of a file, which may not be longer than a policy.
pub(crate) fn read(path: &Path) -> Result<String, PolicyError> {
    let mut text = String::new();
    let most = MOST_BYTES as u64 + 1; // one more, so that the parser sees that it is too long
    let read = File::open(path).and_then(|file| file.take(most).read_to_string(&mut text));
    match read {
        Ok(_) => Ok(text),
        Err(error) => Err(PolicyError::new(format!("{}: {error}", path.display())).with_source(error)),
    }
}

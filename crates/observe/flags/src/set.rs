//! A set of flags by name.

use crate::{
    audit::{Audit, Change, Origin},
    error::FlagError,
    flag::Flag,
};
use polywire_base::{SortedMap, caught, is_near, lock};
use std::{
    sync::{Arc, Condvar, Mutex, Weak},
    thread,
    time::{Duration, Instant, SystemTime},
};

/// Bytes that a value may have as text.
pub(crate) const LONGEST_VALUE: usize = 1 << 10;
/// Bytes that a name may have.
const LONGEST_NAME: usize = 128;
/// The maximum time after which a change is undone.
const LONGEST_TIME: Duration = Duration::from_secs(366 * 86_400);

/// A value that can be registered: [`Flag`] and [`Linked`](crate::Linked) are.
pub trait Registered: Send + Sync + 'static {
    fn name(&self) -> &str;
    fn help(&self) -> &str;
    /// The accepted values, in words.
    fn allowed(&self) -> String;
    fn default(&self) -> String;
    fn value(&self) -> String;
    /// Whether the flag cannot be changed once the program has begun.
    fn is_fixed(&self) -> bool;
    /// Whether the flag accepts this text.
    ///
    /// # Errors
    /// Why it does not, in words.
    fn check(&self, text: &str) -> Result<(), String>;
    /// Changes the value.
    ///
    /// # Errors
    /// The errors of [`Registered::check`]; the value before stays.
    fn store(&self, text: &str) -> Result<(), String>;
    /// Notifies listeners that the value has changed. Called without a lock.
    fn tell(&self);
}

/// The flags of a program, by name. Clones are the same set.
#[derive(Clone)]
pub struct Flags {
    shared: Arc<Shared>,
}

pub(crate) struct Shared {
    state: Mutex<State>,
    /// Notified when a change has to be undone earlier than any before.
    sooner: Condvar,
    immutable: Flag<bool>,
}

#[derive(Default)]
struct State {
    flags: SortedMap<String, Arc<dyn Registered>>,
    audit: Audit,
    /// Changes that go back.
    timed: SortedMap<String, Timed>,
    /// Whether a thread waits for the earliest time at which a change is undone.
    waits: bool,
    /// Whether the program has begun, after which fixed flags cannot be changed.
    began: bool,
}

struct Timed {
    at: Instant,
    back_to: String,
}

impl Default for Flags {
    fn default() -> Self {
        Flags::new()
    }
}

impl Flags {
    /// A set with one flag, brpc's `immutable_flags`: while it is true, no flag can be changed, this one
    /// included.
    pub fn new() -> Flags {
        let immutable = Flag::new("immutable_flags", false, "No flag can be changed while this is true");
        let shared = Shared { state: Mutex::default(), sooner: Condvar::new(), immutable: immutable.clone() };
        let flags = Flags { shared: Arc::new(shared) };
        lock(&flags.shared.state).flags.insert("immutable_flags".to_owned(), Arc::new(immutable));
        flags
    }

    /// Adds a flag.
    ///
    /// # Errors
    /// The name is taken, or invalid.
    pub fn register<T: crate::Value>(&self, flag: &Flag<T>) -> Result<(), FlagError> {
        self.add(flag.clone())
    }

    /// Adds a [`Linked`](crate::Linked) flag, or one of a type that the caller defines.
    ///
    /// # Errors
    /// The errors of [`Flags::register`].
    pub fn add(&self, flag: impl Registered) -> Result<(), FlagError> {
        self.insert(Arc::new(flag))
    }

    fn insert(&self, flag: Arc<dyn Registered>) -> Result<(), FlagError> {
        let name = flag.name().to_owned();
        let allowed = |b: u8| b.is_ascii_alphanumeric() || b"_./-".contains(&b);
        if name.is_empty() || name.len() > LONGEST_NAME || !name.bytes().all(allowed) || name.starts_with('-')
        {
            return Err(FlagError::Name(name.chars().take(LONGEST_NAME).collect()));
        }
        let mut state = lock(&self.shared.state);
        if state.flags.contains_key(&name) {
            return Err(FlagError::Taken(name));
        }
        state.flags.insert(name, flag);
        Ok(())
    }

    /// Marks that the program begins: from now on, fixed flags cannot be changed.
    pub fn begin(&self) {
        lock(&self.shared.state).began = true;
    }

    /// The flag of this name.
    ///
    /// # Errors
    /// There is no such flag; the error lists similar names.
    pub fn find(&self, name: &str) -> Result<Arc<dyn Registered>, FlagError> {
        let state = lock(&self.shared.state);
        if let Some(flag) = state.flags.get(name) {
            return Ok(flag.clone());
        }
        let name: String = name.chars().take(LONGEST_NAME).collect();
        let alike = |known: &&String| known.contains(&*name) || is_near(&name, known);
        let near = state.flags.keys().filter(alike).take(3).cloned().collect();
        Err(FlagError::Unknown { name, near })
    }

    /// All flags, by name.
    pub fn all(&self) -> Vec<Arc<dyn Registered>> {
        lock(&self.shared.state).flags.values().cloned().collect()
    }

    /// Sets a flag until it is set again. Returns the change; `None` if the flag has this value already.
    ///
    /// # Errors
    /// No flag has this name, the value is refused, or it cannot be changed now. The value before stays.
    pub fn set(&self, name: &str, value: &str, origin: &Origin) -> Result<Option<Change>, FlagError> {
        self.change(name, value, None, origin)
    }

    /// Like [`Flags::set`], for a limited time, after which the flag returns to its value before the first of
    /// its timed changes.
    ///
    /// # Errors
    /// The errors of [`Flags::set`].
    pub fn set_for(
        &self,
        name: &str,
        value: &str,
        time: Duration,
        origin: &Origin,
    ) -> Result<Option<Change>, FlagError> {
        self.change(name, value, Some(time.min(LONGEST_TIME)), origin)
    }

    fn change(
        &self,
        name: &str,
        value: &str,
        time: Option<Duration>,
        origin: &Origin,
    ) -> Result<Option<Change>, FlagError> {
        let flag = self.find(name)?;
        let refused = |why: String| {
            let value = value.chars().take(64).collect();
            FlagError::Value { name: name.to_owned(), value, why }
        };
        if value.len() > LONGEST_VALUE {
            return Err(refused(format!("it has more than {LONGEST_VALUE} bytes")));
        }
        let now = Instant::now();
        let change = {
            let mut state = lock(&self.shared.state);
            if self.shared.immutable.get() {
                return Err(FlagError::Immutable(name.to_owned()));
            }
            if flag.is_fixed() && state.began {
                return Err(FlagError::Fixed(name.to_owned()));
            }
            let old = flag.value();
            flag.store(value).map_err(refused)?;
            let before = state.timed.remove(name).map(|(_, timed)| timed); // a change without a time stays
            if let Some(time) = time {
                let back_to = before.map_or_else(|| old.clone(), |before| before.back_to);
                state.timed.insert(name.to_owned(), Timed { at: now + time, back_to });
            }
            let new = flag.value();
            if old == new && time.is_none() {
                return Ok(None);
            }
            let until = time.map(|time| SystemTime::now() + time);
            let change = Change {
                at: SystemTime::now(),
                name: name.to_owned(),
                old,
                new,
                origin: origin.clone(),
                until,
            };
            state.audit.add(change.clone());
            if time.is_some() {
                self.wait(&mut state);
            }
            change
        };
        report(&change);
        flag.tell();
        Ok(Some(change))
    }

    /// Checks a value without applying it, so that a file's values are applied all or not at all.
    pub(crate) fn check(&self, name: &str, value: &str) -> Result<(), FlagError> {
        let flag = self.find(name)?;
        if self.shared.immutable.get() {
            return Err(FlagError::Immutable(name.to_owned()));
        }
        if flag.is_fixed() && lock(&self.shared.state).began {
            return Err(FlagError::Fixed(name.to_owned()));
        }
        let why = match value.len() {
            ..=LONGEST_VALUE => flag.check(value).err(),
            _ => Some(format!("it has more than {LONGEST_VALUE} bytes")),
        };
        match why {
            Some(why) => {
                let value = value.chars().take(64).collect();
                Err(FlagError::Value { name: name.to_owned(), value, why })
            }
            None => Ok(()),
        }
    }

    /// The last changes, oldest first.
    pub fn changes(&self) -> Vec<Change> {
        lock(&self.shared.state).audit.changes()
    }

    /// The latest change of a flag, if it is still recorded.
    pub fn last_change(&self, name: &str) -> Option<Change> {
        lock(&self.shared.state).audit.last(name)
    }

    /// The time until the flag returns to its earlier value automatically.
    pub fn goes_back_in(&self, name: &str) -> Option<Duration> {
        let state = lock(&self.shared.state);
        Some(state.timed.get(name)?.at.saturating_duration_since(Instant::now()))
    }

    /// Starts the thread that undoes timed changes, unless it runs. It ends when no change is left to undo,
    /// or with the set.
    fn wait(&self, state: &mut State) {
        if std::mem::replace(&mut state.waits, true) {
            self.shared.sooner.notify_one();
            return;
        }
        let shared = Arc::downgrade(&self.shared);
        let thread = thread::Builder::new().name("polywire-flags".into());
        if let Err(error) = thread.spawn(move || take_back(&shared)) {
            state.waits = false;
            tracing::error!(%error, "no thread for flags that go back: they stay until the next timed change");
        }
    }
}

/// The longest sleep of the thread, after which it checks whether the set still exists.
const LOOK_EVERY: Duration = Duration::from_secs(1);

fn take_back(shared: &Weak<Shared>) {
    while let Some(flags) = shared.upgrade().map(|shared| Flags { shared }) {
        flags.take_back_at(Instant::now());
        let mut state = lock(&flags.shared.state);
        let Some(next) = state.timed.values().map(|timed| timed.at).min() else {
            state.waits = false;
            return;
        };
        let sleep = next.saturating_duration_since(Instant::now()).min(LOOK_EVERY);
        drop(flags.shared.sooner.wait_timeout(state, sleep));
    }
}

impl Flags {
    /// Undoes the changes whose time is over at `now`.
    fn take_back_at(&self, now: Instant) {
        let mut changes = Vec::new();
        {
            let mut state = lock(&self.shared.state);
            let over: Vec<String> = state
                .timed
                .iter()
                .filter(|(_, timed)| timed.at <= now)
                .map(|(name, _)| name.clone())
                .collect();
            for name in over {
                let Some((_, timed)) = state.timed.remove(&name) else { continue };
                let Some(flag) = state.flags.get(&name).cloned() else { continue };
                // A flag may be code of the application, here and below: its panic must not end the thread.
                let stored = caught(|| {
                    let old = flag.value();
                    flag.store(&timed.back_to).map(|()| (old, flag.value()))
                });
                match stored.unwrap_or_else(|panic| Err(format!("it has panicked: {panic}"))) {
                    Ok((old, new)) => {
                        let origin = Origin::new("its time is over", "flags");
                        let change = Change { at: SystemTime::now(), name, old, new, origin, until: None };
                        state.audit.add(change.clone());
                        changes.push((flag, change));
                    }
                    Err(why) => tracing::error!(flag = name, why, "a flag could not go back"),
                }
            }
        }
        for (flag, change) in changes {
            report(&change);
            if let Err(panic) = caught(|| flag.tell()) {
                tracing::error!(
                    flag = change.name,
                    panic,
                    "whoever was told that a flag went back has panicked"
                );
            }
        }
    }
}

fn report(change: &Change) {
    let Change { name, old, new, origin, until, .. } = change;
    let timed = until.is_some();
    // Debug escapes what peers choose.
    tracing::info!(flag = name, ?old, ?new, who = ?origin.who, from = ?origin.from, timed, "a flag has changed");
}

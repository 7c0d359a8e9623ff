//! A flag with a typed value.

use crate::{set::Registered, value::Value};
use polywire_base::lock;
use std::{
    fmt,
    ops::{Bound, RangeBounds},
    sync::{
        Arc, Mutex,
        atomic::{AtomicU64, Ordering::Relaxed},
    },
};

type Check<T> = Box<dyn Fn(T) -> Result<(), String> + Send + Sync>;
type Told<T> = Arc<dyn Fn(T) + Send + Sync>;

/// A value that its owner reads by one relaxed load, and that operators change by name once it is registered
/// with [`Flags`](crate::Flags). Clones are the same flag.
pub struct Flag<T: Value> {
    inner: Arc<Inner<T>>,
}

struct Inner<T> {
    name: String,
    help: String,
    default: T,
    /// The value, which any thread reads and writes. No other memory is ordered by it.
    bits: AtomicU64,
    /// The accepted values, in words; empty: all values of the type.
    allowed: String,
    checks: Vec<Check<T>>,
    fixed: bool,
    told: Mutex<Vec<Told<T>>>,
}

impl<T: Value> Flag<T> {
    /// A flag with its default. `name` is what operators write; `help` is one line for them.
    pub fn new(name: impl Into<String>, default: T, help: impl Into<String>) -> Flag<T> {
        let inner = Inner {
            name: name.into(),
            help: help.into(),
            default,
            bits: AtomicU64::new(default.to_bits()),
            allowed: String::new(),
            checks: Vec::new(),
            fixed: false,
            told: Mutex::new(Vec::new()),
        };
        Flag { inner: Arc::new(inner) }
    }

    /// Accepts values of this range only.
    ///
    /// # Panics
    /// If the default lies outside, or if the flag has been cloned.
    #[must_use]
    pub fn range(mut self, range: impl RangeBounds<T> + Send + Sync + 'static) -> Flag<T> {
        assert!(range.contains(&self.inner.default), "{}: its default is out of range", self.inner.name);
        let words = in_words(&range);
        let text = words.clone();
        let inner = self.building();
        inner.allowed = words;
        inner.checks.push(Box::new(move |value| {
            if range.contains(&value) { Ok(()) } else { Err(format!("it has to be {text}")) }
        }));
        self
    }

    /// Accepts only values that `check` accepts; `allowed` describes them. The text of an error is shown to
    /// the operator.
    ///
    /// # Panics
    /// If the default is refused, or if the flag has been cloned.
    #[must_use]
    pub fn check(
        mut self,
        allowed: impl Into<String>,
        check: impl Fn(T) -> Result<(), String> + Send + Sync + 'static,
    ) -> Flag<T> {
        if let Err(why) = check(self.inner.default) {
            panic!("{}: its default is refused: {why}", self.inner.name);
        }
        let inner = self.building();
        inner.allowed = allowed.into();
        inner.checks.push(Box::new(check));
        self
    }

    /// Makes the flag fixed: it is set from files and the environment before the program begins, and cannot
    /// be changed afterwards.
    ///
    /// # Panics
    /// If the flag has been cloned.
    #[must_use]
    pub fn fixed(mut self) -> Flag<T> {
        self.building().fixed = true;
        self
    }

    fn building(&mut self) -> &mut Inner<T> {
        Arc::get_mut(&mut self.inner).expect("a flag is cloned when it is complete")
    }

    /// The value now. Hot: one relaxed load.
    #[inline]
    pub fn get(&self) -> T {
        T::from_bits(self.inner.bits.load(Relaxed))
    }

    /// Calls this function with the new value after each change. Of simultaneous changes, the last call has
    /// the value that stays.
    pub fn on_change(&self, told: impl Fn(T) + Send + Sync + 'static) {
        lock(&self.inner.told).push(Arc::new(told));
    }

    pub fn name(&self) -> &str {
        &self.inner.name
    }
}

/// `at least 1`, `1 to 1000`, `less than 5`.
fn in_words<T: Value>(range: &impl RangeBounds<T>) -> String {
    let low = match range.start_bound() {
        Bound::Included(low) => Some(format!("at least {}", low.text())),
        Bound::Excluded(low) => Some(format!("more than {}", low.text())),
        Bound::Unbounded => None,
    };
    let high = match range.end_bound() {
        Bound::Included(high) => Some(format!("at most {}", high.text())),
        Bound::Excluded(high) => Some(format!("less than {}", high.text())),
        Bound::Unbounded => None,
    };
    match (low, high) {
        (Some(low), Some(high)) => format!("{low}, {high}"),
        (low, high) => low.or(high).unwrap_or_default(),
    }
}

impl<T: Value> Registered for Flag<T> {
    fn name(&self) -> &str {
        &self.inner.name
    }
    fn help(&self) -> &str {
        &self.inner.help
    }
    fn allowed(&self) -> String {
        match &*self.inner.allowed {
            "" => T::FORM.to_owned(),
            allowed => format!("{}, {allowed}", T::FORM),
        }
    }
    fn default(&self) -> String {
        self.inner.default.text()
    }
    fn value(&self) -> String {
        self.get().text()
    }
    fn is_fixed(&self) -> bool {
        self.inner.fixed
    }
    fn check(&self, text: &str) -> Result<(), String> {
        let value = T::parse(text).ok_or_else(|| format!("it has to be {}", T::FORM))?;
        self.inner.checks.iter().try_for_each(|check| check(value))
    }
    fn store(&self, text: &str) -> Result<(), String> {
        self.check(text)?;
        let value = T::parse(text).ok_or_else(|| format!("it has to be {}", T::FORM))?;
        self.inner.bits.store(value.to_bits(), Relaxed);
        Ok(())
    }
    fn tell(&self) {
        let told = lock(&self.inner.told).clone(); // nothing of others runs under the lock
        told.iter().for_each(|told| told(self.get()));
    }
}

impl<T: Value> Clone for Flag<T> {
    fn clone(&self) -> Self {
        Flag { inner: self.inner.clone() }
    }
}

impl<T: Value> fmt::Debug for Flag<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}={}", self.inner.name, self.get().text())
    }
}

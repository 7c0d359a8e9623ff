//! Copies of calls to other servers, which their callers do not notice: a new version is shown real traffic
//! before it answers any of it, and its answers are compared.
//!
//! ```text
//!  call ─► cluster of the route ─► caller
//!    `── copy ─► shadow   ─┐
//!    `── copy ─► baseline ─┴─► comparison, on a thread of its own ─► counts
//! ```
//!
//! | file | what it is |
//! | --- | --- |
//! | `copying.rs` | what is kept of one call for its copy, from its message to its answer |
//! | `streamed.rs` | the copy of a call that streams |
//! | `budget.rs` | how many copies there may be, and how much memory they have |
//! | `answers.rs` | the answers to one message, until all of them are there |
//! | `comparison.rs` | whether they differ, and where |
//! | `by_schema.rs` | messages as JSON, and places in them without what users have written |
//! | `counts.rs` | what has become of copies |
//!
//! A copy is posted after its call, has its own deadline, is tried once, and nobody waits for it.

mod answers;
mod budget;
mod by_schema;
mod comparison;
mod copying;
pub(crate) mod counts;
mod streamed;

pub(crate) use copying::{Copying, Message, beside};
pub use counts::{Fate, PlaceFigures, ShadowFigures};

use crate::{Calls, Cluster, Figures, Passage, changes::FieldChanges, difference::Ignored};
use comparison::Queue;
use counts::Counts;
use polywire_call::ConfigError;
use polywire_server::{Context, Recorder};
use std::{
    sync::{Arc, Mutex},
    time::Duration,
};

/// The field of a copy, by which servers know it. Relays do not copy calls that have it.
pub(crate) const FIELD: &str = "polywire-shadow";
/// Texts of methods of one shadow.
const MOST_METHODS: usize = 100;
const TIMEOUT: Duration = Duration::from_secs(1);

/// Servers that get copies of the calls of a route: see [`Routes::shadow`](crate::Routes::shadow).
///
/// Only methods that are named are copied, since a copy is executed as well. Only calls of one message each
/// way are, unless it [streams](Shadow::streams). A copy has the message and the fields of its call and the
/// field `polywire-shadow: 1`, ends after one second, and is never tried again. At most 100 are under way,
/// with at most 64 MiB of messages and answers; further ones are dropped and counted.
///
/// ```
/// # mod polywire { pub use polywire_client::*; pub mod gateway { pub use polywire_gateway::*; } }
/// use polywire::gateway::{Cluster, Figures, Routes, Shadow};
///
/// # fn f(old: polywire::Channel, new: polywire::Channel) -> Result<(), Box<dyn std::error::Error>> {
/// let figures = Figures::new();
/// let shadow = Shadow::to(&new).share(0.1).method("shop.Stock/Get")?.compare().baseline(&old);
/// let routes = Routes::new().to("shop.*".parse()?, &old)?.shadow(shadow.counted(&figures, "shop.*", "new"))?;
/// for shadow in figures.shadows() {
///     println!("{}: {} differ", shadow.route, shadow.different);
/// }
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
#[must_use]
pub struct Shadow {
    cluster: Cluster,
    baseline: Option<Cluster>,
    methods: Vec<Calls>,
    share: f64,
    timeout: Duration,
    compares: bool,
    streams: bool,
    ignored: Arc<Ignored>,
    shows_values: bool,
    /// Where requests are recorded whose answers differ.
    recorder: Option<Arc<Recorder>>,
    counts: Arc<Counts>,
    queue: Arc<Mutex<Queue>>,
}

impl Shadow {
    /// Copies go to this channel, or [`Cluster`].
    pub fn to(cluster: impl Into<Cluster>) -> Shadow {
        Shadow {
            cluster: cluster.into(),
            baseline: None,
            methods: Vec::new(),
            share: 1.0,
            timeout: TIMEOUT,
            compares: false,
            streams: false,
            ignored: Arc::new(Ignored::new(&[])),
            shows_values: false,
            recorder: None,
            counts: Arc::new(Counts::new("", "")),
            queue: Arc::default(),
        }
    }

    /// The part of the calls that is copied, from 0 to 1; each is drawn for itself. Default: 1, all.
    pub fn share(mut self, share: f64) -> Shadow {
        self.share = share;
        self
    }

    /// Copies the calls of this method: `shop.Stock/Get`, or of all whose names begin so: `shop.Stock/Get*`.
    /// What has side effects at the servers has them twice. May be called several times.
    ///
    /// # Errors
    /// The text names no method; there are 100 already.
    pub fn method(mut self, method: &str) -> Result<Shadow, ConfigError> {
        let calls = Shadow::check_method(method)?;
        if self.methods.len() == MOST_METHODS {
            return Err(ConfigError::new("methods", format!("at most {MOST_METHODS} of them")));
        }
        self.methods.push(calls);
        Ok(self)
    }

    /// The calls of a method as [`Shadow::method`] takes it.
    ///
    /// # Errors
    /// The text names no method.
    pub fn check_method(method: &str) -> Result<Calls, ConfigError> {
        Calls::of_methods(method, "methods", "a copy is executed")
    }

    /// The time that a copy has. Default: one second.
    pub fn timeout(mut self, timeout: Duration) -> Shadow {
        self.timeout = timeout;
        self
    }

    /// Compares the answers with those that callers get: by the schemas of the [`Cluster`], or that of the
    /// baseline or the route; otherwise by their bytes.
    pub fn compare(mut self) -> Shadow {
        self.compares = true;
        self
    }

    /// Compares, and asks these servers as well, which are as those of the route: where they differ from
    /// those, in times or random numbers, a difference is noise.
    pub fn baseline(mut self, baseline: impl Into<Cluster>) -> Shadow {
        (self.compares, self.baseline) = (true, Some(baseline.into()));
        self
    }

    /// Copies calls that stream, too, to servers of gRPC and Connect: those of methods that the schema of the
    /// shadow has as such, and others from their second message on. The shadow's replies are thrown away:
    /// they are not compared. Callers do not wait for it: when more than 1 MiB or 1000 messages would wait,
    /// the copy is cancelled and counts as dropped. It ends with its call, or [`timeout`](Shadow::timeout)
    /// after the caller's last message. Default: they are not copied.
    pub fn streams(mut self, copied: bool) -> Shadow {
        self.streams = copied;
        self
    }

    /// Leaves out differences: fields of messages by name or path, `updated_at` or `item.updated_at`, and
    /// fields of the reply as `header:x-served-by`.
    pub fn ignore(mut self, fields: &[String]) -> Shadow {
        self.ignored = Arc::new(Ignored::new(fields));
        self
    }

    /// Keeps an example of the values for each place that differs. They are what users have sent or may read.
    /// Default: places and counts alone.
    pub fn show_values(mut self, shown: bool) -> Shadow {
        self.shows_values = shown;
        self
    }

    /// Compares, and records the requests whose answers differ by more than noise, as the servers of the
    /// route get them, so that they can be replayed. They have what users have sent.
    pub fn record(mut self, recorder: &Arc<Recorder>) -> Shadow {
        (self.compares, self.recorder) = (true, Some(recorder.clone()));
        self
    }

    /// Counts there what becomes of the copies, as those of this route to this cluster. A shadow of the same
    /// names goes on counting where the one before has, and shares its limits.
    pub fn counted(mut self, figures: &Figures, route: &str, to: &str) -> Shadow {
        self.counts = figures.shadow(route, to);
        self
    }

    /// # Errors
    /// It can copy nothing.
    pub(crate) fn checked(self) -> Result<Arc<Shadow>, ConfigError> {
        let clusters = std::iter::once(&self.cluster).chain(&self.baseline);
        let refused = clusters.filter_map(|cluster| Passage::refusal(&cluster.channel)).next();
        let wrong = |option, text: String| Err(ConfigError::new(option, text));
        match refused {
            Some(refused) => wrong("shadow", refused),
            None if self.methods.is_empty() => {
                wrong("methods", "a copy is executed, so the methods that are copied are named".to_owned())
            }
            None if !(0.0..=1.0).contains(&self.share) => {
                wrong("share", format!("{} is not from 0 to 1", self.share))
            }
            None if self.timeout.is_zero() => wrong("timeout", "a copy without time is none".to_owned()),
            None => Ok(Arc::new(self)),
        }
    }

    /// Begins with a call to this cluster, if it is to be copied.
    pub(crate) fn begin(
        self: &Arc<Shadow>,
        cx: &Context,
        cluster: &Cluster,
        changes: &Option<Arc<FieldChanges>>,
    ) -> Option<Box<Copying>> {
        let (service, method) = cx.called();
        let is_named = self.methods.iter().any(|calls| calls.have(service, method));
        // A copy that comes from another relay would be multiplied.
        let is_copied = is_named && !cx.metadata().iter().any(|(name, _)| name.eq_ignore_ascii_case(FIELD));
        let is_drawn = is_copied && (self.share >= 1.0 || fastrand::f64() < self.share);
        is_drawn.then(|| Copying::new(self.clone(), cluster, changes.clone()))
    }
}

//! Partitioned servers of a name: every call goes to one server of each partition, and their replies are
//! merged.

use crate::{
    builder::Builder,
    call::retry::INHERITED,
    channel::{Channel, ChannelError},
    combination::{
        core::Like,
        dynamic::Dynamic,
        part::Mapper,
        partitions::{Maker, Parser},
        reply::Merger,
        verdict::Limits,
    },
    connection::home::{Home, HomeId},
    core::Combination,
};
use polywire_balance::Partition;
use polywire_call::ConfigError;
use polywire_naming::{self as naming, Server, WatchOptions, Watched, Work};
use std::{
    sync::Arc,
    task::{Context, Waker},
    time::Duration,
};

/// The maximum number of partitions: each is a channel of its own.
const MOST: u32 = 4096;

/// The options of a channel whose servers have parts of the data, see [`Builder::partitioned`].
#[must_use]
pub struct Partitioned<P> {
    builder: Builder<P>,
    /// The number of partitions; `None`: the servers' tags decide.
    count: Option<u32>,
    parser: Parser,
    limits: Limits,
    mapper: Option<Arc<dyn Mapper>>,
    merger: Option<Arc<dyn Merger>>,
}

impl<P> Builder<P> {
    /// A channel to servers that each hold a part of the data: the tag `1/3` says that a server holds the
    /// second of three partitions. Every call goes to one server of each of `count` partitions. Servers with
    /// other tags are left out. Like brpc's PartitionChannel.
    pub fn partitioned(self, count: u32) -> Partitioned<P> {
        Partitioned::new(self, Some(count))
    }

    /// Like [`Partitioned`], for servers that are partitioned in several ways at once, such as `0/3` and
    /// `0/4` while data moves from three partitions to four. Each call uses one partitioning, chosen with a
    /// probability proportional to the capacity of its smallest partition. Like brpc's
    /// DynamicPartitionChannel.
    pub fn dynamically_partitioned(self) -> Partitioned<P> {
        Partitioned::new(self, None)
    }
}

impl<P> Partitioned<P> {
    fn new(builder: Builder<P>, count: Option<u32>) -> Self {
        let parser = Arc::new(|server: &Server| Partition::of_tag(&server.tag));
        Partitioned { builder, count, parser, limits: Limits::default(), mapper: None, merger: None }
    }

    /// A function that returns a server's partition as (index, count). Default: it parses the tag
    /// `index/count`.
    pub fn parser(mut self, parser: impl Fn(&Server) -> Option<(u32, u32)> + Send + Sync + 'static) -> Self {
        self.parser = Arc::new(move |server| {
            let (index, count) = parser(server)?;
            (index < count && count <= MOST).then_some(Partition { index, count })
        });
        self
    }

    /// See [`Parallel::fail_limit`](crate::Parallel::fail_limit). Default: 1, since each partition has a part
    /// of the data that no other one has. With more, the reply of a call may lack parts without notice; only
    /// a [`Partitioned::merger`] learns which.
    pub fn fail_limit(mut self, failures: usize) -> Self {
        self.limits.fail = Some(failures);
        self
    }

    /// See [`Parallel::success_limit`](crate::Parallel::success_limit). With one, and without a limit of
    /// failures, a call fails if all partitions do.
    pub fn success_limit(mut self, successes: usize) -> Self {
        self.limits.success = Some(successes);
        self
    }

    /// Makes the part of a call that a partition is sent; [`Part::index`](crate::Part::index) is the
    /// partition.
    pub fn mapper(mut self, mapper: impl Mapper) -> Self {
        self.mapper = Some(Arc::new(mapper));
        self
    }

    /// How the partitions' replies are merged, see [`Parallel::merger`](crate::Parallel::merger).
    pub fn merger(mut self, merger: impl Merger) -> Self {
        self.merger = Some(Arc::new(merger));
        self
    }

    /// # Errors
    /// An option is invalid, or the address is not that of a naming source.
    pub fn build(self) -> Result<Channel<P>, ChannelError> {
        let Partitioned { builder, count, parser, mut limits, mapper, merger } = self;
        if limits.success.is_none() {
            limits.fail.get_or_insert(1);
        }
        if let Some(count) = count.filter(|count| *count == 0 || *count > MOST) {
            let text = format!("there are from 1 to {MOST} partitions");
            return Err(ConfigError::new("partitioned", text).with_value(&*count.to_string()).into());
        }
        let (recipe, fleet) = builder.recipe()?;
        let Some(fleet) = fleet.filter(|fleet| fleet.router.is_none()) else {
            let text = format!(
                "partitions need several servers: {:?} is one, not a naming url",
                recipe.spec.address
            );
            return Err(ConfigError::new("address", text).into());
        };
        let options = WatchOptions::default().set_interval(Duration::ZERO);
        let (watched, work) = naming::watch_with(Box::new(fleet.source.clone()), options);
        start(work);
        let (timeout, content, longest) = (recipe.defaults.timeout, recipe.content, recipe.longest);
        let retries = recipe.defaults.retries;
        let how = count
            .map_or("partitions that its servers name".to_owned(), |count| format!("{count} partitions"));
        let name = format!("{} in {how}", recipe.spec.address);
        let maker = Maker { recipe, fleet, watched, parser, limits, mapper, merger };
        let spec = maker.recipe.spec.named(name.as_str().into());
        let like = Like { name, spec: &spec, content, longest, http_rules: false };
        let combination: Arc<dyn Combination> = match count {
            Some(count) => return Ok(like.channel(timeout, INHERITED, maker.way(count).calls)),
            None => Arc::new(Dynamic::new(maker, retries)),
        };
        Ok(like.channel(timeout, retries, combination))
    }
}

/// Spawns the work of a source. A set that the source has at hand is known when this returns.
pub(super) fn start(mut work: Work) {
    let home = Home::of(HomeId::current());
    let polled = home.within(|| work.as_mut().poll(&mut Context::from_waker(Waker::noop())));
    if polled.is_pending() {
        home.spawn(work);
    }
}

/// Restarts a naming source whose runtime has ended.
pub(super) fn keep(watched: &Watched) {
    if let Some(work) = watched.resume() {
        start(work);
    }
}

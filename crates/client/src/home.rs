//! On whose thread a connection lives: the shard or the runtime of its callers.

use polywire_engine::{Engine, current_shard, current_shard_id};
use std::{future::Future, sync::Arc};
use tokio::runtime;

/// Where a caller runs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum HomeId {
    /// By [`polywire_engine::current_shard_id`].
    Shard(usize),
    Runtime(runtime::Id),
    /// A plain thread.
    Nowhere,
}

/// A home that connections can be put on.
pub(crate) enum Home {
    Shard(Arc<polywire_engine::Shard>),
    Runtime(runtime::Handle),
}

impl HomeId {
    /// The home of the calling thread. Hot: once per call; takes no share of the shard.
    #[inline]
    pub fn current() -> HomeId {
        match current_shard_id() {
            Some(id) => HomeId::Shard(id),
            None => HomeId::of_runtime(),
        }
    }

    fn of_runtime() -> HomeId {
        match runtime::Handle::try_current() {
            Ok(handle) => HomeId::Runtime(handle.id()),
            Err(_) => HomeId::Nowhere,
        }
    }
}

impl Home {
    /// The home of the calling thread; callers without one share the default engine's shards.
    pub fn current() -> Home {
        if let Some(shard) = current_shard() {
            return Home::Shard(shard);
        }
        match runtime::Handle::try_current() {
            Ok(handle) => Home::Runtime(handle),
            Err(_) => Home::Shard(Engine::default_engine().least_busy().clone()),
        }
    }

    pub fn spawn(&self, task: impl Future<Output = ()> + Send + 'static) {
        match self {
            Home::Shard(shard) => drop(shard.handle().spawn(task)),
            Home::Runtime(handle) => drop(handle.spawn(task)),
        }
    }
}

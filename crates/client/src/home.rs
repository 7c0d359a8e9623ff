//! On whose thread a connection lives: the shard or the runtime of its callers.

use polywire_engine::{Engine, current_shard};
use std::{future::Future, sync::Arc};
use tokio::runtime;

/// Where a caller runs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum HomeId {
    Shard(usize),
    Runtime(runtime::Id),
}

/// A home that connections can be put on.
pub(crate) enum Home {
    Shard(Arc<polywire_engine::Shard>),
    Runtime(runtime::Handle),
}

impl Home {
    /// The home of the calling thread; callers without one (plain threads) share the default engine's shards.
    pub fn current() -> (HomeId, Home) {
        if let Some(shard) = current_shard() {
            return (HomeId::Shard(Arc::as_ptr(&shard).addr()), Home::Shard(shard));
        }
        match runtime::Handle::try_current() {
            Ok(handle) => (HomeId::Runtime(handle.id()), Home::Runtime(handle)),
            Err(_) => {
                let shard = Engine::default_engine().least_busy().clone();
                (HomeId::Shard(Arc::as_ptr(&shard).addr()), Home::Shard(shard))
            }
        }
    }

    pub fn spawn(&self, task: impl Future<Output = ()> + Send + 'static) {
        match self {
            Home::Shard(shard) => drop(shard.handle().spawn(task)),
            Home::Runtime(handle) => drop(handle.spawn(task)),
        }
    }
}

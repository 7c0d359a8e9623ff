//! A connection's home: the shard or the tokio runtime whose thread drives it, the same as its callers'.

use polywire_engine::{Engine, home, home_id, spawn_on};
use std::{future::Future, sync::Arc, time::Duration};
use tokio::{runtime, task::JoinHandle, time::Sleep};

/// Names the home of a caller.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum HomeId {
    /// A shard, by its [`polywire_engine::home_id`]: the caller runs on it, or on the work pool on its
    /// behalf.
    Shard(usize),
    Runtime(runtime::Id),
    /// The caller's thread belongs to no shard and has no runtime.
    Nowhere,
}

/// A home on which connections can be put.
pub(crate) enum Home {
    Shard(Arc<polywire_engine::Shard>),
    Runtime(runtime::Handle),
}

impl HomeId {
    /// The home of the calling thread. Hot: once per call; it clones no reference to the shard.
    #[inline]
    pub fn current() -> HomeId {
        match home_id() {
            Some(id) => HomeId::Shard(id),
            None => HomeId::of_runtime(),
        }
    }

    /// Like [`HomeId::current`], for a thread that is about to wait: a runtime on that thread could not drive
    /// the connection meanwhile.
    pub fn of_waiting() -> HomeId {
        home_id().map_or(HomeId::Nowhere, HomeId::Shard)
    }

    fn of_runtime() -> HomeId {
        match runtime::Handle::try_current() {
            Ok(handle) => HomeId::Runtime(handle.id()),
            Err(_) => HomeId::Nowhere,
        }
    }
}

impl Home {
    /// The home of this id, as seen from the calling thread; callers without one share the default engine's
    /// shards.
    pub fn of(id: HomeId) -> Home {
        let handle = match id {
            HomeId::Shard(_) => return home().map_or_else(Home::default, Home::Shard),
            HomeId::Runtime(_) => runtime::Handle::try_current(),
            HomeId::Nowhere => return Home::default(),
        };
        handle.map_or_else(|_| Home::default(), Home::Runtime)
    }

    /// Runs `work` in this home's context, on the calling thread.
    pub fn within<T>(&self, work: impl FnOnce() -> T) -> T {
        let _inside = self.handle().enter();
        work()
    }

    /// Runs a task on this home.
    pub fn spawn(&self, task: impl Future<Output = ()> + Send + 'static) {
        drop(spawn_on(self.handle(), task));
    }

    /// Runs a task on this home whose result is awaited.
    pub fn start<T: Send + 'static>(&self, task: impl Future<Output = T> + Send + 'static) -> JoinHandle<T> {
        self.handle().spawn(task)
    }

    fn handle(&self) -> &runtime::Handle {
        match self {
            Home::Shard(shard) => shard.handle(),
            Home::Runtime(handle) => handle,
        }
    }
}

/// Sleeps by the timers of the calling thread's home, so that callers need no runtime of their own.
pub fn sleep(pause: Duration) -> Sleep {
    Home::of(HomeId::current()).within(|| tokio::time::sleep(pause))
}

/// Runs a task on the calling thread's home.
pub fn spawn(task: impl Future<Output = ()> + Send + 'static) {
    Home::of(HomeId::current()).spawn(task);
}

impl Default for Home {
    fn default() -> Self {
        Home::Shard(Engine::default_engine().least_busy().clone())
    }
}

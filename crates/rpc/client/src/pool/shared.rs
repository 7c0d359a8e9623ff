//! Connections and naming watches that several channels share.

use crate::{
    connection::credentials::Credentials,
    connection::{connector::Identity, server_options::ServerOptions, spec::ConnectSpec},
    pool::{Bounds, Pool},
};
use polywire_base::lock;
use polywire_engine::Faults;
use polywire_naming::Watches;
use polywire_wire::{Connections, Limits};
use std::{
    collections::HashMap,
    fmt,
    sync::{Arc, Mutex, Weak},
    time::Duration,
};

/// Connections that several channels share: each channel with the same value
/// ([`Pooling::share`](crate::Pooling::share)) uses the connections of the others to the same address, if
/// their settings do not differ.
///
/// Connections are shared if these are equal: the address; the protocol with its parameter; the credential;
/// TLS with all its options and the contents of its files when the channel was built; the options of
/// [`Fleet::per_server`](crate::Fleet::per_server); limits, time limits, age, kind and number of connections.
/// A channel with a [`connector`](crate::Builder::connector) of its own has its own connections, since two
/// functions cannot be compared. To keep channels apart, give them different values of this type.
///
/// Channels to the same naming url watch it together. Connections end with the last channel that uses them.
///
/// ```
/// # use polywire_client::{Channel, NoProtocols, Pooling, SharedConnections};
/// let shared = SharedConnections::default();
/// let orders = Channel::<NoProtocols>::builder("list://10.0.0.1:80,10.0.0.2:80").pooling(Pooling::default().share(&shared));
/// let users = Channel::<NoProtocols>::builder("list://10.0.0.1:80,10.0.0.2:80").pooling(Pooling::default().share(&shared));
/// # let _ = (orders, users);
/// ```
#[derive(Clone, Default)]
pub struct SharedConnections(Arc<Inner>);

#[derive(Default)]
struct Inner {
    pools: Mutex<Pools>,
    watches: Watches,
    faults: Arc<Faults>,
}

#[derive(Default)]
struct Pools {
    by_address: HashMap<Arc<str>, Vec<(Key, Weak<Pool>)>>,
}

impl Pools {
    /// Takes out the pools to an address that are not used any more. They have to be dropped without the
    /// lock: the credentials of a key may own a channel, whose pools are here as well.
    fn take_unused(&mut self, address: &Arc<str>) -> Vec<(Key, Weak<Pool>)> {
        let Some(pools) = self.by_address.get_mut(address) else { return Vec::new() };
        let unused = pools.extract_if(.., |(_, pool)| pool.strong_count() == 0).collect();
        if pools.is_empty() {
            self.by_address.remove(address);
        }
        unused
    }
}

/// The registration of a shared pool. It is removed with the pool, together with the values it was found by,
/// credentials included.
pub(super) struct Entry {
    among: Weak<Inner>,
    address: Arc<str>,
}

impl Drop for Entry {
    fn drop(&mut self) {
        if let Some(among) = self.among.upgrade() {
            let unused = lock(&among.pools).take_unused(&self.address);
            drop(unused);
        }
    }
}

/// The properties that must be equal for connections to one address to be shared.
#[derive(PartialEq)]
struct Key {
    /// The address of the protocol's static entry.
    protocol: usize,
    parameter: Arc<str>,
    authority: Option<Arc<str>>,
    credential: Option<Arc<[u8]>>,
    credentials: Renewed,
    once: bool,
    /// TLS, and whom it believes.
    identity: Identity,
    own: ServerOptions,
    connect_timeout: Duration,
    max_age: Option<Duration>,
    idle: Option<Duration>,
    dedicated_threads: bool,
    limits: Limits,
    max_unsent: usize,
    write_stall: Option<Duration>,
    /// The address of the budget.
    memory: Option<usize>,
    kind: Connections,
    bounds: Bounds,
}

/// Credentials that are renewed. Only clones of one value are equal: they send the same tokens.
struct Renewed(Option<Credentials>);

impl PartialEq for Renewed {
    fn eq(&self, other: &Self) -> bool {
        match (&self.0, &other.0) {
            (None, None) => true,
            (Some(one), Some(other)) => Arc::ptr_eq(one.renewal(), other.renewal()),
            _ => false,
        }
    }
}

impl Key {
    /// `None`: its connections are like no others.
    fn of(spec: &ConnectSpec, kind: Connections, bounds: Bounds) -> Option<Key> {
        // All fields by name: a new one has to be thought of here.
        let ConnectSpec {
            address: _, // the place in the map
            protocol,
            parameter,
            authority,
            credential,
            once,
            connector,
            own,
            connect_timeout,
            max_age,
            idle,
            dedicated_threads,
            config,
            memory,
            keepalive: _, // what was learnt of the server
            backoff: _,
            observers: _,
            ledger: _,
            subchannels: _, // those of the channel that makes them
            credentials,
        } = spec;
        Some(Key {
            protocol: std::ptr::from_ref(*protocol).addr(),
            parameter: parameter.clone(),
            authority: authority.clone(),
            credential: credential.clone(),
            credentials: Renewed(credentials.clone()),
            once: *once,
            identity: connector.identity()?,
            own: own.clone(),
            connect_timeout: *connect_timeout,
            max_age: *max_age,
            idle: *idle,
            dedicated_threads: *dedicated_threads,
            limits: config.limits,
            max_unsent: config.overfull,
            write_stall: config.timeouts.write_stall,
            memory: memory.as_ref().map(|memory| Arc::as_ptr(memory).addr()),
            kind,
            bounds,
        })
    }
}

impl SharedConnections {
    /// The pool for such connections: an existing one, or a new one.
    pub(crate) fn pool(&self, spec: ConnectSpec, kind: Connections, bounds: Bounds) -> Arc<Pool> {
        let Some(key) = Key::of(&spec, kind, bounds) else { return Pool::new(spec, kind, bounds) };
        let mut pools = lock(&self.0.pools);
        let pools = pools.by_address.entry(spec.address.clone()).or_default();
        // One that has just gone may still be there.
        let known = pools.iter().filter(|(known, _)| *known == key).find_map(|(_, pool)| pool.upgrade());
        if let Some(pool) = known {
            pool.spec().observers.join(spec.observers);
            return pool;
        }
        let entry = Entry { among: Arc::downgrade(&self.0), address: spec.address.clone() };
        let pool = Pool::with(spec, kind, bounds, Some(entry));
        pools.push((key, Arc::downgrade(&pool)));
        pool
    }

    /// The naming urls that are watched together.
    pub(crate) fn watches(&self) -> &Watches {
        &self.0.watches
    }

    /// The connection faults of all channels together.
    pub(crate) fn faults(&self) -> &Arc<Faults> {
        &self.0.faults
    }
}

impl fmt::Debug for SharedConnections {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let pools: usize = lock(&self.0.pools).by_address.values().map(Vec::len).sum();
        f.debug_struct("SharedConnections").field("pools", &pools).field("watches", &self.0.watches).finish()
    }
}

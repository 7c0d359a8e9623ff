//! The nodes of a cluster, and the table of the nodes that have each slot.
//!
//! Invariants: each slot of the table is 0, for no owner, or the number of a shard plus one. Limits:
//! [`MAX_NODES`] nodes; one look at the table at a time, and ten a second.

use super::{
    builder::{Builder, ReadFrom},
    refresh::{LOOK_INTERVAL, Refresh},
    slot::{SLOTS, Slot},
    topology::{self, MAX_NODES, Unusable},
};
use crate::{Command, Value, target::TARGET};
use polywire_base::lock;
use polywire_call::{Origin, Status};
use polywire_client::{Channel, ChannelError, NoProtocols, spawn};
use polywire_engine::clock;
use polywire_protocols::redis::PROTOCOL;
use polywire_wire::{Connections, Protocol, ProtocolSet};
use std::{
    collections::HashMap,
    sync::{
        Arc, Mutex, OnceLock, PoisonError, RwLock,
        atomic::{AtomicUsize, Ordering::Relaxed},
    },
    time::{Duration, Instant},
};

/// The time limit of asking a node for the table.
const LOOK_TIMEOUT: Duration = Duration::from_secs(1);
/// The maximum number of nodes that are asked for the table, one after the other.
const LOOK_NODES: usize = 8;

/// A cluster, as its clients share it.
pub(crate) struct Inner {
    pub(super) options: Builder,
    nodes: Mutex<HashMap<Box<str>, Arc<Node>>>,
    table: RwLock<Table>,
    /// Held while the table is being read: the time of the last attempt, and its result.
    looking: tokio::sync::Mutex<Option<(Instant, Result<(), Status>)>>,
    refresh: Refresh,
    /// Counts up to choose the next replica, or the next node for commands without keys.
    turn: AtomicUsize,
}

/// One node of the cluster.
pub(crate) struct Node {
    pub(crate) address: Box<str>,
    shared: OnceLock<Channel>,
    /// A second channel, whose connections have sent READONLY.
    reading: OnceLock<Channel>,
    exclusive: OnceLock<Channel>,
    make: Arc<Make>,
}

type Make = dyn Fn(&str, Use) -> Result<Channel, ChannelError> + Send + Sync;

/// The purpose of a channel to a node.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Use {
    Calls,
    /// Commands that change nothing, at a replica.
    Reading,
    /// One caller at a time.
    Exclusive,
}

/// The owner of each slot.
struct Table {
    shards: Vec<Shard>,
    /// For each slot the number of its shard plus one; 0: the slot has no owner.
    slots: Box<[u16]>,
}

struct Shard {
    master: Option<Arc<Node>>,
    replicas: Vec<Arc<Node>>,
}

impl Node {
    /// The channel that all callers share.
    pub(crate) fn channel(&self) -> Result<Channel, Status> {
        self.of(&self.shared, Use::Calls)
    }

    /// The channel for commands that a replica may answer.
    pub(super) fn reading(&self) -> Result<Channel, Status> {
        self.of(&self.reading, Use::Reading)
    }

    /// A channel whose connections serve one caller each.
    pub(crate) fn exclusive(&self) -> Result<Channel, Status> {
        self.of(&self.exclusive, Use::Exclusive)
    }

    fn of(&self, slot: &OnceLock<Channel>, for_what: Use) -> Result<Channel, Status> {
        if let Some(channel) = slot.get() {
            return Ok(channel.clone());
        }
        let made = (self.make)(&self.address, for_what)
            .map_err(|error| Status::unavailable(format!("{}: {error}", self.address)))?;
        Ok(slot.get_or_init(|| made).clone())
    }

    fn host(&self) -> &str {
        let host = self.address.rsplit_once(':').map_or(&*self.address, |(host, _)| host);
        host.trim_start_matches('[').trim_end_matches(']')
    }
}

impl Inner {
    /// # Errors
    /// A seed's address, or an option of the channels, is wrong.
    pub(super) fn new(options: Builder) -> Result<Self, ChannelError> {
        let inner = Inner {
            nodes: Mutex::default(),
            table: RwLock::new(Table { shards: Vec::new(), slots: vec![0; SLOTS.into()].into() }),
            looking: tokio::sync::Mutex::new(None),
            refresh: Refresh::new(clock::now(), options.refresh),
            turn: AtomicUsize::new(0),
            options,
        };
        let make = inner.make();
        inner.options.seeds.iter().try_for_each(|seed| make(seed, Use::Calls).map(drop))?;
        Ok(inner)
    }

    /// Makes the channels of nodes.
    fn make(&self) -> Arc<Make> {
        let (adjust, protocol) = (self.options.adjust.clone(), self.options.protocol.clone());
        let timeout = self.options.timeout;
        Arc::new(move |address, for_what| {
            let builder = Channel::<NoProtocols>::builder(address).protocol_set(redis_only());
            let protocol = match for_what {
                Use::Calls | Use::Exclusive => protocol.clone(),
                Use::Reading if protocol.contains(':') => format!("{protocol},readonly"),
                Use::Reading => format!("{protocol}:readonly"),
            };
            let builder = adjust(builder.timeout(timeout)).protocol(protocol);
            let builder = if for_what == Use::Exclusive { builder.kind(Connections::Short) } else { builder };
            builder.build()
        })
    }

    /// The node of an address; the same one each time.
    ///
    /// # Errors
    /// There are too many.
    fn node(&self, address: &str) -> Result<Arc<Node>, Status> {
        let mut nodes = lock(&self.nodes);
        if let Some(node) = nodes.get(address) {
            return Ok(node.clone());
        }
        if nodes.len() >= MAX_NODES {
            return Err(Status::resource_exhausted(format!("a cluster has at most {MAX_NODES} nodes")));
        }
        let node = Arc::new(Node {
            address: address.into(),
            shared: OnceLock::new(),
            reading: OnceLock::new(),
            exclusive: OnceLock::new(),
            make: self.make(),
        });
        nodes.insert(address.into(), node.clone());
        Ok(node)
    }

    /// The node of a slot, or any node with slots, by the present table. `attempt`: the number of nodes that
    /// have failed.
    pub(super) fn pick(&self, slot: Option<Slot>, reads: bool, attempt: u32) -> Option<Picked> {
        let table = self.table.read().unwrap_or_else(PoisonError::into_inner);
        let shard = match slot {
            Some(slot) => table.shards.get(usize::from(table.slots[slot.index()]).checked_sub(1)?)?,
            None => {
                let with = || table.shards.iter().filter(|shard| shard.master.is_some());
                let count = with().count();
                with().nth(self.turn.fetch_add(1, Relaxed) % count.max(1))?
            }
        };
        let replicas = &shard.replicas;
        if reads && self.options.read_from == ReadFrom::Replica && (attempt as usize) < replicas.len() {
            let turn = self.turn.fetch_add(1, Relaxed);
            return Some(Picked { node: replicas[turn % replicas.len()].clone(), reading: true });
        }
        Some(Picked { node: shard.master.clone()?, reading: false })
    }

    /// Like [`Inner::pick`], but reads the table first if it has no answer.
    ///
    /// # Errors
    /// No node can be reached, or the slot has no owner.
    pub(super) async fn find(&self, slot: Option<Slot>, reads: bool, attempt: u32) -> Result<Picked, Status> {
        if let Some(picked) = self.pick(slot, reads, attempt) {
            return Ok(picked);
        }
        self.read_table(false).await?;
        self.pick(slot, reads, attempt).ok_or_else(|| {
            let text = match slot {
                Some(slot) => format!("CLUSTERDOWN nobody has slot {slot}"),
                None => "CLUSTERDOWN nobody has a slot".to_owned(),
            };
            Status::unavailable(text).with_origin(Origin::Remote).unprocessed()
        })
    }

    /// The master of a slot, or any.
    ///
    /// # Errors
    /// The errors of [`Inner::find`].
    pub(crate) async fn master_of(&self, slot: Option<Slot>) -> Result<Arc<Node>, Status> {
        // A call to it finds out whether the table is right, which a subscription would not.
        let _ = self.read_table(false).await;
        Ok(self.find(slot, false, 0).await?.node)
    }

    /// The masters of all shards that have slots.
    pub(super) async fn masters(&self) -> Result<Vec<Arc<Node>>, Status> {
        self.find(None, false, 0).await?;
        let table = self.table.read().unwrap_or_else(PoisonError::into_inner);
        let has_slots = |at: usize| table.slots.iter().any(|one| usize::from(*one) == at + 1);
        let masters = table.shards.iter().enumerate().filter(|(at, _)| has_slots(*at));
        Ok(masters.filter_map(|(_, shard)| shard.master.clone()).collect())
    }

    /// The node that a redirection names, which must also be in a table. So a node that lies cannot by itself
    /// send callers, and their credentials, elsewhere. `said_by`: for an address without a host.
    ///
    /// # Errors
    /// The address is not one of the cluster's nodes.
    pub(super) async fn redirected(&self, address: &str, said_by: &Node) -> Result<Arc<Node>, Status> {
        let address = match address.strip_prefix(':') {
            Some(port) => super::redirect::join(said_by.host(), port.parse().unwrap_or_default()),
            None => address.into(),
        };
        let translated = (self.options.translate)(&address);
        let find = |address: &str| lock(&self.nodes).get(address).cloned();
        if let Some(node) = translated.as_deref().and_then(find) {
            return Ok(node);
        }
        // It may be new.
        let read = self.read_table(false).await;
        if let Some(node) = translated.as_deref().and_then(find) {
            return Ok(node);
        }
        let why = read.err().map_or_else(String::new, |status| format!(": {}", status.message()));
        Err(Status::unavailable(format!(
            "{} redirects to {address}, which is no node of the cluster{why}",
            said_by.address
        )))
    }

    /// Records that a node has reported another one as the present owner of this slot.
    pub(super) fn moved(&self, slot: Slot, to: &Arc<Node>) {
        let mut table = self.table.write().unwrap_or_else(PoisonError::into_inner);
        let is_to = |shard: &Shard| shard.master.as_ref().is_some_and(|master| Arc::ptr_eq(master, to));
        let at = table.shards.iter().position(is_to).unwrap_or_else(|| {
            // It was a replica, or had no slots. There are no more shards than nodes.
            table.shards.push(Shard { master: Some(to.clone()), replicas: Vec::new() });
            table.shards.len() - 1
        });
        table.slots[slot.index()] = at as u16 + 1;
    }

    /// Lets a background task read the table if it is old at `now`. Hot: once per call.
    #[inline]
    pub(super) fn refresh_if_due(self: &Arc<Self>, now: Instant) {
        if self.refresh.is_due(now) {
            self.refresh_beside();
        }
    }

    #[cold]
    fn refresh_beside(self: &Arc<Self>) {
        let inner = Arc::downgrade(self);
        spawn(async move {
            if let Some(inner) = inner.upgrade() {
                let _ = inner.read_table(false).await; // calls find out by themselves
            }
        });
    }

    /// Records that a connection was lost: the node may have lost its slots as well.
    pub(super) fn connection_lost(&self) {
        self.refresh.soon();
    }

    /// Reads the table from a node, unless that was tried a moment ago. One caller reads, the others wait for
    /// the result.
    ///
    /// # Errors
    /// No node has reported a table.
    pub(crate) async fn read_table(&self, at_once: bool) -> Result<(), Status> {
        let asked = clock::now();
        let mut looking = self.looking.lock().await;
        if let Some((last, result)) = &*looking {
            // Another caller has read it while this one waited, or it was read just before.
            let is_new = *last >= asked || (!at_once && asked.duration_since(*last) < LOOK_INTERVAL);
            if is_new {
                return result.clone();
            }
        }
        let result = self.ask_for_table().await;
        *looking = Some((clock::now(), result.clone()));
        result
    }

    async fn ask_for_table(&self) -> Result<(), Status> {
        let mut failure = Status::unavailable("no node of the cluster is known");
        for node in self.informants() {
            match self.ask(&node).await {
                Ok(shards) => return self.take(shards),
                Err(status) => failure = status,
            }
        }
        Err(failure)
    }

    /// The nodes to ask: masters first, beginning with another one each time, and a seed among them.
    fn informants(&self) -> Vec<Arc<Node>> {
        let mut nodes: Vec<Arc<Node>> = {
            let table = self.table.read().unwrap_or_else(PoisonError::into_inner);
            let mut masters: Vec<_> = table.shards.iter().filter_map(|shard| shard.master.clone()).collect();
            let turn = self.turn.fetch_add(1, Relaxed) % masters.len().max(1);
            masters.rotate_left(turn);
            masters.into_iter().take(LOOK_NODES / 2).collect()
        };
        let turn = self.turn.load(Relaxed);
        let seeds = &self.options.seeds;
        for at in 0..seeds.len() {
            if nodes.len() >= LOOK_NODES {
                break;
            }
            if let Ok(node) = self.node(&seeds[(turn + at) % seeds.len()])
                && !nodes.iter().any(|other| Arc::ptr_eq(other, &node))
            {
                nodes.push(node);
            }
        }
        nodes
    }

    async fn ask(&self, node: &Node) -> Result<Vec<topology::Shard>, Status> {
        let channel = node.channel()?;
        let timeout = LOOK_TIMEOUT.min(self.options.timeout);
        let ask = async |what: &str| -> Result<Value, Status> {
            let command = Command::new("CLUSTER").arg(what);
            let reply = channel.call(TARGET, command.wire()).retries(0).timeout(timeout).await?;
            Value::parse(reply.into_message().body.into_bytes())
                .map_err(|error| Status::internal(error.to_string()))
        };
        let unusable = |why: Unusable| {
            let text = format!("the table of slots of {} cannot be used: {}", node.address, why.0);
            Status::unavailable(text)
        };
        let shards = ask("SHARDS").await?;
        if !shards.is_error() {
            return topology::of_shards(&shards, node.host()).map_err(unusable);
        }
        // redis-server before 7.0.
        let slots = ask("SLOTS").await?;
        if let Value::Error(text) = &slots {
            return Err(crate::line_status(&String::from_utf8_lossy(text)));
        }
        topology::of_slots(&slots, node.host()).map_err(unusable)
    }

    /// Takes over a table.
    fn take(&self, told: Vec<topology::Shard>) -> Result<(), Status> {
        let known = |address: &str| {
            let address = (self.options.translate)(address)?;
            self.node(&address).ok()
        };
        let mut slots: Box<[u16]> = vec![0; SLOTS.into()].into();
        let mut shards = Vec::with_capacity(told.len());
        self.forget_unused(&told);
        for shard in told {
            let master = shard.master.as_deref().and_then(known);
            let replicas: Vec<_> = shard.replicas.iter().filter_map(|address| known(address)).collect();
            for (first, last) in shard.ranges {
                slots[first.index()..=last.index()].fill(shards.len() as u16 + 1);
            }
            shards.push(Shard { master, replicas });
        }
        let mut table = self.table.write().unwrap_or_else(PoisonError::into_inner);
        *table = Table { shards, slots };
        self.refresh.done(clock::now());
        Ok(())
    }

    /// Removes the nodes that are neither seeds nor in this table; their connections then close.
    fn forget_unused(&self, told: &[topology::Shard]) {
        let addresses = told.iter().flat_map(|shard| shard.master.iter().chain(&shard.replicas));
        let kept: Vec<String> = addresses.filter_map(|address| (self.options.translate)(address)).collect();
        let is_kept = |address: &str| {
            kept.iter().any(|one| one == address) || self.options.seeds.iter().any(|seed| seed == address)
        };
        lock(&self.nodes).retain(|address, _| is_kept(address));
    }
}

/// A node that was picked for a command.
pub(super) struct Picked {
    pub(super) node: Arc<Node>,
    /// Whether the node is a replica, so that the channel sends READONLY.
    pub(super) reading: bool,
}

impl Picked {
    pub(super) fn channel(&self) -> Result<Channel, Status> {
        if self.reading { self.node.reading() } else { self.node.channel() }
    }
}

/// Nodes speak Redis and nothing else.
fn redis_only() -> ProtocolSet {
    static ONE: &[&Protocol] = &[&PROTOCOL];
    ProtocolSet::new(ONE)
}

//! A client of Redis servers.
//!
//! ```no_run
//! # async fn example() -> Result<(), Box<dyn std::error::Error>> {
//! use polywire::{Channel, redis};
//!
//! let redis = redis::Client::new(Channel::builder("127.0.0.1:6379").protocol("redis").build()?);
//! redis.set("key", "value").await?;
//! let value: Option<String> = redis.get("key").await?;
//! let (hits, name): (i64, String) = redis.pipeline().incr("hits").get("key").read().await?;
//! # Ok(())
//! # }
//! ```
//!
//! The protocol's name may have options: `redis:3` selects RESP3, `redis:db=5` a database. Replies are read
//! alike in both versions. An error reply becomes a [`Status`](polywire_call::Status) with the server's text.
//!
//! Commands that affect a whole connection (WATCH, BLPOP) need a [`Session`], and subscriptions a
//! [`Subscriber`]. A transaction that is sent as a whole ([`Pipeline::atomic`]) does not.

use crate::{
    Command, Execute, FromValue, Pipeline, Query, Session, Subscriber,
    backend::Backend,
    cluster::{self, Inner},
    query::{Sending, Shape},
    target::TARGET,
};
use polywire_call::Status;
use polywire_client::Channel;
use std::sync::Arc;

/// A Redis server behind a channel, or a cluster of them. Cheap to clone.
#[derive(Clone)]
pub struct Client {
    backend: Backend,
}

impl Execute for &Client {
    type Returns<T: FromValue> = Query<T>;

    fn execute<T: FromValue>(self, command: Command) -> Query<T> {
        self.call(&command)
    }
}

impl Client {
    /// A client over a channel whose protocol is `redis`.
    pub fn new<P>(channel: Channel<P>) -> Self {
        Client { backend: Backend::Channel(channel.retyped()) }
    }

    pub(crate) fn of_cluster(cluster: Arc<Inner>) -> Self {
        Client { backend: Backend::Cluster(cluster) }
    }

    /// Sends any command; its reply is read as `T`.
    pub fn call<T: FromValue>(&self, command: &Command) -> Query<T> {
        let wire = command.wire();
        let sending = match &self.backend {
            Backend::Channel(channel) => {
                let reads = cluster::reads(&wire);
                Sending::Channel(channel.call(TARGET, wire).idempotent(reads))
            }
            Backend::Cluster(cluster) => match cluster::place(command.key_places(), &wire) {
                Ok(place) => Sending::Cluster(Box::new(cluster::Request::one(cluster.clone(), wire, place))),
                Err(status) => Sending::Refused(Box::new(status)),
            },
        };
        Query::new(sending, Shape::One)
    }

    /// Several commands that are sent together and whose replies are received together.
    pub fn pipeline(&self) -> Pipeline {
        Pipeline::new(self.backend.clone())
    }

    /// A connection for exclusive use, for WATCH and for commands that block. The channel must be of the kind
    /// `Pooled` or `Short`, whose connections serve one call at a time. In a cluster it is a connection to
    /// the master that has `key`.
    ///
    /// # Errors
    /// FAILED_PRECONDITION: the channel's connections are shared. In a cluster also the errors of finding the
    /// node.
    pub async fn session(&self, key: impl AsRef<[u8]>) -> Result<Session, Status> {
        match &self.backend {
            Backend::Channel(channel) => Session::open(channel).await,
            Backend::Cluster(cluster) => {
                let slot = cluster::Slot::of(key.as_ref());
                Session::open(&cluster.master_of(Some(slot)).await?.exclusive()?).await
            }
        }
    }

    /// Subscriptions, over a separate connection, which is made when the first one is requested. The channel
    /// must be of the kind `Pooled` or `Short`. In a cluster, channels that are published by SPUBLISH belong
    /// to one node each: [`Cluster::shard_subscriber`](crate::Cluster::shard_subscriber).
    pub fn subscriber(&self) -> Subscriber {
        match &self.backend {
            Backend::Channel(channel) => Subscriber::over(channel.clone()),
            Backend::Cluster(cluster) => Subscriber::in_cluster(cluster.clone(), None),
        }
    }
}

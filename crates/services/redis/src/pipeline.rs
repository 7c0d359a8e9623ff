//! Commands that are sent together.

use crate::{
    Command, Execute, FromValue, Query,
    backend::Backend,
    cluster::{self, Placed},
    query::{Sending, Shape},
    target::TARGET,
};
use bytes::BytesMut;
use polywire_call::Status;

/// Commands that are sent in one write and answered in one wait; in a cluster, one write for each node.
///
/// ```
/// # use polywire::{Channel, redis};
/// # let channel = Channel::builder("127.0.0.1:6379").protocol("redis").build().unwrap();
/// let both = redis::Client::new(channel).pipeline().set("a", 1).incr("a").read::<(String, i64)>();
/// drop(both); // nothing was sent
/// ```
#[must_use = "commands are sent when the pipeline is read"]
pub struct Pipeline {
    backend: Backend,
    commands: BytesMut,
    count: usize,
    atomic: bool,
    /// Whether none of the commands changes anything.
    reads: bool,
    /// In a cluster: the beginning of each command, and its slot.
    places: Vec<Placed>,
    /// The reason why the pipeline cannot be sent, if a command is invalid.
    refused: Option<Box<Status>>,
}

impl Execute for Pipeline {
    type Returns<T: FromValue> = Pipeline;

    fn execute<T: FromValue>(self, command: Command) -> Pipeline {
        self.command(&command)
    }
}

impl Pipeline {
    pub(crate) fn new(backend: Backend) -> Self {
        Pipeline {
            backend,
            commands: BytesMut::new(),
            count: 0,
            atomic: false,
            reads: true,
            places: Vec::new(),
            refused: None,
        }
    }

    /// Adds a command that has no function here, as the pipeline's next.
    pub fn command(mut self, command: &Command) -> Self {
        let begin = self.commands.len();
        command.append(&mut self.commands);
        self.count += 1;
        self.reads = self.reads && cluster::reads(&self.commands[begin..]);
        if let Backend::Cluster(_) = &self.backend {
            match cluster::place(command.key_places(), &self.commands[begin..]) {
                Ok(place) => self.places.push(Placed { begin, place }),
                Err(status) => {
                    self.refused.get_or_insert_with(|| Box::new(status));
                }
            }
        }
        self
    }

    /// Makes the commands a transaction: either all of them run, or none does. MULTI is sent before them and
    /// EXEC after them, all in one write, so that it needs no connection of its own. In a cluster, the keys
    /// of all commands must be of one slot.
    pub fn atomic(self) -> Self {
        Pipeline { atomic: true, ..self }
    }

    /// Number of commands so far.
    pub fn len(&self) -> usize {
        self.count
    }

    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// The commands in wire form.
    pub(crate) fn into_wire(self) -> BytesMut {
        if self.atomic { enclosed(&self.commands) } else { self.commands }
    }

    /// Reads the replies as a list or a tuple, in the order of the commands. `Vec<Value>` contains each reply
    /// unchanged, errors included; for any other type, an error reply becomes the result.
    pub fn read<T: FromValue>(self) -> Query<T> {
        let shape = if self.atomic { Shape::Transaction } else { Shape::All };
        if let Some(status) = self.refused {
            return Query::new(Sending::Refused(status), shape);
        }
        let sending = match &self.backend {
            Backend::Channel(channel) => {
                let body = if self.atomic { enclosed(&self.commands) } else { self.commands };
                Sending::Channel(channel.call(TARGET, body).idempotent(self.reads))
            }
            Backend::Cluster(cluster) if self.atomic => {
                match cluster::one_slot(&self.places, &self.commands) {
                    Ok(place) => {
                        let body = enclosed(&self.commands).freeze();
                        Sending::Cluster(Box::new(cluster::Request::transaction(
                            cluster.clone(),
                            body,
                            place,
                        )))
                    }
                    Err(status) => Sending::Refused(Box::new(status)),
                }
            }
            Backend::Cluster(cluster) => {
                let body = self.commands.freeze();
                Sending::Cluster(Box::new(cluster::Request::pipeline(cluster.clone(), body, self.places)))
            }
        };
        Query::new(sending, shape)
    }
}

/// The commands between MULTI and EXEC.
fn enclosed(commands: &[u8]) -> BytesMut {
    let mut body = BytesMut::with_capacity(commands.len() + 32);
    Command::new("MULTI").append(&mut body);
    body.extend_from_slice(commands);
    Command::new("EXEC").append(&mut body);
    body
}

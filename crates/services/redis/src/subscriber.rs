//! Subscriptions, which survive their connections.
//!
//! ```text
//!  next ─► connected? ─no─► connect, SUBSCRIBE everything that is wanted
//!            │ yes
//!            ▼
//!          a frame ─► Message, Subscribed, Unsubscribed
//!          an end  ─► Lost, and the next call connects again after a pause
//!          silence ─► PING; silence again ─► Lost
//!          another server in the place of its own, in the channel's set ─► Lost
//! ```
//!
//! Nothing runs while [`Subscriber::next`] is not awaited: there is no task and no separate queue. Messages
//! that have arrived and were not taken are limited by the stream (256 KiB, see `Limits::window`); beyond it
//! nothing is read from the connection, and the server's own limit (`client-output-buffer-limit pubsub`)
//! closes the connection. The subscriber then returns an [`Event::Lost`].

use crate::{
    Argument, Command, Value,
    cluster::{Inner, Slot},
    conversation::{conversation, left, next, parse, within},
};
use bytes::Bytes;
use polywire_call::{Code, Status};
use polywire_client::{Channel, Stream, sleep};
use std::{collections::BTreeSet, sync::Arc, time::Duration};

/// An event of a subscriber.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Event {
    /// A message was published.
    Message(Message),
    /// A subscription is active: messages that are published from now on arrive.
    Subscribed(Kind, Bytes),
    /// A subscription has ended, by request or by the server: a channel of a shard has moved to another node.
    Unsubscribed(Kind, Bytes),
    /// The connection was lost, or could not be made. Whatever is published until the next
    /// [`Event::Subscribed`] of its channel is missed.
    Lost(Status),
}

/// A message that was published to a channel that is subscribed to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Message {
    pub kind: Kind,
    /// The pattern that matched, of a subscription by one.
    pub pattern: Option<Bytes>,
    /// The channel that the message was published on.
    pub channel: Bytes,
    pub payload: Bytes,
}

/// The kinds of subscriptions.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Kind {
    /// By the name of a channel, with SUBSCRIBE.
    Channel,
    /// By a pattern, with PSUBSCRIBE.
    Pattern,
    /// By the name of a channel that belongs to a shard of a cluster, with SSUBSCRIBE.
    Shard,
}

impl Kind {
    fn command(self, begins: bool) -> Command {
        Command::new(match (self, begins) {
            (Kind::Channel, true) => "SUBSCRIBE",
            (Kind::Channel, false) => "UNSUBSCRIBE",
            (Kind::Pattern, true) => "PSUBSCRIBE",
            (Kind::Pattern, false) => "PUNSUBSCRIBE",
            (Kind::Shard, true) => "SSUBSCRIBE",
            (Kind::Shard, false) => "SUNSUBSCRIBE",
        })
    }
}

/// Maximum number of names and patterns of one subscriber.
pub const MAX_SUBSCRIPTIONS: usize = 65_536;
/// Maximum number of bytes of all of them.
pub const MAX_SUBSCRIPTION_BYTES: usize = 16 << 20;
/// Number of names in one command when everything is subscribed again.
const NAMES_AT_ONCE: usize = 512;
/// The first pause after a failure; it doubles with each.
const FIRST_PAUSE: Duration = Duration::from_millis(10);
/// The longest pause between two attempts to connect again.
const LONGEST_PAUSE: Duration = Duration::from_secs(1);
/// The longest time before the subscriber notices that another server has replaced the connection's.
const LONGEST_WAIT: Duration = Duration::from_secs(1);
/// The time limit of sending all subscriptions.
const LONGEST_SEND: Duration = Duration::from_secs(10);
/// Frames that are not for the user (answers to PING) which are passed over at a time.
const PASSED_OVER: usize = 1024;

/// Subscriptions over a connection of their own.
///
/// ```no_run
/// # async fn example() -> Result<(), Box<dyn std::error::Error>> {
/// use polywire::{Channel, Connections, Pooling, redis::{Event, Subscriber}};
///
/// let channel = Channel::builder("127.0.0.1:6379").protocol("redis:3").pooling(Pooling::default().kind(Connections::Short)).build()?;
/// let mut news = Subscriber::new(channel);
/// news.subscribe(["weather"]).await?;
/// loop {
///     match news.next().await {
///         Event::Message(message) => println!("{:?}", message.payload),
///         Event::Lost(why) => println!("messages may be missing from here on: {why}"),
///         _ => {}
///     }
/// }
/// # }
/// ```
pub struct Subscriber {
    place: Place,
    stream: Option<Stream>,
    wanted: BTreeSet<(Kind, Bytes)>,
    /// Bytes of the names in `wanted`.
    bytes: usize,
    /// Failures since the last message, or answer to PING, that arrived.
    failures: u32,
    ping_after: Duration,
    /// Whether a PING was sent and nothing has been received since.
    pinged: bool,
    /// How long nothing has been received, counting only time in which the subscriber waited.
    silent: Duration,
}

/// The server to connect to.
enum Place {
    Channel(Channel),
    /// The master of this slot, or any.
    Cluster(Arc<Inner>, Option<Slot>),
}

impl Subscriber {
    /// A subscriber over a channel of the protocol `redis`, whose kind is `Pooled` or `Short`.
    pub fn new<P>(channel: Channel<P>) -> Self {
        Subscriber::over(channel.retyped())
    }

    pub(crate) fn over(channel: Channel) -> Self {
        Subscriber::at(Place::Channel(channel))
    }

    pub(crate) fn in_cluster(cluster: Arc<Inner>, slot: Option<Slot>) -> Self {
        Subscriber::at(Place::Cluster(cluster, slot))
    }

    fn at(place: Place) -> Self {
        Subscriber {
            place,
            stream: None,
            wanted: BTreeSet::new(),
            bytes: 0,
            failures: 0,
            ping_after: Duration::from_secs(15),
            pinged: false,
            silent: Duration::ZERO,
        }
    }

    /// Sets the time without a frame after which a PING is sent; after as much again the connection is given
    /// up. Default: 15 s.
    pub fn set_ping_after(&mut self, silence: Duration) {
        self.ping_after = silence;
    }

    /// Subscribes to channels. [`Event::Subscribed`] reports when each is active.
    ///
    /// # Errors
    /// RESOURCE_EXHAUSTED: there are [`MAX_SUBSCRIPTIONS`], or too many bytes of names. A failed connection
    /// is not an error here: it is made again, with all subscriptions.
    pub async fn subscribe(&mut self, names: impl IntoIterator<Item = impl Argument>) -> Result<(), Status> {
        self.begin(Kind::Channel, names).await
    }

    /// Subscribes to all channels whose names match a pattern.
    ///
    /// # Errors
    /// The errors of [`Subscriber::subscribe`].
    pub async fn psubscribe(
        &mut self,
        patterns: impl IntoIterator<Item = impl Argument>,
    ) -> Result<(), Status> {
        self.begin(Kind::Pattern, patterns).await
    }

    /// Subscribes to channels of a shard; in a cluster all must be of the slot of this subscriber.
    ///
    /// # Errors
    /// The errors of [`Subscriber::subscribe`].
    pub async fn ssubscribe(&mut self, names: impl IntoIterator<Item = impl Argument>) -> Result<(), Status> {
        self.begin(Kind::Shard, names).await
    }

    /// Ends subscriptions of a kind by their names.
    pub async fn unsubscribe(&mut self, kind: Kind, names: impl IntoIterator<Item = impl Argument>) {
        let mut ended = Vec::new();
        for name in names.into_iter().map(|name| bytes_of(&name)) {
            if self.wanted.remove(&(kind, name.clone())) {
                self.bytes -= name.len();
                ended.push(name);
            }
        }
        self.send(kind, false, &ended).await;
    }

    /// The number of subscriptions that the caller asked for and has not ended.
    pub fn subscriptions(&self) -> usize {
        self.wanted.len()
    }

    /// The next event. Waits as long as there is none, without subscriptions forever. It may be dropped at
    /// any time and called again without losing an event.
    pub async fn next(&mut self) -> Event {
        loop {
            if self.stream.is_none()
                && let Err(status) = self.connect().await
            {
                self.failures = self.failures.saturating_add(1);
                return Event::Lost(status);
            }
            match self.frame().await {
                Ok(Some(event)) => return event,
                Ok(None) => {}
                Err(status) => {
                    self.stream = None;
                    self.failures = self.failures.saturating_add(1);
                    return Event::Lost(status);
                }
            }
        }
    }

    /// Connects, after a pause if the last connections have failed, and subscribes to everything again.
    async fn connect(&mut self) -> Result<(), Status> {
        if self.failures > 1 {
            let pause = FIRST_PAUSE * 2u32.saturating_pow(self.failures.min(10) - 2);
            sleep(pause.min(LONGEST_PAUSE)).await;
        }
        let channel = match &self.place {
            Place::Channel(channel) => channel.clone(),
            Place::Cluster(cluster, slot) => cluster.master_of(*slot).await?.exclusive()?,
        };
        let mut stream = conversation(&channel).await?;
        let wanted: Vec<_> = self.wanted.iter().collect();
        let subscribed = async {
            for group in wanted.chunk_by(|(one, _), (other, _)| one == other) {
                for names in group.chunks(NAMES_AT_ONCE) {
                    let command =
                        names.iter().fold(names[0].0.command(true), |command, (_, name)| command.arg(name));
                    stream.send(command.wire()).await?;
                }
            }
            Ok(())
        };
        // A server that does not read would stop us here for ever.
        within(LONGEST_SEND, subscribed)
            .await
            .unwrap_or_else(|| Err(Status::unavailable("the subscriptions could not be sent")))?;
        (self.stream, self.pinged, self.silent) = (Some(stream), false, Duration::ZERO);
        Ok(())
    }

    /// Reads frames until one is an event. `None`: none was, or it was time to check whether the server is
    /// alive.
    async fn frame(&mut self) -> Result<Option<Event>, Status> {
        let Some(stream) = &mut self.stream else { return Ok(None) };
        for _ in 0..PASSED_OVER {
            if stream.server_has_left() {
                return Err(left());
            }
            let slice = LONGEST_WAIT.min(self.ping_after.saturating_sub(self.silent));
            match within(slice, next(stream)).await {
                Some(frame) => {
                    let value = parse(frame?)?;
                    (self.pinged, self.silent) = (false, Duration::ZERO);
                    let event = event(value)?;
                    // One that takes subscriptions and ends would be connected to again and again without a
                    // pause.
                    if !matches!(event, Some(Event::Subscribed(..) | Event::Unsubscribed(..))) {
                        self.failures = 0;
                    }
                    if event.is_some() {
                        return Ok(event);
                    }
                }
                None if slice + self.silent < self.ping_after => self.silent += slice,
                None if self.pinged => {
                    return Err(Status::unavailable(format!("silent for {:?}", 2 * self.ping_after)));
                }
                None => {
                    stream.send(Command::new("PING").wire()).await?;
                    (self.pinged, self.silent) = (true, Duration::ZERO);
                }
            }
        }
        Ok(None)
    }

    async fn begin(
        &mut self,
        kind: Kind,
        names: impl IntoIterator<Item = impl Argument>,
    ) -> Result<(), Status> {
        let mut begun = Vec::new();
        for name in names.into_iter().map(|name| bytes_of(&name)) {
            if self.wanted.contains(&(kind, name.clone())) {
                continue;
            }
            if self.wanted.len() == MAX_SUBSCRIPTIONS || self.bytes + name.len() > MAX_SUBSCRIPTION_BYTES {
                self.send(kind, true, &begun).await;
                return Err(Status::resource_exhausted(format!(
                    "a subscriber has at most {MAX_SUBSCRIPTIONS} subscriptions, of {MAX_SUBSCRIPTION_BYTES} bytes"
                )));
            }
            self.bytes += name.len();
            self.wanted.insert((kind, name.clone()));
            begun.push(name);
        }
        self.send(kind, true, &begun).await;
        Ok(())
    }

    /// Sends a command on the present connection. If that fails, the next connection subscribes to everything
    /// again.
    async fn send(&mut self, kind: Kind, begins: bool, names: &[Bytes]) {
        let Some(stream) = &mut self.stream else { return };
        for names in names.chunks(NAMES_AT_ONCE) {
            if stream.send(kind.command(begins).arg_list(names).wire()).await.is_err() {
                return; // `next` finds the end of the stream, and says why
            }
        }
    }
}

fn bytes_of(name: &impl Argument) -> Bytes {
    let mut bytes = Bytes::new();
    name.with_bytes(&mut |name| bytes = Bytes::copy_from_slice(name));
    bytes
}

/// The event that a frame is. `None`: it is the answer to a PING.
///
/// # Errors
/// The server refuses a subscription, or sends a frame that no subscriber expects.
fn event(value: Value) -> Result<Option<Event>, Status> {
    let items = match value {
        Value::Array(items) | Value::Push(items) => items,
        Value::Simple(_) | Value::Bulk(_) => return Ok(None),
        Value::Error(text) | Value::BulkError(text) => {
            return Err(crate::line_status(&String::from_utf8_lossy(&text)));
        }
        _ => return Err(unexpected()),
    };
    let mut items = items.into_iter();
    let mut text = || match items.next() {
        Some(Value::Bulk(bytes) | Value::Simple(bytes)) => Some(bytes),
        _ => None,
    };
    let word = text().ok_or_else(unexpected)?;
    let message = |kind, pattern, channel: Option<Bytes>, payload: Option<Bytes>| {
        let message = Message {
            kind,
            pattern,
            channel: channel.ok_or_else(unexpected)?,
            payload: payload.ok_or_else(unexpected)?,
        };
        Ok(Some(Event::Message(message)))
    };
    match &*word {
        b"message" => message(Kind::Channel, None, text(), text()),
        b"smessage" => message(Kind::Shard, None, text(), text()),
        b"pmessage" => {
            let pattern = text();
            message(Kind::Pattern, pattern, text(), text())
        }
        b"subscribe" => Ok(text().map(|name| Event::Subscribed(Kind::Channel, name))),
        b"psubscribe" => Ok(text().map(|name| Event::Subscribed(Kind::Pattern, name))),
        b"ssubscribe" => Ok(text().map(|name| Event::Subscribed(Kind::Shard, name))),
        b"unsubscribe" => Ok(text().map(|name| Event::Unsubscribed(Kind::Channel, name))),
        b"punsubscribe" => Ok(text().map(|name| Event::Unsubscribed(Kind::Pattern, name))),
        b"sunsubscribe" => Ok(text().map(|name| Event::Unsubscribed(Kind::Shard, name))),
        _ => Ok(None), // `pong`, and whatever servers of the future push
    }
}

fn unexpected() -> Status {
    Status::new(Code::DataLoss, "unexpected frame of a subscription")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(frame: &'static [u8]) -> Result<Option<Event>, Status> {
        event(Value::parse(Bytes::from_static(frame)).expect("a value"))
    }

    /// Captured from redis-server 7.0.15.
    #[test]
    fn frames_of_both_versions_are_the_same_events() {
        for frame in [
            &b"*3\r\n$7\r\nmessage\r\n$1\r\nc\r\n$2\r\nhi\r\n"[..],
            b">3\r\n$7\r\nmessage\r\n$1\r\nc\r\n$2\r\nhi\r\n",
        ] {
            let Ok(Some(Event::Message(message))) = read(frame) else { panic!("a message") };
            assert_eq!(
                (message.kind, &message.channel[..], &message.payload[..]),
                (Kind::Channel, &b"c"[..], &b"hi"[..])
            );
        }
        let frame = b"*4\r\n$8\r\npmessage\r\n$2\r\nc*\r\n$2\r\nc1\r\n$2\r\nhi\r\n";
        let Ok(Some(Event::Message(message))) = read(frame) else { panic!("a message") };
        assert_eq!(message.pattern.as_deref(), Some(&b"c*"[..]));
        assert!(matches!(
            read(b"*3\r\n$9\r\nsubscribe\r\n$1\r\nc\r\n:1\r\n"),
            Ok(Some(Event::Subscribed(Kind::Channel, _)))
        ));
        assert!(matches!(read(b"*2\r\n$4\r\npong\r\n$0\r\n\r\n"), Ok(None)));
        assert!(matches!(read(b"+PONG\r\n"), Ok(None)));
    }

    #[test]
    fn a_frame_of_no_subscriber_ends_the_connection() {
        for frame in [&b":1\r\n"[..], b"*0\r\n", b"*1\r\n$7\r\nmessage\r\n", b"*2\r\n:1\r\n:2\r\n"] {
            assert_eq!(read(frame).map(|_| ()).expect_err("unexpected").code(), Code::DataLoss);
        }
        let refused = read(b"-NOPERM no permission\r\n").map(|_| ()).expect_err("refused");
        assert_eq!(refused.code(), Code::PermissionDenied);
    }
}

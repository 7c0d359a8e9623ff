//! Finds the master of a name through Redis Sentinel: a source of servers for a channel.
//!
//! The sentinels are asked in turn: every second, at once when a call cannot reach the master, and when the
//! sentinel that answered last publishes that there is a new one. A master that is replaced while it runs
//! continues to accept writes, which are lost, until its clients leave. A server that a sentinel names is
//! asked for its ROLE before calls go to it, so that a former master is not taken for the new one.

use crate::{Command, Event, FromValue, Subscriber, Value, cluster, target::TARGET};
use polywire_base::lock;
use polywire_client::{Channel, ChannelError, NoProtocols, sleep};
use polywire_engine::clock;
use polywire_naming::{Server, Source, SourceError, Updates, Watching};
use polywire_protocols::redis::PROTOCOL;
use polywire_wire::{Connections, Limits, Protocol, ProtocolSet};
use std::{
    future::{Future, poll_fn},
    pin::pin,
    sync::{
        Arc, Mutex,
        atomic::{AtomicUsize, Ordering::Relaxed},
    },
    task::Poll,
    time::Duration,
};

/// The interval at which a sentinel is asked.
const INTERVAL: Duration = Duration::from_secs(1);
/// The least time between two questions.
const LEAST_INTERVAL: Duration = Duration::from_millis(50);
/// The channel on which sentinels publish that a master was replaced.
const SWITCHED: &str = "+switch-master";
/// Events that are taken in an interval.
const MOST_NEWS: usize = 256;
/// The time limit of questions to a sentinel, and to a master about its role.
const TIMEOUT: Duration = Duration::from_millis(500);

/// The maximum length of an answer in bytes. The ROLE of a master with thousands of replicas is shorter.
const MOST_TOLD: u32 = 1 << 20;

type Adjust =
    dyn Fn(polywire_client::Builder<NoProtocols>) -> polywire_client::Builder<NoProtocols> + Send + Sync;
type AdjustHere<'a> =
    dyn Fn(polywire_client::Builder<NoProtocols>) -> polywire_client::Builder<NoProtocols> + 'a;

/// The master that sentinels have under a name.
///
/// ```no_run
/// # async fn example() -> Result<(), Box<dyn std::error::Error>> {
/// use polywire::{Channel, redis::{Client, Sentinel}};
///
/// let master = Sentinel::new("orders", ["10.0.0.1:26379", "10.0.0.2:26379", "10.0.0.3:26379"])?;
/// let redis = Client::new(Channel::builder("orders").servers(master).protocol("redis").build()?);
/// redis.set("key", "value").await?;
/// # Ok(())
/// # }
/// ```
pub struct Sentinel {
    name: String,
    sentinels: Vec<Asked>,
    turn: AtomicUsize,
    /// Makes the channel that asks a server for its role.
    adjust: Arc<Adjust>,
    /// The server that was asked last, and its channel.
    server: Mutex<Option<(Box<str>, Channel)>>,
}

/// A sentinel that was asked.
struct Asked {
    calls: Channel,
    /// A separate channel for the subscription.
    own: Channel,
}

impl Asked {
    fn new(address: &str, adjust: &AdjustHere) -> Result<Self, ChannelError> {
        let own = |builder: polywire_client::Builder<NoProtocols>| adjust(builder).kind(Connections::Short);
        Ok(Asked { calls: channel(address, adjust)?, own: channel(address, &own)? })
    }
}

impl Sentinel {
    /// # Errors
    /// There is no sentinel, or an address is wrong.
    pub fn new<S: Into<String>>(
        name: impl Into<String>,
        sentinels: impl IntoIterator<Item = S>,
    ) -> Result<Self, ChannelError> {
        let make = |address: S| Asked::new(&address.into(), &|builder| builder);
        let sentinels = sentinels.into_iter().map(make).collect::<Result<Vec<_>, _>>()?;
        if sentinels.is_empty() {
            return Err(polywire_call::ConfigError::new("sentinels", "there is none").into());
        }
        Ok(Sentinel {
            name: name.into(),
            sentinels,
            turn: AtomicUsize::new(0),
            adjust: Arc::new(|builder| builder),
            server: Mutex::default(),
        })
    }

    /// Sets options of the channel that asks the master for its role: its credential, TLS.
    pub fn channel(
        mut self,
        adjust: impl Fn(polywire_client::Builder<NoProtocols>) -> polywire_client::Builder<NoProtocols>
        + Send
        + Sync
        + 'static,
    ) -> Self {
        self.adjust = Arc::new(adjust);
        self
    }

    /// Sets options of the channels to the sentinels: their credential, which is not that of the master, TLS.
    ///
    /// # Errors
    /// An option is wrong.
    pub fn sentinel_channel(
        mut self,
        adjust: impl Fn(polywire_client::Builder<NoProtocols>) -> polywire_client::Builder<NoProtocols>,
    ) -> Result<Self, ChannelError> {
        let made = self.sentinels.iter().map(|sentinel| Asked::new(sentinel.calls.address(), &adjust));
        self.sentinels = made.collect::<Result<_, _>>()?;
        Ok(self)
    }

    /// The channel to this server; a new one if it is another server than before.
    fn server(&self, address: &str) -> Result<Channel, ChannelError> {
        let mut known = lock(&self.server);
        if let Some((of, channel)) = &*known
            && **of == *address
        {
            return Ok(channel.clone());
        }
        let made = channel(address, &*self.adjust)?;
        *known = Some((address.into(), made.clone()));
        Ok(made)
    }

    /// The address of the master, by the first sentinel whose answer is really a master.
    async fn master(&self) -> Result<String, SourceError> {
        let mut failure = SourceError::new("no sentinel was asked");
        let turn = self.turn.load(Relaxed);
        for at in 0..self.sentinels.len() {
            let at = (turn + at) % self.sentinels.len();
            match self.ask(&self.sentinels[at].calls).await {
                Ok(master) => {
                    self.turn.store(at, Relaxed); // the next one is asked only if this one fails
                    return Ok(master);
                }
                Err(error) => failure = error,
            }
        }
        Err(failure)
    }

    async fn ask(&self, sentinel: &Channel) -> Result<String, SourceError> {
        let about =
            |status: polywire_call::Status| SourceError::new(format!("{}: {status}", sentinel.address()));
        let command = Command::new("SENTINEL").arg("GET-MASTER-ADDR-BY-NAME").arg(&self.name);
        let told: Option<(String, u32)> = call(sentinel, &command).await.map_err(about)?;
        let Some((host, port)) = told else {
            return Err(SourceError::new(format!("{} knows no master `{}`", sentinel.address(), self.name)));
        };
        let port = u16::try_from(port).ok().filter(|port| *port > 0 && cluster::is_host(&host));
        let Some(port) = port else {
            return Err(SourceError::new(format!("what {} names is no address", sentinel.address())));
        };
        let address = cluster::join(&host, port);
        let server = self.server(&address).map_err(|error| SourceError::new(error.to_string()))?;
        // The role, and more that depends on it.
        let role: Vec<Value> = call(&server, &Command::new("ROLE")).await.map_err(about)?;
        match role.first().and_then(Value::as_bytes) {
            Some(b"master") => Ok(address.into()),
            _ => {
                Err(SourceError::new(format!("{address}, which {} names, is no master", sentinel.address())))
            }
        }
    }
}

impl Source for Sentinel {
    fn name(&self) -> String {
        format!("sentinel://{}", self.name)
    }

    fn watch<'a>(&'a self, updates: &'a Updates) -> Watching<'a> {
        Box::pin(async move {
            let mut news = News::default();
            loop {
                let asked = clock::now();
                match self.master().await {
                    Ok(master) => updates.set(vec![Server::new(master)]),
                    Err(error) => updates.failed(error), // the last one stays in use
                }
                let at = self.turn.load(Relaxed);
                news.listen(at, &self.sentinels[at].own).await;
                news.wait(&self.name, updates).await;
                let since = clock::now().saturating_duration_since(asked);
                sleep(LEAST_INTERVAL.saturating_sub(since)).await; // whatever is published
            }
        })
    }
}

/// The subscription to a sentinel's messages.
#[derive(Default)]
struct News(Option<(usize, Subscriber)>);

impl News {
    /// Listens to this sentinel from now on.
    async fn listen(&mut self, at: usize, channel: &Channel) {
        if self.0.as_ref().is_none_or(|(of, _)| *of != at) {
            let mut subscriber = Subscriber::over(channel.clone());
            let _ = subscriber.subscribe([SWITCHED]).await; // there is room for one name
            self.0 = Some((at, subscriber));
        }
    }

    /// Returns when there may be another master, or it is time to ask.
    async fn wait(&mut self, name: &str, updates: &Updates) {
        let mut due = pin!(updates.wanted_or(INTERVAL));
        let Some((_, subscriber)) = &mut self.0 else { return due.await };
        // One that floods is not listened to for the rest of the time.
        for _ in 0..MOST_NEWS {
            let mut next = pin!(subscriber.next());
            let heard = poll_fn(|cx| {
                if due.as_mut().poll(cx).is_ready() {
                    return Poll::Ready(None);
                }
                next.as_mut().poll(cx).map(Some)
            });
            match heard.await {
                None => return,
                Some(Event::Message(message)) if is_about(name, &message.payload) => return,
                Some(_) => {} // its connection comes back by itself
            }
        }
        due.await;
    }
}

/// Whether `NAME OLD-HOST OLD-PORT NEW-HOST NEW-PORT` is about the master of this name.
fn is_about(name: &str, message: &[u8]) -> bool {
    message.strip_prefix(name.as_bytes()).is_some_and(|rest| rest.starts_with(b" "))
}

fn channel(address: &str, adjust: &AdjustHere) -> Result<Channel, ChannelError> {
    static ONE: &[&Protocol] = &[&PROTOCOL];
    let builder = Channel::<NoProtocols>::builder(address).protocol_set(ProtocolSet::new(ONE));
    let builder = builder.limits(Limits::DEFAULT.max_message(MOST_TOLD));
    adjust(builder.timeout(TIMEOUT)).protocol(PROTOCOL.name).build()
}

async fn call<T: FromValue>(channel: &Channel, command: &Command) -> Result<T, polywire_call::Status> {
    let reply = channel.call(TARGET, command.wire()).timeout(TIMEOUT).await?;
    let value = Value::parse(reply.into_message().body.into_bytes());
    T::from_value(value.map_err(|error| polywire_call::Status::internal(error.to_string()))?)
}

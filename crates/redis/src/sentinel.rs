//! The master of a name, as Redis Sentinel tells it: a source of servers for a channel.
//!
//! The sentinels are asked in turn, every second, and at once when a call cannot reach the master. A server that a sentinel names is
//! asked for its ROLE before calls go to it, so that one which was a master before a fail-over is not taken for one.

use crate::{Command, FromValue, Value, client::TARGET};
use polywire_client::{Channel, ChannelError, NoProtocols};
use polywire_naming::{Server, Source, SourceError, Updates, Watching};
use polywire_protocols::redis::PROTOCOL;
use polywire_wire::{Protocol, Registry};
use std::{
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering::Relaxed},
    },
    time::Duration,
};

/// How often a sentinel is asked.
const INTERVAL: Duration = Duration::from_secs(1);
/// How long a sentinel, or a master that is asked for its role, may take.
const TIMEOUT: Duration = Duration::from_millis(500);

type Adjust =
    dyn Fn(polywire_client::Builder<NoProtocols>) -> polywire_client::Builder<NoProtocols> + Send + Sync;

/// The master that sentinels know by a name.
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
    sentinels: Vec<Channel>,
    turn: AtomicUsize,
    /// Makes the channel that asks a server for its role.
    adjust: Arc<Adjust>,
}

impl Sentinel {
    /// # Errors
    /// There is no sentinel, or an address is wrong.
    pub fn new<S: Into<String>>(
        name: impl Into<String>,
        sentinels: impl IntoIterator<Item = S>,
    ) -> Result<Self, ChannelError> {
        let make = |address: S| channel(&address.into(), &|builder| builder);
        let sentinels = sentinels.into_iter().map(make).collect::<Result<Vec<_>, _>>()?;
        if sentinels.is_empty() {
            return Err(polywire_call::ConfigError::new("sentinels", "there is none").into());
        }
        Ok(Sentinel {
            name: name.into(),
            sentinels,
            turn: AtomicUsize::new(0),
            adjust: Arc::new(|builder| builder),
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

    /// The address of the master, by the first sentinel that tells one which is a master.
    async fn master(&self) -> Result<String, SourceError> {
        let mut failure = SourceError::new("no sentinel was asked");
        let turn = self.turn.load(Relaxed);
        for at in 0..self.sentinels.len() {
            let at = (turn + at) % self.sentinels.len();
            match self.ask(&self.sentinels[at]).await {
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
        let Some((host, port)) = told.and_then(|(host, port)| Some((host, u16::try_from(port).ok()?))) else {
            return Err(SourceError::new(format!("{} knows no master `{}`", sentinel.address(), self.name)));
        };
        let address = crate::cluster::join(&host, port);
        let server = channel(&address, &*self.adjust).map_err(|error| SourceError::new(error.to_string()))?;
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
            loop {
                match self.master().await {
                    Ok(master) => updates.set(vec![Server::new(master)]),
                    Err(error) => updates.failed(error), // the last one stays in use
                }
                updates.wanted_or(INTERVAL).await;
            }
        })
    }
}

fn channel(address: &str, adjust: &Adjust) -> Result<Channel, ChannelError> {
    static ONE: &[&Protocol] = &[&PROTOCOL];
    let builder = Channel::<NoProtocols>::builder(address).registry(Registry::new(ONE));
    adjust(builder.timeout(TIMEOUT)).protocol(PROTOCOL.name).build()
}

async fn call<T: FromValue>(channel: &Channel, command: &Command) -> Result<T, polywire_call::Status> {
    let reply = channel.call(TARGET, command.wire()).timeout(TIMEOUT).await?;
    let value = Value::parse(reply.into_message().body.into_bytes());
    T::from_value(value.map_err(|error| polywire_call::Status::internal(error.to_string()))?)
}

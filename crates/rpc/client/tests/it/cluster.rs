//! Servers in memory, by address: each answers with its address, and can be taken down and brought up.

#![allow(dead_code)] // each test binary uses its part

use crate::common::Peer;
use polywire_client::{Builder, Call, Channel, NoProtocols, Raw, Target};
use polywire_engine::transport;
use polywire_machine_testing::lab::{self, Frame, Kind};
use polywire_naming::{Server, Source, SourceError, Updates, Watching};
use polywire_wire::{Protocol, ProtocolSet};
use std::{
    collections::{BTreeMap, HashMap, HashSet},
    future::Future,
    io,
    sync::{
        Arc, Mutex,
        atomic::{AtomicUsize, Ordering::Relaxed},
    },
    time::Duration,
};
use tokio::{
    sync::watch,
    task::{AbortHandle, JoinSet},
};

pub const ECHO: Target = Target::fixed("test.Service", "Echo");

/// Runs a test in virtual time.
pub fn run<F: Future>(test: F) -> F::Output {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().start_paused(true).build();
    let hour = Duration::from_secs(3600);
    runtime
        .expect("a runtime")
        .block_on(async { tokio::time::timeout(hour, test).await.expect("the test hangs") })
}

/// The lab's protocol for a peer that says what it allows before it takes calls, as HTTP/2 does.
pub static GREETS: Protocol = Protocol { name: "greets", peer_limits_calls: true, ..lab::LAB };
static ALL: [&Protocol; 1] = [&GREETS];

#[derive(Clone, Default)]
pub struct Cluster(Arc<Mutex<HashMap<String, Member>>>, Arc<Connecting>);

/// Attempts to connect that are not answered: how many there are, and the most of them at a time.
#[derive(Default)]
struct Connecting {
    now: AtomicUsize,
    most: AtomicUsize,
}

struct Attempt(Arc<Connecting>);

impl Attempt {
    fn new(all: &Arc<Connecting>) -> Attempt {
        let now = all.now.fetch_add(1, Relaxed) + 1;
        all.most.fetch_max(now, Relaxed);
        Attempt(all.clone())
    }
}

impl Drop for Attempt {
    fn drop(&mut self) {
        self.0.now.fetch_sub(1, Relaxed);
    }
}

#[derive(Default)]
struct Member {
    manner: Manner,
    connections: Vec<AbortHandle>,
    /// How often it was connected to.
    connects: usize,
    /// Calls that it has got.
    calls: usize,
    /// Calls that were given up.
    resets: usize,
    /// Probes that it has got, and what it answers: calls in flight, or not at all. Without, it does not know
    /// them.
    probes: usize,
    load: Option<Option<u8>>,
    /// What it says when it is asked how it is, how often it was asked, and what it has not answered yet; the
    /// most of that.
    health: Health,
    checks: usize,
    asking: usize,
    most_asking: usize,
}

/// What a server answers to `grpc.health.v1.Health/Check`.
#[derive(Clone, Copy, Default, PartialEq)]
pub enum Health {
    /// It does not know the service.
    #[default]
    Unknown,
    Serving,
    NotServing,
    /// It does not answer.
    Silent,
}

#[derive(Clone, Copy, Default, PartialEq)]
pub enum Manner {
    /// Answers at once.
    #[default]
    Answers,
    /// Answers after a while.
    AnswersAfter(Duration),
    /// Answers one call of each connection, and ends the connection in order.
    AnswersOnce,
    /// Fails the call, else the same.
    FailsOnce,
    /// Takes connections and ends them when a call comes.
    Ends,
    /// Connections are refused.
    Refuses,
    /// Connections are not answered.
    Silent,
    /// Connections are accepted after a while.
    AcceptsAfter(Duration),
    /// Connections are accepted, and nothing is said on them.
    Mute,
    /// Says first what it allows, see [`GREETS`], and answers.
    Greets,
    /// One in so many calls is answered after a while.
    SometimesAfter { one_in: usize, pause: Duration },
    /// Answers with the request.
    Echoes,
    /// Takes calls, and resets each as not looked at.
    Declines,
    /// Every call fails.
    Fails,
    /// Every call is refused, since the server has too much to do.
    HasTooMuch,
    /// Every call is refused, since the server does not know who calls.
    KnowsNobody,
}

impl Cluster {
    /// Makes the server at this address behave so from its next connection or call on. One that refuses or is
    /// silent loses its connections.
    pub fn set(&self, address: &str, manner: Manner) {
        let mut members = self.0.lock().unwrap();
        let member = members.entry(address.to_owned()).or_default();
        member.manner = manner;
        if matches!(manner, Manner::Refuses | Manner::Silent | Manner::Mute) {
            member.connections.drain(..).for_each(|connection| connection.abort());
        }
    }

    /// Makes a server answer probes with so many calls in flight; `None`: it does not answer them.
    pub fn load(&self, address: &str, in_flight: Option<u8>) {
        self.0.lock().unwrap().entry(address.to_owned()).or_default().load = Some(in_flight);
    }

    /// Probes that came to a server.
    pub fn probes(&self, address: &str) -> usize {
        self.0.lock().unwrap().get(address).map_or(0, |member| member.probes)
    }

    /// Counts a probe, and answers it.
    fn probed(&self, address: &str, id: u64) -> Option<Frame> {
        let mut members = self.0.lock().unwrap();
        let member = members.entry(address.to_owned()).or_default();
        member.probes += 1;
        match member.load {
            Some(Some(in_flight)) => Some(Frame::reply(id, &[0x08, in_flight, 0x10, 1])),
            Some(None) => None,
            None => Some(Frame::failure(id, polywire_call::brpc::ENOSERVICE)),
        }
    }

    /// Makes a server say so when it is asked how it is.
    pub fn health(&self, address: &str, health: Health) {
        self.0.lock().unwrap().entry(address.to_owned()).or_default().health = health;
    }

    /// How often a server was asked how it is.
    pub fn checks(&self, address: &str) -> usize {
        self.0.lock().unwrap().get(address).map_or(0, |member| member.checks)
    }

    /// The checks that all servers together have not answered now.
    pub fn asking(&self) -> usize {
        self.0.lock().unwrap().values().map(|member| member.asking).sum()
    }

    /// Counts a check, and answers it.
    fn checked(&self, address: &str, id: u64) -> Option<Frame> {
        let mut members = self.0.lock().unwrap();
        let member = members.entry(address.to_owned()).or_default();
        member.checks += 1;
        match member.health {
            Health::Unknown => Some(Frame::failure(id, polywire_call::brpc::ENOSERVICE)),
            Health::Serving => Some(Frame::reply(id, &[0x08, 1])),
            Health::NotServing => Some(Frame::reply(id, &[0x08, 2])),
            Health::Silent => {
                member.asking += 1;
                member.most_asking = member.most_asking.max(member.asking);
                None
            }
        }
    }

    /// The most checks that a server had not answered at a time.
    pub fn most_asking(&self, address: &str) -> usize {
        self.0.lock().unwrap().get(address).map_or(0, |member| member.most_asking)
    }

    pub fn connects(&self, address: &str) -> usize {
        self.0.lock().unwrap().get(address).map_or(0, |member| member.connects)
    }

    fn manner(&self, address: &str) -> Manner {
        self.0.lock().unwrap().get(address).map_or(Manner::Answers, |member| member.manner)
    }

    /// A channel of the lab's protocol whose connections lead to these servers.
    pub fn channel(&self, name: &str) -> Builder<NoProtocols> {
        let cluster = self.clone();
        let builder = Channel::<NoProtocols>::builder(name).protocol_set(lab::PROTOCOLS).protocol("lab");
        builder.connector(move |address| cluster.clone().connect(address.to_owned()))
    }

    /// As [`Cluster::channel`], of [`GREETS`].
    pub fn greeting(&self, name: &str) -> Builder<NoProtocols> {
        self.channel(name).protocol_set(ProtocolSet::new(&ALL)).protocol("greets")
    }

    /// The most attempts to connect at a time that were not answered.
    pub fn most_connecting(&self) -> usize {
        self.1.most.load(Relaxed)
    }

    async fn connect(self, address: String) -> io::Result<transport::Memory> {
        self.0.lock().unwrap().entry(address.clone()).or_default().connects += 1;
        match self.manner(&address) {
            Manner::Refuses => return Err(io::ErrorKind::ConnectionRefused.into()),
            Manner::Silent => {
                let _attempt = Attempt::new(&self.1);
                std::future::pending().await
            }
            Manner::AcceptsAfter(pause) => tokio::time::sleep(pause).await,
            _ => {}
        }
        let (ours, theirs) = transport::duplex(&address, 1 << 20);
        let serving = tokio::spawn(self.clone().serve(address.clone(), Peer::new(theirs)));
        let mut members = self.0.lock().unwrap();
        members.entry(address).or_default().connections.push(serving.abort_handle());
        Ok(ours)
    }

    async fn serve(self, address: String, mut peer: Peer) {
        let mut answers: JoinSet<Option<Frame>> = JoinSet::new();
        let mut asked = HashSet::new();
        match self.manner(&address) {
            Manner::Greets => peer.send(Frame::new(Kind::Limit, 0).with(100)).await,
            Manner::Mute => return std::future::pending().await,
            _ => {}
        }
        loop {
            let frame = tokio::select! {
                frame = peer.next() => frame,
                Some(answer) = answers.join_next() => {
                    if let Ok(Some(answer)) = answer {
                        peer.send(answer).await;
                    }
                    if matches!(self.manner(&address), Manner::AnswersOnce | Manner::FailsOnce) {
                        return;
                    }
                    continue;
                }
            };
            let Some(frame) = frame else { return };
            if frame.kind == Kind::Open && frame.body[1..].starts_with(b"polywire.load.v1.Load/Probe") {
                if let Some(answer) = self.probed(&address, frame.id) {
                    peer.send(answer).await;
                }
                continue;
            }
            if frame.kind == Kind::Open && frame.body[1..].starts_with(b"grpc.health.v1.Health/Check") {
                match self.checked(&address, frame.id) {
                    Some(answer) => peer.send(answer).await,
                    None => {
                        asked.insert(frame.id);
                    }
                }
                continue;
            }
            if frame.kind == Kind::Reset && asked.remove(&frame.id) {
                self.0.lock().unwrap().get_mut(&address).expect("it was asked").asking -= 1;
                continue;
            }
            let manner = self.count(&address, frame.kind);
            if manner == Manner::Ends {
                return;
            }
            if frame.kind == Kind::Open {
                answers.spawn(answer(address.clone(), manner, frame));
            }
        }
    }

    /// Counts a frame, and says how to behave.
    fn count(&self, address: &str, kind: Kind) -> Manner {
        let mut members = self.0.lock().unwrap();
        let member = members.entry(address.to_owned()).or_default();
        match kind {
            Kind::Open => member.calls += 1,
            Kind::Reset => member.resets += 1,
            _ => {}
        }
        match member.manner {
            Manner::SometimesAfter { one_in, pause } if member.calls.is_multiple_of(one_in) => {
                Manner::AnswersAfter(pause)
            }
            manner => manner,
        }
    }

    /// Calls that came to a server, and calls that were given up there.
    pub fn calls(&self, address: &str) -> (usize, usize) {
        self.0.lock().unwrap().get(address).map_or((0, 0), |member| (member.calls, member.resets))
    }
}

async fn answer(address: String, manner: Manner, frame: Frame) -> Option<Frame> {
    let id = frame.id;
    let number = match manner {
        Manner::AnswersAfter(pause) => {
            tokio::time::sleep(pause).await;
            None
        }
        Manner::Echoes => {
            let name = 1 + usize::from(frame.body[0]);
            return Some(Frame::reply(id, &frame.body[name..]));
        }
        Manner::Declines => Some((polywire_call::brpc::ELOGOFF, Frame::UNPROCESSED)),
        Manner::Fails | Manner::FailsOnce => Some((polywire_call::brpc::EINTERNAL, 0)),
        Manner::HasTooMuch => Some((polywire_call::brpc::ELIMIT, 0)),
        Manner::KnowsNobody => Some((polywire_call::brpc::ERPCAUTH, 0)),
        _ => None,
    };
    Some(match number {
        None => Frame::reply(id, address.as_bytes()),
        Some((number, flag)) => Frame::new(Kind::Reset, id).with(number as u32).flag(flag),
    })
}

/// A source whose answers a test gives.
pub struct Told(pub watch::Receiver<Option<Result<Vec<Server>, SourceError>>>);

impl Told {
    pub fn new() -> (watch::Sender<Option<Result<Vec<Server>, SourceError>>>, Told) {
        let (tell, told) = watch::channel(None);
        (tell, Told(told))
    }
}

impl Source for Told {
    fn name(&self) -> String {
        "told://".to_owned()
    }

    fn watch<'a>(&'a self, updates: &'a Updates) -> Watching<'a> {
        let mut told = self.0.clone();
        Box::pin(async move {
            loop {
                let answer = told.borrow_and_update().clone();
                match answer {
                    Some(Ok(servers)) => updates.set(servers),
                    Some(Err(error)) => {
                        // Only once for each answer.
                        let _ = tokio::time::timeout(Duration::from_secs(5), told.changed()).await;
                        return Err(error);
                    }
                    None => {}
                }
                if told.changed().await.is_err() {
                    return Ok(());
                }
            }
        })
    }
}

pub fn servers(addresses: &[&str]) -> Option<Result<Vec<Server>, SourceError>> {
    Some(Ok(addresses.iter().map(|address| Server::new(*address)).collect()))
}

/// A call, which is answered with the address of its server.
/// May be executed twice: servers that begin to refuse lose the calls on their connections.
pub fn ask(channel: &Channel) -> Call<Raw> {
    channel.call(ECHO.idempotent(), Vec::new())
}

/// The server that answered.
pub fn who(reply: Result<polywire_call::Reply<Raw>, polywire_call::Status>) -> String {
    String::from_utf8(reply.expect("a good reply").into_message().body.to_vec()).expect("an address")
}

/// How often there were events, of any channel, whose text is one of these.
pub fn events(is_one: impl Fn(&str) -> bool) -> u64 {
    let all = polywire_metrics::process::events().newest(1000);
    all.into_iter().filter(|event| is_one(&event.what)).map(|event| event.times).sum()
}

/// How many of so many calls each server answered.
pub async fn shares(channel: &Channel, calls: usize) -> BTreeMap<String, usize> {
    let mut shares = BTreeMap::new();
    for _ in 0..calls {
        *shares.entry(who(ask(channel).await)).or_default() += 1;
    }
    shares
}

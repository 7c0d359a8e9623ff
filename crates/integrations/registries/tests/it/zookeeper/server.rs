//! A ZooKeeper as its documentation describes it: nodes, sessions, and watches that tell once.

use bytes::BytesMut;
use polywire_engine::{
    Transport,
    transport::{self, Memory},
};
use polywire_registries::{Dial, zookeeper::ZooKeeper};
use std::{
    collections::BTreeMap,
    future::poll_fn,
    io::{self, IoSlice},
    sync::{Arc, Mutex},
    time::Duration,
};
use tokio::{
    sync::{mpsc, watch},
    time::{Instant, sleep, sleep_until},
};

pub const NO_NODE: i32 = -101;
pub const NO_AUTH: i32 = -102;
pub const NODE_EXISTS: i32 = -110;
pub const SESSION_EXPIRED: i32 = -112;
pub const AUTH_FAILED: i32 = -115;

/// What comes in place of an answer.
pub enum Twist {
    As(Vec<u8>),
    /// A byte each second.
    Slowly(Vec<u8>),
    Nothing,
}

#[derive(Clone)]
pub struct Server {
    state: Arc<Mutex<State>>,
    /// The members that can be connected to; changing it ends all connections.
    up: watch::Sender<bool>,
    /// Nothing is read and written while it is stopped.
    running: watch::Sender<bool>,
}

#[derive(Default)]
pub struct State {
    pub nodes: BTreeMap<String, Node>,
    sessions: BTreeMap<i64, Session>,
    last_session: i64,
    watches: Vec<Watch>,
    /// Name and password, with a colon.
    pub user: Option<&'static str>,
    /// Given what was asked (0 for a new connection) and the true answer, without its length.
    pub twist: Option<fn(i32, Vec<u8>) -> Twist>,
    /// What was asked: `create /path`.
    pub seen: Vec<String>,
    /// Addresses that were connected to.
    pub connected: Vec<String>,
}

pub struct Node {
    pub data: Vec<u8>,
    owner: i64,
    pub access: Vec<(i32, String, String)>,
}

struct Session {
    timeout: Duration,
    heard: Instant,
}

struct Watch {
    session: i64,
    path: String,
    of_children: bool,
    tell: mpsc::UnboundedSender<Vec<u8>>,
}

impl Server {
    pub fn with(nodes: &[(&str, &str)]) -> Server {
        let server =
            Server { state: Arc::default(), up: watch::Sender::new(true), running: watch::Sender::new(true) };
        nodes.iter().for_each(|(path, data)| server.put(path, data));
        server
    }

    pub fn state<R>(&self, change: impl FnOnce(&mut State) -> R) -> R {
        change(&mut self.state.lock().unwrap())
    }

    /// Makes a node, or changes its data.
    pub fn put(&self, path: &str, data: &str) {
        self.state(|state| state.put(path, data.as_bytes().to_vec(), 0, Vec::new()));
    }

    pub fn delete(&self, path: &str) {
        self.state(|state| state.delete(path));
    }

    /// `kill -9`: all connections end, and further ones are refused.
    pub fn crash(&self) {
        self.up.send_replace(false);
    }

    pub fn revive(&self) {
        self.state(|state| state.sessions.values_mut().for_each(|session| session.heard = Instant::now()));
        self.up.send_replace(true);
    }

    /// Nodes and sessions are gone.
    pub fn forget(&self) {
        self.state(|state| {
            state.nodes.clear();
            state.sessions.clear();
            state.watches.clear();
        });
    }

    /// SIGSTOP and SIGCONT.
    pub fn run(&self, runs: bool) {
        self.running.send_replace(runs);
    }

    /// All sessions expire, and their connections end.
    pub fn expire_all(&self) {
        self.state(|state| {
            let ids: Vec<_> = state.sessions.keys().copied().collect();
            ids.into_iter().for_each(|id| state.end(id));
        });
        self.up.send_modify(|_| {});
    }

    pub fn sessions(&self) -> usize {
        self.state(|state| state.sessions.len())
    }

    /// The node `/services/echo`.
    pub fn zookeeper(&self) -> ZooKeeper {
        self.at("zoo/services/echo")
    }

    pub fn at(&self, rest: &str) -> ZooKeeper {
        ZooKeeper::open(rest).unwrap().dial(&self.dial()).unwrap()
    }

    fn dial(&self) -> Dial {
        let server = self.clone();
        Dial::new(move |builder| {
            let server = server.clone();
            builder.connector(move |address| {
                server.state(|state| state.connected.push(address.to_owned()));
                let connected = match *server.up.borrow() {
                    true => Ok(server.accept()),
                    false => Err(io::ErrorKind::ConnectionRefused.into()),
                };
                std::future::ready(connected)
            })
        })
    }

    fn accept(&self) -> Memory {
        let (ours, theirs) = transport::duplex("zookeeper", 1 << 20);
        let server = self.clone();
        tokio::spawn(async move {
            let mut up = server.up.subscribe();
            tokio::select! {
                () = serve(&server, theirs) => {}
                _ = up.changed() => {}
            }
        });
        ours
    }
}

impl State {
    fn put(&mut self, path: &str, data: Vec<u8>, owner: i64, access: Vec<(i32, String, String)>) {
        let is_new = self.nodes.insert(path.to_owned(), Node { data, owner, access }).is_none();
        self.tell(path, false, if is_new { 1 } else { 3 });
        if is_new {
            self.tell(parent(path), true, 4);
        }
    }

    pub fn delete(&mut self, path: &str) -> bool {
        let found = self.nodes.remove(path).is_some();
        if found {
            self.tell(path, false, 2);
            self.tell(path, true, 2);
            self.tell(parent(path), true, 4);
        }
        found
    }

    fn tell(&mut self, path: &str, of_children: bool, event: i32) {
        self.watches.retain(|watch| {
            let is_meant = watch.path == path && watch.of_children == of_children;
            if is_meant {
                let mut frame = [&(-1i32).to_be_bytes()[..], &(-1i64).to_be_bytes(), &[0; 4]].concat();
                frame.extend_from_slice(&event.to_be_bytes());
                frame.extend_from_slice(&3i32.to_be_bytes());
                put_buffer(&mut frame, path.as_bytes());
                let _ = watch.tell.send(frame);
            }
            !is_meant
        });
    }

    fn end(&mut self, id: i64) {
        self.sessions.remove(&id);
        self.watches.retain(|watch| watch.session != id);
        let owned: Vec<_> =
            self.nodes.iter().filter(|(_, node)| node.owner == id).map(|(path, _)| path.clone()).collect();
        owned.iter().for_each(|path| _ = self.delete(path));
    }
}

fn parent(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(parent, _)| parent)
}

async fn serve(server: &Server, mut transport: Memory) {
    let mut input = BytesMut::new();
    let Some(first) = frame(&mut transport, &mut input).await else { return };
    let mut running = server.running.subscribe();
    let _ = running.wait_for(|runs| *runs).await;
    // protocolVersion, lastZxidSeen, timeOut, sessionId, passwd
    let (asked, id) = (int(&first, 12), long(&first, 16));
    let (id, timeout) = server.state(|state| {
        if id != 0 {
            let Some(session) = state.sessions.get_mut(&id) else { return (0, Duration::ZERO) };
            session.heard = Instant::now();
            return (id, session.timeout);
        }
        state.last_session += 1;
        let timeout = Duration::from_millis(asked as u64);
        state.sessions.insert(state.last_session, Session { timeout, heard: Instant::now() });
        (state.last_session, timeout)
    });
    let mut answer = [0i32.to_be_bytes(), (timeout.as_millis() as i32).to_be_bytes()].concat();
    answer.extend_from_slice(&id.to_be_bytes());
    put_buffer(&mut answer, &[7; 16]);
    answer.push(0);
    if !reply(server, &mut transport, 0, answer).await || id == 0 {
        return;
    }
    let expiring = server.clone();
    tokio::spawn(async move {
        // One of these for each connection does no harm.
        while let Some(end) = expiring.state(|state| state.sessions.get(&id).map(|s| s.heard + s.timeout)) {
            if end <= Instant::now() && *expiring.running.borrow() {
                expiring.state(|state| state.end(id));
            }
            sleep_until(end.max(Instant::now() + Duration::from_millis(10))).await;
        }
    });
    let (tell, mut told) = mpsc::unbounded_channel::<Vec<u8>>();
    let mut admitted = server.state(|state| state.user.is_none());
    loop {
        let _ = running.wait_for(|runs| *runs).await;
        if !server.state(|state| state.sessions.contains_key(&id)) {
            return;
        }
        let request = tokio::select! {
            biased;
            event = told.recv() => {
                write(&mut transport, &framed(&event.expect("a sender is here"))).await;
                continue;
            }
            request = frame(&mut transport, &mut input) => request,
            _ = sleep(Duration::from_millis(50)) => continue, // the session may have expired
        };
        let Some(request) = request else { return };
        let _ = running.wait_for(|runs| *runs).await;
        let (xid, kind) = (int(&request, 0), int(&request, 4));
        let done = server.state(|state| {
            let Some(session) = state.sessions.get_mut(&id) else { return Err(SESSION_EXPIRED) };
            session.heard = Instant::now();
            if kind == 100 {
                let scheme = buffer(&request, 12);
                let user = buffer(&request, 16 + scheme.len());
                admitted = state.user.is_some_and(|expected| expected.as_bytes() == user);
                return if admitted && scheme == b"digest" { Ok(Vec::new()) } else { Err(AUTH_FAILED) };
            }
            if !admitted {
                return Err(NO_AUTH);
            }
            state.answer(kind, &request, id, &tell)
        });
        let (code, body) = match done {
            Ok(body) => (0, body),
            Err(code) => (code, Vec::new()),
        };
        let mut answer = [&xid.to_be_bytes()[..], &1i64.to_be_bytes(), &code.to_be_bytes()].concat();
        answer.extend_from_slice(&body);
        if !reply(server, &mut transport, kind, answer).await || matches!(code, SESSION_EXPIRED | AUTH_FAILED)
        {
            return;
        }
        if kind == -11 {
            return;
        }
    }
}

impl State {
    fn answer(
        &mut self,
        kind: i32,
        request: &[u8],
        session: i64,
        tell: &mpsc::UnboundedSender<Vec<u8>>,
    ) -> Result<Vec<u8>, i32> {
        if kind == 11 {
            return Ok(Vec::new());
        }
        if kind == -11 {
            self.end(session);
            return Ok(Vec::new());
        }
        let path = String::from_utf8(buffer(request, 8).to_vec()).unwrap();
        let name = match kind {
            1 => "create",
            2 => "delete",
            3 => "exists",
            4 => "get",
            8 => "list",
            other => panic!("not asked: {other}"),
        };
        self.seen.push(format!("{name} {path}"));
        let behind = 12 + path.len();
        let mut watch = |of_children| {
            if request.get(behind) == Some(&1) {
                self.watches.push(Watch { session, path: path.clone(), of_children, tell: tell.clone() });
            }
        };
        match kind {
            1 => {
                if self.nodes.contains_key(&path) {
                    return Err(NODE_EXISTS);
                }
                if !parent(&path).is_empty() && !self.nodes.contains_key(parent(&path)) {
                    return Err(NO_NODE);
                }
                let data = buffer(request, behind).to_vec();
                let mut at = behind + 4 + data.len();
                let entries = int(request, at);
                at += 4;
                let access = (0..entries).map(|_| {
                    let (may, scheme) = (int(request, at), text(request, at + 4));
                    let id = text(request, at + 8 + scheme.len());
                    at += 12 + scheme.len() + id.len();
                    (may, scheme, id)
                });
                let access = access.collect();
                let owner = if int(request, at) == 1 { session } else { 0 };
                self.put(&path, data, owner, access);
                let mut body = Vec::new();
                put_buffer(&mut body, path.as_bytes());
                Ok(body)
            }
            2 => {
                if self.delete(&path) {
                    Ok(Vec::new())
                } else {
                    Err(NO_NODE)
                }
            }
            3 => {
                watch(false);
                let node = self.nodes.get(&path).ok_or(NO_NODE)?;
                Ok(stat(node))
            }
            4 => {
                let node = self.nodes.get(&path).ok_or(NO_NODE)?;
                watch(false);
                let mut body = Vec::new();
                put_buffer(&mut body, &node.data);
                body.extend_from_slice(&stat(node));
                Ok(body)
            }
            _ => {
                self.nodes.get(&path).ok_or(NO_NODE)?;
                watch(true);
                let names: Vec<_> =
                    self.nodes.keys().filter(|other| parent(other) == path && **other != path).collect();
                let mut body = (names.len() as i32).to_be_bytes().to_vec();
                names.iter().for_each(|name| put_buffer(&mut body, &name.as_bytes()[path.len() + 1..]));
                Ok(body)
            }
        }
    }
}

fn stat(node: &Node) -> Vec<u8> {
    let mut stat = vec![0; 4 * 8 + 3 * 4];
    stat.extend_from_slice(&node.owner.to_be_bytes());
    stat.extend_from_slice(&[0; 4 + 4 + 8]);
    stat
}

/// Whether the connection goes on.
async fn reply(server: &Server, transport: &mut Memory, kind: i32, answer: Vec<u8>) -> bool {
    let twist = server.state(|state| state.twist);
    match twist.map(|twist| twist(kind, answer.clone())) {
        None => write(transport, &framed(&answer)).await,
        Some(Twist::As(bytes)) => write(transport, &bytes).await,
        Some(Twist::Slowly(bytes)) => {
            for byte in bytes {
                sleep(Duration::from_secs(1)).await;
                if !write(transport, &[byte]).await {
                    return false;
                }
            }
            true
        }
        Some(Twist::Nothing) => true,
    }
}

/// With its length before it.
pub fn framed(bytes: &[u8]) -> Vec<u8> {
    let mut frame = Vec::new();
    put_buffer(&mut frame, bytes);
    frame
}

pub fn put_buffer(out: &mut Vec<u8>, bytes: &[u8]) {
    out.extend_from_slice(&(bytes.len() as i32).to_be_bytes());
    out.extend_from_slice(bytes);
}

fn int(bytes: &[u8], at: usize) -> i32 {
    i32::from_be_bytes(bytes[at..at + 4].try_into().unwrap())
}
fn long(bytes: &[u8], at: usize) -> i64 {
    i64::from_be_bytes(bytes[at..at + 8].try_into().unwrap())
}
fn buffer(bytes: &[u8], at: usize) -> &[u8] {
    &bytes[at + 4..][..int(bytes, at) as usize]
}
fn text(bytes: &[u8], at: usize) -> String {
    String::from_utf8(buffer(bytes, at).to_vec()).unwrap()
}

async fn write(transport: &mut Memory, mut bytes: &[u8]) -> bool {
    while !bytes.is_empty() {
        match poll_fn(|cx| transport.poll_write(cx, &[IoSlice::new(bytes)])).await {
            Ok(n) => bytes = &bytes[n..],
            Err(_) => return false,
        }
    }
    true
}

async fn frame(transport: &mut Memory, input: &mut BytesMut) -> Option<Vec<u8>> {
    loop {
        if input.len() >= 4 && input.len() >= 4 + int(input, 0) as usize {
            let frame = input.split_to(4 + int(input, 0) as usize);
            return Some(frame[4..].to_vec());
        }
        input.reserve(64 << 10);
        if poll_fn(|cx| transport.poll_read(cx, input, usize::MAX)).await.unwrap_or(0) == 0 {
            return None;
        }
    }
}

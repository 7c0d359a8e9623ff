//! A session over one connection.
//!
//! ```text
//!  client                                ZooKeeper
//!    ConnectRequest ────────────────────►
//!    ◄──────────────────── ConnectResponse   session id and password; 0: it has expired
//!    AuthPacket (xid -4) ───────────────►
//!    ◄─────────────────── ReplyHeader (xid -4)
//!    RequestHeader (xid n), request ────►
//!    ◄───────── ReplyHeader (xid n), response
//!    ◄───── ReplyHeader (xid -1), WatcherEvent   at any time, once for each watch
//!    Ping (xid -2) ─────────────────────►        every third of the session's timeout
//! ```
//!
//! Limits: a frame of 64 MiB, `MAX_EVENTS` unread events, and 5 s for an answer.

use super::jute::{In, Out};
use crate::bounds::{LONGEST_ANSWER, TIMEOUT};
use bytes::{Buf, Bytes, BytesMut};
use polywire_client::ByteStreams;
use polywire_engine::Transport;
use std::{
    collections::VecDeque,
    fmt,
    future::{Future, poll_fn},
    io::IoSlice,
    time::Duration,
};
use tokio::time::timeout;

/// The identity with which a session is resumed after its connection was lost.
#[derive(Clone)]
pub(super) struct Ticket {
    id: i64,
    password: Vec<u8>,
}

/// The reason why a request to ZooKeeper failed.
#[derive(Debug)]
pub(super) enum Failed {
    /// ZooKeeper has answered with this error code; the session continues.
    Refused(i32),
    /// ZooKeeper cannot be reached, does not answer, or its answer cannot be parsed: the connection is
    /// unusable.
    Lost(String),
}

/// The event of a watch. The state of the node is read afterwards in any case, since it may have changed
/// again.
#[derive(Debug)]
pub(super) struct Event {
    pub path: String,
}

pub(super) struct Session {
    stream: Box<dyn Transport>,
    input: BytesMut,
    /// The number of the last request.
    xid: i32,
    events: VecDeque<Event>,
    ticket: Ticket,
    /// After how long without a word from us ZooKeeper ends the session.
    timeout: Duration,
}

/// The access rights of a node.
#[derive(Clone, Copy)]
pub(super) enum Access {
    Everybody,
    /// All rights for clients with the name and password of this session; others may read.
    Ours,
}

const EXISTS: i32 = 3;
const CREATE: i32 = 1;
const DELETE: i32 = 2;
const GET_DATA: i32 = 4;
const GET_CHILDREN: i32 = 8;
const PING: i32 = 11;
const AUTH: i32 = 100;
const CLOSE: i32 = -11;

const XID_EVENT: i32 = -1;
const XID_PING: i32 = -2;
const XID_AUTH: i32 = -4;

/// The maximum number of events that arrive while an answer is waited for: one for each watch, so as many as
/// a node may have children.
const MAX_EVENTS: usize = 2 * super::source::MAX_CHILDREN;
/// The longest password of a session; ZooKeeper's have 16 bytes.
const MAX_PASSWORD: usize = 256;
const READ: usize = 16 << 10;
/// The minimum timeout for which pings are timed; ZooKeeper's own minimum is two of its ticks, by default 4
/// s.
const SHORTEST: Duration = Duration::from_millis(300);

impl Session {
    /// Connects, and resumes the session of a ticket, or begins a new one. `user`: `name:password`.
    pub async fn open(
        member: &ByteStreams,
        ticket: Option<&Ticket>,
        ask: Duration,
        user: Option<&str>,
    ) -> Result<Session, Failed> {
        let connected = member.connect().await;
        let stream = connected.map_err(|error| Failed::Lost(format!("{}: {error}", member.address())))?;
        let ticket = ticket.cloned().unwrap_or(Ticket { id: 0, password: vec![0; 16] });
        let mut session =
            Session { stream, input: BytesMut::new(), xid: 0, events: VecDeque::new(), ticket, timeout: ask };
        within(async {
            session.connect().await?;
            match user {
                Some(user) => session.authenticate(user).await,
                None => Ok(()),
            }
        })
        .await?;
        Ok(session)
    }

    pub fn ticket(&self) -> Ticket {
        self.ticket.clone()
    }

    /// Whether a node that belongs to the session `owner` is ours.
    pub fn is(&self, owner: i64) -> bool {
        self.ticket.id == owner
    }

    async fn connect(&mut self) -> Result<(), Failed> {
        let millis = i32::try_from(self.timeout.as_millis()).unwrap_or(i32::MAX);
        // protocolVersion, lastZxidSeen, timeOut, sessionId, passwd, readOnly
        let request = Out::new().int(0).long(0).int(millis).long(self.ticket.id);
        self.write(&request.buffer(&self.ticket.password).boolean(false).finish()).await?;
        let answer = self.frame().await?;
        let mut answer = In(&answer);
        let read = (|| Some((answer.int()?, answer.int()?, answer.long()?, answer.buffer()?)))();
        let (_, millis, id, password) =
            read.filter(|(.., password)| password.len() <= MAX_PASSWORD).ok_or_else(|| {
                Failed::Lost("the peer's answer is not that of ZooKeeper to a new connection".to_owned())
            })?;
        if id == 0 || millis <= 0 {
            return Err(Failed::Refused(Failed::SESSION_EXPIRED));
        }
        self.ticket = Ticket { id, password: password.to_vec() };
        // As long as was asked for, at most: a later ping than that is nothing that we would do. And not so
        // short that pings are all that there is: a session that really ends sooner is replaced.
        self.timeout =
            Duration::from_millis(u64::from(millis.unsigned_abs())).max(SHORTEST).min(self.timeout);
        Ok(())
    }

    async fn authenticate(&mut self, user: &str) -> Result<(), Failed> {
        let packet = Out::new().int(XID_AUTH).int(AUTH).int(0).buffer("digest").buffer(user);
        self.write(&packet.finish()).await?;
        self.answer(XID_AUTH).await.map(|_| ())
    }

    /// The names of a node's children. `None`: the node does not exist. An event follows when the node gains
    /// or loses a child, or is deleted; or, if it does not exist, when it is created.
    pub async fn children(&mut self, path: &str) -> Result<Option<Vec<String>>, Failed> {
        loop {
            match self.call(GET_CHILDREN, |out| out.buffer(path).boolean(true)).await {
                Ok(answer) => return names(&answer).map(Some),
                Err(Failed::Refused(Failed::NO_NODE)) => {}
                Err(other) => return Err(other),
            }
            // The watch for its creation.
            if self.owner(path).await?.is_none() {
                return Ok(None);
            }
        }
    }

    /// The session to which a node belongs, 0: none, or `None`: the node does not exist. An event follows
    /// when that changes.
    pub async fn owner(&mut self, path: &str) -> Result<Option<i64>, Failed> {
        match self.call(EXISTS, |out| out.buffer(path).boolean(true)).await {
            Ok(answer) => owner(&answer).map(Some).ok_or_else(unreadable),
            Err(Failed::Refused(Failed::NO_NODE)) => Ok(None),
            Err(other) => Err(other),
        }
    }

    /// The data of nodes, all requested at once; or the error code of the first refused request. Each node is
    /// watched: an event follows when it changes. The total length of the answers is limited to that of one
    /// answer.
    pub async fn data(&mut self, paths: &[String]) -> Result<Vec<Result<Bytes, i32>>, Failed> {
        within(async {
            let first = self.xid;
            let mut requests = Vec::new();
            for path in paths {
                self.xid = next(self.xid);
                let request = Out::new().int(self.xid).int(GET_DATA).buffer(path).boolean(true);
                requests.extend_from_slice(&request.finish());
            }
            self.write(&requests).await?;
            let (mut xid, mut found, mut bytes) = (first, Vec::with_capacity(paths.len()), 0);
            for _ in paths {
                xid = next(xid);
                found.push(match self.answer(xid).await {
                    Ok(answer) => {
                        bytes += answer.len();
                        if bytes > LONGEST_ANSWER as usize {
                            return Err(Failed::too_long());
                        }
                        let data = In(&answer).buffer().ok_or_else(unreadable)?;
                        Ok(answer.slice_ref(data))
                    }
                    Err(Failed::Refused(code)) => Err(code),
                    Err(lost) => return Err(lost),
                });
            }
            Ok(found)
        })
        .await
    }

    /// Creates a node. `ephemeral`: it exists as long as the session.
    pub async fn create(
        &mut self,
        path: &str,
        data: &[u8],
        access: Access,
        ephemeral: bool,
    ) -> Result<(), Failed> {
        const ALL: i32 = 31;
        const READ: i32 = 1;
        let entries: &[(i32, &str, &str)] = match access {
            Access::Everybody => &[(ALL, "world", "anyone")],
            Access::Ours => &[(ALL, "auth", ""), (READ, "world", "anyone")],
        };
        let body = |out: Out| {
            let out = out.buffer(path).buffer(data).int(entries.len() as i32);
            let out =
                entries.iter().fold(out, |out, (may, scheme, id)| out.int(*may).buffer(scheme).buffer(id));
            out.int(ephemeral.into())
        };
        self.call(CREATE, body).await.map(|_| ())
    }

    /// Deletes a node, if it exists.
    pub async fn delete(&mut self, path: &str) -> Result<(), Failed> {
        match self.call(DELETE, |out| out.buffer(path).int(-1)).await {
            Ok(_) | Err(Failed::Refused(Failed::NO_NODE)) => Ok(()),
            Err(other) => Err(other),
        }
    }

    /// Ends the session, and with it its nodes.
    pub async fn close(mut self) -> Result<(), Failed> {
        self.call(CLOSE, |out| out).await.map(|_| ())
    }

    /// The next event. While waiting, both sides check that the other is alive.
    pub async fn event(&mut self) -> Result<Event, Failed> {
        let mut unanswered = false;
        loop {
            if let Some(event) = self.events.pop_front() {
                return Ok(event);
            }
            match timeout(self.timeout / 3, self.frame()).await {
                Ok(frame) => {
                    self.other(&frame?)?;
                    unanswered = false;
                }
                Err(_) if unanswered => {
                    return Err(Failed::Lost("ZooKeeper does not answer pings".to_owned()));
                }
                Err(_) => {
                    within(self.write(&Out::new().int(XID_PING).int(PING).finish())).await?;
                    unanswered = true;
                }
            }
        }
    }

    /// The next event, if one has arrived.
    pub fn next_event(&mut self) -> Option<Event> {
        self.events.pop_front()
    }

    async fn call(&mut self, kind: i32, body: impl FnOnce(Out) -> Out) -> Result<Bytes, Failed> {
        self.xid = next(self.xid);
        let request = body(Out::new().int(self.xid).int(kind)).finish();
        within(async {
            self.write(&request).await?;
            self.answer(self.xid).await
        })
        .await
    }

    /// The answer to a request, without its header. Events before it are kept.
    async fn answer(&mut self, xid: i32) -> Result<Bytes, Failed> {
        const HEADER: usize = 16;
        loop {
            let mut frame = self.frame().await?;
            let mut header = In(&frame);
            let (to, code) = (header.int(), header.long().and_then(|_zxid| header.int()));
            match (to, code) {
                (Some(to), Some(code)) if to == xid => {
                    frame.advance(HEADER);
                    return if code == 0 { Ok(frame) } else { Err(Failed::Refused(code)) };
                }
                _ => self.other(&frame)?,
            }
        }
    }

    /// Handles a frame that answers no request: an event, or the reply to a ping.
    fn other(&mut self, frame: &Bytes) -> Result<(), Failed> {
        let mut frame = In(frame);
        let header = (|| Some((frame.int()?, frame.long()?, frame.int()?)))();
        match header.map(|(xid, ..)| xid) {
            Some(XID_PING) => Ok(()),
            Some(XID_EVENT) => {
                let event = (|| Some((frame.int()?, frame.int()?, frame.text()?)))();
                let (_type, _state, path) = event.ok_or_else(unreadable)?;
                if self.events.len() >= MAX_EVENTS {
                    return Err(Failed::Lost(
                        "ZooKeeper tells more events than there are watches".to_owned(),
                    ));
                }
                self.events.push_back(Event { path: path.to_owned() });
                Ok(())
            }
            Some(xid) => Err(Failed::Lost(format!("an answer to {xid}, which was not asked"))),
            None => Err(unreadable()),
        }
    }

    /// The next frame.
    ///
    /// # Cancel safety
    /// Dropping the future loses nothing.
    async fn frame(&mut self) -> Result<Bytes, Failed> {
        loop {
            if let Some(length) = self.input.first_chunk::<4>() {
                let length = u32::from_be_bytes(*length);
                if length > LONGEST_ANSWER {
                    return Err(Failed::Lost(format!(
                        "a frame of {length} bytes: this is not ZooKeeper, or too much"
                    )));
                }
                let end = 4 + length as usize;
                if self.input.len() >= end {
                    let mut frame = self.input.split_to(end);
                    frame.advance(4);
                    return Ok(frame.freeze());
                }
            }
            self.input.reserve(READ);
            match poll_fn(|cx| self.stream.poll_read(cx, &mut self.input, usize::MAX)).await {
                Ok(0) => return Err(Failed::Lost("ZooKeeper has ended the connection".to_owned())),
                Ok(_) => {}
                Err(error) => return Err(Failed::Lost(error.to_string())),
            }
        }
    }

    async fn write(&mut self, mut bytes: &[u8]) -> Result<(), Failed> {
        while !bytes.is_empty() {
            let written = poll_fn(|cx| self.stream.poll_write(cx, &[IoSlice::new(bytes)])).await;
            bytes = &bytes[written.map_err(|error| Failed::Lost(error.to_string()))?..];
        }
        Ok(())
    }
}

impl Failed {
    pub fn too_long() -> Failed {
        Failed::Lost("the data of the node's children is too long".to_owned())
    }

    pub const NO_NODE: i32 = -101;
    pub const NODE_EXISTS: i32 = -110;
    pub const NO_AUTH: i32 = -102;
    pub const SESSION_EXPIRED: i32 = -112;
}

impl fmt::Display for Failed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let code = match self {
            Failed::Lost(why) => return f.write_str(why),
            Failed::Refused(code) => code,
        };
        // org.apache.zookeeper.KeeperException.Code
        let what = match *code {
            -3 => "data is inconsistent",
            -4 => "it has lost the connection",
            -5 => "the request could not be read",
            -6 => "the operation is not implemented",
            -7 => "the operation took too long",
            -8 => "bad arguments",
            Self::NO_NODE => "the node does not exist",
            Self::NO_AUTH => "not allowed by the node's access control",
            -108 => "an ephemeral node has no children",
            Self::NODE_EXISTS => "the node is there already",
            Self::SESSION_EXPIRED => "the session has expired",
            -114 => "the access control list is not valid",
            -115 => "name and password are not accepted",
            -118 => "the session has moved to another member",
            -119 => "the member is read-only",
            -127 => "it is overloaded",
            _ => "no text for this code",
        };
        write!(f, "ZooKeeper answered {code}: {what}")
    }
}

/// The number of the next request. Numbers below 1 have special meanings.
fn next(xid: i32) -> i32 {
    xid.checked_add(1).unwrap_or(1)
}

fn unreadable() -> Failed {
    Failed::Lost("an answer of ZooKeeper cannot be read".to_owned())
}

async fn within<T>(work: impl Future<Output = Result<T, Failed>>) -> Result<T, Failed> {
    match timeout(TIMEOUT, work).await {
        Ok(done) => done,
        Err(_) => Err(Failed::Lost(format!("ZooKeeper has not answered within {TIMEOUT:?}"))),
    }
}

/// The names in the answer to `getChildren`, a vector of strings.
fn names(answer: &[u8]) -> Result<Vec<String>, Failed> {
    let mut input = In(answer);
    let count = input.count().ok_or_else(unreadable)?;
    if count > super::source::MAX_CHILDREN {
        return Err(Failed::Lost(format!("the node has {count} children, which is too many")));
    }
    (0..count).map(|_| input.text().map(str::to_owned).ok_or_else(unreadable)).collect()
}

/// `ephemeralOwner` of a `Stat`: after czxid, mzxid, ctime, mtime (longs), version, cversion, aversion
/// (ints).
fn owner(stat: &[u8]) -> Option<i64> {
    let mut input = In(stat);
    (0..4).try_for_each(|_| input.long().map(|_| ()))?;
    (0..3).try_for_each(|_| input.int().map(|_| ()))?;
    input.long()
}

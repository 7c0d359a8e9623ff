//! An etcd of one member as its documentation describes it, on a network in memory.

use super::super::{
    Etcd,
    messages::{self, event::EventType, *},
};
use crate::Dial;
use polywire_call::{Reply, Status};
use polywire_naming::Naming;
use polywire_protocols::Builtin;
use polywire_server::{BidiStreaming, Context, Preset, Server, Service, Unary};
use polywire_streams::{Stream, Streaming, stream};
use polywire_testkit::{Net, Served};
use polywire_wire::{ProtocolSet, Protocols};
use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex},
    time::Duration,
};
use tokio::{sync::Notify, time::Instant};

pub struct Member;
impl Protocols for Member {
    fn protocol_set() -> ProtocolSet {
        Builtin::protocol_set()
    }
}
impl Preset for Member {
    type Pages = ();
}
impl Naming for Member {}
impl polywire_routing::Routing for Member {}

pub type Network = Net<Member>;

#[derive(Clone, Default)]
pub struct Store(Arc<Inner>);

#[derive(Default)]
struct Inner {
    state: Mutex<State>,
    changed: Notify,
}

#[derive(Default)]
pub struct State {
    pub cluster: u64,
    pub revision: i64,
    /// Revisions up to this one have no events any more.
    pub compacted: i64,
    pub keys: BTreeMap<Vec<u8>, KeyValue>,
    events: Vec<Event>,
    /// When each lease ends, and its seconds.
    pub leases: BTreeMap<i64, (Instant, i64)>,
    next_lease: i64,
    /// Name, password, and the token that they are exchanged for.
    pub user: Option<(&'static str, &'static str, &'static str)>,
    /// What calls fail with.
    pub failing: Option<Status>,
    /// Calls are not answered.
    pub silent: bool,
    /// The next stream of a watch breaks before its first event.
    pub break_watch: bool,
    /// Names of calls, with the revision from which a watch begins.
    pub seen: Vec<String>,
}

impl Store {
    pub fn with(pairs: &[(&str, &str)]) -> Store {
        let store = Store::default();
        store.state(|state| state.cluster = 7);
        pairs.iter().for_each(|(key, value)| store.put(key, value));
        store
    }

    pub fn state<R>(&self, change: impl FnOnce(&mut State) -> R) -> R {
        let result = change(&mut self.0.state.lock().unwrap());
        self.0.changed.notify_waiters();
        result
    }

    /// The same, when nobody who waits for a change has to know.
    fn state_unheard<R>(&self, change: impl FnOnce(&mut State) -> R) -> R {
        change(&mut self.0.state.lock().unwrap())
    }

    pub fn put(&self, key: &str, value: &str) {
        self.state(|state| state.put(key.as_bytes(), value.as_bytes(), 0));
    }

    pub fn delete(&self, key: &str) {
        self.state(|state| state.delete(key.as_bytes()));
    }

    pub fn seen(&self) -> Vec<String> {
        self.state(|state| state.seen.clone())
    }

    /// Serves the store under this name.
    pub fn serve(&self, net: &Network, name: &str) -> Served {
        let inner = &Arc::new(self.clone());
        let service = |name| Service::new(name, messages::DESCRIPTOR_SET);
        let kv = service("etcdserverpb.KV").unary::<Range>(inner).unary::<Put>(inner).unary::<Delete>(inner);
        let lease = service("etcdserverpb.Lease")
            .unary::<Grant>(inner)
            .unary::<Revoke>(inner)
            .bidi_streaming::<Keep>(inner);
        let watch = service("etcdserverpb.Watch").bidi_streaming::<Watch>(inner);
        let auth = service("etcdserverpb.Auth").unary::<Authenticate>(inner);
        net.serve(name, Server::<Member>::new().service(kv).service(lease).service(watch).service(auth))
    }

    pub fn etcd(&self, net: &Network) -> Etcd {
        at(net, "etcd:2379/services/echo")
    }
}

pub fn at(net: &Network, rest: &str) -> Etcd {
    let host = net.host("client");
    Etcd::open(rest).unwrap().dial(&Dial::new(move |builder| host.connecting(builder))).unwrap()
}

impl State {
    pub fn put(&mut self, key: &[u8], value: &[u8], lease: i64) {
        self.revision += 1;
        let kv = KeyValue { key: key.into(), value: value.into(), mod_revision: self.revision, lease };
        self.events.push(Event { kv: kv.clone().into(), ..Event::default() });
        self.keys.insert(key.into(), kv);
    }

    pub fn delete(&mut self, key: &[u8]) {
        if self.keys.remove(key).is_some() {
            self.revision += 1;
            let kv = KeyValue { key: key.into(), mod_revision: self.revision, ..KeyValue::default() };
            self.events.push(Event { r#type: EventType::DELETE.into(), kv: kv.into() });
        }
    }

    pub fn end_lease(&mut self, lease: i64) -> bool {
        let bound: Vec<_> =
            self.keys.values().filter(|kv| kv.lease == lease).map(|kv| kv.key.clone()).collect();
        bound.iter().for_each(|key| self.delete(key));
        self.leases.remove(&lease).is_some()
    }

    fn header(&self) -> ResponseHeader {
        ResponseHeader { cluster_id: self.cluster, revision: self.revision }
    }
}

impl Store {
    /// What comes before every call.
    async fn admit(&self, cx: &Context, name: &str) -> Result<(), Status> {
        let (failing, silent, user) = {
            let mut state = self.0.state.lock().unwrap();
            state.seen.push(name.to_owned());
            (state.failing.clone(), state.silent, state.user)
        };
        if silent {
            std::future::pending::<()>().await;
        }
        if let Some(failing) = failing {
            return Err(failing);
        }
        match user {
            Some((.., token)) if name != "Authenticate" && cx.metadata().get_str("token") != Some(token) => {
                Err(Status::unauthenticated("etcdserver: invalid auth token"))
            }
            _ => Ok(()),
        }
    }
}

macro_rules! unary {
    ($name:ident($method:literal) $request:ident -> $response:ident: |$state:ident, $asked:ident| $body:expr) => {
        struct $name;
        impl Unary for $name {
            type Service = Store;
            type Request = $request;
            type Response = $response;
            const NAME: &'static str = $method;
            async fn call(store: &Store, cx: &Context, $asked: $request) -> Result<Reply<$response>, Status> {
                store.admit(cx, $method).await?;
                store.state(|$state| $body).map(Reply::new)
            }
        }
    };
}

unary!(Range("Range") RangeRequest -> RangeResponse: |state, asked| {
    let kvs = state.keys.range(asked.key..asked.range_end).map(|(_, kv)| kv.clone()).collect();
    Ok(RangeResponse { header: state.header().into(), kvs })
});
unary!(Put("Put") PutRequest -> PutResponse: |state, asked| {
    match asked.lease == 0 || state.leases.contains_key(&asked.lease) {
        false => Err(Status::not_found("etcdserver: requested lease not found")),
        true => {
            state.put(&asked.key, &asked.value, asked.lease);
            Ok(PutResponse { header: state.header().into() })
        }
    }
});
unary!(Delete("DeleteRange") DeleteRangeRequest -> DeleteRangeResponse: |state, asked| {
    state.delete(&asked.key);
    Ok(DeleteRangeResponse { header: state.header().into(), deleted: 1 })
});
unary!(Revoke("LeaseRevoke") LeaseRevokeRequest -> LeaseRevokeResponse: |state, asked| {
    match state.end_lease(asked.ID) {
        true => Ok(LeaseRevokeResponse { header: state.header().into() }),
        false => Err(Status::not_found("etcdserver: requested lease not found")),
    }
});
unary!(Authenticate("Authenticate") AuthenticateRequest -> AuthenticateResponse: |state, asked| {
    match state.user {
        Some((name, password, token)) if (name, password) == (&asked.name, &asked.password) => {
            Ok(AuthenticateResponse { header: state.header().into(), token: token.into() })
        }
        _ => Err(Status::invalid_argument("etcdserver: authentication failed, invalid user ID or password")),
    }
});

struct Grant;
impl Unary for Grant {
    type Service = Store;
    type Request = LeaseGrantRequest;
    type Response = LeaseGrantResponse;
    const NAME: &'static str = "LeaseGrant";
    async fn call(
        store: &Store,
        cx: &Context,
        asked: LeaseGrantRequest,
    ) -> Result<Reply<LeaseGrantResponse>, Status> {
        store.admit(cx, "LeaseGrant").await?;
        let answer = store.state(|state| {
            state.next_lease += 1;
            let until = Instant::now() + Duration::from_secs(asked.TTL as u64);
            state.leases.insert(state.next_lease, (until, asked.TTL));
            let header = state.header().into();
            LeaseGrantResponse { header, ID: state.next_lease, TTL: asked.TTL, error: String::new() }
        });
        let (store, lease) = (store.clone(), answer.ID);
        tokio::spawn(async move {
            while let Some(until) = store.state(|state| state.leases.get(&lease).map(|(until, _)| *until)) {
                if Instant::now() >= until {
                    store.state(|state| state.end_lease(lease));
                }
                tokio::time::sleep_until(until).await;
            }
        });
        Ok(answer.into())
    }
}

struct Keep;
impl BidiStreaming for Keep {
    type Service = Store;
    type Request = LeaseKeepAliveRequest;
    type Response = LeaseKeepAliveResponse;
    const NAME: &'static str = "LeaseKeepAlive";
    async fn call(
        store: &Store,
        cx: &Context,
        mut incoming: Streaming<LeaseKeepAliveRequest>,
    ) -> Result<impl Stream<Item = Result<LeaseKeepAliveResponse, Status>> + Send, Status> {
        store.admit(cx, "LeaseKeepAlive").await?;
        let (sender, answers) = stream(1);
        let mut asked = incoming.next().await.transpose()?;
        let store = store.clone();
        cx.spawn(async move {
            while let Some(LeaseKeepAliveRequest { ID }) = asked {
                if store.state(|state| state.silent) {
                    std::future::pending::<()>().await;
                }
                let ttl = store.state(|state| {
                    state.leases.get_mut(&ID).map_or(0, |(until, seconds)| {
                        *until = Instant::now() + Duration::from_secs(*seconds as u64);
                        *seconds
                    })
                });
                sender
                    .send(LeaseKeepAliveResponse { ID, TTL: ttl, ..LeaseKeepAliveResponse::default() })
                    .await?;
                asked = incoming.next().await.transpose()?;
            }
            Ok(())
        });
        Ok(answers)
    }
}

struct Watch;
impl BidiStreaming for Watch {
    type Service = Store;
    type Request = WatchRequest;
    type Response = WatchResponse;
    const NAME: &'static str = "Watch";
    async fn call(
        store: &Store,
        cx: &Context,
        mut incoming: Streaming<WatchRequest>,
    ) -> Result<impl Stream<Item = Result<WatchResponse, Status>> + Send, Status> {
        store.admit(cx, "Watch").await?;
        let asked =
            incoming.next().await.transpose()?.ok_or_else(|| Status::invalid_argument("no request"))?;
        let asked = asked.create_request.into_option().ok_or_else(|| Status::invalid_argument("no watch"))?;
        store.state(|state| state.seen.push(format!("from {}", asked.start_revision)));
        let (sender, answers) = stream(1);
        let store = store.clone();
        cx.spawn(async move {
            let _open = incoming; // as long as the client does not end it
            let header = store.state(|state| state.header());
            sender
                .send(WatchResponse { header: header.into(), created: true, ..WatchResponse::default() })
                .await?;
            let mut next = asked.start_revision;
            loop {
                let changed = store.0.changed.notified();
                let answer = store.state_unheard(|state| {
                    if next <= state.compacted {
                        let compact_revision = state.compacted + 1;
                        let header = state.header().into();
                        return Some(WatchResponse {
                            header,
                            canceled: true,
                            compact_revision,
                            ..WatchResponse::default()
                        });
                    }
                    let range = asked.key.as_slice()..asked.range_end.as_slice();
                    let events = state.events.iter().filter(|event| event.kv.mod_revision >= next);
                    let events: Vec<_> =
                        events.filter(|event| range.contains(&event.kv.key.as_slice())).cloned().collect();
                    next = state.revision + 1;
                    let header = state.header().into();
                    (!events.is_empty()).then(|| WatchResponse { header, events, ..WatchResponse::default() })
                });
                if store.state_unheard(|state| std::mem::take(&mut state.break_watch)) {
                    return Err(Status::unavailable("etcdserver: no leader"));
                }
                if let Some(answer) = answer {
                    let canceled = answer.canceled;
                    sender.send(answer).await?;
                    if canceled {
                        return Ok(());
                    }
                    continue;
                }
                changed.await;
            }
        });
        Ok(answers)
    }
}

//! Calls to an etcd cluster.

use super::messages::{AuthenticateRequest, AuthenticateResponse};
use crate::{
    bounds::{CONNECT_TIMEOUT, LONGEST_ANSWER, TIMEOUT},
    dial::Dial,
};
use polywire_call::{ConfigError, Status};
use polywire_client::{Builder, Channel, Duplex, Resilience, Target, stub};
use polywire_formats::Payload;
use polywire_naming::SourceError;
use polywire_protocols::http;
use polywire_streams::Item;
use polywire_wire::{Keepalive, Limits};
use std::{
    fmt,
    sync::atomic::{AtomicUsize, Ordering::Relaxed},
    time::Duration,
};

/// A watch is silent while nothing changes: PINGs detect an etcd that has disappeared. etcd accepts them
/// every 5 s at most (`--grpc-keepalive-min-time`).
const PING_EVERY: Duration = Duration::from_secs(15);
const PING_WITHIN: Duration = Duration::from_secs(10);

/// The members of a cluster, one of which is in use.
pub(super) struct Client {
    channels: Vec<Channel>,
    current: AtomicUsize,
    /// The name and the password of the user, where etcd asks for one.
    user: Option<(String, String)>,
}

/// Calls to one member.
pub(super) struct Session {
    channel: Channel,
    /// The token that the member issued for name and password.
    token: Option<String>,
}

impl Client {
    pub fn new(
        addresses: &[String],
        dial: &Dial,
        user: Option<(String, String)>,
    ) -> Result<Client, ConfigError> {
        Ok(Client { channels: dial.channels(addresses, options)?, current: AtomicUsize::new(0), user })
    }

    /// The same client with other channels.
    pub fn dialled(self, addresses: &[String], dial: &Dial) -> Result<Client, ConfigError> {
        Client::new(addresses, dial, self.user)
    }

    /// A member to talk to: after [`Client::failed`] another one.
    pub async fn session(&self) -> Result<Session, Status> {
        let channel = self.channels[self.current.load(Relaxed) % self.channels.len()].clone();
        let mut session = Session { channel, token: None };
        if let Some((name, password)) = &self.user {
            let request = AuthenticateRequest { name: name.clone(), password: password.clone() };
            let answer: AuthenticateResponse =
                session.call(("etcdserverpb.Auth", "Authenticate"), request).await?;
            session.token = Some(answer.token);
        }
        Ok(session)
    }

    /// The member in use has failed.
    pub fn failed(&self, status: &Status) -> SourceError {
        self.current.fetch_add(1, Relaxed);
        SourceError::new(format!("{}: {}", status.code(), status.message()))
    }
}

impl fmt::Debug for Client {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.channels.iter().map(Channel::address)).finish()
    }
}

impl Session {
    /// A call that is answered at once.
    pub async fn call<I: Payload, O: Payload>(
        &self,
        (service, method): (&'static str, &'static str),
        request: I,
    ) -> Result<O, Status> {
        let mut call =
            stub::unary::<_, _, O>(&self.channel, Target::fixed(service, method), request).timeout(TIMEOUT);
        if let Some(token) = &self.token {
            call = call.metadata("token", token);
        }
        Ok(call.await?.into_message())
    }

    /// A call with a stream each way, which has no time limit.
    pub async fn open<I: Item + Send + 'static, O: Item + Send + 'static>(
        &self,
        (service, method): (&'static str, &'static str),
    ) -> Result<Duplex<I, O>, Status> {
        let mut call = stub::streaming::<_, Duplex<I, O>>(&self.channel, Target::fixed(service, method));
        if let Some(token) = &self.token {
            call = call.metadata("token", token);
        }
        call.await
    }
}

fn options(builder: Builder) -> Builder {
    let keepalive = Keepalive::default().every(PING_EVERY).within(PING_WITHIN);
    let limits = Limits::default().max_message(LONGEST_ANSWER).keepalive(keepalive);
    builder
        .protocol(http::GRPC.name)
        .resilience(Resilience::default().retries(0))
        .connect_timeout(CONNECT_TIMEOUT)
        .limits(limits)
}

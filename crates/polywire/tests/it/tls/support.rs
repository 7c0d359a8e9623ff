//! A server with a service that tells what it sees, and channels to it.

use super::authority::{Authority, Identity};
use polywire::{
    Channel, ClientTls, Content, Handler, Method, Resilience, Running, Server, ServerTls, Service, Started,
    Status, Target, Timeouts,
    handler::{Call, Outcome},
};
use polywire_engine::{
    Engine, Fault,
    transport::{Memory, duplex},
};
use polywire_machine_testing::until;
use std::{future::Future, net::TcpListener, sync::Arc, time::Duration};

/// Long enough for every test on a slow machine: what takes it has hung.
const NEVER: Duration = Duration::from_secs(60);

pub fn run<F: Future>(test: F) -> F::Output {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async { tokio::time::timeout(NEVER, test).await.expect("the test hangs") })
}

/// What a handler sees of its caller.
pub const WHO: Target = Target::fixed("test.Tells", "Who");

struct Who;
impl Handler for Who {
    fn start(&self, call: Call) -> Started {
        let security = call.cx.security();
        let alpn = security.and_then(|s| s.alpn.as_deref()).map(String::from_utf8_lossy);
        let text = format!(
            "{} {} {} {} {}{}",
            call.cx.protocol(),
            security.map_or("plain", |security| security.version),
            alpn.as_deref().unwrap_or("-"),
            call.cx.peer_certificates().len(),
            call.cx.identity().map_or("nobody", |identity| &identity.name),
            if security.is_some_and(|security| security.resumed) { " resumed" } else { "" },
        );
        let body = text.into_bytes().into();
        Started::Ready(Outcome { body, content: Content::RAW, reply: true, ..Outcome::default() })
    }
}

/// A server that tells its callers what it sees of them.
pub fn server() -> Server {
    let tells = Service::new("test.Tells", &[]).with(Method::new("Who", || Box::new(Who)));
    let engine = Engine::builder().shards(1).workers(1).build().unwrap();
    Server::new().service(tells).engine(&engine)
}

pub fn start(server: Server) -> Arc<Running> {
    Arc::new(server.serve(TcpListener::bind("127.0.0.1:0").unwrap()).unwrap())
}

pub fn tls(identity: &Identity) -> ServerTls {
    ServerTls::pem(identity.certificate.as_str(), identity.key.as_str())
}

/// Believes the authority, and asks for `localhost`.
pub fn believes(authority: &Authority) -> ClientTls {
    ClientTls::new().ca_pem(authority.pem.as_str()).server_name("localhost")
}

/// A byte stream to it, in memory.
pub fn dial(running: &Running) -> Memory {
    let (ours, theirs) = duplex("test", 1 << 20);
    running.serve_stream(theirs);
    ours
}

pub fn channel(running: &Arc<Running>, protocol: &str, tls: Option<ClientTls>) -> Channel {
    let serving = running.clone();
    let builder = Channel::builder("memory").protocol(protocol).timeout(NEVER).connect_timeout(NEVER);
    let builder = builder
        .resilience(Resilience::default().retries(0))
        .connector(move |_| std::future::ready(Ok(dial(&serving))));
    match tls {
        Some(tls) => builder.tls(tls),
        None => builder,
    }
    .build()
    .unwrap()
}

/// What the server sees of a caller on a new channel.
pub async fn who(running: &Arc<Running>, protocol: &str, tls: Option<ClientTls>) -> Result<String, Status> {
    ask(&channel(running, protocol, tls)).await
}

pub async fn ask(channel: &Channel) -> Result<String, Status> {
    let reply = channel.call(WHO, Vec::new()).await?.into_message();
    Ok(String::from_utf8(reply.body.to_vec()).unwrap())
}

/// Waits until a server has counted this fault, once.
pub async fn counted(running: &Running, fault: Fault) {
    until("a counted fault", || running.faults().count(fault) > 0).await;
    assert_eq!(running.faults().count(fault), 1, "{fault:?}");
}

pub const ENDLESS: Timeouts = Timeouts::NONE;

//! A client's and a server's end, the transport between them, and certificates for both.

use bytes::BytesMut;
use polywire_engine::transport::{Memory, Peer, Transport, duplex, tls};
use rustls::{
    ClientConfig, RootCertStore, ServerConfig,
    pki_types::{CertificateDer, PrivateKeyDer, ServerName},
};
use std::{
    future::Future,
    io::{self, IoSlice},
    pin::Pin,
    sync::{Arc, Mutex, MutexGuard},
    task::{Context, Poll, Waker},
};

/// A certificate that is its own issuer.
pub struct Identity {
    certificate: CertificateDer<'static>,
    key: Vec<u8>,
}

pub fn certificate(names: &[&str]) -> Identity {
    let names: Vec<String> = names.iter().map(|name| (*name).to_owned()).collect();
    let key = rcgen::KeyPair::generate().expect("randomness");
    let mut parameters = rcgen::CertificateParams::new(names).expect("names are names");
    // rustls tries every issuer with a matching name, so each gets a name of its own.
    parameters.distinguished_name.push(rcgen::DnType::CommonName, format!("{:02x?}", key.public_key_raw()));
    let made = parameters.self_signed(&key).expect("it can be signed");
    Identity { certificate: made.der().clone(), key: key.serialize_der() }
}

/// A client that trusts this certificate.
pub fn config(identity: &Identity) -> Arc<ClientConfig> {
    let mut roots = RootCertStore::empty();
    roots.add(identity.certificate.clone()).expect("a certificate");
    let builder = ClientConfig::builder_with_provider(tls::provider());
    let builder = builder.with_protocol_versions(rustls::ALL_VERSIONS).expect("versions");
    Arc::new(builder.with_root_certificates(roots).with_no_client_auth())
}

/// A server with this certificate. `newest` selects TLS 1.3, otherwise 1.2.
pub fn server_config(identity: &Identity, newest: bool) -> Arc<ServerConfig> {
    let version = if newest { &rustls::version::TLS13 } else { &rustls::version::TLS12 };
    let builder = ServerConfig::builder_with_provider(tls::provider());
    let builder = builder.with_protocol_versions(&[version]).expect("versions").with_no_client_auth();
    let key = PrivateKeyDer::try_from(identity.key.clone()).expect("a key");
    let config = builder.with_single_cert(vec![identity.certificate.clone()], key);
    Arc::new(config.expect("they belong together"))
}

/// What happens to the bytes that one end reads.
#[derive(Default)]
struct Fate {
    /// Bytes of the first reads, one after the other; 0: no limit.
    first: usize,
    /// Bytes of each read after those; 0: no limit.
    every: usize,
    read: usize,
    /// The stream ends after this many bytes.
    end: Option<usize>,
    /// Offset of a byte that is changed.
    changed: Option<usize>,
    /// Bytes that are read before all others.
    injected: Vec<u8>,
}

type Shared = Arc<Mutex<Fate>>;

fn lock(fate: &Shared) -> MutexGuard<'_, Fate> {
    fate.lock().expect("nobody panics with it")
}

/// A transport that cuts, changes or ends its reads as [`Fate`] says.
struct Torn {
    inner: Memory,
    fate: Shared,
}

impl Transport for Torn {
    fn poll_read(
        &mut self,
        cx: &mut Context<'_>,
        into: &mut BytesMut,
        most: usize,
    ) -> Poll<io::Result<usize>> {
        let mut fate = lock(&self.fate);
        if !fate.injected.is_empty() {
            let injected = std::mem::take(&mut fate.injected);
            into.extend_from_slice(&injected);
            return Poll::Ready(Ok(injected.len()));
        }
        let mut most = match (fate.first.saturating_sub(fate.read), fate.every) {
            (0, 0) => most,
            (0, every) => most.min(every),
            (first, _) => most.min(first),
        };
        if let Some(end) = fate.end {
            most = most.min(end - fate.read);
            if most == 0 {
                return Poll::Ready(Ok(0));
            }
        }
        let at = into.len();
        let read = self.inner.poll_read(cx, into, most);
        if let Poll::Ready(Ok(n)) = read {
            if let Some(changed) = fate.changed.filter(|c| (fate.read..fate.read + n).contains(c)) {
                into[at + changed - fate.read] ^= 0x10;
            }
            fate.read += n;
        }
        read
    }
    fn poll_write(&mut self, cx: &mut Context<'_>, slices: &[IoSlice<'_>]) -> Poll<io::Result<usize>> {
        self.inner.poll_write(cx, slices)
    }
    fn shutdown(&mut self) {
        self.inner.shutdown();
    }
    fn peer(&self) -> &Peer {
        self.inner.peer()
    }
    fn local(&self) -> &Peer {
        self.inner.local()
    }
}

type Connecting = Pin<Box<dyn Future<Output = io::Result<Box<dyn Transport>>>>>;

/// Both ends before and during their handshake.
pub struct Pair {
    config: Arc<ClientConfig>,
    ours: Option<Torn>,
    server: Option<Box<dyn Transport>>,
    client_fate: Shared,
    server_fate: Shared,
    name: &'static str,
}

/// Both ends after their handshake.
pub struct Ends {
    pub client: Box<dyn Transport>,
    pub server: Box<dyn Transport>,
    server_fate: Shared,
}

/// A client that trusts the server's certificate.
pub fn pair(identity: &Identity) -> Pair {
    Pair::new(config(identity), server_config(identity, true), 1 << 20)
}

impl Pair {
    pub fn new(config: Arc<ClientConfig>, server: Arc<ServerConfig>, capacity: usize) -> Self {
        let (ours, theirs) = duplex("pair", capacity);
        let (client_fate, server_fate) = (Shared::default(), Shared::default());
        let ours = Torn { inner: ours, fate: client_fate.clone() };
        let theirs = Torn { inner: theirs, fate: server_fate.clone() };
        let server = Some(tls::accept(Box::new(theirs), server, true));
        Pair { config, ours: Some(ours), server, client_fate, server_fate, name: "localhost" }
    }

    pub fn ask_for(&mut self, name: &'static str) {
        self.name = name;
    }

    /// Both ends read at most `first` bytes per read until they have that many, then `every` bytes per read.
    pub fn tear(&mut self, first: usize, every: usize) {
        for fate in [&self.client_fate, &self.server_fate] {
            let mut fate = lock(fate);
            (fate.first, fate.every) = (first, if every == usize::MAX { 0 } else { every });
        }
    }

    pub fn end_server_input_after(&mut self, bytes: usize) {
        lock(&self.server_fate).end = Some(bytes);
    }

    pub fn client_read(&self) -> usize {
        lock(&self.client_fate).read
    }
    pub fn server_read(&self) -> usize {
        lock(&self.server_fate).read
    }

    fn connecting(&mut self) -> Connecting {
        let ours = self.ours.take().expect("the first handshake");
        let name = ServerName::try_from(self.name).expect("a name");
        Box::pin(tls::connect(Box::new(ours), self.config.clone(), name))
    }

    /// Continues until both ends have completed the handshake.
    ///
    /// # Errors
    /// The client's error. The server's is seen by [`Pair::handshake_server`].
    pub fn handshake(&mut self) -> io::Result<Ends> {
        let (mut connecting, mut connected) = (self.connecting(), None);
        let cx = &mut Context::from_waker(Waker::noop());
        for _ in 0..100_000 {
            if connected.is_none()
                && let Poll::Ready(client) = connecting.as_mut().poll(cx)
            {
                connected = Some(client?);
            }
            let server = self.server.as_mut().expect("the first handshake");
            if server.protection().security().is_some()
                && let Some(client) = connected.take()
            {
                let server = self.server.take().expect("seen above");
                return Ok(Ends { client, server, server_fate: self.server_fate.clone() });
            }
            if server.protection().security().is_none() {
                read_nothing(&mut **server, cx).expect("the server agrees");
            }
        }
        panic!("they never agree");
    }

    /// Continues until the server fails, with the client still running or after its handshake has failed.
    pub fn handshake_server(&mut self) -> io::Result<()> {
        let mut connecting = self.ours.is_some().then(|| self.connecting());
        let cx = &mut Context::from_waker(Waker::noop());
        let server = self.server.as_mut().expect("a server");
        for _ in 0..1000 {
            if let Some(client) = &mut connecting
                && client.as_mut().poll(cx).is_ready()
            {
                connecting = None;
            }
            read_nothing(&mut **server, cx)?;
        }
        Ok(())
    }
}

fn read_nothing(server: &mut dyn Transport, cx: &mut Context<'_>) -> io::Result<()> {
    let mut into = BytesMut::with_capacity(1 << 16);
    match server.poll_read(cx, &mut into, usize::MAX) {
        Poll::Pending => Ok(()),
        Poll::Ready(read) => panic!("{:?} before anything was said", read?),
    }
}

impl Ends {
    /// Inserts bytes before what the client sends next.
    pub fn inject_to_server(&mut self, bytes: &[u8]) {
        lock(&self.server_fate).injected = bytes.to_vec();
    }

    /// The stream ends after this many bytes of what the client sends next.
    pub fn end_server_input_after(&mut self, bytes: usize) {
        let mut fate = lock(&self.server_fate);
        fate.end = Some(fate.read + bytes);
    }

    /// Changes a bit of the byte at this offset of what the client sends next.
    pub fn change_server_input(&mut self, at: usize) {
        let mut fate = lock(&self.server_fate);
        fate.changed = Some(fate.read + at);
    }
}

/// Writes all of `pieces` as the slices of one write, and checks what arrived.
pub fn write_all(
    from: &mut dyn Transport,
    to: &mut dyn Transport,
    pieces: &[&[u8]],
    look: impl FnOnce(&[u8]),
) {
    let (cx, mut left) = (&mut Context::from_waker(Waker::noop()), pieces.concat().len());
    let all = left;
    let (mut sent, mut seen) = (0, Vec::new());
    for _ in 0..1_000_000 {
        if left > 0 {
            let mut skipped = sent;
            let rest: Vec<IoSlice<'_>> = pieces
                .iter()
                .map(|piece| {
                    let n = skipped.min(piece.len());
                    skipped -= n;
                    IoSlice::new(&piece[n..])
                })
                .collect();
            if let Poll::Ready(n) = from.poll_write(cx, &rest) {
                let n = n.expect("the other end is there");
                assert!(n > 0 && n <= left, "{n} of {left}");
                (sent, left) = (sent + n, left - n);
            }
        }
        drain_some(to, &mut seen).expect("it goes on");
        if left == 0 && seen.len() >= all {
            return look(&seen);
        }
    }
    panic!("{} of {all} arrived, {left} are left", seen.len());
}

/// Reads what can be read now.
pub fn drain_some(from: &mut dyn Transport, seen: &mut Vec<u8>) -> io::Result<()> {
    let cx = &mut Context::from_waker(Waker::noop());
    loop {
        let mut into = BytesMut::with_capacity(1 << 16);
        match from.poll_read(cx, &mut into, usize::MAX) {
            Poll::Pending | Poll::Ready(Ok(0)) => return Ok(()),
            Poll::Ready(n) => assert_eq!(n?, into.len()),
        }
        seen.extend_from_slice(&into);
    }
}

/// Reads everything up to the end.
pub fn drain(from: &mut dyn Transport, seen: &mut Vec<u8>) -> io::Result<()> {
    let cx = &mut Context::from_waker(Waker::noop());
    for _ in 0..100_000 {
        let mut into = BytesMut::with_capacity(1 << 16);
        if let Poll::Ready(n) = from.poll_read(cx, &mut into, usize::MAX) {
            if n? == 0 {
                return Ok(());
            }
            seen.extend_from_slice(&into);
        }
    }
    panic!("it never ends");
}

/// As [`drain`], for a stream whose writer sends nothing more.
pub fn read_all(from: &mut dyn Transport) -> io::Result<Vec<u8>> {
    let mut seen = Vec::new();
    drain(from, &mut seen).map(|()| seen)
}

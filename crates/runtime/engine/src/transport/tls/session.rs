//! One TLS connection as a state machine: no socket, no waiting.
//!
//! Sealed bytes are opened in place; output is appended to a buffer of the caller. Only keys and counters are
//! kept here: an idle session holds no buffer.

use crate::transport::Security;
use bytes::{Bytes, BytesMut};
use rustls::{
    ClientConfig, CommonState, Error, HandshakeKind, ProtocolVersion, ServerConfig, Side,
    client::UnbufferedClientConnection,
    pki_types::ServerName,
    server::UnbufferedServerConnection,
    unbuffered::{ConnectionState, EncodeError, EncryptError, UnbufferedStatus},
};
use std::sync::Arc;

/// A TLS session of either side.
pub(super) enum Session {
    Client(UnbufferedClientConnection),
    Server(UnbufferedServerConnection),
}

/// The target of decrypted bytes: the reader's buffer as far as it has room, and `over` for the rest.
pub(super) struct Opened<'t> {
    pub into: &'t mut BytesMut,
    /// Bytes that `into` may still receive.
    pub room: usize,
    pub over: &'t mut BytesMut,
}

impl Opened<'_> {
    fn take(&mut self, bytes: &[u8]) {
        let (now, later) = bytes.split_at(bytes.len().min(self.room));
        self.into.extend_from_slice(now);
        self.room -= now.len();
        self.over.extend_from_slice(later);
    }
}

/// Encrypted bytes in the order of sending.
#[derive(Default)]
pub(super) struct Sealed {
    /// Initialised once up to this length, so that it is not cleared again for every record.
    bytes: Vec<u8>,
    filled: usize,
}

impl Sealed {
    pub fn bytes(&self) -> &[u8] {
        &self.bytes[..self.filled]
    }
    pub fn clear(&mut self) {
        self.filled = 0;
    }
    /// Appends at most `n` bytes, as many as `write` reports.
    fn append<E>(&mut self, n: usize, write: impl FnOnce(&mut [u8]) -> Result<usize, E>) -> Result<(), E> {
        let end = self.filled + n;
        if self.bytes.len() < end {
            self.bytes.resize(end, 0);
        }
        self.filled += write(&mut self.bytes[self.filled..end])?;
        Ok(())
    }
}

/// The bytes that the application wants to send.
#[derive(Clone, Copy)]
enum Outgoing<'b> {
    Nothing,
    Data(&'b [u8]),
    CloseNotify,
}

enum Step {
    /// Something was done, and there may be more.
    Again,
    /// The application's bytes have been encrypted into the output.
    Sealed,
    /// The peer sends no more.
    Ended,
    /// The session needs further bytes.
    Wait,
}

/// The result of running the machine until it waits.
pub(super) struct Turned {
    /// Bytes of the front that are used up.
    pub used: usize,
    /// The peer sends no more.
    pub ended: bool,
}

/// Upper bound of the bytes that a record adds to its content: header, explicit nonce, type, tag.
const OVERHEAD: usize = 64;
/// Longest content of a record, in bytes. RFC 8446, section 5.1
pub(super) const RECORD: usize = 1 << 14;

impl Session {
    pub fn client(config: Arc<ClientConfig>, name: ServerName<'static>) -> Result<Self, Error> {
        UnbufferedClientConnection::new(config, name).map(Session::Client)
    }

    pub fn server(config: Arc<ServerConfig>) -> Result<Self, Error> {
        UnbufferedServerConnection::new(config).map(Session::Server)
    }

    pub fn side(&self) -> Side {
        match self {
            Session::Client(_) => Side::Client,
            Session::Server(_) => Side::Server,
        }
    }

    /// Takes all received bytes that were not used before. Complete records are opened. The unused rest is
    /// the beginning of a record or of a handshake message; it has to be given again with what follows.
    ///
    /// # Errors
    /// The session has ended; the alert for the peer is in `sealed`.
    pub fn receive(
        &mut self,
        bytes: &mut [u8],
        opened: &mut Opened<'_>,
        sealed: &mut Sealed,
    ) -> Result<Turned, Error> {
        self.turn(bytes, Outgoing::Nothing, opened, sealed)
    }

    /// Encrypts `data`. `rest` is the part that [`Session::receive`] left unused.
    ///
    /// # Errors
    /// The session has ended: its keys are used up.
    pub fn seal(&mut self, rest: &mut [u8], data: &[u8], sealed: &mut Sealed) -> Result<(), Error> {
        self.seal_outgoing(rest, Outgoing::Data(data), sealed)
    }

    /// Seals a close_notify.
    ///
    /// # Errors
    /// The session has ended.
    pub fn close(&mut self, rest: &mut [u8], sealed: &mut Sealed) -> Result<(), Error> {
        self.seal_outgoing(rest, Outgoing::CloseNotify, sealed)
    }

    fn seal_outgoing(
        &mut self,
        rest: &mut [u8],
        outgoing: Outgoing<'_>,
        sealed: &mut Sealed,
    ) -> Result<(), Error> {
        // `rest` has no whole record: nothing is opened.
        let (mut into, mut over) = (BytesMut::new(), BytesMut::new());
        let mut opened = Opened { into: &mut into, room: 0, over: &mut over };
        let turned = self.turn(rest, outgoing, &mut opened, sealed);
        debug_assert!(over.is_empty());
        turned.map(drop)
    }

    fn turn(
        &mut self,
        bytes: &mut [u8],
        mut outgoing: Outgoing<'_>,
        opened: &mut Opened<'_>,
        sealed: &mut Sealed,
    ) -> Result<Turned, Error> {
        let mut turned = Turned { used: 0, ended: false };
        loop {
            let (used, step) = self.step(&mut bytes[turned.used..], outgoing, opened, sealed);
            turned.used += used;
            match step {
                Ok(Step::Again) => {}
                Ok(Step::Sealed) => outgoing = Outgoing::Nothing,
                Ok(Step::Ended) => turned.ended = true,
                Ok(Step::Wait) => return Ok(turned),
                Err(error) => {
                    self.seal_alert(&mut bytes[turned.used..], opened, sealed);
                    return Err(error);
                }
            }
        }
    }

    /// Seals the alert that is due to the peer of a session that failed.
    #[cold]
    fn seal_alert(&mut self, bytes: &mut [u8], opened: &mut Opened<'_>, sealed: &mut Sealed) {
        // Only while something is queued: otherwise the session would go on reading.
        while self.state().wants_write() {
            let (_, step) = self.step(bytes, Outgoing::Nothing, opened, sealed);
            if !matches!(step, Ok(Step::Again)) {
                return;
            }
        }
    }

    fn step(
        &mut self,
        bytes: &mut [u8],
        outgoing: Outgoing<'_>,
        opened: &mut Opened<'_>,
        sealed: &mut Sealed,
    ) -> (usize, Result<Step, Error>) {
        match self {
            Session::Client(session) => step(session.process_tls_records(bytes), outgoing, opened, sealed),
            Session::Server(session) => step(session.process_tls_records(bytes), outgoing, opened, sealed),
        }
    }

    fn state(&self) -> &CommonState {
        match self {
            Session::Client(session) => session,
            Session::Server(session) => session,
        }
    }

    pub fn is_handshaking(&self) -> bool {
        self.state().is_handshaking()
    }

    /// The result of the handshake.
    pub fn security(&self) -> Security {
        let state = self.state();
        let suite = state.negotiated_cipher_suite();
        let certificates = state.peer_certificates().unwrap_or_default();
        Security {
            version: match state.protocol_version() {
                Some(ProtocolVersion::TLSv1_2) => "TLSv1.2",
                _ => "TLSv1.3",
            },
            cipher: suite.and_then(|suite| suite.suite().as_str()).unwrap_or("unknown"),
            alpn: state.alpn_protocol().map(Box::from),
            peer_certificates: certificates.iter().map(|der| Bytes::copy_from_slice(der)).collect(),
            resumed: matches!(state.handshake_kind(), Some(HandshakeKind::Resumed)),
        }
    }
}

/// Handles one state of the machine. Returns how many bytes it used.
fn step<Side>(
    status: UnbufferedStatus<'_, '_, Side>,
    outgoing: Outgoing<'_>,
    opened: &mut Opened<'_>,
    sealed: &mut Sealed,
) -> (usize, Result<Step, Error>) {
    let UnbufferedStatus { discard: mut used, state } = status;
    let state = match state {
        Ok(state) => state,
        Err(error) => return (used, Err(error)),
    };
    let step = match state {
        ConnectionState::ReadTraffic(mut traffic) => loop {
            match traffic.next_record() {
                Some(Ok(record)) => {
                    used += record.discard;
                    opened.take(record.payload);
                }
                Some(Err(error)) => break Err(error),
                None => break Ok(Step::Again),
            }
        },
        ConnectionState::EncodeTlsData(mut words) => {
            let encoded = match words.encode(&mut []) {
                Err(EncodeError::InsufficientSize(size)) => {
                    sealed.append(size.required_size, |room| words.encode(room))
                }
                other => other.map(drop),
            };
            encoded.map(|()| Step::Again).map_err(|error| Error::General(error.to_string()))
        }
        ConnectionState::TransmitTlsData(sent) => {
            sent.done(); // it is in `sealed`, whose order is kept
            Ok(Step::Again)
        }
        ConnectionState::WriteTraffic(mut traffic) => {
            let said = match outgoing {
                Outgoing::Nothing => return (used, Ok(Step::Wait)),
                Outgoing::Data(data) => {
                    append(sealed, OVERHEAD * (data.len() / RECORD + 1) + data.len(), |room| {
                        traffic.encrypt(data, room)
                    })
                }
                Outgoing::CloseNotify => append(sealed, OVERHEAD, |room| traffic.queue_close_notify(room)),
            };
            said.map(|()| Step::Sealed)
        }
        ConnectionState::PeerClosed => Ok(Step::Ended),
        ConnectionState::BlockedHandshake | ConnectionState::Closed => Ok(Step::Wait),
        ConnectionState::ReadEarlyData(_) => Err(Error::General("early data, which is off".into())),
        _ => Ok(Step::Wait),
    };
    (used, step)
}

/// Appends the output of `write`, which fits `n` bytes unless messages precede it.
fn append(
    sealed: &mut Sealed,
    n: usize,
    mut write: impl FnMut(&mut [u8]) -> Result<usize, EncryptError>,
) -> Result<(), Error> {
    let appended = match sealed.append(n, &mut write) {
        Err(EncryptError::InsufficientSize(size)) => sealed.append(size.required_size, &mut write),
        other => other,
    };
    appended.map_err(|error| Error::General(error.to_string()))
}

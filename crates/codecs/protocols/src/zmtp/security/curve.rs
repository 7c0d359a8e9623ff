//! CURVE: X25519 keys, XSalsa20 and Poly1305 (NaCl's box).
//!
//! ```text
//! HELLO      version 01 00 | zeros 72 | C' 32 | nonce 8 | box[zeros 64](C'->S) 80
//! WELCOME    nonce 16 | box[S' 32, cookie 96](S->C') 144
//! INITIATE   cookie 96 | nonce 8 | box[C 32, vouch 96, properties](C'->S')
//!            vouch = nonce 16 | box[C' 32, S 32](C->S') 80
//! READY      nonce 8 | box[properties](S'->C')
//! MESSAGE    nonce 8 | box[flags 1, data]
//! ```
//!
//! C and S are permanent keys; C' and S' are made for this connection. The cookie is 96 random bytes that the
//! client must return. It contains no sealed state, because only the server reads it and the connection holds
//! its state anyway.
//!
//! Source: docs/wire/zmtp.md, section 3; ZeroMQ RFC 26
//! Limits: nonces must increase: a repeated or lower one closes the connection. Secrets are compared in
//!         constant time, and cleared when they are dropped.

use super::{Done, LocalSide, Progress, Shown};
use crate::zmtp::{
    PublicKey, SecretKey,
    command::{self, Command, Properties},
    error::Fault,
    frame,
};
use bytes::{BufMut, BytesMut};
use crypto_box::{
    SalsaBox,
    aead::{AeadInPlace, Nonce, Tag},
};
use subtle::ConstantTimeEq;
use zeroize::Zeroizing;

/// The number of bytes by which a box exceeds its contents.
const TAG: usize = 16;
const COOKIE: usize = 96;
const VOUCH: usize = 96;
const VERSION: [u8; 2] = [1, 0];
/// The flags MORE and COMMAND inside a MESSAGE.
const INNER_MORE: u8 = 1;
const INNER_COMMAND: u8 = 2;

fn nonce(prefix: &[u8], suffix: &[u8]) -> Nonce<SalsaBox> {
    let mut nonce = Nonce::<SalsaBox>::default();
    nonce[..prefix.len()].copy_from_slice(prefix);
    nonce[prefix.len()..].copy_from_slice(suffix);
    nonce
}

/// Seals the bytes of `out` from `start` on, in place: the tag goes before them.
fn seal(key: &SalsaBox, nonce: &Nonce<SalsaBox>, out: &mut BytesMut, start: usize) {
    let (tag, body) = out[start..].split_at_mut(TAG);
    let made = key.encrypt_in_place_detached(nonce, b"", body);
    tag.copy_from_slice(&made.expect("a box of less than 256 GiB"));
}

/// Opens a box in place and returns its content.
fn open<'b>(key: &SalsaBox, nonce: &Nonce<SalsaBox>, sealed: &'b mut [u8]) -> Result<&'b mut [u8], Fault> {
    let (tag, body) = sealed.split_at_mut_checked(TAG).ok_or(Fault::Crypto)?;
    let tag = Tag::<SalsaBox>::clone_from_slice(tag);
    key.decrypt_in_place_detached(nonce, b"", body, &tag).map_err(|_| Fault::Crypto)?;
    Ok(body)
}

fn random<const N: usize>(local: &LocalSide<'_>) -> Result<Zeroizing<[u8; N]>, Fault> {
    let mut bytes = Zeroizing::new([0; N]);
    if (local.settings.random)(&mut bytes[..]) { Ok(bytes) } else { Err(Fault::Random) }
}

fn fresh_key(local: &LocalSide<'_>) -> Result<crypto_box::SecretKey, Fault> {
    Ok(crypto_box::SecretKey::from(*random::<32>(local)?))
}

fn public(bytes: &[u8]) -> Result<crypto_box::PublicKey, Fault> {
    let bytes: [u8; 32] = bytes.try_into().map_err(|_| Fault::Command)?;
    Ok(crypto_box::PublicKey::from(bytes))
}

/// The client, which knows the server's key.
pub(crate) struct Client {
    server: PublicKey,
    permanent: SecretKey,
    transient: crypto_box::SecretKey,
    /// The session keys C' and S', from WELCOME on.
    session: Option<Box<Session>>,
}

impl Client {
    pub fn begin(
        local: &LocalSide<'_>,
        server: PublicKey,
        secret: &SecretKey,
        out: &mut BytesMut,
    ) -> Result<Self, Fault> {
        let transient = fresh_key(local)?;
        let key = SalsaBox::new(&server.key(), &transient);
        let mut data = BytesMut::new();
        data.put_slice(&VERSION);
        data.put_bytes(0, 72);
        data.put_slice(transient.public_key().as_bytes());
        data.put_u64(1);
        let start = data.len();
        data.put_bytes(0, TAG + 64);
        seal(&key, &nonce(b"CurveZMQHELLO---", &1u64.to_be_bytes()), &mut data, start);
        command::put(out, "HELLO", &data);
        Ok(Client { server, permanent: secret.clone(), transient, session: None })
    }

    pub fn command(
        &mut self,
        local: &LocalSide<'_>,
        command: Command<'_>,
        out: &mut BytesMut,
    ) -> Result<Progress, Fault> {
        match (command.name, &mut self.session) {
            (b"WELCOME", None) => {
                self.welcome(local, command.data, out)?;
                Ok(Progress::Goes)
            }
            (b"READY", Some(session)) => {
                let mut data = Zeroizing::new(command.data.to_vec());
                let (short, sealed) = data.split_at_mut_checked(8).ok_or(Fault::Command)?;
                session.advance(short)?;
                let peer = Properties::read(open(&session.key, &nonce(b"CurveZMQREADY---", short), sealed)?)?;
                local.kind_for(&peer)?;
                Ok(Progress::Done(Done { peer, session: self.session.take() }))
            }
            _ => Err(Fault::Order),
        }
    }

    fn welcome(&mut self, local: &LocalSide<'_>, data: &[u8], out: &mut BytesMut) -> Result<(), Fault> {
        let mut data = Zeroizing::new(data.to_vec());
        let (long, sealed) = data.split_at_mut_checked(16).ok_or(Fault::Command)?;
        if sealed.len() != TAG + 32 + COOKIE {
            return Err(Fault::Command);
        }
        let key = SalsaBox::new(&self.server.key(), &self.transient);
        let opened = open(&key, &nonce(b"WELCOME-", long), sealed)?;
        let (theirs, cookie) = opened.split_at(32);
        let theirs = public(theirs)?;
        let session = Session::new(SalsaBox::new(&theirs, &self.transient), Side::Client);

        let mut body = BytesMut::new();
        body.put_slice(cookie);
        body.put_u64(2);
        let start = body.len();
        body.put_bytes(0, TAG);
        body.put_slice(self.permanent.0.public_key().as_bytes());
        self.put_vouch(local, &theirs, &mut body)?;
        command::put_properties(&mut body, local.only_kind()?, local.settings);
        seal(&session.key, &nonce(b"CurveZMQINITIATE", &2u64.to_be_bytes()), &mut body, start);
        command::put(out, "INITIATE", &body);
        self.session = Some(Box::new(session));
        Ok(())
    }

    /// Writes the vouch: the permanent key vouches for the transient one, to this server only.
    fn put_vouch(
        &self,
        local: &LocalSide<'_>,
        theirs: &crypto_box::PublicKey,
        out: &mut BytesMut,
    ) -> Result<(), Fault> {
        let suffix = random::<16>(local)?;
        out.put_slice(&*suffix);
        let start = out.len();
        out.put_bytes(0, TAG);
        out.put_slice(self.transient.public_key().as_bytes());
        out.put_slice(&self.server.0);
        seal(&SalsaBox::new(theirs, &self.permanent.0), &nonce(b"VOUCH---", &*suffix), out, start);
        Ok(())
    }
}

/// The server, whose key clients know.
pub(crate) struct Server {
    permanent: SecretKey,
    step: Step,
}

enum Step {
    Hello,
    Initiate {
        /// The client's transient key C', from HELLO.
        peer: crypto_box::PublicKey,
        /// The server's transient secret key, s' in RFC 26.
        transient: crypto_box::SecretKey,
        cookie: Zeroizing<[u8; COOKIE]>,
    },
    Verdict {
        peer: Properties,
        session: Box<Session>,
    },
    Done,
}

impl Server {
    pub fn begin(secret: &SecretKey) -> Self {
        Server { permanent: secret.clone(), step: Step::Hello }
    }

    pub fn command(
        &mut self,
        local: &LocalSide<'_>,
        command: Command<'_>,
        out: &mut BytesMut,
    ) -> Result<Progress, Fault> {
        match (command.name, std::mem::replace(&mut self.step, Step::Done)) {
            (b"HELLO", Step::Hello) => {
                self.hello(local, command.data, out)?;
                Ok(Progress::Goes)
            }
            (b"INITIATE", Step::Initiate { peer, transient, cookie }) => {
                let credential = self.initiate(command.data, &peer, &transient, &cookie)?;
                if local.authenticate {
                    return Ok(Progress::Asks(Shown {
                        scheme: "CURVE",
                        user: None,
                        credential: Some(credential),
                    }));
                }
                self.accepted(local, out)
            }
            _ => Err(Fault::Order),
        }
    }

    fn hello(&mut self, local: &LocalSide<'_>, data: &[u8], out: &mut BytesMut) -> Result<(), Fault> {
        if data.len() != 194 || data[..2] != VERSION {
            return Err(Fault::Command);
        }
        let peer = public(&data[74..106])?;
        let key = SalsaBox::new(&peer, &self.permanent.0);
        let mut sealed = data[114..].to_vec();
        let zeros = open(&key, &nonce(b"CurveZMQHELLO---", &data[106..114]), &mut sealed)?;
        if !bool::from(zeros.ct_eq(&[0; 64])) {
            return Err(Fault::Crypto);
        }
        let (transient, cookie, suffix) = (fresh_key(local)?, random::<COOKIE>(local)?, random::<16>(local)?);
        let mut data = BytesMut::new();
        data.put_slice(&*suffix);
        let start = data.len();
        data.put_bytes(0, TAG);
        data.put_slice(transient.public_key().as_bytes());
        data.put_slice(&*cookie);
        seal(&key, &nonce(b"WELCOME-", &*suffix), &mut data, start);
        command::put(out, "WELCOME", &data);
        self.step = Step::Initiate { peer, transient, cookie };
        Ok(())
    }

    /// Checks INITIATE and returns the client's permanent key.
    fn initiate(
        &mut self,
        data: &[u8],
        transient_peer: &crypto_box::PublicKey,
        transient: &crypto_box::SecretKey,
        cookie: &[u8; COOKIE],
    ) -> Result<Vec<u8>, Fault> {
        let mut data = Zeroizing::new(data.to_vec());
        let (shown, rest) = data.split_at_mut_checked(COOKIE).ok_or(Fault::Command)?;
        let (short, sealed) = rest.split_at_mut_checked(8).ok_or(Fault::Command)?;
        if !bool::from(shown.ct_eq(cookie)) {
            return Err(Fault::Crypto);
        }
        let mut session = Session::new(SalsaBox::new(transient_peer, transient), Side::Server);
        session.advance(short)?;
        let opened = open(&session.key, &nonce(b"CurveZMQINITIATE", short), sealed)?;
        let (permanent, rest) = opened.split_at_mut_checked(32).ok_or(Fault::Command)?;
        let (vouch, properties) = rest.split_at_mut_checked(VOUCH).ok_or(Fault::Command)?;
        let (suffix, sealed) = vouch.split_at_mut(16);
        let key = SalsaBox::new(&public(permanent)?, transient);
        let vouched = open(&key, &nonce(b"VOUCH---", suffix), sealed)?;
        let expected = [&transient_peer.as_bytes()[..], &self.permanent.public().0].concat();
        if !bool::from(vouched.ct_eq(&expected)) {
            return Err(Fault::Crypto);
        }
        let peer = Properties::read(properties)?;
        self.step = Step::Verdict { peer, session: Box::new(session) };
        Ok(permanent.to_vec())
    }

    pub fn accepted(&mut self, local: &LocalSide<'_>, out: &mut BytesMut) -> Result<Progress, Fault> {
        let Step::Verdict { peer, mut session } = std::mem::replace(&mut self.step, Step::Done) else {
            return Err(Fault::Order);
        };
        let mut data = BytesMut::new();
        data.put_u64(session.next()?);
        let short: [u8; 8] = data[..].try_into().expect("eight bytes");
        let start = data.len();
        data.put_bytes(0, TAG);
        command::put_properties(&mut data, local.kind_for(&peer)?, local.settings);
        seal(&session.key, &nonce(b"CurveZMQREADY---", &short), &mut data, start);
        command::put(out, "READY", &data);
        Ok(Progress::Done(Done { peer, session: Some(session) }))
    }
}

/// The session keys C' and S': encrypts and decrypts everything after the handshake.
pub(crate) struct Session {
    key: SalsaBox,
    side: Side,
    /// The last nonce of this side, and that of the peer.
    sent: u64,
    received: u64,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Side {
    Client,
    Server,
}

const FROM_CLIENT: &[u8; 16] = b"CurveZMQMESSAGEC";
const FROM_SERVER: &[u8; 16] = b"CurveZMQMESSAGES";
/// Before the box: the name and its length, and the nonce.
const MESSAGE_HEAD: usize = 16;

impl Session {
    /// Bytes by which a sealed frame is longer than its body.
    pub const OVERHEAD: usize = MESSAGE_HEAD + TAG + 1;

    fn new(key: SalsaBox, side: Side) -> Self {
        let sent = if side == Side::Client { 2 } else { 0 }; // HELLO 1, INITIATE 2
        Session { key, side, sent, received: 0 }
    }

    fn next(&mut self) -> Result<u64, Fault> {
        self.sent = self.sent.checked_add(1).ok_or(Fault::Crypto)?;
        Ok(self.sent)
    }

    /// "strictly rising ... a repeated or lower one closes"
    fn advance(&mut self, short: &[u8]) -> Result<(), Fault> {
        let short = u64::from_be_bytes(short.try_into().map_err(|_| Fault::Command)?);
        if short <= self.received {
            return Err(Fault::Crypto);
        }
        self.received = short;
        Ok(())
    }

    /// Writes a frame as MESSAGE, with the flags of an ordinary frame, as libzmq does; other implementations
    /// accept that.
    pub fn seal(&mut self, out: &mut BytesMut, flags: u8, body: &[&[u8]]) -> Result<(), Fault> {
        let length: usize = body.iter().map(|piece| piece.len()).sum();
        frame::put_head(out, 0, Self::OVERHEAD + length);
        out.put_slice(b"\x07MESSAGE");
        let short = self.next()?.to_be_bytes();
        out.put_slice(&short);
        let start = out.len();
        out.put_bytes(0, TAG);
        let more = if flags & frame::MORE != 0 { INNER_MORE } else { 0 };
        let command = if flags & frame::COMMAND != 0 { INNER_COMMAND } else { 0 };
        out.put_u8(more | command);
        body.iter().for_each(|piece| out.put_slice(piece));
        let prefix = if self.side == Side::Client { FROM_CLIENT } else { FROM_SERVER };
        seal(&self.key, &nonce(prefix, &short), out, start);
        Ok(())
    }

    /// Opens the body of a MESSAGE. Returns its flags, as those of a frame, and its data.
    pub fn open<'b>(&mut self, body: &'b mut [u8]) -> Result<(u8, &'b mut [u8]), Fault> {
        let (head, sealed) = body.split_at_mut_checked(MESSAGE_HEAD).ok_or(Fault::Order)?;
        let Some(short) = head.strip_prefix(b"\x07MESSAGE") else { return Err(Fault::Order) };
        self.advance(short)?;
        let prefix = if self.side == Side::Client { FROM_SERVER } else { FROM_CLIENT };
        let opened = open(&self.key, &nonce(prefix, short), sealed)?;
        let (flags, data) = opened.split_first_mut().ok_or(Fault::Command)?;
        let more = if *flags & INNER_MORE != 0 { frame::MORE } else { 0 };
        let command = if *flags & INNER_COMMAND != 0 { frame::COMMAND } else { 0 };
        if *flags & !(INNER_MORE | INNER_COMMAND) != 0 || (more != 0 && command != 0) {
            return Err(Fault::Flags);
        }
        Ok((more | command, data))
    }
}

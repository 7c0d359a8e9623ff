//! Sealed bytes of one connection, between its session and its transport.
//!
//! Reading copies the socket's bytes into a buffer that all connections of a thread share, decrypts them
//! there, and passes the plain bytes on. A connection itself keeps no more than the beginning of a record.
//! Writing gathers output into full records, so that a batch of replies is one record and a long message as
//! few as possible.
//!
//! Plain bytes count as written once their sealed form has left. When the socket takes only part of a write,
//! the last plain byte is reported after the rest. So the connection above knows how much is unsent, and
//! notices a peer that has stopped reading.

use super::{
    failure,
    session::{Opened, RECORD, Sealed, Session, Turned},
};
use crate::transport::{Protection, Security, Transport};
use bytes::BytesMut;
use std::{
    cell::Cell,
    io::{self, IoSlice},
    sync::Arc,
    task::{Context, Poll, Waker, ready},
};

/// Bytes that are requested from the socket at once: several records.
const MOST: usize = 64 << 10;
/// The smallest number of bytes that is requested from the socket: a whole record.
const LEAST: usize = RECORD + 512;
/// Plain bytes that are sealed at once.
const SEAL: usize = 4 * RECORD;
/// Longest beginning of a handshake message or record, in bytes. It covers the 64 KiB that rustls accepts,
/// with record headers.
const UNFINISHED: usize = 96 << 10;
/// The number of unsent encrypted bytes beyond which nothing more is read: they are answers that the peer
/// does not read.
const MAX_UNSENT: usize = 128 << 10;
/// Reads in a row that bring no plain byte, before other connections have their turn.
const ROUNDS: u32 = 4;

/// The records of one connection. The transport they pass through is lent to each call.
pub(super) struct Records {
    session: Session,
    /// The beginning of a record or handshake message.
    unfinished: Vec<u8>,
    /// Opened bytes that did not fit the reader's buffer.
    over: BytesMut,
    /// Encrypted bytes; those from `sent` on have not been sent.
    sealed: Vec<u8>,
    sent: usize,
    /// Plain bytes within `sealed` that have not been reported as written.
    promised: usize,
    /// Set from the end of the handshake on.
    security: Option<Arc<Security>>,
    /// The peer has sent a close_notify.
    ended: bool,
    /// Whether the session has failed: no further bytes of the peer are decrypted.
    failed: bool,
}

impl Records {
    pub fn new(session: Session) -> Self {
        Records {
            session,
            unfinished: Vec::new(),
            over: BytesMut::new(),
            sealed: Vec::new(),
            sent: 0,
            promised: 0,
            security: None,
            ended: false,
            failed: false,
        }
    }

    pub fn protection(&self) -> Protection<'_> {
        self.security.as_ref().map_or(Protection::Handshaking, Protection::Secured)
    }

    /// Like [`Transport::poll_read`], for plain bytes. The handshake continues meanwhile.
    pub fn poll_read(
        &mut self,
        inner: &mut dyn Transport,
        cx: &mut Context<'_>,
        into: &mut BytesMut,
        most: usize,
    ) -> Poll<io::Result<usize>> {
        let most = most.min(into.capacity() - into.len());
        if self.failed {
            // Read and discarded: closing with unread bytes would cause a reset, which would overtake our
            // alert.
            return inner.poll_read(cx, into, most);
        }
        if !self.over.is_empty() {
            return Poll::Ready(Ok(self.take_over(into, most)));
        }
        let before = into.len();
        for _ in 0..ROUNDS {
            if self.ended {
                return Poll::Ready(Ok(0));
            }
            ready!(self.poll_records(inner, cx, into, most))?;
            if into.len() > before {
                return Poll::Ready(Ok(into.len() - before));
            }
        }
        cx.waker().wake_by_ref();
        Poll::Pending
    }

    fn take_over(&mut self, into: &mut BytesMut, most: usize) -> usize {
        let n = self.over.len().min(most);
        into.extend_from_slice(&self.over.split_to(n));
        if self.over.is_empty() {
            self.over = BytesMut::new();
        }
        n
    }

    /// Continues the handshake until both sides agree.
    pub fn poll_handshake(
        &mut self,
        inner: &mut dyn Transport,
        cx: &mut Context<'_>,
    ) -> Poll<io::Result<()>> {
        let mut nothing = BytesMut::new();
        while self.security.is_none() {
            ready!(self.poll_records(inner, cx, &mut nothing, 0))?;
        }
        Poll::Ready(Ok(()))
    }

    /// Reads once and processes the bytes. Plain bytes go `into` the caller's buffer, up to `most`, then into
    /// `over`.
    fn poll_records(
        &mut self,
        inner: &mut dyn Transport,
        cx: &mut Context<'_>,
        into: &mut BytesMut,
        most: usize,
    ) -> Poll<io::Result<()>> {
        if self.push(inner, cx)?.is_pending() && self.unsent() > MAX_UNSENT {
            return Poll::Pending;
        }
        let mut incoming = INCOMING.take();
        let received = self.read(inner, cx, &mut incoming, into, most);
        incoming.clear();
        INCOMING.set(incoming);
        let received = ready!(received);
        let pushed = self.push(inner, cx); // at once: the peer waits for it
        received?;
        Poll::Ready(pushed.map(drop))
    }

    fn read(
        &mut self,
        inner: &mut dyn Transport,
        cx: &mut Context<'_>,
        incoming: &mut BytesMut,
        into: &mut BytesMut,
        most: usize,
    ) -> Poll<io::Result<()>> {
        // Sealed bytes are more than plain ones, so what is read fits `into`, except for a record that began
        // earlier.
        let want = most.clamp(LEAST, MOST);
        incoming.reserve(self.unfinished.len() + want);
        incoming.extend_from_slice(&self.unfinished);
        if ready!(inner.poll_read(cx, incoming, want))? == 0 {
            let handshaking = self.security.is_none();
            return Poll::Ready(Err(match handshaking || self.unfinished.is_empty() {
                true => failure::cut_off(self.session.side(), handshaking),
                false => failure::cut_off_in_a_record(),
            }));
        }
        Poll::Ready(self.receive(incoming, into, most))
    }

    /// Decrypts everything in `bytes`: the unfinished rest, and the bytes after it. With no bytes at all, a
    /// client's session writes its ClientHello.
    pub fn receive(&mut self, bytes: &mut [u8], into: &mut BytesMut, most: usize) -> io::Result<()> {
        let mut sealed = SEALED.take();
        let mut opened = Opened { into, room: most, over: &mut self.over };
        let turned = self.session.receive(bytes, &mut opened, &mut sealed);
        self.keep(&mut sealed, 0);
        SEALED.set(sealed);
        let handshaking = self.security.is_none();
        let Turned { used, ended } = match turned {
            Ok(turned) => turned,
            Err(error) => return Err(self.fail(&error)),
        };
        self.ended |= ended;
        if handshaking && !self.session.is_handshaking() {
            self.security = Some(Arc::new(self.session.security()));
        }
        // Bytes after a close_notify are ignored.
        let rest = if self.ended { &[][..] } else { &bytes[used..] };
        if rest.len() > UNFINISHED {
            return Err(self.fail(&rustls::Error::General("a message without end".into())));
        }
        self.unfinished = rest.to_vec();
        Ok(())
    }

    #[cold]
    fn fail(&mut self, error: &rustls::Error) -> io::Error {
        self.failed = true;
        self.unfinished = Vec::new();
        failure::broken(error, self.security.is_none())
    }

    fn unsent(&self) -> usize {
        self.sealed.len() - self.sent
    }

    /// Keeps the part of `sealed` that has not been sent, and frees the buffer.
    fn keep(&mut self, sealed: &mut Sealed, sent: usize) {
        self.sealed.extend_from_slice(&sealed.bytes()[sent..]);
        sealed.clear();
    }

    /// Sends the remaining encrypted bytes.
    fn push(&mut self, inner: &mut dyn Transport, cx: &mut Context<'_>) -> io::Result<Poll<()>> {
        while self.unsent() > 0 {
            match self.push_once(inner, cx) {
                Poll::Pending => return Ok(Poll::Pending),
                Poll::Ready(sent) => drop(sent?),
            }
        }
        Ok(Poll::Ready(()))
    }

    fn push_once(&mut self, inner: &mut dyn Transport, cx: &mut Context<'_>) -> Poll<io::Result<usize>> {
        let owed = IoSlice::new(&self.sealed[self.sent..]);
        let n = ready!(inner.poll_write(cx, &[owed]))?;
        if n == 0 {
            return Poll::Ready(Err(io::ErrorKind::WriteZero.into()));
        }
        self.sent += n;
        if self.unsent() == 0 {
            self.sealed = Vec::new(); // idle connections hold nothing
            self.sent = 0;
        }
        Poll::Ready(Ok(n))
    }

    /// Notes that `n` sealed bytes have left. Returns how many plain bytes now count as written.
    fn report(&mut self, n: usize) -> usize {
        let n = if self.unsent() == 0 { self.promised } else { n.min(self.promised.saturating_sub(1)) };
        self.promised -= n;
        n
    }

    /// Sends encrypted bytes until some plain bytes can be reported as written; 0 if none are left.
    fn poll_report(&mut self, inner: &mut dyn Transport, cx: &mut Context<'_>) -> Poll<io::Result<usize>> {
        while self.unsent() > 0 {
            let sent = ready!(self.push_once(inner, cx))?;
            let n = self.report(sent);
            if n > 0 {
                return Poll::Ready(Ok(n));
            }
        }
        Poll::Ready(Ok(self.report(0)))
    }

    /// Like [`Transport::poll_write`], for plain bytes.
    pub fn poll_write(
        &mut self,
        inner: &mut dyn Transport,
        cx: &mut Context<'_>,
        slices: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let n = ready!(self.poll_report(inner, cx))?;
        if n > 0 {
            return Poll::Ready(Ok(n)); // the front of `slices`, sealed in an earlier call
        }
        if self.failed {
            return Poll::Ready(Err(io::ErrorKind::BrokenPipe.into()));
        }
        if self.security.is_none() {
            return Poll::Pending; // the handshake ends with a read, which wakes the same task
        }
        let mut sealed = SEALED.take();
        let sent = self.seal(slices, &mut sealed).and_then(|plain| {
            self.promised = plain;
            match inner.poll_write(cx, &[IoSlice::new(sealed.bytes())]) {
                Poll::Pending => Ok(0),
                Poll::Ready(sent) => sent,
            }
        });
        self.keep(&mut sealed, *sent.as_ref().unwrap_or(&0));
        SEALED.set(sealed);
        match self.report(sent?) {
            0 => self.poll_report(inner, cx),
            n => Poll::Ready(Ok(n)),
        }
    }

    /// Seals the front of `slices`. Returns how many plain bytes that was.
    fn seal(&mut self, slices: &[IoSlice<'_>], sealed: &mut Sealed) -> io::Result<usize> {
        let mut gathered = GATHERED.take();
        let done =
            gather(slices, &mut gathered, |data| self.session.seal(&mut self.unfinished, data, sealed));
        gathered.clear();
        GATHERED.set(gathered);
        done.map_err(|error| self.fail(&error))
    }

    /// Sends a close_notify, without waiting. All other bytes have left, so it fits the socket's buffer
    /// unless the peer has stopped reading.
    pub fn close(&mut self, inner: &mut dyn Transport) {
        let cx = &mut Context::from_waker(Waker::noop());
        if self.security.is_some() && !self.failed {
            let mut sealed = SEALED.take();
            // an error changes nothing: the connection ends
            let _ = self.session.close(&mut self.unfinished, &mut sealed);
            self.keep(&mut sealed, 0);
            SEALED.set(sealed);
        }
        let _ = self.push(inner, cx); // no caller is left to report a failure to
    }
}

/// Encrypts the front of `slices`, up to [`SEAL`] bytes, in pieces of one or several records each. Short
/// slices are copied together; whole records of long ones are used in place. Returns the number of plain
/// bytes.
fn gather<E>(
    slices: &[IoSlice<'_>],
    gathered: &mut Vec<u8>,
    mut seal: impl FnMut(&[u8]) -> Result<(), E>,
) -> Result<usize, E> {
    let mut left = SEAL;
    let mut slices = slices.iter().filter(|slice| !slice.is_empty()).peekable();
    while let Some(slice) = slices.next() {
        let mut front = &slice[..slice.len().min(left)];
        left -= front.len();
        let last = left == 0 || slices.peek().is_none();
        while !front.is_empty() {
            let n = if !gathered.is_empty() {
                front.len().min(RECORD - gathered.len())
            } else if last {
                front.len()
            } else {
                front.len() / RECORD * RECORD
            };
            if n == 0 || !gathered.is_empty() {
                let n = if n == 0 { front.len() } else { n };
                gathered.extend_from_slice(&front[..n]);
                front = &front[n..];
                if gathered.len() == RECORD || (last && front.is_empty()) {
                    seal(gathered)?;
                    gathered.clear();
                }
            } else {
                seal(&front[..n])?;
                front = &front[n..];
            }
        }
        if last {
            break;
        }
    }
    Ok(SEAL - left)
}

thread_local! {
    /// Buffers for bytes read from the socket, for bytes to be written to it, and for short pieces that form
    /// one record. Each is taken out while it is used, so that a transport over another transport uses its
    /// own.
    static INCOMING: Cell<BytesMut> = Cell::default();
    static SEALED: Cell<Sealed> = Cell::default();
    static GATHERED: Cell<Vec<u8>> = const { Cell::new(Vec::new()) };
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Lengths of the pieces that slices of these lengths are cut into. Together they are the front of the
    /// slices.
    fn pieces(lengths: &[usize]) -> Vec<usize> {
        let bytes: Vec<Vec<u8>> =
            lengths.iter().enumerate().map(|(n, len)| vec![n as u8 + 1; *len]).collect();
        let slices: Vec<_> = bytes.iter().map(|bytes| IoSlice::new(bytes)).collect();
        let (mut sizes, mut all) = (Vec::new(), Vec::new());
        let total = gather(&slices, &mut Vec::new(), |piece| {
            sizes.push(piece.len());
            all.extend_from_slice(piece);
            Ok::<_, ()>(())
        });
        assert_eq!(total, Ok(all.len()));
        assert!(bytes.concat().starts_with(&all));
        assert_eq!(all.len(), bytes.concat().len().min(SEAL));
        sizes
    }

    #[test]
    fn a_batch_of_short_pieces_is_one_record() {
        assert_eq!(pieces(&[100; 60]), [6000]);
        assert_eq!(pieces(&[100, 0, 20]), [120]);
        assert_eq!(pieces(&[0]), [0; 0]);
    }

    #[test]
    fn long_pieces_are_taken_where_they_lie() {
        assert_eq!(pieces(&[40_000]), [40_000]);
        assert_eq!(pieces(&[1 << 20]), [SEAL]);
        assert_eq!(pieces(&[RECORD, 7]), [RECORD, 7]);
    }

    #[test]
    fn a_short_head_and_a_long_body_make_full_records() {
        assert_eq!(pieces(&[30, 40_000]), [RECORD, 40_030 - RECORD]);
        assert_eq!(pieces(&[30, 40_000, 5]), [RECORD, RECORD, 40_035 - 2 * RECORD]);
        assert_eq!(pieces(&[30, 1 << 20]), [RECORD, SEAL - RECORD]);
    }
}

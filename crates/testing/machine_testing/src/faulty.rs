//! The engine's transports, with faults.

use crate::{
    Deviation, Fate, FaultPlan, Script,
    fault::Faults,
    script::{Do, Player},
};
use bytes::BytesMut;
use polywire_engine::{Peer, Transport};
use std::{
    collections::VecDeque,
    future::{Future, poll_fn},
    io::{self, IoSlice},
    pin::{Pin, pin},
    sync::{Arc, Mutex, MutexGuard},
    task::{Context, Poll, Wake, Waker, ready},
    thread::{self, Thread},
    time::Duration,
};
use tokio::time::{Instant, Sleep, sleep_until};

/// A transport with faults in both directions, by two plans. Capacities do not apply, and delays only to
/// reads: by the clock of its runtime. A test that decides itself when bytes arrive uses a [`Gate`].
pub struct Faulty<T> {
    inner: T,
    reads: Faults,
    writes: Faults,
    gate: Gate,
    late: Late,
}

/// Pieces that have been read from the inner transport, each with the time at which it arrives.
#[derive(Default)]
struct Late {
    pieces: VecDeque<(Instant, BytesMut)>,
    /// The result after which the inner transport has no more.
    ended: Option<io::Result<usize>>,
    timer: Option<Pin<Box<Sleep>>>,
}

impl Late {
    /// The time at which the piece that is read now arrives; pieces keep their order.
    fn arrival(&self, delay: Duration) -> Instant {
        let now = Instant::now() + delay;
        self.pieces.back().map_or(now, |(last, _)| now.max(*last))
    }

    /// The number of bytes of the first piece, once it has arrived.
    fn poll(&mut self, cx: &mut Context<'_>, into: &mut BytesMut, most: usize) -> Poll<io::Result<usize>> {
        let Some((arrival, piece)) = self.pieces.front_mut() else {
            return self.ended.take().map_or(Poll::Pending, |ended| {
                self.ended = Some(Ok(0)); // the same if it is read again
                Poll::Ready(ended)
            });
        };
        let timer = self.timer.get_or_insert_with(|| Box::pin(sleep_until(*arrival)));
        if timer.deadline() != *arrival {
            timer.as_mut().reset(*arrival);
        }
        ready!(timer.as_mut().poll(cx));
        let n = most.min(piece.len());
        into.extend_from_slice(&piece.split_to(n));
        if piece.is_empty() {
            self.pieces.pop_front();
        }
        Poll::Ready(Ok(n))
    }
}

impl<T: Transport> Faulty<T> {
    /// `reads`: faults of received bytes; `writes`: of sent bytes.
    pub fn new(inner: T, reads: FaultPlan, writes: FaultPlan) -> Self {
        let (reads, writes) = (Faults::new(reads), Faults::new(writes));
        Faulty { inner, reads, writes, gate: Gate::default(), late: Late::default() }
    }

    /// A gate that lets bytes through, in both directions, while it is open.
    pub fn gate(&self) -> Gate {
        self.gate.clone()
    }
}

impl<T: Transport> Faulty<T> {
    /// Reads bytes of the inner transport, to be returned later.
    fn fetch(&mut self, cx: &mut Context<'_>) {
        while self.late.ended.is_none() && self.reads.fate().is_none() {
            let mut piece = BytesMut::with_capacity(PIECE);
            let most = self.reads.piece(PIECE);
            match self.inner.poll_read(cx, &mut piece, most) {
                Poll::Pending => return,
                Poll::Ready(Ok(n)) if n > 0 => {
                    self.reads.pass(n);
                    let arrival = self.late.arrival(self.reads.delay());
                    self.late.pieces.push_back((arrival, piece));
                }
                Poll::Ready(ended) => self.late.ended = Some(ended),
            }
        }
    }
}

/// Longest piece in bytes that is delayed as a whole.
const PIECE: usize = 16 << 10;

impl<T: Transport> Transport for Faulty<T> {
    fn move_to_current_runtime(&mut self) -> io::Result<()> {
        self.inner.move_to_current_runtime()
    }
    fn poll_read(
        &mut self,
        cx: &mut Context<'_>,
        into: &mut BytesMut,
        most: usize,
    ) -> Poll<io::Result<usize>> {
        if !self.gate.passes(cx) || stalls(&mut self.reads, cx) {
            return Poll::Pending;
        }
        match self.reads.fate() {
            None => {}
            Some(Fate::End) if !self.late.pieces.is_empty() => {} // they arrive before the end
            Some(Fate::End) => return Poll::Ready(Ok(0)),
            Some(Fate::Reset) => return Poll::Ready(Err(io::ErrorKind::ConnectionReset.into())),
            Some(Fate::Silence | Fate::Stuck) => return Poll::Pending, // and is never woken
        }
        let room = most.min(into.capacity() - into.len());
        if self.reads.is_late() {
            self.fetch(cx);
            return self.late.poll(cx, into, room);
        }
        let most = self.reads.piece(room);
        let read = self.inner.poll_read(cx, into, most);
        if let Poll::Ready(Ok(n)) = read {
            self.reads.pass(n);
        }
        read
    }

    fn poll_write(&mut self, cx: &mut Context<'_>, slices: &[IoSlice<'_>]) -> Poll<io::Result<usize>> {
        if !self.gate.passes(cx) || stalls(&mut self.writes, cx) {
            return Poll::Pending;
        }
        let all: Vec<u8> = slices.iter().flat_map(|s| s.to_vec()).collect();
        match self.writes.fate() {
            None => {}
            Some(Fate::End) => return Poll::Ready(Err(io::ErrorKind::BrokenPipe.into())),
            Some(Fate::Reset) => return Poll::Ready(Err(io::ErrorKind::ConnectionReset.into())),
            Some(Fate::Silence) => return Poll::Ready(Ok(all.len())),
            Some(Fate::Stuck) => return Poll::Pending,
        }
        let n = self.writes.piece(all.len());
        let wrote = self.inner.poll_write(cx, &[IoSlice::new(&all[..n])]);
        if let Poll::Ready(Ok(n)) = wrote {
            self.writes.pass(n);
        }
        wrote
    }

    fn shutdown(&mut self) {
        if !matches!(self.writes.fate(), Some(Fate::Silence | Fate::Stuck)) {
            self.inner.shutdown();
        }
    }
    fn peer(&self) -> &Peer {
        self.inner.peer()
    }
    fn local(&self) -> &Peer {
        self.inner.local()
    }
}

/// Whether this attempt moves no bytes; it can then be repeated at once.
fn stalls(faults: &mut Faults, cx: &mut Context<'_>) -> bool {
    let stalls = faults.stalls();
    if stalls {
        cx.waker().wake_by_ref();
    }
    stalls
}

/// Holds bytes back until the test releases them: a delay without a clock. Open at first.
#[derive(Clone, Default)]
pub struct Gate(Arc<Mutex<Closed>>);

#[derive(Default)]
struct Closed {
    closed: bool,
    waiting: Vec<Waker>,
}

impl Gate {
    fn lock(&self) -> MutexGuard<'_, Closed> {
        polywire_base::lock(&self.0)
    }

    pub fn close(&self) {
        self.lock().closed = true;
    }

    pub fn open(&self) {
        let mut gate = self.lock();
        gate.closed = false;
        let waiting = std::mem::take(&mut gate.waiting);
        drop(gate);
        waiting.into_iter().for_each(Waker::wake);
    }

    fn passes(&self, cx: &Context<'_>) -> bool {
        let mut gate = self.lock();
        if gate.closed {
            gate.waiting.retain(|waker| !waker.will_wake(cx.waker()));
            gate.waiting.push(cx.waker().clone());
        }
        !gate.closed
    }
}

impl Script {
    /// Plays on a transport and drops it.
    ///
    /// # Errors
    /// At the first deviation.
    pub async fn play_on(self, mut transport: impl Transport) -> Result<(), Deviation> {
        let mut player = Player::new(self);
        let mut buffer = BytesMut::new();
        loop {
            let moved = match player.next()? {
                Do::Over => return Ok(()),
                Do::Send(bytes) => send(&mut transport, &bytes).await.map(|()| false),
                Do::End => {
                    transport.shutdown();
                    Ok(false)
                }
                Do::Receive => {
                    buffer.reserve(4096);
                    poll_fn(|cx| transport.poll_read(cx, &mut buffer, usize::MAX)).await.map(|_| true)
                }
            };
            match moved {
                Ok(false) => {}
                Ok(true) => player.received(&buffer.split())?,
                Err(error) => return Err(player.broken(error)),
            }
        }
    }
}

async fn send(transport: &mut impl Transport, bytes: &[u8]) -> io::Result<()> {
    let mut rest = bytes;
    while !rest.is_empty() {
        let n = poll_fn(|cx| transport.poll_write(cx, &[IoSlice::new(rest)])).await?;
        if n == 0 {
            return Err(io::ErrorKind::WriteZero.into());
        }
        rest = &rest[n..];
    }
    Ok(())
}

/// Runs a future on this thread, without a runtime.
pub fn block_on<F: Future>(future: F) -> F::Output {
    struct Unpark(Thread);
    impl Wake for Unpark {
        fn wake(self: Arc<Self>) {
            self.0.unpark();
        }
    }
    let waker = Waker::from(Arc::new(Unpark(thread::current())));
    let mut future = pin!(future);
    loop {
        if let Poll::Ready(output) = future.as_mut().poll(&mut Context::from_waker(&waker)) {
            return output;
        }
        thread::park();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use polywire_engine::transport::duplex;
    use std::sync::mpsc;

    fn faulty(reads: FaultPlan, writes: FaultPlan) -> (Faulty<impl Transport>, impl Transport) {
        let (one, other) = duplex("test", 1 << 16);
        (Faulty::new(one, reads, writes), other)
    }
    fn plan() -> FaultPlan {
        FaultPlan::new(5)
    }

    #[test]
    fn a_conversation_survives_pieces_and_stalls() {
        let (one, other) = faulty(plan().pieces(2).stalls(3), plan().pieces(3).stalls(2));
        let theirs = Script::new().expect("hello").send("and you").end().expect_end();
        let theirs = thread::spawn(|| block_on(theirs.play_on(other)));
        let ours = Script::new().send("hello").expect("and you").expect_end();
        block_on(ours.play_on(one)).expect("as written");
        theirs.join().expect("no panic").expect("as written");
    }

    #[test]
    fn resets_and_ends_come_at_their_byte() {
        let (one, other) = faulty(plan().after(3, Fate::Reset), plan());
        let theirs = thread::spawn(|| block_on(Script::new().send("hello").play_on(other)));
        let deviation = block_on(Script::new().expect("hello").play_on(one)).expect_err("is reset");
        assert_eq!(deviation.received, b"hel");
        assert_eq!(deviation.broken.map(|e| e.kind()), Some(io::ErrorKind::ConnectionReset));
        theirs.join().expect("no panic").expect("was taken");

        let (one, other) = faulty(plan().after(3, Fate::End), plan());
        let theirs = thread::spawn(|| block_on(Script::new().send("hello").play_on(other)));
        block_on(Script::new().expect("hel").expect_end().play_on(one)).expect("as written");
        theirs.join().expect("no panic").expect("was taken");
    }

    #[test]
    fn silence_takes_what_is_written_and_tells_nobody() {
        let (one, other) = faulty(plan(), plan().after(2, Fate::Silence));
        block_on(Script::new().send("hello").play_on(one)).expect("was taken");
        block_on(Script::new().expect("he").expect_end().play_on(other)).expect("the rest is lost");
    }

    #[test]
    fn a_closed_gate_holds_until_it_opens() {
        let (one, other) = faulty(plan(), plan());
        let gate = one.gate();
        gate.close();
        let (said, heard) = mpsc::channel();
        let ours = thread::spawn(move || {
            let played = block_on(Script::new().expect("now").play_on(one));
            said.send(()).expect("the test waits");
            played
        });
        block_on(Script::new().send("now").play_on(other)).expect("was taken");
        assert!(heard.try_recv().is_err());
        gate.open();
        heard.recv().expect("it goes on");
        ours.join().expect("no panic").expect("as written");
    }
}

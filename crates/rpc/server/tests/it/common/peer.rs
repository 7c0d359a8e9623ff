//! The other end of a byte stream in memory, whose frames a test writes and reads itself.

use bytes::BytesMut;
use polywire_engine::{Transport, transport::Memory};
use polywire_machine_testing::lab::{Frame, Kind};
use std::{
    future::{Future, poll_fn},
    io::IoSlice,
    time::Duration,
};

/// Longer than any step of these tests takes: a test that waits this long waits for something that will not
/// happen.
pub const NEVER: Duration = Duration::from_secs(20);

/// Runs a test on a runtime of its own, and aborts it when it hangs.
pub fn run<F: Future>(test: F) -> F::Output {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let runtime = runtime.expect("a runtime for the test");
    runtime.block_on(async { tokio::time::timeout(NEVER, test).await.expect("the test hangs") })
}

pub struct Peer {
    transport: Memory,
    input: BytesMut,
}

#[allow(dead_code)] // each test binary uses a part of this
impl Peer {
    pub fn new(transport: Memory) -> Peer {
        Peer { transport, input: BytesMut::new() }
    }

    pub async fn send(&mut self, frame: Frame) {
        self.send_bytes(&frame.bytes()).await;
    }

    pub async fn send_bytes(&mut self, mut bytes: &[u8]) {
        while !bytes.is_empty() {
            let n = poll_fn(|cx| self.transport.poll_write(cx, &[IoSlice::new(bytes)])).await;
            bytes = &bytes[n.expect("the other end is there")..];
        }
    }

    /// The next frame.
    pub async fn frame(&mut self) -> Frame {
        self.next().await.expect("a frame, not the end")
    }

    /// The next frame, or `None` at the end of the stream.
    pub async fn next(&mut self) -> Option<Frame> {
        loop {
            if let Some(frame) = Frame::decode(&mut self.input) {
                return Some(frame);
            }
            if self.read().await == 0 {
                assert!(self.input.is_empty(), "the stream ends within a frame");
                return None;
            }
        }
    }

    /// Reads once; 0 at the end of the stream, also if the other end was dropped.
    pub async fn read(&mut self) -> usize {
        self.input.reserve(64 << 10);
        poll_fn(|cx| self.transport.poll_read(cx, &mut self.input, usize::MAX)).await.unwrap_or(0)
    }

    /// Reads the next frame, which has to finish the call `id`.
    pub async fn finish(&mut self, id: u64) -> Frame {
        let frame = self.frame().await;
        assert_eq!((frame.kind, frame.id), (Kind::Finish, id), "{frame:?}");
        frame
    }

    /// Expects the end of the stream.
    pub async fn end(&mut self) {
        assert_eq!(self.next().await, None);
    }

    /// Closes our write side; we still read.
    pub fn half_close(&mut self) {
        self.transport.shutdown();
    }
}

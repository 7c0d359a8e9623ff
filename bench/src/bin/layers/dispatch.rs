//! A whole server but for the socket: bytes of requests in, through machine, dispatch, handler and encoding,
//! bytes of replies out. The stream comes from a tape, on one shard.

use std::io::{self, IoSlice};
use std::sync::mpsc::{Sender, channel};
use std::task::{Context as TaskContext, Poll};

use bytes::{Bytes, BytesMut};
use polywire::{Context, Engine, Peer, Reply, Server, Status};
use polywire_engine::Transport;

use crate::Bench;

polywire::include!("example");

use example::{EchoRequest, EchoResponse, EchoService};

const CALLS: usize = 20_000;
/// `example.EchoService/Echo` with correlation id 1 and a message of 100 bytes, see docs/wire/baidu_std.md.
const META: &[u8] = b"\x0a\x1b\x0a\x13example.EchoService\x12\x04Echo\x20\x01";

struct Echo;

impl EchoService for Echo {
    async fn echo(&self, _: &Context, request: EchoRequest) -> Result<Reply<EchoResponse>, Status> {
        Ok(EchoResponse { message: request.message }.into())
    }
}

pub fn all(bench: &mut Bench) {
    let engine = Engine::builder().shards(1).build().expect("one thread");
    let server = Server::new().service(Echo.into_service()).listen("127.0.0.1:0");
    let running = server.engine(&engine).start().expect("a free port");
    let message = [b"\x0a\x64", &[b'x'; 100][..]].concat();
    let request =
        [b"PRPC", &be(META.len() + message.len())[..], &be(META.len())[..], META, &message].concat();
    let requests = Bytes::from(request.repeat(CALLS));
    // The replies are all alike, so counting their bytes tells when the last one is out.
    let play = |requests: &Bytes, reply_bytes: usize| {
        let (done, wait) = channel();
        let (unread, peer) = (requests.clone(), Peer::Memory("tape".into()));
        running.serve_stream(Tape { unread, written: 0, reply_bytes, done, peer });
        wait.recv().expect("the server wrote replies")
    };
    let one_reply = play(&requests.slice(..request.len()), 1);
    bench.time("dispatch: a call of 100 B, no socket", CALLS as u64, 100, || {
        play(&requests, CALLS * one_reply)
    });
}

fn be(length: usize) -> [u8; 4] {
    u32::try_from(length).expect("it is short").to_be_bytes()
}

/// A peer that has sent everything already and reads everything at once.
struct Tape {
    unread: Bytes,
    written: usize,
    /// Bytes that the replies have, together.
    reply_bytes: usize,
    /// Told how many bytes were written, once all are.
    done: Sender<usize>,
    peer: Peer,
}

impl Transport for Tape {
    fn poll_read(
        &mut self,
        _: &mut TaskContext<'_>,
        into: &mut BytesMut,
        most: usize,
    ) -> Poll<io::Result<usize>> {
        if self.unread.is_empty() {
            // Once all replies are written, that was all; before, the writer sees to the end.
            return if self.written >= self.reply_bytes { Poll::Ready(Ok(0)) } else { Poll::Pending };
        }
        let taken = most.min(into.capacity() - into.len()).min(self.unread.len());
        into.extend_from_slice(&self.unread.split_to(taken));
        Poll::Ready(Ok(taken))
    }

    fn poll_write(&mut self, _: &mut TaskContext<'_>, slices: &[IoSlice<'_>]) -> Poll<io::Result<usize>> {
        let written = slices.iter().map(|slice| slice.len()).sum();
        self.written += written;
        if self.written >= self.reply_bytes {
            let _ = self.done.send(self.written);
        }
        Poll::Ready(Ok(written))
    }

    fn shutdown(&mut self) {}

    fn peer(&self) -> &Peer {
        &self.peer
    }

    fn local(&self) -> &Peer {
        &self.peer
    }
}

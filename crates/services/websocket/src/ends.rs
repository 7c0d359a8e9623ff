//! Bytes to and from the connection, at a server and at a client.

use polywire_call::Status;
use polywire_client::Stream;
use polywire_exchange::{Sink, Source};
use polywire_wire::Part;
use std::task::{Context, Poll};

/// Both directions of a connection or a stream of HTTP/2.
pub(crate) enum Ends {
    Server {
        source: Source,
        /// The sending half; `None` once it has ended.
        sink: Option<Sink>,
    },
    Client(Box<Stream>),
}

impl Ends {
    /// The next bytes of the peer; `None` at their end.
    pub fn poll_next(&mut self, cx: &mut Context<'_>) -> Poll<Option<Result<Part, Status>>> {
        match self {
            Ends::Server { source, .. } => source.poll_next(cx),
            Ends::Client(stream) => stream.poll_next(cx),
        }
    }

    /// Takes the part when there is room.
    pub fn poll_send(&mut self, part: &mut Option<Part>, cx: &mut Context<'_>) -> Poll<Result<(), Status>> {
        match self {
            Ends::Server { sink: Some(sink), .. } => sink.poll_send(part, cx),
            Ends::Server { sink: None, .. } => Poll::Ready(Err(Status::cancelled("the socket is closed"))),
            Ends::Client(stream) => stream.poll_send(part, cx),
        }
    }

    /// Ends the sending half.
    pub fn finish(&mut self) {
        match self {
            Ends::Server { sink, .. } => *sink = None,
            Ends::Client(stream) => stream.finish(),
        }
    }
}

//! Forwards messages between two sockets (zmq_proxy).

use crate::{Error, Socket};
use polywire_protocols::zmtp::Kind;

/// Forwards all messages between `front` and `back`, in each direction that their kinds allow, until one of
/// them is closed: ROUTER and DEALER for requests, XSUB and XPUB for publications, PULL and PUSH for work.
///
/// # Cancel safety
/// If it is dropped, at most one message in each direction is lost.
///
/// # Errors
/// [`Error::Closed`] once one of the sockets is closed.
pub async fn proxy(front: impl AsRef<Socket>, back: impl AsRef<Socket>) -> Result<(), Error> {
    let (front, back) = (front.as_ref(), back.as_ref());
    tokio::select! {
        ended = forward(front, back) => ended,
        ended = forward(back, front) => ended,
    }
}

async fn forward(from: &Socket, to: &Socket) -> Result<(), Error> {
    let receives = !matches!(from.kind(), Kind::Push | Kind::Pub);
    let sends = !matches!(to.kind(), Kind::Pull | Kind::Sub);
    if !receives || !sends {
        return std::future::pending().await; // no messages in this direction
    }
    loop {
        let message = from.recv().await?;
        to.send(message).await?;
        tokio::task::consume_budget().await; // lets other tasks run, however fast messages arrive
    }
}

impl AsRef<Socket> for Socket {
    fn as_ref(&self) -> &Socket {
        self
    }
}

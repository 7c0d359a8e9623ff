//! The body of a request for a mounted service.

use bytes::Bytes;
use http_body::{Frame, SizeHint};
use polywire_base::IoBuf;
use polywire_call::Status;
use polywire_exchange::Source;
use std::{
    fmt,
    pin::Pin,
    task::{Context, Poll, ready},
};

/// The body of a request as it arrives. The peer may send more as it is read; dropping it early is allowed.
pub struct Body {
    /// `None`: there is no body.
    source: Option<Source>,
    /// The part of the last piece that has not been returned yet.
    rest: IoBuf,
    /// Bytes still to come, if the head gave a length.
    left: Option<u64>,
    over: bool,
}

impl Body {
    pub(super) fn new(source: Source, length: Option<u64>) -> Self {
        Body { source: Some(source), rest: IoBuf::new(), left: length, over: length == Some(0) }
    }

    pub(super) fn none() -> Self {
        Body { source: None, rest: IoBuf::new(), left: Some(0), over: true }
    }
}

impl http_body::Body for Body {
    type Data = Bytes;
    type Error = Status;

    fn poll_frame(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, Status>>> {
        let this = self.get_mut();
        loop {
            let segment = this.rest.segments().next().cloned();
            if let Some(segment) = segment {
                this.rest.advance(segment.len());
                this.left = this.left.map(|left| left.saturating_sub(segment.len() as u64));
                return Poll::Ready(Some(Ok(Frame::data(segment))));
            }
            let Some(source) = this.source.as_mut().filter(|_| !this.over) else {
                return Poll::Ready(None);
            };
            match ready!(source.poll_next(cx)) {
                Some(Ok(part)) => (this.rest, this.over) = (part.bytes, part.finished),
                Some(Err(why)) => {
                    this.over = true;
                    return Poll::Ready(Some(Err(why)));
                }
                None => this.over = true,
            }
        }
    }

    fn is_end_stream(&self) -> bool {
        self.over && self.rest.is_empty()
    }

    fn size_hint(&self) -> SizeHint {
        self.left.map_or_else(SizeHint::default, SizeHint::with_exact)
    }
}

impl fmt::Debug for Body {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Body").field("left", &self.left).finish_non_exhaustive()
    }
}

//! A head and its body.

use polywire_base::IoBuf;
use polywire_protocols::esp::Head;

/// A head and its body: a request, or a reply.
#[derive(Clone, Default, Debug)]
pub struct Frame {
    pub head: Head,
    pub body: IoBuf,
}

impl Frame {
    /// Parses a frame; `None`: the bytes do not contain a whole head. All bytes after the head are the body,
    /// whatever length the head states.
    pub fn from_bytes(bytes: impl Into<IoBuf>) -> Option<Frame> {
        let mut body = bytes.into();
        let (head, _) = Head::read(body.peek(Head::BYTES)?.first_chunk()?);
        body.advance(Head::BYTES);
        Some(Frame { head, body })
    }

    /// The encoded message, as calls of a channel take it. The protocol fills in the length of the body.
    pub fn to_bytes(&self) -> IoBuf {
        let mut bytes = IoBuf::copy_from_slice(&self.head.write(0));
        bytes.append(self.body.clone());
        bytes
    }
}

//! Cached blocks of this side: most heads of a connection have the same fields, and as long as the table does
//! not change, the same bytes.
//!
//! A block that added nothing to the table is kept with its fields. The next head with the same fields costs
//! a comparison and a copy. The timeout changes from call to call; it is the last field, and only its name is
//! cached.
//!
//! Limits: few requests, replies and endings each ([`Recent`]) for a connection, of at most [`LONGEST`]
//!         bytes.

use super::Recent;
use crate::http::framing::{Own, Reply, Request};
use crate::http::h2::hpack::{Encoder, Indexing};
use bytes::BytesMut;
use polywire_wire::Date;

const LONGEST: usize = 256;

/// The blocks that a connection has written lately.
#[derive(Default)]
pub(in crate::http::h2) struct WrittenBlocks {
    requests: BlockList,
    replies: BlockList,
    endings: BlockList,
    dated: Option<Dated>,
}

/// A date in the table, with the byte that is its index; it changes once a second.
struct Dated {
    version: u64,
    date: Date,
    byte: u8,
}

#[derive(Default)]
struct BlockList {
    blocks: Recent<WrittenBlock>,
}

/// A block and the fields it was made of.
struct WrittenBlock {
    path: Box<[u8]>,
    content_type: Box<[u8]>,
    own: Vec<(&'static str, Box<[u8]>)>,
    block: Box<[u8]>,
}

/// The fields of a head that differ from those all heads share.
#[derive(Clone, Copy)]
struct Head<'h> {
    path: &'h [&'h str],
    content_type: Option<&'h [u8]>,
    own: Own<'h>,
}

impl WrittenBlock {
    #[inline]
    fn has_fields(&self, head: Head<'_>) -> bool {
        let same = |(mine, theirs): (&(&'static str, Box<[u8]>), &(&'static str, &[u8]))| {
            (std::ptr::eq(mine.0, theirs.0) || mine.0 == theirs.0) && *mine.1 == *theirs.1
        };
        is_path(&self.path, head.path)
            && *self.content_type == *head.content_type.unwrap_or(b"")
            && self.own.len() == head.own.len()
            && self.own.iter().zip(head.own).all(same)
    }
}

impl BlockList {
    /// Writes a block: copies it if it was written before, else calls `write` and remembers the result.
    #[inline]
    fn write(
        &mut self,
        encoder: &mut Encoder,
        out: &mut BytesMut,
        head: Head<'_>,
        write: impl FnOnce(&mut Encoder, &mut BytesMut),
    ) {
        match self.blocks.find(encoder.version(), |written| written.has_fields(head)) {
            Some(written) => out.extend_from_slice(&written.block),
            None => self.learn(encoder, out, head, write),
        }
    }

    #[cold]
    fn learn(
        &mut self,
        encoder: &mut Encoder,
        out: &mut BytesMut,
        head: Head<'_>,
        write: impl FnOnce(&mut Encoder, &mut BytesMut),
    ) {
        let (start, version) = (out.len(), encoder.version());
        write(encoder, out);
        let block = &out[start..];
        if encoder.version() != version || block.len() > LONGEST {
            return;
        }
        let written = WrittenBlock {
            path: head.path.concat().into_bytes().into(),
            content_type: head.content_type.unwrap_or(b"").into(),
            own: head.own.iter().map(|(name, value)| (*name, Box::from(*value))).collect(),
            block: block.into(),
        };
        self.blocks.keep(version, written);
    }
}

/// Whether a request is worth caching: gRPC's calls without metadata, and similar ones.
fn is_usual_request(request: &Request<'_>) -> bool {
    request.verb == "POST"
        && request.fields.is_empty()
        && request.encoding.is_none()
        && request.timeout_ms.is_none()
        && request.length.is_none()
}

fn is_usual_reply(reply: &Reply<'_>) -> bool {
    reply.status == 200
        && reply.fields.is_none()
        && reply.encoding.is_none()
        && reply.length.is_none()
        && reply.error == 0
        && reply.allow.is_none()
}

/// Whether the pieces together are `path`.
fn is_path(path: &[u8], pieces: &[&str]) -> bool {
    let mut rest = path;
    let have_all = pieces.iter().all(|piece| {
        let Some((front, back)) = rest.split_at_checked(piece.len()) else { return false };
        rest = back;
        // Short ones are the slashes: not worth a call.
        if let ([mine], [theirs]) = (front, piece.as_bytes()) {
            mine == theirs
        } else {
            front == piece.as_bytes()
        }
    });
    have_all && rest.is_empty()
}

impl WrittenBlocks {
    /// Writes a request's head without its timeout. `own`: the request's fields of this implementation,
    /// without the timeout.
    #[inline]
    pub fn request(
        &mut self,
        encoder: &mut Encoder,
        out: &mut BytesMut,
        request: &Request<'_>,
        own: Own<'_>,
        write: impl FnOnce(&mut Encoder, &mut BytesMut),
    ) {
        if !is_usual_request(request) {
            return write(encoder, out);
        }
        let head = Head { path: &request.path, content_type: request.content_type, own };
        self.requests.write(encoder, out, head, write);
    }

    /// Writes the head of a reply.
    #[inline]
    pub fn reply(
        &mut self,
        encoder: &mut Encoder,
        out: &mut BytesMut,
        reply: &Reply<'_>,
        write: impl FnOnce(&mut Encoder, &mut BytesMut),
    ) {
        if !is_usual_reply(reply) {
            return write(encoder, out);
        }
        let head = Head { path: &[], content_type: reply.content_type, own: reply.own };
        self.replies.write(encoder, out, head, write);
    }

    /// Writes the date of a reply. It is added to the table, so that further replies of a second take one
    /// byte for it.
    #[inline]
    pub fn date(&mut self, encoder: &mut Encoder, out: &mut BytesMut, date: Date) {
        match &self.dated {
            Some(known) if known.version == encoder.version() && known.date == date => {
                out.extend_from_slice(&[known.byte]);
            }
            _ => self.new_date(encoder, out, date),
        }
    }

    #[cold]
    fn new_date(&mut self, encoder: &mut Encoder, out: &mut BytesMut, date: Date) {
        let start = out.len();
        encoder.field(out, b"date", date.as_bytes(), Indexing::Always);
        let known = |byte: u8| Dated { version: encoder.version(), date, byte };
        self.dated = match out[start..] {
            [byte] => Some(known(byte)),
            _ => None, // a literal: it may be in the table now
        };
    }

    /// Writes trailers that contain only fields of this implementation.
    #[inline]
    pub fn ending(
        &mut self,
        encoder: &mut Encoder,
        out: &mut BytesMut,
        own: Own<'_>,
        write: impl FnOnce(&mut Encoder, &mut BytesMut),
    ) {
        self.endings.write(encoder, out, Head { path: &[], content_type: None, own }, write);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::http::h2::{encode, field::Field, hpack::Decoder};
    use polywire_call::Metadata;
    use proptest::prelude::*;

    /// The fields of a block that one side writes and the other one reads.
    fn read(decoder: &mut Decoder<Field>, block: &[u8]) -> Vec<(Vec<u8>, Vec<u8>)> {
        let mut seen = Vec::new();
        let visit = |name: &[u8], value: &[u8], _| seen.push((name.to_vec(), value.to_vec()));
        decoder.decode(block, visit).expect("our own block");
        seen
    }

    proptest! {
        #[test]
        fn requests_written_before_say_the_same(
            calls in prop::collection::vec((0..6usize, 0..3usize, prop::option::of(0..3u8), prop::option::weighted(0.1, 0usize..600)), 1..40),
        ) {
            let (mut encoder, mut decoder) = (Encoder::new(), Decoder::new());
            let mut ours = encode::Preamble::new(b"h:1", b"secret", false);
            for (path, own, timeout, limit) in calls {
                if let Some(limit) = limit {
                    encoder.limit(limit);
                }
                let paths = ["A", "B", "C", "D", "E", "F"];
                let mut fields: Vec<(&'static str, &[u8])> = vec![("te", b"trailers"), ("user-agent", b"us")];
                fields.truncate(own);
                let time = timeout.map(|n| [b'1' + n, b'S']);
                fields.extend(time.as_ref().map(|time| ("grpc-timeout", &time[..])));
                let request = Request {
                    verb: "POST",
                    upgrade: false,
                    path: ["/", "a.B", "/", paths[path]],
                    content_type: Some(b"application/grpc"),
                    encoding: None,
                    timeout_ms: None,
                    own: &fields,
                    fields: &Metadata::new(),
                    length: None,
                };
                let mut block = BytesMut::new();
                encode::request(&mut encoder, &mut block, &request, &mut ours);
                let seen = read(&mut decoder, &block);
                let mut plain = (Encoder::new(), BytesMut::new(), encode::Preamble::new(b"h:1", b"secret", false));
                encode::request(&mut plain.0, &mut plain.1, &request, &mut plain.2);
                prop_assert_eq!(seen, read(&mut Decoder::new(), &plain.1));
            }
        }
    }

    #[test]
    fn a_block_is_as_short_the_short_way() {
        let (mut encoder, mut ours) = (Encoder::new(), encode::Preamble::default());
        let lengths = [(); 4].map(|()| {
            let mut block = BytesMut::new();
            let ok: Own<'_> = &[("grpc-status", b"0")];
            encode::trailers(&mut encoder, &mut block, ok, None, &mut ours);
            block.len()
        });
        assert_eq!(lengths[1..], [1, 1, 1]);
    }
}

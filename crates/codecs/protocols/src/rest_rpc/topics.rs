//! Topics in the form that a hub uses, and the frames that are delivered to their subscribers.
//!
//! Topics of a hub match by prefix, and one publication goes to subscribers of every format. Therefore a
//! topic begins here with its format, and then with a length unless it is the only one: no topic is a prefix
//! of another.

use super::{Format, frame::Frame, function_id};
use polywire_formats::msgpack;

/// The kind of the subscribing peers, for a server's reception.
pub const PEER: &str = "rest_rpc";

/// Most bytes of a key and its token.
pub(super) const LONGEST: usize = 1 << 10;

/// The topic of a subscriber in format A: key and token as one name.
pub(super) fn by_name(name: &[&[u8]]) -> Vec<u8> {
    let length: usize = name.iter().map(|part| part.len()).sum();
    let mut topic = vec![number(Format::A)];
    topic.extend((length as u32).to_be_bytes()); // bounded by `LONGEST`
    name.iter().for_each(|part| topic.extend_from_slice(part));
    topic
}

/// The topic of a subscriber in format B, who names it by its id.
pub(super) fn by_id(format: Format, id: u32) -> Vec<u8> {
    let mut topic = vec![number(format)];
    topic.extend(id.to_be_bytes());
    topic
}

fn number(format: Format) -> u8 {
    match format {
        Format::A => 0,
        Format::B => 1,
        Format::CrossB => 2,
    }
}

/// A value that is published under a key and a token, which may be empty.
#[derive(Clone, Copy, Debug)]
pub struct Publication<'p> {
    pub key: &'p str,
    pub token: &'p str,
}

impl Publication<'_> {
    /// The topic as subscribers in this format name it.
    pub fn topic(&self, format: Format) -> Vec<u8> {
        match format {
            Format::A => by_name(&[self.key.as_bytes(), self.token.as_bytes()]),
            Format::B | Format::CrossB => by_id(format, self.id()),
        }
    }

    /// The frame that is delivered to subscribers. The value is encoded in this format; a string is its own
    /// bytes.
    pub fn frame(&self, format: Format, value: &[u8]) -> Vec<u8> {
        let mut body = Vec::with_capacity(value.len() + self.key.len() + self.token.len() + 16);
        let function = match format {
            Format::A => {
                body.extend([0x93, 0]);
                msgpack::put_str(&mut body, [self.key, self.token].concat().as_bytes());
                msgpack::put_str(&mut body, value);
                0
            }
            Format::B | Format::CrossB => {
                body.push(0);
                body.extend_from_slice(value);
                self.id()
            }
        };
        let head = Frame { topic: true, function, body: body.len() as u32, ..Frame::default() };
        [&format.write(head)[..format.head_bytes()], &body].concat()
    }

    /// Longest value in bytes that this format can deliver.
    pub fn longest(&self, format: Format) -> usize {
        const BESIDE: usize = 32;
        let beside = BESIDE + self.key.len() + self.token.len();
        (format.longest(u32::MAX) as usize).saturating_sub(beside)
    }

    /// The token is part of the name, as in format A.
    fn id(&self) -> u32 {
        if self.token.is_empty() {
            function_id(self.key)
        } else {
            function_id(&[self.key, self.token].concat())
        }
    }
}

//! Decides which protocol of the family a first frame belongs to.
//!
//! All of them check "nothing but magic and body_len", so on a shared port the decision follows what their
//! clients write:
//!
//! | shape | decided by |
//! | --- | --- |
//! | public_pbrpc | provider `__pbrpc__` |
//! | ubrpc | the body is one mcpack object whose first member is `header` (an object) or `content` (an array) |
//! | nshead_mcpack | the body is one other mcpack object |
//! | nova_pbrpc | none of these, and no bit of the version but bit 0 is set |
//! | nshead | everything else |
//!
//! Source: docs/wire/nshead.md, "Detection"; the sheets of the family, "Head usage"

use super::frame::{Head, MAGIC, MAGIC_AT};
use crate::sniff::magic;
use polywire_wire::Sniff;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Shape {
    Public,
    Ubrpc,
    Mcpack,
    Nova,
    Other,
}

/// The provider field in requests of public_pbrpc clients.
pub(crate) const PUBLIC_PROVIDER: [u8; 16] = *b"__pbrpc__\0\0\0\0\0\0\0";

/// Head of an unnamed object.
const OBJECT: [u8; 2] = [0x10, 0];
/// Offsets in the body: the object's length, its first member, that member's name.
const SIZE_AT: usize = 2;
const MEMBER_AT: usize = 10;
const NAME_AT: usize = MEMBER_AT + 6;

/// Whether the first bytes are a frame of any member of the family.
pub(super) fn any(bytes: &[u8]) -> Sniff {
    match bytes.get(MAGIC_AT..) {
        Some(at_magic) => magic(&MAGIC, at_magic),
        None => Sniff::NeedMore(1),
    }
}

/// Whether the bytes are a frame of this shape.
pub(crate) fn is(wanted: Shape, bytes: &[u8]) -> Sniff {
    match any(bytes) {
        Sniff::Mine => {}
        other => return other,
    }
    match shape(bytes) {
        None => Sniff::NeedMore(1),
        Some(shape) if shape == wanted => Sniff::Mine,
        Some(_) => Sniff::NotMine,
    }
}

/// The shape of a frame; `None` if more bytes are needed.
fn shape(bytes: &[u8]) -> Option<Shape> {
    if bytes[8..24] == PUBLIC_PROVIDER {
        return Some(Shape::Public);
    }
    let (head, body_len) = Head::read(bytes)?;
    let body = &bytes[Head::BYTES..];
    if let Some(object) = object(body, body_len) {
        return object;
    }
    Some(if head.version <= 1 { Shape::Nova } else { Shape::Other })
}

/// The shape of a body that is one object. `Some(None)`: more bytes are needed.
fn object(body: &[u8], body_len: u32) -> Option<Option<Shape>> {
    let size = body_len.checked_sub(6)?.to_le_bytes();
    let head = [OBJECT[0], OBJECT[1], size[0], size[1], size[2], size[3]];
    let here = body.len().min(head.len());
    if body[..here] != head[..here] {
        return None;
    }
    if here < head.len() {
        return Some(None);
    }
    debug_assert_eq!(SIZE_AT + 4, here);
    Some(envelope(body, body_len))
}

/// The shape, if an object's first member is one of ubrpc's.
fn envelope(body: &[u8], body_len: u32) -> Option<Shape> {
    const MEMBERS: [(&[u8], &[u8]); 2] = [(b"\x10\x07", b"header\0"), (b"\x20\x08", b"content\0")];
    let member = body.get(MEMBER_AT..).unwrap_or(&[]);
    for (head, name) in MEMBERS {
        if body_len as usize <= NAME_AT + name.len() {
            continue; // too short for it, and for everything it holds
        }
        let (here, named) = (member.len().min(head.len()), member.get(6..).unwrap_or(&[]));
        let named = &named[..named.len().min(name.len())];
        if member[..here] != head[..here] || *named != name[..named.len()] {
            continue;
        }
        return (named.len() == name.len()).then_some(Shape::Ubrpc);
    }
    Some(Shape::Mcpack)
}

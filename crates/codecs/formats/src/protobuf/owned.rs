//! Encodes a message that is not used afterwards: its long strings and bytes are sent without a copy.
//!
//! ```text
//! message   { a: 7, text: String ----> [ 1 MB ] , b: "x" }
//! wire      [ a, head of text ] [ 1 MB, the String's own memory ] [ b ]
//! ```
//!
//! The message is encoded as usual, into a sink that leaves a gap for each long buffer that the message owns;
//! then the buffers are taken out of the message and put into the gaps. The encoded bytes equal those of
//! [`Message::to_wire`], whatever the order of fields. Copying 1 MB into new memory costs about as much as
//! the system call that sends it.

use crate::{FormatError, Message, MessageField, Storage};
use buffa::{EncodeSink, SizeCache};
use bytes::Bytes;
use polywire_base::IoBuf;

/// A string or bytes of a message.
pub trait Buffer {
    fn bytes(&self) -> &[u8];
    /// Takes the contents and leaves it empty.
    fn take(&mut self) -> Bytes;
}

impl Buffer for String {
    fn bytes(&self) -> &[u8] {
        self.as_bytes()
    }
    fn take(&mut self) -> Bytes {
        std::mem::take(self).into()
    }
}

impl Buffer for Vec<u8> {
    fn bytes(&self) -> &[u8] {
        self
    }
    fn take(&mut self) -> Bytes {
        std::mem::take(self).into()
    }
}

impl Buffer for Bytes {
    fn bytes(&self) -> &[u8] {
        self
    }
    fn take(&mut self) -> Bytes {
        std::mem::take(self)
    }
}

/// The function that is called with each buffer.
pub type Visit<'v> = &'v mut dyn FnMut(&mut dyn Buffer);

/// Fields that may own buffers, in whatever way they are generated.
pub trait Buffers {
    fn visit(&mut self, visit: Visit<'_>);
}

impl Buffers for String {
    fn visit(&mut self, visit: Visit<'_>) {
        visit(self);
    }
}

impl Buffers for Vec<u8> {
    fn visit(&mut self, visit: Visit<'_>) {
        visit(self);
    }
}

/// The sink shares such bytes; they are only visited to be counted.
impl Buffers for Bytes {
    fn visit(&mut self, visit: Visit<'_>) {
        visit(self);
    }
}

impl<T: Buffers> Buffers for Option<T> {
    fn visit(&mut self, visit: Visit<'_>) {
        if let Some(inner) = self {
            inner.visit(visit);
        }
    }
}

impl<M: Message> Buffers for M {
    fn visit(&mut self, visit: Visit<'_>) {
        self.buffers(visit);
    }
}

impl<M: Message, P: Storage<M>> Buffers for MessageField<M, P> {
    fn visit(&mut self, visit: Visit<'_>) {
        if let Some(inner) = self.as_option_mut() {
            inner.buffers(visit);
        }
    }
}

/// Buffers of at least this many bytes are not copied.
const LONG: usize = 16 << 10;

/// Encodes a message and consumes it.
///
/// # Errors
/// [`FormatError::TooLarge`] beyond 2 GiB.
#[inline]
pub fn into_wire<M: Message + buffa::Message>(message: M) -> Result<IoBuf, FormatError> {
    let mut sizes = SizeCache::new();
    let size = buffa::checked_encode_size(message.compute_size(&mut sizes))
        .map_err(|_| FormatError::TooLarge { limit: buffa::MAX_MESSAGE_BYTES as usize })?;
    if size as usize >= LONG {
        return Ok(long(message, sizes, size as usize));
    }
    let copied = Vec::with_capacity(size as usize);
    let mut sink = Sink { copied, gaps: Vec::new(), buffers: Vec::new() };
    message.write_to(&mut sizes, &mut sink);
    Ok(sink.copied.into())
}

#[inline(never)]
fn long<M: Message + buffa::Message>(mut message: M, mut sizes: SizeCache, size: usize) -> IoBuf {
    let mut buffers = Vec::new();
    message.buffers(&mut |buffer| {
        if buffer.bytes().len() >= LONG {
            buffers.push(Place::of(buffer.bytes()));
        }
    });
    in_order(&mut buffers);
    let apart: usize = buffers.iter().map(|place| place.len).sum();
    let mut sink = Sink { copied: Vec::with_capacity(size.saturating_sub(apart)), gaps: Vec::new(), buffers };
    message.write_to(&mut sizes, &mut sink);
    // The order of the visit may differ from that on the wire.
    let mut taken = Vec::with_capacity(sink.buffers.len());
    message.buffers(&mut |buffer| {
        if buffer.bytes().len() >= LONG {
            taken.push((Place::of(buffer.bytes()), buffer.take()));
        }
    });
    by_place(&mut taken);
    // `Bytes` in oneofs and maps were not visited, but were shared all the same.
    if sink.copied.capacity() - sink.copied.len() >= LONG {
        sink.copied.shrink_to_fit();
    }
    joined(sink.copied.into(), sink.gaps, &taken)
}

// Apart, so that the code of sorting is not compiled once more for each type of message.

fn in_order(places: &mut [Place]) {
    places.sort_unstable();
}

fn by_place(taken: &mut [(Place, Bytes)]) {
    taken.sort_unstable_by_key(|(place, _)| *place);
}

/// The copied bytes, with the gaps filled.
fn joined(copied: Bytes, gaps: Vec<Gap>, taken: &[(Place, Bytes)]) -> IoBuf {
    let (mut wire, mut from) = (IoBuf::new(), 0);
    for gap in gaps {
        wire.push(copied.slice(from..gap.at));
        from = gap.at;
        wire.push(match gap.filling {
            Filling::Shared(bytes) => bytes,
            Filling::Owned(place) => {
                let at = taken.binary_search_by_key(&place, |(place, _)| *place);
                taken[at.expect("a message has the same buffers at both visits")].1.clone()
            }
        });
    }
    wire.push(copied.slice(from..));
    wire
}

/// The address of a buffer; used only for comparison.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Place {
    address: usize,
    len: usize,
}

impl Place {
    fn of(bytes: &[u8]) -> Place {
        Place { address: bytes.as_ptr() as usize, len: bytes.len() }
    }
}

/// A gap for bytes that are not copied.
struct Gap {
    /// Offset in the copied bytes.
    at: usize,
    filling: Filling,
}

enum Filling {
    /// A buffer of the message.
    Owned(Place),
    Shared(Bytes),
}

struct Sink {
    copied: Vec<u8>,
    gaps: Vec<Gap>,
    /// The message's long buffers, sorted.
    buffers: Vec<Place>,
}

impl EncodeSink for Sink {
    const IS_SEGMENTED: bool = true;

    #[inline]
    fn put_u8(&mut self, value: u8) {
        self.copied.push(value);
    }

    #[inline]
    fn put_slice(&mut self, src: &[u8]) {
        if src.len() >= LONG && self.buffers.binary_search(&Place::of(src)).is_ok() {
            self.gaps.push(Gap { at: self.copied.len(), filling: Filling::Owned(Place::of(src)) });
        } else {
            self.copied.extend_from_slice(src);
        }
    }

    #[inline]
    fn put_u32_le(&mut self, value: u32) {
        self.copied.extend_from_slice(&value.to_le_bytes());
    }

    #[inline]
    fn put_u64_le(&mut self, value: u64) {
        self.copied.extend_from_slice(&value.to_le_bytes());
    }

    fn put_shared(&mut self, bytes: Bytes) {
        if bytes.len() >= LONG {
            self.gaps.push(Gap { at: self.copied.len(), filling: Filling::Shared(bytes) });
        } else {
            self.copied.extend_from_slice(&bytes);
        }
    }
}

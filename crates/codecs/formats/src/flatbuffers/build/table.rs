//! Tables: fields, and the vtable with their positions.

use super::{Built, Inline, OFFSET, Offset, Push, before};

/// A table that is being built, field by field from its end. There is room for all of them.
///
/// If it is dropped before its [`end`](TableBuilder::end), its fields stay in the message, but nothing refers
/// to them.
#[must_use]
pub struct TableBuilder<'b, const FIELDS: usize> {
    /// The free space before the fields.
    free: &'b mut [u8],
    /// The values built before the table.
    behind: &'b [u8],
    built: &'b mut Built,
    /// Length of the buffer in bytes.
    len: usize,
    /// Largest alignment of the fields.
    align: usize,
    /// Position of each field in the buffer; 0 if the field is absent.
    fields: [u32; FIELDS],
}

/// Place of the first field in a vtable; before it are two sizes.
const FIRST: usize = 4;
const ENTRY: usize = size_of::<u16>();
/// With this many fields and the two sizes in front, a vtable stays below 64 KiB.
const MAX_FIELDS: usize = (u16::MAX as usize - FIRST) / ENTRY;

impl<'b, const FIELDS: usize> TableBuilder<'b, FIELDS> {
    /// The bytes that a table takes besides its fields: the vtable, and the offset to it with its alignment.
    pub(super) const MORE: usize = FIRST + ENTRY * FIELDS + 2 * OFFSET;

    #[inline]
    pub(super) fn new(buffer: &'b mut [u8], built: &'b mut Built) -> Self {
        const { assert!(FIELDS <= MAX_FIELDS, "the length of a vtable is 16 bits") };
        let len = buffer.len();
        let (free, behind) = buffer.split_at_mut(built.head);
        TableBuilder { free, behind, built, len, align: OFFSET, fields: [0; FIELDS] }
    }

    /// Writes a field, unless it has its default. `slot` is its place in the vtable.
    #[inline]
    pub fn push_slot<P: Push + PartialEq>(&mut self, slot: u16, value: P, default: P) {
        if value != default {
            self.push_slot_always(slot, value);
        }
    }

    /// Writes a field, even if it has its default.
    #[inline]
    pub fn push_slot_always<P: Push>(&mut self, slot: u16, value: P) {
        let place = self.field(slot, P::SIZE, P::SIZE);
        value.write(place, self.len - self.free.len());
    }

    /// Writes a field that is a struct.
    #[inline]
    pub fn push_struct<T: Inline>(&mut self, slot: u16, value: &T) {
        value.put(self.field(slot, T::SIZE, T::ALIGN));
    }

    /// Space for a field.
    #[inline]
    fn field(&mut self, slot: u16, size: usize, align: usize) -> &'b mut [u8] {
        self.align = self.align.max(align);
        let free = std::mem::take(&mut self.free);
        let (free, place) = free.split_at_mut(before(free.len(), size, align));
        self.fields[index(slot)] = free.len() as u32;
        // Updated at once, not only in `end`: even if that is never called, the free part is zero.
        self.built.head = free.len();
        self.free = free;
        &mut place[..size]
    }

    /// Checks that a required field was written.
    ///
    /// # Panics
    /// If there is no field `slot`.
    #[inline]
    pub fn required(&self, slot: u16, name: &str) {
        assert!(self.fields[index(slot)] > 0, "the required field `{name}` is missing");
    }

    /// Ends the table: writes its vtable, or shares an equal one among the last.
    ///
    /// # Panics
    /// If its fields take more than 64 KiB.
    #[inline]
    pub fn end<T>(self) -> Offset<T> {
        let TableBuilder { free, behind, built, len, align, fields } = self;
        built.align = built.align.max(align);
        let (free, table) = free.split_at_mut(before(free.len(), OFFSET, OFFSET));
        let at = free.len();
        let size = u16::try_from(len - behind.len() - at).expect("at most 64 KiB of fields");
        let offsets = fields.map(|field| if field > 0 { (field - at as u32) as u16 } else { 0 });
        let vtable = match offsets.last() {
            Some(1..) => vtable(free, size, &offsets),
            _ => short_vtable(free, size, &offsets),
        };
        let from_end = (len - at) as u32;
        built.head = at;
        let vtable_from_end = built.share(vtable, from_end, behind);
        table[..OFFSET].copy_from_slice(&vtable_from_end.wrapping_sub(from_end).to_le_bytes());
        Offset::new(from_end)
    }
}

#[inline]
fn index(slot: u16) -> usize {
    (usize::from(slot) - FIRST) / ENTRY
}

/// Writes a vtable at the end of `free`.
#[inline]
fn vtable<'b>(free: &'b mut [u8], size: u16, offsets: &[u16]) -> &'b mut [u8] {
    let bytes = FIRST + ENTRY * offsets.len();
    let begin = free.len() - bytes;
    let vtable = &mut free[begin..];
    let (sizes, places) = vtable.split_at_mut(FIRST);
    sizes[..ENTRY].copy_from_slice(&(bytes as u16).to_le_bytes());
    sizes[ENTRY..].copy_from_slice(&size.to_le_bytes());
    for (place, offset) in places.chunks_exact_mut(ENTRY).zip(offsets) {
        place.copy_from_slice(&offset.to_le_bytes());
    }
    vtable
}

/// Writes a vtable up to the last field that is present.
#[inline(never)]
fn short_vtable<'b>(free: &'b mut [u8], size: u16, offsets: &[u16]) -> &'b mut [u8] {
    let count = offsets.iter().rposition(|offset| *offset > 0).map_or(0, |last| last + 1);
    vtable(free, size, &offsets[..count])
}

impl Built {
    /// Keeps the vtable that was written before a table, or removes it if one of the last vtables is equal.
    /// Returns the position of the one to use.
    #[inline]
    fn share(&mut self, vtable: &mut [u8], table_from_end: u32, behind: &[u8]) -> u32 {
        if let Some(known) = self.vtables.find(vtable, behind) {
            vtable.fill(0);
            return known;
        }
        let from_end = table_from_end + vtable.len() as u32;
        self.vtables.add(from_end);
        self.head -= vtable.len();
        from_end
    }
}

/// The latest vtables; equal ones are shared. Only some are kept, so that the search stays cheap.
#[derive(Default)]
pub(super) struct Vtables {
    /// Distances from the end; 0 for none.
    last: [u32; 16],
    next: usize,
}

impl Vtables {
    /// The position of a vtable that is equal to `vtable`, after which `built` follows.
    #[inline]
    fn find(&self, vtable: &[u8], built: &[u8]) -> Option<u32> {
        let known = self.last.iter().copied().take_while(|from_end| *from_end > 0);
        known.into_iter().find(|from_end| built[built.len() - *from_end as usize..].starts_with(vtable))
    }

    #[inline]
    fn add(&mut self, from_end: u32) {
        self.last[self.next % self.last.len()] = from_end;
        self.next += 1;
    }
}

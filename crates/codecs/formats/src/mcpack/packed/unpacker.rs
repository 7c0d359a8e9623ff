//! Reads objects and arrays into Rust values.

use super::{Members, Refused, Value, deeper};
use crate::mcpack::{
    columns::Columns,
    field::{ARRAY, Field, Fields, ISOARRAY, OBJECT, OBJECT_ISOARRAY},
    scalar::{Number, isoarray},
    write::is_number,
};

/// Reads members of messages.
pub struct Unpacker {
    depth: u32,
    /// Bytes of memory that repeated values may still take, with the same limit as for messages read by
    /// buffa.
    left: usize,
}

impl Unpacker {
    pub(super) fn new() -> Self {
        Unpacker { depth: 0, left: buffa::DEFAULT_ELEMENT_MEMORY_LIMIT }
    }

    /// A message from an object's count and members.
    pub(super) fn body<M: Members>(&mut self, body: &[u8]) -> Result<M, Refused> {
        let mut message = M::default();
        self.members(&mut message, Fields::of(body)?)?;
        Ok(message)
    }

    /// Adds the members of an object to a message.
    pub(super) fn object<M: Members>(&mut self, message: &mut M, object: Field<'_>) -> Result<(), Refused> {
        if object.code != OBJECT {
            return Err(Refused);
        }
        let fields = Fields::of(object.value)?;
        self.deeper(|unpacker| unpacker.members(message, fields))
    }

    fn members<M: Members>(&mut self, message: &mut M, mut fields: Fields<'_>) -> Result<(), Refused> {
        let (mut expected, mut seen) = (0, 0);
        while let Some(member) = fields.next()? {
            let Some(at) = find::<M>(member.name, expected) else { continue };
            expected = at + 1;
            if message.unpack(at, member, self)? {
                seen |= bit(at);
            }
        }
        complete::<M>(seen)
    }

    /// Adds the items of a repeated field.
    pub(super) fn repeated<V: Value>(&mut self, to: &mut Vec<V>, member: Field<'_>) -> Result<(), Refused> {
        match member.code {
            ARRAY => {
                let mut items = Fields::of(member.value)?;
                while let Some(item) = items.next()? {
                    self.spend::<V>(1)?;
                    to.push(V::read(item, self)?);
                }
                Ok(())
            }
            ISOARRAY if is_number(V::KIND) => self.numbers(to, member),
            OBJECT_ISOARRAY => V::read_columns(member, to, self),
            _ => Err(Refused),
        }
    }

    fn numbers<V: Value>(&mut self, to: &mut Vec<V>, array: Field<'_>) -> Result<(), Refused> {
        let (code, size, items) = isoarray(array).ok_or(Refused)?;
        let count = items.len() / size;
        self.spend::<V>(count)?;
        to.reserve(count);
        for item in items.chunks_exact(size) {
            let number = Number::of(code, item).ok_or(Refused)?;
            to.push(V::from_bits(number.cast(V::KIND)).ok_or(Refused)?);
        }
        Ok(())
    }

    /// Messages by columns; each row is passed to `row`.
    pub(super) fn columns<M: Members>(
        &mut self,
        object: Field<'_>,
        mut row: impl FnMut(M),
    ) -> Result<(), Refused> {
        self.deeper(|unpacker| {
            let mut columns = Columns::of(object, |name| find::<M>(name, usize::MAX))?;
            while columns.has_row() {
                unpacker.spend::<M>(1)?;
                let (mut message, mut seen) = (M::default(), 0);
                columns.row(|at, item| {
                    if message.unpack(at, item, unpacker)? {
                        seen |= bit(at);
                    }
                    Ok::<(), Refused>(())
                })?;
                complete::<M>(seen)?;
                row(message);
            }
            Ok(())
        })
    }

    /// Reads contents one level deeper.
    #[inline]
    pub(super) fn deeper<T>(
        &mut self,
        read: impl FnOnce(&mut Self) -> Result<T, Refused>,
    ) -> Result<T, Refused> {
        self.depth = deeper(self.depth)?;
        let value = read(self)?;
        self.depth -= 1;
        Ok(value)
    }

    /// Accounts for the memory of `count` further values.
    #[inline]
    pub(super) fn spend<T>(&mut self, count: usize) -> Result<(), Refused> {
        self.left = self.left.checked_sub(size_of::<T>().saturating_mul(count)).ok_or(Refused)?;
        Ok(())
    }
}

/// The member with this name: most often the expected one.
#[inline]
fn find<M: Members>(name: &[u8], expected: usize) -> Option<usize> {
    if M::MEMBERS.get(expected).is_some_and(|member| member.as_bytes() == name) {
        return Some(expected);
    }
    let member = |at: &u16| M::MEMBERS[usize::from(*at)].as_bytes();
    let found =
        M::BY_NAME.binary_search_by(|at| (member(at).len(), member(at)).cmp(&(name.len(), name))).ok()?;
    Some(usize::from(M::BY_NAME[found]))
}

/// The bit of a member; 0 for members beyond the 64th, which cannot be required.
#[inline]
fn bit(at: usize) -> u64 {
    if at < 64 { 1 << at } else { 0 }
}

#[inline]
fn complete<M: Members>(seen: u64) -> Result<(), Refused> {
    if seen & M::REQUIRED == M::REQUIRED { Ok(()) } else { Err(Refused) }
}

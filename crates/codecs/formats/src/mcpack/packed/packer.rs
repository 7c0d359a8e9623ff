//! Writes objects, arrays and columns from Rust values.

use super::{Packed, Refused, Value, deeper};
use crate::mcpack::{
    Variant,
    field::{ISOARRAY, OBJECT_ISOARRAY, SIZE},
    write::{ENOUGH, number},
    writer::Writer,
};

/// Writes members of messages.
pub struct Packer {
    pub(super) to: Writer,
    pub(super) variant: Variant,
    depth: u32,
}

impl Packer {
    pub(super) fn new(variant: Variant) -> Self {
        let mut to = Writer::new();
        to.out.reserve(FIRST_BYTES);
        Packer { to, variant, depth: 0 }
    }

    pub(super) fn finish(self) -> Option<Vec<u8>> {
        self.to.finish().ok()
    }

    /// Writes an object's count and members.
    pub(super) fn body<M: Packed>(&mut self, message: &M) -> Result<(), Refused> {
        self.to.out.extend_from_slice(&[0; 4]);
        let count = message.pack(self)?;
        self.to.out[..4].copy_from_slice(&count.to_le_bytes());
        Ok(())
    }

    pub(super) fn object<M: Packed>(&mut self, message: &M, name: &[u8]) -> Result<(), Refused> {
        self.deeper(|packer| {
            packer.check()?;
            let object = packer.to.object(name);
            let count = message.pack(packer)?;
            packer.to.end(object, count);
            Ok(())
        })
    }

    /// Writes an array of fields.
    pub(super) fn array<T>(
        &mut self,
        name: &[u8],
        items: impl Iterator<Item = T>,
        mut write: impl FnMut(T, &mut Self) -> Result<(), Refused>,
    ) -> Result<(), Refused> {
        let array = self.to.array(name);
        let mut count = 0;
        for item in items {
            count += 1;
            write(item, self)?;
        }
        self.to.end(array, count);
        Ok(())
    }

    /// Writes numbers without heads.
    #[inline]
    pub(super) fn isoarray<V: Value>(&mut self, code: u8, name: &[u8], items: &[V]) {
        let (array, size) = (self.to.begin_value(ISOARRAY, name), usize::from(code & SIZE));
        self.to.out.reserve(1 + items.len() * size);
        self.to.out.push(code);
        for item in items {
            self.to.out.extend_from_slice(&number(code, V::KIND, item.bits())[..size]);
        }
        self.to.end_value(array);
    }

    /// Writes rows as columns: `write` adds a row's value for a member, and returns whether there is one.
    pub(super) fn columns<T>(
        &mut self,
        name: &[u8],
        members: &[&str],
        rows: impl Iterator<Item = T> + Clone,
        write: impl Fn(&T, usize, &mut Self) -> Result<bool, Refused>,
    ) -> Result<(), Refused> {
        self.deeper(|packer| {
            let object = packer.to.begin(OBJECT_ISOARRAY, name);
            for (at, member) in members.iter().enumerate() {
                packer.array(member.as_bytes(), rows.clone(), |row, packer| {
                    packer.check()?;
                    if !write(&row, at, packer)? {
                        packer.to.null();
                    }
                    Ok(())
                })?;
            }
            packer.to.end(object, members.len() as u32);
            Ok(())
        })
    }

    /// Writes contents one level deeper.
    #[inline]
    pub(super) fn deeper(
        &mut self,
        write: impl FnOnce(&mut Self) -> Result<(), Refused>,
    ) -> Result<(), Refused> {
        self.depth = deeper(self.depth)?;
        write(self)?;
        self.depth -= 1;
        Ok(())
    }

    #[inline]
    fn check(&self) -> Result<(), Refused> {
        if self.to.out.len() <= ENOUGH { Ok(()) } else { Err(Refused) }
    }
}

/// Initial allocation in bytes: most messages are shorter.
const FIRST_BYTES: usize = 256;

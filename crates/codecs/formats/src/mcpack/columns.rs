//! Repeated messages in compack: one array per member, with one item per row.
//!
//! ```text
//!   rows:  {k="x", v=3}  {k="y"}        object-isoarray:  k: ["x", "y"]   v: [3, null]
//! ```
//!
//! To write them, rows are visited once: each column grows in its own buffer; the columns are joined at the
//! end. To read them, columns are read in parallel ([`Columns`]), so that memory does not grow with the rows.
//!
//! Source: docs/wire/mcpack.md, "Object-isoarray of n rows"

use super::{
    field::{ARRAY, Field, Fields, NULL, OBJECT_ISOARRAY},
    write::{Encoder, Member},
    writer::Writer,
};
use crate::{FormatError, schema::MessageSchema};
use std::mem::swap;

impl Encoder {
    /// Writes the field `member`, which has at least one message `child`.
    pub(super) fn columns(
        &mut self,
        member: Member<'_, '_>,
        child: MessageSchema<'_>,
        depth: u32,
    ) -> Result<(), FormatError> {
        let depth = super::deeper(depth)?;
        let mut columns: Vec<Writer> = child.declared().iter().map(|_| Writer::new()).collect();
        let mut rows = 0u32;
        member.slot.each(member.schema, member.field, member.wire, |raw| {
            rows += 1;
            self.check(self.to.out.len() + columns.iter().map(|column| column.out.len()).sum::<usize>())?;
            self.row(child, raw.payload, &mut columns, depth)
        })?;
        let object = self.to.begin(OBJECT_ISOARRAY, member.name);
        for (field, column) in child.declared().iter().zip(&mut columns) {
            let array = self.to.array(field.member().as_bytes());
            self.to.absorb(column);
            self.to.end(array, rows);
        }
        self.to.end(object, columns.len() as u32);
        Ok(())
    }

    /// Adds one item to each column: a value, or null for an absent field.
    fn row(
        &mut self,
        schema: MessageSchema<'_>,
        wire: &[u8],
        columns: &mut [Writer],
        depth: u32,
    ) -> Result<(), FormatError> {
        let base = self.index.begin(schema, wire)?;
        for (at, (field, column)) in schema.declared().iter().zip(columns).enumerate() {
            let slot = self.index.slot(base, at);
            swap(&mut self.to, column);
            let written = self.member(Member { schema, field, slot, wire, name: b"" }, depth);
            if let Ok(false) = written {
                self.to.null();
            }
            swap(&mut self.to, column);
            written?;
        }
        self.index.end(base);
        Ok(())
    }
}

/// Columns being read: those with known names that have items left, by the index of their member.
pub(super) struct Columns<'a>(Vec<(usize, Fields<'a>)>);

impl<'a> Columns<'a> {
    pub fn of(object: Field<'a>, find: impl Fn(&[u8]) -> Option<usize>) -> Result<Self, FormatError> {
        let mut columns = Vec::new();
        let mut members = Fields::of(object.value)?;
        while let Some(column) = members.next()? {
            let Some(index) = find(column.name) else { continue };
            if column.code != ARRAY {
                return Err(FormatError::mcpack(format!(
                    "{}: a column that is not an array",
                    column.name.escape_ascii()
                )));
            }
            columns.push((index, Fields::of(column.value)?));
        }
        Ok(Columns(columns))
    }

    /// Whether some column has items left.
    pub fn has_row(&mut self) -> bool {
        self.0.retain(|(_, items)| !items.is_empty());
        !self.0.is_empty()
    }

    /// Takes one item from each column; null means absent: "null = skip the row".
    pub fn row<E: From<FormatError>>(
        &mut self,
        mut each: impl FnMut(usize, Field<'a>) -> Result<(), E>,
    ) -> Result<(), E> {
        for (index, items) in &mut self.0 {
            match items.next()? {
                None | Some(Field { code: NULL, .. }) => {}
                Some(item) => each(*index, item)?,
            }
        }
        Ok(())
    }
}

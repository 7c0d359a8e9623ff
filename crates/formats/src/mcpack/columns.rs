//! Repeated messages of compack: one array per member, of one item per row.
//!
//! ```text
//!   rows:  {k="x", v=3}  {k="y"}        object-isoarray:  k: ["x", "y"]   v: [3, null]
//! ```
//!
//! Rows are gone through once. Each column grows in a buffer of its own; they are joined at the end.
//!
//! Source: docs/wire/mcpack.md, "Object-isoarray of n rows"

use super::{
    field::OBJECT_ISOARRAY,
    write::{Encoder, Member},
    writer::Writer,
};
use crate::{FormatError, schema::MessageSchema};
use std::mem::swap;

impl Encoder {
    /// The field `member` of messages `child`, of which there are some.
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

    /// Adds one item to each column: a value, or null for what is not there.
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

//! The few parts of protobuf's wire format that a meta needs.

use bytes::Bytes;

/// A field that was read.
pub(crate) enum Value<'b> {
    Number(u64),
    Bytes(&'b [u8]),
    /// A fixed-width field, which no field of a meta is.
    Other,
}

/// Reads the next field off the front: its number and value.
///
/// # Errors
/// The error in the bytes.
pub(crate) fn next<'b>(rest: &mut &'b [u8]) -> Result<(u64, Value<'b>), &'static str> {
    let tag = varint(rest)?;
    let number = tag >> 3;
    if number == 0 {
        return Err("a field has the number 0");
    }
    let value = match tag & 7 {
        0 => Value::Number(varint(rest)?),
        1 => take(rest, 8).map(|_| Value::Other)?,
        2 => {
            let len = usize::try_from(varint(rest)?).map_err(|_| CUT)?;
            Value::Bytes(take(rest, len)?)
        }
        5 => take(rest, 4).map(|_| Value::Other)?,
        _ => return Err("a field has a wire type that metas do not have"),
    };
    Ok((number, value))
}

const CUT: &str = "a field ends behind the end";

fn take<'b>(rest: &mut &'b [u8], len: usize) -> Result<&'b [u8], &'static str> {
    let (taken, left) = rest.split_at_checked(len).ok_or(CUT)?;
    *rest = left;
    Ok(taken)
}

/// A number in groups of seven bits, at most ten of them.
pub(crate) fn varint(rest: &mut &[u8]) -> Result<u64, &'static str> {
    let mut number = 0;
    for shift in (0..70).step_by(7) {
        let (&byte, left) = rest.split_first().ok_or(CUT)?;
        *rest = left;
        number |= u64::from(byte & 0x7f).checked_shl(shift).unwrap_or(0);
        if byte < 0x80 {
            return Ok(number);
        }
    }
    Err("a number has more than ten bytes")
}

pub(crate) fn put_varint(out: &mut Vec<u8>, mut number: u64) {
    while number >= 0x80 {
        out.push(number as u8 | 0x80);
        number >>= 7;
    }
    out.push(number as u8);
}

/// Appends a number, if there is one. A negative one has ten bytes, like protobuf's `int32`.
pub(crate) fn put_number(out: &mut Vec<u8>, field: u64, number: Option<i64>) {
    if let Some(number) = number {
        put_varint(out, field << 3);
        put_varint(out, number as u64);
    }
}

/// Appends bytes or a text, if there are any.
pub(crate) fn put_bytes(out: &mut Vec<u8>, field: u64, bytes: Option<&[u8]>) {
    if let Some(bytes) = bytes {
        put_varint(out, field << 3 | 2);
        put_varint(out, bytes.len() as u64);
        out.extend_from_slice(bytes);
    }
}

pub(crate) fn text(bytes: &[u8]) -> Result<String, &'static str> {
    std::str::from_utf8(bytes).map(str::to_owned).map_err(|_| "a name is not UTF-8")
}

pub(crate) fn owned(bytes: &[u8]) -> Bytes {
    Bytes::copy_from_slice(bytes)
}

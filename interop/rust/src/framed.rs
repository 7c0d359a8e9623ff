//! Messages on standard input and output: four bytes of length, then the message. Each suite has its order of
//! the bytes of numbers.

use std::io::{self, Read, Write};

/// The next message; `None` at the end. `number`: reads a length.
///
/// # Errors
/// As reading; and an end inside a message.
pub fn read(from: &mut impl Read, number: fn([u8; 4]) -> u32) -> io::Result<Option<Vec<u8>>> {
    let mut length = [0; 4];
    match from.read_exact(&mut length) {
        Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => return Ok(None),
        read => read?,
    }
    let mut message = vec![0; number(length) as usize];
    from.read_exact(&mut message)?;
    Ok(Some(message))
}

/// Writes a message. `bytes`: writes a length.
///
/// # Errors
/// As writing.
pub fn write(to: &mut impl Write, bytes: fn(u32) -> [u8; 4], message: &[u8]) -> io::Result<()> {
    to.write_all(&bytes(message.len() as u32))?;
    to.write_all(message)?;
    to.flush()
}

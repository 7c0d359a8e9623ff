//! Messages on standard input and output: four bytes of length, big-endian, then the message.

use std::io::{self, Read, Write};

/// The next message; `None` at the end.
///
/// # Errors
/// As reading; and an end inside a message.
pub fn read(from: &mut impl Read) -> io::Result<Option<Vec<u8>>> {
    let mut length = [0; 4];
    match from.read_exact(&mut length) {
        Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => return Ok(None),
        read => read?,
    }
    let mut message = vec![0; u32::from_be_bytes(length) as usize];
    from.read_exact(&mut message)?;
    Ok(Some(message))
}

/// # Errors
/// As writing.
pub fn write(to: &mut impl Write, message: &[u8]) -> io::Result<()> {
    to.write_all(&(message.len() as u32).to_be_bytes())?;
    to.write_all(message)?;
    to.flush()
}

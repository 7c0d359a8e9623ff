//! JSON.

/// Appends a JSON string with its quotes. Only what must be escaped is.
pub(crate) fn put_string(out: &mut Vec<u8>, text: &str) {
    const HEX: &[u8; 16] = b"0123456789abcdef";
    out.push(b'"');
    let bytes = text.as_bytes();
    let mut done = 0;
    for (at, byte) in bytes.iter().enumerate() {
        let short = match byte {
            b'"' | b'\\' => *byte,
            b'\n' => b'n',
            b'\r' => b'r',
            b'\t' => b't',
            0x08 => b'b',
            0x0c => b'f',
            0..0x20 => 0,
            _ => continue,
        };
        out.extend_from_slice(&bytes[done..at]);
        done = at + 1;
        match short {
            0 => out.extend_from_slice(&[
                b'\\',
                b'u',
                b'0',
                b'0',
                HEX[usize::from(byte >> 4)],
                HEX[usize::from(byte & 15)],
            ]),
            short => out.extend_from_slice(&[b'\\', short]),
        }
    }
    out.extend_from_slice(&bytes[done..]);
    out.push(b'"');
}

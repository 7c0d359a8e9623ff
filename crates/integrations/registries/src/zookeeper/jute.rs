//! Bytes of ZooKeeper's messages.
//!
//! ```text
//!  0         4                4+n
//!  +---------+-----------------+    int, long: big endian, signed; boolean: a byte
//!  | n: i32  | n bytes         |    ustring, buffer: length (i32, -1 for none), bytes
//!  +---------+-----------------+    vector: count (i32), elements
//! ```

/// A message that is being written, with its length before it.
pub(super) struct Out(Vec<u8>);

impl Out {
    pub fn new() -> Out {
        Out(vec![0; 4])
    }
    pub fn int(mut self, value: i32) -> Out {
        self.0.extend_from_slice(&value.to_be_bytes());
        self
    }
    pub fn long(mut self, value: i64) -> Out {
        self.0.extend_from_slice(&value.to_be_bytes());
        self
    }
    pub fn boolean(mut self, value: bool) -> Out {
        self.0.push(value.into());
        self
    }
    /// A buffer, or a text.
    pub fn buffer(mut self, bytes: impl AsRef<[u8]>) -> Out {
        let bytes = bytes.as_ref();
        self = self.int(i32::try_from(bytes.len()).expect("what we send is short"));
        self.0.extend_from_slice(bytes);
        self
    }
    pub fn finish(mut self) -> Vec<u8> {
        let length = i32::try_from(self.0.len() - 4).expect("what we send is short");
        self.0[..4].copy_from_slice(&length.to_be_bytes());
        self.0
    }
}

/// A message that is being read. `None`: it ends too early, or a length cannot be.
pub(super) struct In<'a>(pub &'a [u8]);

impl<'a> In<'a> {
    pub fn int(&mut self) -> Option<i32> {
        self.bytes(4).map(|bytes| i32::from_be_bytes(bytes.try_into().expect("four bytes")))
    }
    pub fn long(&mut self) -> Option<i64> {
        self.bytes(8).map(|bytes| i64::from_be_bytes(bytes.try_into().expect("eight bytes")))
    }
    /// A buffer; one of no length (-1) is empty.
    pub fn buffer(&mut self) -> Option<&'a [u8]> {
        match self.int()? {
            -1 => Some(&[]),
            length => self.bytes(usize::try_from(length).ok()?),
        }
    }
    pub fn text(&mut self) -> Option<&'a str> {
        std::str::from_utf8(self.buffer()?).ok()
    }
    /// The number of the elements of a vector; a vector of no length (-1) is empty. Each takes four bytes at
    /// least.
    pub fn count(&mut self) -> Option<usize> {
        match self.int()? {
            -1 => Some(0),
            count => usize::try_from(count).ok().filter(|count| *count <= self.0.len() / 4),
        }
    }
    fn bytes(&mut self, length: usize) -> Option<&'a [u8]> {
        let (bytes, rest) = self.0.split_at_checked(length)?;
        self.0 = rest;
        Some(bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read() {
        let out = Out::new().int(-7).long(1 << 40).boolean(true).buffer("echo").buffer(b"").finish();
        assert_eq!(out[..4], [0, 0, 0, 25]);
        let mut input = In(&out[4..]);
        assert_eq!((input.int(), input.long(), input.bytes(1)), (Some(-7), Some(1 << 40), Some(&[1][..])));
        assert_eq!((input.text(), input.buffer(), input.int()), (Some("echo"), Some(&b""[..]), None));
    }

    #[test]
    fn lengths_that_cannot_be_are_nothing() {
        let of = |bytes: &'static [u8]| In(bytes);
        assert_eq!(of(&[0xff; 4]).buffer(), Some(&b""[..]), "-1: none");
        assert_eq!(of(&[0xff, 0xff, 0xff, 0xfe]).buffer(), None);
        assert_eq!(of(&[0x7f, 0xff, 0xff, 0xff, 1]).buffer(), None);
        assert_eq!(of(&[0x7f, 0xff, 0xff, 0xff, 0, 0, 0, 0]).count(), None, "no room for so many");
        assert_eq!(of(&[0, 0, 0, 2, 0, 0, 0, 0]).count(), None);
        assert_eq!(of(&[0, 0, 0, 1, 0xff]).text(), None, "no UTF-8");
        for end in 0..8 {
            assert_eq!(In(&[0; 8][..end]).long(), None);
        }
    }
}

//! Text that comes in pieces: checked as it arrives, so that a peer learns of an error before the end of its
//! message.

/// The state between two pieces: the bytes that may follow.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub(super) struct Utf8 {
    /// Bytes that the begun character still needs.
    missing: u8,
    /// The range of the next byte of the character: the byte after the first has a special range in some rows
    /// of Unicode's table 3-7.
    next: (u8, u8),
}

impl Utf8 {
    /// Checks the next piece; whether the text so far can be the beginning of a valid one.
    pub fn accepts(&mut self, mut bytes: &[u8]) -> bool {
        while self.missing > 0 {
            let Some((&byte, rest)) = bytes.split_first() else { return true };
            if byte < self.next.0 || byte > self.next.1 {
                return false;
            }
            (self.missing, self.next) = (self.missing - 1, (0x80, 0xbf));
            bytes = rest;
        }
        match std::str::from_utf8(bytes) {
            Ok(_) => true,
            Err(error) if error.error_len().is_some() => false,
            Err(error) => self.begins(&bytes[error.valid_up_to()..]),
        }
    }

    /// Whether no character is incomplete.
    pub fn is_complete(self) -> bool {
        self.missing == 0
    }

    /// Notes the beginning of a character, which the standard library has found to be possible.
    fn begins(&mut self, front: &[u8]) -> bool {
        let Some(&first) = front.first() else { return true };
        let (missing, next) = match first {
            0xe0 => (2, (0xa0, 0xbf)),
            0xed => (2, (0x80, 0x9f)),
            0xf0 => (3, (0x90, 0xbf)),
            0xf4 => (3, (0x80, 0x8f)),
            0xc2..=0xdf => (1, (0x80, 0xbf)),
            0xe1..=0xef => (2, (0x80, 0xbf)),
            0xf1..=0xf3 => (3, (0x80, 0xbf)),
            _ => return false,
        };
        let after = (front.len() - 1) as u8;
        *self = Utf8 { missing: missing - after, next: if after == 0 { next } else { (0x80, 0xbf) } };
        true
    }
}

//! The three forms of a hello.

use crate::sniff::magic;
use polywire_wire::{Sniff, WireError};

/// A version of the hello, and with it that of the answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Hello {
    V2,
    V3,
    /// Shared memory in place of RDMA.
    Ring,
}

impl Hello {
    const ALL: [Hello; 3] = [Hello::V2, Hello::V3, Hello::Ring];

    /// The first bytes.
    const fn magic(self) -> &'static [u8; 4] {
        match self {
            Hello::V2 => b"RDMA",
            Hello::V3 => b"RDM3",
            Hello::Ring => b"UB\0\x40", // with the length, which is always 64
        }
    }

    pub fn sniff(bytes: &[u8]) -> Sniff {
        let mut found = Sniff::NotMine;
        for hello in Hello::ALL {
            match magic(hello.magic(), bytes) {
                Sniff::NotMine => {}
                other => found = other,
            }
        }
        found
    }

    /// The hello at the front of these bytes, and its length; `None`: it does not show yet.
    ///
    /// # Errors
    /// It is none, or its length is out of bounds.
    pub fn read(bytes: &[u8]) -> Result<Option<(Hello, usize)>, WireError> {
        let Some((first, rest)) = bytes.split_first_chunk::<4>() else { return Ok(None) };
        let hello = Hello::ALL.into_iter().find(|hello| hello.magic() == first).ok_or(WireError::BadMagic)?;
        let length = match hello {
            Hello::V2 => rest.first_chunk().map(|bytes| usize::from(u16::from_be_bytes(*bytes))),
            Hello::V3 => rest.first_chunk().map(|bytes| 8 + u32::from_be_bytes(*bytes) as usize),
            Hello::Ring => Some(64),
        };
        let bounds = match hello {
            Hello::V2 => 40..=4096,
            Hello::V3 => 9..=8 + 8192,
            Hello::Ring => 64..=64,
        };
        match length {
            Some(length) if !bounds.contains(&length) => Err(WireError::Malformed("the length of a hello")),
            length => Ok(length.map(|length| (hello, length))),
        }
    }

    /// The answer: nothing but TCP.
    pub fn refusal(self) -> Vec<u8> {
        let mut answer = self.magic().to_vec();
        match self {
            Hello::V2 => {
                answer.extend([0, 40, 0xff, 0xff]); // a version that nobody has
                answer.resize(40, 0);
            }
            Hello::V3 => {
                // Fields 1 to 6, of which the fifth has 16 bytes, all zero.
                answer.extend([0, 0, 0, 28, 8, 0, 16, 0, 24, 0, 32, 0, 42, 16]);
                answer.resize(answer.len() + 16, 0);
                answer.extend([48, 0]);
            }
            Hello::Ring => answer.resize(64, 0),
        }
        answer
    }
}

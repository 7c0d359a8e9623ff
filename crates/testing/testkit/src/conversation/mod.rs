//! Conversations: the bytes that a client and a server have sent each other, recorded once and replayed by a
//! test.
//!
//! | piece | what it is |
//! | --- | --- |
//! | [`Conversation`] | what was sent on each connection, and when: a file that people can read |
//! | [`Recorder`] | stands between a client and a server, and records |
//! | [`Replay`] | plays one side of a conversation against the other, and reports the first difference |
//!
//! Any protocol over a byte stream can be recorded, since the bytes are not interpreted. Values that differ
//! from run to run (dates, ids that a server makes) are masked by rules of the [`Replay`]. Not here: ids that
//! a server makes and its client has to send back; TLS.

mod mask;
mod record;
mod replay;
mod text;

pub use record::Recorder;
pub use replay::{Difference, Replay};

use std::{fmt, fs, io, path::Path, time::Duration};

/// The bytes that were sent on each connection, with their times.
///
/// Its text is a line for each event: milliseconds since the first connection, the connection's number, the
/// direction (`>` from the client, `<` from the server), and the bytes in quotes or `end`. Bytes that are no
/// printable ASCII are written as `\n`, `\r`, `\t`, `\\`, `\"` and `\x00`. Lines that begin with `#` are
/// comments.
///
/// ```text
/// # a conversation
/// 0.000 1 > "PING\r\n"
/// 0.214 1 < "+PONG\r\n"
/// 0.300 1 > end
/// ```
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct Conversation {
    /// The events in the order in which they happened.
    pub events: Vec<Sent>,
}

/// An event of one side: bytes, or the end of the connection.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Sent {
    /// The time since the conversation began.
    pub at: Duration,
    /// The number of the connection, from 1.
    pub connection: u32,
    pub by: By,
    /// `None`: this side sends no more.
    pub bytes: Option<Vec<u8>>,
}

/// The side that has sent a message of a conversation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum By {
    Client,
    Server,
}

/// Longest file that is read, in bytes.
const LONGEST: u64 = 256 << 20;

impl Conversation {
    /// Reads its text.
    ///
    /// # Errors
    /// The number of the line that is wrong, and why.
    pub fn parse(text: &str) -> Result<Conversation, String> {
        text::parse(text)
    }

    /// Reads a file.
    ///
    /// # Errors
    /// The file cannot be read, or a line of it is invalid.
    pub fn load(path: impl AsRef<Path>) -> io::Result<Conversation> {
        if fs::metadata(&path)?.len() > LONGEST {
            return Err(io::Error::new(io::ErrorKind::InvalidData, "the file is longer than 256 MiB"));
        }
        let text = fs::read_to_string(path)?;
        Conversation::parse(&text).map_err(|why| io::Error::new(io::ErrorKind::InvalidData, why))
    }

    /// Writes a file.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn save(&self, path: impl AsRef<Path>) -> io::Result<()> {
        fs::write(path, self.to_string())
    }

    /// The turns of a connection: the bytes that one side sent before the other did, in one piece each.
    fn turns(&self, connection: u32) -> Vec<(By, Option<Vec<u8>>)> {
        let mut turns: Vec<(By, Option<Vec<u8>>)> = Vec::new();
        for sent in self.events.iter().filter(|sent| sent.connection == connection) {
            match (turns.last_mut(), &sent.bytes) {
                (Some((by, Some(turn))), Some(bytes)) if *by == sent.by => turn.extend_from_slice(bytes),
                _ => turns.push((sent.by, sent.bytes.clone())),
            }
        }
        turns
    }

    /// The numbers of the connections, in order of their first events.
    fn connections(&self) -> Vec<u32> {
        let mut numbers = Vec::new();
        for sent in &self.events {
            if !numbers.contains(&sent.connection) {
                numbers.push(sent.connection);
            }
        }
        numbers
    }
}

/// Writes the conversation as text.
impl fmt::Display for Conversation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        text::write(self, f)
    }
}

//! A scripted peer: the bytes that it sends and expects.

use crate::hex_dump;
use std::{
    error, fmt,
    io::{self, Read, Write},
    net::{Shutdown, TcpStream},
};

/// The actions of a scripted peer, in order. Play it on a socket of std with [`Script::play`], or, with the
/// feature `net`, on a transport of the engine.
///
/// ```
/// # use polywire_machine_testing::Script;
/// # use std::{net::{TcpListener, TcpStream}, io::{Read, Write}, thread};
/// let listener = TcpListener::bind("127.0.0.1:0")?;
/// let address = listener.local_addr()?;
/// let peer = thread::spawn(move || {
///     let script = Script::new().expect("PING\r\n").send("+PONG\r\n").expect_end();
///     script.play(listener.accept().expect("a client comes").0)
/// });
/// let mut client = TcpStream::connect(address)?;
/// client.write_all(b"PING\r\n")?;
/// let mut answer = [0; 7];
/// client.read_exact(&mut answer)?;
/// drop(client);
/// assert_eq!(&answer, b"+PONG\r\n");
/// assert!(peer.join().expect("no panic").is_ok());
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Default)]
pub struct Script {
    acts: Vec<Act>,
}

enum Act {
    Expect(Vec<u8>),
    /// This many bytes that have to pass a check, and a description of them.
    Check(usize, Box<dyn FnMut(&[u8]) -> bool + Send>, &'static str),
    Send(Vec<u8>),
    ExpectEnd,
    End,
}

impl Script {
    pub fn new() -> Self {
        Script::default()
    }

    fn then(mut self, act: Act) -> Self {
        self.acts.push(act);
        self
    }

    /// Expects exactly these bytes. The first wrong one ends the play; further bytes belong to the next
    /// action.
    pub fn expect(self, bytes: impl AsRef<[u8]>) -> Self {
        self.then(Act::Expect(bytes.as_ref().to_vec()))
    }

    /// Expects `n` bytes that pass `check`; `what` describes them in a failure. For ids, dates and such.
    pub fn check(
        self,
        n: usize,
        what: &'static str,
        check: impl FnMut(&[u8]) -> bool + Send + 'static,
    ) -> Self {
        self.then(Act::Check(n, Box::new(check), what))
    }

    pub fn send(self, bytes: impl AsRef<[u8]>) -> Self {
        self.then(Act::Send(bytes.as_ref().to_vec()))
    }

    /// Expects that the peer closes its half, without another byte.
    pub fn expect_end(self) -> Self {
        self.then(Act::ExpectEnd)
    }

    /// Closes our half. (At the end of the script the stream is dropped anyway.)
    pub fn end(self) -> Self {
        self.then(Act::End)
    }

    /// Plays on a blocking stream and drops it. Set a time limit on the stream, since otherwise a peer that
    /// sends too little hangs the test.
    ///
    /// # Errors
    /// At the first deviation.
    pub fn play(self, mut stream: impl Stream) -> Result<(), Deviation> {
        let mut player = Player::new(self);
        let mut buffer = [0; 4096];
        loop {
            let moved = match player.next()? {
                Do::Over => return Ok(()),
                Do::Send(bytes) => stream.write_all(&bytes).map(|()| None),
                Do::End => stream.end().map(|()| None),
                Do::Receive => stream.read(&mut buffer).map(Some),
            };
            match moved {
                Ok(None) => {}
                Ok(Some(n)) => player.received(&buffer[..n])?,
                Err(error) => return Err(player.broken(error)),
            }
        }
    }
}

/// A stream whose writing half can be closed.
pub trait Stream: Read + Write {
    fn end(&mut self) -> io::Result<()>;
}
impl Stream for TcpStream {
    fn end(&mut self) -> io::Result<()> {
        self.shutdown(Shutdown::Write)
    }
}
#[cfg(unix)]
impl Stream for std::os::unix::net::UnixStream {
    fn end(&mut self) -> io::Result<()> {
        self.shutdown(Shutdown::Write)
    }
}

/// The point at which the peer, or the stream, departed from the script.
#[derive(Debug)]
pub struct Deviation {
    /// Number of the action, counted from 1.
    pub act: usize,
    pub expected: String,
    pub received: Vec<u8>,
    /// The error of the stream, if it failed.
    pub broken: Option<io::Error>,
}

impl fmt::Display for Deviation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Deviation { act, expected, received, broken } = self;
        write!(
            f,
            "act {act} expected {expected}\nreceived {} bytes:\n{}",
            received.len(),
            hex_dump(received)
        )?;
        broken.as_ref().map_or(Ok(()), |error| write!(f, "\nthe stream broke: {error}"))
    }
}
impl error::Error for Deviation {
    fn source(&self) -> Option<&(dyn error::Error + 'static)> {
        self.broken.as_ref().map(|e| e as _)
    }
}

/// A script that is being played, without a stream.
pub(crate) struct Player {
    acts: std::vec::IntoIter<Act>,
    current: Option<Act>,
    number: usize,
    /// Bytes that were received and not used by an action yet.
    ahead: Vec<u8>,
    ended: bool,
}

/// The next action on the stream.
pub(crate) enum Do {
    Send(Vec<u8>),
    Receive,
    End,
    Over,
}

impl Player {
    pub fn new(script: Script) -> Self {
        Player { acts: script.acts.into_iter(), current: None, number: 0, ahead: Vec::new(), ended: false }
    }

    pub fn next(&mut self) -> Result<Do, Deviation> {
        loop {
            if self.current.is_none() {
                self.current = self.acts.next();
                self.number += 1;
            }
            match &mut self.current {
                None => return Ok(Do::Over),
                Some(Act::Send(bytes)) => {
                    let bytes = std::mem::take(bytes);
                    self.current = None;
                    return Ok(Do::Send(bytes));
                }
                Some(Act::End) => {
                    self.current = None;
                    return Ok(Do::End);
                }
                Some(Act::Expect(_) | Act::Check(..) | Act::ExpectEnd) => {
                    if !self.settle() {
                        // Bytes that were received may already be wrong: then no more are read.
                        return self.still_possible().map(|()| Do::Receive);
                    }
                    self.current = None;
                }
            }
        }
    }

    /// Takes received bytes; none means the end of the stream.
    pub fn received(&mut self, bytes: &[u8]) -> Result<(), Deviation> {
        self.ahead.extend_from_slice(bytes);
        self.ended |= bytes.is_empty();
        if self.settle() { Ok(()) } else { self.still_possible() }
    }

    pub fn broken(&self, error: io::Error) -> Deviation {
        Deviation { broken: Some(error), ..self.deviation() }
    }

    /// Whether the received bytes complete the current action; consumes them if so.
    fn settle(&mut self) -> bool {
        let used = match &mut self.current {
            Some(Act::Expect(bytes)) if self.ahead.starts_with(bytes) => {
                let n = bytes.len();
                bytes.clear(); // complete from now on
                n
            }
            Some(Act::Check(n, check, _)) if self.ahead.len() >= *n => {
                if *n > 0 && !check(&self.ahead[..*n]) {
                    return false;
                }
                std::mem::replace(n, 0)
            }
            Some(Act::ExpectEnd) if self.ended && self.ahead.is_empty() => 0,
            _ => return false,
        };
        self.ahead.drain(..used);
        true
    }

    /// Fails if no further bytes can complete the current action.
    fn still_possible(&self) -> Result<(), Deviation> {
        let possible = match &self.current {
            Some(Act::Expect(bytes)) => bytes.starts_with(&self.ahead) && !self.ended,
            Some(Act::Check(n, ..)) => self.ahead.len() < *n && !self.ended,
            Some(Act::ExpectEnd) => self.ahead.is_empty(),
            Some(Act::Send(_) | Act::End) | None => true,
        };
        if possible { Ok(()) } else { Err(self.deviation()) }
    }

    fn deviation(&self) -> Deviation {
        let expected = match &self.current {
            Some(Act::Expect(bytes)) => format!("{} bytes:\n{}", bytes.len(), hex_dump(bytes)),
            Some(Act::Check(n, _, what)) => format!("{n} bytes: {what}"),
            Some(Act::ExpectEnd) => "the end".into(),
            Some(Act::Send(_) | Act::End) | None => "to be heard".into(),
        };
        Deviation { act: self.number, expected, received: self.ahead.clone(), broken: None }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A stream that reads from a list of pieces and records written bytes.
    struct Canned<'a>(Vec<&'a [u8]>, &'a mut Vec<u8>);
    impl Read for Canned<'_> {
        fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
            let piece = if self.0.is_empty() { &[][..] } else { self.0.remove(0) };
            into[..piece.len()].copy_from_slice(piece);
            Ok(piece.len())
        }
    }
    impl Write for Canned<'_> {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.1.write(bytes)
        }
        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }
    impl Stream for Canned<'_> {
        fn end(&mut self) -> io::Result<()> {
            self.1.write_all(b"<end>")
        }
    }

    fn play(script: Script, pieces: &[&[u8]]) -> (Result<(), Deviation>, Vec<u8>) {
        let mut written = Vec::new();
        (script.play(Canned(pieces.to_vec(), &mut written)), written)
    }
    fn script() -> Script {
        let even = |b: &[u8]| b[0] & 1 == 0;
        Script::new().send("hi").expect("ab").check(1, "even", even).send("ho").end().expect("c").expect_end()
    }

    #[test]
    fn acts_follow_each_other_however_the_bytes_come() {
        for pieces in [&[&b"ab\x02c"[..]][..], &[b"a", b"b", b"\x02", b"c"], &[b"ab\x02", b"c"]] {
            let (played, written) = play(script(), pieces);
            assert!(played.is_ok(), "{played:?}");
            assert_eq!(written, b"hiho<end>");
        }
    }

    #[test]
    fn the_first_deviation_ends_the_play_and_is_told() {
        for (pieces, act, received) in [
            (&[&b"ax"[..]][..], 2, &b"ax"[..]), // at the wrong byte, though the act waits for no more
            (&[b"x"], 2, b"x"),
            (&[b"a"], 2, b"a"), // then the end
            (&[b"ab\x03"], 3, b"\x03"),
            (&[b"ab\x02d"], 6, b"d"),
            (&[b"ab\x02cc"], 7, b"c"),
        ] {
            let deviation = play(script(), pieces).0.expect_err("deviates");
            assert_eq!((deviation.act, &deviation.received[..]), (act, received), "{deviation}");
        }
    }
}

//! Plays one side of a conversation, and reports the first difference of the other.

use super::{
    By, Conversation,
    mask::{Expected, Mask},
};
use std::{fmt, io, net::SocketAddr, ops::Range, time::Duration};
use tokio::{
    io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt},
    net::{TcpListener, TcpStream},
    task::JoinSet,
    time::timeout,
};

/// The default time for each turn of the other side.
const PATIENCE: Duration = Duration::from_secs(5);
/// Bytes of a difference that are shown.
const SHOWN: usize = 64;

/// Plays one side of a conversation. The other side is compared with the recording: the bytes, their order
/// between the two sides, and the ends of connections; not their times, nor how they are divided into pieces.
#[derive(Clone)]
pub struct Replay {
    conversation: Conversation,
    masks: Vec<Mask>,
    patience: Duration,
}

/// The first place at which the other side did something else.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Difference {
    /// The number of the connection.
    pub connection: u32,
    /// The number of the turn among those of the side that differs, from 0.
    pub turn: usize,
    /// The position within that turn.
    pub at: usize,
    pub expected: String,
    pub found: String,
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Difference { connection, turn, at, expected, found } = self;
        write!(f, "connection {connection}, turn {turn}, byte {at}: expected {expected}, found {found}")
    }
}
impl std::error::Error for Difference {}

impl Replay {
    /// A replay of this conversation, without masks.
    pub fn new(conversation: &Conversation) -> Replay {
        Replay { conversation: conversation.clone(), masks: Vec::new(), patience: PATIENCE }
    }

    /// Lets the text between these two differ, wherever the other side sends them: `("id\":\"", "\"")`.
    #[must_use]
    pub fn mask(mut self, before: impl AsRef<[u8]>, after: impl AsRef<[u8]>) -> Self {
        let (before, after) = (before.as_ref().to_vec(), after.as_ref().to_vec());
        self.masks.push(Mask::Between { before, after, any_case: false });
        self
    }

    /// The value of this field of HTTP/1.1 may differ.
    #[must_use]
    pub fn mask_header(mut self, name: &str) -> Self {
        let before = format!("\r\n{name}:").into_bytes();
        self.masks.push(Mask::Between { before, after: b"\r\n".to_vec(), any_case: true });
        self
    }

    /// Lets these bytes of every turn of the other side differ.
    #[must_use]
    pub fn mask_bytes(mut self, range: Range<usize>) -> Self {
        self.masks.push(Mask::Bytes { turn: None, from: range.start, to: range.end });
        self
    }

    /// Lets these bytes of one turn of the other side differ; its turns count from 0.
    #[must_use]
    pub fn mask_turn(mut self, turn: usize, range: Range<usize>) -> Self {
        self.masks.push(Mask::Bytes { turn: Some(turn), from: range.start, to: range.end });
        self
    }

    /// Sets the time that the other side may take for each of its turns. Default 5 s.
    #[must_use]
    pub fn patience(mut self, patience: Duration) -> Self {
        self.patience = patience;
        self
    }

    /// Plays the client against a server at `host:port`, one connection after the other.
    ///
    /// # Errors
    /// The first difference; an unreachable server is one.
    pub async fn client(&self, server: &str) -> Result<(), Difference> {
        for connection in self.conversation.connections() {
            match TcpStream::connect(server).await {
                Ok(stream) => self.play(stream, connection, By::Client).await?,
                Err(error) => return Err(self.no_connection(connection, &error)),
            }
        }
        Ok(())
    }

    /// Plays the client over a stream, for conversations of one connection.
    ///
    /// # Errors
    /// The first difference.
    pub async fn client_over(&self, stream: impl AsyncRead + AsyncWrite + Unpin) -> Result<(), Difference> {
        self.play(stream, self.first(), By::Client).await
    }

    /// Plays the server over a stream, for conversations of one connection.
    ///
    /// # Errors
    /// The first difference.
    pub async fn server_over(&self, stream: impl AsyncRead + AsyncWrite + Unpin) -> Result<(), Difference> {
        self.play(stream, self.first(), By::Server).await
    }

    /// Plays the server: `test` is given its address, where the client of the test connects as often as was
    /// recorded, in the same order. Ends when the last connection has been played, and `test` has ended.
    ///
    /// # Errors
    /// The first difference; a connection that is not made in time is one.
    pub async fn server<T, F: Future<Output = T>>(
        &self,
        test: impl FnOnce(SocketAddr) -> F,
    ) -> Result<T, Difference> {
        let broken = |error: io::Error| self.no_connection(self.first(), &error);
        let listener = TcpListener::bind("127.0.0.1:0").await.map_err(broken)?;
        let address = listener.local_addr().map_err(broken)?;
        let serve = async {
            let mut playing = JoinSet::new();
            for connection in self.conversation.connections() {
                let accepted = timeout(self.patience, listener.accept()).await;
                match accepted {
                    Ok(Ok((stream, _))) => {
                        let replay = self.clone();
                        playing.spawn(async move { replay.play(stream, connection, By::Server).await });
                    }
                    Ok(Err(error)) => return Err(self.no_connection(connection, &error)),
                    Err(_) => return Err(self.no_connection(connection, &"no client connected in time")),
                }
            }
            while let Some(played) = playing.join_next().await {
                played.unwrap_or_else(|why| Err(self.no_connection(self.first(), &why)))?;
            }
            Ok(())
        };
        let (played, result) = tokio::join!(serve, test(address));
        played.map(|()| result)
    }

    fn first(&self) -> u32 {
        self.conversation.connections().first().copied().unwrap_or(1)
    }

    fn no_connection(&self, connection: u32, why: &dyn fmt::Display) -> Difference {
        let expected = "a connection".to_owned();
        Difference { connection, turn: 0, at: 0, expected, found: why.to_string() }
    }

    /// Plays this side of a connection.
    async fn play(
        &self,
        stream: impl AsyncRead + AsyncWrite + Unpin,
        connection: u32,
        side: By,
    ) -> Result<(), Difference> {
        let (from, mut to) = tokio::io::split(stream);
        let mut theirs = Theirs { from, read: Vec::new(), turn: 0, connection, patience: self.patience };
        for (by, bytes) in self.conversation.turns(connection) {
            match (by == side, bytes) {
                (true, Some(bytes)) => {
                    if let Err(error) = to.write_all(&bytes).await {
                        return Err(theirs.differs(0, "to read on", &error.to_string()));
                    }
                }
                (true, None) => {
                    let _ = to.shutdown().await; // it may have ended first
                }
                (false, Some(bytes)) => {
                    theirs.compare(Expected::new(&bytes, theirs.turn, &self.masks)).await?;
                }
                (false, None) => theirs.end().await?,
            }
        }
        match theirs.read.is_empty() {
            true => Ok(()),
            false => Err(theirs.differs(0, "nothing more", &shown(&theirs.read))),
        }
    }
}

/// The bytes of the other side.
struct Theirs<R> {
    from: R,
    /// Bytes that were read and are not compared yet.
    read: Vec<u8>,
    turn: usize,
    connection: u32,
    patience: Duration,
}

impl<R: AsyncRead + Unpin> Theirs<R> {
    fn differs(&self, at: usize, expected: &str, found: &str) -> Difference {
        let (expected, found) = (expected.to_owned(), found.to_owned());
        Difference { connection: self.connection, turn: self.turn, at, expected, found }
    }

    /// Reads more; 0 at the end.
    async fn more(&mut self) -> Result<usize, &'static str> {
        let mut piece = vec![0; 16 << 10];
        let n = match timeout(self.patience, self.from.read(&mut piece)).await {
            Ok(read) => read.unwrap_or(0), // a reset is an end
            Err(_) => return Err("nothing in time"),
        };
        self.read.extend_from_slice(&piece[..n]);
        Ok(n)
    }

    async fn compare(&mut self, mut expected: Expected) -> Result<(), Difference> {
        loop {
            let fed = expected.feed(&self.read);
            match fed {
                Ok(taken) => drop(self.read.drain(..taken)),
                Err(at) => {
                    let (next, found) = (shown(&expected.next()), shown(&self.read[at..]));
                    return Err(self.differs(expected.taken(), &next, &found));
                }
            }
            if expected.is_done() {
                self.turn += 1;
                return Ok(());
            }
            let next = shown(&expected.next());
            match self.more().await {
                Ok(0) => return Err(self.differs(expected.taken(), &next, "the end")),
                Ok(_) => {}
                Err(why) => return Err(self.differs(expected.taken(), &next, why)),
            }
        }
    }

    async fn end(&mut self) -> Result<(), Difference> {
        if self.read.is_empty() {
            match self.more().await {
                Ok(0) => return Ok(()),
                Ok(_) => {}
                Err(why) => return Err(self.differs(0, "the end", why)),
            }
        }
        Err(self.differs(0, "the end", &shown(&self.read)))
    }
}

fn shown(bytes: &[u8]) -> String {
    let more = if bytes.len() > SHOWN { "…" } else { "" };
    format!("\"{}\"{more}", bytes[..bytes.len().min(SHOWN)].escape_ascii())
}

//! The client.

use crate::{Options, WebSocket, ends::Ends, line::Line};
use polywire_call::{Code, Metadata, Origin, Status};
use polywire_client::{Channel, Target};
use polywire_protocols::http::websocket::{
    deflate::{offer, read_answer},
    handshake,
};

/// A socket that is to be opened over a channel of the protocol `http` (RFC 6455) or `h2` (RFC 8441); over
/// TLS if the channel has it.
///
/// ```no_run
/// # async fn talk() -> Result<(), polywire::Status> {
/// use polywire::{Channel, websocket::{Connect, code}};
///
/// let channel = Channel::builder("127.0.0.1:8000").protocol("http").build().expect("a valid address");
/// let mut socket = Connect::new(&channel, "/echo").subprotocol("chat").open().await?;
/// socket.send("hello").await?;
/// let answer = socket.next().await;
/// socket.close(code::NORMAL, "").await?;
/// # Ok(())
/// # }
/// ```
#[must_use = "nothing is sent before `open`"]
pub struct Connect {
    channel: Channel,
    path: String,
    protocols: Vec<String>,
    fields: Metadata,
    options: Options,
}

impl Connect {
    /// `path` begins with a slash and may have a query.
    pub fn new<P>(channel: &Channel<P>, path: &str) -> Self {
        Connect {
            channel: channel.clone().retyped(),
            path: path.to_owned(),
            protocols: Vec::new(),
            fields: Metadata::new(),
            options: Options::default(),
        }
    }

    /// Offers a further subprotocol, after those offered before.
    pub fn subprotocol(mut self, name: &str) -> Self {
        self.protocols.push(name.to_owned());
        self
    }

    /// A field of the request, such as `origin` or `authorization`.
    pub fn metadata(mut self, name: &str, value: impl AsRef<[u8]>) -> Self {
        self.fields.append(name, value);
        self
    }

    pub fn options(mut self, options: Options) -> Self {
        self.options = options;
        self
    }

    /// Opens the socket. It tries again if the connection ended before an answer: the channel may have kept a
    /// connection that the server has just closed, and the request is safe to repeat (RFC 9110, 9.2.1).
    ///
    /// # Errors
    /// The status of an answer that does not open a socket. UNKNOWN: the answer is not that of a WebSocket
    /// server, or it chose a subprotocol or an extension that was not offered. UNAVAILABLE and the like:
    /// there is no connection.
    pub async fn open(self) -> Result<WebSocket, Status> {
        match self.attempt().await {
            Err(why) if why.code() == Code::Unavailable && why.origin() == Origin::Transport => {
                self.attempt().await
            }
            opened => opened,
        }
    }

    async fn attempt(&self) -> Result<WebSocket, Status> {
        let mut random = [0; 16];
        getrandom::fill(&mut random).map_err(|_| Status::internal("the system has no random numbers"))?;
        let key = handshake::key(random);
        let mut call = self.channel.stream(Target::named("", &*self.path));
        for (name, value) in self.fields.iter() {
            call = call.metadata(name, value);
        }
        if !self.protocols.is_empty() {
            call = call.metadata(handshake::PROTOCOL, self.protocols.join(", "));
        }
        let takeover = self.options.deflate.map(|deflate| deflate.takeover);
        if let Some(takeover) = takeover {
            call = call.metadata(handshake::EXTENSIONS, offer(takeover));
        }
        let mut stream = call
            .metadata(":method", "GET")
            .metadata(":protocol", handshake::TOKEN)
            .metadata(handshake::VERSION, handshake::VERSION_13)
            .metadata(handshake::KEY, &key)
            .await?;
        let Some(answer) = stream.opened().await else {
            let ended = stream.next().await;
            let why =
                ended.and_then(Result::err).or_else(|| stream.outcome().map(|ended| ended.into_status()));
            return Err(why.filter(|why| !why.is_ok()).unwrap_or_else(|| not_one("the answer has no head")));
        };
        let fields = answer.metadata.as_deref();
        let field = |name| fields.and_then(|fields| fields.get(name));
        // Over HTTP/2 an answer to CONNECT has neither this status nor a key; over HTTP/1 no other is a
        // beginning.
        let accept = handshake::accept(key.as_bytes());
        if answer.status == 101 && field(handshake::ACCEPT) != Some(accept.as_bytes()) {
            return Err(not_one("the answer does not open a WebSocket"));
        }
        let agreed = match field(handshake::EXTENSIONS) {
            None => None,
            Some(value) => Some(
                takeover
                    .and_then(|takeover| read_answer(value, takeover))
                    .ok_or_else(|| not_one("the server chose an extension that was not offered"))?,
            ),
        };
        let subprotocol = field(handshake::PROTOCOL).map(|name| String::from_utf8_lossy(name).into_owned());
        if subprotocol.as_ref().is_some_and(|name| !self.protocols.contains(name)) {
            return Err(not_one("the server chose a subprotocol that was not offered"));
        }
        let ends = Ends::Client(Box::new(stream));
        let line = Line::new(ends, &self.options, agreed, self.channel.faults().clone(), None);
        Ok(WebSocket::new(line, &self.options, subprotocol))
    }
}

/// The peer is no WebSocket server.
#[cold]
fn not_one(text: &str) -> Status {
    Status::unknown(text).with_origin(Origin::Remote)
}

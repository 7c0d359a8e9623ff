//! Calls over WebSocket as pages in browsers make them: messages are JSON that the server converts, so no
//! schema is needed here. The wire form is described in docs/wire/websocket.md.
//!
//! WebSocket is not one of the built-in protocols: it takes over a connection of `http` or a stream of `h2`.

use crate::{failure::Failure, peer::PeerArguments, terminal};
use polywire::websocket::{Connect, JSON, Receiver, Sender};
use serde_json::Value;

/// The name in `--protocol`.
pub const NAME: &str = "websocket";

/// The method that is pressed where the user names none. It answers each message with the same.
pub const METHOD: &str = "example.StreamService/Chat";

/// The name of the HTTP protocol that carries the WebSocket protocol `protocol`; `None`: it is another one.
pub fn carrier(protocol: &str) -> Option<&'static str> {
    match protocol {
        NAME | "websocket:http" => Some("http"),
        "websocket:h2" => Some("h2"),
        _ => None,
    }
}

/// Opens a WebSocket to a method; the opening request carries `fields`.
///
/// # Errors
/// There is no connection, or the server does not open a socket.
pub async fn open(
    peer: &PeerArguments,
    method: &str,
    fields: &[(String, String)],
) -> Result<(Sending, Answers), Failure> {
    let carrier = carrier(&peer.protocol).unwrap_or("http");
    let channel = PeerArguments { protocol: carrier.to_owned(), ..peer.clone() }.channel()?;
    let mut connect = Connect::new(&channel, &path(method)).subprotocol(JSON);
    for (name, value) in fields {
        connect = connect.metadata(name, value);
    }
    let socket = connect.open().await.map_err(|status| {
        Failure::failed(format!("no socket at {}: {}", peer.server, terminal::line(&status.to_string())))
    })?;
    let (sender, receiver) = socket.split();
    Ok((Sending(sender), Answers(receiver)))
}

/// `package.Service.Method` or `package.Service/Method` as a path.
fn path(method: &str) -> String {
    match method.trim_start_matches('/') {
        method if method.contains('/') => format!("/{method}"),
        method => match method.rsplit_once('.') {
            Some((service, method)) => format!("/{service}/{method}"),
            None => format!("/{method}"),
        },
    }
}

/// The half that sends.
pub struct Sending(Sender);

impl Sending {
    /// Whether the message could be sent; if not, the answers have the reason.
    pub async fn send(&mut self, json: &str) -> bool {
        self.0.send(json).await.is_ok()
    }

    /// Ends the stream of requests.
    pub async fn end(&mut self) {
        let _ = self.0.send("#end").await; // the answers have the reason
    }
}

/// The half that receives.
pub struct Answers(Receiver);

impl Answers {
    /// The next answer; `None` at the end of a call that went well.
    ///
    /// # Errors
    /// Why the call failed.
    pub async fn next(&mut self) -> Result<Option<String>, Failure> {
        let Some(message) = self.0.next().await else {
            let told = self.0.closed().map(|close| format!(" ({} {})", close.code, close.reason));
            let why = format!("the server closed the socket{}", told.unwrap_or_default());
            return Err(Failure::failed(terminal::line(&why)));
        };
        let text = message.and_then(|message| message.into_text());
        let text = text.map_err(|status| Failure::failed(terminal::line(&status.to_string())))?;
        match text.strip_prefix("#end") {
            None => Ok(Some(text)),
            Some(end) => ended(end).map(|()| None),
        }
    }
}

/// Reads the object after `#end`. An empty one means that the call succeeded.
fn ended(end: &str) -> Result<(), Failure> {
    let object = if end.is_empty() { "{}" } else { end };
    let Ok(end @ Value::Object(_)) = serde_json::from_str::<Value>(object) else {
        let why = format!("how the call ended cannot be read: {:.100}", terminal::line(end));
        return Err(Failure::failed(why));
    };
    let Some(error) = end.get("error") else { return Ok(()) };
    let member = |name| error.get(name).and_then(Value::as_str).unwrap_or_default();
    let (code, message) = (member("code").to_uppercase(), member("message"));
    Err(Failure::failed(terminal::line(&format!("{code}: {message}"))))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn methods_become_paths_however_they_are_spelled() {
        for method in ["a.B.C", "a.B/C", "/a.B/C"] {
            assert_eq!(path(method), "/a.B/C");
        }
    }

    #[test]
    fn the_end_of_a_call_tells_whether_it_went_well() {
        assert!(ended("").is_ok() && ended(" {\"metadata\":{\"a\":[\"b\"]}}").is_ok());
        let failed = ended(" {\"error\":{\"code\":\"not_found\",\"message\":\"no\"}}").unwrap_err();
        assert_eq!(failed.to_string(), "NOT_FOUND: no");
        for cut in [" {\"error\":{\"code\":\"not_found\"", " 1", " null", "less"] {
            assert!(ended(cut).is_err(), "{cut}");
        }
    }
}

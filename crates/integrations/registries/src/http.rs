//! Requests to a registry that speaks HTTP with JSON, by our own channels.

use crate::{
    bounds::{CONNECT_TIMEOUT, LONGEST_ANSWER},
    dial::Dial,
};
use polywire_call::{ConfigError, Metadata, Native, Status};
use polywire_client::{Builder, Channel, Resilience, Stream, Target};
use polywire_naming::SourceError;
use polywire_protocols::http;
use polywire_wire::Limits;
use serde_json::{Value, value::RawValue};
use std::{
    fmt,
    sync::atomic::{AtomicUsize, Ordering::Relaxed},
    time::Duration,
};

/// The longest part of a failed answer's body that messages show.
const LONGEST_QUOTE: usize = 200;

/// The servers of a registry.
pub(crate) struct Http {
    channels: Vec<Channel>,
    /// The channel in use; the next one follows after a failure.
    current: AtomicUsize,
}

/// An answer with a status of 2xx.
pub(crate) struct Answer {
    pub body: Vec<u8>,
    pub fields: Metadata,
}

/// The reason why a request failed.
pub(crate) enum Failed {
    /// The registry answered with this HTTP status and text.
    Answered(u16, String),
    /// The request was not answered.
    Unreached(String),
}

impl From<Failed> for SourceError {
    fn from(failed: Failed) -> Self {
        match failed {
            // The text begins with the status line.
            Failed::Answered(_, text) => SourceError::new(format!("the registry answered {text}")),
            Failed::Unreached(text) => SourceError::new(text),
        }
    }
}

impl fmt::Debug for Http {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.channels.iter().map(Channel::address)).finish()
    }
}

impl Http {
    pub fn new(addresses: &[String], dial: &Dial) -> Result<Http, ConfigError> {
        let channels = dial.channels(addresses, options)?;
        Ok(Http { channels, current: AtomicUsize::new(0) })
    }

    /// Sends a request. After a failure the next one goes to the next address.
    pub async fn send(
        &self,
        verb: &str,
        path: &str,
        fields: &[(&str, &str)],
        body: Vec<u8>,
        timeout: Duration,
    ) -> Result<Answer, Failed> {
        let current = self.current.load(Relaxed);
        let channel = &self.channels[current % self.channels.len()];
        let mut call = channel.call(Target::named("", path), body).metadata(":method", verb).timeout(timeout);
        for (name, value) in fields {
            call = call.metadata(name, value);
        }
        match call.await {
            Ok(reply) => {
                let (raw, _, fields, _) = reply.into_parts();
                Ok(Answer { body: raw.body.to_vec(), fields })
            }
            Err(status) => {
                let failed = failure(status);
                if !matches!(failed, Failed::Answered(400..=499, _)) {
                    let _ = self.current.compare_exchange(current, current.wrapping_add(1), Relaxed, Relaxed);
                }
                Err(failed)
            }
        }
    }

    /// Sends a request whose answer is read as it arrives, and has no time limit.
    pub async fn stream(&self, path: &str, fields: &[(&str, &str)]) -> Result<Body, Failed> {
        let channel = &self.channels[self.current.load(Relaxed) % self.channels.len()];
        let call = channel.stream(Target::named("", path)).message(Vec::new()).metadata(":method", "GET");
        let call = fields.iter().fold(call, |call, (name, value)| call.metadata(name, value));
        Ok(Body(call.await.map_err(failure)?))
    }

    /// Sends a request without a body.
    pub async fn get(
        &self,
        path: &str,
        fields: &[(&str, &str)],
        timeout: Duration,
    ) -> Result<Answer, Failed> {
        self.send("GET", path, fields, Vec::new(), timeout).await
    }
}

/// The body of an answer that is still coming.
pub(crate) struct Body(Stream);

impl Body {
    /// The next bytes; `None` at a good end.
    pub async fn next(&mut self) -> Option<Result<Vec<u8>, Failed>> {
        let part = self.0.next().await?;
        Some(part.map(|part| part.bytes.to_vec()).map_err(failure))
    }
}

/// Options for calls to a registry, which is asked once and may answer late; the source makes its own pauses
/// between attempts.
pub(crate) fn options(builder: Builder) -> Builder {
    let limits = Limits::default().max_message(LONGEST_ANSWER);
    builder
        .protocol(http::PROTOCOL.name)
        .resilience(Resilience::default().retries(0))
        .connect_timeout(CONNECT_TIMEOUT)
        .limits(limits)
}

fn failure(status: Status) -> Failed {
    let text: String = status.message().chars().take(LONGEST_QUOTE).collect();
    match status.native() {
        Native::Http(code) => Failed::Answered(code, text),
        _ => Failed::Unreached(format!("{}: {text}", status.code())),
    }
}

/// The approximate number of values in a JSON text: all but the first follow a bracket, a colon or a comma.
#[cfg(feature = "k8s")]
pub(crate) fn values(json: &[u8]) -> usize {
    let (mut values, mut inside, mut escaped) = (0, false, false);
    for byte in json {
        match byte {
            _ if escaped => escaped = false,
            b'\\' if inside => escaped = true,
            b'"' => inside = !inside,
            b'[' | b'{' | b':' | b',' if !inside => values += 1,
            _ => {}
        }
    }
    values
}

/// The elements of a JSON array, unread. A value of another kind is an error.
pub(crate) fn elements(json: &[u8]) -> Result<Vec<&RawValue>, SourceError> {
    serde_json::from_slice(json)
        .map_err(|error| SourceError::new(format!("the answer is not a JSON array: {error}")))
}

/// The member at the end of a path.
pub(crate) fn at<'v>(value: &'v Value, path: &[&str]) -> Option<&'v Value> {
    path.iter().try_fold(value, |value, name| value.get(name))
}

/// Text that is not empty, at the end of a path.
pub(crate) fn text<'v>(value: &'v Value, path: &[&str]) -> Option<&'v str> {
    at(value, path)?.as_str().filter(|text| !text.is_empty())
}

//! Converts what the user types to requests, in the encoding of the channel. They are encoded once.
//!
//! | file | what it is |
//! | --- | --- |
//! | `subject` | the method or path that is called: `method` or `http_path` here, `flat`, `rest_rpc` and `redis` in the parent |
//! | `messages` | finds it, for protocols that carry messages of methods |
//! | `input` | texts from options and files, split into values |
//! | `json` | converts JSON to bodies and back, by schema |

mod http_path;
pub mod input;
pub mod json;
mod messages;
mod method;
mod subject;

pub use messages::{messages, messages_or_paths};
pub use method::Method;
pub use subject::{Asked, Subject};

use crate::{failure::Failure, schema::SchemaArguments};
use bytes::Bytes;
use polywire::{Call, Channel, Compression, Raw, StreamingCall};
use polywire_formats::schema::MethodSchema;
use std::{collections::BTreeSet, sync::Arc};
use tokio::sync::mpsc;

/// The form of requests.
#[derive(clap::Args, Clone, Default)]
pub struct FormArguments {
    #[command(flatten)]
    pub schema: SchemaArguments,
    /// Compresses requests
    #[arg(long, value_name = "CODEC")]
    pub compress: Option<Codec>,
    /// A field of each request: HTTP header, baidu_std user field; also `NAME: VALUE`; may be given several
    /// times
    #[arg(long, short = 'H', value_name = "NAME=VALUE", value_parser = field)]
    pub metadata: Vec<(String, String)>,
    /// Calls with equal numbers go to the same server, if the balancer hashes: c_murmurhash, c_md5, c_ketama,
    /// ring_hash
    #[arg(long, value_name = "NUMBER")]
    pub key: Option<u64>,
}

/// [`Compression`] as written on the command line.
#[derive(clap::ValueEnum, Clone, Copy, PartialEq, Eq)]
pub enum Codec {
    Gzip,
    Zlib,
    Snappy,
    /// For gRPC and Connect.
    Zstd,
}

impl From<Codec> for Compression {
    fn from(codec: Codec) -> Self {
        match codec {
            Codec::Gzip => Compression::GZIP,
            Codec::Zlib => Compression::ZLIB,
            Codec::Snappy => Compression::SNAPPY,
            Codec::Zstd => Compression::ZSTD,
        }
    }
}

/// Metadata, attachment, compression and key of each request.
#[derive(Default)]
pub struct Extras {
    pub attachment: Bytes,
    compression: Compression,
    fields: Vec<(String, String)>,
    key: Option<u64>,
}

impl Extras {
    /// `None` if there are none.
    pub fn new(form: &FormArguments, subject: &dyn Subject, attachment: Bytes) -> Option<Extras> {
        let mut fields = form.metadata.clone();
        fields.extend(subject.verb().map(|verb| (":method".to_owned(), verb.to_owned())));
        let compression = form.compress.map(Compression::from).unwrap_or_default();
        let key = form.key;
        let nothing =
            attachment.is_empty() && fields.is_empty() && compression == Compression::NONE && key.is_none();
        (!nothing).then_some(Extras { attachment, compression, fields, key })
    }

    /// Adds metadata and attachment to a call.
    pub fn add_to<R>(&self, mut call: Call<R>) -> Call<R> {
        if !self.attachment.is_empty() {
            call = call.attachment(self.attachment.clone());
        }
        if self.compression != Compression::NONE {
            call = call.compress(self.compression);
        }
        if let Some(key) = self.key {
            call = call.key(key);
        }
        for (name, value) in &self.fields {
            call = call.metadata(name, value);
        }
        call
    }
}

impl Extras {
    /// Adds the extras to a streaming call, except the attachment, for which such a call has no place.
    pub fn add_to_stream<S>(&self, mut call: StreamingCall<S>) -> StreamingCall<S> {
        call = call.compress(self.compression);
        if let Some(key) = self.key {
            call = call.key(key);
        }
        for (name, value) in &self.fields {
            call = call.metadata(name, value);
        }
        call
    }
}

/// A field as `NAME=VALUE`, or as curl and grpcurl take it, `NAME: VALUE`. The first of both signs counts;
/// one at the beginning belongs to the name (`:authority`).
pub fn field(text: &str) -> Result<(String, String), String> {
    let sign = text.char_indices().skip(1).find(|(_, sign)| matches!(sign, '=' | ':'));
    match sign.filter(|_| !text.starts_with('=')) {
        Some((at, '=')) => Ok((text[..at].to_owned(), text[at + 1..].to_owned())),
        Some((at, _)) => Ok((text[..at].trim().to_owned(), text[at + 1..].trim().to_owned())),
        None => Err("neither NAME=VALUE nor NAME: VALUE".into()),
    }
}

/// Encoded requests of one method. Kept until the program ends, so that calls share them without reference
/// counting.
pub struct Requests {
    pub subject: Arc<dyn Subject>,
    /// The bodies; never empty.
    pub bodies: &'static [&'static [u8]],
    /// See [`Subject::keys`].
    pub keys: &'static [u64],
}

/// Reads, checks and encodes requests; prints notes about the input on standard error. `input`: values one
/// after another, or the name of a file with them.
///
/// # Errors
/// Input that does not fit the subject, with the place.
pub fn load(subject: Arc<dyn Subject>, input: Option<&str>, channel: &Channel) -> Result<Requests, Failure> {
    let bodies = subject.requests(input, channel.content())?;
    if bodies.is_empty() {
        return Err(Failure::usage("the input contains no request"));
    }
    let bodies = bodies.into_iter().map(|body| &*body.leak()).collect::<Vec<_>>().leak();
    let keys = subject.keys().leak();
    Ok(Requests { subject, bodies, keys })
}

/// Requests of a stream. Standard input is read while the call is in flight, one value at a time.
///
/// # Errors
/// Input that does not fit the method, before anything is sent; for standard input, an item of the stream is
/// the error.
pub fn stream(
    method: MethodSchema<'static>,
    input: Option<&str>,
    channel: &Channel,
) -> Result<mpsc::Receiver<Result<Raw, Failure>>, Failure> {
    let content = channel.content();
    if input == Some("-") {
        let (sender, requests) = mpsc::channel(1);
        std::thread::spawn(move || {
            for value in input::values(std::io::stdin().lock()) {
                let request = value.and_then(|json| {
                    print_notes(json::notes(method, &json));
                    json::request(method, &json, content).map_err(|error| input::place(&json, 0, &error))
                });
                if sender.blocking_send(request.map(Raw::new)).is_err() {
                    return; // the call has ended
                }
            }
        });
        return Ok(requests);
    }
    let bodies = load(Arc::new(Method(method)), input, channel)?.bodies;
    let (sender, requests) = mpsc::channel(bodies.len());
    for body in bodies {
        let _ = sender.try_send(Ok(Raw::new(Bytes::from_static(body)))); // there is room for all of them
    }
    Ok(requests)
}

/// Prints each note once.
pub fn print_notes(notes: Vec<String>) {
    let notes: BTreeSet<_> = notes.into_iter().collect();
    notes.iter().for_each(|note| eprintln!("polywire: {note}"));
}

#[cfg(test)]
mod tests {
    use super::field;

    #[test]
    fn a_field_is_written_with_either_sign() {
        for (text, name, value) in [
            ("a=b", "a", "b"),
            ("a= b:c=d", "a", " b:c=d"),
            ("authorization: Bearer x=", "authorization", "Bearer x="),
            ("a:b", "a", "b"),
            ("a:", "a", ""),
            ("a=", "a", ""),
            (":authority=a:1", ":authority", "a:1"),
        ] {
            assert_eq!(field(text), Ok((name.to_owned(), value.to_owned())), "{text}");
        }
        for text in ["a", "", "=a", ": a", "=a=b"] {
            assert!(field(text).is_err(), "{text}");
        }
    }
}

//! Requests from what one types, in the form the channel wants, encoded once.
//!
//! | file | what it is |
//! | --- | --- |
//! | `subject` | what is called: a method, a path, redis |
//! | `input` | texts from options and files, split into values |
//! | `json` | JSON into bodies and back, by schema |
//! | `answer` | replies as text |

pub mod answer;
mod input;
pub mod json;
mod subject;

pub use subject::Subject;

use crate::{failure::Failure, redis, rest_rpc, schema::SchemaArguments};
use bytes::Bytes;
use polywire::{Call, Channel, Compression, Raw, StreamingCall};
use polywire_formats::schema::MethodSchema;
use std::collections::BTreeSet;
use tokio::sync::mpsc;

/// Form of requests.
#[derive(clap::Args, Clone, Default)]
pub struct FormArguments {
    #[command(flatten)]
    pub schema: SchemaArguments,
    /// Compresses requests
    #[arg(long, value_name = "CODEC")]
    pub compress: Option<Codec>,
    /// A field beside each request: HTTP header, baidu_std user field; may be given several times
    #[arg(long, short = 'H', value_name = "NAME=VALUE", value_parser = field)]
    pub metadata: Vec<(String, String)>,
}

/// [`Compression`] as one writes it.
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

/// What goes beside each request.
#[derive(Default)]
pub struct Extras {
    pub attachment: Bytes,
    compression: Compression,
    fields: Vec<(String, String)>,
}

impl Extras {
    /// `None` if nothing does.
    pub fn new(form: &FormArguments, subject: &Subject, attachment: Bytes) -> Option<Extras> {
        let mut fields = form.metadata.clone();
        fields.extend(subject.verb().map(|verb| (":method".to_owned(), verb.to_owned())));
        let compression = form.compress.map(Compression::from).unwrap_or_default();
        let nothing = attachment.is_empty() && fields.is_empty() && compression == Compression::NONE;
        (!nothing).then_some(Extras { attachment, compression, fields })
    }

    /// The call with them.
    pub fn add_to<R>(&self, mut call: Call<R>) -> Call<R> {
        if !self.attachment.is_empty() {
            call = call.attachment(self.attachment.clone());
        }
        if self.compression != Compression::NONE {
            call = call.compress(self.compression);
        }
        for (name, value) in &self.fields {
            call = call.metadata(name, value);
        }
        call
    }
}

impl Extras {
    /// A streaming call with them; an attachment has no place there.
    pub fn add_to_stream<S>(&self, mut call: StreamingCall<S>) -> StreamingCall<S> {
        call = call.compress(self.compression);
        for (name, value) in &self.fields {
            call = call.metadata(name, value);
        }
        call
    }
}

fn field(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((name, value)) if !name.is_empty() => Ok((name.to_owned(), value.to_owned())),
        _ => Err("not NAME=VALUE".into()),
    }
}

/// Encoded requests of one method. Kept until the program ends, so that calls share them without counting.
pub struct Requests {
    pub subject: Subject,
    /// Not empty.
    pub bodies: &'static [&'static [u8]],
}

/// Reads, checks and encodes; says on standard error what is odd about the input. `input`: values one after another,
/// or the name of a file with them.
///
/// # Errors
/// Input that does not fit the subject, with the place.
pub fn load(subject: Subject, input: Option<&str>, channel: &Channel) -> Result<Requests, Failure> {
    let bodies = match &subject {
        Subject::Redis { line } => {
            let text = input.map_or_else(|| Ok(line.clone()), input::text_or_file)?;
            let lines = text.lines().filter(|line| !line.trim().is_empty());
            lines.map(redis::command).collect::<Result<Vec<_>, _>>()?
        }
        Subject::Flat(method) => {
            let text = input.map_or_else(|| Ok(method.sample().to_owned()), input::json_or_file)?;
            let values = input::split(&text)?.into_iter();
            let encode = |(at, one)| method.request(one).map_err(|error| input::place(&text, at, &error));
            values.map(encode).collect::<Result<Vec<_>, _>>()?
        }
        Subject::Function { .. } => {
            let text = input.map_or_else(|| Ok(rest_rpc::SAMPLE.to_owned()), input::json_or_file)?;
            let values = input::split(&text)?.into_iter();
            values.map(|(_, one)| rest_rpc::request(one, channel.content())).collect::<Result<Vec<_>, _>>()?
        }
        Subject::Path { .. } => {
            vec![input.map(input::text_or_file).transpose()?.unwrap_or_default().into_bytes()]
        }
        Subject::Method(method) => {
            let text = match input {
                Some(given) => input::json_or_file(given)?,
                None => subject::sample(*method).to_owned(),
            };
            let values = input::split(&text)?;
            tell(values.iter().flat_map(|(_, one)| json::notes(*method, one)).collect());
            let encode = |(at, one)| {
                json::request(*method, one, channel.content())
                    .map_err(|error| input::place(&text, at, &error))
            };
            values.into_iter().map(encode).collect::<Result<Vec<_>, _>>()?
        }
    };
    if bodies.is_empty() {
        return Err(Failure::usage("there is no request in the input"));
    }
    let bodies = bodies.into_iter().map(|body| &*body.leak()).collect::<Vec<_>>().leak();
    Ok(Requests { subject, bodies })
}

/// Requests of a stream as they come. Standard input is read while the call is under way, a value at a time.
///
/// # Errors
/// Input that does not fit the method, before anything is sent; of standard input the stream's item says it.
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
                    tell(json::notes(method, &json));
                    json::request(method, &json, content).map_err(|error| input::place(&json, 0, &error))
                });
                if sender.blocking_send(request.map(Raw::new)).is_err() {
                    return; // the call has ended
                }
            }
        });
        return Ok(requests);
    }
    let bodies = load(Subject::Method(method), input, channel)?.bodies;
    let (sender, requests) = mpsc::channel(bodies.len());
    for body in bodies {
        let _ = sender.try_send(Ok(Raw::new(Bytes::from_static(body)))); // there is room for all
    }
    Ok(requests)
}

/// Each note once.
fn tell(notes: Vec<String>) {
    let notes: BTreeSet<_> = notes.into_iter().collect();
    notes.iter().for_each(|note| eprintln!("polywire: {note}"));
}

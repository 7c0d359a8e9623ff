//! Requests from what one types: JSON into the form the channel wants, encoded once.

use crate::{
    failure::Failure,
    schema::{self, SchemaArguments, Schemas},
};
use polywire::{Channel, Compression, Content, Target};
use polywire_formats::schema::MethodSchema;
use std::path::Path;

/// What is sent.
#[derive(clap::Args, Clone)]
pub struct InputArguments {
    /// The request as JSON, several one after another, or a file with them (- is standard input); for redis
    /// commands: SET key value
    #[arg(long, short = 'i', visible_alias = "data", value_name = "JSON-OR-FILE")]
    pub input: Option<String>,
    #[command(flatten)]
    pub schema: SchemaArguments,
    /// Compresses requests
    #[arg(long, value_name = "CODEC")]
    pub compress: Option<Codec>,
}

/// [`Compression`] as one writes it.
#[derive(clap::ValueEnum, Clone, Copy, PartialEq, Eq)]
pub enum Codec {
    Gzip,
    Zlib,
    Snappy,
}

impl InputArguments {
    pub fn compression(&self) -> Compression {
        match self.compress {
            None => Compression::NONE,
            Some(Codec::Gzip) => Compression::GZIP,
            Some(Codec::Zlib) => Compression::ZLIB,
            Some(Codec::Snappy) => Compression::SNAPPY,
        }
    }
}

/// Encoded requests of one method. Kept until the program ends, so that calls share them without counting.
pub struct Requests {
    /// As the user would write it again.
    pub method: String,
    /// `None`: redis.
    pub schema: Option<MethodSchema<'static>>,
    /// Not empty.
    pub bodies: &'static [&'static [u8]],
    pub redis: bool,
}

impl Requests {
    pub fn target(&self) -> Target {
        self.schema.map_or(Target::fixed("", ""), schema::target)
    }
}

/// Reads, checks and encodes.
///
/// # Errors
/// An unknown method, input that does not fit it.
pub fn load(input: &InputArguments, method: &str, channel: &Channel) -> Result<Requests, Failure> {
    let method = Schemas::load(&input.schema)?.method(method)?;
    let text = match &input.input {
        Some(given) => read(given)?,
        None => sample(method).to_owned(),
    };
    let mut bodies = Vec::new();
    for (at, one) in split(&text)? {
        bodies
            .push(&*encode(method, one, channel.content()).map_err(|wrong| place(&text, at, &wrong))?.leak());
    }
    if bodies.is_empty() {
        return Err(Failure::usage("--input: no JSON object in it"));
    }
    Ok(Requests {
        method: schema::full_name(method),
        schema: Some(method),
        bodies: bodies.leak(),
        redis: false,
    })
}

/// JSON itself, or the file of this name.
fn read(given: &str) -> Result<String, Failure> {
    if given.trim_start().starts_with(['{', '[']) {
        return Ok(given.to_owned());
    }
    if given == "-" {
        return std::io::read_to_string(std::io::stdin())
            .map_err(|error| Failure::failed(format!("standard input: {error}")));
    }
    std::fs::read_to_string(Path::new(given)).map_err(|error| {
        Failure::usage(format!(
            "--input {given:?} is neither a JSON object nor a file that can be read: {error}"
        ))
    })
}

/// A request for those who give none.
pub fn sample(method: MethodSchema<'_>) -> &'static str {
    match method.input.full_name() {
        "example.EchoRequest" => r#"{"message":"hello"}"#,
        "helloworld.HelloRequest" => r#"{"name":"world"}"#,
        "test.BenchmarkMessage" => r#"{"opcode":0,"echo_attachment":0,"attachment_size":0,"request_id":1}"#,
        _ => "{}",
    }
}

/// JSON values one after another, each with its offset.
fn split(text: &str) -> Result<Vec<(usize, &str)>, Failure> {
    let mut values = serde_json::Deserializer::from_str(text).into_iter::<serde::de::IgnoredAny>();
    let mut found = Vec::new();
    loop {
        let start = values.byte_offset();
        match values.next() {
            None => return Ok(found),
            Some(Ok(_)) => found.push((start, &text[start..values.byte_offset()])),
            Some(Err(error)) => return Err(Failure::usage(format!("--input: {error}"))),
        }
    }
}

fn encode(method: MethodSchema<'_>, json: &str, content: Content) -> Result<Vec<u8>, String> {
    let wire = crate::interim_json::to_wire(method.input, json)?;
    match content {
        Content::PROTOBUF => Ok(wire),
        _ => Ok(json.as_bytes().to_vec()),
    }
}

fn place(_text: &str, at: usize, wrong: &str) -> Failure {
    Failure::usage(format!("--input at byte {at}: {wrong}"))
}

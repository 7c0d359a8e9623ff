//! Methods whose messages are protobuf, or JSON by its mapping.

use super::{FormArguments, Subject, input, json, print_notes};
use crate::{failure::Failure, peer::PeerArguments, schema};
use polywire::{Content, Raw, Target};
use polywire_formats::schema::MethodSchema;

/// A method by its schema.
#[derive(Clone, Copy)]
pub struct Method(pub MethodSchema<'static>);

impl Method {
    /// Finds a method.
    ///
    /// # Errors
    /// The errors of [`schema::method`].
    pub fn find(name: &str, form: &FormArguments, peer: Option<&PeerArguments>) -> Result<Self, Failure> {
        schema::method(name, &form.schema, peer, &form.metadata).map(Method)
    }

    /// A default request.
    fn sample(&self) -> &'static str {
        match self.0.input.full_name() {
            "example.EchoRequest" => r#"{"message":"hello"}"#,
            "example.Line" => r#"{"message":"hello"}"#,
            "example.RepeatRequest" => r#"{"message":"hello","count":3}"#,
            "helloworld.HelloRequest" => r#"{"name":"world"}"#,
            "test.BenchmarkMessage" => r#"{"opcode":0,"echoAttachment":0,"attachmentSize":0,"requestId":1}"#,
            _ => "{}",
        }
    }
}

impl Subject for Method {
    fn target(&self) -> Target {
        Target::fixed(self.0.service, self.0.method).at(self.0.index)
    }

    fn name(&self) -> String {
        schema::full_name(self.0)
    }

    fn requests(&self, input: Option<&str>, content: Content) -> Result<Vec<Vec<u8>>, Failure> {
        let text = input.map_or_else(|| Ok(self.sample().to_owned()), input::json_or_file)?;
        let values = input::split(&text)?;
        print_notes(values.iter().flat_map(|(_, one)| json::notes(self.0, one)).collect());
        let encode =
            |(at, one)| json::request(self.0, one, content).map_err(|error| input::place(&text, at, &error));
        values.into_iter().map(encode).collect()
    }

    fn reply(&self, reply: Raw) -> Result<String, String> {
        json::reply(self.0, reply).map_err(|error| format!("the reply: {error}"))
    }

    fn streaming(&self) -> Option<MethodSchema<'static>> {
        (self.0.client_streaming || self.0.server_streaming).then_some(self.0)
    }
}

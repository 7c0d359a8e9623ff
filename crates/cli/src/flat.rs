//! Methods whose messages are FlatBuffers: converts JSON to messages and back by a schema, from files or of
//! the demo service.

use crate::{
    failure::Failure,
    request::{Subject, input, json::LONGEST},
    schema::SchemaArguments,
};
use polywire::{Content, Raw, Target, flatbuffers, wire::Longest};
use polywire_fbs::{Item, Schema};
use polywire_formats::{FormatError, compression, flatbuffers::json};

pub use crate::generated::{
    flat::*,
    flat_test::{BenchmarkMessageBuf, FlatBenchmark},
};

/// The method whose messages are FlatBuffers, over all protocols that carry them.
pub const FLAT_ECHO: &str = "flat.Echo/Echo";

/// The name by which clients call [`FlatBenchmark`]: that of the same service in protobuf.
pub const BENCHMARK: &str = "test.BenchmarkService";

/// A message with this text.
pub fn message(text: &str) -> MessageBuf {
    flatbuffers::Flat::build_with_capacity(64 + text.len(), |builder| {
        let message = Some(builder.create_string(text));
        Message::create(builder, &MessageArgs { message })
    })
}

/// A method with its schema. Kept until the program ends.
#[derive(Clone, Copy)]
pub struct Method {
    schema: &'static Schema,
    service: &'static Item,
    method: &'static polywire_fbs::Method,
}

impl Method {
    /// Finds a method by its name, `package.Service/Method` or with a dot.
    ///
    /// # Errors
    /// An unknown name, with the known ones; a missing or invalid file, with the place of the error; or a
    /// method that streams.
    pub fn find(name: &str, arguments: &SchemaArguments) -> Result<Self, Failure> {
        if !arguments.proto.is_empty() {
            return Err(Failure::usage("--proto: FlatBuffers are sent here, which --fbs describes"));
        }
        let schema: &'static Schema = Box::leak(Box::new(load(arguments)?));
        let methods = schema.methods().map(|(service, method)| Method { schema, service, method });
        let dotted = name.trim_start_matches('/').replace('/', ".");
        let found = methods.clone().find(|method| method.name().replace('/', ".") == dotted);
        let found = found.ok_or_else(|| {
            let known: Vec<_> = methods.map(|method| method.name()).collect();
            let known = known.join(", ");
            Failure::usage(format!("unknown method {name:?}; of those with FlatBuffers known are {known}"))
        })?;
        if found.method.client_streaming || found.method.server_streaming {
            let text = "methods of FlatBuffers that stream are not called here";
            return Err(Failure::usage(format!("{}: {text}", found.name())));
        }
        Ok(found)
    }

    /// A default request.
    fn sample(&self) -> &'static str {
        if self.name() == FLAT_ECHO { r#"{"message":"hello"}"# } else { "{}" }
    }

    /// A reply as JSON.
    fn json(&self, reply: Raw) -> Result<String, FormatError> {
        let mut body = compression::decompress(reply.compression, reply.body, Longest::default())?;
        let text = json::to_json(self.schema, self.method.response, body.contiguous(), LONGEST)?;
        Ok(String::from_utf8_lossy(&text).into_owned())
    }
}

impl Subject for Method {
    fn target(&self) -> Target {
        Target::fixed(self.service.full_name().leak(), &self.method.name).at(self.method.number)
    }

    fn name(&self) -> String {
        format!("{}/{}", self.service.full_name(), self.method.name)
    }

    fn requests(&self, input: Option<&str>, _: Content) -> Result<Vec<Vec<u8>>, Failure> {
        let text = input.map_or_else(|| Ok(self.sample().to_owned()), input::json_or_file)?;
        let encode = |(at, one): (usize, &str)| {
            json::from_json(self.schema, self.method.request, one.as_bytes())
                .map_err(|error| input::place(&text, at, &error))
        };
        input::split(&text)?.into_iter().map(encode).collect()
    }

    fn reply(&self, reply: Raw) -> Result<String, String> {
        self.json(reply).map_err(|error| format!("the reply: {error}"))
    }
}

/// Loads the schema of the files, or that of the demo services.
fn load(arguments: &SchemaArguments) -> Result<Schema, Failure> {
    let schema = match &*arguments.fbs {
        [] => {
            let benchmark = include_str!("../proto/flat_benchmark.fbs");
            let benchmark = benchmark.replace("namespace flat_test;", "namespace test;");
            let benchmark = benchmark.replace("rpc_service FlatBenchmark", "rpc_service BenchmarkService");
            Schema::parse("flat.fbs", &format!("{}\n{benchmark}", include_str!("../proto/flat.fbs")))
        }
        files => Schema::read(files, &arguments.include),
    };
    schema.map_err(|error| Failure::usage(format!("--fbs: {error}")))
}

//! The program under test of protobuf's `conformance_test_runner`: reads a message in one format, writes it
//! in another.
//!
//! Requests and responses come one after the other on standard input and output: four bytes of length,
//! little-endian, then the message. Source: conformance/conformance.proto of protobuf.

use crate::framed;
use messages::{
    conformance::{
        ConformanceRequest, ConformanceResponse, FailureSet, WireFormat, conformance_request::Payload,
        conformance_response::Result as Outcome,
    },
    protobuf_test_messages::{
        editions::{self, TestAllTypesEdition2023},
        proto2::TestAllTypesProto2,
        proto3::TestAllTypesProto3,
    },
};
use polywire::{Message, Result};
use std::io::{stdin, stdout};

mod messages {
    include!(concat!(env!("OUT_DIR"), "/protobuf-conformance/polywire/all.rs"));
}

pub fn main() -> Result<()> {
    let (mut input, mut output) = (stdin().lock(), stdout().lock());
    while let Some(request) = framed::read(&mut input, u32::from_le_bytes)? {
        let result = Some(outcome(&ConformanceRequest::decode(&request)?));
        let response = ConformanceResponse { result, ..Default::default() }.encode()?;
        framed::write(&mut output, u32::to_le_bytes, &response)?;
    }
    Ok(())
}

fn outcome(request: &ConformanceRequest) -> Outcome {
    match &*request.message_type {
        // What the runner asks for first: the tests that are expected to fail.
        "conformance.FailureSet" => converted::<FailureSet>(request),
        "protobuf_test_messages.proto2.TestAllTypesProto2" => converted::<TestAllTypesProto2>(request),
        "protobuf_test_messages.proto3.TestAllTypesProto3" => converted::<TestAllTypesProto3>(request),
        "protobuf_test_messages.editions.TestAllTypesEdition2023" => {
            converted::<TestAllTypesEdition2023>(request)
        }
        "protobuf_test_messages.editions.proto2.TestAllTypesProto2" => {
            converted::<editions::proto2::TestAllTypesProto2>(request)
        }
        "protobuf_test_messages.editions.proto3.TestAllTypesProto3" => {
            converted::<editions::proto3::TestAllTypesProto3>(request)
        }
        other => Outcome::Skipped(format!("no message {other}")),
    }
}

fn converted<M: Message>(request: &ConformanceRequest) -> Outcome {
    let read = match &request.payload {
        Some(Payload::ProtobufPayload(bytes)) => M::decode(bytes),
        Some(Payload::JsonPayload(text)) => M::from_json(text),
        Some(Payload::TextPayload(text)) => M::from_text(text),
        Some(Payload::JspbPayload(_)) | None => return Outcome::Skipped("a payload of no format".into()),
    };
    let message = match read {
        Ok(message) => message,
        Err(error) => return Outcome::ParseError(error.to_string()),
    };
    let written = match request.requested_output_format.as_known() {
        Some(WireFormat::PROTOBUF) => message.encode().map(Outcome::ProtobufPayload),
        Some(WireFormat::JSON) => message.to_json().map(Outcome::JsonPayload),
        Some(WireFormat::TEXT_FORMAT) => message.to_text().map(Outcome::TextPayload),
        _ => return Outcome::Skipped("another format".into()),
    };
    written.unwrap_or_else(|error| Outcome::SerializeError(error.to_string()))
}

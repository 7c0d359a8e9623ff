//! `grpc.reflection`, both versions.

use crate::{
    support::{Closures, here, run},
    talk::Talk,
};
use buffa::Message;
use polywire::{
    Channel, Duplex, Method, Service, Target,
    standard::reflection::{
        ExtensionRequest, ServerReflectionClient, ServerReflectionRequest, ServerReflectionResponse,
        server_reflection_request::MessageRequest, server_reflection_response::MessageResponse,
    },
};
use polywire_formats::generated::buffa_descriptor::generated::descriptor::{
    FieldDescriptorProto, FileDescriptorProto, FileDescriptorSet,
};

type Asking = Duplex<ServerReflectionRequest, ServerReflectionResponse>;

async fn ask(asking: &mut Asking, request: MessageRequest) -> MessageResponse {
    let request = ServerReflectionRequest { host: "me".into(), message_request: Some(request) };
    asking.send(request.clone()).await.unwrap();
    let response = asking.next().await.unwrap().unwrap();
    assert_eq!((&response.valid_host[..], &*response.original_request), ("me", &request));
    response.message_response.unwrap()
}

/// Names of the files in a response.
async fn files(asking: &mut Asking, request: MessageRequest) -> Vec<String> {
    match ask(asking, request).await {
        MessageResponse::FileDescriptorResponse(files) => {
            let files = files.file_descriptor_proto.iter();
            files.map(|bytes| FileDescriptorProto::decode_from_slice(bytes).unwrap().name.unwrap()).collect()
        }
        other => panic!("{other:?}"),
    }
}

fn serve() -> (std::sync::Arc<polywire::Running>, Channel) {
    here(Closures::default().into_service())
}

#[test]
fn tools_find_services_and_the_files_that_declare_them() {
    run(async || {
        let (_running, channel) = serve();
        let mut asking = ServerReflectionClient::new(channel).server_reflection_info().await.unwrap();
        let MessageResponse::ListServicesResponse(list) =
            ask(&mut asking, MessageRequest::ListServices(String::new())).await
        else {
            panic!("a list")
        };
        let names: Vec<_> = list.service.iter().map(|service| &service.name[..]).collect();
        for name in [
            "grpc.health.v1.Health",
            "grpc.reflection.v1.ServerReflection",
            "grpc.reflection.v1alpha.ServerReflection",
            "talk.Talk",
        ] {
            assert!(names.contains(&name), "{name}: {names:?}");
        }
        for symbol in ["talk.Talk", "talk.Talk.Chat", "talk.Line", "talk.Line.text", ".talk.Line"] {
            let asked = MessageRequest::FileContainingSymbol(symbol.into());
            assert_eq!(files(&mut asking, asked).await, ["talk.proto"], "{symbol}");
        }
        let asked = MessageRequest::FileContainingSymbol("grpc.health.v1.HealthCheckResponse.SERVING".into());
        assert_eq!(
            files(&mut asking, asked).await,
            ["grpc/health/v1/health.proto"],
            "values stand beside their enum"
        );
        let asked = MessageRequest::FileByFilename("talk.proto".into());
        assert_eq!(files(&mut asking, asked).await, ["talk.proto"]);
    });
}

#[test]
fn what_is_not_there_is_not_found() {
    run(async || {
        let (_running, channel) = serve();
        let mut asking = ServerReflectionClient::new(channel).server_reflection_info().await.unwrap();
        let extension = ExtensionRequest { containing_type: "talk.Line".into(), extension_number: 7 };
        for request in [
            MessageRequest::FileContainingSymbol("talk.Nothing".into()),
            MessageRequest::FileContainingSymbol("".into()),
            MessageRequest::FileByFilename("none.proto".into()),
            MessageRequest::FileContainingExtension(Box::new(extension)),
            MessageRequest::AllExtensionNumbersOfType("talk.Nothing".into()),
        ] {
            match ask(&mut asking, request).await {
                MessageResponse::ErrorResponse(error) => assert_eq!(error.error_code, 5, "{error:?}"),
                other => panic!("{other:?}"),
            }
        }
        match ask(&mut asking, MessageRequest::AllExtensionNumbersOfType("talk.Line".into())).await {
            MessageResponse::AllExtensionNumbersResponse(none) => assert!(none.extension_number.is_empty()),
            other => panic!("{other:?}"),
        }
        asking.send(ServerReflectionRequest::default()).await.unwrap();
        match asking.next().await.unwrap().unwrap().message_response {
            Some(MessageResponse::ErrorResponse(error)) => assert_eq!(error.error_code, 3),
            other => panic!("{other:?}"),
        }
    });
}

#[test]
fn a_name_longer_than_any_is_refused() {
    run(async || {
        let (_running, channel) = here(Closures::default().into_service());
        let mut asking = ServerReflectionClient::new(channel).server_reflection_info().await.unwrap();
        let long = MessageRequest::FileContainingSymbol("x".repeat(70_000));
        let request = ServerReflectionRequest { message_request: Some(long), ..Default::default() };
        asking.send(request).await.unwrap();
        let refused = asking.next().await.unwrap().map(drop).unwrap_err();
        assert!(refused.message().contains("65536"), "{refused}");
    });
}

#[test]
fn the_older_version_says_the_same() {
    run(async || {
        let (_running, channel) = serve();
        let target = Target::fixed("grpc.reflection.v1alpha.ServerReflection", "ServerReflectionInfo");
        let mut asking: Asking = channel.typed_stream(target, None).await.unwrap();
        let asked = MessageRequest::FileContainingSymbol("talk.Talk".into());
        assert_eq!(files(&mut asking, asked).await, ["talk.proto"]);
    });
}

/// A method of a service whose schema is what matters.
struct Nothing;
impl polywire::Handler for Nothing {
    fn start(&self, _: polywire::handler::Call) -> polywire::Started {
        polywire::Started::Ready(polywire::handler::Outcome::default())
    }
}

fn with_schema(name: &'static str, descriptors: &'static [u8]) -> Service {
    Service::new(name, descriptors).with(Method::new("Get", || Box::new(Nothing)))
}

#[test]
fn a_file_brings_its_imports_once() {
    run(async || {
        let shapes = polywire_samples::protobuf::shapes::v1::DESCRIPTOR_SET;
        let (_running, channel) = here(with_schema("shapes.v1.Draw", shapes));
        let client = ServerReflectionClient::new(channel);
        let asked = MessageRequest::FileContainingSymbol("shapes.v1.Drawing.Shape.Square.side".into());
        let imports = ["google/protobuf/timestamp.proto", "google/protobuf/empty.proto", "common.proto"];
        let mut asking = client.server_reflection_info().await.unwrap();
        assert_eq!(files(&mut asking, asked.clone()).await, [&["shapes.proto"], &imports[..]].concat());
        assert_eq!(files(&mut asking, asked.clone()).await, ["shapes.proto"], "it has the rest");
        assert_eq!(
            files(&mut asking, MessageRequest::FileByFilename("common.proto".into())).await,
            ["common.proto"]
        );
        let mut other = client.server_reflection_info().await.unwrap();
        assert_eq!(files(&mut other, asked).await.len(), 4, "another stream has nothing yet");
    });
}

#[test]
fn extensions_are_found_by_message_and_number() {
    run(async || {
        let extension = |number| FieldDescriptorProto {
            name: Some(format!("more{number}")),
            extendee: Some(".talk.Line".into()),
            number: Some(number),
            ..Default::default()
        };
        let file = FileDescriptorProto {
            name: Some("more.proto".into()),
            package: Some("more".into()),
            extension: vec![extension(1000), extension(7)],
            ..Default::default()
        };
        let set = FileDescriptorSet { file: vec![file], ..Default::default() }.encode_to_vec();
        let (_running, channel) = here(with_schema("more.More", set.leak()));
        let mut asking = ServerReflectionClient::new(channel).server_reflection_info().await.unwrap();
        let extension = ExtensionRequest { containing_type: "talk.Line".into(), extension_number: 7 };
        let asked = MessageRequest::FileContainingExtension(Box::new(extension));
        assert_eq!(files(&mut asking, asked).await, ["more.proto"]);
        match ask(&mut asking, MessageRequest::AllExtensionNumbersOfType("talk.Line".into())).await {
            MessageResponse::AllExtensionNumbersResponse(all) => assert_eq!(all.extension_number, [7, 1000]),
            other => panic!("{other:?}"),
        }
    });
}

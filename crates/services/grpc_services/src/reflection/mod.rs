//! `grpc.reflection.v1`: its messages and client, and the service of a server. Also under its older name
//! `v1alpha`, whose messages are the same.

mod index;

pub use super::generated::reflection::*;

use index::Index;
use polywire_call::{Code, Status};
use polywire_server::{About, AboutService, Context, Service};
use polywire_streams::{Stream, Streaming};
use server_reflection_request::MessageRequest;
use server_reflection_response::MessageResponse;
use std::{
    collections::HashSet,
    pin::Pin,
    sync::{Arc, OnceLock},
    task::{Context as Task, Poll},
};

const ALPHA_NAME: &str = "grpc.reflection.v1alpha.ServerReflection";
const ALPHA_DESCRIPTOR_SET: &[u8] = include_bytes!("../generated/grpc.reflection.v1alpha.binpb");

pub(super) fn services(about: &About) -> [Service; 2] {
    let standard = [
        #[cfg(feature = "channelz")]
        ("grpc.channelz.v1.Channelz", super::channelz::DESCRIPTOR_SET),
        ("grpc.health.v1.Health", super::health::DESCRIPTOR_SET),
        ("grpc.reflection.v1.ServerReflection", DESCRIPTOR_SET),
        (ALPHA_NAME, ALPHA_DESCRIPTOR_SET),
    ];
    let standard = standard.map(|(name, descriptors)| AboutService { name, descriptors });
    let services = about.services.iter().copied().chain(standard).collect();
    let shown = Arc::new(Shown { services, open: about.open_reflection, index: OnceLock::new() });
    [
        Service::new("grpc.reflection.v1.ServerReflection", DESCRIPTOR_SET),
        Service::new(ALPHA_NAME, ALPHA_DESCRIPTOR_SET),
    ]
    .map(|service| service.bidi_streaming::<server_reflection::ServerReflectionInfo<Shown>>(&shown))
}

/// The schemas of a server.
struct Shown {
    services: Vec<AboutService>,
    /// Whether every peer may use the service; otherwise only peers on the same machine.
    open: bool,
    /// Built when first needed.
    index: OnceLock<Arc<Index>>,
}

impl ServerReflection for Shown {
    async fn server_reflection_info(
        &self,
        cx: &Context,
        incoming: Streaming<ServerReflectionRequest>,
    ) -> Result<impl Stream<Item = Result<ServerReflectionResponse, Status>>, Status> {
        if !self.open && !cx.peer().is_local() {
            let text = "reflection answers peers on its own machine only, unless the server has `Pages::open_reflection(true)`";
            return Err(Status::permission_denied(text));
        }
        let index = self.index.get_or_init(|| Arc::new(Index::of(&self.services))).clone();
        Ok(Answers { incoming, index, sent: HashSet::new() })
    }
}

/// The answers to one tool's stream of questions.
struct Answers {
    incoming: Streaming<ServerReflectionRequest>,
    index: Arc<Index>,
    /// Files that were already sent on this stream.
    sent: HashSet<usize>,
}

impl Stream for Answers {
    type Item = Result<ServerReflectionResponse, Status>;

    fn poll_next(mut self: Pin<&mut Self>, task: &mut Task<'_>) -> Poll<Option<Self::Item>> {
        let this = &mut *self;
        Pin::new(&mut this.incoming).poll_next(task).map(|next| next.map(|request| Ok(this.answer(request?))))
    }
}

impl Answers {
    fn answer(&mut self, request: ServerReflectionRequest) -> ServerReflectionResponse {
        let answer = match &request.message_request {
            Some(request) => self.look_up(request),
            None => Err((Code::InvalidArgument, "nothing is asked for".to_owned())),
        };
        let answer = answer.unwrap_or_else(|(code, error_message)| {
            ErrorResponse { error_code: code as i32, error_message }.into()
        });
        ServerReflectionResponse {
            valid_host: request.host.clone(),
            message_response: Some(answer),
            original_request: request.into(),
        }
    }

    fn look_up(&mut self, request: &MessageRequest) -> Result<MessageResponse, (Code, String)> {
        let index = &self.index;
        let found = match request {
            MessageRequest::FileByFilename(name) => index.file(name).ok_or(("file", name.clone())),
            MessageRequest::FileContainingSymbol(symbol) => {
                index.symbol(symbol).ok_or(("symbol", symbol.clone()))
            }
            MessageRequest::FileContainingExtension(extension) => {
                let (message, number) = (&extension.containing_type, extension.extension_number);
                index.extension(message, number).ok_or(("extension", format!("{number} of {message}")))
            }
            MessageRequest::AllExtensionNumbersOfType(message) => {
                let numbers = index.extensions(message);
                let numbers = numbers.ok_or_else(|| unknown("message", message))?;
                let base_type_name = message.clone();
                return Ok(ExtensionNumberResponse { base_type_name, extension_number: numbers }.into());
            }
            MessageRequest::ListServices(_) => {
                let names = index.services().iter();
                let service = names.map(|name| ServiceResponse { name: (*name).to_owned() }).collect();
                return Ok(ListServiceResponse { service }.into());
            }
        };
        let file = found.map_err(|(what, name)| unknown(what, &name))?;
        let files = self.index.with_imports(file, &mut self.sent);
        Ok(FileDescriptorResponse { file_descriptor_proto: files }.into())
    }
}

fn unknown(what: &str, name: &str) -> (Code, String) {
    (Code::NotFound, format!("no {what} {name}"))
}

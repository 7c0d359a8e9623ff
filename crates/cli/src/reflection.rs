//! Fetches the schema of methods from a server by gRPC reflection.

use crate::{failure::Failure, peer::PeerArguments, terminal};
use polywire::{
    Channel, Code, Duplex, Origin, Status, Target,
    standard::reflection::{
        ServerReflectionRequest, ServerReflectionResponse, server_reflection_request::MessageRequest,
        server_reflection_response::MessageResponse,
    },
};
use polywire_formats::{
    generated::{buffa::Message, buffa_descriptor::generated::descriptor::FileDescriptorProto},
    schema::Pool,
};
use std::{collections::HashSet, time::Duration};

type Asking = Duplex<ServerReflectionRequest, ServerReflectionResponse>;

/// The newer version first.
const VERSIONS: [&str; 2] =
    ["grpc.reflection.v1.ServerReflection", "grpc.reflection.v1alpha.ServerReflection"];
/// Time limit for all questions together.
const TIME_LIMIT: Duration = Duration::from_secs(5);
/// Limit of files for one service, imports included: a server that names more is not trusted.
const MOST_FILES: usize = 10_000;

/// The schema of a method, `package.Service/Method` or with a dot. It is fetched by gRPC whatever protocol
/// the calls use, since our servers answer all protocols on one port.
///
/// # Errors
/// Why the schema is not available: `Failed` if the server cannot be reached, otherwise `Usage`.
pub fn ask(
    peer: &PeerArguments,
    method: &str,
    metadata: &[(String, String)],
) -> Result<&'static Pool, Failure> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    // Any server will do, and this call has no key for balancers that need one.
    let peer = PeerArguments { balancer: None, ..peer.clone() };
    let by_grpc = match peer.protocol.starts_with("grpc") {
        true => peer.clone(),
        false => PeerArguments { protocol: "grpc".into(), connection_type: None, ..peer.clone() },
    };
    let channel = by_grpc.channel()?;
    let set = runtime.block_on(async {
        let mut last = Status::unimplemented("");
        for version in VERSIONS {
            match files(&channel, version, method, metadata).await {
                Err(status) if status.code() == Code::Unimplemented => last = status,
                other => return other,
            }
        }
        Err(last)
    });
    let set = set.map_err(|status| match status.origin() {
        Origin::Transport if status.is_unprocessed() => Failure::failed(status.message()),
        _ => {
            let said = status.to_string(); // in part a text of the server
            Failure::usage(format!("reflection of {}: {}", peer.server, terminal::line(&said)))
        }
    })?;
    let pool = Pool::from_descriptor_set(&set);
    let pool = pool.map_err(|error| Failure::usage(format!("reflection of {}: {error}", peer.server)))?;
    Ok(Box::leak(Box::new(pool)))
}

/// A `FileDescriptorSet` with the service of this method and everything it needs.
async fn files(
    channel: &Channel,
    version: &'static str,
    method: &str,
    metadata: &[(String, String)],
) -> Result<Vec<u8>, Status> {
    let target = Target::fixed(version, "ServerReflectionInfo");
    let asking = channel.typed_stream(target, None).timeout(TIME_LIMIT);
    let mut asking: Asking =
        metadata.iter().fold(asking, |asking, (name, value)| asking.metadata(name, value)).await?;
    let service =
        method.trim_start_matches('/').rsplit_once(['/', '.']).map_or(method, |(service, _)| service);
    let mut wanted = vec![MessageRequest::FileContainingSymbol(service.to_owned())];
    let (mut set, mut known) = (Vec::new(), HashSet::new());
    while let Some(request) = wanted.pop() {
        if let MessageRequest::FileByFilename(name) = &request
            && known.contains(name)
        {
            continue; // it was sent together with another file
        }
        for bytes in question(&mut asking, request).await? {
            let file = FileDescriptorProto::decode_from_slice(&bytes);
            let file = file.map_err(|error| {
                Status::internal(format!("a file in the answer is not a file descriptor: {error}"))
            })?;
            if !known.insert(file.name.unwrap_or_default()) {
                continue;
            }
            if known.len() > MOST_FILES {
                return Err(Status::resource_exhausted("the service has too many files"));
            }
            wanted.extend(file.dependency.into_iter().map(MessageRequest::FileByFilename));
            append(&mut set, &bytes);
        }
    }
    Ok(set)
}

async fn question(asking: &mut Asking, request: MessageRequest) -> Result<Vec<Vec<u8>>, Status> {
    let request = ServerReflectionRequest { message_request: Some(request), ..Default::default() };
    asking.send(request).await?;
    let ended = || Status::internal("it ended without an answer");
    match asking.next().await.transpose()?.ok_or_else(ended)?.message_response {
        Some(MessageResponse::FileDescriptorResponse(files)) => Ok(files.file_descriptor_proto),
        Some(MessageResponse::ErrorResponse(error)) => Err(Status::not_found(error.error_message)),
        _ => Err(Status::internal("it answered something else")),
    }
}

/// Appends field 1 of a `FileDescriptorSet`: tag, length, bytes.
fn append(set: &mut Vec<u8>, file: &[u8]) {
    set.push(0x0a);
    let mut rest = file.len();
    while rest >= 0x80 {
        set.push(rest as u8 | 0x80);
        rest >>= 7;
    }
    set.push(rest as u8);
    set.extend_from_slice(file);
}

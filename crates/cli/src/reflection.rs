//! Fetches the schema of methods from a server by gRPC reflection.
//!
//! The first question, for the names of the services, is the end of its stream. A server that takes calls of
//! one message alone, as brpc's do, looks at a request when that has ended: then it says that it has no
//! reflection, and otherwise nothing at all.

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
/// Time limit for the questions of one stream.
const TIME_LIMIT: Duration = Duration::from_secs(5);
/// Limit of files for one service, imports included: a server that names more is not trusted.
const MOST_FILES: usize = 10_000;
/// Limit of what all files together import: a file of 16 MiB could import eight million.
const MOST_IMPORTS: usize = 100_000;
/// What helps where a server does not.
const NAME_A_FILE: &str = "--proto FILE names the .proto file of the method";
/// Services that an error lists.
const MOST_NAMES: usize = 20;
/// Services whose files are asked for, and bytes of all files together, where all are wanted.
const MOST_SERVICES: usize = 1000;
const MOST_BYTES: usize = 16 << 20;

/// The schema of a method, `package.Service/Method` or with a dot, and the method's full name: `method` may
/// leave out the package of a service whose name the server has once. It is fetched by gRPC whatever protocol
/// the calls use, since our servers answer all protocols on one port.
///
/// # Errors
/// Why the schema is not available: `Failed` if the server cannot be reached, otherwise `Usage`.
pub fn ask(
    peer: &PeerArguments,
    method: &str,
    metadata: &[(String, String)],
) -> Result<(&'static Pool, String), Failure> {
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
    let (set, name) = set.map_err(|status| match status.origin() {
        Origin::Transport if status.is_unprocessed() => Failure::failed(status.message()),
        _ if status.code() == Code::Unimplemented => Failure::usage(format!(
            "{} has no gRPC reflection, as brpc's servers have none: {NAME_A_FILE}",
            peer.server
        )),
        _ => {
            let said = status.to_string(); // in part a text of the server
            let said = terminal::line(&said);
            let advice = match status.code() {
                Code::NotFound => String::new(),
                _ => format!("; {NAME_A_FILE}"),
            };
            Failure::usage(format!("reflection of {}: {said}{advice}", peer.server))
        }
    })?;
    let pool = Pool::from_descriptor_set(&set);
    let pool = pool.map_err(|error| Failure::usage(format!("reflection of {}: {error}", peer.server)))?;
    Ok((Box::leak(Box::new(pool)), name))
}

/// The version of reflection that servers have answered last. It is asked for first: for each other one, the
/// channel counts a call that failed.
#[derive(Clone, Copy, Default)]
pub struct Version(Option<&'static str>);

/// A `FileDescriptorSet` with all services that a server names. The channel speaks gRPC.
///
/// # Errors
/// UNIMPLEMENTED: the server offers no reflection. It cannot be reached, or names too much.
pub async fn all(channel: &Channel, known: &mut Version) -> Result<Vec<u8>, Status> {
    let mut last = Status::unimplemented("");
    let others = VERSIONS.into_iter().filter(|version| known.0 != Some(*version));
    for version in known.0.into_iter().chain(others) {
        match all_by(channel, version).await {
            Err(status) if status.code() == Code::Unimplemented => last = status,
            Err(other) => return Err(other),
            Ok(set) => {
                *known = Version(Some(version));
                return Ok(set);
            }
        }
    }
    Err(last)
}

async fn all_by(channel: &Channel, version: &'static str) -> Result<Vec<u8>, Status> {
    let names = services(channel, version, &[]).await?;
    if names.len() > MOST_SERVICES {
        return Err(Status::resource_exhausted("the server has too many services"));
    }
    let mut asking = begin(channel, version, &[]).await?;
    let mut wanted: Vec<_> = names.iter().rev().map(|name| symbol(name)).collect();
    let mut files = Files::default();
    while let Some(request) = wanted.pop() {
        if files.have(&request) {
            continue;
        }
        let is_service = matches!(request, MessageRequest::FileContainingSymbol(_));
        match question(&mut asking, request).await {
            // One whose description is not there is no reason to know none.
            Err(unknown) if is_service && unknown.code() == Code::NotFound => {}
            answered => wanted.extend(files.take(answered?)?),
        }
        if files.set.len() > MOST_BYTES {
            return Err(Status::resource_exhausted("the files of the server are too long"));
        }
    }
    // Read to its end: dropped, it would be cancelled, and count so.
    asking.finish();
    let _ = asking.next().await;
    Ok(files.set)
}

/// A stream of questions.
async fn begin(
    channel: &Channel,
    version: &'static str,
    metadata: &[(String, String)],
) -> Result<Asking, Status> {
    let target = Target::fixed(version, "ServerReflectionInfo");
    let asking = channel.typed_stream(target, None).timeout(TIME_LIMIT);
    metadata.iter().fold(asking, |asking, (name, value)| asking.metadata(name, value)).await
}

/// The services that a server names, asked for by a stream that ends with the question.
///
/// # Errors
/// UNIMPLEMENTED: the server does not have this version of reflection.
async fn services(
    channel: &Channel,
    version: &'static str,
    metadata: &[(String, String)],
) -> Result<Vec<String>, Status> {
    let mut asking = begin(channel, version, metadata).await?;
    asking.send(asked(MessageRequest::ListServices(String::new()))).await?;
    asking.finish();
    let said = next(&mut asking).await?;
    let _ = asking.next().await; // to its end: see `all_by`
    match said {
        Some(MessageResponse::ListServicesResponse(list)) => {
            Ok(list.service.into_iter().map(|service| service.name).collect())
        }
        _ => Err(Status::internal("it answered something else")),
    }
}

/// The files that a server has sent.
#[derive(Default)]
struct Files {
    /// A `FileDescriptorSet`.
    set: Vec<u8>,
    /// Their names.
    known: HashSet<String>,
    /// How many imports they have together.
    imports: usize,
}

impl Files {
    /// Whether the file that is asked for was sent together with another one.
    fn have(&self, request: &MessageRequest) -> bool {
        matches!(request, MessageRequest::FileByFilename(name) if self.known.contains(name))
    }

    /// Adds the files of an answer. Returns requests for those that they import.
    fn take(&mut self, sent: Vec<Vec<u8>>) -> Result<Vec<MessageRequest>, Status> {
        let mut wanted = Vec::new();
        for bytes in sent {
            let file = FileDescriptorProto::decode_from_slice(&bytes);
            let file = file.map_err(|error| {
                Status::internal(format!("a file in the answer is not a file descriptor: {error}"))
            })?;
            if !self.known.insert(file.name.unwrap_or_default()) {
                continue;
            }
            if self.known.len() > MOST_FILES {
                return Err(Status::resource_exhausted("the service has too many files"));
            }
            self.imports += file.dependency.len();
            if self.imports > MOST_IMPORTS {
                return Err(Status::resource_exhausted("the files of the service import too many"));
            }
            wanted.extend(file.dependency.into_iter().map(MessageRequest::FileByFilename));
            append(&mut self.set, &bytes);
        }
        Ok(wanted)
    }
}

/// A `FileDescriptorSet` with the service of this method and everything it needs, and the method's full name.
async fn files(
    channel: &Channel,
    version: &'static str,
    method: &str,
    metadata: &[(String, String)],
) -> Result<(Vec<u8>, String), Status> {
    let names = services(channel, version, metadata).await?;
    let mut asking = begin(channel, version, metadata).await?;
    let (sent, full_name) = match method.trim_start_matches('/').rsplit_once(['/', '.']) {
        Some((service, called)) => match of_service(&mut asking, service, &names).await? {
            (files, Some(service)) => (files, format!("{service}/{called}")),
            (files, None) => (files, method.to_owned()),
        },
        None => (question(&mut asking, symbol(method)).await?, method.to_owned()),
    };
    let mut files = Files::default();
    let mut wanted = files.take(sent)?;
    while let Some(request) = wanted.pop() {
        if !files.have(&request) {
            wanted.extend(files.take(question(&mut asking, request).await?)?);
        }
    }
    Ok((files.set, full_name))
}

/// The files of a service, and its full name if it was asked for without its package. `names`: the services
/// that the server has.
async fn of_service(
    asking: &mut Asking,
    service: &str,
    names: &[String],
) -> Result<(Vec<Vec<u8>>, Option<String>), Status> {
    match question(asking, symbol(service)).await {
        Err(unknown) if unknown.code() == Code::NotFound && !service.contains('.') => {
            let service = with_package(service, names, &unknown)?;
            Ok((question(asking, symbol(service)).await?, Some(service.to_owned())))
        }
        answer => Ok((answer?, None)),
    }
}

fn symbol(service: &str) -> MessageRequest {
    MessageRequest::FileContainingSymbol(service.to_owned())
}

/// The full name of a service that was asked for without its package. `unknown`: what was said of the short
/// name.
///
/// # Errors
/// The server has none of this name, or several.
fn with_package<'n>(short: &str, names: &'n [String], unknown: &Status) -> Result<&'n str, Status> {
    let is_it = |name: &&String| name.rsplit_once('.').is_some_and(|(_, name)| name == short);
    let found: Vec<_> = names.iter().filter(is_it).collect();
    let (what, listed) = match &found[..] {
        [one] => return Ok(one.as_str()),
        [] => ("the server has", names.iter().collect()),
        _ => ("say which", found),
    };
    let mut listed: Vec<_> = listed.iter().map(|name| name.as_str()).collect();
    let further = listed.len().saturating_sub(MOST_NAMES);
    listed.truncate(MOST_NAMES);
    let further = if further == 0 { String::new() } else { format!(" and {further} more") };
    Err(Status::not_found(format!("{}; {what}: {}{further}", unknown.message(), listed.join(", "))))
}

/// The files that answer a request.
async fn question(asking: &mut Asking, request: MessageRequest) -> Result<Vec<Vec<u8>>, Status> {
    match answer(asking, request).await? {
        Some(MessageResponse::FileDescriptorResponse(files)) => Ok(files.file_descriptor_proto),
        Some(MessageResponse::ErrorResponse(error)) => Err(Status::not_found(error.error_message)),
        _ => Err(Status::internal("it answered something else")),
    }
}

async fn answer(asking: &mut Asking, request: MessageRequest) -> Result<Option<MessageResponse>, Status> {
    asking.send(asked(request)).await?;
    next(asking).await
}

fn asked(request: MessageRequest) -> ServerReflectionRequest {
    ServerReflectionRequest { message_request: Some(request), ..Default::default() }
}

async fn next(asking: &mut Asking) -> Result<Option<MessageResponse>, Status> {
    let ended = || Status::internal("it ended without an answer");
    Ok(asking.next().await.transpose()?.ok_or_else(ended)?.message_response)
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

#[cfg(test)]
mod tests {
    use super::*;
    use polywire::{
        Server,
        gateway::{Cluster, Figures, Relay, Routes},
    };

    /// As grpcio has it.
    #[tokio::test]
    async fn a_version_that_a_server_does_not_have_is_asked_for_once_and_no_stream_is_cancelled() {
        let behind = Server::new().protocols(["grpc"]).listen("127.0.0.1:0").start().expect("a server");
        let to = |running: &polywire::Running| {
            Channel::builder(running.addresses()[0].to_string()).protocol("grpc").build().expect("a channel")
        };
        let (channel, figures) = (to(&behind), Figures::new());
        let cluster = Cluster::new(&channel).counted(&figures.way("old", "behind", "grpc"));
        let old = "grpc.reflection.v1alpha.*".parse().expect("calls");
        let relay = Relay::by(Routes::new().to(old, cluster).expect("a route")).counted(&figures);
        let front =
            Server::new().pages(None).catch_all(relay).listen("127.0.0.1:0").start().expect("a server");
        let (channel, mut known) = (to(&front), Version::default());
        for _ in 0..3 {
            assert!(!all(&channel, &mut known).await.expect("schemas").is_empty());
        }
        assert_eq!(figures.unrouted(), 1);
        let route = &figures.routes()[0];
        assert_eq!((route.calls, route.errors), (6, [0; 3]));
    }

    /// As brpc's servers, which take calls of one message alone.
    #[tokio::test]
    async fn a_server_without_streams_says_at_once_that_it_has_no_reflection() {
        let behind = Server::new().pages(None).listen("127.0.0.1:0").start().expect("a server");
        let relayed = Channel::builder(behind.addresses()[0].to_string()).protocol("baidu_std").build();
        let server = Server::new().pages(None).catch_all(Relay::to(relayed.expect("a channel")));
        let server = server.listen("127.0.0.1:0").start().expect("a server");
        let address = server.addresses()[0].to_string();
        let channel = Channel::builder(&address).protocol("grpc").build().expect("a channel");
        let begin = std::time::Instant::now();
        let why = all(&channel, &mut Version::default()).await.expect_err("there is none");
        assert_eq!(why.code(), Code::Unimplemented, "{why}");
        let peer = PeerArguments::new(address, "baidu_std");
        let why = tokio::task::spawn_blocking(move || ask(&peer, "shop.Stock/Get", &[]).map(drop));
        let why = why.await.expect("no panic").expect_err("there is none").to_string();
        assert!(why.contains("has no gRPC reflection") && why.contains("--proto FILE"), "{why}");
        assert!(begin.elapsed() < TIME_LIMIT, "it was not waited for");
    }
}

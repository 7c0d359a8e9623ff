//! Fetches the schema of methods from the page `/protobufs` of a server, as those of brpc have it: a list of
//! names, and for each of them its definition, as protobuf's `DebugString` prints it.
//!
//! Not here: what the page leaves out, and how a definition is read (`schema::Definitions` of crate
//! `formats`).

use crate::{failure::Failure, peer::PeerArguments};
use polywire::{Channel, Code, Limits, Origin, Status, Target};
use polywire_formats::schema::{Definitions, Pool};
use std::{collections::BTreeMap, time::Duration};
use tokio::{
    task::{JoinSet, spawn_blocking},
    time::timeout,
};

/// Its protocol.
pub const HTTP: &str = "http";
/// The page as text, whoever asks.
const PAGE: &str = "/protobufs?console=1";
/// Time limit for all of it.
const TIME_LIMIT: Duration = Duration::from_secs(5);
/// Names of a list; definitions have the same limit.
const MOST_NAMES: usize = 10_000;
/// Bytes of a name.
const LONGEST_NAME: usize = 512;
/// Bytes of one answer, and of all together.
const LONGEST: u32 = 4 << 20;
const MOST_BYTES: usize = 16 << 20;
/// Definitions that are asked for at the same time.
const AT_ONCE: usize = 8;

/// The limits of a channel to such a page.
pub fn limits() -> Limits {
    let mut limits = Limits::default();
    limits.max_message = LONGEST;
    limits
}

/// A `FileDescriptorSet` of what is on the page. The channel speaks HTTP.
///
/// # Errors
/// UNIMPLEMENTED: there is no such page. It is not for this reader, is something else, or has too much; or
/// the server cannot be reached.
pub async fn all(channel: &Channel) -> Result<Vec<u8>, Status> {
    let late = |_| Status::deadline_exceeded("it was not read within five seconds");
    let texts = timeout(TIME_LIMIT, texts(channel)).await.map_err(late)??;
    let read = spawn_blocking(move || {
        let mut all = Definitions::default();
        // By their names: a type is behind that in which it is defined, too.
        for (name, text) in texts.iter().filter(|(_, text)| !text.is_empty()) {
            if !all.has_type(name) {
                all.add(name, text)?;
            }
        }
        Ok(all.into_descriptor_set())
    });
    let read = read.await.map_err(|stopped| Status::internal(stopped.to_string()))?;
    read.map_err(|wrong: polywire_formats::schema::SchemaError| Status::internal(wrong.to_string()))
}

/// Whether a failure to read the page is the answer of a server: asked again, it says the same.
pub fn is_answer(status: &Status) -> bool {
    let is_unsent = status.origin() == Origin::Transport && status.is_unprocessed();
    !is_unsent && status.code() != Code::DeadlineExceeded
}

/// The definitions on the page by their names.
async fn texts(channel: &Channel) -> Result<BTreeMap<String, String>, Status> {
    let list = get(channel.clone(), PAGE.to_owned()).await.map_err(|status| match status.code() {
        Code::NotFound | Code::Unimplemented => Status::unimplemented("there is none"),
        _ => status,
    })?;
    let mut names = names(&list)?.into_iter();
    let (mut asked, mut texts, mut bytes) = (JoinSet::new(), BTreeMap::new(), 0);
    loop {
        for name in names.by_ref().take(AT_ONCE - asked.len()) {
            let text = get(channel.clone(), format!("/protobufs/{name}"));
            asked.spawn(async move { (name, text.await) });
        }
        let Some(answered) = asked.join_next().await else { return Ok(texts) };
        let (name, text) = answered.map_err(|stopped| Status::internal(stopped.to_string()))?;
        let text = text.map_err(|status| match is_answer(&status) {
            true => Status::internal(format!("{name}: {status}")),
            false => status,
        })?;
        bytes += text.len();
        if bytes > MOST_BYTES {
            return Err(Status::resource_exhausted("its definitions are too long"));
        }
        texts.insert(name, text);
    }
}

/// The full names in a list, a line each.
fn names(list: &str) -> Result<Vec<String>, Status> {
    let is_plain = |part: &str| {
        !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
    };
    let mut names = Vec::new();
    for line in list.lines().map(str::trim).filter(|line| !line.is_empty()) {
        if line.len() > LONGEST_NAME || !line.split('.').all(is_plain) {
            return Err(Status::internal("it is no list of names"));
        }
        if names.len() == MOST_NAMES {
            return Err(Status::resource_exhausted(format!("it has more than {MOST_NAMES} names")));
        }
        names.push(line.to_owned());
    }
    match names.is_empty() {
        true => Err(Status::internal("no service is on it")),
        false => Ok(names),
    }
}

async fn get(channel: Channel, path: String) -> Result<String, Status> {
    let call = channel.call(Target::named("", &path), "").metadata(":method", "GET").timeout(TIME_LIMIT);
    let body = call.await?.into_message().body.to_vec();
    String::from_utf8(body).map_err(|_| Status::internal("it is no text"))
}

/// The methods on the page of a server. Kept until the program ends.
///
/// # Errors
/// Why there are none.
pub fn ask(peer: &PeerArguments) -> Result<&'static Pool, Failure> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let peer = PeerArguments {
        protocol: HTTP.to_owned(),
        connection_type: None,
        balancer: None,
        credential: None,
        ..peer.clone()
    };
    let channel = peer.channel()?;
    let wrong = |what: String| Failure::usage(format!("the page /protobufs of {}: {what}", peer.server));
    let set = runtime.block_on(all(&channel)).map_err(|status| wrong(status.to_string()))?;
    let pool = Pool::from_foreign_set(&set).map_err(|error| wrong(error.to_string()))?;
    Ok(Box::leak(Box::new(pool)))
}

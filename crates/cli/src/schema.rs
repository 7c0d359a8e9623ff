//! Methods and their messages: from `.proto` files, or built in. `flat` reads `.fbs` files.

use crate::{failure::Failure, peer::PeerArguments, protobufs, reflection};
use polywire_formats::{
    foreign::is_mcpack,
    schema::{MethodSchema, Pool},
};
use std::path::PathBuf;

/// The source of schemas.
#[derive(clap::Args, Clone, Default)]
pub struct SchemaArguments {
    /// .proto file with the method; may be given several times [default: the server's reflection or its page
    /// /protobufs, or the demo services]
    #[arg(long, value_name = "FILE")]
    pub proto: Vec<PathBuf>,
    /// .fbs file with the method, for fb_rpc and grpc:flatbuffers; may be given several times [default: the
    /// demo service]
    #[arg(long, value_name = "FILE", conflicts_with = "proto")]
    pub fbs: Vec<PathBuf>,
    /// Directory that imports are looked up in; may be given several times [default: those of the files]
    #[arg(long, short = 'I', value_name = "DIRECTORY")]
    pub include: Vec<PathBuf>,
}

/// The known methods. Kept until the program ends.
pub struct Schemas {
    pools: Vec<&'static Pool>,
}

impl Schemas {
    /// The schemas of the demo services.
    pub fn builtin() -> Self {
        Schemas { pools: vec![&crate::example::POOL, &crate::helloworld::POOL, &crate::test::POOL] }
    }

    /// The methods in the files of the arguments.
    ///
    /// # Errors
    /// A file that is missing or wrong, with the place.
    pub fn load(arguments: &SchemaArguments) -> Result<Self, Failure> {
        if arguments.proto.is_empty() {
            return Ok(Schemas::builtin());
        }
        let set = compile(arguments)?;
        let pool = Pool::from_descriptor_set(&set).map_err(|error| Failure::usage(error.to_string()))?;
        Ok(Schemas { pools: vec![Box::leak(Box::new(pool))] })
    }

    /// Finds a method.
    ///
    /// # Errors
    /// The name is unknown; the error lists the known ones.
    pub fn method(&self, name: &str) -> Result<MethodSchema<'static>, Failure> {
        self.find(name).ok_or_else(|| {
            let known: Vec<_> = self.pools.iter().flat_map(|pool| pool.methods()).map(full_name).collect();
            Failure::usage(format!("unknown method {name:?}; known are {}", known.join(", ")))
        })
    }

    /// Finds a method by `package.Service/Method`; or by `Service#2`, as requests of hulu_pbrpc identify it,
    /// with or without the package.
    fn find(&self, name: &str) -> Option<MethodSchema<'static>> {
        let Some((service, index)) = name.split_once('#') else {
            return self.pools.iter().find_map(|pool| pool.method(name));
        };
        let index: u32 = index.parse().ok()?;
        let is_it = |method: &MethodSchema<'_>| {
            let package = method.service.strip_suffix(service);
            method.index == index
                && package.is_some_and(|package| package.is_empty() || package.ends_with('.'))
        };
        self.pools.iter().find_map(|pool| pool.methods().find(is_it))
    }
}

/// Finds a method by its name, as [`reflected`] does, or else on the page `/protobufs` of a server that is
/// not called by gRPC: those of brpc have no reflection. The page does not tell the names that fields have in
/// mcpack.
///
/// # Errors
/// As for [`reflected`].
pub fn method(
    name: &str,
    arguments: &SchemaArguments,
    peer: Option<&PeerArguments>,
    metadata: &[(String, String)],
) -> Result<MethodSchema<'static>, Failure> {
    let failure = match reflected(name, arguments, peer, metadata) {
        Err(failure @ Failure::Usage(_)) => failure,
        other => return other,
    };
    let tells = |peer: &&PeerArguments| {
        let protocol = polywire_protocols::builtin().find(&peer.protocol);
        let content = protocol.and_then(|protocol| (protocol.content)(""));
        !content.is_some_and(is_mcpack) && !peer.protocol.starts_with("grpc")
    };
    let asked = peer.filter(tells).filter(|_| arguments.proto.is_empty());
    let page = asked.and_then(|peer| protobufs::ask(peer).ok());
    page.and_then(|pool| pool.method(name)).ok_or(failure)
}

/// Finds a method by its name: in files if there are any, otherwise by reflection of the server, or among the
/// demo services. With gRPC the server is asked first, with other protocols only for methods that are not
/// built in; without a `peer` no server is asked. `metadata`: fields of the reflection request, as a server
/// may require a token.
///
/// # Errors
/// An unknown name, with the methods of its service or the reason why the server provides no schema; a server
/// that cannot be reached; or a missing or invalid file.
pub fn reflected(
    name: &str,
    arguments: &SchemaArguments,
    peer: Option<&PeerArguments>,
    metadata: &[(String, String)],
) -> Result<MethodSchema<'static>, Failure> {
    if !arguments.proto.is_empty() {
        return Schemas::load(arguments)?.method(name);
    }
    let builtin = Schemas::builtin();
    let Some(peer) = peer else { return builtin.method(name) };
    if !peer.protocol.starts_with("grpc")
        && let Some(method) = builtin.find(name)
    {
        return Ok(method);
    }
    let failure = match reflection::ask(peer, name, metadata) {
        Ok((pool, full_name)) => match pool.method(&full_name) {
            Some(method) => return Ok(method),
            None => unknown(&full_name, "its service has no such method", pool),
        },
        Err(Failure::Failed(why)) => {
            Failure::failed(format!("{why}; without --proto the server is asked what {name} is"))
        }
        Err(why) => unknown(name, &why.to_string(), &crate::example::POOL),
    };
    builtin.find(name).ok_or(failure)
}

/// The error for an unknown method; lists the methods of the service, if it is in this pool.
fn unknown(name: &str, why: &str, pool: &Pool) -> Failure {
    let service = name.trim_start_matches('/').rsplit_once(['/', '.']).map_or(name, |(service, _)| service);
    let known: Vec<_> = pool.methods().filter(|method| method.service == service).map(full_name).collect();
    let known = if known.is_empty() { String::new() } else { format!("; it has {}", known.join(", ")) };
    Failure::usage(format!("unknown method {name:?}: {why}{known}"))
}

/// The full name of a method, `package.Service/Method`.
pub fn full_name(method: MethodSchema<'_>) -> String {
    format!("{}/{}", method.service, method.method)
}

fn compile(arguments: &SchemaArguments) -> Result<Vec<u8>, Failure> {
    let missing: Vec<_> =
        arguments.proto.iter().filter(|file| !file.exists()).map(|file| file.display().to_string()).collect();
    if !missing.is_empty() {
        return Err(Failure::usage(format!("--proto {}: no such file", missing.join(", "))));
    }
    let read = polywire_proto::read(&arguments.proto, &arguments.include);
    Ok(read.map_err(|error| Failure::usage(format!("--proto: {error}")))?.descriptor_set())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Requests of hulu_pbrpc contain the short name of a service and the position of the method in it.
    #[test]
    fn a_method_is_found_by_its_place_in_a_service() {
        let known = Schemas::builtin();
        let found = |name: &str| known.find(name).map(full_name);
        let echo = found("example.EchoService/Echo");
        assert!(echo.is_some());
        let index = known.find("example.EchoService/Echo").map_or(0, |method| method.index);
        assert_eq!(found(&format!("EchoService#{index}")), echo);
        assert_eq!(found(&format!("example.EchoService#{index}")), echo);
        for unknown in ["Service#0", "EchoService#999", "EchoService#", "EchoService#-1"] {
            assert_eq!(found(unknown), None, "{unknown}");
        }
    }
}

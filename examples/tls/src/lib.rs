//! The service of the example, and certificates of an issuer that both programs trust.

#![forbid(unsafe_code)]

pub mod certificates;

use greet::{GreetService, HelloReply, HelloRequest};
use polywire::{ClientCertificates, Context, Reply, Server, ServerTls, Status};
use std::path::Path;

polywire::include!("greet");

struct Greet;

impl GreetService for Greet {
    async fn hello(&self, cx: &Context, _: HelloRequest) -> Result<Reply<HelloReply>, Status> {
        // A verified certificate identifies the caller; here by the first DNS name in it.
        let caller = cx.identity().map_or("stranger", |identity| &identity.name);
        let over = cx.security().map_or("plain text", |security| security.version);
        Ok(HelloReply { text: format!("hello {caller}, over {over}") }.into())
    }
}

/// The server, without an address yet. Clients may show a certificate; with [`ClientCertificates::Required`],
/// the default once issuers are set, clients without one are refused. Plain text is answered only because it
/// is enabled explicitly.
pub fn server(folder: &Path) -> Server {
    let tls = ServerTls::files(folder.join("server.pem"), folder.join("server.key"))
        .client_ca_file(folder.join("ca.pem"))
        .client_certificates(ClientCertificates::Optional);
    Server::new().service(Greet.into_service()).tls(tls.plain_beside(true))
}

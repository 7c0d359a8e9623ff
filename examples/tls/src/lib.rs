//! The service of the example, and the certificates of a small company that both programs belong to.

#![forbid(unsafe_code)]

pub mod certificates;

use greet::{GreetService, HelloReply, HelloRequest};
use polywire::{ClientCertificates, Context, Reply, Server, Status, Tls};
use std::path::Path;

polywire::include!("greet");

struct Greet;

impl GreetService for Greet {
    async fn hello(&self, cx: &Context, _: HelloRequest) -> Result<Reply<HelloReply>, Status> {
        // A certificate that was verified names the caller; here it is the first DNS name in it.
        let caller = cx.identity().map_or("stranger", |identity| &identity.name);
        let over = cx.security().map_or("plain text", |security| security.version);
        Ok(HelloReply { text: format!("hello {caller}, over {over}") }.into())
    }
}

/// The server, listening nowhere yet. Clients may show a certificate; [`ClientCertificates::Required`], the default where
/// issuers are named, turns away those that do not. Plain text is answered only because it is asked for by name.
pub fn server(folder: &Path) -> Server {
    let tls = Tls::files(folder.join("server.pem"), folder.join("server.key"))
        .client_ca_file(folder.join("ca.pem"))
        .client_certificates(ClientCertificates::Optional);
    Server::new().service(Greet.into_service()).tls(tls).plain_beside_tls()
}

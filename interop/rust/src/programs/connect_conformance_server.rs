//! The server under test of `connectconformance --mode server`: reads from standard input what to serve, and
//! reports its address. As `connect-conformance-relay` it is a relay in front of one.

use crate::{
    conformance::service::Conformance,
    connectrpc::conformance::v1::{ConformanceService, ServerCompatRequest, ServerCompatResponse},
    framed,
};
use polywire::{
    Channel, Limits, Message, Server, ServerTls,
    gateway::{Cluster, Relay, Schemas},
};
use std::io::{stdin, stdout};

#[tokio::main]
pub async fn main() -> polywire::Result<()> {
    let request = request()?;
    let server = Server::new().service(Conformance.into_service()).limits(limits(&request));
    serve(server, request).await
}

/// A relay that speaks gRPC to the server behind, and knows the messages of the suite.
#[tokio::main]
pub async fn relay() -> polywire::Result<()> {
    let request = request()?;
    let limits = limits(&request);
    // What the relay passes on compressed, the server behind decompresses.
    let behind = Server::new().service(Conformance.into_service()).limits(limits.clone());
    let behind = behind.listen("127.0.0.1:0").start()?;
    // Calls without a deadline have none behind, either.
    let channel = Channel::builder(behind.addresses()[0].to_string()).protocol("grpc").timeout(None);
    let schemas = Schemas::from_descriptor_set(crate::connectrpc::conformance::v1::DESCRIPTOR_SET)?;
    let relay = Relay::to(Cluster::new(&channel.build()?).schemas(&schemas));
    serve(Server::new().pages(None).catch_all(relay).limits(limits), request).await?;
    behind.stop().await;
    Ok(())
}

fn request() -> polywire::Result<ServerCompatRequest> {
    let request =
        framed::read(&mut stdin().lock(), u32::from_be_bytes)?.ok_or("nothing on standard input")?;
    Ok(ServerCompatRequest::from_wire(&request)?)
}

fn limits(request: &ServerCompatRequest) -> Limits {
    match request.message_receive_limit {
        0 => Limits::default(),
        most => Limits::default().max_message(most),
    }
}

async fn serve(mut server: Server, request: ServerCompatRequest) -> polywire::Result<()> {
    let mut response = ServerCompatResponse { host: "127.0.0.1".into(), ..Default::default() };
    if request.use_tls {
        let own = request.server_creds.as_option().ok_or("TLS, but no certificate")?;
        response.pem_cert = own.cert.clone();
        let mut tls = ServerTls::pem(own.cert.clone(), own.key.clone());
        if !request.client_tls_cert.is_empty() {
            tls = tls.client_ca_pem(request.client_tls_cert.clone());
        }
        server = server.tls(tls);
    }
    let listener = std::net::TcpListener::bind("127.0.0.1:0")?;
    response.port = listener.local_addr()?.port().into();
    let running = server.serve(listener)?;
    framed::write(&mut stdout().lock(), u32::to_be_bytes, &response.to_wire()?)?;
    polywire::stop_signal()?.await;
    running.stop().await;
    Ok(())
}

//! The server under test of `connectconformance --mode server`: reads from standard input what to serve, and
//! reports its address.

use crate::{
    conformance::service::Conformance,
    connectrpc::conformance::v1::{ConformanceService, ServerCompatRequest, ServerCompatResponse},
    framed,
};
use polywire::{Limits, Message, Server, ServerTls};
use std::io::{stdin, stdout};

#[tokio::main]
pub async fn main() -> polywire::Result<()> {
    let request =
        framed::read(&mut stdin().lock(), u32::from_be_bytes)?.ok_or("nothing on standard input")?;
    let request = ServerCompatRequest::from_wire(&request)?;
    let mut limits = Limits::default();
    if request.message_receive_limit > 0 {
        limits.max_message = request.message_receive_limit;
    }
    let mut server = Server::new().service(Conformance.into_service()).limits(limits);
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

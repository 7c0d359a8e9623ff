//! The server under test of `connectconformance --mode server`: told on standard input what to serve, it says where.

use polywire::{Limits, Message, Server};
use polywire_interop::{
    conformance::Conformance,
    connectrpc::conformance::v1::{ConformanceService, ServerCompatRequest, ServerCompatResponse},
};
use std::io::{Read, Write, stdin, stdout};

#[tokio::main]
async fn main() -> polywire::Result<()> {
    let mut length = [0; 4];
    stdin().read_exact(&mut length)?;
    let mut request = vec![0; u32::from_be_bytes(length) as usize];
    stdin().read_exact(&mut request)?;
    let request = ServerCompatRequest::from_wire(&request)?;
    let mut limits = Limits::default();
    if request.message_receive_limit > 0 {
        limits.max_message = request.message_receive_limit;
    }
    let server = Server::new().service(Conformance.into_service()).limits(limits);
    let listener = std::net::TcpListener::bind("127.0.0.1:0")?;
    let port = listener.local_addr()?.port();
    let running = server.serve(listener)?;
    let response = ServerCompatResponse { host: "127.0.0.1".into(), port: port.into(), ..Default::default() }
        .to_wire()?;
    stdout().write_all(&(response.len() as u32).to_be_bytes())?;
    stdout().write_all(&response)?;
    stdout().flush()?;
    polywire::stop_signal()?.await;
    running.stop().await;
    Ok(())
}

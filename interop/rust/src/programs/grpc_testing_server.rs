//! `grpc-testing-server [--protocols NAME] [--cross-origin ORIGIN] [--tls-cert FILE --tls-key FILE]`: answers
//! gRPC's interop cases until it is told to stop.

use crate::{grpc::testing::TestService, testing::Testing};
use polywire::{Origins, Server, ServerTls, standard::load::LoadReports, websocket};
use std::{collections::HashMap, time::Duration};

#[tokio::main]
pub async fn main() -> polywire::Result<()> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let mut options: HashMap<&str, &str> =
        words.chunks(2).map(|pair| (&*pair[0], pair.get(1).map_or("", String::as_str))).collect();
    let load = LoadReports::new().least_interval(Duration::from_secs(1));
    // Without its middleware, so that what is reported is what callers ask for.
    let services = load.services().into_iter();
    let mut server = services.fold(Server::new(), Server::service).service(Testing(load).into_service());
    server = server.service(websocket::Calls).listen("127.0.0.1:0");
    if let Some(name) = options.remove("--protocols") {
        server = server.protocols([name]);
    }
    if let Some(origin) = options.remove("--cross-origin") {
        server = server.origins(Origins::default().allow(origin));
    }
    if let (Some(certificate), Some(key)) = (options.remove("--tls-cert"), options.remove("--tls-key")) {
        server = server.tls(ServerTls::files(certificate, key));
    }
    if !options.is_empty() {
        return Err(format!("grpc-testing-server: unknown or incomplete options: {options:?}").into());
    }
    let running = server.start()?;
    for address in running.addresses() {
        println!("listening on {address}");
    }
    polywire::stop_signal()?.await;
    running.stop().await;
    Ok(())
}

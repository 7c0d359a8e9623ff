//! Neighbours of the `tower` family at our port, and our services in an axum router.

mod export;
mod layers;
mod mount;

use crate::{support, talk};
use polywire::{Channel, Engine, Running, Server};
use std::{
    io::{Read, Write},
    net::{TcpListener, TcpStream},
    time::Duration,
};

fn engine() -> Engine {
    Engine::builder().shards(1).workers(2).build().unwrap()
}

fn serve(server: Server) -> Running {
    server.engine(&engine()).serve(TcpListener::bind("127.0.0.1:0").unwrap()).unwrap()
}

fn grpc(address: impl ToString) -> Channel {
    let builder = Channel::builder(address.to_string()).protocol("grpc");
    builder.timeout(Duration::from_secs(60)).build().unwrap()
}

/// Sends one HTTP/1.1 request, which asks for the connection to be closed, and reads the reply.
async fn exchange(address: impl ToString, request: &str) -> String {
    let (address, request) = (address.to_string(), request.replace('|', "\r\n"));
    let work = tokio::task::spawn_blocking(move || {
        let mut stream = TcpStream::connect(address).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
        let mut writing = stream.try_clone().unwrap();
        std::thread::spawn(move || writing.write_all(request.as_bytes())); // an echo may not wait for all of it
        let mut reply = String::new();
        stream.read_to_string(&mut reply).unwrap();
        reply
    });
    work.await.unwrap()
}

async fn get(address: impl ToString, path: &str) -> String {
    exchange(address, &format!("GET {path} HTTP/1.1|Host: there|Connection: close||")).await
}

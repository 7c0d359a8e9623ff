//! The demo's services over tonic.

use std::hint::black_box;

use tokio_stream::Stream;
use tonic::transport::{Server, server::TcpIncoming};
use tonic::{Request, Response, Status, Streaming};

use crate::example::echo_service_server::{EchoService, EchoServiceServer};
use crate::example::stream_service_server::{StreamService, StreamServiceServer};
use crate::example::{EchoRequest, EchoResponse, Heard, Line, RepeatRequest};
use crate::helloworld::greeter_server::{Greeter, GreeterServer};
use crate::helloworld::{HelloReply, HelloRequest};
use crate::{Failure, MAX_MESSAGE};

/// Serves until killed. `rounds` of computing per greeting, on tokio's pool for blocking work if
/// `spawn_blocking`.
pub async fn run(rounds: u64, spawn_blocking: bool) -> Result<(), Failure> {
    let incoming = TcpIncoming::bind("127.0.0.1:0".parse()?)?.with_nodelay(Some(true));
    println!("listening on {}", incoming.local_addr()?);
    let echo = EchoServiceServer::new(Echo)
        .max_decoding_message_size(MAX_MESSAGE)
        .max_encoding_message_size(MAX_MESSAGE);
    Ok(Server::builder()
        .add_service(echo)
        .add_service(StreamServiceServer::new(Streams))
        .add_service(GreeterServer::new(Hello { rounds, spawn_blocking }))
        .serve_with_incoming(incoming)
        .await?)
}

struct Echo;

#[tonic::async_trait]
impl EchoService for Echo {
    async fn echo(&self, request: Request<EchoRequest>) -> Result<Response<EchoResponse>, Status> {
        Ok(Response::new(EchoResponse { message: request.into_inner().message }))
    }
}

struct Streams;

/// Lines that are there already.
type Lines = std::pin::Pin<Box<dyn Stream<Item = Result<Line, Status>> + Send>>;

#[tonic::async_trait]
impl StreamService for Streams {
    type RepeatStream = Lines;
    type ChatStream = Streaming<Line>;

    /// `interval_ms` is not looked at: loads do not set it.
    async fn repeat(&self, request: Request<RepeatRequest>) -> Result<Response<Lines>, Status> {
        let RepeatRequest { message, count, .. } = request.into_inner();
        let lines = (0..count).map(move |_| Ok(Line { message: message.clone() }));
        Ok(Response::new(Box::pin(tokio_stream::iter(lines))))
    }

    async fn collect(&self, request: Request<Streaming<Line>>) -> Result<Response<Heard>, Status> {
        let (mut incoming, mut heard) = (request.into_inner(), Heard::default());
        while let Some(line) = incoming.message().await? {
            heard.messages += 1;
            heard.bytes += line.message.len() as u64;
        }
        Ok(Response::new(heard))
    }

    async fn chat(&self, request: Request<Streaming<Line>>) -> Result<Response<Streaming<Line>>, Status> {
        Ok(Response::new(request.into_inner()))
    }
}

struct Hello {
    rounds: u64,
    spawn_blocking: bool,
}

#[tonic::async_trait]
impl Greeter for Hello {
    async fn say_hello(&self, request: Request<HelloRequest>) -> Result<Response<HelloReply>, Status> {
        let rounds = self.rounds;
        if rounds > 0 && self.spawn_blocking {
            let done = tokio::task::spawn_blocking(move || compute(rounds)).await;
            black_box(done.map_err(|error| Status::internal(error.to_string()))?);
        } else {
            black_box(compute(black_box(rounds)));
        }
        Ok(Response::new(HelloReply { message: format!("Hello {}", request.into_inner().name) }))
    }
}

/// The arithmetic of our own demo service, round for round.
fn compute(rounds: u64) -> u64 {
    let mut value = 0x9e37_79b9_7f4a_7c15_u64;
    for round in 0..rounds {
        value = black_box(value.wrapping_mul(0x2545_f491_4f6c_dd1d).rotate_left(17) ^ round);
    }
    value
}

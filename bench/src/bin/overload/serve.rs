//! Servers of the demo's EchoService that compute before they answer: ours, and tonic's.

use std::hint::black_box;

use polywire::overload::{Auto, Shedding};
use polywire::{Bounds, Channel, Context, Reply, Server, Status, redis};
use polywire_bench::{Args, args::wrong_use};
use tonic::transport::server::TcpIncoming;

use crate::example::{EchoRequest, EchoResponse, EchoService};
use crate::made::echo_service_server::{EchoService as TonicService, EchoServiceServer};
use crate::{Failure, USAGE, blocks, compute, made};

struct Echo {
    rounds: u64,
    /// What each call asks once.
    store: Option<redis::Client>,
}

impl EchoService for Echo {
    async fn echo(&self, _: &Context, request: EchoRequest) -> Result<Reply<EchoResponse>, Status> {
        blocks(&request.message);
        black_box(compute(black_box(self.rounds)));
        if let Some(store) = &self.store {
            store.get::<Option<String>>(&request.message).await?;
        }
        Ok(EchoResponse { message: request.message }.into())
    }
}

#[tokio::main]
pub async fn ours(args: &Args) -> Result<(), Failure> {
    let address = args.get("redis", String::new());
    let store = (!address.is_empty())
        .then(|| Channel::builder(&*address).protocol("redis").build().map(redis::Client::new))
        .transpose()?;
    let server = Server::new().service(Echo { rounds: args.get("rounds", 0), store }.into_service());
    let server = match args.get("mode", "default".to_owned()).as_str() {
        "default" => server,
        "off" => server.bounds(Bounds::default().shedding(None)),
        "shed" => server.bounds(Bounds::default().shedding(Shedding::default())),
        "auto" => server.bounds(Bounds::default().method_concurrency(Auto::default())),
        "limit" => server.bounds(Bounds::default().method_concurrency(32)),
        other => wrong_use(&format!("`{other}` is no mode"), USAGE),
    };
    let running = server.listen("127.0.0.1:0").start()?;
    println!("listening on {}", running.addresses()[0]);
    polywire::stop_signal()?.await;
    eprintln!("{:?}", running.overload());
    Ok(())
}

struct Tonic(u64);

#[tonic::async_trait]
impl TonicService for Tonic {
    async fn echo(
        &self,
        request: tonic::Request<made::EchoRequest>,
    ) -> Result<tonic::Response<made::EchoResponse>, tonic::Status> {
        blocks(request.get_ref().message.as_str());
        black_box(compute(black_box(self.0)));
        Ok(tonic::Response::new(made::EchoResponse { message: request.into_inner().message }))
    }
}

#[tokio::main]
pub async fn tonic(args: &Args) -> Result<(), Failure> {
    let incoming = TcpIncoming::bind("127.0.0.1:0".parse()?)?.with_nodelay(Some(true));
    println!("listening on {}", incoming.local_addr()?);
    let echo = EchoServiceServer::new(Tonic(args.get("rounds", 0)));
    Ok(tonic::transport::Server::builder().add_service(echo).serve_with_incoming(incoming).await?)
}
